"""Captures through many evenings: what nobody showed is not counted, nothing waits in silence."""

import threading
from collections.abc import Callable
from random import Random

import pytest

from companion.app.system.box_parts import asked_by
from companion.errors import CompanionError
from companion.reveal.corrections import ByHand, Hand, SetFace, Strike, TwoDice
from companion.reveal.observations import Observation, SeenDie
from companion.reveal.questions import Ask, Question
from companion.reveal.state import ALL
from companion.rules.position import Phase
from companion.rules.rolloff import roll_off
from companion.table import commands as cmd
from companion.table.state import assessment
from companion.table.table import Fault, Snapshot, Table
from companion.table.view import view
from hardware.errors import CameraSilent
from hardware.ports import Press
from tests.companion.at_table import begin, play
from tests.companion.capture_table import Box, Felt, Lying, watching
from vision.learned.net import ModelMissing
from web.pages.screens import waiting_for

pytestmark = pytest.mark.slow

PEOPLE = ("Ana", "Beto", "Cleo", "Dora")
MAX_STEPS = 400


def rolling_off(box: Box, people: int = 3) -> None:
    begin(box.table, " ".join(PEOPLE[:people]), roll_off=True)


def press_ok(box: Box) -> None:
    now = box.table.snapshot()
    box.table.do(asked_by(Press("ok", False, 0.0), now))


def frames_at(now: Snapshot, place: str) -> int:
    return next((v.frames for v in now.state.reveal.places if v.name == place), 0) if now.state.reveal else 0


def roll_of(now: Snapshot) -> tuple[Phase, int]:
    return now.state.game.phase, len(now.state.rolls)


def somewhere(face: int, rng: Random) -> tuple[Lying, ...]:
    return (Lying(face, rng.randint(20, 100), rng.randint(20, 70)),)


class Evening:
    """Players who roll for the starter, in a hurry or not; they answer by the dice that lie there."""

    def __init__(self, box: Box, seed: int) -> None:
        self.box, self.rng = box, Random(seed)
        self.rolls: list[dict[str, int]] = []
        self.people = self.rng.randint(2, 4)
        rolling_off(box, self.people)
        box.felt.rng, box.felt.flicker = Random(-seed), self.rng.choice((0.0, 0.0, 0.1, 0.3))
        box.felt.reading_s = self.rng.choice((0.1, 0.7, 3.0))

    def play(self) -> None:
        for _ in range(MAX_STEPS):
            now = self.box.table.snapshot()
            if now.state.game.phase is not Phase.ROLLOFF:
                return
            found = assessment(now.state)
            if len(self.rolls) == len(now.state.rolls):
                names = [name for name, _ in now.state.reveal.by_player]
                self.rolls.append({name: self.rng.choice((4, 5, 6)) for name in names})
            if found.next_place:
                self.show(now, found.next_place)
            elif found.questions:
                self.answer(found.questions[0])
            else:
                self.box.wait_until(lambda later, last=now.version: later.version > last)
        raise AssertionError("the roll does not end")

    def show(self, now: Snapshot, place: str) -> None:
        """Wait, lay the next die under the camera and press OK once or twice; or type the die in by hand."""
        if self.rng.random() < 0.2:
            self.box.let_pass(self.rng.choice((0.5, 5.0)))
            assert frames_at(self.box.table.snapshot(), place) == 0, "nobody showed that die"
        if self.rng.random() < 0.1:
            self.box.table.do(cmd.Correct(Hand(place, (self.rolls[-1][place],))))
            return
        self.box.felt.dice = somewhere(self.rolls[-1][place], self.rng)
        for _ in range(self.rng.choice((1, 1, 2))):
            press_ok(self.box)
        self.box.wait_until(lambda later: roll_of(later) != roll_of(now) or frames_at(later, place) > 1)

    def answer(self, question: Question) -> None:
        """The true answer to a question about a player's one die."""
        player, die = question.player or "", question.die
        if die is None:
            said = Hand(player, (self.rolls[-1][player],))
        elif question.ask is Ask.SAME:
            said = TwoDice(die, question.other or "")
        else:
            mine = [
                d for d in assessment(self.box.table.snapshot().state).dice if d.owner == player and d.certain
            ]
            said = Strike(die) if question.ask is Ask.EXTRA or mine else SetFace(die, self.rolls[-1][player])
        self.box.table.do(cmd.Correct(said))


@pytest.mark.parametrize("seed", range(40))
def test_what_was_rolled_is_what_the_box_saw_and_it_never_stands_still(seed, tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch) as box:
        evening = Evening(box, seed)
        evening.play()
        game = box.table.snapshot().state.game
        truth = roll_off(PEOPLE[: evening.people], evening.rolls, game.ruleset.order)
        assert game.round.starter == truth.starter


def once(action: Callable[[], None]) -> Callable[[], None]:
    """A function that calls `action` the first time only."""
    left = [action]
    return lambda: left.pop()() if left else None


