"""Dispatch among policies: from their declarations to code, all of a kind in one engine."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from inspect import signature
from types import ModuleType
from typing import Any

from tilegpu.timing.declare.policy_folders import PolicyFolder, PolicyKind

from ..engine.technique import Technique
from ..memory.dram import policies
from ..units import warp_schedulers
from .generated import define

KINDS = (
    PolicyKind(policies.FOLDER, "memory.dram.policies", "memory.dram.scheduler", "{first}.scheduling"),
    PolicyKind(warp_schedulers.FOLDER, "units.warp_schedulers", "units.warp_turns", "core.scheduler"),
)
"""Those of every engine; techniques add theirs."""


def kinds_of(techniques: Iterable[Technique]) -> tuple[PolicyKind, ...]:
    """Kinds of policies in an engine with some techniques."""
    return (*KINDS, *(kind for technique in techniques for kind in technique.policies))


def plugin_policies(techniques: Iterable[Technique]) -> list[tuple[PolicyFolder, str]]:
    """Policies in such an engine that do not come with the package."""
    folders = (kind.folder for kind in kinds_of(techniques))
    return [(folder, name) for folder in folders for name in folder.plugin_names()]


def link_policies(package: str, techniques: Iterable[Technique]) -> None:
    """Put functions that call the policies in the place of those that ask them, in a copy of the engine.

    Parameters
    ----------
    package
        Name of the copy.
    techniques
        Its techniques.
    """
    for kind in kinds_of(techniques):
        _link_kind(package, kind)


def _link_kind(package: str, kind: PolicyKind) -> None:
    # The copy has the folders of plug-ins too.
    copied: Any = importlib.import_module(f"{package}.{kind.package}")
    copied.__path__ = list(kind.folder.path)
    declared = kind.folder.find_all(copied.__name__)
    asks = importlib.import_module(f"{package}.{kind.asks}")
    inline = importlib.import_module(f"{package}.engine.jit").inline
    for name in asks.QUESTIONS:
        default = getattr(asks, name)
        answers: dict[Any, list[int]] = {}
        for number, policy in enumerate(declared):
            answer = getattr(policy, name)
            if answer is not None:
                answers.setdefault(answer, []).append(number)
        parameters = list(signature(getattr(default, "py_func", default)).parameters)
        module = ModuleType(f"{package}.{kind.folder.part}.{name}")
        module.__dict__.update(inline=inline, otherwise=default)
        module.__dict__.update({f"answer_{k}": answer for k, answer in enumerate(answers)})
        register = kind.register.format(first=parameters[0])
        text = "\n".join(_text(name, parameters, register, list(answers.values())))
        define(module, f"{kind.folder.part}: {name}", text + "\n")
        setattr(asks, name, getattr(module, name))


def _text(name: str, parameters: list[str], register: str, numbers: list[list[int]]) -> Iterator[str]:
    """Source of a function that calls the answer of the policy whose number a register has."""
    arguments = ", ".join(parameters)
    yield "@inline"
    yield f"def {name}({arguments}):"
    yield f"    number = {register}"
    for k, of in enumerate(numbers):
        yield f"    if {' or '.join(f'number == {number}' for number in of)}:"
        yield f"        return answer_{k}({arguments})"
    yield f"    return otherwise({arguments})"
