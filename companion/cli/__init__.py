"""The commands of `dudo`, one module each, and what each is for.

A command module offers `add_options(parser)`, which sets `run` as a default, and `run(args) -> int`:
0 done, 1 it could not, 2 wrong use. It is imported only for its own command.
"""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "demo": "watch four simulated players play",
    "doctor": "find what is wrong with this box, and what helps",
    "games": "list, export, import, restore and delete games",
    "judge": "judge bids on photographs of dice",
    "odds": "the chance that a bid holds or is exact, and the best call",
    "read": "read the dice in photographs",
    "rules": "print the rules of a preset or of a table's own mix in words",
    "run": "start the companion",
    "wiring": "the wiring of buttons and lamps, as a table",
}
