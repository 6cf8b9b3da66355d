"""Verdicts in sentences, in both languages."""

import pytest

from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass, Pass
from companion.rules.events import Called, Started
from companion.rules.explain import bid_words, explain
from companion.rules.game import Game, Phase, Player, Round, RoundKind
from companion.rules.judge import Reveal, judge
from companion.rules.presets import APP, CLASSIC, LIVES, MODERN
from companion.rules.ruleset import Ruleset
from tests.companion.playing import fold

FIVE_FIVES = BidCall("Ana", Bid(5, 5))
DOUBTED = (FIVE_FIVES, Dudo("Beto"))


def heap(text: str) -> Reveal:
    return Reveal(heap=tuple(map(int, text)))


def game_of(rules: Ruleset, *calls: Call) -> Game:
    players = (("Ana", ""), ("Beto", ""), ("Carla", ""))
    return fold([Started(rules, players, calls[0].by), *map(Called, calls)])


@pytest.mark.parametrize(
    ("rules", "calls", "reveal", "english", "spanish"),
    [
        (
            MODERN,
            DOUBTED,
            heap("555122223333444"),
            "Beto was right: Ana bid 5 fives; 3 fives and 1 ace make 4; Ana loses a die and starts.",
            "Beto tenía razón: Ana apostó 5 cincos; 3 cincos y 1 as hacen 4; Ana pierde un dado y empieza.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("555551122223333"),
            "Ana was right to bid 5 fives; 5 fives and 2 aces make 7; Beto loses a die and starts.",
            "Ana tenía razón al apostar 5 cincos; 5 cincos y 2 ases hacen 7; Beto pierde un dado y empieza.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("222223333344444"),
            "Beto was right: Ana bid 5 fives; there are no fives; Ana loses a die and starts.",
            "Beto tenía razón: Ana apostó 5 cincos; no hay cincos; Ana pierde un dado y empieza.",
        ),
        (
            MODERN,
            DOUBTED,
            heap("122223333344444"),
            "Beto was right: Ana bid 5 fives; 1 ace makes 1; Ana loses a die and starts.",
            "Beto tenía razón: Ana apostó 5 cincos; 1 as hace 1; Ana pierde un dado y empieza.",
        ),
        (
            MODERN,
            DOUBTED,
            Reveal(heap=(2,) * 11 + (5,), unknown=3),
            "Beto was right: Ana bid 5 fives; there are 1 to 4, whatever the unread dice show; "
            "Ana loses a die and starts.",
            "Beto tenía razón: Ana apostó 5 cincos; "
            "hay de 1 a 4, muestren lo que muestren los dados sin leer; "
            "Ana pierde un dado y empieza.",
        ),
        (
            MODERN,
            (FIVE_FIVES, Calza("Beto")),
            heap("555552222233333"),
            "Beto was right: Ana bid 5 fives; there are 5 fives; exactly right; nobody loses anything; "
            "Beto starts.",
            "Beto tenía razón: Ana apostó 5 cincos; hay 5 cincos; exacto; nadie pierde nada; empieza Beto.",
        ),
        (
            CLASSIC.with_house({"penalty": "difference"}),
            (FIVE_FIVES, Calza("Beto")),
            Reveal(count=2),
            "Ana bid 5 fives; there are 2 fives; not exact; Beto loses 3 dice and starts.",
            "Ana apostó 5 cincos; hay 2 cincos; no es exacto; Beto pierde 3 dados y empieza.",
        ),
        (
            MODERN,
            (FIVE_FIVES, Pass("Beto"), DudoPass("Carla")),
            heap("22233"),
            "Beto’s pass was good; Carla loses a die and starts.",
            "El paso de Beto era bueno; Carla pierde un dado y empieza.",
        ),
        (
            MODERN,
            (FIVE_FIVES, Pass("Beto"), DudoPass("Carla")),
            heap("12345"[:4] + "4"),
            "Beto’s pass was a bluff; Beto loses a die and starts.",
            "El paso de Beto era un farol; Beto pierde un dado y empieza.",
        ),
        (
            LIVES.with_house({"lives": 1}),
            DOUBTED,
            Reveal(count=1),
            "Beto was right: Ana bid 5 fives; there is 1 five; Ana loses a life and starts; "
            "the next round counts only aces.",
            "Beto tenía razón: Ana apostó 5 cincos; hay 1 cinco; Ana pierde una vida y empieza; "
            "en la próxima ronda solo cuentan los ases.",
        ),
    ],
)
def test_a_verdict_in_words(rules, calls, reveal, english, spanish):
    verdict = judge(game_of(rules, *calls), reveal)
    assert explain(verdict, "en") == english
    assert explain(verdict, "es") == spanish


def ending(rules: Ruleset, *players: Player, call: Call) -> Game:
    """Ana bid one six; `call` waits for the dice."""
    dice = sum(p.dice for p in players if not p.out)
    now = Round(3, RoundKind.NORMAL, "Ana", "Beto", dice, (BidCall("Ana", Bid(1, 6)),))
    return Game(rules, players, now, Phase.REVEAL, call)


@pytest.mark.parametrize(
    ("game", "count", "english"),
    [
        (
            ending(
                MODERN,
                Player("Ana", dice=1),
                Player("Beto", dice=2),
                Player("Carla", dice=2),
                call=Dudo("Beto"),
            ),
            0,
            "Beto was right: Ana bid 1 six; there are no sixes; Ana loses a die and is out; Beto starts.",
        ),
        (
            ending(MODERN, Player("Ana", dice=1), Player("Beto", dice=2), call=Dudo("Beto")),
            0,
            "Beto was right: Ana bid 1 six; there are no sixes; Ana loses a die and is out; Beto wins.",
        ),
        (
            ending(MODERN, Player("Ana", dice=3), Player("Beto", dice=2), call=Dudo("Beto")),
            2,
            "Ana was right to bid 1 six; there are 2 sixes; Beto loses a die and starts; "
            "the next round is palifico.",
        ),
        (
            ending(APP, Player("Ana", dice=3), Player("Beto", dice=2), call=Calza("Beto")),
            1,
            "Beto was right: Ana bid 1 six; there is 1 six; exactly right; nobody loses anything; "
            "Beto starts.",
        ),
        (
            ending(MODERN, Player("Ana", dice=3), Player("Beto", dice=2), call=Calza("Beto")),
            1,
            "Beto was right: Ana bid 1 six; there is 1 six; exactly right; Beto wins a die back and starts.",
        ),
        (
            ending(
                LIVES,
                Player("Ana", lives=0, palifico_used=True),
                Player("Beto", lives=2),
                Player("Carla", lives=1),
                call=Dudo("Beto"),
            ),
            0,
            "Beto was right: Ana bid 1 six; there are no sixes; Ana loses the last chance and is out; "
            "Beto starts.",
        ),
    ],
)  # fmt: skip
def test_how_rounds_and_games_end(game, count, english):
    assert explain(judge(game, Reveal(count=count)), "en") == english


def test_large_numbers_are_said_in_digits():
    assert bid_words(Bid(12, 1), "en") == "12 aces"
    assert bid_words(Bid(13, 6), "es") == "13 seises"
