"""The table at one moment, as a value: what every page, lamp and part is given, what its faults are, and the
words that lamps, page and log say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.reveal.corrections import ByHand, Hand, dice_of
from companion.rules.players import Player
from companion.rules.position import Game, Phase
from companion.storage.game_list import Loss
from companion.table import commands as cmd
from companion.table.commands import Command
from companion.table.cups import hides
from companion.table.history import keep_on_undo, step_of
from companion.table.kept_game import KeptGame
from companion.table.ledger import EMPTY, Ledger, Note, Step
from companion.table.sitting import NOBODY, Sitting, people_of
from companion.table.state import REVEALING, TableState, assessment
from companion.table.wire.state import SeatWord, StateWord


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of the box that does not work: a key under `web.faults` and the values of its sentence."""

    reason: str
    values: tuple[tuple[str, str], ...] = ()


PART, GAME_PART, PRESSES = "journal_loss", "game_cut", "button"
"""The parts under which the page reports losses, and refused presses, which are no faults of the box."""

UNWRITABLE = ("journal_gone", "journal_full", "journal_unwritable", "journal_read_only", "folder_forbidden")
"""Reasons why a command could not be written. Every page and the lamps show them, also in a reveal."""


def is_cut(found: tuple[Loss, ...], game: str | None) -> bool:
    """Whether the end of this game is lost: other dice lie there than those called."""
    return any(one.missing and one.game == game for one in found)


def faults_of(found: tuple[Loss, ...], current: str | None) -> dict[str, Fault]:
    """The losses as faults by part: of the game on the table if it is cut or gone, then of all together."""
    if not found:
        return {}
    if all(one.cause for one in found):
        files = "; ".join(f"{one.file} ({one.cause})" for one in found)
        return {PART: Fault("set_aside", (("files", files),))}
    found = tuple(one for one in found if not one.cause)
    records, games = sum(one.records for one in found), sum(one.games for one in found)
    file = next((one.file for one in reversed(found) if one.file), "")
    version = next((one.version or "?" for one in found if one.unread), "")
    values = (("records", str(records)), ("games", str(games)), ("file", file), ("version", version))
    missing = sum(one.missing for one in found if one.game and one.game == current)
    faults: dict[str, Fault] = {}
    if is_cut(found, current):
        faults[GAME_PART] = Fault("game_cut", (("missing", str(missing)),))
    elif current is None and any(one.gone for one in found):
        faults[GAME_PART] = Fault("game_gone")
    elif version and not all(one.unread for one in found):
        faults[GAME_PART] = Fault("journal_unread", values)
    return {**faults, PART: Fault(_reason(found, records, games, file), values)}


