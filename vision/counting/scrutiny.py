"""Each candidate by itself, weighed by a perceptron with one hidden layer.

It knows that a feature can mean one thing on a large die and another on a small one; what lies round a
candidate is weighed after it (`family`). Fitted by `vision.training.weights.scrutiny` on pictures other than
those of docs/reference/measured.md. Before all that a smaller perceptron drops candidates for which no body
is worth looking for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np

from vision.arrays import Bools, Floats, Ints
from vision.counting.body import Bodies
from vision.counting.faces import Faces, mean_of_pips
from vision.counting.pips import Pips

NAMES = (
    "misfit", "least_pip", "most_body", "missing", "squeezed", "skew", "inside", "around",
    "quality", "worst_quality", "radius", "contrast", "radii", "contrasts", "rings", "flat", "flats",
    "residual", "spacing", "light", "side1", "side2", "side3", "side4", "clean", "outside", "own", "scale",
    "large", "turned", "pip_share", "half", "face1", "face2", "face3", "face4", "face5", "face6",
)  # fmt: skip
"""One word per column of `features`; plurals are how far the pips of one candidate differ."""

LATER = NAMES[NAMES.index("side1") : NAMES.index("face1")]
"""Those that take a body to tell."""

FIRST_NAMES = (*(name for name in NAMES if name not in LATER), "face_half")
"""What is known of a candidate before a body is looked for, one word per column of `first_features`."""

PROMISING, MAX_CANDIDATES = -3.0, 350
"""Logarithm of the odds that a candidate will matter once its body is known, below which none is looked for;
and for how many candidates one is looked for at most, which bounds the cost on cloths that are all dots."""

HOPELESS = -6.0
"""Logarithm of odds below which a candidate is none, whatever lies round it."""

MOST_STRANGE = 6.0
"""Standard deviations at which a feature counts no more than that."""


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Weights for T features and H hidden cells: `mean` and `spread` (T,), `inner` (T, H), `bias` (H,),
    `outer` (H,) and `base`."""

    mean: Floats
    spread: Floats
    inner: Floats
    bias: Floats
    outer: Floats
    base: float

    def odds(self, found: Floats) -> Floats:
        """Logarithm of the odds (M,) for features (M, T)."""
        plain = np.clip((found - self.mean) / self.spread, -MOST_STRANGE, MOST_STRANGE)
        # einsum, not BLAS: some emulated processors make nonsense of its products
        hidden = np.tanh(np.einsum("mt,th->mh", plain, self.inner) + self.bias)
        return np.asarray((hidden * self.outer).sum(axis=1) + self.base, np.float32)


@dataclass(frozen=True, slots=True)
class Weighed:
    """M candidates, each weighed by itself.

    `features` (M, T); `alone` (M,): the logarithm of the odds that each is a die showing its face.
    """

    features: Floats
    alone: Floats

    @property
    def chance(self) -> Floats:
        """Chance (M,) of each."""
        return as_chance(self.alone)

    @property
    def hopeful(self) -> Bools:
        """Which candidates (M,) are weighed among their neighbours too."""
        return np.asarray(self.alone > HOPELESS)

    def take(self, which: Ints | Bools) -> Weighed:
        return Weighed(self.features[which], self.alone[which])


@cache
def fitted(name: str) -> Perceptron:
    """The weights that come with the program: `first` for candidates without a body, `alone` for those with
    one, `among` for those among their neighbours."""
    text = (resources.files("vision") / "models" / "scrutiny.json").read_text(encoding="utf-8")
    data = json.loads(text)[name]
    parts = {key: np.array(data[key], np.float32) for key in ("mean", "spread", "inner", "bias", "outer")}
    return Perceptron(**parts, base=float(data["base"]))


def promising(pips: Pips, faces: Faces) -> Faces:
    """The candidates for which it is worth looking for a body: that costs more than all that was done
    before."""
    odds = fitted("first").odds(first_features(pips, faces))
    worth = np.nonzero(odds > PROMISING)[0]
    best = worth[np.argsort(-odds[worth], kind="stable")[:MAX_CANDIDATES]]
    return faces.take(np.sort(best))


