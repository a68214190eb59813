"""Built-in functions (chapter 8 of the specifications)."""

import re
from dataclasses import dataclass
from functools import cache

from . import memory_functions, prototypes
from .types import BUILTIN_TYPES, Type

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
    "anymat": ("mat2", "mat3", "mat4", "mat2x3", "mat2x4", "mat3x2", "mat3x4", "mat4x2", "mat4x3"),
    "tmat": ("mat2", "mat3", "mat4", "mat3x2", "mat4x2", "mat2x3", "mat4x3", "mat2x4", "mat3x4"),
    "gvec4": ("vec4", "ivec4", "uvec4"),
    **{
        f"gsampler{shape}": tuple(f"{prefix}sampler{shape}" for prefix in ("", "i", "u"))
        for shape in ("2D", "3D", "Cube", "2DArray", "2DMS")
    },
    **{
        f"gimage{shape}": tuple(f"{prefix}image{shape}" for prefix in ("", "i", "u"))
        for shape in ("2D", "3D", "Cube", "2DArray")
    },
}


@dataclass(frozen=True, slots=True)
class BuiltinFunction:
    """One overload of a built-in function; ``constant`` says whether it may be part of a constant expression, and
    ``written`` are the positions of the parameters that it writes."""

    name: str
    return_type: Type
    parameters: tuple[Type, ...]
    extension: str = ""
    constant: bool = True
    written: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Group:
    prototypes: str
    versions: tuple[int, ...]
    stage: str = ""
    extension: str = ""
    constant: bool = True


_LATER = (300, 310, 320)
_GROUPS = (
    _Group(prototypes.COMMON, (100, *_LATER)),
    _Group(prototypes.MATRIX_100, (100,)),
    _Group(prototypes.NUMERIC_300, _LATER),
    _Group(prototypes.NUMERIC_310, (310, 320)),
    _Group(prototypes.NUMERIC_320, (320,)),
    _Group(prototypes.TEXTURES_100, (100,), constant=False),
    _Group(prototypes.TEXTURES_EXTERNAL, (100,), extension="GL_OES_EGL_image_external", constant=False),
    _Group(prototypes.SHADOW_100, (100,), extension="GL_EXT_shadow_samplers", constant=False),
    _Group(prototypes.VOLUMES, (100,), "", "GL_OES_texture_3D", constant=False),
    _Group(prototypes.VOLUMES_BIAS, (100,), "fragment", "GL_OES_texture_3D", constant=False),
    _Group(prototypes.VOLUMES_LOD, (100,), "vertex", "GL_OES_texture_3D", constant=False),
    _Group(prototypes.BIAS_100, (100,), "fragment", constant=False),
    _Group(prototypes.LOD_100, (100,), "vertex", constant=False),
    _Group(prototypes.LOD_EXTENSION, (100,), "", "GL_EXT_shader_texture_lod", constant=False),
    _Group(prototypes.DERIVATIVES, (100,), "fragment", "GL_OES_standard_derivatives"),
    _Group(prototypes.TEXTURES_300, _LATER, constant=False),
    _Group(prototypes.TEXTURES_310, (310, 320), constant=False),
    _Group(prototypes.EXTERNAL_300, _LATER, "", "GL_OES_EGL_image_external_essl3", constant=False),
    _Group(prototypes.BIAS_300, _LATER, "fragment", constant=False),
    _Group(prototypes.DERIVATIVES, _LATER, "fragment"),
    *(
        _Group(text, (310, 320), constant=False)
        for text in (
            memory_functions.COUNTERS,
            memory_functions.ATOMICS,
            memory_functions.IMAGES,
            memory_functions.BARRIERS,
        )
    ),
    *(
        _Group(text, (310, 320), "", "GL_OES_shader_image_atomic", constant=False)
        for text in (
            memory_functions.IMAGE_ATOMICS,
            memory_functions.IMAGE_COMPARISONS,
            memory_functions.IMAGE_EXCHANGES,
        )
    ),
    _Group(memory_functions.BARRIERS_COMPUTE, (310, 320), "compute", constant=False),
)
_PROTOTYPE = re.compile(r"(\w+) (\w+)\(([^)]*)\)")


def _overloads(prototype: re.Match[str], group: _Group) -> list[BuiltinFunction]:
    """All overloads that a prototype with generic types stands for; generics of one family vary together."""
    parameters = [w for w in prototype[3].split(", ") if w]
    written = tuple(i for i, parameter in enumerate(parameters) if parameter.startswith("out "))
    words = [prototype[1], *(parameter.removeprefix("out ") for parameter in parameters)]
    count = max((len(_GENERIC[w]) for w in words if w in _GENERIC), default=1)
    functions = []
    for i in range(count):
        types = [BUILTIN_TYPES[_GENERIC[w][i] if w in _GENERIC else w] for w in words]
        made = BuiltinFunction(prototype[2], types[0], tuple(types[1:]), group.extension, group.constant, written)
        functions.append(made)
    return functions


@cache
def builtin_functions(stage: str, version: int) -> dict[str, tuple[BuiltinFunction, ...]]:
    """The overloads of every built-in function a stage has, by name."""
    functions: dict[str, list[BuiltinFunction]] = {}
    for group in _GROUPS:
        if version in group.versions and group.stage in ("", stage):
            for prototype in _PROTOTYPE.finditer(group.prototypes):
                functions.setdefault(prototype[2], []).extend(_overloads(prototype, group))
    return {name: tuple(overloads) for name, overloads in functions.items()}
