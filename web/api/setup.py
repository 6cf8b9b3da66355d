"""Setting up: the groups that have played here, and what the rules say of a choice of switches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, TypedDict

from flask import Blueprint, request
from msgspec import Meta, to_builtins

from companion.errors import BadRuleset
from companion.rules.presets import PRESETS
from companion.table.groups import Group, Groups
from web.i18n import translator
from web.pages import rules_form
from web.payloads import GroupRequest, SetupRequest, sent
from web.problems import Refused
from web.sessions.phones import Phones


def blueprint(kept: Groups, phones: Phones) -> Blueprint:
    """The routes that the set-up screen asks."""
    routes = Blueprint("setup_api", __name__, url_prefix="/api/v1")

    routes.add_app_template_global(lambda: _groups(kept)["groups"], "groups")

    @routes.get("/groups")
    def groups() -> GroupsJson:
        return _groups(kept)

    @routes.post("/groups")
    def change_group() -> GroupsJson:
        wish = sent(GroupRequest)
        phones.must_manage()
        if wish.name is None:
            kept.forget(wish.group)
        else:
            kept.rename(wish.group, wish.name)
        return _groups(kept)

    @routes.post("/setup/check")
    def check_setup() -> SetupVerdictJson:
        chosen = sent(SetupRequest)
        if chosen.preset not in PRESETS:
            raise Refused(400, "bad_request")
        refused, remarks, moot = rules_form.judged(chosen.preset, chosen.house, chosen.players)
        return {"refused": _said(refused), "remarks": _said(remarks), "moot": list(moot)}

    return routes


def _groups(kept: Groups) -> GroupsJson:
    return {"groups": to_builtins(kept.all())}


class SetupVerdictJson(TypedDict):
    """What the rules say of a choice of switches: sentences by switch, and the switches without meaning."""

    refused: Annotated[dict[str, str], Meta(description="Why it cannot be played.")]
    remarks: Annotated[dict[str, str], Meta(description="What to know.")]
    moot: list[str]


class GroupsJson(TypedDict):
    """Everybody who has played here, the last first."""

    groups: list[Group]


def _said(faults: Iterable[BadRuleset]) -> dict[str, str]:
    """A sentence in the phone's language at every switch that it concerns."""
    t = translator(request).translate
    return {str(one.values.get("field", "calza")): t(f"errors.{one.reason}", one.values) for one in faults}
