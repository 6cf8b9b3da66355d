"""Takes secrets, network addresses and the user's name out of text that leaves the box."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

HIDDEN = "[hidden]"
MIN_KNOWN = 4
"""Signs of a secret that is looked for by its value: a shorter one is a part of many words."""

_SECRET = r"(?i)\b([\w-]*(?:secret|token|password|passphrase|psk|signature|seal|api[_-]?key)[\w-]*)(?<!_file)"
_HEADER = r"(?i)\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:auth|key|token)[\w-]*)"
_SEPARATOR = r"(\\*[\"']?\s*[=:]\s*)"
_QUOTED = (
    r'"""[\s\S]*?(?:"""|$)',
    r"\'\'\'[\s\S]*?(?:\'\'\'|$)",
    r'\\+"[\s\S]*?(?<!\\)\\+"(?=\s*[,}\]:]|$)',
    r'"(?:\\.|[^"\\])*"',
    r"'(?:\\.|[^'\\])*'",
)
_VALUE = "(" + "|".join((*_QUOTED, r"[^\s,;}][^\n,;}]*")) + ")"
_LINE = "(" + "|".join((*_QUOTED, r"[^\n]+")) + ")"
_NAMED = (re.compile(_SECRET + _SEPARATOR + _VALUE), re.compile(_HEADER + _SEPARATOR + _LINE))
_QUOTES = re.compile(r"""(\\*"(?:"")?|'(?:'')?)[\s\S]""")
_MASKS = (
    (re.compile(r"\b([a-zA-Z][\w+.-]*://)[^/\s\"'@]*@"), rf"\1{HIDDEN}@"),
    (re.compile(r"(https?://[^/?#\s\"']+)[/?#][^\s\"']+"), rf"\1/{HIDDEN}"),
    (re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b"), "[address]"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "[hardware address]"),
    (re.compile(r"-----BEGIN [^-]*PRIVATE KEY-----[\s\S]*?(?:-----END [^-]*-----|$)"), HIDDEN),
    (re.compile(r"/home/[^/\s\"':]+"), "/home/[user]"),
)


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text without what looks like a secret, and without those that are `known`, however they are
    written there."""
    for secret in sorted(_forms(known), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    for named in _NAMED:
        text = named.sub(_hidden, text)
    for pattern, instead in _MASKS:
        text = pattern.sub(instead, text)
    return text


def _hidden(found: re.Match[str]) -> str:
    """The name with another value between the same quotes, so that JSON stays JSON."""
    name, separator, value = found.groups()
    quotes = _QUOTES.match(value)
    return f"{name}{separator}{quotes[1]}{HIDDEN}{quotes[1]}" if quotes else f"{name}{separator}{HIDDEN}"


def _forms(known: Iterable[str]) -> set[str]:
    """Each secret and each of its lines: as it is, and as JSON and Python write it."""
    parts = {part.strip() for secret in known for part in (secret, *secret.splitlines())}
    long = {part for part in parts if len(part) >= MIN_KNOWN}
    writers = (json.dumps, repr, lambda part: json.dumps(part, ensure_ascii=False))
    once = {write(part) for part in long for write in writers}
    return long | {form[1:-1] for form in once} | {json.dumps(form)[1:-1] for form in once}
