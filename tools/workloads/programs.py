"""GLSL programs of exact size: so many instructions, varyings and texture reads as a material asks for.

Instructions are those of tilegpu's compiler, END among them, so a program is written, compiled, and given the terms
that it still lacks: lamps, sway of vertices, steps of a tone curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tilegpu.functional.errors import UserError
from tilegpu.functional.glsl import compile_shader, link_program

MAX_VARYINGS, MAX_TEXTURES, MAX_TERMS = 7, 4, 120
VERTEX_LAMPS, FRAGMENT_LAMPS = 3, 2
LAMP_INSTRUCTIONS = 3


@dataclass(frozen=True)
class Size:
    """Size of a program.

    Attributes
    ----------
    vertex
        Instructions of the vertex shader; it has more where the varyings need them.
    varyings
        Vectors that are interpolated, 0 to 7: texture coordinate, colour, normal, then further light.
    textures
        Texture reads of a fragment, 0 to 4.
    alu
        Arithmetic instructions of the fragment shader; it has more where varyings and textures need them.
    """

    vertex: int
    varyings: int
    textures: int
    alu: int


@dataclass(frozen=True)
class ProgramText:
    """Sources, what they came to, and how many terms of each kind the uniforms have."""

    vertex: str
    fragment: str
    vertex_instructions: int
    fragment_alu: int
    fragment_instructions: int
    sways: int
    vertex_lamps: int
    tones: int
    fragment_lamps: int


@cache
def build(size: Size) -> ProgramText:
    """Write the program of a size.

    Raises
    ------
    UserError
        If the size is out of range.
    """
    if not (0 <= size.varyings <= MAX_VARYINGS and 0 <= size.textures <= MAX_TEXTURES):
        raise UserError(f"a program of {size.varyings} varyings and {size.textures} textures")
    if not (0 <= size.vertex <= MAX_TERMS and 0 <= size.alu <= MAX_TERMS):
        raise UserError(f"a program of {size.vertex} vertex and {size.alu} arithmetic instructions")
    plain = _counts(size.varyings, size.textures, 0, 0, 0, 0)
    room = max(0, size.vertex - plain[0])
    vertex_lamps = min(VERTEX_LAMPS, room // (2 * LAMP_INSTRUCTIONS)) if size.varyings >= 2 else 0
    room_of_fragment = max(0, size.alu - plain[1])
    lamps = min(FRAGMENT_LAMPS, room_of_fragment // (2 * LAMP_INSTRUCTIONS)) if size.varyings >= 3 else 0
    lit = _counts(size.varyings, size.textures, 0, vertex_lamps, 0, lamps)
    sways, tones = max(0, size.vertex - lit[0]), max(0, size.alu - lit[1])
    terms = sways, vertex_lamps, tones, lamps
    counts = _counts(size.varyings, size.textures, *terms)
    # A last step that is merged with another one is made up for.
    tones += max(0, size.alu - counts[1])
    sways += max(0, size.vertex - counts[0])
    terms = sways, vertex_lamps, tones, lamps
    vertex, alu, total = _counts(size.varyings, size.textures, *terms)
    return ProgramText(
        vertex_source(size.varyings, sways, vertex_lamps),
        fragment_source(size.varyings, size.textures, tones, lamps),
        vertex,
        alu,
        total,
        *terms,
    )


@cache
def _counts(
    varyings: int, textures: int, sways: int, vertex_lamps: int, tones: int, lamps: int
) -> tuple[int, int, int]:
    """Vertex instructions, arithmetic and all instructions of the fragment shader."""
    program = link_program(
        compile_shader(vertex_source(varyings, sways, vertex_lamps), "vertex", "vertex"),
        compile_shader(fragment_source(varyings, textures, tones, lamps), "fragment", "fragment"),
        {},
    )
    arithmetic = sum(i.info.operation_class in ("alu", "sfu") for i in program.fragment.instructions)
    return len(program.vertex.instructions), arithmetic, len(program.fragment.instructions)


def vertex_source(varyings: int, sways: int, lamps: int) -> str:
    """Vertex shader: a position that may sway along its normal, and light that lamps add to."""
    lines = ["attribute vec3 position;", "uniform mat4 model_view_projection;"]
    lines += ["attribute vec4 normal;"] if sways or lamps or varyings >= 3 else []
    lines += [f"uniform vec4 sway[{sways}];"] if sways else []
    body = ["vec3 p = position;", *(f"p += normal.xyz * sway[{i}].x;" for i in range(sways))]
    body += ["gl_Position = model_view_projection * vec4(p, 1.0);"]
    if varyings >= 1:
        lines += ["attribute vec2 coordinate;", "uniform vec4 fit;", "varying vec2 place;"]
        body += ["place = coordinate * fit.xy + fit.zw;"]
    if varyings >= 2:
        lines += ["attribute vec4 color;", "varying vec4 light;"]
        lines += [f"uniform vec4 lamp[{2 * lamps}];"] if lamps else []
        body += ["light = color;"]
        body += [
            f"light.rgb += lamp[{2 * i + 1}].rgb * max(dot(normal.xyz, lamp[{2 * i}].xyz), 0.0);" for i in range(lamps)
        ]
    if varyings >= 3:
        lines += ["varying vec4 facing;"]
        body += ["facing = normal;"]
    for i in range(varyings - 3):
        lines += [f"varying vec4 more{i};", f"uniform vec4 glow{i};"]
        body += [f"more{i} = glow{i};"]
    return "\n".join([*lines, "void main()", "{", *(f"    {line}" for line in body), "}"])


def fragment_source(varyings: int, textures: int, tones: int, lamps: int) -> str:
    """Fragment shader: textures times light, lamps, and steps of a tone curve."""
    lines = ["precision mediump float;", "uniform vec4 rim;"]
    lines += [f"uniform sampler2D image{i};" for i in range(textures)]
    lines += ["uniform vec4 fit;"] if varyings == 0 and textures else []
    lines += [f"uniform vec4 tone[{2 * tones}];"] if tones else []
    lines += [f"uniform vec4 spot[{2 * lamps}];"] if lamps else []
    lines += ["varying vec2 place;"] if varyings >= 1 else []
    lines += ["varying vec4 light;"] if varyings >= 2 else []
    lines += ["varying vec4 facing;"] if varyings >= 3 else []
    lines += [f"varying vec4 more{i};" for i in range(varyings - 3)]
    body = ["vec2 place = gl_FragCoord.xy * fit.xy + fit.zw;"] if varyings == 0 and textures else []
    # Without a texture the texture coordinate shades the colour.
    plain = "vec4(place, 0.0, 0.0) * rim.w + rim" if varyings >= 1 else "rim"
    body += ["vec4 c = texture2D(image0, place);" if textures else f"vec4 c = {plain};"]
    body += [f"c *= texture2D(image{i}, place);" for i in range(1, textures)]
    body += ["c *= light;"] if varyings >= 2 else []
    # Two varyings to an instruction.
    further = [*(["facing"] if varyings >= 3 else []), *(f"more{i}" for i in range(varyings - 3))]
    body += [f"c += {' * '.join(pair)};" for pair in zip(further[::2], [*further[1::2], "rim"], strict=False)]
    body += [f"c.rgb += spot[{2 * i + 1}].rgb * max(dot(facing.xyz, spot[{2 * i}].xyz), 0.0);" for i in range(lamps)]
    body += [f"c = c * tone[{2 * i}] + tone[{2 * i + 1}];" for i in range(tones)]
    body += ["gl_FragColor = c;"]
    return "\n".join([*lines, "void main()", "{", *(f"    {line}" for line in body), "}"])
