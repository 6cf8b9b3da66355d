"""Dice, cups and bids as `parts/dice.html` draws them in each language, each once for all phones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import ParamSpec

from flask import current_app

from web.i18n import Translator

P = ParamSpec("P")
MAX_KEPT = 2000
"""Of each macro and language: all dice, and the bids of an evening."""


@cache
def drawn(language: str) -> Mapping[str, Callable[..., str]]:
    """The macros by their names, in this language."""
    template = current_app.jinja_env.get_template("parts/dice.html")
    macros = template.make_module({"t": Translator(language)})
    return {name: _kept(getattr(macros, name)) for name in ("die", "cup", "bid_words", "bid_drawn")}


def _kept(macro: Callable[P, str]) -> Callable[P, str]:
    known: dict[str, str] = {}

    def drawing(*given: P.args, **named: P.kwargs) -> str:
        key = repr((given, named))
        if key not in known:
            if len(known) >= MAX_KEPT:
                known.clear()
            known[key] = macro(*given, **named)
        return known[key]

    return drawing
