"""Blending off for a draw that covers whatever is behind it, as its alpha is 1 everywhere."""

from __future__ import annotations

from tilegpu.functional.capture import Call
from tilegpu.functional.opengl import enums as gl

from ..calls import call
from ..captured import CapturedFrame
from ..declare import RefusedError, Transformation
from ..texels import inserted

COVERS = frozenset({("FUNC_ADD", source, "ONE_MINUS_SRC_ALPHA") for source in ("SRC_ALPHA", "ONE")})
"""Equations and factors that give the source's colour where alpha is 1."""


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Switch blending off around the draw."""
    drawn, state = frame.draw(draw), frame.states[draw or 0]
    if not state["blend_enabled"]:
        raise RefusedError("it does not blend")
    blend = state["blend"]
    if (blend["equation_rgb"], blend["source_rgb"], blend["destination_rgb"]) not in COVERS:
        raise RefusedError(f"it blends with {blend['source_rgb']} and {blend['destination_rgb']}, whatever alpha is")
    thread = drawn.around.thread
    off = call("glDisable", gl.BLEND, thread=thread)
    on = call("glEnable", gl.BLEND, thread=thread)
    return inserted(frame.calls, {drawn.place: [off], drawn.place + 1: [on]})


TRANSFORMATION = Transformation(
    "blend_off",
    "blending off, as its alpha is 1 everywhere",
    "nothing, as long as alpha is 1",
    apply,
    frozenset({"blending", "bandwidth", "arithmetic", "early_depth", "order"}),
    exact=True,
    caution="seen in this frame: other frames may have other alphas",
)
