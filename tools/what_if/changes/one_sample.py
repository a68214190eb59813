"""One sample of a pixel in the place of several, for windows and renderbuffers."""

from __future__ import annotations

from tilegpu.functional.capture import Call, Value
from tilegpu.functional.opengl import egl_enums as egl

from ..captured import CapturedFrame
from ..declare import RefusedError, Transformation

STORAGE = "glRenderbufferStorageMultisample"


def apply(frame: CapturedFrame, draw: int | None) -> list[Call]:
    """Choose configurations and storage without further samples."""
    calls = [_single(each) for each in frame.calls]
    if all(new is old for new, old in zip(calls, frame.calls, strict=True)):
        raise RefusedError("all that is drawn to has one sample")
    return calls


def _single(original: Call) -> Call:
    name, arguments = original.name, original.arguments
    if name == STORAGE and arguments[1] != 0:
        # Zero samples are those of glRenderbufferStorage.
        return original.with_arguments([arguments[0], 0, *arguments[2:]])
    if name == "eglChooseConfig" and isinstance(arguments[1], list):
        attributes = _without_samples(arguments[1])
        return (
            original
            if attributes == arguments[1]
            else original.with_arguments([arguments[0], attributes, *arguments[2:]])
        )
    if name == "eglGetConfigAttrib" and arguments[2] in (egl.SAMPLES, egl.SAMPLE_BUFFERS) and arguments[3] != [0]:
        return original.with_arguments([*arguments[:3], [0]])
    return original


def _without_samples(attributes: list[Value]) -> list[Value]:
    """A list of attributes that asks for no samples."""
    out = list(attributes)
    for place in range(0, len(out) - 1, 2):
        if out[place] in (egl.SAMPLES, egl.SAMPLE_BUFFERS):
            out[place + 1] = 0
    return out


TRANSFORMATION = Transformation(
    "one_sample",
    "one sample of a pixel",
    "edges: they are no longer smooth",
    apply,
    frozenset({"bandwidth", "early_depth", "blending", "rasterization", "arithmetic"}),
    whole_frame=True,
)
