"""The dice that were shown, how many match a bid, and what whole hands count besides: stairs, and five alike
(rows C5, C6).

A bonus depends on a whole hand. Of hands that are not known whole it is bounded instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from companion.errors import BadReveal
from companion.rules.bids import Bid
from companion.rules.dice import FACES, matching
from companion.rules.players import NORMAL
from companion.rules.position import Game
from companion.rules.ruleset import Ruleset

FIVE = 5
"""So many dice at least are a hand of five alike."""

Interval = tuple[int, int]


class Bonuses(Struct, frozen=True):
    """What hands add to the count of a bid on `face` while `wild` is the wild face, 0 for none.

    `dice` is how many each player has in the round.
    """

    rules: Ruleset
    face: int
    wild: int
    dice: Mapping[str, int]

    def of(self, hand: tuple[int, ...]) -> int:
        """What a whole hand counts besides its matching dice."""
        alike = matching(hand, self.face, self.wild)
        return bonus(hand, alike, self.rules.stairs, self.rules.hand_bonus)

    def at_most(self, dice: int) -> int:
        """The most that any hand of so many dice adds."""
        stair = tuple(range(1, dice + 1)) if dice <= len(FACES) else ()
        return max(self.of(stair), self.rules.hand_bonus if dice >= FIVE else 0)

    def within(self, hands: Mapping[str, tuple[int, ...]]) -> Interval:
        """The least and the most that all hands add, of which these are known whole."""
        known = sum(self.of(hand) for hand in hands.values())
        open_ = sum(self.at_most(dice) for name, dice in self.dice.items() if name not in hands)
        return known, known + open_

    @property
    def most(self) -> int:
        """The most that all hands together add."""
        return self.within({})[1]


def bonus(hand: Sequence[int], alike: int, stairs: bool, five_alike: int) -> int:
    """What a whole hand counts besides its dice that are alike, where stairs or five alike count more."""
    if stairs and hand and sorted(hand) == list(range(1, len(hand) + 1)):
        return len(hand) + 1 - alike
    return five_alike if alike == len(hand) >= FIVE else 0


def above_its_dice(dice: int, rules: Ruleset) -> int:
    """How many more than its dice a hand of so many can count."""
    stair = int(rules.stairs and 0 < dice <= len(FACES))
    return max(stair, rules.hand_bonus if dice >= FIVE else 0)


def is_rolled_again(hand: Sequence[int], rules: Ruleset) -> bool:
    """Whether a hand just rolled is rolled again: five or more in a row, where that is played (row C8)."""
    if not rules.straight_rerolls or len(hand) < FIVE:
        return False
    return sorted(hand) == list(range(min(hand), min(hand) + len(hand)))


def by_hands(rules: Ruleset) -> bool:
    """Whether whole hands count by these rules, so that the box has to know whose dice are whose."""
    return rules.stairs or rules.hand_bonus > 0


def bonuses_of(game: Game, face: int, wild: int) -> Bonuses | None:
    """The bonuses in this round; None where hands count their dice alone, as in special rounds."""
    if not by_hands(game.ruleset) or game.round.kind is not NORMAL:
        return None
    return Bonuses(game.ruleset, face, wild, {p.name: p.dice for p in game.inside})


Faces = tuple[int, ...]

_FACES = frozenset(FACES)


class Reveal(Struct, frozen=True, omit_defaults=True):
    """The dice that were shown.

    Dice in `hands` belong to a player; the owners of those in the `heap` do not matter. `unsure` dice are
    known to show one of the faces given for each; `unknown` dice were not read at all. Together they are all
    dice in play. Instead of dice, `count` may say how many matching ones the table counted by itself.
    A called pass needs the passer's hand only; its `count` is 1 where it was justified, else 0.
    """

    hands: tuple[tuple[str, Faces], ...] = ()
    heap: Faces = ()
    unsure: tuple[Faces, ...] = ()
    unknown: int = 0
    count: int | None = None

    def faces(self) -> Faces:
        """Every face that was read, hands first."""
        return sum([hand for _, hand in self.hands], ()) + self.heap if self.hands else self.heap

    @property
    def whole(self) -> bool:
        """Whether every die was read."""
        return not self.unsure and not self.unknown and self.count is None


def matching_faces(bid: Bid, wild: int) -> tuple[int, int]:
    """The face that a bid counts, and the wild face that counts with it, 0 for none."""
    return bid.face, 0 if bid.zhai or bid.face == wild else wild


def count_interval(reveal: Reveal, faces: Faces, face: int, wild: int) -> tuple[int, int]:
    """The least and the most dice showing `face` that this reveal, with `faces` read, leaves possible."""
    if reveal.count is not None:
        return reveal.count, reveal.count
    lo = matching(faces, face, wild)
    if not reveal.unsure:
        return lo, lo + reveal.unknown
    counted = {face, wild} if wild else {face}
    lo += sum(counted.issuperset(may) for may in reveal.unsure)
    open_still = sum(not counted.isdisjoint(may) and not counted.issuperset(may) for may in reveal.unsure)
    return lo, lo + open_still + reveal.unknown


def check_faces(reveal: Reveal, faces: Faces) -> None:
    """Every face is one that a die has; raises BadReveal."""
    if not (_FACES.issuperset(faces) and all(map(_FACES.issuperset, reveal.unsure))):
        raise BadReveal("bad_face")
    if reveal.unknown < 0 or not all(reveal.unsure):
        raise BadReveal("reveal_unreadable", cause=reveal)


def whole_hands(game: Game, reveal: Reveal) -> Mapping[str, Faces]:
    """The hands of which every die was read."""
    holds = {p.name: p.dice for p in game.inside}
    return {name: hand for name, hand in reveal.hands if len(hand) == holds.get(name)}


def check_number(game: Game, reveal: Reveal, faces: Faces, more: int) -> None:
    """All dice in play are accounted for, and nobody shows more than he has; raises BadReveal.

    A count by hand may be `more` than the dice, where hands count besides.
    """
    dice = game.round.dice
    if reveal.count is not None:
        if not 0 <= reveal.count <= dice + more:
            raise BadReveal("reveal_bad_count", count=reveal.count, dice=dice + more)
        return
    check_owners(game, reveal)
    shown = len(faces) + len(reveal.unsure) + reveal.unknown
    if shown != dice:
        key = "reveal_too_many" if shown > dice else "reveal_too_few"
        raise BadReveal(key, shown=shown, dice=dice)


def check_owners(game: Game, reveal: Reveal) -> None:
    """Each hand is that of another player in the game, and no larger than his dice; raises BadReveal."""
    if not reveal.hands:
        return
    holds = {p.name: p.dice for p in game.inside}
    for name, hand in reveal.hands:
        if name not in holds:
            raise BadReveal("unknown_player", player=name)
        if len(hand) > holds.pop(name):
            raise BadReveal("reveal_hand_too_many", player=name, shown=len(hand))


def distinct(hand: Iterable[int]) -> bool:
    """Whether no two dice of the hand are alike."""
    faces = tuple(hand)
    return len(set(faces)) == len(faces)


def pass_rule(rules: Ruleset) -> Callable[[Iterable[int]], bool]:
    """Which hands justify a pass by these rules (row P2)."""
    return distinct if rules.pass_hands == "no_two_alike" else justifies_pass


def justifies_pass(hand: Iterable[int]) -> bool:
    """Five dice that are a full house, five of a kind or five different faces, aces being just ones (row P2).

    A hand of more than five dice justifies a pass when five of them do.
    """
    return any(_shape(five) in ([5], [2, 3], [1, 1, 1, 1, 1]) for five in combinations(hand, 5))


def _shape(five: Faces) -> list[int]:
    """How often each face occurs, the rarest first: a full house is [2, 3]."""
    return sorted(five.count(face) for face in set(five))
