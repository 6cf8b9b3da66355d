"""Pictures of drawn dice, for boxes whose cameras are folders or phones."""

from pathlib import Path

import cv2
import numpy as np

from companion.demo.players import Lying
from hardware.cameras.simulated_dice import laid

ROUNDS = (
    # dice shown, the bid of the player who starts, how many match
    ((1, 2, 3, 4), (4, 6), 1),
    ((3, 5, 5), (3, 4), 0),
)
"""Of a game with two dice each. Ana bids too high each time, and Bea doubts her."""


def drawn(faces: tuple[int, ...], seed: int, width: int = 1280) -> np.ndarray:
    """A reveal as a camera sees it."""
    height = width * 3 // 4
    return laid([(face, "white") for face in faces], seed, width_px=width, height_px=height).image_bgr


def drawn_to(file: Path, faces: tuple[int, ...], seed: int) -> tuple[Lying, ...]:
    """The same in a file, and where its dice really lie."""
    picture = laid([(face, "white") for face in faces], seed, width_px=960, height_px=720)
    cv2.imwrite(str(file), picture.image_bgr)
    return tuple(Lying(die.face, die.x_px / 960, die.y_px / 720) for die in picture.dice)


def encoded(image: np.ndarray, ending: str = ".jpg") -> bytes:
    return bytes(cv2.imencode(ending, image)[1])
