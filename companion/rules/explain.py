"""A verdict in a sentence, in any language of the catalogues.

"Ben was right: Ana bid 5 fives; 3 fives and 1 ace make 4; Ana loses a die and starts."
"""

from __future__ import annotations

from functools import reduce

from companion.rules.bids import Bid
from companion.rules.calls import Calza
from companion.rules.dice import ACE
from companion.rules.players import RoundKind
from companion.rules.verdict import Verdict
from companion.texts import fenced, translate


def explain(verdict: Verdict, language: str, by_clock: bool = False) -> str:
    """The bid, the count and the consequence, as one sentence; `by_clock`: the caller's time was up."""
    up = [translate(language, "verdict.time_was_up", player=fenced(verdict.caller))] if by_clock else []
    parts = [*up, *_what_was_there(verdict, language), *_what_follows(verdict, language)]
    text = reduce(
        lambda before, after: translate(language, "verdict.then", before=before, after=after), parts
    )
    return f"{text[:1].upper()}{text[1:]}."


def bid_words(bid: Bid, language: str) -> str:
    """A bid in words: "5 threes", "1 ace"."""
    key = "verdict.bid_zhai" if bid.zhai else "verdict.bid"
    face = translate(language, f"verdict.faces.{bid.face}", n=bid.quantity)
    return translate(language, key, quantity=bid.quantity, face=face)


def _what_was_there(verdict: Verdict, language: str) -> list[str]:
    if verdict.bid is None:
        kind = "pass_good" if verdict.pass_justified else "pass_bluffed"
        return [translate(language, f"verdict.{kind}", passer=fenced(verdict.passer or ""))]
    called = translate(
        language,
        f"verdict.{_right(verdict)}",
        caller=fenced(verdict.caller),
        bidder=fenced(verdict.bidder or ""),
        bid=bid_words(verdict.bid, language),
    )
    parts = [called, _count(verdict, verdict.bid, language)]
    if isinstance(verdict.call, Calza):
        parts.append(translate(language, "verdict.exact" if verdict.exact else "verdict.not_exact"))
    return parts


def _right(verdict: Verdict) -> str:
    """Who was right, which a calza that misses leaves to nobody."""
    if isinstance(verdict.call, Calza):
        return "caller_right" if verdict.exact else "nobody_right"
    return {True: "bidder_right", False: "caller_right", None: "nobody_right"}[verdict.holds]


def _count(verdict: Verdict, bid: Bid, language: str) -> str:
    """How many there were, as far as it was read."""
    lo, hi = verdict.count_lo, verdict.count_hi
    if lo != hi:
        return translate(language, "verdict.between", lo=lo, hi=hi)
    if not verdict.aces or (not verdict.naturals and verdict.wild == ACE):
        faces = translate(language, f"verdict.faces.{bid.face}", n=lo)
        key = "all_aces" if verdict.aces else "count"
        return translate(language, f"verdict.{key if lo else 'none'}", n=lo, faces=faces)
    naturals = translate(language, f"verdict.faces.{bid.face}", n=verdict.naturals)
    aces = translate(language, f"verdict.faces.{verdict.wild}", n=verdict.aces)
    return translate(
        language,
        "verdict.sum",
        naturals=verdict.naturals,
        faces=naturals,
        aces=verdict.aces,
        ace=aces,
        count=lo,
    )


def _what_follows(verdict: Verdict, language: str) -> list[str]:
    if verdict.kept:
        return [translate(language, "verdict.kept")]
    if verdict.winner:
        return [*_losses(verdict, language), _win(verdict, verdict.winner, language)]
    changes = _losses(verdict, language)
    if verdict.gainer or not changes:
        changes += _gains(verdict, language)
    if verdict.next_starter in (verdict.loser, verdict.gainer):
        changes[-1] = translate(language, "verdict.and_starts", what=changes[-1])
    else:
        changes.append(translate(language, "verdict.starts", player=fenced(verdict.next_starter or "")))
    return [*changes, *_special(verdict, language)]


def _win(verdict: Verdict, winner: str, language: str) -> str:
    names = verdict.winners
    if len(names) == 1:
        return translate(language, "verdict.wins", player=fenced(winner))
    return translate(language, "verdict.win_together", players=", ".join(map(fenced, names)))


def _losses(verdict: Verdict, language: str) -> list[str]:
    """Who lost what, and who is out."""
    if not verdict.losers:
        return []
    if verdict.loser is None:
        return _losses_of_many(verdict, language)
    lost = dict(verdict.dice_change).get(verdict.loser) or dict(verdict.lives_change).get(verdict.loser) or 0
    kind = "loses_dice" if verdict.dice_change else "loses_lives" if lost else "loses_chance"
    kind = _of_marks(verdict, kind, "gets_mark", "gets_die")
    said = [translate(language, f"verdict.{kind}", player=fenced(verdict.loser), n=-lost)]
    if verdict.eliminated and verdict.winner != verdict.loser:
        said[-1] = translate(language, "verdict.and_out", what=said[-1])
    return said


def _losses_of_many(verdict: Verdict, language: str) -> list[str]:
    """Partners who share a loss, or an exact count that spares the bidder or whoever called calza."""
    spared = verdict.caller if isinstance(verdict.call, Calza) else verdict.bidder
    key = "others_lose_dice" if verdict.dice_change else "others_lose_lives"
    key = _of_marks(verdict, key, "others_get_marks", "others_get_dice")
    out = [translate(language, "verdict.is_out", player=fenced(name)) for name in verdict.eliminated]
    if verdict.together:
        names = ", ".join(map(fenced, verdict.losers))
        together = _of_marks(verdict, "lose_together", "get_marks_together", "get_dice_together")
        return [translate(language, f"verdict.{together}", players=names), *out]
    return [translate(language, f"verdict.{key}", player=fenced(spared or "")), *out]


def _gains(verdict: Verdict, language: str) -> list[str]:
    """The gain of the caller of an exact calza, if any."""
    if verdict.gainer is None:
        return [translate(language, "verdict.nobody_loses")]
    kind = "regains_die" if verdict.dice_change else "regains_life"
    kind = _of_marks(verdict, kind, "loses_mark", "loses_dice")
    back = dict(verdict.dice_change or verdict.lives_change or verdict.marks_change)[verdict.gainer]
    return [translate(language, f"verdict.{kind}", player=fenced(verdict.gainer), n=abs(back))]


def _of_marks(verdict: Verdict, usual: str, mark: str, die: str) -> str:
    """The key for what a verdict changes: dice or lives, marks on a tally, or dice that are gained."""
    return die if verdict.takes_dice else mark if verdict.marks_change else usual


def _special(verdict: Verdict, language: str) -> list[str]:
    kind = verdict.next_round_kind
    return [] if kind in (None, RoundKind.NORMAL) else [translate(language, f"verdict.next_{kind}")]
