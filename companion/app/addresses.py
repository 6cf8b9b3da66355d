"""The machine's addresses, for whoever prints one."""

from __future__ import annotations


def own_addresses() -> tuple[str, ...]:
    """Numeric addresses of the networks a phone may come by, the likeliest first."""
    from web.addresses import own_addresses as found

    return found()
