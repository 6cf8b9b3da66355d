"""The real table with a box beside it, as the wiring hands it to the page, and ways to bring it anywhere.

No picture is read: an observation names the dice and where they lie.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.errors import BadCommand
from companion.reveal.observations import Observation, SeenDie, SeenDoubt
from companion.settings import Settings, Web
from companion.settings import Table as Preferences
from companion.statistics.archive import Archive
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table.commands import BOX, AddObservation, Author
from companion.table.folder import AccessRecord
from companion.table.groups import Groups
from companion.table.parsing import parse
from companion.table.snapshot import seat_words, state_word
from companion.table.table import Fault, Snapshot, Table
from tests.unkept import Unkept
from tests.web.page_parts import parts_of
from tests.web.shots import Shots
from web.deps import WebDeps
from web.page_table import PageTable, PageView
from web.sessions.phones import Phones

PEOPLE = (("Ana", "red"), ("Bea", "blue"), ("Carlos", "green"))
RGB = {"idle": [40, 40, 60], "bidding": [255, 170, 40], "looking": [60, 120, 255], "question": [200, 80, 255]}


class BoxedTable(PageTable):
    """The page's table with a simulated box beside it. Remembers which buttons were pressed."""

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / "journal.db")
        self.archive, self.groups = Archive(self.journal), Groups(SideFile(folder / "groups.json"))
        super().__init__(Table(self.journal, frames=1), self.groups.remember, self._simulated)
        self.presses: list[tuple[str, bool]] = []
        self.gestures = 0
        self.eye = observation
        self.turn_left_s: Callable[[], float | None] = lambda: None
        self._camera = "simulated"

    @property
    def camera(self) -> str:
        return self._camera

    @camera.setter
    def camera(self, name: str) -> None:
        """Another camera, without a new version of the table."""
        self._camera, self._shown = name, None

    def renew(self) -> None:
        """Clear the table, whatever lies on it, mend the box and look at all dice at once."""
        self.table.report("camera", None)
        if self.snapshot().data["state"] not in ("idle", "over"):
            self.say("abandon")
        self.say("put_away")
        with self.table._changed:  # a phone of the last test may still write to the same journal
            fresh = Table(self.journal, frames=1)
            fresh._changed, fresh.remember = self.table._changed, self.table.remember
            self.table, self._shown = fresh, None

    def do(self, command: Any, based_on: int | None = None, author: Author = BOX) -> PageView:
        return super().do(command, based_on, author)

    def forget(self, game: str) -> None:
        self.archive.known(game)  # as the box does: an id of nobody's is no name of a file
        self.table.forget(game)
        self.archive.forget(game)

    def hold_two(self) -> None:
        """Two buttons of the box are held together."""
        self.gestures += 1
        self.refresh()

    def press(self, button: str, held: bool) -> None:
        self.presses.append((button, held))
        self.hold_two() if button == "together" else self.say("press", button=button)

    def read_cup(self, player: str) -> None:
        raise BadCommand("bot_by_phones", player=player)

    def hand(self, name: str) -> tuple[int, ...]:
        return dict(self.table.snapshot().state.rolled).get(name, ())

    def say(self, kind: str, **more: Any) -> PageView:
        return self.do(parse({"type": kind, **more}))

    def _simulated(self, snapshot: Snapshot) -> Any:
        state = state_word(snapshot)
        return {
            "simulated": True,
            "state": state,
            "rgb": RGB.get(state, [200, 60, 50]),
            "colour": "white",
            "pattern": "steady",
            "seats": list(seat_words(snapshot.state)),
            "camera": self.camera,
            "buttons": ["dudo", "calza", "ok"],
            "all_simulated": snapshot.real_dice is False,
            "demo": False,
            "pictures": True,
            "real_dice": None,
        }


class PartOf:
    """A part of whichever table the page has at the time: its groups, its archive."""

    def __init__(self, table: BoxedTable, part: str) -> None:
        self._table, self._part = table, part

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(self._table, self._part), name)


