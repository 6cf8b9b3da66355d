"""What the phones of the benchmark play."""

from random import Random

from lab.bench.crowd import next_command
from tests.web.tables import BoxedTable


def test_a_game_is_played_to_its_end(tmp_path):
    """Palifico rounds too, where people first say how their cups are."""
    table, rng = BoxedTable(tmp_path), Random(1)
    kinds: set[str] = set()
    for _ in range(1000):
        state = table.snapshot().data
        game = state["game"]
        if game and game["phase"] == "over":
            break
        command = next_command(state, rng)
        if command is None:
            assert state["reveal"]
            command = {"type": "type_count", "count": state["reveal"]["lo"]}
        kinds.add(table.say(**{"kind": command.pop("type"), **command}).data["game"]["round"]["kind"])  # type: ignore[index]
    table.journal.close()
    assert game
    assert (game["phase"], "palifico" in kinds) == ("over", True)
