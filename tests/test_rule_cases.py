"""The rules against files: single positions, whole games and reference numbers.

The project's own files always run, the shared ones when they lie beside the project, and any others with
`--cases FILE`, `--games FILE` and `--reference FILE`.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.rules.events import NextRound
from companion.rules.game import apply
from companion.rules.position import Game
from companion.rules.ruleset import choices, switches
from tests.rule_files import answer, expected_part, game_of, load, rules_of
from tests.rule_numbers import advised, next_bids, perft_counts, probabilities, reference_of, sections

OWN = Path(__file__).parent / "data" / "rules"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "rules"

#: The rows of docs/reference/rules.md that a position can show; S1 and L5 speak of the set-up.
ROWS_OF = {"S": 6, "C": 8, "O": 4, "R": 16, "D": 12, "Z": 10, "P": 6, "F": 12, "L": 6, "E": 3, "T": 1, "M": 2}
ROWS = {f"{topic}{n}" for topic, rows in ROWS_OF.items() for n in range(1, rows + 1)} - {"S1", "L5"} | {"H"}


def _files(config: pytest.Config, option: str) -> list[Path]:
    given = config.getoption(f"--{option}")
    if given and not Path(given).is_file():
        raise pytest.UsageError(f"--{option}: there is no file {given}")
    if given:
        return [Path(given)]
    return [path for path in (OWN / f"{option}.json", SHARED / f"{option}.json") if path.is_file()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for name, option in (("case", "cases"), ("whole_game", "games")):
        if name in metafunc.fixturenames:
            entries = [entry for path in _files(metafunc.config, option) for entry in load(path, option)]
            metafunc.parametrize(name, entries, ids=[_id(entry) for entry in entries])
    if "reference" in metafunc.fixturenames:
        paths = _files(metafunc.config, "reference")
        metafunc.parametrize(
            "reference", [reference_of(p) for p in paths], ids=[p.parent.name for p in paths]
        )


def _id(entry: dict[str, Any]) -> str:
    return str(entry.get("id") or f"{entry['preset']}-{entry.get('seed', '')}")


def test_single_position(case):
    game = game_of(case["state"], rules_of(case))
    got, _ = answer(game, case["action"], case.get("reveal", {}))
    assert expected_part(got, case["expect"]) == case["expect"], case.get("title", "")


def test_whole_game(whole_game):
    """Every step answers as the file says, and every round begins where the last verdict left the table."""
    rules, game = rules_of(whole_game), None
    for now in whole_game["rounds"]:
        described = game_of({**whole_game, "round": now, "players": now["players"]}, rules)
        if game is not None:
            assert _beginning(apply(game, NextRound())) == _beginning(described)
        game = described
        for step in now["steps"]:
            got, game = answer(game, step["action"], now["reveal"])
            assert expected_part(got, step["result"]) == step["result"], (now["round"], step["action"])
    assert game.winner == whole_game["winner"]


def _beginning(game: Game) -> tuple[object, ...]:
    return game.players, game.round.kind, game.round.starter, game.round.turn, game.round.dice


def test_reference_probabilities(reference):
    for dice, table in reference.get("probability", {}).items():
        for kind, numbers in table.items():
            assert probabilities(int(dice), kind, numbers) == numbers, (dice, kind)


def test_reference_advice(reference):
    for example in reference.get("advisor_examples", ()):
        assert advised(example) == example


def test_reference_next_bids(reference):
    for setting, tables in sections(reference, "next_bids_"):
        for dice, numbers in tables.items():
            assert next_bids(setting, int(dice), numbers) == numbers, (setting, dice)


def test_reference_perft(reference):
    for setting, tables in sections(reference, "perft_"):
        for dice, numbers in tables.items():
            assert perft_counts(setting, int(dice), numbers) == numbers, (setting, dice)


def test_own_positions_speak_of_every_row_and_every_switch():
    own = load(OWN / "cases.json", "cases")
    assert ROWS - {case["row"] for case in own} == set()
    shown = {(switch, value) for case in own for switch, value in case.get("house", {}).items()}
    of_rules = [switch for switch in switches() if switch != "undo"]  # which no position can show
    wanted = {(switch, value) for switch in of_rules for value in choices(switch)}
    assert wanted - shown == set()
