"""Mutants: each is another program, and only what functions do or modules name is changed."""

import ast
from dataclasses import replace

import pytest

from lab.mutants import ROOMS, ROOT, Reaching, mutants, nearest


@pytest.mark.parametrize(
    ("source", "number", "reason"),
    [
        ("X = 1", 1, "a number with a name"),
        ("def f(a):\n    return a + 1", 2, "an operator and a number"),
        ("def f(a, b):\n    return a < b < 0", 3, "two comparisons and a number"),
        ("def f(a, b):\n    return a and b", 1, "one word"),
        ("def f(a=1):\n    return a", 0, "what a caller may leave out"),
        ("@g(slots=True)\nclass A:\n    x: int = 1", 0, "what a value is made of"),
    ],
)
def test_what_is_changed(source, number, reason):
    assert len(mutants("any.py", source)) == number, reason


@pytest.mark.parametrize("room", ROOMS)
def test_every_mutant_is_another_program(room):
    path = next(path for path in sorted(ROOT.glob(ROOMS[room][0].split()[0])) if path.stem != "__init__")
    name, source = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    made = [one.made(source)[1] for one in mutants(name, source)]
    assert len({*made, ast.unparse(ast.parse(source))}) == len(made) + 1


def test_a_mutant_meets_the_tests_that_reach_its_function():
    named, in_function = mutants("any.py", "X = 1\n@g\ndef f(a):\n    return a - a")
    reached = {"another module": ("else.py", 2), "its module": ("any.py", 9), "it": ("any.py", 2)}
    tests = [Reaching(name, 1.0, frozenset([one])) for name, one in reached.items()]
    assert [test.name for test in nearest(in_function, tests)] == ["it"]
    for unreached in (named, replace(in_function, within=frozenset([7]))):
        assert [test.name for test in nearest(unreached, tests)] == ["its module", "it", "another module"]
