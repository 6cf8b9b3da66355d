"""States of the table as the page gets them, one for each screen, written by hand."""

from __future__ import annotations

import copy
from typing import Any

Data = dict[str, Any]


def player(seat: int, name: str, colour: str, dice: int, **more: Any) -> Data:
    plain = {"lives": None, "out": dice == 0, "turn": False, "starts": False, "palifico": dice == 1}
    return {"seat": seat, "name": name, "colour": colour, "dice": dice, **plain, **more}


def people() -> list[Data]:
    return [
        player(1, "Ana", "red", 5, starts=True),
        player(2, "Bea", "blue", 4, turn=True),
        player(3, "Carlos", "green", 1),
        player(4, "Doña Inés", "yellow", 0),
    ]


def legal(**more: Any) -> Data:
    bids = [[q, f] for q in range(4, 11) for f in range(2, 7) if q > 4 or f > 3]
    aces = [[q, 1] for q in range(2, 11)]
    plain = {"bids": sorted(aces + bids), "dudo": True, "calza": ["Bea"], "pass": False, "dudo_pass": False}
    return {**plain, "visibility": False, **more}


def game(**more: Any) -> Data:
    bid = {"quantity": 4, "face": 3, "by": "Ana"}
    current = {
        "number": 3,
        "kind": "normal",
        "starter": "Ana",
        "turn": "Bea",
        "visibility": None,
        "bid": bid,
        "bids": [bid],
        "total": 10,
        "legal": legal(),
    }
    plain = {"id": "g1", "preset": "modern", "house": {}, "players": people(), "round": current}
    return {**plain, "winner": None, "pot": 0, "history": history(), **more}


def history() -> list[Data]:
    return [
        {
            "round": 1,
            "call": "dudo",
            "by": "Bea",
            "bid": {"quantity": 6, "face": 5, "by": "Ana"},
            "bidder": "Ana",
            "count": 7,
            "verdict": None,
            "picture": "shot",
        },
    ]


def base(state: str, **more: Any) -> Data:
    box = {
        "simulated": True,
        "state": state,
        "rgb": [255, 170, 40],
        "seats": ["starts", "in", "in", "out"],
        "camera": "simulated",
        "buttons": ["dudo", "calza", "ok"],
    }
    plain = {"state": state, "notice": None, "can_undo": True, "undo_what": "bid", "game": None}
    return {**plain, "reveal": None, "verdict": None, "box": box, **more}


def idle() -> Data:
    return base("idle", can_undo=False)


def bidding() -> Data:
    return base("bidding", game=game())


def opening() -> Data:
    data = bidding()
    data["game"]["round"].update(bid=None, bids=[])
    data["game"]["round"]["legal"].update(
        bids=[[q, f] for q in range(1, 11) for f in range(2, 7)], dudo=False, calza=[]
    )
    return data


def die(number: int, face: int, colour: str, x: float, y: float, **more: Any) -> Data:
    plain = {"id": f"d{number}", "place": "all", "face": face, "x": x, "y": y, "size": 0.085, "colour": colour}
    known = {"certain": True, "corrected": False, "matches": face in (1, 3), "others": []}
    return {**plain, **known, **more}


def reveal(**more: Any) -> Data:
    dice = [
        die(1, 3, "red", 0.16, 0.3),
        die(2, 1, "red", 0.3, 0.55),
        die(3, 6, "red", 0.12, 0.72),
        die(4, 2, "blue", 0.5, 0.3),
        die(5, 3, "blue", 0.46, 0.68),
        die(6, 4, "blue", 0.63, 0.5),
        die(7, 5, "blue", 0.7, 0.78, certain=False, others=[3, 4]),
        die(8, 6, "green", 0.85, 0.35),
    ]
    plain = {
        "call": "dudo",
        "by": "Bea",
        "bid": {"quantity": 4, "face": 3},
        "bidder": "Ana",
        "wild": True,
        "lo": 3,
        "hi": 6,
        "settled": False,
        "early": False,
        "expected": 10,
        "seen": 8,
        "missing": 2,
        "places": [{"place": "all", "picture": "shot", "width": 1280, "height": 960}],
        "dice": dice,
        "questions": [],
        "problems": [],
        "camera": {"ok": True, "reason": None},
    }
    return {**plain, **more}


def looking() -> Data:
    return base("looking", game=game(), reveal=reveal())


def question() -> Data:
    asked = reveal(questions=[{"die": "d7", "faces": [5, 3]}], missing=0, seen=10, hi=4)
    return base("question", game=game(), reveal=asked)


def verdict(**more: Any) -> Data:
    plain = {
        "sentence_key": "web.states.fails",
        "sentence_values": {},
        "stands": False,
        "exact": False,
        "count_lo": 3,
        "count_hi": 3,
        "quantity": 4,
        "face": 3,
        "naturals": 2,
        "aces": 1,
        "loser": "Ana",
        "gainer": None,
        "dice_change": {"Ana": -1},
        "eliminated": [],
        "next_starter": "Ana",
        "next_round_kind": "normal",
        "winner": None,
        "pictures": ["shot"],
    }
    return {**plain, **more}


def fails() -> Data:
    seen = reveal(lo=3, hi=3, settled=True, missing=0, seen=10)
    return base("fails", game=game(), reveal=seen, verdict=verdict())


def over() -> Data:
    data = base("over", game=game(winner="Bea"), verdict=verdict(winner="Bea", next_starter=None))
    for one, dice in zip(data["game"]["players"], (0, 4, 0, 0), strict=True):
        one.update(dice=dice, out=dice == 0, turn=False)
    return data


def crowd() -> Data:
    """Twelve players with the names that people will try."""
    names = ["Ana", "M" * 24, "يوسف", "<b>Bob</b>", "👩‍👩‍👧‍👦 fam", "Zoë", "李小龙", "O'Neil", "g", "h", "i", "j"]
    colours = ["red", "blue", "green", "yellow", "white", "black", "orange", "purple", "turquoise", "pink"]
    colours += ["brown", "grey"]
    data = bidding()
    data["game"]["players"] = [player(n, name, colours[n], 5, turn=n == 2) for n, name in enumerate(names)]
    return copy.deepcopy(data)
