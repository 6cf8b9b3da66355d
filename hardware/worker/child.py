"""The program of a worker process: makes the object to serve, then calls its methods one request at a
time."""

from __future__ import annotations

import faulthandler
import fcntl
import importlib
import logging
import os
import pickle
import select
import signal
import socket
import sys
import traceback
from dataclasses import dataclass
from typing import cast

from hardware.worker.channel import Channel

LOG_FORMAT = "%(levelname)s %(message)s"


@dataclass(frozen=True, slots=True)
class Request:
    """A call of `method`; without one, `arguments` make the object that is served from then on."""

    number: int
    method: str | None
    arguments: tuple[object, ...] = ()
    keywords: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of request `number`: the value returned, or the exception raised."""

    number: int
    value: object = None
    error: BaseException | None = None


def main(packets: int, requests: int, answers: int, life: int, target: str) -> None:
    """Serve until the other end of the channel is gone. The arguments are inherited descriptors."""
    for inherited in (packets, requests, answers, life):
        os.set_inheritable(inherited, False)  # a helper of a library must not keep them open
    end_with_owner(life)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    faulthandler.enable()
    logging.basicConfig(level=logging.INFO, format=LOG_FORMAT, stream=sys.stderr)
    channel = Channel(socket.socket(fileno=packets), sends_to=answers, receives_from=requests)
    served: object = None
    while (request := _next(channel)) is not None:
        answer = _answer(request, target, served)
        if request.method is None:
            served, answer = answer.value, Answer(request.number, error=answer.error)
        _send(channel, answer)
        del request, answer  # a picture need not stay until the next
    sys.stderr.flush()
    os._exit(0)  # a library that hangs while it is taken down would keep its device


def end_with_owner(life: int) -> None:
    """Let the kernel kill this process as soon as the write end of the pipe `life` is closed.

    It works while the interpreter is stuck in foreign code, and unlike PR_SET_PDEATHSIG it does not depend on
    the thread that started us. Nothing is ever written into the pipe, so that its end is the only signal.
    """
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life], [], [], 0)[0]:  # it ended before we could listen
        os._exit(1)


def _next(channel: Channel) -> Request | None:
    try:
        return cast(Request, channel.receive())
    except EOFError:
        return None


def _answer(request: Request, target: str, served: object) -> Answer:
    try:
        work = named(target) if request.method is None else getattr(served, request.method)
        if not callable(work):
            if request.method is None:  # a module serves its own functions
                return Answer(request.number, work)
            raise TypeError(f"{request.method} is no method")
        return Answer(request.number, work(*request.arguments, **dict(request.keywords)))
    except Exception as error:
        if not hasattr(error, "reason"):  # nobody foresaw it: where it arose belongs into the log
            traceback.print_exc()
        return Answer(request.number, error=_sendable(error))


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


def _send(channel: Channel, answer: Answer) -> None:
    """Send the answer, or what is wrong with it: not everything can be pickled."""
    try:
        channel.send(answer)
    except ConnectionError:
        os._exit(0)
    except Exception as error:
        what = answer.error if answer.error is not None else answer.value
        print("".join(traceback.format_exception(error)), file=sys.stderr, flush=True)
        words = f"{type(what).__name__} can't be sent ({error}): {what!r:.200}"
        channel.send(Answer(answer.number, error=RuntimeError(words)))
