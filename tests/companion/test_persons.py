"""Two names are made one person in the statistics, and two again."""

import pytest

from companion.errors import BadCommand
from companion.statistics.archive import Archive
from companion.statistics.evenings import careers
from companion.storage.side_files import SideFile
from companion.table.table import Table
from tests.companion.at_table import begin
from tests.refusals import refused


@pytest.fixture
def archive(tmp_path, journal):
    """Ana beats Beto, Anita beats Caro, Anna beats Beto: one die each."""
    for winner, loser in (("Ana", "Beto"), ("Anita", "Caro"), ("Anna", "Beto")):
        begin(Table(journal), f"{winner} {loser}", "1x3, dudo, 1, away", starting_dice=1)
    return Archive(journal, persons=SideFile(tmp_path / "persons.json"))


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
    with refused(reason, BadCommand):
        archive.join(other, name)
    assert won(archive) == {"Ana": 1, "Anita": 1, "Anna": 1}


def test_two_who_are_one_already_are_not_turned_round(archive):
    archive.join("Anita", "Ana")
    with pytest.raises(BadCommand):
        archive.join("Ana", "Anita")
