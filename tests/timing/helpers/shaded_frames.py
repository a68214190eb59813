"""Frames of a machine with programmable blending: those of `immediate_frames`, with accesses to pixels as
instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from immediate_frames import immediate_frame

from tilegpu.timing.config.load import load_configuration
from tilegpu.timing.engine import frame as f
from tilegpu.timing.loading.pixel_code import PIXEL_CODE, accesses_of, append_pixel_code
from tilegpu.timing.memory.address_map import CODE_REGION, Region


def shaded(frame: f.Frame) -> f.Frame:
    """The same frame, whose quads execute what `pixel_code` puts behind their program."""
    quad, instruction = frame.depth.quad.copy(), frame.shading.instruction
    table, first_row = append_pixel_code(
        instruction, {0: (0, len(instruction))}, Region(CODE_REGION), load_configuration("dae-2012-baseline"), False
    )
    state = frame.depth.state[frame.binning.primitive["state"][quad["primitive"]]]
    paths, sequence, made = list(frame.shading.path), list(frame.shading.sequence), {}
    for i, (q, s) in enumerate(zip(quad, state, strict=True)):
        accesses = accesses_of(
            {
                "early_depth": not s["late"],
                "depth_test": s["depth_test"],
                "depth_write": s["depth_write"],
                "stencil_test": s["stencil_test"],
                "stencil_front": True,
                "color_masks": [15 * int(s["writes_color"])],
                "blend_enabled": s["blends"],
            }
        )
        key = int(q["path"]), accesses
        if key not in made:
            path = frame.shading.path[key[0]].copy() if key[0] >= 0 else np.zeros((), f.ShaderPath.dtype)[()]
            first = len(sequence)
            sequence += [int(n) for n in frame.shading.sequence[path["first"] : path["last"]]]
            sequence += [first_row[0] + n for n in accesses]
            path["first"], path["last"] = first, len(sequence)
            path["mem"] = sum(PIXEL_CODE[n][0] == f.MEM for n in accesses)
            made[key] = len(paths)
            paths.append(path)
        quad["path"][i] = made[key]
    path = np.array([tuple(p) for p in paths], f.ShaderPath.dtype)
    shading = frame.shading._replace(quad=quad, path=path, sequence=np.array(sequence, np.int32), instruction=table)
    return frame._replace(
        shading=shading,
        depth=frame.depth._replace(quad=quad),
        tiling=frame.tiling._replace(quad=quad),
    )


def shaded_frame(seed: int, **more: Any) -> f.Frame:
    """A frame of several primitives; every third one blends."""
    return shaded(immediate_frame(seed, **more))
