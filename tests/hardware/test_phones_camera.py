"""Phones as the camera: the newest picture stands for the table for a while, and nothing before the first."""

import numpy as np
import pytest

from hardware.cameras.choose import Machine, choose, open_camera
from hardware.cameras.deviceless import KEPT_S, PhonesCamera
from hardware.errors import NoPhonePicture
from tests.clocks import FakeClock

LAPTOP = Machine("", False, ())


def test_a_picture_stands_for_the_table_until_it_is_old():
    clock = FakeClock()
    camera = PhonesCamera(clock)
    with pytest.raises(NoPhonePicture):
        camera.capture()
    camera.show(np.full((960, 1280, 3), 90, np.uint8))
    clock.advance(KEPT_S)
    assert camera.capture().image_bgr.shape == (960, 1280, 3)
    clock.advance(0.1)
    with pytest.raises(NoPhonePicture):
        camera.preview()
    assert camera.check() is None


def test_phones_are_chosen_by_name_alone():
    assert choose("phones", LAPTOP).kind == "phones"
    assert choose("auto", LAPTOP).kind == "simulated"
    assert isinstance(open_camera("phones", clock=FakeClock(), machine=LAPTOP), PhonesCamera)
