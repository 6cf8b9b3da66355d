"""The presets: published descriptions of the game as rulesets that differ in values only.

docs/reference/rules.md has them side by side, docs/reference/tables.md sentence by sentence.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import BadRuleset
from companion.rules.ruleset import RENAMED, Ruleset

MODERN = Ruleset(
    name="modern",
    opening_aces="one_die",
    calza_limit="more_than_half",
    passing=True,
    palifico_view="choice",
)
CLASSIC = Ruleset(name="classic", calza_exact="bidder_loses", calza_palifico=False, palifico_unlock="nobody")
PERUDO = Ruleset(
    name="perudo",
    most_players=6,
    order="starter_only",
    opening_aces="never",
    raise_rule="no_lower_face",
    reveal_order="left_of_caller",
    calza="out_of_turn",
    palifico_unlock="other_one_die",
)
LIVES = Ruleset(
    name="lives",
    order="starter_only",
    aces_convert=False,
    reveal_order="challenged_counts",
    calza="off",
    palifico="off",
    lives=2,
    ante=10,
)
APP = Ruleset(
    name="app",
    opening_aces="never",
    raise_rule="no_lower_face",
    calza_exact="nobody",
    palifico_two_players=False,
    palifico_opening_aces=False,
)

BLUFF = Ruleset(
    name="bluff",
    most_players=6,
    order="starter_only",
    wild_face=6,
    push_and_reroll=True,
    aces_convert="board",
    dudo_exact="all_but_bidder",
    penalty="difference",
    calza="off",
    palifico="off",
)
SNYD = Ruleset(
    name="snyd",
    order="starter_only",
    aces_convert=False,
    stairs=True,
    max_quantity="unlimited",
    calza="off",
    palifico="off",
)
CACHITO = Ruleset(
    name="cachito",
    order="starter_only",
    direction="starter_chooses",
    opening_aces="one_die",
    raise_rule="no_lower_face",
    calza_limit="more_than_half",
    passing=True,
    palifico_view="choice",
)
CACHO_ECUADOR = Ruleset(
    name="cacho_ecuador",
    order="starter_only",
    direction="counter_clockwise",
    raise_rule="no_lower_face",
    aces_convert=False,
    calza="off",
    palifico="off",
    lives=3,
    last_life="out",
)
REDEMPTION = Ruleset(
    name="redemption",
    order="starter_only",
    wild="none",
    next_starter="rotate",
    calza_exact="others_lose",
    palifico="off",
    ante=20,
)
SINGLE_HAND_FREE = Ruleset(
    name="single_hand_free",
    order="starter_only",
    aces_convert=False,
    raise_rule="higher_face_any_quantity",
    dudo_by="anybody",
    calza_exact="bidder_loses",
    passing=True,
    pass_hands="no_two_alike",
    pass_dice=1,
    palifico="off",
)
CHUI_NIU = Ruleset(
    name="chui_niu",
    order="starter_only",
    wild="until_aces_bid",
    opening_minimum=3,
    aces_convert=False,
    penalty="tally",
    calza="off",
    palifico="off",
).with_house({"straight_rerolls": True})

PRESETS: Mapping[str, Ruleset] = {
    r.name: r
    for r in (
        *(MODERN, CLASSIC, PERUDO, LIVES, APP),
        *(BLUFF, SNYD, CACHITO, CACHO_ECUADOR, REDEMPTION, SINGLE_HAND_FREE, CHUI_NIU),
    )
}


def preset(name: str) -> Ruleset:
    """The preset called `name`; raises BadRuleset."""
    name = RENAMED.get(name, name)
    if name not in PRESETS:
        raise BadRuleset("unknown_preset", name=name, known=", ".join(PRESETS))
    return PRESETS[name]