_OF_A_BOX = ("workshop", "page_settings", "copies", "wifi_joining")
ABSENT = ("metrics", "club", *_OF_A_BOX, "demonstrate", "demonstration")
"""Parts that not every box has."""


def deps_for(table: BoxedTable, **more: Any) -> WebDeps:
    """What the page is given: this table, one picture for everything, two addresses. `more` replaces a part,
    or one of the settings."""
    chosen = {kind: _of(kind, more) for kind in (Web, Preferences)}
    settings = Settings(web=chosen[Web], table=chosen[Preferences])
    usual: dict[str, Any] = {"addresses": lambda: ("192.168.1.20", "10.0.0.7"), "poll_s": 0.05}
    usual |= {"pictures": Shots(), "access": AccessRecord(Unkept()), "gestures": lambda: table.gestures}
    usual |= {"secret": "s" * 32}
    usual |= {"press": lambda *press: table.press(*press), "read_cup": lambda name: table.read_cup(name)}
    usual |= {part: PartOf(table, part) for part in ("groups", "archive")} | dict.fromkeys(ABSENT)
    usual |= {"forget_game": lambda game: table.forget(game), "health": lambda: {"ok": True}}
    usual |= {"now_s": time.monotonic, "turn_left_s": lambda: None}
    usual["room"] = SimpleNamespace(free_mb=900, spare_mb=lambda: 0)
    given = SimpleNamespace(**{**usual, **more}, port=settings.web.port)
    known = Phones(
        *(table, given.access, given.gestures, given.now_s, given.secret),
        local_leads=settings.web.local_leads,
        demonstration=given.demonstration is not None,
    )
    own = {name: getattr(given, name) for name in ("addresses", "now_s", "demonstration", "poll_s")}
    return WebDeps(settings=settings, phones=known, parts=tuple(parts_of(given, known)), **own)


def _of(kind: Any, more: dict[str, Any]) -> Any:
    """The section of the settings with what is given of it, which is taken out of `more`."""
    names = {one.name for one in fields(kind)}
    return kind(**{name: more.pop(name) for name in names & more.keys()})


# ---- a way to each screen ------------------------------------------------------------------------------


def start(table: BoxedTable, people: Sequence[tuple[str, str]] = PEOPLE, **more: Any) -> PageView:
    players = [{"name": name, "colour": colour} for name, colour in people]
    return table.say("new_game", players=players, **{"preset": "modern", "starter": people[0][0], **more})


def bidding(table: BoxedTable) -> PageView:
    start(table)
    return table.say("bid", by="Ana", quantity=5, face=3)


def doubted(table: BoxedTable) -> PageView:
    """A bid of five threes is doubted, and no die was seen yet."""
    bidding(table)
    return table.say("dudo", by="Bea")


def observation(
    faces: Mapping[str, Sequence[int]], unsure: Sequence[int] = (), picture: str = "shot1"
) -> AddObservation:
    """Rows of dice by colour; `unsure` numbers those that were not read for certain."""
    dice = [
        _seen(number, row, column, face, colour, number not in unsure)
        for number, (row, column, face, colour) in enumerate(_laid(faces))
    ]
    return AddObservation(Observation(1280, 960, tuple(dice), not unsure, (), picture), "all")


def _laid(faces: Mapping[str, Sequence[int]]) -> list[tuple[int, int, int, str]]:
    return [(r, c, f, colour) for r, (colour, row) in enumerate(faces.items()) for c, f in enumerate(row)]


def _seen(number: int, row: int, column: int, face: int, colour: str, certain: bool) -> SeenDie:
    x, y = 0.14 + 0.16 * column + 0.03 * (row % 2), 0.2 + 0.27 * row + 0.02 * (column % 2)
    others = () if certain else tuple(f for f in (3, 5) if f != face)
    why = () if certain else ("low_confidence",)
    confidence, rgb = (0.99 if certain else 0.6), BODIES.get(colour)
    return SeenDie(face, x, y, 0.08, confidence, certain, colour, others, why, 3.0 * number, rgb)


