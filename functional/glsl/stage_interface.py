"""Inputs of the first and outputs of the last stage of a program, as queries list them (OpenGL ES 3.1, 7.3.1.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .gl_types import gl_type
from .interface import Attribute, BuiltShader
from .ir.program import Stage
from .layouts import location_count
from .typed import Variable
from .types import ArrayType, BasicType, StructType, Type, leaf_count


@dataclass(frozen=True, slots=True)
class StageVariable:
    """An input or output of basic type, or an array of them.

    Attributes
    ----------
    name : str
        Without "[0]" if it is an array.
    array_size : int
        0 if it is no array.
    location : int
        -1 for built-in ones, and for those that only match by name.
    """

    name: str
    gl_type: int
    array_size: int
    location: int
    stage: Stage

    @property
    def listed_name(self) -> str:
        """Name as queries give it."""
        return f"{self.name}[0]" if self.array_size else self.name


def list_inputs(stages: Sequence[BuiltShader], attributes: Sequence[Attribute]) -> tuple[StageVariable, ...]:
    """Inputs of the first stage that it reads; attributes have the locations given."""
    locations = {a.name: a.location for a in attributes}
    return tuple(_listed(stages[0], "in", locations))


def list_outputs(stages: Sequence[BuiltShader]) -> tuple[StageVariable, ...]:
    """Outputs of the last stage that it writes."""
    return tuple(_listed(stages[-1], "out", {}))


def _listed(built: BuiltShader, storage: str, locations: dict[str, int]) -> Iterator[StageVariable]:
    declarations = built.shader.inputs if storage == "in" else built.shader.outputs
    present = {d.name for d in declarations}
    for variable in built.checked.globals:
        if variable.storage == storage and variable.name in present:
            first = locations.get(variable.name, _location(variable))
            yield from _parts(variable.name, variable.type, first, built.checked.stage)


def _location(variable: Variable) -> int:
    if variable.location is not None:
        return variable.location
    # The only colour without a location has the first (ESSL 3.00, 4.3.8.2).
    return 0 if variable.semantic == "color" else -1


def _parts(name: str, of: Type, location: int, stage: Stage) -> Iterator[StageVariable]:
    """Variables of basic type that one consists of."""
    if isinstance(of, StructType):
        for member in of.fields:
            yield from _parts(f"{name}.{member.name}", member.type, location, stage)
            location += leaf_count(member.type) if location >= 0 else 0
    else:
        inner = of.element if isinstance(of, ArrayType) else of
        assert isinstance(inner, BasicType)
        yield StageVariable(
            name, gl_type(inner), location_count(of) if isinstance(of, ArrayType) else 0, location, stage
        )
