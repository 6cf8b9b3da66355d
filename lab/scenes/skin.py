"""The skin of a die: colour, shine and small relief at each point of its surface."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lab.scenes import marks
from lab.scenes.colours import linear
from lab.scenes.pips import frame_of, has_pips, layout
from lab.scenes.values import FloatArray, Make

Indices = NDArray[np.intp]

_FLAT = 0.999  # largest part of a normal that lies on a flat face
_TURN, _SHARPEST = 0.7, 0.04  # of a pixel on a rounded edge, radians over its share of the radius
_DOME = (0.02, 0.09)  # slope of a face's rim
_UNEVEN = 0.4  # slope of dents and bumps, as a share of that
_WAVES = np.array([[2.9, 1.7, -2.3], [-1.9, 3.1, 2.2], [2.1, -2.6, 2.7]], np.float32)
_CLOUDY = 0.08  # how much the shade of moulded plastic differs within one die
_DIRT, _DIRTIEST, _SPECKS = 0.35, 0.0007, 24.0  # how dark, on how much of a face, how many to half a side
_FLAKES = (16.0, 25.0, 40.0)  # of glitter, to half a side: 0.5 to 0.2 mm
_MIN_DEPTH = 0.1  # of a ray along a face's normal: what is seen flatter is blurred no more


@dataclass(slots=True, eq=False)
class Skin:
    """Surface of n points.

    `albedo` (3, n) is linear. `normals` (3, n) are in the thing's own axes. `rough` (n,) is the roughness of
    the shine, `open` (n,) the share of ambient light that reaches it. `clear` in [0, 1] is the share of light
    that passes through.
    """

    albedo: FloatArray
    normals: FloatArray
    rough: FloatArray
    open: FloatArray
    clear: float = 0.0


def die_skin(make: Make, points: FloatArray, normals: FloatArray, step: float, inward: FloatArray) -> Skin:
    """Skin at `points` (3, n) in units of half the side; `step` is the size of a pixel in the same unit.

    `inward` (3, n) are the directions in which the rays go on, for oblique faces and transparent bodies.
    """
    body = _body(make, points)
    count = points.shape[1]
    rough = _roughness(make, normals, step)
    skin = Skin(body, _domed(make, points, normals), rough, np.ones(count, np.float32))
    side = _side_of(points)
    for face in range(1, 7):
        frame = frame_of(face, make).astype(np.float32)
        here = np.flatnonzero(side == _side_of(frame[2][:, None]))
        if here.size:
            reach = _Reach.of(step, frame, inward[:, here])
            _print_face(skin, make, face, frame, points, here, reach)
    if make.texture == "clear":
        skin.clear = 0.55
        _show_far_pips(skin, make, points, inward, step)
    return skin


def _roughness(make: Make, normals: FloatArray, step: float) -> FloatArray:
    """Roughness of the shine (n,): a pixel on a rounded edge sees many directions at once, and no hair of
    light."""
    round_edge = np.abs(normals).max(axis=0) < _FLAT
    spread = np.where(round_edge, _TURN * step / max(make.corner, _SHARPEST), 0.0)
    return np.asarray(np.hypot(make.gloss, np.minimum(spread, 1.0)), np.float32)


def _domed(make: Make, points: FloatArray, normals: FloatArray) -> FloatArray:
    """The normals (3, n) of faces that are a little domed and uneven, as plastic comes out of its mould."""
    dome = np.float32(_DOME[0] + (_DOME[1] - _DOME[0]) * (make.grain_seed % 97) / 96)
    along = points - normals * np.einsum("ij,ij->j", points, normals)
    waves = np.sin(_WAVES @ points + np.float32(make.grain_seed % 89))
    bent = normals + dome * (along + _UNEVEN * waves)
    return np.asarray(bent / np.sqrt(np.einsum("ij,ij->j", bent, bent)), np.float32)


def paint_rgb(face: int, make: Make) -> tuple[float, float, float]:
    """Colour of the pips of a face: aces and fours of Asian dice have their own."""
    return {1: make.ace_rgb, 4: make.four_rgb}.get(face, make.pip_rgb)


def _side_of(points: FloatArray) -> FloatArray:
    """Number 0 to 5 of the cube's side each point (3, n) belongs to."""
    axis = np.abs(points).argmax(axis=0)
    return np.asarray(axis * 2 + (np.take_along_axis(points, axis[None], 0)[0] > 0))


