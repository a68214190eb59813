"""Twins by name, and as TOML files."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from .motion import Crowd, Motion
from .phases import Phase
from .solved import ROLES, Program, Solution
from .twin import VARIANTS, Twin, TwinError
from .twin_checks import checked

TABLES = "targets", "at_least", "at_most", "gives_way", "calibrated_on", "motion", "crowd"
"""Fields that are written as tables, apart from solved ones."""
NESTED = "path", "motion", "crowd", "solved", "program", "fixed", "phases"
"""Fields that are no values."""


def twin_names() -> list[str]:
    """Names of the twins that come with the package."""
    folder = files("tilegpu.data").joinpath("workloads")
    return sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml"))


def find_twin(name: str) -> Twin:
    """A twin by its name, or by the path of a TOML file; variants follow, as in `000-rok+rgba8+unmipmapped`.

    Raises
    ------
    TwinError
        If there is none, or no such variant, or the file does not describe one.
    """
    if name.endswith(".toml") or "/" in name:
        return read_twin(Path(name))
    name, *variants = name.split("+")
    if variants:
        return _variant(find_twin(name), variants)
    if name not in twin_names():
        raise TwinError(f"workload {name!r}: there is none; `tilegpu workloads list` names them, or give a TOML file")
    return read_twin(Path(str(files("tilegpu.data").joinpath("workloads", f"{name}.toml"))))


def _variant(twin: Twin, variants: Sequence[str]) -> Twin:
    name = twin.name
    for variant in variants:
        if variant not in VARIANTS:
            raise TwinError(f"variant {variant!r} of {name}: choose {', '.join(VARIANTS)}")
        twin = VARIANTS[variant](twin)
    return replace(twin, name="+".join((name, *variants)))


def read_twin(path: Path) -> Twin:
    """A twin from a TOML file.

    Raises
    ------
    TwinError
        Where the file says something that cannot be; the message names the field.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TwinError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TwinError(f"{path}: not TOML ({str(error).splitlines()[0]})") from None
    try:
        return checked(_twin(content, path))
    except TwinError as error:
        raise TwinError(f"{path}: {error}") from None


def _twin(content: dict[str, Any], path: Path) -> Twin:
    content = dict(content)
    motion = _record(Motion, content.pop("motion", {}), "motion")
    crowd = _record(Crowd, content.pop("crowd", {}), "crowd")
    solved_table = _table(content.pop("solved", {}), "solved")
    programs = _programs(solved_table.pop("program", {}), "solved.program")
    solved = replace(_record(Solution, solved_table, "solved"), program={role: Program() for role in ROLES} | programs)
    fixed = _programs(content.pop("fixed", {}), "fixed")
    phases = _phases(content.pop("phases", []))
    twin: Twin = _record(Twin, content, "")
    return replace(twin, motion=motion, crowd=crowd, solved=solved, fixed=fixed, phases=phases, path=path)


def _programs(value: Any, name: str) -> dict[str, Program]:
    """Programs by role."""
    tables = _table(value, name)
    for role in tables:
        if role not in ROLES:
            raise TwinError(f"{name}.{role}: roles are {', '.join(ROLES)}")
    return {role: _record(Program, tables[role], f"{name}.{role}") for role in ROLES if role in tables}


def _phases(value: Any) -> tuple[Phase, ...]:
    if not isinstance(value, list):
        raise TwinError("phases: write each as a table, [[phases]]")
    return tuple(_record(Phase, table, f"phases.{number}") for number, table in enumerate(value))


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TwinError(f"{name}: write it as a table, [{name}]")
    return dict(value)


def _record(kind: Any, content: Any, name: str) -> Any:
    """A frozen dataclass from a table, its fields checked by the types of their defaults."""
    table, prefix = _table(content, name), f"{name}." if name else ""
    allowed = {f.name: f for f in fields(kind) if f.name not in NESTED}
    for key, value in table.items():
        if key not in allowed:
            raise TwinError(f"{prefix}{key}: unknown; known are {', '.join(allowed)}")
        wanted = str(allowed[key].type)
        table[key] = _typed(value, wanted, prefix + key)
    required = ("name", "frames") if kind is Phase else ("name", "family", "theme", "width", "height", "seed")
    missing = [n for n in required if n in allowed and n not in table]
    if missing:
        raise TwinError(f"{prefix}{missing[0]}: missing")
    if kind is Twin:
        table = {"title": table["name"], "source": ""} | table
    return kind(**table)


def _typed(value: Any, wanted: str, name: str) -> Any:
    if wanted == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if wanted.startswith("dict"):
        inner = "float" if "float" in wanted else "str"
        return {str(key): _typed(entry, inner, f"{name}.{key}") for key, entry in _table(value, name).items()}
    if wanted.startswith("tuple"):
        if not isinstance(value, list):
            raise TwinError(f"{name} = {value!r}: write a list")
        return tuple(_typed(entry, "str", name) for entry in value)
    kinds: dict[str, type] = {"float": float, "int": int, "str": str, "bool": bool}
    if type(value) is not kinds[wanted]:
        raise TwinError(f"{name} = {value!r}: write a value of kind {wanted}")
    return value


def twin_toml(twin: Twin) -> str:
    """The twin as TOML, fields in the order of their declaration; of a model without what is solved of scenes."""
    content = asdict(twin)
    content.pop("path")
    phases = content.pop("phases")
    solved = content.pop("solved")
    programs = {"solved.program": solved.pop("program"), "fixed": content.pop("fixed")}
    tables = {name: content.pop(name) for name in TABLES}
    tables["solved"] = solved
    if twin.is_model:
        tables["solved"], programs = {}, {}
    for name, default in (("motion", Motion()), ("crowd", Crowd())):
        if twin.is_model or tables[name] == asdict(default):
            tables[name] = {}
    lines = [f"{name} = {_toml(value)}" for name, value in content.items()]
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    for phase in phases:
        lines += ["", "[[phases]]", *(f"{key} = {_toml(value)}" for key, value in phase.items())]
    for name, by_role in programs.items():
        for role, program in by_role.items():
            lines += ["", f"[{name}.{role}]", *(f"{key} = {_toml(value)}" for key, value in program.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return _toml(name) if "." in name else name


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return repr(round(value, 6)) if isinstance(value, float) else repr(value)
