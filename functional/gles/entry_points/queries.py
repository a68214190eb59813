"""Entry points without an effect on what is drawn: queries, hints, synchronization, debugging aids."""

from __future__ import annotations

from ...capture import Call
from ..context import Context
from .table import EntryPoints

entry = EntryPoints()

_NAMES = """
glFlush glFinish glHint glGetError glValidateProgram glReleaseShaderCompiler glReadPixels
glGetString glGetStringi glGetIntegerv glGetInteger64v glGetIntegeri_v glGetInteger64i_v glGetFloatv glGetBooleanv
glGetShaderiv glGetProgramiv glGetShaderInfoLog glGetProgramInfoLog glGetAttribLocation glGetActiveAttrib
glGetActiveUniform glGetShaderPrecisionFormat glGetBufferParameteriv glGetBufferParameteri64v glGetBufferPointerv
glGetTexParameteriv glGetTexParameterfv glGetSamplerParameteriv glGetSamplerParameterfv glGetUniformfv
glGetUniformiv glGetUniformuiv glGetVertexAttribiv glGetVertexAttribfv glGetVertexAttribIiv glGetVertexAttribIuiv
glGetVertexAttribPointerv glGetAttachedShaders glGetShaderSource glGetFramebufferAttachmentParameteriv
glGetRenderbufferParameteriv glCheckFramebufferStatus glIsEnabled glIsBuffer glIsTexture glIsProgram glIsShader
glIsFramebuffer glIsRenderbuffer glIsVertexArray glIsVertexArrayOES glIsQuery glIsSampler glIsSync
glIsTransformFeedback glGetFragDataLocation glGetUniformIndices glGetActiveUniformsiv glGetActiveUniformBlockiv
glGetActiveUniformBlockName glGetInternalformativ glGetSynciv glFenceSync glClientWaitSync glWaitSync glDeleteSync
glGenQueries glDeleteQueries glBeginQuery glEndQuery glGetQueryiv glGetQueryObjectuiv glGenQueriesEXT
glDeleteQueriesEXT glBeginQueryEXT glEndQueryEXT glGetQueryObjectuivEXT glGetQueryivEXT glIsQueryEXT
glProgramParameteri glProgramBinary glProgramBinaryOES glGetProgramBinary glGetProgramBinaryOES glShaderBinary
glGetGraphicsResetStatusEXT glGetGraphicsResetStatusKHR glObjectLabel glObjectLabelKHR glLabelObjectEXT
glGetObjectLabel glGetObjectLabelKHR glObjectPtrLabel glObjectPtrLabelKHR glDebugMessageControl
glDebugMessageControlKHR glDebugMessageCallback glDebugMessageCallbackKHR glDebugMessageInsert
glDebugMessageInsertKHR glGetDebugMessageLog glGetDebugMessageLogKHR glInsertEventMarkerEXT glStringMarkerGREMEDY
glGetClipPlanef glGetClipPlanex glGetFixedv glGetLightfv glGetLightxv glGetMaterialfv glGetMaterialxv glGetPointerv
glGetTexEnvfv glGetTexEnviv glGetTexEnvxv glGetTexParameterxv glInvalidateSubFramebuffer
"""
NO_EFFECT = tuple(_NAMES.split())
"""Queries answer the captured program, which has had its answers; the rest synchronizes or helps with debugging."""


@entry("glPushDebugGroup", "glPushDebugGroupKHR")
def glPushDebugGroup(context: Context, source: int, number: int, length: int, message: str) -> None:
    context.debug_groups.append(message)


@entry()
def glPushGroupMarkerEXT(context: Context, length: int, marker: str) -> None:
    context.debug_groups.append(marker)


@entry("glPopDebugGroup", "glPopDebugGroupKHR", "glPopGroupMarkerEXT")
def glPopDebugGroup(context: Context) -> None:
    if context.debug_groups:
        context.debug_groups.pop()


def _nothing(context: Context, call: Call) -> None:
    return


for _name in NO_EFFECT:
    entry.with_call(_name)(_nothing)
