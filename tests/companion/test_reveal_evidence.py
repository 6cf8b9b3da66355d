"""Evidence and examples: kept, bounded, deleted with the game, exported as a labelled set."""

import json
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace

import msgspec
import pytest

from companion.app.reading.evidence_store import EvidenceStore
from companion.app.reading.reader_process import Jpegs
from companion.errors import CompanionError, StorageError
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import Add, Correction, SetFace, Strike
from companion.reveal.evidence import Evidence, Example, Label, examples, export_examples
from companion.reveal.state import ALL, RevealState, with_correction, with_observation
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table.commands import AddObservation
from companion.table.table import Table
from tests.companion.at_table import begin as begin_game
from tests.companion.at_table import observation, play
from tests.companion.begun_reveals import begin
from tests.companion.evidence_file import pictures_by_round, size_bytes
from tests.companion.reveal_table import row
from tests.refusals import refused


@pytest.fixture
def evidence(tmp_path):
    store = Evidence(SideFile(tmp_path / "evidence.sqlite"), limit_bytes=1000, most_examples=3)
    yield store
    store.close()
    store.close()


def test_pictures_are_kept_until_their_game_is_deleted(evidence):
    mine, other = evidence.keep("one", b"mine"), evidence.keep("two", b"other")
    assert evidence.picture(mine) == b"mine"
    assert evidence.picture("unknown") is None
    evidence.keep_verdict("one", 1, (mine,))
    evidence.delete("one")
    assert evidence.picture(mine) is None
    assert pictures_by_round(evidence, "one") == {}
    assert evidence.picture(other) == b"other"


def test_a_verdict_keeps_its_own_pictures_and_drops_the_loose_ones(evidence):
    first, second, third = (evidence.keep("one", text) for text in (b"1", b"2", b"3"))
    evidence.keep_verdict("one", 1, (second, third))
    assert evidence.picture(first) is None
    assert pictures_by_round(evidence, "one") == {1: [second, third]}


def test_a_verdict_given_again_replaces_what_it_rested_on(evidence):
    wrong = evidence.keep("one", b"wrong")
    evidence.keep_verdict("one", 1, (wrong,))
    right = evidence.keep("one", b"right")
    evidence.keep_verdict("one", 1, (right,))
    assert pictures_by_round(evidence, "one") == {1: [right]}
    assert evidence.picture(wrong) is None


def test_examples_go_with_their_game(evidence):
    first, second = (evidence.keep(game, b"shown", b"clean") for game in ("one", "two"))
    evidence.keep_examples([Example(first, ()), Example(second, ())])
    evidence.keep("one", bytes(2000))  # for want of room the picture itself has gone before
    assert evidence.picture(first) is None
    evidence.delete("one")
    assert [example.picture for example, _ in evidence.examples()] == [second]


@pytest.mark.parametrize(
    ("body", "left", "reason"),
    [
        ('{"picture": "%s", "dice": [], "struck": []}', 0, "an example of an older version names no game"),
        ('{"picture": "%s", "dice": [', 0, "nor does a damaged one"),
    ],
)
def test_examples_without_a_game_are_found_by_their_picture(evidence, body, left, reason):
    name = evidence.keep("one", b"shown", b"clean")
    with closing(sqlite3.connect(evidence._db.path)) as older, older:
        older.execute("INSERT INTO examples (picture, body, jpeg) VALUES (?, ?, x'00')", (name, body % name))
    evidence.delete("one")
    with closing(sqlite3.connect(evidence._db.path)) as found:
        assert found.execute("SELECT count(*) FROM examples").fetchone()[0] == left, reason


def test_size_is_bounded_and_loose_pictures_go_first(evidence):
    judged = evidence.keep("one", bytes(300))
    evidence.keep_verdict("one", 1, (judged,))
    loose = [evidence.keep("one", bytes(200), bytes(100)) for _ in range(10)]
    assert size_bytes(evidence) <= 1000
    assert evidence.picture(judged) is not None
    assert [evidence.picture(name) is None for name in loose] == [True] * 8 + [False] * 2
    huge = evidence.keep("one", bytes(5000))
    assert evidence.picture(huge) is not None
    assert pictures_by_round(evidence, "one") == {}


def test_everything_is_there_after_opening_again(tmp_path):
    path = tmp_path / "evidence.sqlite"
    store = Evidence(SideFile(path))
    name = store.keep("one", b"jpeg")
    store.close()
    again = Evidence(SideFile(path))
    assert again.picture(name) == b"jpeg"
    again.close()


def test_what_cannot_be_written_is_said_in_our_own_words(tmp_path):
    (tmp_path / "file").write_text("")
    with refused("evidence_unwritable", StorageError):
        Evidence(SideFile(tmp_path / "file" / "evidence.sqlite")).keep("one", b"jpeg")


def seen_and_corrected(*corrections: Correction, picture: str = "shot") -> RevealState:
    state = begin(Claim(Kind.DUDO, 5, 2), 4)
    state = with_observation(state, "all", replace(row((5, 3, 2, 6), uncertain=[3]), picture=picture))
    for correction in corrections:
        state = with_correction(state, correction)
    return state


