"""Entry points without an effect on what is drawn: queries, hints, synchronization, debugging aids."""

from __future__ import annotations

from ...capture import Call
from ..context import Context
from .table import EntryPoints

entry = EntryPoints()

NO_EFFECT = (
    "glFlush",
    "glFinish",
    "glHint",
    "glGetError",
    "glValidateProgram",
    "glReleaseShaderCompiler",
    "glDiscardFramebufferEXT",
    "glInvalidateFramebuffer",
    "glSampleCoverage",
    "glInsertEventMarkerEXT",
    "glPushGroupMarkerEXT",
    "glPopGroupMarkerEXT",
    "glReadPixels",
    "glGetString",
    "glGetStringi",
    "glGetIntegerv",
    "glGetFloatv",
    "glGetBooleanv",
    "glGetShaderiv",
    "glGetProgramiv",
    "glGetShaderInfoLog",
    "glGetProgramInfoLog",
    "glGetAttribLocation",
    "glGetActiveAttrib",
    "glGetActiveUniform",
    "glGetShaderPrecisionFormat",
    "glGetBufferParameteriv",
    "glGetTexParameteriv",
    "glGetTexParameterfv",
    "glGetUniformfv",
    "glGetUniformiv",
    "glGetVertexAttribiv",
    "glGetVertexAttribfv",
    "glGetVertexAttribPointerv",
    "glGetAttachedShaders",
    "glGetShaderSource",
    "glGetFramebufferAttachmentParameteriv",
    "glGetRenderbufferParameteriv",
    "glCheckFramebufferStatus",
    "glIsEnabled",
    "glIsBuffer",
    "glIsTexture",
    "glIsProgram",
    "glIsShader",
    "glIsFramebuffer",
    "glIsRenderbuffer",
    "glGetGraphicsResetStatusEXT",
    "glGetGraphicsResetStatusKHR",
    "glObjectLabelKHR",
    "glLabelObjectEXT",
    "glDebugMessageControlKHR",
    "glDebugMessageCallbackKHR",
    "glDebugMessageInsertKHR",
    "glPushDebugGroupKHR",
    "glPopDebugGroupKHR",
)


def _nothing(context: Context, call: Call) -> None:
    return


for _name in NO_EFFECT:
    entry.with_call(_name)(_nothing)
