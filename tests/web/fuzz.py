"""Sends the API what its description allows, and what it does not, with the cookie of each role.

    python -m tests.web.fuzz --seconds 120

Nothing may be an error of the house, every answer must be as described, and no phone may become more than it
was but by what gives it: the cookie of a watcher is a watcher's throughout. What is found is printed with its
request; the exit status is 1 then. `--seed` repeats a run.
"""

import argparse
import json
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.web.fuzzed_house import ROLES, House, grown

CHECKS = [
    *(not_a_server_error, status_code_conformance, content_type_conformance),
    *(response_schema_conformance, response_headers_conformance),
]
CASES = 8
"""So many requests of one kind in a row, before another operation has its turn."""

OFTEN = {"/api/v1/commands": 8, "/api/v1/phone": 6, "/api/v1/box/press": 2}
"""Those that change something have more turns."""

PLAIN = {"Accept-Encoding": "identity"}


class Fuzz:
    """Runs operations by turns until the time is over; keeps what was found."""

    def __init__(self, random: Random, folder: Path) -> None:
        self.random, self._folder = random, folder
        self.sent: Counter[str] = Counter()
        self.answered: Counter[int] = Counter()
        self.found: list[str] = []
        self._houses = 0
        self.house = self._new_house()

    def _new_house(self) -> House:
        self._houses += 1
        folder = self._folder / str(self._houses)
        folder.mkdir()
        return House(folder, self.random)

    def run(self, until_s: float) -> None:
        """Every operation with every role, again and again."""
        while time.monotonic() < until_s and len(self.found) < 20:
            turns = [(operation, role) for operation in self._operations() for role in ROLES]
            self.random.shuffle(turns)
            for operation, role in turns:
                if time.monotonic() < until_s:
                    self._try(operation, role)

    def _operations(self) -> Iterator[Any]:
        schema = schemathesis.openapi.from_wsgi("/api/openapi.json", self.house)
        found = [one.ok() for one in schema.get_all_operations()]
        operations = [
            one for one in found for _ in range(OFTEN.get(one.path, 1) if one.method == "post" else 1)
        ]
        yield from operations

    def _try(self, operation: Any, role: str) -> None:
        """Send some requests of one operation by one phone; returns the first finding."""
        modes = schemathesis.GenerationMode
        wrong_too = operation.method == "post" or operation.path.endswith("/state")
        mode = (
            self.random.choice((modes.POSITIVE, modes.POSITIVE, modes.NEGATIVE))
            if wrong_too
            else modes.POSITIVE
        )

        @seed(self.random.randrange(2**32))
        @settings(
            max_examples=CASES,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def requests(case: Any) -> None:
            self._send(case, role)

        try:
            requests()
        except Unsatisfiable:
            return  # nothing that is wrong can be sent here
        except BaseExceptionGroup as error:
            self.found.append(f"{role}: {error}")
        except Exception as error:
            self.found.append(f"{role}, {operation.label}: {type(error).__name__}: {error}")

    def _send(self, case: Any, role: str) -> None:
        case.operation.app = self.house
        if isinstance(case.body, dict):
            self._make_plausible(case.body)
        answer = case.call(app=self.house, headers=PLAIN, cookies=self._cookies(role))
        self.sent[role] += 1
        self.answered[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)
        if "json" in answer.headers.get("content-type", [""])[0]:
            json.loads(answer.content, parse_constant=_no_json)
        now = self.house.standing(*{role, self.random.choice(ROLES)})
        wrong = grown(self.house, now, role, case.body)
        assert not wrong, (wrong, case.as_curl_command())
        if any(now[one] != self.house.was[one] for one in now):
            self.house.close()
            self.house = self._new_house()

    def _cookies(self, role: str) -> dict[str, str]:
        return {"phone": self.house.cookie(role), "lang": self.random.choice(("en", "de", "es", "fr", "pt"))}

    def _make_plausible(self, body: dict[str, Any]) -> None:
        """Let most texts name what there is at the table."""
        known, command = self._known(), body.get("command")
        parts = (body, command) if isinstance(command, dict) else (body,)
        for part in parts:
            for member, value in part.items():
                if member in known and self.random.random() < 0.7:
                    part[member] = self.random.choice(known[member])
                elif member == "bid" and isinstance(value, dict) and self.random.random() < 0.7:
                    part[member] = {"quantity": self.random.randint(1, 6), "face": 3}
        if self.random.random() < 0.8:
            body.pop("based_on", None)

    def _known(self) -> dict[str, list[Any]]:
        """What members of a body may plausibly be."""
        data = self.house.table.snapshot().data
        names = [player["name"] for player in (data["game"] or {}).get("players", ())] or ["Ana"]
        dice = [die["id"] for die in (data["reveal"] or {}).get("dice", ())] or ["all.1"]
        places = [place["place"] for place in (data["reveal"] or {}).get("places", ())] or ["all"]
        return {
            **dict.fromkeys(("by", "player", "bidder", "starter", "seat", "free"), names),
            **dict.fromkeys(("die", "first", "second"), dice),
            "place": places,
            "button": ["dudo", "calza", "ok", "together"],
            "preset": ["modern", "perudo"],
            "quantity": list(range(1, 9)),
            "face": list(range(1, 7)),
            "count": list(range(6)),
        }


def _no_json(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def main(arguments: list[str] | None = None) -> int:
    """Fuzz for a while; 0 when nothing was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long, in all (120)")
    parser.add_argument("--seed", type=int, default=None, help="repeat the run of that number")
    given_ = parser.parse_args(arguments)
    number = time.time_ns() % 2**32 if given_.seed is None else given_.seed
    logging.getLogger("web.app").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(Random(number), Path(folder))
        fuzz.run(time.monotonic() + given_.seconds)
        fuzz.house.close()
    print(
        f"seed {number}: {sum(fuzz.sent.values())} requests {dict(fuzz.sent)}, answers {dict(fuzz.answered)}"
    )
    for one in fuzz.found:
        print("FOUND", one, "", sep="\n")
    print(f"{len(fuzz.found)} found")
    return 1 if fuzz.found or not fuzz.sent else 0


if __name__ == "__main__":
    sys.exit(main())
