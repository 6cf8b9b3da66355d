"""What each language asks for on its own: plurals, typography, elision, and verdicts that read well."""

import re
from string import Formatter

import pytest

from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Calza, Dudo, DudoPass, Pass
from companion.rules.explain import bid_words, explain
from companion.rules.judge import Reveal, judge
from companion.rules.players import Player
from companion.rules.presets import CLASSIC, LIVES, MODERN, PRESETS
from companion.rules.rulebook import rules_in_words
from companion.texts import catalogue, languages, negotiated, translate
from tests.companion.test_explain import ending, game_of, heap

FIVE_FIVES = BidCall("Ana", Bid(5, 5))
DOUBTED = (FIVE_FIVES, Dudo("Beto"))
PASSED = (FIVE_FIVES, Pass("Beto"), DudoPass("Carla"))
BETO, ANA, NOBODY = "Beto", "Ana", ""
RIGHT = {
    ("de", BETO): "Beto hat recht: Ana hat 5 Fünfen geboten; ",
    ("fr", BETO): "Beto avait raison : Ana a annoncé 5 cinq ; ",
    ("pt", BETO): "Beto tinha razão: Ana apostou 5 cincos; ",
    ("de", ANA): "Ana hat recht mit 5 Fünfen; ",
    ("fr", ANA): "Ana avait raison d’annoncer 5 cinq ; ",
    ("pt", ANA): "Ana tinha razão ao apostar 5 cincos; ",
    ("de", NOBODY): "Ana hat 5 Fünfen geboten; ",
    ("fr", NOBODY): "Ana a annoncé 5 cinq ; ",
    ("pt", NOBODY): "Ana apostou 5 cincos; ",
}
"""How a verdict begins, by who was right."""
TRANSLATED = [language for language in languages() if language != "en"]

# Placeholders that a person's name stands in.
_NAMES = ("player", "players", "name", "names", "turn", "by", "bidder", "passer")


def test_there_are_five_languages():
    assert languages() == ("en", "de", "es", "fr", "pt")


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", {0: "0 lives", 1: "1 life", 2: "2 lives", 11: "11 lives"}),
        ("es", {0: "0 vidas", 1: "1 vida", 2: "2 vidas", 11: "11 vidas"}),
        ("de", {0: "0 Leben", 1: "1 Leben", 2: "2 Leben", 11: "11 Leben"}),
        ("fr", {0: "0 vie", 1: "1 vie", 2: "2 vies", 11: "11 vies"}),
        ("pt", {0: "0 vida", 1: "1 vida", 2: "2 vidas", 11: "11 vidas"}),
    ],
)
def test_plurals_follow_the_language(language, sentences):
    assert {n: translate(language, "web.round.lives", n=n) for n in sentences} == sentences


@pytest.mark.parametrize(
    ("language", "questions"),
    [("de", ("0 Fragen", "1 Frage", "2 Fragen")), ("fr", ("0 question", "1 question", "2 questions"))],
)
def test_zero_is_plural_in_german_and_singular_in_french(language, questions):
    for n, sentence in enumerate(questions):
        assert translate(language, "web.question.more", n=n).endswith(f"{sentence}.")


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


@pytest.mark.parametrize("language", TRANSLATED)
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


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_put_into_words(language, preset):
    lines = rules_in_words(PRESETS[preset], language)
    assert all(line.endswith((".", ")")) and "…" not in line and "{" not in line for line in lines)


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


