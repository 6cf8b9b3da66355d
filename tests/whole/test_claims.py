"""A claim at a box with buttons: presses and holds of play confirm none, two buttons held together do."""

from random import Random

import pytest

from companion.errors import CompanionError
from hardware.ports import TOGETHER
from tests.whole.at_box import PEOPLE, Phone, say
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow


def test_a_stranger_who_waits_for_a_press_waits_in_vain(tmp_path, empty_table):
    random = Random(36)
    with at_work(tmp_path / "data", empty_table, host="127.0.0.2") as companion:
        say(companion, "new_game", players=PEOPLE, preset="modern", starter="Ana")
        stranger = Phone(companion)
        assert stranger.post("/api/v1/phone", json={"lead": True}).status_code == 403
        for _ in range(40):
            button = random.choice(companion.parts.buttons.names)
            try:
                companion.press(button, random.random() < 0.4)
            except CompanionError:
                continue
        assert stranger.get("/api/v1/phone").json["role"] == "watcher"
        companion.press(TOGETHER)
        assert stranger.get("/api/v1/phone").json["role"] == "host"
