"""The arena: bots and others by whole games, `python -m lab.bots.arena [games] [--player strong]`.

`--against child` plays against others alike; `--seats 4` has three of them; `--dice 2` plays single rounds
with so many dice each; `--networks FOLDER` names the copy of the public networks that `networks` plays by.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from pathlib import Path
from random import Random

from msgspec.structs import replace

from companion.bots.coach import advise
from companion.bots.deciding import decide
from companion.bots.seat import Level, SeatView
from companion.rules.calls import BidCall, Call, Dudo
from companion.rules.counting import Reveal
from companion.rules.dice import FACES, matching
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import apply
from companion.rules.legality import check, sees
from companion.rules.position import BIDDING, OVER, REVEAL, VERDICT, Game
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from lab.bots.opponents import Player, child, listener, networks, safest
from tests.new_games import new_game

NETWORKS = Ruleset(name="networks", aces_convert=False, calza="off", palifico="off")
"""The rules that the public networks know: aces are wild and the lowest face, and all challenges are dudo."""

RULES = {**PRESETS, "networks": NETWORKS}
OTHERS: dict[str, Player] = {"safest": safest, "child": child, "listener": listener}
Hands = Mapping[str, tuple[int, ...]]


@dataclass
class Rounds:
    """What rounds that ended by a doubt were like: bids, the last above the truth, and those that stood."""

    number: int = 0
    bids: int = 0
    above: float = 0.0
    stood: int = 0
    lengths: list[int] = field(default_factory=list)

    def see(self, game: Game, hands: Hands) -> None:
        """Count a round in its reveal."""
        if not isinstance(game.challenge, Dudo) or game.doubted is None:
            return
        bid = game.doubted.bid
        more = bid.quantity - sum(matching(hand, bid.face, game.wild) for hand in hands.values())
        said = sum(isinstance(one, BidCall) for one in game.round.bids)
        self.number, self.bids, self.above = self.number + 1, self.bids + said, self.above + more
        self.stood += more <= 0
        self.lengths.append(said)

    def __str__(self) -> str:
        number = max(1, self.number)
        usual = sum(4 <= length <= 8 for length in self.lengths) / number
        return (
            f"{self.bids / number:.1f} bids a round, four to eight in {usual:.0%}, the last "
            f"{self.above / number:+.1f} above the truth, {self.stood / number:.0%} stand"
        )


def bot(level: Level) -> Player:
    return lambda view, rng: decide(view, level, rng)


def coached(view: SeatView, rng: Random) -> Call | None:
    """Who follows the coach's best call, on turn alone."""
    best = advise(view, rng).best if view.game.round.turn == view.seat else None
    return best.call if best else decide(view, Level.EASY, rng)


def play(
    rules: Ruleset,
    players: Mapping[str, Player],
    starter: str,
    rng: Random,
    thrown: Random,
    rounds: Rounds | None = None,
) -> str:
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
            if rounds:
                rounds.see(game, hands)
            game = apply(game, Revealed(Reveal(tuple(hands.items()))))
        else:
            game = apply(game, NextRound())
    assert game.winner is not None
    return game.winner


def next_call(game: Game, players: Mapping[str, Player], hands: Hands, rng: Random) -> Call:
    """The call of the player on turn, unless somebody speaks out of turn first."""
    seen = sees(game)
    names = sorted(seen, key=lambda name: name == game.round.turn)
    for name in names:
        view = SeatView(game, name, tuple((other, hands[other]) for other in seen[name]))
        if name != game.round.turn and not _may_speak(game):
            continue
        call = players[name](view, rng)
        if call is not None and (name == game.round.turn or check(call, game) is None):
            return call
    raise AssertionError("the player on turn has nothing to say")


def _may_speak(game: Game) -> bool:
    """Whether anybody but the player on turn may call something by these rules."""
    return game.ruleset.dudo_by == "anybody" or game.ruleset.calza == "out_of_turn"


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
    player: Player,
    seats: int,
    games: int,
    seed: int,
    other: Player = safest,
    played: Callable[[Ruleset, Mapping[str, Player], str, Random, Random], str] = play,
) -> tuple[float, float]:
    """The share of games that one player wins against others alike, and its standard error."""
    names = [f"p{n}" for n in range(seats)]
    players: dict[str, Player] = dict.fromkeys(names, other) | {names[0]: player}
    won = sum(
        played(rules, players, names[n % seats], Random(f"{seed}/{n}/say"), Random(f"{seed}/{n}/dice"))
        == names[0]
        for n in range(games)
    )
    share = won / games
    return share, sqrt(share * (1 - share) / games)


def main() -> None:
    who = [*(level.value for level in Level), *OTHERS, "coached", "networks"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--player", choices=who, default="strong")
    parser.add_argument("--against", choices=who, default="safest")
    parser.add_argument("--dice", type=int, help="single rounds with so many dice each, not games")
    parser.add_argument("--rules", choices=tuple(RULES), default="modern")
    parser.add_argument("--networks", type=Path, default=Path("models"))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began_s, rounds = time.process_time(), Rounds()
    everybody = {**OTHERS, "coached": coached, "networks": networks(asked.networks)}
    everybody |= {level.value: bot(level) for level in Level}
    played = partial(play_round, dice=asked.dice) if asked.dice else partial(play, rounds=rounds)
    player, other = everybody[asked.player], everybody[asked.against]
    share, error = measured(RULES[asked.rules], player, asked.seats, asked.games, asked.seed, other, played)
    spent_s = time.process_time() - began_s
    print(
        f"{asked.player} {asked.rules} 1 of {asked.seats}: {share:.1%} ± {error:.1%} of {asked.games} "
        f"{'rounds' if asked.dice else 'games'} against {asked.against}, "
        f"{spent_s / asked.games * 1e3:.0f} ms each; {rounds}"
    )


if __name__ == "__main__":
    main()
