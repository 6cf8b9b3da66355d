"""The crop classifier: a second net that judges single places, in crops whose half width is the face's side.

The first net (`net`) detects dice in a whole picture. This one (`vision/models/classifier.onnx`, made by
`lab.training`) only classifies one place: which face, a cube without pips, or no top face at all. It sees
a die at a higher resolution, and was trained on the first net's false positives too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import fits
from vision.arrays import Image
from vision.learned import MODEL
from vision.learned.maps import MIN_HEATMAP, Detection, softmax
from vision.learned.net import Net, load
from vision.picture.working import resized
from vision.values import Die

CLASSIFIER_MODEL = MODEL.with_name("classifier.onnx")
SIDE_PX, FACE_PX = 64, 32.0
"""Side of the net's input, and how wide a face is in it."""
VIEWS = ((20.0, 0.96), (235.0, 1.04), (120.0, 0.92), (325.0, 1.08))
"""Test-time augmentation: turn in degrees and scale of each view. A false positive seldom survives them."""
WIDE_PX = 2 * math.ceil(SIDE_PX / math.sqrt(2) / min(scale for _, scale in VIEWS))
"""Side of the crop from which the views are turned: the smallest even one that holds each in any turn."""
CLEAR = (0.95, 0.85, 0.8, 0.0)
"""No further view is classified where the first gives one class the first probability, or two together the
second, and so on: one view alone must be clearer than several, and than a certain die."""


def judged(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, net: Net | None = None
) -> Detection | None:
    """The die of about `size_px` at a place as the classifier has it; None where it has none.

    The detection's score is the probability that a top face lies there, with or without pips.
    """
    *faces, nothing = classes(image_bgr, x_px, y_px, size_px, net).tolist()
    score = 1.0 - nothing
    if score < MIN_HEATMAP:
        return None
    return Detection(x_px, y_px, size_px, 0.0, score, tuple(share / score for share in faces))


def classes(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, net: Net | None = None
) -> NDArray[np.float32]:
    """The probabilities (8,) of a cube without pips, of 1 to 6 and of nothing, by as many VIEWS as it takes.

    It is their geometric mean: one outlier weighs less in it than in the arithmetic mean.
    """
    net = net or load(CLASSIFIER_MODEL)
    said = list[NDArray[np.float32]]()
    for view, enough in zip(views(image_bgr, x_px, y_px, size_px), CLEAR, strict=True):
        said.append(_logits(net, view))
        shares = softmax(np.mean(said, axis=0))
        if shares.max() >= enough:
            break
    return shares


def _logits(net: Net, view: Image) -> NDArray[np.float32]:
    """What the net says of one view, (8,)."""
    return np.asarray(net.run(view, "classes")["classes"])


def features(
    image_bgr: Image, x_px: float, y_px: float, size_px: float, net: Net | None = None
) -> NDArray[np.float32]:
    """The net's features (112,) of the first of VIEWS: what its classes are linear in."""
    first = next(views(image_bgr, x_px, y_px, size_px))
    return (net or load(CLASSIFIER_MODEL)).run(first, "features")["features"]


def views(image_bgr: Image, x_px: float, y_px: float, size_px: float) -> Iterator[Image]:
    """The net's input at a place, (SIDE_PX, SIDE_PX, 3) for each of VIEWS."""
    wide = patch(image_bgr, (x_px, y_px), FACE_PX / size_px, WIDE_PX)
    return (_turned(wide, turn, zoom) for turn, zoom in VIEWS)


def _turned(wide: Image, turn_deg: float, zoom: float) -> Image:
    rim = (WIDE_PX - SIDE_PX) / 2
    warp = cv2.getRotationMatrix2D((WIDE_PX / 2, WIDE_PX / 2), turn_deg, zoom) - [[0, 0, rim], [0, 0, rim]]
    view = cv2.warpAffine(wide, warp, (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def patch(image: Image, place: tuple[float, float], scale: float, side_px: int) -> Image:
    """So many pixels squared about a place at this scale, the picture's edge repeated where it ends."""
    reach = side_px / 2 / scale
    left, top = round(place[0] - reach), round(place[1] - reach)
    side = max(1, round(2 * reach))
    height, width = image.shape[:2]
    part = image[max(0, top) : max(1, top + side), max(0, left) : max(1, left + side)]
    lacking = (max(0, -top), max(0, top + side - height), max(0, -left), max(0, left + side - width))
    whole = cv2.copyMakeBorder(part, *lacking, cv2.BORDER_REPLICATE) if any(lacking) else part
    shrunk = resized(np.asarray(whole, np.uint8), side_px / side)
    return np.asarray(cv2.resize(shrunk, (side_px, side_px)), np.uint8)


def tilt_deg(image_bgr: Image, face: Die) -> float:
    """The estimated angle between the vertical and the line of sight to a face, in degrees: one is off
    by some ten. Linear in the features of the face, whichever it shows: side faces, edges and pips tell it.

    The weights, `[tilt]` in `vision/models/fits.toml`, are fitted on rendered scenes
    (`python -m lab.training.weights.tilt`).
    """
    rows = fits.weights("tilt")
    found = features(image_bgr, face.x_px, face.y_px, face.size_px)
    return float(found @ np.array(rows["features"])) + rows["constant"][0]
