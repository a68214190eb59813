"""Dispatch among the scheduling policies of main memory: from their declarations to code, all in one engine."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from inspect import signature
from types import ModuleType
from typing import Any

from ..memory.dram import policies
from .generated import define


def link_policies(package: str) -> None:
    """Put functions that call the policies in the place of those of `memory.dram.scheduler`, in a copy of the engine.

    Parameters
    ----------
    package
        Name of the copy.
    """
    # The copy has the folders of plug-ins too.
    copied: Any = importlib.import_module(f"{package}.memory.dram.policies")
    copied.__path__ = list(policies.__path__)
    declared = policies.find_policies(copied.__name__)
    scheduler = importlib.import_module(f"{package}.memory.dram.scheduler")
    inline = importlib.import_module(f"{package}.engine.jit").inline
    for name in scheduler.QUESTIONS:
        default = getattr(scheduler, name)
        answers: dict[Any, list[int]] = {}
        for number, policy in enumerate(declared):
            answer = getattr(policy, name)
            if answer is not None:
                answers.setdefault(answer, []).append(number)
        parameters = list(signature(getattr(default, "py_func", default)).parameters)
        module = ModuleType(f"{package}.policies.{name}")
        module.__dict__.update(inline=inline, otherwise=default)
        module.__dict__.update({f"answer_{k}": answer for k, answer in enumerate(answers)})
        text = "\n".join(_text(name, parameters, list(answers.values())))
        define(module, f"policies: {name}", text + "\n")
        setattr(scheduler, name, getattr(module, name))


def _text(name: str, parameters: list[str], numbers: list[list[int]]) -> Iterator[str]:
    """Source of a function that calls the answer of the policy whose number its first parameter has."""
    arguments = ", ".join(parameters)
    yield "@inline"
    yield f"def {name}({arguments}):"
    yield f"    number = {parameters[0]}.scheduling"
    for k, of in enumerate(numbers):
        yield f"    if {' or '.join(f'number == {number}' for number in of)}:"
        yield f"        return answer_{k}({arguments})"
    yield f"    return otherwise({arguments})"
