"""The endings that are solved, and the file of them."""

from companion.bots.endgame import CALLS, FILE, key_of, places
from companion.bots.policy import Memory
from lab.bots.endings import endings, solution


def test_the_file_has_the_endings_of_the_presets_and_no_others():
    assert places().keys() == endings().keys()
    assert FILE.stat().st_size < 400_000


def test_a_solved_round_is_read_as_it_was_written():
    game = next(iter(endings().values()))
    shares = [Memory(solution(game, 5), CALLS).shares(key_of(0, (), hand) or 0) for hand in range(6)]
    assert all(one and sum(one) in range(252, 259) for one in shares)
