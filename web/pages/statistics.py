"""The pages of statistics: this game, every kept game, evenings, players over the years, the dice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from flask import Blueprint, Response, make_response, redirect, render_template, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import CompanionError
from companion.names import name_key
from companion.rules.explain import explain
from companion.statistics.archive import Archive
from companion.statistics.evenings import (
    Career,
    Evening,
    Part,
    Summary,
    careers,
    evenings,
    faces_of,
    played_by,
    standings,
    summary,
)
from companion.statistics.fairness import fairness, luck, of_all, throws_to_detect
from companion.statistics.record import GameRecord, JudgedRound
from companion.statistics.scores import Highlights, MadeBid, courses, highlights, made_bids, scores
from companion.table.wire.game import bid_json, call_word
from companion.texts import knows
from web.deps import Pictures
from web.i18n import Translator, translator
from web.page_table import PageTable
from web.pages import plots
from web.pages.screens import game_id, hides_dice
from web.payloads import query
from web.problems import Refused
from web.sessions.phones import Phones

SEASON = 8
"""So many players of a season fit on the television."""

DETECTED_CHANCES = (0.25, 0.2)
"""Probabilities of a loaded face for which the page gives the throws that detect them."""


def blueprint(archive: Archive, pictures: Pictures, phones: Phones) -> Blueprint:
    """The routes under /statistics; who manages the box makes one person of two names."""
    pages = Blueprint("statistics", __name__, url_prefix="/statistics")
    for path, name, values in (
        ("", "all", lambda: everything(phones.table, archive)),
        ("/dice", "dice", lambda: of_dice(archive)),
        ("/games/<wanted>", "game", lambda wanted: of_game(archive, pictures, wanted)),
        ("/evenings/<wanted>", "evening", lambda wanted: of_evening(archive, wanted)),
        ("/player", "player", lambda: of_player(archive, query("name"))),
    ):
        pages.add_url_rule(path, name, _page(name, values))

    @pages.post("/persons")
    def persons() -> AnyResponse:
        phones.must_manage()
        archive.join(request.form.get("other", ""), request.form.get("name", ""))
        return redirect("/statistics", code=303)

    return pages


def _page(name: str, values: Callable[..., Mapping[str, object]]) -> Callable[..., Response]:
    def page(**wanted: str) -> Response:
        scene = {"view": "statistics", "screen": name}
        return make_response(render_template(f"statistics/{name}.html", **scene, **values(**wanted)))

    return page


def everything(table: PageTable, archive: Archive) -> Mapping[str, object]:
    """Players over the years, all evenings, what cannot be read."""
    found = archive.overview()
    current = game_id(table.snapshot().data)
    return {
        "careers": careers(found.games),
        "persons": archive.persons.all(),
        "evenings": evenings(found.games)[::-1],
        "unreadable": found.unreadable,
        "pending": found.pending,
        "current": current,
    }


def of_dice(archive: Archive) -> Mapping[str, object]:
    """How the dice fell, all and by colour."""
    games = archive.overview().games
    by_colour = faces_of(games)
    return {
        "total": fairness(of_all(by_colour)),
        "sets": [(colour, fairness(counts)) for colour, counts in by_colour.items() if colour],
        "left_out": sum(game.left_out for game in games),
        "noticed": [(chance, throws_to_detect(chance)) for chance in DETECTED_CHANCES],
    }


def of_game(archive: Archive, pictures: Pictures, wanted: str) -> Mapping[str, object]:
    """One game with all its plots and rounds."""
    record = recorded(archive, wanted)
    shown = GameSums(record)
    return {
        "one": shown,
        "s": {"game": {"players": [{"name": n, "colour": c} for n, c in record.players]}},
        "played": [_past(one, translator(request).language, pictures) for one in record.rounds],
        "evening": _evening_with(archive, lambda game: game.id == wanted),
    }


def of_evening(archive: Archive, wanted: str) -> Mapping[str, object]:
    """The games of one evening, and what everybody did in them."""
    found = _evening_with(archive, lambda game: game.id == wanted)
    return {
        "evening": found,
        "careers": careers(found.games),
        "dice": fairness(of_all(faces_of(found.games))),
    }


def of_player(archive: Archive, wanted: str) -> Mapping[str, object]:
    """One player over the years. The name is no part of the path, where "." and "/" have a meaning."""
    key = name_key(wanted)
    games = played_by(archive.overview().games, key)
    if not games:
        raise Refused(404, "not_found")
    career = next(one for one in careers(games) if one.key == key)
    steps = standings(games, key)
    of_each = ((evening, careers(evening.games)) for evening in evenings(games))
    own = [(evening, next(one for one in all_of if one.key == key)) for evening, all_of in of_each]
    wins = {"won": (0.0, *(step.won for step in steps)), "even": (0.0, *(step.even for step in steps))}
    return {
        "career": career,
        "evenings": own[::-1],
        "wins": plots.course_plot(wins, {"won": career.colour, "even": "grey"}) if steps else None,
    }


def _evening_with(archive: Archive, fits: Callable[[Summary], bool]) -> Evening:
    for evening in evenings(archive.overview().games):
        if any(fits(game) for game in evening.games):
            return evening
    raise Refused(404, "not_found")


def recorded(archive: Archive, game_id: str) -> GameRecord:
    """A kept game; raises Refused."""
    try:
        return archive.record(game_id)
    except CompanionError as error:
        raise Refused(404, "not_found") from error


class GameSums(Struct, frozen=True):
    """One game, ready for the templates of its plots."""

    record: GameRecord

    @property
    def summary(self) -> Summary:
        return summary(self.record)

    @property
    def parts(self) -> tuple[Part, ...]:
        by_name = scores(self.record)
        return tuple(Part(name, colour, by_name[name]) for name, colour in self.record.players)

    @property
    def plot(self) -> plots.Plot:
        return plots.course_plot(courses(self.record), dict(self.record.players))

    @property
    def courses(self) -> dict[str, tuple[int, ...]]:
        return courses(self.record)

    def bids_of(self, name: str) -> tuple[MadeBid, ...]:
        return tuple(made for made in made_bids(self.record) if made.by == name)

    def chances_of(self, name: str) -> tuple[float, ...]:
        return tuple(made.chance for made in self.bids_of(name))

    def highlights_of(self, name: str) -> Highlights:
        return highlights(self.record, name)

    def boldest_of(self, name: str) -> MadeBid | None:
        return min(self.bids_of(name), key=lambda made: made.chance, default=None)


def hiding(table: PageTable) -> str | None:
    """The id of the game on the table while its lost dice are hidden (row S6), else None."""
    data = table.snapshot().data
    return game_id(data) if hides_dice(data) else None


class Live:
    """The statistics of the game on the table, for the screens that follow it."""

    def __init__(self, archive: Archive, table: PageTable) -> None:
        self._archive, self._table = archive, table

    def hides(self, wanted: str) -> bool:
        """Whether it is that game whose lost dice are hidden now."""
        return wanted == hiding(self._table)

    def of(self, game_id: str) -> GameSums | None:
        """The sums of a game; None where they cannot be had, for the game itself matters more."""
        try:
            return GameSums(self._archive.record(game_id))
        except CompanionError:
            return None

    def season(self, names: Collection[str] = ()) -> list[Career]:
        """Those of `names` who have finished a game here, everybody where none of them has, by games won."""
        found = [one for one in careers(self._archive.overview().games) if one.finished]
        here = [one for one in found if one.key in {name_key(name) for name in names}]
        return sorted(here or found, key=lambda one: (-one.won, one.even))[:SEASON]

    def before(self, game_id: str) -> str:
        """The id of the game before that one, "" where there was none."""
        ids = ("", *self._archive.ids())
        return ids[ids.index(game_id) - 1] if game_id in ids else ""

    def past(self, game_id: str, language: str) -> list[dict[str, object]]:
        """The rounds of a kept game, without their pictures."""
        found = self.of(game_id) if game_id else None
        return [_past(one, language) for one in found.record.rounds] if found else []


class LocalFormats(Struct, frozen=True):
    """Numbers and days as the phone's language writes them, and the sums that the templates ask for."""

    t: Translator

    def percent(self, share: float | None) -> str:
        return "–" if share is None else self.t("statistics.percent", value=round(100 * share))

    def number(self, value: float, most: int = 2) -> str:
        """A number of at least 0, with this language's comma and no more decimals than it has."""
        whole, _, rest = f"{value:.{most}f}".partition(".")
        rest = rest.rstrip("0")
        return self.t("statistics.decimal", whole=whole, rest=rest) if rest else whole

    def one_in(self, share: float) -> str:
        """How rare that is, as "one in 12"."""
        return self.t("statistics.one_in", n=max(1, round(1 / max(share, 1e-6))))

    def day(self, evening: Evening) -> str:
        day = evening.day
        if day is None:
            return self.t("statistics.day_unknown")
        month = self.t(f"statistics.months.{day.month}")
        return self.t("statistics.day", day=day.day, month=month, year=day.year)

    def names(self, evening: Evening) -> list[str]:
        """Who played that evening, who won most first."""
        return [career.name for career in sorted(careers(evening.games), key=lambda c: (-c.won, c.key))]

    def colour(self, name: str) -> str:
        """The word for a colour that was chosen or read."""
        own = f"statistics.dice.colours.{name}"
        return self.t(own if knows(f"web.{own}") else f"colours.{name}")

    def boldest_first(self, parts: Iterable[Part]) -> list[Part]:
        """Those who bid, by how unlikely their bids were."""
        return sorted((p for p in parts if p.score.bids), key=lambda part: part.score.mean_chance or 0.0)

    def p_value(self, value: float) -> str:
        return f"< {self.number(0.001, 3)}" if value < 0.001 else self.number(value, 3)

    luck = staticmethod(luck)


def _past(one: JudgedRound, language: str, pictures: Pictures | None = None) -> dict[str, object]:
    """A round as the list of rounds shows it."""
    verdict = one.verdict
    bid = bid_json(verdict.bid) if verdict.bid else None
    return {
        "round": one.number,
        "total": one.dice,
        "bid": bid,
        "bidder": verdict.bidder or verdict.passer,
        "call": call_word(verdict),
        "by": verdict.caller,
        "count": verdict.count_lo if bid and verdict.count_lo == verdict.count_hi else None,
        "verdict": {"sentences": {language: explain(verdict, language)}, "stands": verdict.stands},
        "pictures": [picture for picture in one.pictures if pictures and pictures.kept(picture) is not None],
    }
