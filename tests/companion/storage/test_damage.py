"""Any byte of any file flipped, cut, or gone: noticed, named, at the least cost, and the box comes up."""

from contextlib import closing
from functools import partial
from operator import ne
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.storage import game_list
from companion.storage.exports import Exported
from companion.storage.form import all_sealed, fresh, joined, woven
from companion.storage.game_list import Loss
from companion.storage.journal import Journal
from companion.table.resuming import GAMES, LEFT_BY_GAMES, open_journal, restore
from tests.companion.storage.lossy_disk import File, LossyDisk

FOLDER = Path("/nowhere/games")
MIRROR = Path("/nowhere/games-mirror")

Files = dict[Path, bytes]
Bodies = dict[str, list[object]]


def evening() -> tuple[Files, Bodies, str]:
    """Two games and a half: what is on the card, what was played, and which game is on the table."""
    disk = LossyDisk()
    journal = Journal(FOLDER, disk=disk)
    for _ in range(2):
        game = journal.create({"n": 1}, {"n": 2})
        journal.append(game, 3, {"n": 3}, {"n": 4}, {"n": 5})
        journal.append(game, 6, {"n": 6, "name": "Iñaki"})
        journal.put_notes({"current": None})
    current = journal.create({"n": 1})
    for number in range(2, 9):
        journal.append(current, number, {"n": number})
    journal.settle()
    journal.append(current, 9, {"n": 9})
    return {path: file.now for path, file in disk.named.items()}, bodies(journal), current


def bodies(journal: Journal) -> Bodies:
    return {info.id: [record.body for record in journal.records(info.id)] for info in journal.games()}


def start(files: Files) -> tuple[Journal, Bodies]:
    """A start, with the look at every record that follows in its back, and another one on what that made."""
    disk = LossyDisk(named={path: File(n, text, text) for n, (path, text) in enumerate(files.items(), 1)})
    journal = Journal(FOLDER, disk=disk)
    for info in journal.games():
        journal.check(info.id)
    found = bodies(journal)
    again = Journal(FOLDER, disk=disk)
    assert bodies(again) == found
    assert all(again.check(info.id) is None for info in again.games()), "put right for good"
    return again, found


FILES, PLAYED, CURRENT = evening()
PATHS = sorted(FILES)


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes | None:
    """The file with a flipped bit, cut, with a piece gone or overwritten, emptied, or (None) deleted."""
    at = draw(st.integers(0, len(content) - 1))
    size = draw(st.integers(1, 400))
    return draw(
        st.sampled_from(
            (
                content[:at] + bytes((content[at] ^ 1 << size % 8,)) + content[at + 1 :],
                content[:at],
                content[:at] + content[at + size :],
                content[:at] + bytes(len(content[at : at + size])) + content[at + size :],
                content[:at] + Random(size).randbytes(len(content[at : at + size])) + content[at + size :],
                b"",
                None,
            )
        )
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.parent.name + path.suffix)
@given(data=st.data())
@settings(max_examples=150)
def test_damage_in_one_file_costs_nothing(path, data):
    content = data.draw(damaged(FILES[path]))
    files = {**FILES, path: content} if content is not None else {k: v for k, v in FILES.items() if k != path}
    journal, found = start(files)
    assert (found, journal.current()) == (PLAYED, CURRENT)
    assert journal.losses() in ((), (Loss(),))
    unfinished = CURRENT in path.name
    assert journal.losses() or unfinished or content == FILES[path], "only a torn end is no damage"


@pytest.mark.parametrize("number", range(10))
def test_different_lines_may_be_damaged_in_both_files(number):
    first, second = (folder / f"{CURRENT}.jsonl" for folder in (FOLDER, MIRROR))
    files = {
        **FILES,
        first: damaged_line(FILES[first], number),
        second: damaged_line(FILES[second], (number + 5) % 10),
    }
    journal, found = start(files)
    assert (found, journal.losses()) == (PLAYED, (Loss(),))


def damaged_line(content: bytes, line: int) -> bytes:
    lines = content.split(b"\n")
    return b"\n".join((*lines[:line], b"x" + lines[line][1:], *lines[line + 1 :]))


@pytest.mark.parametrize("line", range(1, 9))
def test_a_line_that_both_files_have_lost_cuts_the_game_there_and_is_reported(line):
    pair = [folder / f"{CURRENT}.jsonl" for folder in (FOLDER, MIRROR)]
    journal, found = start({**FILES, **{path: damaged_line(FILES[path], line) for path in pair}})
    assert found == {**PLAYED, CURRENT: PLAYED[CURRENT][: line - 1]}
    (loss,) = journal.losses()
    assert loss == Loss(10 - line, 1, loss.file, CURRENT, 10 - line), "cut, and not gone"
    kept = {path: text for path, text in _named(journal).items() if path.parent.name == "games-damaged"}
    assert set(kept.values()) == {damaged_line(FILES[pair[0]], line)}
    assert loss.file in {path.name for path in kept}


