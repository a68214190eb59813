"""Checks whether two stages match: varyings and uniforms of the same name must agree."""

from collections.abc import Iterator

from ..opengl.limits import MAX_VARYING_VECTORS
from .builtin_variables import MAXIMUM_DRAW_BUFFERS
from .errors import LinkError
from .typed import CheckedShader, Variable
from .types import ArrayType, StructType, Type, leaf_count

MAXIMUM_VARYING_VECTORS = MAX_VARYING_VECTORS


def match_interfaces(vertex: CheckedShader, fragment: CheckedShader) -> None:
    """Compare the declarations of both stages.

    Raises
    ------
    LinkError
        Naming the first variable that does not match.
    """
    if vertex.version != fragment.version:
        raise LinkError(f"vertex shader is version {vertex.version}, fragment shader {fragment.version}")
    outputs = {v.key: v for v in vertex.globals if v.storage == "out" and v.semantic == "varying"}
    for variable in fragment.globals:
        if variable.storage == "in" and variable.semantic == "varying":
            _match_varying(outputs.get(variable.key), variable, vertex.invariant_all or vertex.version >= 300)
    uniforms = {v.name: v for v in vertex.globals if v.storage == "uniform" and not v.block}
    for variable in fragment.globals:
        other = uniforms.get(variable.name)
        if variable.storage == "uniform" and not variable.block and other is not None:
            _match_uniform(other, variable, vertex.version)
    _match_blocks(vertex, fragment)
    check_outputs(fragment)
    _match_invariance(vertex, fragment)


def _match_varying(output: Variable | None, variable: Variable, any_invariance: bool) -> None:
    if output is None:
        if variable.used:
            raise LinkError(f"varying {variable.name} is read but the vertex shader does not declare it")
        return
    if output.type != variable.type:
        types = f"{output.type.name} in the vertex shader, not {variable.type.name}"
        raise LinkError(f"varying {variable.name} is {types}")
    if not any_invariance and output.invariant != variable.invariant:
        raise LinkError(f"varying {variable.name} is invariant in one stage only")
    if output.interpolation != variable.interpolation:
        raise LinkError(f"varying {variable.name} is interpolated differently by the stages")


def _match_uniform(a: Variable, b: Variable, version: int) -> None:
    if a.type != b.type:
        raise LinkError(f"uniform {a.name} is {a.type.name} in one stage and {b.type.name} in the other")
    if a.name.startswith("gl_") or (version < 300 and not (a.used and b.used)):
        return
    if (a.precision, *_precisions(a.type)) != (b.precision, *_precisions(b.type)):
        raise LinkError(f"uniform {a.name} differs in precision between the stages")


def _match_blocks(vertex: CheckedShader, fragment: CheckedShader) -> None:
    """Blocks of the same name must be equal; the names of their members share the name space of uniforms."""
    blocks = {v.block: v for v in vertex.globals if v.block}
    for variable in fragment.globals:
        other = blocks.get(variable.block) if variable.block else None
        if other is None:
            continue
        alike = other.type == variable.type and other.layout == variable.layout and other.named == variable.named
        if not alike or _storage(other.type) != _storage(variable.type):
            raise LinkError(f"block {variable.block} differs between the stages")
    names = [_global_names(stage) for stage in (vertex, fragment)]
    for name in names[0].keys() & names[1].keys():
        if names[0][name] != names[1][name]:
            raise LinkError(f"{name} belongs to different blocks, or to a block in one stage only")


def _global_names(shader: CheckedShader) -> dict[str, str]:
    """Uniforms, and members of blocks without an instance name, each with its block, if any."""
    names: dict[str, str] = {}
    for variable in shader.globals:
        if variable.storage == "uniform" and not variable.block:
            names[variable.name] = ""
        elif variable.block and not variable.named and isinstance(variable.type, StructType):
            names.update({member.name: variable.block for member in variable.type.fields})
    return names


def _storage(of: Type) -> list[bool]:
    """Storage order of a block's matrices, member by member."""
    inner = of.element if isinstance(of, ArrayType) else of
    return [member.row_major for member in inner.fields] if isinstance(inner, StructType) else []


def check_outputs(fragment: CheckedShader) -> None:
    """If there are several outputs, each needs a distinct location (ESSL 3.00, section 4.3.8.2)."""
    outputs = [v for v in fragment.globals if v.semantic == "color" and not v.name.startswith("gl_")]
    taken: set[int] = set()
    for variable in outputs:
        if variable.location is None and len(outputs) > 1:
            raise LinkError(f"output {variable.name} needs a location because there are several outputs")
        first = variable.location or 0
        span = set(range(first, first + leaf_count(variable.type)))
        if max(span) >= MAXIMUM_DRAW_BUFFERS:
            raise LinkError(f"output {variable.name} does not fit at location {first} of {MAXIMUM_DRAW_BUFFERS}")
        if taken & span:
            raise LinkError(f"output {variable.name} overlaps another one at location {first}")
        taken |= span


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
