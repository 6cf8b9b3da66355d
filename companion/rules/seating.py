"""Who comes late, goes home, or gets dice back after a mistake, in the middle of a game. Pure.

Whoever comes waits for the next round and then has as many dice as the player with the fewest, and who comes
back no more than he left with. Whoever goes is out at once: dice and bids go along, and the turn passes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from companion.errors import BadCommand
from companion.rules.consequences import loss
from companion.rules.events import HandedBack, Joined, Left
from companion.rules.players import (
    NORMAL,
    PALIFICO,
    Player,
    RoundKind,
    dice_in_play,
    one_side,
    playing,
    smallest_team,
)
from companion.rules.position import BIDDING, OVER, REVEAL, VERDICT, Game, Phase, Round, Waiting
from companion.rules.ruleset import Ruleset


def joined(game: Game, event: Joined) -> Game:
    """The game with one more who waits for the next round; raises BadCommand.

    Who has gone home may come back to his seat, unless he has nothing left.
    """
    name = event.player
    taken = {one.name for one in stayed(game)} | {one.name for one in game.waiting}
    if name in taken or not name.strip():
        raise BadCommand("names_not_distinct")
    if len(taken) >= game.ruleset.most_players:
        raise BadCommand("too_many_players", players=len(taken) + 1, most=game.ruleset.most_players)
    if event.after and event.after not in taken:
        raise BadCommand("unknown_player", player=event.after)
    if (
        event.strict
        and game.phase is not OVER
        and any(is_out_for_good(p) for p in game.players if p.name == name)
    ):
        raise BadCommand("out_of_game", player=name)
    coming = Waiting(name, event.colour, event.after, event.strict, event.handicap)
    return replace(game, waiting=(*game.waiting, coming))


def left(game: Game, event: Left) -> Game:
    """The game without a player who goes home; raises BadCommand while dice are counted."""
    name = event.player
    if any(one.name == name for one in game.waiting):
        return replace(game, waiting=tuple(one for one in game.waiting if one.name != name))
    player = _seated(game, name)
    if player.left:
        raise BadCommand("has_left", player=name)
    if game.phase is REVEAL:
        raise BadCommand("count_first")
    if game.phase is Phase.ROLLOFF:
        return _left_the_roll(game, name)
    kept = _kept(game, player) if event.strict and game.phase is not OVER else player
    gone = replace(kept, left=True, out=player.out or game.phase is not OVER)
    without = replace(game, players=tuple(gone if p is player else p for p in game.players))
    if game.phase is OVER or player.out:
        return without
    if one_side(without.inside):
        return replace(without, phase=OVER, challenge=None, verdict=None)
    return _bid_on(without, name) if game.phase is BIDDING else without


def _kept(game: Game, player: Player) -> Player:
    """What a player has who goes home now, and with which he may come back: without dice for nothing."""
    if not player.out and _is_due(game, player.name):
        player = loss(player, 1, game.ruleset)[1]
    if player.out:
        return replace(player, dice=0)
    due = game.verdict
    special = due is not None and due.next_starter == player.name and due.next_round_kind is not NORMAL
    return replace(player, palifico_used=player.palifico_used or special)


def _is_due(game: Game, name: str) -> bool:
    """Whether a round waits for a player: it is his turn, or his bid or pass stands. Going home then costs
    what the round costs its loser, where that is a loss to him."""
    now = game.round
    stands = now.standing
    duties = (now.turn, stands.by if stands else None, now.open_pass)
    return game.phase is BIDDING and name in duties and game.ruleset.loser == "loser"


def is_out_for_good(player: Player) -> bool:
    """Whether who has gone home had nothing left to come back with."""
    return player.left and player.dice == 0


def stayed(game: Game) -> tuple[Player, ...]:
    """Everybody who has not gone home, out of the game or not."""
    return tuple(player for player in game.players if not player.left)


def _left_the_roll(game: Game, name: str) -> Game:
    """Before the first round nobody has lost anything: the others roll among themselves."""
    players = tuple(player for player in game.players if player.name != name)
    if len(players) < 2:
        raise BadCommand("too_few_players")
    waiting = replace(game.round, dice=dice_in_play(players))
    return replace(game, players=players, round=waiting)


def _bid_on(game: Game, gone: str) -> Game:
    """The round without the dice and bids of who has gone; his own special round becomes an ordinary one."""
    now, after = game.round, game.after(gone)
    dice = dice_in_play(game.players)
    if now.kind is not NORMAL and now.starter == gone:
        ordinary = replace(now, kind=NORMAL, starter=after, turn=after, dice=dice, bids=(), visibility=None)
        return replace(game, round=ordinary)
    starter, turn = (after if name == gone else name for name in (now.starter, now.turn))
    bids = tuple(said for said in now.bids if said.by != gone)
    return replace(game, round=replace(now, starter=starter, turn=turn, dice=dice, bids=bids))


def handed_back(game: Game, event: HandedBack) -> Game:
    """The game with dice, lives or marks put right by hand between the rounds; raises BadCommand.

    Who was out is in again. The number of dice or lives is at least what keeps one in the game, and at most
    what the game begins with. That of marks is below those that end it.
    """
    player, rules = _seated(game, event.player), game.ruleset
    if player.left:
        raise BadCommand("has_left", player=event.player)
    if not (game.phase is VERDICT or (game.phase is BIDDING and not game.round.bids)):
        raise BadCommand("between_rounds")
    if rules.keeps_tally:
        if not 0 <= event.count < rules.tally_to:
            raise BadCommand("bad_marks", most=rules.tally_to - 1)
        return _changed(game, player, replace(player, marks=event.count), event.ordinary)
    began = rules.starting_dice - player.handicap
    most = began if rules.lives is None else rules.lives
    least = min(rules.out_below, began) if event.strict and rules.loses_dice else 1
    if not least <= event.count <= most:
        raise BadCommand("bad_count", least=least, most=most)
    put_right = (
        replace(player, dice=event.count, marks=(event.count - 1) * rules.gains_dice, out=False)
        if rules.lives is None
        else replace(player, dice=began, lives=event.count, out=False)
    )
    return _changed(game, player, put_right, event.ordinary)


def _changed(game: Game, player: Player, put_right: Player, ordinary: bool) -> Game:
    now = game.round
    if ordinary and game.phase is BIDDING and player.name == now.starter and not _earned(put_right, now.kind):
        now, put_right = replace(now, kind=NORMAL, visibility=None), replace(put_right, palifico_used=False)
    players = tuple(put_right if p is player else p for p in game.players)
    dice = dice_in_play(players) if game.phase is BIDDING else now.dice
    return replace(game, players=players, round=replace(now, dice=dice))


def next_round(game: Game, starter: str, kind: RoundKind) -> Game:
    """The next round with those who waited for it. Where its starter has gone the next player starts."""
    players = with_waiting(game) if game.waiting else game.players
    if game.player(starter).out and not _is_back(game, starter):
        starter, kind = game.after(starter), NORMAL
    if not _earned(game.player(starter), kind):
        kind = NORMAL
    if kind is not NORMAL:
        players = in_special_round(players, starter)
    now = game.round
    upcoming = begun(game.ruleset, players, starter, kind, now.number + 1, now.antes)
    if game.ruleset.direction == "first_starter_chooses":
        upcoming = replace(upcoming, clockwise=now.clockwise)
    return Game(game.ruleset, players, upcoming, BIDDING, None, game.verdict)


def _is_back(game: Game, name: str) -> bool:
    """Whether a player who left since the verdict is back for the round that he was to start."""
    return any(one.name == name and one.strict for one in game.waiting)


def begun(
    rules: Ruleset,
    players: tuple[Player, ...],
    starter: str,
    kind: RoundKind = NORMAL,
    number: int = 1,
    antes: int = 0,
) -> Round:
    """A round before anything was said, with the antes of all that were played before it."""
    antes += len(playing(players)) if rules.ante_each_round else 0
    clockwise = rules.direction != "counter_clockwise"
    return Round(number, kind, starter, starter, dice_in_play(players), (), None, clockwise, antes)


def in_special_round(players: tuple[Player, ...], name: str) -> tuple[Player, ...]:
    """The players when this one's special round begins, which happens once a game."""
    return tuple(replace(p, palifico_used=True) if p.name == name else p for p in players)


