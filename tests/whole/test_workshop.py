"""The pages on which the camera is calibrated and the parts are tried out, on a box at work."""

import json
from typing import Any

import cv2
import pytest

from companion.errors import BadCommand, PartFault
from companion.rules.presets import PRESETS
from companion.storage.side_files import SideFile
from companion.table import commands as cmd
from companion.texts import translate
from companion.threads import Lease
from hardware.calibration.calibration import FILE, Calibration, parsed, written
from hardware.cameras.simulated_dice import laid
from hardware.errors import CameraSilent
from tests.hardware.shown import shown
from tests.whole.at_box import ask, in_reveal, step
from tests.whole.conftest import at_work
from vision.learned.net import ModelMissing
from vision.values import Reading

pytestmark = pytest.mark.slow

DICE = tuple(zip((1, 2, 3, 4, 5, 6), ("red", "blue", "green", "yellow", "white", "red"), strict=True))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """A folder camera that shows six dice."""
    folder = tmp_path_factory.mktemp("dice")
    picture = laid(DICE, 3)
    cv2.imwrite(str(folder / "dice.png"), picture.image_bgr)
    return folder


def test_a_phone_leads_through_the_calibration_and_one_file_is_kept(tmp_path, drawn):
    data = tmp_path / "data"
    with at_work(data, f"folder:{drawn}") as companion:
        first = ask(companion, "/workshop/calibrate")[1]
        assert "The light is good." in first
        assert shown(companion.parts.lights).ring == 1.0
        assert step(companion, "dice")[0] == 200
        measured = companion.workshop.now("calibrate")
        die_px = measured["found"]["die_px"]
        assert f"Dice are {die_px:.0f} pixels wide" in ask(companion, "/workshop/calibrate")[1]
        assert step(companion, "empty")[0] == 200
        assert "There are still 6 dice" in ask(companion, "/workshop/calibrate")[1]
        assert not (data / "calibration.json").exists()
        assert step(companion, "keep")[0] == 200
        assert parsed((data / "calibration.json").read_bytes()).die_px == die_px
        assert "Everything is saved." in ask(companion, "/workshop/calibrate")[1]
        companion.workshop.close()
        assert shown(companion.parts.lights).ring == 0
    with at_work(data, f"folder:{drawn}") as again:
        assert again.workshop.now("calibrate")["found"]["die_px"] == die_px


def test_the_empty_table_once_remembered_is_known_in_reveals(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        assert step(companion, "empty")[0] == 200
        assert step(companion, "keep")[0] == 200
        assert companion.capture._empty is not None
    with at_work(tmp_path / "data", "simulated") as again:
        assert again.capture._empty is not None


@pytest.mark.parametrize(
    ("camera", "reader", "width_px"),
    [("the same", "both", 80.0), ("another", "both", None), ("the same", "net", None)],
)
def test_the_calibrated_size_of_dice_goes_to_the_reader(
    tmp_path, drawn, monkeypatch, camera, reader, width_px
):
    sizes: list[float | None] = []

    def reading(image: Any, *, scale_px: float | None, **more: Any) -> Reading:
        sizes.append(scale_px)
        return Reading(image.shape[1], image.shape[0], (), certain=False, doubts=())

    monkeypatch.setattr("vision.read.read", reading)
    name = f"folder {drawn}" if camera == "the same" else camera
    kept = Calibration(name, die_px=160.0, still_px=2048)
    SideFile(tmp_path / "data" / FILE).write(written(kept))
    with at_work(tmp_path / "data", f"folder:{drawn}", reader=reader) as companion:
        companion.capture._capture()
    assert sizes == [width_px], "the pictures here are 1024 pixels wide"


READING = (("dice", None), ("show", "6"), ("recognise", None), ("colour", "Ana"))
"""Steps that read a picture: calibrating, teaching, trying what was taught, showing a colour."""


def test_a_missing_model_is_reported_in_a_sentence(tmp_path, drawn, monkeypatch):
    with at_work(tmp_path / "data", f"folder:{drawn}", by_itself=False) as companion:
        companion.table.do(cmd.NewGame(PRESETS["classic"], (("Ana", "red"), ("Bea", "blue")), starter="Ana"))
        monkeypatch.setattr("vision.read.read", _without_a_model)
        monkeypatch.setattr("vision.learned.emblems.shown_alone", _without_a_model)
        for what, part in READING:
            status, answer = step(companion, what, part=part)
            assert status == 503, what
            assert translate("en", "errors.reader_broken") in answer


def _without_a_model(*_: Any, **__: Any) -> None:
    raise ModelMissing("the model classifier.onnx can't be used")


def test_the_camera_is_left_to_a_reveal_and_its_faults_are_reported(tmp_path, drawn):
    with at_work(tmp_path / "data", "simulated", by_itself=False) as companion:
        companion.camera.fault = CameraSilent("Asleep.")
        assert translate("en", "web.faults.camera_silent").split(".")[0] in step(companion, "dice")[1]
        with pytest.raises(PartFault):
            companion.workshop.do("calibrate", "dice")
        assert companion.workshop.now("calibrate")["fault"]["reason"] == "camera_silent"
        companion.camera.fault = None
        in_reveal(companion)
        companion.capture._heed(True)
        status, answer = step(companion, "dice")
        assert (status, json.loads(answer)["reason"]) == (422, "camera_at_work")
        with pytest.raises(BadCommand):
            companion.workshop.do("hardware-test", "picture")


def test_presses_go_to_the_test_and_back_to_the_game(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        assert "not pressed yet" in ask(companion, "/workshop/hardware-test")[1]
        companion.press("dudo")
        answer = ask(companion, "/workshop/hardware-test")[1]
        assert "clean, no bounce" in answer
        assert dict(companion.table.snapshot().faults) == {}, "the game heard nothing"
        assert step(companion, "again")[0] == 200
        assert "clean, no bounce" not in ask(companion, "/workshop/hardware-test")[1]
        assert step(companion, "leave")[0] == 200
        companion.press("dudo")
        assert "button" in dict(companion.table.snapshot().faults), "nothing can be doubted without a game"


def test_each_lamp_is_lit_alone_until_the_page_is_left(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        for lamp in companion.parts.lights.parts():
            assert step(companion, "light", part=lamp)[0] == 200
            assert companion.workshop.now("hardware-test")["lit"] == lamp
        assert shown(companion.parts.lights).ring == 1.0
        assert step(companion, "light", part="the moon")[0] == 422
        assert step(companion, "beep")[0] == 200
        companion.workshop.close()
        assert shown(companion.parts.lights).ring == 0.0
        assert shown(companion.parts.lights).view.state == "idle"


def test_a_picture_is_taken_and_measured(tmp_path, drawn):
    with at_work(tmp_path / "data", f"folder:{drawn}") as companion:
        assert step(companion, "picture")[0] == 200
        assert "1024 × 768 pixels, sharpness" in ask(companion, "/workshop/hardware-test")[1]


def test_a_lease_ends_by_itself_and_can_be_ended():
    ended: list[str] = []
    short = Lease(0.0, lambda: ended.append("short"))
    short.renew()
    timer = short._timer
    if timer is not None:
        timer.join(10)
    assert ended == ["short"]
    assert not short.runs
    long = Lease(1000.0, lambda: ended.append("long"))
    long.renew()
    long.renew()
    assert long.runs
    long.close()
    long.close()
    assert ended == ["short", "long"]
