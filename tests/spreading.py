"""The order of the tests when several processes run them: no core idles at the end.

pytest-xdist gives each worker a run of equal length of the collected tests, and lets one that has done its
own take from the end of the longest one left. So each run begins with its share of the slow tests, file by
file, and ends with quick ones. The last files come first: in them are the longest single tests, whole
games and evenings, which nobody could share at the end.
"""

from collections.abc import Callable, Sequence
from itertools import groupby, islice
from typing import TypeVar

Test = TypeVar("Test")


def spread(
    tests: Sequence[Test], workers: int, is_slow: Callable[[Test], bool], file: Callable[[Test], str]
) -> list[Test]:
    """The tests in the workers' order: slow ones by file, the last file first, then the others."""
    slow = [test for test in tests if is_slow(test)]
    quick = (test for test in tests if not is_slow(test))
    runs: list[list[Test]] = [[] for _ in range(workers)]
    groups = [list(group) for _, group in groupby(slow, file)]
    for number, group in enumerate(reversed(groups)):
        runs[number % workers] += group
    left = len(tests)
    for number, run in enumerate(runs):
        run += islice(quick, max(0, left // (workers - number) - len(run)))
        left -= len(run)
    return [*(test for run in runs for test in run), *quick]
