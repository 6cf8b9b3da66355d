"""Reads commands: `{"type": "bid", "by": "Ana", "quantity": 5, "face": 3}` and its like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import cast, get_args

import msgspec

from companion.errors import BadCommand, CompanionError
from companion.names import clean_name
from companion.reveal.corrections import (
    Add,
    AllApart,
    AsRead,
    ByHand,
    Correction,
    CutOff,
    Hand,
    SameDie,
    SetFace,
    SetOwner,
    Several,
    Strike,
    TwoDice,
    check,
)
from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    DeclarePalifico,
    Dudo,
    DudoPass,
    Pass,
    Visibility,
)
from companion.rules.presets import preset
from companion.table.commands import (
    Abandon,
    Command,
    Confirm,
    Correct,
    CorrectCall,
    ForgetColours,
    HandBack,
    Join,
    Leave,
    NewGame,
    NextRound,
    PlayAgain,
    Press,
    PutAway,
    Rename,
    RollOff,
    Say,
    TakeNotice,
    TakePicture,
    Undo,
)
from companion.table.wire.commands import (
    AbandonSent,
    AnyCommand,
    BidSent,
    CallSent,
    CalzaSent,
    ChallengeSent,
    ChooseDirectionSent,
    ChooseVisibilitySent,
    ConfirmSent,
    CorrectCallSent,
    DeclarePalificoSent,
    DudoPassSent,
    DudoSent,
    ForgetColoursSent,
    HandBackSent,
    JoinSent,
    LeaveSent,
    NewGameSent,
    NextRoundSent,
    ObservationSent,
    PassSent,
    PlainSent,
    PlayAgainSent,
    PressSent,
    PutAwaySent,
    RenameSent,
    RollOffSent,
    SeatingSent,
    TakeNoticeSent,
    UndoSent,
)
from companion.table.wire.corrections import (
    AddDieSent,
    AllApartSent,
    AsReadSent,
    CorrectionSent,
    CutOffSent,
    HandSent,
    SameDieSent,
    SetFaceSent,
    SetOwnerSent,
    SeveralSent,
    StrikeSent,
    TwoDiceSent,
    TypeCountSent,
)


def parse(data: object) -> Command:
    """The command in a JSON object; raises BadCommand, BadRuleset with what is wrong about it."""
    if not isinstance(data, Mapping):
        raise BadCommand("command_unreadable")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in COMMAND_TYPES:
        raise BadCommand("command_unknown", type=ascii(kind)[:40].strip("'"))
    try:
        json.dumps(data, ensure_ascii=False).encode()  # half of a pair of surrogates is no character
        return _command(msgspec.convert(data, AnyCommand))
    except CompanionError:
        raise
    except (TypeError, ValueError, RecursionError) as error:
        raise BadCommand("command_unreadable") from error


def _command(sent: AnyCommand) -> Command:
    if isinstance(sent, PlainSent):
        return _PLAIN[type(sent)]
    if isinstance(sent, SeatingSent):
        return _seating(sent)
    if isinstance(sent, CorrectionSent):
        return _correct(sent)
    match sent:
        case NewGameSent():
            return _new_game(sent)
        case RollOffSent(rolls=rolls):
            return RollOff(tuple(tuple(one.items()) for one in rolls))
        case PressSent(button=button, by=by):
            return Press(button, by)
        case ObservationSent(place=place):
            return TakePicture(place)
        case CorrectCallSent():
            return CorrectCall(_challenge(sent))
        case _:
            return Say(_call(sent))


_PLAIN: Mapping[type[PlainSent], Command] = {
    ForgetColoursSent: ForgetColours(),
    ConfirmSent: Confirm(),
    NextRoundSent: NextRound(),
    UndoSent: Undo(),
    AbandonSent: Abandon(),
    PlayAgainSent: PlayAgain(),
    PutAwaySent: PutAway(),
    TakeNoticeSent: TakeNotice(),
}


def _new_game(sent: NewGameSent) -> NewGame:
    ruleset = preset(sent.preset).with_house(sent.house or {})
    players = tuple((clean_name(one.name), one.colour[:20]) for one in sent.players)
    cups = tuple(
        clean_name(one.name) for one in sent.players if (not one.real_dice if one.bot else one.phone_cup)
    )
    bots = tuple((clean_name(one.name), one.bot) for one in sent.players if one.bot)
    first = clean_name(sent.starter) if sent.starter else None
    handicaps = tuple((clean_name(one.name), one.handicap) for one in sent.players if one.handicap)
    return NewGame(ruleset, players, first, cups, bool(sent.roll_off), bots, handicaps)


def _seating(sent: SeatingSent) -> Command:
    match sent:
        case JoinSent(player=player):
            return Join(clean_name(player), sent.colour[:20], sent.after, bool(sent.phone_cup), sent.bot)
        case LeaveSent(player=player):
            return Leave(player)
        case HandBackSent(player=player, count=count):
            return HandBack(player, count)
        case RenameSent(player=player, to=to):
            return Rename(player, clean_name(to))


def _call(sent: CallSent) -> Call:
    match sent:
        case ChallengeSent():
            return _challenge(sent)
        case BidSent(by=by):
            return BidCall(by, Bid(sent.quantity, sent.face, bool(sent.zhai)), tuple(sent.pushed))
        case DudoSent(by=by):
            return Dudo(by)
        case CalzaSent(by=by):
            return Calza(by)
        case PassSent(by=by):
            return Pass(by)
        case DudoPassSent(by=by):
            return DudoPass(by)
        case ChooseVisibilitySent(by=by, visibility=visibility):
            if visibility not in get_args(Visibility):
                raise BadCommand("visibility_not_allowed")
            return ChooseVisibility(by, cast(Visibility, visibility))
        case ChooseDirectionSent(by=by, direction=direction):
            return ChooseDirection(by, direction)
        case DeclarePalificoSent(by=by):
            return DeclarePalifico(by)


def _challenge(sent: ChallengeSent) -> Dudo | Calza:
    """A call with the bid it is about, from a table that does not enter its bids."""
    kind = Dudo if sent.call == "dudo" else Calza
    bid = Bid(sent.bid.quantity, sent.bid.face, bool(sent.bid.zhai))
    return kind(sent.by, bid, sent.bidder)


def _correct(sent: CorrectionSent) -> Correct:
    """A person's correction, whose values are in their ranges; raises BadCommand."""
    correction = _correction(sent)
    check(correction)
    return Correct(correction)


