"""The page on which the host changes the settings."""

import tomllib
from pathlib import Path

import pytest

from companion.app.system.box_parts import fitting
from companion.settings import Camera, Settings, table
from companion.settings_file import PAGE_FILE, load_usable
from companion.storage.side_files import SideFile
from companion.table.snapshot import Fault
from companion.texts import languages, translate
from companion.upkeep import PageSettings
from tests.web.axe import complaints_of_both_themes
from tests.web.hands import FITS, NARROW, until
from tests.web.party import FAR
from tests.web.serving import served
from tests.web.tables import bidding, deps_for
from tests.web.test_workshop_pages import Workshop
from web.app import create_app
from web.pages.settings_form import plain

pytestmark = pytest.mark.usefixtures("over_sockets")

ENVIRON = {"DUDO_TABLE_DOUBT": "0.01"}


class Restarts:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> None:
        self.count += 1


@pytest.fixture
def restarts():
    return Restarts()


@pytest.fixture
def kept(tmp_path, restarts):
    return PageSettings(SideFile(tmp_path / PAGE_FILE), Settings(), restarts, fitting, ENVIRON)


@pytest.fixture
def home(table, kept):
    return create_app(deps_for(table, page_settings=kept, workshop=Workshop())).test_client()


def form(kept: PageSettings, **changed: str) -> dict[str, str]:
    """What a browser sends of the form, with values changed by section__key."""
    usual = {row.name: plain(kept.value(row)) for row in table() if kept.may_change(row)}
    return usual | {name.replace("__", "."): value for name, value in changed.items()}


def loaded(folder: Path) -> Settings:
    (folder / "companion.toml").touch()
    return load_usable(folder / "companion.toml", {"DUDO_DATA_FOLDER": str(folder)})


def test_a_change_counts_after_a_restart(home, kept, restarts, tmp_path):
    assert 'action="/settings/restart"' not in home.get("/settings").text
    changed = form(kept, camera__use="usb:1", web__https="true", box__strip="7", mqtt__table='Ana "1" ñ')
    answer = home.post("/settings", data=changed)
    assert (answer.status_code, answer.location) == (303, "/settings")
    assert translate("en", "web.settings.waits") in home.get("/settings").text
    now = loaded(tmp_path)
    assert (now.camera.use, now.web.https, now.box.strip) == ("usb:1", True, 7)
    assert now.mqtt.table == 'Ana "1" ñ'
    assert len(tomllib.loads((tmp_path / PAGE_FILE).read_text())) == 4, "only what was changed is kept"
    assert home.post("/settings/restart").headers["Refresh"].endswith("url=/settings")
    assert restarts.count == 1


def test_a_change_taken_back_waits_for_nothing(home, kept):
    home.post("/settings", data=form(kept, camera__places="each"))
    home.post("/settings", data=form(kept, camera__places="one"))
    assert not kept.waits
    assert PageSettings(kept._file, Settings(camera=Camera(places="each")), Restarts(), fitting, {}).waits


WRONG = [
    ("box__strip", "99", "setting_bounds", "beyond its bounds"),
    ("box__strip", "many", "setting_int", "no number"),
    ("data__evidence_mb", "9" * 200, "setting_long", "a number without end"),
    ("table__preset", "nothing", "setting_choice", "none of its values"),
    ("web__https", "perhaps", "setting_bool", "neither yes nor no"),
    ("camera__use", "lens", "setting_camera", "no camera"),
    ("camera__use", "folder:/etc", "setting_camera", "a folder of the box is not for phones to name"),
    ("mqtt__host", "a\x07b", "setting_sign", "a sign that no name has"),
    ("mqtt__discovery", "a/#", "setting_sign", "no topic begins so, and no start may fail by it"),
]


@pytest.mark.parametrize(("name", "typed", "reason", "why"), WRONG)
def test_a_wrong_one_is_refused_with_its_sentence_and_nothing_is_lost(
    home, kept, tmp_path, name, typed, reason, why
):
    sent = form(kept, mqtt__prefix="kept as typed", **{name: typed})
    refused = kept.change(sent)
    assert {error.reason for error in refused.values()} == {reason}, why
    for language in languages():
        answer = home.post("/settings", data=sent, headers={"Accept-Language": language})
        assert answer.status_code == 422, why
        said = translate(language, f"errors.{reason}", **refused[name.replace("__", ".")].values)
        assert said.split("'")[0].split('"')[0] in answer.text
        assert 'value="kept as typed"' in answer.text
    assert not (tmp_path / PAGE_FILE).exists()


def test_what_names_files_or_who_leads_is_set_on_the_box_alone(home, kept, tmp_path):
    """A phone that leads must not read files of the box, nor shut everybody out."""
    fixed = [row for row in table() if not kept.may_change(row)]
    assert {row.name for row in fixed if row.page} == {"table.doubt"}, "the environment says it"
    home.post("/settings", data={row.name: "1" for row in fixed})
    assert not (tmp_path / PAGE_FILE).exists()
    (tmp_path / PAGE_FILE).write_text('[web]\nlocal_leads = false\n[mqtt]\nca_file = "/etc/shadow"\n')
    assert loaded(tmp_path).web.local_leads
    assert loaded(tmp_path).mqtt.ca_file == ""


