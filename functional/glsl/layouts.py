"""Layout qualifiers of the stages of a program, which must not contradict each other (ESSL 3.10, 4.4.3 to 4.4.6).

A location or binding that one stage gives counts for all stages that declare the same uniform or block.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..opengl.limits import MAX_UNIFORM_LOCATIONS
from .block_layout import COMPONENT_BYTES
from .errors import LinkError
from .ir.program import Shader
from .typed import CheckedShader, Variable
from .types import ArrayType, StructType, Type, contains_counter


def check_layouts(*stages: CheckedShader) -> None:
    """Compare the layout qualifiers of uniforms and blocks of all stages, used or not.

    Raises
    ------
    LinkError
        If two stages place the same one differently, or if two share a location or the bytes of a counter.
    """
    by_name: dict[str, Variable] = {}
    for variable in _placed(stages):
        name = variable.block or variable.name
        other = by_name.setdefault(name, variable)
        for what in ("location", "binding", "offset_bytes"):
            values = getattr(other, what), getattr(variable, what)
            if None not in values and values[0] != values[1]:
                label = what.removesuffix("_bytes")
                raise LinkError(f"{name} has {label} {values[0]} in one stage and {values[1]} in another")
        if variable.format != other.format:
            raise LinkError(f"{name} has format {other.format} in one stage and {variable.format} in another")
    _check_apart([(0, *_locations(v)) for v in by_name.values() if v.location is not None], "location")
    _check_apart([_counters(v) for v in by_name.values() if contains_counter(v.type)], "offset")


def common_bindings(*stages: CheckedShader) -> dict[str, int]:
    """Bindings of uniforms and blocks by name, whichever stage gives them."""
    return {v.block or v.name: v.binding for v in _placed(stages) if v.binding is not None}


def common_locations(*stages: CheckedShader) -> dict[str, int]:
    """Locations of uniforms by name, whichever stage gives them."""
    return {v.name: v.location for v in _placed(stages) if v.location is not None}


def with_bindings(shader: Shader, bindings: dict[str, int]) -> Shader:
    """A shader whose buffers and images have the bindings of the program."""

    def binding(name: str, own: int) -> int:
        base, _, element = name.partition("[")
        return bindings[base] + int(element.partition("]")[0] or 0) if base in bindings else own

    buffers = tuple(
        b if b.kind == "counter" else replace(b, binding=binding(b.name, b.binding)) for b in shader.buffers
    )
    images = tuple(replace(image, unit=binding(image.name, image.unit)) for image in shader.images)
    same = (buffers, images) == (shader.buffers, shader.images)
    return shader if same else replace(shader, buffers=buffers, images=images)


def _placed(stages: tuple[CheckedShader, ...]) -> Iterator[Variable]:
    for stage in stages:
        yield from (v for v in stage.globals if v.storage in ("uniform", "buffer"))


def _check_apart(spans: list[tuple[int, int, int, str]], what: str) -> None:
    """Spans are (space, first, one after the last, name)."""
    for (space, _, end, name), (following, first, _, other) in zip(sorted(spans), sorted(spans)[1:], strict=False):
        if space == following and first < end:
            raise LinkError(f"{name} and {other} share {what} {first}")


def _locations(variable: Variable) -> tuple[int, int, str]:
    first = variable.location or 0
    end = first + location_count(variable.type)
    if end > MAX_UNIFORM_LOCATIONS:
        raise LinkError(f"uniform {variable.name} does not fit at location {first} of {MAX_UNIFORM_LOCATIONS}")
    return first, end, variable.name


def _counters(variable: Variable) -> tuple[int, int, int, str]:
    first = variable.offset_bytes or 0
    return variable.binding or 0, first, first + COMPONENT_BYTES * location_count(variable.type), variable.name


def location_count(of: Type) -> int:
    """Locations that a uniform takes: one for each value of basic type, matrices included."""
    if isinstance(of, StructType):
        return sum(location_count(member.type) for member in of.fields)
    return of.size * location_count(of.element) if isinstance(of, ArrayType) else 1
