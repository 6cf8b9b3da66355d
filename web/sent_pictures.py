"""Pictures that phones send: the one route that takes a larger body, and how much of it at once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Literal, TypedDict, TypeVar

from flask import request
from msgspec import Meta, Struct, ValidationError, convert
from werkzeug.exceptions import RequestEntityTooLarge

from companion.budgets import READER_S, READER_SHARE, WAIT_S, WAITING, Purse
from companion.errors import BadCommand
from web.payloads import LARGEST_WHOLE
from web.problems import Refused

PATH = "/api/v1/pictures"
PREVIEWS = "/api/v1/previews"

LARGEST_PICTURE_BYTES = 12 * 1024 * 1024
"""A phone's JPEG of 12 megapixels has 3 to 8; phones that can make theirs smaller send a tenth of it."""

LARGEST_PREVIEW_BYTES = 96 * 1024
"""Of a viewfinder: a JPEG of 960 pixels. It needs no larger body than any other request."""

MULTIPART_BYTES = 16 * 1024
"""What a form adds to the picture in it."""

_PARTS = 8


_FILE = {"contentMediaType": "image/*"}


class PreviewForm(Struct, frozen=True):
    """What a viewfinder sees, as the parts of a form; without a `place` it is of all dice."""

    picture: Annotated[bytes, Meta(description="The file.", extra_json_schema=_FILE)]
    reveal: Annotated[int, Meta(ge=0, le=LARGEST_WHOLE, description="The `number` of the reveal it is of.")]
    place: Annotated[str, Meta(max_length=200)] = ""


class PictureForm(PreviewForm, frozen=True):
    """A picture that a phone sends, as the parts of a form; without a `place` the box decides of which."""

    use: Annotated[Literal["workshop", ""], Meta(description="For the pages that teach, of no reveal.")] = ""


class TakenJson(TypedDict):
    """What a picture became: a place of the reveal, in the state of that version; "" for the workshop's."""

    place: str
    version: int


Form = TypeVar("Form", bound=PreviewForm)


def picture_sent(kind: type[Form], largest_bytes: int) -> Form:
    """The body of a picture, multipart/form-data; raises Refused."""
    if request.mimetype != "multipart/form-data":
        raise Refused(415, "not_multipart")
    request.max_content_length = largest_bytes + MULTIPART_BYTES
    if (request.content_length or 0) > request.max_content_length:
        raise Refused(413, "picture_large", mb=f"{largest_bytes / 1024**2:.2g}")
    request.max_form_parts = _PARTS
    try:
        file, form = request.files.get("picture"), request.form
        if file is None:
            raise Refused(400, "no_picture_sent")
        return convert({**form, "picture": file.read()}, kind, strict=False)
    except (RequestEntityTooLarge, ValidationError) as error:
        raise Refused(400, "bad_request") from error


class Turns:
    """Whose picture is read: one at a time, one of a phone, and next the one of the phone that has used the
    reader least. Any thread may bring one and waits. A few wait; beyond, the one whose phone has used the
    reader most is refused, and a phone that has used it for very long."""

    def __init__(self, now_s: Callable[[], float], wait_s: float = WAIT_S) -> None:
        self._now_s, self._wait_s = now_s, wait_s
        self._used = Purse(READER_S, READER_SHARE, now_s)
        self._changed = threading.Condition()
        self._waiting: list[str] = []
        self._reading = ""

    @contextmanager
    def turn(self, phone: str) -> Iterator[None]:
        """Within this the phone's picture is read; raises Refused where that is not to be."""
        with self._changed:
            self._begin(self._queued(phone))
        began_s = self._now_s()
        try:
            yield
        except BadCommand as error:
            if error.reason == "picture_costly":  # the bounds ended it: not again so soon
                self._used.spend(phone, READER_S)
            raise
        finally:
            self._used.spend(phone, self._now_s() - began_s)
            with self._changed:
                self._reading = ""
                self._changed.notify_all()

    def _queued(self, phone: str) -> str:
        if phone in (self._reading, *self._waiting) or self._used.wait_s(phone) > 0:
            raise Refused(429, "picture_under_way")
        self._waiting.append(phone)
        if len(self._waiting) > WAITING + (not self._reading):
            # the last of those who used most
            self._waiting.remove(max(reversed(self._waiting), key=self._used.spent))
            self._changed.notify_all()
        return phone

    def _begin(self, mine: str) -> None:
        """Wait until it is its turn, and take it."""

        def decided() -> bool:
            return mine not in self._waiting or (
                not self._reading and min(self._waiting, key=self._used.spent) == mine
            )

        in_time = self._changed.wait_for(decided, self._wait_s)
        if mine not in self._waiting:
            raise Refused(503, "pictures_busy")
        self._waiting.remove(mine)
        if not in_time:
            raise Refused(503, "pictures_busy")
        self._reading = mine
