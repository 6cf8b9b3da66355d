"""The sum of what speaks for and against a guess."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.counting.made_pips import face_of, pips_at, places_of
from vision.counting.body import Bodies
from vision.counting.evidence import NAMES, chances, evidence


def chance(face: int, sides: float = 1.0, own: float = 1.0, clean: float = 1.0, inside: float = 0.0) -> float:
    """Of one guess with a body like this."""
    one, none = np.ones(1, np.float32), np.zeros(1, np.float32)
    edges, shade = np.full((1, 4), sides, np.float32), np.full((1, 3), 0.5, np.float32)
    bodies = Bodies(one, none, edges, clean * one, one, own * one, shade)
    faces = replace(face_of(face), inside=inside * one)
    return float(chances(pips_at(places_of(face)), faces, bodies)[0])


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("worse", [{"sides": 0.2}, {"own": 0.5}, {"clean": 0.3}], ids=lambda w: next(iter(w)))
def test_a_body_speaks_for_a_face(face: int, worse: dict[str, float]) -> None:
    assert chance(face) > 0.8
    assert chance(face, **worse) < chance(face)


@pytest.mark.parametrize("face", range(1, 7))
def test_pips_without_a_body_are_hardly_a_die(face: int) -> None:
    assert chance(face, sides=0.1, own=0.5, clean=0.8) < 0.3


def test_every_feature_is_named_once_and_finite() -> None:
    one = np.ones(1, np.float32)
    bodies = Bodies(one, one, np.ones((1, 4), np.float32), one, one, one, np.ones((1, 3), np.float32))
    found = evidence(pips_at(places_of(6)), face_of(6), bodies)
    assert found.shape == (1, len(NAMES)) == (1, len(set(NAMES)))
    assert np.isfinite(found).all()
