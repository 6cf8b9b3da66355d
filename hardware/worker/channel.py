"""One end of the channel between a worker process and its owner.

A message is pickled into shared memory, arrays out of band and therefore copied once; a packet of its lengths
announces it. Requests and answers alternate, so that each side writes only after the other has read. The
shared memory has no name: it is gone with the last process that has it open, however that process ends.

Source: PEP 574 for pickles with buffers out of band; memfd_create(2); unix(7) for SOCK_SEQPACKET, which never
gives half a packet.
"""

from __future__ import annotations

import os
import pickle
import socket
import struct
from contextlib import suppress

MAX_BYTES = 400_000_000
_MAX_PARTS = 4000
_LENGTH = struct.Struct("!Q")


class Garbled(Exception):
    """Bytes from the channel that are no message."""


class Channel:
    """Sends to one shared memory and receives from another; `close` gives all three descriptors back."""

    def __init__(self, packets: socket.socket, sends_to: int, receives_from: int) -> None:
        self._packets, self._sends_to, self._receives_from = packets, sends_to, receives_from

    def fileno(self) -> int:
        """The descriptor that becomes readable with a message, or when the other end is gone."""
        return self._packets.fileno()

    def send(self, message: object) -> None:
        """Send anything that can be pickled. Raises OSError when the other end is gone, ValueError for a
        message that is too large, and what `pickle` raises."""
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(message, protocol=5, buffer_callback=buffers.append)
        parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
        if len(parts) > _MAX_PARTS or sum(part.nbytes for part in parts) > MAX_BYTES:
            raise ValueError("the message is too large for the channel")
        at = 0
        for part in parts:
            at = _written(self._sends_to, part, at)
        self._packets.send(b"".join(_LENGTH.pack(part.nbytes) for part in parts))

    def receive(self) -> object:
        """The next message; waits for it. Raises EOFError when the other end is gone, Garbled."""
        try:
            packet = self._packets.recv(_MAX_PARTS * _LENGTH.size)
        except ConnectionError:
            packet = b""
        if not packet:
            raise EOFError
        if len(packet) % _LENGTH.size:
            raise Garbled("the packet holds no lengths")
        lengths = [length for (length,) in _LENGTH.iter_unpack(packet)]
        if sum(lengths) > MAX_BYTES:
            raise Garbled(f"{sum(lengths)} bytes are announced")
        return self._loaded(lengths)

    def _loaded(self, lengths: list[int]) -> object:
        """The message whose parts have these lengths, its arrays writable and in memory of their own."""
        parts, at = [], 0
        for length in lengths:
            parts.append(_read(self._receives_from, length, at))
            at += length
        os.ftruncate(self._receives_from, 0)  # it need not stay in memory until the next
        try:
            return pickle.loads(parts[0], buffers=parts[1:])
        except Exception as error:  # whatever bytes make pickle raise
            raise Garbled(f"{type(error).__name__}: {error}") from error

    def shut(self) -> None:
        """Let the other end see that nothing more comes."""
        with suppress(OSError):  # it may be gone
            self._packets.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Give the descriptors back; may be called twice."""
        if self._packets.fileno() < 0:
            return
        self._packets.close()
        os.close(self._sends_to)
        os.close(self._receives_from)


def shared_memory(name: str) -> int:
    """The descriptor of a new, empty shared memory, to be handed to a child process."""
    return os.memfd_create(name)


def _written(memory: int, part: memoryview, at: int) -> int:
    """Write all of `part` at an offset; returns the offset behind it."""
    rest = part.cast("B")
    while rest.nbytes:
        done = os.pwrite(memory, rest, at)
        rest, at = rest[done:], at + done
    return at


def _read(memory: int, length: int, at: int) -> bytearray:
    part = bytearray(length)
    rest = memoryview(part)
    while rest.nbytes:
        done = os.preadv(memory, [rest], at)
        if not done:
            raise Garbled("the shared memory ends too early")
        rest, at = rest[done:], at + done
    return part
