"""A table with several doubtful dice in one question."""

from dataclasses import replace

from companion.table.commands import AddObservation
from tests.web.tables import DICE, BoxedTable, doubted
from web.page_table import PageView


def marked(table: BoxedTable) -> PageView:
    """All dice are seen; three of which the verdict hangs are likely what was read, but not certain."""
    doubted(table)
    seen = table.eye(DICE, unsure=(2, 6, 7)).observation
    dice = tuple(die if die.certain else replace(die, confidence=0.95) for die in seen.dice)
    return table.do(AddObservation(replace(seen, dice=dice), "all"))
