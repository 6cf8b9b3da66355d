"""Whole games by random rules over all switches against an oracle written apart from the engine."""

from random import Random
from typing import Any

import pytest

from companion.bots.deciding import decide_on_turn
from companion.bots.seat import Level
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
from companion.rules.events import Called, NextRound, Revealed, Started
from companion.rules.game import Game, Phase, apply, new_game
from companion.rules.judge import Reveal
from companion.rules.legality import check
from companion.rules.players import playing
from companion.rules.presets import PRESETS
from companion.rules.records import written
from companion.rules.ruleset import Ruleset, bounds, choices, faults, switches
from companion.table.table_events import from_json
from tests.companion.playing import CHALLENGES, NAMES
from tests.companion.rule_oracle import Oracle
from tests.effort import draws
from tests.perft import legal_calls, perft

GAMES, SHARDS = draws(360, 6000), 6
GAMES_OF_A_PRESET = draws(6, 40)
STEPS = 4000
CHECKED = 0.3
"""Share of the steps at which every pair of a number and a face is tried."""

#: Numbers whose whole range would make games long and all alike.
SMALL = {
    "starting_dice": (1, 6),
    "most_players": (12, 12),
    "lives": (1, 3),
    "ante": (0, 9),
    "tally_to": (1, 4),
}
WORDS = {Dudo: "dudo", Calza: "calza", Pass: "pass", DudoPass: "dudo_pass"}


def mixed(random: Random) -> Ruleset:
    """Any mix of all switches that can be played."""
    while True:
        rules = Ruleset(**{name: _value(name, random) for name in switches()})
        if not faults(rules):
            return rules


def _value(name: str, random: Random) -> Any:
    if choices(name):
        return random.choice(choices(name))
    between = bounds(name)
    assert between is not None
    number = random.randint(*SMALL.get(name, (between.least, between.most)))
    return None if name == "lives" and random.random() < 0.6 else number


def thrown(game: Game, random: Random) -> dict[int, tuple[int, ...]]:
    """Everybody's dice: those in the open, and others by chance."""
    out = {p.name: game.round.pushed_by(p.name) for p in game.players}
    return {
        seat: (*out[p.name], *random.choices(range(1, 7), k=p.dice - len(out[p.name])))
        for seat, p in enumerate(game.players)
        if not p.out
    }


def said(game: Game, oracle: Oracle, random: Random) -> Call:
    """What the engine offers is what the oracle allows; one of it, challenges often."""
    seat = {name: n for n, name in enumerate(NAMES)}
    calls = [call for call in legal_calls(game) if not isinstance(call, ChooseVisibility)]
    turn = game.round.turn
    if random.random() < CHECKED:
        _same_bids(game, oracle)
    for player in playing(game.players):
        for kind, word in WORDS.items():
            offered = check(kind(player.name), game) is None
            assert offered == oracle.may(word, seat[player.name]), (word, player.name)
        assert (check(DeclarePalifico(player.name), game) is None) == oracle.may(
            "palifico", seat[player.name]
        )
        way = ChooseDirection(player.name, "clockwise")
        assert (check(way, game) is None) == oracle.may("turn", seat[player.name])
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


def _same_bids(game: Game, oracle: Oracle) -> None:
    """Both allow the same bids, and what the engine lists is allowed by both."""
    grid = [Bid(q, f, z) for q in range(game.round.dice + 3) for f in range(8) for z in (False, True)]
    allowed = {bid for bid in grid if oracle.legal(bid.quantity, bid.face, bid.zhai)}
    assert {bid for bid in grid if check(BidCall(game.round.turn, bid), game) is None} == allowed
    listed = {bid for bid in legal_bids(game) if bid.quantity <= game.round.dice + 2}
    assert listed <= allowed
    assert {bid for bid in allowed if bid.quantity <= game.round.dice} <= listed


def heard(oracle: Oracle, call: Call) -> None:
    match call:
        case BidCall(_, bid, pushed):
            oracle.bid((bid.quantity, bid.face, bid.zhai), pushed)
        case Pass():
            oracle.bid(None)
        case ChooseDirection(_, way):
            oracle.turned(way == "clockwise")
        case DeclarePalifico():
            oracle.declared()


