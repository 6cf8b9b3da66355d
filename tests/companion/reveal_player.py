"""Whole reveals played through: a table, a box set over it, an erring reader, and a truthful person."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from companion.reveal.assessing import Assessment, assess, is_seen_enough
from companion.reveal.claims import Claim, Kind, settled
from companion.reveal.corrections import (
    Add,
    AllApart,
    ByHand,
    Correction,
    SameDie,
    SetFace,
    SetOwner,
    Several,
    Strike,
    TwoDice,
)
from companion.reveal.questions import Ask, Question
from companion.reveal.state import (
    ALL,
    ONE_PLACE,
    PlaceView,
    RevealState,
    players_plan,
    with_correction,
    with_observation,
)
from tests.companion.begun_reveals import begin
from tests.companion.reveal_table import (
    HEIGHT,
    SIZE,
    Errors,
    Table,
    TrueDie,
    View,
    photograph,
    scattered,
    turned,
)

USUAL = Errors()
COLOURS = ("red", "white", "green", "yellow", "black", "purple")


@dataclass(frozen=True)
class Scenario:
    """One reveal to be played: `lost` dice lie nowhere, `stray` ones belong to nobody in the game."""

    kind: str
    claim: Claim
    table: Table
    lost: tuple[TrueDie, ...]
    stray: tuple[TrueDie, ...]
    views: Mapping[str, View]
    places: tuple[PlaceView, ...]
    numbers: Mapping[str, int]
    colours: Mapping[str, str]
    frames: int
    errors: Errors

    @property
    def truth(self) -> int:
        counted = [d for d in self.table.dice if d not in self.stray] + list(self.lost)
        return sum(self.claim.matches(d.face) for d in counted)


@dataclass(frozen=True)
class Outcome:
    """How a reveal ended; `right`: so far, and where it was settled for the first time, by looks alone."""

    assessment: Assessment
    asked: tuple[Question, ...]
    right: bool


def scenario(seed: int, errors: Errors = USUAL) -> Scenario:
    """A reveal of two to six players, drawn from `seed`."""
    rng = Random(seed)
    kind = ("all", "all colours", *2 * ("players", "players colours"))[seed % 6]
    players = [f"P{n}" for n in range(rng.randint(2, 6))]
    numbers = {p: rng.randint(1, 5) for p in players}
    colours = dict(zip(players, COLOURS, strict=False)) if "colours" in kind else {}
    owned = [(p, colours.get(p, "ivory")) for p in players for _ in range(numbers[p])]
    dice, views, places = _laid_out(kind.split()[0], owned, numbers, rng)
    dice, lost, stray = _odd_one(dice, rng)
    face, wild = rng.randint(1, 6), rng.random() < 0.7
    claim = Claim(rng.choice((Kind.DUDO, Kind.DUDO, Kind.CALZA)), face, 0, wild and face != 1)
    count = sum(claim.matches(d.face) for d in (*dice, *lost) if d not in stray)
    claim = replace(claim, quantity=max(1, count + rng.choice((-2, -1, 0, 0, 0, 1, 1, 2))))
    ghosts = tuple(complex(rng.random() * 1.6 - 0.3, rng.random() * HEIGHT) for _ in range(3))
    frames = rng.choice((1, 1, 2, 3, 5))
    known = numbers if kind != "all" else {}
    return Scenario(
        kind, claim, Table(dice, ghosts), lost, stray, views, places, known, colours, frames, errors
    )


def _laid_out(
    kind: str, owned: list[tuple[str, str]], numbers: Mapping[str, int], rng: Random
) -> tuple[tuple[TrueDie, ...], dict[str, View], tuple[PlaceView, ...]]:
    """Where the dice lie and from where the box looks."""
    if kind == "all":
        spots = scattered(rng, len(owned))
        return _dice(owned, spots, rng), {ALL: View()}, ONE_PLACE
    return _clusters(owned, list(numbers), rng)


def _clusters(
    owned: list[tuple[str, str]], players: list[str], rng: Random
) -> tuple[tuple[TrueDie, ...], dict[str, View], tuple[PlaceView, ...]]:
    """Every player's dice in a heap of their own; a neighbour's may come into the picture."""
    apart = rng.choice((0.75, 1.5))
    dice: list[TrueDie] = []
    views = {}
    for n, player in enumerate(players):
        mine = [pair for pair in owned if pair[0] == player]
        spots = [z + n * apart for z in scattered(rng, len(mine), 0.55)]
        dice += _dice(mine, spots, rng)
        views[player] = View(complex(0.5 + n * apart, HEIGHT / 2), turned(rng.uniform(0, 360)))
    return tuple(dice), views, players_plan(players)


def _dice(owned: list[tuple[str, str]], spots: list[complex], rng: Random) -> tuple[TrueDie, ...]:
    return tuple(
        TrueDie(rng.randint(1, 6), z, colour, owner, rng.uniform(0, 90))
        for (owner, colour), z in zip(owned, spots, strict=True)
    )


def _odd_one(
    dice: tuple[TrueDie, ...], rng: Random
) -> tuple[tuple[TrueDie, ...], tuple[TrueDie, ...], tuple[TrueDie, ...]]:
    """Sometimes a die has rolled off the table, sometimes one lies there that is nobody's."""
    chance = rng.random()
    if chance < 0.06:
        gone = rng.choice(dice)
        return tuple(d for d in dice if d is not gone), (gone,), ()
    if chance < 0.12:
        beside = rng.choice(dice).z + SIZE * 1.2
        free = all(abs(d.z - beside) > SIZE for d in dice)
        stray = (TrueDie(rng.randint(1, 6), beside, "wood"),) if free else ()
        return dice + stray, (), stray
    return dice, (), ()


