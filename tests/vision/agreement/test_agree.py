"""The rule that brings the nets and the count of pips together."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.agreement.voices import IMAGE, count, detection, firm
from vision.agreement import agree, trust
from vision.agreement.agree import apart, together
from vision.agreement.places import Detected
from vision.agreement.trust import Place
from vision.counting.count import Count
from vision.learned.maps import Detection

CASES = [
    # count, net, the crop classifier, the die made, key of the doubt, reason
    (count(4), detection(4), firm(4), (4, True, ()), None, "all say four"),
    (count(4), detection(4), None, None, "die_like", "the crop classifier sees nothing"),
    (count(4, 0.9), detection(4, 0.7), firm(4), (4, True, ()), None, "weak at first, firm when classified"),
    (count(4, 0.3), detection(4, 0.5), detection(4, 0.85), (4, False, ("low_confidence",)), None, "all weak"),
    (count(4), detection(5, 0.6), firm(5), (5, False, ("ways_differ",)), None, "both nets against the count"),
    (count(4), detection(0), firm(0), None, "no_pips", "an emblem with round parts"),
    (None, detection(3), firm(3), (3, False, ("one_way",)), None, "a die whose pips were not found"),
    (None, detection(3, 0.3), None, None, None, "a likeness that does not survive turning"),
    (None, detection(3, 0.4), detection(3, 0.9), None, "die_like", "something a little like a die"),
    (None, detection(3, 0.6, chance=0.2), detection(4, 0.95, chance=0.2), None, "die_like", "unclear face"),
    (None, detection(3, 0.3, chance=0.2), detection(4, 0.95, chance=0.2), None, None, "one net alone"),
    (None, detection(0), firm(0), None, "no_pips", "an emblem or a blank"),
]  # fmt: skip


def classify_as(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Detection | None]) -> None:
    """Put another crop classifier in place of the shipped one."""
    monkeypatch.setattr(agree.classifier, "judged", answer)


def count_as(monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Count | None]) -> None:
    """Put another count in place of OpenCV's."""
    monkeypatch.setattr(agree, "counted", answer)


def seen(once: list[Detection], *others: Detection) -> Detected:
    """What the net saw on the level that counts, and on others."""
    return Detected(tuple(once), (*once, *others))


@pytest.mark.parametrize(("pips", "net", "second", "made", "doubt", "reason"), CASES)
def test_what_becomes_of_a_place(pips, net, second, made, doubt, reason, monkeypatch):
    classify_as(monkeypatch, lambda *_: second)
    count_as(monkeypatch, lambda *_: pips)
    dice, doubts = together(IMAGE, seen([net]))
    assert [(d.face, d.certain, d.why) for d in dice] == ([made] if made else []), reason
    assert [d.key for d in doubts] == ([doubt] if doubt else []), reason


@pytest.mark.parametrize(
    ("net", "classified", "odd", "key", "reason"),
    [
        (detection(3, 0.3, chance=0.2), detection(5, 0.3), 0.0, None, "no voice sees more than a likeness"),
        (
            detection(3, 0.5, chance=0.2),
            None,
            0.0,
            "die_like",
            "the net sees a top face, the classifier nothing",
        ),
        (
            detection(3, 0.3),
            detection(3, 0.9),
            0.0,
            "die_like",
            "the classifier makes up for a dim detection",
        ),
        (detection(0, 0.5), detection(0, 0.3), 0.0, "no_pips", "an emblem, however dim to the classifier"),
        (detection(0, 0.3), detection(0, 0.9), 0.0, None, "a cube that the net hardly sees"),
        (detection(3, 0.5), detection(3, 0.9), 0.8, None, "a pip of another die, or a speck"),
    ],
)
def test_a_place_stays_open_that_the_net_sees_or_all_together_find_likely(net, classified, odd, key, reason):
    doubt = agree.doubt_of(Place(net, None, classified, asked=True, odd=odd))
    assert (doubt and doubt.key) == key, reason
    assert doubt is None or doubt.chance == net.score, reason


@pytest.mark.parametrize(
    ("size_px", "keys", "reason"),
    [
        (40, ["no_pips"], "an emblem: as large as the dice"),
        (24, ["no_pips"], "a small set's"),
        (15, [], "a key, smaller than dice of mixed sets can be"),
        (99, [], "a box"),
    ],
)
def test_a_cube_without_pips_is_doubted_if_it_may_be_one_of_the_dice(size_px, keys, reason, monkeypatch):
    cube = detection(0, x=200, size=size_px)
    classify_as(monkeypatch, lambda _, x, *__: firm(4) if x < 150 else cube)
    count_as(monkeypatch, lambda *_: count(4))
    dice, doubts = together(IMAGE, seen([detection(4), cube]))
    assert [d.face for d in dice] == [4]
    assert [d.key for d in doubts] == keys, reason


@pytest.mark.parametrize(
    ("other", "keys", "reason"),
    [
        (detection(1, 0.6, x=200), ["die_like"], "another level shows what the best one does not"),
        (detection(0, 0.6, x=200), ["no_pips"], "an emblem there"),
        (detection(1, 0.4, x=200), [], "less likely than not on any level"),
        (detection(1, 0.9, x=104), [], "the die that is read, on another level"),
        (detection(1, 0.9, x=200, size=12), [], "a pip or a speck"),
    ],
)
def test_what_only_another_level_shows_stays_open_and_is_no_die(other, keys, reason, monkeypatch):
    classify_as(monkeypatch, lambda *_: firm(4))
    count_as(monkeypatch, lambda *_: count(4))
    dice, doubts = together(IMAGE, seen([detection(4), detection(4, x=400)], other, other))
    assert [d.face for d in dice] == [4, 4]
    assert [d.key for d in doubts] == keys, reason


