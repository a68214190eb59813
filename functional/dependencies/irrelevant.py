"""Calls that no dependency follows from: values that operations compute with, tests that pixels pass, labels, and
questions of the program."""

from __future__ import annotations

import re
from functools import lru_cache

from ..gles.effects import UNIFORMS
from ..gles.entry_points import EFFECTS

_VALUES = re.compile(
    "gl(VertexAttrib(I?[1-4](f|fv|i|iv|ui|uiv))|Blend(Func|Equation|Color).*|DepthFunc|DepthRangef|Stencil(Func|Op).*"
    "|CullFace|FrontFace|PolygonOffset|LineWidth|Hint|Clear(Color|Depthf|Stencil)|SampleCoverage"
    "|(Push|Pop)(Group|Debug).*|InsertEventMarkerEXT|ObjectLabel(KHR)?|LabelObjectEXT"
    "|Get(Error|Integerv|Floatv|Booleanv|String|Stringi|GraphicsResetStatus.*))"
)
_UNITS = re.compile("1(i|iv)(EXT)?$")
"""Uniforms that may be units of samplers."""


@lru_cache(maxsize=4096)
def irrelevant(name: str) -> bool:
    """Whether no dependency follows from the calls of a function."""
    uniform = EFFECTS.get(name) is UNIFORMS and not _UNITS.search(name)
    return uniform or _VALUES.fullmatch(name) is not None