def play(scene: Scenario, seed: int) -> Outcome:
    """Take the looks, ask the truthful person as long as there is something to ask, and judge."""
    rng = Random(seed)
    total = len(scene.table.dice) - len(scene.stray) + len(scene.lost)
    frames = min(2, scene.frames)  # as many agree as the table asks for
    state = begin(scene.claim, total, scene.numbers, scene.colours, scene.places, frames)
    newest: dict[str, View] = {}
    halfway: list[bool] = []
    for place, view in scene.views.items():
        for after, now in _looked_at(state, place, view, scene, rng):
            state, newest[place] = after, now
            if not halfway and _is_judged(state):
                halfway.append(_right(assess(state), scene))
    found, asked = brought_to_verdict(state, scene, newest)
    return Outcome(found, asked, all(halfway) and found.settled and _right(found, scene))


def brought_to_verdict(
    state: RevealState, scene: Scenario, views: Mapping[str, View]
) -> tuple[Assessment, tuple[Question, ...]]:
    """The reveal after the truthful person has answered as long as there was something to ask, and what."""
    asked: list[Question] = []
    found = assess(state)
    while not found.settled and found.questions and len(asked) < 60:
        question = found.questions[0]
        asked.append(question)
        state = with_correction(state, answer(question, found, scene, views))
        found = assess(state)
    return found, tuple(asked)


def _is_judged(state: RevealState) -> bool:
    """Whether the table would give a verdict by itself."""
    found = assess(state)
    return found.settled and is_seen_enough(state, found)


def _right(found: Assessment, scene: Scenario) -> bool:
    """Whether the truth has the same outcome as everything that is held to be possible."""
    lo, hi = found.judged
    return settled(scene.claim)(min(lo, scene.truth), max(hi, scene.truth))


def _looked_at(
    state: RevealState, place: str, view: View, scene: Scenario, rng: Random
) -> Iterator[tuple[RevealState, View]]:
    """Several frames of one place. One of several may be badly wrong; the last one is free of hands."""
    usual = scene.errors.at(scene.table, place)
    bad = rng.randrange(scene.frames) if scene.frames > 1 else -1
    for frame in range(scene.frames):
        if frame:
            view = _nudged(view, rng)
        errors = usual if usual.persistent else replace(usual, missed=0.0)
        if frame == bad and not errors.persistent:
            errors = replace(errors, certain_wrong=errors.bad_frame, missed=errors.bad_frame)
        if frame == scene.frames - 1:
            errors = replace(errors, hand=0.0)
        state = with_observation(state, place, photograph(scene.table, view, errors, rng))
        yield state, view
    if any(seen.name == place and seen.restarted for seen in state.places):  # the box takes one more then
        calm = replace(usual, missed=0.0, hand=0.0)
        yield with_observation(state, place, photograph(scene.table, view, calm, rng)), view


def _nudged(view: View, rng: Random) -> View:
    """The box mostly stays; now and then it is pushed or kicked."""
    chance = rng.random()
    if chance < 0.8:
        return view
    far = SIZE * (0.3 if chance < 0.9 else 1.5)
    turn = view.turn * turned(rng.uniform(-15, 15)) if chance > 0.95 else view.turn
    return View(view.centre + far * complex(rng.gauss(0, 1), rng.gauss(0, 1)), turn)


