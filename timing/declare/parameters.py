"""How fields of a configuration are declared: with unit, range and a sentence."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from tilegpu.functional.errors import UserError


class ConfigurationError(UserError):
    """A configuration that cannot be read or makes no sense; the message names the field."""


class Group(BaseModel):
    """Group of fields: frozen, and no unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


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
    told = description if silent is None else f"{description}; {SILENT} ({silent[0]} to {silent[1]})"
    extra: dict[str, Any] = {"unit": unit} | ({} if silent is None else {"plausible": list(silent)})
    given: Any = ... if default is None else default
    return Field(given, ge=least, le=most, description=told, json_schema_extra=extra)


def choice(default: str, description: str, silent: tuple[str, ...] = ()) -> Any:
    """Field with named values; `silent`: where no paper chooses, the others that hardware may plausibly have."""
    told = f"{description}; {SILENT} ({', '.join(silent)})" if silent else description
    extra: dict[str, Any] = {"unit": "name"} | ({"plausible": list(silent)} if silent else {})
    return Field(default=default, description=told, json_schema_extra=extra)
