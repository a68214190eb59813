"""Built-in variables and constants (chapter 7 of the specifications)."""

from .typed import Variable
from .types import BOOL, FLOAT, INT, UINT, VEC2, VEC4, ArrayType, BasicType, Field, StructType

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


_CONSTANTS_310 = {
    **_CONSTANTS_300,
    "gl_MaxImageUnits": 8,
    "gl_MaxVertexImageUniforms": 0,
    "gl_MaxFragmentImageUniforms": 8,
    "gl_MaxComputeImageUniforms": 8,
    "gl_MaxCombinedImageUniforms": 8,
    "gl_MaxCombinedShaderOutputResources": 24,
    "gl_MaxComputeUniformComponents": 16384,
    "gl_MaxComputeTextureImageUnits": 32,
    "gl_MaxComputeAtomicCounters": 8,
    "gl_MaxComputeAtomicCounterBuffers": 8,
    "gl_MaxVertexAtomicCounters": 0,
    "gl_MaxFragmentAtomicCounters": 8,
    "gl_MaxCombinedAtomicCounters": 8,
    "gl_MaxAtomicCounterBindings": 8,
    "gl_MaxVertexAtomicCounterBuffers": 0,
    "gl_MaxFragmentAtomicCounterBuffers": 8,
    "gl_MaxCombinedAtomicCounterBuffers": 8,
    "gl_MaxAtomicCounterBufferSize": 65536,
}
_UVEC3 = BasicType("uint", 3)
_VECTORS_310 = {"gl_MaxComputeWorkGroupCount": (65535, 65535, 65535), "gl_MaxComputeWorkGroupSize": (1024, 1024, 64)}


BUILT_FROM = {
    "global_id": ("gl_LocalInvocationID", "gl_WorkGroupID"),
    "local_index": ("gl_LocalInvocationID",),
}
"""Inputs that others are computed from, by semantic."""


def work_group_size(x: int, y: int, z: int) -> Variable:
    """gl_WorkGroupSize, which exists once the size is declared (ESSL 3.10, 7.1.3)."""
    return Variable("gl_WorkGroupSize", _UVEC3, "global", constant=True, precision="highp", value=(x, y, z))


def _of_compute() -> list[Variable]:
    """Inputs of compute shaders (ESSL 3.10, 7.1.3)."""
    vectors = {
        "gl_NumWorkGroups": "group_count",
        "gl_WorkGroupID": "group_id",
        "gl_LocalInvocationID": "local_id",
        "gl_GlobalInvocationID": "global_id",
    }
    found = [Variable(name, _UVEC3, "in", semantic, precision="highp") for name, semantic in vectors.items()]
    return [*found, Variable("gl_LocalInvocationIndex", UINT, "in", "local_index", precision="highp")]


def builtin_variables(stage: str, version: int, extensions: frozenset[str]) -> list[Variable]:
    """Fresh built-in variables and constants of a stage."""
    draw_buffers = MAXIMUM_DRAW_BUFFERS if "GL_EXT_draw_buffers" in extensions else 1
    constants = dict(_CONSTANTS_100, gl_MaxDrawBuffers=draw_buffers)
    if version >= 300:
        constants = _CONSTANTS_300 if version == 300 else _CONSTANTS_310
    precision = "highp" if version >= 300 else "mediump"
    variables = [
        Variable(name, INT, "global", constant=True, precision=precision, value=(value & 0xFFFFFFFF,))
        for name, value in constants.items()
    ]
    if version >= 310:
        ivec3 = BasicType("int", 3)
        variables += [
            Variable(name, ivec3, "global", constant=True, precision="highp", value=value)
            for name, value in _VECTORS_310.items()
        ]
    if stage == "compute":
        return variables + _of_compute()
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
