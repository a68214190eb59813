"""Configurations from TOML files and presets, with overrides from the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Any, get_origin

from pydantic import ValidationError

from tilegpu.functional.errors import nearest
from tilegpu.timing.declare.parameters import ConfigurationError as ConfigurationError

from .fields import field_value, full_name, is_used, known_fields, unused_short_name
from .schema import Configuration

DEFAULT_PRESET = "ptr-2022"
BINARY = {"Ki": 10, "Mi": 20, "Gi": 30}
SIZE = re.compile(r"([0-9]+) ?(Ki|Mi|Gi)B?")


def preset_names() -> list[str]:
    """Names of the configurations that come with the package."""
    return sorted(path.name.removesuffix(".toml") for path in _presets().iterdir() if path.name.endswith(".toml"))


def preset_text(name: str) -> str:
    """The TOML file of a preset; its first line says what it is."""
    text: str = (_presets() / f"{name}.toml").read_text("utf-8")
    return text


def preset_title(name: str) -> str:
    """The first sentence of a preset's file."""
    comments = []
    for line in preset_text(name).splitlines():
        if not line.startswith("#"):
            break
        comments.append(line.lstrip("# "))
    return re.split(r"(?<=\.) (?=[A-Z\[])", " ".join(comments), maxsplit=1)[0]


def _presets() -> Any:
    return resources.files("tilegpu.data") / "configs"


def load_configuration(name: str | Path = DEFAULT_PRESET, overrides: Iterable[str] = ()) -> Configuration:
    """Read a preset or a TOML file and apply overrides.

    Parameters
    ----------
    name
        Name of a preset, or path of a TOML file; what the file leaves out is as in the preset that its `base` names,
        `ptr-2022` by default.
    overrides
        `group.field=value`, or `field=value` where only one group has that field, e.g. `raster_units=2`.

    Raises
    ------
    ConfigurationError
        With one line that names the file or the field.
    """
    values = _merge(Configuration().model_dump(), _read(name))
    overrides = list(overrides)
    declared = dict(known_fields()) if overrides else {}
    given = [_apply(values, override, declared) for override in overrides]
    try:
        configuration = Configuration.model_validate(values)
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        place = "" if field in given or str(name) in preset_names() else f"{name}: "
        raise ConfigurationError(place + _first(error)) from None
    for override, full in zip(overrides, given, strict=True):
        short = override.partition("=")[0].strip()
        if short != full and not is_used(configuration, full):
            raise ConfigurationError(unused_short_name(short, full, configuration))
    return configuration


def unused_sections(name: str | Path, configuration: Configuration) -> list[str]:
    """A line for sections of a user's file that the machine which it configures does not have.

    Presets may have sections for what others build on, and a file may hold a whole configuration: what counts is what
    differs from the preset that the file builds on.
    """
    if str(name) in preset_names():
        return []
    values = _text_of(name)
    base = load_configuration(values.pop("base", DEFAULT_PRESET))
    changed = {
        section
        for section, table in values.items()
        if section in base.sections
        for field, value in table.items()
        if value != field_value(base, full := f"{section}.{field}") and not is_used(configuration, full)
    }
    return [
        f"{name}: [{section}] has no effect: {configuration.machine} does not use it"
        for section in values
        if section in changed
    ]


def _text_of(name: str | Path) -> dict[str, Any]:
    """Values that a preset or a file itself gives."""
    path = Path(name)
    try:
        if str(name) in preset_names():
            text = preset_text(str(name))
        elif path.suffix == ".toml" or path.is_file():
            text = path.read_text("utf-8")
        else:
            raise ConfigurationError(f"no configuration {name}: give a TOML file or a preset{_listed(name)}")
        return tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(f"{name}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name}: {error}") from None


def _listed(name: object) -> str:
    """The verb that lists presets, and the preset that is most like a name."""
    return f" (`tilegpu configs` lists them){nearest(str(name), preset_names())}"


def _read(name: str | Path) -> dict[str, Any]:
    """Values of a preset or a file, on top of the preset that it builds on."""
    values = _text_of(name)
    base = values.pop("base", None)
    if base is None:
        return values
    if base not in preset_names() or base == name:
        raise ConfigurationError(f"{name}: base: no preset {base!r}{_listed(base)}")
    return _merge(_read(base), values)


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` on top of `base`, table by table."""
    merged = dict(base)
    for name, value in over.items():
        below = base.get(name)
        merged[name] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _first(error: ValidationError) -> str:
    """The first problem in one line."""
    problem = error.errors()[0]
    field = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        message = f"no such field{nearest(field, [full for full, _ in known_fields()])}"
    elif problem["type"] != "value_error":
        message = f"{message}, not {problem['input']!r}"
    return f"{field}: {message}" if field else message


def _apply(values: dict[str, Any], override: str, declared: dict[str, Any]) -> str:
    """Set a field; its dotted name."""
    name, sign, text = override.partition("=")
    if not sign or not name:
        raise ConfigurationError(f"{override}: expected field=value")
    full = full_name(name.strip(), declared)
    *groups, leaf = full.split(".")
    for group in groups:
        values = values.setdefault(group, {})
        if not isinstance(values, dict):
            raise ConfigurationError(f"{group}: expected a table")
    several = get_origin(declared[full].annotation) is tuple
    values[leaf] = _value(leaf, text.strip(), several)
    return full


def _value(leaf: str, text: str, several: bool) -> Any:
    """A setting's value; `several`: names, joined by `+`."""
    if several:
        return tuple(part for part in text.split("+") if part not in ("", "none"))
    if leaf in ("name", "model"):
        return text
    size = SIZE.fullmatch(text)
    try:
        if size is not None:
            return int(size[1]) << BINARY[size[2]]
        return int(text.replace("_", ""), 0)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else text