def _named(journal: Journal) -> Files:
    return {path: file.now for path, file in journal._disk.named.items()}  # type: ignore[attr-defined]


@given(st.data())
@settings(max_examples=300)
def test_damage_in_both_files_is_reported_and_nothing_else_is_touched(data):
    game = data.draw(st.sampled_from(sorted(PLAYED)))
    files = dict(FILES)
    for path in (folder / f"{game}.jsonl" for folder in (FOLDER, MIRROR)):
        content = data.draw(damaged(FILES[path]))
        files.pop(path)
        files |= {} if content is None else {path: content}
    journal, found = start(files)
    lost = len(PLAYED[game]) - len(found.get(game, []))
    assert found.get(game, []) == PLAYED[game][: len(PLAYED[game]) - lost]
    assert {**found, game: []} == {**PLAYED, game: []}
    reported = sum(loss.records for loss in journal.losses())
    assert reported == lost or (reported >= lost - 1 and game == CURRENT), (
        "the last line of both may look torn"
    )


@given(st.data())
@settings(max_examples=100)
def test_with_both_lists_lost_the_games_are_found(data):
    files = dict(FILES)
    for path in (folder / game_list.NAME for folder in (FOLDER, MIRROR)):
        content = data.draw(damaged(FILES[path]).filter(partial(ne, FILES[path])))
        files.pop(path)
        files |= {} if content is None else {path: content}
    journal, found = start(files)
    assert found == PLAYED
    assert set(journal.losses()) == {Loss()}
    assert journal.boots() > 1000, "phones take no version below one they saw"


def test_a_game_of_which_nothing_is_left_is_reported():
    for game in PLAYED:
        journal, found = start({path: text for path, text in FILES.items() if game not in path.name})
        assert found == {other: played for other, played in PLAYED.items() if other != game}
        lost = 8 if game == CURRENT else 6
        gone = Loss(lost, 1, game=game, missing=lost, gone=game == CURRENT)
        assert journal.losses() == (gone,), "as far as the list knew"


def test_a_game_of_no_record_yet_is_missed_too():
    disk = LossyDisk()
    game = Journal(FOLDER, disk=disk).create()
    for path in [path for path in disk.named if game in path.name]:
        disk.remove(path)
    assert Journal(FOLDER, disk=disk).losses() == (Loss(0, 1, game=game, gone=True),)


def test_a_game_that_lost_its_heads_is_gone_and_counted_by_what_stands_below_them():
    """The list knows of eight records; the ninth is seen in the files."""
    pair = [folder / f"{CURRENT}.jsonl" for folder in (FOLDER, MIRROR)]
    journal, found = start({**FILES, **{path: damaged_line(FILES[path], 0) for path in pair}})
    (loss,) = journal.losses()
    assert (found.get(CURRENT), loss.records, loss.gone) == (None, 9, True)


def test_a_game_that_is_copied_into_the_folder_is_there():
    game = min(set(PLAYED) - {CURRENT})
    lone = FOLDER / f"{game}.jsonl"
    journal, found = start({lone: FILES[lone]})
    assert found == {game: PLAYED[game]}
    journal, found = start({lone: FILES[lone], FOLDER / "notes.txt": b"mine", FOLDER / "x.jsonl": b"{}"})
    assert found == {game: PLAYED[game]}
    assert FOLDER / "x.jsonl" in _named(journal), "what is no game is left alone"


def test_an_emptied_folder_in_which_games_were_played_is_reported_until_it_is_confirmed(tmp_path):
    (tmp_path / LEFT_BY_GAMES).touch()
    for _ in range(2):
        with closing(open_journal(tmp_path / GAMES)) as journal:
            assert journal.losses() == (Loss(emptied=True),)
            boots = journal.boots()
    with closing(open_journal(tmp_path / GAMES)) as journal:
        journal.put_notes({"losses": None})
    with closing(open_journal(tmp_path / GAMES)) as journal:
        assert (journal.losses(), boots) == ((), 2)


