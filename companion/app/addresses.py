"""The machine's addresses, for whoever prints one."""

from __future__ import annotations

from web.addresses import own_addresses

__all__ = ["own_addresses"]
