"""Sections of the configuration that techniques declare: `[technique.<name>]`."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from tilegpu.timing.declare.parameters import Group

from ..registry import find_technique, technique_names
from .sections import filled


class TechniqueParameters(BaseModel):
    """Parameters of techniques, a section for each that is switched on or set."""

    model_config = ConfigDict(frozen=True, extra="allow")

    def of(self, technique: str) -> Any:
        """Section of a technique by its name; `Configuration.of` has it typed."""
        return getattr(self, technique)

    @model_validator(mode="before")
    @classmethod
    def _typed(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return {name: filled(name, find_technique(name).parameters(), section) for name, section in values.items()}


def technique_models() -> dict[str, type[Group]]:
    """Parameters of all techniques there are, by their names."""
    return {name: find_technique(name).parameters for name in technique_names()}
