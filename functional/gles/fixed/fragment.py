"""The fragment shader of fixed-function texturing, fog and alpha test (OpenGL ES 1.1, 3.7.12 to 4.1.4)."""

from __future__ import annotations

from typing import NamedTuple

from ...opengl import enums as gl

ALPHA, LUMINANCE, LUMINANCE_ALPHA, RGB, RGBA = gl.ALPHA, gl.LUMINANCE, gl.LUMINANCE_ALPHA, gl.RGB, gl.RGBA
_OPERATORS = ("", "<", "==", "<=", ">", "!=", ">=")


class Unit(NamedTuple):
    """State that determines a unit's code.

    Attributes
    ----------
    number
        Texture unit.
    mode
        Texture environment mode.
    base
        Base format of its texture.
    combine, sources, operands, scale
        State of the combiner: for red, green and blue, then for alpha.
    sprite
        Whether coordinates come from the point sprite.
    """

    number: int
    mode: int
    base: int
    combine: tuple[int, int]
    sources: tuple[tuple[int, ...], tuple[int, ...]]
    operands: tuple[tuple[int, ...], tuple[int, ...]]
    scale: tuple[float, float]
    sprite: bool


class FragmentKey(NamedTuple):
    """State that determines the fragment shader."""

    units: tuple[Unit, ...]
    coordinates: int
    fog: int
    alpha_test: int
    clip_planes: int
    two_sided: bool


def comparison(function: int, value: str, reference: str) -> str:
    """Condition under which a fragment passes the alpha test."""
    if function in (gl.NEVER, gl.ALWAYS):
        return "true" if function == gl.ALWAYS else "false"
    return f"{value} {_OPERATORS[function - gl.NEVER]} {reference}"


def _function(unit: Unit) -> list[str]:
    """Code of the modes other than COMBINE (OpenGL ES 1.1, table 3.15)."""
    color, alpha = unit.base != ALPHA, unit.base not in (LUMINANCE, RGB)
    env = f"environment{unit.number}"
    if unit.mode == gl.REPLACE:
        lines = ["c.rgb = t.rgb;"] if color else []
        return lines + (["c.a = t.a;"] if alpha else [])
    if unit.mode == gl.DECAL:
        return ["c.rgb = mix(c.rgb, t.rgb, t.a);"] if unit.base == RGBA else ["c.rgb = t.rgb;"]
    if unit.mode == gl.BLEND:
        lines = [f"c.rgb = mix(c.rgb, {env}.rgb, t.rgb);"] if color else []
    elif unit.mode == gl.ADD:
        lines = ["c.rgb = min(c.rgb + t.rgb, 1.0);"] if color else []
    else:
        lines = ["c.rgb *= t.rgb;"] if color else []
    return lines + (["c.a *= t.a;"] if alpha else [])


def _argument(unit: Unit, channel: int, index: int, textures: frozenset[int]) -> str:
    """An argument of the combiner: channel 0 is red, green and blue, 1 is alpha (OpenGL ES 1.1, tables 3.17, 3.18)."""
    source, operand = unit.sources[channel][index], unit.operands[channel][index]
    if gl.TEXTURE0 <= source < gl.TEXTURE4:
        name = f"t{source - gl.TEXTURE0}" if source - gl.TEXTURE0 in textures else "vec4(0.0, 0.0, 0.0, 1.0)"
    else:
        name = {
            gl.TEXTURE: "t",
            gl.CONSTANT: f"environment{unit.number}",
            gl.PRIMARY_COLOR: "primary",
            gl.PREVIOUS: "c",
        }.get(source, "c")
    swizzle = ".a" if channel or operand in (gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA) else ".rgb"
    value = f"{name}{swizzle}"
    if operand in (gl.ONE_MINUS_SRC_COLOR, gl.ONE_MINUS_SRC_ALPHA):
        value = f"(1.0 - {value})"
    return value if channel or swizzle == ".rgb" else f"vec3({value})"


def _combined(unit: Unit, textures: frozenset[int]) -> list[str]:
    """Code of the combiner (OpenGL ES 1.1, table 3.16)."""
    lines = []
    for channel, kind in enumerate(("vec3", "float")):
        function = unit.combine[channel]
        a, b, c = (_argument(unit, channel, i, textures) for i in range(3))
        value = {
            gl.REPLACE: a,
            gl.MODULATE: f"{a} * {b}",
            gl.ADD: f"{a} + {b}",
            gl.ADD_SIGNED: f"{a} + {b} - 0.5",
            gl.INTERPOLATE: f"mix({b}, {a}, {c})",
            gl.SUBTRACT: f"{a} - {b}",
        }.get(function, f"{kind}(4.0 * dot({a} - 0.5, {b} - 0.5))" if channel == 0 else a)
        lines.append(f"{kind} combined{'_alpha' if channel else ''} = {value};")
    scales = [f"{s:.1f}" for s in unit.scale]
    alpha = "combined.r" if unit.combine[0] == gl.DOT3_RGBA else f"combined_alpha * {scales[1]}"
    return [*lines, f"c = clamp(vec4(combined * {scales[0]}, {alpha}), 0.0, 1.0);"]


def fragment_source(key: FragmentKey) -> str:
    """GLSL ES 1.00 source."""
    textures = frozenset(unit.number for unit in key.units)
    lines = ["precision highp float;", "varying vec4 front_color, back_color;", "varying float eye_distance;"]
    lines += [f"varying vec4 place{i};" for i in range(key.coordinates)]
    for i in sorted(textures):
        lines += [f"uniform sampler2D image{i};", f"uniform vec4 environment{i};"]
    lines += ["uniform vec4 fog_color;", "uniform vec4 fog;", "uniform float alpha_reference;"]
    if key.clip_planes:
        lines.append("varying vec4 clip_distance0, clip_distance1;")
    lines += ["void main()", "{"]
    if key.clip_planes:
        lines.append(
            "if (any(lessThan(clip_distance0, vec4(0.0))) || any(lessThan(clip_distance1, vec4(0.0)))) discard;"
        )
    lines.append(f"vec4 c = {'gl_FrontFacing ? front_color : back_color' if key.two_sided else 'front_color'};")
    lines.append("vec4 primary = c;")
    for unit in key.units:
        place = "vec4(gl_PointCoord, 0.0, 1.0)" if unit.sprite else f"place{unit.number}"
        lines.append(f"vec4 t{unit.number} = texture2DProj(image{unit.number}, {place});")
    for unit in key.units:
        lines += ["{", f"vec4 t = t{unit.number};"]
        lines += _combined(unit, textures) if unit.mode == gl.COMBINE else _function(unit)
        lines.append("}")
    if key.fog:
        factor = {
            gl.LINEAR: "(fog.z - eye_distance) * fog.w",
            gl.EXP: "exp(-fog.x * eye_distance)",
        }.get(key.fog, "exp(-fog.x * fog.x * eye_distance * eye_distance)")
        lines.append(f"c.rgb = mix(fog_color.rgb, c.rgb, clamp({factor}, 0.0, 1.0));")
    if key.alpha_test != gl.ALWAYS:
        test = comparison(key.alpha_test, "a", "r")
        lines += ["float a = c.a, r = alpha_reference;", f"if (!({test})) discard;"]
    return "\n".join([*lines, "gl_FragColor = c;", "}", ""])
