"""Frames of an immediate-mode machine: those of `synthetic`, not sorted into tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from synthetic import COLORS, rows, synthetic

from tilegpu.timing.engine import frame as f

DEPTHS = 7 << 28
"""Address of the depth buffer."""


def immediate(frame: f.Frame, blends: int = 0) -> f.Frame:
    """The same frame with its one pass as one tile: primitives and their quads in drawing order.

    Attachments are blocks of 4x4 pixels, a line of 64 bytes each: colour, and depth that is cleared first.
    """
    render_pass, primitive, quad = frame.commands.render_pass.copy(), frame.binning.primitive.copy(), frame.tiling.quad
    n = len(primitive)
    order = np.argsort(quad["primitive"], kind="stable")
    bounds = np.searchsorted(quad["primitive"][order], np.arange(n + 1))
    entry = rows(f.ListEntry.dtype, n, primitive=np.arange(n), first_quad=bounds[:-1], last_quad=bounds[1:])
    primitive["first_bin"], primitive["last_bin"] = np.arange(n), np.arange(1, n + 1)
    width, height = int(render_pass["width"][0]), int(render_pass["height"][0])
    across, lines = width // 4, width // 4 * (height // 4)
    target = rows(
        f.Target.dtype,
        2,
        address=[COLORS, DEPTHS],
        pixel_bytes=4,
        source=[7, 8],
        store=[1, 0],
        across_bits=2,
        down_bits=2,
        blocks_across=across,
        first_line=[0, lines],
        lines=lines,
    )
    render_pass["last_tile"], render_pass["last_target"] = 1, 2
    render_pass["store_depth"], render_pass["depth_pitch"] = 0, width
    state = frame.depth.state.copy()
    state["writes_color"], state["blends"] = 1, blends
    return f.Tables(
        render_pass=render_pass,
        target=target,
        tile=rows(f.Tile.dtype, 1, last_entry=n),
        batch=frame.vertices.batch,
        attribute=frame.vertices.attribute,
        stream=frame.vertices.stream,
        primitive=primitive,
        bin=rows(f.Bin.dtype, n, entry=np.arange(n)),
        entry=entry,
        state=state,
        clear=frame.depth.clear,
        quad=quad[order],
        shader_depth=frame.depth.shader_depth,
        saved=np.zeros(width * height, np.int64),
        path=frame.shading.path,
        sequence=frame.shading.sequence,
        instruction=frame.shading.instruction,
        operation=frame.texturing.operation,
        line=frame.texturing.line,
    ).frame(sorts=False)


def immediate_frame(seed: int, **more: Any) -> f.Frame:
    """A frame of several primitives; every third one blends."""
    largest = {"largest": 6} | more
    return immediate(synthetic(tiles_x=1 + seed % 3, tiles_y=1 + seed % 2, seed=seed, **largest), seed % 3 == 0)
