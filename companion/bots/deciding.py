"""What a bot says: a pure function of what its seat may know, its level, and chance.

On turn a bot does what `companion.bots.policy` remembers of self-play, the strong level with few dice what is
solved (`companion.bots.endgame`). Levels differ in how often they forget it and go by
feel; characters in how they weigh it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.bots.beliefs import believed, justified
from companion.bots.endgame import equilibrium
from companion.bots.odds import Odds
from companion.bots.policy import shares
from companion.bots.seat import Level, SeatView
from companion.bots.situation import Situation, situation
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.consequences import Dispute
from companion.rules.counting import pass_rule
from companion.rules.judge import disputed
from companion.rules.legality import check, sees
from companion.rules.players import Player, partners, playing
from companion.rules.position import Game
from companion.rules.verdict import better_off
from companion.texts import languages, translate

FORGETS = {Level.EASY: 0.85, Level.MEDIUM: 0.5, Level.STRONG: 0.0}
"""How often a level goes by feel: the more, the weaker it is."""

PREFERS: Mapping[tuple[Level, bool], tuple[float, float]] = {
    (Level.MEDIUM, False): (2.0, 0.0),
    (Level.STRONG, False): (2.0, 0.0),
    (Level.MEDIUM, True): (3.0, 0.0),
    (Level.STRONG, True): (0.0, 6.0),
}
"""By level, and whether several others play: a bid is made rarer by the first power of its chance, so that
more of them stand, a doubt by the second. Among several who is wrong pays alone, and all gain by who is
right."""

OPENS_BY = 5
"""Among several medium opens on one die of so many, so that more bids follow."""

FEELS_WRONG = 0.25
"""By feel a bid is doubted that is less likely."""

OUT_OF_TURN = 0.05
"""In dice: what a call out of turn must be worth, or letting it be is better."""

SAYS_MORE = 0.5
"""How often a starter who may declare palifico, or turn the direction, does."""


def decide(view: SeatView, level: Level, rng: Random) -> Call | None:
    """The call of this seat now, None where it has nothing to say."""
    game, seat = view.game, view.seat
    if seat not in [player.name for player in game.inside]:
        return None
    if game.round.turn != seat:
        return challenge(view) if level is Level.STRONG else None
    return _before_opening(view, rng) or _honest_pass(view) or _on_turn(view, level, rng)


def decide_on_turn(game: Game, hands: Mapping[str, tuple[int, ...]], level: Level, rng: Random) -> Call:
    """The call of the player on turn, who sees of `hands` what the rules show to that seat."""
    turn = game.round.turn
    view = SeatView(game, turn, tuple((name, hands[name]) for name in sees(game)[turn]))
    call = decide(view, level, rng)
    assert call is not None, "the player on turn always has a call"
    return call


def mixed(view: SeatView, rng: Random) -> dict[Call, float]:
    """How often the strong level makes each call on turn; nothing off turn."""
    if view.game.round.turn != view.seat:
        return {}
    calls = _mix(view, Level.STRONG, STRAIGHT, rng)
    return {call: share / sum(calls.values()) for call, share in calls.items()}


def _before_opening(view: SeatView, rng: Random) -> Call | None:
    """The choices that come before a first bid. Closed, nobody but who has one die sees his own."""
    game, seat = view.game, view.seat
    closed = ChooseVisibility(seat, "closed")
    if game.round.visibility is None and check(closed, game) is None:
        return closed
    turned = ChooseDirection(seat, "counter_clockwise")
    for call in (DeclarePalifico(seat), turned):
        may = check(call, game) is None and (call is not turned or game.round.clockwise)
        if may and rng.random() < SAYS_MORE:
            return call
    return None


def _honest_pass(view: SeatView) -> Call | None:
    """A pass with a hand that justifies it: who doubts it loses."""
    call, hand = Pass(view.seat), dict(view.hands).get(view.seat, ())
    if check(call, view.game) is not None:
        return None
    whole = len(hand) == view.game.player(view.seat).dice
    return call if whole and pass_rule(view.game.ruleset)(hand) else None


def _on_turn(view: SeatView, level: Level, rng: Random) -> Call:
    calls = _mix(view, level, character_of(view.seat), rng)
    return rng.choices(list(calls), list(calls.values()))[0]


def _mix(view: SeatView, level: Level, character: Character, rng: Random) -> dict[Call, float]:
    """How often the level makes each call on turn, in proportion; by feel where it forgets now."""
    if level is Level.STRONG and (solved := equilibrium(view)):
        return solved
    if only := _only_call(view, character):
        return {only: 1.0}
    odds = Odds(view)
    if level is Level.MEDIUM and _has_several(view.game) and not view.game.round.bids:
        return {BidCall(view.seat, bid): 1.0 for bid in _low_openings(view.game, odds)}
    now, found = situation(view, odds, rng), dict[Call, float]()
    forgets = rng.random() < FORGETS[level]
    weights = _preferred(level, view, now, _by_feel(now) if forgets else character.weighed(now, shares(now)))
    for bid, weight in zip(now.actions, weights, strict=True):
        call = BidCall(view.seat, bid) if bid else Dudo(view.seat)
        if weight and (bid or not view.game.round.open_pass):  # which can be doubted alone
            found[call] = found.get(call, 0.0) + weight
    return found or {BidCall(view.seat, legal_bids(view.game)[0]): 1.0}


def _only_call(view: SeatView, character: Character) -> Call | None:
    """The call that needs no choice: a pass to be doubted, a bid that is exact, or no raise left."""
    game, seat = view.game, view.seat
    bids = legal_bids(game)
    if game.round.open_pass:
        return DudoPass(seat) if not bids or _doubts_pass(view) else None
    exact = challenge(view, character.calza_above, (Calza(seat),))
    return exact or (None if bids else challenge(view, -2.0))


def _low_openings(game: Game, odds: Odds) -> Sequence[Bid]:
    """The four likeliest bids of those on few dice."""
    bids = [bid for bid in legal_bids(game) if not bid.zhai]
    few = max(bids[0].quantity, game.round.dice // OPENS_BY)
    return sorted([bid for bid in bids if bid.quantity == few], key=lambda bid: -odds.chance(bid))[:4]


def _has_several(game: Game) -> bool:
    """Whether several others play."""
    return len(game.inside) > 2


def _preferred(level: Level, view: SeatView, now: Situation, weights: Sequence[float]) -> list[float]:
    """The weights with likely bids, or sure doubts, preferred as this level does."""
    bids, doubts = PREFERS.get((level, _has_several(view.game)), (0.0, 0.0))
    return [
        weight * (chance + 1e-3) ** (bids if bid else doubts)
        for weight, bid, chance in zip(weights, now.actions, now.chances, strict=True)
    ]


def _by_feel(now: Situation) -> list[float]:
    """One of the four likeliest bids, and dudo on an unlikely one; all other dice are taken for fair."""
    weights = [0.0] * len(now.actions)
    if now.facing and 1 - now.chances[0] < FEELS_WRONG:
        weights[0] = 1.0
        return weights
    bids = [place for place, bid in enumerate(now.actions) if bid]
    for place in sorted(bids, key=lambda place: -now.chances[place])[:4]:
        weights[place] = 1.0
    if now.facing and not bids:
        weights[0] = 1.0
    return weights


def _doubts_pass(view: SeatView) -> bool:
    passer, call = view.game.round.open_pass, DudoPass(view.seat)
    return bool(passer) and check(call, view.game) is None and justified(view, passer or "") < 0.5


def challenge(
    view: SeatView, above: float = OUT_OF_TURN, calls: tuple[Dudo | Calza, ...] = ()
) -> Dudo | Calza | None:
    """The challenge that is worth most by what is believed, where that is more than `above` dice."""
    game, standing = view.game, view.game.round.standing
    calls = calls or (Dudo(view.seat), Calza(view.seat))
    may = [call for call in calls if check(call, game) is None]
    if standing is None or not may:
        return None
    counts, seat = believed(view, Odds(view), standing.bid), game.player(view.seat)

    def worth(call: Dudo | Calza) -> float:
        dispute = disputed(replace(game, challenge=call))
        return sum(chance * payoff(dispute, seat, count) for count, chance in enumerate(counts))

    best = max(may, key=worth)
    return best if worth(best) > above else None


def payoff(dispute: Dispute, player: Player, count: int) -> float:
    """What it is worth to a player when `count` dice match: 1 for a die more, -1 for a die less.

    What others lose is worth its share to each of the rest, so that the game is one of sum zero; partners'
    dice count as the own. Where who is first without dice wins, it is the other way round.
    """
    side = (player, *partners(dispute.players, player))
    share = len(side) / max(1, len(playing(dispute.players)) - len(side))
    moved = sum(better_off(*one) * (1 if one[0] in side else -share) for one in dispute.changes(count))
    return -moved if dispute.rules.loser == "winner" else moved


UNLIKELY = 0.35
"""A bid that is less likely than this by the own dice is a bluff."""


class Character(Struct, frozen=True):
    """`bluffs` and `doubts` multiply how often these calls are made.

    Calza is called when it is worth more than `calza_above` dice.
    """

    bluffs: float = 1.0
    doubts: float = 1.0
    calza_above: float = 0.1

    def weighed(self, now: Situation, shares: Sequence[float]) -> list[float]:
        """The shares of calls as this character has them."""
        weights = list(shares)
        for place, (bid, chance) in enumerate(zip(now.actions, now.chances, strict=True)):
            if bid and chance < UNLIKELY:
                weights[place] *= self.bluffs
        if now.facing:
            weights[0] *= self.doubts
        return weights


STRAIGHT = Character()
CHARACTERS: Mapping[str, Character] = {
    "careful": Character(bluffs=0.4, doubts=1.3),
    "liar": Character(bluffs=2.0, doubts=0.8),
    "exact": Character(calza_above=-0.35),
}
"""Those with a name, by their key under `web.bots` in the catalogues."""


@cache
def character_of(name: str) -> Character:
    """The character of a bot by its name."""
    for language, (key, character) in product(languages(), CHARACTERS.items()):
        if name == translate(language, f"web.bots.{key}"):
            return character
    return STRAIGHT
