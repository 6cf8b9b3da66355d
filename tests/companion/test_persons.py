"""Two names are made one person in the statistics, and two again."""

import pytest

from companion.errors import BadCommand
from companion.reveal.corrections import ByHand
from companion.rules.calls import Dudo
from companion.side_files import SideFile
from companion.statistics.archive import Archive
from companion.statistics.evenings import careers
from companion.storage.journal import Journal
from companion.table import commands as cmd
from companion.table.table import Table
from tests.companion.test_table import bid, new_game


@pytest.fixture
def archive(tmp_path):
    """Ana beats Beto, Anita beats Caro, Anna beats Beto: one die each."""
    journal = Journal(tmp_path / "games")
    for winner, loser in (("Ana", "Beto"), ("Anita", "Caro"), ("Anna", "Beto")):
        table = Table(journal)
        table.do(new_game(winner, loser, starting_dice=1))
        table.do(bid(winner, "1x3"))
        table.do(cmd.Say(Dudo(loser)))
        table.do(cmd.Correct(ByHand(1)))
        table.do(cmd.PutAway())
    yield Archive(journal, persons=SideFile(tmp_path / "persons.json"))
    journal.close()


def won(archive: Archive) -> dict[str, int]:
    return {career.name: career.won for career in careers(archive.overview().games) if career.won}


def test_two_names_are_one_person_until_they_are_separated(archive, tmp_path):
    archive.join("Anita", "Ana")
    assert won(archive) == {"Ana": 2, "Anna": 1}
    archive.join("ana", "Anna")
    assert won(archive) == {"Anna": 3}, "who was counted as Ana is counted as Anna"
    assert won(Archive(archive._journal, persons=SideFile(tmp_path / "persons.json"))) == {"Anna": 3}
    assert archive.ids(), "the games keep their names"
    archive.join("ANA", "")
    assert won(archive) == {"Ana": 1, "Anna": 2}


@pytest.mark.parametrize(
    ("other", "name", "reason"),
    [("Ana", "ANA", "names_not_distinct"), ("Beto", "Ana", "played_together")],
)
def test_what_cannot_be_one_person_is_refused(archive, other, name, reason):
    with pytest.raises(BadCommand) as refused:
        archive.join(other, name)
    assert refused.value.reason == reason
    assert won(archive) == {"Ana": 1, "Anita": 1, "Anna": 1}


def test_two_who_are_one_already_are_not_turned_round(archive):
    archive.join("Anita", "Ana")
    with pytest.raises(BadCommand):
        archive.join("Ana", "Anita")
