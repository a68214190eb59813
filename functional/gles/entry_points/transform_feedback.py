"""Entry points of transform feedback (OpenGL ES 3.0, 2.11.8 and 2.15)."""

from __future__ import annotations

from collections.abc import Sequence

from ...opengl import enums as gl
from ...opengl.errors import GLError
from ..checks import listed
from ..context import Context
from ..effects import HARMLESS
from ..feedback import MAX_BINDINGS, VERTICES_PER_PRIMITIVE, TransformFeedback
from .programs import program_object
from .table import EntryPoints

entry = EntryPoints()


@entry("glTransformFeedbackVaryings", "glTransformFeedbackVaryingsEXT")
def glTransformFeedbackVaryings(context: Context, program: int, count: int, names: Sequence[str], mode: int) -> None:
    target = program_object(context, program)
    if mode not in (gl.INTERLEAVED_ATTRIBS, gl.SEPARATE_ATTRIBS):
        raise GLError(gl.INVALID_ENUM, f"buffer mode {mode:#06x}")
    if count < 0 or (mode == gl.SEPARATE_ATTRIBS and count > MAX_BINDINGS):
        raise GLError(gl.INVALID_VALUE, f"{count} outputs")
    target.feedback_names = tuple(names[:count])
    target.feedback_mode = mode


@entry(effect=HARMLESS)
def glGenTransformFeedbacks(context: Context, count: int, names: Sequence[int]) -> None:
    for name in listed(count, names):
        context.feedbacks.setdefault(name, TransformFeedback(name))


@entry()
def glBindTransformFeedback(context: Context, target: int, name: int) -> None:
    if target != gl.TRANSFORM_FEEDBACK:
        raise GLError(gl.INVALID_ENUM, f"target {target:#06x}")
    if context.feedback.capturing:
        raise GLError(gl.INVALID_OPERATION, "transform feedback is active")
    if name not in context.feedbacks:
        raise GLError(gl.INVALID_OPERATION, f"no transform feedback {name}")
    context.feedbacks[name].bound = True
    context.state.transform_feedback = name


@entry()
def glDeleteTransformFeedbacks(context: Context, count: int, names: Sequence[int]) -> None:
    gone = listed(count, names)
    if any(name in context.feedbacks and context.feedbacks[name].active for name in gone):
        raise GLError(gl.INVALID_OPERATION, "transform feedback is active")
    for name in gone:
        if name:
            context.feedbacks.pop(name, None)
            if context.state.transform_feedback == name:
                context.state.transform_feedback = 0


@entry()
def glBeginTransformFeedback(context: Context, mode: int) -> None:
    feedback = context.feedback
    if mode not in VERTICES_PER_PRIMITIVE:
        raise GLError(gl.INVALID_ENUM, f"mode {mode:#06x}")
    if feedback.active:
        raise GLError(gl.INVALID_OPERATION, "transform feedback is active already")
    program = context.program
    if program is None or program.linked is None or not program.linked.captured:
        raise GLError(gl.INVALID_OPERATION, "no program in use captures anything")
    buffers = len(program.linked.captured) if program.feedback_separate else 1
    if any(number not in feedback.bindings for number in range(buffers)):
        raise GLError(gl.INVALID_OPERATION, "a transform feedback buffer is not bound")
    feedback.begin(mode, program)


@entry()
def glEndTransformFeedback(context: Context) -> None:
    if not context.feedback.active:
        raise GLError(gl.INVALID_OPERATION, "transform feedback is not active")
    context.feedback.end()


@entry()
def glPauseTransformFeedback(context: Context) -> None:
    if not context.feedback.capturing:
        raise GLError(gl.INVALID_OPERATION, "transform feedback is not active, or paused")
    context.feedback.paused = True


@entry()
def glResumeTransformFeedback(context: Context) -> None:
    feedback = context.feedback
    if not feedback.active or not feedback.paused or feedback.program is not context.program:
        raise GLError(gl.INVALID_OPERATION, "transform feedback is not paused, or another program is in use")
    feedback.paused = False
