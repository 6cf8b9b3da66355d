"""Calibrated probabilities: of each die's faces and of its being none, of two being one thing, of a die at
each doubted place, and of dice lying there of which nothing tells.

Logistic regressions over few features, fitted on labelled photographs (`python -m lab.measure.calibrate`),
each source left out in turn where figures are quoted (lab/docs/measured.md). Where count and nets
agree and nothing speaks against a die, it is wrong too seldom for a fit: those rates are counted
(`vision/models/fits.toml`).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision import fits
from vision.agreement import trust
from vision.checks.dice import TOUCHING, gaps, pairs
from vision.values import FACES, Die, Doubt, Pair, Reading, is_strong

LOG_RANGE = (-7.0, 3.0)
"""Log odds of raw probabilities: beyond these they say no more."""


@dataclass(frozen=True, slots=True)
class View:
    """The whole picture: whether it is slanting, whether dice were read too near to one another, and how many
    are uncertain, of how many."""

    slanting: bool
    crowded: bool
    uncertain: int
    dice: int

    @property
    def doubted(self) -> float:
        """The logarithm of the share of uncertain dice: strong ones beside show how well this picture is
        read."""
        return math.log((self.uncertain + 0.5) / (self.dice + 1))


def calibrated(reading: Reading, weights: fits.Weights | None = None) -> Reading:
    """The reading with calibrated chances, where every die has raw ones; else without any."""
    if not all(die.chances for die in reading.dice):
        return replace(reading, dice=tuple(replace(die, chances=()) for die in reading.dice))
    rates = fits.rates("calibration")
    view, weights = view_of(reading.dice, reading.doubts), weights or fits.weights("calibration")
    dice = tuple(replace(die, chances=_chances(die, view, weights)) for die in reading.dice)
    doubts = tuple(
        doubt
        if doubt.x_px is None
        else replace(doubt, chance=probability(weights["place"], of_place(doubt, view)))
        for doubt in reading.doubts
    )
    expected = sum(doubt.chance or 0.0 for doubt in doubts)
    unread = math.exp(_dot(weights["unread"], of_picture(view, expected)))
    if any(doubt.key == "too_dark" for doubt in doubts):
        unread += rates["dark_unread"]
    # an uncertain die bears the doubt of its pair itself
    strong = (pair for pair in pairs(dice) if all(is_strong(dice[k]) for k in pair))
    doubted = tuple(Pair(pair, rates["pair"]) for pair in strong)
    return replace(reading, dice=dice, doubts=doubts, unread=unread, pairs=doubted)


def view_of(dice: Sequence[Die], doubts: Sequence[Doubt]) -> View:
    """The features of a picture as a whole."""
    return View(
        slanting=any(doubt.key == "slanting" for doubt in doubts),
        crowded=bool((gaps(dice) < TOUCHING).any()),
        uncertain=sum(not is_strong(die) for die in dice),
        dice=len(dice),
    )


def raw_odds(die: Die) -> float:
    """Log odds of another face by raw chances, against the face that was read."""
    whole, face = sum(die.chances), die.chances[die.face - 1]
    return _log_odds(whole - face, face)


def _log_odds(chance: float, other: float) -> float:
    """The logarithm of the ratio of two chances, either of which may be nothing, within LOG_RANGE."""
    low, high = LOG_RANGE
    smallest = sys.float_info.min
    return min(high, max(low, math.log(max(chance, smallest) / max(other, smallest))))


def is_seconded(die: Die, view: View) -> bool:
    """Whether the first net clearly shows the face of an uncertain die, and either the count settles it or
    all voices together leave no other: then it shows another one too seldom for a fit."""
    alone = die.nets.second is None or raw_odds(die) <= LOG_RANGE[0]
    return alone and die.nets.clear and not view.slanting


def of_no_die(die: Die, view: View) -> tuple[float, ...]:
    """Features of an uncertain die's being none."""
    first, second = die.nets.first, 1.0 if die.nets.second is None else die.nets.second
    return (1.0, trust.log_odds(first), trust.log_odds(second), float(bool(die.pips)), view.doubted)


def of_other_face(die: Die, view: View) -> tuple[float, ...]:
    """Features of an uncertain die's showing another face: what speaks against its being a die does so,
    too."""
    face = die.chances[die.face - 1]
    return (1.0, raw_odds(die), _log_odds(1 - face, face), view.doubted)


def of_place(doubt: Doubt, view: View) -> tuple[float, ...]:
    """Features of a die's lying unread at a doubted place."""
    pipless, score = float(doubt.key == "no_pips"), trust.log_odds(doubt.chance or 0.0)
    return (1.0, pipless, score, float(view.slanting))


def of_picture(view: View, expected: float) -> tuple[float, ...]:
    """Features of the number of dice of which nothing tells, with the `expected` number at doubted places."""
    return (1.0, view.doubted, math.log1p(expected))


def _chances(die: Die, view: View, weights: fits.Weights) -> tuple[float, ...]:
    """The calibrated probabilities of the faces 1 to 6."""
    none, other = _errors(die, view, weights)
    order = sorted((f for f in FACES if f != die.face), key=lambda f: -die.chances[f - 1])
    following = fits.rates("calibration")["next_share"]
    share = {die.face: 1 - other} | dict.fromkeys(order, other * (1 - following) / 4)
    share[order[0]] = other * following
    return tuple((1 - none) * share[face] for face in FACES)


def _errors(die: Die, view: View, weights: fits.Weights) -> tuple[float, float]:
    """How likely it is none, and how likely, if it is one, it shows another face."""
    rates = fits.rates("calibration")
    if not is_strong(die):
        none = probability(weights["none"], of_no_die(die, view))
        if is_seconded(die, view):
            return none, rates["seconded_face"]
        return none, probability(weights["face"], of_other_face(die, view))
    if view.crowded:
        return rates["crowded_none"], rates["crowded_face"]
    beside = view.uncertain if view.slanting else 0
    none, face = rates["certain_none"], rates["certain_face"]
    return none + rates["slanting_none"] * beside, face + rates["slanting_face"] * beside


def _dot(weights: Sequence[float], features: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(weights, features, strict=True))


def probability(weights: Sequence[float], features: Sequence[float]) -> float:
    """The probability whose log odds are the weighted sum of features."""
    return 1 / (1 + math.exp(-_dot(weights, features)))
