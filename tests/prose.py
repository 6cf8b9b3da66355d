"""Sentences and how long they are, in pages and in docstrings: `python -m tests.prose` prints both."""

import ast
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.syntax import parsed

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("companion", "vision", "hardware", "web")
LONGEST, MEDIAN = 35, 14

_FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_CODE = re.compile(r"``.*?``|`[^`]*`")
_BLOCK = re.compile(r"^\s*([-*+]|\d+\.|>|#+)\s+")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|vs|cf)\.")
_BETWEEN = re.compile(r"(?<=[.!?])[)\"'’”*_]*\s+")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and the file and line (from 1) that its paragraph begins on."""

    text: str
    words: int
    place: str

    @property
    def whole(self) -> bool:
        """False for headings and for most cells of tables, which would lower every median."""
        return self.text.rstrip().endswith((".", "!", "?", ":"))


def pages() -> list[Path]:
    """Every page whose sentences are held to a length."""
    return [
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "lab").rglob("*.md")),
        *sorted(ROOT.glob("*.md")),
    ]


def sentences(text: str) -> list[str]:
    """The sentences of one paragraph. Code counts as one word; a link as its text.

    A colon or semicolon ends none: `a: b; c.` is one sentence.
    """
    plain = _ABBREVIATION.sub(r"\1", _LINK.sub(r"\1", _CODE.sub("code", text)))
    return [part for part in _BETWEEN.split(plain) if _WORD.search(part)]


def words(sentence: str) -> int:
    return sum(1 for word in sentence.split() if _WORD.search(word))


def paragraphs(markdown: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, list items and table cells of a page with the line each begins on."""
    lines = _COMMENT.sub(_blank, _FENCE.sub(_blank, markdown)).split("\n")
    kept: list[str] = []
    begun = 1
    for number, line in enumerate([*lines, ""], 1):
        ends = not line.strip() or line.lstrip().startswith("|") or _BLOCK.match(line)
        if ends and kept:
            yield begun, " ".join(kept)
            kept = []
        if line.startswith("#"):
            yield number, line.lstrip("# ")
        elif line.lstrip().startswith("|"):
            yield from ((number, cell.strip()) for cell in line.strip().strip("|").split("|"))
        elif line.strip() and not (line.startswith("    ") and not kept and not _BLOCK.match(line)):
            begun = begun if kept else number
            kept.append(_BLOCK.sub("", line).strip())


def _blank(match: re.Match[str]) -> str:
    return "\n" * match.group().count("\n")


def of_page(path: Path) -> list[Sentence]:
    place = path.relative_to(ROOT).as_posix()
    return [
        Sentence(sentence, words(sentence), f"{place}:{line}")
        for line, paragraph in paragraphs(path.read_text(encoding="utf-8"))
        for sentence in sentences(paragraph)
    ]


def of_docstrings(path: Path) -> list[Sentence]:
    """The sentences of a module's public docstrings, its own included."""
    place = path.relative_to(ROOT).as_posix()
    return [
        Sentence(sentence, words(sentence), f"{place}:{line}")
        for line, text in docstrings(parsed(path.read_text(encoding="utf-8")))
        for _, paragraph in paragraphs(text)
        for sentence in sentences(paragraph)
    ]


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of each public docstring, without its examples: of the module, its classes, functions and
    methods."""
    for node in _public(tree):
        text = ast.get_docstring(node)
        if text:
            yield getattr(node, "lineno", 1), text.partition(">>> ")[0]


def _public(node: ast.AST) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        if getattr(node, "name", "").startswith("_") and getattr(node, "name", "") != "__init__":
            return
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _public(child)


def summary(found: list[Sentence]) -> str:
    lengths = [sentence.words for sentence in found if sentence.whole] or [0]
    long = sum(sentence.words > LONGEST for sentence in found)
    median = statistics.median(lengths)
    return f"{len(lengths):5} sentences, median {median:4.1f} words, {long:4} above {LONGEST}"


def main() -> None:
    every = []
    for page in pages():
        found = of_page(page)
        every += found
        print(f"{page.relative_to(ROOT).as_posix():40} {summary(found)}")
    print(f"{'all pages':40} {summary(every)}")
    for room in ROOMS:
        found = [sentence for path in sorted((ROOT / room).rglob("*.py")) for sentence in of_docstrings(path)]
        print(f"{'docstrings of ' + room:40} {summary(found)}")


if __name__ == "__main__":
    main()


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table as the docs have it."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
