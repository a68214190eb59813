"""The text around the statements of random compute programs."""

from __future__ import annotations

from .random_statements import ATOMICS
from .random_values import HIGH, TAME, Values


def helping(inside: Values) -> str:
    """Functions that statements call; one returns from several places."""
    return f"""{TAME}{HIGH}
vec3 tame3(vec3 exact) {{
    return vec3(tame(exact.x), tame(exact.y), tame(exact.z));
}}

uint helped(uint a, uint b, inout int c) {{
    if ({inside.truth()}) return {inside.unsigned()};
    for (uint n = 0u; n < (a & 3u); n++) {{
        b = {inside.unsigned()};
        if ({inside.truth()}) {{ c = {inside.signed()}; return {inside.unsigned(1)}; }}
        c += {inside.signed(1)};
    }}
    return {inside.unsigned()};
}}
"""


def whole(local: tuple[int, int], groups: tuple[int, int, int], head: str, start: str, body: str) -> str:
    """A shader with its variables, shared memory and counters.

    Parameters
    ----------
    local, groups
        Invocations of a group, and groups.
    head
        Declarations.
    start, body
        Statements before and after the first barrier.
    """
    x, y = local
    width, lanes = groups[0] * x, x * y
    return f"""#version 310 es
precision highp float;
precision highp int;
layout(local_size_x = {x}, local_size_y = {y}) in;
{head}
layout(std430, binding = 3) buffer Counters {{ uint counter[{len(ATOMICS)}]; }};
shared uint uintSlots[{lanes}];
shared float floatSlots[{lanes}];
shared uint tally;

void main() {{
    uint lane = gl_LocalInvocationIndex;
    ivec2 here = ivec2(gl_GlobalInvocationID.xy);
    uint me = gl_GlobalInvocationID.y * {width}u + gl_GlobalInvocationID.x;
    uint u0 = me * 2654435761u, u1 = lane, u2 = 7u;
    int i0 = int(me) - 5, i1 = int(u0 >> 20);
    float f0 = tame(float(lane)), f1 = 1.5;
    uvec4 w0 = uvec4(u0, 1u, lane, 9u);
    vec3 v0 = vec3(f0, 2.0, -1.0);
    uintSlots[lane] = u0;
    floatSlots[lane] = f0;
{start}    barrier();
{body}
    atomicXor(counter[5], u0 ^ u1 + u2 ^ uint(i0 + i1));
    atomicAdd(counter[0], floatBitsToUint(tame(f0 + f1)) ^ w0.x ^ w0.y ^ w0.z ^ w0.w ^ floatBitsToUint(v0.x));
}}
"""
