"""Texels of images in vector code, as shaders see them, and back (OpenGL ES 3.1, 8.22).

The same operations as `numpy_backend.image_formats`, so results are equal bit by bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from llvmlite import ir

from ...memory import ImageFormat
from ..ir.vectors import HALF, Value, Vectors


def words_of(form: ImageFormat) -> int:
    """Words of a texel in memory."""
    return 1 if form.kind == "unorm" else 4


def words_read(form: ImageFormat, components: Sequence[int]) -> list[int]:
    """Words that have some components of a texel; at least one."""
    if form.kind == "unorm" or form.channels == 1:
        return [0]
    return list(components)


def loaded_texel(
    v: Vectors, form: ImageFormat, words: Mapping[int, Value], inside: Value, components: Sequence[int]
) -> list[Value]:
    """Components of a texel, 0 in lanes that are not inside.

    Parameters
    ----------
    v
        Where code goes.
    form
        Format of the image.
    words
        Words of the texel by number, see `words_read`; 0 in lanes that are not inside.
    inside
        Lanes whose texels exist.
    components
        Those that are wanted.
    """
    b, channels = v.builder, []
    for c in components:
        if form.channels == 1 and c > 0:
            one = v.integer(1) if form.kind in ("int", "uint") else v.to_ints(v.number(1))
            value = v.to_floats(b.select(inside, one, v.integer(0))) if c == 3 else v.number(0)
        elif form.kind == "unorm":
            channel = b.and_(b.lshr(v.to_ints(words[0]), v.integer(8 * c)), v.integer(255))
            value = b.fdiv(b.sitofp(channel, v.floats), v.number(255))
        else:
            value = words[c]
        channels.append(value)
    return channels


def stored_texel(v: Vectors, form: ImageFormat, values: Sequence[Value]) -> list[Value]:
    """Words of a texel from the shader's components, converted to the format's range."""
    b = v.builder
    channels = [_stored(v, form, value) for value in values]
    if form.channels == 1:
        one = v.bits(1) if form.kind in ("int", "uint") else v.number(1)
        channels[1:] = [v.number(0), v.number(0), one]
    if form.kind != "unorm":
        return channels
    packed = v.to_ints(channels[0])
    for c, channel in enumerate(channels[1:], 1):
        packed = b.or_(packed, b.shl(v.to_ints(channel), v.integer(8 * c)))
    return [v.to_floats(packed)]


def _stored(v: Vectors, form: ImageFormat, value: Value) -> Value:
    """One channel."""
    b, bits, limit = v.builder, v.to_ints(value), 1 << (form.bits - 1)
    if form.kind == "int":
        if form.bits == 32:
            return value
        limited = v.call("smax", bits, v.integer(-limit), of=v.ints)
        return v.to_floats(v.call("smin", limited, v.integer(limit - 1), of=v.ints))
    if form.kind == "uint":
        return value if form.bits == 32 else v.to_floats(v.call("umin", bits, v.integer(2 * limit - 1), of=v.ints))
    if form.kind == "unorm":
        scaled = v.call("rint", b.fmul(_limited(v, value, 0), v.number(255)))
        return v.to_floats(b.fptosi(scaled, v.ints))
    if form.kind == "snorm":
        scaled = v.call("rint", b.fmul(_limited(v, value, -1), v.number(limit - 1)))
        return b.fdiv(scaled, v.number(limit - 1))
    if form.bits == 32:
        return value
    return b.fpext(b.fptrunc(value, ir.VectorType(HALF, v.width)), v.floats)


def _limited(v: Vectors, value: Value, low: float) -> Value:
    """A value from ``low`` to 1; 0 instead of NaN."""
    b = v.builder
    value = b.select(v.is_nan(value), v.number(0), value)
    value = b.select(b.fcmp_ordered("<", value, v.number(low)), v.number(low), value)
    return b.select(b.fcmp_ordered(">", value, v.number(1)), v.number(1), value)
