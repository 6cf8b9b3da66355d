"""The type of what a command registers itself with."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from argparse import _SubParsersAction

Subparsers: TypeAlias = "_SubParsersAction[ArgumentParser]"
