"""Declaration of fields of a configuration: with unit, range and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from tilegpu.functional.errors import UserError

from .policy_folders import FOLDERS


class ConfigurationError(UserError):
    """A configuration that cannot be read or makes no sense; the message names the field."""


class Group(BaseModel):
    """Group of fields: frozen, and no unknown names.

    A section of the configuration is a class with a name, `class Parameters(Group, section="rasterizer")`, which code
    asks for by the class: `configuration.of(Parameters)`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    section: ClassVar[str] = ""
    """Name in TOML; empty for a group inside another, and for those that sections have in common."""

    def __init_subclass__(cls, section: str = "", **options: Any) -> None:
        super().__init_subclass__(**options)
        if section:
            cls.section = section

    @field_validator("*", mode="before")
    @classmethod
    def _is_a_choice(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse a value that is none of the names of a `choice`."""
        names = choices(cls.model_fields[info.field_name or ""])
        if names and (not isinstance(value, str) or value not in names):
            raise PydanticCustomError("choice", "Input should be {names}", {"names": listed(list(names))})
        return value


def listed(names: list[str]) -> str:
    """Names in quotes: 'a', 'b' or 'c'."""
    *first, last = (repr(name) for name in names)
    return f"{', '.join(first)} or {last}" if first else last


SILENT = "papers silent"
"""Stands in the description of what no paper gives."""


def number(
    default: int | None,
    unit: str,
    description: str,
    least: int = 1,
    most: int = 1 << 40,
    silent: tuple[int, int] | None = None,
) -> Any:
    """Integer field with its unit.

    Parameters
    ----------
    default
        Value; None for one that must be given.
    unit, description
        Unit, and a sentence with the source.
    least, most
        Bounds.
    silent
        For what no paper gives: the lowest and the highest value that hardware may plausibly have, which the
        sensitivity study tries.
    """
    words = description if silent is None else f"{description}; {SILENT} ({silent[0]} to {silent[1]})"
    extra: dict[str, Any] = {"unit": unit} | ({} if silent is None else {"plausible": list(silent)})
    given: Any = ... if default is None else default
    return Field(given, ge=least, le=most, description=words, json_schema_extra=extra)


def choice(
    default: str,
    names: Mapping[str, str] | str,
    description: str | tuple[str, ...] = "",
    silent: tuple[str, ...] = (),
    policies: str = "",
) -> Any:
    """Field of one of several names.

    Parameters
    ----------
    default
        Name.
    names
        What each name means, empty where the name says it. Version 0.1.0 had the names in a `Literal`, and
        `choice(default, description, silent)`, which is still understood.
    description
        A sentence on the field as a whole, with the source.
    silent
        Where no paper chooses, the other names that hardware may plausibly have.
    policies
        Kind of policies (`declare.policy_folders`) whose names it takes as well.
    """
    plausible = silent if isinstance(description, str) else description
    words, meanings = (names, {}) if isinstance(names, str) else (str(description), dict(names))
    if plausible:
        words += f"; {SILENT} ({', '.join(plausible)})"
    extra: dict[str, Any] = {"unit": "name", "choices": meanings} | ({"plausible": [*plausible]} if plausible else {})
    extra |= {"policies": policies} if policies else {}
    return Field(default=default, description=words, json_schema_extra=extra)


def text(default: str, description: str) -> Any:
    """Field of a name that is known elsewhere: a file, a module, a text of its own."""
    return Field(default=default, description=description, json_schema_extra={"unit": "name"})


def choices(field: Any) -> dict[str, str]:
    """Names that a field of `choice` takes, with their meanings; empty for any other field."""
    extra = field.json_schema_extra
    if not isinstance(extra, dict):
        return {}
    names: dict[str, str] = extra.get("choices", {})
    folder = FOLDERS.get(extra.get("policies", ""))
    return names if folder is None else names | {name: names.get(name, "") for name in folder.names()}
