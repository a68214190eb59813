"""Compares queries of program resources by name, as every driver numbers resources itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilegpu.functional.capture import Call
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.entry_points.program_resources import _names as names_of
from tilegpu.functional.gles.entry_points.resource_properties import (
    ACTIVE_VARIABLES,
    ATOMIC_COUNTER_BUFFER_INDEX,
    BLOCK_INDEX,
    LOCATION,
    REFERENCED_BY,
    UNIFORM,
    locations,
    properties,
)
from tilegpu.functional.gles.programs import Program
from tilegpu.functional.opengl.errors import GLError

from .values import flat

QUERIES = frozenset(
    {
        "glGetProgramResourceIndex",
        "glGetProgramResourceName",
        "glGetProgramResourceiv",
        "glGetProgramResourceLocation",
    }
)
_INVALID = (-1, 0xFFFFFFFF)
_BY_STAGES = frozenset({*REFERENCED_BY.values(), 0x9307, 0x9308, 0x9309})
_NOT_OURS = frozenset({0x9307, 0x9308, 0x9309})
"""Stages of later versions."""


class Resources:
    """Remembers the names that the stream tells of resources, and judges queries by them."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int], dict[int, str]] = {}

    def faults(self, display: Display, call: Call) -> Iterator[dict[str, Any]] | None:
        """What differs; None if the query cannot be judged by name."""
        context, (number, interface) = display.current.get(call.thread), call.arguments[:2]
        program = context.group.programs.get(number) if context is not None else None
        known = self._known.setdefault((number, interface, program.identity if program is not None else -1), {})
        asked, names = call.arguments[2], self._names(program, interface)
        linked = program is not None and program.linked is not None
        if call.name == "glGetProgramResourceIndex":
            if isinstance(call.result, int) and call.result not in _INVALID:
                known[call.result] = asked
            there = call.result not in _INVALID
            return iter([_fault(call, [_find(names, asked)], [call.result])] if linked and there != (
                _find(names, asked) is not None
            ) else [])  # fmt: skip
        if call.name == "glGetProgramResourceName":
            name = flat(call.arguments[-1])[0] if call.arguments[-1] else None
            if not isinstance(name, str):
                return None
            known[asked] = name
            missing = linked and _find(names, name) is None
            return iter([_fault(call, ["no such name"], [name])] if missing else [])
        if call.name == "glGetProgramResourceLocation":
            return self._location(program, call) if linked and interface != UNIFORM else iter([])
        return self._properties(program, call, known.get(asked), names) if linked else None

    @staticmethod
    def _names(program: Program | None, interface: int) -> list[str]:
        try:
            return names_of(program, interface) if program is not None else []
        except GLError:
            return []

    @staticmethod
    def _location(program: Program | None, call: Call) -> Iterator[dict[str, Any]]:
        assert program is not None and program.linked is not None
        ours = locations(program.linked, call.arguments[1]).get(call.arguments[2], -1)
        absent = ours == -1 and call.result in _INVALID
        return iter([] if ours == call.result or absent else [_fault(call, [ours], [call.result])])

    @staticmethod
    def _properties(
        program: Program | None, call: Call, name: str | None, names: list[str]
    ) -> Iterator[dict[str, Any]] | None:
        asked, theirs = (
            call.arguments[4],
            next((flat(a) for a in reversed(call.arguments) if isinstance(a, list)), None),
        )
        if name is None or not isinstance(asked, list) or not asked or theirs is None or program is None:
            return None
        index = _find(names, name)
        if index is None:
            return iter([_fault(call, ["no such resource"], theirs[:4])])
        return _wrong(call, properties(program, call.arguments[1], index, names[index]), asked, theirs, name)


def _find(names: list[str], name: str) -> int | None:
    plain = name.removesuffix("[0]")
    return next((i for i, own in enumerate(names) if name in (own, own.removesuffix("[0]")) or plain == own), None)


def _wrong(
    call: Call, ours: dict[int, Any], asked: list[int], theirs: list[Any], name: str
) -> Iterator[dict[str, Any]]:
    for place, wanted in enumerate(asked):
        if wanted == ACTIVE_VARIABLES:
            return
        located = wanted == LOCATION and call.arguments[1] == UNIFORM
        if wanted in (BLOCK_INDEX, ATOMIC_COUNTER_BUFFER_INDEX) or located or wanted in _NOT_OURS:
            continue
        mine, other = ours.get(wanted, "no property"), theirs[place] if place < len(theirs) else None
        if wanted in _BY_STAGES and mine != "no property":
            mine, other = bool(mine), bool(other)
        if mine != other:
            where = [hex(call.arguments[0]), hex(call.arguments[1]), name, hex(wanted)]
            yield {"kind": "answer", "args": where, "ours": [mine], "theirs": [other]}


def _fault(call: Call, ours: list[Any], theirs: list[Any]) -> dict[str, Any]:
    arguments = [hex(a) if isinstance(a, int) else a for a in call.arguments if isinstance(a, int | float | str)]
    return {"kind": "answer", "args": arguments, "ours": ours, "theirs": theirs}
