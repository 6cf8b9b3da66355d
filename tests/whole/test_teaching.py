"""The page on which emblems are shown to the box: learnt, tried, kept over a restart, forgotten."""

import json

import cv2
import pytest

from companion.app.reading.lessons import FILE, MAX_PER_FACE, Lessons
from companion.app.reading.reader import Reader
from companion.errors import BadCommand
from companion.storage.side_files import SideFile
from tests.vision.learned.emblem_dice import SIX, drawn
from tests.whole.at_box import ask, in_reveal, step
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A folder camera under which one emblem die lies."""
    folder = tmp_path_factory.mktemp("emblem")
    cv2.imwrite(str(folder / "a.png"), drawn((SIX,), 0).image_bgr)
    return folder


def test_a_face_is_shown_tried_kept_and_forgotten(tmp_path, table):
    with at_work(tmp_path / "data", f"folder:{table}") as companion:
        for face, why in ((None, "no face"), ("7", "no such face")):
            assert step(companion, "show", part=face)[0] == 422, why
        assert "Forget" not in ask(companion, "/workshop/teach")[1]
        assert step(companion, "show", part="6")[0] == 200
        page = ask(companion, "/workshop/teach")[1]
        assert "Learned: six" in page
        assert "shown 1 time" in page
        assert companion.store.picture("taught-1")[:2] == b"\xff\xd8"
        assert step(companion, "recognise")[0] == 200
        assert "1 die is seen." in ask(companion, "/workshop/teach")[1]
    with at_work(tmp_path / "data", f"folder:{table}") as again:
        assert dict(again.camera_parts.lessons.faces) == {SIX: 1}
        assert step(again, "forget", part="6")[0] == 200
        assert dict(again.camera_parts.lessons.faces) == {}
        assert again.camera_parts.lessons.taught == ()


def test_nothing_is_taught_while_dice_are_looked_at(tmp_path, table):
    with at_work(tmp_path / "data", f"folder:{table}", by_itself=False) as companion:
        in_reveal(companion)
        companion.capture._heed(True)  # a press takes its time, and so does the capture to notice the reveal
        status, answer = step(companion, "show", part="6")
    assert (status, json.loads(answer)["reason"]) == (422, "camera_at_work")


@pytest.mark.parametrize(("faces", "reason"), [((), "nothing_shown"), ((6, 3), "show_one_die")])
def test_one_die_must_lie_there_alone(tmp_path, faces, reason):
    with pytest.raises(BadCommand) as refused:
        Lessons(SideFile(tmp_path / FILE), Reader()).show(drawn(faces, 0).image_bgr, SIX)
    assert refused.value.reason == reason


def test_the_oldest_showing_of_a_face_goes_first(tmp_path):
    lessons = Lessons(SideFile(tmp_path / FILE), Reader())
    image = drawn((SIX,), 0).image_bgr
    lessons.show(image, 1)
    for _ in range(MAX_PER_FACE + 2):
        lessons.show(image, SIX)
    assert dict(lessons.faces) == {1: 1, SIX: MAX_PER_FACE}


def test_another_model_learns_from_the_kept_pictures_anew(tmp_path):
    path = tmp_path / FILE
    lessons = Lessons(SideFile(path), Reader())
    lessons.show(drawn((SIX,), 0).image_bgr, SIX)
    body = json.loads(path.read_text())
    body["model"], body["showings"][0]["features"] = "another", []
    path.write_text(json.dumps(body))
    assert len(Lessons(SideFile(path), Reader()).taught) == len(lessons.taught)
