"""A deleted game leaves nothing: no record, picture, corrected dice, sum or group, nor a byte of them."""

from pathlib import Path

import pytest

from companion.errors import BadCommand
from companion.reveal.evidence import Evidence, Example
from companion.statistics.archive import SUMS, Archive, Forgetting
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.table.groups import Groups
from companion.table.parsing import parse
from companion.table.table import Table
from tests.companion.evidence_file import pictures_by_round
from tests.companion.games import start
from tests.refusals import refused

ANA, BEA, EVA = ("Anastasia", "red"), ("Beatrice", "blue"), ("Evangeline", "green")


class House:
    """A data folder at work: a table, its archive, pictures and groups."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal(folder / "games")
        self.table = Table(self.journal)
        self.archive = Archive(self.journal, SideFile(folder / SUMS))
        self.evidence = Evidence(SideFile(folder / "evidence.sqlite"))
        self.groups = Groups(SideFile(folder / "groups.json"))
        places = (self.archive, self.evidence, self.groups)
        forgetting = Forgetting(self.table.forget, *places, self.table.playing)
        self.forget = forgetting.forget

    def played(self, *people: tuple[str, str]) -> str:
        """A game with a picture, a verdict's evidence and a corrected die; it stays on the table."""
        game = start(self.table, people)
        command = parse({"type": "new_game", "players": [{"name": n, "colour": c} for n, c in people]})
        assert isinstance(command, cmd.NewGame)
        self.groups.remember(command)
        mark = f"picture of {game}".encode().rjust(20_000, b".")  # as large as pictures are
        picture = self.evidence.keep(game, mark, mark + b" clean")
        self.evidence.keep_verdict(game, 1, (picture,))
        assert self.evidence.keep_examples([Example(picture, ())]) == 1
        self.archive.overview()
        return game

    def bytes_kept(self) -> bytes:
        return b"".join(path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file())

    def close(self) -> None:
        self.archive.close()
        self.evidence.close()
        self.journal.close()


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()


def names(house: House) -> list[list[str]]:
    return [[player.name for player in group.players] for group in house.groups.all()]


def test_nothing_of_a_deleted_game_stays(house):
    first = house.played(ANA, BEA)
    other = house.played(ANA, EVA)
    house.forget(first)
    assert house.archive.ids() == (other,)
    assert [example.picture for example, _ in house.evidence.examples()] == [
        name for names in pictures_by_round(house.evidence, other).values() for name in names
    ]
    assert names(house) == [["Anastasia", "Evangeline"]]
    house.close()
    left = house.bytes_kept()
    for word in (first.encode(), b"Beatrice", f"picture of {first}".encode()):
        assert word not in left, word
    for word in (other.encode(), b"Evangeline", f"picture of {other}".encode()):
        assert word in left, word


def test_people_who_played_another_game_are_still_known(house):
    first = house.played(ANA, BEA)
    house.played(BEA, ANA)
    house.forget(first)
    assert names(house) == [["Beatrice", "Anastasia"]], "the same two, seated another way"


def test_a_game_that_is_over_leaves_the_table_with_all_else(house):
    game = house.played(ANA, BEA)
    house.table.do(cmd.Abandon())
    house.forget(game)
    now = house.table.snapshot()
    assert (now.game_id, now.state.game, house.archive.ids(), names(house)) == (None, None, (), [])
    assert Table(house.journal).snapshot().game_id is None
    assert game.encode() not in house.bytes_kept()


def test_the_game_on_the_table_stays(house):
    game = house.played(ANA, BEA)
    with refused("game_on_table", BadCommand):
        house.forget(game)
    assert len(house.evidence.examples()) == 1, "nothing was begun"
    assert names(house) == [["Anastasia", "Beatrice"]]
