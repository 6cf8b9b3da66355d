"""Everything the companion says, by key and language, from the TOML catalogues beside this module.

Nested tables become dotted keys: `[errors] no_bid = "..."` is `errors.no_bid`. A table with `one` and `other`
is a plural: the value `n` chooses between them. English, Spanish and German take `one` for exactly 1,
French and Portuguese for 0 as well (Unicode CLDR plural rules).
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

DEFAULT = "en"
TEXTS = Path(__file__).parent / "texts"
_ZERO_IS_SINGULAR = frozenset({"fr", "pt"})
_FROM_THE_RIGHT = frozenset({"R", "AL", "RLE", "RLO", "RLI"})
_FIRST_STRONG_ISOLATE, _POP_ISOLATE = "\u2068", "\u2069"


class _Gaps(dict[str, object]):
    """Values for a sentence: one that nobody gave shows as a gap, for half a sentence beats none."""

    def __missing__(self, key: str) -> str:
        return "…"


@cache
def languages() -> tuple[str, ...]:
    """The languages there is a catalogue for, the default first."""
    found = {file.stem for file in TEXTS.iterdir()}
    return (DEFAULT, *sorted(found - {DEFAULT}))


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All sentences of a language by dotted key; raises KeyError for a language without a catalogue."""
    source = TEXTS / f"{language}.toml"
    if not language.isalpha() or not source.is_file():
        raise KeyError(language)
    return dict(_flat(tomllib.loads(source.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, str(value)


def knows(key: str) -> bool:
    """Whether there is a sentence for `key`, plural or not."""
    return key in catalogue(DEFAULT) or f"{key}.other" in catalogue(DEFAULT)


def translate(language: str, key: str, **values: object) -> str:
    """The sentence for `key` with `values` filled in, English where the language is unknown.

    Raises KeyError for a key that no catalogue has.

    >>> translate("de", "rules.direction.name")
    'Richtung'
    """
    spoken = language if language in languages() else DEFAULT
    sentence = catalogue(spoken).get(key) or _for_number(spoken, key, values.get("n"))
    return sentence.format_map(_Gaps(values))


def negotiated(preferred: Iterable[str], otherwise: str = DEFAULT) -> str:
    """The language for who prefers these tags, the dearest first: `pt-BR` is served by `pt`."""
    known = languages()
    wanted = (tag.replace("_", "-").partition("-")[0].lower() for tag in preferred)
    return next((language for language in wanted if language in known), otherwise)


def fenced(name: str) -> str:
    """A name as it may stand in a sentence: one written from the right never turns the words around it."""
    if any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in name):
        return f"{_FIRST_STRONG_ISOLATE}{name}{_POP_ISOLATE}"
    return name


def _for_number(language: str, key: str, n: object) -> str:
    """The singular or the plural; "un dé", which leaves the number out, never stands for none."""
    one, other = (catalogue(language)[f"{key}.{form}"] for form in ("one", "other"))
    mute = "{n}" in other and "{n}" not in one
    return one if n == 1 or (n == 0 and language in _ZERO_IS_SINGULAR and not mute) else other
