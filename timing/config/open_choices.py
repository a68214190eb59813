"""Fields that no paper gives and this project had to choose, with the values that they may plausibly have."""

from __future__ import annotations

from dataclasses import dataclass

from .fields import field_value, fields, is_used
from .policies import policy_names, used_policies
from .schema import Configuration

SIMPLE_DRAM = {"dram.banks", "dram.row_bytes", "dram.queue", "dram.in_flight"}
"""Fields of the model `simple` alone."""


@dataclass(frozen=True)
class OpenChoice:
    """A field that no paper gives.

    Attributes
    ----------
    name
        Dotted name.
    value
        What it is in a configuration.
    others
        What else it may plausibly be: the lowest and the highest value, or other names; without its own.
    """

    name: str
    value: int | str
    others: tuple[int | str, ...]


def open_choices(configuration: Configuration) -> list[OpenChoice]:
    """Fields of a configuration that no paper gives and that its machine has, in their order."""
    spec = configuration.dram.specification
    scheduling = "" if spec is None else spec.system.scheduling
    used = {**used_policies(configuration), "dram.scheduling": scheduling}.values()
    policies, choices = policy_names(), []
    for name, field in fields(sections=configuration.sections):
        plausible = (field.json_schema_extra or {}).get("plausible", ())
        section = name.partition(".")[0]
        there = section in used if section in policies else is_used(configuration, name)
        if not plausible or not there or (name in SIMPLE_DRAM and configuration.dram.model != "simple"):
            continue
        value = field_value(configuration, name)
        choices.append(OpenChoice(name, value, tuple(other for other in plausible if other != value)))
    return choices
