"""The tilt of the view at a die: linear in the crop classifier's features of its face.

The side faces below the top one, its edges and its pips tell it, whichever face is read: a steep view has no
other look for a side face that is taken for the top. The weights are fitted on rendered scenes
(`python -m lab.training.weights.tilt`), `[tilt]` in `vision/models/fits.toml`.
"""

from __future__ import annotations

import numpy as np

from vision import fits
from vision.arrays import Image
from vision.learned.classifier import features
from vision.learned.detections import Spot


def tilt_deg(image_bgr: Image, face: Spot) -> float:
    """The estimated angle between the vertical and the line of sight to a face, in degrees: one is off
    by some ten."""
    rows = fits.weights("tilt")
    found = features(image_bgr, face.x_px, face.y_px, face.size_px)
    return float(found @ np.array(rows["features"])) + rows["constant"][0]
