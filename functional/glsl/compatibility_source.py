"""Source of desktop GLSL that uses fixed-function state, on its way to GLSL ES."""

from collections.abc import Sequence

from .compatibility import FRONT_AND_BACK_COLORS, SIZED_BY_USE
from .preprocessor.tokens import Token, tokens_of

MAIN = "_Main"
"""Name of a function main that another one calls."""
_FTRANSFORM = "vec4 ftransform() { return gl_ModelViewProjectionMatrix * gl_Vertex; }"
_DECLARATION = 7
"""Words of a declaration such as `varying vec4 gl_TexCoord[2];`."""


def without_sizes(tokens: Sequence[Token]) -> list[Token]:
    """Source without declarations that give gl_TexCoord a size: it has as many elements as are read."""
    kept: list[Token] = []
    for token in tokens:
        kept.append(token)
        start = len(kept) - _DECLARATION
        if token.text != ";" or start < 0 or kept[start].text not in ("varying", "in", "out"):
            continue
        if [word.text for word in kept[start + 2 : start + 4]] == [SIZED_BY_USE, "["]:
            del kept[start:]
    return kept


def functions(tokens: Sequence[Token]) -> list[Token]:
    """Functions that desktop GLSL has in itself, where they are used (GLSL 1.20, 8.5)."""
    used = any(token.text == "ftransform" for token in tokens)
    return list(tokens_of(_FTRANSFORM, 0)) if used else []


def after_main(tokens: Sequence[Token], stage: str) -> list[Token]:
    """A function main that clamps the colours of a vertex, as OpenGL does unless told otherwise (OpenGL 3.0, 2.19);
    nothing if there are none."""
    words = {token.text for token in tokens}
    written = [name for name in FRONT_AND_BACK_COLORS if name in words] if stage == "vertex" else []
    if not written:
        return []
    clamps = "".join(f"{name} = clamp({name}, 0.0, 1.0);" for name in written)
    return list(tokens_of(f"void main() {{ {MAIN}(); {clamps} }}", tokens[-1].line))
