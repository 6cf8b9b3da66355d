"""Judging: what settles a call, what a reveal must have, and which hands justify a pass."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadReveal, IllegalCall
from companion.rules.bids import Bid
from companion.rules.calls import Calza, Dudo, DudoPass
from companion.rules.counting import Reveal
from companion.rules.events import Called, Revealed
from companion.rules.game import apply
from companion.rules.judge import judge, settling
from companion.rules.position import Game, Phase
from companion.rules.presets import CLASSIC, MODERN, PERUDO
from companion.rules.ruleset import Ruleset
from companion.rules.verdict import Verdict
from tests.companion.at_table import said
from tests.companion.playing import NAMES, chosen, rulesets, seats, thrown
from tests.refusals import refused

DIFFERENCE = CLASSIC.with_house({"penalty": "difference"})
THREE = NAMES[:3]


@pytest.mark.parametrize(
    ("rules", "challenge", "lo", "hi", "decided"),
    [
        (MODERN, "Beto dudo", 5, 15, True),
        (MODERN, "Beto dudo", 0, 4, True),
        (MODERN, "Beto dudo", 4, 5, False),
        (MODERN, "Beto calza", 5, 5, True),
        (MODERN, "Beto calza", 6, 15, True),
        (MODERN, "Beto calza", 0, 4, True),
        (MODERN, "Beto calza", 5, 6, False),
        (PERUDO, "Carla calza", 4, 5, False),
        (DIFFERENCE, "Beto dudo", 2, 3, False),  # two dice or three
        (DIFFERENCE, "Beto dudo", 5, 6, True),  # one die either way: nobody loses less
        (DIFFERENCE, "Beto dudo", 10, 15, True),  # more than the five that can be lost
        (DIFFERENCE, "Beto calza", 6, 7, False),
        (MODERN, "Beto pass, Carla dudo_pass", 1, 1, True),
        (MODERN, "Beto pass, Carla dudo_pass", 0, 1, False),  # known to be good or not
    ],
)
def test_settled(rules, challenge, lo, hi, decided):
    assert settling(said(rules, THREE, f"Ana 5x3, {challenge}"))(lo, hi) is decided


@given(rules=rulesets(), data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_dice_that_were_not_read_never_change_a_verdict(rules, data, seed):
    """With unread dice there is either no verdict, or the same as with all dice read."""
    random = Random(seed)
    game = _challenged(rules, data.draw(seats(rules)), random)
    whole = thrown(game, random)
    full = judge(game, whole)
    unread = random.randint(0, 3)
    read, rest = _split(whole.faces(), unread)
    partial = Reveal(
        heap=read, unsure=tuple((face, random.randint(1, 6)) for face in rest[1:]), unknown=len(rest[:1])
    )
    early = _early(game, partial)
    if early and early.bid:
        assert early.players == full.players
        assert early.count_lo <= full.count_lo <= early.count_hi
        assert early.holds in (None, full.holds)
        assert early.exact in (None, full.exact)


def _early(game: Game, partial: Reveal) -> Verdict | None:
    try:
        return judge(game, partial)
    except BadReveal:
        return None


def _challenged(rules: Ruleset, names: tuple[str, ...], random: Random) -> Game:
    game = said(rules, names)
    while game.phase is not Phase.REVEAL:
        game = apply(game, chosen(game, random))
    return game


def _split(faces: tuple[int, ...], unread: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return faces[: len(faces) - unread], faces[len(faces) - unread :]


def test_a_pass_is_judged_by_the_passers_dice_as_far_as_they_decide():
    game = said(MODERN, THREE, "Ana 5x3, Beto pass, Carla dudo_pass")
    pairs = Reveal(hands=(("Beto", (2, 2, 3, 3)),), unknown=1)
    with pytest.raises(BadReveal, match="do not settle"):
        judge(game, pairs)
    bluff = Reveal(hands=(("Beto", (2, 2, 3, 4)),), unknown=1)
    assert judge(game, bluff).pass_justified is False
    assert judge(game, Reveal(heap=(2, 2, 3, 3, 3))).loser == "Carla"


@pytest.mark.parametrize(
    ("reveal", "reason"),
    [
        (Reveal(heap=(1,) * 14), "reveal_too_few"),
        (Reveal(heap=(1,) * 16), "reveal_too_many"),
        (Reveal(heap=(1,) * 14 + (7,)), "bad_face"),
        (Reveal(heap=(1,) * 14 + (0,)), "bad_face"),
        (Reveal(heap=(1,) * 14, unsure=((3, 8),)), "bad_face"),
        (Reveal(heap=(1,) * 14, unsure=((),)), "reveal_unreadable"),
        (Reveal(hands=(("Ana", (1,) * 6),), heap=(1,) * 9), "reveal_hand_too_many"),
        (Reveal(hands=(("Ana", (1,) * 5), ("Ana", (1,) * 5)), heap=(1,) * 5), "unknown_player"),
        (Reveal(hands=(("Zoe", (1,) * 5),), heap=(1,) * 10), "unknown_player"),
        (Reveal(heap=(2,) * 11, unknown=4), "reveal_unsettled"),
        (Reveal(heap=(2,) * 15, unknown=-1), "reveal_unreadable"),
        (Reveal(count=16), "reveal_bad_count"),
        (Reveal(count=-1), "reveal_bad_count"),
    ],
)
def test_a_reveal_that_cannot_be_judged_is_refused_by_reason(reveal, reason):
    game = said(MODERN, THREE, "Ana 3x3, Beto dudo")
    with refused(reason, BadReveal):
        apply(game, Revealed(reveal))


def test_dice_that_cannot_match_are_as_good_as_read():
    game = said(MODERN, THREE, "Ana 3x3, Beto dudo")
    verdict = judge(game, Reveal(heap=(2,) * 12, unsure=((2, 5), (3, 1), (4, 6))))
    assert (verdict.count_lo, verdict.count_hi, verdict.holds) == (1, 1, False)


def test_a_count_by_hand_is_enough():
    verdict = judge(said(MODERN, THREE, "Ana 5x3, Beto calza"), Reveal(count=5))
    assert (verdict.exact, verdict.gainer, verdict.naturals) == (True, None, None)
    assert judge(said(MODERN, THREE, "Ana 5x3, Beto dudo"), Reveal(count=15)).count_lo == 15, (
        "all that there are"
    )


def test_tables_that_enter_no_bids_name_the_bid_with_the_call():
    """The bidder is then the player on the caller's right."""
    verdict = judge(said(MODERN, THREE, Called(Dudo("Ana", Bid(5, 3)))), Reveal(count=4))
    assert (verdict.bidder, verdict.loser, verdict.bid) == ("Carla", "Carla", Bid(5, 3))


