"""How fast the rules are: whole games played by chance, and whether a long game slows them down."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from random import Random

from companion.bots.coach import advise as advise_seat
from companion.bots.coach import best_raise
from companion.bots.odds import Odds
from companion.bots.seat import SeatView
from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Call, Calza, Dudo, DudoPass, Pass
from companion.rules.counting import Reveal
from companion.rules.events import Called, NextRound, Revealed
from companion.rules.game import apply
from companion.rules.legality import check
from companion.rules.position import BIDDING, OVER, REVEAL, Game
from companion.rules.presets import MODERN
from tests.new_games import new_game
from tests.perft import perft

PLAYERS = ("Ana", "Beto", "Carla", "Dino", "Elsa")
TWELVE = tuple(f"player {n}" for n in range(1, 13))

Choose = Callable[[Game, Random], Call]


def any_call(game: Game, random: Random) -> Call:
    """Any bid or dudo, each as likely as every other; after a pass its call stands for dudo."""
    turn, bids = game.round.turn, legal_bids(game)
    pick = int(random.random() * (len(bids) + (1 if game.round.bids else 0)))
    if pick < len(bids):
        return BidCall(turn, bids[pick])
    return DudoPass(turn) if game.round.open_pass else Dudo(turn)


def any_kind(game: Game, random: Random) -> Call:
    """Any kind of call, each as likely as every other: a bid, dudo, calza, a pass, or its call."""
    turn, bids = game.round.turn, legal_bids(game)
    kinds = [call for call in _challenges(game, turn) if check(call, game) is None]
    pick = int(random.random() * (len(kinds) + bool(bids)))
    return kinds[pick] if pick < len(kinds) else BidCall(turn, bids[int(random.random() * len(bids))])


def _challenges(game: Game, turn: str) -> tuple[Call, ...]:
    """What there may be besides bids; the rules still have to allow it."""
    if not game.round.bids:
        return ()
    return (DudoPass(turn),) if game.round.open_pass else (Dudo(turn), Calza(turn), Pass(turn))


def play(game: Game, random: Random, choose: Choose) -> Iterator[Game]:
    """Every value of a game until somebody has won."""
    while game.phase is not OVER:
        if game.phase is BIDDING:
            game = apply(game, Called(choose(game, random)))
        elif game.phase is REVEAL:
            heap = tuple(random.choices((1, 2, 3, 4, 5, 6), k=game.round.dice))
            hands = _hands(game, heap) if isinstance(game.challenge, DudoPass) else ()
            game = apply(game, Revealed(Reveal(hands, () if hands else heap)))
        else:
            game = apply(game, NextRound())
        yield game


def _hands(game: Game, faces: tuple[int, ...]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The dice dealt out to their owners, which only a called pass needs."""
    left = iter(faces)
    return tuple((p.name, tuple(next(left) for _ in range(p.dice))) for p in game.players if not p.out)


def games_per_s(choose: Choose, games: int = 100, goes: int = 20) -> tuple[float, float]:
    """Games in a second of processor time, the best of a few goes, and events in a game."""
    best, events = 0.0, 0
    for go in range(goes):
        random, began_s = Random(go), time.process_time()
        events = sum(
            1 for n in range(games) for _ in play(new_game(MODERN, PLAYERS, PLAYERS[n % 5]), random, choose)
        )
        best = max(best, games / (time.process_time() - began_s))
    return best, events / games


def slowing() -> tuple[float, float, int]:
    """Microseconds an event at the beginning and at the end of one very long game, and its events.

    It is played twice, for the first time only fills the tables of raises.
    """
    long = MODERN.with_house({"starting_dice": 10, "calza_limit": "always"})
    for _ in range(2):
        stamps_s = [time.process_time()]
        for _ in play(new_game(long, TWELVE, TWELVE[0]), Random(4), any_kind):
            stamps_s.append(time.process_time())
    part = len(stamps_s) // 4
    first, last = stamps_s[part] - stamps_s[0], stamps_s[-1] - stamps_s[-1 - part]
    return first / part * 1e6, last / part * 1e6, len(stamps_s) - 1


def seconds(work: Callable[[], object], goes: int = 5) -> float:
    """Processor time of one go, the best of a few."""
    best = float("inf")
    for _ in range(goes):
        began_s = time.process_time()
        work()
        best = min(best, time.process_time() - began_s)
    return best


def advise() -> None:
    """The likeliest opening of six players with five dice each, all tables of chances known."""
    names = TWELVE[:6]
    game = new_game(MODERN, names, names[0])
    best_raise(game, Odds(SeatView(game, names[0], ((names[0], (3, 3, 1, 5, 6)),))))


def coach() -> None:
    """Advice at a table of six on ten fours, all tables of chances known."""
    names = TWELVE[:6]
    game = apply(new_game(MODERN, names, names[0]), Called(BidCall(names[0], Bid(10, 4))))
    advise_seat(SeatView(game, names[1], ((names[1], (2, 2, 2, 6, 6)),)), Random(1))


def rows() -> Iterator[tuple[str, str, str]]:
    """The figures for `make bench`."""
    early_us, late_us, events = slowing()
    for what, choose in (("bid and dudo", any_call), ("kind of call", any_kind)):
        per_s, of_it = games_per_s(choose)
        yield "random games, five players", f"{per_s:.0f} /s", f"every {what} alike, {of_it:.0f} events each"
    yield "an event early in a long game", f"{early_us:.1f} us", "first quarter, twelve players with ten dice"
    yield "an event late in a long game", f"{late_us:.1f} us", f"last quarter of {events} events"
    count_s = seconds(lambda: perft(new_game(MODERN, PLAYERS, PLAYERS[0]), 5))
    yield "bidding sequences five deep", f"{count_s * 1e3:.0f} ms", "25 dice, counted by perft"
    yield "advice with thirty dice", f"{seconds(coach) * 1e3:.0f} ms", "exact chances, the strong level's mix"
    yield (
        "the best raise with thirty dice",
        f"{seconds(advise) * 1e3:.2f} ms",
        "exact, once the tables are known",
    )
