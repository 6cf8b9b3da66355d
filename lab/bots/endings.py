"""Solves the endings of the presets for `companion/bots/endgame.py`: `python -m lab.bots.endings`.

Nothing is drawn by chance: the number of iterations decides the file.
"""

from __future__ import annotations

import argparse
import struct
import time
import zlib
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from companion.bots.endgame import BIDS, CALLS, ENTRY, FILE, key_of, played_alike, remembered
from companion.rules.bids import Bid
from companion.rules.calls import Dudo
from companion.rules.players import NORMAL, PALIFICO
from companion.rules.position import Game
from companion.rules.presets import PRESETS
from companion.rules.ruleset import Ruleset
from lab.bots.regret import shares, solve
from lab.bots.round_graph import RoundGraph
from tests.new_games import new_game

OPEN_SPIEL = Ruleset(name="liars_dice", wild_face=6, aces_convert=False, calza="off", palifico="off")
"""The rules by which exploitability is measured."""

DICE = ((1, 1), (1, 2), (2, 1), (2, 2))
FINE_STEPS, STEPS, MIN_REACH = 255, 63, 1e-3
"""Shares are kept in so many steps, with one die each and with more; what is reached more rarely by the own
calls is left out."""


def endings() -> dict[int, Game]:
    """The endings that games by the presets come to, each once."""
    found: dict[int, Game] = {}
    for rules in (OPEN_SPIEL, *PRESETS.values()):
        if rules.lives is None and not rules.keeps_tally:
            for dice in DICE:
                for game in _rounds(rules, dice):
                    found.setdefault(played_alike(game), game)
    return found


def _rounds(rules: Ruleset, dice: tuple[int, int]) -> Iterator[Game]:
    begun = new_game(rules, ("first", "second"), "first")
    players = tuple(replace(p, dice=number) for p, number in zip(begun.players, dice, strict=True))
    for kind in (NORMAL, PALIFICO):
        due = dice[0] == 1 and rules.palifico != "off" and rules.palifico_two_players
        if kind is NORMAL or due:
            now = replace(begun.round, kind=kind, dice=sum(dice))
            yield replace(begun, players=players, round=now)


def solution(game: Game, iterations: int) -> bytes:
    """The solved round in the form of `companion.bots.policy.Memory`."""
    newest, steps = remembered(game), FINE_STEPS if game.round.dice == 2 else STEPS
    graph = RoundGraph(game, newest)
    solve(graph.nodes, graph.priors, iterations)
    rows: dict[int, np.ndarray] = {}
    for at, said in _states(graph, newest):
        node, calls = graph.nodes[at[0]], graph.calls[at[0]]
        places = [BIDS.index(bid) for bid in calls.raises]
        places += [len(BIDS) + (kind is not Dudo) for kind in calls.challenges]
        chosen = node.chosen[at[1]]
        reach = chosen.sum(-1) / (iterations * (iterations + 1) / 2)
        for hand in np.flatnonzero(reach > MIN_REACH):
            row = np.zeros(CALLS, np.uint8)
            row[places] = np.rint(shares(chosen[hand]) * steps)
            key = key_of(node.mover, said, int(hand))
            assert key is not None
            rows[key] = row
    keys = np.array(sorted(rows))
    deltas = np.diff(keys, prepend=0).astype("<u4").view(np.uint8).reshape(-1, 4)
    body = deltas.T.tobytes() + np.stack([rows[key] for key in keys.tolist()]).T.tobytes()
    return zlib.compress(struct.pack("<I", len(keys)) + body, 9)


def _states(graph: RoundGraph, newest: int) -> Iterator[tuple[tuple[int, int], tuple[Bid, ...]]]:
    """Every state, with the newest bids that lead to it."""
    seen, left = set(), [((len(graph.nodes) - 1, 0), tuple[Bid, ...]())]
    while left:
        at, said = left.pop()
        if at not in seen:
            seen.add(at)
            yield at, said
            ways = zip(graph.nodes[at[0]].following, graph.calls[at[0]].raises, strict=True)
            left += [(after, (*said, bid)[-newest:]) for after, bid in ways]


def _solved(asked: tuple[int, Game, int]) -> tuple[int, bytes]:
    number, game, iterations = asked
    began_s = time.process_time()
    packed = solution(game, iterations)
    dice = [player.dice for player in game.players]
    print(
        f"{game.ruleset.name} {game.round.kind} {dice}: {len(packed)} bytes, "
        f"{time.process_time() - began_s:.0f} s",
        flush=True,
    )
    return number, packed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    asked = parser.parse_args()
    work = [(number, game, asked.iterations) for number, game in endings().items()]
    with Pool(asked.processes) as pool:
        found = dict(pool.imap(_solved, work))
    head = [struct.pack(ENTRY, number, len(packed)) for number, packed in found.items()]
    asked.out.write_bytes(struct.pack("<I", len(found)) + b"".join(head) + b"".join(found.values()))


if __name__ == "__main__":
    main()
