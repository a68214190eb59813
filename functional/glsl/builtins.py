"""Built-in functions, variables and constants (chapters 7 and 8 of the specifications)."""

import re
from dataclasses import dataclass
from functools import cache

from .typed import Variable
from .types import BOOL, BUILTIN_TYPES, FLOAT, INT, VEC2, VEC4, ArrayType, Field, StructType, Type

_GENERIC: dict[str, tuple[str, ...]] = {
    "genType": ("float", "vec2", "vec3", "vec4"),
    "genIType": ("int", "ivec2", "ivec3", "ivec4"),
    "genUType": ("uint", "uvec2", "uvec3", "uvec4"),
    "genBType": ("bool", "bvec2", "bvec3", "bvec4"),
    "vec": ("vec2", "vec3", "vec4"),
    "ivec": ("ivec2", "ivec3", "ivec4"),
    "uvec": ("uvec2", "uvec3", "uvec4"),
    "bvec": ("bvec2", "bvec3", "bvec4"),
    "mat": ("mat2", "mat3", "mat4"),
    "gvec4": ("vec4", "ivec4", "uvec4"),
    **{
        f"gsampler{shape}": tuple(f"{prefix}sampler{shape}" for prefix in ("", "i", "u"))
        for shape in ("2D", "3D", "Cube", "2DArray")
    },
}

# Per line: version range and stage, then prototypes as chapter 8 writes them.
_COMMON = """
genType radians(genType); genType degrees(genType); genType sin(genType); genType cos(genType)
genType tan(genType); genType asin(genType); genType acos(genType); genType atan(genType, genType)
genType atan(genType); genType pow(genType, genType); genType exp(genType); genType log(genType)
genType exp2(genType); genType log2(genType); genType sqrt(genType); genType inversesqrt(genType)
genType abs(genType); genType sign(genType); genType floor(genType); genType ceil(genType)
genType fract(genType); genType mod(genType, genType); vec mod(vec, float)
genType min(genType, genType); vec min(vec, float); genType max(genType, genType); vec max(vec, float)
genType clamp(genType, genType, genType); vec clamp(vec, float, float)
genType mix(genType, genType, genType); vec mix(vec, vec, float)
genType step(genType, genType); vec step(float, vec)
genType smoothstep(genType, genType, genType); vec smoothstep(float, float, vec)
float length(genType); float distance(genType, genType); float dot(genType, genType); vec3 cross(vec3, vec3)
genType normalize(genType); genType faceforward(genType, genType, genType); genType reflect(genType, genType)
genType refract(genType, genType, float); mat matrixCompMult(mat, mat)
bvec lessThan(vec, vec); bvec lessThan(ivec, ivec)
bvec lessThanEqual(vec, vec); bvec lessThanEqual(ivec, ivec)
bvec greaterThan(vec, vec); bvec greaterThan(ivec, ivec)
bvec greaterThanEqual(vec, vec); bvec greaterThanEqual(ivec, ivec)
bvec equal(vec, vec); bvec equal(ivec, ivec); bvec equal(bvec, bvec)
bvec notEqual(vec, vec); bvec notEqual(ivec, ivec); bvec notEqual(bvec, bvec)
bool any(bvec); bool all(bvec); bvec not(bvec)
"""

_TEXTURES_100 = """
vec4 texture2D(sampler2D, vec2); vec4 texture2DProj(sampler2D, vec3); vec4 texture2DProj(sampler2D, vec4)
vec4 textureCube(samplerCube, vec3)
"""
_TEXTURES_EXTERNAL = """
vec4 texture2D(samplerExternalOES, vec2)
vec4 texture2DProj(samplerExternalOES, vec3); vec4 texture2DProj(samplerExternalOES, vec4)
"""
_BIAS_100 = """
vec4 texture2D(sampler2D, vec2, float); vec4 texture2DProj(sampler2D, vec3, float)
vec4 texture2DProj(sampler2D, vec4, float); vec4 textureCube(samplerCube, vec3, float)
"""
_LOD_100 = """
vec4 texture2DLod(sampler2D, vec2, float); vec4 texture2DProjLod(sampler2D, vec3, float)
vec4 texture2DProjLod(sampler2D, vec4, float); vec4 textureCubeLod(samplerCube, vec3, float)
"""
_LOD_EXTENSION = """
vec4 texture2DLodEXT(sampler2D, vec2, float); vec4 texture2DProjLodEXT(sampler2D, vec3, float)
vec4 texture2DProjLodEXT(sampler2D, vec4, float); vec4 textureCubeLodEXT(samplerCube, vec3, float)
vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2); vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2); vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)
"""
_DERIVATIVES = "genType dFdx(genType); genType dFdy(genType); genType fwidth(genType)"


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """One overload of a built-in function; ``constant`` tells if it may be part of a constant expression."""

    name: str
    return_type: Type
    parameters: tuple[Type, ...]
    extension: str = ""
    constant: bool = True