@pytest.mark.parametrize("error", [OSError("no memory"), ModelMissing("the model dice.onnx is gone")])
def test_a_box_that_could_not_get_ready_takes_pictures_all_the_same(tmp_path, monkeypatch, caplog, error):
    """What was missing is logged by its sentence alone."""
    asked = list[str]()

    def broken(reader: str) -> None:
        asked.append(reader)
        raise error

    monkeypatch.setattr("vision.read.get_ready", broken)
    with watching(tmp_path, monkeypatch) as box:
        Evening(box, 1).play()
        assert asked == ["both"]
        assert box.table.snapshot().state.game.phase is not Phase.ROLLOFF
    (warning,) = (record for record in caplog.records if str(error) in record.getMessage())
    assert warning.exc_info is None


def test_a_die_still_being_read_when_a_tie_is_entered_by_hand_is_not_counted_for_the_next_roll(
    tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch) as box:
        rolling_off(box, 2)
        box.table.do(cmd.Correct(Hand("Ana", (5,))))
        box.felt.dice = (Lying(5, 60, 40),)
        box.felt.on_capture = once(lambda: box.table.do(cmd.Correct(Hand("Beto", (5,)))))
        press_ok(box)
        box.wait_until(lambda now: len(now.state.rolls) == 1)
        box.let_pass(5.0)
        now = box.table.snapshot()
        assert [view.frames for view in now.state.reveal.places] == [0, 0]
        assert assessment(now.state).next_place == "Ana"


def test_a_reveal_that_begins_while_the_last_one_s_picture_is_read_is_looked_at(tmp_path, monkeypatch):
    def on_to_the_next_round() -> None:
        play(box.table, "0, next, Ana 2x5, Beto dudo")
        box.felt.dice = FIVE

    with watching(tmp_path, monkeypatch) as box:
        doubted(box)
        box.felt.dice = FOUR
        box.felt.on_capture = once(on_to_the_next_round)
        box.wait_until(lambda now: now.state.game.round.number == 2 and frames_at(now, "all") > 1)
        first = box.table.snapshot().state.reveal.steps[0]
        assert [die.face for die in first.observation.dice] == [5, 5, 5]


@pytest.mark.parametrize("reading_s", [0.1, 1.5, 6.0])
def test_a_slow_reader_does_not_make_the_box_seem_moved_to_the_next_player(reading_s, tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch, each=True) as box:
        box.felt.reading_s, box.felt.dice = reading_s, FOUR
        doubted(box)
        box.wait_until(lambda now: any(view.frames > 1 for view in now.state.reveal.places))
        box.let_pass(5 * reading_s + 5)
        shown = [(view.name, view.frames) for view in box.table.snapshot().state.reveal.places]
        assert shown == [("Beto", 2), ("Ana", 0)]
        box.felt.dice = FIVE
        box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)


@pytest.mark.parametrize("named", [False, True])
def test_a_hand_above_a_box_that_is_led_on_does_not_make_the_dice_the_next_player_s(
    named, tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch, each=True) as box:
        box.felt.dice = FOUR
        doubted(box)
        box.wait_until(lambda now: assessment(now.state).next_place == "Ana")
        box.felt.hand = True
        box.wait_until(lambda now: now.preview == "hand")
        box.felt.hand = False
        box.wait_until(lambda now: now.preview == "still")
        box.let_pass(8.0)
        assert frames_at(box.table.snapshot(), "Ana") == 0
        if named:
            box.table.do(cmd.TakePicture("Ana"))
            box.wait_until(lambda now: frames_at(now, "Ana") > 0)
        else:
            box.felt.dice = FIVE
            box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)


def test_the_picture_of_all_dice_beside_a_cup_that_a_phone_showed_is_not_the_next_cup_s(
    tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch) as box:
        doubted(box)
        seen = tuple(SeenDie(4, die.x_px / 120, die.y_px / 90, 0.1, 0.99, True, "ivory") for die in FOUR)
        box.table.do(cmd.AddObservation(Observation(120, 90, seen, True, phone="Ana"), "Ana"))
        assert assessment(box.table.snapshot().state).next_place == "Beto"
        box.felt.dice = (*FOUR, *(Lying(2, die.x_px, 60) for die in FOUR))
        judged = box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT).state
        assert [view.name for view in judged.reveal.places] == [ALL]


def state_word(now: Snapshot) -> str:
    """The state that the page and the lamps show while a reveal waits."""
    data = view(now)
    fault = data["faults"].get("camera")
    return str(fault["reason"]) if fault else waiting_for(data)


