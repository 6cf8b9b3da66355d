"""Any sequence of coming, going and new names: nobody has more by it than before, under any rules."""

from __future__ import annotations

from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.app.table_parts import TurnClock
from companion.errors import CompanionError
from companion.reveal.corrections import ByHand
from companion.rules.calls import DeclarePalifico
from companion.rules.explain import explain
from companion.rules.legality import choice_is_due
from companion.rules.players import Player
from companion.rules.position import Game, Phase
from companion.rules.ruleset import Ruleset
from companion.statistics.exporting import csv_rows, json_text
from companion.statistics.record import game_record
from companion.statistics.scores import scores
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Table
from companion.table.view import rounds_view, view
from companion.texts import languages
from tests.clocks import FakeClock
from tests.companion.at_table import fair
from tests.companion.playing import CHALLENGES, rulesets
from tests.perft import legal_calls

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Beto", "Carla", "Dino", "Elsa", "Fito")
SPELLINGS = (str, str.upper, str.lower, lambda name: f" {name}\u3164")


@dataclass(frozen=True, slots=True)
class Worth:
    """What a player has, so that more is never worse: dice or lives count against where the right lose,
    and dice where they are gained."""

    dice: int
    lives: int
    marks: int
    special: bool

    def exceeds(self, most: Worth) -> bool:
        mine, theirs = (self.dice, self.lives, self.marks), (most.dice, most.lives, most.marks)
        return any(a > b for a, b in zip(mine, theirs, strict=True)) or self.special > most.special


def worth(rules: Ruleset, player: Player) -> Worth:
    sign = -1 if rules.loser == "winner" else 1
    of_dice = -sign if rules.gains_dice else sign
    return Worth(of_dice * player.dice, sign * player.lives, -sign * player.marks, not player.palifico_used)


