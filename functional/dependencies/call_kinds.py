"""Kinds of calls by what dependencies follow from them; none do from values that operations compute with, tests that
pixels pass, labels, and questions of the program."""

from __future__ import annotations

import re
from functools import lru_cache

from ..gles.effects import UNIFORMS
from ..gles.entry_points import EFFECTS
from ..gles.window_size import BLITS

_VALUES = re.compile(
    "gl(VertexAttrib(I?[1-4](f|fv|i|iv|ui|uiv))|Blend(Func|Equation|Color).*|DepthFunc|DepthRangef|Stencil(Func|Op).*"
    "|CullFace|FrontFace|PolygonOffset|LineWidth|Hint|Clear(Color|Depthf|Stencil)|SampleCoverage"
    "|(Push|Pop)(Group|Debug).*|InsertEventMarkerEXT|ObjectLabel(KHR)?|LabelObjectEXT"
    "|Get(Error|Integerv|Floatv|Booleanv|String|Stringi|GraphicsResetStatus.*))"
)
_UNITS = re.compile("1(i|iv)(EXT)?$")
"""Uniforms that may be units of samplers."""


IRRELEVANT, STATE, OPERATION, BLIT, BIND_WINDOW = range(5)
_OPERATIONS = ("glDraw", "glMultiDraw", "glDispatch")


@lru_cache(maxsize=4096)
def kind_of(name: str) -> int:
    """Kind of a function's calls, 0 if no dependency follows from them. What the others change is noted, if at all,
    with the operations that depend on it, or by events."""
    if (EFFECTS.get(name) is UNIFORMS and not _UNITS.search(name)) or _VALUES.fullmatch(name):
        return IRRELEVANT
    if name.startswith(_OPERATIONS):
        return OPERATION
    if name in BLITS:
        return BLIT
    return BIND_WINDOW if name == "eglBindTexImage" else STATE
