"""How the dice of a reveal are shown, with words, doubts and the commands that correct them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.reveal.corrections import MAX_ANSWERS
from companion.reveal.merging import INSIDE, in_view
from companion.reveal.state import hand_of
from companion.table.wire.state import (
    DieJson,
    MarkJson,
    OddityJson,
    PlaceJson,
    QuestionJson,
    RevealJson,
    StateJson,
)
from companion.texts import knows
from web.pages.screens import COLOURS, FACES, Command, colour_of, players_of

Translate = Callable[[str, Mapping[str, object]], str]


def likeliest(die: DieJson) -> list[int]:
    """The faces to offer for a die, likeliest first, each face once."""
    read = (die["face"], *die["others"], *FACES)
    return list(dict.fromkeys(face for face in read if face in FACES))


def crop_of(die: DieJson, place: PlaceJson, margin: float = 1.6) -> str:
    """The viewBox that shows one die large, in pixels of its place's picture."""
    width, height = place["width"], place["height"]
    side = max(die["size"] * width * margin, 24.0)
    left, top = (die["x"] or 0.0) * width - side / 2, (die["y"] or 0.0) * height - side / 2
    return f"{left:.1f} {top:.1f} {side:.1f} {side:.1f}"


def dye_of(data: StateJson, die: DieJson) -> str:
    """The colour to draw a die in: its owner's where that is known, else as it was read."""
    owner = die["owner"]
    return colour_of(data, owner) if owner else die["colour"] or "white"


def die_words(translate: Translate, data: StateJson, die: DieJson) -> str:
    """A die for whoever cannot see it: owner and colour where known, its face, and how it was read."""
    how = translate(f"web.reveal.how.{how_read(die)}", {})
    face, colour, owner = translate(f"web.faces.one.{die['face']}", {}), dye_of(data, die), die["owner"]
    if colour not in COLOURS or not (owner or die["colour"]):
        return f"{face}, {how}"
    said = {"face": face, "how": how, "colour": translate(f"web.colours.{colour}", {}), "owner": owner}
    return translate("web.reveal.die_of" if owner else "web.reveal.die_in", said)


def in_phone(data: StateJson, die: DieJson) -> bool:
    """Whether a die was rolled in a phone, and so is known for certain."""
    cups = [player["name"] for player in players_of(data) if player["phone_cup"]]
    return not die["place"] and hand_of(die["id"]) in cups


def all_in_phones(data: StateJson) -> bool:
    """Whether all dice of the reveal were rolled in phones: there is nothing to correct or to add."""
    reveal = data["reveal"]
    if reveal is None or len(reveal["dice"]) != reveal["expected"]:
        return False
    return all(in_phone(data, die) for die in reveal["dice"])


def how_read(die: DieJson) -> str:
    """How a die stands: struck, cut (off by the border), fixed (by a person), sure or unsure."""
    if die["struck"]:
        return "cut" if is_cut(die) else "struck"
    return "fixed" if die["corrected"] else "sure" if die["certain"] else "unsure"


def is_cut(die: DieJson) -> bool:
    """Whether a person said that the border cuts this die."""
    return bool(die["struck"] and "cut_off" in die["why"])


def may_be_cut(die: DieJson, place: PlaceJson | None) -> bool:
    """Whether a die lies so near the border of its picture that a part of it may be outside."""
    x, y = die["x"], die["y"]
    if place is None or x is None or y is None:
        return False
    height = place["height"] / place["width"]
    return not in_view(complex(x, y * height), die["size"], height, INSIDE)


def reason(translate: Translate, die: DieJson) -> str:
    """Why a die is not certain, in a sentence; "" where there is none."""
    keys = (f"web.doubts.{key}" for key in die["why"])
    return next((translate(key, {}) for key in keys if knows(key)), "")


def place_of(reveal: RevealJson, name: str | None) -> PlaceJson | None:
    """The place of that name, None when it is not there (a die typed by hand has none)."""
    return next((place for place in reveal["places"] if place["place"] == name), None)


def die_of(reveal: RevealJson | None, die_id: str | None) -> DieJson | None:
    """The die of the reveal with that id."""
    dice = reveal["dice"] if reveal else []
    return next((die for die in dice if die["id"] == die_id), None)


def counted(reveal: RevealJson | None) -> list[DieJson]:
    """The dice that count for the bid, those of its own face first and the wild ones after."""
    if not reveal:
        return []
    face = reveal["bid"]["face"] if reveal["bid"] else None
    known = [die for die in reveal["dice"] if die["matches"] and die["certain"] and not die["struck"]]
    return sorted(known, key=lambda die: die["face"] != face)


def added(face: int, question: QuestionJson) -> Command:
    """The command that adds the die a question misses."""
    whose = {"player": question["player"]} if question["player"] else {}
    return {"type": "add_die", "face": face, **whose}


def confirming(question: QuestionJson) -> Command:
    """The command that says of all dice of a question that they are what they seem, of pairs that none is one
    die."""
    pairs = [{"type": "two_dice", "first": one, "second": other} for one, other in question["pairs"]]
    return {"type": "several", "answers": pairs or [_as_marked(mark) for mark in question["marked"]]}


def _as_marked(mark: MarkJson) -> Command:
    if not mark["face"]:
        return {"type": "strike", "die": mark["die"]}
    return {"type": "set_face", "die": mark["die"], "face": mark["face"]}


def doubtful_in(reveal: RevealJson, place: str) -> int:
    """How many dice of a place were read with doubt."""
    dice = [die for die in reveal["dice"] if die["place"] == place and die["face"]]
    return sum(not die["certain"] and not die["struck"] for die in dice)


def as_shown(reveal: RevealJson, place: str) -> Command:
    """The command that says of the dice of a place that they are what is shown, and of no later picture's."""
    dice = [die for die in reveal["dice"] if die["place"] == place and die["face"] and not die["struck"]]
    first = sorted(dice, key=lambda die: die["certain"])[:MAX_ANSWERS]
    shown = [{"type": "set_face", "die": die["id"], "face": die["face"]} for die in first]
    return {"type": "several", "answers": shown}


def owners_doubtful(reveal: RevealJson) -> bool:
    """Whether owners by colour are doubtful: somebody shows too many dice, or a die is nobody's."""
    odd = {problem["key"] for problem in reveal["problems"]}
    strangers = any("stranger" in die["why"] for die in reveal["dice"])
    return strangers or bool(odd & {"player_too_many", "stray"})


def rolled(face: int, name: str, shown: DieJson | None) -> Command:
    """The command for the roll of `name`: the die in a picture, or one without a picture."""
    if shown and shown["place"]:
        return {"type": "set_face", "die": shown["id"], "face": face}
    return {"type": "hand", "player": name, "faces": [face]}


def oddities(reveal: RevealJson) -> list[OddityJson]:
    """The oddities of a reveal, without those that the tally or a place not yet pictured already shows."""
    unlooked = {place["player"] for place in reveal["places"] if place["player"] and not place["frames"]}
    shown = [one for one in reveal["problems"] if one["key"] not in ("too_few", "unread_place")]
    return [one for one in shown if one["key"] != "player_too_few" or one["values"]["player"] not in unlooked]


def oddity(translate: Translate, one: OddityJson) -> str:
    """The sentence of something odd about a reveal, with what was said of the picture behind it."""
    values = one["values"]
    sentence = translate(f"web.oddities.{one['key']}", {**values, "n": values["number"]})
    keys = (f"web.doubts.{key}" for key in values["why"].split(", "))
    why = [translate(key, {}) for key in keys if knows(key)]  # an older version gave reasons that are gone
    return " ".join((sentence, *why))
