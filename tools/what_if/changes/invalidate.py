"""Depth and stencil that nobody reads later, said to be so at the end of each pass."""

from __future__ import annotations

from tilegpu.functional.capture import Call, Value
from tilegpu.functional.opengl import enums as gl

from ..calls import call
from ..captured import CapturedFrame
from ..declare import RefusedError, Transformation
from ..texels import inserted

OVERWRITTEN = ("clear", "undefined")
ATTACHMENTS = {"depth": (gl.DEPTH_ATTACHMENT, 0x1801), "stencil": (gl.STENCIL_ATTACHMENT, 0x1802)}
"""Attachments of framebuffers of the application and of the window."""
FIRST_WITH_INVALIDATION = 3


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Invalidate what is stored and cleared before it is used again, in this frame and, as this one does, in the
    next."""
    places = {each.number: place for place, each in enumerate(frame.calls) if place >= frame.first}
    added: dict[int, list[Call]] = {}
    for number, render_pass in enumerate(frame.passes):
        slots = [slot for slot in ATTACHMENTS if _unread(frame, number, slot)]
        row = next((row for row in frame.states.values() if row["pass"] == render_pass["pass"]), None)
        if not slots or row is None or row["call"] not in frame.draws:
            continue
        around = frame.draws[row["call"]].around
        if not around.version:
            raise RefusedError("desktop OpenGL invalidates nothing")
        chosen: list[Value] = [ATTACHMENTS[slot][0 if around.framebuffer else 1] for slot in slots]
        name = "glInvalidateFramebuffer" if around.version >= FIRST_WITH_INVALIDATION else "glDiscardFramebufferEXT"
        invalidation = call(name, gl.FRAMEBUFFER, len(chosen), chosen, thread=around.thread)
        added.setdefault(places[render_pass["last_call"]] + 1, []).append(invalidation)
    if not added:
        raise RefusedError("no pass stores depth or stencil that is cleared before it is read")
    return inserted(frame.calls, added)


def _unread(frame: CapturedFrame, number: int, slot: str) -> bool:
    """Whether an attachment is stored at the end of a pass, and cleared before it is used again."""
    attachment = _attachment(frame, number, slot)
    if attachment is None or attachment["store"] != "store":
        return False
    uses = [(n, _attachment(frame, n, slot)) for n in range(len(frame.passes))]
    same = [(n, each) for n, each in uses if each is not None and each["surface"] == attachment["surface"]]
    following = next((each for n, each in same if n > number), same[0][1])
    return following["load"] in OVERWRITTEN


def _attachment(frame: CapturedFrame, number: int, slot: str) -> dict[str, object] | None:
    attachments = frame.passes[number]["attachments"]
    return next((each for each in attachments if each["slot"] == slot), None)


TRANSFORMATION = Transformation(
    "invalidate",
    "depth and stencil invalidated at the end of passes",
    "nothing, if frames clear before they use them",
    apply,
    frozenset({"bandwidth"}),
    whole_frame=True,
    exact=True,
    caution="later frames have to clear first, as this one does",
)
