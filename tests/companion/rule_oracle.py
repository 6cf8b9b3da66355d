"""A second engine for Dudo, written from docs/reference/rules.md and apart from the first, to hold that to.

It knows nothing of the engine's code: plain dictionaries, bids as (quantity, face), seats as numbers. It is
given what is said and what lies on the table. It says which bids may follow, and what a challenge comes to.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.companion.raising_oracle import Pair, RaisingOracle


@dataclass
class Oracle(RaisingOracle):
    """One game. `dice`, `lives`, `used`, `gone` are lists by seat; `said` are (seat, pair or None)."""

    rules: dict[str, Any]
    seats: int
    starter: int = 0
    kind: str = "normal"
    step: int = 1
    said: list[tuple[int, Pair | None]] = field(default_factory=list)
    winner: int | None = None
    antes: int = 0
    fewer: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.rounds = 0
        self.spent: set[int] = set()
        self.began = [self.rules["starting_dice"]] * self.seats
        for seat, number in enumerate(self.fewer):
            self.began[seat] -= number
        self.gaining = self.rules["penalty"] == "gain"
        self.dice = [1] * self.seats if self.gaining else list(self.began)
        self.first = sum(self.dice)
        number = self.rules["team_count"] if self.rules["teams"] != "off" else self.seats
        self.side = [seat % number for seat in range(self.seats)]
        self.lives = [self.rules["lives"] or 0] * self.seats
        self.used = [False] * self.seats
        self.gone = [False] * self.seats
        self.marks = [0] * self.seats
        self.tallied = self.rules["penalty"] == "tally"
        self._begin(self.starter, "normal")

    # ---- where the round stands ----
    def _begin(self, starter: int, kind: str) -> None:
        self.starter = self.turn = starter
        self.kind, self.said, self.view = kind, [], "usual"
        self.out: list[tuple[int, ...]] = [()] * self.seats
        self.rounds += 1
        if self.rules["direction"] != "first_starter_chooses":
            self.step = -1 if self.rules["direction"] == "counter_clockwise" else 1
        if kind != "normal":
            self.used[starter] = True
        if self.rules["ante_each_round"]:
            self.antes += self.seats - sum(self.gone)

    def along(self, seat: int) -> int:
        while True:
            seat = (seat + self.step) % self.seats
            if not self.gone[seat]:
                return seat

    @property
    def total(self) -> int:
        return sum(d for d, gone in zip(self.dice, self.gone, strict=True) if not gone)

    @property
    def known(self) -> int:
        """The dice in play as far as everybody knows: lost ones count where they are hidden."""
        dice = self.began if self.rules["dice_left"] == "hidden" else self.dice
        return sum(d for d, gone in zip(dice, self.gone, strict=True) if not gone)

    @property
    def standing(self) -> tuple[int, Pair] | None:
        return next(((seat, pair) for seat, pair in reversed(self.said) if pair), None)

    @property
    def pot(self) -> int:
        times = self.antes if self.rules["ante_each_round"] else self.seats
        return int(self.rules["ante"] * times)

    @property
    def joker(self) -> int | None:
        """The wild face at this moment."""
        face, way = self.rules["wild_face"], self.rules["wild"]
        if way == "none" or self.kind != "normal":
            return None
        heard = [pair[1] for _, pair in self.said if pair]
        if way == "until_aces_bid" and face in heard:
            return None
        if way == "until_aces_open" and heard[:1] == [face]:
            return None
        return int(face)

    @property
    def level(self) -> bool:
        """Whether a tally goes on because the best of it are level."""
        return (
            self.tallied and max(self.marks) >= self.rules["tally_to"] and self._best_of_the_tally() is None
        )

    # ---- what may be bid ----
    def legal(self, quantity: int, face: int, plain: bool = False) -> bool:
        """Whether the player on turn may bid so; `plain`: the wild dice stay out."""
        if not 1 <= face <= 6 or quantity < 1:
            return False
        if plain and (not self.rules["zhai"] or self.joker in (None, face)):
            return False
        hidden = self.rules["dice_left"] == "hidden"
        if quantity > self.known and (hidden or self.rules["max_quantity"] == "dice_in_play"):
            return False
        if quantity > 2 * sum(self.began) + 1:
            return False
        if self.standing is None:
            return self._opens(quantity, face)
        last = self.standing[1]
        if not self._may_name(face, last[1]):
            return False
        if self.joker and self.rules["zhai"] and (plain or last[2]):
            return self._beats_plain((quantity, face, plain), last)
        return self._beats(quantity, face, last[0], last[1])

    def may_push(self, bid: Pair, dice: tuple[int, ...]) -> bool:
        """Whether the player on turn may set these dice out with the bid, and roll the others again."""
        if not dice:
            return True
        fits = all(die == bid[1] or (die == self.joker and not bid[2]) for die in dice)
        hidden = self.dice[self.turn] - len(self.out[self.turn])
        return bool(self.rules["push_and_reroll"]) and fits and hidden - len(dice) >= 1

    def _opens(self, quantity: int, face: int) -> bool:
        special = self.rules["wild_face"]
        if quantity < min(self.rules["opening_minimum"], self.known):
            return False
        if self.kind == "aces_count":
            return bool(face == special)
        if face != special:
            return True
        if self.kind == "palifico":
            return bool(self.rules["palifico_opening_aces"])
        if self._unbiddable(face):
            return False
        allowed = {"allowed": True, "never": False, "one_die": self.dice[self.turn] == 1}
        return allowed[self.rules["opening_aces"]]

    def _may_name(self, face: int, last: int) -> bool:
        if self.kind == "normal":
            return True
        if self.kind == "aces_count":
            return bool(face == self.rules["wild_face"])
        way, single = self.rules["palifico_unlock"], self.dice[self.turn] == 1
        free = way == "everybody" or (
            single and (way == "one_die" or (way == "other_one_die" and self.turn != self.starter))
        )
        return free or face == last

    # ---- what else may be said ----
    def may(self, what: str, seat: int) -> bool:
        """Whether this player may say dudo, calza, pass, dudo_pass, palifico, turn or look."""
        rules, passed = self.rules, bool(self.said) and self.said[-1][1] is None
        if self.gone[seat]:
            return False
        standing = self.standing
        if what == "dudo":
            if standing is None or passed:
                return False
            return seat == self.turn or (rules["dudo_by"] == "anybody" and seat != standing[0])
        if what == "calza":
            return standing is not None and not passed and self._may_calza(seat, standing[0])
        if what == "pass":
            mine = (seat, None) in self.said
            able = rules["passing"] and self.dice[seat] >= rules["pass_dice"]
            return bool(able and seat == self.turn and standing and not passed and not mine)
        if what == "dudo_pass":
            return passed and seat == self.turn
        if self.said or seat != self.starter:
            return False
        if what == "look":
            return bool(rules["palifico_view"] == "choice" and self.kind == "palifico")
        if what == "turn":
            first = rules["direction"] == "first_starter_chooses" and self.rounds == 1
            return bool(first or rules["direction"] == "starter_chooses")
        many = rules["palifico_two_players"] or self.seats - sum(self.gone) > 2
        right = rules["palifico"] == "optional" and rules["lives"] is None and rules["starting_dice"] > 1
        right = right and not self.tallied and not self.gaining
        return bool(right and many and self.dice[seat] == 1 and not self.used[seat]) and self.kind == "normal"

    def sees(self, seat: int) -> list[int]:
        """Whose dice this player may look at before the cups are lifted."""
        if self.view == "open":
            return [one for one in range(self.seats) if one != seat and not self.gone[one]]
        return [] if self.view == "closed" and self.dice[seat] > 1 else [seat]

    def _may_calza(self, seat: int, bidder: int) -> bool:
        rules = self.rules
        where = {
            "off": False,
            "current": seat == self.turn,
            "out_of_turn": seat not in (self.turn, bidder),
        }[rules["calza"]]
        if not where or (self.kind != "normal" and not rules["calza_palifico"]):
            return False
        if rules["calza_limit"] == "once" and seat in self.spent:
            return False
        if rules["calza_limit"] == "three_left" and self.gone.count(False) < 3:
            return False
        if rules["calza_limit"] == "more_than_half" and not self.total > self.first / 2:
            return False
        lacks = self.lives[seat] < rules["lives"] if rules["lives"] else self.dice[seat] < self.began[seat]
        if self.tallied or self.gaining:
            lacks = self.marks[seat] > 0
        return lacks or rules["calza_by"] == "anybody"

    # ---- what happens ----
    def bid(self, pair: Pair | None, pushed: tuple[int, ...] = ()) -> None:
        """The player on turn bids, or passes with None."""
        self.said.append((self.turn, pair))
        self.out[self.turn] += pushed
        self.turn = self.along(self.turn)

    def turned(self, clockwise: bool) -> None:
        self.step = 1 if clockwise else -1

    def declared(self) -> None:
        self.kind, self.used[self.starter] = "palifico", True

    def count(self, hands: dict[int, tuple[int, ...]]) -> int:
        """The dice that match the standing bid."""
        assert self.standing
        _, face, plain = self.standing[1]
        return sum(self._counts(hand, face, None if plain else self.joker) for hand in hands.values())

    def _counts(self, hand: tuple[int, ...], face: int, joker: int | None) -> int:
        """What one hand counts: its dice, a stair one more than it has, five alike some more."""
        alike = len([die for die in hand if die in (face, joker)])
        if self.kind != "normal":
            return alike
        if self.rules["stairs"] and set(hand) == set(range(1, 1 + len(hand))):
            return len(hand) + 1
        return alike + (self.rules["hand_bonus"] if len(hand) >= 5 and alike == len(hand) else 0)

    def challenge(self, what: str, caller: int, hands: dict[int, tuple[int, ...]]) -> None:
        """Dudo, calza or dudo_pass: dice and lives go, and the next round begins, or somebody has won."""
        before = [self._worth(seat) for seat in range(self.seats)]
        if what == "calza":
            self.spent.add(caller)
        self.alone: int | None = None
        self.gained: int | None = None
        if what == "dudo_pass":
            other = self.said[-1][0]
            fine = self._good(hands[other])
            size = 99 if self.rules["penalty"] == "all" else 1
            self._wrong(caller if fine else other, other if fine else caller, size)
        else:
            assert self.standing
            other = self.standing[0]
            self._judged(what, caller, other, self.count(hands) - self.standing[1][0])
        if self.gaining:
            self.gone = [self.marks[seat] == self.began[seat] for seat in range(self.seats)]
            self.dice = [min(1 + self.marks[seat], self.began[seat]) for seat in range(self.seats)]
        changed = {seat for seat in range(self.seats) if self._worth(seat) != before[seat]}
        self._go_on(caller, sorted(changed | ({self.alone} if self.alone is not None else set())))

    def _worth(self, seat: int) -> tuple[int, int, int, bool]:
        return self.dice[seat], self.lives[seat], self.marks[seat], self.gone[seat]

    def _judged(self, what: str, caller: int, bidder: int, over: int) -> None:
        rules, swap = self.rules, self.rules["loser"] == "winner"
        sizes = {"difference": max(1, abs(over)), "difference_plus_one": abs(over) + 1, "all": 99}
        size = sizes.get(rules["penalty"], 1)
        if over and what == "calza":
            self._wrong(caller, bidder, 2 if rules["penalty"] == "calza_two" else size)
        elif over < 0:
            self._wrong(bidder, caller, size)
        elif over > 0 or (what == "dudo" and (swap or rules["dudo_exact"] == "caller_loses")):
            self._wrong(caller, bidder, size)
        elif what == "dudo":
            self._all_but(bidder)
        elif rules["calza_exact"] == "nobody":
            return
        elif swap:
            self._suffer(caller, 1)
        elif rules["calza_exact"] == "bidder_loses":
            self._suffer(bidder, 1)
        else:
            self._alone_or_all(caller)

    def _alone_or_all(self, caller: int) -> None:
        """An exact calza: all others lose, or its caller gets something back, or both."""
        rules = self.rules
        if "others_lose" in rules["calza_exact"]:
            self._all_but(caller)
        if "regain" not in rules["calza_exact"]:
            return
        self.gained, back = caller, 2 if rules["calza_exact"] == "regain_two" else 1
        if self.tallied or self.gaining:
            self.marks[caller] = max(0, self.marks[caller] - back)
        elif rules["lives"] is None:
            self.dice[caller] = min(self.dice[caller] + back, self.began[caller])
        else:
            self.lives[caller] = min(self.lives[caller] + back, rules["lives"])

    def _wrong(self, wrong: int, right: int, size: int) -> None:
        self._suffer(right if self.rules["loser"] == "winner" else wrong, size)

    def _suffer(self, seat: int, size: int) -> None:
        self.alone = seat
        mates = [one for one in range(self.seats) if self.side[one] == self.side[seat] and not self.gone[one]]
        for one in mates if self.rules["teams"] == "share_loss" else [seat]:
            self._take(one, size)

    def _all_but(self, spared: int) -> None:
        for seat in range(self.seats):
            if seat != spared and not self.gone[seat]:
                self._take(seat, 1)

    def _take(self, seat: int, size: int) -> None:
        rules = self.rules
        if self.tallied or self.gaining:
            self.marks[seat] += 1
            return
        if rules["lives"] is None:
            self.dice[seat] = max(0, self.dice[seat] - size)
            self.gone[seat] = self.dice[seat] < rules["out_below"]
            return
        self.lives[seat] = max(0, self.lives[seat] - size)
        final = rules["last_life"] == "out" or rules["loser"] == "winner" or self.used[seat]
        self.gone[seat] = self.lives[seat] == 0 and final

    def _good(self, hand: tuple[int, ...]) -> bool:
        if self.rules["pass_hands"] == "no_two_alike":
            return len(set(hand)) == len(hand)
        tally = sorted((hand.count(face) for face in set(hand)), reverse=True)
        if len(hand) < 5:
            return False
        full = len(tally) > 1 and tally[0] >= 3 and tally[1] >= 2
        return full or tally[0] >= 5 or len(tally) >= 5

    def _go_on(self, caller: int, changed: list[int]) -> None:
        rules = self.rules
        inside = [seat for seat in range(self.seats) if not self.gone[seat]]
        if self.tallied and max(self.marks) >= rules["tally_to"]:
            self.winner = self._best_of_the_tally()
            if self.winner is not None:
                return
        newly_gone = [seat for seat in changed if self.gone[seat]]
        if rules["loser"] == "winner" and newly_gone:
            self.winner = self.alone if self.alone in newly_gone else newly_gone[0]
            return
        if len({self.side[seat] for seat in inside}) == 1:
            self.winner = inside[0]
            return
        first = {
            "loser": self._lost_by(caller, [seat for seat in changed if seat != self.gained]),
            "caller": caller,
            "left_of_caller": self.along(caller),
            "rotate": self.along(self.starter),
        }[rules["next_starter"]]
        first = first if not self.gone[first] else self.along(first)
        self._begin(*self._special(first, changed, len(inside)))

    def _best_of_the_tally(self) -> int | None:
        """The first seat of the side with the best mean of marks; None where two sides have it."""
        means = {}
        for side in set(self.side):
            seats = [seat for seat in range(self.seats) if self.side[seat] == side]
            means[side] = sum(self.marks[seat] for seat in seats) / len(seats)
        best = (max if self.rules["loser"] == "winner" else min)(means.values())
        sides = [side for side, mean in means.items() if mean == best]
        return self.side.index(sides[0]) if len(sides) == 1 else None

    def _lost_by(self, caller: int, changed: list[int]) -> int:
        """Who starts where the loser does: nobody or several of several sides lose by the caller's fault."""
        if not changed or len({self.side[seat] for seat in changed}) > 1:
            return caller
        return changed[0] if self.alone is None else self.alone

    def _special(self, first: int, changed: list[int], inside: int) -> tuple[int, str]:
        rules, order = self.rules, [first]
        while len(order) < inside:
            order.append(self.along(order[-1]))
        fresh = [seat for seat in order if not self.used[seat]]
        if self.tallied or self.gaining:
            return first, "normal"
        if rules["lives"] is not None:
            if rules["last_life"] == "out" or rules["loser"] == "winner":
                return first, "normal"
            empty = [seat for seat in fresh if self.lives[seat] == 0]
            return (empty[0], "aces_count") if empty else (first, "normal")
        if inside == 2 and not rules["palifico_two_players"]:
            return first, "normal"
        if rules["palifico"] == "every_one_die":
            single = self.dice[first] == 1 and rules["starting_dice"] > 1
            return first, "palifico" if single else "normal"
        fallen = [seat for seat in fresh if seat in changed and self.dice[seat] == 1]
        if rules["palifico"] == "first_one_die" and fallen:
            return fallen[0], "palifico"
        return first, "normal"
