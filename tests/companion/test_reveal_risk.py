"""The chance that a verdict would be another: from probabilities of dice and the number that is known."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from companion.reveal import risk as risk_of
from companion.reveal.assessing import Assessment, assess, shown
from companion.reveal.claims import Claim, Kind
from companion.reveal.corrections import SetFace
from companion.reveal.merging import Track
from companion.reveal.observations import Observation, SeenDie, SeenDoubt, SeenPair
from companion.reveal.revealed import belief
from companion.reveal.risk import Risk, count_shares, risk
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import FIVES, after, observation, seen

SURE = 1 - 1e-4


def chances(face: int, there: float = 0.999, right: float = SURE) -> tuple[float, ...]:
    return tuple(there * (right if f == face else (1 - right) / 5) for f in range(1, 7))


def judged(
    *faces: int,
    uncertain: int | None = None,
    there: float = 0.9,
    right: float = 0.95,
    doubt: float | None = None,
) -> Observation:
    """Calibrated dice in a row, one of them perhaps uncertain, and perhaps something beside them."""
    dice = []
    for k, face in enumerate(faces):
        certain = k != uncertain
        known = chances(face) if certain else chances(face, there, right)
        dice.append(seen(face, 0.1 + 0.12 * k, 0.5, certain=certain, chances=known))
    beside = () if doubt is None else (SeenDoubt("die_like", 0.1, 0.1, 0.05, doubt),)
    return replace(observation(dice, beside), unread=0.01)


def found(shot: Observation, quantity: int, dice: int, bound: float = 0.001) -> Assessment:
    claim = replace(FIVES, quantity=quantity)
    return assess(after(begin(claim, dice, bound=bound), shot))


ONE_THING = replace(
    observation(
        [seen(5, x, 0.5, certain=False, why=("one_thing",), chances=chances(5)) for x in (0.3, 0.35)]
    ),
    unread=0.01,
    pairs=(SeenPair((0, 1), 0.3),),
)


@pytest.mark.parametrize(
    ("shot", "quantity", "dice", "settled", "reason"),
    [
        (judged(5, 5, 2, doubt=0.3), 2, 3, True, "all dice are read: a thing beside them changes nothing"),
        (judged(5, 5, 2, doubt=0.3), 3, 3, True, "nor for one more"),
        (judged(5, 5, 2, doubt=0.3), 3, 4, False, "a die is missing: the thing may be a five"),
        (judged(5, 5, 2, uncertain=2), 2, 3, True, "the uncertain die does not matter"),
        (judged(5, 5, 2, uncertain=2), 3, 3, False, "it may be a five"),
        (judged(5, 5, 2, uncertain=2, right=0.9999), 3, 3, True, "it is hardly one"),
        (judged(5, 5, 2, 3), 2, 3, False, "more dice than there are: probabilities say nothing"),
        (
            judged(5, 5, 2, 5, uncertain=3, there=0.2),
            3,
            3,
            True,
            "the certain ones are all: a plug beside them",
        ),
        (judged(5, 5, 2, 5, uncertain=3), 3, 3, False, "as good as a die: then one of the others is none"),
        (judged(5, 2, 3, 5, uncertain=3, there=0.2), 1, 2, False, "more are certain than there are"),
        (replace(judged(5, 5, 2, doubt=0.3), unread=None), 2, 3, False, "nor where the reader gives none"),
        (ONE_THING, 2, 2, False, "both that there are may be one thing"),
        (ONE_THING, 1, 2, True, "one five is there even so"),
        (judged(5, 2, 2, 3, 3, 4), 5, 10, False, "an emblem stands for one face: four fives are likelier so"),
    ],
)
def test_a_verdict_is_settled_by_what_can_change_it(shot, quantity, dice, settled, reason):
    assert found(shot, quantity, dice).settled is settled, reason


@pytest.mark.parametrize(
    ("claim", "shot", "dice", "reason"),
    [
        (FIVES, judged(5, 5, 2, 3), 3, "more dice are clear than there are: side faces may be among them"),
        (FIVES, judged(5, uncertain=0), 1, "no die is clear"),
        (Claim(Kind.PASS), judged(5, 5), 2, "nothing is counted"),
    ],
)
def test_probabilities_say_nothing_where_the_picture_does_not_fit(claim, shot, dice, reason):
    state = after(begin(claim, dice), shot)
    assert count_shares(state, assess(state).dice) == (), reason


def test_the_bound_is_what_was_asked_for():
    assert found(judged(5, 5, 2, uncertain=2, doubt=0.3), 3, 3).risk is not None, "a body is no die too many"
    shot = judged(5, 5, 2, uncertain=2)
    risk = found(shot, 3, 3).risk
    assert risk is not None
    assert 0.001 < risk < 0.05
    assert found(shot, 3, 3, bound=0.05).settled
    assert not found(judged(5, 5, 2, doubt=0.3), 2, 3, bound=0).settled


def test_the_interval_stays_hard_and_the_judge_gets_the_likely_one():
    state = after(begin(replace(FIVES, quantity=3), 3), judged(5, 5, 2, doubt=0.3))
    assessment = assess(state)
    assert (assessment.lo, assessment.hi, assessment.judged) == (1, 3, (1, 2))
    revealed = shown(state, assessment)
    assert (sorted(revealed.heap), revealed.unknown) == ([2, 5], 1)


@pytest.mark.parametrize(
    ("why", "there", "settled", "reason"),
    [
        (("one_thing",), 0.999, True, "doubted only with its neighbour: its face is clear"),
        (
            ("low_confidence",),
            0.9,
            False,
            "doubted by itself: it may be the emblem of the one that is unread",
        ),
    ],
)
def test_a_die_that_is_clear_is_none_of_those_that_nobody_reads(why, there, settled, reason):
    """Five dice, one of them unread: are there four fives?"""
    dice = [seen(face, 0.1 + 0.12 * k, 0.5, chances=chances(face)) for k, face in enumerate((5, 5, 3))]
    beside = seen(2, 0.5, 0.5, certain=False, why=why, chances=chances(2, there))
    shot = replace(observation([*dice, beside]), unread=0.01)
    assert found(shot, 4, 5).settled is settled, reason


def test_an_answer_lowers_the_chance():
    claim = replace(FIVES, quantity=3)
    state = after(begin(claim, 3), judged(5, 5, 2, uncertain=2))
    assert assess(after(state, SetFace("all.3", 2))).settled


def test_old_observations_without_probabilities_are_read():
    plain = {k: v for k, v in to_builtins(judged(5, 2)).items() if k != "unread"}
    for die in plain["dice"]:
        del die["chances"]
    old = Observation.from_json(plain)
    assert old.unread is None
    assert found(old, 1, 2).settled
    assert Observation.from_json(to_builtins(judged(5, 2, doubt=0.2))).unread == 0.01


@pytest.mark.parametrize(
    ("frames", "missed", "least", "most", "reason"),
    [
        ([chances(5, 0.9, 0.9)], 0, 0.80, 0.82, "one frame: as it was read"),
        ([chances(5, 0.9, 0.9)] * 2, 0, 0.80, 0.82, "two alike: no more than one, they share their light"),
        ([chances(5, 0.9, 0.9), chances(2, 0.9, 0.9)], 0, 0.25, 0.45, "two that differ: either, or none"),
        ([chances(5, 0.9, 0.9)], 1, 0.30, 0.55, "not seen in one frame: perhaps none"),
    ],
)
def test_frames_of_one_place_are_far_from_independent(frames, missed, least, most, reason):
    sightings = tuple(SeenDie(5, 0.5, 0.5, 0.05, 0.9, False, "ivory", chances=one) for one in frames)
    held = belief(Track("all.1", 0.5 + 0.5j, 0.05, (*sightings, *[None] * missed)))
    assert least < held[4] < most, reason


FACE = st.integers(1, 6)


@given(
    st.lists(FACE, min_size=1, max_size=5),
    st.integers(0, 4),
    st.floats(0, 1),
    st.floats(0, 1),
    st.none() | st.floats(0, 1),
    st.integers(1, 6),
)
def test_shares_of_counts_are_probabilities(faces, uncertain, there, right, doubt, expected):
    shot = judged(*faces, uncertain=uncertain, there=there, right=right, doubt=doubt)
    state = after(begin(replace(FIVES, quantity=1), expected), shot)
    shares = count_shares(state, assess(state).dice)
    assert len(shares) in (0, expected + 1)
    assert not shares or sum(shares) == pytest.approx(1)
    assert all(-1e-12 <= share <= 1 + 1e-12 for share in shares)
    risk = assess(state).risk
    assert risk is None or 0 <= risk <= 1


@pytest.mark.parametrize(
    ("shot", "dice", "expected", "reason"),
    [
        (judged(5, 2), 2, (0, 1, 0), "all dice are read"),
        (judged(5), 2, (0, 2 / 3, 1 / 3), "one is unread: a five or an ace, two faces of six"),
        (judged(5), 3, (0, 5 / 9, 2 / 9, 2 / 9), "two are: as often all alike as each by itself"),
        (judged(5, 2, uncertain=1, there=1.0, right=0.7), 2, (0, 0.88, 0.12), "the second may be one, too"),
        (
            judged(5, 2, uncertain=1, there=1.0, right=0.99),
            3,
            (0, 2 / 3, 1 / 6 + 0.7 / 6, 0.3 / 6),
            "with one unread an emblem may be on both, three times in ten",
        ),
        (judged(5, 5, uncertain=1, there=1.0, right=0.99), 3, (0, 0.1, 0.57, 0.33), "or no five on both"),
    ],
)
def test_the_share_of_each_count(shot, dice, expected, reason):
    state = after(begin(replace(FIVES, quantity=1), dice), shot)
    shares = count_shares(state, assess(state).dice)
    assert shares == pytest.approx(expected, abs=0.02), reason


@pytest.mark.parametrize(
    ("there", "first", "reason"),
    [
        ((0.8, 0.6, 0.5), "all.2", "two must match: the second likeliest, however sure the reader is"),
        ((0.5, 0.6, 0.8), "all.2", "in whatever order they lie"),
        (None, "all.3", "without probabilities by how sure the reader is"),
    ],
)
def test_uncertain_dice_are_asked_about_by_their_probabilities(there, first, reason):
    dice = [
        seen(5, x, 0.5, certain=False, confidence=sure, chances=chances(5, there[k], 0.99) if there else ())
        for k, (x, sure) in enumerate([(0.2, 0.5), (0.5, 0.9), (0.8, 0.7)])
    ]
    state = after(begin(replace(FIVES, quantity=2), 3), observation(dice))
    assert assess(state).questions[0].die == first, reason


def test_calza_is_settled_by_the_exact_count_alone():
    claim = Claim(Kind.CALZA, 5, 2, wild=True)
    shot = judged(5, 5, 2, doubt=0.3)
    assert assess(after(begin(claim, 3), shot)).judged == (2, 2)
    assert not assess(after(begin(claim, 3), judged(5, 5, 2, uncertain=0))).settled


def test_of_two_ways_each_keeps_to_the_bound(monkeypatch):
    """In one way a second die matches with a chance of 0.9 bounds: the mean of both is below the bound, and
    yet the interval grows."""
    state = begin(replace(FIVES, quantity=3), 2)
    likely = 0.9 * state.bound
    shares = iter([(1.0, 0.0, 0.0), (1.0 - likely, likely, 0.0)])
    monkeypatch.setattr(risk_of, "count_shares", lambda *_: next(shares))
    assert risk(state, [[], []], lambda lo, hi: True) == Risk(0, 1, pytest.approx(0.0))


@pytest.mark.parametrize(
    ("shares", "most", "found", "why"),
    [
        ((0.0, 0.5, 0.3, 0.2), 9, (1, 3), "to the end that is left"),
        ((0.2, 0.3, 0.5, 0.0), 9, (0, 2), "down as well"),
        ((0.1, 0.2, 0.5, 0.2), 9, (0, 3), "to both sides"),
        ((0.0, 0.5, 0.3, 0.2), 2, (0, 2), "three matching dice would be another verdict"),
        ((0.0, 0.96, 0.04, 0.0), 9, (1, 1), "enough is known"),
    ],
)
def test_the_interval_grows_to_where_more_lies_and_the_verdict_stays(shares, most, found, why):
    grown = risk_of._interval(shares, lambda lo, hi: hi <= most, 0.05)
    assert (grown.lo, grown.hi) == found, why
    assert grown.wrong == pytest.approx(1 - sum(shares[found[0] : found[1] + 1]), abs=1e-9)
