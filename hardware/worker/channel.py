"""Messages between a worker process and its owner, through pipes, in the same form on every system.

A message is pickled, arrays out of band: the number of parts, their lengths, their bytes. So a picture is
copied once into the pipe and once out of it. Arrays arrive read-only. Source: PEP 574.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Sequence
from io import BufferedReader
from typing import IO, cast

MAX_BYTES = 400_000_000
_MAX_PARTS = 4000
_NUMBER = struct.Struct("!I")


class Garbled(Exception):
    """Bytes from the channel that are no message."""


def packed(message: object) -> list[memoryview]:
    """The parts of a message. Raises ValueError for one that is too large, and what `pickle` raises."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(message, protocol=5, buffer_callback=buffers.append)
    parts = [memoryview(head), *(buffer.raw() for buffer in buffers)]
    if len(parts) > _MAX_PARTS or sum(part.nbytes for part in parts) > MAX_BYTES:
        raise ValueError("the message is too large for the channel")
    return parts


def send(pipe: IO[bytes], parts: Sequence[memoryview]) -> None:
    """Write what `packed` made. Raises EOFError when the other end is gone."""
    head = struct.pack(f"!I{len(parts)}Q", len(parts), *(part.nbytes for part in parts))
    try:
        for part in (memoryview(head), *parts):
            pipe.write(part)
        pipe.flush()
    except OSError as error:  # each system has a number of its own for a pipe that nobody reads
        raise EOFError from error


def receive(pipe: IO[bytes]) -> object:
    """The next message, its arrays read-only; waits for it. Raises EOFError when the other end is gone,
    Garbled."""
    (count,) = _NUMBER.unpack(_read(pipe, _NUMBER.size))
    if count > _MAX_PARTS:
        raise Garbled(f"{count} parts are announced")
    form = struct.Struct(f"!{count}Q")
    lengths = form.unpack(_read(pipe, form.size))
    if sum(lengths) > MAX_BYTES:
        raise Garbled(f"{sum(lengths)} bytes are announced")
    head, *buffers = [_read(pipe, length) for length in lengths] or [memoryview(b"")]
    try:
        return pickle.loads(head, buffers=buffers)
    except Exception as error:  # whatever bytes make pickle raise
        raise Garbled(f"{type(error).__name__}: {error}") from error


def _read(pipe: IO[bytes], length: int) -> memoryview:
    """So many bytes, read-only."""
    part = memoryview(bytearray(length))
    if cast(BufferedReader, pipe).readinto(part) < length:
        raise EOFError
    return part.toreadonly()
