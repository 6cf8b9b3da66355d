"""The way to a demonstration, which is a table of its own at another port, and what its own page may do."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from web.deps import Demonstrated
from web.problems import Refused

_WRITES_NOTHING = ("GET", "HEAD", "OPTIONS")


def blueprint(demonstrate: Callable[[], int]) -> Blueprint:
    """A POST to `/demo` leads to the demonstration, which `demonstrate` opens, giving its port."""
    routes = Blueprint("demonstration", __name__)

    @routes.post("/demo")
    def demo() -> Response:
        """The demonstration, begun where there is none, by no read: any page can have one read.

        Browsers count a redirect to another port as part of the form, which the page's policy forbids.
        """
        return Response(headers={"Refresh": f"0; url={_beside(demonstrate())}"})

    return routes


def home(shown: Demonstrated | None) -> str:
    """The address of the table that a demonstration belongs to, "" for none."""
    return _beside(shown.home) if shown and shown.home else ""


def only_watched(visited: Callable[[], None]) -> Callable[[], None]:
    """A check before each request: a demonstration is for watching, whoever asks."""

    def check() -> None:
        visited()
        chooses = (request.endpoint or "").endswith(".preferences")
        if request.method not in _WRITES_NOTHING and not chooses:
            raise Refused(403, "demonstration")

    return check


def _beside(port: int) -> str:
    """The address of another port of the machine that this phone calls as it does."""
    host = request.host
    name = host[: host.rindex("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return f"{request.scheme}://{name}:{port}/"