@pytest.mark.parametrize(
    ("why", "corrections", "faces"),
    [
        ("a face", (SetFace("all.1", 4),), [4, 3, 2, 6]),
        ("none", (Strike("all.2"),), [5, 2, 6]),
        ("one more", (Add(6, "all", 0.5, 0.9),), [5, 3, 2, 6, 6]),
    ],
)
def test_a_correction_makes_the_whole_picture_an_example(why, corrections, faces):
    (example,) = examples(seen_and_corrected(*corrections))
    assert example.picture == "shot"
    assert [label.face for label in example.dice] == faces, why
    assert msgspec.json.decode(msgspec.json.encode(example), type=Example) == example


@pytest.mark.parametrize(
    "corrections", [(), (SetFace("all.1", 5),), (Add(6),), (SetFace("all.1", 4), Add(6))]
)
def test_nothing_to_learn_from_is_no_example(corrections):
    assert examples(seen_and_corrected(*corrections)) == ()


def test_examples_are_exported_as_a_labelled_set(evidence, tmp_path):
    name = evidence.keep("one", b"marked", b"clean")
    (example,) = examples(seen_and_corrected(SetFace("all.1", 4), picture=name))
    assert evidence.keep_examples((example, msgspec.structs.replace(example, picture="gone"))) == 1
    assert export_examples(evidence, tmp_path / "set") == 1
    assert (tmp_path / "set" / f"{name}.jpg").read_bytes() == b"clean"
    labels = json.loads((tmp_path / "set" / "labels.json").read_text("utf-8"))
    dice = labels[f"{name}.jpg"]["dice"]
    assert dice[0] == {"x": 0.05, "y": 0.5, "size": 0.05, "face": 4, "colour": "ivory"}
    assert [die.get("ignore", False) for die in dice] == [False, False, False, True]


def test_examples_are_bounded_and_can_be_forgotten(evidence):
    for _ in range(6):
        name = evidence.keep("one", b"m", b"c")
        evidence.keep_examples((Example(name, (Label(0.5, 0.5, 0.05, 3, "red"),)),))
    assert len(evidence.examples()) == 3
    evidence.forget_examples()
    assert evidence.examples() == ()


DRAWN = Jpegs(b"marked", b"plain")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.app.reading.evidence_store.no_room", lambda _: None)
    journal, evidence = Journal(tmp_path / "games"), Evidence(SideFile(tmp_path / "evidence.sqlite"))
    yield EvidenceStore(Table(journal), evidence, tmp_path, keep_examples=False)
    evidence.close()
    journal.close()


def test_a_picture_is_there_for_whoever_asked_before_it_was_drawn(store):
    name, begun, go_on = store.expect(), threading.Event(), threading.Event()
    found: list[bytes | None] = []

    def draw() -> Jpegs:
        begun.set()
        assert go_on.wait(20)
        return DRAWN

    keeping = threading.Thread(target=lambda: store.keep(name, draw))
    asking = threading.Thread(target=lambda: found.append(store.picture(name)))
    keeping.start()
    assert begun.wait(20)
    asking.start()
    go_on.set()
    for thread in (keeping, asking):
        thread.join(20)
    assert found == [b"marked"]
    assert store.picture(f"{name}-plain") == b"plain"


def test_a_verdict_keeps_a_picture_that_is_drawn_long_after_it(store, monkeypatch):
    """A small board may be reading something else: the game has gone on by then."""
    monkeypatch.setattr("companion.app.reading.evidence_store.KEEPING_S", 0.0)
    table, name = store._table, store.expect()
    game = begin_game(table, "Ana Beto", "Ana 1x3, Beto dudo", starting_dice=2).game_id
    for _ in range(2):
        seen = replace(observation(3, 5, 5, 6), picture=name)
        judged = table.do(AddObservation(seen, ALL))
    store.follow(judged)
    store.follow(play(table, "next"))
    assert pictures_by_round(store._evidence, game) == {}
    store.keep(name, lambda: DRAWN)
    store.follow(table.snapshot())
    assert pictures_by_round(store._evidence, game) == {1: [name]}


def test_a_picture_that_cannot_be_drawn_costs_the_picture_alone(store):
    name = store.expect()

    def fail() -> Jpegs:
        raise CompanionError("reading_failed")

    store.keep(name, fail)
    assert store.picture(name) is None


def test_no_picture_is_expected_on_a_full_disk(store, monkeypatch):
    monkeypatch.setattr("companion.app.reading.evidence_store.no_room", lambda _: True)
    assert store.expect() == ""
    store.keep("", lambda: DRAWN)
    assert store.picture("") is None


@pytest.mark.parametrize(
    ("why", "sizes", "kept"),
    [
        ("all of them fit", (1, 1, 1), (0, 1, 2)),
        ("older ones make room", (2, 2, 2), (1, 2)),
        ("one is kept in any case", (1, 9), (1,)),
        ("a large one takes the room of older ones", (1, 3, 3, 1), (2, 3)),
    ],
)
def test_the_newest_pictures_stay_in_memory_within_their_room(why, sizes, kept, store, monkeypatch):
    monkeypatch.setattr("companion.app.reading.evidence_store.PLAIN_BYTES", 4)
    for number, size in enumerate(sizes):
        store.show(str(number), bytes(size))
    assert tuple(n for n in range(len(sizes)) if store.picture(str(n)) is not None) == kept, why
