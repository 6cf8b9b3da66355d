"""Lets the product, and nothing else, meet what it meets on Windows.

With this folder on PYTHONPATH every interpreter, a worker's too, imports this at its start. The product's own
modules find `sys.platform` "win32", none of the modules and functions that only Unix has, and files that
nobody replaces or deletes while this process has them open.
"""

import builtins
import codecs
import errno
import os
import types

ROOMS = {"companion", "vision", "web", "hardware"}
NOT_THERE = {"fcntl", "resource", "grp", "pwd", "termios", "tty", "pty", "syslog", "posix"}
LACKS = {
    "os": """O_CLOEXEC O_NONBLOCK O_ASYNC fdatasync posix_fallocate preadv pwrite memfd_create getuid geteuid
        getgid getegid getgroups initgroups setegid seteuid killpg fork statvfs mkfifo set_blocking uname
        getloadavg sched_getaffinity nice chown lchown fchmod fchown""",
    "signal": "SIGALRM SIGKILL SIGHUP SIGUSR1 SIGUSR2 SIGPIPE SIGXCPU setitimer ITIMER_REAL alarm pause",
    "socket": "AF_UNIX SOCK_SEQPACKET send_fds recv_fds MSG_CMSG_CLOEXEC if_nametoindex SO_REUSEPORT",
    "select": "poll epoll POLLIN",
    "time": "clock_gettime CLOCK_BOOTTIME CLOCK_MONOTONIC tzset",
    "sys": "",
    "platform": "",
}
BINARY = 1 << 30
_text_mode = set[int]()
_import, _open, _write = builtins.__import__, os.open, os.write


class Windows(types.ModuleType):
    """A module of the standard library without what Windows lacks, and with what it has for its own."""

    def __init__(self, real, lacks, **own):
        super().__init__(real.__name__)
        self.__dict__.update(own, _real=real, _lacks=frozenset(lacks.split()))

    def __getattr__(self, name):
        if name in self._lacks:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on Windows")
        return getattr(self._real, name)


def _opened(path, flags, mode=0o777, **more):
    if os.path.isdir(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))
    descriptor = _open(path, flags & ~BINARY, mode, **more)
    _text_mode.discard(descriptor) if flags & BINARY else _text_mode.add(descriptor)
    return descriptor


def _written(descriptor, data):
    assert descriptor not in _text_mode or b"\n" not in bytes(data), "Windows writes \\n as \\r\\n here"
    return _write(descriptor, data)


def _locking(descriptor, mode, length):
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


def _no_release_file():
    raise OSError(errno.ENOENT, "Unable to read files /etc/os-release, /usr/lib/os-release")


def _fails_while_open(work, *which):
    """The function of `os`, which fails with a path of these that this process has open."""

    def guarded(*paths, **more):
        if not more:
            held = _held()
            for number in which:
                if os.path.abspath(os.fsdecode(paths[number])) in held:
                    raise PermissionError(errno.EACCES, "it is open, as on Windows", str(paths[number]))
        return work(*paths, **more)

    return guarded


def _held():
    found = set()
    for descriptor in os.listdir("/proc/self/fd"):
        try:
            found.add(os.readlink(f"/proc/self/fd/{descriptor}"))
        except OSError:
            continue
    return found


def _imported(name, globals=None, locals=None, fromlist=(), level=0):
    asks = str((globals or {}).get("__name__", "")).partition(".")[0]
    if asks in ROOMS and level == 0:
        if name in NOT_THERE:
            raise ModuleNotFoundError(f"No module named {name!r} on Windows", name=name)
        if name in OTHERS:
            return OTHERS[name]
    return _import(name, globals, locals, fromlist, level)


os.replace = _fails_while_open(os.replace, 0, 1)
os.rename = _fails_while_open(os.rename, 0, 1)
os.unlink = _fails_while_open(os.unlink, 0)
os.remove = os.unlink
OTHERS = {name: Windows(_import(name), lacks) for name, lacks in LACKS.items()}
OTHERS["sys"].platform = "win32"
OTHERS["os"].__dict__.update(name="nt", open=_opened, write=_written, O_BINARY=BINARY)
OTHERS["platform"].freedesktop_os_release = _no_release_file
OTHERS["msvcrt"] = types.SimpleNamespace(locking=_locking, LK_NBLCK=2)
codecs.register(lambda name: codecs.lookup("utf-8") if name == "mbcs" else None)
builtins.__import__ = _imported
