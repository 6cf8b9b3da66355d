"""A random evening: people, buttons, an erring camera and restarts, over the page's own API."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from msgspec import to_builtins

from companion.reveal.corrections import Correction
from companion.reveal.observations import Observation
from companion.reveal.state import ALL, RevealState
from companion.rules.bidding import legal_bids
from companion.rules.calls import Dudo, DudoPass
from companion.rules.counting import Reveal
from companion.rules.judge import judge
from companion.rules.legality import check
from companion.rules.players import RoundKind, playing
from companion.rules.position import Game, Phase
from companion.rules.presets import PRESETS
from companion.table.commands import AddObservation
from companion.table.parsing import parse
from companion.table.state import REVEALING, TableState, assessment, showing
from companion.table.table import Table
from companion.table.view import view
from tests.companion.reveal_player import COLOURS, Scenario, answer
from tests.companion.reveal_table import HEIGHT, Errors, TrueDie, View, photograph, scattered
from tests.companion.reveal_table import Table as TrueTable
from tests.web.tables import BoxedTable, deps_for
from web.app import create_app
from web.pages.reveal_dice import rolled

NAMES = ("Ana", "Bea", "Carlos", "Dino", "Elsa", "Fito")
RGB = dict(
    zip(
        COLOURS,
        ((170, 40, 40), (235, 235, 235), (40, 140, 60), (220, 190, 40), (30, 30, 30), (110, 50, 140)),
        strict=True,
    )
)
FAULTY = Errors(certain_wrong=0.0, missed=0.01, colour_wrong=0.0)
"""What is read with certainty is right, that is the reader's promise; everything else may happen."""

NONSENSE: tuple[Mapping[str, Any], ...] = (
    {"type": "set_face", "die": "all.99", "face": 3},
    {"type": "set_face", "die": "all.1", "face": 9},
    {"type": "hand", "player": "Nobody", "faces": [1, 7]},
    {"type": "bid", "by": "Ana", "quantity": 10**9, "face": 6},
    {"type": "bid", "by": 7, "quantity": "many", "face": None},
    {"type": "add_die", "face": 3, "place": "nowhere", "x": 0.5, "y": 0.5},
    {"type": "roll_off", "rolls": [{"Nobody": 3}]},
    {"type": "type_count", "count": -1},
    {"type": "challenge", "by": "Ana", "call": "dudo", "bid": {"quantity": 0, "face": 0}},
    {"type": "new_game", "players": []},
    {"type": "play_again"},
    {"type": "what"},
)


