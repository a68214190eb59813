"""Languages that are compiled: GLSL ES to the letter, as drivers take it, and desktop GLSL for what both have.

Desktop GLSL 1.10 and 1.20 are compiled as GLSL ES 1.00, 1.30 to 3.30 as 3.00: with desktop's version, macros and
default precisions, its names for what GLSL ES has under others, and implicit conversions from 1.20 on (GLSL 1.20,
4.1.10).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from .checker.conversions import EXTENSION as CONVERSIONS
from .compatibility import EXTENSION as COMPATIBILITY
from .compatibility import READ_COLORS
from .compatibility_source import MAIN, after_main, functions, without_sizes
from .errors import ShaderError
from .preprocessor import Desktop, Preprocessed, preprocess
from .preprocessor.tokens import VERSION_DIRECTIVE, Token, tokens_of

Dialect = Literal["strict", "lenient", "desktop"]
"""Lenient is what drivers accept in GLSL ES 1.00 beyond the specification: ``1.0f``, ``float[2] x``."""

FIRST = 110
"""Version of desktop source that names none (GLSL 1.20, 3.3)."""
VERSIONS = {110: 100, 120: 100, 130: 300, 140: 300, 150: 300, 330: 300}
"""Version of GLSL ES by whose rules each is compiled."""
WITH_PROFILES = 150
CONVERTING = 120
"""First version with implicit conversions."""

OWN = {
    100: {
        "GL_OES_standard_derivatives",
        "GL_EXT_shader_texture_lod",
        "GL_EXT_draw_buffers",
        "GL_EXT_frag_depth",
        "GL_EXT_shadow_samplers",
        "GL_OES_texture_3D",
        "GL_EXT_shader_non_constant_global_initializers",
    },
    300: {"GL_EXT_shader_non_constant_global_initializers", "GL_NV_shader_noperspective_interpolation"},
}
"""Extensions to GLSL ES that desktop GLSL has in itself, by the version of GLSL ES."""

REQUIRED = frozenset(
    {
        "GL_ARB_compatibility",
        "GL_ARB_explicit_attrib_location",
        "GL_ARB_fragment_coord_conventions",
        "GL_ARB_shader_bit_encoding",
        "GL_ARB_shader_texture_lod",
        "GL_ARB_shading_language_100",
        "GL_ARB_uniform_buffer_object",
        "GL_EXT_texture_array",
    }
)
"""Extensions to desktop GLSL that may be required, as GLSL ES has what they add."""

_VERSION = re.compile(VERSION_DIRECTIVE + r"(\d{1,9})(?:[ \t]+(core|compatibility|es))?", re.DOTALL)
_NAMES = {
    100: {"gl_FragDepth": "gl_FragDepthEXT"},
    300: {
        "attribute": "in",
        "texture2D": "texture",
        "texture3D": "texture",
        "textureCube": "texture",
        "texture2DProj": "textureProj",
        "texture3DProj": "textureProj",
        "texture2DLod": "textureLod",
        "texture3DLod": "textureLod",
        "textureCubeLod": "textureLod",
        "texture2DProjLod": "textureProjLod",
        "texture2DGradARB": "textureGrad",
    },
}
_LODS = {name: f"{name}EXT" for name in ("texture2DLod", "texture2DProjLod", "textureCubeLod")}
"""In fragment shaders of GLSL ES 1.00."""
_SHADOWS = {"shadow2D": "shadow2DEXT", "shadow2DProj": "shadow2DProjEXT"}
"""Return a vector in desktop GLSL."""
_SAMPLERS = {
    100: ("sampler2D", "samplerCube", "sampler2DShadow", "sampler3D"),
    300: (
        "sampler2D", "samplerCube", "sampler3D", "sampler2DArray", "sampler2DShadow", "samplerCubeShadow",
        "sampler2DArrayShadow", "isampler2D", "isampler3D", "isamplerCube", "isampler2DArray", "usampler2D",
        "usampler3D", "usamplerCube", "usampler2DArray",
    ),
}  # fmt: skip
_COLOR = "_FragColor"
"""Stands for gl_FragColor and gl_FragData where GLSL ES has no such output."""


def is_embedded(source: str) -> bool:
    """Whether source asks for GLSL ES, which desktop contexts take, too."""
    asked = _VERSION.match(source)
    return asked is not None and (asked[2] == "es" or asked[1] == "100")


def with_definitions(source: str, lines: str) -> str:
    """Source with lines of the preprocessor before all but its version."""
    asked = _VERSION.match(source)
    if asked is None:
        return lines + source
    end = source.find("\n", asked.end()) + 1
    return source[:end] + lines + source[end:] if end else f"{source}\n{lines}"


def desktop_version(source: str, name: str) -> int:
    """The version of desktop GLSL that source asks for.

    Raises
    ------
    ShaderError
        If it is not one of `VERSIONS`.
    """
    asked = _VERSION.match(source)
    version = int(asked[1]) if asked else FIRST
    if version not in VERSIONS:
        raise ShaderError(f"version {version} of desktop GLSL is not supported; use 110 to 330", 1, name)
    return version


def desktop_text(source: str, stage: str, name: str) -> Preprocessed:
    """Desktop GLSL behind the preprocessor, as GLSL ES.

    Parameters
    ----------
    source
        Shader text.
    stage
        "vertex" or "fragment".
    name
        Name for messages.

    Raises
    ------
    ShaderError
        For versions and extensions that are not supported, and as of `preprocess`.
    """
    version = desktop_version(source, name)
    asked, rules = _VERSION.match(source), VERSIONS[version]
    compatible = version < WITH_PROFILES or (asked is not None and asked[2] == "compatibility")
    macros = {"__VERSION__": str(version)}
    if version >= WITH_PROFILES:
        macros[f"GL_{'compatibility' if compatible else 'core'}_profile"] = "1"
    extensions = OWN[rules] | ({CONVERSIONS} if version >= CONVERTING else set())
    if compatible:
        extensions.add(COMPATIBILITY)
    text = preprocess(source, stage, name, Desktop(rules, macros, frozenset(extensions), REQUIRED))
    text.tokens = _embedded(text.tokens, stage, rules)
    return text


def _embedded(tokens: Sequence[Token], stage: str, rules: int) -> list[Token]:
    """Default precisions before the source, other names in it, and what follows the function main."""
    tokens = without_sizes(tokens)
    names, last = dict(_NAMES[rules]), after_main(tokens, stage)
    if last:
        names["main"] = MAIN
    if stage == "fragment":
        names |= READ_COLORS
    if rules == 100 and stage == "fragment":
        names |= _LODS
    if rules == 300:
        names["varying"] = "in" if stage == "fragment" else "out"
        if stage == "fragment":
            names |= {"gl_FragColor": _COLOR, "gl_FragData": _COLOR}
    renamed = [token._replace(text=names.get(token.text, token.text)) for token in tokens]
    return [*_prelude(tokens, stage, rules), *functions(tokens), *_vectors_of_shadows(renamed), *last]


def _prelude(tokens: Iterable[Token], stage: str, rules: int) -> list[Token]:
    """Default precisions, and the output that GLSL ES 3.00 has no name for."""
    lines = [f"precision highp {of};" for of in ("float", "int", *_SAMPLERS[rules])]
    if rules == 300 and stage == "fragment":
        used = {token.text for token in tokens}
        if "gl_FragColor" in used:
            lines.append(f"layout(location = 0) out vec4 {_COLOR};")
        elif "gl_FragData" in used:
            lines.append(f"layout(location = 0) out vec4 {_COLOR}[gl_MaxDrawBuffers];")
    return [token for line in lines for token in tokens_of(line, 0)]


def _vectors_of_shadows(tokens: list[Token]) -> list[Token]:
    """Shadow comparisons of GLSL 1.10, whose result is a vector: `vec4(shadow2DEXT(...))`."""
    if not any(token.text in _SHADOWS for token in tokens):
        return tokens
    wrapped: list[Token] = []
    ends: list[int] = []
    depth = 0
    for token in tokens:
        if token.text in _SHADOWS:
            wrapped += [Token("identifier", "vec4", token.line), Token("punctuator", "(", token.line)]
            token = token._replace(text=_SHADOWS[token.text])
            ends.append(depth)
        wrapped.append(token)
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == ")" and ends and depth == ends[-1]:
            ends.pop()
            wrapped.append(Token("punctuator", ")", token.line))
    return wrapped
