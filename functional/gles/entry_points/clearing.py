"""Entry points that clear and invalidate attachments (OpenGL ES 3.0, 4.2.3 and 4.5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ...opengl.limits import MAX_DRAW_BUFFERS
from ...pipeline.fragments.clear import clear_color, clear_depth, clear_stencil
from ..arguments import clamped
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import FRAMEBUFFER, PIXELS
from ..resolve_target import color_target, resolve_target, scissor_box
from .table import EntryPoints

entry = EntryPoints()


@entry(effect=PIXELS)
def glClear(context: Context, mask: int) -> None:
    if mask & ~(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT):
        raise GLError(gl.INVALID_VALUE, f"clear mask {mask:#x}")
    state, framebuffer = context.state, context.framebuffer
    numbers = [n for n in framebuffer.draw_buffers if n >= 0] if mask & gl.COLOR_BUFFER_BIT else []
    depth = state.clear_depth if mask & gl.DEPTH_BUFFER_BIT and state.depth_mask else None
    stencil = state.clear_stencil & 0xFF if mask & gl.STENCIL_BUFFER_BIT else None
    _clear(context, numbers, state.clear_color, depth, stencil)


@entry(effect=PIXELS)
def glClearBufferfv(context: Context, buffer: int, number: int, values: Sequence[float]) -> None:
    check_enum(buffer, (gl.COLOR, gl.DEPTH), "buffer")
    _check_numbers(values, 1 if buffer == gl.DEPTH else 4)
    if buffer == gl.DEPTH:
        check_value(number == 0, f"depth buffer {number}")
        depth = clamped(values[0]) if context.state.depth_mask else None
        _clear(context, [], (0, 0, 0, 0), depth, None)
    else:
        _clear_color_buffer(context, buffer, number, values)


@entry(effect=PIXELS)
def glClearBufferuiv(context: Context, buffer: int, number: int, values: Sequence[int]) -> None:
    check_enum(buffer, (gl.COLOR,), "buffer")
    glClearBufferiv(context, buffer, number, values)


@entry(effect=PIXELS)
def glClearBufferiv(context: Context, buffer: int, number: int, values: Sequence[int]) -> None:
    check_enum(buffer, (gl.COLOR, gl.STENCIL), "buffer")
    _check_numbers(values, 1 if buffer == gl.STENCIL else 4)
    if buffer == gl.STENCIL:
        check_value(number == 0, f"stencil buffer {number}")
        _clear(context, [], (0, 0, 0, 0), None, int(values[0]) & 0xFF)
    else:
        _clear_color_buffer(context, buffer, number, values)


@entry(effect=PIXELS)
def glClearBufferfi(context: Context, buffer: int, number: int, depth: float, stencil: int) -> None:
    check_enum(buffer, (gl.DEPTH_STENCIL,), "buffer")
    check_value(number == 0, f"depth and stencil buffer {number}")
    depth = clamped(depth)
    _clear(context, [], (0, 0, 0, 0), depth if context.state.depth_mask else None, stencil & 0xFF)


def _check_numbers(values: Sequence[float], needed: int) -> None:
    check_value(len(values) >= needed, f"{len(values)} numbers where {needed} are expected")


def _clear_color_buffer(context: Context, buffer: int, number: int, values: Sequence[float]) -> None:
    draw_buffers = context.framebuffer.draw_buffers
    check_value(0 <= number < MAX_DRAW_BUFFERS, f"no buffer {number}")
    attached = draw_buffers[number] if number < len(draw_buffers) else -1
    _clear(context, [attached] if attached >= 0 else [], values, None, None)


def _clear(
    context: Context, colors: Sequence[int], value: Sequence[float], depth: float | None, stencil: int | None
) -> None:
    state, framebuffer = context.state, context.framebuffer
    target = resolve_target(framebuffer, state.encodes)
    if gl.RASTERIZER_DISCARD in state.enabled:
        return
    box = scissor_box(state, target.width, target.height)
    slots: dict[str, bool] = {}
    whole = box == (0, 0, target.width, target.height)
    fills = context.executes and not context.leaves_out_colors(target.flipped)
    for number in colors:
        attachment = framebuffer.colors.get(number)
        pixels = color_target(attachment, state.encodes)
        mask = state.mask_of(framebuffer.draw_buffers.index(number))
        if attachment is None or pixels is None or not any(mask):
            continue
        if fills:
            clear_color(pixels, box, value, mask)
        attachment.touched()
        slots[f"color{number}"] = whole and all(mask)
    if depth is not None and target.depth is not None:
        if context.executes:
            clear_depth(target, box, depth)
        slots["depth"] = whole
    stencil_mask = state.stencil_front.write_mask & 0xFF if stencil is not None and target.stencil is not None else 0
    if stencil_mask and stencil is not None:
        if context.executes:
            clear_stencil(target, box, stencil, stencil_mask)
        slots["stencil"] = whole and stencil_mask == 0xFF
    for attachment in {id(a): a for a in (framebuffer.depth, framebuffer.stencil) if a is not None}.values():
        if slots.keys() & {"depth", "stencil"}:
            attachment.touched()
    colored = any(slot.startswith("color") for slot in slots)
    context.listener.event(
        "clear",
        context.call,
        framebuffer=framebuffer,
        box=(box[0], box[1], box[2] - box[0], box[3] - box[1]),
        slots=slots,
        color_mask=sum(1 << i for i, on in enumerate(state.color_mask) if on) if colored else 0,
        depth_mask="depth" in slots,
        stencil_mask=stencil_mask,
        clear_color=[float(np.float32(v)) for v in value] if colored else None,
        srgb_encoding=state.encodes if colored else None,
        clear_depth=depth if "depth" in slots else None,
        clear_stencil=stencil if stencil_mask else None,
    )


def _check_invalidation(context: Context, target: int, count: int, attachments: Sequence[int]) -> None:
    check_enum(target, (gl.FRAMEBUFFER, gl.DRAW_FRAMEBUFFER, gl.READ_FRAMEBUFFER), "framebuffer target")
    check_value(count >= 0, f"count {count}")
    name = context.state.read_framebuffer if target == gl.READ_FRAMEBUFFER else context.state.framebuffer
    points = {gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT, gl.DEPTH_STENCIL_ATTACHMENT}
    allowed = points | set(range(gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT0 + 32))
    for attachment in attachments:
        check_enum(attachment, allowed if name else {gl.COLOR, gl.DEPTH, gl.STENCIL}, "attachment")
        number = attachment - gl.COLOR_ATTACHMENT0
        check_operation(attachment in points or number < MAX_DRAW_BUFFERS, f"colour attachment {number}")


@entry(effect=FRAMEBUFFER)
def glInvalidateSubFramebuffer(
    context: Context, target: int, count: int, attachments: Sequence[int], x: int, y: int, width: int, height: int
) -> None:
    _check_invalidation(context, target, count, attachments)
    check_value(width >= 0 and height >= 0, f"box of {width}x{height}")
    framebuffer = context.read_framebuffer if target == gl.READ_FRAMEBUFFER else context.framebuffer
    if (x, y) == (0, 0) and (width, height) == framebuffer.size:
        glInvalidateFramebuffer(context, target, count, attachments)


@entry("glInvalidateFramebuffer", "glDiscardFramebufferEXT", effect=FRAMEBUFFER)
def glInvalidateFramebuffer(context: Context, target: int, count: int, attachments: Sequence[int]) -> None:
    _check_invalidation(context, target, count, attachments)
    names = {
        gl.COLOR: "color0",
        gl.DEPTH: "depth",
        gl.STENCIL: "stencil",
        gl.DEPTH_ATTACHMENT: "depth",
        gl.STENCIL_ATTACHMENT: "stencil",
    }
    slots: dict[str, bool] = {}
    for attachment in attachments or ():
        if attachment == gl.DEPTH_STENCIL_ATTACHMENT:
            slots |= {"depth": True, "stencil": True}
        elif 0 <= attachment - gl.COLOR_ATTACHMENT0 < 16:
            slots[f"color{attachment - gl.COLOR_ATTACHMENT0}"] = True
        elif attachment in names:
            slots[names[attachment]] = True
    framebuffer = context.read_framebuffer if target == gl.READ_FRAMEBUFFER else context.framebuffer
    context.listener.event("invalidate", context.call, framebuffer=framebuffer, slots=slots)
