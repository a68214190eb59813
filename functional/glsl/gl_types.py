"""OpenGL's enumerants for types, as glGetActiveUniform reports them."""

from ..opengl import enums as gl
from .types import ArrayType, BasicType, OpaqueType, Type

_SCALARS = {"float": gl.FLOAT, "int": gl.INT, "uint": gl.UNSIGNED_INT, "bool": gl.BOOL}
_VECTORS = {"float": gl.FLOAT_VEC2, "int": gl.INT_VEC2, "bool": gl.BOOL_VEC2, "uint": gl.UNSIGNED_INT_VEC2}
_MATRICES = {
    (2, 2): gl.FLOAT_MAT2,
    (3, 3): gl.FLOAT_MAT3,
    (4, 4): gl.FLOAT_MAT4,
    (2, 3): gl.FLOAT_MAT2x3,
    (2, 4): gl.FLOAT_MAT2x4,
    (3, 2): gl.FLOAT_MAT3x2,
    (3, 4): gl.FLOAT_MAT3x4,
    (4, 2): gl.FLOAT_MAT4x2,
    (4, 3): gl.FLOAT_MAT4x3,
}
_OPAQUE = {
    "sampler2D": gl.SAMPLER_2D,
    "sampler3D": gl.SAMPLER_3D,
    "samplerCube": gl.SAMPLER_CUBE,
    "sampler2DShadow": gl.SAMPLER_2D_SHADOW,
    "sampler2DArray": gl.SAMPLER_2D_ARRAY,
    "sampler2DArrayShadow": gl.SAMPLER_2D_ARRAY_SHADOW,
    "samplerCubeShadow": gl.SAMPLER_CUBE_SHADOW,
    "isampler2D": gl.INT_SAMPLER_2D,
    "isampler3D": gl.INT_SAMPLER_3D,
    "isamplerCube": gl.INT_SAMPLER_CUBE,
    "isampler2DArray": gl.INT_SAMPLER_2D_ARRAY,
    "usampler2D": gl.UNSIGNED_INT_SAMPLER_2D,
    "usampler3D": gl.UNSIGNED_INT_SAMPLER_3D,
    "usamplerCube": gl.UNSIGNED_INT_SAMPLER_CUBE,
    "usampler2DArray": gl.UNSIGNED_INT_SAMPLER_2D_ARRAY,
    "sampler2DMS": gl.SAMPLER_2D_MULTISAMPLE,
    "isampler2DMS": gl.INT_SAMPLER_2D_MULTISAMPLE,
    "usampler2DMS": gl.UNSIGNED_INT_SAMPLER_2D_MULTISAMPLE,
    "samplerExternalOES": gl.SAMPLER_EXTERNAL_OES,
    "image2D": gl.IMAGE_2D,
    "image3D": gl.IMAGE_3D,
    "imageCube": gl.IMAGE_CUBE,
    "image2DArray": gl.IMAGE_2D_ARRAY,
    "iimage2D": gl.INT_IMAGE_2D,
    "iimage3D": gl.INT_IMAGE_3D,
    "iimageCube": gl.INT_IMAGE_CUBE,
    "iimage2DArray": gl.INT_IMAGE_2D_ARRAY,
    "uimage2D": gl.UNSIGNED_INT_IMAGE_2D,
    "uimage3D": gl.UNSIGNED_INT_IMAGE_3D,
    "uimageCube": gl.UNSIGNED_INT_IMAGE_CUBE,
    "uimage2DArray": gl.UNSIGNED_INT_IMAGE_2D_ARRAY,
    "atomic_uint": gl.UNSIGNED_INT_ATOMIC_COUNTER,
}


def gl_type(of: Type) -> int:
    """The enumerant of a type; for an array, of its elements."""
    if isinstance(of, ArrayType):
        return gl_type(of.element)
    if isinstance(of, OpaqueType):
        return _OPAQUE[of.name]
    assert isinstance(of, BasicType)
    if of.is_matrix:
        return _MATRICES[of.columns, of.rows]
    return _VECTORS[of.base] + of.rows - 2 if of.rows > 1 else _SCALARS[of.base]
