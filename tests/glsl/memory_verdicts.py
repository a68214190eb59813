"""Compute shaders at the edge of what GLSL ES 3.10 says about memory, by name; see `test_memory_verdicts`."""

from __future__ import annotations

HEAD = (
    "#version 310 es\nprecision highp float; precision highp int; precision highp image2D; precision highp uimage2D;\n"
)
SIZE = "layout(local_size_x = 4) in;\n"
OUT = "layout(std430, binding = 0) buffer Out { uint o; };\n"


def _main(declared: str, body: str = "o = 1u;") -> str:
    return f"{SIZE}{OUT}{declared} void main() {{ {body} }}"


WORK_GROUPS = {
    "no size": f"{OUT}void main() {{ o = 1u; }}",
    "size 0": f"layout(local_size_x = 0) in; {OUT}void main() {{ o = 1u; }}",
    "negative size": f"layout(local_size_x = -1) in; {OUT}void main() {{ o = 1u; }}",
    "1024 invocations": f"layout(local_size_x = 32, local_size_y = 32) in; {OUT}void main() {{ o = 1u; }}",
    "2048 invocations": f"layout(local_size_x = 32, local_size_y = 64) in; {OUT}void main() {{ o = 1u; }}",
    "size beyond the limit": f"layout(local_size_x = 1025) in; {OUT}void main() {{ o = 1u; }}",
    "same size twice": f"{SIZE}{SIZE}{OUT}void main() {{ o = 1u; }}",
    "two sizes": f"{SIZE}layout(local_size_x = 8) in; {OUT}void main() {{ o = 1u; }}",
    "size in two parts": f"{SIZE}layout(local_size_y = 4) in; {OUT}void main() {{ o = 1u; }}",
    "y alone": f"layout(local_size_y = 4) in; {OUT}void main() {{ o = gl_WorkGroupSize.x; }}",
    "size by a constant": f"const int n = 4; layout(local_size_x = n) in; {OUT}void main() {{ o = 1u; }}",
    "size of outputs": f"layout(local_size_x = 4) out; {OUT}void main() {{ o = 1u; }}",
    "size without a value": f"layout(local_size_x) in; {OUT}void main() {{ o = 1u; }}",
    "size before it is declared": f"{OUT}uint f() {{ return gl_WorkGroupSize.x; }} {SIZE} void main() {{ o = f(); }}",
    "size in an array's": _main("shared uint s[gl_WorkGroupSize.x];", "s[0] = 1u; o = s[0];"),
    "writing an index": _main("", "gl_LocalInvocationIndex = 1u;"),
    "input of its own": _main("in vec4 a;", "o = uint(a.x);"),
    "output of its own": _main("out vec4 a;", "a = vec4(1);"),
    "vertex index": _main("", "o = uint(gl_VertexID);"),
    "position": _main("", "gl_Position = vec4(0);"),
    "discard": _main("", "discard;"),
    "derivative": _main("", "o = uint(dFdx(1.0));"),
    "implicit level of detail": _main("uniform sampler2D s;", "o = uint(texture(s, vec2(0)).x);"),
    "bits of an index": _main("", "o = gl_GlobalInvocationID.x + gl_NumWorkGroups.y + gl_WorkGroupID.z;"),
    "signed index": _main("", "int i = gl_LocalInvocationIndex; o = uint(i);"),
    "early tests": _main("layout(early_fragment_tests) in;"),
}
SHARED = {
    "shared": _main("shared uint s;", "s = 1u; o = s;"),
    "shared with a value": _main("shared uint s = 1u;", "o = s;"),
    "shared constant": _main("shared const uint s;", "o = s;"),
    "shared in a function": _main("", "shared uint s; o = s;"),
    "shared sampler": _main("shared sampler2D s;"),
    "shared structure": _main("struct S { uint a; vec3 b[2]; }; shared S s[3];", "s[1].b[0].x = 1.0; o = s[2].a;"),
    "shared with a layout": _main("layout(location = 0) shared uint s;", "o = s;"),
    "shared with a binding": _main("layout(binding = 0) shared uint s;", "o = s;"),
    "flat shared": _main("flat shared uint s;", "o = s;"),
    "coherent shared": _main("coherent shared uint s;", "o = s;"),
    "shared boolean": _main("shared bool s;", "s = true; o = uint(s);"),
    "shared parameter": _main("void f(shared uint a) {}", "f(1u);"),
    "most shared memory": _main("shared uint s[8192];", "s[o] = 1u; o = s[1];"),
    "too much shared memory": _main("shared uint s[8193];", "s[o] = 1u; o = s[1];"),
    "unsized shared array": _main("shared uint s[];", "s[1] = 1u; o = s[1];"),
    "atomic on shared": _main("shared uint s;", "o = atomicAdd(s, 1u);"),
    "atomic on a local": _main("", "uint s = 0u; o = atomicAdd(s, 1u);"),
    "atomic on a float": _main("shared float s;", "o = uint(atomicAdd(s, 1.0));"),
    "atomic on a component": _main("shared uvec4 s;", "o = atomicMax(s.y, 1u);"),
    "atomic on a vector": _main("shared uvec2 s;", "o = atomicMax(s, uvec2(1)).x;"),
    "atomic of another sign": _main("shared int s;", "o = uint(atomicAdd(s, 1u));"),
    "atomic on a uniform": _main("uniform uint u;", "o = atomicAdd(u, 1u);"),
    "atomic comparison": _main("shared int s;", "o = uint(atomicCompSwap(s, 1, 2));"),
    "atomic with one operand": _main("shared int s;", "o = uint(atomicCompSwap(s, 1));"),
}
BARRIERS = {
    "barrier": _main("", "barrier(); o = 1u;"),
    "barrier in a loop": _main("", "for (int i = 0; i < 3; ++i) barrier(); o = 1u;"),
    "barrier under a condition": _main("", "if (o == 1u) barrier();"),
    "barrier in a function": _main("void f() { barrier(); }", "f();"),
    "barrier after return": _main("", "if (o == 1u) return; barrier();"),
    "barrier with a value": _main("", "barrier(1);"),
    "memory barriers": _main(
        "",
        "memoryBarrier(); memoryBarrierAtomicCounter(); memoryBarrierBuffer(); memoryBarrierImage();"
        "memoryBarrierShared(); groupMemoryBarrier();",
    ),
    "own barrier": _main("void barrier(int i) {}", "barrier(1);"),
}
BLOCKS = {
    "instance": _main("layout(binding = 1) buffer B { uint b; } i;", "o = i.b;"),
    "array of blocks": _main("layout(binding = 1) buffer B { uint b; } i[2];", "o = i[1].b;"),
    "block of an array by a variable": _main("layout(binding = 1) buffer B { uint b; } i[2];", "o = i[o & 1u].b;"),
    "unsized array of blocks": _main("layout(binding = 1) buffer B { uint b; } i[];", "o = i[1].b;"),
    "array without a size": _main("buffer B { uint b[]; };", "b[o] = 1u;"),
    "array without a size in the middle": _main("buffer B { uint b[]; uint c; };", "b[1] = c;"),
    "array without a size in a uniform block": _main("uniform B { uint b[]; };", "o = b[1];"),
    "array without inner size": _main("buffer B { uint b[][]; };", "b[1][1] = 1u;"),
    "array without outer size": _main("buffer B { uint b[][2]; };", "b[o][1] = 1u;"),
    "length of a block's array": _main("buffer B { uint b[]; };", "o = uint(b.length());"),
    "length as a constant": _main("buffer B { uint b[]; };", "uint x[b.length()]; o = x[0];"),
    "negative index": _main("buffer B { uint b[]; };", "b[-1] = 1u;"),
    "copy of an array without a size": _main("buffer B { uint b[]; };", "uint c[2] = b;"),
    "array without a size as argument": _main(
        "buffer B { uint b[]; }; uint f(uint a[2]) { return a[0]; }", "o = f(b);"
    ),
    "std430 uniform": _main("layout(std430) uniform B { uint b; };", "o = b;"),
    "std430 by default": _main("layout(std430) buffer; buffer B { uint b; };", "o = b;"),
    "std430 uniform by default": _main("layout(std430) uniform; uniform B { uint b; };", "o = b;"),
    "binding by default": _main("layout(binding = 1) buffer; buffer B { uint b; };", "o = b;"),
    "row-major member": _main("buffer B { layout(row_major) mat4 m; };", "o = uint(m[0].x);"),
    "std140 member": _main("buffer B { layout(std140) mat4 m; };", "o = uint(m[0].x);"),
    "member with a binding": _main("buffer B { layout(binding = 1) uint b; };", "o = b;"),
    "member with an offset": _main("buffer B { layout(offset = 16) uint b; };", "o = b;"),
    "member with a value": _main("buffer B { uint b = 1u; };", "o = b;"),
    "no members": _main("buffer B { };"),
    "nested block": _main("buffer B { struct S { uint a; } s; };", "o = s.a;"),
    "member of a sampler": _main("buffer B { sampler2D s; };"),
    "member of an image": _main("buffer B { layout(r32f) image2D s; };"),
    "member of a counter": _main("buffer B { atomic_uint s; };"),
    "boolean member": _main("buffer B { bool b; bvec3 c; };", "o = uint(b && c.y);"),
    "member of type void": _main("buffer B { void b; };"),
    "binding beyond": _main("layout(binding = 96) buffer B { uint b; };", "o = b;"),
    "array's binding beyond": _main("layout(binding = 95) buffer B { uint b; } i[2];", "o = i[0].b + i[1].b;"),
    "negative binding": _main("layout(binding = -1) buffer B { uint b; };", "o = b;"),
    "uniform block's binding beyond": _main("layout(binding = 90) uniform B { uint b; };", "o = b;"),
    "location of a block": _main("layout(location = 1) buffer B { uint b; };", "o = b;"),
    "buffer variable": _main("buffer uint b;", "o = b;"),
    "buffer in a function": _main("", "buffer uint b; o = b;"),
    "writing readonly": _main("readonly buffer B { uint b; };", "b = 1u;"),
    "reading writeonly": _main("writeonly buffer B { uint b; };", "o = b;"),
    "reading readonly": _main("readonly buffer B { uint b; };", "o = b;"),
    "writing writeonly": _main("writeonly buffer B { uint b; };", "b = o;"),
    "adding to writeonly": _main("writeonly buffer B { uint b; };", "b += o;"),
    "atomic on readonly": _main("readonly buffer B { uint b; };", "o = atomicAdd(b, 1u);"),
    "atomic on writeonly": _main("writeonly buffer B { uint b; };", "o = atomicAdd(b, 1u);"),
    "writing a readonly member": _main("buffer B { readonly uint b; uint c; };", "b = c;"),
    "writing beside a readonly member": _main("buffer B { readonly uint b; uint c; };", "c = b;"),
    "neither reading nor writing": _main("readonly writeonly buffer B { uint b[]; };", "o = uint(b.length());"),
    "length of writeonly": _main("writeonly buffer B { uint b[]; };", "o = uint(b.length());"),
    "readonly as out argument": _main("readonly buffer B { uint b; }; void f(out uint a) { a = 1u; }", "f(b);"),
    "readonly as inout argument": _main("readonly buffer B { uint b; }; void f(inout uint a) {}", "f(b);"),
    "all qualifiers": _main("coherent volatile restrict buffer B { uint b; };", "b = 1u;"),
    "coherent twice": _main("coherent coherent buffer B { uint b; };", "b = 1u;"),
    "coherent uniform block": _main("coherent uniform B { uint b; };", "o = b;"),
    "readonly uniform": _main("readonly uniform uint u;", "o = u;"),
    "readonly local": _main("", "readonly uint u = 1u; o = u;"),
    "constant buffer": _main("const buffer B { uint b; };", "o = b;"),
    "same name twice": _main("buffer B { uint b; }; buffer B { uint c; };", "o = b;"),
    "member's name twice": _main("buffer B { uint b; }; buffer C { uint b; };", "o = b;"),
    "16 blocks": _main(
        "".join(f"layout(binding = {i}) buffer B{i} {{ uint b{i}; }};" for i in range(1, 16)),
        "o = " + " + ".join(f"b{i}" for i in range(1, 16)) + ";",
    ),
    "17 blocks": _main(
        "".join(f"layout(binding = {i}) buffer B{i} {{ uint b{i}; }};" for i in range(1, 17)),
        "o = " + " + ".join(f"b{i}" for i in range(1, 17)) + ";",
    ),
    "block as a value": _main("buffer B { uint b; } i;", "i = i;"),
    "precise member": _main("buffer B { highp uint b; mediump float c; };", "o = b + uint(c);"),
    "initial read": _main("uint g = o;", "o = g;"),
    "bitwise atomics": _main(
        "buffer B { int b; };", "atomicAnd(b, 1); atomicOr(b, 2); atomicXor(b, 3); atomicMin(b, 4);"
    ),
}
COUNTERS = {
    "counter": _main("layout(binding = 1) uniform atomic_uint c;", "o = atomicCounterIncrement(c);"),
    "counter without a binding": _main("uniform atomic_uint c;", "o = atomicCounter(c);"),
    "counter's offset": _main("layout(binding = 1, offset = 8) uniform atomic_uint c;", "o = atomicCounter(c);"),
    "odd offset": _main("layout(binding = 1, offset = 6) uniform atomic_uint c;", "o = atomicCounter(c);"),
    "negative offset": _main("layout(binding = 1, offset = -4) uniform atomic_uint c;", "o = atomicCounter(c);"),
    "offset twice": _main(
        "layout(binding = 1, offset = 4) uniform atomic_uint c; layout(binding = 1, offset = 4) uniform atomic_uint d;",
        "o = atomicCounter(c) + atomicCounter(d);",
    ),
    "offset in an array": _main(
        "layout(binding = 1) uniform atomic_uint c[3]; layout(binding = 1, offset = 8) uniform atomic_uint d;",
        "o = atomicCounter(c[0]) + atomicCounter(d);",
    ),
    "offset behind an array": _main(
        "layout(binding = 1) uniform atomic_uint c[3]; layout(binding = 1, offset = 12) uniform atomic_uint d;",
        "o = atomicCounter(c[0]) + atomicCounter(d);",
    ),
    "default offset": _main(
        "layout(binding = 1, offset = 4) uniform atomic_uint; layout(binding = 1) uniform atomic_uint c;",
        "o = atomicCounter(c);",
    ),
    "counter's binding beyond": _main("layout(binding = 16) uniform atomic_uint c;", "o = atomicCounter(c);"),
    "local counter": _main("", "atomic_uint c;"),
    "counter as a value": _main("layout(binding = 1) uniform atomic_uint c;", "o = c;"),
    "counter in a structure": _main("struct S { atomic_uint c; }; layout(binding = 1) uniform S s;"),
    "counter as parameter": _main(
        "layout(binding = 1) uniform atomic_uint c; uint f(atomic_uint a) { return atomicCounter(a); }", "o = f(c);"
    ),
    "counter as out parameter": _main("void f(out atomic_uint a) {}"),
    "counter by a variable": _main("layout(binding = 1) uniform atomic_uint c[3];", "o = atomicCounter(c[o]);"),
    "counter's location": _main("layout(binding = 1, location = 2) uniform atomic_uint c;", "o = atomicCounter(c);"),
    "lowp counter": _main("layout(binding = 1) uniform lowp atomic_uint c;", "o = atomicCounter(c);"),
    "highp counter": _main("layout(binding = 1) uniform highp atomic_uint c;", "o = atomicCounter(c);"),
    "signed counter": _main("layout(binding = 1) uniform atomic_int c;"),
    "atomicAdd of a counter": _main("layout(binding = 1) uniform atomic_uint c;", "o = atomicAdd(c, 1u);"),
    "offset of another uniform": _main("layout(offset = 4) uniform uint u;", "o = u;"),
    "readonly counter": _main("layout(binding = 1) readonly uniform atomic_uint c;", "o = atomicCounter(c);"),
}