def _correction(sent: CorrectionSent) -> Correction:
    match sent:
        case SetFaceSent() | StrikeSent() | TwoDiceSent():
            return _answer(sent)
        case SetOwnerSent(die=die, player=player):
            return SetOwner(die, player)
        case CutOffSent(die=die):
            return CutOff(die)
        case AsReadSent(place=place):
            return AsRead(place)
        case SameDieSent(first=first, second=second):
            return SameDie(first, second)
        case AllApartSent():
            return AllApart()
        case AddDieSent():
            return Add(sent.face, sent.place, sent.x, sent.y, sent.player)
        case HandSent(player=player, faces=faces):
            return Hand(player, tuple(faces))
        case TypeCountSent(count=count):
            return ByHand(count)
        case SeveralSent(answers=answers):
            return Several(tuple(_answer(answer) for answer in answers))


def _answer(sent: SetFaceSent | StrikeSent | TwoDiceSent) -> SetFace | Strike | TwoDice:
    match sent:
        case SetFaceSent(die=die, face=face):
            return SetFace(die, face)
        case StrikeSent(die=die):
            return Strike(die)
        case TwoDiceSent(first=first, second=second):
            return TwoDice(first, second)


COMMAND_TYPES = tuple(str(sent.__struct_config__.tag) for sent in get_args(AnyCommand))
"""The `type` of every command."""
