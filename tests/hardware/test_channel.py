"""Messages between a worker and its owner."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hardware.worker.channel import Channel, Garbled, shared_memory

pytestmark = pytest.mark.slow

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
IMAGES = hnp.arrays(np.uint8, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))


@contextmanager
def ends() -> Iterator[tuple[Channel, Channel]]:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    there, back = shared_memory("there"), shared_memory("back")
    first = Channel(one, sends_to=there, receives_from=back)
    second = Channel(other, sends_to=os.dup(back), receives_from=os.dup(there))
    yield first, second
    for end in (first, second, first):
        end.close()


@given(st.lists(st.tuples(PLAIN, st.lists(IMAGES, max_size=3)), max_size=4))
def test_whatever_is_sent_is_received_in_order_both_ways(messages: list[tuple[Any, list[Any]]]) -> None:
    with ends() as (one, other):
        for plain, images in messages:
            one.send((plain, images))
            there = other.receive()
            other.send(there)
            received, seen = one.receive()
            assert received == plain
            assert all(np.array_equal(a, b) for a, b in zip(images, seen, strict=True))


def test_a_turned_picture_and_a_part_of_one_arrive_as_they_are() -> None:
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    with ends() as (one, other):
        for view in (image[::-1], image[1:3, 2:5], image.transpose(1, 0, 2)):
            one.send(view)
            assert (other.receive() == view).all()


@given(st.binary(max_size=200))
def test_packets_of_nonsense_are_garbled(packet: bytes) -> None:
    with ends() as (one, other):
        one._packets.send(packet)
        with pytest.raises((Garbled, EOFError)):
            other.receive()


def test_the_end_of_the_other_side_is_seen() -> None:
    with ends() as (one, other):
        one.close()
        with pytest.raises(EOFError):
            other.receive()
        with pytest.raises(OSError, match="pipe"):
            other.send("anybody there?")
