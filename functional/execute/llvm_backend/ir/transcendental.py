"""Exponentials, logarithms, sines: polynomials after a reduction of the argument.

Errors against double precision in units of the last place: EX2 1.2, LG2 3, SIN and COS 1.5 below 2^28; the sine of
arguments above 2^30 is 0. GLSL ES 3.00 (4.5.1) leaves their precision to the implementation; POW is
EX2(b * LG2(a)), as the specification derives it.
"""

from __future__ import annotations

import math

from .vectors import Value, Vectors

LN2 = math.log(2)
# 2^f = e^(f ln 2): Taylor's series; for |f| <= 1/2 the eighth power is below 1e-9.
EXP2 = [LN2**n / math.factorial(n) for n in range(7, -1, -1)]
# log2(m) = 2 / ln 2 * atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716.
LOG2 = [2 / LN2 / n for n in (9, 7, 5, 3, 1)]
# Taylor's series on [-pi/4, pi/4].
SIN = [(-1) ** n / math.factorial(2 * n + 1) for n in (4, 3, 2, 1)]
COS = [(-1) ** n / math.factorial(2 * n) for n in (5, 4, 3, 2)]
HALF_PI_HIGH = float.fromhex("0x1.921fb5p+0")
HALF_PI_LOW = math.pi / 2 - HALF_PI_HIGH + 6.123233995736766e-17
LEAST_EXPONENT, LEAST_POWER = -126.0, 2.0**-126


def exp2(v: Vectors, x: Value) -> Value:
    """2 to the power x; as in the reference, 2^-126 is subtracted from every result, so that tiny ones become 0."""
    b = v.builder
    nan = v.is_nan(x)
    x = b.select(b.fcmp_ordered(">", x, v.number(LEAST_EXPONENT)), x, v.number(LEAST_EXPONENT))
    x = b.select(b.fcmp_ordered("<", x, v.number(129.0)), x, v.number(129.0))
    whole = v.call("rint", x)
    power = v.polynomial(b.fsub(x, whole), *EXP2)
    exponent = b.fptosi(whole, v.ints)
    # In two steps: 2^129 is not a float, and 2^-126 times something below 1 is not normal.
    half = b.ashr(exponent, v.integer(1))
    for part in (half, b.sub(exponent, half)):
        scale = b.shl(b.add(part, v.integer(127)), v.integer(23))
        power = b.fmul(power, v.to_floats(scale))
    result = b.fsub(power, v.number(LEAST_POWER))
    return b.select(nan, v.number(math.nan), result)


def log2(v: Vectors, x: Value) -> Value:
    """Base-2 logarithm."""
    b = v.builder
    tiny = b.fcmp_ordered("<", x, v.number(2.0**-126))
    scaled = b.select(tiny, b.fmul(x, v.number(2.0**23)), x)
    bits = v.to_ints(scaled)
    # So that the mantissa lies between sqrt(1/2) and sqrt(2).
    shifted = b.add(bits, v.integer(0x3F800000 - 0x3F3504F3))
    exponent = b.sub(b.ashr(shifted, v.integer(23)), v.integer(127))
    mantissa = v.to_floats(b.add(b.and_(shifted, v.integer(0x007FFFFF)), v.integer(0x3F3504F3)))
    s = b.fdiv(b.fsub(mantissa, v.number(1)), b.fadd(mantissa, v.number(1)))
    series = b.fmul(v.polynomial(b.fmul(s, s), *LOG2), s)
    offset = b.select(tiny, v.number(-23.0), v.number(0.0))
    result = b.fadd(b.fadd(b.sitofp(exponent, v.floats), offset), series)
    infinity = v.number(math.inf)
    result = b.select(b.fcmp_ordered("==", x, infinity), infinity, result)
    result = b.select(b.fcmp_ordered("==", x, v.number(0)), v.number(-math.inf), result)
    return b.select(b.fcmp_unordered("<", x, v.number(0)), v.number(math.nan), result)


def power(v: Vectors, x: Value, y: Value) -> Value:
    """x to the power y."""
    return exp2(v, v.builder.fmul(log2(v, x), y))


def sine(v: Vectors, x: Value, quarter: int) -> Value:
    """The sine of x radians and ``quarter`` right angles; the reduction is done in double precision."""
    b = v.builder
    finite = b.fcmp_ordered("<", v.call("fabs", x), v.number(2.0**30))
    valid = b.fcmp_ordered("<", v.call("fabs", x), v.number(math.inf))
    wide = b.fpext(b.select(finite, x, v.number(0)), v.doubles)
    turns = v.call("rint", b.fmul(wide, v.double(2 / math.pi)), of=v.doubles)
    rest = b.fsub(b.fsub(wide, b.fmul(turns, v.double(HALF_PI_HIGH))), b.fmul(turns, v.double(HALF_PI_LOW)))
    r = b.fptrunc(rest, v.floats)
    quadrant = b.add(b.fptosi(turns, v.ints), v.integer(quarter))
    square = b.fmul(r, r)
    sin = b.fadd(r, b.fmul(b.fmul(v.polynomial(square, *SIN), square), r))
    cos = b.fadd(v.number(1), b.fmul(square, b.fadd(v.number(-0.5), b.fmul(v.polynomial(square, *COS), square))))
    odd = b.icmp_signed("!=", b.and_(quadrant, v.integer(1)), v.integer(0))
    sign = b.shl(b.and_(quadrant, v.integer(2)), v.integer(30))
    result = v.to_floats(b.xor(v.to_ints(b.select(odd, cos, sin)), sign))
    return b.select(valid, result, v.number(math.nan))
