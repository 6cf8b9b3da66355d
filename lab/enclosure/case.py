"""The case of Pi, buttons and lamps: its tray with or without a camera, and the cover."""

from __future__ import annotations

from manifold3d import Manifold

from lab.enclosure.box_walls import rail_screws
from lab.enclosure.camera_mount import camera_holes, camera_posts, ring_screws
from lab.enclosure.measures import Enclosure
from lab.enclosure.solids import OVERLAP, Point, block, corners, hole, rod, rounded, union

SCREW, PILOT = 3.4, 2.7
"""Holes for an M3 screw: through, and to cut its own thread."""
POST, POST_FULL, POST_LONG = 9.0, 14.0, 23.0
LIP = 3.0
PI_POST = 5.0
NUT_CORNERS, NUT_HEIGHT, TRIPOD = 12.95, 5.6, 6.6
"""The 1/4 inch nut of tripods: across its corners and high, with clearance; hole for its screw."""


def pi_corner(enclosure: Enclosure) -> Point:
    """Where the corner of the Pi at card and power socket lies, the socket at the back wall."""
    back = enclosure.depth / 2 - enclosure.wall - 1.5
    left = -enclosure.width / 2 + enclosure.wall + enclosure.pi.sockets_out + 1.0
    return left + enclosure.pi.length, back


def pi_holes(enclosure: Enclosure) -> list[Point]:
    """Centres of the Pi's screw holes."""
    x, y = pi_corner(enclosure)
    return [(x - along, y - across) for along, across in enclosure.pi.holes]


def button_places(enclosure: Enclosure) -> list[Point]:
    """Centres of the three buttons, along the front."""
    y = -enclosure.depth / 2 + enclosure.wall + LIP + enclosure.button.rim / 2 + 6
    return [(x, y) for x in (-0.3 * enclosure.width, 0.0, 0.3 * enclosure.width)]


def lamp_places(enclosure: Enclosure) -> list[Point]:
    """Centres of the seat lamps, in a row behind the buttons."""
    y = button_places(enclosure)[0][1] + enclosure.button.rim / 2 + 12
    step = 0.75 * enclosure.width / max(1, enclosure.seats - 1)
    return [((n - (enclosure.seats - 1) / 2) * step, y) for n in range(enclosure.seats)]


def status_place(enclosure: Enclosure) -> Point:
    """Centre of the status light, behind the seat lamps."""
    return 0.0, lamp_places(enclosure)[0][1] + 16


def open_tray(width: float, depth: float, inside: float, enclosure: Enclosure) -> Manifold:
    """A floor with four walls and a post for a screw in each corner."""
    top, wall = enclosure.floor + inside, enclosure.wall
    hollow = rounded(width - 2 * wall, depth - 2 * wall, enclosure.floor, top + 1, 3.0)
    shell = rounded(width, depth, 0.0, top) - hollow
    places, edges = post_places(width, depth, enclosure), corners(width, depth, wall)
    posts = union(_post(place, edge, top) for place, edge in zip(places, edges, strict=True))
    pilots = union(hole(PILOT, top - POST_FULL + 1, top, at) for at in places)
    return shell + (posts ^ rounded(width, depth, 0.0, top)) - pilots


def post_places(width: float, depth: float, enclosure: Enclosure) -> list[Point]:
    """Centres of the four screws of a cover."""
    return corners(width, depth, enclosure.wall + POST / 2 - 1)


def _post(place: Point, edge: Point, top: float) -> Manifold:
    """A post that grows out of a corner: it prints without support, and leaves the floor free."""
    full = block(POST, POST, top - POST_FULL, top, place)
    return Manifold.batch_hull([full, block(2.0, 2.0, top - POST_LONG, top, edge)])


def case_tray(enclosure: Enclosure, *, camera: bool) -> Manifold:
    """The tray of the case: with `camera` the lid of the box, without it the console of the arm."""
    tray = open_tray(enclosure.width, enclosure.depth, enclosure.inside, enclosure)
    tray += _pi_posts(enclosure) + (camera_posts(enclosure) if camera else Manifold())
    tray -= _pi_openings(enclosure) + _wall_slots(enclosure)
    if not camera:
        return tray - _cable_slot(enclosure.depth, enclosure.inside, enclosure, x=0.32 * enclosure.width)
    rails = union(hole(SCREW, 0.0, enclosure.floor, at) for at in rail_screws(enclosure))
    return tray - camera_holes(enclosure) - ring_screws(enclosure) - rails


def _pi_posts(enclosure: Enclosure) -> Manifold:
    top = enclosure.floor + PI_POST
    posts = union(rod(6.0, 0.0, top, at) for at in pi_holes(enclosure))
    return posts - union(rod(2.2, enclosure.floor - 1.5, top + 1, at) for at in pi_holes(enclosure))


