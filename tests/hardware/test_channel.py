"""Messages between a worker and its owner."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from mmap import mmap
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from hardware.worker import channel
from hardware.worker.channel import (
    Channel,
    Garbled,
    NotSealed,
    Sealed,
    filled,
    sealed_behind,
    sealed_copy,
    shared_memory,
)

pytestmark = pytest.mark.slow

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
IMAGES = hnp.arrays(np.uint8, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=9))


PICTURE = np.random.default_rng(7).integers(0, 256, (1296, 2304, 3), np.uint8)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def memory_behind(image: NDArray[np.uint8]) -> Sealed:
    sealed = sealed_behind(memoryview(image))
    assert sealed is not None
    return sealed


@contextmanager
def ends() -> Iterator[tuple[Channel, Channel]]:
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    there, back = shared_memory("there"), shared_memory("back")
    first = Channel(one, sends_to=there, receives_from=back)
    second = Channel(other, sends_to=os.dup(back), receives_from=os.dup(there))
    yield first, second
    for end in (first, second, first):
        end.close()


@given(
    st.lists(st.tuples(PLAIN, st.lists(IMAGES, max_size=3)), max_size=4), st.sampled_from([1, 20, 1 << 20])
)
def test_whatever_is_sent_is_received_in_order_both_ways(
    messages: list[tuple[Any, list[Any]]], sealed_bytes: int
) -> None:
    with ends() as (one, other), patch.object(channel, "SEALED_BYTES", sealed_bytes):
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


def test_a_picture_is_passed_on_in_one_memory_and_nobody_can_change_it() -> None:
    """As from the camera to the page, and from there to the reader."""
    with ends() as (camera, page), ends() as (page_too, reader):
        camera.send(("taken", PICTURE))
        _, taken = page.receive()
        page_too.send((taken, "both"))
        read, _ = reader.receive()
    for seen in (taken, read):
        assert np.array_equal(seen, PICTURE)
        assert not seen.flags["WRITEABLE"]
        with pytest.raises(ValueError, match="WRITEABLE"):
            seen.setflags(write=True)
    one, other = memory_behind(taken), memory_behind(read)
    assert os.path.sameopenfile(one.descriptor, other.descriptor)
    with pytest.raises(PermissionError):
        os.pwrite(one.descriptor, b"x", 0)
    with pytest.raises(PermissionError):
        os.ftruncate(one.descriptor, 0)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "its upper part": lambda image: image[:600],
    "its lower part": lambda image: image[600:],
    "every other row": lambda image: image[::2],
    "upside down": lambda image: image[::-1],
    "turned": lambda image: image.transpose(1, 0, 2),
    "as one row": lambda image: image.reshape(-1),
    "a copy": lambda image: image.copy(),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_a_picture_that_was_passed_on_arrive_as_they_are(name: str) -> None:
    with ends() as (one, other):
        one.send(PICTURE)
        taken = other.receive()
        other.send(VIEWS[name](taken))
        assert np.array_equal(one.receive(), VIEWS[name](PICTURE))


def test_a_picture_under_way_outlives_its_sender() -> None:
    with ends() as (camera, page):
        camera.send(PICTURE)
        camera.close()
        assert np.array_equal(page.receive(), PICTURE)
        with pytest.raises(EOFError):
            page.receive()


def test_more_large_arrays_than_descriptors_fit_are_copied() -> None:
    arrays = [np.full(30, number, np.uint8) for number in range(100)]
    with ends() as (one, other), patch.object(channel, "SEALED_BYTES", 10):
        one.send(arrays)
        received = other.receive()
    assert np.array_equal(received, arrays)
    assert sum(sealed_behind(memoryview(array)) is not None for array in received) == channel._MAX_SEALED


@contextmanager
def memory(*, size: int = 100, sealed: bool = True) -> Iterator[int]:
    made = sealed_copy(memoryview(bytes(size))) if sealed else shared_memory("open")
    if not sealed:
        os.ftruncate(made, size)
    yield made
    os.close(made)


NO_MEMORY = {
    "too short": {"size": 99},
    "could still change": {"sealed": False},
    "none": None,
}


@pytest.mark.parametrize("kind", NO_MEMORY)
def test_a_memory_that_is_not_safe_to_map_is_garbled(kind: str) -> None:
    options: Any = NO_MEMORY[kind]
    packet = channel._PART.pack(0, False) + channel._PART.pack(100, True)
    with ends() as (one, other):
        before = descriptors()
        with nullcontext() if options is None else memory(**options) as made:
            socket.send_fds(one._packets, [packet], [] if made is None else [made])
            with pytest.raises(Garbled):
                other.receive()
        assert descriptors() == before


@pytest.mark.parametrize("count", [1, channel._MAX_SEALED + 1])
def test_descriptors_that_nobody_announced_are_closed(count: int) -> None:
    with ends() as (one, other), memory() as made:
        before = descriptors()
        socket.send_fds(one._packets, [channel._PART.pack(0, False)], [made] * count)
        with pytest.raises(Garbled):
            other.receive()
        assert descriptors() == before


def test_a_memory_is_sealed_once_it_is_filled() -> None:
    def fill(memory: mmap) -> None:
        memory[:4] = b"dice"

    before = descriptors()
    made = filled(6, fill)
    assert made[:] == b"dice\0\0"
    assert sealed_behind(memoryview(made)) is made
    with pytest.raises(PermissionError):
        os.pwrite(made.descriptor, b"x", 0)
    with pytest.raises(TypeError):
        made[0] = 1
    del made
    assert descriptors() == before


def test_a_memory_that_is_not_filled_is_given_back() -> None:
    def fail(memory: mmap) -> None:
        view = np.frombuffer(memory, np.uint8)
        raise LookupError(view.size)

    kept: list[Any] = []
    before = descriptors()
    with pytest.raises(LookupError):
        filled(6, fail)
    assert descriptors() == before
    with pytest.raises(BufferError):
        filled(6, lambda memory: kept.append(np.frombuffer(memory, np.uint8)))


def test_a_file_is_no_sealed_memory() -> None:
    with open(__file__, "rb") as file, pytest.raises(NotSealed):
        Sealed(file.fileno(), 10)


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
