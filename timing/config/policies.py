"""Policies whose parameters are sections of a configuration, each of the policy's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilegpu.timing.declare.parameters import Group

from ..memory.dram import policies as memory_policies
from ..units import warp_schedulers

FOLDERS = {
    "dram.scheduling": memory_policies.FOLDER,
    "fragment_stage.scheduler": warp_schedulers.FOLDER,
    "simt_core.scheduler": warp_schedulers.FOLDER,
}
"""Kinds of policies by the fields that name one."""
KINDS = tuple(dict.fromkeys(FOLDERS.values()))


def policy_names() -> list[str]:
    """Names of all policies of these kinds."""
    return [name for folder in KINDS for name in folder.names()]


def plugin_names() -> list[str]:
    """Names of those that do not come with the package."""
    return [name for folder in KINDS for name in folder.plugin_names()]


def policies() -> dict[str, Group]:
    """Sections of all policies that there are, with their defaults."""
    declared = (policy for folder in KINDS for policy in folder.find_all())
    return {policy.name: policy.parameters() for policy in declared if policy.parameters is not None}


def named_by(policy: str) -> str:
    """Field that names a policy, the first where several may."""
    return next(field for field, folder in FOLDERS.items() if policy in folder.names())


def used_policies(configuration: Any) -> dict[str, str]:
    """Policies that a configuration names, by the fields that name them."""
    places = {full: full.partition(".") for full in FOLDERS}
    return {full: getattr(configuration.group(section), field) for full, (section, _, field) in places.items()}


def chosen(values: Mapping[str, Any]) -> dict[str, Any]:
    """Sections of the plug-ins' policies that fields of others name, with nothing given of them."""
    sections: dict[str, Any] = {}
    for full in FOLDERS:
        section, _, field = full.partition(".")
        group = values.get(section)
        name = group.get(field) if isinstance(group, dict) else getattr(group, field, None)
        if isinstance(name, str) and name in plugin_names() and name in policies():
            sections[name] = {}
    return sections
