"""`python -m lab.breadboard`: draws the wiring of the settings on a breadboard."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.settings_file import load
from hardware.gpio.wiring import wiring_from
from lab.breadboard.drawing import breadboard_svg

DOCS = Path("docs") / "breadboard.svg"


def main(arguments: list[str] | None = None) -> int:
    """Write the drawing. Raises SettingsError, WiringFault for a wiring that cannot work, and OSError."""
    parser = argparse.ArgumentParser("python -m lab.breadboard", description=__doc__)
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings file (TOML)")
    parser.add_argument("--out", type=Path, default=DOCS, metavar="FILE", help="file to write (%(default)s)")
    options = parser.parse_args(arguments)
    settings = load(options.config)
    options.out.write_text(breadboard_svg(wiring_from(settings.pins, settings.box.strip)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
