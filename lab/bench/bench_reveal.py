"""From the press to the settled verdict, and how many questions a reveal asks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import cv2
import numpy as np

from companion.app.camera.comparing import EarlyReading
from companion.app.reading.decoder import encoded, for_phones
from companion.app.reading.reader_process import Seen
from companion.app.system.box_parts import lamp_view
from companion.reveal.assessing import assess
from companion.reveal.capture_loop import PREVIEW_S
from companion.reveal.claims import Claim, Kind
from companion.reveal.evidence import Evidence
from companion.reveal.observations import Observation
from companion.reveal.state import BOUND, RevealState, with_observation
from companion.rules.position import Phase
from companion.storage.journal import Journal
from companion.storage.side_files import SideFile
from companion.table.commands import AddObservation
from companion.table.parsing import parse
from companion.table.table import Table
from companion.table.view import view
from hardware.cameras.pi import CameraOptions, PiCamera
from hardware.cameras.simulated_dice import laid
from hardware.clock import SystemClock
from tests.companion.reveal_player import play, scenario
from tests.companion.reveal_table import MEASURED, Errors, TrueDie, View, photograph, scattered
from tests.companion.reveal_table import Table as TrueTable
from tests.hardware.fakes import FakePicamera2
from vision.annotate import annotate
from vision.arrays import Image
from vision.contract import to_json
from vision.picture.settle import Settler
from vision.read import read

DICE = 30
USUAL_DICE, MAX_PICTURES = 10, 5
REVEALS = 360
STILL_PREVIEWS, MAX_FRAMES = 4, 6
"""Previews of 0.1 s until the table counts as still, and all frames until there is a picture to read."""
CLAIM = Claim(Kind.DUDO, 5, 9, wild=True)


def rows() -> list[tuple[str, ...]]:
    """What was measured and the figure with its unit."""
    return [*_one_observation(), *_pictures(), *_camera_frames(), *_moved(), *_settling(), *_questions()]


def best_ms(work: Callable[[], object], times: int = 5) -> float:
    """The quickest of a few runs: what the work takes when nothing else disturbs it."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return 1000 * min(taken)


def _one_observation() -> list[tuple[str, str, str]]:
    """From the picture of a still look at 30 dice to the verdict, part by part."""
    cv2.setNumThreads(1)
    rng = Random(1)
    dice = [(rng.randint(1, 6), "ivory") for _ in range(DICE)]
    image = laid(dice, 1, width_px=1536, height_px=864).image_bgr
    reading = read(image)
    observation = Observation.from_json(to_json(reading, "", {"decode": 0.0, "read": 0.0}))
    with TemporaryDirectory() as folder:
        evidence = Evidence(SideFile(Path(folder) / "evidence.sqlite"))
        journal = Journal(Path(folder) / "games")
        table = _doubted(journal)
        read_ms, same_ms = best_ms(lambda: read(image)), best_ms(lambda: _compared(image))
        kept_ms = best_ms(lambda: evidence.keep("", for_phones(annotate(image, reading)), encoded(image)))
        command_ms = best_ms(lambda: table.do(AddObservation(observation, "all")))
        shown_ms = max(best_ms(lambda: _shown(table)), _judged_ms(observation, Path(folder)))
        jpeg = encoded(image)
        floor_ms = best_ms(lambda: _floor(jpeg))
        evidence.close()
        journal.close()
    judging = (
        ("merging, judging, journal", command_ms, 2),
        ("the state for page and lamps", shown_ms, 1),
    )
    read_now = (("reading", read_ms, 22), *judging)
    read_early = (("comparing with the picture that was read", same_ms, 3), *judging)
    return [
        *_steps(f"press to verdict, one look at {DICE} dice, camera apart", read_now, floor_ms),
        *_steps("the same, dice and light as before the press", read_early, floor_ms, 12),
        _step("  and after the verdict: drawing and keeping the pictures", kept_ms, floor_ms, 6),
    ]


def _steps(
    name: str, parts: Sequence[tuple[str, float, float]], floor_ms: float, budget: float = 0.0
) -> list[tuple[str, str, str]]:
    """Parts with their milliseconds and budgets, below them all together."""
    whole = sum(ms for _, ms, _ in parts)
    budget = budget or sum(most for _, _, most in parts)
    each = (_step(f"  {part}", ms, floor_ms, most) for part, ms, most in parts)
    return [_step(name, whole, floor_ms, budget), *each]


def _compared(image: Image) -> None:
    """What is left of reading a picture that shows what one before it showed."""
    early = EarlyReading()
    early.keep(Seen({}, 1), image, None)  # type: ignore[typeddict-item]
    if early.take(image, None) is None:
        raise ValueError("a picture is not taken for itself")


def _shown(table: Table) -> None:
    now = table.snapshot()
    view(now)
    lamp_view(now)


def _judged_ms(observation: Observation, folder: Path) -> float:
    """The first state that shows a verdict: what the journal's own assessment spared it is not repeated."""
    taken = []
    for number in range(5):
        with closing(Journal(folder / f"judged-{number}.sqlite")) as journal:
            table = _doubted(journal, quantity=30, frames=1)
            table.do(AddObservation(observation, "all"))
            if not table.snapshot().state.is_judged:
                raise ValueError("one look at all dice judges no bid of thirty")
            taken.append(best_ms(lambda: _shown(table), 1))  # noqa: B023  # called at once
    return min(taken)


