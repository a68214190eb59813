"""Built-in variables with which desktop GLSL reads fixed-function state (GLSL 1.20, 7.3 to 7.6)."""

from ..opengl import limits
from .typed import Storage, Variable
from .types import FLOAT, INT, VEC4, ArrayType, BasicType, Field, StructType, Type

EXTENSION = "GL_ARB_compatibility"
FIRST_LOCATION = limits.MAX_VERTEX_ATTRIBS
POSITION, NORMAL, COLOR, POINT_SIZE, COORDINATE = range(FIRST_LOCATION, FIRST_LOCATION + 5)
"""Locations of the attributes that have a name in the API, behind all others; texture unit i has COORDINATE + i."""
COORDINATES, LIGHTS, CLIP_PLANES, ENVIRONMENTS = 8, 8, 6, 4
LOCATIONS = COORDINATE + COORDINATES
"""All locations."""
ATTRIBUTES = {"gl_Vertex": POSITION, "gl_Normal": NORMAL, "gl_Color": COLOR} | {
    f"gl_MultiTexCoord{unit}": COORDINATE + unit for unit in range(COORDINATES)
}
"""Location of each attribute."""
SIZED_BY_USE = "gl_TexCoord"
"""A varying that has as many elements as are read."""

_VEC3, _MAT3, _MAT4 = BasicType("float", 3), BasicType("float", 3, 3), BasicType("float", 4, 4)
_CONSTANTS = {
    "gl_MaxLights": LIGHTS,
    "gl_MaxClipPlanes": CLIP_PLANES,
    "gl_MaxTextureUnits": ENVIRONMENTS,
    "gl_MaxTextureCoords": COORDINATES,
    "gl_MaxVertexUniformComponents": 4 * limits.MAX_UNIFORM_VECTORS,
    "gl_MaxFragmentUniformComponents": 4 * limits.MAX_UNIFORM_VECTORS,
    "gl_MaxVaryingFloats": 4 * limits.MAX_VARYING_VECTORS,
}
FRONT_AND_BACK_COLORS = ("gl_FrontColor", "gl_BackColor", "gl_FrontSecondaryColor", "gl_BackSecondaryColor")
READ_COLORS = {"gl_Color": "gl_FrontColor", "gl_SecondaryColor": "gl_FrontSecondaryColor"}
"""Colours that fragment shaders read, and the vertex shader's that they are."""
MATRICES = {
    f"gl_{name}Matrix{variant}": (name, variant)
    for name in ("ModelView", "Projection", "ModelViewProjection", "Texture")
    for variant in ("", "Inverse", "Transpose", "InverseTranspose")
}
"""Matrix and what is made of it, by the variable's name; those of textures are arrays."""


def _structure(name: str, **members: Type) -> StructType:
    return StructType(name, tuple(Field(member, of) for member, of in members.items()))


_MATERIAL = _structure(
    "gl_MaterialParameters", emission=VEC4, ambient=VEC4, diffuse=VEC4, specular=VEC4, shininess=FLOAT
)
_LIGHT = _structure(
    "gl_LightSourceParameters",
    ambient=VEC4,
    diffuse=VEC4,
    specular=VEC4,
    position=VEC4,
    halfVector=VEC4,
    spotDirection=_VEC3,
    spotExponent=FLOAT,
    spotCutoff=FLOAT,
    spotCosCutoff=FLOAT,
    constantAttenuation=FLOAT,
    linearAttenuation=FLOAT,
    quadraticAttenuation=FLOAT,
)
_PRODUCT = _structure("gl_LightProducts", ambient=VEC4, diffuse=VEC4, specular=VEC4)
_SUM = _structure("gl_LightModelProducts", sceneColor=VEC4)
_UNIFORMS: dict[str, Type] = {
    **{name: ArrayType(_MAT4, COORDINATES) if of == "Texture" else _MAT4 for name, (of, _) in MATRICES.items()},
    "gl_NormalMatrix": _MAT3,
    "gl_NormalScale": FLOAT,
    "gl_ClipPlane": ArrayType(VEC4, CLIP_PLANES),
    "gl_Point": _structure(
        "gl_PointParameters",
        size=FLOAT,
        sizeMin=FLOAT,
        sizeMax=FLOAT,
        fadeThresholdSize=FLOAT,
        distanceConstantAttenuation=FLOAT,
        distanceLinearAttenuation=FLOAT,
        distanceQuadraticAttenuation=FLOAT,
    ),
    "gl_FrontMaterial": _MATERIAL,
    "gl_BackMaterial": _MATERIAL,
    "gl_LightSource": ArrayType(_LIGHT, LIGHTS),
    "gl_LightModel": _structure("gl_LightModelParameters", ambient=VEC4),
    "gl_FrontLightModelProduct": _SUM,
    "gl_BackLightModelProduct": _SUM,
    "gl_FrontLightProduct": ArrayType(_PRODUCT, LIGHTS),
    "gl_BackLightProduct": ArrayType(_PRODUCT, LIGHTS),
    "gl_TextureEnvColor": ArrayType(VEC4, ENVIRONMENTS),
    "gl_Fog": _structure("gl_FogParameters", color=VEC4, density=FLOAT, start=FLOAT, end=FLOAT, scale=FLOAT),
}


def compatibility_variables(stage: str) -> list[Variable]:
    """Fresh built-in variables and constants of a stage."""
    variables = [
        Variable(name, INT, "global", constant=True, precision="highp", value=(value,))
        for name, value in _CONSTANTS.items()
    ]
    variables += [Variable(name, of, "uniform", precision="highp") for name, of in _UNIFORMS.items()]
    storage: Storage = "in" if stage == "fragment" else "out"
    varyings: dict[str, Type] = dict.fromkeys(FRONT_AND_BACK_COLORS, VEC4)
    varyings |= {SIZED_BY_USE: ArrayType(VEC4, COORDINATES), "gl_FogFragCoord": FLOAT}
    variables += [Variable(name, of, storage, "varying", precision="highp") for name, of in varyings.items()]
    if stage == "vertex":
        variables += [
            Variable(name, _VEC3 if name == "gl_Normal" else VEC4, "in", "attribute", precision="highp")
            for name in ATTRIBUTES
        ]
        # Without clip planes it has no effect.
        variables.append(Variable("gl_ClipVertex", VEC4, "global", precision="highp"))
    return variables
