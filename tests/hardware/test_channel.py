"""Messages between a worker and its owner."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hardware.worker.channel import MAX_BYTES, Garbled, packed, receive, send

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
IMAGES = hnp.arrays(np.uint8, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))
PICTURE = np.random.default_rng(7).integers(0, 256, (40, 60, 3), np.uint8)


def sent(*messages: object) -> BytesIO:
    pipe = BytesIO()
    for message in messages:
        send(pipe, packed(message))
    pipe.seek(0)
    return pipe


@given(st.lists(st.tuples(PLAIN, st.lists(IMAGES, max_size=3)), max_size=4))
def test_whatever_is_sent_is_received_in_order(messages):
    pipe = sent(*messages)
    for plain, images in messages:
        received, seen = receive(pipe)  # type: ignore[misc]
        assert received == plain
        assert all(np.array_equal(a, b) for a, b in zip(images, seen, strict=True))
    with pytest.raises(EOFError):
        receive(pipe)


@pytest.mark.parametrize(
    "view",
    [PICTURE, PICTURE[:20], PICTURE[::2], PICTURE[::-1], PICTURE.transpose(1, 0, 2), PICTURE[1:3, 2:5]],
    ids=["whole", "upper part", "every other row", "upside down", "turned", "part"],
)
def test_views_of_a_picture_arrive_as_they_are_and_nobody_changes_them(view):
    received: Any = receive(sent(view))
    assert np.array_equal(received, view)
    again: Any = receive(sent(received))
    assert np.array_equal(again, view)
    if view is PICTURE:
        assert not received.flags["WRITEABLE"]
        with pytest.raises(ValueError, match="WRITEABLE"):
            received.setflags(write=True)


@given(st.binary(max_size=200))
def test_bytes_of_nonsense_are_garbled(content):
    with pytest.raises((Garbled, EOFError)):
        receive(BytesIO(content))


@given(st.integers(0, 300))
def test_a_message_that_is_cut_off_is_its_senders_end(length):
    whole = sent(("a picture", PICTURE[:2, :5])).getvalue()
    with pytest.raises(EOFError):
        receive(BytesIO(whole[: min(length, len(whole) - 1)]))


def test_a_message_that_is_too_large_is_not_sent():
    with pytest.raises(ValueError, match="too large"):
        packed(np.broadcast_to(np.zeros(1, np.uint8), MAX_BYTES + 1).copy())
    with pytest.raises(ValueError, match="too large"):
        packed([np.zeros(1, np.uint8) for _ in range(4000)])
