"""Entry points that copy between framebuffers and textures (OpenGL ES 3.0, 3.8.5 and 4.3.3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...pipeline.multisampling import resolve
from .. import enums as gl
from ..context import Context
from ..errors import GLError
from ..formats import SIZED, Format
from ..framebuffers import Attachment
from ..resolve import resolve_target, scissor_box
from .images import check_size, image_target
from .table import EntryPoints

entry = EntryPoints()
_COPY_FORMATS = {gl.RGB: 0x8051, gl.RGBA: 0x8058, gl.ALPHA: 0x803C, gl.LUMINANCE: 0x8040, gl.LUMINANCE_ALPHA: 0x8045}


def _read(context: Context) -> tuple[Attachment, NDArray[Any], Format]:
    framebuffer = context.read_framebuffer
    attachment = framebuffer.colors.get(framebuffer.read_buffer)
    pixels = attachment.color() if attachment is not None else None
    if attachment is None or pixels is None or attachment.format is None:
        raise GLError(gl.INVALID_OPERATION, "there is no colour to read")
    # Reading from several samples resolves them.
    return attachment, resolve(pixels) if pixels.ndim == 4 else pixels, attachment.format


def _box(pixels: NDArray[Any], x: int, y: int, width: int, height: int, sized: Format) -> NDArray[Any]:
    """Pixels of a box in another format; what lies outside the framebuffer is 0."""
    check_size((width, height, 1))
    out = np.zeros((height, width, 4), pixels.dtype)
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + width, pixels.shape[1]), min(y + height, pixels.shape[0])
    if x0 < x1 and y0 < y1:
        out[y0 - y : y1 - y, x0 - x : x1 - x] = pixels[y0:y1, x0:x1]
    one = 255 if out.dtype == np.uint8 else 1
    if sized.name in ("LUMINANCE8", "LUMINANCE8_ALPHA8"):
        out[..., 1:3] = out[..., :1]
    if sized.name == "ALPHA8":
        out[..., :3] = 0
    if sized.bits[3] == 0:
        out[..., 3] = one
    return out


@entry()
def glCopyTexImage2D(
    context: Context, target: int, level: int, internal: int, x: int, y: int, width: int, height: int, border: int
) -> None:
    texture, face = image_target(context, target)
    attachment, pixels, source = _read(context)
    sized = SIZED.get(_COPY_FORMATS.get(internal, internal), source)
    texels = _box(pixels, x, y, width, height, sized)
    texture.set_image(level, face, texels.astype(sized.dtype, copy=False)[None], sized)
    _copied(context, "copy", texture=texture, level=level, layer=face, box=(0, 0, width, height), source=attachment)


@entry()
def glCopyTexSubImage2D(
    context: Context, target: int, level: int, xoffset: int, yoffset: int, x: int, y: int, width: int, height: int
) -> None:
    texture, face = image_target(context, target)
    attachment, pixels, source = _read(context)
    sized = texture.format or source
    texels = _box(pixels, x, y, width, height, sized).astype(sized.dtype, copy=False)
    texture.update(level, face, xoffset, yoffset, texels[None])
    box = (xoffset, yoffset, width, height)
    _copied(context, "copy", texture=texture, level=level, layer=face, box=box, source=attachment)


@entry("glCopyTexSubImage3D", "glCopyTexSubImage3DOES")
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
    texture = context.texture(target)
    attachment, pixels, source = _read(context)
    sized = texture.format or source
    texels = _box(pixels, x, y, width, height, sized).astype(sized.dtype, copy=False)
    texture.update(level, zoffset, xoffset, yoffset, texels[None])
    box = (xoffset, yoffset, width, height)
    _copied(context, "copy", texture=texture, level=level, layer=zoffset, box=box, source=attachment)


def _copied(context: Context, kind: str, source: Attachment, **fields: Any) -> None:
    context.journal.event(kind, context.call, source=source, **fields)


@entry("glBlitFramebuffer", "glBlitFramebufferANGLE", "glBlitFramebufferNV")
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
    target, framebuffer = resolve_target(context.framebuffer), context.framebuffer
    box = scissor_box(context.state, target.width, target.height)
    source, destination = (x0, y0, x1, y1), (to_x0, to_y0, to_x1, to_y1)
    if mask & gl.COLOR_BUFFER_BIT:
        attachment, pixels, _ = _read(context)
        for number in framebuffer.draw_buffers:
            goal = framebuffer.colors.get(number)
            out = goal.color() if goal is not None else None
            if goal is None or out is None or goal.format is None:
                continue
            linear = filtering == gl.LINEAR and pixels.dtype != np.int32
            for image in out if out.ndim == 4 else [out]:
                _scale(pixels, image, source, destination, box, linear, goal.format.bits[3] == 0)
            goal.touched()
            context.journal.event(
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
                _scale(plane[..., None], out[..., None], source, destination, box, False, False)
                goal.touched()


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
    opaque: bool,
) -> None:
    """Copy a rectangle onto another one, scaled and mirrored as their corners say; pixels outside the source stay."""
    places = []
    for axis in range(2):
        low, high = sorted((destination[axis], destination[axis + 2]))
        limit = (out.shape[1], out.shape[0])[axis]
        first, last = max(low, box[axis], 0), min(high, box[axis + 2], limit)
        if first >= last or destination[axis] == destination[axis + 2]:
            return
        centres = np.arange(first, last) + 0.5
        share = (centres - destination[axis]) / (destination[axis + 2] - destination[axis])
        at = source[axis] + share * (source[axis + 2] - source[axis])
        inside = (at >= 0) & (at < (pixels.shape[1], pixels.shape[0])[axis])
        places.append((np.arange(first, last)[inside], at[inside]))
    (columns, u), (rows, v) = places
    if not len(columns) or not len(rows):
        return
    if linear:
        values = _bilinear(pixels, u, v)
    else:
        values = pixels[np.floor(v).astype(np.int64)][:, np.floor(u).astype(np.int64)]
    if opaque:
        values = values.copy()
        values[..., 3] = 255 if out.dtype == np.uint8 else 1
    out[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = values


def _bilinear(pixels: NDArray[Any], u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[Any]:
    height, width = pixels.shape[:2]
    x, y = np.floor(u - 0.5).astype(np.int64), np.floor(v - 0.5).astype(np.int64)
    fu, fv = (u - 0.5 - x)[None, :, None], (v - 0.5 - y)[:, None, None]
    rows = [np.clip(y + i, 0, height - 1) for i in (0, 1)]
    columns = [np.clip(x + i, 0, width - 1) for i in (0, 1)]
    a, b, c, d = (pixels[r][:, k].astype(np.float64) for r in rows for k in columns)
    values = (a + fu * (b - a)) * (1 - fv) + (c + fu * (d - c)) * fv
    return np.floor(values + 0.5).astype(np.uint8) if pixels.dtype == np.uint8 else values.astype(pixels.dtype)
