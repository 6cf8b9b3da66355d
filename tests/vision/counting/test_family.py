"""What lies round a candidate: likeness to clear dice raises its odds, a better one there lowers them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.counting.made_pips import HALF_PX, face_of, pips_at, places_of
from vision.counting.body import Bodies
from vision.counting.faces import Faces, join
from vision.counting.family import MOST_ODDS, NAMES, company, weigh_among
from vision.counting.pips import Pips
from vision.counting.scrutiny import Weighed, features

SHADE = 0.5


def fours(
    *middles: tuple[float, float], alone: tuple[float, ...] | None = None
) -> tuple[Pips, Faces, Bodies, Weighed]:
    """Fours on bodies all alike; `alone` are their odds by themselves."""
    pips = pips_at(np.concatenate([places_of(4, middle) for middle in middles]))
    parts = [face_of(4, middle) for middle in middles]
    faces = join(
        [replace(part, pips=np.where(part.pips < 0, -1, part.pips + 4 * k)) for k, part in enumerate(parts)]
    )
    count = len(middles)
    one = np.ones(count, np.float32)
    bodies = Bodies(one, 0 * one, np.ones((count, 4), np.float32), one, one, one, np.full((count, 3), SHADE))
    odds = np.array(alone or [0.0] * count, np.float32)
    return pips, faces, bodies, Weighed(features(pips, faces, bodies), odds)


def column(name: str, *candidates: object, sure: tuple[int, ...]) -> np.ndarray:
    return company(*candidates, np.array(sure, int))[:, NAMES.index(name)]  # type: ignore[arg-type]


APART = ((100, 100), (300, 100), (500, 100))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"scale": 1.4}, "another size"),
        ({"shade": SHADE + 0.2}, "another colour"),
        ({"radius": 1.6}, "other pips"),
    ],
)
def test_likeness_falls_with_every_difference(change: dict[str, float], reason: str) -> None:
    pips, faces, bodies, weighed = fours(*APART)
    alike = column("likest", pips, faces, bodies, weighed, sure=(0, 1))
    scale, shade, radius = bodies.scale.copy(), bodies.shade.copy(), pips.radius_px.copy()
    scale[2], shade[2] = change.get("scale", 1.0), change.get("shade", SHADE)
    radius[8:] *= change.get("radius", 1.0)
    changed = replace(bodies, scale=scale, shade=shade)
    other = column("likest", replace(pips, radius_px=radius), faces, changed, weighed, sure=(0, 1))
    assert alike[2] == pytest.approx(1, abs=0.01)
    assert other[2] < 0.2, reason


def test_a_candidate_is_likelier_beside_dice_like_it_than_alone() -> None:
    pips, faces, bodies, weighed = fours(*APART, alone=(6.0, 6.0, -1.0))
    lone = weigh_among(pips, faces, bodies, weighed, np.zeros(0, int))
    beside = weigh_among(pips, faces, bodies, weighed, np.array([0, 1]))
    strange = replace(bodies, shade=np.array([[SHADE] * 3, [SHADE] * 3, [0.95, 0.1, 0.1]]))
    unlike = weigh_among(pips, faces, strange, weighed, np.array([0, 1]))
    assert beside[2] > lone[2]
    assert beside[2] > unlike[2]


def test_a_better_candidate_at_the_same_place_is_a_rival() -> None:
    near = (500 + 0.5 * HALF_PX, 100)
    apart = fours(*APART, alone=(6.0, 6.0, 0.0))
    clash = fours((100, 100), near, (500, 100), alone=(6.0, 6.0, 0.0))
    free, rival = (column("rival", *candidates, sure=(0,)) for candidates in (apart, clash))
    assert (free[2], rival[2]) == (-MOST_ODDS, 6.0)
    assert rival[0] == -MOST_ODDS
    odds = [weigh_among(*candidates, np.array([0]))[2] for candidates in (apart, clash)]
    assert odds[1] < odds[0]


def test_candidates_that_share_a_pip_are_rivals_however_far() -> None:
    pips, faces, bodies, weighed = fours(*APART, alone=(6.0, 3.0, 0.0))
    members = faces.pips.copy()
    members[2, 3] = members[1, 3]
    rivals = column("rival", pips, replace(faces, pips=members), bodies, weighed, sure=(0,))
    assert rivals.tolist() == [-MOST_ODDS, 0.0, 3.0]


def test_pips_on_no_clear_die_are_loose() -> None:
    pips, faces, bodies, weighed = fours(*APART)
    loose = np.expm1(column("loose_pips", pips, faces, bodies, weighed, sure=(0, 1)))
    assert loose == pytest.approx(4), "those of the third, which is not clear"
    faint = replace(pips, quality=np.where(np.arange(12) < 8, 0.6, 0.1).astype(np.float32))
    assert column("loose_pips", faint, faces, bodies, weighed, sure=(0, 1)) == pytest.approx(0)


def test_without_candidates_nothing_is_weighed() -> None:
    pips, faces, bodies, weighed = fours(*APART)
    none = np.zeros(0, int)
    empty = Bodies(*(getattr(bodies, name)[none] for name in Bodies.__slots__))
    assert len(weigh_among(pips, faces.take(none), empty, weighed.take(none), none)) == 0
