"""Configurations from TOML files and presets, with overrides from the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError

from tilegpu.timing.declare.parameters import ConfigurationError as ConfigurationError

from ..registry import components, technique_names
from .schema import Configuration
from .techniques import TechniqueParameters, technique_models

ALWAYS_USED = "name", "machine", "techniques", "clocks", "simulation"
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


def differences(a: Configuration, b: Configuration) -> list[tuple[str, Any, Any]]:
    """Dotted names and both values of the fields that differ."""
    found = []
    both = sorted({*_sections(a)} & {*_sections(b)})
    for full, _ in fields(techniques=both):
        x, y = field_value(a, full), field_value(b, full)
        if x != y:
            found.append((full, x, y))
    return found


def _sections(configuration: Configuration) -> list[str]:
    """Techniques that the configuration has a section for."""
    return list(configuration.technique.model_extra or {})


def field_value(configuration: Configuration, full: str) -> Any:
    """The value of a field by its dotted name."""
    value: Any = configuration
    for part in full.split("."):
        value = getattr(value, part)
    return value


def _presets() -> Any:
    return resources.files("tilegpu.data") / "configs"


def load_configuration(name: str | Path = "ptr-2022", overrides: Iterable[str] = ()) -> Configuration:
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
    known = dict(fields(techniques=technique_names())) if overrides else {}
    given = [_apply(values, override, known) for override in overrides]
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


def is_used(configuration: Configuration, full: str) -> bool:
    """Whether what a configuration simulates has a field, by its dotted name."""
    section, _, rest = full.partition(".")
    if section == "technique":
        return rest.partition(".")[0] in configuration.techniques
    if section == "dash":
        return configuration.dram.scheduling == "dash"
    if section in ALWAYS_USED:
        return True
    machine, _ = components(configuration)
    return bool(machine.has_field(full))


def unused_short_name(short: str, full: str, configuration: Configuration) -> str:
    """What to say of a short name that only a field of a part that is not simulated has."""
    like = [name for name, _ in fields() if name != full and is_used(configuration, name) and _alike(short, name)]
    hint = f"; did you mean {like[0]}?" if like else ""
    return f"{short}: only {full} is called so, which {configuration.name} does not use; give its full name{hint}"


def _alike(short: str, full: str) -> bool:
    """Whether a field has the words of a name, in its section or its own name: `clock_mhz` and `clocks.gpu_mhz`."""
    words = full.replace(".", "_").split("_")
    return all(any(word.startswith(part) for word in words) for part in short.split("_"))


def _read(name: str | Path) -> dict[str, Any]:
    path = Path(name)
    try:
        if str(name) in preset_names():
            text = preset_text(str(name))
        elif path.suffix == ".toml" or path.is_file():
            text = path.read_text("utf-8")
        else:
            raise ConfigurationError(f"no configuration {name}: give a TOML file or one of {', '.join(preset_names())}")
        values = tomllib.loads(text)
    except OSError as error:
        raise ConfigurationError(f"{name}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name}: {error}") from None
    base = values.pop("base", None)
    if base is None:
        return values
    if base not in preset_names() or base == name:
        raise ConfigurationError(f"{name}: base: no preset {base!r}; choose one of {', '.join(preset_names())}")
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
        names = [full for full, _ in fields(techniques=technique_names())]
        message = f"no such field{nearest(field, names)}"
    elif problem["type"] != "value_error":
        message = f"{message}, not {problem['input']!r}"
    return f"{field}: {message}" if field else message


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint at the name that is most like another, or nothing."""
    names = list(names)
    found = get_close_matches(name, names, 1, 0.6)
    if not found:
        leaves = {full.rpartition(".")[2]: full for full in names}
        found = [leaves[leaf] for leaf in get_close_matches(name.rpartition(".")[2], leaves, 1, 0.7)]
    return f"; did you mean {found[0]}?" if found else ""


def fields(
    model: type[BaseModel] = Configuration, prefix: str = "", techniques: Iterable[str] = ()
) -> Iterator[tuple[str, Any]]:
    """All fields of a configuration with their dotted names; those of `techniques` among them."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if kind is TechniqueParameters:
            models = technique_models() if techniques else {}
            for technique in techniques:
                yield from fields(models[technique], f"{prefix}{name}.{technique}.")
        elif isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from fields(kind, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def full_name(name: str, known: Collection[str] = ()) -> str:
    """The dotted name of a field that may be named by its end; ConfigurationError if there is none, or several.

    `known` has the names of all fields, for who has them already.
    """
    names = known or [full for full, _ in fields(techniques=technique_names())]
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


def _apply(values: dict[str, Any], override: str, known: dict[str, Any]) -> str:
    """Set a field; its dotted name."""
    name, sign, text = override.partition("=")
    if not sign or not name:
        raise ConfigurationError(f"{override}: expected field=value")
    full = full_name(name.strip(), known)
    *groups, leaf = full.split(".")
    for group in groups:
        values = values.setdefault(group, {})
        if not isinstance(values, dict):
            raise ConfigurationError(f"{group}: expected a table")
    several = get_origin(known[full].annotation) is tuple
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


def configuration_toml(configuration: Configuration) -> str:
    """The whole configuration as TOML, each field with its unit and description."""
    lines: list[str] = []
    group = None
    for full, field in fields(techniques=_sections(configuration)):
        *path, leaf = full.split(".")
        value = field_value(configuration, full)
        if path != group and path:
            lines += ["", f"[{'.'.join(path)}]"]
        group = path
        unit = (field.json_schema_extra or {}).get("unit", "")
        lines.append(f"{leaf} = {_toml(value)}  # {unit}: {field.description}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return str(value)
