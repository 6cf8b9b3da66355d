"""From set-up to a winner: phones, mock pins, and a camera that sees pictures of the simulated table."""

from pathlib import Path

import cv2
import pytest

from companion.demo.players import Lying
from companion.table.view import view
from hardware.cameras.simulated_dice import laid
from tests.whole.conftest import at_work
from tests.whole.players import bid, go_on, open_the_bidding, press, settle, sit_down

pytestmark = pytest.mark.browser

ROUNDS = (
    # dice shown, the bid of the player who starts, how many match
    ((2, 2, 3, 3, 4, 4), (6, 5), 0),
    ((1, 3, 4, 2, 2), (5, 6), 1),
    ((2, 3, 3, 5), (4, 6), 0),
)
"""Ana bids too high each time; Bea doubts her with the button of the box."""


def drawn(faces: tuple[int, ...], seed: int, file: Path) -> tuple[Lying, ...]:
    """A reveal as the camera sees it, written to `file`, and where its dice really lie."""
    picture = laid([(face, "white") for face in faces], seed, width_px=960, height_px=720)
    cv2.imwrite(str(file), picture.image_bgr)
    return tuple(Lying(die.face, die.x_px / 960, die.y_px / 720) for die in picture.dice)


def test_a_game_is_played_from_set_up_to_a_winner(tmp_path, phone):
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    lying = [drawn(faces, n, pictures / f"{n}.png") for n, (faces, _, _) in enumerate(ROUNDS, 1)]
    with at_work(tmp_path / "data", f"folder:{pictures}") as companion:
        host, watcher = phone(companion), phone(companion, locale="es-ES", color_scheme="dark")
        sit_down(host, ("Ana", "Bea"), starting_dice="3")
        for number, (_, (quantity, face), count) in enumerate(ROUNDS, 1):
            bid(host, quantity, face)
            press(host, "dudo")
            settle(host, companion, lying[number - 1])
            verdict = companion.table.snapshot().state.game.verdict
            assert verdict.count_lo <= count <= verdict.count_hi
            assert verdict.loser == "Ana"
            watcher.wait_for_selector(".sentence")
            if number < len(ROUNDS):
                host.wait_for_selector(".on-verdict")
                go_on(host, companion)
                open_the_bidding(host)
        host.wait_for_selector(".on-over")
        assert host.inner_text(".winner .sentence") == "Bea wins!"
        watcher.wait_for_selector("text=¡Gana Bea!")
        assert view(companion.table.snapshot())["state"] == "over"
