"""Findings of `dudo doctor` about the ways out of the box, where no companion is at work to be asked."""

from __future__ import annotations

from collections.abc import Iterator

from companion.app.outside import broker_of
from companion.app.service_findings import Found
from companion.outside.broker import OutsideFault, secret_in
from companion.outside.visit import broker_fault
from companion.outside.webhook import check_address
from companion.settings import Settings


def outside_findings(settings: Settings) -> Iterator[Found]:
    """What the broker and the webhook of the settings lack; nothing where neither is named."""
    if settings.mqtt.host:
        fault = broker_fault(broker_of(settings))
        good = "the broker lets the box in"
        yield ("mqtt", "note", str(fault), "") if fault else ("mqtt", "good", good, "")
    if settings.webhook.url:
        try:
            check_address(settings.webhook.url)
            secret_in(settings.webhook.secret_file, "webhook_secret")
        except OutsideFault as error:
            yield "webhook", "note", str(error), ""
        else:
            yield "webhook", "good", "its address and its secret are there", ""
