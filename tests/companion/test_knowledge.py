"""Who may know which dice, by the table and the docs; hidden lost dice show nobody who has lost some."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.rules.bidding import legal_bids
from companion.rules.bids import Bid
from companion.rules.calls import BidCall, Dudo, DudoPass
from companion.rules.events import Called
from companion.rules.game import apply, refuse
from companion.rules.legality import check, sees
from companion.rules.players import RoundKind, playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.table.cups import Why, known_dice
from companion.table.knowledge import TABLE, Knows, Moment, Role, exposed, known_cups, moment_of
from companion.table.ledger import Ledger
from companion.table.state import TableState
from tests.companion.playing import NAMES, chosen, rulesets, seats
from tests.new_games import new_game
from tests.prose import markdown

SECURITY = Path(__file__).resolve().parents[2] / "docs" / "reference" / "security.md"
BEFORE_A_CALL = (Moment.CHOOSING, Moment.BIDDING, Moment.CLOSED, Moment.OPEN, Moment.ANNOUNCED)


def test_the_docs_hold_the_table_as_it_is():
    page = SECURITY.read_text(encoding="utf-8")
    rows = ((moment, *(TABLE[moment][role] for role in Role)) for moment in Moment)
    assert markdown(("moment", *Role), rows) in page


def test_every_moment_and_every_role_has_its_cell():
    assert set(TABLE) == set(Moment)
    assert all(set(row) == set(Role) for row in TABLE.values())


@pytest.mark.parametrize("moment", BEFORE_A_CALL)
@pytest.mark.parametrize("role", [role for role in Role if role is not Role.PLAYER])
def test_before_a_call_nobody_without_a_seat_since_the_throw_knows_a_die(moment, role):
    assert TABLE[moment][role] is Knows.NOTHING


@pytest.mark.parametrize("moment", Moment)
def test_what_everybody_knows_no_role_is_denied(moment):
    cells = set(TABLE[moment].values()) - {TABLE[moment][Role.PLAYER]}
    assert len(cells) <= 1, "all but players see the same"
    if TABLE[moment][Role.SCREEN] is Knows.ALL:
        assert set(TABLE[moment].values()) == {Knows.ALL}


def somewhere(rules_and_names: tuple[object, tuple[str, ...]], seed: int) -> Game:
    """A random moment of a game in which palifico rounds come early."""
    rules, names = rules_and_names
    random, game = Random(seed), new_game(rules, names, names[0])  # type: ignore[arg-type]
    for _ in range(random.randint(0, 60)):
        if game.phase is Phase.OVER:
            break
        game = apply(game, chosen(game, random))
    return game


games = st.builds(
    somewhere,
    rulesets().flatmap(lambda rules: st.tuples(st.just(rules), seats(rules))),
    st.integers(0, 2**32),
)


@given(game=games)
@settings(max_examples=200)
def test_before_a_call_players_know_what_the_rules_let_them_see(game):
    if game.phase is not Phase.BIDDING:
        return
    inside = tuple(player.name for player in playing(game.players))
    allowed = sees(game)
    for name in inside:
        known = known_cups(game, Role.PLAYER, name, inside)
        if moment_of(game) is Moment.CHOOSING:
            assert known == ()
        else:
            assert set(known) == set(allowed[name])
        assert known_cups(game, Role.WATCHER, None, inside) == ()


@given(game=games)
@settings(max_examples=100)
def test_a_call_shows_to_everybody_what_is_judged_and_hides_nothing(game):
    if game.phase is not Phase.BIDDING:
        return
    thrown = tuple(player.name for player in playing(game.players))
    for call in (Dudo(game.round.turn), DudoPass(game.round.turn)):
        if check(call, game):
            continue
        called = apply(game, Called(call))
        shown = known_cups(called, Role.SCREEN, None, thrown)
        assert shown == (thrown if isinstance(call, Dudo) else (game.round.open_pass,))
        assert exposed(game, thrown) <= exposed(called, thrown)


def palifico() -> Game:
    game = new_game(PRESETS["modern"], NAMES[:3], NAMES[0])
    return replace(game, round=replace(game.round, kind=RoundKind.PALIFICO))


@pytest.mark.parametrize(
    ("why", "before", "after"),
    [
        ("in an open round others were seen", "open", "closed"),
        ("in a closed one the last die was seen", "closed", "open"),
        ("own dice were seen", "usual", "closed"),
        ("own dice were seen, the choice is taken back", "usual", None),
    ],
)
def test_another_choice_would_hide_what_was_seen(why, before, after):
    players = tuple(replace(p, dice=1 if p.name == "Ana" else 2) for p in palifico().players)
    game = replace(palifico(), players=players)
    seen = replace(game, round=replace(game.round, visibility=before))  # type: ignore[arg-type]
    then = replace(game, round=replace(game.round, visibility=after))  # type: ignore[arg-type]
    assert not exposed(seen, NAMES[:3]) <= exposed(then, NAMES[:3]), why


@pytest.mark.parametrize(
    ("visibility", "dice", "why"),
    [("closed", 1, Why.OWN), ("closed", 2, Why.CLOSED), ("open", 1, Why.OPEN), (None, 1, Why.CHOOSING)],
)
def test_a_phone_says_why_its_dice_are_seen_or_not(visibility, dice, why):
    now = replace(palifico(), ruleset=PRESETS["modern"].with_house({"palifico_view": "choice"}))
    players = tuple(replace(p, dice=dice) for p in now.players)
    shown = replace(now, players=players, round=replace(now.round, visibility=visibility))  # type: ignore[arg-type]
    rolled = tuple((name, (3,) * dice) for name in NAMES[:3])
    state = TableState(game=shown, cups=NAMES[:3], rolled=rolled)
    assert known_dice(state, Ledger(), NAMES[1], "a phone").why is why


def late(preset: str, *dice: int) -> Game:
    """A round of players with so many dice, who began with five."""
    game = new_game(PRESETS[preset].with_house({"dice_left": "hidden"}), NAMES[:3], NAMES[0])
    players = tuple(replace(p, dice=n, out=not n) for p, n in zip(game.players, dice, strict=True))
    return replace(game, players=players, round=replace(game.round, dice=sum(dice)))


@pytest.mark.parametrize("preset", ["perudo", "snyd", "chui_niu", "bluff"])
@pytest.mark.parametrize("bids", [(), (Bid(3, 4),)])
def test_bids_and_what_is_shown_do_not_tell_who_has_lost(preset, bids):
    games = [late(preset, 2, 3, 5), late(preset, 5, 4, 2)]
    for bid in bids:
        games = [apply(game, Called(BidCall("Ana", bid))) for game in games]
    one, other = games
    assert one.shown == other.shown
    assert legal_bids(one) == legal_bids(other)
    for quantity in range(1, 40):
        call = BidCall(one.round.turn, Bid(quantity, 5))
        assert check(call, one) == check(call, other)


def test_the_sentence_of_a_refusal_names_what_is_known():
    with pytest.raises(Exception, match="15 dice"):
        refuse(BidCall("Ana", Bid(16, 5)), late("perudo", 2, 3, 5))


def test_a_call_shows_how_many_there_are():
    game = apply(late("perudo", 2, 3, 5), Called(BidCall("Ana", Bid(3, 4))))
    assert game.shown.round.dice == 15
    assert apply(game, Called(Dudo("Beto"))).shown.round.dice == 10
