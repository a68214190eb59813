"""Types in C of the whole numbers that entry points take, as the Khronos registry declares them.

A line gives types and the functions that have them, argument by argument; the last arguments may be left out. `.` is
anything else. A pointer has the type of what it points to. A function of an extension that is not here has the types of
that without the suffix.
"""

from __future__ import annotations

import re
from types import MappingProxyType

RANGES = MappingProxyType(
    {
        "i": (-(1 << 31), (1 << 31) - 1),
        "u": (-(1 << 31), (1 << 32) - 1),
        "b": (-(1 << 7), (1 << 8) - 1),
        "c": (-(1 << 7), (1 << 7) - 1),
        "s": (-(1 << 15), (1 << 15) - 1),
        "h": (-(1 << 15), (1 << 16) - 1),
        "l": (-(1 << 63), (1 << 63) - 1),
        "L": (-(1 << 63), (1 << 64) - 1),
    }
)
"""Least and greatest number of a type. Programs pass -1 for all bits of unsigned numbers."""
FORMATS = MappingProxyType({"i": "i", "u": "I", "b": "B", "c": "b", "s": "h", "h": "H", "l": "q", "L": "Q"})
"""Letters of the module `struct`."""
_SUFFIX = re.compile("(OES|EXT|KHR|APPLE|ANGLE|NV|ARB|IMG)$")
_DECLARED = """
b: glColor3ubv glColor4ubv glDepthMask
c: glColor3bv glColor4bv glNormal3bv
h: glColor3usv glColor4usv
i: glClearDepthx glClearStencil glColor3iv glColor4iv glDrawTexivOES glInsertEventMarkerEXT glLineWidthx
glLoadMatrixx glMultMatrixx glNormal3iv glPointSizex glPushGroupMarkerEXT glStringMarkerGREMEDY
glTexCoord1i glTexCoord1iv glTexCoord2iv glTexCoord3iv glTexCoord4iv glUniform1f glUniform2f glUniform3f glUniform4f
l: glDispatchComputeIndirect
s: glColor3sv glColor4sv glDrawTexsvOES glNormal3sv glTexCoord1s glTexCoord1sv glTexCoord2sv glTexCoord3sv glTexCoord4sv
u: glActiveTexture glAlphaFunc glBeginTransformFeedback glBindProgramPipeline glBindVertexArray glBlendEquation
glCheckFramebufferStatus glClear glClientActiveTexture glClipPlane glClipPlanef glColor3uiv glColor4uiv glCompileShader
glCreateShader glCullFace glDeleteProgram glDeleteShader glDepthFunc glDisable glDisableClientState
glDisableVertexAttribArray glDrawArraysIndirect glEGLImageTargetRenderbufferStorageOES glEGLImageTargetTexture2DOES
glEnable glEnableClientState glEnableVertexAttribArray glEndQuery glFogf glFogfv glFrontFace glGenerateMipmap
glGetAttribLocation glGetClipPlanef glGetFloatv glGetFragDataLocation glGetPointerv glGetString glGetUniformBlockIndex
glGetUniformLocation glIsBuffer glIsEnabled glIsFramebuffer glIsProgram glIsProgramPipeline glIsQuery glIsRenderbuffer
glIsSampler glIsShader glIsTexture glIsTransformFeedback glIsVertexArray glLightModelf glLightModelfv glLinkProgram
glLogicOp glMatrixMode glMemoryBarrier glMemoryBarrierByRegion glMultiTexCoord1d glMultiTexCoord1dv glMultiTexCoord1f
glMultiTexCoord1fv glMultiTexCoord2d glMultiTexCoord2dv glMultiTexCoord2f glMultiTexCoord2fv glMultiTexCoord3d
glMultiTexCoord3dv glMultiTexCoord3f glMultiTexCoord3fv glMultiTexCoord4d glMultiTexCoord4dv glMultiTexCoord4f
glMultiTexCoord4fv glPointParameterf glPointParameterfv glReadBuffer glShadeModel glStencilMask glUnmapBuffer
glUseProgram glValidateProgram glValidateProgramPipeline glVertexAttrib1f glVertexAttrib1fv glVertexAttrib2f
glVertexAttrib2fv glVertexAttrib3f glVertexAttrib3fv glVertexAttrib4f glVertexAttrib4fv
.b: glSampleCoverage
.i: glObjectPtrLabel
ib: glSampleCoveragex
ii: glDepthRangex glPolygonOffsetx glTexCoord2i glUniform1fv glUniform1i glUniform2fv glUniform3fv glUniform4fv
iu: glDeleteBuffers glDeleteFramebuffers glDeleteProgramPipelines glDeleteQueries glDeleteRenderbuffers glDeleteSamplers
glDeleteTextures glDeleteTransformFeedbacks glDeleteVertexArrays glDrawBuffers glGenBuffers glGenFramebuffers
glGenProgramPipelines glGenQueries glGenRenderbuffers glGenSamplers glGenTextures glGenTransformFeedbacks
glGenVertexArrays glUniform1ui
ss: glTexCoord2s
ub: glGetBooleanv
ui: glAlphaFuncx glClearBufferfv glClipPlanex glCreateShaderProgramv glFogi glFogiv glFogx glFogxv glGetClipPlanex
glGetFixedv glGetIntegerv glGetUniformfv glLightModeli glLightModeliv glLightModelx glLightModelxv glMultiTexCoord1i
glMultiTexCoord1iv glMultiTexCoord2iv glMultiTexCoord3iv glMultiTexCoord4iv glNormalPointer
glPixelStorei glPointParameteri glPointParameteriv glPointParameterx glPointParameterxv glPointSizePointerOES
glProgramUniform1f glProgramUniform2f glProgramUniform3f glProgramUniform4f glVertexAttribI4iv
ul: glGetInteger64v
us: glMultiTexCoord1s glMultiTexCoord1sv glMultiTexCoord2sv glMultiTexCoord3sv glMultiTexCoord4sv
uu: glActiveShaderProgram glAttachShader glBeginQuery glBindAttribLocation glBindBuffer glBindFramebuffer
glBindRenderbuffer glBindSampler glBindTexture glBindTransformFeedback glBlendEquationSeparate glBlendEquationi
glBlendFunc glColorMaterial glDetachShader glDisablei glDrawElementsIndirect glEnablei glFenceSync glGetBufferPointerv
glGetLightfv glGetMaterialfv glGetMultisamplefv glGetProgramResourceIndex glGetProgramResourceLocation
glGetSamplerParameterfv glGetStringi glGetTexEnvfv glGetTexParameterfv glGetVertexAttribPointerv glGetVertexAttribfv
glHint glIsEnabledi glLightf glLightfv glMapBuffer glMaterialf glMaterialfv glPolygonMode glQueryCounterEXT
glSampleMaski glSamplerParameterf glSamplerParameterfv glStencilMaskSeparate glTexEnvf glTexEnvfv glTexParameterf
glTexParameterfv glVertexAttribBinding glVertexAttribDivisor glVertexAttribI4uiv glVertexBindingDivisor
.ii: glGetObjectPtrLabel
.uL: glClientWaitSync glWaitSync
bbb: glColor3ub
ccc: glColor3b glNormal3b
hhh: glColor3us
iib: glUniformMatrix2fv glUniformMatrix2x3fv glUniformMatrix2x4fv glUniformMatrix3fv glUniformMatrix3x2fv
glUniformMatrix3x4fv glUniformMatrix4fv glUniformMatrix4x2fv glUniformMatrix4x3fv
iii: glColor3i glNormal3i glNormal3x glScalex glTexCoord3i glTranslatex glUniform1iv glUniform2i glUniform2iv
glUniform3iv glUniform4iv
iiu: glUniform1uiv glUniform2uiv glUniform3uiv glUniform4uiv
iui: glColorPointer glTexCoordPointer glVertexPointer
iuu: glUniform2ui
sss: glColor3s glNormal3s glTexCoord3s
u.i: glEGLImageTargetTexStorageEXT
uii: glClearBufferiv glDrawArrays glGetProgramInfoLog glGetProgramPipelineInfoLog glGetShaderInfoLog glGetShaderSource
glGetUniformiv glGetnUniformfvEXT glMultiTexCoord2i glProgramUniform1fv glProgramUniform1i glProgramUniform2fv
glProgramUniform3fv glProgramUniform4fv
uiu: glClearBufferuiv glDiscardFramebufferEXT glDrawElements glGetTexLevelParameterfv glGetUniformuiv
glInvalidateFramebuffer glProgramUniform1ui glStencilFunc
ull: glBufferSubData glFlushMappedBufferRange
uss: glMultiTexCoord2s
uuL: glGetQueryObjectui64vEXT
uub: glGetBooleani_v
uui: glFramebufferParameteri glGetBufferParameteriv glGetFramebufferParameteriv glGetIntegeri_v glGetLightxv
glGetMaterialxv glGetProgramPipelineiv glGetProgramiv glGetQueryObjectivEXT glGetQueryiv glGetRenderbufferParameteriv
glGetSamplerParameterIiv glGetSamplerParameteriv glGetShaderiv glGetTexEnviv glGetTexEnvxv glGetTexParameterIiv
glGetTexParameteriv glGetTexParameterxv glGetVertexAttribIiv glGetVertexAttribiv glLabelObjectEXT glLighti glLightiv
glLightx glLightxv glMateriali glMaterialiv glMaterialx glMaterialxv glObjectLabel glProgramParameteri glPushDebugGroup
glSamplerParameterIiv glSamplerParameteri glSamplerParameteriv glTexEnvi glTexEnviv glTexEnvx glTexEnvxv
glTexParameterIiv glTexParameteri glTexParameteriv glTexParameterx glTexParameterxv
uul: glGetBufferParameteri64v glGetInteger64i_v glGetQueryObjecti64vEXT
uuu: glBindBufferBase glBlendEquationSeparatei glBlendFunci glColor3ui glDispatchCompute glGetQueryObjectuiv
glGetSamplerParameterIuiv glGetTexParameterIuiv glGetVertexAttribIuiv glSamplerParameterIuiv glStencilOp
glTexParameterIuiv glUniformBlockBinding glUseProgramStages
bbbb: glColor4ub glColorMask
cccc: glColor4b
hhhh: glColor4us
iiii: glClearColorx glColor4i glColor4x glRotatex glScissor glTexCoord4i glUniform3i glViewport
iuuu: glUniform3ui
ssss: glColor4s glTexCoord4s
ui.i: glClearBufferfi glShaderSource
ui.u: glGetUniformIndices glTransformFeedbackVaryings
uiib: glProgramUniformMatrix2fv glProgramUniformMatrix2x3fv glProgramUniformMatrix2x4fv glProgramUniformMatrix3fv
glProgramUniformMatrix3x2fv glProgramUniformMatrix3x4fv glProgramUniformMatrix4fv glProgramUniformMatrix4x2fv
glProgramUniformMatrix4x3fv
uiii: glDrawArraysInstanced glGetnUniformivEXT glMultiTexCoord3i glProgramUniform1iv glProgramUniform2i
glProgramUniform2iv glProgramUniform3iv glProgramUniform4iv
uiiu: glGetAttachedShaders glGetProgramBinary glProgramUniform1uiv glProgramUniform2uiv glProgramUniform3uiv
glProgramUniform4uiv
uiui: glGetTexLevelParameteriv glVertexAttribIPointer
uiuu: glProgramUniform2ui glVertexAttribIFormat
ul.u: glBufferData glBufferStorage
ullu: glMapBufferRange
usss: glMultiTexCoord3s
uu.i: glProgramBinary
uuii: glGetActiveUniformBlockName glGetObjectLabel glGetShaderPrecisionFormat glRenderbufferStorage
uuiu: glStencilFuncSeparate
uuli: glBindVertexBuffer
uuui: glGetActiveUniformBlockiv glGetFramebufferAttachmentParameteriv glGetProgramInterfaceiv
uuuu: glBlendFuncSeparate glColor4ui glFramebufferRenderbuffer glStencilOpSeparate
.uiii: glGetSynciv
iiiii: glDrawTexiOES glDrawTexxOES glUniform4i
iuu.i: glShaderBinary
iuuuu: glUniform4ui
sssss: glDrawTexsOES
ubbbb: glColorMaski
uiiii: glMultiTexCoord4i glMultiTexCoord4x glProgramUniform3i glVertexAttribI4i
uiiiu: glDrawArraysInstancedBaseInstanceEXT
uiu.i: glDrawElementsBaseVertex glDrawElementsInstanced
uiubi: glVertexAttribPointer
uiubu: glVertexAttribFormat
uiuii: glRenderbufferStorageMultisample glTexStorage2D
uiuui: glGetActiveUniformsiv
uiuuu: glProgramUniform3ui
ussss: glMultiTexCoord4s
uulll: glCopyBufferSubData
uuuii: glFramebufferTextureLayer glGetInternalformativ glGetProgramResourceName
uuuiu: glDrawRangeElements
uuull: glBindBufferRange
uuuui: glDebugMessageInsert glFramebufferTexture2D
uuuuu: glBlendFuncSeparatei glVertexAttribI4ui
iiiiii: glFrustumx glOrthox
iiiiuu: glReadPixels
uiiiii: glProgramUniform4i
uiu.ii: glDrawElementsInstancedBaseVertex
uiu.iu: glDrawElementsInstancedBaseInstanceEXT
uiuiib: glTexStorage2DMultisample
uiuiii: glTexStorage3D
uiuuuu: glProgramUniform4ui
uuiiiu: glGetActiveAttrib glGetActiveUniform glGetTransformFeedbackVarying
uuuiub: glDebugMessageControl
iiiiuui: glReadnPixels
uiu.iiu: glDrawElementsInstancedBaseVertexBaseInstanceEXT
uiuiiii: glCompressedTexImage2D glInvalidateSubFramebuffer
uiuuuui: glGetDebugMessageLog
uuibiuu: glBindImageTexture
uuuiu.i: glDrawRangeElementsBaseVertex
uiiiiiii: glCopyTexSubImage2D
uiiiiiui: glCompressedTexSubImage2D
uiiiiiuu: glTexImage2D glTexSubImage2D
uiuiiiii: glCompressedTexImage3D glCopyTexImage2D
uuuiuiii: glGetProgramResourceiv
uiiiiiiii: glCopyTexSubImage3D
uiiiiiiuu: glTexImage3D
uiuiiiiuu: glTexImage3DOES
iiiiiiiiuu: glBlitFramebuffer
uiiiiiiiui: glCompressedTexSubImage3D
uiiiiiiiuu: glTexSubImage3D
"""


def _by_name() -> dict[str, str]:
    by_name, types = {}, ""
    for word in _DECLARED.split():
        if word.endswith(":"):
            types = word[:-1]
        else:
            by_name[word] = types
    return by_name


_TYPES = MappingProxyType(_by_name())


def types_of(name: str) -> str:
    """Types of a function's arguments; "" for one that the registry lacks."""
    return _TYPES.get(name) or _TYPES.get(_SUFFIX.sub("", name), "")
