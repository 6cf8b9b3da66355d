"""Printed rules as claims about bids: what each sentence allows in a position, by the sentence's key."""

from collections.abc import Callable
from dataclasses import dataclass

from companion.rules.bids import Bid
from companion.rules.calls import BidCall
from companion.rules.game import Game
from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player
from companion.rules.rulebook import idle, spoken
from companion.rules.ruleset import Ruleset, switches

Read = dict[str, str]
"""What is printed: of each switch that has an effect the last part of its sentence's key, or its number."""


def read(rules: Ruleset) -> Read:
    printed: Read = {}
    for name in switches():
        if name not in idle(rules):
            key, values = spoken(name, getattr(rules, name))
            printed[name] = str(values.get("n", key.rsplit(".", 1)[-1]))
    return printed


@dataclass(frozen=True)
class At:
    """A bid, thought of after the standing one, in a round of these rules as they are printed."""

    said: Read
    game: Game
    bid: Bid

    @property
    def ace(self) -> int:
        return int(self.said["wild_face"])

    @property
    def wild(self) -> int:
        """The wild face at this moment."""
        heard = [one.bid.face for one in self.game.round.bids if isinstance(one, BidCall)]
        if self.said["wild"] == "none" or self.game.round.kind is not NORMAL:
            return 0
        heard = heard[:1] if self.said["wild"] == "until_aces_open" else heard
        return 0 if self.said["wild"] != "always" and self.ace in heard else self.ace

    @property
    def last(self) -> Bid | None:
        standing = self.game.round.standing
        return standing.bid if standing else None

    @property
    def plain(self) -> bool:
        """One of the two is without wilds, and wilds there are."""
        return bool(self.last and self.wild and (self.last.zhai or self.bid.zhai))

    @property
    def priced(self) -> bool:
        """Aces have a price of their own between these two."""
        change = self.last is not None and (self.last.face == self.wild) != (self.bid.face == self.wild)
        halves = self.said.get("aces_convert") in ("true", "board", "half_plus_one")
        return bool(self.wild) and change and halves and (not self.plain or self._between)

    @property
    def _between(self) -> bool:
        return self.said.get("aces_convert") in ("true", "half_plus_one")

    @property
    def more(self) -> int:
        return self.bid.quantity - self.last.quantity if self.last else 0

    @property
    def up(self) -> int:
        return self.rank(self.bid.face) - self.rank(self.last.face) if self.last else 0

    def rank(self, face: int) -> int:
        return 9 if self.said.get("wild_rank") == "highest" and face == self.ace else face

    @property
    def turn(self) -> Player:
        return self.game.player(self.game.round.turn)

    @property
    def kind(self) -> str:
        return self.game.round.kind

    @property
    def again(self) -> bool:
        """The standing bid made without wilds, which ranks above it."""
        last = self.last
        return bool(last and self.bid.zhai and not last.zhai) and not self.more and not self.up


def raising(rule: Callable[[At], bool]) -> Callable[[At], bool]:
    """A way of raising speaks of raises only, and not of aces that have a price."""
    return lambda at: at.last is None or at.priced or at.again or rule(at)


def higher(at: At) -> bool:
    return at.more > 0 or (at.more == 0 and at.up > 0)


