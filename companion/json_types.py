"""JSON as Python has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Whatever JSON can say."""

JsonObject: TypeAlias = "dict[str, Json]"

Body: TypeAlias = Mapping[str, object]
"""A JSON object that was read and not yet looked into."""
