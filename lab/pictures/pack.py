"""`python -m lab.pictures.pack`: the traced dice as the one file that the simulated table is laid of."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.simulated_dice import ATLAS, REACH_MM, TILE_PX
from lab.pictures.render import PX_A_MM, Light, every

FADE = (0.80, 0.98)
"""Shares of half a picture's width between which the shade on the cloth fades, so that no border is seen."""
QUALITY = 88


def packed(folder: Path) -> Light:
    """The rows of all dice below one another: the square roots of four linear pictures each."""
    return np.concatenate([_row(np.load(folder / f"{seen.name}.npy")) for seen in every()])


def _row(planes: Light) -> Light:
    half = PX_A_MM * REACH_MM
    y, x = np.mgrid[: planes.shape[1], : planes.shape[2]] - half + 0.5
    faded = np.clip((FADE[1] - np.hypot(x, y) / half) / (FADE[1] - FADE[0]), 0, 1)
    faded_out = [1 - (1 - planes[0]) * faded, *planes[1:]]
    small = [cv2.resize(p, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA) for p in faded_out]
    return np.asarray(np.sqrt(np.clip(np.concatenate(small, axis=1), 0, 1)), np.float32)


def main(words: Sequence[str] | None = None) -> int:
    ask = argparse.ArgumentParser(prog="python -m lab.pictures.pack", description=__doc__)
    ask.add_argument("--folder", type=Path, required=True, help="where `lab.pictures.render` left the dice")
    ask.add_argument("--out", type=Path, default=ATLAS)
    asked = ask.parse_args(words)
    rows = (255 * packed(asked.folder) + 0.5).astype(np.uint8)
    cv2.imwrite(str(asked.out), rows, [cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_OPTIMIZE, 1])
    print(f"{asked.out}: {rows.shape[1]} x {rows.shape[0]}, {asked.out.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