def through_aces(at: At) -> bool:
    half = -(-at.last.quantity // 2) if at.last else 0
    return higher(at) and (at.up >= 0 or at.bid.quantity >= 2 * half + 1)


def price(into: Callable[[int], float], out: Callable[[int], int]) -> Callable[[At], bool]:
    def holds(at: At) -> bool:
        if not at.priced or at.plain or at.last is None:
            return True
        ace = at.bid.face == at.wild
        return at.bid.quantity >= (into if ace else out)(at.last.quantity)

    return holds


def without_wilds(at: At) -> bool:
    """The sentence of zhai: which bids there are, the way back, and aces beside them."""
    last, bid = at.last, at.bid
    if bid.zhai and at.wild in (0, bid.face):
        return False
    if not at.plain or last is None:
        return True
    if at.said.get("aces_convert") in ("true", "half_plus_one") and at.wild in (last.face, bid.face):
        return bid.quantity - last.quantity >= (1 if last.face == at.wild else 0)
    return bid.zhai or bid.face == at.wild or not last.zhai or bid.quantity >= 2 * last.quantity


def unlocked(free: Callable[[At], bool]) -> Callable[[At], bool]:
    def holds(at: At) -> bool:
        if at.kind != PALIFICO or at.last is None:
            return True
        return at.bid.face == at.last.face or free(at)

    return holds


def opens(kind: str, may: Callable[[At], bool]) -> Callable[[At], bool]:
    return lambda at: at.last is not None or at.kind != kind or at.bid.face != at.ace or may(at)


def anything(at: At) -> bool:
    return True


BIDS: dict[str, Callable[[At], bool]] = {
    "raise_rule.any_face": raising(higher),
    "raise_rule.no_lower_face": raising(lambda at: higher(at) and at.up >= 0),
    "raise_rule.one_of_both": raising(lambda at: higher(at) and at.up >= 0 and not (at.more and at.up)),
    "raise_rule.nothing_falls": raising(lambda at: higher(at) and at.up >= 0),
    "raise_rule.higher_face_any_quantity": raising(lambda at: at.up > 0 or (at.up == 0 and at.more > 0)),
    "raise_rule.through_aces": raising(through_aces),
    "raise_rule.face_costs_two": raising(lambda at: at.more >= (2 if at.up else 1)),
    "aces_convert.true": price(lambda last: last / 2, lambda last: 2 * last + 1),
    "aces_convert.board": price(lambda last: (last + 1) / 2, lambda last: 2 * last),
    "aces_convert.half_plus_one": price(lambda last: last // 2 + 1, lambda last: 2 * last + 1),
    "aces_convert.never": lambda at: not at.wild or at.bid.face != at.wild,
    "aces_convert.false": anything,
    "zhai.true": without_wilds,
    "opening_aces.allowed": opens(NORMAL, lambda at: True),
    "opening_aces.never": opens(NORMAL, lambda at: False),
    "opening_aces.one_die": opens(NORMAL, lambda at: at.turn.dice == 1),
    "palifico_opening_aces.true": opens(PALIFICO, lambda at: True),
    "palifico_opening_aces.false": opens(PALIFICO, lambda at: False),
    "palifico_unlock.nobody": unlocked(lambda at: False),
    "palifico_unlock.everybody": unlocked(anything),
    "palifico_unlock.one_die": unlocked(lambda at: at.turn.dice == 1),
    "palifico_unlock.other_one_die": unlocked(
        lambda at: at.turn.dice == 1 and at.turn.name != at.game.round.starter
    ),
    "max_quantity.dice_in_play": lambda at: at.bid.quantity <= known_dice(at.said, at.game),
    "dice_left.hidden": lambda at: at.bid.quantity <= known_dice(at.said, at.game),
    "max_quantity.unlimited": lambda at: at.bid.quantity <= 2 * at.game.original_dice + 1,
    "last_life.aces_round": lambda at: at.kind != ACES_COUNT or at.bid.face == at.ace,
}


def known_dice(said: Read, game: Game) -> int:
    """The dice in play as they are printed: where lost ones are hidden all with which the players began."""
    began = number_of(said["starting_dice"])
    hidden = said.get("dice_left") == "hidden"
    return sum(began - p.handicap if hidden else p.dice for p in game.inside)


def number_of(said: str) -> int:
    return int(said) if said.isdigit() else 1


def may_bid(said: Read, game: Game, bid: Bid) -> bool:
    """Whether all sentences allow the bid."""
    at = At(said, game, bid)
    least = min(number_of(said["opening_minimum"]), known_dice(said, game))
    keys = [f"{name}.{value}" for name, value in said.items()]
    if bid.zhai and said.get("zhai") != "true":
        return False
    return all(BIDS.get(key, anything)(at) for key in keys) and (at.last is not None or bid.quantity >= least)
