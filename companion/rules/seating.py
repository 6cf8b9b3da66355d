"""Who comes late, goes home, or gets dice back after a mistake, in the middle of a game. Pure.

Whoever comes waits for the next round and then has as many dice as the player with the fewest. Whoever goes
is out at once: dice and bids go along, and the turn passes on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.errors import BadCommand
from companion.rules.events import HandedBack, Joined
from companion.rules.making import quick
from companion.rules.players import NORMAL, PALIFICO, Player, RoundKind, dice_in_play, playing
from companion.rules.position import BIDDING, OVER, REVEAL, VERDICT, Game, Phase, Round, Waiting
from companion.rules.ruleset import Ruleset
from companion.rules.tally import marks_of_a_newcomer
from companion.rules.teams import one_side, smallest_team

_round, _game = quick(Round), quick(Game)


def joined(game: Game, event: Joined) -> Game:
    """The game with one more who waits for the next round; raises BadCommand.

    Who has gone home may come back to his seat.
    """
    name = event.player
    taken = {one.name for one in stayed(game)} | {one.name for one in game.waiting}
    if name in taken or not name.strip():
        raise BadCommand("names_not_distinct")
    if len(taken) >= game.ruleset.most_players:
        raise BadCommand("too_many_players", players=len(taken) + 1, most=game.ruleset.most_players)
    if event.after and event.after not in taken:
        raise BadCommand("unknown_player", player=event.after)
    return replace(game, waiting=(*game.waiting, Waiting(name, event.colour, event.after)))


def left(game: Game, name: str) -> Game:
    """The game without a player who goes home; raises BadCommand while dice are counted."""
    if any(one.name == name for one in game.waiting):
        return replace(game, waiting=tuple(one for one in game.waiting if one.name != name))
    player = _seated(game, name)
    if player.left:
        raise BadCommand("has_left", player=name)
    if game.phase is REVEAL:
        raise BadCommand("count_first")
    if game.phase is Phase.ROLLOFF:
        return _left_the_roll(game, name)
    gone = replace(player, left=True, out=player.out or game.phase is not OVER)
    without = replace(game, players=tuple(gone if p is player else p for p in game.players))
    if game.phase is OVER or player.out:
        return without
    if one_side(playing(without.players)):
        return replace(without, phase=OVER, challenge=None, verdict=None)
    return _bid_on(without, name) if game.phase is BIDDING else without


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

    Who was out is in again. The number of dice or lives is from one to as many as the game begins with, that
    of marks below those that end it.
    """
    player, rules = _seated(game, event.player), game.ruleset
    if player.left:
        raise BadCommand("has_left", player=event.player)
    if not (game.phase is VERDICT or (game.phase is BIDDING and not game.round.bids)):
        raise BadCommand("between_rounds")
    if rules.keeps_tally:
        return _changed(game, player, replace(player, marks=_checked(event.count, rules)))
    began = rules.starting_dice - player.handicap
    most = began if rules.lives is None else rules.lives
    if not 1 <= event.count <= most:
        raise BadCommand("bad_count", most=most)
    put_right = (
        replace(player, dice=event.count, out=False)
        if rules.lives is None
        else replace(player, dice=began, lives=event.count, out=False)
    )
    return _changed(game, player, put_right)


def _checked(marks: int, rules: Ruleset) -> int:
    """A number of marks that ends no game by itself; raises BadCommand."""
    if not 0 <= marks < rules.tally_to:
        raise BadCommand("bad_marks", most=rules.tally_to - 1)
    return marks


def _changed(game: Game, player: Player, put_right: Player) -> Game:
    players = tuple(put_right if p is player else p for p in game.players)
    if game.phase is not BIDDING:
        return replace(game, players=players)
    return replace(game, players=players, round=replace(game.round, dice=dice_in_play(players)))


def next_round(game: Game, starter: str, kind: RoundKind) -> Game:
    """The next round with those who waited for it. Where its starter has gone the next player starts."""
    if game.player(starter).out:
        starter, kind = game.after(starter), NORMAL
    if not _earned(game.player(starter), kind):
        kind = NORMAL
    players = _with_waiting(game)
    if kind is not NORMAL:
        players = in_special_round(players, starter)
    now = game.round
    upcoming = begun(game.ruleset, players, starter, kind, now.number + 1, now.antes)
    return _game(game.ruleset, players, upcoming, BIDDING, None, game.verdict)


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
    return _round(number, kind, starter, starter, dice_in_play(players), (), None, clockwise, antes)


def in_special_round(players: tuple[Player, ...], name: str) -> tuple[Player, ...]:
    """The players when this one's special round begins, which happens once a game."""
    return tuple(replace(p, palifico_used=True) if p.name == name else p for p in players)


def _earned(player: Player, kind: RoundKind) -> bool:
    """Whether a special round is still due: dice may have been handed back."""
    return kind is NORMAL or (player.dice == 1 if kind is PALIFICO else player.lives == 0)


def _with_waiting(game: Game) -> tuple[Player, ...]:
    """All players, and each who waited with as much as those who have least."""
    if not game.waiting:
        return game.players
    inside = playing(game.players)
    dice, lives = min(p.dice for p in inside), min(p.lives for p in inside)
    marks = marks_of_a_newcomer(game.ruleset, inside)
    players = list(game.players)
    for one in game.waiting:
        back = next((p for p in players if p.name == one.name), None)
        if back is not None:
            players[players.index(back)] = replace(
                back,
                colour=one.colour or back.colour,
                dice=dice,
                lives=lives,
                out=False,
                left=False,
                marks=marks,
            )
        else:
            team = smallest_team(game.ruleset, players)
            fresh = Player(one.name, one.colour, dice, lives, team=team, marks=marks)
            players.insert(_place(players, one.after), fresh)
    return tuple(players)


def _place(players: Iterable[Player], after: str) -> int:
    names = [player.name for player in players]
    return names.index(after) + 1 if after in names else len(names)


def _seated(game: Game, name: str) -> Player:
    for player in game.players:
        if player.name == name:
            return player
    raise BadCommand("unknown_player", player=name)
