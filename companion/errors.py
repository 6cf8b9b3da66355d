"""Errors at the table, one class for each cause.

Every error names its reason by a key of the catalogues, so that a page can show it in any language. As text
it is the English sentence with the hint.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable


@runtime_checkable
class Explained(Protocol):
    """The protocol of every room's errors.

    `reason` is a key of the catalogues, `values` fill its sentence; `hint` is a sentence, "" where the
    catalogue's own says what helps. As text the error is the English sentence.
    """

    @property
    def reason(self) -> str: ...

    @property
    def hint(self) -> str: ...

    @property
    def values(self) -> Mapping[str, object]: ...


class CompanionError(Exception):
    """The root: `reason` is a key under `errors` in the catalogues, `values` fill its sentence."""

    hint = ""

    def __init__(self, reason: str, **values: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values = values

    def __str__(self) -> str:
        from companion.texts import translate  # here: catalogues are read only when somebody reads them

        return translate("en", f"errors.{self.reason}", **self.values)


class RulesError(CompanionError, ValueError):
    """The rules do not allow it; the game is unchanged."""


class IllegalCall(RulesError):
    """A call that may not be made in this position."""


class BadReveal(RulesError):
    """A reveal that cannot be judged: too many dice, too few, or faces that do not exist."""


class BadRuleset(RulesError):
    """House rules that contradict one another or come from a newer version."""


class BadCommand(CompanionError, ValueError):
    """A command that cannot be read or makes no sense now; the table is unchanged."""


class NotAllowed(BadCommand):
    """A command that its author may not give; the table is unchanged."""


class StaleCommand(CompanionError):
    """The command was based on an older version: the table moved on."""


class SettingsError(CompanionError, ValueError):
    """Faults in the configuration, all of them at once, in `faults`."""

    def __init__(self, faults: tuple[str, ...]) -> None:
        super().__init__("settings_faulty", faults="; ".join(faults))
        self.faults = faults


class BadSetting(CompanionError, ValueError):
    """A value that a setting cannot have."""


class PartFault(CompanionError, OSError):
    """A part of the box did not do what was asked; `reason` is a key under `web.faults` or `errors`."""


class StorageError(CompanionError, OSError):
    """The journal or a picture could not be kept."""


class JournalDamaged(StorageError):
    """The journal's file is not what was written."""


class FolderBusy(StorageError):
    """Another companion uses the same data folder."""


class NoHttps(CompanionError, OSError):
    """The page cannot be served over https: no library, no key, or two that do not belong together."""


class PortBusy(CompanionError, OSError):
    """Something else answers at the wanted address."""
