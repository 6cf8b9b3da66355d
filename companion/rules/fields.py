"""The fields that several records and messages share, with their bounds.

Numbers of commands are bounded by `companion.table.parsing` and in the API's document alone: journals keep
what earlier versions took.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

LONGEST_TEXT = 200
LARGEST_NUMBER = 1_000_000
MAX_PLAYERS = 40
"""More than any rules allow, so that the rules say what is wrong with thirteen."""

Text: TypeAlias = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Number: TypeAlias = Annotated[
    int, Meta(extra_json_schema={"minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER})
]
Amount: TypeAlias = Annotated[int, Meta(ge=0)]
"""How many of something."""

Ordinal: TypeAlias = Annotated[int, Meta(ge=1)]
"""Which of a series, from 1."""

Face: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
"""A fraction of a whole."""

CallWord: TypeAlias = Literal["dudo", "calza", "dudo_pass"]
