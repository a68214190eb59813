"""Fields of a configuration by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from tilegpu.functional.errors import nearest
from tilegpu.timing.declare.caches import Cache
from tilegpu.timing.declare.parameters import ConfigurationError, Group

from ..registry import components, technique_names
from .policies import policy_names, used_policies
from .schema import Configuration
from .sections import all_sections, package_sections
from .techniques import TechniqueParameters, technique_models

ALWAYS_USED = "name", "machine", "techniques", "clocks", "counters", "memory", "dram", "energy", "simulation"


def group_fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Fields of a group, and of the groups in it, with their dotted names."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from group_fields(kind, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def fields(techniques: Iterable[str] = (), sections: Mapping[str, Group] | None = None) -> Iterator[tuple[str, Any]]:
    """All fields of a configuration with their dotted names.

    Parameters
    ----------
    techniques
        Those whose fields are among them.
    sections
        Sections that machines declare; those of the package's machines by default.
    """
    declared = package_sections() if sections is None else sections
    caches: dict[str, Group] = {name: group for name, group in declared.items() if isinstance(group, Cache)}
    policies = policy_names()
    last = {name: group for name, group in declared.items() if name in policies}
    units = {name: group for name, group in declared.items() if name not in caches and name not in last}
    follow: dict[str, dict[str, Group]] = {"clocks": units, "memory": caches, "dram": last}
    for name, field in Configuration.model_fields.items():
        if field.annotation is TechniqueParameters:
            models = technique_models() if techniques else {}
            for technique in techniques:
                yield from group_fields(models[technique], f"{name}.{technique}.")
        elif isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from group_fields(field.annotation, f"{name}.")
        else:
            yield name, field
        for section, group in follow.get(name, {}).items():
            yield from group_fields(type(group), f"{section}.")


def fields_of(configuration: Configuration) -> Iterator[tuple[str, Any]]:
    """Fields that a configuration has a value for."""
    return fields(configuration.technique.model_extra or (), configuration.sections)


def known_fields() -> Iterator[tuple[str, Any]]:
    """Fields of all machines and techniques there are."""
    return fields(technique_names(), all_sections())


def field_value(configuration: Configuration, full: str) -> Any:
    """The value of a field by its dotted name."""
    value: Any = configuration
    for part in full.split("."):
        value = getattr(value, part)
    return value


def differences(a: Configuration, b: Configuration) -> list[tuple[str, Any, Any]]:
    """Dotted names and both values of the fields that differ."""
    differing = []
    other = dict(fields_of(b))
    for full in (full for full, _ in fields_of(a) if full in other):
        x, y = field_value(a, full), field_value(b, full)
        if x != y:
            differing.append((full, x, y))
    return differing


def is_used(configuration: Configuration, full: str) -> bool:
    """Whether what a configuration simulates has a field, by its dotted name."""
    section, _, rest = full.partition(".")
    if section == "technique":
        return rest.partition(".")[0] in configuration.techniques
    if section in ALWAYS_USED:
        return True
    machine, _ = components(configuration)
    # A policy has the name of its section.
    naming = [field for field, policy in used_policies(configuration).items() if policy == section]
    if naming:
        return any(field.partition(".")[0] in ALWAYS_USED or machine.has_field(field) for field in naming)
    return bool(machine.has_field(full))


def unused_short_name(short: str, full: str, configuration: Configuration) -> str:
    """Message for a short name that only a field of a part that is not simulated has."""
    like = [name for name, _ in fields() if name != full and is_used(configuration, name) and _alike(short, name)]
    hint = f"; did you mean {like[0]}?" if like else ""
    return f"{short}: only {full} is called so, which {configuration.name} does not use; give its full name{hint}"


def _alike(short: str, full: str) -> bool:
    """Whether a field has the words of a name, in its section or its own name: `clock_mhz` and `clocks.gpu_mhz`."""
    words = full.replace(".", "_").split("_")
    return all(any(word.startswith(part) for word in words) for part in short.split("_"))


def full_name(name: str, candidates: Collection[str] = ()) -> str:
    """The dotted name of a field that may be named by its end; ConfigurationError if there is none, or several.

    `candidates` has the names of all fields, for who has them already.
    """
    names = candidates or [full for full, _ in known_fields()]
    if name in names:
        return name
    if f"{name}.model" in names:
        # A group that has models is named by its model: dram=simple.
        return f"{name}.model"
    matches = [full for full in names if full.endswith("." + name)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ConfigurationError(f"{name} could be {', '.join(matches)}: say which")
    raise ConfigurationError(f"{name}: no such field of the configuration{nearest(name, names)}")


def short_names(names: Sequence[str]) -> dict[str, str]:
    """The shortest end of each dotted name that names no other field of any machine or technique."""
    full_names = {*names, *(full for full, _ in known_fields())}
    ends = Counter(end for name in full_names for end in _ends(name))
    return {name: next((end for end in _ends(name) if ends[end] == 1), name) for name in names}


def _ends(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[-count:]) for count in range(1, len(parts) + 1)]
