"""How thrown dice come to lie: anywhere, touching, packed, leaning, never within one another."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lab.scenes.pips import turn_to_top
from lab.scenes.space import as_turn, turn_about
from lab.scenes.values import FloatArray, Lying, Make, SceneError

Rng = np.random.Generator
_TRIES = 300


@dataclass(frozen=True, slots=True)
class Pose:
    """A die's place on the table: centre in millimetres, half side, turn; `lean_rad` where it is cocked,
    `base_mm` how high its foot is where it lies on another die."""

    x_mm: float
    y_mm: float
    half_mm: float
    yaw_rad: float
    lean_rad: float = 0.0
    lean_towards_rad: float = 0.0
    base_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Ground:
    """Where dice may lie: draws a point at random, and says whether a point has room for a radius."""

    draw: Callable[[Rng], tuple[float, float]]
    free: Callable[[float, float, float], bool]


def footprint(pose: Pose) -> FloatArray:
    """Corners (4, 2) of the ground a die covers; a cocked one covers a larger square."""
    half = pose.half_mm * (1.0 if not pose.lean_rad else 1.45)
    c, s = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    square = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], float) * half
    return np.asarray(square @ np.array([[c, s], [-s, c]]) + (pose.x_mm, pose.y_mm))


def overlap(a: Pose, b: Pose, gap_mm: float = 0.0) -> bool:
    """Whether two dice would lie within one another: no side of either separates them by `gap_mm`."""
    reach = (a.half_mm + b.half_mm) * 2.1
    if abs(a.x_mm - b.x_mm) > reach or abs(a.y_mm - b.y_mm) > reach:
        return False
    p, q = footprint(a), footprint(b)
    for pose in (a, b):
        for angle in (pose.yaw_rad, pose.yaw_rad + math.pi / 2):
            axis = np.array([math.cos(angle), math.sin(angle)])
            u, v = p @ axis, q @ axis
            if u.min() - v.max() >= gap_mm or v.min() - u.max() >= gap_mm:
                return False
    return True


def scatter(halves: Sequence[float], ground: Ground, rng: Rng, clump: float = 0.0) -> list[Pose]:
    """Places for dice of the given half sides; each with probability `clump` rolls against one that lies."""
    poses: list[Pose] = []
    for half in halves:
        poses.append(_place(half, poses, ground, rng, clump))
    return poses


def pack(halves: Sequence[float], ground: Ground, rng: Rng) -> list[Pose]:
    """Dice pushed together into rows, as a wall or a filled box."""
    half = max(halves)
    columns = max(1, round(math.sqrt(len(halves) * rng.uniform(0.6, 2.2))))
    base, pitch = rng.uniform(0, math.pi), 2 * half * 1.012
    c, s = math.cos(base), math.sin(base)
    rows = -(-len(halves) // columns)
    poses = []
    for k, own in enumerate(halves):
        u = (k % columns - (columns - 1) / 2) * pitch
        v = (k // columns - (rows - 1) / 2) * pitch
        slack = half - own
        quarter = math.pi / 2 * rng.integers(4)
        u, v = u + rng.uniform(-slack, slack), v + rng.uniform(-slack, slack)
        poses.append(Pose(c * u - s * v, s * u + c * v, own, base + quarter))
    return poses


def lying(face: int, make: Make, pose: Pose) -> Lying:
    """The die at its place, standing on the table."""
    turn = turn_to_top(face, make, pose.yaw_rad)
    if pose.lean_rad:
        axis = (math.cos(pose.lean_towards_rad), math.sin(pose.lean_towards_rad), 0.0)
        turn = turn_about(axis, pose.lean_rad) @ turn
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * pose.half_mm
    round_off = make.corner * pose.half_mm * (math.sqrt(3) - 1) * min(1.0, 4 * pose.lean_rad)
    height = pose.base_mm - float((corners @ turn.T)[:, 2].min()) - 0.8 * round_off
    return Lying(face, make, (pose.x_mm, pose.y_mm, height), as_turn(turn), pose.lean_rad > 0)


def leaned(pose: Pose, rng: Rng) -> Pose:
    """The same place with the die cocked by 9 to 32 degrees about one of its bottom edges."""
    side = pose.yaw_rad + math.pi / 2 * int(rng.integers(4))
    return replace(pose, lean_rad=math.radians(rng.uniform(9, 32)), lean_towards_rad=side)


def stacked(poses: Sequence[Pose], rng: Rng) -> list[Pose]:
    """The same dice with the last one lifted onto the first, where nothing taller is in its way."""
    low, high = poses[0], poses[-1]
    reach = 0.5 * low.half_mm
    x, y = low.x_mm + rng.uniform(-reach, reach), low.y_mm + rng.uniform(-reach, reach)
    up = Pose(x, y, high.half_mm, rng.uniform(0, 2 * math.pi), base_mm=2 * low.half_mm)
    taller = [s for s in poses[1:-1] if 2 * s.half_mm > up.base_mm - 0.1]
    return [*poses[:-1], high if any(overlap(up, s) for s in taller) else up]


def _place(half: float, poses: list[Pose], ground: Ground, rng: Rng, clump: float) -> Pose:
    gap = 0.25 * half
    for attempt in range(_TRIES):
        if attempt > _TRIES // 2:
            gap = 0.02 * half
        if poses and rng.uniform() < clump:
            pose = _against(poses[int(rng.integers(len(poses)))], half, rng)
            room = 0.01 * half
        else:
            pose, room = Pose(*ground.draw(rng), half, rng.uniform(0, 2 * math.pi)), gap
        if ground.free(pose.x_mm, pose.y_mm, half) and not any(overlap(pose, o, room) for o in poses):
            return pose
    raise SceneError("The dice do not fit on the table: take fewer or smaller ones.")


def _against(other: Pose, half: float, rng: Rng) -> Pose:
    """A place in which the die touches `other`: slid towards it until a side of either stops it."""
    heading = rng.uniform(0, 2 * math.pi)
    turn = other.yaw_rad if rng.uniform() < 0.35 else rng.uniform(0, 2 * math.pi)
    near, far = 0.5 * half, 3.2 * (half + other.half_mm)
    for _ in range(18):
        middle = (near + far) / 2
        pose = _beside(other, middle, heading, half, turn)
        near, far = (middle, far) if overlap(pose, other, 0.02 * half) else (near, middle)
    return _beside(other, far, heading, half, turn)


def _beside(other: Pose, distance: float, heading: float, half: float, turn: float) -> Pose:
    x = other.x_mm + distance * math.cos(heading)
    return Pose(x, other.y_mm + distance * math.sin(heading), half, turn)
