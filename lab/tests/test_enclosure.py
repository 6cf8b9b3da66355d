"""The enclosure: camera and ring see the table, parts fit, walls hold, and every mesh is watertight."""

from dataclasses import replace
from itertools import pairwise
from math import hypot
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("manifold3d", reason="the extra `enclosure` is not installed")


from lab.enclosure.__main__ import DOCS, chosen, files, main, parsed
from lab.enclosure.assemblies import console, head, lid_box, printed_parts
from lab.enclosure.box_walls import inner_bottom, inner_top, mounted_panels, panels, view_size
from lab.enclosure.camera_mount import ear_places, ring_solid
from lab.enclosure.case import button_places, lamp_places, pi_corner, pi_holes, status_place
from lab.enclosure.free_view import in_light, in_view
from lab.enclosure.gallery import PICTURES, camera_solid, fittings, pi_solid
from lab.enclosure.measures import BUTTONS, CAMERAS, Enclosure, LightRing, PushButton, arm, problems
from lab.enclosure.picture import Item, rendered
from lab.enclosure.plan import heights
from lab.enclosure.solids import block, rod
from lab.enclosure.stl import corners_of, mesh_of, open_edges, stl_bytes

ROOT = Path(__file__).resolve().parents[2]
USUAL = Enclosure()
HEIGHTS = (300.0, 400.0, 490.0, 600.0, 700.0)
NOTHING_MM3 = 1e-6


def working(camera: str) -> list[Enclosure]:
    """The enclosure for a camera at every height between 30 and 70 cm at which that camera works."""
    found = [replace(USUAL, camera=CAMERAS[camera], height=height) for height in HEIGHTS]
    return [enclosure for enclosure in found if not problems(enclosure)]


ALL = [
    pytest.param(enclosure, id=f"{camera} at {enclosure.height:.0f} mm")
    for camera in CAMERAS
    for enclosure in working(camera)
]


def test_the_heights_asked_for_are_built_with_module_3_and_the_hq_camera():
    assert [enclosure.height for enclosure in working("module3")] == list(HEIGHTS)
    assert [enclosure.height for enclosure in working("hq-6mm")] == list(HEIGHTS)
    assert working("module3-wide"), "the wide lens works from low down only"


@pytest.mark.slow
@pytest.mark.parametrize("enclosure", ALL)
def test_camera_and_ring_see_the_table_free_of_the_frame(enclosure):
    ring = {"ring": ring_solid(enclosure)}
    for parts in ({**head(enclosure), **ring}, {**lid_box(enclosure), **ring}):
        assert {name: in_view(part, enclosure) for name, part in parts.items()} == pytest.approx(
            dict.fromkeys(parts, 0.0), abs=NOTHING_MM3
        )
        frame = {name: part for name, part in parts.items() if name != "ring"}
        assert {name: in_light(part, enclosure) for name, part in frame.items()} == pytest.approx(
            dict.fromkeys(frame, 0.0), abs=NOTHING_MM3
        )


def test_a_frame_in_the_way_is_found():
    in_the_middle = block(10, 10, -200, -190)
    beside = block(10, 10, -200, -190, (300, 0))
    assert in_view(in_the_middle, USUAL) > 900
    assert in_light(in_the_middle, USUAL) > 900
    assert in_view(beside, USUAL) == 0
    narrow = replace(USUAL, spare_deg=-6.0)
    assert in_view(mounted_panels(narrow), USUAL) > 0, "panels along a narrower view"


@pytest.mark.parametrize("enclosure", ALL)
def test_the_panels_meet_lid_and_table(enclosure):
    front, sides = panels(enclosure)
    (wide, deep), (wider, deeper) = inner_top(enclosure), inner_bottom(enclosure)
    assert front.top == pytest.approx(enclosure.width, abs=1), "flush with the lid"
    assert sides.top == pytest.approx(deep)
    assert front.slant == pytest.approx(hypot(enclosure.wall_height, (deeper - deep) / 2))
    assert sides.slant == pytest.approx(hypot(enclosure.wall_height, (wider - wide) / 2))
    seen = view_size(enclosure)
    assert wider > seen[0]
    assert deeper > seen[1]


NAMES = (
    *("head-tray", "head-cover", "console-tray", "lid-tray", "case-cover"),
    *("ring-holder", "diffuser", "rail-side", "rail-front"),
)


