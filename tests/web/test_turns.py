"""Whose turn it is, what has just happened, how the game goes: shown on every phone."""

import re
from collections import defaultdict

import pytest

from companion.rules.presets import PRESETS
from companion.texts import languages, translate
from tests.companion.test_rulebook import LIFE_WORDS
from tests.web.hands import expect, follow, sit
from tests.web.tables import DICE, bidding, doubted, evening, looking, observation, over, start, verdict
from web.pages import screens


@pytest.mark.parametrize(
    ("bring", "own", "kind", "why"),
    [
        (start, "Ana", "turn", "Ana opens"),
        (start, "Bea", "", "nobody has bid, and it is Ana's turn"),
        (bidding, "Bea", "turn", "Ana has bid, Bea is next"),
        (bidding, "Ana", "bid", "her own bid stands"),
        (bidding, None, "bid", "a phone without a seat hears bids alone"),
        (looking, "Bea", "dudo", "the cups are up"),
        (verdict, "Bea", "fails", "four of five threes"),
        (over, None, "winner", "one player is left"),
        (lambda table: (bidding(table), table.say("abandon"))[1], "Ana", "", "a game was stopped"),
    ],
)
def test_a_phone_is_cued_by_what_has_just_happened(table, bring, own, kind, why):
    cue = screens.cue(bring(table).data, own)
    assert cue.partition(":")[0] == kind, why
    if kind == "bid":
        assert cue != screens.cue(table.say("bid", by="Bea", quantity=6, face=3).data, own), "each bid is one"


@pytest.mark.parametrize(
    ("own", "order", "next_one"),
    [
        ("Bea", "Bea Carlos Ana", "Carlos"),
        ("Ana", "Ana Bea Carlos", "Carlos"),
        (None, "Ana Bea Carlos", "Carlos"),
    ],
)
def test_the_phone_s_own_player_stands_first(table, own, order, next_one):
    data = bidding(table).data
    assert [player["name"] for player in screens.own_first(data["game"]["players"], own)] == order.split()
    assert screens.beside_turn(data, 1) == next_one


def test_nobody_follows_when_nobody_is_on_turn(table):
    assert screens.beside_turn(evening(table).data, 1) == ""


@pytest.mark.parametrize("preset", PRESETS)
def test_how_to_play_has_four_steps_and_the_table_s_own_rules(client, table, preset):
    start(table, preset=preset)
    for language in languages():
        page = client.get("/how-to-play", headers={"Accept-Language": language}).text
        steps = [translate(language, f"web.how.{step}.title") for step in ("roll", "bid", "doubt", "count")]
        assert [page.count(f"<h2>{step}</h2>") for step in steps] == [1, 1, 1, 1]
        assert page.count("<li>") == len(screens.own_rules(PRESETS[preset].to_json())) + 1
        own = page.partition('class="own-rules"')[2].partition("</ul>")[0]
        assert bool(re.search(LIFE_WORDS[language], own)) == (PRESETS[preset].lives is not None)


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ({"calza": "off", "palifico": "off", "lives": None}, ["raise_rule", "penalty"]),
        ({"calza": "current", "palifico": "off", "lives": None}, ["raise_rule", "penalty", "calza"]),
        ({"calza": "off", "palifico": "first_one_die", "lives": None}, ["raise_rule", "penalty", "palifico"]),
        ({"calza": "off", "palifico": "first_one_die", "lives": 1}, ["raise_rule", "penalty"]),
        (
            {"calza": "off", "palifico": "first_one_die", "lives": None, "penalty": "tally"},
            ["raise_rule", "penalty"],
        ),
        (
            {"calza": "off", "palifico": "first_one_die", "lives": None, "penalty": "gain"},
            ["raise_rule", "penalty"],
        ),
    ],
    ids=["bare", "calza", "palifico", "lives play no palifico", "a tally plays none", "nor do gained dice"],
)
def test_a_newcomer_sees_the_switches_that_are_played(rules, shown):
    assert screens.own_rules({"penalty": "one", **rules}) == shown


