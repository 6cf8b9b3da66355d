"""`python -m lab.training`: from nothing to the model in one command, or one stage of it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from lab.training import stages
from lab.training.recipe import Recipe, small

EPILOG = """stages, in order: crops (painted and rendered ones), first (a short training on them), photos
(crops of photographs, their labels moved by the first net, and its false positives), fit (the
training proper), export (the ONNX file, and the figures of its features for fits.toml), classifier (the
crop classifier, which judges single places), figures (how well the nets read synthetic images of no training
set). A stage that was interrupted continues when it is run again."""

EXTRA = ("torch", "onnx")
"""What the extra [train] brings."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the stages asked for; returns the exit status."""
    ask = _options()
    args = ask.parse_args(argv)
    wanted = list(stages.STAGES) if args.stage == "all" else [args.stage]
    if lacking := _lacking(wanted):
        ask.error(f"no {' and no '.join(lacking)} here: install the extra [train], pip install -e '.[train]'")
    for name in wanted:
        print(f"{name}:", flush=True)
        stages.STAGES[name](_recipe(args))
    return 0


def _options() -> argparse.ArgumentParser:
    """What may be asked for: a stage, folders and files, how long each training takes and on what."""
    ask = argparse.ArgumentParser(prog="python -m lab.training", epilog=EPILOG)
    ask.add_argument(
        "stage", nargs="?", default="all", choices=["all", *stages.STAGES], help="default: all of them"
    )
    _add_paths(ask)
    _add_steps(ask)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    ask.add_argument("--threads", type=int, default=1, help="threads for training on the CPU")
    ask.add_argument("--jobs", type=int, default=1, help="processes that make crops: one for each core")
    ask.add_argument(
        "--small", action="store_true", help="very little of everything: a trial of the way, no use"
    )
    return ask


def _add_paths(ask: argparse.ArgumentParser) -> None:
    ask.add_argument(
        "--work", type=Path, default=Path(".training"), help="folder for crops, checkpoints and log"
    )
    ask.add_argument(
        "--photos", type=Path, help="folder of labelled photographs (default: none, rendered dice only)"
    )
    ask.add_argument("--traced", type=Path, help="folder of pictures by lab.training.traced (default: none)")
    ask.add_argument(
        "--model", type=Path, default=Path("vision/models/dice.onnx"), help="where the model goes"
    )
    ask.add_argument(
        "--reference",
        type=Path,
        default=Path("tests/vision/learned/net_reference.npz"),
        help="where answers to test by go",
    )
    ask.add_argument(
        "--start",
        type=Path,
        help="a model to go on from, with the crop classifier beside it (default: from nothing)",
    )
    ask.add_argument(
        "--rate", type=float, default=1.0, help="share of the usual learning rate, less than 1 to go on"
    )


def _add_steps(ask: argparse.ArgumentParser) -> None:
    ask.add_argument("--steps", type=int, default=12_000, help="steps of the training proper")
    ask.add_argument(
        "--classifier-steps", type=int, default=37_000, help="steps of the crop classifier's training"
    )


def _lacking(wanted: Iterable[str]) -> list[str]:
    """Packages that these stages need and that are missing: checked before hours go into the other stages."""
    return [name for name in EXTRA if find_spec(name) is None] if stages.NEED_TRAIN & set(wanted) else []


def _recipe(args: argparse.Namespace) -> Recipe:
    names = (
        "steps",
        "classifier_steps",
        "seed",
        "device",
        "threads",
        "start",
        "traced",
        "rate",
        "jobs",
    )
    recipe = Recipe(
        args.work, args.photos, args.model, args.reference, **{n: getattr(args, n) for n in names}
    )
    return small(recipe) if args.small else recipe


if __name__ == "__main__":
    raise SystemExit(main())
