"""Links stages by themselves, and stages of different programs for a draw (OpenGL ES 3.1, 7.3 and 7.4.1).

A stage has the same constants, samplers, buffers and images by itself and with any other stage, because all outputs of
a vertex shader are kept: programs of a pipeline share the values of their uniforms with what is made from them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .captured import captured_outputs
from .errors import LinkError
from .interface import Attribute, BuiltShader, Varying, assign_varyings, build_shader
from .ir.program import Shader, Stage
from .layouts import check_layouts
from .link import CompiledShader, LinkedProgram, assemble, compile_shader, faults_are_ours, need_main
from .locations import place_attributes
from .matching import MAXIMUM_VARYING_VECTORS, check_outputs
from .optimize import optimize
from .recursion import deep_recursion
from .typed import CheckedShader, Variable
from .types import ArrayType, StructType, Type, leaf_count

NO_FRAGMENT_SHADER = "#version 300 es\nout lowp vec4 color; void main() { color = vec4(1.0); }"
"""Draws in the place of a missing fragment shader: colours are undefined (OpenGL ES 3.1, 7.4), Mesa's are white."""


def link_stage(
    shader: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link a vertex or fragment shader alone; parameters are those of `link_program`.

    Raises
    ------
    LinkError
        If it has no main function, exceeds a limit, or its attributes or outputs do not fit.
    CompilerFault
        When this compiler fails on a shader that it should link or reject.
    """
    with deep_recursion(), faults_are_ours(shader.name):
        need_main(shader)
        check_layouts(shader.checked)
        slots = _slots(shader.checked, ())
        attributes: tuple[Attribute, ...] = ()
        if shader.stage == "fragment":
            check_outputs(shader.checked)
            built = _fragment(shader, slots)
        else:
            built, attributes = _vertex(shader, attribute_locations, slots)
        outputs = captured_outputs(shader.checked, slots, captured, separate) if shader.stage == "vertex" else ()
        return assemble({shader.stage: built.shader}, (built,), attributes, (), outputs)


def link_pair(
    vertex: CompiledShader,
    fragment: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Combine a vertex and a fragment shader of different programs; parameters are those of `link_program`.

    Raises
    ------
    LinkError
        If what the one passes on is not exactly what the other declares.
    CompilerFault
        When this compiler fails.
    """
    with deep_recursion(), faults_are_ours(f"{vertex.name} with {fragment.name}"):
        _match(vertex.checked, fragment.checked)
        return _pair(vertex, fragment, attribute_locations, captured, separate)


def link_alone(
    vertex: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link a vertex shader that draws without a fragment shader; parameters are those of `link_program`.

    Raises
    ------
    LinkError
        If it passes on too much.
    CompilerFault
        When this compiler fails.
    """
    with deep_recursion(), faults_are_ours(vertex.name):
        white = compile_shader(NO_FRAGMENT_SHADER, "fragment", "no fragment shader")
        return _pair(vertex, white, attribute_locations, captured, separate)


def _pair(
    vertex: CompiledShader,
    fragment: CompiledShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str],
    separate: bool,
) -> LinkedProgram:
    """Both stages as a program, with every varying that the vertex shader writes."""
    fragment_code = optimize(fragment.code, fragment.name)
    varyings = assign_varyings(vertex.checked, fragment_code, whole=True)
    slots = _slots(vertex.checked, varyings)
    first, attributes = _vertex(vertex, attribute_locations, slots)
    by_key = {v.key: slots[v.name] for v in _varyings(vertex.checked)}
    second = build_shader(fragment.checked, fragment_code, {}, by_key)
    outputs = captured_outputs(vertex.checked, slots, captured, separate)
    shaders: dict[Stage, Shader] = {"vertex": first.shader, "fragment": second.shader}
    return assemble(shaders, (first, second), attributes, varyings, outputs)


def _varyings(shader: CheckedShader) -> list[Variable]:
    return [v for v in shader.globals if v.semantic == "varying"]


def _slots(shader: CheckedShader, first: Sequence[Varying]) -> dict[str, int]:
    """A slot for every varying by its name: those given, then the others in their order."""
    slots = {varying.name: varying.slot for varying in first}
    variables = _varyings(shader)
    end = sum(leaf_count(v.type) for v in variables if v.name in slots)
    for variable in variables:
        if variable.name not in slots:
            slots[variable.name] = end
            end += leaf_count(variable.type)
    if end > MAXIMUM_VARYING_VECTORS:
        raise LinkError(f"varyings need {end} vectors, there are {MAXIMUM_VARYING_VECTORS}")
    return slots


def _vertex(
    shader: CompiledShader, attribute_locations: Mapping[str, int], slots: Mapping[str, int]
) -> tuple[BuiltShader, tuple[Attribute, ...]]:
    code = optimize(shader.code, shader.name)
    attributes = place_attributes(code, shader.checked, attribute_locations)
    keys = {v.key: slots[v.name] for v in _varyings(shader.checked)}
    return build_shader(shader.checked, code, {a.name: a.location for a in attributes}, keys), attributes


def _fragment(shader: CompiledShader, slots: Mapping[str, int]) -> BuiltShader:
    keys = {v.key: slots[v.name] for v in _varyings(shader.checked)}
    return build_shader(shader.checked, optimize(shader.code, shader.name), {}, keys)


def _match(vertex: CheckedShader, fragment: CheckedShader) -> None:
    """Each output needs an input, and each input an output, of the same type, qualifiers and precision."""
    outputs, inputs = ({v.key: v for v in _varyings(shader)} for shader in (vertex, fragment))
    for key in outputs.keys() ^ inputs.keys():
        name = (outputs.get(key) or inputs[key]).name
        raise LinkError(f"varying {name} is declared in one stage only")
    for key, output in outputs.items():
        taken = inputs[key]
        alike = output.type == taken.type and output.interpolation == taken.interpolation
        if not alike or _precisions(output.precision, output.type) != _precisions(taken.precision, taken.type):
            raise LinkError(f"varying {output.name} differs between the stages")


def _precisions(own: str, of: Type) -> tuple[str, ...]:
    if isinstance(of, ArrayType):
        return _precisions(own, of.element)
    if isinstance(of, StructType):
        return tuple(p for member in of.fields for p in _precisions(member.precision, member.type))
    return (own,)
