"""Options that run the rules against files of positions, whole games and reference numbers from elsewhere."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rules of Dudo")
    group.addoption("--cases", metavar="FILE", help="single positions with the expected answer")
    group.addoption("--games", metavar="FILE", help="whole games with the state after every step")
    group.addoption("--reference", metavar="FILE", help="probabilities, numbers of next bids, perft counts")
