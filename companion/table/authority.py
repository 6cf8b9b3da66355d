"""Who may give which command, and when: the one table that every command is held against.

A row is what a command does at this moment of the game, a column who gives it. So a press, a call on the
page and a program's request of one meaning have one answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from companion.errors import NotAllowed
from companion.reveal.corrections import Hand
from companion.rules.calls import BidCall
from companion.rules.position import Game
from companion.table import commands as cmd
from companion.table.commands import Author, By, Command
from companion.table.cups import known_dice
from companion.table.snapshot import Snapshot
from companion.table.state import TableState


class May(StrEnum):
    """Whether an author may."""

    YES = "yes"
    OWN = "own"
    UNDO = "as undo"
    NO = "no"


class Act(StrEnum):
    """What a command does at its moment, in the words of docs/reference/security.md."""

    CALL = "call: bid, dudo, calza, pass, a choice, a press of their buttons"
    PUSH = "bid with dice pushed out of a cup in a phone"
    PICTURE = "ask for a picture"
    ANSWER = "answer about a die or count by hand, before the verdict"
    ROLLED = "enter what a player rolled or holds"
    CORRECT = "correct dice or the count after the verdict"
    RECALL = "correct the call"
    AMEND = "correct an earlier round"
    FORGET = "no owner by colour any more"
    GO_ON = "confirm the dice, next round"
    UNDO = "undo"
    JOIN = "join late"
    LEAVE = "go home"
    RENAME = "rename"
    HAND_BACK = "hand dice, lives or marks back"
    BEGIN = "new game, play again"
    END = "stop the game, clear the table, enter the roll for seats"
    NOTICE = "take note of what the journal lost"
    PAUSE = "stop the turn clock and let it run again"
    DICE = "choose real or simulated dice"
    TIME_UP = "end a turn by the clock"
    SEEN = "what a camera saw, colours learnt"


def _row(
    player: May, host: May = May.YES, box: May = May.YES, *, clock: May = May.NO, bot: May = May.NO
) -> Mapping[By, May]:
    return {By.PLAYER: player, By.HOST: host, By.BOX: box, By.CLOCK: clock, By.BOT: bot}


TABLE: Mapping[Act, Mapping[By, May]] = {
    Act.CALL: _row(May.OWN, bot=May.OWN),
    Act.PUSH: _row(May.OWN, May.OWN, bot=May.OWN),
    Act.PICTURE: _row(May.YES),
    Act.ANSWER: _row(May.YES),
    Act.ROLLED: _row(May.OWN),
    Act.CORRECT: _row(May.UNDO),
    Act.RECALL: _row(May.UNDO),
    Act.AMEND: _row(May.NO),
    Act.FORGET: _row(May.YES),
    Act.GO_ON: _row(May.YES),
    Act.UNDO: _row(May.UNDO),
    Act.JOIN: _row(May.OWN),
    Act.LEAVE: _row(May.OWN),
    Act.RENAME: _row(May.OWN),
    Act.HAND_BACK: _row(May.NO),
    Act.BEGIN: _row(May.NO),
    Act.END: _row(May.NO),
    Act.NOTICE: _row(May.NO),
    Act.PAUSE: _row(May.NO),
    Act.DICE: _row(May.NO),
    Act.TIME_UP: _row(May.NO, May.NO, May.NO, clock=May.YES),
    Act.SEEN: _row(May.NO, May.NO),
}
"""Who may do what. `OWN`: for the player alone for whom the author speaks; a cup in a phone besides only by
the phone that knows its dice. `UNDO`: as the house rule says who may undo."""

_ACTS: Mapping[type[Command], Act] = {
    cmd.Say: Act.CALL,
    cmd.Press: Act.CALL,
    cmd.TakePicture: Act.PICTURE,
    cmd.Correct: Act.ANSWER,
    cmd.CorrectCall: Act.RECALL,
    cmd.CorrectRound: Act.AMEND,
    cmd.ForgetColours: Act.FORGET,
    cmd.Confirm: Act.GO_ON,
    cmd.NextRound: Act.GO_ON,
    cmd.Undo: Act.UNDO,
    cmd.Join: Act.JOIN,
    cmd.Leave: Act.LEAVE,
    cmd.Rename: Act.RENAME,
    cmd.HandBack: Act.HAND_BACK,
    cmd.NewGame: Act.BEGIN,
    cmd.PlayAgain: Act.BEGIN,
    cmd.PutAway: Act.END,
    cmd.Abandon: Act.END,
    cmd.RollOff: Act.END,
    cmd.TakeNotice: Act.NOTICE,
    cmd.Pause: Act.PAUSE,
    cmd.RealDice: Act.DICE,
    cmd.TimeUp: Act.TIME_UP,
    cmd.AddObservation: Act.SEEN,
    cmd.LearnColours: Act.SEEN,
}


def act_of(command: Command, state: TableState) -> Act:
    """What a command does as the table stands."""
    match command:
        case cmd.Say(BidCall(pushed=pushed, by=by)) if pushed and by in state.cups:
            return Act.PUSH
        case cmd.Correct() if state.is_judged:
            return Act.CORRECT
        case cmd.Correct(Hand()):
            return Act.ROLLED
    return _ACTS[type(command)]


def allows(command: Command, author: Author, now: Snapshot) -> bool:
    """Whether `author` may give `command`: what a page offers."""
    try:
        refuse(command, author, now)
    except NotAllowed:
        return False
    return True


def refuse(command: Command, author: Author, now: Snapshot) -> None:
    """Raises NotAllowed where `author` may not give `command`."""
    act, bots = act_of(command, now.state), dict(now.state.bots)
    may = TABLE[act][author.by]
    if may is May.NO:
        raise NotAllowed("leader_only" if author.by is By.PLAYER else "not_allowed")
    if may is May.OWN:
        player = _player_of(command)
        if player != author.seat and (act is not Act.CALL or player != author.silent):
            raise NotAllowed("not_your_seat")
        if player in bots and author.by is not By.BOT and act is not Act.JOIN:  # that bot has gone home
            raise NotAllowed("bot_seat")
        if act is Act.PUSH and author.by is not By.BOT and player not in _known(author, now):
            raise NotAllowed("push_unknown")
    if may is May.UNDO and now.state.game:
        whose = _whose(act, now.state.game, now)
        if whose is not None and whose not in bots:
            _refuse_step(now.state.game.ruleset.undo, whose, author)
        if act is Act.UNDO and now.undo_hides:
            raise NotAllowed("undo_hides")


def _known(author: Author, now: Snapshot) -> dict[str, tuple[int, ...]]:
    """The cups in phones whose dice the author's phone shows."""
    return dict(known_dice(now.state, now.ledger, author.seat, author.phone).hands)


def _whose(act: Act, game: Game, now: Snapshot) -> str | None:
    """Whose step is taken back or corrected, "" for nobody's, None where there is none."""
    match act:
        case Act.UNDO:
            return now.undoes.player if now.undoes else None
        case Act.RECALL:
            return game.challenge.by if game.challenge else None
    return ""  # a verdict


def _refuse_step(who: str, player: str, author: Author) -> None:
    if who == "host":
        raise NotAllowed("undo_host")
    if who == "caller" and player not in ("", author.seat):
        raise NotAllowed("undo_caller", player=player)


def _player_of(command: Command) -> str:
    """The player for whom a command is given, or whom it is about."""
    match command:
        case cmd.Say(call):
            return call.by
        case cmd.Press(by=by):
            return by or ""
        case cmd.Correct(Hand(player=player)):
            return player
    return str(getattr(command, "player", ""))
