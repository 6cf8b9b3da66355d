"""How the box is, in JSON: what `GET /api/v1/health` answers."""

from typing import Annotated, NotRequired, TypedDict

from msgspec import Meta


class JournalHealthJson(TypedDict):
    """Whether the next command can be kept."""

    writable: bool


class DiskHealthJson(TypedDict):
    """Whether there is room on the disk."""

    free_mb: float
    room: bool


class CameraHealthJson(TypedDict):
    """State of the capture loop: alive, capturing, and the age of the newest frame."""

    name: str
    thread: bool
    looking: bool
    frame_age_s: float | None
    fault: str | None


class OutletHealthJson(TypedDict):
    """How a way out of the box is: a broker or a webhook."""

    connected: Annotated[bool, Meta(description="The broker lets us in; the webhook took the last event.")]
    waiting: Annotated[int, Meta(ge=0, description="Messages that wait to be sent.")]
    dropped: Annotated[int, Meta(ge=0, description="Events that were too many to wait.")]
    fault: Annotated[str | None, Meta(description="A key under `errors` in the catalogues.")]


class HealthJson(TypedDict):
    """How every part is."""

    ok: Annotated[bool, Meta(description="The journal can be written, and every thread does its work.")]
    running_s: NotRequired[float]
    journal: NotRequired[JournalHealthJson]
    disk: NotRequired[DiskHealthJson]
    camera: NotRequired[CameraHealthJson]
    threads: NotRequired[Annotated[dict[str, float], Meta(description="Seconds since each gave a sign.")]]
    silent: NotRequired[list[str]]
    faults: NotRequired[list[str]]
    temperature_c: NotRequired[float | None]
    under_voltage: NotRequired[bool]
    outside: NotRequired[
        Annotated[dict[str, OutletHealthJson], Meta(description="`mqtt` and `webhook`, where on.")]
    ]