def _pi_openings(enclosure: Enclosure) -> Manifold:
    """A notch for network and USB at the left, too wide to be bridged; a window for power at the back."""
    x, y = pi_corner(enclosure)
    low, top = enclosure.floor + PI_POST, enclosure.floor + enclosure.inside + 1
    middle, thick = y - enclosure.pi.width / 2, 2 * (enclosure.wall + OVERLAP)
    sockets = block(thick, enclosure.pi.width - 1, low, top, (-enclosure.width / 2, middle))
    power = block(14.0, 12.0, low - 2, low + 8, (x - enclosure.pi.power_at, enclosure.depth / 2))
    return sockets + power


def _wall_slots(enclosure: Enclosure) -> Manifold:
    """Slots low in the right and the front wall: cool air comes in here and leaves through the cover."""
    low, high = enclosure.floor + 4, enclosure.floor + 16
    right = [block(12.0, 3.0, low, high, (enclosure.width / 2, 8.0 * n)) for n in range(-4, 5)]
    front = [block(3.0, 12.0, low, high, (8.0 * n, -enclosure.depth / 2)) for n in range(-4, 5)]
    return union(right + front)


def _cable_slot(depth: float, inside: float, enclosure: Enclosure, x: float = 0.0) -> Manifold:
    """A notch in the back wall for the camera's ribbon, 16 mm wide at most, and the ring's wires."""
    return block(20.0, 12.0, enclosure.floor + 8, enclosure.floor + inside + 1, (x, depth / 2))


def plain_cover(width: float, depth: float, enclosure: Enclosure) -> Manifold:
    """A plate with a lip that centres it in the tray. It lies as it is printed: outer face down, at 0."""
    plate = rounded(width, depth, 0.0, enclosure.floor)
    gap = 2 * (enclosure.wall + enclosure.clearance)
    outer = rounded(width - gap, depth - gap, 0.0, enclosure.floor + LIP, 3.0)
    inner = rounded(width - gap - 4, depth - gap - 4, 0.0, enclosure.floor + LIP + 1, 2.0)
    lip = outer - inner
    places = post_places(width, depth, enclosure)
    lip -= union(block(POST + 2, POST + 2, 0.0, enclosure.floor + LIP + 1, at) for at in places)
    return plate + lip - union(hole(SCREW, 0.0, enclosure.floor, at) for at in places)


def case_cover(enclosure: Enclosure) -> Manifold:
    """The cover of the case, seen from inside: mirrored in x against the case as it stands."""
    top = enclosure.floor
    fit = enclosure.clearance
    buttons = [hole(enclosure.button.thread + fit, 0.0, top, at) for at in button_places(enclosure)]
    lamps = [hole(5.0 + fit, 0.0, top, at) for at in lamp_places(enclosure)]
    status = hole(10.0 + fit, 0.0, top, status_place(enclosure))
    openings = union([*buttons, *lamps, status, *_vents(enclosure)])
    return plain_cover(enclosure.width, enclosure.depth, enclosure) - openings.mirror((1.0, 0.0, 0.0))


def _vents(enclosure: Enclosure) -> list[Manifold]:
    """Slots above the Pi."""
    x, y = pi_corner(enclosure)
    middle = x - enclosure.pi.length / 2
    width = 0.75 * enclosure.pi.length
    return [
        block(3.0, 34.0, -1.0, enclosure.floor + 1, (middle - width / 2 + 7.0 * n, y - 26))
        for n in range(int(width // 7) + 1)
    ]


def head_tray(enclosure: Enclosure) -> Manifold:
    """The head of a tripod's arm: camera and ring, nothing else."""
    tray = open_tray(enclosure.head, enclosure.head, enclosure.head_inside, enclosure)
    tray += camera_posts(enclosure)
    slot = _cable_slot(enclosure.head, enclosure.head_inside, enclosure)
    return tray - camera_holes(enclosure) - ring_screws(enclosure) - slot


def head_cover(enclosure: Enclosure) -> Manifold:
    """The head's cover with a captive nut for a tripod's screw."""
    top = enclosure.floor + NUT_HEIGHT + 1.0
    pad = rod(26.0, 0.0, top)
    nut = rod(NUT_CORNERS, top - NUT_HEIGHT, top + 1, sides=6)
    return plain_cover(enclosure.head, enclosure.head, enclosure) + pad - nut - hole(TRIPOD, 0.0, top)


def worn(cover: Manifold, inside: float, enclosure: Enclosure) -> Manifold:
    """A cover as it sits on its tray: turned over from the way it is printed."""
    return cover.rotate((0.0, 180.0, 0.0)).translate((0.0, 0.0, 2 * enclosure.floor + inside))