BODIES = {"red": (160, 40, 40), "pink": (175, 55, 50), "blue": (60, 90, 150), "green": (60, 160, 70)}
DICE = {"red": (3, 1, 6, 2, 4), "blue": (3, 5, 5, 6, 2), "green": (1, 4, 6, 2, 5)}


def looking(table: BoxedTable) -> PageView:
    """A doubted bid of five threes; eleven of fifteen dice are seen, four threes or aces among them."""
    doubted(table)
    return table.do(table.eye({"red": DICE["red"], "blue": DICE["blue"], "green": (1,)}))


def question(table: BoxedTable) -> PageView:
    """All dice are seen; one of which the verdict hangs is not certain."""
    doubted(table)
    return table.do(table.eye(DICE, unsure=(6,)))


def cut(table: BoxedTable) -> PageView:
    """All dice are seen; the one in doubt lies at the border of the picture."""
    doubted(table)
    seen = table.eye(DICE, unsure=(6,)).observation
    dice = tuple(replace(die, x=0.02) if not die.certain else die for die in seen.dice)
    return table.do(AddObservation(replace(seen, dice=dice), "all"))


def part(table: BoxedTable) -> PageView:
    """All dice but one are seen; of that the border of the picture leaves a part."""
    doubted(table)
    seen = table.eye(DICE, unsure=(6,)).observation
    whole, (left,) = tuple(d for d in seen.dice if d.certain), [d for d in seen.dice if not d.certain]
    doubt = SeenDoubt("cut_off", 0.01, left.y, left.size)
    return table.do(AddObservation(replace(seen, dice=whole, doubts=(doubt,), certain=True), "all"))


def extra(table: BoxedTable) -> PageView:
    """One look for each player: Ana shows a die too many, Bea one too few."""
    table.table = Table(table.journal, frames=1, each=True)
    doubted(table)
    shown = {
        "Ana": ("red", (*DICE["red"], 3)),
        "Bea": ("blue", DICE["blue"][1:]),
        "Carlos": ("green", DICE["green"]),
    }
    for name, (colour, faces) in shown.items():
        table.do(AddObservation(table.eye({colour: faces}).observation, name))
    return table.snapshot()


def by_player(table: BoxedTable) -> PageView:
    """One look for each player: Ana's dice were looked at, Bea's are next."""
    table.table = Table(table.journal, frames=1, each=True)
    doubted(table)
    return table.do(AddObservation(table.eye({"red": DICE["red"]}).observation, "Ana"))


def doubted_pass(table: BoxedTable) -> PageView:
    """Carlos doubts Bea's pass; four of her five dice are seen."""
    bidding(table)
    table.say("pass", by="Bea")
    table.say("dudo_pass", by="Carlos")
    return table.do(table.eye({"blue": (3, 3, 5, 5)}))


def verdict(table: BoxedTable) -> PageView:
    """Four threes and aces against five bid: the bid fails."""
    doubted(table)
    return table.do(table.eye(DICE))


def over(table: BoxedTable) -> PageView:
    """Two players, one die each; Ana wins."""
    start(table, PEOPLE[:2], house={"starting_dice": 1, "palifico": "off"})
    table.say("bid", by="Ana", quantity=1, face=3)
    table.say("dudo", by="Bea")
    return table.do(table.eye({"red": (3,), "blue": (5,)}))


