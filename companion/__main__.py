"""The command line: `dudo`, also `python -m companion`."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from importlib.metadata import version

from companion import cli
from companion.errors import CompanionError


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. A user's mistake is one sentence, never a traceback."""
    args = parser().parse_args(argv)
    try:
        return int(args.run(args))
    except CompanionError as error:
        print(f"dudo {args.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not hasattr(error, "mend"):  # the hardware's errors, which are told by their own sentence
            raise
        print(f"dudo {args.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone: silence the interpreter's last complaint
        return 0


def parser() -> argparse.ArgumentParser:
    """The parser with every module of `companion.cli` as a command."""
    top = argparse.ArgumentParser(prog="dudo", description="Referees Dudo played with real dice.")
    top.add_argument("--version", action="version", version=f"dudo {version('dudo-companion')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in sorted(m.name for m in pkgutil.iter_modules(cli.__path__)):
        importlib.import_module(f"companion.cli.{module}").add_parser(commands)
    return top


if __name__ == "__main__":
    sys.exit(main())
