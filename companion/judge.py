"""Judging a challenge: from the revealed dice to a verdict that carries everything needed to explain itself.

A verdict needs no more of the dice than it depends on: `settled` says that no value of the matching count
inside an interval can change what happens.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement

from companion.bids import Bid
from companion.calls import Calza, Challenge, DudoPass
from companion.dice import ACE, FACES
from companion.errors import BadReveal
from companion.position import Game, Phase, Player, RoundKind, left_of, playing, right_of
from companion.ruleset import Ruleset

Face = int


@dataclass(frozen=True, slots=True)
class Reveal:
    """The dice that were shown.

    Dice in `hands` belong to a player; the owners of those in the `heap` do not matter. `unsure` dice are
    known to show one of the faces given for each; `unknown` dice were not read at all. Together they are all
    dice in play. Instead of dice, `count` may say how many matching ones the table counted by itself.
    A called pass needs the passer's hand only.
    """

    hands: tuple[tuple[str, tuple[Face, ...]], ...] = ()
    heap: tuple[Face, ...] = ()
    unsure: tuple[tuple[Face, ...], ...] = ()
    unknown: int = 0
    count: int | None = None

    def faces(self) -> tuple[Face, ...]:
        """Every face that was read, hands first."""
        return tuple(face for _, hand in self.hands for face in hand) + self.heap


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a challenge came to.

    The count of matching dice lies in [count_lo, count_hi]; `naturals` and `aces` are its two parts where
    every die was read. `holds` and `exact` are None where the count leaves them open (without changing what
    happens) and for a called pass, which has `pass_justified` instead. Changes name only those they concern.
    `players` is everybody as the verdict leaves them.
    """

    call: Challenge
    caller: str
    bid: Bid | None
    bidder: str | None
    passer: str | None
    count_lo: int
    count_hi: int
    naturals: int | None
    aces: int | None
    holds: bool | None
    exact: bool | None
    pass_justified: bool | None
    loser: str | None
    gainer: str | None
    dice_change: tuple[tuple[str, int], ...]
    lives_change: tuple[tuple[str, int], ...]
    eliminated: tuple[str, ...]
    next_starter: str | None
    next_round_kind: RoundKind | None
    winner: str | None
    players: tuple[Player, ...]


def matching_face_rule(game: Game) -> tuple[Face, bool]:
    """The face that the doubted bid counts and whether aces count with it; raises BadReveal without a bid."""
    bid = game.doubted_bid
    if bid is None:
        raise BadReveal("nothing_to_count")
    return bid.face, game.round.aces_wild and bid.face != ACE


def settled(game: Game, lo: int, hi: int) -> bool:
    """Whether every count of matching dice in [lo, hi] leads to the same outcome.

    For a called pass the interval is that of "justified", 0 or 1.
    """
    if isinstance(game.challenge, DudoPass):
        return lo == hi
    first = _outcome(game, lo)
    return all(_outcome(game, count) == first for count in range(lo + 1, hi + 1))


def judge(game: Game, reveal: Reveal) -> Verdict:
    """The verdict on the challenge that waits in `game`; raises BadReveal, also when nothing is settled."""
    if game.phase is not Phase.REVEAL or game.challenge is None:
        raise BadReveal("nothing_to_judge")
    _check_faces(reveal)
    if isinstance(game.challenge, DudoPass):
        return _judge_pass(game, game.challenge, reveal)
    return _judge_bid(game, game.challenge, reveal)


def bidder_of(game: Game) -> str | None:
    """Who made the doubted bid."""
    call = game.challenge
    if call is None or isinstance(call, DudoPass):
        return None
    if call.bid is not None:
        return call.bidder or right_of(game.players, call.by)
    return game.round.standing.by if game.round.standing else None


def passer_of(game: Game) -> str | None:
    """Whose pass was called."""
    call = game.challenge
    if not isinstance(call, DudoPass):
        return None
    return game.round.open_pass or call.passer


