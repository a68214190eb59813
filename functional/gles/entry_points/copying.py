"""Entry points that copy between framebuffers and textures (OpenGL ES 3.0, 3.8.5 and 4.3.3)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.formats import COPIED, SIZED, Format
from ...pipeline.fragments.multisampling import resolve
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import FRAMEBUFFER
from ..framebuffers import Attachment
from ..pixels import stored
from ..resolve_target import resolve_target, scissor_box
from ..srgb import decode_srgb, encode_srgb
from .images import check_memory, check_size, image_target, volume
from .table import EntryPoints

entry = EntryPoints()
Box = tuple[int, int, int, int]


def read_color(context: Context) -> tuple[Attachment, NDArray[Any], Format]:
    """Attachment that is read from, its pixels with samples resolved, and its format; GLError if there is none."""
    framebuffer = context.read_framebuffer
    assert framebuffer.size
    attachment = framebuffer.colors.get(framebuffer.read_buffer)
    pixels = attachment.color() if attachment is not None else None
    if attachment is None or pixels is None or attachment.format is None:
        raise GLError(gl.INVALID_OPERATION, "there is no colour to read")
    if not context.executes:
        # Only the shape and the type count.
        return attachment, pixels.reshape(-1, *pixels.shape[-3:])[0], attachment.format
    return attachment, _resolved(pixels, attachment.format), attachment.format


def _resolved(pixels: NDArray[Any], sized: Format) -> NDArray[Any]:
    """One value per pixel; sRGB samples are averaged in linear light."""
    if pixels.ndim != 4:
        return pixels
    if sized.kind == "srgb":
        return encode_srgb(resolve(decode_srgb(pixels).reshape(pixels.shape)))
    return resolve(pixels)


def box_pixels(pixels: NDArray[Any], x: int, y: int, width: int, height: int, source: Format) -> NDArray[Any]:
    """Pixels of a box; pixels outside the framebuffer and missing channels are 0, missing alpha is 1."""
    out = np.zeros((height, width, 4), pixels.dtype)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, pixels.shape[1]), min(y + height, pixels.shape[0])
    if x0 < x1 and y0 < y1:
        out[y0 - y : y1 - y, x0 - x : x1 - x] = pixels[y0:y1, x0:x1]
    if source.bits[3] == 0:
        out[..., 3] = 255 if out.dtype == np.uint8 else 1
    return out


def _texels(context: Context, box: tuple[int, int, int, int], sized: Format | None) -> tuple[Attachment, NDArray[Any]]:
    """The pixels that a copy reads, as texels of a format; None means the format that is read."""
    attachment, pixels, source = read_color(context)
    sized = sized or source
    plain = attachment.samples == 1 or context.state.read_framebuffer == 0
    check_operation(plain, "a framebuffer object of several samples cannot be copied")
    kinds = [("unorm" if f.kind == "srgb" else f.kind) for f in (source, sized)]
    check_operation(kinds[0] == kinds[1], f"{source.name} cannot be copied to {sized.name}")
    base = _base_channels(sized)
    check_operation(all(source.bits[i] or i not in base for i in range(4)), f"{source.name} lacks channels")
    check_value(box[2] >= 0 and box[3] >= 0, f"box of {box[2]}x{box[3]}")
    check_size((box[2], box[3], 1))
    check_memory((box[2], box[3], 1), pixels.dtype)
    if not context.executes:
        return attachment, np.zeros((box[3], box[2], 4), sized.dtype)
    out = box_pixels(pixels, *box, source)
    one = 255 if out.dtype == np.uint8 else 1
    if sized.luminance and sized.kind == "unorm":
        out[..., 1:3] = out[..., :1]
    for channel, bits in enumerate(sized.bits):
        if not bits:
            out[..., channel] = one if channel == 3 else 0
    return attachment, stored(out, sized)


def _base_channels(sized: Format) -> set[int]:
    """Channels of the framebuffer that a format uses."""
    if sized.luminance:
        return {0, 3} if sized.bits[3] else {0}
    return {channel for channel, bits in enumerate(sized.bits) if bits}


@entry(effect=FRAMEBUFFER)
def glCopyTexImage2D(
    context: Context, target: int, level: int, internal: int, x: int, y: int, width: int, height: int, border: int
) -> None:
    texture, face = image_target(context, target)
    check_value(border == 0, f"border {border}")
    sized = SIZED.get(COPIED.get(internal, internal))
    check_enum(internal, {internal} if sized is not None else (), "internal format")
    source = read_color(context)[2]
    if internal in SIZED:
        same = all(bits in (0, source.bits[i]) for i, bits in enumerate(SIZED[internal].bits))
        check_operation(same, f"{source.name} cannot be copied to the sized format {SIZED[internal].name}")
    elif internal == gl.RGB and source.bits == (5, 6, 5, 0):
        sized = source
    attachment, texels = _texels(context, (x, y, width, height), sized)
    assert sized is not None
    texture.set_image(level, face, texels[None], sized)
    if internal not in SIZED:
        texture.unsized[level, face] = internal
    _copied(context, "copy", texture=texture, level=level, layer=face, box=(0, 0, width, height), source=attachment)


@entry(effect=FRAMEBUFFER)
def glCopyTexSubImage2D(
    context: Context, target: int, level: int, xoffset: int, yoffset: int, x: int, y: int, width: int, height: int
) -> None:
    texture, face = image_target(context, target)
    attachment, texels = _texels(context, (x, y, width, height), texture.formats.get((level, face)))
    texture.update(level, face, xoffset, yoffset, texels[None])
    box = (xoffset, yoffset, width, height)
    _copied(context, "copy", texture=texture, level=level, layer=face, box=box, source=attachment)


@entry("glCopyTexSubImage3D", "glCopyTexSubImage3DOES", effect=FRAMEBUFFER)
def glCopyTexSubImage3D(
    context: Context,
    target: int,
    level: int,
    xoffset: int,
    yoffset: int,
    zoffset: int,
    x: int,
    y: int,
    width: int,
    height: int,
) -> None:
    texture = volume(context, target)
    attachment, texels = _texels(context, (x, y, width, height), texture.formats.get((level, zoffset)))
    texture.update(level, zoffset, xoffset, yoffset, texels[None])
    box = (xoffset, yoffset, width, height)
    _copied(context, "copy", texture=texture, level=level, layer=zoffset, box=box, source=attachment)


def _copied(context: Context, kind: str, source: Attachment, **fields: Any) -> None:
    context.listener.event(kind, context.call, source=source, **fields)


@entry("glBlitFramebuffer", "glBlitFramebufferANGLE", "glBlitFramebufferNV", effect=FRAMEBUFFER)
def glBlitFramebuffer(
    context: Context,
    x0: int,
    y0: int,
    x1: int,
    y1: int,
    to_x0: int,
    to_y0: int,
    to_x1: int,
    to_y1: int,
    mask: int,
    filtering: int,
) -> None:
    _check_blit(context, (x0, y0, x1, y1), (to_x0, to_y0, to_x1, to_y1), mask, filtering)
    encodes = context.state.encodes
    target, framebuffer = resolve_target(context.framebuffer, encodes), context.framebuffer
    box = scissor_box(context.state, target.width, target.height)
    source, destination = (x0, y0, x1, y1), (to_x0, to_y0, to_x1, to_y1)
    # Buffers that one of the framebuffers lacks are left out silently.
    if mask & gl.COLOR_BUFFER_BIT and context.read_framebuffer.read_buffer in context.read_framebuffer.colors:
        attachment, pixels, source_format = read_color(context)
        for number in framebuffer.draw_buffers:
            goal = framebuffer.colors.get(number)
            out = goal.color() if goal is not None else None
            if goal is None or out is None or goal.format is None:
                continue
            linear = filtering == gl.LINEAR and pixels.dtype != np.int32
            conversion = Conversion.between(source_format, goal.format, encodes, linear)
            if context.executes:
                _scale(conversion.read(pixels, source_format), out, source, destination, box, linear, conversion)
            goal.touched()
            context.listener.event(
                "resolve" if attachment.samples > 1 else "blit",
                context.call,
                framebuffer=framebuffer,
                goal=goal,
                source=attachment,
                box=_sorted(destination),
            )
    reader = context.read_framebuffer
    for bit, name in ((gl.DEPTH_BUFFER_BIT, "depth"), (gl.STENCIL_BUFFER_BIT, "stencil")):
        read, goal = getattr(reader, name), getattr(framebuffer, name)
        if mask & bit and read is not None and goal is not None:
            plane, out = getattr(read, name)(), getattr(goal, name)()
            if plane is not None and out is not None:
                plane = plane[0] if plane.ndim == 3 else plane
                if context.executes:
                    _scale(plane[..., None], out[..., None], source, destination, box, False)
                goal.touched()


def _check_blit(context: Context, source: Box, destination: Box, mask: int, filtering: int) -> None:
    """Errors of glBlitFramebuffer (OpenGL ES 3.0, 4.3.3)."""
    check_value(not mask & ~(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT), f"mask {mask:#x}")
    check_enum(filtering, (gl.NEAREST, gl.LINEAR), "filter")
    depth_stencil = bool(mask & (gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT))
    check_operation(not (depth_stencil and filtering == gl.LINEAR), "depth and stencil are never filtered")
    reader, framebuffer = context.read_framebuffer, context.framebuffer
    assert reader.size and framebuffer.size
    samples = reader.samples, framebuffer.samples
    check_operation(samples[1] == 1, "the framebuffer drawn to has several samples")
    check_operation(samples[0] == 1 or source == destination, "a resolve neither scales nor moves")
    read = reader.colors.get(reader.read_buffer)
    if mask & gl.COLOR_BUFFER_BIT and read is not None and read.format is not None:
        integer = read.format.kind in ("int", "uint")
        check_operation(not (integer and filtering == gl.LINEAR), "integers are never filtered")
        for number in framebuffer.draw_buffers:
            goal = framebuffer.colors.get(number)
            if goal is None or goal.format is None:
                continue
            check_operation(_class(read.format) == _class(goal.format), f"{read.format.name} to {goal.format.name}")
            check_operation(samples[0] == 1 or read.format.bits == goal.format.bits, "a resolve keeps the format")
            check_operation(_image(read) != _image(goal), "source and destination are the same image")
    for bit, name in ((gl.DEPTH_BUFFER_BIT, "depth"), (gl.STENCIL_BUFFER_BIT, "stencil")):
        one, other = getattr(reader, name), getattr(framebuffer, name)
        if mask & bit and one is not None and other is not None:
            check_operation(one.depth_format == other.depth_format, f"{name} formats differ")


def _class(sized: Format) -> str:
    return sized.kind if sized.kind in ("int", "uint") else "fixed or float"


def _image(attachment: Attachment) -> tuple[int, int, int]:
    return attachment.identity, attachment.level, attachment.face


class Conversion(NamedTuple):
    """Conversion of colours on their way through a blit.

    Attributes
    ----------
    goal
        Format that is written.
    decodes, encodes
        Whether colours are read from sRGB, and written as sRGB.
    """

    goal: Format
    decodes: bool
    encodes: bool

    @classmethod
    def between(cls, source: Format, goal: Format, encodes: bool, linear: bool) -> Conversion:
        """Conversion between two formats, if conversions are enabled; colours of two sRGB formats only need it where
        they are filtered."""
        kinds = source.kind == "srgb", goal.kind == "srgb"
        needed = encodes and (kinds[0] != kinds[1] or linear)
        return cls(goal, needed and kinds[0], needed and kinds[1])

    def read(self, pixels: NDArray[Any], source: Format) -> NDArray[Any]:
        """Pixels as they are filtered; channels missing from the source are 0, alpha 1."""
        values = decode_srgb(pixels).reshape(pixels.shape) if self.decodes else pixels
        if source.bits[3] == 0:
            values = values.copy()
            values[..., 3] = 255 if values.dtype == np.uint8 else 1
        return values

    def written(self, values: NDArray[Any]) -> NDArray[Any]:
        """Filtered pixels as they are stored."""
        if self.encodes:
            values = encode_srgb(values / np.float32(255) if values.dtype == np.uint8 else values)
        for channel, bits in enumerate(self.goal.bits):
            if not bits:
                values[..., channel] = (255 if values.dtype == np.uint8 else 1) if channel == 3 else 0
        return stored(values, self.goal)


def _sorted(box: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    x0, y0, x1, y1 = box
    return min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)


def _scale(
    pixels: NDArray[Any],
    out: NDArray[Any],
    source: tuple[int, int, int, int],
    destination: tuple[int, int, int, int],
    box: tuple[int, int, int, int],
    linear: bool,
    conversion: Conversion | None = None,
) -> None:
    """Copy a rectangle onto another one, scaled and mirrored as their corners say; pixels outside the source stay."""
    limits = [(max(box[axis], 0), min(box[axis + 2], out.shape[1 - axis])) for axis in range(2)]
    columns, rows = (_places(source[a::2], destination[a::2], limits[a], pixels.shape[1 - a]) for a in range(2))
    if not len(columns[0]) or not len(rows[0]):
        return
    values = _bilinear(pixels, columns[1], rows[1]) if linear else pixels[rows[2]][:, columns[2]]
    if conversion is not None:
        values = conversion.written(values)
    out[rows[0][0] : rows[0][-1] + 1, columns[0][0] : columns[0][-1] + 1] = values


@lru_cache(maxsize=32)
def _places(
    source: tuple[int, ...], destination: tuple[int, ...], limits: tuple[int, int], size: int
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Along one axis: pixels written, where each of them is read, and the pixel there; kept, as programs blit the same
    in every frame.

    Parameters
    ----------
    source, destination
        From where to where.
    limits
        First pixel that may be written, and the one behind the last.
    size
        Pixels that may be read.
    """
    first, last = max(min(destination), limits[0]), min(max(destination), limits[1])
    pixels = np.arange(first, max(first, last))
    share = (pixels + 0.5 - destination[0]) / ((destination[1] - destination[0]) or 1)
    at = source[0] + share * (source[1] - source[0])
    inside = (at >= 0) & (at < size)
    return pixels[inside], at[inside], np.floor(at[inside]).astype(np.int64)


def _bilinear(pixels: NDArray[Any], u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[Any]:
    height, width = pixels.shape[:2]
    x, y = np.floor(u - 0.5).astype(np.int64), np.floor(v - 0.5).astype(np.int64)
    fu, fv = (u - 0.5 - x)[None, :, None], (v - 0.5 - y)[:, None, None]
    rows = [np.clip(y + i, 0, height - 1) for i in (0, 1)]
    columns = [np.clip(x + i, 0, width - 1) for i in (0, 1)]
    a, b, c, d = (pixels[r][:, k].astype(np.float64) for r in rows for k in columns)
    values = (a + fu * (b - a)) * (1 - fv) + (c + fu * (d - c)) * fv
    return np.floor(values + 0.5).astype(np.uint8) if pixels.dtype == np.uint8 else values.astype(pixels.dtype)
