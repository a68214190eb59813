"""Built-in variables and constants (chapter 7 of the specifications)."""

from .typed import Variable
from .types import BOOL, FLOAT, INT, VEC2, VEC4, ArrayType, Field, StructType

MAXIMUM_DRAW_BUFFERS = 8
_CONSTANTS_100 = {
    "gl_MaxVertexAttribs": 16,
    "gl_MaxVertexUniformVectors": 4096,
    "gl_MaxVaryingVectors": 32,
    "gl_MaxVertexTextureImageUnits": 32,
    "gl_MaxCombinedTextureImageUnits": 192,
    "gl_MaxTextureImageUnits": 32,
    "gl_MaxFragmentUniformVectors": 4096,
    "gl_MaxDrawBuffers": 1,
}
_CONSTANTS_300 = {
    "gl_MaxVertexAttribs": 16,
    "gl_MaxVertexUniformVectors": 4096,
    "gl_MaxVertexOutputVectors": 32,
    "gl_MaxFragmentInputVectors": 32,
    "gl_MaxVertexTextureImageUnits": 32,
    "gl_MaxCombinedTextureImageUnits": 192,
    "gl_MaxTextureImageUnits": 32,
    "gl_MaxFragmentUniformVectors": 4096,
    "gl_MaxDrawBuffers": MAXIMUM_DRAW_BUFFERS,
    "gl_MinProgramTexelOffset": -8,
    "gl_MaxProgramTexelOffset": 7,
}


def builtin_variables(stage: str, version: int, extensions: frozenset[str]) -> list[Variable]:
    """Fresh built-in variables and constants of a stage."""
    draw_buffers = MAXIMUM_DRAW_BUFFERS if "GL_EXT_draw_buffers" in extensions else 1
    constants = _CONSTANTS_300 if version >= 300 else dict(_CONSTANTS_100, gl_MaxDrawBuffers=draw_buffers)
    precision = "highp" if version >= 300 else "mediump"
    variables = [
        Variable(name, INT, "global", constant=True, precision=precision, value=(value & 0xFFFFFFFF,))
        for name, value in constants.items()
    ]
    variables += _depth_range()
    if stage == "vertex":
        variables += [
            Variable("gl_Position", VEC4, "out", "position", precision="highp"),
            Variable("gl_PointSize", FLOAT, "out", "point_size", precision=precision),
        ]
        if version >= 300:
            variables += [
                Variable("gl_VertexID", INT, "in", "vertex_id", precision="highp"),
                Variable("gl_InstanceID", INT, "in", "instance_id", precision="highp"),
            ]
        return variables
    variables += [
        Variable("gl_FragCoord", VEC4, "in", "frag_coord", precision=precision),
        Variable("gl_FrontFacing", BOOL, "in", "face"),
        Variable("gl_PointCoord", VEC2, "in", "point_coord", precision="mediump"),
    ]
    if version >= 300:
        variables.append(Variable("gl_FragDepth", FLOAT, "out", "depth", precision="highp"))
    else:
        variables += [
            Variable("gl_FragColor", VEC4, "out", "color", precision="mediump"),
            Variable("gl_FragData", ArrayType(VEC4, draw_buffers), "out", "color", precision="mediump"),
        ]
        if "GL_EXT_frag_depth" in extensions:
            variables.append(Variable("gl_FragDepthEXT", FLOAT, "out", "depth", precision="highp"))
    return variables


def _depth_range() -> list[Variable]:
    fields = tuple(Field(name, FLOAT) for name in ("near", "far", "diff"))
    parameters = StructType("gl_DepthRangeParameters", fields)
    return [Variable("gl_DepthRange", parameters, "uniform", precision="highp")]
