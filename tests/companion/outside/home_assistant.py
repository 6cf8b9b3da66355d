"""What Home Assistant takes by MQTT discovery: members of each kind of entity, and their values.

Source: home-assistant.io/integrations, "MQTT", "MQTT Sensor", "MQTT Binary sensor", as of release 2026.4, in
which `object_id` is no option any more. A member that is not listed here is no option of that entity.
"""

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

DISCOVERY_TOPIC = re.compile(
    r"(?P<prefix>.+)/(?P<kind>[a-z_]+)/(?P<node>[A-Za-z0-9_-]+)/(?P<id>[A-Za-z0-9_-]+)/config"
)

Topic = Annotated[str, Meta(pattern="^[^+#\0]+$", max_length=65535)]
Slug = r"[a-z0-9]+(_[a-z0-9]+)*"


class Device(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The device that an entity is a part of; one identifier at least."""

    identifiers: Annotated[list[Annotated[str, Meta(min_length=1)]], Meta(min_length=1)]
    name: str
    manufacturer: str = ""
    model: str = ""
    sw_version: str = ""
    configuration_url: Annotated[str, Meta(pattern="^(https?|homeassistant)://")] | None = None


class Origin(msgspec.Struct, forbid_unknown_fields=True):
    """Who made the discovery message."""

    name: str
    sw_version: str = ""
    support_url: str = ""


class Entity(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Options that sensors and binary sensors have alike."""

    name: str
    unique_id: Annotated[str, Meta(min_length=1)]
    state_topic: Topic
    device: Device
    origin: Origin
    availability_topic: Topic
    value_template: str = ""
    icon: str = ""
    force_update: bool = False


class Sensor(Entity, kw_only=True):
    """An MQTT sensor. `options` go with device_class "enum" alone, and then without state_class."""

    default_entity_id: Annotated[str, Meta(pattern=rf"^sensor\.{Slug}$")]
    device_class: Literal["enum"] | None = None
    options: Annotated[list[str], Meta(min_length=1)] | None = None
    state_class: Literal["measurement", "total", "total_increasing"] | None = None
    unit_of_measurement: str | None = None
    entity_category: Literal["diagnostic"] | None = None

    def __post_init__(self) -> None:
        if (self.options is not None) != (self.device_class == "enum"):
            raise ValueError("options go with the class enum")
        if self.options is not None and (self.state_class or self.unit_of_measurement):
            raise ValueError("an enum has no state class and no unit")


class BinarySensor(Entity, kw_only=True):
    """An MQTT binary sensor: its template gives ON or OFF unless it names other words."""

    default_entity_id: Annotated[str, Meta(pattern=rf"^binary_sensor\.{Slug}$")]
    device_class: Literal["battery", "connectivity", "power", "problem", "running"] | None = None
    payload_on: str = "ON"
    payload_off: str = "OFF"
    entity_category: Literal["diagnostic"] | None = None


KINDS: dict[str, type[Entity]] = {"sensor": Sensor, "binary_sensor": BinarySensor}


def parsed(topic: str, text: str) -> Entity:
    """The entity of a discovery message as Home Assistant takes it; raises ValueError for one it refuses."""
    found = DISCOVERY_TOPIC.fullmatch(topic)
    if found is None or found["kind"] not in KINDS:
        raise ValueError(f"no topic of discovery: {topic}")
    return msgspec.json.decode(text, type=KINDS[found["kind"]])
