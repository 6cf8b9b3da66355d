"""Which screen a state of the table calls for, and the small sums the templates need. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.reveal.corrections import ByHand, Hand
from companion.rules.calls import Pass
from companion.rules.position import Phase
from companion.rules.ruleset import RulesetJson
from companion.table import commands as cmd
from companion.table.authority import allows
from companion.table.snapshot import Snapshot
from companion.table.wire.game import (
    BidJson,
    CalledJson,
    GameJson,
    OutcomeJson,
    PlayerJson,
    VerdictJson,
)
from companion.table.wire.state import PlaceJson, RevealJson, StateJson
from web.sessions.access import Phone

Command = dict[str, object]
"""A command as the page writes it into a button."""

FACES = (1, 2, 3, 4, 5, 6)
COLOURS = (
    *("red", "blue", "yellow", "white", "black", "green"),  # the first are told apart without red from green
    *("orange", "purple", "turquoise", "pink", "brown", "grey"),
)
SIGNS = "😎😇😈😺🐮🐵⚡⚓"
"""Emoji to wear before one's name; every system's fonts have them. Any other may be typed."""


def screen_of(data: StateJson) -> str:
    """The screen's name: setup, rolloff, round, reveal, verdict or over."""
    game = data["game"]
    if not game:
        return "setup"
    if game["phase"] == "rolloff":
        return "rolloff"
    if data["state"] == "over" or game["winner"]:
        return "over"
    if data["verdict"]:
        return "verdict"
    return "reveal" if data["reveal"] else "round"


def game_id(data: StateJson) -> str | None:
    """The id of the game on the table, None when there is none."""
    return data["game"]["id"] if data["game"] else None


def players_of(data: StateJson) -> list[PlayerJson]:
    """Everybody who plays or has played in this game, clockwise."""
    return data["game"]["players"] if data["game"] else []


def key_of(data: StateJson) -> str:
    """The key of a half-made choice, or of dice looked at: their meaning changes with it.

    It holds game, round, how often the round was thrown, and screen.
    """
    game = data["game"]
    at = f"{game['id']}.{game['round']['number']}.{game['round']['throws']}" if game else ".0.0"
    return f"{at}.{screen_of(data)}"


def about(data: StateJson) -> str:
    """The key of a question about the standing bid or the call: another one, or others who are there to call,
    make it another question."""
    assert data["game"] is not None
    bids, called = data["game"]["round"]["bids"], data["verdict"] or data["reveal"]
    call = [called["call"], called["by"], called["bidder"], called["bid"]] if called else []
    return f"{key_of(data)} {len(bids)} {bids[-1:]} {call} {playing(data)}"


def of_dice(data: StateJson, place: PlaceJson | None) -> str:
    """The key of a question about dice of a place, or such as no picture shows: numbers begin anew in another
    reveal, and with a phone's next picture."""
    assert data["reveal"] is not None
    number = data["reveal"]["number"]
    picture = place and place["phone"] is not None and place["picture"]
    return f"{about(data)} {[number, place and place['place'], picture]}"


def of_step(data: StateJson) -> str:
    """The key of the question whether to take the last step back: another one is another question."""
    return f"{about(data)} {data['undoes']}"


def questions(data: StateJson) -> list[str]:
    """The keys of all questions that may be open now."""
    places = (None, *data["reveal"]["places"]) if data["reveal"] else ()
    return [about(data), of_step(data), *(of_dice(data, place) for place in places)]


def undo_at(phone: Phone, now: Snapshot, data: StateJson) -> str:
    """Where this phone may take the last step back: "below", away from the thumb, where it is that of another
    person; else in the "bar"; "" where it may not."""
    if now.undoes is None or not _may(phone, cmd.Undo(), now):
        return ""
    people = {player["name"] for player in players_of(data) if not player["bot"]} - {phone.seat}
    return "below" if not phone.free and now.undoes.player in people else "bar"


def may_correct(phone: Phone, now: Snapshot) -> bool:
    """Whether this phone may correct dice: after a verdict as the house rule says who may undo."""
    return not now.state.seats_changed and _may(phone, cmd.Correct(ByHand(0)), now)


def may_recall(phone: Phone, now: Snapshot) -> bool:
    """Whether this phone may correct the call of this round."""
    call = now.state.game.challenge if now.state.game and not now.state.seats_changed else None
    return call is not None and _may(phone, cmd.CorrectCall(call), now)


def may_roll(phone: Phone, name: str, now: Snapshot) -> bool:
    """Whether this phone may enter what that player rolled."""
    return _may(phone, cmd.Correct(Hand(name, ())), now)


def _may(phone: Phone, command: cmd.Command, now: Snapshot) -> bool:
    return phone.plays and allows(command, phone.author, now)


