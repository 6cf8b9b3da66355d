"""OpenSpiel's own exploitability of the strong level, one die each: `python -m lab.bots.open_spiel`.

It needs the extra `bench`. OpenSpiel walks its whole game tree, 441 * 2^25 nodes with two dice each, so that
case is left to `lab.bots.exploitability`. Both must agree with one die.
"""

import pyspiel
from open_spiel.python.algorithms.exploitability import exploitability as by_open_spiel
from open_spiel.python.policy import Policy

from companion.bots.seat import Level
from lab.bots.exploitability import exploitability
from lab.bots.level_bot import DUDO, LevelBot

LIAR = 12
"""OpenSpiel's number of the call that is dudo here; bids have the same numbers."""


class StrongPolicy(Policy):  # type: ignore[misc]
    """The strong level in OpenSpiel's `liars_dice` with one die each."""

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game, [0, 1])
        self._bot = LevelBot(Level.STRONG, 1)

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        """How often the player on turn takes each legal action; the first two of the history are rolls."""
        history = state.history()
        rolled, said = history[:2], tuple(history[2:])
        played = self._bot.policy(said, (rolled[state.current_player()] + 1,))
        shares = {LIAR if action == DUDO else action: share for action, share in played.items()}
        return {action: shares.get(action, 0.0) for action in state.legal_actions()}


def main() -> None:
    game = pyspiel.load_game("liars_dice", {"numdice": 1})
    theirs = by_open_spiel(game, StrongPolicy(game))
    ours = sum(exploitability(LevelBot(Level.STRONG, 1), 1, remembers_all=True)) / 2
    print(f"strong, one die each: {theirs:.5f} by OpenSpiel, {ours:.5f} by lab.bots.exploitability")


if __name__ == "__main__":
    main()
