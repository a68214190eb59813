"""Vertex outputs that transform feedback captures (OpenGL ES 3.0, 2.11.8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..opengl import enums as gl
from .compatibility import SIZED_BY_USE
from .errors import LinkError
from .gl_types import gl_type
from .interface import Varying, flatten
from .matching import MAXIMUM_VARYING_VECTORS
from .typed import CheckedShader, Variable
from .types import ArrayType, Type, component_count, leaf_count

MAXIMUM_INTERLEAVED_COMPONENTS = 64
MAXIMUM_SEPARATE_ATTRIBUTES, MAXIMUM_SEPARATE_COMPONENTS = 4, 64
_BUILT_IN = {"gl_Position": ("position", gl.FLOAT_VEC4, 4), "gl_PointSize": ("point_size", gl.FLOAT, 1)}


@dataclass(frozen=True, slots=True)
class CapturedOutput:
    """One captured output: ``components`` floats of each of ``slots`` vec4 slots from ``slot`` on.

    ``semantic`` is varying, position or point_size; ``gl_type`` is OpenGL's enumerant, ``size`` the array's size or 1.
    """

    name: str
    gl_type: int
    size: int
    semantic: str
    slot: int
    slots: int
    components: int

    @property
    def words(self) -> int:
        """Floats per vertex."""
        return self.slots * self.components


def base_names(names: Sequence[str]) -> frozenset[str]:
    """Variables that the captured names belong to."""
    return frozenset(name.split("[")[0].split(".")[0] for name in names)


def extra_varyings(vertex: CheckedShader, read: tuple[Varying, ...], names: Sequence[str]) -> dict[str, int]:
    """Assign slots to captured varyings that the fragment shader does not read, after those that it reads.

    Raises
    ------
    LinkError
        If more than 16 slots are needed.
    """
    names_of_read = {varying.name for varying in read}
    wanted = base_names(names)
    varyings = [v for v in vertex.globals if v.semantic == "varying" and v.storage == "out"]
    slot = sum(leaf_count(v.type) for v in varyings if v.name in names_of_read)
    slots: dict[str, int] = {}
    for variable in varyings:
        if variable.name in wanted and variable.name not in names_of_read:
            slots[variable.name] = slot
            slot += leaf_count(variable.type)
    if slot > MAXIMUM_VARYING_VECTORS:
        raise LinkError(f"varyings need {slot} vectors, there are {MAXIMUM_VARYING_VECTORS}")
    return slots


def captured_outputs(
    vertex: CheckedShader, slots: dict[str, int], names: Sequence[str], separate: bool
) -> tuple[CapturedOutput, ...]:
    """Locate the captured outputs.

    Raises
    ------
    LinkError
        If a name is not an output of the vertex shader or occurs twice, or a limit is exceeded.
    """
    outputs = {v.name: v for v in vertex.globals if v.semantic == "varying" and v.storage == "out"}
    captured: list[CapturedOutput] = []
    for name in names:
        if name in [c.name for c in captured]:
            raise LinkError(f"transform feedback: {name} is captured twice")
        if name in _BUILT_IN:
            semantic, kind, components = _BUILT_IN[name]
            captured.append(CapturedOutput(name, kind, 1, semantic, 0, 1, components))
            continue
        variable = outputs.get(next(iter(base_names([name]))))
        if variable is not None and variable.name == SIZED_BY_USE:
            raise LinkError(f"transform feedback of {SIZED_BY_USE} is not supported")
        part = _part(variable, name) if variable is not None else None
        if variable is None or part is None:
            raise LinkError(f"transform feedback: the vertex shader has no output {name}")
        of, offset = part
        count = leaf_count(of)
        element = of.element if isinstance(of, ArrayType) else of
        size = of.size if isinstance(of, ArrayType) else 1
        slot = slots[variable.name] + offset
        captured.append(
            CapturedOutput(name, gl_type(element), size, "varying", slot, count, component_count(of) // count)
        )
    _check_limits(captured, separate)
    return tuple(captured)


def _part(variable: Variable, name: str) -> tuple[Type, int] | None:
    """Type and first slot of the output, member or element that a name refers to."""
    for whole, of, offset in flatten(variable.name, variable.type):
        if whole == name:
            return of, offset
        if isinstance(of, ArrayType) and name.startswith(f"{whole}[") and name.endswith("]"):
            index = name[len(whole) + 1 : -1]
            if len(index) < 10 and index.isdecimal() and int(index) < of.size:
                return of.element, offset + int(index) * leaf_count(of.element)
    return None


def _check_limits(outputs: list[CapturedOutput], separate: bool) -> None:
    if not separate:
        total = sum(c.words for c in outputs)
        if total > MAXIMUM_INTERLEAVED_COMPONENTS:
            raise LinkError(f"transform feedback: {total} components of {MAXIMUM_INTERLEAVED_COMPONENTS}")
        return
    if len(outputs) > MAXIMUM_SEPARATE_ATTRIBUTES:
        raise LinkError(f"transform feedback: {len(outputs)} separate outputs of {MAXIMUM_SEPARATE_ATTRIBUTES}")
    for captured in outputs:
        if captured.words > MAXIMUM_SEPARATE_COMPONENTS:
            raise LinkError(
                f"transform feedback: {captured.name} has {captured.words} components of {MAXIMUM_SEPARATE_COMPONENTS}"
            )
