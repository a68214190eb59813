"""How fields of a configuration are declared: with unit, range and a sentence."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Group(BaseModel):
    """Group of fields: frozen, and no unknown names."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def number(default: int, unit: str, description: str, least: int = 1, most: int = 1 << 40) -> Any:
    """Integer field with its unit."""
    return Field(default=default, ge=least, le=most, description=description, json_schema_extra={"unit": unit})


def choice(default: str, description: str) -> Any:
    """Field with named values."""
    return Field(default=default, description=description, json_schema_extra={"unit": "name"})
