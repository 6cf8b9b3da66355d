"""The table that `make bench` prints."""

import importlib

import pytest

from tests.bench import __main__ as bench


def test_figures_stand_under_one_another() -> None:
    rows = [("read one photograph", "41 ms", "five dice"), ("judge", "1500 µs")]
    assert bench.table(rows) == [
        "read one photograph    41 ms  five dice",
        "judge                1500 µs",
    ]


def test_no_rows_make_no_lines() -> None:
    assert bench.table([]) == []


@pytest.mark.parametrize("name", bench.names([]))
def test_every_benchmark_offers_rows(name: str) -> None:
    assert callable(importlib.import_module(f"tests.bench.{name}").rows)


def test_a_word_that_fits_no_benchmark_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["nothing-of-the-kind"]) == 1
    assert "nothing-of-the-kind" in capsys.readouterr().err
