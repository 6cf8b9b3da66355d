"""Switching the whole machine off, as far as the service may: it leaves a file that systemd watches for.

The unit `.setup/pi/dudo-companion-off.path` has systemd do it. Nothing is switched off where a person
only runs the program: there the environment names no file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path

from companion.errors import BadCommand, PartFault

VARIABLE = "DUDO_SWITCH_OFF"
"""Of the environment: the file to leave, set by the service's unit alone."""

_log = logging.getLogger(__name__)


class SwitchOff:
    """The wish to switch off. `can`: somebody listens to it."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._file = Path(environ[VARIABLE]) if environ.get(VARIABLE) else None

    @property
    def can(self) -> bool:
        """Whether this machine is a box that can be switched off from here."""
        return self._file is not None

    def off(self, whose: str) -> None:
        """Wish it; `whose` wish it is goes into the log.

        Raises BadCommand where nobody listens, PartFault where the file cannot be left.
        """
        if self._file is None:
            raise BadCommand("cannot_switch_off")
        _log.warning("switched off by %s", whose)
        try:
            self._file.touch()
        except OSError as error:
            raise PartFault("switch_off_failed", cause=error.strerror or str(error)) from error
