"""Values made fast are the values that their own constructors make."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from companion.rules.making import quick
from companion.rules.players import NORMAL, Player
from companion.rules.position import Round

VALUES = [
    (Player, ("Ana",)),
    (Player, ("Ana", "red", 3, 0, True)),
    (Round, (1, NORMAL, "Ana", "Beto", 10)),
    (Round, (1, NORMAL, "Ana", "Beto", 10, (), None, False, 4)),
]


@pytest.mark.parametrize(("kind", "parts"), VALUES)
def test_they_are_equal_of_the_same_class_and_frozen(kind: type, parts: tuple[object, ...]) -> None:
    usual, fast = kind(*parts), quick(kind)(*parts)
    assert type(fast) is kind
    assert fast == usual
    assert hash(fast) == hash(usual)
    assert repr(fast) == repr(usual)
    name = next(iter(kind.__dataclass_fields__))  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError):
        setattr(fast, name, None)


@pytest.mark.parametrize(("kind", "parts"), VALUES)
def test_they_are_copied_and_changed_like_others(kind: type, parts: tuple[object, ...]) -> None:
    fast = quick(kind)(*parts)
    assert copy.copy(fast) == pickle.loads(pickle.dumps(fast)) == replace(fast) == fast
