"""Quickly made values stay the frozen dataclasses they are."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields, replace

import pytest

from companion.rules import calls, events, position, verdict
from companion.rules.quick import quick


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    dice: int = 5


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    name: str
    dice: int = 5


MADE_IN_GAMES = (
    *(calls.BidCall, calls.Dudo, calls.Calza, calls.Pass, calls.DudoPass, calls.ChooseVisibility),
    *(position.Player, position.Round, position.Game),
    *(events.Called, events.Revealed, verdict.Verdict),
)


@pytest.mark.parametrize(
    "made",
    [Quick("Ana"), Quick("Ana", 5), Quick("Ana", dice=5), Quick(dice=5, name="Ana"), Quick(*("Ana",))],
)
def test_every_way_of_giving_the_fields_gives_the_same_value(made: Quick) -> None:
    assert (made.name, made.dice) == ("Ana", 5)
    assert made == Quick("Ana")
    assert hash(made) == hash(Plain("Ana"))
    assert repr(made) == "Quick(name='Ana', dice=5)"
    assert replace(made, dice=2) == Quick("Ana", 2)


def test_it_is_frozen() -> None:
    ana = Quick("Ana")
    with pytest.raises(FrozenInstanceError):
        ana.dice = 4  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del ana.name
    assert ana.dice == 5


@pytest.mark.parametrize(("args", "named"), [((), {}), (("Ana", 5, 6), {}), (("Ana",), {"dices": 5})])
def test_wrong_fields_are_refused_as_by_any_dataclass(args: tuple[str, ...], named: dict[str, int]) -> None:
    for made in (Plain, Quick):
        with pytest.raises(TypeError, match=rf"{made.__name__}\.__init__"):
            made(*args, **named)  # type: ignore[arg-type]


def test_its_signature_is_that_of_the_dataclass() -> None:
    assert inspect.signature(Quick) == inspect.signature(Plain)


@pytest.mark.parametrize("kind", MADE_IN_GAMES)
def test_each_field_of_a_game_s_values_goes_where_it_belongs(kind: type) -> None:
    told = {field.name: f"the {field.name}" for field in fields(kind)}
    made = kind(**told)
    assert {name: getattr(made, name) for name in told} == told
    needed = {field.name: told[field.name] for field in fields(kind) if field.default is MISSING}
    bare = kind(**needed)
    assert all(getattr(bare, f.name) == f.default for f in fields(kind) if f.name not in needed)
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(kind)[0].name, "another")
