"""The Flask application: puts the routes together; nothing happens at import."""

from __future__ import annotations

import hashlib
import mimetypes
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import msgspec
from flask import Flask, Response, redirect, request, templating
from flask.json.provider import DefaultJSONProvider
from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader
from jinja2.bccache import Bucket
from jinja2.runtime import Context
from werkzeug.wrappers import Response as AnyResponse

from companion.addresses import is_loopback
from web import problems
from web.api.openapi import document
from web.deps import WebDeps
from web.gzipped import pack, slim
from web.hosts import Hosts, is_foreign
from web.live import WaitingRoom, kind_of
from web.pages import demonstration, join
from web.payloads import check_target
from web.problems import Refused
from web.sessions import wishes
from web.sessions.phones import Phones

LARGEST_TEXT_BYTES = 64 * 1024
"""Of a body that is no picture."""

_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}

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


_METHODS = frozenset(dir(dict))


class Templates(templating.Environment):
    """Templates of data: what is asked of a value is mostly a key of a dictionary, which Jinja asks last. The
    dictionary's own methods come before its keys: a player may be called "get"."""

    def getattr(self, obj: object, attribute: str) -> object:
        """`obj.attribute` of a template."""
        if type(obj) is dict and attribute in obj and attribute not in _METHODS:
            return obj[attribute]
        return super().getattr(obj, attribute)


class DirectCalls(Context):
    """Calls what a template calls as Python does: no function here asks for the context."""

    def call(self, called: Callable[..., object], /, *given: object, **named: object) -> object:
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(*given, **named)


_INCLUDE = re.compile(r'{% include "([^"]+)" %}')


class WholeTemplates(FileSystemLoader):
    """Templates with the parts that they include written into them: Jinja's includes take longer than what
    most parts draw."""

    def get_source(self, environment: Environment, name: str) -> tuple[str, str, Callable[[], bool]]:
        source, path, is_fresh = super().get_source(environment, name)

        def part(found: re.Match[str]) -> str:
            written = self.get_source(environment, found[1])[0].removesuffix("\n")
            return "{% with %}" + written + "{% endwith %}"

        return _INCLUDE.sub(part, source), path, is_fresh


class CompiledTemplates(FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules, where Python keeps these there."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


Called = TypeVar("Called", bound=Callable[..., object])


class Page(Flask):
    """An application without coroutines, and with templates as they are written here."""

    jinja_environment = Templates

    def create_jinja_environment(self) -> templating.Environment:
        """What draws the templates; Flask makes it once."""
        made = super().create_jinja_environment()
        made.loader, made.context_class = WholeTemplates(_TEMPLATES), DirectCalls
        made.bytecode_cache = CompiledTemplates(_COMPILED, "template-%s.bin")
        made.trim_blocks = made.lstrip_blocks = True
        return made

    def ensure_sync(self, func: Called) -> Called:
        """The function as it is: Flask looks for a coroutine at each call, a twentieth of a request."""
        return func


_TEMPLATES, _COMPILED = (str(Path(__file__).with_name(name)) for name in ("templates", "__pycache__"))


class StrictJSON(DefaultJSONProvider):
    """JSON that every reader can read: no NaN, no Infinity."""

    def dumps(self, obj: object, **_more: object) -> str:
        return msgspec.json.encode(obj, order="sorted").decode()


def create_app(deps: WebDeps) -> Flask:
    """The page and its API for one table."""
    app, settings = Page(__name__), deps.settings
    app.json = StrictJSON(app)
    app.url_map.merge_slashes = False
    app.config.update(MAX_CONTENT_LENGTH=LARGEST_TEXT_BYTES)
    app.config.update(LANGUAGE=settings.table.language, PRESET=settings.table.preset)
    app.jinja_env.globals |= {"blueprints": app.blueprints, "demonstration": deps.demonstration is not None}
    app.jinja_env.globals["home"] = partial(demonstration.home, deps.demonstration)
    for part in (wishes.blueprint(deps.phones), join.blueprint(deps), *deps.parts):
        app.register_blueprint(part)
    _add_phones(app, deps)
    app.add_url_rule("/api/openapi.json", "openapi", document)
    problems.register(app)
    app.before_request(_host_check(Hosts(settings.web.names, deps.now_s), deps))
    if settings.web.https:
        app.before_request(_to_https)
    app.before_request(check_target)
    app.before_request(_refuse_foreign_pages)
    app.after_request(_guard)
    app.after_request(pack)
    app.after_request(slim)  # runs before: what is registered last comes first
    _stamp_static_files(app)
    return app


def _add_phones(app: Flask, deps: WebDeps) -> None:
    """What each request has to do with the phone that asks, and what the server asks of the phones."""
    known, shown = deps.phones, deps.demonstration
    app.after_request(known.write_changed)
    if shown is not None:
        app.before_request(demonstration.only_watched(shown.visited))
    if not deps.settings.web.open_scoreboard:
        app.before_request(_closed_to_strangers(known))
    app.extensions["waiting_room"] = WaitingRoom(known.table, deps.poll_s, known.seats.glance)
    app.extensions["kind_of"] = partial(kind_of, known)
    app.extensions["allowance"] = known.allowance


_OPEN = (
    *("static", "openapi", "pages.manifest", "pages.worker", "pages.unreachable", "pages.preferences"),
    *("pages.me", "join.join", "join.code", "join.enter", "phones.known", "phones.phone"),
    *("readings.health", "readings.metrics"),
)
"""What a phone needs to be let in, where the scoreboard is not for everybody, and how the box is: neither
says anything of the game's people."""


def _closed_to_strangers(known: Phones) -> Callable[[], AnyResponse | None]:
    def check() -> AnyResponse | None:
        wanted = request.endpoint
        own = wanted == "pages.fragment" and (request.view_args or {}).get("view") == "me"
        if wanted in _OPEN or own or known.here().let_in:
            return None
        if wanted == "pages.table":
            return redirect("/me", code=303)
        raise Refused(403, "closed")

    return check


def _host_check(hosts: Hosts, deps: WebDeps) -> Callable[[], None]:
    """Refuses a request that calls the box by another's name, before anything is looked at, and names the
    address that it has."""

    def check() -> None:
        if not hosts.knows(request.headers.get("Host", "")):
            raise Refused(421, "unknown_host", link=next(iter(join.addressed(deps)), ""))

    return check


def _to_https() -> AnyResponse | None:
    """Sends a phone on that came unencrypted; a browser on the box itself stays, and so does a server in
    between."""
    if request.is_secure or is_loopback(request.remote_addr or ""):
        return None
    return redirect(request.url.replace("http:", "https:", 1), code=308)


def _refuse_foreign_pages() -> None:
    """A page of another site in somebody's browser must not play at this table."""
    if request.method != "GET" and is_foreign(request.environ, request.host):
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
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 31_536_000
    app.jinja_env.globals["asset"] = partial(_address, Path(str(app.static_folder)), app.static_url_path)


@cache
def _address(folder: Path, url: str, name: str) -> str:
    mark = hashlib.sha256((folder / name).read_bytes()).hexdigest()[:10]
    return f"{url}/{name}?v={mark}"
