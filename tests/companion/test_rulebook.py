"""Rules and verdicts in words, in every language; docs/reference/rules.md has the presets."""

import json
import re
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.errors import BadRuleset
from companion.rules.counting import Reveal
from companion.rules.events import Started
from companion.rules.explain import explain
from companion.rules.judge import judge
from companion.rules.players import Player, RoundKind, dice_in_play, teamed
from companion.rules.position import Game, Phase, Round
from companion.rules.presets import APP, MODERN, PRESETS, preset
from companion.rules.records import written
from companion.rules.rulebook import heading, idle, presets_table, rules_in_words, sentence, spoken
from companion.rules.ruleset import VERSION, Ruleset, bounds, choices, faults, switches
from companion.storage.game_file import FRESH
from companion.storage.journal import Journal
from companion.texts import knows, languages, translate
from tests.companion.at_table import after
from tests.refusals import refused

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "rules.md"


def values_of(name: str) -> list[object]:
    between = bounds(name)
    numbers = [] if between is None else [between.least, between.least + 1, between.most]
    return [*numbers, *choices(name), *([None] if name == "lives" else [])]


LIFE_WORDS = {
    "en": r"\bli(fe|ves)\b",
    "de": r"\bLeben",
    "es": r"\bvidas?\b",
    "fr": r"\bvies?\b",
    "pt": r"\bvidas?\b",
}
"""The word for what a player has besides dice, by language."""


@pytest.mark.parametrize("name", switches())
def test_every_switch_has_a_name_and_a_sentence_for_every_value(name):
    assert knows(f"rules.{name}.name")
    for language in languages():
        said = [sentence(language, name, value) for value in values_of(name)]
        assert all(knows(spoken(name, value)[0]) for value in values_of(name))
        assert len(set(said)) == len(said), "two values that read the same"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_the_rules_in_words_name_every_switch(rules, language):
    assert rules.name in heading(rules, language)
    lines = rules_in_words(rules, language)
    for name in switches():
        label = translate(language, f"rules.{name}.name")
        text = sentence(language, name, getattr(rules, name), rules.lives is not None)
        start = translate(language, "rules.line", switch=label, sentence="")
        assert sum(line.startswith(start) and text in line for line in lines) == 1, name
    assert all(line.endswith((".", ")")) and "…" not in line and "{" not in line for line in lines)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("rules", [*PRESETS.values(), MODERN.with_house({"calza_by": "missing_a_die"})])
def test_only_a_table_with_lives_hears_of_them(rules, language):
    own = tuple(translate(language, f"rules.{name}.name") for name in ("lives", "last_life"))
    lines = [line for line in rules_in_words(rules, language) if not line.startswith(own)]
    found = re.search(LIFE_WORDS[language], " ".join(lines))
    assert (found is not None) == (rules.lives is not None), found and found.group()


def test_house_rules_and_rules_without_effect_are_marked():
    lines = rules_in_words(MODERN.with_house({"calza": "off"}), "en")
    assert "Calza: There is no calza. (House rule.)" in lines
    assert any(line.startswith("Calza, when right: ") and "(No effect here.)" in line for line in lines)
    assert sum("(House rule.)" in line for line in lines) == 1
    for rules in (MODERN, replace(MODERN, name="")):
        assert "(House rule.)" not in " ".join(rules_in_words(rules, "en"))


def test_the_document_has_the_table_of_presets():
    assert presets_table() in DOCS.read_text(encoding="utf-8"), "run `dudo rules --table` and put it there"


def test_the_document_speaks_of_every_switch():
    text = DOCS.read_text(encoding="utf-8")
    assert [name for name in switches() if f"`{name}`" not in text] == []


def test_presets_differ_in_values_only_and_can_be_played():
    for name, rules in PRESETS.items():
        assert preset(name) is rules
        assert rules.name == name
        assert faults(rules) == ()
        assert Ruleset.from_json(json.loads(json.dumps(rules.to_json()))) == rules


