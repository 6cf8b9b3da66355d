"""The order of the tests for several workers: all are there once, each worker's slow ones first."""

import pytest

from tests.spreading import spread


def runs(order: list[str], workers: int) -> list[str]:
    """What each worker is given first, as pytest-xdist splits the tests."""
    found, left = [], order
    for number in range(workers):
        size = len(left) // (workers - number)
        found.append(" ".join(left[:size]))
        left = left[size:]
    return found


@pytest.mark.parametrize(
    ("tests", "workers", "given", "why"),
    [
        ("a1 b1 c1 d1", 2, ["a1 b1", "c1 d1"], "none is slow"),
        ("a1 A1 b1 B1", 2, ["B1 a1", "A1 b1"], "slow ones first, a file for each"),
        ("A1 A2 A3 b1 b2 b3", 2, ["A1 A2 A3", "b1 b2 b3"], "slow ones of a file stay together"),
        ("A1 B1 C1 a1 a2 a3 a4", 3, ["C1 a1", "B1 a2", "A1 a3 a4"], "what does not divide"),
        ("A1 A2 A3 A4 b1", 2, ["A1 A2", "A3 A4 b1"], "more slow ones than a run is long"),
        ("A1 A2 B1 C1 a1", 2, ["C1 A1", "A2 B1 a1"], "the last files, where the longest tests are, first"),
        ("", 2, ["", ""], "nothing"),
    ],
)
def test_every_run_begins_with_its_slow_tests(tests, workers, given, why):
    order = spread(tests.split(), workers, str.isupper, lambda test: test[0].upper())
    assert sorted(order) == sorted(tests.split()), why
    assert runs(order, workers) == given, why
