"""A real mosquitto on loopback, and a client that keeps what it hears."""

import json
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.ports import held_port
from tests.tools import tool

TIMEOUT_S = 30.0


@dataclass
class RunningBroker:
    """A mosquitto with its settings in `folder`; `stop` and `start` as one that is restarted."""

    folder: Path
    port: int
    lines: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        listener = f"listener {self.port} 127.0.0.1"
        anonymous = () if any("allow_anonymous" in line for line in self.lines) else ("allow_anonymous true",)
        (self.folder / "mosquitto.conf").write_text("\n".join((listener, *anonymous, *self.lines, "")))
        with (self.folder / "mosquitto.log").open("ab") as log:
            command = [tool("mosquitto"), "-c", str(self.folder / "mosquitto.conf")]
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(lambda: answers(self.port), "mosquitto does not come up")

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(10)
            self.process = None


def passwords(path: Path, user: str, password: str) -> Path:
    """A file of mosquitto's with this user; skips where there is no tool to make one."""
    command = [tool("mosquitto_passwd"), "-b", "-c", str(path), user, password]
    subprocess.run(command, check=True, capture_output=True)
    return path


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(holds: Callable[[], bool], why: str) -> None:
    """Until `holds`, for as long as a busy machine may need."""
    pause, until_s = threading.Event(), time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < until_s, why
        pause.wait(0.02)


@contextmanager
def broker(folder: Path, *lines: str) -> Iterator[RunningBroker]:
    """A mosquitto with these lines of settings; skips where there is none."""
    tool("mosquitto")
    pytest.importorskip("paho.mqtt.client", reason="paho-mqtt is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    with held_port() as port:
        running = RunningBroker(folder, port, ("user root", *lines))
        running.start()
        try:
            yield running
        finally:
            running.stop()


@dataclass
class Ear:
    """A client of the broker that hears every topic."""

    client: Any
    heard: list[tuple[str, str, bool]] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def hear(self, topic: str, text: str, retained: bool) -> None:
        with self.changed:
            self.heard.append((topic, text, retained))
            self.changed.notify_all()

    def wait(self, holds: Callable[[list[tuple[str, str, bool]]], bool], why: str) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: holds(self.heard), TIMEOUT_S), (why, self.heard[-5:])

    def last(self, ending: str) -> Any:
        """The newest message of the topic that ends so, as data where it is JSON; None where none came."""
        found = [text for topic, text, _ in self.heard if topic.endswith(ending)]
        return _read(found[-1]) if found else None

    def every(self, ending: str) -> list[Any]:
        return [_read(text) for topic, text, _ in self.heard if topic.endswith(ending)]


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


@contextmanager
def ear(port: int, topic: str = "#", **more: Any) -> Iterator[Ear]:
    """A client that hears `topic` from now on, and what is retained."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    if more.get("user"):
        client.username_pw_set(more["user"], more["password"])
    ready, found = threading.Event(), Ear(client)
    client.on_connect = lambda *_: client.subscribe(topic, qos=1)
    client.on_subscribe = lambda *_: ready.set()
    client.on_message = lambda _, __, message: found.hear(
        message.topic, message.payload.decode(), message.retain
    )
    client.connect("127.0.0.1", port)
    client.loop_start()
    try:
        assert ready.wait(TIMEOUT_S)
        yield found
    finally:
        client.disconnect()
        client.loop_stop()


@dataclass(frozen=True)
class Authority:
    """An authority whose certificate is `certificate`; what it signs stands beside it in `folder`."""

    folder: Path
    name: str = "authority"

    @property
    def certificate(self) -> Path:
        return self.folder / f"{self.name}.crt"

    def listener(self, subject: str) -> tuple[str, ...]:
        """Lines of mosquitto's settings: a certificate for `subject`, such as IP:127.0.0.1."""
        key, asked, signed = (self.folder / f"server.{ending}" for ending in ("key", "csr", "crt"))
        extensions = self.folder / "server.ext"
        extensions.write_text(f"subjectAltName = {subject}\n")
        openssl("req", *NEW_KEY, "-keyout", str(key), "-out", str(asked), "-subj", "/CN=broker")
        signs = ("-CA", str(self.certificate), "-CAkey", str(self.folder / f"{self.name}.key"))
        named = ("-in", str(asked), "-out", str(signed), "-extfile", str(extensions))
        openssl("x509", "-req", "-days", "1", *signs, "-CAcreateserial", *named)
        return (f"certfile {signed}", f"keyfile {key}")


NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def authority(folder: Path, name: str = "authority") -> Authority:
    """A new authority, by the one command that most guides give; skips where there is no openssl."""
    made = Authority(folder, name)
    folder.mkdir(parents=True, exist_ok=True)
    files = ("-keyout", str(folder / f"{name}.key"), "-out", str(made.certificate))
    openssl("req", "-x509", *NEW_KEY, "-days", "1", *files, "-subj", f"/CN={name}")
    return made


def openssl(*words: str) -> None:
    subprocess.run([tool("openssl"), *words], check=True, capture_output=True)
