"""What a pixel of a die's surface shows: soft pips, domed faces, and shine that no edge sharpens."""

import numpy as np
import pytest

from lab.scenes.makes import plain_make
from lab.scenes.skin import Skin, die_skin

MAKE = plain_make("white")
STEP = 0.02
ALONG = np.linspace(-0.4, 0.4, 801)
"""Places on a line across the ace, in half sides."""
CLOUDS = 0.1
"""More than a body's own shade differs, as a share of the step from body to pip."""


def ace(across: int, slant_deg: float) -> Skin:
    """The skin along a line over the ace's face, along its first (0) or second side (1), seen by rays that
    slant along the first."""
    points = np.zeros((3, len(ALONG)), np.float32)
    points[across], points[2] = ALONG, 1.0
    normals = np.repeat(np.array([[0.0], [0.0], [1.0]], np.float32), len(ALONG), axis=1)
    slant = np.radians(slant_deg)
    rays = np.repeat(np.array([[np.sin(slant)], [0.0], [-np.cos(slant)]], np.float32), len(ALONG), axis=1)
    return die_skin(MAKE, points, normals, STEP, rays)


def softness(skin: Skin) -> float:
    """How wide the ace's two edges are, in half sides."""
    light = skin.albedo[0]
    share = (light - light.min()) / (light.max() - light.min())
    edge = (share > CLOUDS) & (share < 1 - CLOUDS)
    return float(edge.sum() * (ALONG[1] - ALONG[0]) / (1 - 2 * CLOUDS))


@pytest.mark.parametrize(
    ("across", "slant_deg", "wider", "reason"),
    [
        (0, 0.0, 1.0, "straight on a pixel is as wide as it is"),
        (1, 0.0, 1.0, "either way"),
        (0, 60.0, 2.0, "aslant it reaches twice as far along the slope"),
        (1, 60.0, 1.0, "but not across it"),
        (0, 89.9, 10.0, "and never without end"),
    ],
)
def test_edges_of_pips_are_as_soft_as_a_pixel_reaches(across, slant_deg, wider, reason):
    assert softness(ace(across, slant_deg)) == pytest.approx(2 * STEP * wider, rel=0.12), reason


def test_faces_are_domed_away_from_their_middle():
    left, right = die_lean(-0.9, 0.9)
    assert 0 < (right - left) / 2 < 0.15


def die_lean(*places: float) -> list[float]:
    """How far the normals of the top face lean outwards at places along a line, as slopes."""
    points = np.array([places, [0.9] * len(places), [1.0] * len(places)], np.float32)
    normals = np.repeat(np.array([[0.0], [0.0], [1.0]], np.float32), len(places), axis=1)
    skin = die_skin(MAKE, points, normals, STEP, -normals)
    return [float(n[0] / n[2]) for n in skin.normals.T]


def test_a_rounded_edge_shines_less_sharply_the_fewer_pixels_it_has():
    flat, edge = np.array([0, 0, 1.0]), np.array([1.0, 0, 1.0]) / np.sqrt(2)
    points = np.array([[0.9, 0.9, 1.0]] * 2, np.float32).T
    normals = np.array([flat, edge], np.float32).T
    rough = {step: die_skin(MAKE, points, normals, step, -normals).rough for step in (0.01, 0.05)}
    assert rough[0.01][0] == rough[0.05][0] == pytest.approx(MAKE.gloss)
    assert MAKE.gloss < rough[0.01][1] < rough[0.05][1]
