"""The table of docs/reference/reliability.md, written by the soak itself."""

from collections.abc import Sequence

from lab.soak.scenario import Row, Scenario

BEGIN, END = "<!-- soak: begin -->", "<!-- soak: end -->"
HEAD = ("what was tried", "times", "noticed", "lost", "wrong", "what happened")

Result = tuple[Scenario, Row]


def markdown(results: Sequence[Result], heading: str) -> str:
    """The results as a table in Markdown below the line `heading`."""
    lines = [f"| {' | '.join(HEAD)} |", "|---|---:|---:|---:|---:|---|"]
    lines += [f"| {' | '.join(_cells(*result))} |" for result in results]
    return "\n".join((heading, "", *lines))


def replaced(page: str, table: str) -> str:
    """The page with `table` between the two marks; raises ValueError where they are missing."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the table")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def _cells(scenario: Scenario, row: Row) -> tuple[str, ...]:
    numbers = (row.tried, row.detected, row.lost, row.wrong)
    return (scenario.name, *(f"{number:,}".replace(",", " ") for number in numbers), row.remark)
