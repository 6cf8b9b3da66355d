"""What makes a bid higher than another, for the second engine, written from docs/reference/rules.md."""

from math import ceil
from typing import Any

Pair = tuple[int, int, bool]
"""How many dice, of which face, and whether the wild ones stay out."""


class RaisingOracle:
    """The order of bids by these rules, while `joker` is the wild face."""

    rules: dict[str, Any]

    @property
    def joker(self) -> int | None:
        raise NotImplementedError

    def _beats_plain(self, new: Pair, last: Pair) -> bool:
        """One of the two is without wilds; aces are so by themselves."""
        ace, last_ace = new[1] == self.joker, last[1] == self.joker
        halves = self.rules["aces_convert"] in (True, "half_plus_one") and not self._flat
        if self._unbiddable(new[1]):
            return False
        if (ace or last_ace) and halves:
            return new[0] + ace / 2 > last[0] + last_ace / 2  # 3 plain, 3 aces, 4 plain, 4 aces
        climbs = self._climbs(new[0], new[1], last[0], last[1])
        if last[2] and not new[2] and not ace:
            return climbs and new[0] >= last[0] + last[0]
        return climbs or (new[:2] == last[:2] and new[2] and not last[2])

    @property
    def _flat(self) -> bool:
        """Aces have no price by this way of raising."""
        return self.rules["raise_rule"] in ("nothing_falls", "higher_face_any_quantity")

    def _unbiddable(self, face: int) -> bool:
        """Nobody bids on aces, where that is played."""
        return bool(not self._flat and self.rules["aces_convert"] == "never" and face == self.joker)

    def _beats(self, q: int, f: int, last_q: int, last_f: int) -> bool:
        price, joker = not self._flat and self.rules["aces_convert"], self.joker
        if self._unbiddable(f):
            return False
        if price == "half_plus_one" and joker and f == joker and last_f != joker:
            return 2 * (q - 1) >= last_q - last_q % 2
        if price and joker and f == joker and last_f != joker:
            return 2 * q - 1 >= last_q if price == "board" else q >= ceil(last_q / 2)
        if price and joker and last_f == joker and f != joker:
            return q >= 2 * last_q if price == "board" else q >= 2 * last_q + 1
        return self._climbs(q, f, last_q, last_f)

    def _climbs(self, q: int, f: int, last_q: int, last_f: int) -> bool:
        way, f, last_f = self.rules["raise_rule"], self._height(f), self._height(last_f)
        if way == "higher_face_any_quantity":
            return f > last_f or (f == last_f and q > last_q)
        higher = q > last_q or (q == last_q and f > last_f)
        if way in ("no_lower_face", "nothing_falls"):
            return higher and f >= last_f
        if way == "face_costs_two" and f != last_f:
            return q > last_q + 1
        if way == "one_of_both":
            return higher and ((f == last_f) != (q == last_q)) and f >= last_f
        if way == "through_aces" and f < last_f:
            return q >= 2 * ceil(last_q / 2) + 1
        return higher

    def _height(self, face: int) -> int:
        on_top = self.rules["wild_rank"] == "highest" and self.rules["wild"] != "none"
        return 9 if on_top and face == self.rules["wild_face"] else face
