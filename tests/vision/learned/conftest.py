"""What tests of the nets for parts of dice share."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.vision.learned.parts import turned_to_say
from vision.learned import covered


@pytest.fixture
def odds_are_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the nets for parts say what a level's features are, and turned views that there is a part."""
    monkeypatch.setattr(covered.net, "load", lambda _: SimpleNamespace(answers=lambda blob, _: [blob]))
    turned_to_say(monkeypatch, [4.0] * 4)
