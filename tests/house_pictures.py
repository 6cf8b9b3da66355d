"""Draws the pictures of docs/explanation as SVG: `python -m tests.house_pictures`.

The arrows of the house are those that tests/test_architecture.py allows. The steps of a call and the stages
of a reading are rows below.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from tests.test_architecture import MAY_ALSO_IMPORT, MAY_IMPORT, ROOMS

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "explanation"
WIRING = "companion/app"
OUTSIDE = "companion/outside"
ABOUT = {
    WIRING: "puts the box together",
    OUTSIDE: "MQTT, webhook, metrics",
    "companion": "the game, the table, the reveal",
    "vision": "from a picture to dice",
    "hardware": "cameras, buttons, lamps, sound",
    "web": "pages, API, live updates",
}
#: Column and row of each box of the house.
PLACES = {
    WIRING: (1, 0),
    "web": (0, 1),
    OUTSIDE: (1, 1),
    "companion": (0, 2),
    "vision": (2, 2),
    "hardware": (3, 2),
}

#: What each stage of a reading does, by its name in docs/explanation/reading.md, and its column and row.
STAGES = {
    "the file": ("decoded, turned upright", (1, 0)),
    "levels": ("coarse ones, then the best one", (1, 1)),
    "detections": ("the net: top faces, each once", (1, 2)),
    "count": ("the pips there, by OpenCV", (0, 3)),
    "crop classifier": ("a second net, if not yet sure", (2, 3)),
    "fusion": ("a probability for each face", (1, 4)),
    "colour": ("a name for each body", (1, 5)),
    "checks": ("what speaks against them", (1, 6)),
    "groups": ("equal dice", (1, 7)),
    "calibration": ("probabilities for a verdict", (1, 8)),
}
#: From stage, to a later stage: what the first gives is what the second works on.
FLOW = (
    ("the file", "levels"),
    ("levels", "detections"),
    *(("detections", stage) for stage in ("count", "crop classifier", "fusion")),
    *((stage, "fusion") for stage in ("count", "crop classifier")),
    ("fusion", "colour"),
    ("colour", "checks"),
    ("checks", "groups"),
    ("groups", "calibration"),
)

LANES = ("hardware", "companion/app", "companion/table", "companion/reveal", "vision", "web")
#: From lane, to lane, what passes between them.
STEPS = (
    ("hardware", "companion/app", "press of DUDO"),
    ("companion/app", "companion/table", "command: Press"),
    ("companion/table", "companion/table", "rules check, journal, version + 1"),
    ("companion/table", "web", "snapshot: a reveal is open"),
    ("hardware", "companion/app", "frame, once the table is still"),
    ("companion/app", "vision", "read(frame)"),
    ("vision", "companion/app", "reading: dice and doubts"),
    ("companion/app", "companion/table", "command: AddObservation"),
    ("companion/table", "companion/reveal", "assess: how many dice match"),
    ("companion/reveal", "companion/table", "lo to hi, settled or a question"),
    ("companion/table", "companion/table", "judge: verdict, journal"),
    ("companion/table", "web", "snapshot: the verdict"),
    ("companion/table", "hardware", "lamp word: stands or fails"),
)

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
    'font-size="14" role="img" aria-label="{label}">\n'
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
    'orient="auto"><path d="M0 0L10 5L0 10z" fill="#444"/></marker></defs>\n'
    '<rect width="{width}" height="{height}" fill="#fff"/>\n'
)
ARROW = '<path d="M{0} {1}L{2} {3}" stroke="#444" fill="none" marker-end="url(#tip)"/>'
BOX = '<rect x="{0}" y="{1}" width="{2}" height="{3}" rx="6" fill="#eef3fa" stroke="#345"/>'
TEXT = '<text x="{0}" y="{1}" text-anchor="middle" fill="#123"{2}>{3}</text>'
WIDE, HIGH, GAP_X, GAP_Y = 240, 60, 40, 40


def arrows() -> list[tuple[str, str]]:
    """Who may import whom among the rooms, the wiring included."""
    wired = [(WIRING, room) for room in ROOMS if room in MAY_ALSO_IMPORT[f"{WIRING}/"]]
    wired += [(WIRING, OUTSIDE), (OUTSIDE, "companion")]
    return wired + [(room, other) for room in ROOMS for other in ROOMS if other in MAY_IMPORT[room]]


def house() -> str:
    """The rooms as boxes and the allowed imports as arrows."""
    boxes = {name: (ABOUT[name], place) for name, place in PLACES.items()}
    return _chart("The rooms of the house, and who may import whom", boxes, arrows())


def stages() -> str:
    """The stages of a reading as boxes, and an arrow from each to what works on its result."""
    x, y = _corner(STAGES["levels"][1])
    bend = f"M{x} {y + HIGH + GAP_Y + 20}h-60V{y + 30}h60"
    back = f'<path d="{bend}" stroke="#444" fill="none" marker-end="url(#tip)"/>'
    why = TEXT.format(x - 135, y + HIGH + 20, "", "size of clear dice")
    return _chart("The stages of a reading", STAGES, FLOW, [back, why])


Boxes = Mapping[str, tuple[str, tuple[int, int]]]


def _chart(label: str, boxes: Boxes, links: Iterable[tuple[str, str]], more: Iterable[str] = ()) -> str:
    """Boxes by their names, each with a line about it, its column and row; arrows between them lead down."""
    corners = {name: _corner(place) for name, (_, place) in boxes.items()}
    lines = [_box(name, about, *corners[name]) for name, (about, _) in boxes.items()]
    lines += [_arrow(corners[one], corners[other]) for one, other in links]
    columns, rows = (1 + max(place[axis] for _, place in boxes.values()) for axis in (0, 1))
    width, height = columns * (WIDE + GAP_X) + GAP_X, rows * (HIGH + GAP_Y) + GAP_Y
    return HEAD.format(width=width, height=height, label=label) + "\n".join([*lines, *more]) + "\n</svg>\n"


def _corner(place: tuple[int, int]) -> tuple[int, int]:
    column, row = place
    return GAP_X + column * (WIDE + GAP_X), GAP_Y + row * (HIGH + GAP_Y)


def _box(name: str, about: str, x: int, y: int) -> str:
    middle = x + WIDE // 2
    name_line = TEXT.format(middle, y + 25, ' font-weight="bold"', name)
    return "\n".join([BOX.format(x, y, WIDE, HIGH), name_line, TEXT.format(middle, y + 45, "", about)])


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    """From the lower edge of one box to the upper edge of another, towards each other."""
    shift = max(-105, min(105, (end[0] - start[0]) * 2 // 5))
    x, target = start[0] + WIDE // 2 + shift, end[0] + WIDE // 2 - shift
    return ARROW.format(x, start[1] + HIGH, target, end[1])


LANE, STEP, TOP = 170, 42, 50


def call() -> str:
    """One call from the button to the verdict, a lane for each room and a row for each step."""
    width, height = LANE * len(LANES), TOP + STEP * (len(STEPS) + 1)
    lines = []
    for number, lane in enumerate(LANES):
        x = LANE * number + LANE // 2
        lines += [
            BOX.format(x - 72, 10, 144, 28),
            TEXT.format(x, 29, ' font-weight="bold"', lane),
            f'<path d="M{x} 38V{height - 10}" stroke="#9ab" stroke-dasharray="4 4"/>',
        ]
    lines += [_step(row, *step) for row, step in enumerate(STEPS, 1)]
    label = "One call, from the button to the verdict"
    return HEAD.format(width=width, height=height, label=label) + "\n".join(lines) + "\n</svg>\n"


def _step(row: int, start: str, end: str, what: str) -> str:
    x, target = (LANE * LANES.index(lane) + LANE // 2 for lane in (start, end))
    y = TOP + STEP * row
    label = escape(f"{row}. {what}")
    if start == end:
        loop = f'<path d="M{x} {y - 12}h22v14h-20" stroke="#444" fill="none" marker-end="url(#tip)"/>'
        return f'{loop}\n<text x="{x + 30}" y="{y}" fill="#123">{label}</text>'
    near, far = sorted((x, target))
    halo = ' paint-order="stroke" stroke="#fff" stroke-width="5"'
    return ARROW.format(x, y, target, y) + "\n" + TEXT.format((near + far) // 2, y - 6, halo, label)


PICTURES = {"house.svg": house, "call.svg": call, "stages.svg": stages}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), encoding="utf-8")
