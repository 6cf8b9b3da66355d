"""What is true of each die in the picture, from the scene alone."""

from __future__ import annotations

import math

import cv2
import numpy as np

from lab.scenes.pips import frame_of, has_pips, layout, normal_of
from lab.scenes.space import Eye
from lab.scenes.values import DieTruth, FloatArray, Lying, PipTruth, Point

_SQUARE = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)


def truth_of(die: Lying, eye: Eye, seen: float) -> DieTruth:
    """The truth of a die of which other things leave the share `seen` of the top face unhidden."""
    corners = face_corners(die, die.face, eye)
    centre = eye.project(on_face(die, die.face, np.zeros((1, 2))))[0]
    sides = [f for f in range(1, 7) if f != die.face and _towards(die, f, eye)]
    within = _share_within(corners, eye)
    return DieTruth(
        face=die.face,
        x_px=float(centre[0]),
        y_px=float(centre[1]),
        size_px=float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()),
        angle_deg=_angle(corners),
        corners_px=_points(corners),
        pips=_pips(die, eye),
        colour=die.make.body,
        visible=within * seen,
        cut=_body_share(die, eye) < 0.999,
        cocked=die.cocked,
        symbol=dict(die.make.marks).get(die.face, "").lstrip("*#"),
        sides=tuple(sides),
        sides_px=tuple(_points(face_corners(die, f, eye)) for f in sides),
        tilt_deg=_off_view(die, eye),
    )


def on_face(die: Lying, face: int, uv: FloatArray) -> FloatArray:
    """World points (n, 3) of face coordinates (n, 2) in units of half the side."""
    u, v, n = frame_of(face, die.make)
    own = uv[:, :1] * u + uv[:, 1:2] * v + n
    return np.asarray(own * (die.make.side_mm / 2) @ np.asarray(die.turn).T + np.asarray(die.centre_mm))


def face_corners(die: Lying, face: int, eye: Eye) -> FloatArray:
    """Corners (4, 2) of a face in the picture, as if its edges were sharp."""
    return eye.project(on_face(die, face, _SQUARE))


def _towards(die: Lying, face: int, eye: Eye) -> bool:
    """Whether the camera sees the face from its outer side."""
    normal = np.asarray(die.turn) @ normal_of(face, die.make.left_handed)
    middle = on_face(die, face, np.zeros((1, 2)))[0]
    return bool(normal @ (eye.place_mm - middle) > 0)


def _off_view(die: Lying, eye: Eye) -> float:
    """Angle between the top face's normal and the line of sight to it, in degrees."""
    normal = np.asarray(die.turn) @ normal_of(die.face, die.make.left_handed)
    to = eye.place_mm - on_face(die, die.face, np.zeros((1, 2)))[0]
    return math.degrees(math.acos(float(np.clip(normal @ to / np.linalg.norm(to), -1, 1))))


def _pips(die: Lying, eye: Eye) -> tuple[PipTruth, ...]:
    """The top face's pips; none where a mark stands for them."""
    if not has_pips(die.face, die.make):
        return ()
    found = []
    ring = np.array([(math.cos(a), math.sin(a)) for a in np.arange(8) * math.pi / 4])
    for u, v, radius in layout(die.face, die.make):
        edge = eye.project(on_face(die, die.face, np.array([u, v]) + ring * radius))
        x, y = eye.project(on_face(die, die.face, np.array([[u, v]])))[0]
        area = abs(float(cv2.contourArea(edge.astype(np.float32)))) * (math.pi / (2 * math.sqrt(2)))
        found.append(PipTruth(float(x), float(y), math.sqrt(area / math.pi)))
    return tuple(found)


def _share_within(polygon: FloatArray, eye: Eye) -> float:
    """Share of a convex polygon's area that lies within the picture."""
    shape = polygon.astype(np.float32)
    w, h = eye.width_px - 0.5, eye.height_px - 0.5
    frame = np.array([(-0.5, -0.5), (w, -0.5), (w, h), (-0.5, h)], np.float32)
    area = abs(float(cv2.contourArea(shape)))
    both = cv2.intersectConvexConvex(cv2.convexHull(shape), frame)[0]
    return float(min(1.0, both / area)) if area > 0 else 0.0


def _body_share(die: Lying, eye: Eye) -> float:
    """Share of the whole body's outline that lies within the picture."""
    every = np.concatenate([face_corners(die, f, eye) for f in range(1, 7)])
    hull = cv2.convexHull(every.astype(np.float32))[:, 0]
    return _share_within(np.asarray(hull, float), eye)


def _angle(corners: FloatArray) -> float:
    """Turn of the face's first side in [0, 90)."""
    dx, dy = corners[1] - corners[0]
    return math.degrees(math.atan2(dy, dx)) % 90.0


def _points(corners: FloatArray) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in corners)
