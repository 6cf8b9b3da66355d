"""How often dice of labelled photographs get their colour's name, and how often those alike are one group."""

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.vision.conftest import NEED_PHOTOGRAPHS
from tests.vision.photographs import FROM_ABOVE, photographs
from tests.vision.scoring import matched
from vision.values import Reading

pytestmark = NEED_PHOTOGRAPHS


@pytest.fixture(scope="session")
def seen(readings):
    """Gives the names and groups of a set's dice."""
    return lambda name: counted(name, [reading["both"] for reading in readings(name)])


def counted(name: str, found: Sequence[Reading]) -> tuple[Counter[tuple[str, str]], tuple[int, ...]]:
    """How often a set's dice of each colour are called what, and how many groups those of each photograph
    with two or more are in."""
    names, groups = Counter[tuple[str, str]](), list[int]()
    for photo, reading in zip(photographs([name]), found, strict=True):
        group_of = {id(reading.dice[k]): n for n, group in enumerate(reading.groups) for k in group.dice}
        pairs = [(photo.label["dice"][k], die) for k, die in matched(photo.label, reading).items()]
        whole = [(label, die) for label, die in pairs if not label.get("ignore")]
        names.update((label["colour"], die.colour) for label, die in whole)
        groups += [len({group_of[id(die)] for _, die in whole})] if len(whole) > 1 else []
    return names, tuple(groups)


@pytest.mark.parametrize(
    ("name", "least", "reason"),
    [
        ("king", 0.85, "pale ivory, a third of them burnt out"),
        ("wik", 0.78, "yellow burnt out or pale as ivory"),
        ("damian", 0.2, "ivory, and nothing in the picture whiter"),
        ("kamil", 0.88, "red, black, white"),
        ("fudw", 0.98, "blue, two of 195 alone in deep shade"),
    ],
)
def test_so_many_dice_get_their_name(name, least, reason, seen):
    names, _ = seen(name)
    right = sum(n for (true, said), n in names.items() if true == said)
    assert right >= least * names.total(), reason


@pytest.mark.parametrize("name", [name for name in FROM_ABOVE if name != "fudw"])
def test_no_other_die_is_called_black(name, seen):
    names, _ = seen(name)
    assert [true for true, said in names if said == "black" and true != "black"] == []


@pytest.mark.parametrize(("name", "least"), [("king", 7), ("damian", 42), ("fudw", 6)])
def test_dice_alike_are_mostly_one_group(name, least, seen):
    """All dice of a photograph of these sets are of one make."""
    _, groups = seen(name)
    assert groups.count(1) >= least