@pytest.fixture(scope="module")
def parts():
    return printed_parts(USUAL)


def test_every_part_is_checked(parts):
    assert parts.keys() == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_exported_mesh_is_watertight_and_one_piece(name, parts):
    stl = stl_bytes(mesh_of(parts[name]), name)
    assert open_edges(corners_of(stl)) == 0
    assert len(parts[name].decompose()) == 1
    assert parts[name].bounding_box()[2] == pytest.approx(0), "it lies on the bed"


@pytest.mark.parametrize("name", NAMES)
def test_each_part_fits_on_the_bed(name, parts):
    left, front, _, right, back, _ = parts[name].bounding_box()
    assert max(right - left, back - front) <= USUAL.bed


def test_a_hole_in_a_mesh_is_found():
    whole = corners_of(stl_bytes(mesh_of(block(1, 1, 0, 1)), "cube"))
    assert open_edges(whole) == 0
    assert open_edges(whole[1:]) == 3
    with pytest.raises(ValueError, match="no binary STL"):
        corners_of(b"solid cube")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_wall_is_thinner_than_the_least(name, parts):
    """A slice that is shrunk and grown by half the least loses what is thinner, and corners alone else."""
    low, high = parts[name].bounding_box()[2], parts[name].bounding_box()[5]
    half = USUAL.thinnest / 2 - 0.02
    for height in np.linspace(low + 0.3, high - 0.3, 12):
        section = parts[name].slice(float(height))
        kept = section.offset(-half).offset(half)
        thin = (section - kept.offset(0.25)).decompose()
        assert [round(piece.area(), 2) for piece in thin if piece.area() > 0.3] == [], f"at {height:.1f} mm"


@pytest.mark.parametrize("name", NAMES)
def test_no_ceiling_is_too_wide_to_bridge(name, parts):
    """What begins above nothing is at most 8 mm from a support, as above the power plug."""
    low, high = parts[name].bounding_box()[2], parts[name].bounding_box()[5]
    sections = [parts[name].slice(float(height)) for height in np.arange(low + 0.3, high, 0.5)]
    for below, above in pairwise(sections):
        assert (above - below.offset(8.0)).area() == pytest.approx(0.0, abs=0.05)


def test_a_thin_wall_is_found():
    assert problems(replace(USUAL, wall=0.8)) == ("A wall of 0.8 mm is thinner than 1.2 mm and breaks.",)


@pytest.mark.slow
@pytest.mark.parametrize("button", BUTTONS)
@pytest.mark.parametrize("camera", CAMERAS)
def test_the_bought_parts_fit_in_and_touch_nothing(button, camera):
    enclosure = replace(USUAL, button=BUTTONS[button], camera=CAMERAS[camera])
    enclosure = replace(enclosure, height=sum(heights(enclosure.camera.lens)) / 2)
    case = lid_box(enclosure)
    bought = [item.solid for item in fittings(enclosure)] + [pi_solid(enclosure), camera_solid(enclosure)]
    for n, part in enumerate(bought):
        for name in ("tray", "cover", "holder", "rails"):
            assert (part ^ case[name]).volume() == pytest.approx(0, abs=0.05), (n, name)
        for other in bought[:n]:
            assert (part ^ other).volume() == pytest.approx(0, abs=NOTHING_MM3)


@pytest.mark.parametrize("button", BUTTONS)
def test_every_hole_of_the_cover_lets_its_part_through_and_no_larger_one(button):
    enclosure = replace(USUAL, button=BUTTONS[button])
    cover, top = console(enclosure)["cover"], 2 * enclosure.floor + enclosure.inside
    places = [(at, enclosure.button.thread) for at in button_places(enclosure)]
    places += [(at, 5.0) for at in lamp_places(enclosure)] + [(status_place(enclosure), 10.0)]
    for at, diameter in places:
        assert (rod(diameter, 0, top + 10, at) ^ cover).volume() == 0
        assert (rod(diameter + 1, 0, top + 10, at) ^ cover).volume() > 0


