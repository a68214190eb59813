"""Specifications from files: DRAMsim3's INI files as they are, our TOML files, and presets."""

from __future__ import annotations

import configparser
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from .specification import Part, Specification

SPELLINGS = {"refi": "tREFI"}
"""Names under which INI files in use hold a field of another name."""

MAX_FILE_BYTES = 1 << 20


class SpecificationError(ValueError):
    """A specification that cannot be read or makes no sense; the message names the file and the field."""


def preset_names() -> list[str]:
    """Names of the memories that come with the package."""
    return sorted(path.name.removesuffix(".toml") for path in _presets().iterdir() if path.name.endswith(".toml"))


def _presets() -> Any:
    return resources.files("tilegpu.data") / "dram"


def load_specification(name: str | Path) -> Specification:
    """Read a preset, one of DRAMsim3's INI files, or a TOML file of the same sections.

    Parameters
    ----------
    name
        Name of a preset, or path of a file that ends in `.ini` or `.toml`. What an INI file leaves out has DRAMsim3's
        default, and what it holds beyond our fields is ignored; TOML files must hold nothing we do not know.

    Raises
    ------
    SpecificationError
        With one line that names the file and the field.
    """
    path = Path(name)
    try:
        if str(name) in preset_names():
            values = tomllib.loads((_presets() / f"{name}.toml").read_text("utf-8"))
        elif path.suffix == ".ini":
            values = read_ini(_text(path))
        elif path.suffix == ".toml":
            values = tomllib.loads(_text(path))
        else:
            raise SpecificationError(
                f"no memory {name}: give a .ini or .toml file or one of {', '.join(preset_names())}"
            )
        return Specification.model_validate({"name": path.stem} | values)
    except OSError as error:
        raise SpecificationError(f"{name}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, configparser.Error, UnicodeDecodeError) as error:
        raise SpecificationError(f"{name}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise SpecificationError(f"{name}: {_first(error)}") from None


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SpecificationError(f"{path}: larger than {MAX_FILE_BYTES} bytes, no specification")
    return data.decode("utf-8")


def read_ini(text: str) -> dict[str, dict[str, Any]]:
    """Sections and fields of an INI file that a specification has."""
    parser = configparser.ConfigParser(
        interpolation=None, strict=False, inline_comment_prefixes=(";", "#"), delimiters=("=", ":")
    )
    parser.read_string(text)
    sections = {section.lower(): dict(parser.items(section)) for section in parser.sections()}
    values: dict[str, dict[str, Any]] = {}
    for name, field in Specification.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, Part):
            known = {key.lower(): key for key in kind.model_fields} | SPELLINGS
            found = sections.get(name, {})
            values[name] = {
                known[key]: _value(kind, known[key], value) for key, value in found.items() if key in known and value
            }
    return values


def _value(kind: type[BaseModel], name: str, text: str) -> Any:
    default = kind.model_fields[name].default
    if isinstance(default, bool):
        return text.lower() in ("true", "yes", "on", "1")
    if isinstance(default, int):
        try:
            return int(text, 0)
        except ValueError:
            return text
    return text


def _first(error: ValidationError) -> str:
    problem = error.errors()[0]
    field = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = "no such field"
    elif problem["type"] != "value_error":
        message = f"{message}, not {problem['input']!r}"
    return f"{field}: {message}" if field else message
