"""Real dice of bots: only the box sees them, before the bot makes its call.

What it saw stands in the ledger as a throw of the round. No view shows it: in the reveal these dice lie on
the table, and are counted there like everybody's.
"""

from __future__ import annotations

from companion.errors import BadCommand
from companion.rules.players import playing
from companion.rules.position import Game, Phase
from companion.table.knowledge import Role, known_cups
from companion.table.ledger import Ledger, Thrown
from companion.table.state import TableState


def looking_bots(state: TableState) -> dict[str, int]:
    """The bots with real dice that may know them now, with how many they have."""
    game = state.game
    if game is None or game.phase is not Phase.BIDDING:
        return {}
    bots = dict(state.bots).keys() - set(state.cups)
    own = {player.name: player.dice for player in playing(game.players) if player.name in bots}
    asked = bool(state.asked)
    return {name: n for name, n in own.items() if known_cups(game, Role.PLAYER, name, (name,), asked=asked)}


def looked_at(state: TableState, ledger: Ledger) -> dict[str, tuple[int, ...]]:
    """The real dice that the box has looked at for bots in this round."""
    game = state.game
    if game is None:
        return {}
    found = {name: ledger.newest(_throw(game, ledger), name) for name in looking_bots(state)}
    return {name: faces for name, faces in found.items() if len(faces) == looking_bots(state)[name]}


def unread(state: TableState, ledger: Ledger) -> tuple[str, ...]:
    """The bots whose dice the box has still to look at."""
    looked = looked_at(state, ledger)
    return tuple(name for name in looking_bots(state) if name not in looked)


def dice_read(state: TableState, ledger: Ledger, player: str, faces: tuple[int, ...]) -> Thrown:
    """The event of a bot's dice as the camera read them; raises BadCommand where none are awaited."""
    if state.game is None or looking_bots(state).get(player) != len(faces):
        raise BadCommand("bot_no_look", player=player)
    return Thrown(_throw(state.game, ledger), player, faces)


def _throw(game: Game, ledger: Ledger) -> str:
    return f"cup {game.round.number} {ledger.throws(game.round.number)}"
