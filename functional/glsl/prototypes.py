"""Prototypes of the built-in functions, as chapter 8 of the specifications writes them."""

COMMON = """
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
genType refract(genType, genType, float)
bvec lessThan(vec, vec); bvec lessThan(ivec, ivec)
bvec lessThanEqual(vec, vec); bvec lessThanEqual(ivec, ivec)
bvec greaterThan(vec, vec); bvec greaterThan(ivec, ivec)
bvec greaterThanEqual(vec, vec); bvec greaterThanEqual(ivec, ivec)
bvec equal(vec, vec); bvec equal(ivec, ivec); bvec equal(bvec, bvec)
bvec notEqual(vec, vec); bvec notEqual(ivec, ivec); bvec notEqual(bvec, bvec)
bool any(bvec); bool all(bvec); bvec not(bvec)
"""

TEXTURES_100 = """
vec4 texture2D(sampler2D, vec2); vec4 texture2DProj(sampler2D, vec3); vec4 texture2DProj(sampler2D, vec4)
vec4 textureCube(samplerCube, vec3)
"""
TEXTURES_EXTERNAL = """
vec4 texture2D(samplerExternalOES, vec2)
vec4 texture2DProj(samplerExternalOES, vec3); vec4 texture2DProj(samplerExternalOES, vec4)
"""
VOLUMES = """
vec4 texture3D(sampler3D, vec3); vec4 texture3DProj(sampler3D, vec4)
"""
VOLUMES_BIAS = """
vec4 texture3D(sampler3D, vec3, float); vec4 texture3DProj(sampler3D, vec4, float)
"""
VOLUMES_LOD = """
vec4 texture3DLod(sampler3D, vec3, float); vec4 texture3DProjLod(sampler3D, vec4, float)
"""
BIAS_100 = """
vec4 texture2D(sampler2D, vec2, float); vec4 texture2DProj(sampler2D, vec3, float)
vec4 texture2DProj(sampler2D, vec4, float); vec4 textureCube(samplerCube, vec3, float)
"""
LOD_100 = """
vec4 texture2DLod(sampler2D, vec2, float); vec4 texture2DProjLod(sampler2D, vec3, float)
vec4 texture2DProjLod(sampler2D, vec4, float); vec4 textureCubeLod(samplerCube, vec3, float)
"""
LOD_EXTENSION = """
vec4 texture2DLodEXT(sampler2D, vec2, float); vec4 texture2DProjLodEXT(sampler2D, vec3, float)
vec4 texture2DProjLodEXT(sampler2D, vec4, float); vec4 textureCubeLodEXT(samplerCube, vec3, float)
vec4 texture2DGradEXT(sampler2D, vec2, vec2, vec2); vec4 texture2DProjGradEXT(sampler2D, vec3, vec2, vec2)
vec4 texture2DProjGradEXT(sampler2D, vec4, vec2, vec2); vec4 textureCubeGradEXT(samplerCube, vec3, vec3, vec3)
"""
DERIVATIVES = "genType dFdx(genType); genType dFdy(genType); genType fwidth(genType)"

