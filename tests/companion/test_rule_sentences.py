"""Each printed rule is turned into the positions it claims, over random mixes of all switches.

A claim knows its sentence's key and the position, nothing of the engine's code. Sentences that are marked as
without effect are not read, so what a mix prints has to say all that it plays. All languages share the keys.
"""

from pathlib import Path
from random import Random

import pytest

from companion.rules.bids import Bid
from companion.rules.calls import (
    BidCall,
    Call,
    Calza,
    ChooseDirection,
    ChooseVisibility,
    Dudo,
    DudoPass,
    Pass,
)
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import Game, apply, new_game
from companion.rules.judge import Reveal
from companion.rules.legality import check, sees
from companion.rules.players import ACES_COUNT, NORMAL, PALIFICO, Player
from companion.rules.position import BIDDING, OVER, REVEAL
from companion.rules.ruleset import switches
from tests.companion.rule_claims import Read, may_bid, read
from tests.companion.test_rule_oracle import NAMES, mixed, thrown
from tests.perft import legal_calls

MIXES = 60
STEPS = 40

AT_THE_TABLE = {
    *("most_players", "order", "roll_off_dice", "handicap", "team_count", "reveal_order", "undo"),
    *("ante", "ante_each_round", "turn_seconds", "turn_over", "straight_rerolls", "push_and_reroll"),
    *("stairs", "hand_bonus", "pass_hands", "tally_to"),
}
"""Switches whose sentences speak of the set-up, of the clock, or of single hands, which other tests try."""


def same_bids(said: Read, game: Game) -> None:
    turn = game.round.turn
    for quantity in range(1, game.shown.round.dice + 4):
        for face in range(1, 7):
            for zhai in (False, True):
                bid = Bid(quantity, face, zhai)
                reason = check(BidCall(turn, bid), game)
                assert (reason is None) == may_bid(said, game, bid), (str(bid), reason, said)


def may_call(said: Read, game: Game, call: Call) -> bool:
    """Whether the sentences of doubting, calza, passing and the starter's choices allow the call."""
    now, turn, by = game.round, game.round.turn, game.player(call.by)
    standing, passed = now.standing, now.open_pass is not None
    bidder, mine = standing.by if standing else "", by.name == turn
    if by.out:
        return False
    match call:
        case Dudo():
            anybody = said["dudo_by"] == "anybody" and by.name != bidder
            return bool(bidder) and not passed and (mine or anybody)
        case Calza():
            where = {"off": False, "current": mine, "out_of_turn": not mine and by.name != bidder}
            enough = said.get("calza_limit") != "more_than_half" or 2 * now.dice > game.original_dice
            enough = enough and not (said.get("calza_limit") == "once" and by.calza_used)
            enough = enough and (said.get("calza_limit") != "three_left" or len(game.inside) > 2)
            right_round = now.kind is NORMAL or said.get("calza_palifico") == "true"
            lacks = said.get("calza_by") != "missing_a_die" or is_missing(said, by)
            return bool(bidder) and not passed and where[said["calza"]] and enough and right_round and lacks
        case Pass():
            able = said.get("passing") == "true" and by.dice >= int(said["pass_dice"].replace("one", "1"))
            return able and bool(bidder) and mine and not passed and call not in now.bids
        case DudoPass():
            return passed and mine
        case ChooseVisibility():
            choice = said.get("palifico_view") == "choice" and now.kind is PALIFICO
            return choice and not now.bids and by.name == now.starter
        case ChooseDirection():
            once = said["direction"] == "first_starter_chooses" and now.number == 1
            chooses = once or said["direction"] == "starter_chooses"
            return chooses and not now.bids and by.name == now.starter
    raise AssertionError(call)


def is_missing(said: Read, player: Player) -> bool:
    if said["penalty"] == "tally":
        return player.marks > 0
    if "lives" in said and said["lives"] != "none":
        return player.lives < number(said["lives"])
    return player.dice < number(said["starting_dice"]) - player.handicap


def number(text: str) -> int:
    return {"one": 1, "none": 0}.get(text) or int(text)


