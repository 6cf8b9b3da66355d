"""A thing that lies still over rounds, or on the empty table, is asked about once; no die is hidden."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import pytest

from companion.app.camera.still_things import SETTLING_PREVIEWS, ExposureLock, StillThings
from companion.reveal.corrections import ByHand, SetFace, Strike
from companion.reveal.observations import Observation, SeenDie, SeenDoubt, SeenPair
from companion.reveal.questions import Ask
from companion.reveal.still import Said, without
from companion.rules.position import Phase
from companion.table import commands as cmd
from companion.table.state import assessment
from companion.table.table import Table
from hardware.errors import CameraSilent
from tests.companion.at_table import begin, in_play, play
from tests.vision.pictures import Drawn, draw

WIDTH, HEIGHT, DIE_PX = 320, 240, 24
CABLE = (260.0, 45.0)


@dataclass
class Evening:
    """A table of two, a camera above it, and a memory; the reader is right, and unsure of the cable."""

    table: Table
    still: StillThings = field(default_factory=StillThings)
    doubtful: tuple[int, ...] = ()
    cable: bool = True
    light: float = 1.0
    shots: int = 0

    def begin(self) -> None:
        begin(self.table, "Ana Ben")

    def call(self) -> int:
        """Whoever is on turn bids, and the other doubts; how many dice are on the table."""
        dice = sum(player.dice for player in in_play(self.table).players)
        play(self.table, "4x3, dudo")
        return dice

    def observe(self, dice: tuple[Drawn, ...]) -> Observation:
        """One picture of the dice, as the table gets it."""
        image, read = self._picture(dice), self.read(dice)
        seen = self.still.without(read, image, self.table.snapshot())
        self.still.placed("all")
        self.say(cmd.AddObservation(seen, "all"))
        return seen

    def say(self, command: cmd.Command) -> None:
        self.table.do(command)

    def next_round(self) -> None:
        if self.phase is Phase.REVEAL:
            self.say(cmd.Correct(ByHand(3)))
        self.say(cmd.NextRound())

    @property
    def phase(self) -> Phase:
        return in_play(self.table).phase

    def thing(self) -> str:
        """The id of what lies at the cable."""
        dice = assessment(self.table.snapshot().state).dice
        return next(d.id for d in dice if d.x and abs(d.x - CABLE[0] / WIDTH) < 0.02)

    def struck(self) -> bool:
        """Whether the table is after the strike."""
        state = self.table.snapshot().state
        return not state.reveal or any(track.struck for view in state.reveal.places for track in view.tracks)

    def know_empty(self, *, cable: bool) -> None:
        """Calibrate on the empty table, with the cable on it or without."""
        self.cable, before = cable, self.cable
        small = cv2.resize(self._picture(()), (160, 120), interpolation=cv2.INTER_AREA)
        self.still.know_empty(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))
        self.cable = before

    def _picture(self, dice: tuple[Drawn, ...]) -> np.ndarray:
        self.shots += 1
        image = draw((), (WIDTH, HEIGHT))
        if self.cable:
            cv2.line(image, (235, 30), (290, 65), (20, 20, 20), 5, cv2.LINE_AA)
        if dice:
            lying = draw(dice, (WIDTH, HEIGHT))
            on_die = np.abs(lying.astype(int) - draw((), (WIDTH, HEIGHT))).sum(axis=2) > 0
            image[on_die] = lying[on_die]
        noise = np.random.default_rng(self.shots).normal(0, 3, image.shape)
        return np.clip(self.light * image + noise, 0, 255).astype(np.uint8)

    def read(self, dice: tuple[Drawn, ...]) -> Observation:
        """What the reader says of a picture of these dice."""
        seen = tuple(self._seen(k, die) for k, die in enumerate(dice))
        on_cable = any(abs(complex(*CABLE) - complex(d.x_px, d.y_px)) < DIE_PX for d in dice)
        place = CABLE[0] / WIDTH, CABLE[1] / HEIGHT, DIE_PX / WIDTH
        doubts = (SeenDoubt("die_like", *place, 0.3),) if self.cable and not on_cable else ()
        return Observation(WIDTH, HEIGHT, seen, not doubts and not self.doubtful, doubts, unread=0.01)

    def _seen(self, number: int, die: Drawn) -> SeenDie:
        certain = number not in self.doubtful
        chances = tuple((0.999 if certain else 0.7) * (face == die.face) for face in range(1, 7))
        place = float(die.x_px) / WIDTH, float(die.y_px) / HEIGHT, DIE_PX / WIDTH
        return SeenDie(die.face, *place, 0.9, certain, "ivory", chances=chances)


@pytest.fixture
def evening(journal):
    return Evening(Table(journal, frames=1))


def thrown(number: int, seed: int) -> tuple[Drawn, ...]:
    """Dice somewhere on the left of the table."""
    rng = np.random.default_rng(seed)
    spots = [(30.0 + 45 * (k % 5), 85.0 + 60 * (k // 5)) for k in range(number)]
    jitter = rng.uniform(-6, 6, (number, 2))
    return tuple(
        Drawn(int(rng.integers(1, 7)), x + dx, y + dy, DIE_PX, float(rng.uniform(0, 90)))
        for (x, y), (dx, dy) in zip(spots, jitter, strict=True)
    )


def first_round(evening: Evening, *, struck: bool) -> None:
    """A round in which the cable lay there, and a person took it out or did not."""
    assert evening.observe(thrown(evening.call(), 1)).doubts
    if struck:
        evening.say(cmd.Correct(Strike(evening.thing())))
    evening.next_round()


@pytest.mark.parametrize("light", [0.8, 1.0, 1.2])
@pytest.mark.parametrize("lacking", [0, 1])
def test_what_a_person_took_out_is_never_asked_about_again(evening, light, lacking):
    evening.begin()
    first_round(evening, struck=True)
    evening.light = light
    for seed in (2, 3, 4):
        number = evening.call() - lacking
        seen = evening.observe(thrown(number, seed))
        assert not seen.doubts
        assert seen.certain
        assert len(seen.dice) == number
        evening.next_round()


def test_before_it_is_taken_out_it_is_asked_about(evening):
    evening.begin()
    evening.call()
    evening.observe(tuple(replace(die, face=3 if k < 3 else 5) for k, die in enumerate(thrown(8, 1))))
    assert Ask.UNREAD in {question.ask for question in assessment(evening.table.snapshot().state).questions}


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("certain", [True, False])
def test_a_die_that_comes_to_lie_on_it_is_seen(evening, face, certain):
    evening.begin()
    first_round(evening, struck=True)
    number = evening.call()
    evening.doubtful = () if certain else (number - 1,)
    dice = (*thrown(number - 1, face), Drawn(face, CABLE[0] - 2, CABLE[1] + 1, DIE_PX, 11.0 * face))
    assert len(evening.observe(dice).dice) == number


def test_a_thing_that_was_moved_is_asked_about_anew(evening):
    evening.begin()
    first_round(evening, struck=True)
    evening.call()
    image, read = draw((), (WIDTH, HEIGHT)), evening.read(())
    cv2.line(image, (240, 65), (280, 25), (20, 20, 20), 5, cv2.LINE_AA)
    assert evening.still.without(read, image, evening.table.snapshot()) == read


@pytest.mark.parametrize(
    ("lacking", "asked", "why"),
    [(0, False, "it is left out where all dice are read"), (1, True, "it may be the die that is lacking")],
)
def test_what_nobody_spoke_of_is_asked_about_where_a_die_is_lacking(evening, lacking, asked, why):
    evening.begin()
    first_round(evening, struck=False)
    assert bool(evening.observe(thrown(evening.call() - lacking, 2)).doubts) is asked, why


@pytest.mark.parametrize(
    ("struck", "left", "why"),
    [
        (0, [(1, 2)], "the dice of the pair are the second and the third now"),
        (1, [(1, 2)], "the same"),
        (4, [(2, 3)], "those before it keep their places"),
        (2, [], "of one of the two nothing is said any more"),
    ],
)
def test_two_dice_that_may_be_one_stay_these_two_where_another_is_left_out(struck, left, why):
    dice = tuple(SeenDie(5, (k + 1) / 6, 0.5, 0.05, 0.9, True, "") for k in range(5))
    seen = Observation(WIDTH, HEIGHT, dice, True, pairs=(SeenPair((2, 3), 0.2),))
    found = without(seen, lambda at: Said.NO_DIE if at.x == dice[struck].x else None, None)
    assert found.dice == tuple(die for die in dice if die is not dice[struck])
    assert [pair.dice for pair in found.pairs] == left, why


def test_dice_that_nobody_rolled_anew_are_read_as_before(evening):
    """Dice lie still as well: uncertain ones are asked about, certain ones are counted."""
    evening.cable, evening.doubtful = False, (0, 1)
    evening.begin()
    dice = thrown(evening.call(), 1)
    evening.observe(dice)
    evening.next_round()
    number = evening.call()
    assert len(evening.observe(dice[:number]).dice) == number


def test_what_a_person_called_a_die_is_no_thing_that_lies_still(evening):
    evening.cable = False
    evening.begin()
    lying = (Drawn(4, *CABLE, DIE_PX), *thrown(evening.call() - 1, 2))
    evening.doubtful = (0,)
    evening.observe(lying)
    evening.say(cmd.Correct(SetFace(evening.thing(), 4)))
    evening.next_round()
    number = evening.call()
    assert len(evening.observe((*lying[:number], *thrown(1, 9))).dice) == number + 1


def test_an_undo_takes_back_what_the_round_taught(evening):
    """After an undo to before the strike, the thing is asked about again."""
    evening.begin()
    first_round(evening, struck=True)
    while evening.struck():
        evening.say(cmd.Undo())
    assert evening.observe(thrown(10, 1)).doubts


def test_a_new_game_knows_what_still_lies_there(evening):
    evening.begin()
    first_round(evening, struck=True)
    evening.observe(thrown(evening.call(), 2))
    evening.say(cmd.Correct(ByHand(3)))
    evening.say(cmd.Abandon())
    evening.begin()
    assert not evening.observe(thrown(evening.call(), 2)).doubts


@pytest.mark.parametrize(("shown", "asked"), [(True, False), (False, True)])
def test_what_lay_on_the_empty_table_is_never_asked_about(evening, shown, asked):
    evening.know_empty(cable=shown)
    evening.begin()
    assert bool(evening.observe(thrown(evening.call() - 1, 1)).doubts) is asked


def test_the_empty_table_hides_no_die(evening):
    evening.know_empty(cable=True)
    evening.begin()
    number = evening.call()
    evening.doubtful = tuple(range(number))
    dice = (*thrown(number - 1, 1), Drawn(1, *CABLE, DIE_PX, 20.0))
    assert len(evening.observe(dice).dice) == number


class Automatics:
    """A camera of which only the order of what is asked counts; locking fails where it is `broken`."""

    def __init__(self, broken=False):
        self.asked, self.broken = [], broken

    def lock_exposure(self):
        if self.broken:
            raise CameraSilent("The camera gives no picture.")
        self.asked.append("lock")

    def unlock_exposure(self):
        self.asked.append("unlock")

    def preview(self):
        self.asked.append("preview")


SETTLED_ANEW = ["lock", "unlock", *["preview"] * SETTLING_PREVIEWS]


@pytest.mark.parametrize(
    ("why", "next_light", "fits", "asked"),
    [
        ("one lock for all reveals in one light", (80, 100, 120), True, ["lock"]),
        ("a few dice more make no other light", (84, 103, 122), True, ["lock"]),
        ("the lamp above the table went off", (60, 76, 90), False, SETTLED_ANEW),
        ("it went on", (104, 130, 156), False, SETTLED_ANEW),
        ("from daylight to a warm lamp, as bright on the whole", (60, 102, 140), False, SETTLED_ANEW),
    ],
)
def test_the_exposure_stays_as_long_as_the_light_does(why, next_light, fits, asked):
    camera = Automatics()
    lock = ExposureLock(camera)
    assert lock.fits(np.full((HEIGHT, WIDTH, 3), (80, 100, 120), np.uint8)), "nothing is kept yet"
    lock.lock()
    lock.lock()
    assert lock.fits(np.full((HEIGHT, WIDTH, 3), next_light, np.uint8)) is fits, why
    assert camera.asked == asked, why
    assert lock.fits(np.full((HEIGHT, WIDTH, 3), next_light, np.uint8)), "the next picture is of automatics"
    lock.lock()
    assert camera.asked == (asked if fits else [*asked, "lock"]), "the light of now is kept"


@pytest.mark.parametrize(
    ("why", "previews", "asked"),
    [
        ("the ring goes on a moment after the press", [True] * 3 + [False] * 20, ["lock"]),
        ("it stays dark", [True] * SETTLING_PREVIEWS, ["lock", "unlock"]),
    ],
)
def test_only_what_stays_dark_ends_the_exposure(why, previews, asked):
    camera = Automatics()
    lock = ExposureLock(camera)
    lock.fits(np.full((HEIGHT, WIDTH, 3), 100, np.uint8))
    lock.lock()
    for dark in previews:
        lock.heed(dark)
    assert camera.asked == asked, why


def test_a_lock_that_fails_keeps_nothing():
    camera = Automatics(broken=True)
    lock = ExposureLock(camera)
    lock.lock()
    assert lock.fits(np.full((HEIGHT, WIDTH, 3), 100, np.uint8)), "there was no picture to lock"
    with pytest.raises(CameraSilent):
        lock.lock()
    assert lock.fits(np.full((HEIGHT, WIDTH, 3), 250, np.uint8))
    lock.release()
    assert camera.asked == []