def _reason(found: tuple[Loss, ...], records: int, games: int, file: str) -> str:
    if any(one.emptied for one in found):
        return "journal_emptied"
    if all(one.unread for one in found):
        return "journal_unread"
    if any(one.vanished for one in found):
        return "journal_vanished"
    if not records and not games:
        return "journal_mended"
    return "journal_lost" if file else "journal_short"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table at one moment. `version` only ever rises, also over restarts.

    A command for a version before `stale_before` is stale: since then more than another observation has come.
    `reveal` is the version that opened the reveal which goes on, 0 while none does.
    `pictured` is the version by place that brought the dice there: of a phone each picture brings others.
    `wanted` counts the pictures asked for in it, `place` is where the last one was asked for.

    `undoes` is the step that would be taken back, if there is one. `undo_hides`: that would hide dice which
    have been seen, so that the round is thrown anew. `announcement`: the last note to all phones, `announced`
    its version.
    `ledger` is what no undo takes back, `sitting` who sits where. `held`: a person took a verdict back, so
    the next one waits for a person too. `faults` are those of the box by part.

    `preview` is what the camera's view is fit for while it waits: still, moving, hand, dark, bright or empty.
    `resumed`: the box was started anew in the middle of this game, and nobody has done anything since.
    `paused`: somebody stopped the turn clock, and nobody has played on since.
    `real_dice`: whether people chose their own dice at a simulated table; None where there is no choice.
    """

    version: int
    game_id: str | None
    state: TableState
    ledger: Ledger = EMPTY
    sitting: Sitting = NOBODY
    undoes: Step | None = None
    announcement: Note | None = None
    announced: int = 0
    undo_hides: bool = False
    held: bool = False
    stale_before: int = 0
    reveal: int = 0
    pictured: Mapping[str, int] = field(default_factory=dict)
    wanted: int = 0
    place: str | None = None
    faults: tuple[tuple[str, Fault], ...] = ()
    preview: str = ""
    resumed: bool = False
    paused: bool = False
    real_dice: bool | None = None

    @property
    def capturing(self) -> int:
        """The reveal that wants pictures: not one that waits for a person, 0 then."""
        return 0 if self.held else self.reveal

    def seat_of(self, phone: str) -> str | None:
        """The player in this game for whom the phone of that id sits, None for nobody."""
        seat = self.sitting.seat_of(phone)
        return seat if seat is not None and seat in people_of(self.state) else None


def next_snapshot(before: Snapshot, changed: Snapshot, game: KeptGame, *, minor: bool) -> Snapshot:
    """The table as `game` stands, one version on, with what is `changed` beside it.

    Only a `minor` change lets commands for older versions stand.
    """
    version, state = before.version + 1, game.state
    keep = keep_on_undo(game.history, game.states)
    now = replace(
        changed,
        version=version,
        game_id=game.id,
        state=state,
        ledger=game.ledger,
        sitting=changed.sitting.within(state, anew=game.id != before.game_id),
        stale_before=before.stale_before if minor else version,
        undoes=None if keep is None else step_of(game.history[keep]),
        undo_hides=keep is not None and hides(state, game.states[keep]),
        faults=tuple(one for one in changed.faults if minor or one[0] != PRESSES),  # that press is past
        pictured={**before.pictured, **_pictured(before.state, state, version)} if minor else {},
        resumed=changed.resumed and minor,
        paused=changed.paused and (minor or _played_so_far(state) == _played_so_far(before.state)),
    )
    if now.game_id == before.game_id and len(now.ledger.notes) > len(before.ledger.notes):
        now = replace(now, announcement=now.ledger.notes[-1], announced=version)
    same_reveal = _reveal_key(now) == _reveal_key(before)
    return now if same_reveal else _opened(now, now.wanted > before.wanted)


def _pictured(before: TableState, after: TableState, version: int) -> Mapping[str, int]:
    """The places whose first picture of the dice that lie there came just now: of a phone each is one."""
    was = {view.name: view.tracks for view in before.reveal.places} if before.reveal else {}
    now = after.reveal.places if after.reveal else ()
    return {view.name: version for view in now if view.frames == 1 and view.tracks is not was.get(view.name)}


def answerable_since(now: Snapshot, command: Command) -> int:
    """The first version that a command may be based on. An answer is about the dice as they lay at the places
    that it names, by their ids or by itself; at all of them where it names none, as a verdict is."""
    said = command.correction if isinstance(command, cmd.Correct) else None
    if isinstance(said, ByHand | Hand) or not (said or isinstance(command, cmd.Confirm)):
        return now.stale_before
    alone = getattr(said, "place", None) or getattr(said, "player", None)
    places: set[str | None] = {die.rpartition(".")[0] for die in (dice_of(said) if said else ())} or {alone}
    since = (version for place, version in now.pictured.items() if places == {None} or place in places)
    return max((now.stale_before, *since))


def _played_so_far(state: TableState) -> tuple[object, ...]:
    """What changes as anybody plays on, but not as somebody is renamed, comes or goes."""
    game = state.game
    return (game.phase, game.round.number, len(game.round.bids), state.asked) if game else ()


def _opened(now: Snapshot, asked: bool) -> Snapshot:
    """The snapshot with another reveal, or none: pictures asked for before were meant for that one."""
    number = now.version if _reveal_key(now) else 0
    return replace(now, reveal=number, wanted=int(asked), place=now.place if asked else None)


def _reveal_key(now: Snapshot) -> tuple[object, ...]:
    """The key of the reveal that goes on, different from those before and after; empty while none does."""
    game = now.state.game
    if game is None or game.phase not in REVEALING:
        return ()
    return now.game_id, game.round.number, len(now.state.rolls)


def state_word(snapshot: Snapshot) -> StateWord:
    """The one word that lamps, page and log say. Lamps ask for it alone at every change."""
    game = snapshot.state.game
    hindered = hindrance(snapshot) is not None
    if game is None:
        return "fault" if hindered else "idle"
    match game.phase:
        case Phase.OVER:
            return "over"
        case Phase.REVEAL | Phase.ROLLOFF:
            if hindered:
                return "fault"
            return "question" if _asks(snapshot) else "looking"
        case Phase.VERDICT if game.verdict:
            return "stands" if game.verdict.stands else "fails"
        case _:
            return "question" if snapshot.state.asked else "fault" if hindered else "bidding"


def _asks(snapshot: Snapshot) -> bool:
    """Whether the reveal waits for a person: dice were looked at, and the box needs an answer."""
    seen = assessment(snapshot.state)
    return any(die.place for die in seen.dice) and bool(seen.questions or snapshot.held)


def hindrance(snapshot: Snapshot) -> Fault | None:
    """The fault that the lamps show: in a reveal one of camera or journal, else of any part.

    A press that was refused is no fault of the box, nor is its camera one where a phone has taken its place.
    """
    game = snapshot.state.game
    faults = dict(snapshot.faults)
    if game is not None and game.phase in REVEALING:
        parts = UNWRITABLE if _taken_by_phone(snapshot.state) else ("camera", *UNWRITABLE)
        return next((faults[part] for part in parts if part in faults), None)
    return next((fault for part, fault in faults.items() if part != PRESSES), None)


def _taken_by_phone(state: TableState) -> bool:
    """Whether a phone has taken a picture of the reveal, so that no camera is missed."""
    return state.reveal is not None and any(v.frames and v.phone is not None for v in state.reveal.places)


def seat_words(state: TableState) -> tuple[SeatWord, ...]:
    """The word of each seat's lamp, in order of the table.

    While dice are shown one after the other, the lamp of the next player to show is lit.
    """
    game, showing = state.game, _showing_next(state)
    return tuple(_seat_word(game, player, showing) for player in game.players) if game else ()


def _showing_next(state: TableState) -> str | None:
    """Whose dice the box should look at next."""
    if state.game is None or state.game.phase not in REVEALING:
        return None
    place = assessment(state).next_place
    return next((view.player for view in state.revealing.places if view.name == place), None)


def _seat_word(game: Game, player: Player, showing: str | None) -> SeatWord:
    verdict = game.verdict if decided(game) else None
    if verdict and player.name in verdict.losers:
        return "loses"
    if verdict and player.name in (verdict.gainer, *verdict.winners):
        return "gains"
    if player.out:
        return "out"
    if player.name == (game.round.turn if game.phase is Phase.BIDDING else showing):
        return "starts"
    return "in"


def decided(game: Game) -> bool:
    """Whether the verdict lies on the table."""
    return game.verdict is not None and game.phase in (Phase.VERDICT, Phase.OVER)
