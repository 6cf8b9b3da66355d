"""What is refused is refused for its reason, which every language has a sentence for."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.errors import CompanionError


@contextmanager
def refused(
    reason: str | None, kind: type[CompanionError] = CompanionError, why: str = "", **values: object
) -> Iterator[None]:
    """Whatever stands in it is refused for this reason and with these values; done where that is None."""
    if reason is None:
        yield
        return
    with pytest.raises(kind) as caught:
        yield
    given = {key: caught.value.values[key] for key in values}
    assert (caught.value.reason, given) == (reason, values), why
    assert str(caught.value)
