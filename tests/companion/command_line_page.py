"""Makes docs/reference/command-line.md from the parsers of the commands.

`python -m tests.companion.command_line_page > docs/reference/command-line.md`
"""

import argparse
from collections.abc import Iterator

from companion.__main__ import parser
from companion.cli import COMMANDS

HEAD = """# Command line

`dudo` is installed in `.venv/bin`; `python -m companion` is the same program. `dudo COMMAND --help` prints
what this page says of a command.

Exit status: 0 when it worked, 1 when it could not, 2 for wrong use. A mistake gets one
sentence that says what to do.

This page is made from the parsers in `companion/cli/`:
`python -m tests.companion.command_line_page > docs/reference/command-line.md`.
"""


def page() -> str:
    """The whole text of the page."""
    return "\n".join([HEAD, *(_section(name, command) for name, command in commands(parser(*COMMANDS)))])


def commands(top: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command by its full name, and each action of a command after it."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in dict.fromkeys(action.choices.values()):
                yield command.prog, command
                yield from commands(command)


def _section(name: str, command: argparse.ArgumentParser) -> str:
    rows = [_row(action, command) for action in command._actions if action.help != argparse.SUPPRESS]
    rows = [row for row in rows if row]
    listed = [*rows, ""] if rows else []
    example = (command.epilog or "").removeprefix("Example: ")
    shown = [f"Example: `{example}`", ""] if example else []
    return "\n".join([f"## {name}", "", _escaped(command.description or ""), "", *listed, *shown])


def _row(action: argparse.Action, command: argparse.ArgumentParser) -> str:
    if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return ""
    meaning = (action.help or "") % {**vars(action), "prog": command.prog}
    return f"- `{_shown(action)}`" + (f": {_escaped(meaning)}" if meaning else "")


def _shown(action: argparse.Action) -> str:
    """An argument as people type it: `--reader pips/net/both`, `[PHOTO ...]`."""
    value = action.metavar or "/".join(map(str, action.choices or ())) or action.dest
    if action.option_strings:
        named = action.option_strings[0]
        return named if action.nargs == 0 else f"{named} {value if action.metavar else _word(action, value)}"
    return {"*": f"[{value} ...]", "?": f"[{value}]", "+": f"{value} ..."}.get(str(action.nargs), str(value))


def _word(action: argparse.Action, value: object) -> str:
    return str(value) if action.choices else action.dest.upper()


def _escaped(text: str) -> str:
    return text.replace("[", "\\[").replace("<", "\\<")


if __name__ == "__main__":
    print(page(), end="")
