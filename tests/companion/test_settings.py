"""Settings: defaults, file, environment, and every fault at once."""

import re
from pathlib import Path

import pytest

from companion.errors import SettingsError
from companion.settings import Data, Settings, table
from companion.settings_file import load

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "reference" / "configuration.md"


def written(tmp_path, text):
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_everything_has_its_default(tmp_path, monkeypatch):
    monkeypatch.setattr("companion.settings_file.PLACES", (tmp_path / "nowhere.toml",))
    assert load(environ={}) == Settings()


def test_the_environment_goes_before_the_file(tmp_path):
    path = written(tmp_path, '[web]\nport = 9000\nhost = "127.0.0.1"\n[pins]\ndudo = 5\n')
    settings = load(path, {"DUDO_WEB_PORT": "9001", "DUDO_DATA_KEEP_EXAMPLES": "no"})
    assert (settings.web.port, settings.web.host) == (9001, "127.0.0.1")
    assert settings.data.keep_examples is False
    assert settings.pins == {"dudo": 5}


@pytest.mark.parametrize("given", ["doubt = 0", "doubt = 0.01", 'doubt = "x"', "doubt = 1", "doubt = [1]"])
def test_a_chance_is_a_number_within_its_bounds(tmp_path, given):
    path = written(tmp_path, f"[table]\n{given}\n")
    if given in ("doubt = 0", "doubt = 0.01"):
        assert load(path, {}).table.doubt == float(given.split()[-1])
        assert load(path, {"DUDO_TABLE_DOUBT": "0.002"}).table.doubt == 0.002
    else:
        with pytest.raises(SettingsError, match="doubt"):
            load(path, {})


def test_all_faults_are_reported_at_once(tmp_path):
    path = written(
        tmp_path,
        '[web]\nport = 70000\nhosst = "x"\n[camera]\nplaces = "some"\n[wifi]\na = 1\n',
    )
    with pytest.raises(SettingsError) as caught:
        load(path, {"DUDO_DATA_EVIDENCE_MB": "many"})
    faults = "\n".join(caught.value.faults)
    expected = (
        "port: 70000 is not within",
        "knows no 'hosst'",
        "'some' is not one of one",
        "[wifi]",
        "evidence_mb",
    )
    assert [word for word in expected if word not in faults] == []
    assert len(caught.value.faults) == len(expected)


@pytest.mark.parametrize(
    ("file", "environ", "places", "reason"),
    [
        ('looks = "each"', {}, "each", "a file from before the key had another name"),
        ("", {"DUDO_CAMERA_LOOKS": "each"}, "each", "the environment likewise"),
        ('looks = "each"', {"DUDO_CAMERA_PLACES": "one"}, "one", "the environment goes before the file"),
        ('looks = "each"\nplaces = "one"', {}, "one", "the name of today goes before the old one"),
    ],
)
def test_a_key_is_read_by_its_old_name_too(tmp_path, file, environ, places, reason):
    path = written(tmp_path, f"[camera]\n{file}\n")
    assert load(path, environ).camera.places == places, reason


@pytest.mark.parametrize(
    ("written", "words", "reason"),
    [
        (b"[web", "is no TOML (Expected", "half a section"),
        (b"web = 3", "[web] must be a section", "no section"),
        (b"pins = 3", "[pins] must be a section", "nor pins"),
        (b"a = " + b"[" * 50_000, "nests its brackets too deeply", "brackets without end"),
        (b"a = " + b"{b=" * 50_000, "nests its brackets too deeply", "and braces"),
        (b"[web]\nport = " + b"9" * 5_000, "has a number that is too long", "Python makes none of it"),
        (b"a = \xff", "is no TOML ('utf-8' codec", "bytes that are no text"),
        (b"#" * 1_000_001, "cannot be read (more than 1000 kB)", "as of /dev/zero"),
        (b"[data]\nfolder = 'a\\u0000b'".replace(b"'", b'"'), "no name may have", "a NUL in a path"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, written, words, reason):
    path = tmp_path / "companion.toml"
    path.write_bytes(written)
    with pytest.raises(SettingsError) as caught:
        load(path, {})
    (fault,) = caught.value.faults
    assert words in fault, reason


@pytest.mark.parametrize("home", [{}, {"HOME": "/nowhere"}])
def test_a_home_that_nobody_knows_is_one_sentence(monkeypatch, home):
    monkeypatch.delenv("HOME")
    for key, value in home.items():
        monkeypatch.setenv(key, value)
    with pytest.raises(SettingsError, match="nobody knows where ~nobody-at-all/x is"):
        _ = Settings(data=Data(folder="~nobody-at-all/x")).data_folder


def test_a_number_of_the_environment_has_an_end():
    with pytest.raises(SettingsError, match="port: The number is too long"):
        load(environ={"DUDO_WEB_PORT": "9" * 5_000})


def test_a_named_file_must_be_there(tmp_path):
    with pytest.raises(SettingsError) as caught:
        load(tmp_path / "missing.toml", {})
    assert "is not there" in caught.value.faults[0]


@pytest.mark.parametrize("row", list(table()), ids=lambda row: row.name)
def test_every_key_is_in_the_docs_with_its_default(row):
    shown = f'"{row.default}"' if isinstance(row.default, str) else str(row.default).lower()
    assert f"| `{row.name}` | `{shown}` | {row.sentence()} |" in DOCS.read_text(encoding="utf-8")


def test_every_key_is_asked_for_somewhere():
    asked, of_a_section = set(), set()
    for path in (path for room in ("companion", "web") for path in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        alone = set(re.findall(r"settings\.(\w+)\b(?!\.)", text))  # who is given a section alone
        asked |= set(re.findall(r"(?=(?:settings|self)\.(\w+)\.(\w+))", text))
        asked |= {pair for pair in re.findall(r"\b(\w+)\.(\w+)", text) if pair[0] in alone}
        of_a_section |= alone
        asked |= {("mqtt", key) for key in re.findall(r"\bbroker\.(\w+)", text)}
    asked |= {(row.section, row.key) for row in table() if row.key in of_a_section}
    asked |= {("camera", "mains_hz")} if ("camera", "flicker_hz") in asked else set()
    asked |= {("web", "wifi"), ("web", "wifi_password")} if ("web", "network") in asked else set()
    assert [row.name for row in table() if (row.section, row.key) not in asked] == []
