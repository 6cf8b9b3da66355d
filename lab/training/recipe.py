"""What a training makes of how much, and where it lies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

SETS = ("pxl", "byler", "circ", "oblique", "catan")
"""Photographs that may be trained on (CC BY 4.0, named in NOTICE)."""
FROM_ABOVE = ("pxl", "byler", "circ")
"""Those of them that are seen from above."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is made of how much. `photos` is the folder of the sets above, `traced` one of traced pictures;
    None does without them. `rate` is the share of the usual learning rate, `jobs` the number of processes
    that make crops."""

    work: Path
    photos: Path | None
    model: Path
    reference: Path
    steps: int = 12_000
    first_steps: int = 1_500
    seed: int = 1
    device: str = "cpu"
    threads: int = 1
    start: Path | None = None
    classifier_steps: int = 37_000
    per_file: int = 1_000
    painted: int = 16
    scened: int = 10
    backed: int = 4
    mined: int = 4
    bare: int = 6
    measured: int = 100
    traced: Path | None = None
    rate: float = 1.0
    jobs: int = 1

    @property
    def crops(self) -> Path:
        """Where the crops lie."""
        return self.work / "crops"

    @property
    def first_model(self) -> Path:
        """The first net, which moves the photographs' labels."""
        return self.work / "first" / "first.onnx"

    @property
    def classifier_model(self) -> Path:
        """Where the crop classifier's model goes: beside the other."""
        return self.model.with_name("classifier.onnx")

    @property
    def classifier_start(self) -> Path | None:
        """The crop classifier to go on from: the one beside the model to start from, if there is one."""
        beside = self.start.with_name(self.classifier_model.name) if self.start else None
        return beside if beside and beside.is_file() else None

    @property
    def made_of(self) -> list[str]:
        """What the models are made of, for their metadata."""
        photos_of = [f"photographs: {name}" for name in SETS] if self.photos else []
        traced = ["dice traced by Blender"] if self.traced else []
        return ["dice painted and rendered by this project", *traced, *photos_of]


def small(recipe: Recipe) -> Recipe:
    """As little of everything as goes through all stages."""
    return replace(
        recipe,
        steps=20,
        first_steps=20,
        classifier_steps=20,
        per_file=40,
        painted=1,
        scened=1,
        backed=1,
        mined=1,
        measured=2,
    )
