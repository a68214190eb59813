"""Policies whose parameters are sections of a configuration, each of the policy's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.stages import FragmentStage

from ..memory.dram import policies as memory_policies
from ..units import warp_schedulers
from ..units.simt_core import SimtCoreParameters

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


def used_policy(configuration: Any, field: str) -> str:
    """Policy that a configuration names by a field of `FOLDERS`."""
    if field == "dram.scheduling":
        return str(configuration.dram.scheduling)
    group = FragmentStage if field == "fragment_stage.scheduler" else SimtCoreParameters
    return str(configuration.of(group).scheduler)


def used_policies(configuration: Any) -> dict[str, str]:
    """Policies that a configuration names, by the fields that name them."""
    return {field: used_policy(configuration, field) for field in FOLDERS}


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
