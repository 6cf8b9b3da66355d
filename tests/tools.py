"""Programs beside Python that some tests need. None is taken for granted: `tool` is the only way to one."""

import os
import shutil

import pytest

PACKAGES = {
    "bash": "bash",
    "gcc": "gcc",
    "git": "git",
    "mosquitto": "mosquitto",
    "mosquitto_passwd": "mosquitto",
    "openssl": "openssl",
    "shellcheck": "shellcheck",
    "ssh-keygen": "openssh-client",
    "systemd-analyze": "systemd",
}
"""Each program with the Debian package that brings it."""

_FOR_ROOT = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Where Debian keeps servers; whoever is not root does not have these folders on the path."""


def find_tool(name: str) -> str | None:
    """Path of the program; None where it is not installed."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", os.defpath), *_FOR_ROOT)))


def tool(name: str) -> str:
    """Path of the program; skips the test, with the line that installs it, where it is not installed."""
    return find_tool(name) or pytest.skip(
        f"{name} is missing: run 'sudo apt-get install --no-install-recommends {PACKAGES[name]}'"
    )
