"""JSON schema of configuration files, from the declarations: with it, editors complete, explain and check them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from tilegpu.timing.declare.parameters import choices

from ..registry import machine_names, technique_names
from .load import preset_names
from .schema import Configuration
from .sections import all_sections
from .techniques import TechniqueParameters, technique_models

DRAFT = "http://json-schema.org/draft-07/schema#"
"""Draft that editors of TOML support (Even Better TOML, taplo)."""
EXTRA = ("title", "unit", "choices", "plausible")
"""Keys of pydantic's schema that editors do not need."""


def configuration_schema() -> dict[str, Any]:
    """Schema of a TOML file that `tilegpu replay --config` reads, with all machines and techniques there are.

    Ranges, names and types are those that loading checks. What depends on several fields is left to loading.
    """
    properties: dict[str, Any] = {
        "base": {"enum": preset_names(), "description": "preset that the file builds on; ptr-2022 by default"}
    }
    own = _group(Configuration)["properties"]
    for name in Configuration.model_fields:
        if name != "technique":
            properties[name] = own[name]
    properties["machine"] |= {"enum": machine_names()}
    properties["techniques"]["items"] = {"enum": technique_names()}
    properties |= {name: _group(type(group)) for name, group in all_sections().items()}
    techniques = {name: _group(model) for name, model in technique_models().items()}
    properties["technique"] = _object(techniques, (TechniqueParameters.__doc__ or "").partition("\n")[0])
    return {"$schema": DRAFT, "title": "Hardware configuration of tilegpu"} | _object(properties)


def _object(properties: dict[str, Any], description: str = "") -> dict[str, Any]:
    schema = {"type": "object", "additionalProperties": False, "properties": properties}
    return {"description": description} | schema if description else schema


def _group(model: type[BaseModel]) -> dict[str, Any]:
    """Schema of a section, in which nothing is required: what a file leaves out is as in the preset it builds on."""
    generated = model.model_json_schema()
    given = generated.get("properties", {})
    inner = {
        name: field.annotation
        for name, field in model.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
    }
    properties = {}
    for name, field in model.model_fields.items():
        if name in inner:
            properties[name] = _group(inner[name])
            continue
        properties[name] = {key: value for key, value in given[name].items() if key not in EXTRA}
        extra = field.json_schema_extra
        unit = extra.get("unit") if isinstance(extra, dict) else None
        if unit not in (None, "name", "names"):
            properties[name]["description"] = f"{given[name].get('description', '')} ({unit})".strip()
        if names := choices(field):
            properties[name] |= {"enum": [*names], "x-taplo": {"docs": {"enumValues": [*names.values()]}}}
    return _object(properties, (model.__doc__ or "").partition("\n")[0])