def evening(table: BoxedTable) -> PageView:
    """A whole game of four, counted by hand; the bids are raised once and every third one is believed."""
    shown = start(table, (*PEOPLE, ("Doña Inés", "yellow")), house={"starting_dice": 3, "palifico": "off"})
    for number in range(200):
        if shown.data["state"] == "over":
            return shown
        turn, total = shown.data["game"]["round"]["turn"], shown.data["game"]["round"]["total"]
        table.say("bid", by=turn, quantity=max(1, total // 3), face=2 + number % 5)
        turn = table.snapshot().data["game"]["round"]["turn"]
        table.say("calza" if number % 7 == 3 and total > 6 else "dudo", by=turn)
        shown = table.say("type_count", count=max(1, total // 3) - (number % 3 > 0))
        if shown.data["state"] != "over":
            shown = table.say("next_round")
    raise AssertionError("nobody won")


def rolloff(table: BoxedTable) -> PageView:
    """Everybody rolls a die for the first word."""
    players = [{"name": name, "colour": colour} for name, colour in PEOPLE]
    return table.say("new_game", players=players, preset="modern", roll_off=True)


def rolled(table: BoxedTable) -> PageView:
    """Those who tied roll again: Ana's die lies under the box and is not clear, Bea's was entered by hand."""
    rolloff(table)
    table.say("roll_off", rolls=[{"Ana": 5, "Bea": 5, "Carlos": 5}])
    table.do(AddObservation(table.eye({"red": (6,)}, unsure=(0,)).observation, "Ana"))
    return table.say("hand", player="Bea", faces=[2])


def coloured_dice(table: BoxedTable) -> PageView:
    """The box learnt Carlos's colour while they rolled; Ana's and Bea's look alike to it."""
    rolloff(table)
    for name, colour, face in (("Ana", "red", 3), ("Bea", "pink", 2), ("Carlos", "green", 6)):
        seen = table.eye({colour: (face,)}).observation
        dice = tuple(replace(die, x=die.x + 0.1 * face) for die in seen.dice)
        table.do(AddObservation(replace(seen, dice=dice), name))
    return table.snapshot()


def asked(table: BoxedTable) -> PageView:
    """The button was pressed at a table that does not enter its bids."""
    start(table)
    table.press("dudo", False)
    return table.snapshot()


def no_camera(table: BoxedTable) -> PageView:
    """A doubted bid while the camera is missing."""
    doubted(table)
    table.table.report("camera", Fault("camera_missing"))
    return table.snapshot()


def palifico(table: BoxedTable) -> PageView:
    """Carlos has come down to one die and starts his special round."""
    start(table, house={"starting_dice": 2}, starter="Carlos")
    table.say("bid", by="Carlos", quantity=6, face=6)
    table.say("dudo", by="Ana")
    table.do(table.eye({"red": (3, 2), "blue": (3, 5), "green": (2, 4)}))
    return table.say("next_round")


def resumed(table: BoxedTable) -> PageView:
    """The box was started anew in the middle of a round."""
    bidding(table)
    table.table = Table(table.journal, frames=1)
    return table.snapshot()


def crowd(table: BoxedTable) -> PageView:
    """Twelve players with names that are hard to draw: long, right to left, with markup or emoji."""
    names = ("Ana", "M" * 24, "يوسف", "<b>Bob</b>", "👩‍👩‍👧 fam", "Zoë", "李小龙", "O'Neil", *"ghij")
    colours = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "turquoise")
    return start(table, tuple(zip(names, (*colours, "pink", "brown", "grey"), strict=True)), starter="يوسف")


def doubtful_picture(table: BoxedTable) -> PageView:
    """A picture that is too dark."""
    doubted(table)
    seen = table.eye(DICE).observation
    return table.do(
        AddObservation(Observation(1280, 960, seen.dice, False, (SeenDoubt("too_dark"),), "shot1"), "all")
    )


WAYS = {
    "setup": lambda table: table.snapshot(),
    "round": bidding,
    "rolloff": rolloff,
    "rolled": rolled,
    "coloured_dice": coloured_dice,
    "opening": start,
    "palifico": palifico,
    "asked": asked,
    "reveal": looking,
    "question": question,
    "cut": cut,
    "extra": extra,
    "part": part,
    "by_player": by_player,
    "doubted_pass": doubted_pass,
    "doubtful": doubtful_picture,
    "no_camera": no_camera,
    "verdict": verdict,
    "over": over,
    "resumed": resumed,
    "crowd": crowd,
    "evening": evening,
}
