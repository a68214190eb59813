"""Specifications from files: DRAMsim3's INI files as they are, our TOML files, and presets."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tilegpu.functional.errors import UserError

from .ini import SPELLINGS, IniError, read_ini, shortened
from .specification import Part, Specification

MAX_FILE_BYTES = 1 << 20


class SpecificationError(UserError):
    """A specification that cannot be read or makes no sense; the message names the file, the line and the field."""


def preset_names() -> list[str]:
    """Names of the memories that come with the package."""
    return list(_preset_names())


@cache
def _preset_names() -> tuple[str, ...]:
    return tuple(
        sorted(path.name.removesuffix(".toml") for path in _presets().iterdir() if path.name.endswith(".toml"))
    )


@cache
def _preset(name: str) -> Specification:
    """A memory that comes with the package: each configuration asks for two, several times."""
    values = tomllib.loads((_presets() / f"{name}.toml").read_text("utf-8"))
    return Specification.model_validate({"name": name} | values)


def _presets() -> Any:
    return resources.files("tilegpu.data") / "dram"


def load_specification(name: str | Path) -> Specification:
    """The specification that `read_specification` reads, where warnings are ignored."""
    return read_specification(name)[0]


def read_specification(name: str | Path) -> tuple[Specification, list[str]]:
    """Read a preset, one of DRAMsim3's INI files, or a TOML file of the same sections.

    Parameters
    ----------
    name
        Name of a preset, or path of a file that ends in `.ini` or `.toml`. What an INI file leaves out has DRAMsim3's
        default, and what it holds beyond our fields is ignored; TOML files must hold nothing we do not know.

    Returns
    -------
    tuple[Specification, list[str]]
        The memory, and a line for each value of an INI file that is not read as it seems to be meant.

    Raises
    ------
    SpecificationError
        With one line that names the file, the line and the field.
    """
    if str(name) in _preset_names():
        return _preset(str(name)), []
    path = Path(name)
    warnings: list[str] = []
    text = ""
    try:
        if path.suffix == ".ini":
            # DRAMsim3 reads bytes, so comments may be of any encoding.
            text = _bytes(path).decode("utf-8-sig", "replace")
            values, warned = read_ini(text, _sections())
            warnings = [f"{name}:{line}: {message}" for line, message in warned]
        elif path.suffix == ".toml":
            text = _bytes(path).decode("utf-8")
            values = tomllib.loads(text)
        else:
            raise SpecificationError(
                f"no memory {name}: give a .ini or .toml file or one of {', '.join(preset_names())}"
            )
        return Specification.model_validate({"name": path.stem} | values), warnings
    except OSError as error:
        raise SpecificationError(f"{name}: {error.strerror}") from None
    except IniError as error:
        raise SpecificationError(f"{name}:{error.line}: {error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecificationError(f"{name}: {' '.join(str(error).split())}") from None
    except ValidationError as error:
        raise SpecificationError(_first(str(name), text, error)) from None


def _sections() -> dict[str, type[Part]]:
    return {
        name: field.annotation
        for name, field in Specification.model_fields.items()
        if isinstance(field.annotation, type) and issubclass(field.annotation, Part)
    }


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SpecificationError(f"{path}: larger than {MAX_FILE_BYTES} bytes, no specification")
    return data


def _first(name: str, text: str, error: ValidationError) -> str:
    """The first problem in one line: what does not fit together begins with the field to look at."""
    problem = error.errors()[0]
    place = [str(part) for part in problem["loc"]]
    message = problem["msg"].removeprefix("Value error, ")
    field = place[-1] if place else ""
    if problem["type"] == "extra_forbidden":
        message = "no such field"
    elif problem["type"] == "value_error":
        field = message.partition(" ")[0].rpartition(".")[2].rstrip(":")
    else:
        message = f"{message}, not {shortened(problem['input'])}"
    line = _line(text, field)
    where = f"{name}:{line}" if line else name
    return ": ".join(filter(None, (where, ".".join(place), message)))


def _line(text: str, field: str) -> int:
    """The first line that gives a field, which no two sections share; 0 if there is none."""
    names = "|".join(re.escape(name) for name in (field, SPELLINGS.get(field, field)))
    pattern = re.compile(rf"\s*\[?({names})\s*[]=:]", re.IGNORECASE)
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.match(line)), 0)