def same_calls(said: Read, game: Game) -> None:
    for player in game.players:
        for kind in (Dudo, Calza, Pass, DudoPass):
            call = kind(player.name)
            assert (check(call, game) is None) == may_call(said, game, call), (call, said)
        for choice in (
            *(ChooseVisibility(player.name, view) for view in ("open", "closed", "usual")),
            ChooseDirection(player.name, "counter_clockwise"),
        ):
            assert (check(choice, game) is None) == may_call(said, game, choice), (choice, said)


def paying(said: Read, game: Game, call: Call, count: int, passed_well: bool) -> tuple[list[str], int]:
    """Who pays by this challenge, the one at fault first, and how much each; less than 0 comes back."""
    inside = [player.name for player in game.inside]
    if isinstance(call, DudoPass):
        bidder, over, amount = str(game.round.open_pass), 0 if passed_well else -1, 1
    else:
        standing = game.round.standing
        assert standing
        bidder, over = standing.by, count - standing.bid.quantity
        off = abs(over)
        missed = 2 if isinstance(call, Calza) else 1
        amounts = {"difference": max(1, off), "difference_plus_one": off + 1, "calza_two": missed}
        amount = amounts.get(said["penalty"], 1)
    at_stake = 99 if said["penalty"] == "all" else amount
    giving = said["loser"] == "winner"
    if isinstance(call, Calza) and over == 0:
        if said.get("calza_exact") == "nobody":
            return [], 0
        if giving:
            return shared(said, game, call.by), 1
        others = [name for name in inside if name != call.by]
        if said["calza_exact"] == "regain_others_lose":
            return [call.by, *others], 1
        found = {
            "regain": ([call.by], -1),
            "bidder_loses": (shared(said, game, bidder), 1),
            "others_lose": (others, 1),
        }
        return found[said["calza_exact"]]
    exact = isinstance(call, Dudo) and over == 0 and said.get("dudo_exact") == "all_but_bidder"
    if exact:
        return [name for name in inside if name != bidder], 1
    caller_wrong = isinstance(call, Calza) or over >= 0
    wrong, right = (call.by, bidder) if caller_wrong else (bidder, call.by)
    return shared(said, game, right if giving else wrong), at_stake


def shared(said: Read, game: Game, name: str) -> list[str]:
    """Partners lose what one of them loses, where that is printed."""
    one = game.player(name)
    mates = [p.name for p in game.inside if p.team and p.team == one.team and p.name != name]
    return [name, *(mates if said["teams"] == "share_loss" else [])]


def after(said: Read, player: Player, amount: int) -> tuple[int, int, int, bool]:
    """Dice, lives, marks and whether he is out, once a player has paid so much."""
    dice, lives, marks = player.dice, player.lives, player.marks
    if amount < 0 and not is_missing(said, player):
        return dice, lives, marks, player.out
    if said["penalty"] == "tally":
        return dice, lives, marks + amount, False
    if said["lives"] == "none":
        dice = max(0, dice - amount)
        return dice, lives, marks, dice < number(said["out_below"])
    lives = max(0, lives - amount)
    last = said.get("last_life") != "aces_round" or player.palifico_used
    return dice, lives, marks, lives == 0 and last and amount > 0


def same_verdict(said: Read, before: Game, game: Game, call: Call) -> None:
    verdict = game.verdict
    assert verdict
    payers, amount = paying(said, before, call, verdict.count_lo, bool(verdict.pass_justified))
    for player in before.players:
        now = game.player(player.name)
        both = said.get("calza_exact") == "regain_others_lose" and isinstance(call, Calza) and verdict.exact
        pays = -1 if both and player.name == call.by else amount
        expected = after(said, player, pays)
        kept = (player.dice, player.lives, player.marks, player.out)
        found = (now.dice, now.lives, now.marks, now.out)
        assert found == (expected if player.name in payers else kept), (player, payers, said)
    if game.phase is not OVER:
        next_round = apply(game, NextRound())
        due = special(said, before, game, payers, starter(said, before, game, call, payers))
        assert (next_round.round.starter, next_round.round.kind) == due, (said, payers)


