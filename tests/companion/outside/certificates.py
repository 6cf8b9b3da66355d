"""An authority of our own and certificates that it signs, as a club makes them with openssl."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.tools import tool


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
