"""The docs speak of what is there, in sentences that are not too long."""

import ast
import re
import statistics
import tomllib
from pathlib import Path

import pytest

from tests.companion.command_line_page import page as command_line_page
from tests.house_pictures import PICTURES, STAGES
from tests.prose import LONGEST, MEDIAN, of_page, pages
from tests.syntax import parsed

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [*pages(), ROOT / "NOTICE"]
PATH = re.compile(r"`((?:companion|vision|hardware|web|tests|lab|docs|\.setup|\.ci)/[\w./-]*)`")
NAME = re.compile(r"`((?:[A-Z]\w*\.)?[a-z_]\w*(?=\()|[A-Z]\w*\.[a-z_]\w*|[A-Z][a-z]+[A-Z]\w*)")
"""A function with its brackets, a method of a class, or a class of two words, in code."""
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_that_is_named_is_there(page):
    named = PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def defined_in(modules: list[str]) -> set[str]:
    """What the modules, or the modules of a folder, define or import by name."""
    found = set()
    for module in modules:
        for path in [ROOT / module] if module.endswith(".py") else (ROOT / module).rglob("*.py"):
            for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.Name(id=name):
                        found.add(name)
    return found


def lost_names(text: str) -> list[str]:
    """Functions and classes that a line gives to a module which does not have them."""
    lines = [line for line in text.splitlines() if PATH.search(line)]
    return [
        name
        for line in lines
        for name in NAME.findall(line)
        if name.rpartition(".")[2] not in defined_in(PATH.findall(line))
    ]


EXPLAINING = [*sorted((DOCS / "explanation").glob("*.md")), *sorted((ROOT / "lab" / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", EXPLAINING, ids=name_of)
def test_every_name_beside_a_module_is_one_of_that_module(page):
    assert lost_names(page.read_text(encoding="utf-8")) == []


def test_a_name_that_went_away_is_really_found():
    line = "| `companion/rules/judge.py` | `judge(game) -> Verdict`, `judged(game)`, `Table.do`, `JSON` |"
    assert lost_names(line) == ["judged", "Table.do"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_somewhere(page):
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_page_that_code_and_texts_name_is_there():
    named = {
        (name_of(path), page)
        for folder in ("companion", "vision", "hardware", "web", "tests", "lab", ".setup")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".html", ".sh", ".service", ".json")
        or path.parent.name == ".setup"
        if path.is_file()
        for page in re.findall(
            r"(?<![\w/])(?:lab/)?docs/[\w./-]+\.(?:md|svg|jpg|png)", path.read_text(encoding="utf-8")
        )
    }
    assert sorted(entry for entry in named if not (ROOT / entry[1]).exists()) == []


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_no_sentence_is_too_long(page):
    long = [sentence for sentence in of_page(page) if sentence.words > LONGEST]
    assert [f"{sentence.place}: {sentence.text}" for sentence in long] == []


def test_sentences_are_short_on_the_whole():
    lengths = [sentence.words for page in pages() for sentence in of_page(page) if sentence.whole]
    assert statistics.median(lengths) <= MEDIAN


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_code_block_is_one_in_the_site(page):
    """In a list the site's Markdown needs four spaces for each level, where forges are content with fewer."""
    lines, inside, wrong = page.read_text(encoding="utf-8").splitlines(), False, []
    for before, line in zip(["", *lines], lines, strict=False):
        indent = len(line) - len(line.lstrip(" "))
        if line.lstrip().startswith("```"):
            inside = not inside
            wrong += [line] if indent % 4 else []
        elif not inside and not before.strip() and line.strip() and indent % 4:
            wrong.append(line)
    assert wrong == []


def test_each_change_is_one_line():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 120 or line.startswith(" ")] == []


def test_every_page_is_in_the_navigation_once():
    site = (ROOT / ".zensical.toml").read_text(encoding="utf-8")
    listed = re.findall(r'"([\w/-]+\.md)"', site)
    assert tomllib.loads(site)["project"]["theme"]["font"] is False, "no page fetches a font"
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


def test_the_command_line_is_described_as_it_is():
    kept = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert kept == command_line_page(), "python -m tests.companion.command_line_page > that page"


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_show_the_house_as_it_is(name):
    kept = (DOCS / "explanation" / name).read_text(encoding="utf-8")
    assert kept == PICTURES[name](), "python -m tests.house_pictures"


def test_the_drawn_stages_of_a_reading_are_those_of_the_table():
    page = (DOCS / "explanation" / "reading.md").read_text(encoding="utf-8")
    table = page[page.index("| stage |") : page.index("\n\n", page.index("| stage |"))]
    assert [row.split("|")[1].strip() for row in table.splitlines()[2:]] == list(STAGES)