def seats_change(data: StateJson) -> bool:
    """Whether the roll for seats has others sit elsewhere; going round the table together is no change."""
    roll = data["game"]["seat_roll"] if data["game"] else None
    if roll is None or len(roll["seats"]) != len(roll["before"]):
        return False
    at = roll["before"].index(roll["seats"][0]) if roll["seats"][0] in roll["before"] else 0
    return roll["seats"] != roll["before"][at:] + roll["before"][:at]


def around(number: int) -> list[tuple[float, float, str]]:
    """Seats round a table, clockwise from the top: x, y on the unit circle, and how a name there is set."""
    angles = [2 * math.pi * seat / number for seat in range(number)]
    places = [(round(math.sin(angle), 3), round(-math.cos(angle), 3)) for angle in angles]
    return [(x, y, "middle" if abs(x) < 0.3 else "start" if x > 0 else "end") for x, y in places]


_SHORT = 12
"""The longest name, in characters, that fits on a line of the largest type on the narrowest phone."""

_UNUSUAL = {
    "direction": "clockwise",
    "wild": "always",
    "wild_face": 1,
    "dudo_by": "on_turn",
    "dudo_exact": "caller_loses",
    "loser": "loser",
    "next_starter": "loser",
}
"""Switches that a newcomer must know where they are not set as at most tables."""


def own_rules(ruleset: RulesetJson) -> list[str]:
    """The switches that a newcomer must know before the first bid."""
    rules = ["raise_rule", "penalty"]
    rules += ["calza"] if ruleset["calza"] != "off" else []
    rules += [name for name, usual in _UNUSUAL.items() if ruleset.get(name, usual) != usual]
    obliges = ruleset["palifico"] != "off" and ruleset["lives"] is None
    obliges = obliges and ruleset["penalty"] not in ("tally", "gain")
    return [*rules, "palifico"] if obliges else rules


def counted(ruleset: RulesetJson) -> str:
    """What a verdict takes from a player: "marks" (it gives them), "lives" or "dice"."""
    return "marks" if ruleset["penalty"] == "tally" else "lives" if ruleset["lives"] is not None else "dice"


def on_turn(data: StateJson) -> str:
    """The name of the player on turn, "" when nobody is."""
    return next((player["name"] for player in players_of(data) if player["turn"]), "")


def beside_turn(data: StateJson, steps: int) -> str:
    """Who is so many steps further on from the player on turn, the way that bids go round: -1 is whose bid he
    would doubt; "" when nobody is on turn."""
    names, turn = playing(data), on_turn(data)
    if turn not in names or data["game"] is None:
        return ""
    along = steps if data["game"]["round"]["clockwise"] else -steps
    return names[(names.index(turn) + along) % len(names)]


def unbroken(name: str) -> str:
    """A short name as one word, so that no line of large type ends within "Player 6"."""
    return name.replace(" ", "\N{NO-BREAK SPACE}") if len(name) <= _SHORT else name


def own_first(players: Sequence[PlayerJson], own: str | None) -> list[PlayerJson]:
    """The players clockwise from the one whose phone this is; as they sit for anybody else."""
    start = next((at for at, player in enumerate(players) if player["name"] == own), 0)
    return [*players[start:], *players[:start]]


def cue(data: StateJson, own: str | None) -> str:
    """The event for which a phone sounds or buzzes, and a number that distinguishes it from the one before.

    One of turn, bid, dudo, stands, fails, out, winner; "" when there is none.
    """
    game, verdict = data["game"], data["verdict"]
    bids = game["round"]["bids"] if game else []
    kinds = {
        "round": "turn" if own and on_turn(data) == own else "bid" if bids else "",
        "reveal": "dudo",
        "verdict": _cue_of(verdict) if verdict else "",
        "over": "winner" if game and game["winner"] else "",
    }
    kind = kinds.get(screen_of(data), "")
    return f"{kind}:{key_of(data)}.{len(bids)}" if kind else ""


def _cue_of(verdict: VerdictJson) -> str:
    return "out" if verdict["eliminated"] else "stands" if verdict["stands"] else "fails"


def colour_of(data: StateJson, name: str | None) -> str:
    """The colour of `name`'s dice, white when unknown."""
    return next((player["colour"] for player in players_of(data) if player["name"] == name), "white")


def playing(data: StateJson) -> list[str]:
    """Everybody still in the game, in order of the table."""
    return [player["name"] for player in players_of(data) if not player["out"]]


def spoken_for(phone: Phone, now: Snapshot) -> list[str]:
    """Those players in whose name a phone may call; bots speak for themselves."""
    bots, players = dict(now.state.bots), now.state.game.players if now.state.game else ()
    own = (phone.seat, phone.silent)
    people = [player.name for player in players if player.name not in bots]
    return [name for name in people if (phone.free or name in own) and _may(phone, cmd.Say(Pass(name)), now)]


def at_the_call(data: StateJson) -> list[str]:
    """Everybody who was in the game when the challenge was made, in order of the table."""
    out = set(data["verdict"]["eliminated"] if data["verdict"] else ())
    return [player["name"] for player in players_of(data) if not player["out"] or player["name"] in out]


