"""The parts of a page, as a box hands them to it."""

from collections.abc import Iterator
from typing import Any

from web.api import games, pictures, setup
from web.api import table as table_api
from web.deps import Routes
from web.pages import club, copies, demonstration, frame, settings_form, statistics, wifi, workshop
from web.sessions.phones import Phones


def parts_of(given: Any, known: Phones) -> Iterator[Routes]:
    """The routes for what is given; what the box lacks has none."""
    yield table_api.blueprint(given.press, given.read_cup, known)
    yield table_api.readings(given.health, given.metrics, given.turn_left_s)
    yield setup.blueprint(given.groups, known)
    yield frame.blueprint(given.archive, known)
    yield pictures.blueprint(given.pictures, known, given.now_s)
    yield statistics.blueprint(given.archive, given.pictures, known)
    yield games.blueprint(given.archive, given.forget_game, known)
    yield club.blueprint(given.club)
    if given.demonstrate is not None:
        yield demonstration.blueprint(given.demonstrate)
    if given.workshop is not None:
        yield workshop.blueprint(given.workshop, known)
    if given.copies is not None:
        yield copies.blueprint(given.copies, known)
    if given.page_settings is not None:
        yield settings_form.blueprint(given.page_settings, given.room, known)
    if given.wifi_joining is not None:
        yield wifi.blueprint(given.wifi_joining, known, given.port)
