"""Measures bots by whole games: `python -m tests.measure_bots [games] [--seats 2] [--level strong]`.

`--against medium` plays against another level; `--dice 2` plays single rounds with so many dice each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from functools import partial
from math import sqrt
from random import Random

from msgspec.structs import replace

from companion.bots.deciding import decide
from companion.bots.hands import Counting, at_least, fair_tail
from companion.bots.seat import Level, SeatView
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Dudo, DudoPass
from companion.rules.dice import FACES, matching
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import Game, apply, new_game
from companion.rules.judge import Reveal
from companion.rules.legality import legal_bids, sees
from companion.rules.position import BIDDING, OVER, REVEAL, VERDICT
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset

DOUBTS_BELOW = 0.2

Player = Callable[[SeatView, Random], Call | None]


def safest(view: SeatView, rng: Random) -> Call:
    """The safest bid, dudo on what is less likely than one in five: by the own dice alone."""
    game, turn = view.game, view.seat
    own = tuple(face for _, hand in view.hands for face in hand)
    unseen = game.round.dice - len(own)
    standing = game.round.standing
    best = max(
        ((_holds(bid, own, unseen, game.wild), bid.quantity, bid.face) for bid in legal_bids(game)),
        default=None,
    )
    if standing is None or game.round.open_pass:
        return BidCall(turn, Bid(best[1], best[2])) if best else DudoPass(turn)
    doubted = _holds(standing.bid, own, unseen, game.wild) < DOUBTS_BELOW
    return Dudo(turn) if doubted or best is None else BidCall(turn, Bid(best[1], best[2]))


def _holds(bid: Bid, own: tuple[int, ...], unseen: int, wild: int) -> float:
    tail = fair_tail((1,) * unseen, bid.face, Counting(wild))
    return at_least(tail, bid.quantity - matching(own, bid.face, wild))


def bot(level: Level) -> Player:
    return lambda view, rng: decide(view, level, rng)


def play(rules: Ruleset, players: Mapping[str, Player], starter: str, rng: Random, thrown: Random) -> str:
    """The winner of one game."""
    game = new_game(rules, tuple(players), starter)
    hands: dict[str, tuple[int, ...]] = {}
    number = -1
    while game.phase is not OVER:
        if game.round.number != number:
            number = game.round.number
            hands = {p.name: tuple(thrown.choices(FACES, k=p.dice)) for p in game.inside}
        if game.phase is BIDDING:
            game = apply(game, Called(next_call(game, players, hands, rng)))
        elif game.phase is REVEAL:
            game = apply(game, Revealed(Reveal(tuple(hands.items()))))
        else:
            game = apply(game, NextRound())
    assert game.winner is not None
    return game.winner


def next_call(
    game: Game, players: Mapping[str, Player], hands: Mapping[str, tuple[int, ...]], rng: Random
) -> Call:
    """The call of the player on turn, unless somebody speaks out of turn first."""
    seen = sees(game)
    names = sorted(seen, key=lambda name: name == game.round.turn)
    for name in names:
        view = SeatView(game, name, tuple((other, hands[other]) for other in seen[name]))
        if name != game.round.turn and players[name] is safest:
            continue
        call = players[name](view, rng)
        if call is not None:
            return call
    raise AssertionError("the player on turn has nothing to say")


def play_round(
    rules: Ruleset, players: Mapping[str, Player], starter: str, rng: Random, thrown: Random, *, dice: int
) -> str:
    """Who has most dice after a round that all begin with `dice`, late in a game; of equals one by chance."""
    game = new_game(rules, tuple(players), starter)
    late = tuple(replace(player, dice=dice) for player in game.players)
    game = replace(game, players=late, round=replace(game.round, dice=dice * len(late)))
    hands = {p.name: tuple(thrown.choices(FACES, k=p.dice)) for p in game.inside}
    while game.phase is BIDDING:
        game = apply(game, Called(next_call(game, players, hands, rng)))
    after = apply(game, Revealed(Reveal(tuple(hands.items()))))
    assert after.phase in (VERDICT, OVER)
    return max(after.players, key=lambda player: (player.dice, rng.random())).name


def measured(
    rules: Ruleset,
    level: Level,
    seats: int,
    games: int,
    seed: int,
    other: Player = safest,
    played: Callable[[Ruleset, Mapping[str, Player], str, Random, Random], str] = play,
) -> tuple[float, float]:
    """The share of games that one bot wins against others alike, and its standard error."""
    names = [f"p{n}" for n in range(seats)]
    players: dict[str, Player] = dict.fromkeys(names, other) | {names[0]: bot(level)}
    won = sum(
        played(rules, players, names[n % seats], Random(f"{seed}/{n}/say"), Random(f"{seed}/{n}/dice"))
        == names[0]
        for n in range(games)
    )
    share = won / games
    return share, sqrt(share * (1 - share) / games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--level", choices=[level.value for level in Level], default="strong")
    parser.add_argument("--against", choices=["safest", *(level.value for level in Level)], default="safest")
    parser.add_argument("--dice", type=int, help="single rounds with so many dice each, not games")
    parser.add_argument("--rules", choices=tuple(PRESETS), default="modern")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began_s = time.process_time()
    rules, other = PRESETS[asked.rules], safest if asked.against == "safest" else bot(Level(asked.against))
    played, what = (partial(play_round, dice=asked.dice), "rounds") if asked.dice else (play, "games")
    share, error = measured(rules, Level(asked.level), asked.seats, asked.games, asked.seed, other, played)
    spent_s = time.process_time() - began_s
    print(
        f"{asked.level} {asked.rules} 1 of {asked.seats}: {share:.1%} ± {error:.1%} of {asked.games} {what} "
        f"against {asked.against}, "
        f"{spent_s / asked.games * 1e3:.0f} ms each"
    )


if __name__ == "__main__":
    main()
