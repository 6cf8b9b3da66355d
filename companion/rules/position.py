"""A game at one moment, as values: its round, its phase. `companion.rules.game` makes one from another."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.calls import BidCall, Challenge, DudoPass, Pass, Visibility
from companion.rules.players import NORMAL, Player, RoundKind, after, ahead, dice_in_play, one_side, winners
from companion.rules.ruleset import Ruleset
from companion.rules.verdict import Verdict


class Phase(StrEnum):
    """The phase of a game: what the table waits for."""

    ROLLOFF = "rolloff"
    BIDDING = "bidding"
    REVEAL = "reveal"
    VERDICT = "verdict"
    OVER = "over"


#: The members used at every step, for Python 3.11 takes longer to find one than to compare a bid.
BIDDING, REVEAL, VERDICT, OVER = Phase.BIDDING, Phase.REVEAL, Phase.VERDICT, Phase.OVER


class Round(Struct, frozen=True):
    """One round: who starts, whose turn it is, the dice in play, and the bids and passes so far.

    `antes`: how many have been put into the pot since the game began, where every round asks for them.
    """

    number: int
    kind: RoundKind
    starter: str
    turn: str
    dice: int
    bids: tuple[BidCall | Pass, ...] = ()
    visibility: Visibility | None = None
    clockwise: bool = True
    antes: int = 0

    @property
    def standing(self) -> BidCall | None:
        """The bid to beat or to doubt: the last one, which no more than one pass has followed."""
        for said in reversed(self.bids):
            if type(said) is BidCall:
                return said
        return None

    def pushed_by(self, name: str) -> tuple[int, ...]:
        """The dice of a player that lie in the open, in the order in which they were pushed out."""
        return sum([said.pushed for said in self.bids if type(said) is BidCall and said.by == name], ())

    @property
    def open_pass(self) -> str | None:
        """Who passed just now, so that only his pass may be called."""
        return self.bids[-1].by if self.bids and isinstance(self.bids[-1], Pass) else None


class Waiting(Struct, frozen=True):
    """Who came late. He sits down to the left of `after`, or as the last one clockwise without it.

    `strict` and `handicap` as in `Joined`.
    """

    name: str
    colour: str = ""
    after: str = ""
    strict: bool = False
    handicap: int = 0


class Game(Struct, frozen=True):
    """A whole game at one moment. Players sit clockwise: the next one is the left-hand neighbour.

    `waiting` are those who came late and sit down as the next round begins.
    """

    ruleset: Ruleset
    players: tuple[Player, ...]
    round: Round
    phase: Phase
    challenge: Challenge | None = None
    verdict: Verdict | None = None
    waiting: tuple[Waiting, ...] = ()

    @property
    def winner(self) -> str | None:
        """The name of the winner: by a verdict, or because others have gone."""
        if self.phase is not OVER:
            return None
        if self.verdict:
            return self.verdict.winner
        return self.inside[0].name if one_side(self.inside) else ahead(self.ruleset, self.inside)

    @property
    def winners(self) -> tuple[str, ...]:
        """Everybody who has won: the winner, with partners where there are teams."""
        winner = self.winner
        return winners(self.players, winner) if winner else ()

    @property
    def shown(self) -> Game:
        """The game as everybody may know it. Where lost dice are hidden each has, until the dice are shown,
        as many as he began with (row S6)."""
        if self.ruleset.dice_left == "shown" or self.phase is not BIDDING:
            return self
        began = self.ruleset.starting_dice
        players = tuple([p if p.out else replace(p, dice=began - p.handicap) for p in self.players])
        return replace(self, players=players, round=replace(self.round, dice=dice_in_play(players)))

    @property
    def inside(self) -> tuple[Player, ...]:
        """Those who are still in the game."""
        return tuple([p for p in self.players if not p.out])

    @property
    def original_dice(self) -> int:
        """How many dice there are. Where none are gained the game began with them all."""
        all_dice = self.ruleset.starting_dice * len(self.players)
        return all_dice - sum([p.handicap for p in self.players]) if self.ruleset.handicap else all_dice

    @property
    def wild(self) -> int:
        """The face that counts for every face now, 0 for none."""
        return self.wild_after()

    def wild_after(self, *faces: int) -> int:
        """The wild face once these were bid on, too, 0 for none: not in special rounds (rows C2, F4, L3)."""
        rules, now = self.ruleset, self.round
        if now.kind is not NORMAL or rules.wild == "none":
            return 0
        if rules.wild == "always":
            return rules.wild_face
        bids = [*(said.bid.face for said in now.bids if type(said) is BidCall), *faces]
        heard = bids[:1] if rules.wild == "until_aces_open" else bids
        return 0 if rules.wild_face in heard else rules.wild_face

    @property
    def pot(self) -> int:
        """The winner's share, in units of the ante."""
        each = self.ruleset.ante_each_round and self.round.antes
        return self.ruleset.ante * (each or len(self.players))

    @property
    def doubted(self) -> BidCall | None:
        """Who bid what the challenge is about; None before one, and when a pass was called."""
        return self.doubted_by(self.challenge)

    def doubted_by(self, call: Challenge | None) -> BidCall | None:
        """The bid that a challenge is about: the one it names, or the standing one."""
        if call is None or isinstance(call, DudoPass):
            return None
        if call.bid is None:
            return self.round.standing
        return BidCall(call.bidder or self.before(call.by), call.bid)

    def after(self, name: str) -> str:
        """Who has the word after this player in this round."""
        return after(self.players, name, self.round.clockwise)

    def before(self, name: str) -> str:
        """Who has the word before this player in this round."""
        return after(self.players, name, not self.round.clockwise)

    def player(self, name: str) -> Player:
        """The player of that name; raises KeyError."""
        for player in self.players:
            if player.name == name:
                return player
        raise KeyError(name)
