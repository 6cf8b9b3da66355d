"""The Flask application: puts the routes together; nothing happens at import."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from types import CodeType

from flask import Blueprint, Flask, Request, Response, redirect, request
from flask.json.provider import DefaultJSONProvider
from flask.sessions import NullSession, SessionInterface, SessionMixin
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header
from werkzeug.routing import Rule
from werkzeug.wrappers import Response as AnyResponse

from companion.addresses import plain_address
from web import problems
from web.api import games, pictures, setup
from web.api import table as api_table
from web.api.openapi import document
from web.deps import WebDeps, WebSettings
from web.hosts import Hosts, is_foreign
from web.live import WaitingRoom
from web.pages import (
    club,
    copies,
    demonstration,
    frame,
    join,
    service_worker,
    settings_form,
    statistics,
    wifi,
    workshop,
)
from web.payloads import check_target
from web.problems import Refused
from web.sessions import wishes
from web.sessions.phones import Around, Phones

LARGEST_BODY_BYTES = 64 * 1024
MIN_BYTES = 1000
_LEVEL = 5  # a Pi Zero packs a page in milliseconds; more effort saves next to nothing
_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
_TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")

_CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


class NoSession(SessionInterface):
    """Nothing is kept in Flask's session: `web.sessions` has a cookie of its own."""

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """The same empty one for all."""
        return _EMPTY

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """There is nothing to save."""


_EMPTY = NullSession()


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates: shared by the pages of one process, a demonstration's too, and kept beside the
    compiled modules, as these are. Whether one is that of the source as it is now is checked."""

    def __init__(self) -> None:
        super().__init__(str(Path(__file__).with_name("__pycache__")), "template-%s.bin")
        self._made: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket of a template that was compiled before."""
        bucket.code = self._made.get((bucket.key, bucket.checksum))
        if bucket.code is None:
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled, on disk where Python keeps modules there."""
        self._made[bucket.key, bucket.checksum] = bucket.code
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


_TEMPLATES = CompiledTemplates()


class LazyRule(Rule):
    """A route that compiles how its addresses are written only when one is: half of what it takes to make the
    application."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, /, **values: compiled()(rule, **values)


class StrictJSON(DefaultJSONProvider):
    """JSON that every reader can read: no NaN, no Infinity."""

    ensure_ascii = False

    def dumps(self, obj: object, **more: object) -> str:
        return super().dumps(obj, **{"allow_nan": False, **more})


def create_app(deps: WebDeps) -> Flask:
    """The page and its API for one table."""
    app, settings = Flask(__name__), deps.settings
    app.json, app.session_interface, app.url_rule_class = StrictJSON(app), NoSession(), LazyRule
    app.url_map.merge_slashes = False
    app.secret_key = settings.secret or secrets.token_hex(32)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_BODY_BYTES)
    app.config.update(LANGUAGE=settings.language, PRESET=settings.preset)
    app.jinja_env.bytecode_cache = _TEMPLATES
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for part in _parts(app, deps):
        app.register_blueprint(part)
    app.add_url_rule("/api/openapi.json", "openapi", document)
    problems.register(app)
    app.before_request(_host_check(Hosts(settings.hosts, deps.now_s), settings))
    if settings.https:
        app.before_request(_to_https)
    app.before_request(check_target)
    app.before_request(_refuse_foreign_pages)
    app.after_request(_guard)
    app.after_request(pack)
    app.after_request(slim)  # runs before: what is registered last comes first
    _stamp_static_files(app)
    return app


def _parts(app: Flask, deps: WebDeps) -> tuple[Blueprint, ...]:
    """The routes by what they serve; all know the same phones."""
    table, settings, shown = deps.table, deps.settings, deps.demonstration
    around = Around(deps.box, deps.cups, deps.access, deps.now_s, settings.local_leads, shown is not None)
    known = Phones(app, table, around)
    if shown is not None:
        app.before_request(demonstration.only_watched(shown.visited))
    if not settings.open_scoreboard:
        app.before_request(_closed_to_strangers(known))
    app.extensions["waiting_room"] = WaitingRoom(table, settings.poll_s, known.seats.glance)
    app.extensions["allowance"] = known.allowance
    return (
        api_table.blueprint(table, deps.box, known),
        api_table.readings(deps.health, deps.metrics, deps.turn_left_s),
        setup.blueprint(deps.groups, known),
        frame.blueprint(table, deps.cups, deps.archive, known),
        wishes.blueprint(known),
        pictures.blueprint(table, deps.pictures, known, deps.now_s),
        service_worker.blueprint(),
        workshop.blueprint(table, deps.workshop, known),
        join.blueprint(settings, known),
        demonstration.blueprint(deps.demonstrate, shown),
        statistics.blueprint(table, deps.archive, deps.pictures, known),
        games.blueprint(table, deps.archive, deps.forget_game, known),
        club.blueprint(deps.club),
        copies.blueprint(deps.copies, known),
        settings_form.blueprint(deps.page_settings, deps.room, known),
        wifi.blueprint(deps.wifi_joining, known, settings.port),
    )