@pytest.mark.parametrize(
    ("house", "reason"),
    [
        ({"flying": True}, "ruleset_unknown_field"),
        ({"name": "mine"}, "ruleset_unknown_field"),
        ({"calza": "sometimes"}, "ruleset_bad_value"),
        ({"passing": 1}, "ruleset_bad_value"),
        ({"passing": "yes"}, "ruleset_bad_value"),
        ({"starting_dice": 0}, "ruleset_bad_value"),
        ({"starting_dice": 11}, "ruleset_bad_value"),
        ({"starting_dice": True}, "ruleset_bad_value"),
        ({"starting_dice": None}, "ruleset_bad_value"),
        ({"starting_dice": 5.0}, "ruleset_bad_value"),
        ({"lives": 0}, "ruleset_bad_value"),
        ({"most_players": 21}, "ruleset_bad_value"),
        ({"opening_aces": ["never"]}, "ruleset_bad_value"),
        ({"calza": "out_of_turn", "most_players": 2}, "calza_needs_three"),
        ({"penalty": "gain", "lives": 2}, "gain_alone"),
        ({"penalty": "gain", "handicap": True}, "gain_alone"),
        ({"penalty": "gain", "dice_left": "hidden"}, "gain_alone"),
        ({"penalty": "gain", "loser": "winner"}, "gain_alone"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_reason(house, reason):
    with refused(reason, BadRuleset):
        MODERN.with_house(house)


def test_all_faults_are_reported_at_once():
    broken = Ruleset(calza="never", starting_dice=0)  # type: ignore[arg-type]
    assert [fault.values["field"] for fault in faults(broken)] == ["starting_dice", "calza"]


@pytest.mark.parametrize("version", [VERSION + 1, "1", None])
def test_rules_of_a_newer_companion_are_refused(version):
    with refused("ruleset_newer", BadRuleset):
        Ruleset.from_json({**APP.to_json(), "version": version})


def test_a_preset_that_was_renamed_is_read_by_its_old_name():
    kept = {**PRESETS["single_hand_free"].to_json(), "name": "common_hand_free"}
    assert Ruleset.from_json(kept) == preset("common_hand_free") == PRESETS["single_hand_free"]


def test_rules_with_fields_left_out_take_the_base():
    assert Ruleset.from_json({"version": 1}) == Ruleset()


def test_the_command_prints_the_rules(capsys):
    assert main(["rules", "lives", "--language", "es", "--house", "lives=3"]) == 0
    printed = capsys.readouterr().out
    assert "Cada jugador tiene 3 vidas" in printed
    assert "(Regla de la casa.)" in printed


def test_the_command_reads_what_it_wrote(capsys, tmp_path):
    assert main(["rules", "app", "--house", "calza_exact=regain", "--json"]) == 0
    file = tmp_path / "ours.json"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["rules", str(file)]) == 0
    assert "wins its caller back a lost die. (House rule.)" in capsys.readouterr().out


def test_the_command_tells_the_rules_of_a_game(capsys, tmp_path):
    """With its own mix of switches, while the journal is in use."""
    started = Started(MODERN.with_house({"calza": "off"}), (("Ana", ""), ("Beto", "")), "Ana")
    with closing(Journal(tmp_path / "games")) as journal:
        game = journal.create()
        journal.append(game, 1, written(started))
        (unnamed := tmp_path / "games" / f"{game}.jsonl{FRESH}").touch()
        assert main(["rules", "--game", game, "--data", str(tmp_path)]) == 0
        assert unnamed.exists(), "the other process is writing it"
    assert "There is no calza. (House rule.)" in capsys.readouterr().out
    assert main(["rules", "--game", "nothing", "--data", str(tmp_path)]) == 2
    assert main(["rules", "--game", game, "--data", str(tmp_path / "elsewhere")]) == 2


PALIFICO = "palifico_two_players palifico_unlock palifico_opening_aces palifico_view"


@pytest.mark.parametrize(
    ("house", "changed"),
    [
        ({"passing": True}, "pass_hands pass_dice"),
        ({"passing": True, "starting_dice": 4}, "passing straight_rerolls hand_bonus"),
        ({"teams": "share_win"}, "team_count"),
        ({"turn_seconds": 9}, "turn_over"),
        ({"ante": 5}, "ante_each_round"),
        ({"calza": "off"}, "calza_by calza_limit calza_exact calza_palifico"),
        ({"wild": "none"}, "wild_rank aces_convert zhai"),
        ({"raise_rule": "nothing_falls"}, "aces_convert"),
        ({"aces_convert": "never"}, "opening_aces"),
        ({"dice_left": "hidden"}, "max_quantity"),
        (
            {"starting_dice": 1},
            f"push_and_reroll straight_rerolls hand_bonus palifico calza_palifico {PALIFICO}",
        ),
        ({"palifico": "off"}, f"calza_palifico {PALIFICO}"),
        ({"out_below": 2}, f"palifico calza_palifico {PALIFICO}"),
        ({"penalty": "tally"}, f"tally_to lives out_below palifico calza_palifico {PALIFICO}"),
        ({"penalty": "gain"}, f"out_below palifico calza_palifico {PALIFICO}"),
        ({"lives": 2}, f"last_life out_below palifico {PALIFICO}"),
        ({"lives": 2, "last_life": "out"}, f"last_life out_below palifico calza_palifico {PALIFICO}"),
        ({"loser": "winner"}, "dudo_exact calza_exact"),
        ({"loser": "winner", "calza_exact": "nobody"}, "dudo_exact"),
        (
            {"loser": "winner", "lives": 2},
            f"dudo_exact calza_exact out_below palifico calza_palifico {PALIFICO}",
        ),
    ],
)
def test_switches_that_others_leave_without_effect_or_give_one(house, changed):
    assert idle(Ruleset().with_house(house)) ^ idle(Ruleset()) == set(changed.split())


FILE = Path(__file__).parents[1] / "data" / "rules" / "verdicts.toml"
VERDICTS = tomllib.loads(FILE.read_text(encoding="utf-8"))["verdict"]
NAMES = ("Ana", "Beto", "Carla", "Dino")
NO_BREAK = str.maketrans("\u202f\xa0", "  ")


def challenged(row) -> Game:
    """The game of a row, up to the challenge."""
    rules = preset(row["preset"]).with_house(row.get("house", {}))
    dice = row.get("dice", [rules.starting_dice] * 3)
    lives = row.get("lives", [rules.lives or 0] * len(dice))
    seats = zip(NAMES, dice, lives, strict=False)
    players = tuple(
        Player(name, dice=number, lives=left, palifico_used=name == row.get("used"))
        for name, number, left in seats
    )
    begun = Round(3, RoundKind.NORMAL, "Ana", "Ana", dice_in_play(players))
    game = Game(rules, teamed(rules, players), begun, Phase.BIDDING)
    return after(game, ", ".join(row["calls"].split()))


@pytest.mark.parametrize("row", VERDICTS, ids=[row["en"] for row in VERDICTS])
def test_a_verdict_in_words(row):
    heap = tuple(map(int, row.get("heap", "")))
    verdict = judge(challenged(row), Reveal((), heap, (), row.get("unknown", 0), row.get("count")))
    for language in languages():
        assert explain(verdict, language).translate(NO_BREAK) == row[language]