def _earned(player: Player, kind: RoundKind) -> bool:
    """Whether a special round is still due: dice may have been handed back."""
    return kind is NORMAL or (player.dice == 1 if kind is PALIFICO else player.lives == 0)


def with_waiting(game: Game) -> tuple[Player, ...]:
    """All players, and each who waited with as much as those who have least."""
    players = list(game.players)
    inside = game.inside or game.players
    for one in game.waiting:
        back = next((p for p in players if p.name == one.name), None)
        if back is None:
            players.insert(_place(players, one.after), _newcomer(game.ruleset, one, players, inside))
        else:
            players[players.index(back)] = _returned(game.ruleset, one, back, inside)
    return tuple(players)


def _newcomer(rules: Ruleset, one: Waiting, players: Iterable[Player], inside: Sequence[Player]) -> Player:
    dice, lives, marks = _worst(rules, inside, strict=one.strict)
    dice = min(dice, rules.starting_dice - one.handicap)
    team = smallest_team(rules, players)
    return Player(one.name, one.colour, dice, lives, handicap=one.handicap, team=team, marks=marks)


def _returned(rules: Ruleset, one: Waiting, back: Player, inside: Sequence[Player]) -> Player:
    """Who has gone home and comes back, with what he left with at most."""
    if one.strict and is_out_for_good(back):
        return replace(back, left=False)
    dice, lives, marks = _worst(rules, (*inside, back) if one.strict else inside, strict=one.strict)
    colour = one.colour or back.colour
    return replace(back, colour=colour, dice=dice, lives=lives, out=False, left=False, marks=marks)


def _worst(rules: Ruleset, inside: Sequence[Player], *, strict: bool) -> tuple[int, int, int]:
    """The dice, lives and marks of whoever is worst off, each by itself. Where dice are gained, or the right
    lose them, those with most are; earlier versions took the fewest. The fewest marks where these win."""
    worst = max if rules.gains_dice or (strict and rules.loser == "winner") else min
    dice, lives = worst(p.dice for p in inside), worst(p.lives for p in inside)
    worst_marks = min if rules.loser == "winner" else max
    return dice, lives, worst_marks(p.marks for p in inside)


def _place(players: Iterable[Player], after: str) -> int:
    names = [player.name for player in players]
    return names.index(after) + 1 if after in names else len(names)


def _seated(game: Game, name: str) -> Player:
    for player in game.players:
        if player.name == name:
            return player
    raise BadCommand("unknown_player", player=name)
