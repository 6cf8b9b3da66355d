"""What people do on the page during a whole game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def sit_down(page: Any, names: Iterable[str], **house: str) -> None:
    """Fill in the set-up form and start."""
    names = tuple(names)
    while page.locator(".person").count() > len(names):
        page.locator(".drop").last.click()
    while page.locator(".person").count() < len(names):
        page.click("#add-person")
    for number, name in enumerate(names):
        page.locator(".person .name").nth(number).fill(name)
    page.click(".house summary")
    for switch, value in house.items():
        page.select_option(f'[data-switch="{switch}"]', value)
    page.click(".big.go")
    page.wait_for_selector("#pad")


def bid(page: Any, quantity: int, face: int) -> None:
    """Two taps."""
    page.click(f'[data-quantity="{quantity}"]')
    page.click(f'[data-face="{face}"]')
    page.wait_for_selector('[data-press="dudo"]')


def press(page: Any, button: str) -> None:
    """A press on the simulated box, which drives its mock pin."""
    page.click(f'[data-press="{button}"]')