def judged(game: Game, oracle: Oracle, call: Call, random: Random) -> Game:
    """The verdict of both on the same dice, read whole from hands."""
    hands = thrown(game, random)
    shown = Reveal(tuple((game.players[seat].name, faces) for seat, faces in hands.items()))
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
    assert [p.lives for p in players] == oracle.lives
    assert [p.marks for p in players] == oracle.marks
    assert [p.out for p in players] == oracle.gone
    assert game.winner == (None if oracle.winner is None else NAMES[oracle.winner])


def _handicaps(rules: Ruleset, players: int, random: Random) -> tuple[int, ...]:
    """How many dice fewer each begins with, where that is played."""
    if not rules.handicap:
        return ()
    most = rules.starting_dice - (rules.out_below if rules.lives is None else 1)
    return tuple(random.randint(0, max(0, most)) for _ in range(players))


def play(rules: Ruleset, players: int, random: Random) -> int:
    """One game to its end, checked at every step; how many steps it took."""
    fewer = _handicaps(rules, players, random)
    game = new_game(rules, NAMES[:players], NAMES[0], tuple(zip(NAMES, fewer, strict=False)))
    oracle = Oracle(rules.to_json(), players, fewer=fewer)
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
    fewest, next_fewest, *_ = sorted(player.marks for player in game.inside)
    level = rules.keeps_tally and fewest == next_fewest  # a tally goes on while the best of it are level
    assert level, f"the game does not end: {rules}"
    return STEPS


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("shard", range(SHARDS))
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


def counted(oracle: Oracle, depth: int, most: int) -> int:
    """Sequences of bids by the oracle, which looks at every pair there is."""
    every = [(q, f, z) for q in range(1, most + 1) for f in range(1, 7) for z in (False, True)]
    pairs = [pair for pair in every if oracle.legal(*pair)]
    if depth == 1:
        return len(pairs)
    total = 0
    for pair in pairs:
        turn = oracle.turn
        oracle.bid(pair)
        total += counted(oracle, depth - 1, most)
        oracle.said.pop()
        oracle.turn = turn
    return total


@pytest.mark.parametrize("seed", range(40))
def test_sequences_of_bids_are_as_many_as_the_oracle_counts(seed):
    random = Random(f"perft/{seed}")
    rules = mixed(random).with_house({"starting_dice": 2, "max_quantity": "dice_in_play"})
    oracle = Oracle(rules.to_json(), 2)
    assert perft(new_game(rules, NAMES[:2], NAMES[0]), 3) == counted(oracle, 3, 4)


@pytest.mark.parametrize("seed", range(30))
def test_bots_are_legal_by_any_rules_and_reach_an_end(seed):
    random = Random(f"bots/{seed}")
    rules = mixed(random)
    game = new_game(rules, NAMES[: random.randint(2, 6)], NAMES[0])
    for _ in range(STEPS):
        if game.phase is Phase.OVER:
            return
        hands = {game.players[seat].name: faces for seat, faces in thrown(game, random).items()}
        if game.phase is Phase.BIDDING:
            game = apply(game, Called(decide_on_turn(game, hands, Level.EASY, random)))
        elif game.phase is Phase.REVEAL:
            game = apply(game, Revealed(Reveal(tuple(hands.items()))))
        else:
            game = apply(game, NextRound())
    pytest.fail(f"the game does not end: {rules}")


def test_a_game_kept_before_the_new_switches_reads_with_their_defaults():
    """The journal of an earlier version names the switches of its day, no others."""
    known = (
        *("version", "name", "most_players", "starting_dice", "order", "opening_aces", "raise_rule"),
        *("aces_convert", "max_quantity", "penalty", "reveal_order", "calza", "calza_limit"),
        *("calza_exact", "calza_palifico", "passing", "palifico", "palifico_two_players"),
        *("palifico_unlock", "palifico_opening_aces", "palifico_view", "lives", "ante"),
    )
    for rules in (PRESETS[name] for name in ("modern", "classic", "perudo", "lives", "app")):
        started = written(Started(rules, (("Ana", ""), ("Beto", "")), "Ana"))
        started["ruleset"] = {key: rules.to_json()[key] for key in known}
        event = from_json(started)
        assert isinstance(event, Started)
        assert event.ruleset == rules
