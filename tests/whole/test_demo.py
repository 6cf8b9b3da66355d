"""A demonstration: a table of its own for simulated players, which touches no game of people."""

import urllib.request
from http.cookiejar import CookieJar

import pytest

from companion.app.companion import Companion
from companion.app.demonstration import IDLE_S, Shows
from companion.demo.players import Pace
from companion.errors import BadCommand
from tests.web.hands import expect
from tests.whole.at_box import PEOPLE, ask, say, wait_until
from tests.whole.conftest import at_work

pytestmark = pytest.mark.slow

TO_THE_DEMONSTRATION = ".welcome [action='/demo'] button"
QUICK = Pace(0.05, 0.3, 0.05, 0.05)


def demonstrated(companion: Companion) -> Companion:
    """The companion of the demonstration beside this one."""
    shown = companion.demonstration_table._shown
    assert isinstance(shown, Companion)
    return shown


@pytest.mark.browser
def test_one_tap_leads_to_a_demonstration_and_another_back_or_a_game_that_begins(tmp_path, phone):
    with at_work(tmp_path / "data", "simulated") as companion:
        page = phone(companion)
        page.click(TO_THE_DEMONSTRATION)
        page.wait_for_selector("[data-demonstration] .demonstration a")
        wait_until(demonstrated(companion), lambda now: now.state.game is not None)
        page.wait_for_selector(".players")
        expect(page, "[data-command]").to_have_count(0)
        page.click(".demonstration a")
        page.wait_for_selector("#setup")
        assert companion.table.snapshot().state.game is None
        page.click(TO_THE_DEMONSTRATION)
        page.wait_for_selector("[data-demonstration]")
        say(companion, "new_game", players=PEOPLE)
        page.wait_for_selector("html:not([data-demonstration]) .players")


def test_nothing_that_is_sent_to_a_demonstration_is_done(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        port = companion.demonstration_table.open()
        assert companion.demonstration_table.open() == port, "one at a time"
        shown = demonstrated(companion)
        for path, body in (
            ("/api/v1/commands", {"command": {"type": "abandon"}}),
            ("/api/v1/phone", {"lead": True}),
            ("/api/v1/phone", {"come": {}}),
            ("/api/v1/box/press", {"button": "dudo"}),
            ("/api/v1/groups", {"group": "x", "forget": True}),
        ):
            assert ask(shown, path, body)[0] == 403, path


def test_a_demonstration_writes_nothing_where_the_games_are_kept(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.demonstration_table.open()
        shown = demonstrated(companion)
        wait_until(shown, lambda now: now.state.game is not None)
        folder = shown.settings.data_folder
        assert folder != companion.settings.data_folder
        assert companion.kept.journal.current() is None
        companion.demonstration_table.close()
        assert not folder.exists()


def test_a_demonstration_takes_no_phone_its_seat_away(tmp_path):
    """Both are one host to a browser, which keeps cookies by host."""
    with at_work(tmp_path / "data", "simulated") as companion:
        jar = CookieJar()
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        browser.open(f"http://127.0.0.1:{companion.port}/", timeout=10).close()
        before = {cookie.name: cookie.value for cookie in jar}
        begun = browser.open(f"http://127.0.0.1:{companion.port}/demo", b"", timeout=10)
        _, _, address = begun.headers["Refresh"].partition("url=")
        browser.open(address, timeout=10).close()
        after = {cookie.name: cookie.value for cookie in jar}
        assert before == {name: after[name] for name in before}
        assert set(after) - set(before) == {"demonstration"}


def test_none_is_begun_beside_a_game(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        say(companion, "new_game", players=PEOPLE)
        with pytest.raises(BadCommand, match="game"):
            companion.demonstration_table.open()


def test_one_that_nobody_watches_ends(tmp_path):
    with at_work(tmp_path / "data", "simulated") as companion:
        companion.demonstration_table.open()
        demonstrated(companion).visited_s -= 2 * IDLE_S
        companion.demonstration_table.turn()
        assert companion.demonstration_table._shown is None


def test_players_come_to_a_verdict_by_themselves(tmp_path):
    with at_work(tmp_path / "data", "simulated", shows=Shows(pace=QUICK)) as companion:
        wait_until(companion, lambda now: len(now.state.played) >= 2)
        played = companion.table.snapshot().state.played
        assert all(p.pictures for p in played)


def test_nobody_plays_where_the_dice_are_real(tmp_path):
    (tmp_path / "pictures").mkdir()
    camera = f"folder:{tmp_path / 'pictures'}"
    with pytest.raises(BadCommand, match="in a demo"), at_work(tmp_path / "data", camera, shows=Shows()):
        pass
