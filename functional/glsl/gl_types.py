"""OpenGL's enumerants for types, as glGetActiveUniform reports them."""

from .types import ArrayType, BasicType, SamplerType, Type

_SCALARS = {"float": 0x1406, "int": 0x1404, "uint": 0x1405, "bool": 0x8B56}
_VECTORS = {"float": 0x8B50, "int": 0x8B53, "bool": 0x8B57, "uint": 0x8DC6}
_MATRICES = {
    (2, 2): 0x8B5A,
    (3, 3): 0x8B5B,
    (4, 4): 0x8B5C,
    (2, 3): 0x8B65,
    (2, 4): 0x8B66,
    (3, 2): 0x8B67,
    (3, 4): 0x8B68,
    (4, 2): 0x8B69,
    (4, 3): 0x8B6A,
}
_SAMPLERS = {
    "sampler2D": 0x8B5E,
    "sampler3D": 0x8B5F,
    "samplerCube": 0x8B60,
    "sampler2DShadow": 0x8B62,
    "sampler2DArray": 0x8DC1,
    "sampler2DArrayShadow": 0x8DC4,
    "samplerCubeShadow": 0x8DC5,
    "isampler2D": 0x8DCA,
    "isampler3D": 0x8DCB,
    "isamplerCube": 0x8DCC,
    "isampler2DArray": 0x8DCF,
    "usampler2D": 0x8DD2,
    "usampler3D": 0x8DD3,
    "usamplerCube": 0x8DD4,
    "usampler2DArray": 0x8DD7,
    "samplerExternalOES": 0x8D66,
}


def gl_type(of: Type) -> int:
    """The enumerant of a type; of an array, of its elements."""
    if isinstance(of, ArrayType):
        return gl_type(of.element)
    if isinstance(of, SamplerType):
        return _SAMPLERS[of.name]
    assert isinstance(of, BasicType)
    if of.is_matrix:
        return _MATRICES[of.columns, of.rows]
    return _VECTORS[of.base] + of.rows - 2 if of.rows > 1 else _SCALARS[of.base]
