"""`python -m lab.measure.colours`: which colours are called what, under which light, as tables.

Dice of every colour and make are drawn under five lights that the camera does not make up for; the body's
colour is looked up where the truth says that the die lies.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from lab.scenes import Scene, render, throw
from vision.picture.colour import NAMES, balance, likelihoods
from vision.picture.working import Working, for_colours, roots

LIGHTS = {
    "even": ((1.0, 1.0, 1.0), 1.0),
    "lamp": ((1.22, 1.0, 0.72), 1.0),
    "sky": ((0.86, 1.0, 1.18), 1.0),
    "dim": ((1.1, 1.0, 0.85), 0.4),
    "candle": ((1.4, 1.0, 0.5), 0.8),
}
"""Gains of red, green and blue, and of all three."""
WIDTH_PX, DICE = 560, 10
FACE = 0.32
"""Half of the square that is looked at, over the side of the face."""


def scene(seed: int, light: str) -> Scene:
    """Ten dice of random colours on any table."""
    rng = np.random.default_rng(seed)
    colours = [str(c) for c in rng.choice(NAMES, DICE)]
    style = "box" if seed % 3 else "phone"
    made = throw(seed, style=style, count=(DICE, DICE), colours=colours)
    gains, exposure = LIGHTS[light]
    film = replace(made.film, balance=gains, exposure=made.film.exposure * exposure, grey=False)
    return replace(made, film=film)


def called(made: Scene) -> Iterator[tuple[str, str]]:
    """True colour and name of each die in full view."""
    picture = render(made, WIDTH_PX)
    working = for_colours(picture.image_bgr)
    factors = balance(working)
    for die in picture.truth:
        if die.visible > 0.9 and not die.cut:
            shade = _shade(working, die.x_px, die.y_px, die.size_px)
            yield die.colour, NAMES[int(likelihoods(shade, factors).argmax())]


def _shade(working: Working, x_px: float, y_px: float, size_px: float) -> np.ndarray:
    x, y, reach = (v * working.factor for v in (x_px, y_px, FACE * size_px))
    part = working.image[
        max(0, int(y - reach)) : int(y + reach) + 1, max(0, int(x - reach)) : int(x + reach) + 1
    ]
    return np.median(roots(part).reshape(-1, 3), axis=0)


def main(words: Sequence[str] | None = None) -> int:
    ask = argparse.ArgumentParser(prog="python -m lab.measure.colours")
    ask.add_argument("--count", type=int, default=20, help="pictures under each light (default 20)")
    ask.add_argument("--seed", type=int, default=800_000)
    asked = ask.parse_args(words)
    total: Counter[tuple[str, str]] = Counter()
    print("| light | dice | right |\n|---|---|---|")
    for number, light in enumerate(LIGHTS):
        first = asked.seed + 1000 * number
        seen = Counter(pair for k in range(asked.count) for pair in called(scene(first + k, light)))
        right = sum(n for (true, said), n in seen.items() if true == said)
        print(f"| {light} | {seen.total()} | {100 * right / max(1, seen.total()):.1f} % |", flush=True)
        total += seen
    print("\n| drawn as | " + " | ".join(NAMES) + " |\n" + "|---" * (len(NAMES) + 1) + "|")
    for true in NAMES:
        print(f"| {true} | " + " | ".join(str(total[true, said] or "") for said in NAMES) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
