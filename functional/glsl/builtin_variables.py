"""Built-in variables and constants (chapter 7 of the specifications)."""

from ..opengl import enums as gl
from ..opengl import limits
from .compatibility import EXTENSION as COMPATIBILITY
from .compatibility import compatibility_variables
from .typed import Variable
from .types import BOOL, FLOAT, INT, UINT, VEC2, VEC4, ArrayType, BasicType, Field, StructType

MAXIMUM_DRAW_BUFFERS = limits.MAX_DRAW_BUFFERS
_TEXTURE_UNITS = {
    "gl_MaxVertexTextureImageUnits": limits.MAX_STAGE_TEXTURE_UNITS,
    "gl_MaxCombinedTextureImageUnits": limits.MAX_TEXTURE_UNITS,
    "gl_MaxTextureImageUnits": limits.MAX_STAGE_TEXTURE_UNITS,
}
_CONSTANTS_100 = {
    "gl_MaxVertexAttribs": limits.MAX_VERTEX_ATTRIBS,
    "gl_MaxVertexUniformVectors": limits.MAX_UNIFORM_VECTORS,
    "gl_MaxVaryingVectors": limits.MAX_VARYING_VECTORS,
    **_TEXTURE_UNITS,
    "gl_MaxFragmentUniformVectors": limits.MAX_UNIFORM_VECTORS,
    "gl_MaxDrawBuffers": 1,
}
_CONSTANTS_300 = {
    "gl_MaxVertexAttribs": limits.MAX_VERTEX_ATTRIBS,
    "gl_MaxVertexUniformVectors": limits.MAX_UNIFORM_VECTORS,
    "gl_MaxVertexOutputVectors": limits.MAX_VARYING_VECTORS,
    "gl_MaxFragmentInputVectors": limits.MAX_VARYING_VECTORS,
    **_TEXTURE_UNITS,
    "gl_MaxFragmentUniformVectors": limits.MAX_UNIFORM_VECTORS,
    "gl_MaxDrawBuffers": MAXIMUM_DRAW_BUFFERS,
    "gl_MinProgramTexelOffset": -8,
    "gl_MaxProgramTexelOffset": 7,
}


def _limit(name: int) -> int:
    return int(limits.LIMITS[name][0])


_CONSTANTS_310 = {
    **_CONSTANTS_300,
    "gl_MaxImageUnits": _limit(gl.MAX_IMAGE_UNITS),
    "gl_MaxVertexImageUniforms": _limit(gl.MAX_VERTEX_IMAGE_UNIFORMS),
    "gl_MaxFragmentImageUniforms": _limit(gl.MAX_FRAGMENT_IMAGE_UNIFORMS),
    "gl_MaxComputeImageUniforms": _limit(gl.MAX_COMPUTE_IMAGE_UNIFORMS),
    "gl_MaxCombinedImageUniforms": _limit(gl.MAX_COMBINED_IMAGE_UNIFORMS),
    "gl_MaxCombinedShaderOutputResources": _limit(gl.MAX_COMBINED_SHADER_OUTPUT_RESOURCES),
    "gl_MaxComputeUniformComponents": _limit(gl.MAX_COMPUTE_UNIFORM_COMPONENTS),
    "gl_MaxComputeTextureImageUnits": _limit(gl.MAX_COMPUTE_TEXTURE_IMAGE_UNITS),
    "gl_MaxComputeAtomicCounters": _limit(gl.MAX_COMPUTE_ATOMIC_COUNTERS),
    "gl_MaxComputeAtomicCounterBuffers": _limit(gl.MAX_COMPUTE_ATOMIC_COUNTER_BUFFERS),
    "gl_MaxVertexAtomicCounters": _limit(gl.MAX_VERTEX_ATOMIC_COUNTERS),
    "gl_MaxFragmentAtomicCounters": _limit(gl.MAX_FRAGMENT_ATOMIC_COUNTERS),
    "gl_MaxCombinedAtomicCounters": _limit(gl.MAX_COMBINED_ATOMIC_COUNTERS),
    "gl_MaxAtomicCounterBindings": _limit(gl.MAX_ATOMIC_COUNTER_BUFFER_BINDINGS),
    "gl_MaxVertexAtomicCounterBuffers": _limit(gl.MAX_VERTEX_ATOMIC_COUNTER_BUFFERS),
    "gl_MaxFragmentAtomicCounterBuffers": _limit(gl.MAX_FRAGMENT_ATOMIC_COUNTER_BUFFERS),
    "gl_MaxCombinedAtomicCounterBuffers": _limit(gl.MAX_COMBINED_ATOMIC_COUNTER_BUFFERS),
    "gl_MaxAtomicCounterBufferSize": _limit(gl.MAX_ATOMIC_COUNTER_BUFFER_SIZE),
}
_UVEC3 = BasicType("uint", 3)
_VECTORS_310 = {
    "gl_MaxComputeWorkGroupCount": limits.INDEXED_LIMITS[gl.MAX_COMPUTE_WORK_GROUP_COUNT],
    "gl_MaxComputeWorkGroupSize": limits.INDEXED_LIMITS[gl.MAX_COMPUTE_WORK_GROUP_SIZE],
}


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
    variables = [Variable(name, _UVEC3, "in", semantic, precision="highp") for name, semantic in vectors.items()]
    return [*variables, Variable("gl_LocalInvocationIndex", UINT, "in", "local_index", precision="highp")]


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
    if COMPATIBILITY in extensions:
        variables += compatibility_variables(stage)
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
    if version >= 310:
        variables.append(Variable("gl_HelperInvocation", BOOL, "in", "helper"))
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
