"""Scheduling policies of main memory: which entry of a command queue goes next, and with which command.

A policy is a file or folder here, or in `policies/` of a folder of plug-ins, that assigns `POLICY` (`..policy.Policy`).
Its number is its place among the names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tilegpu.timing.declare.parameters import Group
from tilegpu.timing.declare.policy_folders import PolicyFolder
from tilegpu.timing.declare.records import record

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware

    from ..policy import Policy
    from ..unit import Dram

FOLDER = PolicyFolder("tilegpu.timing.memory.dram.policies", "policies", "POLICY", "scheduling", "policy")


def policy_names() -> list[str]:
    """Names of the policies there are; those of the package first."""
    return FOLDER.names()


def plugin_names() -> list[str]:
    """Names of the policies that do not come with the package."""
    return FOLDER.plugin_names()


def check_policy(name: str) -> None:
    """UserError if there is no policy of this name."""
    FOLDER.check(name)


def find_policy(name: str, package: str = "") -> Policy:
    """Declaration of a policy, in a copy of the engine; UserError if there is none."""
    policy: Policy = FOLDER.find(name, package)
    return policy


def find_policies(package: str = "") -> list[Policy]:
    """Declarations of all policies in the order of their numbers."""
    return FOLDER.find_all(package)


def number_of(name: str) -> int:
    """Number by which a channel and a memory know their policy."""
    return FOLDER.number_of(name)


def policy_parameters(configuration: Hardware, name: str) -> Group | None:
    """Section of the configuration that a policy declares; its defaults where the configuration has none."""
    kind = find_policy(name).parameters
    if kind is None:
        return None
    section: Group | None = configuration.sections.get(name)
    return kind() if section is None else section


def memory_registers() -> np.dtype[Any]:
    """Registers of all policies in a memory."""
    return record(none="i8", **{policy.name: np.dtype(policy.record) for policy in find_policies()})


def channel_registers() -> np.dtype[Any]:
    """Registers of all policies in a channel."""
    return record(none="i8", **{policy.name: np.dtype(policy.channel_record) for policy in find_policies()})


def share(dram: Dram, cores: int) -> None:
    """Report to the policy of a memory the number of CPU cores that use it in addition to the GPU."""
    policy = find_policies()[int(dram.scheduling)]
    if policy.share is None:
        return
    policy.share(dram, cores)
    for k in range(dram.channels):
        dram.channel[k].classes = dram.classes
