"""A club as rows: the same for the terminal and for the page. Pure."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from companion.club_json import ClubJson, ClubTableJson, PlaceJson, Presence
from companion.outside.club import Club, ClubTable

PRESENCE: dict[bool | None, Presence] = {True: "online", False: "offline", None: "unknown"}


def club_json(club: Club) -> ClubJson:
    """All tables, and the standings of the evening."""
    tables = [_table(table) for table in club.in_order]
    return {
        "tables": tables,
        "online": sum(table["presence"] == "online" for table in tables),
        "games": club.games,
        "standings": [cast(PlaceJson, asdict(place)) for place in club.standings],
    }


def _table(table: ClubTable) -> ClubTableJson:
    state = table.state
    return {
        "key": table.key,
        "name": table.name,
        "presence": PRESENCE[table.online],
        "state": state["state"] if state else None,
        "round": state["round"] if state else 0,
        "turn": state["turn"] if state else "",
        "bid": state["bid"] if state else None,
        "dice": state["dice"] if state else 0,
        "verdict": state["verdict"]["sentence"] if state and state["verdict"] else "",
        "winners": list(state["winners"] or filter(None, [state["winner"]])) if state else [],
    }
