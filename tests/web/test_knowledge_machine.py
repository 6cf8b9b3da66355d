"""Random evenings of a host, players and strangers at phones that roll dice: nobody learns a die too early.

Asked after every step: whatever one phone can read stays the same, letter by letter, when all dice that it
may not know are others, so that no answer, page, sheet, picture or export depends on them. A throw stays as
it fell, and what was seen of it is never hidden again: the round is thrown anew. Nobody's role has grown
without the gesture at the box or somebody who confirms it.

Who may know what is worked out in `tests.web.knowing`; the module under test is not asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from hypothesis.stateful import invariant

from companion.statistics.archive import Archive
from tests.effort import draws
from tests.web.at_phones import PHONES, AtPhones
from tests.web.knowing import (
    ALL,
    GAMES,
    GLANCE,
    VERSIONS,
    OtherDice,
    public,
    read,
    seen,
    under,
)
from tests.web.party import under_the_cup

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


class Peeking(AtPhones):
    """Every phone reads what it can after every step that changed anything."""

    asked: tuple[object, ...] = ()

    def _may_know(self, phone: str) -> tuple[str, ...]:
        """Whose dice in phones that phone may know, from what everybody sees of the table."""
        game, reveal = self.state["game"], self.state["reveal"]
        thrown = tuple(dict(self.boxed.table.snapshot().state.rolled))
        shown = set(thrown) if game["phase"] == "rolloff" else public(reveal, thrown)
        seat = self.sits[phone]
        if seat and self.holds.get((game["id"], game["round"]["number"], seat)) == phone:
            shown |= under(game, seat)
        return tuple(name for name in thrown if name in shown)

    @invariant()
    def a_throw_stays_as_it_fell_and_what_was_seen_of_it_is_not_hidden(self) -> None:
        game = self.state.get("game")
        if not game or game["phase"] not in ("bidding", "reveal"):
            return
        now = game["round"]
        throw = (game["id"], now["number"], now["kind"], now["throws"])
        for name, faces in self.boxed.table.snapshot().state.rolled:
            fell = self.fell.setdefault((*throw, name), faces)
            assert fell[: len(faces)] == faces[: len(fell)], "the same round, other dice"
        known = seen(game, self.state["reveal"], dict(self.boxed.table.snapshot().state.rolled))
        assert self._still(self.learnt.get(throw, set())) <= known, "dice that were seen are played on with"
        self.learnt.setdefault(throw, set()).update(known)

    def _still(self, learnt: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """What was seen, by those who have not gone home, of dice that have not gone along."""
        inside = {"", *(player["name"] for player in self.state["game"]["players"] if not player["out"])}
        thrown = dict(self.boxed.table.snapshot().state.rolled)
        return {(reader, cup) for reader, cup in learnt if reader in inside and cup in thrown}

    @invariant()
    def nobody_reads_a_die_too_early(self) -> None:
        game, now = self.state.get("game"), self._now()
        if not game or now == self.asked:
            return
        self.asked = now
        rolled = dict(self.boxed.table.snapshot().state.rolled)
        thorough = PHONES[self.boxed.table.snapshot().version % len(PHONES)]
        for name, phone in self.phones.items():
            known = self._may_know(name)
            if not self.state["reveal"] and game["phase"] == "bidding":
                self._reads_its_own(name, {cup: rolled[cup] for cup in known})
            hidden = tuple(cup for cup in rolled if cup not in known)
            if hidden:
                games = tuple(path.format(game["id"]) for path in GAMES)
                paths = (*GLANCE, *ALL, *games) if name == thorough else GLANCE
                self._blind_to(phone, hidden, paths)

    def _now(self) -> tuple[object, ...]:
        """All that a page is made of: a step that was refused, or did nothing, has left it as it was."""
        cookies = [phone.get_cookie("phone") for phone in self.phones.values()]
        page, now_s = self.party.page, self.party.now_s
        return page, now_s, self.boxed.snapshot().version, self.phone_states.copy(), cookies

    def _reads_its_own(self, name: str, dice: Mapping[str, Sequence[int]]) -> None:
        """Every die that a phone may know is shown to it, and none besides."""
        found = under_the_cup(self.phones[name])
        if not dice:
            assert found == "no_cup", name
            return
        own = {"": dice[str(self.sits[name])]} if list(dice) == [self.sits[name]] else dice
        assert found == own, name

    def _blind_to(self, phone: FlaskClient, hidden: Sequence[str], paths: Sequence[str]) -> None:
        shown = {path: read(phone, path) for path in paths}
        with self._other_dice(hidden):
            for path in paths:
                assert read(phone, path) == shown[path], path

    @contextmanager
    def _other_dice(self, hidden: Sequence[str]) -> Iterator[None]:
        """The table as it would be had the hidden dice fallen otherwise."""
        table, archive = self.boxed.table, self.boxed.archive
        real = table._now
        rolled = tuple(
            (name, tuple(7 - face for face in faces) if name in hidden else faces)
            for name, faces in real.state.rolled
        )
        table._now = replace(real, state=replace(real.state, rolled=rolled), version=next(VERSIONS))
        self.boxed.archive = Archive(OtherDice(self.boxed.journal))  # type: ignore[arg-type]
        try:
            yield
        finally:
            table._now, self.boxed.archive = real, archive
            self.boxed._shown = None  # an earlier version takes its place


class PlayingOn(Peeking):
    """The same evenings, longer: roles and throws are checked, pages are not read."""

    def nobody_reads_a_die_too_early(self) -> None:
        pass


class ComingAndGoing(PlayingOn):
    """Evenings at which little is played, so that claims, codes, cookies and restarts come in every order."""

    say = play = doubt = regret = choose = correct = tell_a_hand = None
    come_or_go = go_home = hand_back = rename = None


TestPeeking, TestPlayingOn = Peeking.TestCase, PlayingOn.TestCase
TestComingAndGoing = ComingAndGoing.TestCase
TestPeeking.settings = settings(
    max_examples=draws(3, 6), stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
TestPlayingOn.settings = settings(TestPeeking.settings, max_examples=draws(10, 20), stateful_step_count=40)
TestComingAndGoing.settings = settings(TestPlayingOn.settings, max_examples=draws(25, 60))
