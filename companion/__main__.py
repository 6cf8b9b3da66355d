"""The command line: `dudo`, also `python -m companion`."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence

from companion import cli, memory
from companion.errors import BadCommand, Explained, RulesError
from companion.terminal import one_line, plain_output

WRONG_USE = (BadCommand, RulesError)
"""What was typed can never work: exit status 2, as argparse has it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. A user's mistake is one sentence, never a traceback."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may hold what no terminal can show
    with plain_output():
        given = sys.argv[1:] if argv is None else argv
        args = parser(*given).parse_args(given)
        memory.keep()
        try:
            status = int(args.run(args))
            sys.stdout.flush()
            return status
        except KeyboardInterrupt:
            return 130
        except BrokenPipeError:
            _forget_output()
            return 0
        except Exception as error:
            print(f"dudo {args.command}: {one_line(_sentence(error))}", file=sys.stderr)
            _flush_or_forget()
            return 2 if isinstance(error, WRONG_USE) else 1


def _sentence(error: Exception) -> str:
    """The sentence that a person reads for this error. An error without a sentence for people is raised
    again."""
    if isinstance(error, Explained):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}{f': {error.filename}' if error.filename else ''}"
    raise error


def _flush_or_forget() -> None:
    """Print what is left; where that fails, as on a full disk, the interpreter must not try once more."""
    try:
        sys.stdout.flush()
    except OSError:
        _forget_output()


def _forget_output() -> None:
    """Whoever read our output has gone; the interpreter would complain of what is left when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Version(argparse.Action):
    """Prints the version, which nothing else asks for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print("dudo", version("dudo-companion"))
        parser.exit()


def parser(*wanted: str) -> argparse.ArgumentParser:
    """The parser with every command by its name, and with the options of those that are `wanted`."""
    top = argparse.ArgumentParser(prog="dudo", description="Referees Dudo played with real dice.")
    top.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, meaning in cli.COMMANDS.items():
        command = commands.add_parser(name, help=meaning)
        if name in wanted:
            importlib.import_module(f"companion.cli.{name.replace('-', '_')}").add_options(command)
    return top


if __name__ == "__main__":
    sys.exit(main())
