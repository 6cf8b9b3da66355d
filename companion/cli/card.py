"""`dudo card`: a card to print, with the QR code of the page and the rules."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from companion.addresses import Wifi, link_to, own_addresses, reached_at
from companion.cli.options import add_common
from companion.cli.rules import chosen
from companion.errors import BadCommand, StorageError
from companion.outside.connection import secret_in
from companion.rules.rulebook import BASICS, idle, sentence
from companion.rules.ruleset import Ruleset, switches
from companion.settings import Settings
from companion.settings_file import load
from companion.table.folder import private_files
from companion.texts import languages, translate

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


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what the command says of itself, and its options."""
    parser.description = (
        "Writes a card to print as an HTML page: a QR code with the address of the page, the "
        "address in letters, and the rules in words, a sheet for each language. Where the machine is in "
        "several networks, the code leads to the likeliest (wireless before wired) and the others are named "
        "below it; --address chooses."
    )
    parser.epilog = "Example: dudo card classic --lang en --lang es --to card.html"
    parser.add_argument("rules", nargs="?", help="preset, or a file that dudo rules --json wrote (settings)")
    add_common(parser, "--house", "--config")
    parser.add_argument("--lang", action="append", choices=languages(), help="language; may be repeated")
    parser.add_argument(
        "--address", type=_text, metavar="ADDRESS", help="the address phones reach, 192.168.1.20 or a name"
    )
    parser.add_argument("--port", type=int, help="port of the page (settings)")
    parser.add_argument(
        "--wifi", type=_text, metavar="NAME", help="add a code that brings a phone into this Wi-Fi (settings)"
    )
    parser.add_argument(
        "--password-file", metavar="FILE", help="file whose first line is its password, printed in its code"
    )
    parser.add_argument(
        "--to", default="dudo-card.html", metavar="FILE", help="file to write, - for standard output"
    )
    parser.set_defaults(run=run)


def _text(given: str) -> str:
    """An argument as text; raises argparse.ArgumentTypeError for bytes that are no UTF-8."""
    try:
        given.encode()
    except UnicodeEncodeError as error:
        raise argparse.ArgumentTypeError(f"{given!r} is no text") from error
    return given


def run(args: argparse.Namespace) -> int:
    """Write the card and print where; raises BadRuleset for rules that are refused."""
    settings = load(args.config)
    ruleset = chosen(args.rules or settings.table.preset, args.house)
    links = links_for(settings, args.address, args.port)
    path = args.password_file
    password = secret_in(path, BadCommand("no_password_in", path=path)) if path else ""
    wifi = Wifi(args.wifi, password) if args.wifi else settings.web.network
    _write(args.to, card(links, ruleset, args.lang or [settings.table.language], wifi))
    _print_result(links, args.to)
    return 0


def links_for(settings: Settings, address: str | None, port: int | None) -> list[str]:
    """Where phones find the page, the likeliest first; raises BadCommand where none can."""
    found = (address,) if address else reached_at(settings.web.host, own_addresses())
    if not found:
        raise BadCommand("no_address")
    number = port or settings.web.port
    return [link_to(one, number, https=settings.web.https) for one in found]


def _write(where: str, page: str) -> None:
    if where == "-":
        sys.stdout.write(page)
        return
    try:
        with private_files():  # it may have the Wi-Fi's password in it
            Path(where).write_text(page, encoding="utf-8")
    except OSError as error:
        raise StorageError("file_unwritable", path=where, cause=error.strerror or error) from error


def _print_result(links: Sequence[str], where: str) -> None:
    """Print the address in the code on standard error, so that the card itself may go to standard output."""
    others = f" (also named: {', '.join(links[1:])}; --address chooses)" if len(links) > 1 else ""
    print(f"The code leads to {links[0]}{others}", file=sys.stderr)
    if where != "-":
        print(f"Written to {where}: open it in a browser and print it.", file=sys.stderr)