@pytest.mark.parametrize(
    ("rules", "calls", "reveal", "right", "german", "french", "portuguese"),
    [
        (
            MODERN,
            DOUBTED,
            heap("555122223333444"),
            BETO,
            "3 Fünfen und 1 Eins ergeben 4; Ana verliert einen Würfel und fängt an.",
            "3 cinq et 1 paco font 4 ; Ana perd un dé et commence.",
            "3 cincos e 1 ás somam 4; Ana perde um dado e começa.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("222223333344444"),
            BETO,
            "es liegen keine Fünfen da; Ana verliert einen Würfel und fängt an.",
            "il n’y a aucun cinq ; Ana perd un dé et commence.",
            "não há nenhum cinco; Ana perde um dado e começa.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("122223333344444"),
            BETO,
            "1 Eins ergibt 1; Ana verliert einen Würfel und fängt an.",
            "1 paco fait 1 ; Ana perd un dé et commence.",
            "1 ás vale 1; Ana perde um dado e começa.",
        ),
        (
            MODERN,
            DOUBTED,
            Reveal(heap=(2,) * 11 + (5,), unknown=3),
            BETO,
            "es sind 1 bis 4, was immer die ungelesenen Würfel zeigen; "
            "Ana verliert einen Würfel und fängt an.",
            "il y en a de 1 à 4, quoi que montrent les dés non lus ; Ana perd un dé et commence.",
            "há de 1 a 4, mostrem o que mostrarem os dados não lidos; Ana perde um dado e começa.",
        ),
        (
            MODERN,
            (FIVE_FIVES, Calza("Beto")),
            heap("555552222233333"),
            BETO,
            "es liegen 5 Fünfen da; genau richtig; niemand verliert etwas; Beto fängt an.",
            "il y a 5 cinq ; tout juste ; personne ne perd rien ; Beto commence.",
            "há 5 cincos; em cheio; ninguém perde nada; Beto começa.",
        ),
        (
            CLASSIC.with_house({"penalty": "difference"}),
            (FIVE_FIVES, Calza("Beto")),
            Reveal(count=2),
            NOBODY,
            "es liegen 2 Fünfen da; nicht genau; Beto verliert 3 Würfel und fängt an.",
            "il y a 2 cinq ; pas tout juste ; Beto perd 3 dés et commence.",
            "há 2 cincos; não é exato; Beto perde 3 dados e começa.",
        ),
        (
            MODERN,
            PASSED,
            heap("22233"),
            None,
            "Beto hat zu Recht gepasst; Carla verliert einen Würfel und fängt an.",
            "Beto avait de quoi passer ; Carla perd un dé et commence.",
            "O passe de Beto era bom; Carla perde um dado e começa.",
        ),
        (
            MODERN,
            PASSED,
            heap("12344"),
            None,
            "Beto hat beim Passen geblufft; Beto verliert einen Würfel und fängt an.",
            "Beto a passé au bluff ; Beto perd un dé et commence.",
            "O passe de Beto era blefe; Beto perde um dado e começa.",
        ),
        (
            LIVES.with_house({"lives": 1}),
            DOUBTED,
            Reveal(count=1),
            BETO,
            "es liegt 1 Fünf da; Ana verliert ein Leben und fängt an; "
            "in der nächsten Runde zählen nur die Einsen.",
            "il y a 1 cinq ; Ana perd une vie et commence ; "
            "à la prochaine manche on ne compte que les pacos.",
            "há 1 cinco; Ana perde uma vida e começa; na próxima rodada só contam os ases.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("555551122223333"),
            ANA,
            "5 Fünfen und 2 Einsen ergeben 7; Beto verliert einen Würfel und fängt an.",
            "5 cinq et 2 pacos font 7 ; Beto perd un dé et commence.",
            "5 cincos e 2 ases somam 7; Beto perde um dado e começa.",
        ),
    ],
)
def test_a_verdict_reads_well(rules, calls, reveal, right, german, french, portuguese):
    verdict = judge(game_of(rules, *calls), reveal)
    for language, rest in (("de", german), ("fr", french), ("pt", portuguese)):
        sentence = explain(verdict, language).replace("\u202f", " ").replace("\xa0", " ")
        assert sentence == ("" if right is None else RIGHT[language, right]) + rest


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "es liegen keine Sechsen da; Ana verliert einen Würfel und ist raus; Beto gewinnt."),
        ("fr", "il n’y a aucun six\u202f; Ana perd un dé et quitte la partie\u202f; Beto gagne."),
        ("pt", "não há nenhum seis; Ana perde um dado e sai do jogo; Beto ganha."),
    ],
)
def test_how_a_game_ends_reads_well(language, sentence):
    game = ending(MODERN, Player("Ana", dice=1), Player("Beto", dice=2), call=Dudo("Beto"))
    assert sentence in explain(judge(game, Reveal(count=0)), language)