@pytest.mark.parametrize(
    ("house", "call", "count", "tag"),
    [
        ({}, "dudo", 0, 'lose">−1'),
        ({"penalty": "tally"}, "dudo", 0, 'lose">+1'),
        ({"penalty": "gain"}, "dudo", 0, 'lose">+1'),
        ({"penalty": "gain", "starting_dice": 1}, "dudo", 0, 'lose">+1'),
        ({"penalty": "gain", "calza_exact": "regain_two"}, "calza", 1, 'gain">−2'),
        ({"calza_exact": "regain_two"}, "calza", 1, 'gain">+2'),
        ({"penalty": "tally", "calza_exact": "regain_two"}, "calza", 1, 'gain">−2'),
    ],
)
@pytest.mark.parametrize("path", ["/", "/board"])
def test_a_verdict_marks_who_is_worse_or_better_off(client, table, path, house, call, count, tag):
    start(table, house={"palifico": "off", **house})
    if call == "calza":
        table.say("hand_back", player="Bea", count=2 if house == {"calza_exact": "regain_two"} else 3)
    table.say("bid", by="Ana", quantity=1, face=3)
    table.say(call, by="Bea")
    table.say("type_count", count=count)
    assert f'<span class="tag {tag}' in client.get(path).text


@pytest.mark.browser
def test_a_phone_says_whose_turn_it_is(phone, table):
    start(table)
    ana, bea = phone(), phone()
    sit(ana, "Ana")
    sit(bea, "Bea")
    ana.wait_for_selector(".your-turn")
    assert ana.title() == "Your turn · Dudo"
    assert bea.title() == "Dudo"
    expect(bea, ".awaited .tag").to_have_text("You are next")
    table.say("bid", by="Ana", quantity=5, face=3)
    bea.wait_for_selector(".your-turn.c-blue")
    assert bea.title() == "Your turn · Dudo"
    expect(bea, ".players .player >> nth=0").to_have_text(re.compile(r"^\s*Bea"))
    ana.wait_for_selector("text=Waiting for Bea")


@pytest.mark.browser
def test_advice_is_shown_twice_and_then_no_more(phone, table):
    page = phone()
    shown = []
    for _ in range(3):
        table.renew()
        looking(table)
        page.wait_for_selector("[data-now='question']", state="attached")
        shown.append(page.is_visible("[data-now='question']"))
        table.renew()
        page.wait_for_selector(".on-setup")
    assert shown == [True, True, False]


@pytest.mark.browser
def test_the_count_goes_up_die_by_die_and_a_tap_ends_it(phone, table):
    page = phone(reduced_motion="no-preference")
    doubted(table)
    page.wait_for_selector(".on-reveal")
    page.evaluate(
        "window.sums = []; new MutationObserver(() => window.sums.push("
        "document.querySelector('.sum')?.textContent)).observe(document, {subtree: true, childList: true})"
    )
    table.do(observation(DICE))
    page.wait_for_selector(".verdict.count-up")
    table.refresh()  # somebody laughs: the count goes on
    follow(page, table)
    expect(page, ".verdict .sentence").to_be_hidden()
    expect(page, ".player .lose", "nor who lost").to_be_hidden()
    expect(page, ".player:has(.lose) .has", "nor what is left to him").to_be_hidden()
    page.wait_for_selector(".verdict.decided")
    expect(page, ".player .lose").to_be_visible()
    sums = [shown for shown in page.evaluate("window.sums") if shown]
    assert list(dict.fromkeys(sums))[-5:] == ["0", "1", "2", "3", "4"]
    expect(page, ".verdict .sentence").to_be_visible()

    table.say("undo")
    page.wait_for_selector(".on-reveal")
    table.say("confirm")
    page.wait_for_selector(".verdict.count-up")
    page.mouse.click(5, 5)
    page.wait_for_selector(".verdict.decided")
    expect(page, ".verdict .sum").to_have_text("4")


