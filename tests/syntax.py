"""The syntax trees of modules, for tests that hold all of them to a rule."""

import ast
from collections.abc import Iterator
from functools import cache

from tests.lasting import lasting

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a statement that hold statements."""


@cache
def parsed(source: str) -> ast.Module:
    """A module's syntax tree, parsed once for all rules."""
    with lasting():
        return ast.parse(source)


@cache
def statements(source: str) -> tuple[ast.AST, ...]:
    """A module's statements at any depth. Imports and functions are statements: expressions need no walk."""
    return tuple(below(parsed(source)))


def below(node: ast.AST) -> Iterator[ast.AST]:
    """The statements in a statement, at any depth."""
    for block in BLOCKS:
        for statement in getattr(node, block, ()):
            yield statement
            yield from below(statement)


def imported(source: str) -> set[str]:
    """The full names of all that a module imports, wherever it does."""
    return {
        f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
        for node in statements(source)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
