"""Dice that lie on other dice: the lower one shows a corner or a side, and neither way takes that for a die.

What lies about a die that was read is its own sides to everything else that looks for dice left unread. So a
small net (`vision/models/perched.onnx`, made by `vision.training`) looks round each die (`surroundings`):
where two dice lie one on the other the outline of both is no square, and its corners stand at other angles.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.arrays import Image
from vision.learned import surroundings
from vision.learned.net import MODEL, Net, load
from vision.learned.turns import Place, place_of
from vision.values import Die, Doubt

MODEL_PERCHED = MODEL.with_name("perched.onnx")
WORTH_MORE, LIKELY = 1.0, 2.5
"""Logarithm of the odds from which a die is looked at again, mirrored and as if smaller and larger; and from
which it is taken to lie on another on the mean of these looks. So do 44 of 60 drawn tables with such a pair,
2 of 154 other dice there, and none of 1 559 dice of photographs; one look tells 39, 2 and 3 from 3.0 on."""


def on_others(image_bgr: Image, dice: Sequence[Die]) -> list[Doubt]:
    """The places of dice that seem to lie on others, which nobody read."""
    return [Doubt("on_another", *at) for at in told(image_bgr, [place_of(die) for die in dice])]


def told(image_bgr: Image, places: Sequence[Place], net: Net | None = None) -> list[Place]:
    """Those of some places whose dice seem to lie on others, by one look and by the mean of several."""
    net = net or load(MODEL_PERCHED)
    first = surroundings.odds(image_bgr, places, net)
    worth = (at for at, said in zip(places, first, strict=True) if said > WORTH_MORE)
    return [at for at in worth if surroundings.odds_again(image_bgr, at, net) > LIKELY]