MATRIX_100 = "mat matrixCompMult(mat, mat)"
NUMERIC_300 = """
genType sinh(genType); genType cosh(genType); genType tanh(genType)
genType asinh(genType); genType acosh(genType); genType atanh(genType)
genIType abs(genIType); genIType sign(genIType)
genType trunc(genType); genType round(genType); genType roundEven(genType); genType modf(genType, out genType)
genIType min(genIType, genIType); ivec min(ivec, int); genUType min(genUType, genUType); uvec min(uvec, uint)
genIType max(genIType, genIType); ivec max(ivec, int); genUType max(genUType, genUType); uvec max(uvec, uint)
genIType clamp(genIType, genIType, genIType); ivec clamp(ivec, int, int)
genUType clamp(genUType, genUType, genUType); uvec clamp(uvec, uint, uint)
genType mix(genType, genType, genBType); genBType isnan(genType); genBType isinf(genType)
genIType floatBitsToInt(genType); genUType floatBitsToUint(genType)
genType intBitsToFloat(genIType); genType uintBitsToFloat(genUType)
uint packSnorm2x16(vec2); vec2 unpackSnorm2x16(uint); uint packUnorm2x16(vec2); vec2 unpackUnorm2x16(uint)
uint packHalf2x16(vec2); vec2 unpackHalf2x16(uint)
bvec lessThan(uvec, uvec); bvec lessThanEqual(uvec, uvec)
bvec greaterThan(uvec, uvec); bvec greaterThanEqual(uvec, uvec)
bvec equal(uvec, uvec); bvec notEqual(uvec, uvec)
anymat matrixCompMult(anymat, anymat); anymat transpose(tmat); float determinant(mat); mat inverse(mat)
mat2 outerProduct(vec2, vec2); mat3 outerProduct(vec3, vec3); mat4 outerProduct(vec4, vec4)
mat2x3 outerProduct(vec3, vec2); mat3x2 outerProduct(vec2, vec3); mat2x4 outerProduct(vec4, vec2)
mat4x2 outerProduct(vec2, vec4); mat3x4 outerProduct(vec4, vec3); mat4x3 outerProduct(vec3, vec4)
"""
NUMERIC_310 = """
genType frexp(genType, out genIType); genType ldexp(genType, genIType)
genIType mix(genIType, genIType, genBType); genUType mix(genUType, genUType, genBType)
genBType mix(genBType, genBType, genBType)
uint packUnorm4x8(vec4); uint packSnorm4x8(vec4); vec4 unpackUnorm4x8(uint); vec4 unpackSnorm4x8(uint)
genIType bitfieldExtract(genIType, int, int); genUType bitfieldExtract(genUType, int, int)
genIType bitfieldInsert(genIType, genIType, int, int); genUType bitfieldInsert(genUType, genUType, int, int)
genIType bitfieldReverse(genIType); genUType bitfieldReverse(genUType)
genIType bitCount(genIType); genIType bitCount(genUType)
genIType findLSB(genIType); genIType findLSB(genUType); genIType findMSB(genIType); genIType findMSB(genUType)
genUType uaddCarry(genUType, genUType, out genUType); genUType usubBorrow(genUType, genUType, out genUType)
void umulExtended(genUType, genUType, out genUType, out genUType)
void imulExtended(genIType, genIType, out genIType, out genIType)
"""
NUMERIC_320 = "genType fma(genType, genType, genType)"
TEXTURES_300 = """
gvec4 texture(gsampler2D, vec2); gvec4 texture(gsampler3D, vec3); gvec4 texture(gsamplerCube, vec3)
gvec4 texture(gsampler2DArray, vec3); float texture(sampler2DShadow, vec3)
float texture(samplerCubeShadow, vec4); float texture(sampler2DArrayShadow, vec4)
ivec2 textureSize(gsampler2D, int); ivec3 textureSize(gsampler3D, int); ivec2 textureSize(gsamplerCube, int)
ivec2 textureSize(sampler2DShadow, int); ivec2 textureSize(samplerCubeShadow, int)
ivec3 textureSize(gsampler2DArray, int); ivec3 textureSize(sampler2DArrayShadow, int)
gvec4 textureProj(gsampler2D, vec3); gvec4 textureProj(gsampler2D, vec4); gvec4 textureProj(gsampler3D, vec4)
float textureProj(sampler2DShadow, vec4)
gvec4 textureLod(gsampler2D, vec2, float); gvec4 textureLod(gsampler3D, vec3, float)
gvec4 textureLod(gsamplerCube, vec3, float); gvec4 textureLod(gsampler2DArray, vec3, float)
float textureLod(sampler2DShadow, vec3, float)
gvec4 textureOffset(gsampler2D, vec2, ivec2); gvec4 textureOffset(gsampler3D, vec3, ivec3)
gvec4 textureOffset(gsampler2DArray, vec3, ivec2); float textureOffset(sampler2DShadow, vec3, ivec2)
gvec4 texelFetch(gsampler2D, ivec2, int); gvec4 texelFetch(gsampler3D, ivec3, int)
gvec4 texelFetch(gsampler2DArray, ivec3, int)
gvec4 texelFetchOffset(gsampler2D, ivec2, int, ivec2); gvec4 texelFetchOffset(gsampler3D, ivec3, int, ivec3)
gvec4 texelFetchOffset(gsampler2DArray, ivec3, int, ivec2)
gvec4 textureProjOffset(gsampler2D, vec3, ivec2); gvec4 textureProjOffset(gsampler2D, vec4, ivec2)
gvec4 textureProjOffset(gsampler3D, vec4, ivec3); float textureProjOffset(sampler2DShadow, vec4, ivec2)
gvec4 textureLodOffset(gsampler2D, vec2, float, ivec2); gvec4 textureLodOffset(gsampler3D, vec3, float, ivec3)
gvec4 textureLodOffset(gsampler2DArray, vec3, float, ivec2)
float textureLodOffset(sampler2DShadow, vec3, float, ivec2)
gvec4 textureProjLod(gsampler2D, vec3, float); gvec4 textureProjLod(gsampler2D, vec4, float)
gvec4 textureProjLod(gsampler3D, vec4, float); float textureProjLod(sampler2DShadow, vec4, float)
gvec4 textureProjLodOffset(gsampler2D, vec3, float, ivec2)
gvec4 textureProjLodOffset(gsampler2D, vec4, float, ivec2)
gvec4 textureProjLodOffset(gsampler3D, vec4, float, ivec3)
float textureProjLodOffset(sampler2DShadow, vec4, float, ivec2)
gvec4 textureGrad(gsampler2D, vec2, vec2, vec2); gvec4 textureGrad(gsampler3D, vec3, vec3, vec3)
gvec4 textureGrad(gsamplerCube, vec3, vec3, vec3); gvec4 textureGrad(gsampler2DArray, vec3, vec2, vec2)
float textureGrad(sampler2DShadow, vec3, vec2, vec2); float textureGrad(samplerCubeShadow, vec4, vec3, vec3)
float textureGrad(sampler2DArrayShadow, vec4, vec2, vec2)
gvec4 textureGradOffset(gsampler2D, vec2, vec2, vec2, ivec2)
gvec4 textureGradOffset(gsampler3D, vec3, vec3, vec3, ivec3)
gvec4 textureGradOffset(gsampler2DArray, vec3, vec2, vec2, ivec2)
float textureGradOffset(sampler2DShadow, vec3, vec2, vec2, ivec2)
float textureGradOffset(sampler2DArrayShadow, vec4, vec2, vec2, ivec2)
gvec4 textureProjGrad(gsampler2D, vec3, vec2, vec2); gvec4 textureProjGrad(gsampler2D, vec4, vec2, vec2)
gvec4 textureProjGrad(gsampler3D, vec4, vec3, vec3); float textureProjGrad(sampler2DShadow, vec4, vec2, vec2)
gvec4 textureProjGradOffset(gsampler2D, vec3, vec2, vec2, ivec2)
gvec4 textureProjGradOffset(gsampler2D, vec4, vec2, vec2, ivec2)
gvec4 textureProjGradOffset(gsampler3D, vec4, vec3, vec3, ivec3)
float textureProjGradOffset(sampler2DShadow, vec4, vec2, vec2, ivec2)
"""
TEXTURES_310 = """
gvec4 texelFetch(gsampler2DMS, ivec2, int); ivec2 textureSize(gsampler2DMS)
gvec4 textureGather(gsampler2D, vec2); gvec4 textureGather(gsampler2D, vec2, int)
gvec4 textureGather(gsampler2DArray, vec3); gvec4 textureGather(gsampler2DArray, vec3, int)
gvec4 textureGather(gsamplerCube, vec3); gvec4 textureGather(gsamplerCube, vec3, int)
vec4 textureGather(sampler2DShadow, vec2, float); vec4 textureGather(sampler2DArrayShadow, vec3, float)
vec4 textureGather(samplerCubeShadow, vec3, float)
gvec4 textureGatherOffset(gsampler2D, vec2, ivec2); gvec4 textureGatherOffset(gsampler2D, vec2, ivec2, int)
gvec4 textureGatherOffset(gsampler2DArray, vec3, ivec2); gvec4 textureGatherOffset(gsampler2DArray, vec3, ivec2, int)
vec4 textureGatherOffset(sampler2DShadow, vec2, float, ivec2)
vec4 textureGatherOffset(sampler2DArrayShadow, vec3, float, ivec2)
"""
BIAS_300 = """
gvec4 texture(gsampler2D, vec2, float); gvec4 texture(gsampler3D, vec3, float)
gvec4 texture(gsamplerCube, vec3, float); gvec4 texture(gsampler2DArray, vec3, float)
float texture(sampler2DShadow, vec3, float); float texture(samplerCubeShadow, vec4, float)
gvec4 textureProj(gsampler2D, vec3, float); gvec4 textureProj(gsampler2D, vec4, float)
gvec4 textureProj(gsampler3D, vec4, float); float textureProj(sampler2DShadow, vec4, float)
gvec4 textureOffset(gsampler2D, vec2, ivec2, float); gvec4 textureOffset(gsampler3D, vec3, ivec3, float)
gvec4 textureOffset(gsampler2DArray, vec3, ivec2, float)
float textureOffset(sampler2DShadow, vec3, ivec2, float)
gvec4 textureProjOffset(gsampler2D, vec3, ivec2, float); gvec4 textureProjOffset(gsampler2D, vec4, ivec2, float)
gvec4 textureProjOffset(gsampler3D, vec4, ivec3, float)
float textureProjOffset(sampler2DShadow, vec4, ivec2, float)
"""
EXTERNAL_300 = """
vec4 texture(samplerExternalOES, vec2); vec4 textureProj(samplerExternalOES, vec3)
vec4 textureProj(samplerExternalOES, vec4); ivec2 textureSize(samplerExternalOES, int)
vec4 texelFetch(samplerExternalOES, ivec2, int)
"""
SHADOW_100 = "float shadow2DEXT(sampler2DShadow, vec3); float shadow2DProjEXT(sampler2DShadow, vec4)"