def test_a_die_that_a_net_saw_twice_is_read_once(monkeypatch):
    classify_as(monkeypatch, lambda *_: firm(4))
    count_as(monkeypatch, lambda *_: count(4))
    dice, doubts = together(IMAGE, seen([detection(4, 0.7), detection(4, 0.95, x=104)]))
    assert [(d.face, d.certain, d.why) for d in dice] == [(4, True, ())]
    assert doubts == []


def voices() -> Iterator[st.SearchStrategy[Place]]:
    faces, shares = st.integers(1, 6), st.floats(0.0, 1.0)
    counts = st.none() | st.builds(count, faces, shares)
    detections = st.builds(detection, st.integers(0, 6), shares, chance=shares)
    yield st.builds(Place, detections, counts, st.none() | detections, st.booleans())


@given(*voices())
def test_chances_are_chances(place):
    chances = place.chances
    assert set(chances) == set(range(1, 7))
    assert all(0 <= c <= 1 for c in chances.values())
    assert sum(chances.values()) <= 1 + 1e-9


def test_what_is_clear_is_not_less_so_for_what_little_speaks_for_other_faces():
    two = Place(detection(2, 0.98, chance=0.99), count(2), detection(2, 0.999, chance=0.95), asked=True)
    assert two.chances[2] > 0.98


@given(*voices())
def test_no_die_is_certain_on_one_voice(place):
    if agree.certain(place):
        assert place.count
        last = place.classified if place.asked else place.detection
        assert last
        assert place.count.face == last.face


@given(*voices(), st.integers(1, 6))
def test_a_surer_net_makes_a_face_likelier(place, face):
    if place.asked:
        return
    surer = replace(place, detection=replace(place.detection, score=min(1.0, place.detection.score + 0.1)))
    assert raw(surer, face) >= raw(place, face) - 1e-9


def raw(place: Place, face: int) -> float:
    """The weighed evidence for a face, before it competes with the others."""
    return sum(v * w for v, w in zip(trust.evidence(place, face), trust.weights(place), strict=True))


def test_when_net_and_count_differ_the_other_face_is_offered_first(monkeypatch):
    classify_as(monkeypatch, lambda *_: detection(5))
    count_as(monkeypatch, lambda *_: count(4))
    (read,), _ = together(IMAGE, seen([detection(5)]))
    assert {read.face, read.others[0]} == {4, 5}


@pytest.mark.parametrize(
    ("other", "kept", "reason"),
    [
        (detection(x=110, size=20), 1, "a pip of the die that was read"),
        (detection(x=140), 2, "a neighbour that touches it"),
    ],
)
def test_no_die_is_read_twice(other, kept, reason):
    assert len(apart([Place(detection(), count()), Place(other)])) == kept, reason


@pytest.mark.parametrize(
    ("sure", "reason"), [(None, "what only the nets see"), (0.1, "and the count, dimly")]
)
def test_what_is_of_odd_size_and_not_certain_is_left_open(sure, reason, monkeypatch):
    classify_as(monkeypatch, lambda _, x, __, size: detection(3, 0.98, x, size))
    count_as(monkeypatch, lambda _, x, *__: count(3) if x < 200 else sure and count(3, sure))
    read, doubts = together(IMAGE, seen([detection(3), detection(3, 0.4, x=250.0, size=90.0)]))
    assert [d.x_px for d in read] == [100.0], reason
    assert [d.key for d in doubts] == ["die_like"], reason


def test_count_and_classifier_are_centred_where_the_net_saw_the_middle(monkeypatch):
    asked: list[tuple[float, float, float]] = []
    classify_as(monkeypatch, lambda _, *at: asked.append(at))
    count_as(monkeypatch, lambda _, *at: asked.append(at))
    together(IMAGE, seen([detection(x=106, size=46)]))
    assert asked == [(106, 100, 46)] * 2


@pytest.mark.parametrize(
    ("pips", "net", "asked", "reason"),
    [
        (count(4, 0.9), detection(4, 0.95), False, "both are sure of one face"),
        (count(4, 0.9), detection(4, 0.5), True, "the net sees the die dimly"),
        (count(4, 0.9), detection(4, 0.95, chance=0.5), True, "the net is not sure of the face"),
        (count(4, 0.9), detection(5, 0.95), True, "two faces"),
        (None, detection(4, 0.99), True, "the net alone"),
        (count(4, 0.9), detection(0, 0.99), True, "a cube without pips, says the net"),
    ],
)
def test_the_classifier_is_used_unless_net_and_count_are_sure(pips, net, asked, reason, monkeypatch):
    classified: list[float] = []
    classify_as(monkeypatch, lambda _, x, *__: classified.append(x))
    count_as(monkeypatch, lambda *_: pips)
    dice, _ = together(IMAGE, seen([net]))
    assert bool(classified) is asked, reason
    assert any(d.certain for d in dice) is not asked, reason


def test_classifications_are_bounded(monkeypatch):
    asked: list[float] = []
    classify_as(monkeypatch, lambda _, x, *__: asked.append(x))
    together(IMAGE, seen([detection(x=50.0 * n, score=0.3) for n in range(2 * agree.MAX_PLACES)]))
    assert len(asked) == agree.MAX_PLACES
