"""Which screen a state of the table calls for, and the small sums the templates need. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.reveal.merging import WHOLE, in_view
from companion.texts import knows

Data = Mapping[str, Any]
Tell = Callable[[str, Mapping[str, object]], str]

FACES = (1, 2, 3, 4, 5, 6)
COLOURS = (
    "red",
    "blue",
    "green",
    "yellow",
    "white",
    "black",
    "orange",
    "purple",
    "turquoise",
    "pink",
    "brown",
    "grey",
)


def screen_of(data: Data) -> str:
    """The screen's name: setup, rolloff, round, reveal, verdict or over."""
    game = data.get("game")
    if not game:
        return "setup"
    if game.get("phase") == "rolloff":
        return "rolloff"
    if data["state"] == "over" or game.get("winner"):
        return "over"
    if data.get("verdict"):
        return "verdict"
    return "reveal" if data.get("reveal") else "round"


def key_of(data: Data) -> str:
    """What must stay the same for a half-made choice, or for dice looked at, to keep their meaning: game,
    round, how often it was thrown, and screen."""
    game = data.get("game") or {}
    number = (game.get("round") or {}).get("number", 0)
    anew = sum(note["kind"] == "taken_back" and note["round"] == number for note in data.get("notes", ()))
    return f"{game.get('id', '')}.{number}.{anew}.{screen_of(data)}"


def news(data: Data) -> list[Data]:
    """What all phones are told of this round and the one before, each thing once."""
    number = ((data.get("game") or {}).get("round") or {}).get("number", 0)
    recent = [note for note in data.get("notes", ()) if note["round"] >= number - 1]
    return list({(told(note), note["name"], note["seat"]): note for note in recent}.values())


def told(note: Data) -> str:
    """The key of the sentence for something that all phones are told."""
    return f"{note['kind']}.{'named' if note['name'] else note['by']}"


def own_rules(ruleset: Data) -> list[str]:
    """The switches that a newcomer must know before the first bid."""
    told = ["raise_rule", "penalty"]
    told += ["calza"] if ruleset["calza"] != "off" else []
    return [*told, "palifico"] if ruleset["palifico"] != "off" and ruleset["lives"] is None else told


def on_turn(data: Data) -> str:
    """The name of the player on turn, "" when nobody is."""
    players = (data.get("game") or {}).get("players", ())
    return next((player["name"] for player in players if player.get("turn")), "")


def next_on_turn(data: Data) -> str:
    """Who follows the player on turn, clockwise; "" when nobody is on turn."""
    names, turn = playing(data), on_turn(data)
    return names[(names.index(turn) + 1) % len(names)] if turn in names else ""


def own_first(players: Sequence[Data], own: str | None) -> list[Data]:
    """The players clockwise from the one whose phone this is; as they sit for anybody else."""
    start = next((at for at, player in enumerate(players) if player["name"] == own), 0)
    return [*players[start:], *players[:start]]


def cue(data: Data, own: str | None) -> str:
    """What has just happened for a phone to sound or buzz, and a number that tells it from the one before:
    turn, bid, dudo, stands, fails, out, winner; "" when nothing has."""
    game = data.get("game") or {}
    screen = screen_of(data)
    verdict = data.get("verdict") or {}
    bids = (game.get("round") or {}).get("bids") or ()
    kinds = {
        "round": "turn" if own and on_turn(data) == own else "bid" if bids else "",
        "reveal": "dudo",
        "verdict": "out" if verdict.get("eliminated") else "stands" if verdict.get("stands") else "fails",
        "over": "winner" if game.get("winner") else "",
    }
    kind = kinds.get(screen, "")
    return f"{kind}:{key_of(data)}.{len(bids)}" if kind else ""


def colour_of(data: Data, name: str | None) -> str:
    """The colour of `name`'s dice, white when unknown."""
    players = (data.get("game") or {}).get("players", ())
    return next((player["colour"] for player in players if player["name"] == name), "white")


def playing(data: Data) -> list[str]:
    """Everybody still in the game, in order of the table."""
    return [player["name"] for player in (data.get("game") or {}).get("players", ()) if not player["out"]]


def spoken_for(phone: Any, data: Data) -> list[str]:
    """The players in whose name a phone may call."""
    return [name for name in playing(data) if phone.speaks_for(name)]


def before(data: Data) -> str:
    """Whose bid the player on turn would doubt: the neighbour on the right."""
    names, turn = playing(data), on_turn(data)
    return names[names.index(turn) - 1] if turn in names else ""


