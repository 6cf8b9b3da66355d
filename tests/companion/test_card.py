"""The printed card: the right address, the rules that hold, and nothing fetched from anywhere."""

from html.parser import HTMLParser

import pytest

from companion.__main__ import main
from companion.cli.card import Wifi, card, links_for
from companion.errors import BadCommand
from companion.rules.presets import PRESETS
from companion.rules.rulebook import BASICS, idle, sentence
from companion.rules.ruleset import switches
from companion.settings import Settings, Web
from companion.texts import languages, translate

HERE = "http://192.168.1.20:8000/"
HOME, WIRE = "192.168.1.20", "10.0.0.7"


class Tags(HTMLParser):
    """Every tag must be closed in order; remembers the text and the attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.values: list[str] = []
        self.text: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.values += [value or "" for _, value in attrs]
        if tag not in ("meta", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "path":
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", PRESETS)
def test_a_card_says_the_rules_that_mean_something(name, language):
    rules = PRESETS[name]
    text = " ".join(Tags(card([HERE], rules, [language])).text)
    assert all(translate(language, f"rules.basics.{basic}") in text for basic in BASICS)
    meant = [switch for switch in switches() if switch not in {"most_players", "ante", *idle(rules)}]
    lives = rules.lives is not None
    assert [s for s in meant if sentence(language, s, getattr(rules, s), lives) not in text] == []
    assert (sentence(language, "ante", rules.ante) in text) == bool(rules.ante)
    assert HERE in text


def test_every_language_has_a_sheet_and_nothing_is_fetched():
    page = card([HERE, "http://10.0.0.7:8000/"], PRESETS["classic"], ["en", "es"], Wifi("Casa", "secreto"))
    tags = Tags(page)
    assert page.count("<section") == 2
    assert page.count("<svg") == 4
    assert not [v for v in tags.values if "://" in v and not v.startswith("http://www.w3.org/")]
    assert "If that does not open: http://10.0.0.7:8000/" in tags.text
    assert "Wi-Fi: Casa" in tags.text


def test_names_are_text_and_no_markup():
    tags = Tags(card(["http://<b>/"], PRESETS["modern"], ["en"], Wifi("<script>alert(1)</script>")))
    assert "http://<b>/" in tags.text
    assert "Wi-Fi: <script>alert(1)</script>" in tags.text


@pytest.mark.parametrize(
    ("host", "address", "port", "expected", "why"),
    [
        ("0.0.0.0", None, None, [f"http://{HOME}:8000/", f"http://{WIRE}:8000/"], "all, likeliest first"),
        ("0.0.0.0", WIRE, None, [f"http://{WIRE}:8000/"], "the chosen one alone"),
        ("0.0.0.0", "dudo.local", 80, ["http://dudo.local/"], "a name, at the usual port"),
        ("0.0.0.0", "fd00::1", None, ["http://[fd00::1]:8000/"], "the other kind of number"),
        (WIRE, None, None, [f"http://{WIRE}:8000/"], "it listens there alone"),
    ],
)
def test_the_right_address_is_printed(monkeypatch, host, address, port, expected, why):
    monkeypatch.setattr("companion.cli.card.own_addresses", lambda: (HOME, WIRE))
    assert links_for(Settings(web=Web(host=host)), address, port) == expected, why


@pytest.mark.parametrize(("port", "link"), [(8000, "https://10.0.0.7:8000/"), (443, "https://10.0.0.7/")])
def test_a_card_of_an_encrypted_page_says_so(port, link):
    assert links_for(Settings(web=Web(https=True)), "10.0.0.7", port) == [link]


@pytest.mark.parametrize(("host", "found"), [("127.0.0.1", (HOME,)), ("localhost", (HOME,)), ("0.0.0.0", ())])
def test_without_an_address_for_phones_there_is_no_card(monkeypatch, host, found):
    monkeypatch.setattr("companion.cli.card.own_addresses", lambda: found)
    with pytest.raises(BadCommand) as refused:
        links_for(Settings(web=Web(host=host)), None, None)
    assert refused.value.reason == "no_address"


def test_a_card_is_written_and_its_file_named(tmp_path, capsys):
    file = tmp_path / "card.html"
    words = ("card", "classic", "--lang", "es", "--address", HOME, "--to", str(file))
    assert main(words) == 0
    assert '<html lang="es">' in file.read_text(encoding="utf-8")
    errors = capsys.readouterr().err
    assert f"The code leads to http://{HOME}:8000/" in errors
    assert str(file) in errors


def test_a_card_goes_to_standard_output(capsys):
    assert main(("card", "--house", "calza=off", "--address", HOME, "--to", "-")) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert translate("en", "rules.calza.off") in page


def test_the_password_comes_from_a_file_that_no_list_of_processes_shows(tmp_path, capsys):
    file, pages = tmp_path / "password", []
    for word in ("eight or more", "another one"):
        file.write_text(f"{word}\nnot this\n", encoding="utf-8")
        words = ("card", "--address", HOME, "--wifi", "Casa", "--password-file", str(file), "--to", "-")
        assert main((*words, "--lang", "en")) == 0
        pages.append(capsys.readouterr().out)
    link, rules = [f"http://{HOME}:8000/"], PRESETS[Settings().table.preset]
    assert pages[0] == card(link, rules, ["en"], Wifi("Casa", "eight or more"))
    assert pages[0] != pages[1]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("nope",), 2, "nope"),
        (("--house", "calza"), 2, "calza"),
        (("--wifi", "Casa", "--password-file", "/nowhere"), 2, "first line of /nowhere"),
        (("--to", "/nowhere/card.html"), 1, "/nowhere/card.html cannot be written"),
    ],
)
def test_a_mistake_gets_one_sentence(capsys, words, status, said):
    assert main(("card", "--address", HOME, *words)) == status
    errors = capsys.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1
