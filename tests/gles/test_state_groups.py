"""Whatever of the state reaches the pipeline is in the key that it is kept by: every field of the groups, as declared.

Each field has a case, in which calls between two draws change it; a field without one fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

import numpy as np
import pytest

from tilegpu.functional.glsl import LinkedProgram
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.pipeline.command import Arrays, DrawCommand
from tilegpu.functional.pipeline.draw import Outcome
from tilegpu.functional.pipeline.sampler import Storage
from tilegpu.functional.pipeline.state import BufferBlend, Constants, DrawState
from tilegpu.functional.pipeline.target import ColorTarget

from .mesa import SIZE
from .session import Session

VERTEX = """#version 300 es
in vec2 position; in vec4 color; uniform sampler2D moved; out vec4 shade;
void main() { shade = color + texture(moved, color.xy); gl_Position = vec4(position, 0.0, 1.0); }
"""
FRAGMENT = """#version 300 es
precision mediump float;
in vec4 shade; uniform sampler2D image; out vec4 drawn;
void main() { drawn = texture(image, shade.xy); }
"""
WHOLE = (LinkedProgram, Constants, Storage, ColorTarget, BufferBlend, np.ndarray)
"""What counts as what it is."""
Calls = Callable[[Session], object]


class Case(NamedTuple):
    """Calls that change a field, what it is then, if that is known, and calls before the first draw."""

    change: Calls
    value: object = None
    before: Calls = lambda s: None
    version: int = 3


def parameter(name: int, value: float) -> Calls:
    """Sets a parameter of the texture bound."""
    return lambda s: s.glTexParameterf(gl.TEXTURE_2D, name, value)


def attached(internal: int = 0x8058, size: int = 8, samples: int = 0, attachment: int = gl.COLOR_ATTACHMENT0) -> Calls:
    """A framebuffer of a renderbuffer, RGBA8 without anything else."""

    def calls(s: Session) -> None:
        s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
        renderbuffer(s, 0x8058, size, samples, gl.COLOR_ATTACHMENT0)
        if attachment != gl.COLOR_ATTACHMENT0:
            renderbuffer(s, internal, size, samples, attachment)

    return calls


def renderbuffer(s: Session, internal: int, size: int, samples: int, attachment: int) -> None:
    """Attach a new renderbuffer."""
    name = s.glGenRenderbuffers(1)[0]
    s.glBindRenderbuffer(gl.RENDERBUFFER, name)
    s.glRenderbufferStorageMultisample(gl.RENDERBUFFER, samples, internal, size, size)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, name)


def image(s: Session, level: int = 0, size: int = 4, texel: int = 7) -> None:
    """An image of the texture bound."""
    texels = bytes([texel]) * (4 * size * size)
    s.glTexImage2D(gl.TEXTURE_2D, level, gl.RGBA, size, size, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)


def luminances(s: Session) -> None:
    """An image of a byte per texel."""
    s.glTexImage2D(gl.TEXTURE_2D, 0, gl.LUMINANCE, 4, 4, 0, gl.LUMINANCE, gl.UNSIGNED_BYTE, bytes(16))


def other_texture(s: Session) -> None:
    """Bind another texture of the same content."""
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    image(s)


def later_contents(s: Session) -> None:
    """Let samplers see later contents of their textures, too."""
    s.display.current[0].sees_contents = False


def pointer(*arguments: Any) -> Calls:
    """Sets the array of location 1."""
    return lambda s: s.glVertexAttribPointer(1, *arguments)


def other_buffer(s: Session) -> None:
    """An array in another buffer."""
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.ARRAY_BUFFER, 1024, bytes(1024), gl.STATIC_DRAW)
    s.glVertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, False, 16, 0)


def stencil_cases(face: int) -> dict[str, Case]:
    """Of the stencil state of one side."""
    return {
        "function": Case(lambda s: s.glStencilFuncSeparate(face, gl.LESS, 0, 0xFF), gl.LESS),
        "reference": Case(lambda s: s.glStencilFuncSeparate(face, gl.ALWAYS, 3, 0xFF), 3),
        "mask": Case(lambda s: s.glStencilFuncSeparate(face, gl.ALWAYS, 0, 5), 5),
        "write_mask": Case(lambda s: s.glStencilMaskSeparate(face, 6), 6),
        "fail": Case(lambda s: s.glStencilOpSeparate(face, gl.ZERO, gl.KEEP, gl.KEEP), gl.ZERO),
        "depth_fail": Case(lambda s: s.glStencilOpSeparate(face, gl.KEEP, gl.INVERT, gl.KEEP), gl.INVERT),
        "depth_pass": Case(lambda s: s.glStencilOpSeparate(face, gl.KEEP, gl.KEEP, gl.REPLACE), gl.REPLACE),
    }


def sampler_cases(unit: int) -> dict[str, Case]:
    """Of the texture in a unit."""
    cases = {
        "storage": Case(lambda s: image(s, texel=8)),
        "surface": Case(other_texture),
        "version": Case(image),
        "source": Case(other_texture, None, later_contents),
        "block": Case(luminances, (1, 1, 1)),
        "target": Case(solid, "3d"),
        "min_filter": Case(parameter(gl.TEXTURE_MIN_FILTER, gl.LINEAR), gl.LINEAR),
        "mag_filter": Case(parameter(gl.TEXTURE_MAG_FILTER, gl.LINEAR), gl.LINEAR),
        "wrap_s": Case(parameter(gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE), gl.CLAMP_TO_EDGE),
        "wrap_t": Case(parameter(gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE), gl.CLAMP_TO_EDGE),
        "wrap_r": Case(parameter(gl.TEXTURE_WRAP_R, gl.CLAMP_TO_EDGE), gl.CLAMP_TO_EDGE),
        "min_lod": Case(parameter(gl.TEXTURE_MIN_LOD, 0.5), 0.5),
        "max_lod": Case(parameter(gl.TEXTURE_MAX_LOD, 1.5), 1.5),
        "lod_bias": Case(parameter(gl.TEXTURE_LOD_BIAS, 0.25), 0.25),
        "anisotropy": Case(parameter(gl.TEXTURE_MAX_ANISOTROPY, 2.0), 2.0),
        "swizzle": Case(parameter(0x8E42, gl.BLUE), (2, 1, 2, 3)),
        "compare": Case(parameter(gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE), 3),
        "border": Case(
            lambda s: s.glTexParameterfv(gl.TEXTURE_2D, gl.TEXTURE_BORDER_COLOR, [1.0, 0.5, 0.0, 2.0]),
            (255, 127.5, 0, 255),
        ),
        "base_level": Case(parameter(0x813C, 1), 1, lambda s: image(s, 1, 2)),
    }
    return {name: case._replace(before=in_unit(unit, case.before)) for name, case in cases.items()}


def in_unit(unit: int, calls: Calls) -> Calls:
    """Calls after a unit was made active."""
    return lambda s: (s.glActiveTexture(gl.TEXTURE0 + unit), calls(s))


def solid(s: Session) -> None:
    """Use a program that takes its textures for solid ones."""
    sources = (text.replace("sampler2D", "mediump sampler3D").replace(".xy)", ".xyz)") for text in (VERTEX, FRAGMENT))
    s.glUseProgram(s.program(*sources))


def factors(*arguments: int) -> Calls:
    """Sets blend factors."""
    return lambda s: s.glBlendFuncSeparate(*arguments)


CASES: dict[str, Case] = {
    "program": Case(lambda s: s.glUseProgram(s.program(VERTEX, FRAGMENT.replace("xy", "yx")))),
    "constants": Case(lambda s: s.glUseProgram(s.program(VERTEX, FRAGMENT))),
    "raster.viewport": Case(lambda s: s.glViewport(0, 0, 4, 5), (0, 0, 4, 5)),
    "raster.depth_range": Case(lambda s: s.glDepthRangef(0.25, 0.5), (0.25, 0.5)),
    "raster.scissor": Case(lambda s: (s.glEnable(gl.SCISSOR_TEST), s.glScissor(1, 2, 3, 4)), (1, 2, 4, 6)),
    "raster.cull": Case(lambda s: s.glEnable(gl.CULL_FACE), gl.BACK),
    "raster.front_face": Case(lambda s: s.glFrontFace(gl.CW), gl.CW),
    "raster.polygon_offset": Case(
        lambda s: s.glPolygonOffset(1.0, 2.0), (1.0, 2.0), lambda s: s.glEnable(gl.POLYGON_OFFSET_FILL)
    ),
    "raster.line_width": Case(lambda s: s.glLineWidth(2.0), 2.0),
    "raster.discard": Case(lambda s: s.glEnable(gl.RASTERIZER_DISCARD), True),
    "depth_stencil.depth_test": Case(lambda s: s.glEnable(gl.DEPTH_TEST), True),
    "depth_stencil.depth_function": Case(lambda s: s.glDepthFunc(gl.GEQUAL), gl.GEQUAL),
    "depth_stencil.depth_write": Case(lambda s: s.glDepthMask(False), False),
    "depth_stencil.stencil_test": Case(lambda s: s.glEnable(gl.STENCIL_TEST), True),
    **{f"depth_stencil.stencil_front.{name}": case for name, case in stencil_cases(gl.FRONT).items()},
    **{f"depth_stencil.stencil_back.{name}": case for name, case in stencil_cases(gl.BACK).items()},
    "blending.blend.equation_rgb": Case(
        lambda s: s.glBlendEquationSeparate(gl.FUNC_SUBTRACT, gl.FUNC_ADD), gl.FUNC_SUBTRACT
    ),
    "blending.blend.equation_alpha": Case(
        lambda s: s.glBlendEquationSeparate(gl.FUNC_ADD, gl.FUNC_SUBTRACT), gl.FUNC_SUBTRACT
    ),
    "blending.blend.source_rgb": Case(factors(gl.SRC_ALPHA, gl.ZERO, gl.ONE, gl.ZERO), gl.SRC_ALPHA),
    "blending.blend.destination_rgb": Case(factors(gl.ONE, gl.ONE, gl.ONE, gl.ZERO), gl.ONE),
    "blending.blend.source_alpha": Case(factors(gl.ONE, gl.ZERO, gl.ZERO, gl.ZERO), gl.ZERO),
    "blending.blend.destination_alpha": Case(factors(gl.ONE, gl.ZERO, gl.ONE, gl.ONE), gl.ONE),
    "blending.blend.constant": Case(lambda s: s.glBlendColor(0.5, 0.25, 0.0, 1.0), (0.5, 0.25, 0.0, 1.0)),
    "blending.color_mask": Case(lambda s: s.glColorMask(1, 0, 1, 1), (True, False, True, True)),
    "blending.buffers": Case(
        lambda s: (s.glDisableiEXT(gl.BLEND, 0), s.glColorMaskiEXT(0, 1, 0, 0, 1)),
        (BufferBlend(None, (True, False, False, True)),),
    ),
    "blending.logic_operation": Case(
        lambda s: (s.glEnable(gl.COLOR_LOGIC_OP), s.glLogicOp(0x1506)), 6, lambda s: s.glEnableClientState(0x8074), 1
    ),
    "blending.alpha_to_coverage": Case(lambda s: s.glEnable(gl.SAMPLE_ALPHA_TO_COVERAGE), True, attached(samples=4)),
    "blending.sample_coverage": Case(
        lambda s: s.glSampleCoverage(0.5, True), (0.5, True), lambda s: s.glEnable(gl.SAMPLE_COVERAGE)
    ),
    "blending.sample_mask": Case(lambda s: s.glSampleMaski(0, 0x35), 5, lambda s: s.glEnable(gl.SAMPLE_MASK)),
    **{f"samplers.vertex.{name}": case for name, case in sampler_cases(0).items()},
    **{f"samplers.fragment.{name}": case for name, case in sampler_cases(1).items()},
    "target.width": Case(attached(), 8),
    "target.height": Case(attached(), 8),
    "target.colors": Case(attached()),
    "target.depth": Case(attached()),
    "target.depth_format": Case(attached(0x81A5, attachment=gl.DEPTH_ATTACHMENT), 0),
    "target.stencil": Case(attached()),
    "target.flipped": Case(attached(), False),
    "target.samples": Case(attached(samples=4), 4),
    "arrays.enabled.data": Case(other_buffer),
    "arrays.enabled.buffer": Case(other_buffer),
    "arrays.enabled.version": Case(lambda s: s.glBufferSubData(gl.ARRAY_BUFFER, 0, 4, b"abcd")),
    "arrays.enabled.layout.offset_bytes": Case(pointer(4, gl.UNSIGNED_BYTE, False, 16, 4), 4),
    "arrays.enabled.layout.stride_bytes": Case(pointer(4, gl.UNSIGNED_BYTE, False, 12, 0), 12),
    "arrays.enabled.layout.type": Case(pointer(4, gl.BYTE, False, 16, 0), gl.BYTE),
    "arrays.enabled.layout.components": Case(pointer(3, gl.UNSIGNED_BYTE, False, 16, 0), 3),
    "arrays.enabled.layout.normalized": Case(pointer(4, gl.UNSIGNED_BYTE, True, 16, 0), True),
    "arrays.enabled.layout.divisor": Case(lambda s: s.glVertexAttribDivisor(1, 2), 2),
    "arrays.enabled.layout.integer": Case(lambda s: s.glVertexAttribIPointer(1, 4, gl.UNSIGNED_BYTE, 16, 0), True),
    "arrays.constants": Case(
        lambda s: s.glVertexAttrib4f(1, -0.0, 0.0, 0.0, 1.0), None, lambda s: s.glDisableVertexAttribArray(1)
    ),
    "arrays.label": Case(lambda s: s.glPushDebugGroup(0x824A, 1, -1, "wall"), "wall"),
}


def declared(group: Any, path: str) -> Iterator[str]:
    """Paths of all fields that a group declares, and those in it."""
    for name, kind in get_type_hints(group).items():
        at = f"{path}.{name}" if path else name
        inner = [k for k in (kind, *get_args(kind)) if isinstance(k, type) and k is not NoneType and _is_group(k)]
        if inner:
            yield from declared(inner[0], at)
        else:
            yield at


def _is_group(kind: type) -> bool:
    return kind not in WHOLE and (is_dataclass(kind) or hasattr(kind, "_fields"))


def prepared(case: Case) -> tuple[Session, list[DrawCommand]]:
    """A context that draws with all that cases change, and the draws that it resolves."""
    s, drawn = Session(case.version), []

    def noted(command: DrawCommand, sink: object) -> Outcome:
        drawn.append(command)
        return Outcome()

    s.display.current[0].run_draw = noted
    if case.version == 3:
        program = s.program(VERTEX, FRAGMENT)
        s.glUseProgram(program)
        for name, unit in (("moved", 0), ("image", 1)):
            s.glUniform1i(s.glGetUniformLocation(program, name), unit)
            s.glActiveTexture(gl.TEXTURE0 + unit)
            other_texture(s)
            parameter(gl.TEXTURE_MIN_FILTER, gl.NEAREST)(s)
            parameter(gl.TEXTURE_MAG_FILTER, gl.NEAREST)(s)
        s.glEnable(gl.BLEND)
        other_buffer(s)
        s.glVertexAttribPointer(0, 2, gl.FLOAT, False, 8, 0)
        for location in (0, 1):
            s.glEnableVertexAttribArray(location)
    else:
        s.glVertexPointer(2, gl.FLOAT, 0, bytes(64))
    s.glViewport(0, 0, SIZE, SIZE)
    case.before(s)
    return s, drawn


def found(command: DrawCommand, path: str) -> Any:
    """The value of a field; of arrays that of location 1."""
    first, *rest = path.split(".")
    value = getattr(command if first == "arrays" else command.state, first)
    for name in rest:
        value = getattr(value, name)
        if path.startswith(("samplers", "arrays")) and isinstance(value, tuple | dict):
            value = value[1] if isinstance(value, dict) and 1 in value else value
            value = value[0] if path.startswith("samplers") and name in ("vertex", "fragment") else value
    return value


def test_every_field_has_a_case() -> None:
    paths = {*declared(DrawState, ""), *declared(Arrays, "arrays")}
    assert {path for path in paths if ".derived." not in path} == CASES.keys()


@pytest.mark.parametrize("path", CASES)
def test_what_reaches_the_pipeline_is_in_a_key(path: str) -> None:
    case = CASES[path]
    s, drawn = prepared(case)
    for change in (lambda s: None, lambda s: None, case.change, lambda s: None):
        change(s)
        s.glDrawArrays(gl.TRIANGLES, 0, 3)
    assert not s.display.report.errors and not s.display.report.unsupported
    before, same, after, kept = drawn
    kinds = ["arrays"] if path.startswith("arrays") else ["state", "derived"]
    for kind in kinds:
        assert getattr(before, kind) is getattr(same, kind) and getattr(after, kind) is getattr(kept, kind)
        assert getattr(before, kind) is not getattr(after, kind)
    old, new = found(before, path), found(after, path)
    assert new == case.value != old if case.value is not None else old is not new
    assert path.startswith("arrays") or before.state != after.state
