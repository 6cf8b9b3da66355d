"""Everybody can use it: by key, by ear, with the system's own colours, in five languages.

The first page says what this is, and the television shows the dice large."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from companion.texts import languages, translate
from tests.web.hands import expect, faults, follow, resize, sit, speak, until
from tests.web.tables import DICE, WAYS, BoxedTable, bidding, looking, observation, question, start, verdict
from web.pages import reveal_dice

SMALL, LAPTOP, TELEVISION = (
    {"width": 360, "height": 640},
    {"width": 1366, "height": 768},
    {"width": 1920, "height": 1080},
)


def in_english(key: str, values: Mapping[str, object]) -> str:
    return translate("en", key, **values)


@pytest.mark.parametrize(
    ("change", "words", "why"),
    [
        ({"owner": "Bea"}, "Bea, blue: two, certain", "owner and colour are known"),
        ({"colour": "red"}, "red: two, certain", "only the colour is known"),
        ({"colour": "ivory"}, "two, certain", "a colour that nobody plays with has no word"),
        ({}, "two, certain", "a die typed by hand has neither"),
        ({"owner": "Bea", "certain": False}, "Bea, blue: two, not certain", "a doubt is said"),
        ({"owner": "Bea", "struck": True}, "Bea, blue: two, removed", "so is a die that was struck out"),
    ],
)
def test_a_die_is_named_by_owner_and_colour(table, change, words, why):
    die = {"face": 2, "owner": None, "colour": None, "certain": True, "struck": False, "corrected": False}
    assert reveal_dice.die_words(in_english, start(table).data, {**die, "why": (), **change}) == words, why


@pytest.mark.parametrize("language", languages())
def test_the_tally_is_one_number_and_a_bar(client, table, language):
    looking(table)
    page = client.get("/", headers={"Accept-Language": language}).text
    bar = translate(language, "web.reveal.meter", lo=4, hi=8, quantity=5)
    assert f'aria-label="{bar}"' in page
    assert f"<b>4</b><span>{translate(language, 'web.reveal.tally', quantity=5)}" in page.replace(
        "&#39;", "'"
    )


@pytest.mark.browser
def test_the_likely_faces_of_a_question_stand_above_the_bar(phone, table):
    question(table)
    page = phone(viewport=SMALL, device_scale_factor=1, service_workers="block")
    for language in languages():
        speak(page, language)
        bar = page.locator(".bar").bounding_box()
        faces = [face.bounding_box() for face in page.locator(".likely").all()]
        assert bar is not None
        assert faces
        assert all(box is not None and box["y"] + box["height"] <= bar["y"] for box in faces), language


HIGHEST = "Math.max(...[...document.querySelectorAll('.bar > *')].map(one => one.offsetHeight))"
ACROSS = {"width": 740, "height": 360}


def bid(quantity: int) -> dict[str, object]:
    return {"kind": "bid", "by": "Ana", "quantity": quantity, "face": 3}


@pytest.mark.browser
@pytest.mark.parametrize(
    ("seat", "said"),
    [
        pytest.param("Bea", [bid(5)], id="undo, calza and dudo"),
        pytest.param(
            "Ana",
            [bid(15), {"kind": "dudo", "by": "Bea"}, {"kind": "next_round"}, bid(2)],
            id="undo and the rounds so far",
        ),
    ],
)
def test_no_word_of_the_bar_is_broken_beside_a_cup_in_the_phone(phone, table, seat, said):
    people = [{"name": name, "phone_cup": True} for name in ("Ana", "Bea", "Carlos")]
    table.say("new_game", players=people, preset="classic", starter="Ana")
    page = phone(viewport=SMALL, service_workers="block")
    sit(page, seat)
    for one in said:
        table.say(**one)
    for size, language in product((SMALL, ACROSS), languages()):
        resize(page, **size)
        speak(page, language)
        expect(page, ".bar .peek").to_be_visible()
        until(page, f"{HIGHEST} < 85", f"two lines at most: {language}, {size}")


BROKEN = """() => {
  const bar = document.querySelector(".bar"), range = document.createRange();
  range.selectNodeContents(bar.querySelector(".undo span"));
  const lines = new Set([...range.getClientRects()].map(one => one.top)).size;
  const room = innerWidth - parseFloat(getComputedStyle(bar).paddingRight) + 1;
  const out = [...bar.children].filter(one => one.getBoundingClientRect().right > room);
  return [...(lines > 1 ? ["broken"] : []), ...out.map(one => one.textContent)];
}"""


@pytest.mark.browser
def test_the_word_of_an_undo_stays_whole_beside_two_calls(phone, table):
    bidding(table)
    page, wrong = phone(service_workers="block"), {}
    for width, language in product((320, 360, 390), languages()):
        resize(page, width, 844)
        speak(page, language)
        expect(page, ".bar .calza").to_be_visible()
        wrong[width, language] = faults(page, BROKEN)
    assert {one: found for one, found in wrong.items() if found} == {}


@pytest.mark.browser
def test_the_three_ways_to_begin_are_above_the_fold(phone):
    page = phone(viewport=SMALL, device_scale_factor=1, service_workers="block")
    ways = page.locator(".welcome :is(a, button)")
    leads = "all => all.map(one => one.getAttribute('href') ?? one.form.getAttribute('action'))"
    assert ways.evaluate_all(leads) == ["#new", "/demo", "/me"]
    for language in languages():
        speak(page, language)
        for size in (SMALL, LAPTOP):
            resize(page, **size)
            ends = ways.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
            assert len(ends) == 3
            assert max(ends) <= size["height"], (language, size)
            expect(page, ".welcome .scene").to_be_visible()


@pytest.mark.browser
def test_new_game_leads_to_the_names_and_back(phone, table):
    page = phone()
    page.click(".welcome .big")
    expect(page, "#welcome").to_be_hidden()
    expect(page, ".person .name >> nth=0").to_be_visible()
    page.go_back()
    page.wait_for_selector("#welcome:visible")


@pytest.mark.browser
def test_the_main_button_is_the_first_of_the_page(phone, table):
    page = phone()
    ways = {"verdict": ".big.go", "over": ".big.go", "resumed": ".big.calza", "reveal": ".undo"}
    for way, button in ways.items():
        table.renew()
        WAYS[way](table)
        follow(page, table)
        page.focus("#main")
        page.keyboard.press("Tab")
        assert page.evaluate("wanted => document.activeElement.matches('.bar ' + wanted)", button), way
        low, high = page.locator(".bar").bounding_box(), page.locator("#live").bounding_box()
        assert low["y"] > high["y"] + 100, "the eye finds it at the bottom all the same"


@pytest.mark.browser
def test_enter_brings_the_game_on(phone, table):
    verdict(table)
    page = phone()
    page.keyboard.press("Enter")
    page.wait_for_selector(".on-round")
    page.keyboard.press("Enter")
    expect(page, ".on-round", "Enter never doubts a bid").to_have_count(1)


@pytest.mark.browser
def test_every_change_is_said(phone, table):
    page = phone()
    said = []
    for bring in (start, bidding, looking, question, verdict, WAYS["rolloff"], WAYS["over"]):
        table.renew()
        bring(table)
        page.wait_for_selector(f'#live[data-version="{table.snapshot().version}"]')
        said.append(page.inner_text("#said"))
    assert [words for words in said if not words] == []
    assert len(set(said)) == len(said)


THEMES = ("dark", "light")
CHOSEN = """() => [...document.querySelectorAll(".quantity")].map(one => [one.ariaPressed,
    getComputedStyle(one).backgroundColor])"""
FILLS = """() => [".ground", ".sure", ".maybe"].map(part =>
    getComputedStyle(document.querySelector(part)).fill)"""


@pytest.mark.browser
def test_forced_colours_keep_the_choice_and_the_bar(phone, table):
    start(table)
    page = phone(forced_colors="active")
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, forced_colors="active")
        buttons = page.evaluate(CHOSEN)
        chosen = {colour for pressed, colour in buttons if pressed == "true"}
        assert len(chosen) == 1
        assert chosen.isdisjoint(colour for pressed, colour in buttons if pressed == "false")
    table.renew()
    looking(table)
    page.wait_for_selector(".meter")
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, forced_colors="active")
        assert len(set(page.evaluate(FILLS))) == 3


LISTEN = """() => { window.spoken = [];
    speechSynthesis.speak = (one) => window.spoken.push([one.lang, one.text]);
    speechSynthesis.cancel = () => window.spoken.push("silence"); }"""


SCREEN = """off => { Object.defineProperty(document, "hidden", {value: off, configurable: true});
    document.dispatchEvent(new Event("visibilitychange")); }"""


@pytest.mark.browser
@pytest.mark.parametrize("locked", [False, True])
def test_a_verdict_is_spoken_only_where_somebody_wants_it_and_once_the_phone_is_unlocked(
    phone, table, locked
):
    bidding(table)
    page = phone("/me")
    page.evaluate(LISTEN)
    expect(page, '[data-voice="off"]').to_have_attribute("aria-pressed", "true")
    page.click('[data-voice="on"]')
    assert page.evaluate("window.spoken") == ["silence", ["en", "Voice on"]], "the tap itself is answered"
    page.goto(page.url.removesuffix("/me"))
    page.evaluate(LISTEN)
    page.evaluate(SCREEN, locked)
    table.say("dudo", by="Bea")
    table.do(observation(DICE))
    page.wait_for_selector(".verdict")
    follow(page, table)
    if locked:
        assert page.evaluate("window.spoken") == []
        page.evaluate(SCREEN, False)
    until(page, "window.spoken.length > 1")
    sentence = table.snapshot().data["verdict"]["sentences"]["en"]
    assert page.evaluate("window.spoken") == ["silence", ["en", sentence]]
    table.say("undo")
    page.wait_for_selector(".on-reveal")
    until(page, "window.spoken.length > 2")
    assert page.evaluate("window.spoken")[2:] == ["silence"], "what was undone is not read on"


@pytest.mark.browser
def test_a_television_can_speak(phone, table):
    bidding(table)
    page = phone("/board", viewport=TELEVISION, is_mobile=False)
    page.evaluate(LISTEN)
    page.click("#menu summary")
    page.click('[data-voice="on"]')
    page.click("#menu summary")
    table.say("dudo", by="Bea")
    table.do(observation(DICE))
    page.wait_for_selector(".verdict")
    assert len([one for one in page.evaluate("window.spoken") if one != "silence"]) == 2


def seated_with_cup(page: Any, table: BoxedTable) -> None:
    """Ana's dice are rolled in this phone."""
    people = [{"name": "Ana", "colour": "red", "phone_cup": True}, {"name": "Bea", "colour": "blue"}]
    table.say("new_game", players=people, preset="modern", starter="Ana")
    sit(page, "Ana")
    page.wait_for_selector("#cup-script[data-ready]", state="attached")  # which hears shakes


