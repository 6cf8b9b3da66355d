"""Makes docs/reference/outside.md from the types of what leaves the box.

`python -m tests.companion.outside.reference_page > docs/reference/outside.md`
"""

from collections.abc import Iterator

from msgspec.json import schema_components

from companion.outside.club import EveningJson, ResultJson
from companion.outside.outline import OutlineJson, OutlinePlayerJson, OutlineVerdictJson
from companion.outside.reporter import SentEventJson
from companion.outside.topics import ENTITIES, EVENING, EVENTS, OFFLINE, ONLINE, STATE, STATUS
from companion.outside.webhook import ANSWER_S, DELIVERY, SIGNATURE, TIMESTAMP, TRIES

HEAD = f"""# For programs outside

What leaves the box by MQTT and by the webhook. Both are off until the [settings](configuration.md) name a
broker or an address. [The guide](../guide/outside.md) shows how to switch them on.

Nothing here has a die in it that lies under a cup: all is made of the view that every page shows.

This page is made from the types in `companion/outside/`:
`python -m tests.companion.outside.reference_page > docs/reference/outside.md`.

## Topics

Each topic is `<prefix>/<table>/<what>`. The prefix is `mqtt.prefix`. The table is its name in plain
letters, and six letters that no other box has. All messages have QoS 1.

| what | retained | message |
|---|---|---|
| `{STATUS}` | yes | `{ONLINE}`; `{OFFLINE}` after a goodbye, and by the last will without one |
| `{STATE}` | yes | the state of the table, after each change |
| `{EVENING}` | yes | the games of the evening that have a winner |
| `{EVENTS}` | no | one event of a game |

Where the broker was away, up to 200 events wait for it. One may come twice: its `number` shows it.
A member with a question mark is not in every message.
"""

WEBHOOK = f"""## Webhook

Each event is posted to `webhook.url` as JSON, with these headers:

| header | what |
|---|---|
| `{TIMESTAMP}` | seconds since 1970, when it was sent |
| `{SIGNATURE}` | `sha256=` and the HMAC-SHA256, in hex, of the timestamp, a dot and the body |
| `{DELIVERY}` | the same for each attempt of one event |

The key is the secret in `webhook.secret_file`. A receiver compares signatures in constant time, and
refuses a timestamp that is minutes old. Any answer from 200 to 299 takes the event. After any other, or
none within {ANSWER_S:.0f} seconds, it is sent again, {TRIES} times at most. Redirects are not followed.
"""

TYPES = (
    ("State", OutlineJson),
    ("A player of the state", OutlinePlayerJson),
    ("A verdict of the state", OutlineVerdictJson),
    ("Event", SentEventJson),
    ("Evening", EveningJson),
    ("A game of the evening", ResultJson),
)


def page() -> str:
    """The whole text of the page."""
    sections = ("\n".join(_section(title, kind)) for title, kind in TYPES)
    return "\n".join([HEAD, *sections, "\n".join(_entities()), WEBHOOK])


def _section(title: str, kind: type) -> Iterator[str]:
    (_,), components = schema_components([kind], ref_template="{name}")
    schema = components[kind.__name__]
    yield from (
        f"## {title}",
        "",
        f"{schema['description']}",
        "",
    )
    for name, member in schema["properties"].items():
        always = "" if name in schema["required"] else "?"
        said = str(member.get("description", ""))
        yield f"- `{name}`{always} ({_type(member, components)})" + (f": {said}" if said else "")
    yield ""


def _type(member: dict[str, object], components: dict[str, dict[str, object]]) -> str:
    """A type in words: `whole number`, `list of texts`, one of the words."""
    if "$ref" in member:
        named = str(member["$ref"])
        schema = components[named]
        return (
            _words(schema["enum"])
            if "enum" in schema
            else named.removesuffix("Json").removeprefix("Outline").lower()
        )
    if "anyOf" in member:
        return " or ".join(_type(one, components) for one in member["anyOf"])  # type: ignore[attr-defined]
    if "enum" in member:
        return _words(member["enum"])
    if member.get("type") == "array":
        return f"list of {_type(member['items'], components)}"  # type: ignore[arg-type]
    known = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true, false"}
    return known.get(str(member.get("type")), str(member.get("type")))


def _words(words: object) -> str:
    return ", ".join(f"`{word}`" for word in words)  # type: ignore[attr-defined]


def _entities() -> Iterator[str]:
    yield from ("## Home Assistant", "")
    yield "Home Assistant gets these, below `mqtt.discovery`, with names in `table.language`."
    yield from ("", "| entity | kind | value |", "|---|---|---|")
    yield from (f"| `{one.id}` | {one.kind} | `{one.value}` |" for one in ENTITIES)
    yield ""


if __name__ == "__main__":
    print(page(), end="")
