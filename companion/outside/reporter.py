"""Follows the table and tells the outlets, from a thread of its own: neither the game nor an outlet waits.

What happened between two views is found by marks: begun, round, bids, call, verdict, winner. Those of the
newer view that the older one lacks are the events. So no event is sent twice, and a view that was skipped
loses only its bids. A mark holds whatever its event tells, so that a correction is told too. The people in it
are renamed with the table: a renamed player has not bid again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from companion.outside.club import evening
from companion.outside.outline import outline
from companion.outside.topics import EVENING, EVENTS, STATE, Message, Topics
from companion.rules.fields import Amount, CallWord, Face, Ordinal
from companion.rules.players import RoundKind
from companion.rules.position import Phase
from companion.statistics.archive import Archive
from companion.table.snapshot import Snapshot
from companion.table.view import rounds_view, view
from companion.table.wire.game import BareBidJson, CalledBidJson, GameJson, PlayedJson, SaidJson
from companion.table.wire.state import TableJson

EventWord: TypeAlias = Literal["game", "round", "bid", "call", "verdict", "winner", "taken_back"]


class EventJson(TypedDict):
    """One event of a game; the members after `round` are there where the event has them."""

    event: EventWord
    game: Annotated[str | None, Meta(description="The id of the game.")]
    round: Annotated[int, Meta(ge=0)]
    preset: NotRequired[Annotated[str, Meta(description="Of `game`: the house rules.")]]
    players: NotRequired[Annotated[list[str], Meta(description="Of `game`: in order of the table.")]]
    starter: NotRequired[Annotated[str, Meta(description="Of `round`.")]]
    kind: NotRequired[Annotated[RoundKind, Meta(description="Of `round`.")]]
    dice: NotRequired[Annotated[Amount, Meta(description="Of `round`: in the game.")]]
    by: NotRequired[Annotated[str, Meta(description="Of `bid`, `call` and `taken_back`: who.")]]
    call: NotRequired[Annotated[CallWord, Meta(description="Of `call`.")]]
    bidder: NotRequired[Annotated[str | None, Meta(description="Of `call`: whose bid or pass it is about.")]]
    quantity: NotRequired[Annotated[Ordinal, Meta(description="Of `bid`, and of `call` about a bid.")]]
    face: NotRequired[Annotated[Face, Meta(description="Of `bid`, and of `call` about a bid.")]]
    zhai: NotRequired[Annotated[bool, Meta(description="Of `bid`: made without wild dice.")]]
    pushed: NotRequired[
        Annotated[list[Face], Meta(description="Of `bid`: dice set out in the open with it.")]
    ]
    sentence: NotRequired[Annotated[str, Meta(description="Of `verdict`, in words.")]]
    stands: NotRequired[Annotated[bool, Meta(description="Of `verdict`: the bid, claim or pass was true.")]]
    losers: NotRequired[Annotated[list[str], Meta(description="Of `verdict`.")]]
    gainer: NotRequired[Annotated[str | None, Meta(description="Of `verdict`.")]]
    winner: NotRequired[Annotated[str, Meta(description="Of `winner`.")]]
    winners: NotRequired[Annotated[list[str], Meta(description="Of `winner`: with partners in teams.")]]


class SentEventJson(EventJson):
    """An event as it leaves the box."""

    table: Annotated[str, Meta(description="The name of the table.")]
    at: Annotated[str, Meta(description="When, in UTC, by the clock of the box.")]
    number: Annotated[int, Meta(ge=1, description="Counts from the start of the box.")]


class _Mark(NamedTuple):
    """An event with its key, which no other of its game has: what happened, and to whom."""

    event: EventJson
    content: tuple[object, ...] = ()
    people: tuple[str | None, ...] = ()

    def key(self, renamed: Mapping[str | None, str]) -> tuple[object, ...]:
        """The same for the same event, in a later view too where `renamed` are called otherwise."""
        about = self.event["event"], self.event["game"], self.event["round"]
        return (*about, self.content, tuple(renamed.get(name, name) for name in self.people))


class StoryJson(TableJson):
    """A view with all rounds so far, for earlier ones may be corrected."""

    rounds: list[PlayedJson]


def story(snapshot: Snapshot) -> StoryJson:
    """The table now, with all rounds so far."""
    return {**view(snapshot), "rounds": rounds_view(snapshot)["rounds"]}


def events(before: StoryJson, after: StoryJson, language: str) -> tuple[EventJson, ...]:
    """What happened between two views, oldest first, with sentences in `language`."""
    renamed = _renamed(before, after)
    known = {mark.key(renamed) for mark in _marks(before, language)}
    new = [mark.event for mark in _marks(after, language) if mark.key({}) not in known]
    return (*_taken_back(before, after), *new)


def _renamed(before: TableJson, after: TableJson) -> dict[str | None, str]:
    """Who is called otherwise since the older view."""
    last = after["announcement"]
    if last is None or last["kind"] != "renamed" or before["announcement"] == last:
        return {}
    return {last["player"]: last["to"]}


def _marks(data: StoryJson, language: str) -> Iterator[_Mark]:
    """All events in a view of a game, oldest first."""
    game = data["game"]
    if game is None:
        return
    names = [player["name"] for player in game["players"]]
    yield _Mark({**_event(game, "game", 0), "preset": game["preset"], "players": names})
    for played in data["rounds"]:
        yield from _played(game, played, language)
    yield from _now(game, data)
    if game["winner"]:
        last = data["rounds"][-1]["round"] if data["rounds"] else 0
        won: EventJson = {**_event(game, "winner", last), "winner": game["winner"]}
        yield _Mark({**won, "winners": list(game["winners"])}, people=(game["winner"],))


def _event(game: GameJson, word: EventWord, number: int) -> EventJson:
    return {"event": word, "game": game["id"], "round": number}


def _played(game: GameJson, played: PlayedJson, language: str) -> Iterator[_Mark]:
    """A round that came to its verdict: its begin and its call are known from the verdict alone."""
    number, verdict, bid = played["round"], played["verdict"], played["bid"]
    yield _Mark({**_event(game, "round", number), "kind": played["kind"]})
    yield _call(game, number, played["call"], played["by"], played["bidder"], bid)
    event: EventJson = {
        **_event(game, "verdict", number),
        "sentence": verdict["sentences"].get(language, verdict["sentences"]["en"]),
        "stands": verdict["stands"],
        "losers": verdict["losers"],
        "gainer": verdict["gainer"],
    }
    counted = verdict["stands"], verdict["count_lo"], verdict["count_hi"]
    yield _Mark(event, counted, (*verdict["losers"], verdict["gainer"]))


def _call(
    game: GameJson,
    number: int,
    call: CallWord,
    by: str,
    bidder: str | None,
    bid: BareBidJson | CalledBidJson | None,
) -> _Mark:
    event: EventJson = {**_event(game, "call", number), "call": call, "by": by, "bidder": bidder}
    if bid is None:
        return _Mark(event, (call,), (by, bidder))
    about = bid["quantity"], bid["face"]
    event["quantity"], event["face"] = about
    return _Mark(event, (call, *about), (by, bidder))


def _now(game: GameJson, data: StoryJson) -> Iterator[_Mark]:
    """The round that is played."""
    now, number, reveal = game["round"], game["round"]["number"], data["reveal"]
    if not number:
        return
    begun: EventJson = {
        **_event(game, "round", number),
        "starter": now["starter"],
        "kind": now["kind"],
        "dice": now["total"],
    }
    if number not in {played["round"] for played in data["rounds"]}:
        yield _Mark(begun)
    for said in now["bids"]:
        if "quantity" in said and "face" in said:
            yield _Mark(_bid(game, said), (said["quantity"], said["face"], "zhai" in said), (said["by"],))
    if reveal and reveal["call"] != "roll" and reveal["by"] and game["phase"] is Phase.REVEAL:
        yield _call(game, number, reveal["call"], reveal["by"], reveal["bidder"], reveal["bid"])


def _bid(game: GameJson, said: SaidJson) -> EventJson:
    event: EventJson = {
        **_event(game, "bid", game["round"]["number"]),
        "by": said["by"],
        "quantity": said["quantity"],
        "face": said["face"],
    }
    if "zhai" in said:
        event["zhai"] = True
    if "pushed" in said:
        event["pushed"] = said["pushed"]
    return event


def _taken_back(before: TableJson, after: TableJson) -> Iterator[EventJson]:
    """A step was undone."""
    last, game = after["announcement"], after["game"]
    if (
        last is None
        or game is None
        or last["kind"] not in ("undone", "taken_back")
        or before["announcement"] == last
    ):
        return
    yield {**_event(game, "taken_back", game["round"]["number"]), "by": last["name"]}


class Reporter:
    """Tells the outlets the state of the table after each change, each event once, and the evening's games.

    Each of `puts` sends a message by an outlet. `name` is what the table is called, `language` that of
    sentences. The sums of all games of the `archive` may be slow to make, and are made after a game alone.
    """

    def __init__(
        self,
        puts: Sequence[Callable[[Message], None]],
        archive: Archive,
        topics: Topics,
        name: str,
        language: str,
    ) -> None:
        self._puts, self._archive = puts, archive
        self._topics, self._name, self._language = topics, name, language
        self._number = 0
        self._before: StoryJson | None = None
        self._sums_mark: object = None

    def report(self, snapshot: Snapshot) -> None:
        """Tell what has changed since the snapshot before."""
        data = story(snapshot)
        before, self._before = self._before, data
        state = outline(data, self._name, self._language)
        self._put(Message(self._topics.of(STATE), _text(state), retained=True))
        for event in events(before, data, self._language) if before else ():
            self._number += 1
            sent: SentEventJson = {
                **event,
                "table": self._name,
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "number": self._number,
            }
            self._put(Message(self._topics.of(EVENTS), _text(sent)))

    def report_evening(self, now: Snapshot) -> None:
        """Tell the evening's games where any but the one that goes on was won, corrected or deleted since."""
        kept = self._archive.mark(but=now.game_id if now.state.goes_on else None)
        if kept == self._sums_mark:
            return
        found = self._archive.overview()
        self._sums_mark = None if found.pending else kept  # once more later where sums are still to be made
        text = _text(evening(found.games, self._name))
        self._put(Message(self._topics.of(EVENING), text, retained=True))

    def _put(self, message: Message) -> None:
        for put in self._puts:
            put(message)


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