def starter(said: Read, before: Game, game: Game, call: Call, payers: list[str]) -> str:
    """Who starts by the printed custom, special rounds aside."""
    way = said["next_starter"]
    if way == "left_of_caller":
        return next_in(game, call.by)
    if way == "rotate":
        return next_in(game, before.round.starter)
    worse = [name for name in payers if worth(game.player(name)) < worth(before.player(name))]
    gained = any(worth(game.player(name)) > worth(before.player(name)) for name in payers)
    changed = worse or ([] if gained else payers[:1])
    partners = len({before.player(name).team or name for name in changed}) == 1
    first = payers[0] if len(payers) > 0 and payers[0] in changed else (changed or [call.by])[0]
    name = first if way == "loser" and changed and (len(changed) == 1 or partners) else call.by
    return next_in(game, name) if game.player(name).out else name


def worth(player: Player) -> tuple[int, int, int, bool]:
    return player.dice, player.lives, -player.marks, not player.out


def next_in(game: Game, name: str) -> str:
    names = [player.name for player in game.players]
    names = names if game.round.clockwise else names[::-1]
    start = names.index(name) + 1
    return next(one for one in names[start:] + names[:start] if not game.player(one).out)


def special(said: Read, before: Game, game: Game, payers: list[str], start: str) -> tuple[str, str]:
    """The special round that is printed as due now, and who starts it."""
    two = len(game.inside) > 2 or said.get("palifico_two_players") == "true"
    due: list[str] = []
    kind: str = NORMAL
    if said.get("last_life") == "aces_round":
        kind = ACES_COUNT
        due = [p.name for p in game.inside if p.lives == 0 and not p.palifico_used]
    elif said.get("palifico") == "first_one_die" and two:
        kind = PALIFICO
        fell = [p for p in game.inside if p.dice == 1 and before.player(p.name) != p]
        due = [p.name for p in fell if not p.palifico_used]
    elif said.get("palifico") == "every_one_die" and two and game.player(start).dice == 1:
        return start, PALIFICO
    while due and start not in due:
        start = next_in(game, start)
    return start, kind if due else NORMAL


def same_cups(game: Game) -> None:
    """Who may look before the reveal, by the starter's choice; without one everybody as always."""
    seen = sees(game)
    for player in game.inside:
        own, others = (player.name,), tuple(p.name for p in game.inside if p.name != player.name)
        closed = own if player.dice == 1 else ()
        assert seen[player.name] == {"open": others, "closed": closed}.get(str(game.round.visibility), own)


def test_every_switch_is_read_or_tried_elsewhere():
    files = (Path(__file__), Path(__file__).with_name("rule_claims.py"))
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    assert {name for name in switches() if f'"{name}' not in source} == set()


@pytest.mark.parametrize("seed", range(MIXES))
def test_every_sentence_holds_in_the_positions_that_it_claims(seed):
    random = Random(f"sentences/{seed}")
    rules = mixed(random)
    said, players = read(rules), random.randint(2, 6)
    game = new_game(rules, NAMES[:players], NAMES[0])
    for _ in range(STEPS):
        if game.phase is OVER:
            return
        if game.phase is REVEAL:
            hands = thrown(game, random)
            shown = Reveal(tuple((game.players[seat].name, faces) for seat, faces in hands.items()))
            before, call = game, game.challenge
            assert call
            game = apply(game, Revealed(shown))
            same_verdict(said, before, game, call)
        elif game.phase is not BIDDING:
            game = apply(game, NextRound())
        else:
            same_cups(game)
            same_bids(said, game)
            same_calls(said, game)
            calls = legal_calls(game)
            doubts = [call for call in calls if isinstance(call, Dudo | Calza | DudoPass)]
            early = [call for call in calls if isinstance(call, BidCall)][:25]
            other = [call for call in calls if not isinstance(call, BidCall)]
            some = doubts if doubts and random.random() < 0.4 else early or other
            game = apply(game, Called(random.choice(random.choice((some, other)) or some)))