def weigh(pips: Pips, faces: Faces, bodies: Bodies, by: Perceptron | None = None) -> Weighed:
    """All candidates, each weighed by itself; `by` stands for the perceptron that comes with the program."""
    found = features(pips, faces, bodies)
    return Weighed(found, (by or fitted("alone")).odds(found))


def as_chance(odds: Floats) -> Floats:
    """Chances for logarithms of odds, of any shape."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), np.float32)


def features(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """What the perceptron weighs, (M, len(NAMES))."""
    columns = [_of_layout(faces), _of_pips(pips, faces), _of_body(pips, faces, bodies), _shown(faces)]
    return np.column_stack(columns).astype(np.float32)


def first_features(pips: Pips, faces: Faces) -> Floats:
    """What the first perceptron weighs, (M, len(FIRST_NAMES))."""
    columns = [_of_layout(faces), _of_pips(pips, faces), _shown(faces), np.log(faces.half_px)]
    return np.column_stack(columns).astype(np.float32)


def _shown(faces: Faces) -> Bools:
    """The face of each candidate as six columns."""
    return np.asarray(faces.face[:, None] == np.arange(1, 7))


def _of_layout(faces: Faces) -> Floats:
    """How well the pips lie, and what lies round them."""
    row, column = np.linalg.norm(faces.row_px, axis=1), np.linalg.norm(faces.column_px, axis=1)
    return np.column_stack(
        [
            np.minimum(faces.misfit, 1.0),
            np.clip(faces.least_pip, 0, 1.2),
            np.clip(faces.most_body, -0.3, 1),
            np.maximum(faces.face - (faces.pips >= 0).sum(axis=1), 0),
            np.abs(np.log(row / column)),
            np.abs((faces.row_px * faces.column_px).sum(axis=1)) / (row * column),
            np.minimum(faces.inside, 3),
            np.log1p(np.minimum(faces.around, 12)),
        ]
    )


def _of_pips(pips: Pips, faces: Faces) -> Floats:
    """The pips themselves, and how alike they are."""
    columns = [pips.quality, pips.radius_px, pips.contrast, pips.flat, pips.residual, pips.ring]
    usual = mean_of_pips(np.column_stack(columns), faces)
    (quality, radius, contrast, flat, residual), ring = usual.T[:5], usual[:, 5:]
    real, members = faces.pips >= 0, np.maximum(faces.pips, 0)
    rings = np.where(real, np.linalg.norm(pips.ring[members] - ring[:, None], axis=2), 0).max(axis=1)
    return np.column_stack(
        [
            quality,
            np.where(real, pips.quality[members], np.inf).min(axis=1),
            np.log(radius),
            np.log(np.clip(contrast, 0.03, 1.2)),
            _spread(np.log(pips.radius_px), faces),
            _spread(np.log(pips.contrast), faces),
            np.minimum(rings / np.maximum(contrast, 0.02), 1),
            flat,
            _spread(pips.flat, faces),
            residual,
            np.log(faces.half_px / radius),
            pips.light[faces.pips[:, 0]],
        ]
    )


def _of_body(pips: Pips, faces: Faces, bodies: Bodies) -> Floats:
    """The body, and how large it is."""
    log_scale, half = np.log(bodies.scale), faces.half_px * bodies.scale
    radius = mean_of_pips(pips.radius_px, faces)
    return np.column_stack(
        [
            bodies.sides, bodies.clean, bodies.outside, bodies.own,
            np.abs(log_scale), np.maximum(log_scale, 0), np.abs(np.sin(2 * bodies.turn_rad)),
            np.log(half / radius), np.log(half),
        ]
    )  # fmt: skip


def _spread(values: Floats, faces: Faces) -> Floats:
    """Largest less smallest of a property among the pips of each candidate."""
    real, taken = faces.pips >= 0, values[np.maximum(faces.pips, 0)]
    most, least = np.where(real, taken, -np.inf).max(axis=1), np.where(real, taken, np.inf).min(axis=1)
    return np.asarray(most - least)