@pytest.mark.parametrize("content", [b"\xff\0", b"[", b"[camera]\nplaces = 3\n", b"x = 1\n"])
def test_a_damaged_file_costs_what_was_set_and_no_start(tmp_path, content):
    (tmp_path / PAGE_FILE).write_bytes(content)
    assert loaded(tmp_path).camera == Camera()
    again = PageSettings(SideFile(tmp_path / PAGE_FILE), Settings(), Restarts(), fitting, {})
    assert again.change(form(again, camera__places="each")) == {}
    assert loaded(tmp_path).camera.places == "each"
    assert loaded(tmp_path).faults == ()


def test_each_has_its_default_and_what_it_does(home):
    shown = home.get("/settings", headers={"Accept-Language": "de"}).text
    wanted = {row.name: row.sentence("de").replace("'", "&#39;") for row in table()}
    assert {name: said for name, said in wanted.items() if said not in shown} == {}
    assert [name for name in wanted if f"<code>{name}</code>" not in shown] == []


def test_who_does_not_lead_changes_nothing(home, kept, restarts, table, tmp_path):
    bidding(table)
    shown = home.get("/settings", environ_overrides=FAR).text
    assert translate("en", "web.workshop.not_yours") in shown
    assert "<select" not in shown
    for path in ("/settings", "/settings/restart"):
        assert home.post(path, data=form(kept, web__https="true"), environ_overrides=FAR).status_code == 403
    assert restarts.count == 0
    assert not (tmp_path / PAGE_FILE).exists()


class Card:
    free_mb = 3

    def __init__(self) -> None:
        self.spare = 41

    def spare_mb(self) -> int:
        return self.spare

    def make(self) -> None:
        self.spare = 0


def test_the_host_frees_the_card_with_one_tap(table, kept):
    card = Card()
    client = create_app(deps_for(table, page_settings=kept, room=card)).test_client()
    bidding(table)
    table.table.report("disk", Fault("disk_full"))
    assert 'href="/settings#room"' in client.get("/fragment/table").text
    assert 'href="/settings#room"' not in client.get("/fragment/table", environ_overrides=FAR).text
    assert translate("en", "web.settings.room_make", mb=41) in client.get("/settings").text
    assert client.post("/settings/room", environ_overrides=FAR).status_code == 403
    assert client.post("/settings/room").location == "/settings#room"
    assert translate("en", "web.settings.room_none") in client.get("/settings").text
    assert client.post("/settings/restart", environ_overrides=FAR).status_code == 403


def test_the_host_goes_on_without_what_cannot_be_used(table, tmp_path):
    """A box without a keyboard must not flash until somebody finds one."""
    faults = ("/etc/dudo/companion.toml is no TOML (\x7f ñ)", "[web] knows no 'prot'")
    said: list[str] = []

    def started() -> PageSettings:
        box = PageSettings(
            SideFile(tmp_path / PAGE_FILE), Settings(), Restarts(), fitting, ENVIRON, said.append
        )
        box.set_aside(faults)
        return box

    kept = started()
    client = create_app(deps_for(table, page_settings=kept)).test_client()
    bidding(table)
    table.table.report("settings", Fault("settings_set_aside", (("faults", kept.aside),)))
    assert 'href="/settings"' in client.get("/fragment/table").text.partition("fault-settings")[2][:900]
    assert "knows no" in client.get("/settings").text
    assert client.post("/settings/without", environ_overrides=FAR).status_code == 403
    assert client.post("/settings/without").location == "/settings"
    assert "knows no" not in client.get("/settings").text
    client.post("/settings", data=form(kept, camera__places="each"))
    assert started().aside == "", "nor after a restart"
    faults = (*faults, "[web] port: 0 is not within 1 to 65535")
    assert started().aside == faults[-1], "another fault is said"
    assert said == ["; ".join(faults[:2]), "", "", faults[-1]]
    assert loaded(tmp_path).camera.places == "each"


@pytest.mark.browser
def test_the_form_fits_a_phone(table, kept, restarts, phone_at):
    app = create_app(deps_for(table, page_settings=kept, workshop=Workshop()))
    with served(app) as address:
        page = phone_at(address, "/settings", locale="de-DE", **NARROW)
        for section in page.query_selector_all(".settings summary"):
            section.click()
        assert complaints_of_both_themes(page) == []
        until(page, FITS)
        page.fill('[name="box.strip"]', "99")
        page.click("button.big")
        page.wait_for_selector("[aria-invalid]")
        assert complaints_of_both_themes(page) == []
        page.fill('[name="box.strip"]', "8")
        page.click(".settings button.big")
        page.click('[action="/settings/restart"] button')
        page.wait_for_selector(f"text={translate('de', 'web.settings.restarting')}")
        assert restarts.count == 1