def _pictures() -> list[tuple[str, str, str]]:
    """Pictures that a tight call on dice read for certain takes, with their reading, against two of each."""
    dice = [(1 + k % 6, "ivory") for k in range(USUAL_DICE)]
    image = laid(dice, 1, width_px=1536, height_px=864).image_bgr
    observation = Observation.from_json(to_json(read(image), "", {"decode": 0.0, "read": 0.0}))
    taken = 0
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "games")) as journal:
        table = _doubted(journal, "AB", quantity=4, frames=2)
        while (game := table.snapshot().state.game) and game.phase is Phase.REVEAL and taken < MAX_PICTURES:
            table.do(AddObservation(observation, "all"))
            taken += 1
    read_ms = best_ms(lambda: read(image))
    kept = "budget 1" if taken == 1 else "OVER its budget of 1"
    whole = f"{taken} of {read_ms:.1f} ms, where two took {2 * read_ms:.1f} ms"
    return [(f"pictures read for a verdict, {USUAL_DICE} dice, tight call", whole, kept)]


def _camera_frames() -> list[tuple[str, str, str]]:
    """Frames of a Pi's camera from the press, at which the ring goes on, to the picture, on the stand-in of
    picamera2: with the exposure of the reveal before, and by automatics that settle anew."""
    kept, anew = _frames_from_press(locked=True), _frames_from_press(locked=False)
    within = f"budget {MAX_FRAMES}" if kept <= MAX_FRAMES else f"OVER its budget of {MAX_FRAMES}"
    figure = f"{kept}, at ten a second {kept / 10:.1f} s; {anew} with automatics, {anew / 10:.1f} s"
    return [("camera frames from press to picture, exposure kept", figure, within)]


def _frames_from_press(*, locked: bool) -> int:
    pressed = [10**6]
    image = np.zeros((96, 128, 3), np.uint8)
    below = FakePicamera2(image, lag=3, automatic_us=lambda n: 5_000.0 + 1_000 * max(0, n - pressed[0]))
    camera = PiCamera(SystemClock(), CameraOptions(), open_pi=lambda _: below)
    if locked:
        camera.lock_exposure()
    pressed[0] = below.frames
    for _ in range(STILL_PREVIEWS):
        camera.preview()
    camera.capture()
    return below.frames - pressed[0]


def _step(name: str, ms: float, floor_ms: float, budget: float) -> tuple[str, str, str]:
    """A step in floors, which any machine has alike, and in milliseconds, beside its budget."""
    floors = ms / floor_ms
    kept = f"budget {budget:g} floors" if floors <= budget else f"OVER its budget of {budget:g} floors"
    return name, f"{floors:.2f} floors, {ms:.1f} ms", kept


def _floor(jpeg: bytes) -> None:
    """What any reader of the picture must do: decode, make grey, blur."""
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)


def _doubted(journal: Journal, people: str = "ABCDEF", quantity: int = 9, frames: int = 99) -> Table:
    """A table on which the players' dice are to be looked at; 99 pictures settle nothing before."""
    table = Table(journal, frames=frames, bound=0.0 if frames == 99 else BOUND)
    seats = [{"name": name} for name in people]
    table.do(parse({"type": "new_game", "players": seats, "starter": "A"}))
    table.do(parse({"type": "bid", "by": "A", "quantity": quantity, "face": 5}))
    table.do(parse({"type": "dudo", "by": "B"}))
    return table


def _moved() -> list[tuple[str, str]]:
    """Looks a second while the box is pushed about, each read already."""
    rng = Random(2)
    table = TrueTable(tuple(TrueDie(rng.randint(1, 6), z) for z in scattered(rng, DICE)))
    views = [View(complex(0.5 + 0.04 * (k % 5), 0.375 + 0.03 * (k % 3))) for k in range(20)]
    observations = [photograph(table, view, Errors(), rng) for view in views]

    def all_observations() -> None:
        state = RevealState(CLAIM, DICE)
        for observation in observations:
            state = with_observation(state, "all", observation)
            assess(state)

    return [
        ("looks merged a second, box moved", f"{1000 * len(observations) / best_ms(all_observations, 3):.0f}")
    ]


def _settling() -> list[tuple[str, str]]:
    """What a moved box costs: each preview is judged, none is read."""
    rng = np.random.default_rng(1)
    colour = [rng.integers(80, 120, (480, 640, 3), np.uint8) for _ in range(8)]
    watching = [Settler()]

    def judged() -> None:
        for at, picture in enumerate(colour):
            grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
            watching[0] = watching[0].feed(grey, 0.1 * at)

    each_ms = best_ms(judged, 5) / len(colour)
    a_second = 1000 / (1000 * PREVIEW_S + each_ms)
    return [
        ("one preview judged, 640 x 480", f"{each_ms:.2f} ms"),
        ("previews judged a second, box moved", f"{a_second:.1f}"),
    ]


def _questions() -> list[tuple[str, str]]:
    """Questions a reveal over simulated ones with bids near the count, by how the dice lay: with errors far
    above those of a real reader, and with those measured on photographs."""
    return [*_asked("errors made up", Errors()), *_asked("errors as measured", MEASURED)]


def _asked(name: str, errors: Errors) -> list[tuple[str, str]]:
    asked, runs, wrong = Counter[str](), Counter[str](), 0
    for seed in range(REVEALS):
        scene = scenario(seed, errors)
        outcome = play(scene, seed)
        asked[scene.kind] += len(outcome.asked)
        runs[scene.kind] += 1
        wrong += not outcome.right
    by_kind = [(f"  {kind}", f"{asked[kind] / runs[kind]:.2f}") for kind in runs]
    return [
        (f"questions a simulated reveal, bids near the count, {name}", f"{asked.total() / REVEALS:.2f}"),
        *by_kind,
        (f"  wrong verdicts of {REVEALS}", f"{wrong}"),
    ]