def _image(declared: str, body: str) -> str:
    return _main(declared, body)


LOAD, STORE = "o = uint(imageLoad(i, ivec2(0)).x);", "imageStore(i, ivec2(0), vec4(o));"
IMAGES = {
    "r32f": _image("layout(r32f) uniform image2D i;", LOAD + STORE),
    "rgba8 both ways": _image("layout(rgba8) uniform image2D i;", LOAD + STORE),
    "rgba8 readonly": _image("layout(rgba8) readonly uniform image2D i;", LOAD),
    "rgba8 writeonly": _image("layout(rgba8) writeonly uniform image2D i;", STORE),
    "reading writeonly": _image("layout(rgba8) writeonly uniform image2D i;", LOAD),
    "writing readonly": _image("layout(rgba8) readonly uniform image2D i;", STORE),
    "no format": _image("readonly uniform image2D i;", LOAD),
    "no format, writeonly": _image("writeonly uniform image2D i;", STORE),
    "format of integers": _image("layout(r32ui) uniform image2D i;", LOAD),
    "format of floats": _image("layout(r32f) uniform uimage2D i;", LOAD),
    "format of desktop": _image("layout(rg32f) readonly uniform image2D i;", LOAD),
    "format rgba16": _image("layout(rgba16) readonly uniform image2D i;", LOAD),
    "format r8": _image("layout(r8) readonly uniform image2D i;", LOAD),
    "format of a sampler": _image("layout(r32f) uniform sampler2D i;", "o = uint(textureLod(i, vec2(0), 0.0).x);"),
    "format of a number": _image("layout(r32f) uniform float i;", "o = uint(i);"),
    "two formats": _image("layout(r32f, rgba32f) readonly uniform image2D i;", LOAD),
    "no precision": _image("layout(r32i) uniform iimage2D i;", "o = uint(imageLoad(i, ivec2(0)).x);"),
    "own precision": _image("layout(r32i) uniform mediump iimage2D i;", "o = uint(imageLoad(i, ivec2(0)).x);"),
    "3D": _image("layout(r32f) uniform highp image3D i;", "o = uint(imageLoad(i, ivec3(0)).x);"),
    "cube": _image("layout(r32f) uniform highp imageCube i;", "o = uint(imageLoad(i, ivec3(0)).x);"),
    "layers": _image("layout(r32f) uniform highp image2DArray i;", "o = uint(imageLoad(i, ivec3(0)).x);"),
    "1D": _image("layout(r32f) uniform highp image1D i;", "o = uint(imageLoad(i, 0).x);"),
    "buffer": _image("layout(r32f) uniform highp imageBuffer i;", "o = uint(imageLoad(i, 0).x);"),
    "coordinates of floats": _image("layout(r32f) uniform image2D i;", "o = uint(imageLoad(i, vec2(0)).x);"),
    "three coordinates": _image("layout(r32f) uniform image2D i;", "o = uint(imageLoad(i, ivec3(0)).x);"),
    "texel of another kind": _image("layout(r32f) uniform image2D i;", "imageStore(i, ivec2(0), uvec4(1));"),
    "texel of one component": _image("layout(r32f) uniform image2D i;", "imageStore(i, ivec2(0), 1.0);"),
    "size": _image("layout(r32f) uniform image2D i;", "o = uint(imageSize(i).x);"),
    "size of writeonly": _image("layout(rgba8) writeonly uniform image2D i;", "o = uint(imageSize(i).x);"),
    "size of a cube": _image("layout(r32f) uniform highp imageCube i;", "ivec2 s = imageSize(i); o = uint(s.x);"),
    "binding": _image("layout(r32f, binding = 3) uniform image2D i;", LOAD),
    "binding beyond": _image("layout(r32f, binding = 192) uniform image2D i;", LOAD),
    "location": _image("layout(r32f, location = 3) uniform image2D i;", LOAD),
    "array": _image("layout(r32f) uniform image2D i[3];", "o = uint(imageLoad(i[2], ivec2(0)).x);"),
    "array by a variable": _image("layout(r32f) uniform image2D i[3];", "o = uint(imageLoad(i[o], ivec2(0)).x);"),
    "as parameter": _image(
        "layout(r32f) uniform image2D i; float f(layout(r32f) image2D a) { return imageLoad(a, ivec2(0)).x; }",
        "o = uint(f(i));",
    ),
    "as parameter without a format": _image(
        "layout(r32f) coherent uniform image2D i; float f(coherent image2D a) { return imageLoad(a, ivec2(0)).x; }",
        "o = uint(f(i));",
    ),
    "parameter that drops readonly": _image(
        "layout(r32f) readonly uniform image2D i; void f(image2D a) { imageStore(a, ivec2(0), vec4(0)); }", "f(i);"
    ),
    "parameter that drops coherent": _image(
        "layout(r32f) coherent uniform image2D i; void f(image2D a) { imageStore(a, ivec2(0), vec4(0)); }", "f(i);"
    ),
    "parameter that adds readonly": _image(
        "layout(r32f) uniform image2D i; float f(readonly image2D a) { return imageLoad(a, ivec2(0)).x; }",
        "o = uint(f(i));",
    ),
    "parameter that drops restrict": _image(
        "layout(r32f) restrict uniform image2D i; float f(image2D a) { return imageLoad(a, ivec2(0)).x; }",
        "o = uint(f(i));",
    ),
    "out parameter": _image("void f(out image2D a) {}", "o = 1u;"),
    "local": _main("", "image2D i;"),
    "in a structure": _main("struct S { image2D i; }; layout(r32f) uniform S s;"),
    "atomic": _image("layout(r32ui) uniform uimage2D i;", "o = imageAtomicAdd(i, ivec2(0), 1u);"),
    "not a uniform": _main("layout(r32f) image2D i;"),
    "coherent": _image("layout(r32f) coherent volatile restrict uniform image2D i;", LOAD + STORE),
    "comparison": _image("layout(r32f) uniform image2D i;", "o = uint(i == i);"),
}
GROUPS = {
    "work groups": WORK_GROUPS,
    "shared": SHARED,
    "barriers": BARRIERS,
    "blocks": BLOCKS,
    "counters": COUNTERS,
    "images": IMAGES,
}
CASES = {f"{group}: {name}": HEAD + source for group, sources in GROUPS.items() for name, source in sources.items()}
