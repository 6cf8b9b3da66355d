"""One end of the channel between a worker process and its owner.

A message is pickled into shared memory, arrays out of band; a packet of its lengths announces it. Requests
and answers alternate, so that each side writes only after the other has read. The shared memory has no name:
it is gone with the last process that has it open, however that process ends.

A large array, as a picture is, goes in a sealed memory of its own: bytes that nobody can change any more, nor
make shorter, so that reading is always safe. Its descriptor comes with the packet, and the receiver maps it.
An array that arrived so is passed on without a copy. Arrays arrive read-only.

Source: PEP 574 for pickles with buffers out of band; memfd_create(2); fcntl(2), file sealing; unix(7) for
SOCK_SEQPACKET, which never gives half a packet, and for SCM_RIGHTS. Before Linux 6.7 a memory that is sealed
against writing can only be mapped as private; its pages are shared all the same, as none is ever written.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import pickle
import socket
import struct
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from itertools import islice

MAX_BYTES = 400_000_000
SEALED_BYTES = 1 << 20
"""An array from this size up has a memory of its own: below, copying is cheaper than mapping."""

_MAX_PARTS, _MAX_SEALED = 4000, 64
_PART = struct.Struct("!Q?")
"""The length of a part in bytes, and whether it has a memory of its own."""


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
        large = _large(parts)
        at = 0
        for number, part in enumerate(parts):
            at = at if number in large else written(self._sends_to, part, at)
        packet = b"".join(_PART.pack(part.nbytes, number in large) for number, part in enumerate(parts))
        with ExitStack() as ours:
            descriptors = [_descriptor(parts[number], ours) for number in large]
            socket.send_fds(self._packets, [packet], descriptors)

    def receive(self) -> object:
        """The next message, its arrays read-only; waits for it. Raises EOFError when the other end is gone,
        Garbled."""
        with ExitStack() as ours:
            packet, descriptors, flags = self._packet()
            for descriptor in descriptors:
                ours.callback(os.close, descriptor)
            if not packet:
                raise EOFError
            if len(packet) % _PART.size or flags & socket.MSG_CTRUNC:
                raise Garbled("the packet holds no lengths, or descriptors were lost")
            announced = list(_PART.iter_unpack(packet))
            if sum(length for length, _ in announced) > MAX_BYTES:
                raise Garbled(f"{sum(length for length, _ in announced)} bytes are announced")
            if sum(large for _, large in announced) != len(descriptors):
                raise Garbled(f"{len(descriptors)} descriptors came")
            return self._loaded(announced, descriptors)

    def _packet(self) -> tuple[bytes, list[int], int]:
        """The next packet with its descriptors and flags, empty when the other end is gone."""
        try:
            packet, descriptors, flags, _ = socket.recv_fds(
                self._packets, _MAX_PARTS * _PART.size, _MAX_SEALED, socket.MSG_CMSG_CLOEXEC
            )
        except ConnectionError:
            return b"", [], 0
        return packet, descriptors, flags

    def _loaded(self, announced: Sequence[tuple[int, bool]], descriptors: Sequence[int]) -> object:
        """The message whose parts have these lengths, some of them in a sealed memory of their own."""
        parts, at, left = list[memoryview | Sealed](), 0, iter(descriptors)
        for length, large in announced:
            parts.append(_mapped(next(left), length) if large else _read(self._receives_from, length, at))
            at += 0 if large else length
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


def _large(parts: Sequence[memoryview]) -> list[int]:
    """The numbers of the parts that go in a memory of their own: arrays, not the pickle itself."""
    large = (number for number, part in enumerate(parts) if number and part.nbytes >= SEALED_BYTES)
    return list(islice(large, _MAX_SEALED))


def _descriptor(part: memoryview, ours: ExitStack) -> int:
    """That of the sealed memory a part lies in, or of a copy, which `ours` closes. Raises OSError."""
    behind = sealed_behind(part)
    if behind is not None:
        return behind.descriptor
    copy = sealed_copy(part)
    ours.callback(os.close, copy)
    return copy


def _mapped(descriptor: int, length: int) -> Sealed:
    try:
        return Sealed(descriptor, length)
    except (NotSealed, OSError) as error:
        raise Garbled(f"a memory can not be mapped: {error}") from error


def _read(memory: int, length: int, at: int) -> memoryview:
    """A copy of so many bytes at an offset, read-only."""
    part = memoryview(bytearray(length))
    rest = part
    while rest.nbytes:
        done = os.preadv(memory, [rest], at)
        if not done:
            raise Garbled("the shared memory ends too early")
        rest, at = rest[done:], at + done
    return part.toreadonly()


_SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
_NEEDED = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_WRITE


class NotSealed(Exception):
    """A descriptor of something that could still change, or that is shorter than announced."""


class Sealed(mmap.mmap):
    """A sealed memory mapped for reading. `descriptor` lives as long as this, for the next process."""

    descriptor: int

    def __new__(cls, descriptor: int, length: int) -> Sealed:
        """Map `length` bytes of the memory; the caller keeps and closes the descriptor given.

        Raises NotSealed, and OSError where there is no room for it.
        """
        if not _holds(descriptor, length):
            raise NotSealed(f"it does not hold {length} sealed bytes")
        made = super().__new__(cls, descriptor, length, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ)
        made.descriptor = os.dup(descriptor)
        weakref.finalize(made, os.close, made.descriptor)
        return made


def sealed_copy(data: memoryview) -> int:
    """The descriptor of a new sealed memory with the same bytes, for the caller to close. Raises OSError."""
    descriptor = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        written(descriptor, data, 0)
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def filled(length: int, fill: Callable[[mmap.mmap], None]) -> Sealed:
    """A new sealed memory of so many bytes, all zero until `fill` writes them, which keeps no view of it.

    Raises OSError where there is no room, BufferError where a view was kept, and whatever `fill` does.
    """
    descriptor = os.memfd_create("sealed", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        os.ftruncate(descriptor, length)
        memory = mmap.mmap(descriptor, length)
        fill(memory)
        memory.close()
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
        return Sealed(descriptor, length)
    finally:
        os.close(descriptor)


def sealed_behind(data: memoryview) -> Sealed | None:
    """The sealed memory that `data` is the whole of, by way of arrays that are views of one another."""
    owner: object = data
    while owner is not None and not isinstance(owner, Sealed):
        owner = owner.obj if isinstance(owner, memoryview) else getattr(owner, "base", None)
    return owner if owner is not None and len(owner) == data.nbytes else None


def written(memory: int, data: memoryview, at: int) -> int:
    """Write all of `data` at an offset; returns the offset behind it. Raises OSError."""
    rest = data.cast("B")
    while rest.nbytes:
        done = os.pwrite(memory, rest, at)
        rest, at = rest[done:], at + done
    return at


def _holds(descriptor: int, length: int) -> bool:
    """Whether the descriptor is of a memory that will always have so many bytes, all unchanged."""
    try:
        seals = fcntl.fcntl(descriptor, fcntl.F_GET_SEALS)
    except OSError:  # a file or a socket
        return False
    return seals & _NEEDED == _NEEDED and os.fstat(descriptor).st_size >= length > 0
