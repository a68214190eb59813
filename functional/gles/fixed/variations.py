"""Programs of desktop OpenGL as the state of the context changes them: alpha test, flat colours, colours of back faces,
size of points."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...glsl import LinkedProgram, Uniform
from ...glsl.compatibility import FRONT_AND_BACK_COLORS, READ_COLORS
from ...glsl.dialects import with_definitions
from ...opengl import enums as gl
from ...opengl.errors import Unsupported
from ..programs import Program, Shader
from ..uniforms import uniform_slots
from .fragment import comparison

if TYPE_CHECKING:
    from ..context import Context

_MAIN = "_Application"
"""Name of the application's function main where another one calls it."""


class Variation(NamedTuple):
    """Changes that the state of a context makes to a program.

    Attributes
    ----------
    flat
        Whether colours have the value of one vertex.
    two_sided
        Whether back faces have colours of their own.
    alpha_test
        Comparison and reference, None without a test.
    point_size
        Size of points in pixels, None where the program sets it.
    """

    flat: bool = False
    two_sided: bool = False
    alpha_test: tuple[int, float] | None = None
    point_size: float | None = None


_NONE = Variation()


def varied(context: Context, program: Program, mode: int) -> Program:
    """The program that a draw in a context of desktop OpenGL uses: itself, or as the state changes it."""
    variation = _variation(context, program, mode)
    if variation == _NONE or context.feedback.capturing:
        return program
    variant = program.variations.get(variation)
    if variant is None:
        variant = program.variations[variation] = _linked(context, program, variation)
    _follow(variant, program)
    return variant


def _variation(context: Context, program: Program, mode: int) -> Variation:
    fixed, linked = context.fixed, program.linked
    assert linked is not None
    size = None
    if mode == gl.POINTS and gl.PROGRAM_POINT_SIZE not in fixed.enabled:
        written = any(output.semantic == "point_size" for output in linked.vertex.outputs)
        size = fixed.point_size if written or fixed.point_size != 1.0 else None
    alpha_test = None
    if gl.ALPHA_TEST in fixed.enabled and fixed.alpha_function != gl.ALWAYS and _color(linked):
        alpha_test = fixed.alpha_function, fixed.alpha_reference
    colors = [varying.name for varying in linked.varyings if varying.name in FRONT_AND_BACK_COLORS]
    return Variation(
        bool(colors) and fixed.flat,
        bool(colors) and gl.VERTEX_PROGRAM_TWO_SIDE in fixed.enabled,
        alpha_test,
        size,
    )


def _linked(context: Context, program: Program, variation: Variation) -> Program:
    linked = program.linked
    assert linked is not None
    variant = Program(program.name)
    variant.attribute_locations = {attribute.name: attribute.location for attribute in linked.attributes}
    endings = {"vertex": _vertex(variation), "fragment": _fragment(variation, linked)}
    back = variation.two_sided and READ_COLORS["gl_Color"].replace("Front", "Back") in program.sources[0]
    definitions = {"vertex": "", "fragment": _two_sided() if back else ""}
    for stage, source in zip(linked.shaders, program.sources, strict=True):
        shader = Shader(program.name, stage, _source(source, definitions[stage], endings[stage]), desktop=True)
        shader.compile()
        variant.shaders[stage] = shader
    if not variant.link() or variant.linked is None:
        raise Unsupported(f"alpha test, colours or point size of program {program.name}: {variant.log}")
    if variation.flat:
        variant.linked = _flat(variant.linked)
    variant.block_names, variant.block_bindings = program.block_names, program.block_bindings
    variant.identity = context.identities.take("program")
    context.listener.program_linked(variant, context.call)
    return variant


def _source(source: str, definitions: str, ending: str) -> str:
    """Source with macros before it, and a function main that calls its own and then does more."""
    if ending:
        definitions += f"#define main {_MAIN}\n"
        ending = f"\n#undef main\nvoid main() {{ {_MAIN}(); {ending} }}\n"
    return with_definitions(source, definitions) + ending if definitions else source


def _vertex(variation: Variation) -> str:
    return "" if variation.point_size is None else f"gl_PointSize = {variation.point_size!r};"


def _fragment(variation: Variation, linked: LinkedProgram) -> str:
    if variation.alpha_test is None:
        return ""
    function, reference = variation.alpha_test
    test = comparison(function, f"{_color(linked)}.a", repr(reference))
    return f"if (!({test})) discard;"


def _color(linked: LinkedProgram) -> str:
    """Name of the first colour that a fragment shader writes; "" without any."""
    return next((output.listed_name for output in linked.outputs if output.location == 0), "")


def _two_sided() -> str:
    return "".join(
        f"#define {read} (gl_FrontFacing ? {front} : {front.replace('Front', 'Back')})\n"
        for read, front in READ_COLORS.items()
    )


def _flat(linked: LinkedProgram) -> LinkedProgram:
    varyings = (replace(v, interpolation="flat") if v.name in FRONT_AND_BACK_COLORS else v for v in linked.varyings)
    return replace(linked, varyings=tuple(varyings))


def _follow(variant: Program, program: Program) -> None:
    """Give a program the values of the uniforms that the application set."""
    revisions = program.version, program.units_revision
    if variant.followed == revisions:
        return
    variant.followed = revisions
    assert variant.linked is not None and program.linked is not None
    uniforms = {uniform.name: uniform for uniform in program.linked.uniforms}
    for uniform in variant.linked.uniforms:
        if uniform.name in uniforms and not uniform.name.startswith("gl_"):
            _copy(variant, uniform, program, uniforms[uniform.name])


def _copy(variant: Program, uniform: Uniform, program: Program, source: Uniform) -> None:
    """Copy the values of a uniform, and the units of a sampler, in the stages that both programs read them in."""
    count = min(uniform_slots(uniform), uniform_slots(source))
    for stage in uniform.slots.keys() & source.slots.keys():
        first, last = source.slots[stage], source.slots[stage] + count
        slot, constants, values = uniform.slots[stage], variant.constants.of(stage), program.constants.of(stage)
        if (constants[slot : slot + count] != values[first:last]).any():
            constants[slot : slot + count] = values[first:last]
            variant.dirty[stage, slot] = count
            variant.version += 1
    for stage in uniform.samplers.keys() & source.samplers.keys():
        units, chosen = variant.units[stage], program.units[stage]
        for sampler, other in zip(uniform.samplers[stage], source.samplers[stage], strict=False):
            if sampler >= 0 and other >= 0 and units[sampler] != chosen[other]:
                units[sampler] = chosen[other]
                variant.units_revision += 1
