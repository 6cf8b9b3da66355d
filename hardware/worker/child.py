"""The program of a worker process: makes the object to serve, then calls its methods one request at a
time."""

from __future__ import annotations

import faulthandler
import importlib
import logging
import os
import pickle
import signal
import sys
import threading
import traceback
from dataclasses import dataclass
from queue import SimpleQueue
from typing import IO, BinaryIO, cast

if sys.platform == "linux":
    import fcntl
    import select

LOG_FORMAT = "%(levelname)s %(message)s"


@dataclass(frozen=True, slots=True)
class Request:
    """A call of `method`; without one, `arguments` make the object that is served from then on."""

    method: str | None
    arguments: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a request: the value returned, or the exception raised."""

    value: object = None
    error: BaseException | None = None


def main(target: str, life: int) -> None:
    """Serve until the other end of standard input is gone. `life` is inherited, where it is not negative."""
    if sys.platform == "linux" and life >= 0:
        os.set_inheritable(life, False)  # a helper of a library must not keep it open
        end_with_owner(life)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    requests, answers = _own_pipes()
    faulthandler.enable()
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, stream=sys.stderr)
    asked = SimpleQueue[Request]()
    threading.Thread(target=_listen, args=(requests, asked), daemon=True).start()
    served: object = None
    while True:
        request = asked.get()
        answer = _answer(request, target, served)
        if request.method is None:
            served, answer = answer.value, Answer(error=answer.error)
        send(answers, answer)
        del request, answer  # a picture need not stay until the next


if sys.platform == "linux":

    def end_with_owner(life: int) -> None:
        """Let the kernel kill this process as soon as the write end of the pipe `life` is closed.

        It works while the interpreter is stuck in foreign code, where no thread of ours gets to see the end.
        Unlike PR_SET_PDEATHSIG it does not depend on the thread that started us. Nothing is ever written into
        the pipe, so that its end is the only signal.
        """
        fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
        if select.select([life], [], [], 0)[0]:  # it ended before we could listen
            os._exit(1)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Requests and answers on descriptors of their own: what a library prints goes into the log."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    os.close(nothing)
    return requests, answers


def _listen(requests: BinaryIO, asked: SimpleQueue[Request]) -> None:
    """Pass requests on, and end the process with its owner whatever it does; not by taking it down: a library
    that hangs there would keep its device."""
    try:
        while True:
            asked.put(cast(Request, pickle.load(requests)))
    finally:
        os._exit(0)


def _answer(request: Request, target: str, served: object) -> Answer:
    try:
        work = named(target) if request.method is None else getattr(served, request.method)
        if not callable(work):
            if request.method is None:  # a module serves its own functions
                return Answer(work)
            raise TypeError(f"{request.method} is no method")
        return Answer(work(*request.arguments))
    except Exception as error:
        if not hasattr(error, "reason"):  # nobody foresaw it: where it arose belongs into the log
            traceback.print_exc()
        return Answer(error=_sendable(error))


def _sendable(error: Exception) -> Exception:
    """The error, or its words where it can't be made anew on the other side."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def named(target: str) -> object:
    """The module "package.module", or what it calls by the name after the colon in "package.module:name"."""
    module, _, name = target.partition(":")
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def send(pipe: IO[bytes], message: Request | Answer) -> None:
    """Write a message, which `pickle.load` reads at the other end. Pictures are not copied on the way: see
    PEP 574. Raises OSError when the other end is gone, and what `pickle` raises."""
    pickle.dump(message, pipe, protocol=5)
    pipe.flush()
