"""The terminal invites phones by an address that they can reach."""

import pytest

from companion.addresses import invitation, reached_at

OWN = ("192.168.1.20", "10.0.0.7")


@pytest.mark.parametrize(
    ("host", "addresses", "link", "why"),
    [
        ("0.0.0.0", OWN, "http://192.168.1.20:8000/", "it listens everywhere: the likeliest network"),
        ("::", OWN, "http://192.168.1.20:8000/", "everywhere in the newer form"),
        ("10.0.0.7", OWN, "http://10.0.0.7:8000/", "it listens in one network alone"),
        ("127.0.0.1", OWN, "", "the page stays on this machine"),
        ("localhost", OWN, "", "the same by name"),
        ("0.0.0.0", (), "", "the machine is in no network"),
    ],
)
def test_phones_get_the_address_that_reaches_them(host, addresses, link, why):
    text = invitation(reached_at(host, addresses), 8000, drawn=False)
    assert text.removeprefix("Phones in the same network: ") == link, why


def test_over_https_the_warning_is_foretold():
    link, warned = invitation(OWN, 8000, drawn=False, https=True).splitlines()
    assert link.endswith(" https://192.168.1.20:8000/")
    assert "warns once" in warned


def test_a_terminal_is_shown_the_code_too():
    first, *code = invitation(OWN, 8000, drawn=True).splitlines()
    assert first.endswith("http://192.168.1.20:8000/")
    assert len(code) > 12
    assert len({len(line.replace("\x1b[7m", "").replace("\x1b[0m", "")) for line in code}) == 1