def _print_face(
    skin: Skin, make: Make, face: int, frame: FloatArray, points: FloatArray, here: Indices, reach: _Reach
) -> None:
    """Put the pips or the mark of one face on the points `here`."""
    u, v, _ = frame @ points[:, here]
    if make.inset > 0:
        disc = _edge(make.inset - np.sqrt(u * u + v * v), reach.outwards(u, v))
        skin.albedo[:, here] = _mix(skin.albedo[:, here], linear(make.inset_rgb)[:, None], disc)
    if not has_pips(face, make):
        cover = marks.sample(dict(make.marks)[face], u / 0.95, v / 0.95)
        skin.albedo[:, here] = _mix(skin.albedo[:, here], linear(make.pip_rgb)[:, None], cover)
        return
    du, dv, radius = _to_nearest(layout(face, make).astype(np.float32), u, v)
    _dent(skin, make, here, du, dv, radius, frame)
    paint = _edge(radius * (1 - make.rim) - np.sqrt(du * du + dv * dv), reach.outwards(du, dv))
    skin.albedo[:, here] = _mix(skin.albedo[:, here], linear(paint_rgb(face, make))[:, None], paint)
    lacquer = np.hypot(_lacquer(make), np.minimum(_TURN * make.dimple * reach.step / radius, 1.0))
    skin.rough[here] = _mix(skin.rough[here], lacquer, paint)


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """How far a pixel reaches on a face seen aslant: `step` across, farther the way it slants (n,), (n,)."""

    step: float
    slant_u: FloatArray
    slant_v: FloatArray

    @classmethod
    def of(cls, step: float, frame: FloatArray, rays: FloatArray) -> _Reach:
        """That of pixels `step` wide on a face with the rows `frame`, seen along `rays` (3, n)."""
        u, v, depth = frame @ rays
        depth = np.maximum(np.abs(depth), _MIN_DEPTH)
        return cls(step, u / depth, v / depth)

    def outwards(self, du: FloatArray, dv: FloatArray) -> FloatArray:
        """The reach (n,) away from middles that lie (du, dv) before each point."""
        far = np.sqrt(du * du + dv * dv) + 1e-6
        return np.asarray(self.step * np.hypot(1, (du * self.slant_u + dv * self.slant_v) / far), np.float32)


def _lacquer(make: Make) -> float:
    """Roughness of the paint in the pips, which is seldom that of the body."""
    return 0.06 + 0.3 * (make.grain_seed % 31) / 30


