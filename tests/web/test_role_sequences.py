"""Nobody's role grows but by what gives it: phones, presses, codes, cookies and restarts in any order."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from companion.table.folder import AccessRecord
from tests.effort import draws
from tests.unkept import Unkept
from tests.web.party import NAMES, phone_of, phone_state, send, way_in
from tests.web.tables import BoxedTable, deps_for
from tests.web.test_roles import ask, set_up
from web.app import create_app
from web.sessions.claims import CLAIM_S, PAUSE_S

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

Standing = dict[tuple[int, str], bool]
PHONES = st.integers(0, 4)
LOSSES = ({"withdraw": True}, {"lead": False}, {"seat": None}, {"anew": True})


class Roles(RuleBasedStateMachine):
    """Phones do what they like at random, and presses of play come in between.

    After every step no phone may be more than before, except by what that step is allowed to give.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.table = BoxedTable(Path(self.folder.name))
        self.access, self.now_s = AccessRecord(Unkept()), 5000.0
        self.phones: list[FlaskClient] = []
        self.cookies: dict[int, list[str]] = {}
        self.allowed: set[tuple[int, str]] = set()

    @initialize()
    def begin(self) -> None:
        self._start()
        self.phones = [phone_of(self.page) for _ in range(5)]
        for phone in self.phones:
            phone_state(phone)
        self.before = self._standing()

    def teardown(self) -> None:
        self.table.journal.close()
        self.folder.cleanup()

    def _start(self) -> None:
        deps = deps_for(self.table, now_s=lambda: self.now_s, access=self.access, secret="s" * 32)
        self.page = create_app(deps)

    def _standing(self) -> Standing:
        """What every phone is: let in, leading, and at which seat."""
        states = [phone_state(phone) for phone in self.phones]
        return {
            (number, what): bool(phone[what])
            for number, phone in enumerate(states)
            for what in ("let_in", "leads", "seat")
        }

    @invariant()
    def nobody_has_grown(self) -> None:
        if not self.phones:
            return
        now = self._standing()
        grown = {key for key, is_so in now.items() if is_so and not self.before[key]}
        assert grown <= self.allowed, (grown, self.allowed)
        assert sum(now[number, "leads"] for number in range(5)) <= 1
        self.before, self.allowed = now, set()

    def _is(self, number: int, what: str) -> bool:
        return self.before[number, what]

    @property
    def _led(self) -> bool:
        return any(self._is(number, "leads") for number in range(5))

    @property
    def _playing(self) -> bool:
        game = self.table.snapshot().data["game"]
        return bool(game) and game["phase"] != "over"  # one that was stopped has no winner

    def _vacant(self) -> bool:
        return not self._led and not self._playing

    def _claimed(self) -> tuple[int, bool] | None:
        """Whose claim is open, and whether it is about the lead."""
        for number, phone in enumerate(self.phones):
            claim = phone_state(phone)["claim"]
            if claim and claim["mine"]:
                return number, bool(claim["lead"])
        return None

    def _grant_claim(self) -> None:
        if claimed := self._claimed():
            number, lead = claimed
            self.allowed = {(number, "let_in"), *([(number, "leads")] if lead else [])}

    def _play_on(self, number: int) -> None:
        """A free table is led by whoever does something; a new game finds phones in the seats of before."""
        lead = {(number, "leads")} if self._vacant() else set()
        sat = {(n, "seat") for n in range(5) if self._is(n, "let_in") or self._is(n, "leads")}
        self.allowed = lead | sat

    @rule(number=PHONES)
    def set_up(self, number: int) -> None:
        self._play_on(number)
        set_up(self.phones[number])

    @rule(number=PHONES, button=st.sampled_from(("dudo", "calza", "ok")), held=st.booleans())
    def press_in_play(self, number: int, button: str, held: bool) -> None:
        if self._vacant():
            self.allowed = {(number, "leads")}  # it may do everything, and then leads
        self.phones[number].post("/api/v1/box/press", json={"button": button, "held": held})

    @rule(number=PHONES, kind=st.sampled_from(("undo", "abandon", "put_away", "next_round", "play_again")))
    def say(self, number: int, kind: str) -> None:
        self._play_on(number)
        send(self.phones[number], type=kind)

    @rule(number=PHONES)
    def ask_to_lead(self, number: int) -> None:
        if self._vacant() or (not self._led and self._is(number, "let_in")):
            self.allowed = {(number, "leads")}
        ask(self.phones[number], lead=True)

    @rule(number=PHONES)
    def ask_to_join(self, number: int) -> None:
        ask(self.phones[number], join=True)

    @rule()
    def hold_two_buttons(self) -> None:
        self._grant_claim()
        self.table.hold_two()

    @rule(number=PHONES, number_said=st.integers(0, 99), right=st.booleans())
    def confirm(self, number: int, number_said: int, right: bool) -> None:
        claim = phone_state(self.phones[number])["claim"]
        of_the_lead = bool(claim and claim["lead"] and self._led)
        decides = self._is(number, "leads") or (self._is(number, "seat") and not of_the_lead)
        if self._is(number, "let_in") and decides and claim and not claim["mine"]:
            self._grant_claim()
        ask(self.phones[number], confirm=claim["number"] if claim and right else number_said)

    @rule(number=PHONES)
    def refuse(self, number: int) -> None:
        claim = phone_state(self.phones[number])["claim"]
        ask(self.phones[number], refuse=claim["number"] if claim else 10)

    @rule(number=PHONES, wish=st.sampled_from(LOSSES))
    def give_up(self, number: int, wish: Any) -> None:
        ask(self.phones[number], **wish)

    @rule(number=PHONES, shower=PHONES)
    def bring_a_code(self, number: int, shower: int) -> None:
        way = way_in(self.phones[shower])
        if way:
            assert self._is(shower, "let_in")
            self.allowed = {(number, "let_in")}
        self.phones[number].get(way or "/j/AAAAAA")

    @rule(number=PHONES, seat=st.sampled_from(NAMES))
    def sit(self, number: int, seat: str) -> None:
        if self._is(number, "let_in") or self._is(number, "leads"):
            self.allowed = {(number, "seat")}
        ask(self.phones[number], seat=seat)

    @rule(number=PHONES, seat=st.sampled_from(NAMES))
    def free(self, number: int, seat: str) -> None:
        ask(self.phones[number], free=seat)

    @rule(seconds=st.sampled_from((1.0, PAUSE_S + 1, CLAIM_S + 1, 2000.0, 4 * 3600.0)))
    def wait(self, seconds: float) -> None:
        self.now_s += seconds

    @rule(number=PHONES)
    def keep_a_cookie(self, number: int) -> None:
        cookie = self.phones[number].get_cookie("phone")
        self.cookies.setdefault(number, []).append(cookie.value if cookie else "")

    @rule(number=PHONES, back=st.booleans())
    def start_anew(self, number: int, back: bool) -> None:
        """The box is started anew; one phone may come back with a cookie of before."""
        worn = [phone.get_cookie("phone") for phone in self.phones]
        self._start()
        self.phones = [phone_of(self.page) for _ in worn]
        for one, (phone, cookie) in enumerate(zip(self.phones, worn, strict=True)):
            old = self.cookies.get(one, [""])[0] if back and one == number else ""
            phone.set_cookie("phone", old or (cookie.value if cookie else ""))
            if self._is(one, "let_in"):  # a seat that was freed may be taken back: whoever is let in may sit
                self.allowed.add((one, "seat"))


TestRoles = Roles.TestCase
TestRoles.settings = settings(max_examples=draws(20, 40), stateful_step_count=20, deadline=None)
