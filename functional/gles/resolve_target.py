"""Resolves framebuffers to the pipeline's render targets."""

from __future__ import annotations

from ..activity.kernels.depth import depth_format_code
from ..opengl import enums as gl
from ..pipeline.target import ColorTarget, Target
from .framebuffers import Attachment, Framebuffer
from .state import State


def resolve_target(framebuffer: Framebuffer, encodes: bool) -> Target:
    """Attachments of a framebuffer in the pipeline's form; GLError if it is incomplete.

    Parameters
    ----------
    encodes
        Whether colours are converted to sRGB for attachments of such formats (EXT_sRGB_write_control).
    """
    # Other framebuffers have one target, so that states which draws share stay the same.
    encodes = encodes or not any(a.format is not None and a.format.kind == "srgb" for a in framebuffer.colors.values())
    key = framebuffer.revision, framebuffer.storage, encodes
    if framebuffer.target is None or framebuffer.target[0] != key:
        framebuffer.target = key, _target(framebuffer, encodes)
    return framebuffer.target[1]


def _target(framebuffer: Framebuffer, encodes: bool) -> Target:
    width, height = framebuffer.size
    depth = framebuffer.depth.depth() if framebuffer.depth is not None else None
    stencil = framebuffer.stencil.stencil() if framebuffer.stencil is not None else None
    depth_format = framebuffer.depth.depth_format if framebuffer.depth is not None else None
    return Target(
        width,
        height,
        tuple(color_target(framebuffer.colors.get(number), encodes) for number in framebuffer.draw_buffers),
        depth,
        depth_format_code(depth_format if depth is not None else None),
        stencil,
        framebuffer.name == 0,
        framebuffer.samples,
    )


def color_target(attachment: Attachment | None, encodes: bool) -> ColorTarget | None:
    """A colour attachment in the pipeline's form."""
    pixels = attachment.color() if attachment is not None else None
    if attachment is None or pixels is None or attachment.format is None:
        return None
    kind = attachment.format.kind
    return ColorTarget(pixels, attachment.format.bits, "unorm" if kind == "srgb" and not encodes else kind)


def scissor_box(state: State, width: int, height: int) -> tuple[int, int, int, int]:
    """Box x0, y0, x1, y1 of a framebuffer's writable pixels, regardless of the viewport."""
    if gl.SCISSOR_TEST not in state.enabled:
        return 0, 0, width, height
    x, y, w, h = state.scissor
    x0, y0 = min(max(x, 0), width), min(max(y, 0), height)
    return x0, y0, max(x0, min(x + w, width)), max(y0, min(y + h, height))
