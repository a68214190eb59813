"""Sections that a configuration is composed of: what the parts of machines declare, a group of parameters each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.parameters import Group

from ..registry import find_machine, find_techniques, machine_names, package_machines
from .policies import plugin_names, policies, policy_names


@lru_cache(maxsize=1)
def package_sections() -> dict[str, Group]:
    """Sections of the package's machines, with their defaults."""
    plugins = plugin_names()
    package_policies = {name: group for name, group in policies().items() if name not in plugins}
    return _ordered(*(find_machine(name).sections for name in package_machines()), package_policies)


def sections(machine: str, techniques: Iterable[str] = ()) -> dict[str, Group]:
    """Sections of a configuration by their names, with their defaults.

    They are those of all machines of the package, so that a preset may build on one for another machine, and of a
    machine from elsewhere its own.

    Raises
    ------
    UserError
        If there is no such machine or technique, or they do not go together.
    """
    declared = find_machine(machine).with_techniques(find_techniques(tuple(techniques), machine)).sections
    return _ordered({name: declared.get(name, default) for name, default in package_sections().items()}, declared)


def all_sections() -> dict[str, Group]:
    """Sections of all machines there are, with their defaults."""
    return _ordered(package_sections(), *(find_machine(name).sections for name in machine_names()), policies())


def _ordered(*parts: Mapping[str, Group]) -> dict[str, Group]:
    """Sections of several machines, caches and then policies last; of one name, the first."""
    sections: dict[str, Group] = {}
    for groups in parts:
        sections = sections | {name: group for name, group in groups.items() if name not in sections}
    names = policy_names()
    return dict(sorted(sections.items(), key=lambda item: (item[0] in names, isinstance(item[1], Cache))))


def composed(given: Mapping[str, Any], defaults: Mapping[str, Group]) -> dict[str, Group]:
    """Sections with what is given of them, and those of other machines that are given.

    Raises
    ------
    ValidationError
        Which names the fields that make no sense.
    """
    sections = dict(defaults)
    if any(name not in sections for name in given):
        sections |= {name: group for name, group in all_sections().items() if name in given and name not in sections}
    errors: list[InitErrorDetails] = [
        InitErrorDetails(type="extra_forbidden", loc=(name,), input=value)
        for name, value in given.items()
        if name not in sections
    ]
    groups = dict(sections)
    for name in (name for name in given if name in sections):
        try:
            groups[name] = filled(name, sections[name], given[name])
        except ValidationError as error:
            errors += [_named("", problem) for problem in error.errors()]
    if errors:
        raise ValidationError.from_exception_data("Configuration", errors)
    return groups


def filled(name: str, default: Group, given: Any) -> Group:
    """A section of which some fields, or all, are given; ValidationError names its fields by its name too."""
    if isinstance(given, type(default)):
        return given
    try:
        return type(default).model_validate(default.model_dump() | given if isinstance(given, dict) else given)
    except ValidationError as error:
        raise ValidationError.from_exception_data(name, [_named(name, problem) for problem in error.errors()]) from None


def _named(section: str, problem: Any) -> InitErrorDetails:
    """Error in a field of a section."""
    kind, place = problem["type"], problem["loc"]
    if kind == "choice":
        kind = PydanticCustomError(kind, problem["msg"])
    place = (section, *place) if section else place
    return InitErrorDetails(type=kind, loc=place, input=problem["input"], ctx=problem.get("ctx", {}))
