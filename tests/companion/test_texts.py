"""The catalogues: the same in every language, complete, and with what each language asks for on its own.
Every room's errors tell a person why, and what helps."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from companion.app.reading.photographs import WritingError
from companion.errors import BadCommand, CompanionError, Explained, PortBusy
from companion.rules import bidding, order
from companion.rules import legality as rules_module
from companion.rules.bids import Bid
from companion.rules.calls import Call
from companion.rules.explain import bid_words
from companion.table import history
from companion.texts import catalogue, knows, languages, negotiated, translate
from hardware.errors import CameraMissing, HardwareError
from tests.syntax import parsed
from vision.errors import VisionError
from vision.learned.net import ModelMissing
from vision.picture.photos import PhotoError
from web.problems import Refused

ROOT = Path(__file__).resolve().parents[2]
OTHERS = [language for language in languages() if language != "en"]


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_keys(language):
    assert set(catalogue(language)) == set(catalogue("en"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_placeholders(language):
    english, other = catalogue("en"), catalogue(language)
    differing = {key for key in english if placeholders(english[key]) != placeholders(other.get(key, ""))}
    # "one" may leave the number out: "a die"
    assert {key for key in differing if not key.endswith(".one")} == set()


@pytest.mark.parametrize("language", languages())
def test_no_sentence_is_empty_and_plurals_are_whole(language):
    texts = catalogue(language)
    assert [key for key, sentence in texts.items() if not sentence.strip()] == []
    counting = {key.removesuffix(".other") for key in texts if key.endswith(".other") and "{n}" in texts[key]}
    assert {key for key in counting if f"{key}.one" not in texts} == set()


def test_an_unknown_language_gets_english_and_an_unknown_key_an_error():
    assert translate("xx", "errors.no_bid") == translate("en", "errors.no_bid")
    with pytest.raises(KeyError):
        translate("en", "errors.nothing_of_the_kind")


def test_a_value_nobody_gave_leaves_a_gap():
    assert translate("en", "errors.exceeds_dice") == "There are only … dice in play."


def _error_names() -> set[str]:
    found, more = set(), [CompanionError]
    while more:
        kind = more.pop()
        found.add(kind.__name__)
        more.extend(kind.__subclasses__())
    return found


def _raised_keys() -> Iterator[str]:
    """The first argument of every error that the rooms raise by name, where it is a plain word."""
    names = _error_names()
    for path in [*(ROOT / "companion").rglob("*.py"), *(ROOT / "web").rglob("*.py")]:
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value


def test_every_error_has_its_sentence():
    raised = set(_raised_keys())
    assert "rolloff_tied" in raised
    assert {key for key in raised if not knows(f"errors.{key}")} == set()


def test_every_reason_of_the_rules_has_its_sentence():
    modules = (rules_module, bidding, order)
    source = "".join(Path(module.__file__).read_text(encoding="utf-8") for module in modules)
    given = r'(?:(?:return|else) |never\(|(?:at_least|Limit)\([^"\n]*, )"([a-z_]+)"'
    reasons = set(re.findall(given, source))
    assert len(reasons) > 20
    assert {reason for reason in reasons if not knows(f"errors.{reason}")} == set()


@pytest.mark.parametrize("language", languages())
def test_every_step_that_can_be_taken_back_has_its_words(language):
    kinds = {*map(history._word, get_args(Call)), *history._KINDS.values(), "other"}
    assert {kind for kind in kinds if f"web.steps.{kind}" not in catalogue(language)} == set()


# Placeholders that a person's name stands in.
_NAMES = ("player", "players", "name", "names", "turn", "by", "bidder", "passer")


def test_there_are_five_languages():
    assert languages() == ("en", "de", "es", "fr", "pt")


@pytest.mark.parametrize(
    ("language", "key", "ends"),
    [
        ("en", "web.round.lives", {0: "0 lives", 1: "1 life", 2: "2 lives", 11: "11 lives"}),
        ("es", "web.round.lives", {0: "0 vidas", 1: "1 vida", 2: "2 vidas", 11: "11 vidas"}),
        ("de", "web.question.more", {0: "0 Fragen.", 1: "1 Frage.", 2: "2 Fragen.", 11: "11 Fragen."}),
        ("fr", "web.round.lives", {0: "0 vie", 1: "1 vie", 2: "2 vies", 11: "11 vies"}),
        ("pt", "web.round.lives", {0: "0 vida", 1: "1 vida", 2: "2 vidas", 11: "11 vidas"}),
    ],
)
def test_plurals_follow_the_language(language, key, ends):
    """Zero is plural in German, and singular in French and Portuguese."""
    assert all(f" {translate(language, key, n=n)}".endswith(f" {end}") for n, end in ends.items())


@pytest.mark.parametrize("language", languages())
def test_no_singular_says_one_for_none(language):
    """Where 0 is singular, "un dé" would; then the plural is said, which names the number."""
    texts = catalogue(language)
    counted = {key.removesuffix(".other") for key in texts if key.endswith(".other") and "{n}" in texts[key]}
    assert "verdict.loses_dice" in counted
    assert {key for key in counted if "0" not in translate(language, key, n=0)} == set()


@pytest.mark.parametrize(
    ("preferred", "spoken"),
    [
        (["pt-BR", "en"], "pt"),
        (["fr-CA", "en-CA"], "fr"),
        (["de_AT"], "de"),
        (["DE-ch", "fr"], "de"),
        (["gsw", "de-CH", "en"], "de"),
        (["eo", "es-419"], "es"),
        (["*"], "en"),
        (["tlh", "x"], "en"),
        ([], "en"),
    ],
)
def test_the_language_nearest_to_what_is_preferred(preferred, spoken):
    assert negotiated(preferred) == spoken


def test_french_puts_no_breaking_space_before_its_high_signs():
    loose = re.compile(r"[^\u202f][;!?]|[^\xa0}]:(?!\d)|«[^\xa0]|[^\xa0]»|'")
    assert {key: text for key, text in catalogue("fr").items() if loose.search(text)} == {}


def test_french_puts_nothing_that_elides_before_a_name():
    """ "De Ana" would have to be "d'Ana"."""
    elides = re.compile(rf"\b(?:de|que|le|la|se|si|du|au) \{{(?:{'|'.join(_NAMES)})\}}", re.IGNORECASE)
    assert {key: text for key, text in catalogue("fr").items() if elides.search(text)} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_was_left_in_english(language):
    english, other = catalogue("en"), catalogue(language)
    sentences = {key for key, text in english.items() if len(re.findall(r"(?<!\{)\b[a-z]{2,}\b", text)) > 3}
    assert {key for key in sentences if other[key] == english[key]} == set()


@pytest.mark.parametrize("language", languages())
def test_sentences_are_clean(language):
    texts = catalogue(language)
    assert {
        key for key, text in texts.items() if text != text.strip() or "  " in text or "..." in text
    } == set()
    assert {key for key, text in texts.items() if "'" in text} == set(), "the apostrophe is ’"
    for text in texts.values():
        list(Formatter().parse(text))


@pytest.mark.parametrize(
    ("language", "one", "few", "many"),
    [
        ("en", "1 five", "3 aces", "13 sixes"),
        ("es", "1 cinco", "3 ases", "13 seises"),
        ("de", "1 Fünf", "3 Einsen", "13 Sechsen"),
        ("fr", "1 cinq", "3 pacos", "13 six"),
        ("pt", "1 cinco", "3 ases", "13 seis"),
    ],
)
def test_bids_as_they_are_said(language, one, few, many):
    assert [bid_words(bid, language) for bid in (Bid(1, 5), Bid(3, 1), Bid(13, 6))] == [one, few, many]


ROOTS: tuple[type[Explained], ...] = (CompanionError, HardwareError, VisionError, Refused)
"""The type checker holds each of them to the protocol."""


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadCommand("no_game"), "no_game"),
        (PortBusy("port_busy", host="here", port=80), "port_busy"),
        (CameraMissing("There is no camera."), "camera_missing"),
        (ModelMissing("It is gone."), "reader_broken"),
        (PhotoError("It is empty."), "file_unreadable"),
        (WritingError("It is full."), "file_unwritable"),
        (Refused(400, "bad_json"), "bad_json"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_an_error_has_a_reason_a_hint_and_values(error, reason):
    assert isinstance(error, ROOTS)
    assert isinstance(error, Explained)
    assert (error.reason, type(error.hint)) == (reason, str)
    assert dict(error.values) == error.values


def test_what_nobody_foresaw_explains_nothing():
    assert not isinstance(ValueError("?"), Explained)