def test_screws_meet_their_holes():
    """Camera, Pi and ring are fixed where the boards have their holes, and a screw of M2 to M3 goes in."""
    tray = lid_box(USUAL)["tray"]
    low = USUAL.floor
    for at in (*USUAL.camera.holes, *pi_holes(USUAL)):
        assert (rod(1.6, low, low + 4, at) ^ tray).volume() == pytest.approx(0, abs=NOTHING_MM3)
        assert (rod(4.5, low, low + 4, at) ^ tray).volume() > 5
    holder = head(USUAL)["holder"]
    for at in ear_places(USUAL):
        assert (rod(3.0, -1, low, at) ^ tray).volume() == 0
        assert (rod(2.6, -6, 0, at) ^ holder).volume() == 0
        assert (rod(3.2, -6, 0, at) ^ holder).volume() > 0


def test_plugs_reach_the_pi():
    """Straight behind the power socket and the other sockets the walls are open."""
    tray = lid_box(USUAL)["tray"]
    x, y = pi_corner(USUAL)
    plug = block(12, 30, USUAL.floor + 4, USUAL.floor + 10, (x - USUAL.pi.power_at, y + 14))
    sockets = block(30, 52, USUAL.floor + 6, USUAL.floor + 23, (x - USUAL.pi.length - 18, y - 28))
    assert (plug ^ tray).volume() == 0
    assert (sockets ^ tray).volume() == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"height": 1100.0}, "works from 253 to 962 mm, not at 1100 mm"),
        ({"camera": CAMERAS["module3-wide"], "height": 600.0}, "Camera Module 3 Wide works from"),
        ({"width": 300.0}, "larger than the printer's bed"),
        ({"button": PushButton(30, 35, 60)}, "Buttons are 60 mm deep"),
        ({"width": 180.0}, "The Pi does not fit"),
        ({"ring": LightRing(outer=95)}, "needs a head of 109 mm"),
        ({"ring": LightRing(inner=20)}, "does not fit into the ring"),
        ({"seats": 0}, "1 to 8 seat lamps"),
    ],
)
def test_what_cannot_be_built_says_why(change, said):
    (fault,) = problems(replace(USUAL, **change))  # type: ignore[arg-type]
    assert said in fault


@pytest.mark.parametrize(
    ("camera", "height", "said"),
    [
        ("module3", 490.0, "An arm reaches 21 cm; its ribbon goes 83 cm along it: a ribbon of 100 cm."),
        ("module3-wide", 260.0, "An arm reaches 20 cm; its ribbon goes 59 cm along it: a ribbon of 100 cm."),
        (
            "module2",
            740.0,
            "An arm reaches 36 cm; its ribbon goes 123 cm along it: "
            "the Pi on the arm, for no ribbon is so long.",
        ),
    ],
)
def test_an_arm_names_the_ribbon_it_needs(camera, height, said):
    assert arm(replace(USUAL, camera=CAMERAS[camera], height=height)) == said


def test_the_files_in_the_docs_are_those_of_the_usual_enclosure():
    """One command makes them: python -m lab.enclosure."""
    there = {path.name for path in (ROOT / DOCS).iterdir()}
    made = files(USUAL)
    assert there == made.keys() | {f"{name}.png" for name in PICTURES}
    for name, content in made.items():
        kept = (ROOT / DOCS / name).read_bytes()
        if name.endswith(".svg"):
            assert kept.decode() == content.decode(), name
        if name.endswith(".stl"):
            volume, there_mm3 = (_volume_mm3(data) for data in (content, kept))
            assert there_mm3 == pytest.approx(volume, rel=1e-4), name
    assert sum(path.stat().st_size for path in (ROOT / DOCS).iterdir()) < 1_500_000


def _volume_mm3(stl: bytes) -> float:
    a, b, c = np.moveaxis(corners_of(stl).astype(float), 1, 0)
    return float((a * np.cross(b, c)).sum() / 6)


def test_the_command_writes_what_is_asked_for(tmp_path, capsys):
    options = parsed(["--camera", "hq-6mm", "--height", "540", "--button", "24", "--ring", "70", "58"])
    assert chosen(options).button.thread == 24
    assert main(["--out", str(tmp_path), "--height", "1100"]) == 1
    assert "works from" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_picture_shows_the_nearer_solid():
    far, near = Item(block(10, 10, 0, 1), (0, 0, 255)), Item(block(4, 4, 3, 4), (255, 0, 0))
    picture = rendered([far, near], 80, 80, turn_deg=0, tilt_deg=90)
    blue, _, red = picture[40, 40].astype(int)
    assert blue > 100 > red
    blue, _, red = picture[40, 12].astype(int)
    assert red > 100 > blue
