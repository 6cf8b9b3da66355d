"""What the nets and the count may say of a place, for tests of how they are brought together."""

import numpy as np

from vision.counting.count import Count
from vision.counting.face import SIDE_PX, Spots
from vision.learned.maps import Detection

IMAGE = np.full((200, 300, 3), 128, np.uint8)


def count(face: int = 4, confidence: float = 0.8) -> Count:
    """A count of pips on a white die."""
    white = np.ones((SIDE_PX, SIDE_PX, 3), np.float32)
    spots = Spots(np.zeros((face, 2), np.float32), np.ones(face, np.float32), white)
    return Count(face, confidence, 100.0, 100.0, 40.0, spots)


def detection(
    face: int = 4, score: float = 0.8, x: float = 100.0, size: float = 40.0, chance: float = 0.98
) -> Detection:
    """A detection that gives `face` the probability `chance`; face 0 is a cube without pips."""
    faces = [(1 - chance) / 6] * 7
    faces[face] = chance
    return Detection(x, 100.0, size, 0.0, score, tuple(faces))


def firm(face: int) -> Detection:
    """What the crop classifier says of a clear die."""
    return detection(face, 0.98)
