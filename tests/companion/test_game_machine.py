"""Games by chance under any rules: what must hold at every step, whatever is said and rolled."""

import json
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import CompanionError
from companion.rules.calls import BidCall, Call
from companion.rules.events import Called, Event, HandedBack, Joined, Left, Revealed, Started
from companion.rules.game import apply
from companion.rules.legality import check
from companion.rules.players import Player, RoundKind, one_side, playing
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC
from companion.rules.records import written
from companion.table.table_events import from_json
from companion.texts import knows
from tests.companion.playing import NAMES, anything, chosen, comings, fold, handicaps, rulesets, seats
from tests.perft import legal_calls

pytestmark = pytest.mark.slow


class GameMachine(RuleBasedStateMachine):
    """One game; `events` are its journal and `games` every value it has had."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.games: list[Game] = []

    @property
    def game(self) -> Game:
        return self.games[-1]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        rules = data.draw(rulesets())
        names = data.draw(seats(rules))
        fewer = handicaps(rules, len(names), data.draw(st.randoms(use_true_random=False)))
        starter = data.draw(st.sampled_from((*names, None)))
        people = tuple((name, "") for name in names)
        self.start(Started(rules, people, starter, tuple(zip(names, fewer, strict=False))))

    def start(self, started: Started) -> None:
        self.events, self.games = [started], [fold([started])]

    @rule(random=st.randoms(use_true_random=False))
    def go_on(self, random: Random) -> None:
        if self.game.phase is not Phase.OVER:
            self._happen(chosen(self.game, random))

    @rule(random=st.randoms(use_true_random=False))
    def challenge(self, random: Random) -> None:
        if self.game.phase is not Phase.OVER:
            self._happen(chosen(self.game, random, challenge=1.0))

    @rule(call=anything())
    def say_anything(self, call: Call) -> None:
        reason = check(call, self.game)
        if reason is None:
            self._happen(Called(call))
        else:
            assert knows(f"errors.{reason}")
            with pytest.raises(CompanionError, match=r"\S"):
                apply(self.game, Called(call))

    @rule(event=comings())
    def come_or_go(self, event: Event) -> None:
        reason = _refusal(self.game, event)
        if reason is None:
            self._happen(event)
        else:
            assert knows(f"errors.{reason}")

    @precondition(lambda self: len(self.events) > 1)
    @rule(steps=st.integers(1, 4))
    def undo(self, steps: int) -> None:
        """Folding a shorter journal gives back the very value the game had."""
        keep = max(1, len(self.events) - steps)
        self.events, self.games = self.events[:keep], self.games[:keep]
        assert fold(self.events) == self.game

    def _happen(self, event: Event) -> None:
        before = self.game
        self.events.append(event)
        self.games.append(apply(before, event))
        if isinstance(event, Joined | Left | HandedBack):
            _check_seats(before, self.game, event)
        else:
            _check_dice(before, self.game)

    @invariant()
    def somebody_can_act(self) -> None:
        if self.games and self.game.phase is Phase.BIDDING:
            assert any(call.by == self.game.round.turn for call in legal_calls(self.game))
            assert len(playing(self.game.players)) >= 2

    @invariant()
    def the_wild_face_is_the_printed_one(self) -> None:
        """Whoever passed or went (row C3)."""
        if self.games:
            rules, now = self.game.ruleset, self.game.round
            named = [said.bid.face == rules.wild_face for said in now.bids if isinstance(said, BidCall)]
            lost = {"always": [], "none": [True], "until_aces_bid": named, "until_aces_open": named[:1]}
            plain = now.kind is not RoundKind.NORMAL or any(lost[rules.wild])
            assert self.game.wild == (0 if plain else rules.wild_face)

    @invariant()
    def over_means_won(self) -> None:
        """By the verdict just given, or because all others have gone."""
        if self.games and isinstance(self.events[-1], Revealed):
            assert self.game.winner == _won(self.game)
            assert (self.game.phase is Phase.OVER) == (self.game.winner is not None)
        elif self.games and self.game.phase is Phase.OVER and self.game.verdict is None:
            left = playing(self.game.players)
            assert one_side(left)
            assert self.game.winner == left[0].name

    def teardown(self) -> None:
        """The journal, written and read back, tells the same game."""
        lines = [json.dumps(written(event)) for event in self.events]
        read = [from_json(json.loads(line)) for line in lines]
        assert read == self.events
        if self.events:
            assert fold(read) == self.game


def _won(game: Game) -> str | None:
    """Who has won by the verdict just given, as the rules are printed (rows D9, E1, E3, M1)."""
    rules, sides = game.ruleset, dict[str | int, list[Player]]()
    for player in playing(game.players):
        sides.setdefault(player.team or player.name, []).append(player)
    if rules.penalty == "tally":
        means = {side: Fraction(sum(p.marks for p in own), len(own)) for side, own in sides.items()}
        best = max(means.values()) if rules.loser == "winner" else min(means.values())
        ahead = [own[0].name for side, own in sides.items() if means[side] == best]
        ended = any(player.marks >= rules.tally_to for player in playing(game.players))
        return ahead[0] if ended and len(ahead) == 1 else None
    if rules.loser == "winner":
        assert game.verdict is not None
        return next(iter(game.verdict.eliminated), None)
    (first, *_), *others = sides.values()
    return None if others else first.name


def _check_dice(before: Game, after: Game) -> None:
    """Dice and lives change by a verdict only, by what it says, and stay within what the game began with."""
    rules, verdict = after.ruleset, after.verdict if before.phase is Phase.REVEAL else None
    changes = dict(verdict.dice_change) if verdict else {}
    came = {one.name for one in before.waiting} - {one.name for one in after.waiting}
    stayed = [player for player in after.players if player.name not in came]
    assert {player.name for player in stayed} == {p.name for p in before.players} - came
    for old, new in ((before.player(player.name), player) for player in stayed):
        assert new.dice - old.dice == changes.get(new.name, 0)
        assert 0 <= new.dice <= rules.starting_dice - new.handicap
        assert 0 <= new.lives <= (rules.lives or 0)
        assert new.out or not old.out
    if rules.penalty == "one" or rules.lives is not None:
        most = 2 if rules.calza_exact == "regain_two" else 1
        assert all(-1 <= change <= most for change in changes.values())
        assert rules.lives is None or not changes


def _refusal(game: Game, event: Event) -> str | None:
    try:
        apply(game, event)
    except CompanionError as error:
        return error.reason
    return None


def _check_seats(before: Game, after: Game, event: Event) -> None:
    """Who comes or goes changes nobody else, and the dice in play are those of who is in."""
    about = event.player  # type: ignore[union-attr]
    old, new = ([p for p in game.players if p.name != about] for game in (before, after))
    assert old == new
    counted = after.ruleset.lives is None and not after.ruleset.keeps_tally and not after.ruleset.gains_dice
    if isinstance(event, HandedBack) and counted:
        player = after.player(about)
        assert player.dice >= min(after.ruleset.out_below, after.ruleset.starting_dice - player.handicap)
    if after.phase is Phase.BIDDING:
        assert after.round.dice == sum(p.dice for p in playing(after.players))
        assert not after.player(after.round.turn).out
        assert not after.player(after.round.starter).out
        assert all(not after.player(said.by).out for said in after.round.bids)


TestGameMachine = GameMachine.TestCase
TestGameMachine.settings = settings(
    max_examples=120, stateful_step_count=40, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("penalty", ["one", "difference", "all", "tally"])
def test_each_way_to_win_is_the_printed_one(penalty):
    """Who loses, beside teams, lives and two seats or more: played whatever is drawn at random."""
    ways = product(("loser", "winner"), ("off", "share_win", "share_loss"), (None, 2), (2, 3, 4, 5))
    for loser, teams, lives, players in ways:
        house = {"penalty": penalty, "tally_to": 2, "loser": loser, "teams": teams, "lives": lives}
        named, random = tuple((name, "") for name in NAMES[:players]), Random(players)
        machine = GameMachine()
        machine.start(Started(CLASSIC.with_house({"starting_dice": 2, **house}), named, NAMES[0]))
        while machine.game.phase is not Phase.OVER:
            machine.challenge(random)
            machine.over_means_won()
        assert machine.game.winner in NAMES[:players]
        machine.teardown()
