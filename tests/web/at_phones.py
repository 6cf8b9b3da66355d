"""An evening of a host, players and strangers at phones, as hypothesis plays it: whatever they may send.

Who sits where and may know what is followed from outside; roles grow by a gesture or a confirmation alone.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.web.knowing import (
    plain,
)
from tests.web.party import NAMES, Party, reason, send, sit, way_in
from web.sessions.claims import CLAIM_S, PAUSE_S
from web.sessions.seats import LAPSE_S

PHONES = ("host", "ana", "bea", "carlos", "guest", "stranger")
SEATS = (*NAMES, None)
GROWS = ("let_in", "leads", "seat")
phones = st.sampled_from(PHONES)
names = st.sampled_from(NAMES)


class AtPhones(RuleBasedStateMachine):
    """One evening. `holds` is who held which seat of which round of which game, by phone."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = TemporaryDirectory()
        self._random = Random(0)
        self.holds: dict[tuple[str, int, str], str] = {}
        self.seen: tuple[str, int] = ("", 0)
        self.fell: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.learnt: dict[tuple[Any, ...], set[tuple[str, str]]] = {}
        self.phone_states: dict[str, Mapping[str, Any]] = {name: dict.fromkeys(GROWS) for name in PHONES}
        self.cookies: dict[str, str] = {}
        self.sits: dict[str, str | None] = dict.fromkeys(PHONES)
        self.own: dict[str, str | None] = dict.fromkeys(PHONES)
        self.granted: set[tuple[str, str]] = set()
        self.playing = False

    def teardown(self) -> None:
        self.party.close()
        self._folder.cleanup()

    def _rolled(self, number: int) -> tuple[int, ...]:
        """The same dice in every run, so that what fails fails again."""
        return tuple(self._random.choices(range(1, 7), k=number))

    # ---- what people do ----------------------------------------------------------------------------------

    @initialize(
        cups=st.sampled_from([NAMES, NAMES[:2], NAMES[:1]]),
        dice=st.sampled_from([1, 2, 2, 3, 5]),
        roll_off=st.sampled_from([False, False, False, True]),
        later=st.booleans(),
    )
    def begin(self, cups: tuple[str, ...], dice: int, roll_off: bool, later: bool) -> None:
        self.cups, self.dice = cups, dice
        self.party = party = Party(Path(self._folder.name), cups, self._rolled, starting_dice=dice)
        self.boxed = party.table
        phones = (party.host, *party.phones.values(), party.guest(), party.phone())
        self.phones = party.phones = dict(zip(PHONES, phones, strict=True))
        if roll_off:
            party.clear()
            self._new_game(roll_off=True)
        self.granted = {(name, what) for name in PHONES for what in GROWS}
        self._compare_all()
        self.cookies = {name: self._cookie(name) for name in PHONES}
        if later and not roll_off:
            self._play_a_round()

    def _play_a_round(self) -> None:
        """A whole round; with two dice at most it leads to a palifico round or to a winner."""
        for command in (
            {"type": "bid", "by": "Ana", "quantity": 1, "face": 3},
            {"type": "dudo", "by": "Bea"},
            {"type": "type_count", "count": 5},
            {"type": "next_round"},
        ):
            self._sent("host", command)

    def _cookie(self, name: str) -> str:
        worn = self.phones[name].get_cookie("phone")
        return str(worn.value) if worn else ""

    def _new_game(self, roll_off: bool = False, by: str = "host") -> Any:
        people = [{"name": name, "colour": "red", "phone_cup": name in self.cups} for name in NAMES]
        more = {"roll_off": True} if roll_off else {"starter": "Ana"}
        house = {"starting_dice": self.dice}
        return send(self.phones[by], type="new_game", players=people, preset="modern", house=house, **more)

    def _come_in(self, name: str) -> None:
        """By the code of a phone that shows one, or else by a wrong one."""
        ways = {who: way for who, phone in self.phones.items() if (way := way_in(phone))}
        assert all(self.phone_states[who]["let_in"] for who in ways), "who was not let in shows no code"
        if self.phones[name].get(next(iter(ways.values()), "/j/AAAAAA")).status_code == 303 and ways:
            self.granted = {(name, "let_in")}

    @rule(phone=phones, data=st.data())
    def say(self, phone: str, data: st.DataObject) -> None:
        """Any phone sends a command that the player on turn may send."""
        command = data.draw(st.sampled_from(self._sayable()))
        self._sent(phone, command)

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """The phone of the player on turn, or the host's, sends such a command."""
        command = data.draw(st.sampled_from(self._sayable()))
        self._sent(self._phone_of(command.get("by")), command)

    @precondition(lambda self: self._legal().get("dudo"))
    @rule()
    def doubt(self) -> None:
        turn = self.state["game"]["round"]["turn"]
        self._sent(self._phone_of(turn), {"type": "dudo", "by": turn})

    @precondition(lambda self: (self.state.get("game") or {}).get("phase") == "reveal")
    @rule(seat=names)
    def regret(self, seat: str) -> None:
        """An undo by a seat during the reveal."""
        self._sent(self._phone_of(seat), {"type": "undo"})

    @precondition(lambda self: self._legal().get("visibility"))
    @rule(way=st.sampled_from(["open", "closed", "usual"]))
    def choose(self, way: str) -> None:
        starter = self.state["game"]["round"]["starter"]
        chosen = {"type": "choose_visibility", "by": starter, "visibility": way}
        self._sent(self._phone_of(starter), chosen)

    def _phone_of(self, seat: str | None) -> str:
        return next((name for name, sits in self.sits.items() if sits == seat and seat), "host")

    def _legal(self) -> Mapping[str, Any]:
        current = (self.state.get("game") or {}).get("round") or {}
        return current.get("legal") or {}

    def _sayable(self) -> list[Mapping[str, Any]]:
        game = self.state.get("game") or {}
        turn, legal = (game.get("round") or {}).get("turn"), self._legal()
        said: list[Mapping[str, Any]] = [
            {"type": "bid", "by": turn, "quantity": quantity, "face": face}
            for quantity, face in (legal.get("bids") or ())[:3]
        ]
        said += [{"type": kind, "by": turn} for kind in ("dudo", "pass", "dudo_pass") if legal.get(kind)]
        said += [{"type": "calza", "by": name} for name in legal.get("calza", ())]
        ways = ("open", "closed", "usual")
        starter = (game.get("round") or {}).get("starter")
        said += [{"type": "choose_visibility", "by": starter, "visibility": way} for way in ways]
        if game.get("phase") in ("reveal", "rolloff"):
            said = [
                {"type": "confirm"},
                {"type": "type_count", "count": 0},
                {"type": "type_count", "count": 5},
            ]
        return (
            [*said, {"type": "next_round"}, {"type": "press", "button": "ok"}] if game else [{"type": "undo"}]
        )

    @rule(phone=phones, pose=st.booleans())
    def undo(self, phone: str, pose: bool) -> None:
        """An undo; with `pose` the phone adds members that claim to be the host, which must be ignored."""
        self._sent(phone, {"type": "undo", **({"by": "host", "name": "Ana", "host": True} if pose else {})})

    @rule(phone=phones, by=names, call=st.sampled_from(["dudo", "calza"]))
    def correct(self, phone: str, by: str, call: str) -> None:
        bid = {"quantity": 1, "face": 2}
        self._sent(phone, {"type": "correct_call", "by": by, "call": call, "bid": bid})

    @rule(phone=phones, who=names)
    def tell_a_hand(self, phone: str, who: str) -> None:
        self._sent(phone, {"type": "hand", "player": who, "faces": [1]})

    @rule(phone=phones, kind=st.sampled_from(["abandon", "play_again", "put_away"]))
    def end(self, phone: str, kind: str) -> None:
        self._sent(phone, {"type": kind})

    @rule(phone=phones, name=st.sampled_from([*NAMES, "Dora", ""]), after=names, cup=st.booleans())
    def come(self, phone: str, name: str, after: str, cup: bool) -> None:
        """A phone sits down late, or before a game."""
        wish = {"come": {"name": name, "after": after, "phone_cup": cup}}
        answer = self.phones[phone].post("/api/v1/phone", json=wish)
        assert answer.status_code < 500, wish
        sat = phone if answer.status_code == 200 else None
        if sat:
            self.own[phone] = name  # at the latest as the next game begins
        self._compare_all(phone, sat)

    @rule(phone=phones, who=st.sampled_from([*NAMES, "Dora"]), kind=st.sampled_from(["leave", "join"]))
    def come_or_go(self, phone: str, who: str, kind: str) -> None:
        self._sent(phone, {"type": kind, "player": who})

    @rule(seat=names)
    def go_home(self, seat: str) -> None:
        self._sent(self._phone_of(seat), {"type": "leave", "player": seat})

    @rule(phone=phones, who=names, count=st.integers(1, 5))
    def hand_back(self, phone: str, who: str, count: int) -> None:
        self._sent(phone, {"type": "hand_back", "player": who, "count": count})

    @rule(
        phone=phones,
        names=st.sampled_from([("Bea", "Dora"), ("Dora", "Bea"), ("Carlos", "Zoe"), ("Zoe", "Carlos")]),
    )
    def rename(self, phone: str, names: tuple[str, str]) -> None:
        old, new = names
        answer = send(self.phones[phone], type="rename", player=old, to=new)
        assert answer.status_code < 500
        if answer.status_code == 200:
            self._called(old, new)
        self._compare_all(phone)

    def _called(self, old: str, new: str) -> None:
        """Rename the player in everything that this machine records itself."""

        def to(name: Any) -> Any:
            return new if name == old else name

        game = self.state["game"]["id"]
        self.holds = {
            (g, n, to(seat) if g == game else seat): phone for (g, n, seat), phone in self.holds.items()
        }
        self.fell = {
            (*key[:-1], to(key[-1]) if key[0] == game else key[-1]): f for key, f in self.fell.items()
        }
        self.learnt = {
            throw: {(to(reader), to(cup)) for reader, cup in known} if throw[0] == game else known
            for throw, known in self.learnt.items()
        }
        self.sits = {phone: to(seat) for phone, seat in self.sits.items()}
        self.own = {phone: to(seat) for phone, seat in self.own.items()}

    @precondition(lambda self: not self.state.get("game"))
    @rule(phone=st.sampled_from(["host", "host", "ana", "stranger"]))
    def another_game(self, phone: str) -> None:
        self._new_game(by=phone)
        self._compare_all(phone)

    @rule(phone=phones, button=st.sampled_from(["ok", "dudo", "calza"]), held=st.booleans())
    def press(self, phone: str, button: str, held: bool) -> None:
        self.phones[phone].post("/api/v1/box/press", json={"button": button, "held": held})
        self._compare_all(phone)

    @rule(phone=phones, seat=st.sampled_from(SEATS))
    def sit_down(self, phone: str, seat: str | None) -> None:
        sat = phone if sit(self.phones[phone], seat) == 200 else None
        if sat:
            self.own[phone] = None  # who got up has no seat to come back to
        self._compare_all(phone, sat)

    @rule(phone=phones, seat=names, then=st.booleans())
    def free(self, phone: str, seat: str, then: bool) -> None:
        self.phones[phone].post("/api/v1/phone", json={"free": seat})
        self._compare_all(phone)
        if then:
            self.sit_down(phone, seat)

    @rule(
        phone=phones,
        wish=st.sampled_from(
            [*({wish: True} for wish in ("lead", "join", "withdraw", "anew")), {"lead": False}]
        ),
    )
    def wish(self, phone: str, wish: Mapping[str, Any]) -> None:
        self.phones[phone].post("/api/v1/phone", json=wish)
        self._compare_all(phone)

    @rule(phone=phones)
    def come_in_again(self, phone: str) -> None:
        self._come_in(phone)
        self._compare_all()

    @rule()
    def hold_two(self) -> None:
        self.granted = self._claimed()
        self.boxed.hold_two()
        self._compare_all()

    def _claimed(self) -> set[tuple[str, str]]:
        """What the open claim gives whose phone, once it is granted."""
        claims = {name: phone.get("/api/v1/phone").json["claim"] for name, phone in self.phones.items()}
        mine = ((name, claim) for name, claim in claims.items() if claim and claim["mine"])
        return {(name, what) for name, claim in mine for what in ("let_in", *["leads"] * claim["lead"])}

    def _decides(self, phone: str, claim: Mapping[str, Any]) -> bool:
        """Whether it leads, or plays where no lead is to be taken from a phone, and was let in."""
        now, led = self.phone_states[phone], any(one["leads"] for one in self.phone_states.values())
        plays = now["seat"] and not (claim["lead"] and led)
        return bool(now["let_in"] and not claim["mine"] and (now["leads"] or plays))

    @rule(phone=phones, right=st.booleans(), what=st.sampled_from(["confirm", "refuse"]))
    def try_a_number(self, phone: str, right: bool, what: str) -> None:
        """The number of the open claim, which the box draws, or another: so each run is the same."""
        claim, claimed = self.phones[phone].get("/api/v1/phone").json["claim"], self._claimed()
        number = claim["number"] if claim else 10
        decided = {what: number if right else number % 90 + 10}
        answer = self.phones[phone].post("/api/v1/phone", json=decided)
        if answer.status_code == 200:
            assert right
            assert self._decides(phone, claim)
            self.granted = claimed if what == "confirm" else set()
        self._compare_all(phone)

    @rule(seconds=st.sampled_from([1.0, PAUSE_S + 1, 30.0, CLAIM_S + 1, 70.0, LAPSE_S + 1, 4 * 3600.0]))
    def time_passes(self, seconds: float) -> None:
        self.party.now_s += seconds
        self._compare_all()

    @rule(phone=phones)
    def keep_a_cookie(self, phone: str) -> None:
        self.cookies[phone] = self._cookie(phone)

    @rule(back=st.sampled_from([None, *PHONES]))
    def box_starts_again(self, back: str | None) -> None:
        """The table from its journal, the page without a memory; phones come back with their cookies, one
        with that of before: it may find the seat free that it had then."""
        self.party.restart()
        if back:
            self.phones[back].set_cookie("phone", self.cookies[back])
        self._compare_all(sat=back)

    def _sent(self, phone: str, command: Mapping[str, Any]) -> None:
        answer = send(self.phones[phone], **command)
        assert answer.status_code < 500, command
        if answer.status_code == 200:
            assert plain(answer.text) == plain(self.phones[phone].get("/api/v1/state").text)
        else:
            assert reason(answer)
        self._compare_all(phone)

    # ---- who holds what, worked out anew -----------------------------------------------------------------

    @property
    def state(self) -> Mapping[str, Any]:
        return self.boxed.snapshot().data

    def _compare_all(self, by: str | None = None, sat: str | None = None) -> None:
        """Read every phone's role and seat, check them after what `by` did and where `sat` may have sat down,
        and record who holds the seats of a new round."""
        before = dict(self.phone_states)
        for name, phone in self.phones.items():
            self.phone_states[name] = phone.get("/api/v1/phone").json
            self.sits[name] = self.phone_states[name]["seat"]
        self._no_role_grew(before, by, sat)
        self.granted = set()
        game = self.state.get("game") or {}
        now = (str(game.get("id", "")), int((game.get("round") or {}).get("number", 0)))
        begun = now[1] > 0 and (now[0] != self.seen[0] or now[1] > self.seen[1])
        if begun or (sat and now[1] == 1 and self._fresh(now[0], sat)):
            players = [player["name"] for player in game["players"]]
            for name, seat in self.sits.items():
                if seat in players and name not in self._holders(now) and (begun or name == sat):
                    self.holds.setdefault((*now, seat), name)
        self.seen = now

    def _fresh(self, game: str, phone: str) -> bool:
        seat = self.sits[phone]
        return not any(held[0] == game and held[2] == seat for held in self.holds)

    def _holders(self, now: tuple[str, int]) -> set[str]:
        return {phone for (game, number, _), phone in self.holds.items() if (game, number) == now}

    def _no_role_grew(self, before: Mapping[str, Any], by: str | None, sat: str | None) -> None:
        """A phone is let in by a code or by a claim that the table grants, leads by such a claim, or does
        something where nobody leads, and has the seat that it took or had: by nothing else."""
        led = any(was["leads"] for was in before.values())
        for name, now in self.phone_states.items():
            was = before[name]
            given = {
                "let_in": False,
                "leads": name == by and not led and (was["let_in"] or not self.playing),
                "seat": name == sat or now["seat"] == self.own[name],
            }
            grown = {what for what in GROWS if now[what] and not was[what]}
            wrong = [what for what in grown if not given[what] and (name, what) not in self.granted]
            assert wrong == [], (name, was, now)
            assert now["let_in"] or now["leads"] or not now["seat"], (name, now)
        assert sum(now["leads"] for now in self.phone_states.values()) <= 1
        self.own |= {name: seat for name, seat in self.sits.items() if seat}
        self.playing = (self.state.get("game") or {}).get("phase", "over") != "over"
