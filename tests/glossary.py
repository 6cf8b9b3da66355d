"""Counts the words that docs/glossary.md replaced: `python -m tests.glossary` prints them.

With `--lower` it writes the lower counts to tests/data/glossary.toml.
"""

import re
import sys
import tomllib
from collections import Counter
from typing import Any

from tests.prose import ROOMS, ROOT

FILE = ROOT / "tests" / "data" / "glossary.toml"
COUNTED = (*ROOMS, "tests")
WIRE = "/wire/"
"""Folders whose names are members of messages: other programs know them, so they stay."""

HEAD = """# Names that docs/glossary.md replaced, and how many are left in each room. A count may only fall:
# `python -m tests.glossary --lower` writes the lower ones. A room that is not named has none.
"""

Counts = dict[str, dict[str, int]]

_TOKEN = re.compile(
    r"""#[^\n]*"""
    r"""|(?:[rbuf]|rb|br|rf|fr)?(?:\"{3}(?:\\.|.)*?\"{3}|'{3}(?:\\.|.)*?'{3})"""
    r"""|(?:[rbuf]|rb|br|rf|fr)?(?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|\d\w*|(?P<name>\w+)""",
    re.DOTALL | re.IGNORECASE,
)
"""Comments, strings and numbers, in which no name is looked for; a tokenizer takes three times as long."""

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def kept() -> dict[str, Any]:
    """The file: for each banned word what to `use` and the most there may be of it in each room."""
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def counted(banned: set[str], room: str) -> Counter[str]:
    """How often each banned word is a part of a name in a room."""
    counts: Counter[str] = Counter()
    for path in sorted((ROOT / room).rglob("*.py")):
        if WIRE in path.as_posix():
            continue
        counts += counted_in(path.read_text(encoding="utf-8"), banned)
    return counts


def counted_in(source: str, banned: set[str]) -> Counter[str]:
    """How often each banned word is a part of a name in a module, in the singular or with an s."""
    names = Counter(found["name"] for found in _TOKEN.finditer(source) if found["name"])
    counts: Counter[str] = Counter()
    for name, number in names.items():
        parts = {part.lower() for part in _PART.findall(name)}
        for word in banned & {form for part in parts for form in (part, part.removesuffix("s"))}:
            counts[word] += number
    return counts


def measured() -> Counts:
    """For each banned word its count in each room."""
    banned = kept()["banned"]
    rooms = {room: counted({w for w in banned if room not in _free(banned[w])}, room) for room in COUNTED}
    return {word: {room: rooms[room][word] for room in COUNTED} for word in sorted(banned)}


def _free(entry: dict[str, Any]) -> list[str]:
    """The rooms in which the word is the field's own."""
    return list(entry.get("except", ()))


def main(arguments: list[str]) -> None:
    file, words = kept(), measured()
    for word, counts in words.items():
        print(f"{word:12} {sum(counts.values()):5}  {counts}")
    if "--lower" in arguments:
        lines = [HEAD, "[banned]"]
        for word, counts in words.items():
            entry = file["banned"][word]
            left = {room: min(number, int(entry.get(room, 0))) for room, number in counts.items()}
            free = f", except = {_free(entry)}".replace("'", '"') if _free(entry) else ""
            rooms = free + "".join(f", {room} = {number}" for room, number in left.items() if number)
            lines.append(f'{word} = {{ use = "{entry["use"]}"{rooms} }}')
        FILE.write_text("\n".join([*lines, ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