def reveal_order(game: Game) -> tuple[str, ...]:
    """Who lifts the cup first, second and so on; empty where everybody lifts together (row D6)."""
    call, rules = game.challenge, game.ruleset
    if call is None or rules.reveal_order == "together":
        return ()
    if rules.reveal_order == "challenged_counts":
        first = bidder_of(game) or passer_of(game) or call.by
    else:
        first = call.by if isinstance(call, Calza) else left_of(game.players, call.by)
    names = [p.name for p in playing(game.players)]
    start = names.index(first)
    return tuple(names[start:] + names[:start])


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Who comes out of it changed; `loser` and `gainer` are those players as they then are."""

    loser: Player | None
    gainer: Player | None = None


def _outcome(game: Game, count: int) -> _Outcome:
    """What a count of matching dice leads to (rows D2, D3, Z4 to Z7)."""
    bid, bidder, call = game.doubted_bid, bidder_of(game), game.challenge
    if bid is None or bidder is None or call is None:
        raise BadReveal("nothing_to_judge")
    rules, off = game.ruleset, abs(count - bid.quantity)
    if not isinstance(call, Calza):
        loser = call.by if count >= bid.quantity else bidder
        return _Outcome(_after_loss(game.player(loser), off, rules))
    if off:
        return _Outcome(_after_loss(game.player(call.by), off, rules))
    if rules.calza_exact == "bidder_loses":
        return _Outcome(_after_loss(game.player(bidder), 0, rules))
    if rules.calza_exact == "regain":
        return _Outcome(None, _after_gain(game.player(call.by), rules))
    return _Outcome(None)


def _after_loss(player: Player, off: int, rules: Ruleset) -> Player:
    """The loser as he then is; the difference penalty takes as many dice or lives as the call was `off`."""
    amount = max(1, off) if rules.penalty == "difference" else 1
    if rules.lives is None:
        dice = max(0, player.dice - amount)
        return replace(player, dice=dice, out=dice == 0)
    lives = max(0, player.lives - amount)
    return replace(player, lives=lives, out=lives == 0 and player.palifico_used)


def _after_gain(player: Player, rules: Ruleset) -> Player:
    """The player with one more die or life, never more than at the start."""
    if rules.lives is None:
        return replace(player, dice=min(rules.starting_dice, player.dice + 1))
    return replace(player, lives=min(rules.lives, player.lives + 1))


def _judge_bid(game: Game, call: Challenge, reveal: Reveal) -> Verdict:
    bid, (lo, hi) = game.doubted_bid, count_interval(game, reveal)
    if bid is None:
        raise BadReveal("nothing_to_judge")
    if not settled(game, lo, hi):
        raise BadReveal("reveal_unsettled", lo=lo, hi=hi)
    face, wild = matching_face_rule(game)
    read = None if reveal.unsure or reveal.unknown or reveal.count is not None else reveal.faces()
    return _verdict(
        game,
        call,
        _outcome(game, lo),
        bid=bid,
        bidder=bidder_of(game),
        count=(lo, hi),
        naturals=None if read is None else read.count(face),
        aces=None if read is None else read.count(ACE) * wild,
        holds=lo >= bid.quantity if (lo >= bid.quantity) == (hi >= bid.quantity) else None,
        exact=lo == bid.quantity if lo == hi or not lo <= bid.quantity <= hi else None,
    )


def count_interval(game: Game, reveal: Reveal) -> tuple[int, int]:
    """The least and the most matching dice this reveal leaves possible; raises BadReveal."""
    if reveal.count is not None:
        if not 0 <= reveal.count <= game.round.dice:
            raise BadReveal("reveal_bad_count", count=reveal.count, dice=game.round.dice)
        return reveal.count, reveal.count
    _check_number(game, reveal)
    face, wild = matching_face_rule(game)
    counted = (face, ACE) if wild else (face,)
    lo = sum(f in counted for f in reveal.faces())
    lo += sum(all(f in counted for f in may) for may in reveal.unsure)
    hi = lo + sum(_could_but_need_not(may, counted) for may in reveal.unsure) + reveal.unknown
    return lo, hi


def _could_but_need_not(may: tuple[Face, ...], counted: tuple[Face, ...]) -> bool:
    return any(f in counted for f in may) and not all(f in counted for f in may)


def _check_faces(reveal: Reveal) -> None:
    wrong = [f for f in reveal.faces() + tuple(f for may in reveal.unsure for f in may) if f not in FACES]
    if wrong:
        raise BadReveal("bad_face", face=wrong[0])
    if reveal.unknown < 0 or not all(reveal.unsure):
        raise BadReveal("reveal_unreadable", cause=reveal)


def _check_number(game: Game, reveal: Reveal) -> None:
    """All dice in play are accounted for, and nobody shows more than he has."""
    _check_owners(game, reveal)
    shown = len(reveal.faces()) + len(reveal.unsure) + reveal.unknown
    if shown != game.round.dice:
        key = "reveal_too_many" if shown > game.round.dice else "reveal_too_few"
        raise BadReveal(key, shown=shown, dice=game.round.dice)


def _check_owners(game: Game, reveal: Reveal) -> None:
    holds = {p.name: p.dice for p in playing(game.players)}
    for name, hand in reveal.hands:
        if name not in holds:
            raise BadReveal("unknown_player", player=name)
        if len(hand) > holds.pop(name):
            raise BadReveal("reveal_hand_too_many", player=name, shown=len(hand))


def justifies_pass(hand: Iterable[Face]) -> bool:
    """Five dice that are a full house, five of a kind or five different faces, aces being just ones (row P2).

    A hand of more than five dice justifies a pass when five of them do.
    """
    dice = sorted(hand)
    shapes = ({1: 5}, {2: 1, 3: 1}, {5: 1})
    return any(_shape(five) in shapes for five in combinations(dice, 5))


def _shape(five: tuple[Face, ...]) -> dict[int, int]:
    """How often each multiplicity occurs: a full house is {2: 1, 3: 1}."""
    sizes = [five.count(face) for face in set(five)]
    return {size: sizes.count(size) for size in set(sizes)}


def _judge_pass(game: Game, call: DudoPass, reveal: Reveal) -> Verdict:
    """A justified pass costs the caller, a bluffed one the passer (row P5)."""
    passer = passer_of(game)
    if passer is None:
        raise BadReveal("nothing_to_judge")
    justified = pass_justified(game, reveal)
    if justified is None:
        raise BadReveal("reveal_pass_unsettled", player=passer)
    loser = _after_loss(game.player(call.by if justified else passer), 0, game.ruleset)
    return _verdict(game, call, _Outcome(loser), passer=passer, justified=justified)


def pass_justified(game: Game, reveal: Reveal) -> bool | None:
    """Whether the called pass was justified; None while unread dice could change that. Raises BadReveal."""
    passer = passer_of(game)
    if passer is None:
        raise BadReveal("nothing_to_judge")
    _check_owners(game, reveal)
    dice = game.player(passer).dice
    hand = dict(reveal.hands).get(passer, reveal.heap if not reveal.hands else ())
    missing = dice - len(hand)
    if missing < 0:
        raise BadReveal("reveal_too_many", shown=len(hand), dice=dice)
    if missing > len(reveal.unsure) + reveal.unknown:
        raise BadReveal("reveal_too_few", shown=len(hand), dice=dice)
    possible = {justifies_pass(hand + rest) for rest in combinations_with_replacement(FACES, missing)}
    return possible.pop() if len(possible) == 1 else None


def _verdict(
    game: Game,
    call: Challenge,
    outcome: _Outcome,
    *,
    bid: Bid | None = None,
    bidder: str | None = None,
    passer: str | None = None,
    count: tuple[int, int] = (0, 0),
    naturals: int | None = None,
    aces: int | None = None,
    holds: bool | None = None,
    exact: bool | None = None,
    justified: bool | None = None,
) -> Verdict:
    """The verdict with everything that follows from who lost and who gained."""
    changed = {p.name: p for p in (outcome.loser, outcome.gainer) if p}
    after = tuple(changed.get(p.name, p) for p in game.players)
    left = playing(after)
    winner = left[0].name if len(left) == 1 else None
    subject = outcome.loser or game.player(call.by)
    starter = left_of(after, subject.name) if subject.out else subject.name
    pairs = [(p, changed[p.name]) for p in game.players if p.name in changed]
    return Verdict(
        call=call,
        caller=call.by,
        bid=bid,
        bidder=bidder,
        passer=passer,
        count_lo=count[0],
        count_hi=count[1],
        naturals=naturals,
        aces=aces,
        holds=holds,
        exact=exact,
        pass_justified=justified,
        loser=outcome.loser.name if outcome.loser else None,
        gainer=next((n.name for o, n in pairs if (n.dice, n.lives) > (o.dice, o.lives)), None),
        dice_change=tuple((n.name, n.dice - o.dice) for o, n in pairs if n.dice != o.dice),
        lives_change=tuple((n.name, n.lives - o.lives) for o, n in pairs if n.lives != o.lives),
        eliminated=tuple(n.name for _, n in pairs if n.out),
        next_starter=None if winner else starter,
        next_round_kind=None if winner else _next_kind(game, outcome.loser, len(left)),
        winner=winner,
        players=after,
    )


def _next_kind(game: Game, loser: Player | None, left: int) -> RoundKind:
    """Whether the loser has earned his special round (rows F1 to F3, L2)."""
    rules = game.ruleset
    if loser is None or loser.out or loser.palifico_used:
        return RoundKind.NORMAL
    if rules.lives is not None:
        return RoundKind.ACES_COUNT if loser.lives == 0 else RoundKind.NORMAL
    earned = rules.palifico == "first_one_die" and loser.dice == 1
    return RoundKind.PALIFICO if earned and (left > 2 or rules.palifico_two_players) else RoundKind.NORMAL
