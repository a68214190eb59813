"""The JSON schema of configuration files agrees with what loading accepts."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tilegpu.timing.config import ConfigurationError, load_configuration
from tilegpu.timing.config.json_schema import configuration_schema
from tilegpu.timing.config.load import preset_names, preset_text

jsonschema = pytest.importorskip("jsonschema")
SCHEMA = json.loads(json.dumps(configuration_schema()))


def test_every_preset_fits() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft7Validator(SCHEMA)
    for name in preset_names():
        assert not [error.message for error in validator.iter_errors(tomllib.loads(preset_text(name)))], name


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[l2_cache]\nsize_byte = 1", ["l2_cache"]),
        ("[l2_cash]\nsize_bytes = 1", []),
        ("[tiles]\nraster_units = 0", ["tiles", "raster_units"]),
        ("[tiles]\nraster_units = '2'", ["tiles", "raster_units"]),
        ("[tiles]\norder = 'spiral'", ["tiles", "order"]),
        ("[memory]\nline_bytes = 48", ["memory", "line_bytes"]),
        ("machine = 'tile_base'", ["machine"]),
        ("techniques = ['rendering_eliminations']", ["techniques", 0]),
        ("base = 'ptr-2023'", ["base"]),
        ("[technique.rbcd]\nlist_length = -1", ["technique", "rbcd", "list_length"]),
    ],
)
def test_what_loading_refuses_is_marked_where_it_stands(text: str, place: list[str | int], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ConfigurationError):
        load_configuration(file)
    (error,) = jsonschema.Draft7Validator(SCHEMA).iter_errors(tomllib.loads(text))
    assert list(error.path) == place


def test_editors_get_units_and_meanings() -> None:
    size = SCHEMA["properties"]["l2_cache"]["properties"]["size_bytes"]
    assert size["description"].endswith("(bytes)") and size["type"] == "integer"
    network = SCHEMA["properties"]["memory"]["properties"]["network"]
    assert network["enum"] == ["links", "bus"]
    assert network["x-taplo"]["docs"]["enumValues"][1] == "one bus that all share (DAE 2.1)"
