"""The lines that the terminal prints for phones: the address that reaches the box, and its QR code."""

from __future__ import annotations

import io
from collections.abc import Sequence

EVERYWHERE = ("", "0.0.0.0", "::", "*")


def invitation(host: str, port: int, addresses: Sequence[str], *, drawn: bool, scheme: str = "http") -> str:
    """The lines by which a phone finds the page; "" where none can reach it.

    `host` is where the page listens, `addresses` are the machine's own, the likeliest first. `drawn`: with a
    QR code, which only a terminal shows well.
    """
    reached = addresses[0] if host in EVERYWHERE and addresses else host
    if reached in (*EVERYWHERE, "localhost", "::1") or reached.startswith("127."):
        return ""
    link = f"{scheme}://{reached}:{port}/"
    code = io.StringIO()
    if drawn:
        import segno

        segno.make(link, error="l").terminal(code, border=2, compact=True)
    warned = "The browser warns once, for the certificate is the box's own: choose to go on.\n"
    words = f"Phones in the same network: {link}\n{warned if scheme == 'https' else ''}"
    return f"{words}{code.getvalue()}".rstrip()
