"""Findings of `dudo doctor` about a companion at work, from its health address, and about what its settings
name: broker, webhook, https."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from companion.addresses import EVERYWHERE, is_here
from companion.app.system.https import FILE, kept, load, read
from companion.errors import NoHttps
from companion.outside.connection import OutsideFault, broker_fault, secret_in
from companion.outside.webhook import check_address
from companion.settings import Settings
from companion.table.wire.state import CameraHealthJson, HealthJson, OutletHealthJson
from companion.texts import knows, translate

ANSWER_S = 10.0

RESTART = "Restart it, as a service with: sudo systemctl restart dudo-companion"
WARM_C = 80.0
"""From here on a Raspberry Pi slows down. Source: its documentation, frequency management."""

Found = tuple[str, str, str, str]
"""Topic, level (good, note or bad), words and hint of a finding."""


_NONSENSE, _ENCRYPTED = cast(HealthJson, {}), cast(HealthJson, {"ok": False})


def ask(host: str, port: int) -> HealthJson | None:
    """The companion's own account of itself; None where nobody listens, empty where no sense comes of it."""
    here = "127.0.0.1" if host in EVERYWHERE else host
    answer = _asked(http.client.HTTPConnection(here, port, timeout=ANSWER_S))
    if answer is not _ENCRYPTED:
        return answer
    trusting = ssl._create_unverified_context()
    return _asked(http.client.HTTPSConnection(here, port, timeout=ANSWER_S, context=trusting))


def _asked(connection: http.client.HTTPConnection) -> HealthJson | None:
    try:
        connection.request("GET", "/api/v1/health")
        answer = connection.getresponse()
        if answer.status == http.HTTPStatus.PERMANENT_REDIRECT:
            return _ENCRYPTED
        health = json.loads(answer.read()) if answer.status == 200 else None
    except ConnectionRefusedError:
        return None
    except (OSError, http.client.HTTPException, ValueError):
        return _NONSENSE
    finally:
        connection.close()
    return cast(HealthJson, health) if isinstance(health, dict) and "ok" in health else _NONSENSE


def service_findings(health: HealthJson | None, port: int) -> Iterator[Found]:
    """Findings from the health document. Pure."""
    if not health:
        other = f"the companion is running, but its page is not at port {port}: perhaps at another"
        silent = f"the companion is running, but its page does not answer at port {port}"
        yield ("companion", "note", other, "") if health is None else ("companion", "bad", silent, RESTART)
        return
    level = "good" if health["ok"] else "bad"
    hours = health.get("running_s", 0) / 3600
    yield "companion", level, f"running for {hours:.1f} hours", "" if health["ok"] else RESTART
    for name in health.get("silent", ()):
        yield "companion", "bad", f"its thread “{name}” hangs", RESTART
    journal = health.get("journal")
    if journal and not journal.get("writable", True):
        yield "journal", "bad", "games cannot be written", "Make room on the card, or replace it."
    for reason in health.get("faults", ()):
        yield "companion", "bad", _sentence(reason), ""
    if camera := health.get("camera"):
        yield from _camera(camera)
    yield from _warmth(health.get("temperature_c"))
    for name, outlet in health.get("outside", {}).items():
        yield _outlet(name, outlet)


def _camera(camera: CameraHealthJson) -> Iterator[Found]:
    if camera.get("fault"):
        return
    age_s = camera.get("frame_age_s")
    seen = "no picture yet" if age_s is None else f"last picture {age_s:.0f} s ago"
    yield "camera", "good", f"{camera['name']}, {seen}", ""


def _warmth(celsius: float | None) -> Iterator[Found]:
    if celsius is not None:
        warm = celsius >= WARM_C
        hint = "Let air reach the processor." if warm else ""
        yield "machine", "note" if warm else "good", f"the processor is at {celsius:.0f} °C", hint


def _outlet(name: str, outlet: OutletHealthJson) -> Found:
    """A broker that is away is no fault of the box."""
    if outlet["fault"]:
        key = f"errors.{outlet['fault']}"
        return name, "note", translate("en", key) if knows(key) else outlet["fault"], ""
    dropped = f", {outlet['dropped']} events were dropped" if outlet["dropped"] else ""
    return name, "good", f"{'connected' if outlet['connected'] else 'nothing sent yet'}{dropped}", ""


def _sentence(reason: str) -> str:
    key = f"web.faults.{reason}"
    return translate("en", key, parts="") if knows(key) else reason


def access_findings(settings: Settings) -> Iterator[Found]:
    """Where phones come in, and who may do everything.

    A further name is mostly that of a server in between, on this very box. One that leaves no sign makes
    everybody who comes through it a browser on the box."""
    web = settings.web
    if not is_here(web.host):
        words = f"[web] host: {web.host} is no address of this machine: the default is in force"
        yield "access", "bad", words, "correct it, then restart"
    if web.hosts and web.local_leads:
        words = f"the page is also called {web.hosts}, and a browser on the box may do everything"
        hint = "If a server on this box sends requests on: set web.local_leads = false."
        yield "access", "note", words, hint


def outside_findings(settings: Settings) -> Iterator[Found]:
    """What the broker and the webhook of the settings lack; nothing where neither is named."""
    if settings.mqtt.host:
        fault = broker_fault(settings.mqtt)
        good = "the broker lets the box in"
        yield ("mqtt", "note", str(fault), "") if fault else ("mqtt", "good", good, "")
    if settings.webhook.url:
        try:
            check_address(settings.webhook.url)
            secret_in(settings.webhook.secret_file, OutsideFault("webhook_secret"))
        except OutsideFault as error:
            yield "webhook", "note", str(error), ""
        else:
            yield "webhook", "good", "its address and its secret are there", ""


def https_findings(settings: Settings) -> Iterator[Found]:
    """What `dudo doctor` finds of https, where the settings want it. Nothing is made."""
    if not settings.web.https:
        return
    path = settings.data_folder / FILE
    try:
        pem = kept(path)
        if pem is None:
            read(b"")
            yield "https", "good", "a certificate is made when the companion starts", ""
            return
        load(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), path)
    except NoHttps as error:
        yield "https", "bad", f"the page is served by http: {error}", ""
        return
    yield _certificate(pem, path)


def _certificate(pem: bytes, path: Path) -> Found:
    """The finding about a certificate that is served."""
    found = None
    with suppress(NoHttps):
        found = read(pem)
    if found is None or not found.own:
        ended = found is not None and found.until <= datetime.now(UTC)
        hint = f"Replace {path}, or delete it." if ended else ""
        return "https", "bad" if ended else "good", f"served with the certificate in {path}", hint
    return "https", "good", f"served with the box's own https, until {found.until:%Y-%m-%d}", ""