def _to_nearest(pips: FloatArray, u: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Offsets (n,) from the nearest pip of (k, 3), and its radius."""
    du, dv = u - pips[:, :1], v - pips[:, 1:2]
    best = (du * du + dv * dv - pips[:, 2:] ** 2).argmin(axis=0)
    pick = best[None]
    return np.take_along_axis(du, pick, 0)[0], np.take_along_axis(dv, pick, 0)[0], pips[best, 2]


def _dent(
    skin: Skin,
    make: Make,
    here: Indices,
    du: FloatArray,
    dv: FloatArray,
    radius: FloatArray,
    frame: FloatArray,
) -> None:
    """Tilt the normals of drilled pips towards their middle and let less light into them."""
    if make.dimple <= 0:
        return
    share2 = (du * du + dv * dv) / (radius * radius)
    within = np.clip((1 - share2) * 8, 0, 1)
    slope = make.dimple * within * (share2**2 if make.drilled else 1) / radius
    bent = skin.normals[:, here] - (slope * du) * frame[0][:, None] - (slope * dv) * frame[1][:, None]
    skin.normals[:, here] = bent / np.sqrt(np.einsum("ij,ij->j", bent, bent))
    depth = within if make.drilled else np.clip(1 - share2, 0, 1)
    skin.open[here] *= 1 - min(0.6, 0.45 * make.dimple) * depth


def _body(make: Make, points: FloatArray) -> FloatArray:
    """Albedo (3, n) of the body without pips."""
    first, second = linear(make.body_rgb)[:, None], linear(make.second_rgb)[:, None]
    if make.texture in ("plain", "clear"):
        cloudy = 1 + _CLOUDY * (_veins(replace(make, grain=0.9), points) - 0.5)
        return np.asarray(first * cloudy * (1 - _DIRT * _dirty(make, points)), np.float32)
    if make.texture == "glitter":
        return _glitter(make, points, first, second)
    if make.texture == "wood":
        return np.asarray(_mix(first, second, 0.45 + 0.4 * _grain(make, points)), np.float32)
    if make.texture == "speckle":
        fleck = _veins(replace(make, grain=make.grain * 5), points)
        return np.asarray(_mix(first, second, np.clip((fleck - 0.75) * 8, 0, 1)), np.float32)
    veins = _veins(make, points)
    share = veins**2 if make.texture == "pearl" else np.clip(veins * 1.6 - 0.3, 0, 1)
    return np.asarray(_mix(first, second, share), np.float32)


def _dirty(make: Make, points: FloatArray) -> FloatArray:
    """Where specks of dirt sit, 0 or 1 (n,): on some makes none, on others some to a face."""
    share = _DIRTIEST * (make.grain_seed % 5) / 4
    return np.asarray(_hash(np.floor(points * _SPECKS), make.grain_seed) > 1 - share, np.float32)


def _veins(make: Make, points: FloatArray) -> FloatArray:
    """Swirls in [0, 1]: sines bent by sines, each make and each die another cut."""
    rng = np.random.default_rng(make.grain_seed)
    p = points * np.float32(make.grain)
    for _ in range(3):
        axes = rng.normal(0, 1, (3, 3)).astype(np.float32)
        p = p + 0.8 * np.sin(axes @ p + rng.uniform(0, 6.3, (3, 1)).astype(np.float32))
    return np.asarray(0.5 + 0.5 * np.sin(p[0] + p[1] * 0.7), np.float32)


def _grain(make: Make, points: FloatArray) -> FloatArray:
    """Year rings of wood in [-1, 1]."""
    rng = np.random.default_rng(make.grain_seed)
    off = rng.uniform(1, 4, 2)
    x, y = points[0] + off[0] + 0.08 * np.sin(points[2] * 3), points[1] + off[1]
    ring = np.sqrt(x * x + y * y)
    return np.asarray(np.sin(ring * make.grain * 7 + 2 * np.sin(ring * 5.3)) * np.sin(ring * 2.7), np.float32)


def _glitter(make: Make, points: FloatArray, first: FloatArray, second: FloatArray) -> FloatArray:
    """Flakes of three sizes that shine in the second colour, on swirls of the first."""
    base = _mix(first, first * 0.35, _veins(make, points) * 0.7)
    for k, size in enumerate(_FLAKES):
        cell = np.floor(points * size + k)
        spark = np.clip(_hash(cell, make.grain_seed + k) - 0.9, 0, 1) * 10
        tint = np.stack([_hash(cell, make.grain_seed + 7 * c + k) for c in range(3)])
        base = _mix(base, second * (0.4 + 0.9 * tint), spark)
    return np.asarray(base, np.float32)


def _hash(cell: FloatArray, seed: int) -> FloatArray:
    """A number in [0, 1) for each whole cell (3, n), by the usual hash with sines."""
    mixed = cell[0] * 12.9898 + cell[1] * 78.233 + cell[2] * 37.719 + (seed % 1000) * 0.37
    return np.asarray(np.modf(np.abs(np.sin(mixed.astype(np.float64)) * 43758.5453))[0], np.float32)


def _show_far_pips(skin: Skin, make: Make, points: FloatArray, inward: FloatArray, step: float) -> None:
    """Through a clear body the pips of the far faces are seen, dimly and blurred."""
    with np.errstate(divide="ignore"):
        reach = ((np.sign(inward) * 1.0 - points) / np.where(np.abs(inward) < 1e-5, 1e-5, inward)).min(axis=0)
    far = points + inward * np.maximum(reach, 0)
    side = _side_of(far)
    for face in range(1, 7):
        frame = frame_of(face, make).astype(np.float32)
        here = np.flatnonzero(side == _side_of(frame[2][:, None]))
        if here.size and has_pips(face, make):
            u, v, _ = frame @ far[:, here]
            du, dv, radius = _to_nearest(layout(face, make).astype(np.float32), u, v)
            paint = 0.25 * _edge(radius - np.sqrt(du * du + dv * dv), step * 7)
            skin.albedo[:, here] = _mix(skin.albedo[:, here], linear(paint_rgb(face, make))[:, None], paint)


def _edge(distance: FloatArray, step: FloatArray | float) -> FloatArray:
    """Coverage of a shape at a signed distance (inside above 0) for pixels of size `step`."""
    return np.asarray(np.clip(distance / step + 0.5, 0, 1), np.float32)


def _mix(a: FloatArray, b: FloatArray, share: FloatArray) -> FloatArray:
    return np.asarray(a + (b - a) * share, np.float32)
