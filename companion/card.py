"""The card for the table, as one HTML page to print: the code that brings a phone in, and the rules.

Pure: addresses, rules and languages go in, HTML comes out. Nothing in it is fetched from anywhere.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from companion.addresses import Wifi
from companion.rules.rulebook import BASICS, idle, sentence
from companion.rules.ruleset import Ruleset, switches
from companion.texts import translate

if TYPE_CHECKING:
    from segno import QRCode

_STYLE = """
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 186mm; color: #000; background: #fff;
  font: 9.5pt/1.35 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
section { break-after: page; padding: 4mm 0; } section:last-child { break-after: auto; }
header { display: flex; gap: 8mm; align-items: center; border-bottom: .6mm solid #000; padding-bottom: 4mm; }
header > div { flex: 1; } h1 { font-size: 30pt; line-height: 1; margin: 0 0 2mm; }
figure { margin: 0; text-align: center; width: 44mm; font-size: 8.5pt; }
figure svg { width: 44mm; height: 44mm; }
.link { font-size: 15pt; font-weight: 700; overflow-wrap: anywhere; }
h2 { font-size: 13pt; margin: 4mm 0 2mm; } p { margin: 0 0 1.5mm; }
.rules { columns: 2; column-gap: 8mm; } .rules p { break-inside: avoid; } dl { margin: 0; } dd { margin: 0; }
.rules div { break-inside: avoid; margin-bottom: 1.5mm; } dt { font-weight: 700; }
@media screen { body { padding: 8mm; } }
"""


def card(links: Sequence[str], ruleset: Ruleset, languages: Sequence[str], wifi: Wifi | None = None) -> str:
    """The card in every language given, a page each. The first of `links` is the one of the code."""
    sides = "".join(_side(links, ruleset, language, wifi) for language in languages)
    return (
        f'<!doctype html>\n<html lang="{escape(languages[0])}">\n<head><meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width"><title>Dudo</title>\n'
        f"<style>{_STYLE}</style></head>\n<body>\n{sides}</body>\n</html>\n"
    )


def _side(links: Sequence[str], ruleset: Ruleset, language: str, wifi: Wifi | None) -> str:
    """One language: how to come in above, the rules below."""
    codes = [_figure(_code(links[0]), translate(language, "card.scan"))]
    if wifi:
        codes.insert(0, _figure(_svg(wifi.code()), translate(language, "card.wifi", name=wifi.name)))
    further = [translate(language, "card.others", links=", ".join(links[1:]))] if len(links) > 1 else []
    hints = "".join(f"<p>{escape(hint)}</p>" for hint in (*further, translate(language, "web.join.stay")))
    return (
        f'<section lang="{escape(language)}">\n<header><div><h1>Dudo</h1>'
        f"<p>{escape(translate(language, 'card.lead'))}</p>"
        f'<p class="link">{escape(links[0])}</p>{hints}</div>'
        f"{''.join(codes)}</header>\n"
        f"<h2>{escape(_heading(ruleset, language))}</h2>\n{_rules(ruleset, language)}</section>\n"
    )


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _heading(ruleset: Ruleset, language: str) -> str:
    own = translate(language, "rules.own_mix")
    name = translate(language, f"web.presets.{ruleset.name}.name") if ruleset.name else own
    return translate(language, "card.rules", name=name)


def _rules(ruleset: Ruleset, language: str) -> str:
    """First the rules that always hold, then every switch that means something in these rules."""
    always = "".join(f"<p>{escape(translate(language, f'rules.basics.{name}'))}</p>" for name in BASICS)
    without = idle(ruleset) | {"most_players"} | ({"ante"} if not ruleset.ante else set())
    lives = ruleset.lives is not None
    listed = "".join(
        f"<div><dt>{escape(translate(language, f'rules.{name}.name'))}</dt>"
        f"<dd>{escape(sentence(language, name, getattr(ruleset, name), lives))}</dd></div>"
        for name in switches()
        if name not in without
    )
    return f'<div class="rules">{always}<dl>{listed}</dl></div>'


def _code(link: str) -> str:
    import segno

    return _svg(segno.make(link, error="m"))


def _svg(code: QRCode) -> str:
    drawn = io.BytesIO()
    code.save(
        drawn, kind="svg", border=4, xmldecl=False, svgns=True, omitsize=True, svgclass=None, lineclass=None
    )
    return drawn.getvalue().decode()
