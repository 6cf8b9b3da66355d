"""The table that `make bench` prints."""

import importlib

import pytest

from lab.bench import __main__ as bench
from lab.bench.against import compared, slower


def test_figures_stand_under_one_another():
    rows = [("read one photograph", "41 ms", "five dice"), ("judge", "1500 µs")]
    assert bench.table(rows) == [
        "read one photograph    41 ms  five dice",
        "judge                1500 µs",
    ]


def test_no_rows_make_no_lines():
    assert bench.table([]) == []


@pytest.mark.parametrize("name", bench.names([]))
def test_every_benchmark_offers_rows(name):
    assert callable(importlib.import_module(f"lab.bench.{name}").rows)


def test_a_word_that_fits_no_benchmark_is_said(capsys):
    assert bench.main(["nothing-of-the-kind"]) == 1
    assert "nothing-of-the-kind" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "now", "worse", "reason"),
    [
        ((1.0, 1.0, 1.0), (1.2, 1.3, 1.2), True, "slower each time"),
        ((1.0, 1.0, 1.0), (1.2, 1.1, 1.2), False, "one run says otherwise: the machine was busy"),
        ((1.0, 2.0, 4.0), (1.1, 2.2, 4.4), False, "within the bound"),
        ((1.0, 1.0, 1.0), (0.2, 0.2, 0.2), False, "quicker"),
    ],
)
def test_only_what_is_slower_each_time_is_worse(before, now, worse, reason):
    pairs = [({"reading": old, "gone": 1.0}, {"reading": new}) for old, new in zip(before, now, strict=True)]
    assert slower(compared(pairs)) == (["reading"] if worse else []), reason
