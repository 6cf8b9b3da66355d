"""`python -m lab.training.traced`: photograph-like pictures of dice with their truth, by Blender."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import cv2

from lab.scenes import SceneError
from lab.training.traced.finish import shot
from lab.training.traced.labels import entry, gather

EPILOG = """Picture k of a seed is always of the same scene. What is there is left alone, so that a broken-off
run goes on, and two runs with --first and --pictures may share a folder."""


def main(argv: Sequence[str] | None = None) -> int:
    """Trace the pictures asked for; returns the exit status."""
    ask = _options()
    args = ask.parse_args(argv)
    if find_spec("bpy") is None:
        ask.error("no bpy here: install the extra [render] under Python 3.11, pip install -e '.[render]'")
    args.out.mkdir(parents=True, exist_ok=True)
    wanted = range(args.first, args.first + args.pictures)
    lacking = [number for number in wanted if not _truth_file(args.out, args.seed, number).exists()]
    started = time.monotonic()
    for done, number in enumerate(lacking, start=1):
        _make(args, number)
        gather(args.out)  # at once: a broken-off run leaves a whole folder
        spent = time.monotonic() - started
        left = spent / done * (len(lacking) - done) / 60
        print(f"{done} of {len(lacking)}: {spent / done:.1f} s each, {left:.0f} min left", flush=True)
    print(f"{args.out / 'labels.json'}: {gather(args.out)} pictures", flush=True)
    return 0


def _options() -> argparse.ArgumentParser:
    ask = argparse.ArgumentParser(prog="python -m lab.training.traced", epilog=EPILOG)
    ask.add_argument("--pictures", type=int, default=10)
    ask.add_argument("--first", type=int, default=0, help="number of the first picture")
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--out", type=Path, default=Path(".training/traced"))
    ask.add_argument("--width", type=int, default=960)
    ask.add_argument("--height", type=int, default=720)
    ask.add_argument("--samples", type=int, default=24, help="light paths of a pixel, before the denoiser")
    ask.add_argument("--threads", type=int, default=2)
    return ask


def _truth_file(folder: Path, seed: int, number: int) -> Path:
    return folder / f"traced-{seed}-{number:05d}.json"


def _make(args: argparse.Namespace, number: int) -> None:
    """One picture and, once it is whole, its truth: what has a truth is done."""
    from lab.training.traced.studio import trace

    path = _truth_file(args.out, args.seed, number)
    try:
        picture = trace(shot(args.seed, number, args.width, args.height), args.samples, args.threads)
    except SceneError as error:
        print(f"picture {number} left out: {error}", flush=True)
        return
    quality = [cv2.IMWRITE_JPEG_QUALITY, 95]  # the film has its own JPEG already
    cv2.imwrite(str(path.with_suffix(".jpg")), picture.image_bgr, quality)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(entry(picture.truth, args.width, args.height)))
    part.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