@pytest.mark.browser
def test_a_cup_is_rolled_by_a_tap_and_held_to_peek(phone, table):
    page = phone(reduced_motion="no-preference")
    seated_with_cup(page, table)
    expect(page, ".peek").to_have_text("Shake or tap to roll")
    page.click(".peek")
    page.wait_for_selector(".under .die")
    page.locator(".under").click()
    page.wait_for_selector("#sheet", state="hidden")
    expect(page, ".peek").to_have_text("Hold to peek")
    page.hover(".peek")
    page.mouse.down()
    page.wait_for_selector(".under .die")
    page.wait_for_timeout(400)  # a finger that stays
    page.mouse.up()
    page.wait_for_selector("#sheet", state="hidden")


@pytest.mark.browser
def test_a_shaken_phone_rolls(phone, table):
    page = phone(reduced_motion="no-preference")
    seated_with_cup(page, table)
    page.evaluate(
        """() => { for (const x of [0, 30]) dispatchEvent(new DeviceMotionEvent("devicemotion",
        {accelerationIncludingGravity: {x, y: 0, z: 9.8}})); }"""
    )
    page.wait_for_selector(".under .die")


SHARE = """() => { const box = document.querySelector(".shots img").getBoundingClientRect();
    const high = Math.min(box.height, box.width * 0.75);
    return high / innerHeight; }"""


@pytest.mark.browser
def test_the_dice_fill_the_television(phone, table):
    page = phone("/board", viewport=TELEVISION, is_mobile=False, device_scale_factor=1)
    for way in ("reveal", "verdict", "question"):
        table.renew()
        WAYS[way](table)
        follow(page, table)
        until(page, f"({SHARE})() > 0.75", way)


STRIPES = """() => [...document.querySelectorAll(".seats li")].map(one => {
    const look = getComputedStyle(one); return [look.outlineStyle, look.boxShadow]; })"""


@pytest.mark.browser
def test_black_and_white_stripes_have_an_edge(phone, table):
    start(table, (("Ana", "black"), ("Bea", "white")))
    page = phone("/board", viewport=TELEVISION, is_mobile=False)
    for theme in THEMES:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for outline, shadow in page.evaluate(STRIPES):
            assert outline == "solid"
            assert "inset" in shadow
