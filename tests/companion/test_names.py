"""Names as the table keeps them: one line, nothing invisible, what belongs together held together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadCommand
from companion.table.commands import NAME_LENGTH, clean_name


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
def test_a_name_is_kept_clean(typed: str, kept: str) -> None:
    assert clean_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "name_empty"),
        (" \n\t", "name_empty"),
        ("\u200d\u200d\u200d", "name_empty"),
        ("\u202e\u200b", "name_empty"),
        ("x" * 1000, "name_too_long"),
        ("m" * (NAME_LENGTH + 1), "name_too_long"),
    ],
)
def test_a_name_that_cannot_be_is_refused(typed: str, reason: str) -> None:
    with pytest.raises(BadCommand) as caught:
        clean_name(typed)
    assert caught.value.reason == reason


@given(st.text(max_size=60))
def test_cleaning_again_changes_nothing(typed: str) -> None:
    try:
        once = clean_name(typed)
    except BadCommand:
        return
    assert clean_name(once) == once
