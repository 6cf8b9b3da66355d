"""A fragment is drawn once for all who see the same, and never shown to those who see something else."""

from tests.web.tables import bidding
from web.live import FragmentCache


def test_equal_views_are_drawn_once():
    drawn: list[str] = []

    def draw(what: str) -> str:
        drawn.append(what)
        return what

    fragments = FragmentCache()
    for version, seen in ((1, "en"), (1, "en"), (1, "es"), (1, "en"), (2, "en"), (2, "en")):
        assert fragments.get(version, seen, lambda: draw(f"{version} {seen}")) == f"{version} {seen}"  # noqa: B023
    assert drawn == ["1 en", "1 es", "2 en"]


def test_a_phone_that_was_overtaken_costs_the_others_nothing():
    drawn: list[int] = []
    fragments = FragmentCache()
    for version in (2, 1, 2):
        fragments.get(version, "en", lambda: drawn.append(version) or "")  # noqa: B023
    assert drawn == [2, 1]


def test_phones_of_different_views_see_different_pages(client, table):
    bidding(table)
    english, spanish = (
        client.get("/fragment/table", headers={"Accept-Language": language}).text for language in ("en", "es")
    )
    assert english != spanish
    client.post("/api/v1/phone", json={"lead": True})
    watcher = client.application.test_client()
    watcher.environ_base["REMOTE_ADDR"] = "192.168.1.50"
    assert 'id="pad"' in client.get("/fragment/table").text
    assert 'id="pad"' not in watcher.get("/fragment/table").text
    watcher.environ_base["REMOTE_ADDR"] = "127.0.0.1"
    assert 'id="pad"' in watcher.get("/fragment/table").text, "the box's own browser may act"
