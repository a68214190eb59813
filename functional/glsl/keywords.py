"""Keywords and reserved words of GLSL ES 1.00, 3.00 and 3.10 (section 3.7).

Version 3.20 makes more keywords of words that 3.00 reserves; what they stand for is not implemented.
"""

_COMMON = """
const uniform break continue do for while if else in out inout float int void bool true false
lowp mediump highp precision invariant discard return
mat2 mat3 mat4 vec2 vec3 vec4 ivec2 ivec3 ivec4 bvec2 bvec3 bvec4 sampler2D samplerCube struct
"""

_RESERVED = """
asm class union enum typedef template this goto inline noinline volatile public static extern external
interface long short double half fixed unsigned superp input output hvec2 hvec3 hvec4 dvec2 dvec3 dvec4
fvec2 fvec3 fvec4 sampler1D sampler1DShadow sampler2DRect sampler3DRect sampler2DRectShadow
sizeof cast namespace using
"""

KEYWORDS: dict[int, frozenset[str]] = {
    100: frozenset((_COMMON + "attribute varying").split()),
    300: frozenset(
        (
            _COMMON
            + """
layout centroid flat smooth switch case default uint uvec2 uvec3 uvec4
mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4
sampler3D samplerCubeShadow sampler2DShadow sampler2DArray sampler2DArrayShadow
isampler2D isampler3D isamplerCube isampler2DArray usampler2D usampler3D usamplerCube usampler2DArray
"""
        ).split()
    ),
}

RESERVED: dict[int, frozenset[str]] = {
    100: frozenset((_RESERVED + "packed switch default flat sampler3D sampler2DShadow").split()),
    300: frozenset(
        (
            _RESERVED
            + """
attribute varying coherent restrict readonly writeonly resource atomic_uint noperspective patch sample
subroutine common partition active filter
image1D image2D image3D imageCube iimage1D iimage2D iimage3D iimageCube uimage1D uimage2D uimage3D uimageCube
image1DArray image2DArray iimage1DArray iimage2DArray uimage1DArray uimage2DArray
imageBuffer iimageBuffer uimageBuffer
sampler1DArray sampler1DArrayShadow isampler1D isampler1DArray usampler1D usampler1DArray
isampler2DRect usampler2DRect samplerBuffer isamplerBuffer usamplerBuffer
sampler2DMS isampler2DMS usampler2DMS
sampler2DMSArray isampler2DMSArray usampler2DMSArray
"""
        ).split()
    ),
}

_LATER = """
sampler2DMS isampler2DMS usampler2DMS
buffer shared coherent volatile restrict readonly writeonly atomic_uint
image2D image3D imageCube image2DArray iimage2D iimage3D iimageCube iimage2DArray
uimage2D uimage3D uimageCube uimage2DArray
"""
for _later in (310, 320):
    KEYWORDS[_later] = KEYWORDS[300] | frozenset(_LATER.split())
    RESERVED[_later] = RESERVED[300] - frozenset(_LATER.split())

# Operators that ESSL 1.00 reserves (section 5.1).
RESERVED_OPERATORS_100 = frozenset(["%", "&", "|", "^", "~", "<<", ">>", "%=", "&=", "|=", "^=", "<<=", ">>="])

TYPE_KEYWORDS = frozenset(["samplerExternalOES"]) | frozenset(
    word
    for version in KEYWORDS.values()
    for word in version
    if word in ("float", "int", "uint", "bool", "void", "atomic_uint")
    or word.lstrip("iub").startswith(("vec", "mat", "sampler"))
    or "image" in word
)
EXTENSION_KEYWORDS = {
    "GL_OES_EGL_image_external": "samplerExternalOES",
    "GL_OES_EGL_image_external_essl3": "samplerExternalOES",
    "GL_EXT_shadow_samplers": "sampler2DShadow",
    "GL_OES_texture_3D": "sampler3D",
    "GL_NV_shader_noperspective_interpolation": "noperspective",
    "GL_KHR_blend_equation_advanced": "layout",
}
