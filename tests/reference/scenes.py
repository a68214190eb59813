"""Small scenes, one per feature, drawn with the recorder; each can be replayed by eglretrace on Mesa.

A scene is a function, named after its feature, that draws one frame of 64x64 pixels. Coordinates keep edges off pixel
centres, where implementations may differ. Points and lines are not here for the same reason: softpipe moves points by an
eighth of a pixel and draws lines between whole pixels; their rules are tested by hand.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

SIZE = 64
Draw = Callable[[Recorder], None]
SCENES: dict[str, Draw] = {}

VERTEX = """
attribute vec4 position;
attribute vec4 value;
uniform vec4 shift;
varying vec4 v;
void main() { v = value; gl_Position = position + shift * position.w; gl_PointSize = 1.0 + 12.0 * value.w; }
"""
COLOR = "precision highp float; varying vec4 v; void main() { gl_FragColor = v; }"
TEXTURE = "precision highp float; varying vec4 v; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, v.xy); }"
CUBE = "precision highp float; varying vec4 v; uniform samplerCube image; void main() { gl_FragColor = textureCube(image, v.xyz); }"


def scene(function: Draw) -> Draw:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def random(seed: int, *shape: int) -> np.ndarray:
    """Random texels, uint8."""
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


def use(r: Recorder, fragment: str = COLOR, vertex: str = VERTEX) -> int:
    """Build and use a program."""
    program = r.program(vertex, fragment, ("position", "value"))
    r.glUseProgram(program)
    return program


def draw(r: Recorder, mode: int, positions: list, values: list, indices: list[int] | None = None) -> None:
    """Draw vertices of four position and four value components, from buffers."""
    data = np.concatenate([np.array(positions, np.float32), np.array(values, np.float32)], 1)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ARRAY_BUFFER, data.nbytes, data, 0x88E4)
    for location in (0, 1):
        r.glEnableVertexAttribArray(location)
        r.glVertexAttribPointer(location, 4, gl.FLOAT, False, 32, 16 * location)
    if indices is None:
        r.glDrawArrays(mode, 0, len(data))
        return
    listed = np.array(indices, np.uint16)
    r.glBindBuffer(gl.ELEMENT_ARRAY_BUFFER, r.glGenBuffers(1)[0])
    r.glBufferData(gl.ELEMENT_ARRAY_BUFFER, listed.nbytes, listed, 0x88E4)
    r.glDrawElements(mode, len(listed), gl.UNSIGNED_SHORT, 0)


def quad(r: Recorder, x0: float, y0: float, x1: float, y1: float, z: float, corners: list | tuple) -> None:
    """A rectangle; `corners` is one value, or one per corner (low left, low right, high left, high right)."""
    values = [corners] * 4 if not isinstance(corners[0], list | tuple) else list(corners)
    draw(r, gl.TRIANGLE_STRIP, [(x0, y0, z, 1), (x1, y0, z, 1), (x0, y1, z, 1), (x1, y1, z, 1)], values)


def texture(
    r: Recorder,
    texels: np.ndarray,
    filters: tuple[int, int] = (gl.NEAREST, gl.NEAREST),
    wrap: int = gl.REPEAT,
    mipmap: bool = False,
) -> int:
    """Make and bind a 2D texture."""
    name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, name)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, texels.shape[1], texels.shape[0], 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    for parameter, value in zip(
        (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER, gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T),
        (*filters, wrap, wrap),
        strict=True,
    ):
        r.glTexParameteri(gl.TEXTURE_2D, parameter, value)
    if mipmap:
        r.glGenerateMipmap(gl.TEXTURE_2D)
    return name


CORNERS = [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0, 1)]
WIDE = [(-0.7, -0.6, 0, 1), (1.9, -0.6, 0, 1), (-0.7, 2.3, 0, 1), (1.9, 2.3, 0, 1)]


@scene
def triangle(r: Recorder) -> None:
    use(r)
    draw(
        r,
        gl.TRIANGLES,
        [(-0.9, -0.8, 0, 1), (0.8, -0.5, 0, 1), (0.1, 0.9, 0, 1)],
        [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)],
    )


@scene
def perspective(r: Recorder) -> None:
    use(r, TEXTURE)
    texture(r, random(1, 8, 8, 4), wrap=gl.REPEAT)
    draw(r, gl.TRIANGLE_STRIP, [(-0.9, -0.9, 0, 1), (0.9, -0.9, 0, 1), (-2.2, 3.0, 0, 4), (2.2, 3.0, 0, 4)], CORNERS)


@scene
def strip_and_fan(r: Recorder) -> None:
    use(r)
    ring = [(0.9 * np.cos(a), 0.9 * np.sin(a), 0, 1) for a in np.linspace(0, 5.5, 9)]
    draw(r, gl.TRIANGLE_FAN, [(0, 0, 0, 1), *ring], [(1, 1, 1, 1)] + [(i / 9, 1 - i / 9, 0.5, 1) for i in range(9)])
    draw(
        r,
        gl.TRIANGLE_STRIP,
        [(-0.9 + 0.3 * i, -0.95 + 0.2 * (i % 2), 0, 1) for i in range(7)],
        [(0, i / 7, 1, 1) for i in range(7)],
    )


@scene
def indexed(r: Recorder) -> None:
    use(r)
    places = [(x / 4 - 0.7, y / 4 - 0.7, 0, 1) for y in range(6) for x in range(6)]
    cells = [(y * 6 + x, y * 6 + x + 1, y * 6 + x + 6) for y in range(5) for x in range(5)]
    draw(
        r,
        gl.TRIANGLES,
        places,
        [(x * 0.2, y * 0.2, 0.3, 1) for y in range(6) for x in range(6)],
        [i for cell in cells for i in cell],
    )


@scene
def depth_test(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    draw(r, gl.TRIANGLES, [(-0.9, -0.9, -0.9, 1), (0.9, 0, 0.9, 1), (-0.9, 0.9, 0.1, 1)], [(1, 0, 0, 1)] * 3)
    draw(r, gl.TRIANGLES, [(0.9, -0.9, -0.9, 1), (-0.9, 0, 0.9, 1), (0.9, 0.9, 0.1, 1)], [(0, 1, 0, 1)] * 3)


@scene
def depth_functions(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -1, -0.5, 1, 0.5, 0.0, (0.3, 0.3, 0.3, 1))
    for i, function in enumerate(sorted(gl.COMPARISONS)):
        r.glDepthFunc(function)
        x = -1 + i / 4
        quad(r, x, -0.9, x + 0.2, 0, 0.0, (1, i / 8, 0, 1))
        quad(r, x, 0, x + 0.2, 0.4, -0.5, (0, i / 8, 1, 1))
        quad(r, x, 0.4, x + 0.2, 0.9, 0.5, (0, 1, i / 8, 1))


@scene
def depth_range_and_mask(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    r.glDepthRangef(0.2, 0.6)
    quad(r, -0.8, -0.8, 0.5, 0.5, 0.3, (1, 0, 0, 1))
    r.glDepthRangef(0.9, 0.1)
    r.glDepthMask(False)
    quad(r, -0.3, -0.3, 0.9, 0.9, 0.6, (0, 1, 0, 1))
    quad(r, -0.9, 0.0, 0.9, 0.2, 0.5, (0, 0, 1, 1))


def depth_texture(r: Recorder, internal: int, pixel_format: int, kind: int, dtype: type) -> int:
    """A texture of random depths, nearest filter."""
    texels = np.random.default_rng(internal).integers(0, np.iinfo(dtype).max, (8, 8), dtype)
    texture_name: int = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_2D, texture_name)
    r.glTexImage2D(gl.TEXTURE_2D, 0, internal, 8, 8, 0, pixel_format, kind, texels)
    for name in (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER):
        r.glTexParameteri(gl.TEXTURE_2D, name, gl.NEAREST)
    return texture_name


DEPTHS = (
    (gl.DEPTH_COMPONENT, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, np.uint16),
    (gl.DEPTH_COMPONENT, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, np.uint32),
    (gl.DEPTH_STENCIL, gl.DEPTH_STENCIL, 0x84FA, np.uint32),
    (gl.DEPTH_COMPONENT16, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, np.uint16),
    (gl.DEPTH24_STENCIL8, gl.DEPTH_STENCIL, 0x84FA, np.uint32),
)


@scene
def depth_textures(r: Recorder) -> None:
    """Unsized ones read as luminance, sized ones as red."""
    use(r, TEXTURE)
    for i, (internal, pixel_format, kind, dtype) in enumerate(DEPTHS):
        depth_texture(r, internal, pixel_format, kind, dtype)
        quad(
            r,
            -0.9 + 0.35 * i,
            -0.9,
            -0.6 + 0.35 * i,
            0.9,
            0.0,
            [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)],
        )


@scene
def depth_texture_drawn_to(r: Recorder) -> None:
    """The shadow maps of ES 2.0: what was drawn, read in every component."""
    use(r)
    shadow = depth_texture(r, gl.DEPTH_COMPONENT, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, np.uint32)
    r.glTexImage2D(gl.TEXTURE_2D, 0, gl.DEPTH_COMPONENT, 32, 32, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_INT, None)
    color = texture(r, np.zeros((32, 32, 4), np.uint8))
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, color, 0)
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, shadow, 0)
    r.glViewport(0, 0, 32, 32)
    r.glEnable(gl.DEPTH_TEST)
    r.glClear(gl.DEPTH_BUFFER_BIT)
    draw(r, gl.TRIANGLES, [(-0.9, -0.9, -0.5, 1), (0.8, -0.6, 1.0, 1), (0, 0.9, 0.0, 1)], [(1, 1, 1, 1)] * 3)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glDisable(gl.DEPTH_TEST)
    r.glViewport(0, 0, SIZE, SIZE)
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, shadow)
    quad(r, -0.9, -0.9, 0.9, 0.9, 0.0, [(0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)])


@scene
def depth_range_in_shaders(r: Recorder) -> None:
    """Both stages read it; each draw has another one, and one of two programs is used twice."""
    read = "vec4(gl_DepthRange.near, gl_DepthRange.far, abs(gl_DepthRange.diff), 1.0)"
    in_fragment = use(r, f"precision highp float; varying vec4 v; void main() {{ gl_FragColor = {read} * v; }}")
    quad(r, -0.9, -0.9, 0.0, 0.0, 0.0, (1, 1, 1, 1))
    r.glDepthRangef(0.25, 0.75)
    quad(r, 0.0, -0.9, 0.9, 0.0, 0.0, (1, 1, 1, 1))
    use(r, COLOR, VERTEX.replace("v = value;", f"v = value * {read};"))
    quad(r, -0.9, 0.0, 0.0, 0.9, 0.0, (1, 1, 1, 1))
    r.glDepthRangef(0.9, -0.1)
    quad(r, -0.6, 0.3, -0.2, 0.8, 0.0, (1, 1, 1, 1))
    r.glUseProgram(in_fragment)
    quad(r, 0.0, 0.0, 0.9, 0.9, 0.0, (1, 1, 0.5, 1))


@scene
def polygon_offset(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    slanted = [(-0.9, -0.9, -0.5, 1), (0.9, -0.9, 0.5, 1), (0, 0.9, 0.2, 1)]
    draw(r, gl.TRIANGLES, slanted, [(1, 0, 0, 1)] * 3)
    r.glEnable(gl.POLYGON_OFFSET_FILL)
    for i, (factor, units) in enumerate(((-1, -2), (1, 2), (0, -4))):
        r.glPolygonOffset(factor, units)
        r.glScissor(20 * i, 0, 16, 64)
        r.glEnable(gl.SCISSOR_TEST)
        draw(r, gl.TRIANGLES, slanted, [(0, 1, i / 2, 1)] * 3)


@scene
def polygon_offset_of_one_unit(r: Recorder) -> None:
    """A decal in the plane of what it covers, at the depth where a unit is smallest."""
    use(r)
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -0.91, -0.83, 0.79, 0.93, 0.0, (1, 0, 0, 1))
    r.glEnable(gl.POLYGON_OFFSET_FILL)
    for i, units in enumerate((-1, 1, 0, -2)):
        r.glPolygonOffset(0, units)
        quad(r, 0.4 * i - 0.85, -0.73, 0.4 * i - 0.55, 0.81, 0.0, (0, 1, i / 3, 1))


@scene
def culling(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.CULL_FACE)
    for i, (face, winding) in enumerate(
        ((gl.BACK, gl.CCW), (gl.FRONT, gl.CCW), (gl.BACK, gl.CW), (gl.FRONT_AND_BACK, gl.CCW))
    ):
        r.glCullFace(face)
        r.glFrontFace(winding)
        x = -0.95 + 0.5 * i
        draw(r, gl.TRIANGLES, [(x, -0.9, 0, 1), (x + 0.4, -0.9, 0, 1), (x, 0, 0, 1)], [(1, 0, 0, 1)] * 3)
        draw(r, gl.TRIANGLES, [(x, 0.1, 0, 1), (x, 0.9, 0, 1), (x + 0.4, 0.1, 0, 1)], [(0, 1, 0, 1)] * 3)


@scene
def facing(r: Recorder) -> None:
    use(
        r,
        "precision highp float; varying vec4 v; void main() { gl_FragColor = gl_FrontFacing ? v : vec4(1.0 - v.rgb, 1.0); }",
    )
    draw(r, gl.TRIANGLES, [(-0.9, -0.9, 0, 1), (0, -0.9, 0, 1), (-0.9, 0.9, 0, 1)], [(1, 0.2, 0, 1)] * 3)
    draw(r, gl.TRIANGLES, [(0.1, -0.9, 0, 1), (0.1, 0.9, 0, 1), (0.9, -0.9, 0, 1)], [(1, 0.2, 0, 1)] * 3)


@scene
def clipping(r: Recorder) -> None:
    use(r)
    draw(
        r,
        gl.TRIANGLES,
        [(-3, -0.5, 0.2, 1), (4, -2.5, 0.2, 1), (0.5, 3, 0.2, 1)],
        [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)],
    )
    draw(r, gl.TRIANGLES, [(-0.53, -0.47, -3, 1), (0.81, -0.42, 0.5, 1), (0.03, 0.83, 0.5, 1)], [(1, 1, 0, 1)] * 3)
    draw(r, gl.TRIANGLES, [(0.22, 0.13, 0, -0.5), (0.81, 0.17, 0, 1), (0.12, 0.94, 0, 1)], [(0, 1, 1, 1)] * 3)


@scene
def viewport_and_scissor(r: Recorder) -> None:
    use(r)
    r.glViewport(10, 6, 40, 50)
    r.glEnable(gl.SCISSOR_TEST)
    r.glScissor(5, 20, 30, 25)
    quad(r, -1.5, -1.5, 1.5, 1.5, 0, [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)])
    r.glClearColor(0, 1, 1, 1)
    r.glScissor(40, 2, 10, 10)
    r.glClear(gl.COLOR_BUFFER_BIT)
    r.glViewport(0, 0, SIZE, SIZE)


def _blend(source: int, destination: int, equation: int = gl.FUNC_ADD) -> Draw:
    def function(r: Recorder) -> None:
        use(r)
        quad(
            r,
            -0.9,
            -0.9,
            0.5,
            0.5,
            0,
            [(0.9, 0.1, 0.2, 0.3), (0.1, 0.8, 0.3, 0.6), (0.2, 0.3, 0.9, 0.9), (0.6, 0.6, 0.1, 0.2)],
        )
        r.glEnable(gl.BLEND)
        r.glBlendColor(0.3, 0.6, 0.2, 0.7)
        r.glBlendEquation(equation)
        r.glBlendFunc(source, destination)
        quad(
            r,
            -0.5,
            -0.5,
            0.9,
            0.9,
            0,
            [(0.4, 0.9, 0.1, 0.8), (0.7, 0.2, 0.6, 0.4), (0.1, 0.5, 0.5, 0.1), (0.9, 0.9, 0.9, 0.9)],
        )

    return function


for _name, _parameters in {
    "blend_alpha": (gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA),
    "blend_add": (gl.ONE, gl.ONE),
    "blend_multiply": (gl.DST_COLOR, gl.ZERO),
    "blend_constant": (gl.CONSTANT_COLOR, gl.ONE_MINUS_CONSTANT_ALPHA),
    "blend_saturate": (gl.SRC_ALPHA_SATURATE, gl.DST_ALPHA),
    "blend_subtract": (gl.ONE, gl.SRC_COLOR, gl.FUNC_SUBTRACT),
    "blend_reverse_subtract": (gl.ONE, gl.ONE, gl.FUNC_REVERSE_SUBTRACT),
}.items():
    SCENES[_name] = _blend(*_parameters)


@scene
def blend_separate(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.BLEND)
    r.glBlendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ZERO)
    r.glBlendEquationSeparate(gl.FUNC_ADD, gl.FUNC_REVERSE_SUBTRACT)
    for i in range(3):
        quad(r, -0.9 + 0.3 * i, -0.9 + 0.3 * i, 0.3 + 0.3 * i, 0.3 + 0.3 * i, 0, (i / 2, 1 - i / 2, 0.4, 0.5))


@scene
def color_mask(r: Recorder) -> None:
    use(r)
    for i, mask in enumerate(((1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 0), (1, 1, 0, 0))):
        r.glColorMask(*mask)
        quad(r, -0.9 + 0.4 * i, -0.9, -0.5 + 0.4 * i, 0.9 - 0.2 * i, 0, (0.9, 0.8, 0.7, 0.6))
    r.glColorMask(1, 1, 1, 1)


@scene
def stencil(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.STENCIL_TEST)
    r.glStencilFunc(gl.ALWAYS, 1, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.REPLACE)
    draw(r, gl.TRIANGLES, [(-0.8, -0.8, 0, 1), (0.8, -0.8, 0, 1), (0, 0.8, 0, 1)], [(0.2, 0.2, 0.2, 1)] * 3)
    r.glStencilFunc(gl.EQUAL, 1, 0xFF)
    r.glStencilOp(gl.KEEP, gl.KEEP, gl.INCR)
    quad(r, -1, -0.2, 1, 0.6, 0, (1, 0, 0, 1))
    r.glStencilFunc(gl.NOTEQUAL, 1, 0x3)
    r.glStencilOp(gl.INVERT, gl.KEEP, gl.DECR_WRAP)
    quad(r, -0.3, -1, 0.3, 1, 0, (0, 1, 0, 1))
    r.glStencilFunc(gl.LESS, 0x10, 0xF0)
    quad(r, -1, -1, 1, 1, 0, (0, 0, 1, 1))


@scene
def stencil_two_sided(r: Recorder) -> None:
    use(r)
    r.glEnable(gl.STENCIL_TEST)
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -0.9, -0.9, 0, 0.9, -0.5, (0.1, 0.1, 0.4, 1))
    r.glStencilOpSeparate(gl.FRONT, gl.KEEP, gl.DECR_WRAP, gl.INCR_WRAP)
    r.glStencilOpSeparate(gl.BACK, gl.KEEP, gl.INCR, gl.ZERO)
    r.glStencilMaskSeparate(gl.BACK, 0x0F)
    for _ in range(2):
        draw(r, gl.TRIANGLES, [(-0.8, -0.7, 0, 1), (0.7, -0.7, 0, 1), (-0.8, 0.7, 0, 1)], [(0.4, 0, 0, 1)] * 3)
    draw(r, gl.TRIANGLES, [(-0.5, -0.5, 0, 1), (-0.5, 0.9, 0, 1), (0.9, -0.5, 0, 1)], [(0, 0.4, 0, 1)] * 3)
    r.glDisable(gl.DEPTH_TEST)
    for value, color in ((1, (1, 0, 0, 1)), (2, (0, 1, 0, 1)), (255, (0, 0, 1, 1)), (254, (1, 1, 0, 1))):
        r.glStencilFunc(gl.EQUAL, value, 0xFF)
        r.glStencilOp(gl.KEEP, gl.KEEP, gl.KEEP)
        quad(r, -1, -1, 1, 1, 0, color)


def _wrap(wrap: int, filtering: int) -> Draw:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        texture(r, random(4, 8, 4, 4), (filtering, filtering), wrap)
        quad(r, -0.9, -0.9, 0.9, 0.9, 0, WIDE)

    return function


for _wrap_name, _wrap_mode in (("repeat", gl.REPEAT), ("clamp", gl.CLAMP_TO_EDGE), ("mirror", gl.MIRRORED_REPEAT)):
    for _filter_name, _filter in (("nearest", gl.NEAREST), ("linear", gl.LINEAR)):
        SCENES[f"texture_{_wrap_name}_{_filter_name}"] = _wrap(_wrap_mode, _filter)


def _mipmap(filtering: int) -> Draw:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        texture(r, random(5, 32, 32, 4), (filtering, gl.LINEAR), mipmap=True)
        draw(
            r,
            gl.TRIANGLE_STRIP,
            [(-0.93, -0.91, 0, 1), (0.88, -0.9, 0, 1), (-3.9, 4.07, 0, 5), (4.11, 4, 0, 5)],
            [(0, 0, 0, 1), (2, 0, 0, 1), (0, 6, 0, 1), (2, 6, 0, 1)],
        )

    return function


for _number, _name in sorted(gl.FILTERS.items()):
    if "MIPMAP" in _name:
        SCENES[f"texture_{_name.lower()}"] = _mipmap(_number)


@scene
def texture_bias_and_lod(r: Recorder) -> None:
    use(
        r,
        "precision highp float; varying vec4 v; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, v.xy, v.z); }",
    )
    texture(r, random(6, 32, 32, 4), (gl.NEAREST_MIPMAP_NEAREST, gl.NEAREST), mipmap=True)
    quad(r, -0.9, -0.9, 0.9, 0.9, 0, [(0, 0, 0, 1), (1, 0, 3, 1), (0, 1, 0, 1), (1, 1, 3, 1)])


@scene
def cube_map(r: Recorder) -> None:
    use(r, CUBE)
    name = r.glGenTextures(1)[0]
    r.glBindTexture(gl.TEXTURE_CUBE_MAP, name)
    for face in range(6):
        r.glTexImage2D(
            gl.TEXTURE_CUBE_MAP_POSITIVE_X + face,
            0,
            gl.RGBA,
            4,
            4,
            0,
            gl.RGBA,
            gl.UNSIGNED_BYTE,
            random(10 + face, 4, 4, 4),
        )
    r.glTexParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    r.glTexParameteri(gl.TEXTURE_CUBE_MAP, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    for i, (a, b, c) in enumerate(((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))):
        x, y = -0.95 + 0.65 * (i % 3), -0.95 + 1.0 * (i // 3)
        u, v = np.array([b, c, a]) * 0.93, np.array([c, a, b]) * 0.93
        corners = [
            tuple(float(k) for k in np.array([a, b, c]) + s * u + t * v) + (1.0,)
            for s, t in ((-1, -1), (1, -1), (-1, 1), (1, 1))
        ]
        quad(r, x, y, x + 0.6, y + 0.9, 0, corners)


def _format(pixel_format: int, kind: int, texels: np.ndarray) -> Draw:
    def function(r: Recorder) -> None:
        use(r, TEXTURE)
        r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
        r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
        r.glTexImage2D(gl.TEXTURE_2D, 0, pixel_format, 8, 8, 0, pixel_format, kind, texels)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
        r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
        r.glEnable(gl.BLEND)
        r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        quad(r, -0.9, -0.9, 0.9, 0.9, 0, CORNERS)

    return function


for _name, (_client, _kind, _size) in {
    "rgb": (gl.RGB, gl.UNSIGNED_BYTE, 3),
    "luminance": (gl.LUMINANCE, gl.UNSIGNED_BYTE, 1),
    "luminance_alpha": (gl.LUMINANCE_ALPHA, gl.UNSIGNED_BYTE, 2),
    "alpha": (gl.ALPHA, gl.UNSIGNED_BYTE, 1),
    "565": (gl.RGB, gl.UNSIGNED_SHORT_5_6_5, 2),
    "4444": (gl.RGBA, gl.UNSIGNED_SHORT_4_4_4_4, 2),
    "5551": (gl.RGBA, gl.UNSIGNED_SHORT_5_5_5_1, 2),
}.items():
    SCENES[f"texture_format_{_name}"] = _format(_client, _kind, random(20, 8, 8, _size))


@scene
def texture_sub_image(r: Recorder) -> None:
    use(r, TEXTURE)
    texture(r, random(30, 16, 16, 4))
    r.glTexSubImage2D(gl.TEXTURE_2D, 0, 3, 5, 6, 7, gl.RGBA, gl.UNSIGNED_BYTE, np.full((7, 6, 4), 255, np.uint8))
    quad(r, -0.9, -0.9, 0.9, 0.9, 0, CORNERS)


@scene
def incomplete_texture(r: Recorder) -> None:
    use(r, TEXTURE)
    texture(r, random(31, 8, 8, 4), (gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR))
    quad(r, -0.9, -0.9, 0.9, 0.9, 0, CORNERS)


@scene
def discarding(r: Recorder) -> None:
    use(
        r,
        "precision highp float; varying vec4 v; void main() { if (mod(floor(v.x * 8.0) + floor(v.y * 8.0), 2.0) < 0.5) discard; gl_FragColor = v; }",
    )
    r.glEnable(gl.DEPTH_TEST)
    quad(r, -0.9, -0.9, 0.5, 0.5, 0.0, [(0, 0, 1, 1), (1, 0, 1, 1), (0, 1, 1, 1), (1, 1, 1, 1)])
    quad(r, -0.5, -0.5, 0.9, 0.9, 0.5, [(0, 0, 0, 1), (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 0, 1)])


@scene
def fragment_coordinates(r: Recorder) -> None:
    use(
        r,
        "precision highp float; varying vec4 v; void main() { gl_FragColor = vec4(gl_FragCoord.xy / 64.0, gl_FragCoord.z, gl_FragCoord.w); }",
    )
    draw(r, gl.TRIANGLES, [(-0.9, -0.9, -0.5, 1), (1.8, -1.6, 1.0, 2), (0, 0.9, 0.8, 1)], [(1, 1, 1, 1)] * 3)


@scene
def render_to_texture(r: Recorder) -> None:
    use(r)
    name = texture(r, np.zeros((32, 32, 4), np.uint8))
    r.glBindFramebuffer(gl.FRAMEBUFFER, r.glGenFramebuffers(1)[0])
    r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, name, 0)
    r.glBindRenderbuffer(gl.RENDERBUFFER, r.glGenRenderbuffers(1)[0])
    r.glRenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, 32, 32)
    r.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, 1)
    r.glViewport(0, 0, 32, 32)
    r.glEnable(gl.DEPTH_TEST)
    r.glClearColor(0.2, 0.4, 0.1, 1)
    r.glClear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    draw(
        r,
        gl.TRIANGLES,
        [(-0.8, -0.8, 0.5, 1), (0.9, -0.6, -0.5, 1), (0, 0.8, 0, 1)],
        [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)],
    )
    draw(r, gl.TRIANGLES, [(-0.8, 0.83, 0.9, 1), (0.93, 0.62, 0.9, 1), (0.02, -0.81, 0.9, 1)], [(1, 1, 0, 1)] * 3)
    r.glBindFramebuffer(gl.FRAMEBUFFER, 0)
    r.glDisable(gl.DEPTH_TEST)
    r.glViewport(0, 0, SIZE, SIZE)
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, name)
    quad(r, -0.91, -0.83, 0.79, 0.93, 0, CORNERS)


@scene
def copy_to_texture(r: Recorder) -> None:
    use(r)
    quad(r, -1, -1, 0.4, 0.6, 0, [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 0, 1)])
    name = texture(r, np.zeros((16, 16, 4), np.uint8))
    r.glCopyTexSubImage2D(gl.TEXTURE_2D, 0, 2, 2, 8, 8, 12, 12)
    use(r, TEXTURE)
    r.glBindTexture(gl.TEXTURE_2D, name)
    quad(r, 0, 0, 0.95, 0.95, 0, CORNERS)


@scene
def attribute_types(r: Recorder) -> None:
    use(r)
    places = np.array([[-100, -110], [110, -90], [-90, 100], [100, 110]], np.int8)
    colors = random(40, 4, 4)
    halves = np.array([0, 1, 0], np.float32)
    r.glBindBuffer(gl.ARRAY_BUFFER, r.glGenBuffers(1)[0])
    data = places.tobytes() + colors.tobytes() + halves.tobytes()
    r.glBufferData(gl.ARRAY_BUFFER, len(data), data, 0x88E4)
    r.glEnableVertexAttribArray(0)
    r.glEnableVertexAttribArray(1)
    r.glVertexAttribPointer(0, 2, gl.BYTE, True, 2, 0)
    r.glVertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, True, 4, 8)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)


@scene
def constant_attribute(r: Recorder) -> None:
    use(r)
    quad(r, -0.9, -0.9, 0, 0, 0, (1, 0, 0, 1))
    r.glDisableVertexAttribArray(1)
    r.glVertexAttrib4f(1, 0.1, 0.7, 0.4, 1.0)
    r.glDrawArrays(gl.TRIANGLES, 0, 3)
    r.glVertexAttrib2f(1, 0.9, 0.3)
    r.glDrawArrays(gl.TRIANGLES, 1, 3)
