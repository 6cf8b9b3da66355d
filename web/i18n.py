"""The language and the theme of a phone, and sentences in its language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from flask import Request, current_app
from msgspec import Struct
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion.table.wire.state import FaultJson
from companion.texts import fenced, knows, languages, negotiated, translate

NAMES: Mapping[str, str] = {
    "en": "English",
    "es": "Español",
    "de": "Deutsch",
    "fr": "Français",
    "pt": "Português",
}
COOKIE = "lang"
THEMES = ("auto", "dark", "light")


class Translator(Struct, frozen=True):
    """Translates into one language: called with a key below `web`, or `translate` with any key."""

    language: str

    def __call__(self, key: str, /, **values: object) -> str:
        return translate(self.language, f"web.{key}", **_isolated(values))

    def translate(self, key: str, values: Mapping[str, object]) -> str:
        """The sentence of a key that came with the state; a general one for an unknown key."""
        try:
            return translate(self.language, key, **_isolated(values))
        except KeyError:
            return self("problems.unnamed", what=key)

    def fault(self, fault: FaultJson) -> str:
        """The sentence of a part that does not work, or of a press that could not be taken."""
        return self.refusal(fault["reason"], fault["values"])

    def refusal(self, reason: str, values: Mapping[str, object], group: str = "faults") -> str:
        """The sentence of a reason that came with its values; one of the page itself is in "problems"."""
        key = f"web.{group}.{reason}"
        return self.translate(key if knows(key) else f"errors.{reason}", values)


def chosen_language(request: Request) -> str:
    """The language that somebody chose on this phone, "" for none."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in languages() else ""


def translator(request: Request) -> Translator:
    """The translator for a phone: by its own choice, else its browser's languages, else the table's."""
    if chosen := chosen_language(request):
        return Translator(chosen)
    return accepting(request.headers.get("Accept-Language", ""), current_app.config["LANGUAGE"])


@lru_cache(maxsize=256)
def accepting(accepted: str, otherwise: str) -> Translator:
    """The translator for a browser that says so."""
    tags = parse_accept_header(accepted, LanguageAccept)
    return Translator(negotiated((tag for tag, quality in tags if quality > 0), otherwise))


def theme(request: Request) -> str:
    """The theme that the phone chose, else `auto`: as the phone itself."""
    chosen = request.cookies.get("theme")
    return chosen if chosen in THEMES else "auto"


def choices() -> Mapping[str, str]:
    """The languages with a catalogue, each by its own name."""
    return {code: NAMES.get(code, code) for code in languages()}


def _isolated(values: Mapping[str, object]) -> dict[str, object]:
    """Values with right-to-left texts isolated, so that a name never turns the sentence around it."""
    return {k: fenced(v) if isinstance(v, str) else v for k, v in values.items()}
