"""Whole games by random rules over all switches against an oracle written apart from the engine."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

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
from companion.rules.dice import FACES
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import apply
from companion.rules.legality import check, sees
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.rules.rulebook import idle
from companion.rules.ruleset import Ruleset, faults, switches
from tests.companion.playing import CHALLENGES, NAMES, a_value, handicaps, mixed, thrown
from tests.companion.rule_oracle import Oracle
from tests.effort import draws
from tests.new_games import new_game
from tests.perft import legal_calls

GAMES, SHARDS = draws(360, 6000), 6
GAMES_OF_A_PRESET = draws(6, 40)
STEPS = 4000
CHECKED = 0.3
"""Share of the steps at which every pair of a number and a face is tried."""

WORDS = {Dudo: "dudo", Calza: "calza", Pass: "pass", DudoPass: "dudo_pass"}


def as_printed(rules: Ruleset, random: Random) -> Ruleset:
    """Rules that read the same: any other values of the switches that are printed as without effect."""
    for name in sorted(idle(rules)):
        other = replace(rules, **{name: a_value(name, random)})
        rules = other if idle(rules) <= idle(other) and not faults(other) else rules
    return rules


def said(game: Game, oracle: Oracle, random: Random) -> Call:
    """What the engine offers is what the oracle allows; one of it, challenges often."""
    seat = {name: n for n, name in enumerate(NAMES)}
    calls, turn = legal_calls(game), game.round.turn
    assert sees(game) == {p.name: tuple(NAMES[n] for n in oracle.sees(seat[p.name])) for p in game.inside}
    if random.random() < CHECKED:
        _same_bids(game, oracle, random)
    for player in playing(game.players):
        for kind, word in WORDS.items():
            offered = check(kind(player.name), game) is None
            assert offered == oracle.may(word, seat[player.name]), (word, player.name)
        choices: dict[str, Call] = {
            "palifico": DeclarePalifico(player.name),
            "turn": ChooseDirection(player.name, "clockwise"),
            "look": ChooseVisibility(player.name, "open"),
        }
        for word, call in choices.items():
            assert (check(call, game) is None) == oracle.may(word, seat[player.name]), (word, player.name)
    assert any(call.by == turn for call in calls), "nobody can go on"
    doubts = [call for call in calls if isinstance(call, CHALLENGES)]
    call = random.choice(doubts if doubts and random.random() < 0.35 else calls)
    return _pushing(call, game, oracle, random) if isinstance(call, BidCall) else call


def _pushing(call: BidCall, game: Game, oracle: Oracle, random: Random) -> BidCall:
    """The bid, now and then with dice pushed out, where both allow it."""
    if random.random() < 0.6:
        return call
    faces = random.choices((call.bid.face, game.wild or call.bid.face, random.randint(0, 7)), (6, 3, 1), k=9)
    said = BidCall(call.by, call.bid, tuple(faces[: random.choice((1, 1, 2, 3, 6))]))
    allowed = oracle.may_push((call.bid.quantity, call.bid.face, call.bid.zhai), said.pushed)
    assert (check(said, game) is None) == allowed, said
    return said if allowed else call


def _same_bids(game: Game, oracle: Oracle, random: Random) -> None:
    """Both allow the same bids, and what the engine lists is allowed by both. Faces that no die has, and bids
    without wilds where nobody makes them, are tried with one number."""
    most = game.shown.round.dice
    plain = (False, True) if game.ruleset.zhai else (False,)
    grid = [Bid(q, f, z) for q in range(most + 3) for f in FACES for z in plain]
    some = random.randint(0, most + 2)
    grid += [Bid(some, f, z) for f in range(8) for z in (False, True)]
    allowed = {bid for bid in grid if oracle.legal(bid.quantity, bid.face, bid.zhai)}
    assert {bid for bid in grid if check(BidCall(game.round.turn, bid), game) is None} == allowed
    listed = {bid for bid in legal_bids(game) if bid.quantity <= most + 2}
    assert listed <= allowed
    assert {bid for bid in allowed if bid.quantity <= most} <= listed


def heard(oracle: Oracle, call: Call) -> None:
    match call:
        case BidCall(_, bid, pushed):
            oracle.bid((bid.quantity, bid.face, bid.zhai), pushed)
        case Pass():
            oracle.bid(None)
        case ChooseDirection(_, way):
            oracle.turned(way == "clockwise")
        case ChooseVisibility(_, view):
            oracle.view = view
        case DeclarePalifico():
            oracle.declared()


def judged(game: Game, oracle: Oracle, call: Call, random: Random) -> Game:
    """The verdict of both on the same dice, read whole from hands."""
    shown = thrown(game, random)
    hands = {NAMES.index(name): faces for name, faces in shown.hands}
    game = apply(game, Revealed(shown))
    word = WORDS[type(call)]
    if word != "dudo_pass":
        assert game.verdict is not None
        assert game.verdict.count_lo == oracle.count(hands)
    oracle.challenge(word, NAMES.index(call.by), hands)
    return game


def same(game: Game, oracle: Oracle) -> None:
    """After a verdict: what everybody has, who won, and how the next round begins."""
    players = game.players
    assert [p.dice for p in players] == oracle.dice
    assert game.ruleset.keeps_tally or [p.lives for p in players] == oracle.lives
    assert [p.marks for p in players] == oracle.marks
    assert [p.out for p in players] == oracle.gone
    assert game.winner == (None if oracle.winner is None else NAMES[oracle.winner])


def play(rules: Ruleset, players: int, random: Random) -> int:
    """One game to its end, checked at every step; how many steps it took.

    The oracle knows the rules as they are printed, so what is printed has to say all that is played.
    """
    fewer = handicaps(rules, players, random)
    game = new_game(rules, NAMES[:players], NAMES[0], tuple(zip(NAMES, fewer, strict=False)))
    oracle = Oracle(as_printed(rules, random).to_json(), players, fewer=fewer)
    for n in range(STEPS):
        if game.phase is Phase.OVER:
            assert game.pot == oracle.pot
            return n
        call = said(game, oracle, random)
        game = apply(game, Called(call))
        if game.phase is Phase.REVEAL:
            game = judged(game, oracle, call, random)
            same(game, oracle)
            if game.phase is Phase.VERDICT:
                game = apply(game, NextRound())
                assert [p.palifico_used for p in game.players] == oracle.used
                assert game.round.kind.value == oracle.kind
                assert game.round.starter == NAMES[oracle.starter]
        else:
            heard(oracle, call)
        if game.phase is Phase.BIDDING:
            assert (game.round.turn, game.wild) == (NAMES[oracle.turn], oracle.joker or 0)
    assert oracle.level, f"the game does not end: {rules}"
    return STEPS


@pytest.mark.thorough
@pytest.mark.parametrize("shard", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, SHARDS))])
def test_random_rules_play_as_the_oracle_says(shard):
    for number in range(GAMES // SHARDS):
        random = Random(f"{shard}/{number}")
        play(mixed(random), random.randint(2, 12), random)


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_plays_as_the_oracle_says(name):
    for number in range(GAMES_OF_A_PRESET):
        random = Random(f"{name}/{number}")
        play(PRESETS[name], random.randint(2, PRESETS[name].most_players), random)


AT_THE_TABLE = {
    *("most_players", "order", "roll_off_dice", "straight_rerolls", "reveal_order"),
    *("turn_seconds", "turn_over", "undo", "handicap"),
}
"""Switches that speak of the set-up, the clock and the table, which other tests try."""


def test_the_oracle_knows_every_switch():
    files = (Path(__file__).with_name(f"{name}.py") for name in ("rule_oracle", "raising_oracle"))
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    assert {name for name in switches() if f'["{name}"]' not in source} == AT_THE_TABLE