@pytest.mark.parametrize(
    ("call", "rules", "reason"),
    [
        (Dudo("Ana", Bid(16, 3)), MODERN, "exceeds_dice"),
        (Dudo("Ana", Bid(5, 7)), MODERN, "bad_face"),
        (Dudo("Ana", Bid(5, 3), "Beto"), MODERN, "not_your_turn"),
        (Dudo("Ana", Bid(5, 3), "Ana"), MODERN, "not_your_turn"),
        (Dudo("Ana", Bid(5, 3), "Zoe"), MODERN, "unknown_player"),
        (Dudo("Zoe", Bid(5, 3)), MODERN, "unknown_player"),
        (Calza("Ana", Bid(5, 3), "Beto"), MODERN, "calza_not_current"),
        (Calza("Ana", Bid(5, 3), "Ana"), PERUDO, "calza_own_bid"),
        (Calza("Ana", Bid(5, 3), "Carla"), PERUDO, "calza_is_current"),
        (Calza("Ana", Bid(5, 3), "Beto"), PERUDO, None),
        (DudoPass("Ana", "Carla"), MODERN, None),
        (DudoPass("Ana", "Beto"), MODERN, "not_your_turn"),
        (DudoPass("Ana", "Carla"), PERUDO, "pass_disabled"),
    ],
)
def test_a_named_bid_is_held_to_the_same_rules(call, rules, reason):
    with refused(reason, IllegalCall):
        assert said(rules, THREE, Called(call)).phase is Phase.REVEAL