def recalled(called: CalledJson | RevealJson, *, anybody: bool = False, **change: object) -> Command:
    """The command that corrects one thing about a challenge. A dudo names its bidder only where anybody may
    doubt; else it is always of the neighbour's bid. Who called and who bid change places where one is to be
    the other."""
    now = {"call": called["call"], "by": called["by"], "bidder": called["bidder"], **change}
    if now["by"] == now["bidder"]:
        now = {**now, "by": called["bidder"], "bidder": called["by"]}
    was = called["bid"]
    said = {part: change.get(part, was.get(part) if was else None) for part in ("quantity", "face", "zhai")}
    bid = {part: value for part, value in said.items() if value is not None}
    whose = {"bidder": now["bidder"]} if now["call"] == "calza" or anybody else {}
    return {"type": "correct_call", "by": now["by"], "call": now["call"], "bid": bid, **whose}


def callers(data: StateJson) -> list[str]:
    """Who may have pressed the button: those allowed to call calza or dudo now, or the player on turn."""
    if data["game"] is None:
        return []
    legal = data["game"]["round"]["legal"]
    return list(legal["calza"] if data["asked"] == "calza" else legal["doubters"]) or [on_turn(data)]


def hides_dice(data: StateJson) -> bool:
    """Whether it is hidden now how many dice the players have left."""
    game = data["game"]
    return game is not None and game["house"]["dice_left"] == "hidden" and game["phase"] == Phase.BIDDING


def faces_of(bids: Sequence[tuple[int, int]], quantity: int) -> frozenset[int]:
    """The faces of which so many may be bid."""
    return frozenset(face for number, face in bids if number == quantity)


def usual_quantity(legal: Sequence[Sequence[int]], bid: BidJson | None, total: int) -> int:
    """The quantity to offer first: the standing one when a higher face may follow, else the next usual.

    An opening starts near half of what is expected of a face (a third of the dice, aces being wild).
    """
    usual = sorted({quantity for quantity, face in legal if face != 1}) or sorted({q for q, _ in legal})
    if not usual:
        return 0
    wanted = bid["quantity"] if bid and bid["face"] != 1 else max(1, total // 6)
    return next((quantity for quantity in usual if quantity >= wanted), usual[-1])


def held(hands: Sequence[tuple[str, tuple[int, ...]]], game: GameJson, name: str) -> list[int]:
    """How many dice of each face, from 1 on, a player has under the cup; empty where these hands lack it."""
    found = dict(hands).get(name, ())
    out = next((player["pushed"] for player in game["players"] if player["name"] == name), [])
    return [found.count(face) - out.count(face) for face in FACES] if found else []


def next_raises(legal: Sequence[Sequence[int]]) -> list[dict[str, int]]:
    """The lowest legal raise of every face."""
    lowest = {face: min(q for q, f in legal if f == face) for face in sorted({f for _, f in legal})}
    return [{"quantity": quantity, "face": face} for face, quantity in lowest.items()]


def quantities(legal: Sequence[Sequence[int]]) -> list[int]:
    """Every quantity that may be bid, rising."""
    return sorted({quantity for quantity, _ in legal})


def sentence_of(verdict: OutcomeJson | None, language: str) -> str:
    """The verdict's own sentence, "" when there is none."""
    sentences = verdict["sentences"] if verdict else {}
    return sentences.get(language) or sentences.get("en") or ""


def waiting_for(data: StateJson) -> str:
    """The state of an open reveal: an answer is missing, or a fault of the camera, or dice."""
    reveal = data["reveal"]
    if data["state"] == "question" and reveal and reveal["questions"]:
        return "question"
    preview = reveal["camera"]["preview"] if reveal else ""
    if preview in ("moving", "hand", "dark", "bright", "empty", "reading"):
        return preview
    torn = reveal and any("torn" in str(odd["values"].get("why")) for odd in reveal["problems"])
    return "torn" if torn else "looking"


def stamp_of(verdict: VerdictJson) -> str:
    """The word stamped on a verdict, by what was called."""
    if verdict["call"] == "dudo_pass":
        return "pass_good" if verdict["stands"] else "pass_bad"
    if verdict["call"] == "calza":
        return "exact" if verdict["stands"] else "missed"
    return "stands" if verdict["stands"] else "fails"


def meter(lo: int, hi: int, quantity: int, expected: int) -> dict[str, float]:
    """Where the tally's bar begins and ends, in hundredths of its width."""
    top = max(expected, hi, quantity, 1)
    return {"lo": 100 * lo / top, "maybe": 100 * (hi - lo) / top, "bid": 100 * quantity / top}


def last_pictures(data: StateJson) -> list[str]:
    """The ids of the pictures behind the verdict, or those of the reveal."""
    verdict, reveal = data["verdict"], data["reveal"]
    if verdict and verdict["pictures"]:
        return list(verdict["pictures"])
    return [place["picture"] for place in reveal["places"] if place["picture"]] if reveal else []
