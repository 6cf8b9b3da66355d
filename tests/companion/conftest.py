"""A table whose phones roll sixes, and the journal below it."""

from contextlib import closing

import pytest

from companion.storage.journal import Journal
from companion.table.table import Table


@pytest.fixture
def journal(tmp_path):
    with closing(Journal(tmp_path / "games")) as opened:
        yield opened


@pytest.fixture
def table(journal):
    return Table(journal, roll=lambda n: (6,) * n)
