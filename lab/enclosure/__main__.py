"""`python -m lab.enclosure`: writes the parts to print, drawings and pictures of one enclosure."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from lab.enclosure.assemblies import printed_parts
from lab.enclosure.drawing import box_drawing, case_drawing
from lab.enclosure.gallery import PICTURES
from lab.enclosure.measures import BUTTONS, CAMERAS, Enclosure, LightRing, arm, problems
from lab.enclosure.picture import png
from lab.enclosure.stl import mesh_of, stl_bytes

DOCS = Path("docs") / "enclosure"


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The options; lengths in mm."""
    parser = argparse.ArgumentParser("python -m lab.enclosure", description=__doc__)
    usual = Enclosure()
    parser.add_argument(
        "--out", type=Path, default=DOCS, metavar="FOLDER", help="where the files go (%(default)s)"
    )
    parser.add_argument("--camera", choices=CAMERAS, default="module3", help="the camera (%(default)s)")
    parser.add_argument(
        "--height", type=float, default=usual.height, metavar="MM", help="lens to table (%(default)g)"
    )
    parser.add_argument(
        "--button", type=int, choices=BUTTONS, default=30, help="arcade buttons (%(default)s)"
    )
    parser.add_argument("--ring", type=float, nargs=2, metavar=("OUTER", "INNER"), help="diameters (80 60)")
    parser.add_argument(
        "--panel", type=float, default=usual.panel, metavar="MM", help="thickness (%(default)g)"
    )
    parser.add_argument("--seats", type=int, default=usual.seats, help="seat lamps (%(default)s)")
    return parser.parse_args(arguments)


def chosen(options: argparse.Namespace) -> Enclosure:
    """The enclosure that the options describe."""
    ring = LightRing(*options.ring) if options.ring else LightRing()
    return replace(
        Enclosure(),
        camera=CAMERAS[options.camera],
        button=BUTTONS[options.button],
        ring=ring,
        height=options.height,
        panel=options.panel,
        seats=options.seats,
    )


def files(enclosure: Enclosure) -> dict[str, bytes]:
    """Parts to print and drawings by the names of their files."""
    made = {f"{name}.stl": stl_bytes(mesh_of(part), name) for name, part in printed_parts(enclosure).items()}
    made["case.svg"] = case_drawing(enclosure).encode()
    made["box.svg"] = box_drawing(enclosure).encode()
    return made


def picture_files(enclosure: Enclosure) -> dict[str, bytes]:
    """Pictures by the names of their files; they take some seconds."""
    return {f"{name}.png": png(show(enclosure)) for name, show in PICTURES.items()}


def main(arguments: list[str] | None = None) -> int:
    """Write all files; 1 with every reason why these measures can't be built."""
    options = parsed(arguments)
    enclosure = chosen(options)
    if found := problems(enclosure):
        print("\n".join(found), file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    for name, content in (files(enclosure) | picture_files(enclosure)).items():
        (options.out / name).write_bytes(content)
        print(f"{options.out / name}  {len(content) / 1000:.0f} kB")
    print(arm(enclosure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