def answer(question: Question, found: Assessment, scene: Scenario, views: Mapping[str, View]) -> Correction:
    """What somebody who sees the dice says."""
    if question.ask is Ask.MISSING:
        return _missing(question, found, scene, views)
    if question.ask is Ask.SAME:
        return _same(question, found, scene, views)
    if len(question.marked) > 1:
        return _marked(question, found, scene, views)
    die = _true_die(question.die, found, scene, views)
    assert question.die is not None
    if die is None or die in scene.stray or _counted_elsewhere(question.die, die, found, scene, views):
        return Strike(question.die)
    if question.ask is Ask.EXTRA and scene.numbers and question.player not in (None, die.owner):
        return SetOwner(question.die, die.owner or "")
    return SetFace(question.die, die.face)


def _same(question: Question, found: Assessment, scene: Scenario, views: Mapping[str, View]) -> Correction:
    """The pair that is one die, or that none of them is."""
    if _all_apart(found, scene, views):
        return AllApart()
    for one, other in question.pairs:
        die = _true_die(one, found, scene, views)
        if die and die is _true_die(other, found, scene, views):
            return SameDie(one, other)
    return Several(tuple(TwoDice(one, other) for one, other in question.pairs))


def _marked(question: Question, found: Assessment, scene: Scenario, views: Mapping[str, View]) -> Correction:
    """That all marked dice are what they are taken for, or the first that is not."""
    ask = Ask.EXTRA if question.ask is Ask.EXTRA else Ask.FACE
    owners = {die.id: die.owner for die in found.dice}
    said: list[SetFace | Strike | TwoDice] = []
    met: list[TrueDie] = []
    for mark in question.marked:
        true = _true_die(mark.die, found, scene, views)
        if mark.face and true and any(true is die for die in met):
            return Strike(mark.die)
        met += [true] if true else []
        alone = replace(question, ask=ask, die=mark.die, player=owners[mark.die], marked=())
        judged = answer(alone, found, scene, views)
        if judged != (SetFace(mark.die, mark.face) if mark.face else Strike(mark.die)):
            return judged
        assert isinstance(judged, SetFace | Strike)
        said.append(judged)
    return Several(tuple(said))


def _all_apart(found: Assessment, scene: Scenario, views: Mapping[str, View]) -> bool:
    """Whether no die was seen from two places."""
    where = [(_true_die(d.id, found, scene, views), d.place) for d in found.dice if not d.struck]
    return not any(a is b and a and p != q for (a, p), (b, q) in combinations(where, 2))


def _true_die(
    id_: str | None, found: Assessment, scene: Scenario, views: Mapping[str, View]
) -> TrueDie | None:
    shown = next(d for d in found.dice if d.id == id_)
    if shown.place is None or shown.x is None or shown.y is None:
        return None
    z = complex(shown.x, shown.y * HEIGHT)
    view = views[shown.place]
    near = min(scene.table.dice, key=lambda d: abs(view.picture(d.z) - z))
    return near if abs(view.picture(near.z) - z) < 0.8 * SIZE else None


def _counted_elsewhere(
    id_: str, die: TrueDie, found: Assessment, scene: Scenario, views: Mapping[str, View]
) -> bool:
    return any(
        d.certain and d.counted and d.id != id_ and _true_die(d.id, found, scene, views) is die
        for d in found.dice
    )


def _missing(question: Question, found: Assessment, scene: Scenario, views: Mapping[str, View]) -> Correction:
    """A die that lies nowhere, or one that no place shows; one wrongly taken for another seen twice; nothing
    left to tell: the person counts."""
    for d in found.dice:
        if d.twin and _true_die(d.id, found, scene, views) is not _true_die(d.twin, found, scene, views):
            return TwoDice(d.id, d.twin)
    judged = sum(d.place is None for d in found.dice)
    shown = [_true_die(d.id, found, scene, views) for d in found.dice if d.counted]
    hidden = [d for d in scene.table.dice if not any(d is s for s in shown) and d not in scene.stray]
    lost = [*scene.lost, *hidden][judged:]
    if not lost:
        return ByHand(scene.truth)
    die = lost[0]
    return Add(die.face, player=die.owner if scene.numbers else None)