def test_a_folder_with_games_or_with_other_losses_is_none_that_was_emptied(tmp_path):
    (tmp_path / LEFT_BY_GAMES).touch()
    with closing(Journal(tmp_path / GAMES)) as journal:
        game = journal.create({"n": 1})
    with closing(open_journal(tmp_path / GAMES)) as journal:
        assert journal.losses() == ()
    for name in (GAMES, f"{GAMES}-mirror"):
        (tmp_path / name / f"{game}.jsonl").unlink()
    with closing(open_journal(tmp_path / GAMES)) as journal:
        assert journal.losses() == (Loss(1, 1, game=game, missing=1, gone=True),)


LINES = all_sealed({"format": "dudo-journal", "schema": 3}, ({"number": n, "body": n} for n in range(1, 6)))


def test_a_command_that_is_cut_anywhere_is_no_lost_record():
    """Its first records are in neither file, and what is left of the last does not say what it belongs to."""
    more = ({"number": n, "batch": [2, 4], "version": "1", "at": "", "body": n} for n in (2, 3, 4))
    lines = all_sealed({"format": "dudo-journal", "schema": 3}, ({"number": 1, "body": 1}, *more))
    begun, whole = joined(lines[:2]), joined(lines)
    for at in range(len(begun), len(whole)):
        assert woven((begun, whole[:at]), 1).missing == 0, at
        torn = woven((whole[:at], whole[: len(begun) + 9]), 1)
        assert torn.missing == (begun < whole[:at] < whole[:-1]), "it was in both, and is in neither"


@pytest.mark.parametrize(
    ("first", "second", "listed", "expected"),
    [
        pytest.param(LINES, LINES, 5, (6, 0, False), id="whole"),
        pytest.param(LINES, LINES[:5], 4, (6, 0, False), id="torn: the second is one behind"),
        pytest.param(LINES[:5], LINES, 4, (6, 0, False), id="torn: the first is one behind"),
        pytest.param(LINES, LINES[:4], 4, (6, 0, True), id="two behind is damage"),
        pytest.param(LINES, LINES[:4], 2, (6, 0, True), id="two behind is damage, however few are listed"),
        pytest.param(LINES, LINES[:5], 5, (6, 0, True), id="one behind what is listed is damage"),
        pytest.param(LINES, [], None, (6, 0, False), id="one file was copied into the folder"),
        pytest.param(LINES[:4], LINES[:4], 5, (4, 2, True), id="both cut below what is listed"),
        pytest.param(LINES[:3], LINES[:2] + LINES[4:], 1, (3, 3, True), id="a line that shows what was lost"),
        pytest.param(LINES[:4], LINES[:2] + LINES[5:], 1, (4, 0, True), id="one that shows nothing"),
        pytest.param(LINES[:1], LINES[:1], 0, (1, 0, False), id="nothing yet"),
        pytest.param([], [], 5, (0, 5, True), id="nothing left"),
        pytest.param(LINES[2:], LINES[2:], 0, (0, 5, True), id="no head"),
    ],
)
def test_two_files_are_woven(first, second, listed, expected):
    found = woven((joined(first), joined(second)), listed)
    assert (len(found.lines), found.missing, found.damaged) == expected


@pytest.mark.parametrize("lengths", [(3, 1), (1, 3), (3, 3), (0, 3)])
def test_of_two_damaged_files_of_one_game_in_a_folder_the_longer_counts(tmp_path, lengths):
    with closing(Journal(tmp_path / GAMES)) as journal:
        game = journal.create({"n": 1}, {"n": 2}, {"n": 3})
    whole = (tmp_path / GAMES / f"{game}.jsonl").read_bytes().splitlines(keepends=True)
    (aside := tmp_path / f"{GAMES}-damaged").mkdir()
    for number, length in enumerate(lengths, 1):
        (aside / f"2026-{game}-{number}.jsonl").write_bytes(b"".join(whole[: 1 + length]) + b"damaged")
    with closing(Journal(tmp_path / "new" / GAMES)) as journal:
        assert restore(journal, [aside]) == [game]
        assert bodies(journal) == {game: [{"n": 1}, {"n": 2}, {"n": 3}]}


@pytest.mark.parametrize(("deleted", "left"), [("11", 2), ("1f", 2), ("1f2e", 0)])
def test_a_deleted_game_takes_the_damaged_files_of_no_other_along(tmp_path, deleted, left):
    (aside := tmp_path / f"{GAMES}-damaged").mkdir()
    for number in (1, 2):
        (aside / f"2026-11-28T173000-1f2e-{number}.jsonl").write_bytes(b"damaged")
    with closing(Journal(tmp_path / GAMES)) as journal:
        journal.keep(Exported(deleted, "2026", fresh([{"n": 1}])))
        journal.delete(deleted)
    assert len(list(aside.iterdir())) == left
