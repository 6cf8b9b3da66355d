"""What templates draw of their arguments and the language alone, each once for all phones and versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import ParamSpec

import msgspec
from flask import current_app
from jinja2.runtime import Macro

from web.i18n import Translator

P = ParamSpec("P")
MAX_KEPT = 2000
"""Of each macro and language: all dice, and the bids of an evening."""

_FILES = ("dice", "notes", "player", "standing")
"""Under `parts/`; each may use the macros of those before. None knows whose phone asks."""


@cache
def macros(language: str) -> Mapping[str, Callable[..., str]]:
    """The macros by their names, in this language."""
    known: dict[str, Callable[..., str]] = {}
    for file in _FILES:
        template = current_app.jinja_env.get_template(f"parts/{file}.html")
        made = vars(template.make_module({"t": Translator(language), **known}))
        known |= {name: _kept(macro) for name, macro in made.items() if isinstance(macro, Macro)}
    return known


def _kept(macro: Callable[P, str]) -> Callable[P, str]:
    known: dict[bytes, str] = {}

    def drawing(*given: P.args, **named: P.kwargs) -> str:
        key = msgspec.json.encode((given, named), enc_hook=repr)
        if key not in known:
            if len(known) >= MAX_KEPT:
                known.clear()
            known[key] = macro(*given, **named)
        return known[key]

    return drawing