_OPEN = (
    *("static", "openapi", "manifest", "worker", "unreachable", "preferences"),
    *("me", "join", "code", "enter", "known", "phone", "metrics"),
)
"""The paths that a phone needs to be let in, where the scoreboard is not for everybody."""


def _closed_to_strangers(known: Phones) -> Callable[[], AnyResponse | None]:
    def check() -> AnyResponse | None:
        wanted = (request.endpoint or "").rpartition(".")[2]
        own = wanted == "fragment" and (request.view_args or {}).get("view") == "me"
        if wanted in _OPEN or own or known.here().let_in:
            return None
        if wanted == "table" and request.method == "GET":
            return redirect("/me", code=303)
        raise Refused(403, "closed")

    return check


def _host_check(hosts: Hosts, settings: WebSettings) -> Callable[[], None]:
    """Refuses a request that calls the box by another's name, before anything is looked at, and names the
    address that it has."""

    def check() -> None:
        if not hosts.knows(request.headers.get("Host", "")):
            raise Refused(421, "unknown_host", link=next(iter(join.addressed(settings)), ""))

    return check


def _to_https() -> AnyResponse | None:
    """Sends a phone on that came unencrypted; a browser on the box itself stays, and so does a server in
    between."""
    address = plain_address(request.remote_addr or "")
    if request.is_secure or (address is not None and address.is_loopback):
        return None
    return redirect(request.url.replace("http:", "https:", 1), code=308)


def _refuse_foreign_pages() -> None:
    """A page of another site in somebody's browser must not play at this table."""
    if request.method != "GET" and is_foreign(dict(request.headers), request.host):
        raise Refused(403, "foreign_page")


_GUARDS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""The headers that keep the page to the box's own scripts, styles and pictures. A phone keeps no answer that
does not say so itself."""


def _guard(response: Response) -> Response:
    said = {name for name, _ in response.headers}
    response.headers.extend([(name, value) for name, value in _GUARDS.items() if name not in said])
    return response


def _stamp_static_files(app: Flask) -> None:
    """Name every static file with a mark of its content, so that phones may keep it for ever. Its kind is
    ours to say: Windows asks its registry."""
    for ending, kind in _KINDS.items():
        mimetypes.add_type(kind, ending)
    folder = Path(str(app.static_folder))
    marks = {p.name: hashlib.sha256(p.read_bytes()).hexdigest()[:10] for p in folder.iterdir() if p.is_file()}
    named = {name: f"{app.static_url_path}/{name}?v={mark}" for name, mark in marks.items()}
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 31_536_000
    app.jinja_env.globals["asset"] = named.__getitem__


def pack(response: Response) -> Response:
    """The response as gzip where the browser takes it and it is worth it. Pictures are packed already."""
    text = (response.mimetype or "").startswith(_TEXTS)
    if not text or response.status_code != 200 or request.method != "GET":
        return response
    response.headers.add("Vary", "Accept-Encoding")
    endless = response.is_streamed and not response.direct_passthrough
    if (
        "Content-Encoding" in response.headers
        or endless
        or not _unpacks(request.headers.get("Accept-Encoding", ""))
    ):
        return response
    response.direct_passthrough = False  # static files are small enough to be read whole
    body = response.get_data()
    if len(body) >= MIN_BYTES:
        response.set_data(_packed(body))
        response.headers["Content-Encoding"] = "gzip"
    return response


def slim(response: Response) -> Response:
    """A static script or style without indentation and comments: less to read for an old phone."""
    written = response.mimetype in ("text/javascript", "text/css")
    if request.endpoint == "static" and written and response.status_code == 200:
        response.direct_passthrough = False
        slimmed = _slimmed(response.get_data())
        response.set_data(_squeezed(slimmed) if response.mimetype == "text/css" else slimmed)
    return response


_REMARK = re.compile(rb"(?<=[;{}]) (// [^\"'`]*|/\* [^\"'`]*\*/)$")
"""A comment behind code. One with a quotation mark stays: it might be part of a text."""


@lru_cache(maxsize=64)
def _slimmed(source: bytes) -> bytes:
    lines = (_REMARK.sub(b"", line.strip()) for line in source.splitlines())
    return b"\n".join(line for line in lines if line and not _is_comment(line)) + b"\n"


@lru_cache(maxsize=64)
def _squeezed(style: bytes) -> bytes:
    """A style without the spaces that only people need; those in selectors and sums stay."""
    return re.sub(rb"\s*([{};,>])\s*", rb"\1", style).replace(b": ", b":").replace(b";}", b"}") + b"\n"


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"//") or (line.startswith(b"/*") and line.find(b"*/") == len(line) - 2)


@lru_cache(maxsize=64)
def _unpacks(accepted: str) -> bool:
    """Whether a browser that says so takes gzip."""
    return parse_accept_header(accepted, Accept)["gzip"] > 0


@lru_cache(maxsize=64)
def _packed(body: bytes) -> bytes:
    """Packed once for all phones that get the same."""
    return gzip.compress(body, _LEVEL, mtime=0)