def counting(phone, table):
    """A page on which the dice of a verdict, four of which match, are being counted."""
    page = phone(reduced_motion="no-preference")
    doubted(table)
    page.wait_for_selector(".on-reveal")
    table.do(observation(DICE))
    page.wait_for_selector(".verdict.count-up")
    return page


@pytest.mark.browser
@pytest.mark.parametrize(
    ("face", "count"), [pytest.param(2, 3, id="fails still"), pytest.param(3, 5, id="holds")]
)
def test_a_die_corrected_while_the_dice_are_counted_counts(phone, table, face, count):
    """Four are counted: the first three is none, or the first six is one."""
    page = counting(phone, table)
    dice = table.snapshot().data["reveal"]["dice"]
    wrong = next(die["id"] for die in dice if die["face"] == (3 if face == 2 else 6))
    table.say("set_face", die=wrong, face=face)
    follow(page, table)
    page.wait_for_selector(".verdict.decided")
    expect(page, ".verdict .sum").to_have_text(str(count))
    expect(page, ".verdict .sentence").to_contain_text(f"{count}")


NEXT_ROUND = """document.getElementById("live").dataset.cue += "-next",
    document.dispatchEvent(new Event("swapped"))"""


@pytest.mark.browser
def test_a_verdict_of_the_same_words_while_the_dice_are_counted_counts_on(phone, table):
    """Regression: a phone that slept from one such round to the next counted twice at once, and to less."""
    page = counting(phone, table)
    page.evaluate(NEXT_ROUND)
    page.wait_for_selector(".verdict.decided")
    expect(page, ".verdict .sum").to_have_text("4")


@pytest.mark.browser
def test_a_page_opened_on_a_verdict_counts_nothing_again(phone, table):
    verdict(table)
    page = phone(reduced_motion="no-preference")
    expect(page, ".verdict .sentence").to_be_visible()
    expect(page, ".verdict .sum").to_have_text("4")


@pytest.mark.browser
def test_sounds_are_off_until_they_are_wanted(phone, table):
    page = phone("/me")
    page.evaluate(
        "() => { window.made = 0; const Real = AudioContext; window.AudioContext = class extends Real {"
        " constructor() { super(); window.made += 1; } }; }"
    )
    page.click("h1")
    assert page.evaluate("window.made") == 0
    page.click('[data-sound="on"]')
    assert page.evaluate("window.made") == 1
    expect(page, '[data-sound="on"]').to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(page, '[data-sound="on"]').to_have_attribute("aria-pressed", "true")


def test_the_winner_s_page_tells_the_boldest_bid_and_the_best_call(client, table):
    evening(table)
    for language in languages():
        page = client.get("/", headers={"Accept-Language": language}).text
        assert page.count('<ul class="highlights">') == 1
        assert page.count('class="confetti"') == 1


def test_an_idle_television_shows_the_code_that_brings_a_phone_in(client, table):
    idle = client.get("/board").text
    assert "/join/code.svg?link=http%3A//192.168.1.20%3A8000/" in idle
    assert client.get("/join/code.svg?link=http%3A//192.168.1.20%3A8000/").status_code == 200
    start(table)
    assert 'class="late-code"' in client.get("/board").text, "a small one stays for who comes late"


@pytest.mark.parametrize(
    ("preview", "why", "word"),
    [
        ("still", "", "looking"),
        ("still", "blurred", "looking"),
        ("still", "blurred, torn", "torn"),  # lifting the cups would not help
        ("hand", "torn", "hand"),
    ],
)
def test_a_reveal_says_what_it_waits_for(preview, why, word):
    odd = [{"key": "look_uncertain", "values": {"why": why}}]
    reveal = {"questions": [], "camera": defaultdict(lambda: preview), "problems": odd}
    assert screens.waiting_for({"state": "looking", "reveal": reveal}) == word