def at_the_call(data: Data) -> list[str]:
    """Everybody who was in the game when the challenge was made, in order of the table."""
    out = set((data.get("verdict") or {}).get("eliminated", ()))
    players = (data.get("game") or {}).get("players", ())
    return [player["name"] for player in players if not player["out"] or player["name"] in out]


def recalled(called: Data, **change: Any) -> Data:
    """The command that corrects one thing about a challenge; a dudo is always of the neighbour's bid."""
    now = {"call": called["call"], "by": called["by"], "bidder": called["bidder"], **change}
    bid = {key: change.get(key, called["bid"][key]) for key in ("quantity", "face")}
    whose = {"bidder": now["bidder"]} if now["call"] == "calza" else {}
    return {"type": "correct_call", "by": now["by"], "call": now["call"], "bid": bid, **whose}


def callers(data: Data) -> list[str]:
    """Who may have pressed the button: those allowed to call calza, or the player on turn."""
    legal = data["game"]["round"]["legal"]
    return list(legal["calza"]) if data.get("asked") == "calza" else [on_turn(data)]


def usual_quantity(legal: Sequence[Sequence[int]], bid: Data | None, total: int) -> int:
    """The quantity to offer first: the standing one when a higher face may follow, else the next usual.

    An opening starts near half of what is expected of a face (a third of the dice, aces being wild).
    """
    usual = sorted({quantity for quantity, face in legal if face != 1}) or sorted({q for q, _ in legal})
    if not usual:
        return 0
    wanted = bid["quantity"] if bid and bid["face"] != 1 else max(1, total // 6)
    return next((quantity for quantity in usual if quantity >= wanted), usual[-1])


def next_raises(legal: Sequence[Sequence[int]]) -> list[Data]:
    """The lowest legal raise of every face."""
    lowest = {face: min(q for q, f in legal if f == face) for face in sorted({f for _, f in legal})}
    return [{"quantity": quantity, "face": face} for face, quantity in lowest.items()]


def quantities(legal: Sequence[Sequence[int]]) -> list[int]:
    """Every quantity that may be bid, rising."""
    return sorted({quantity for quantity, _ in legal})


def likeliest(die: Data) -> list[int]:
    """The faces to offer for a die, likeliest first, each face once."""
    read = (die["face"], *die.get("others", ()), *FACES)
    return list(dict.fromkeys(face for face in read if face in FACES))


def crop_of(die: Data, place: Data, margin: float = 1.6) -> str:
    """The viewBox that shows one die large, in pixels of its place's picture."""
    width, height = place["width"], place["height"]
    side = max(die["size"] * width * margin, 24.0)
    left, top = die["x"] * width - side / 2, die["y"] * height - side / 2
    return f"{left:.1f} {top:.1f} {side:.1f} {side:.1f}"


def dye_of(data: Data, die: Data) -> str:
    """The colour to draw a die in: its owner's where that is known, else as it was read."""
    owner = die.get("owner")
    return colour_of(data, owner) if owner else die.get("colour") or "white"


def in_phone(data: Data, die: Data) -> bool:
    """Whether a die was rolled in a phone, and so is known for certain."""
    players = (data.get("game") or {}).get("players", ())
    cups = [player["name"] for player in players if player.get("phone_cup")]
    return not die.get("place") and any(die["id"].startswith(f"hand.{name}.") for name in cups)


def how_read(die: Data) -> str:
    """How a die stands: struck, cut (off by the border), fixed (by a person), sure or unsure."""
    if die["struck"]:
        return "cut" if is_cut(die) else "struck"
    return "fixed" if die["corrected"] else "sure" if die["certain"] else "unsure"


def is_cut(die: Data) -> bool:
    """Whether a person said that the border cuts this die."""
    return bool(die["struck"] and "cut_off" in die["why"])


def may_be_cut(die: Data, place: Data | None) -> bool:
    """Whether a die lies so near the border of its picture that a part of it may be outside."""
    if place is None or die.get("x") is None:
        return False
    height = place["height"] / place["width"]
    return not in_view(complex(die["x"], die["y"] * height), die["size"], height, WHOLE)


def reason(tell: Tell, die: Data) -> str:
    """Why a die is not certain, in a sentence; "" where there is none."""
    keys = (f"web.doubts.{key}" for key in die["why"])
    return next((tell(key, {}) for key in keys if knows(key)), "")


def place_of(reveal: Data, number: Any) -> Data | None:
    """The place with that number, None when it is not there (a die typed by hand has none)."""
    return next((place for place in reveal.get("places", ()) if place["place"] == number), None)


def die_of(reveal: Data | None, die_id: Any) -> Data | None:
    """The die of the reveal with that id."""
    dice = (reveal or {}).get("dice", ())
    return next((die for die in dice if die["id"] == die_id), None)


def counted(reveal: Data | None) -> list[Data]:
    """The dice that count for the bid, those of its own face first and the wild ones after."""
    if not reveal:
        return []
    face = (reveal.get("bid") or {}).get("face")
    known = [die for die in reveal["dice"] if die["matches"] and die["certain"] and not die["struck"]]
    return sorted(known, key=lambda die: die["face"] != face)


def added(face: int, question: Data) -> Data:
    """The command that adds the die a question misses."""
    whose = {"player": question["player"]} if question.get("player") else {}
    return {"type": "add_die", "face": face, **whose}


def doubtful_in(reveal: Data, place: str) -> int:
    """How many dice of a place were read with doubt."""
    dice = [die for die in reveal["dice"] if die["place"] == place and die["face"]]
    return sum(not die["certain"] and not die["struck"] for die in dice)


def owners_doubtful(reveal: Data) -> bool:
    """Whether colours do not tell whose the dice are: somebody shows too many, or a die is of nobody's."""
    odd = {problem["key"] for problem in reveal.get("problems", ())}
    strangers = any("stranger" in die.get("why", ()) for die in reveal["dice"])
    return strangers or bool(odd & {"player_too_many", "stray"})


def rolled(face: int, name: str, shown: Data | None) -> Data:
    """The command that says what `name` rolled: the die in a picture, or one that nobody looked at."""
    if shown and shown.get("place"):
        return {"type": "set_face", "die": shown["id"], "face": face}
    return {"type": "hand", "player": name, "faces": [face]}


def oddities(reveal: Data) -> list[Data]:
    """What is odd about a reveal beside what the tally says and what nobody has looked at yet."""
    unlooked = {place["player"] for place in reveal["places"] if place["player"] and not place["frames"]}
    told = [one for one in reveal["problems"] if one["key"] not in ("too_few", "unread_place")]
    return [one for one in told if one["key"] != "player_too_few" or one["values"]["player"] not in unlooked]


def oddity(tell: Tell, one: Data) -> str:
    """The sentence of something odd about a reveal, with what was said of the picture behind it."""
    values = one.get("values") or {}
    told = tell(f"web.oddities.{one['key']}", {**values, "n": values.get("number", 0)})
    keys = (f"web.doubts.{key}" for key in str(values.get("why") or "").split(", "))
    why = [tell(key, {}) for key in keys if knows(key)]  # an older version gave reasons that are gone
    return " ".join((told, *why))


def sentence_of(verdict: Data | None, language: str) -> str:
    """The verdict's own sentence, "" when there is none."""
    sentences = (verdict or {}).get("sentences") or {}
    return str(sentences.get(language) or sentences.get("en") or "")


def waiting_for(data: Data) -> str:
    """What a reveal waits for: an answer, or what hinders the camera, or the dice."""
    reveal = data["reveal"]
    if data["state"] == "question" and reveal["questions"]:
        return "question"
    sight = (reveal.get("camera") or {}).get("sight")
    return str(sight) if sight in ("moving", "hand", "dark", "empty") else "looking"


def stamp_of(verdict: Data) -> str:
    """The word stamped on a verdict, by what was called."""
    if verdict.get("call") == "dudo_pass":
        return "pass_good" if verdict["stands"] else "pass_bad"
    if verdict.get("call") == "calza":
        return "exact" if verdict["stands"] else "missed"
    return "stands" if verdict["stands"] else "fails"


def meter(lo: int, hi: int, quantity: int, expected: int) -> dict[str, float]:
    """Where the tally's bar begins and ends, in hundredths of its width."""
    top = max(expected, hi, quantity, 1)
    return {"lo": 100 * lo / top, "maybe": 100 * (hi - lo) / top, "bid": 100 * quantity / top}


def last_pictures(data: Data) -> list[str]:
    """The ids of the pictures behind the verdict, or those of the reveal."""
    verdict = data.get("verdict") or {}
    if verdict.get("pictures"):
        return [str(picture) for picture in verdict["pictures"]]
    return [str(p["picture"]) for p in (data.get("reveal") or {}).get("places", ()) if p.get("picture")]
