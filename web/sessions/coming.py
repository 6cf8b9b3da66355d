"""Somebody sits down by phone: before a game in the lobby, or late, with the next round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import count

from companion.errors import BadCommand
from companion.names import clean_name, same_person
from companion.table.commands import Join
from companion.table.wire.game import GameJson
from web.payloads import ComeRequest
from web.problems import Refused


def wanted(sent: ComeRequest, names: Collection[str], called: Callable[[int], str]) -> Join:
    """What a phone asks for that sits down; raises BadCommand. A name is optional: without one the
    phone is `called` by a number, the first that is free."""
    name = sent.name
    if not name.strip():
        numbered = (called(number) for number in count(len(names) + 1))
        name = next(one for one in numbered if same_person(one, names) is None)
    return Join(clean_name(name), sent.colour[:20], sent.after, sent.phone_cup)


def returning(game: GameJson, sat_for: Sequence[str]) -> str | None:
    """The player as whom a phone comes back that was the phone of these in this game; None for a newcomer.

    Raises Refused while that player is in the game, BadCommand once he is out.
    """
    if game["phase"] == "over":
        return None
    waiting = {one["name"] for one in game["waiting"]}
    stayed = [player for player in game["players"] if player["name"] in sat_for and not player["left"]]
    if inside := [player["name"] for player in stayed if not player["out"]] or list(waiting & {*sat_for}):
        raise Refused(409, "own_seat", seat=inside[0])
    if stayed:
        raise BadCommand("out_of_game", player=stayed[0]["name"])
    return sat_for[-1] if sat_for else None


def refuse_name(reason: str | None) -> None:
    """Raises BadCommand with the reason why nobody can sit down so."""
    if reason:
        raise BadCommand(reason)
