"""Whether two stages fit together: varyings and uniforms of one name must agree."""

from collections.abc import Iterator

from .errors import LinkError
from .typed import CheckedShader, Variable
from .types import ArrayType, StructType, Type

MAXIMUM_VARYING_VECTORS = 16


def match_interfaces(vertex: CheckedShader, fragment: CheckedShader) -> None:
    """Compare what both stages declare.

    Raises
    ------
    LinkError
        Naming the first variable that does not match.
    """
    if vertex.version != fragment.version:
        raise LinkError(f"vertex shader is version {vertex.version}, fragment shader {fragment.version}")
    outputs = {v.name: v for v in vertex.globals if v.storage == "out" and v.semantic == "varying"}
    for variable in fragment.globals:
        if variable.storage == "in" and variable.semantic == "varying":
            _match_varying(outputs.get(variable.name), variable, vertex.invariant_all)
    uniforms = {v.name: v for v in vertex.globals if v.storage == "uniform"}
    for variable in fragment.globals:
        other = uniforms.get(variable.name)
        if variable.storage == "uniform" and other is not None:
            _match_uniform(other, variable)
    _match_invariance(vertex, fragment)


def _match_varying(output: Variable | None, variable: Variable, all_invariant: bool) -> None:
    if output is None:
        if variable.used:
            raise LinkError(f"varying {variable.name} is read but the vertex shader does not declare it")
        return
    if output.type != variable.type:
        types = f"{output.type.name} in the vertex shader, not {variable.type.name}"
        raise LinkError(f"varying {variable.name} is {types}")
    if not all_invariant and output.invariant != variable.invariant:
        raise LinkError(f"varying {variable.name} is invariant in one stage only")
    if output.interpolation != variable.interpolation:
        raise LinkError(f"varying {variable.name} is interpolated differently by the stages")


def _match_uniform(a: Variable, b: Variable) -> None:
    if a.type != b.type:
        raise LinkError(f"uniform {a.name} is {a.type.name} in one stage and {b.type.name} in the other")
    if a.name.startswith("gl_") or not (a.used and b.used):
        return
    if (a.precision, *_precisions(a.type)) != (b.precision, *_precisions(b.type)):
        raise LinkError(f"uniform {a.name} differs in precision between the stages")


def _precisions(of: Type) -> Iterator[str]:
    """Precisions of the members of a structure, or an array of structures."""
    if isinstance(of, ArrayType):
        yield from _precisions(of.element)
    elif isinstance(of, StructType):
        for member in of.fields:
            yield member.precision
            yield from _precisions(member.type)


def _match_invariance(vertex: CheckedShader, fragment: CheckedShader) -> None:
    """gl_FragCoord may be invariant only if gl_Position is, gl_PointCoord only if gl_PointSize is."""
    if vertex.invariant_all:
        return
    invariant = {v.name for v in vertex.globals if v.invariant}
    for ours, theirs in (("gl_FragCoord", "gl_Position"), ("gl_PointCoord", "gl_PointSize")):
        if any(v.name == ours and v.invariant for v in fragment.globals) and theirs not in invariant:
            raise LinkError(f"{ours} is invariant but {theirs} is not")