@dataclass(frozen=True, slots=True)
class _Group:
    prototypes: str
    versions: tuple[int, ...]
    stage: str = ""
    extension: str = ""
    constant: bool = True


_GROUPS = (
    _Group(_COMMON, (100, 300)),
    _Group(_TEXTURES_100, (100,), constant=False),
    _Group(_TEXTURES_EXTERNAL, (100,), extension="GL_OES_EGL_image_external", constant=False),
    _Group(_BIAS_100, (100,), "fragment", constant=False),
    _Group(_LOD_100, (100,), "vertex", constant=False),
    _Group(_LOD_EXTENSION, (100,), "", "GL_EXT_shader_texture_lod", constant=False),
    _Group(_DERIVATIVES, (100,), "fragment", "GL_OES_standard_derivatives"),
    _Group(_DERIVATIVES, (300,), "fragment"),
)
_PROTOTYPE = re.compile(r"(\w+) (\w+)\(([^)]*)\)")


def _overloads(prototype: re.Match[str], group: _Group) -> list[BuiltinFunction]:
    """All overloads a prototype with generic types stands for; generics of one family vary together."""
    words = [prototype[1], *(w for w in prototype[3].split(", ") if w)]
    count = max((len(_GENERIC[w]) for w in words if w in _GENERIC), default=1)
    found = []
    for i in range(count):
        types = [BUILTIN_TYPES[_GENERIC[w][i] if w in _GENERIC else w] for w in words]
        found.append(
            BuiltinFunction(prototype[2], types[0], tuple(types[1:]), group.extension, group.constant)
        )
    return found


@cache
def builtin_functions(stage: str, version: int) -> dict[str, tuple[BuiltinFunction, ...]]:
    """The overloads of every built-in function a stage has, by name."""
    functions: dict[str, list[BuiltinFunction]] = {}
    for group in _GROUPS:
        if version in group.versions and group.stage in ("", stage):
            for prototype in _PROTOTYPE.finditer(group.prototypes):
                functions.setdefault(prototype[2], []).extend(_overloads(prototype, group))
    return {name: tuple(overloads) for name, overloads in functions.items()}


MAXIMUM_DRAW_BUFFERS = 8
_CONSTANTS_100 = {
    "gl_MaxVertexAttribs": 16,
    "gl_MaxVertexUniformVectors": 256,
    "gl_MaxVaryingVectors": 16,
    "gl_MaxVertexTextureImageUnits": 16,
    "gl_MaxCombinedTextureImageUnits": 32,
    "gl_MaxTextureImageUnits": 16,
    "gl_MaxFragmentUniformVectors": 256,
    "gl_MaxDrawBuffers": 1,
}


def builtin_variables(stage: str, version: int, extensions: frozenset[str]) -> list[Variable]:
    """Fresh built-in variables and constants of a stage."""
    draw_buffers = MAXIMUM_DRAW_BUFFERS if "GL_EXT_draw_buffers" in extensions else 1
    constants = dict(_CONSTANTS_100, gl_MaxDrawBuffers=draw_buffers)
    variables = [
        Variable(name, INT, "global", constant=True, precision="mediump", value=(value,))
        for name, value in constants.items()
    ]
    variables += _depth_range()
    if stage == "vertex":
        variables += [
            Variable("gl_Position", VEC4, "out", "position", precision="highp"),
            Variable("gl_PointSize", FLOAT, "out", "point_size", precision="mediump"),
        ]
        return variables
    variables += [
        Variable("gl_FragCoord", VEC4, "in", "frag_coord", precision="mediump"),
        Variable("gl_FrontFacing", BOOL, "in", "face"),
        Variable("gl_PointCoord", VEC2, "in", "point_coord", precision="mediump"),
    ]
    if version == 100:
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
