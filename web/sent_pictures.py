"""Pictures that phones send: the one route that takes a larger body, and how much of it at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

from flask import request
from msgspec import Meta
from werkzeug.exceptions import RequestEntityTooLarge

from companion.reveal.viewfinder import Hint
from web.problems import Refused

PATH = "/api/v1/pictures"
PREVIEWS = "/api/v1/previews"

LARGEST_PICTURE_BYTES = 12 * 1024 * 1024
"""A phone's JPEG of 12 megapixels has 3 to 8; phones that can make theirs smaller send a tenth of it."""

LARGEST_PREVIEW_BYTES = 96 * 1024
"""Of a viewfinder: a JPEG of 960 pixels. It needs no larger body than any other request."""

MULTIPART_BYTES = 16 * 1024
"""What a form adds to the picture in it."""

PICTURE_S = 1.0
"""A phone sends no more often."""

MAX_WAITING_BYTES = 40_000_000
"""Of all pictures that wait to be read."""

_PARTS, _LONGEST_PLACE = 8, 200


class PictureForm(TypedDict):
    """A picture that a phone sends, as the parts of a form."""

    picture: Annotated[str, Meta(description="The file.", extra_json_schema={"contentMediaType": "image/*"})]
    reveal: Annotated[int, Meta(description="The `number` of the reveal it is of.")]
    place: NotRequired[Annotated[str, Meta(description="The place it is of; left out: one of its own.")]]
    use: NotRequired[
        Annotated[Literal["workshop"], Meta(description="For the pages that teach, and of no reveal.")]
    ]


class PreviewForm(TypedDict):
    """What a viewfinder sees, as the parts of a form."""

    picture: Annotated[str, Meta(description="The file.", extra_json_schema={"contentMediaType": "image/*"})]
    reveal: Annotated[int, Meta(description="The `number` of the reveal it is of.")]
    place: NotRequired[Annotated[str, Meta(description="The place it is of; left out: all dice.")]]


class SpotJson(TypedDict):
    """A die in a preview: fractions of its width and height, and its side as a fraction of the width."""

    x: float
    y: float
    size: float


class ViewedJson(TypedDict):
    """What a preview shows: its dice without their faces, how many there must be, and what to do next."""

    dice: list[SpotJson]
    expected: int
    hint: Annotated[Hint, Meta(description="The first thing that hinders; hold: all dice are seen.")]


class TakenJson(TypedDict):
    """What a picture became: a place of the reveal, in the state of that version; "" for the workshop's."""

    place: str
    version: int


@dataclass(frozen=True, slots=True)
class PictureSent:
    """A picture as sent. `reveal` is the number of its reveal. `place` is the place it was taken for, None
    where the box decides. `workshop`: it is of no reveal, the pages that teach look at it."""

    data: bytes
    reveal: int
    place: str | None
    workshop: bool


def picture_sent(largest_bytes: int = LARGEST_PICTURE_BYTES) -> PictureSent:
    """The body of a picture, multipart/form-data with `picture`, `reveal` and perhaps `place`; raises
    Refused."""
    if request.mimetype != "multipart/form-data":
        raise Refused(415, "not_multipart")
    request.max_content_length = largest_bytes + MULTIPART_BYTES
    if (request.content_length or 0) > request.max_content_length:
        raise Refused(413, "picture_large", mb=f"{largest_bytes / 1024**2:.2g}")
    request.max_form_parts = _PARTS
    try:
        file, form = request.files.get("picture"), request.form
    except RequestEntityTooLarge as error:
        raise Refused(400, "bad_request") from error
    reveal, place = form.get("reveal", ""), form.get("place")
    if file is None:
        raise Refused(400, "no_picture_sent")
    if not (reveal.isascii() and reveal.isdigit()) or len(reveal) > 9 or len(place or "") > _LONGEST_PLACE:
        raise Refused(400, "bad_request")
    if form.get("use", "workshop") != "workshop":
        raise Refused(400, "bad_request")
    return PictureSent(file.read(), int(reveal), place or None, "use" in form)


class Gate:
    """Lets pictures in, so many bytes at a time and one a second of each phone. Any thread may ask."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s, self._lock = now_s, threading.Lock()
        self._last_s: dict[str, float] = {}
        self._waiting_bytes = 0

    def paced(self, phone: str) -> None:
        """Raises Refused where the phone has sent a picture within the last second."""
        with self._lock:
            now_s = self._now_s()
            self._last_s = {one: at for one, at in self._last_s.items() if now_s - at < PICTURE_S}
            if phone in self._last_s:
                raise Refused(429, "picture_too_soon")
            self._last_s[phone] = now_s

    @contextmanager
    def room_for(self, size_bytes: int) -> Iterator[None]:
        """Within this a picture of that size is held; raises Refused where too many are."""
        with self._lock:
            if self._waiting_bytes + size_bytes > MAX_WAITING_BYTES:
                raise Refused(503, "pictures_busy")
            self._waiting_bytes += size_bytes
        try:
            yield
        finally:
            with self._lock:
                self._waiting_bytes -= size_bytes