class Evening:
    """A table with dice that really lie there, and everything that may happen to it.

    With `lies` people also say what is not so; then verdicts are not held against the true dice.
    """

    def __init__(self, folder: Path, seed: int, *, lies: bool = False) -> None:
        self.random, self.lies = Random(seed), lies
        self.boxed = BoxedTable(folder)
        self.each = self.random.random() < 0.4
        self._sit_down()
        self.client = create_app(deps_for(self.boxed)).test_client()
        self.checked = 0

    @property
    def state(self) -> TableState:
        return self.boxed.table.snapshot().state

    def _sit_down(self) -> None:
        self.boxed.table = Table(self.boxed.journal, each=self.each, roll=self._thrown)

    def _thrown(self, number: int) -> tuple[int, ...]:
        return tuple(self.random.choices(range(1, 7), k=number))

    def close(self) -> None:
        self.boxed.journal.close()

    # ---- what may happen --------------------------------------------------------------------------------

    def step(self) -> None:
        """Do one random step; raises when an answer or a verdict is wrong."""
        before = self.state
        chance = self.random.random()
        if chance < 0.03:
            self._restart()
        elif chance < 0.07:
            self.say(self.random.choice(NONSENSE))
        elif chance < 0.10:
            self.say({"type": "undo"})
        elif chance < 0.17:
            self.press(self.random.choice(("dudo", "calza", "ok")))
        elif chance < 0.18:
            self.say({"type": self.random.choice(("abandon", "put_away", "play_again", "forget_colours"))})
        else:
            self._go_on()
        self._check(before)

    def say(self, command: Mapping[str, Any]) -> int:
        """Send a command over the API: no answer is a server error, and a refusal has a sentence."""
        shown = self.boxed.table.snapshot().version
        based_on = self.random.choice((None, shown, shown - 1))
        answer = self.client.post("/api/v1/commands", json={"command": command, "based_on": based_on})
        assert answer.status_code in (200, 400, 409, 422), (command, answer.status_code, answer.data)
        assert answer.json
        if answer.status_code != 200:
            assert answer.json["title"], command
        return int(answer.status_code)

    def press(self, button: str) -> None:
        answer = self.client.post("/api/v1/box/press", json={"button": button, "held": False})
        assert answer.status_code < 500, (button, answer.data)

    def _go_on(self) -> None:
        game = self.state.game
        if game is None or game.phase is Phase.OVER:
            self._open()
        elif game.phase is Phase.BIDDING:
            self._bid(view(self.boxed.table.snapshot())["game"])
        elif game.phase in REVEALING:
            self._reveal(game)
        else:
            self.say({"type": "next_round"})

    def _open(self) -> None:
        people = [{"name": n, "colour": c} for n, c in zip(NAMES, COLOURS, strict=True)]
        people = people[: self.random.randint(2, 6)]
        if self.random.random() < 0.2:
            people[0]["phone_cup"] = True  # type: ignore[assignment]
        self.say({"type": "put_away"})
        preset = self.random.choice(sorted(PRESETS))
        roll = self.random.random() < 0.4
        self.say({"type": "new_game", "players": people, "preset": preset, "roll_off": roll})

    def _bid(self, game: Mapping[str, Any]) -> None:
        legal, turn = game["round"]["legal"], game["round"]["turn"]
        chance = self.random.random()
        if legal["visibility"]:
            self.say({"type": "choose_visibility", "by": turn, "visibility": "open"})
        elif legal["dudo"] and chance < 0.4:
            self.say({"type": "dudo", "by": turn})
        elif legal["dudo_pass"] and chance < 0.5:
            self.say({"type": "dudo_pass", "by": turn})
        elif legal["calza"] and chance < 0.5:
            self.say({"type": "calza", "by": self.random.choice(legal["calza"])})
        elif legal["pass"] and chance < 0.55:
            self.say({"type": "pass", "by": turn})
        elif legal["bids"]:
            quantity, face = self.random.choice(legal["bids"][:12])
            self.say({"type": "bid", "by": turn, "quantity": quantity, "face": face})

    def _reveal(self, game: Game) -> None:
        found, chance = assessment(self.state), self.random.random()
        if chance < 0.5:
            self._observe(game)
        elif chance < 0.55:
            self.say({"type": "confirm"})
        elif self.lies and chance < 0.8:
            self._lie(game)
        elif found.questions and found.next_place is None:
            self.say(_command(self._truth(game)))

    def _lie(self, game: Game) -> None:
        found = assessment(self.state)
        dice = [die.id for die in found.dice] or ["all.1"]
        die, other = self.random.choice(dice), self.random.choice(dice)
        face, name = self.random.randint(1, 6), self.random.choice(game.players).name
        at = {"x": self.random.random(), "y": self.random.random(), "place": self.random.choice((ALL, name))}
        self.say(
            self.random.choice(
                (
                    {"type": "set_face", "die": die, "face": face},
                    {"type": "strike", "die": die},
                    {"type": "cut_off", "die": die},
                    {"type": "set_owner", "die": die, "player": name},
                    {"type": "as_read", "place": at["place"]},
                    {"type": self.random.choice(("same_die", "two_dice")), "first": die, "second": other},
                    {"type": "all_apart"},
                    {"type": "add_die", "face": face, **self.random.choice(({}, {"player": name}, at))},
                    {"type": "hand", "player": name, "faces": self.random.choices(range(1, 7), k=3)},
                    {"type": "type_count", "count": face},
                    {"type": "look", "place": at["place"]},
                    {
                        "type": "correct_call",
                        "by": name,
                        "call": "calza",
                        "bid": {"quantity": 3, "face": face},
                    },
                )
            )
        )

    # ---- the dice that really lie there -----------------------------------------------------------------

    def _hands(self, game: Game) -> dict[str, tuple[int, ...]]:
        """Everybody's dice of this round, the same however often it is played."""
        state = self.state
        if game.phase is Phase.ROLLOFF and state.reveal:
            wanted = {name: 1 for name, _ in state.reveal.by_player}
        else:
            wanted = {p.name: p.dice for p in playing(game.players)}
        random = Random(f"{len(self.boxed.journal.games())}/{game.round.number}/{state.rolls}/{wanted}")
        hands = {name: tuple(random.choices(range(1, 7), k=number)) for name, number in wanted.items()}
        return {**hands, **{name: faces for name, faces in state.rolled if name in hands}}

    def _dice(self, game: Game) -> TrueTable:
        """The dice that are shown, everybody's in one place, far from the others where the box is moved."""
        hands, colours = self._hands(game), {p.name: p.colour for p in game.players}
        names = list(hands) if game.phase is Phase.ROLLOFF else [p.name for p in showing(game)]
        names = [name for name in names if name not in self.state.cups]
        random = Random(repr(hands))
        spots = scattered(random, sum(len(hands[name]) for name in names), 0.6)
        far = self._apart(game)
        lying = [(name, face) for name in names for face in hands[name]]
        return TrueTable(
            tuple(
                TrueDie(face, z + far * 3 * names.index(name), colours[name], name, random.uniform(0, 90))
                for (name, face), z in zip(lying, spots, strict=True)
            )
        )

    def _apart(self, game: Game) -> bool:
        return self.each or game.phase is Phase.ROLLOFF

    def _view(self, game: Game, place: str) -> View:
        """The box over the dice of `place`."""
        lying = self._dice(game).dice
        names = list(dict.fromkeys(die.owner for die in lying))
        at = 3 * names.index(place) if self._apart(game) and place in names else 0
        return View(complex(0.5 + at, HEIGHT / 2))

    def _observe(self, game: Game) -> None:
        """A frame, in most cases of the place that the box asks for."""
        reveal = self.state.reveal
        assert reveal is not None
        place = assessment(self.state).next_place or self.random.choice(
            [p.name for p in reveal.places] or [ALL]
        )
        seen = photograph(self._dice(game), self._view(game, place), FAULTY, self.random)
        if self.random.random() < 0.03:
            seen = replace(seen, dice=seen.dice[: len(seen.dice) // 2])  # half a look
        self._take(self._coloured(seen), place)
        if self.random.random() < 0.7:
            again = photograph(self._dice(game), self._view(game, place), FAULTY, self.random)
            self._take(self._coloured(again), place)

    def _take(self, observation: Observation, place: str) -> None:
        """Add the observation as the box does, unless the reveal is over."""
        game = self.state.game
        if game is not None and game.phase in REVEALING:
            self.boxed.table.do(AddObservation(observation, place))

    def _coloured(self, observation: Observation) -> Observation:
        """The look with the colours measured, each a little off."""

        def rgb(colour: str) -> tuple[float, float, float]:
            r, g, b = (value + self.random.gauss(0, 3) for value in RGB[colour])
            return r, g, b

        dice = tuple(
            replace(die, rgb=rgb(die.colour) if die.colour in RGB else None) for die in observation.dice
        )
        return replace(observation, dice=dice)

    def _truth(self, game: Game) -> Correction:
        """What somebody who sees the dice answers to the first question."""
        reveal, found = self.state.reveal, assessment(self.state)
        assert reveal is not None
        views = {place.name: self._view(game, place.name) for place in reveal.places}
        scene = _scene(reveal, self._dice(game), views)
        return answer(found.questions[0], found, scene, views)

    # ---- what must hold ---------------------------------------------------------------------------------

    def _restart(self) -> None:
        before = self.state
        self._sit_down()
        assert self.state == before, "a restart changes nothing"

    def _check(self, before: TableState) -> None:
        """Everything can be shown, and a verdict is what the true dice say."""
        data = view(self.boxed.table.snapshot())
        assert (data["game"] is None) == (self.state.game is None)
        game, reveal = self.state.game, self.state.reveal
        if game is None or reveal is None or not game.verdict or self.lies or reveal.answer is not None:
            return
        asked = before.game
        if asked is None or asked.phase is not Phase.REVEAL or asked.round.number != game.round.number:
            return
        hands = tuple((n, f) for n, f in self._hands(asked).items() if n in {p.name for p in showing(asked)})
        true = judge(asked, Reveal(hands=hands))
        verdict = game.verdict
        self.checked += 1
        found, wanted = ((v.loser, v.gainer, v.dice_change) for v in (verdict, true))
        assert found == wanted, "no verdict is wrong"

    def finish(self) -> None:
        """The game can always be played to its end by hand, without the camera."""
        for _ in range(2000):
            game = self.state.game
            if game is None or game.phase is Phase.OVER:
                return
            self._by_hand(game)
        raise AssertionError(f"stuck in {self.state.game}")

    def _by_hand(self, game: Game) -> None:
        command, turn = self.boxed.say, game.round.turn
        if game.phase is Phase.VERDICT:
            command("next_round")
        elif game.phase is Phase.REVEAL:
            standing = None if game.round.open_pass else game.round.standing
            command("type_count", count=self.random.choice((0, standing.bid.quantity if standing else 1)))
            self._confirm()
        elif game.phase is Phase.ROLLOFF:
            self._roll_by_hand()
            self._confirm()
        elif check(Dudo(turn), game) is None:
            command("dudo", by=turn)
        elif check(DudoPass(turn), game) is None:
            command("dudo_pass", by=turn)
        elif game.round.kind is RoundKind.NORMAL or game.round.visibility or not legal_bids(game):
            command("bid", by=turn, quantity=legal_bids(game)[0].quantity, face=legal_bids(game)[0].face)
        else:
            self._bid(view(self.boxed.table.snapshot())["game"])

    def _roll_by_hand(self) -> None:
        """A tap on a face for everybody, as the page has it; a die too many is struck out."""
        shown = view(self.boxed.table.snapshot())["reveal"]
        commands = [
            rolled(
                number, name, next((d for d in shown["dice"] if d["owner"] == name and d["counted"]), None)
            )
            for number, (name, _) in enumerate(shown["hands"], 1)
        ]
        for question in shown["questions"][:1]:
            if question["other"]:
                commands.append({"type": "two_dice", "first": question["die"], "second": question["other"]})
            elif question["ask"] == "extra":
                commands.append({"type": "strike", "die": question["die"]})
        rolls = self.state.rolls
        for command in commands:
            if self._rolls_off() and self.state.rolls == rolls:
                self.boxed.do(parse(command))

    def _rolls_off(self) -> bool:
        return self.state.game is not None and self.state.game.phase is Phase.ROLLOFF

    def _confirm(self) -> None:
        """After a verdict was taken back the next one waits for a person."""
        if self.boxed.table.snapshot().held:
            self.boxed.say("confirm")


def _scene(reveal: RevealState, lying: TrueTable, views: Mapping[str, View]) -> Scenario:
    numbers = dict(reveal.by_player)
    return Scenario("evening", reveal.claim, lying, (), (), views, (), numbers, {}, 2, FAULTY)


def _command(correction: Correction) -> Mapping[str, Any]:
    """A correction as the page sends it."""
    return to_builtins(correction)
