"""Names as the table keeps them: one line, nothing invisible, what belongs together held together."""

from contextlib import nullcontext, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadCommand
from companion.names import NAME_LENGTH, check_name, clean_name, name_key, same_person
from tests.refusals import refused


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ana", "Ana"),
        ("  Ana \t María ", "Ana María"),
        ("Ana\nMaría", "Ana María"),
        ("A\u200bn\u202ea\x00", "Ana"),
        ("A\u200dna", "Ana"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u200dAna\u200c", "Ana"),
        ("👧\u200d", "👧"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("m" * NAME_LENGTH, "m" * NAME_LENGTH),
    ],
)
def test_a_name_is_kept_clean(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "name_empty"),
        (" \n\t", "name_empty"),
        ("\u200d\u200d\u200d", "name_empty"),
        ("\u202e\u200b", "name_empty"),
        ("\u3164", "name_empty"),
        ("\u115f\uffa0", "name_empty"),
        ("\u2800\u2800", "name_empty"),
        ("\ufe0f", "name_empty"),
        ("\u034f\u0301", "name_empty"),
        ("\U000e0100", "name_empty"),
        ("x" * 1000, "name_too_long"),
        ("m" * (NAME_LENGTH + 1), "name_too_long"),
    ],
)
def test_a_name_that_cannot_be_is_refused(typed, reason):
    with refused(reason, BadCommand):
        clean_name(typed)


@given(st.text(max_size=60))
def test_cleaning_again_changes_nothing(typed):
    try:
        once = clean_name(typed)
    except BadCommand:
        return
    assert clean_name(once) == once


@pytest.mark.parametrize(
    ("one", "other", "same", "why"),
    [
        ("Ana", "ANA", True, "case"),
        (" Ana  María ", "ana maría", True, "spaces"),
        ("Ａｎａ", "ana", True, "width"),
        ("Straße", "STRASSE", True, "case that adds a letter"),
        ("Ana\u3164", "Ana", True, "a letter of which nothing is drawn"),
        ("❤\ufe0f", "❤", True, "a variation selector"),
        ("😎 Ana", "Ana", True, "an emoji worn before the name"),
        ("👍🏽 🐻 Ana", "😎 ana", True, "another one, with a colour"),
        ("😎", "🐻", False, "an emoji that is the whole name"),
        ("Ana 🐻", "Ana", False, "one behind it, as it was before"),
        ("Ana", "Anna", False, "other letters"),
        ("José", "Jose", False, "an accent is a letter"),
    ],
)
def test_spellings_of_one_person(one, other, same, why):
    assert (name_key(one) == name_key(other)) is same, why
    with pytest.raises(BadCommand) if same else nullcontext():
        check_name(one, ["Bea", other])


@pytest.mark.parametrize(
    ("name", "names", "found", "why"),
    [
        ("🐻 Ana", ("Ana", "🐻 Ana"), "🐻 Ana", "kept so before an emoji was no part of the person"),
        ("😎 ana", ("Bea", "Ana"), "Ana", "the same person, spelt otherwise"),
        ("Anna", ("Ana",), None, "nobody"),
    ],
)
def test_the_same_name_is_found_before_the_same_person(name, names, found, why):
    assert same_person(name, names) == found, why


@given(st.text(max_size=30))
def test_the_key_of_a_key_is_the_key(name):
    assert name_key(name_key(name)) == name_key(name)


@given(st.text(max_size=30))
def test_a_name_that_is_taken_has_something_drawn(typed):
    with suppress(BadCommand):
        assert name_key(clean_name(typed))