def passing(table: Table, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The states after each command from now on: the next picture may end one before anybody looks."""
    passed: list[str] = []
    do = table.do

    def watched(command: cmd.Command, based_on: int | None = None) -> Snapshot:
        passed.append(state_word(now := do(command, based_on)))
        return now

    monkeypatch.setattr(table, "do", watched)
    return passed


def silent(felt: Felt) -> None:
    felt.trouble = CameraSilent("The camera gives no picture.")


def dark(felt: Felt) -> None:
    felt.light = 0.05


def covered(felt: Felt) -> None:
    felt.hand = True


def swept(felt: Felt) -> None:
    felt.dice = ()


def kicked(felt: Felt) -> None:
    """The same dice after another roll: new places, new faces."""
    felt.dice = tuple(
        Lying(1 + (die.face + n) % 6, 110 - die.x_px, 20 + 25 * n) for n, die in enumerate(FOUR)
    )


@pytest.mark.parametrize("mended", [False, True], ids=["by hand", "mended"])
@pytest.mark.parametrize(
    ("fault", "word"),
    [(silent, "camera_silent"), (dark, "dark"), (covered, "hand"), (swept, "looking"), (kicked, "question")],
)
def test_what_goes_wrong_in_the_middle_is_reported_and_waited_for_and_the_round_ends_all_the_same(
    fault, word, mended, tmp_path, monkeypatch
):
    with watching(tmp_path, monkeypatch, each=True) as box:
        box.felt.dice = FOUR
        box.felt.on_capture = lambda: fault(box.felt) if box.felt.captures == 2 else None
        passed = passing(box.table, monkeypatch)
        doubted(box)
        box.wait_until(lambda now: box.felt.captures > 1 and (state_word(now) == word or word in passed))
        assert box.table.snapshot().state.game.phase is Phase.REVEAL
        if not mended:
            game = box.table.do(cmd.Correct(ByHand(0))).state.game
            assert (game.phase, game.verdict.loser) == (Phase.VERDICT, "Ana")
            return
        box.felt.trouble, box.felt.light, box.felt.hand = None, 1.0, False
        box.felt.dice = box.felt.dice or FOUR
        box.wait_until(lambda now: assessment(now.state).next_place == "Ana" and frames_at(now, "Beto") > 1)
        box.felt.dice = FIVE
        box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)


FOUR = tuple(Lying(4, x, 30) for x in (20, 40, 60))
FIVE = tuple(Lying(5, x, 60) for x in (40, 60, 80))


def doubted(box: Box) -> None:
    """Three dice each, three fives bid by Ana, doubted by Beto: there are none but Ana's."""
    begin(box.table, "Ana Beto", "Ana 3x5, Beto dudo", starting_dice=3)


def test_a_reading_that_was_ended_is_reported_and_the_next_one_gives_the_verdict(tmp_path, monkeypatch):
    heard = threading.Event()

    def hangs() -> None:
        if not heard.is_set():
            raise CompanionError("reading_failed")

    with watching(tmp_path, monkeypatch) as box:
        box.felt.dice = (*FOUR, *FIVE)
        box.felt.on_capture = hangs
        doubted(box)
        box.wait_until(lambda now: state_word(now) == "reading_failed")
        heard.set()
        box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)
        assert dict(box.table.snapshot().faults) == {}


def test_what_was_struck_in_one_round_is_not_asked_about_in_the_next(tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch) as box:
        printed = Lying(2, 100, 78)
        box.felt.dice = (*FOUR, *FIVE, printed)
        doubted(box)
        now = box.wait_until(lambda now: state_word(now) == "question")
        asked = next(die for die in assessment(now.state).dice if die.face == printed.face)
        box.table.do(cmd.Correct(Strike(asked.id)))
        box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)
        box.felt.dice = ()
        box.table.do(cmd.NextRound())
        box.let_pass(2.0)
        thrown = tuple(Lying(3, x, 45) for x in (15, 35, 55, 75, 95))
        box.felt.dice = (*thrown, printed)
        play(box.table, "4x5, dudo")
        now = box.wait_until(lambda now: now.state.game.phase is Phase.VERDICT)
        assert [die.face for die in assessment(now.state).dice] == [3] * 5


def test_a_fault_that_is_reported_while_the_reveal_ends_does_not_stay(tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch) as box:
        report = box.table.report
        ended = threading.Thread(target=box.capture._heed, args=(False,))

        def late(part: str, fault: Fault | None) -> None:
            if fault is not None:
                ended.start()
                ended.join(0.2)  # it waits for its turn
            report(part, fault)

        monkeypatch.setattr(box.table, "report", late)
        box.capture._heed(True)
        box.capture._troubled("camera_silent")
        ended.join()
        assert dict(box.table.snapshot().faults) == {}


def test_what_fails_while_it_ends_is_no_trouble(tmp_path, monkeypatch):
    with watching(tmp_path, monkeypatch) as box:
        box.capture._heed(True)
        box.capture.stop()
        box.capture._troubled("camera_silent")
        assert dict(box.table.snapshot().faults) == {}
