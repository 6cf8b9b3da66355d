"""Everything the companion says, by key and language, from the TOML catalogues beside this module.

Nested tables become dotted keys: `[errors] no_bid = "..."` is `errors.no_bid`. A table with `one` and `other`
is a plural: the value `n` chooses between them. English and Spanish take `one` for exactly 1 (Unicode CLDR
plural rules).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

DEFAULT = "en"


class _Gaps(dict[str, object]):
    """Values for a sentence: one that nobody gave shows as a gap, for half a sentence beats none."""

    def __missing__(self, key: str) -> str:
        return "…"


def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for, the default first."""
    found = {f.name.removesuffix(".toml") for f in (files("companion") / "texts").iterdir()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of a language by dotted key; raises KeyError for a language without a catalogue."""
    source = files("companion") / "texts" / f"{language}.toml"
    if not language.isalpha() or not source.is_file():
        raise KeyError(language)
    return dict(_flat(tomllib.loads(source.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, str(value)


def knows(key: str) -> bool:
    """Whether there is a sentence for `key`, plural or not."""
    return key in catalogue(DEFAULT) or f"{key}.other" in catalogue(DEFAULT)


def say(language: str, key: str, **values: object) -> str:
    """The sentence for `key` with `values` filled in, English where the language is unknown.

    Raises KeyError for a key that no catalogue has.
    """
    texts = catalogue(language if language in languages() else DEFAULT)
    form = f"{key}.one" if values.get("n") == 1 else f"{key}.other"
    sentence = texts[form] if form in texts else texts[key]
    return sentence.format_map(_Gaps(values))
