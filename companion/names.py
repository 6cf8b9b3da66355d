"""Names of players: how one is kept, which of them are one person, and which cannot be. Pure.

Every place that takes a name asks here: a game, a lobby, a late-comer, a new name, the statistics.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import dropwhile, takewhile

from companion.errors import BadCommand

NAME_LENGTH = 24

RESERVED = ("all", "added", "hand", "phone")
"""Words that stand beside players' names in the ids of places and dice."""

_JOINERS = "\u200c\u200d"
_LOOSE_JOINER = re.compile(
    r"(?<![^\0-\x7f\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\0-\x7f\u200c\u200d])"
)
"""Joiners hold families of emoji and Persian letters together; between Latin letters they only hide."""

_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks of which nothing is drawn: fillers, variation selectors, the empty braille cell."""


def clean_name(name: str) -> str:
    """A name as the table keeps it: one line, at most NAME_LENGTH characters; raises BadCommand."""
    words = "".join(c for c in name if c.isprintable() or c.isspace() or c in _JOINERS).split()
    worn = "".join(f"{word}\u00a0" for word in takewhile(_is_sign, words[:-1]))  # no line ends behind it
    cleaned = _LOOSE_JOINER.sub("", worn + " ".join(words[worn.count("\u00a0") :]))
    if not any(unicodedata.category(c)[0] in "LNPS" for c in name_key(cleaned)):
        raise BadCommand("name_empty")
    if len(cleaned) > NAME_LENGTH:
        raise BadCommand("name_too_long", most=NAME_LENGTH)
    return cleaned


def name_key(name: str) -> str:
    """The key of a person: case, width of letters, spaces and what is not drawn do not matter, nor does the
    emoji that a name begins with, where it is not all of it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    drawn = "".join(c for c in _BLANK.sub("", folded) if unicodedata.category(c) != "Cf")
    words = list(dropwhile(_is_sign, drawn.split()))
    return " ".join(words or drawn.split())


def _is_sign(word: str) -> bool:
    """Whether somebody wears it before the name: emoji, with the marks that give them a colour."""
    return all(unicodedata.category(c) in ("So", "Sk") for c in word)


def same_person(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is the same person as `name`, None where there is none."""
    all_names, key = tuple(names), name_key(name)
    return name if name in all_names else next((one for one in all_names if name_key(one) == key), None)


def check_name(name: str, others: Iterable[str]) -> None:
    """Raises BadCommand where `name` is the same person as one of `others`, or stands for something else."""
    key = name_key(name)
    if key in RESERVED or key.startswith(("place ", "hand.")) or same_person(name, others):
        raise BadCommand("names_not_distinct")