class SeatMachine(RuleBasedStateMachine):
    """One table at which people come, go and change their names while others play."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.journal = Journal(Path(self.folder.name) / "games")
        self.table = Table(self.journal, roll=fair())
        self.time = FakeClock(0.0)
        self.clock = TurnClock(self.time.now_s)
        self.most: dict[str, Worth] = {}

    def teardown(self) -> None:
        """Whatever was played by any rules is taken up again as it stood, and counted and exported."""
        with self.folder, closing(self.journal):
            if self.table.snapshot().state.game:
                self._is_kept()

    def _is_kept(self) -> None:
        now = self.table.snapshot()
        assert now.game_id
        assert Table(self.journal).snapshot().state == now.state
        record = game_record(now.game_id, "", self.journal.records(now.game_id))
        assert record.winner == self.game.winner
        assert scores(record).keys() == {player.name for player in self.game.players}
        assert json_text(record)
        assert csv_rows(record).count("\n") == len(record.rounds)

    @property
    def game(self) -> Game:
        game = self.table.snapshot().state.game
        assert game
        return game

    @initialize(rules=rulesets(), seats=st.integers(2, 4), cups=st.booleans())
    def begin(self, rules: Ruleset, seats: int, cups: bool) -> None:
        names = NAMES[: min(seats, rules.most_players)]
        fewer = ((names[0], 1),) if rules.handicap and rules.starting_dice > max(2, rules.out_below) else ()
        with suppress(CompanionError):
            people = tuple((name, "") for name in names)
            self.table.do(cmd.NewGame(rules, people, names[0], names if cups else (), handicaps=fewer))
        if self.table.snapshot().state.game is None:
            self.table.do(cmd.NewGame(Ruleset(), people, names[0]))
        self._note()

    @rule(random=st.randoms(use_true_random=False), steps=st.integers(1, 2))
    def play(self, random: Random, steps: int) -> None:
        """The game goes on: whatever a verdict gives or takes is lawful."""
        for _ in range(steps):
            self._go_on(random)

    @rule(random=st.randoms(use_true_random=False))
    def play_rounds(self, random: Random) -> None:
        for _ in range(12):
            self._go_on(random)

    @rule(random=st.randoms(use_true_random=False))
    def come_back(self, random: Random) -> None:
        gone = [player.name for player in self.game.players if player.left]
        if gone:
            self._seat_command(cmd.Join(random.choice(gone)))

    @rule(name=st.sampled_from(NAMES), spelt=st.sampled_from(SPELLINGS))
    def come(self, name: str, spelt: object) -> None:
        assert callable(spelt)
        self._seat_command(cmd.Join(spelt(name).strip()))

    @rule(name=st.sampled_from(NAMES))
    def go_home(self, name: str) -> None:
        self._seat_command(cmd.Leave(name))

    @rule(name=st.sampled_from(NAMES), to=st.sampled_from(NAMES), spelt=st.sampled_from(SPELLINGS))
    def rename(self, name: str, to: str, spelt: object) -> None:
        assert callable(spelt)
        new = spelt(to).strip()
        if self._seat_command(cmd.Rename(name, new)) and name in self.most:
            self.most[new] = self.most.pop(name)

    @rule(name=st.sampled_from(NAMES), count=st.integers(0, 6))
    def hand_back(self, name: str, count: int) -> None:
        self._corrected(cmd.HandBack(name, count))

    @rule()
    def undo(self) -> None:
        self._corrected(cmd.Undo())

    @rule(back=st.integers(0, 2), count=st.integers(0, 6), keep_dice=st.booleans())
    def correct_an_earlier_round(self, back: int, count: int, keep_dice: bool) -> None:
        self._corrected(cmd.CorrectRound(self.game.round.number - back, count, keep_dice=keep_dice))

    def _corrected(self, command: cmd.Command) -> None:
        """What is put right is lawful; everybody has what he then has."""
        with suppress(CompanionError):
            self.table.do(command)
            self.most = {p.name: worth(self.game.ruleset, p) for p in self.game.players}

    @invariant()
    def everything_can_be_shown(self) -> None:
        snapshot = self.table.snapshot()
        assert view(snapshot)
        if snapshot.state.game is None:
            return
        assert rounds_view(snapshot)
        for played in snapshot.state.played[-1:]:
            explained = [explain(played.verdict, language, played.by_clock) for language in languages()]
            assert all(sentence and "{" not in sentence for sentence in explained)

    @invariant()
    def dice_in_phones_are_those_of_their_players(self) -> None:
        """Each throw is kept once."""
        now = self.table.snapshot()
        assert len(set(now.ledger.thrown)) == len(now.ledger.thrown)
        if now.state.game is not None and self.game.phase is Phase.BIDDING:
            due = ((player.name, player.dice) for player in self.game.inside if player.name in now.state.cups)
            assert sorted((name, len(faces)) for name, faces in now.state.rolled) == sorted(due)

    @invariant()
    def nobody_has_more_than_by_the_verdicts(self) -> None:
        if self.table.snapshot().state.game is None:
            return
        for player in self.game.players:
            if player.name in self.most and not player.out:
                assert not worth(self.game.ruleset, player).exceeds(self.most[player.name]), player

    def _seat_command(self, command: cmd.Command) -> bool:
        """Whether it was carried out; nobody on turn has more time after it."""
        self.clock.follow(self.table.snapshot())
        before, turn = self.clock.left_s(), self.game.round
        try:
            self.table.do(command)
        except CompanionError:
            return False
        self.clock.follow(self.table.snapshot())
        after, now = self.clock.left_s(), self.game.round
        if turn.turn == now.turn or isinstance(command, cmd.Rename):
            assert before is None or after is None or after <= before
        return True

    def _go_on(self, random: Random) -> None:
        with suppress(CompanionError):
            played = self.game.inside
            self._act(random)
            self._note(played, judged=self.game.phase in (Phase.VERDICT, Phase.OVER))

    def _act(self, random: Random) -> None:
        self.time.advance(1.0)
        game = self.game
        if game.phase is Phase.REVEAL:
            self.table.do(cmd.Correct(ByHand(random.randint(0, game.round.dice))))
        elif game.phase is Phase.VERDICT:
            self.table.do(cmd.NextRound())
        elif game.phase is Phase.BIDDING:
            calls = [call for call in legal_calls(game) if not isinstance(call, DeclarePalifico)]
            doubts = random.random() < 0.6
            calls = [call for call in calls if isinstance(call, CHALLENGES) is doubts] or calls
            due = [call for call in calls if choice_is_due(game) and call.by == game.round.starter]
            self.table.do(cmd.Say(random.choice(due or calls)))

    def _note(self, played: tuple[Player, ...] = (), *, judged: bool = False) -> None:
        """What everybody has now: after a verdict whatever it is, else only of who was not there before.

        A newcomer has no more than any of those who `played` before him; who comes back beside him may have
        less.
        """
        rules = self.game.ruleset
        for player in self.game.players:
            has = worth(rules, player)
            if player.name not in self.most:
                most = [worth(rules, other) for other in played]
                assert not any(replace(has, special=False).exceeds(other) for other in most), "a newcomer"
            if judged or player.name not in self.most:
                self.most[player.name] = has


TestSeatMachine = SeatMachine.TestCase
TestSeatMachine.settings = settings(
    max_examples=60, stateful_step_count=40, suppress_health_check=list(HealthCheck), deadline=None
)
