"""Functions of EGL, OpenGL ES and desktop OpenGL: the version of OpenGL ES that has them, their arguments and the kinds
of those.

A line names a function and its arguments as the Khronos registry does, in its order: apitrace's replayer identifies
arguments by position. `=` marks a function with a return value, `>` an argument that the function fills in. A letter
after a colon is a `Kind`, with `*` for an array of it; arguments without one are whole numbers.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from .call import Signature

_EGL = """
=eglGetDisplay display_id:p
=eglInitialize dpy:p >major:i* >minor:i*
=eglBindAPI api
=eglChooseConfig dpy:p attrib_list:i* >configs:p* config_size >num_config:i*
=eglCreateContext dpy:p config:p share_context:p attrib_list:i*
=eglCreateWindowSurface dpy:p config:p win:p attrib_list:i*
=eglMakeCurrent dpy:p draw:p read:p ctx:p
=eglSwapBuffers dpy:p surface:p
=eglDestroySurface dpy:p surface:p
=eglDestroyContext dpy:p ctx:p
=eglTerminate dpy:p
"""
_ES_2_0 = """
glActiveTexture texture
glAttachShader program shader
glBindAttribLocation program index name:s
glBindBuffer target buffer
glBindFramebuffer target framebuffer
glBindRenderbuffer target renderbuffer
glBindTexture target texture
glBlendColor red:f green:f blue:f alpha:f
glBlendEquation mode
glBlendEquationSeparate modeRGB modeAlpha
glBlendFunc sfactor dfactor
glBlendFuncSeparate sfactorRGB dfactorRGB sfactorAlpha dfactorAlpha
glBufferData target size data:v usage
glBufferSubData target offset size data:v
glClear mask
glClearColor red:f green:f blue:f alpha:f
glClearDepthf d:f
glClearStencil s
glColorMask red green blue alpha
glCompileShader shader
glCompressedTexImage2D target level internalformat width height border imageSize data:o
glCompressedTexSubImage2D target level xoffset yoffset width height format imageSize data:o
glCopyTexImage2D target level internalformat x y width height border
glCopyTexSubImage2D target level xoffset yoffset x y width height
=glCreateProgram
=glCreateShader type
glCullFace mode
glDeleteBuffers n buffers:i*
glDeleteFramebuffers n framebuffers:i*
glDeleteProgram program
glDeleteRenderbuffers n renderbuffers:i*
glDeleteShader shader
glDeleteTextures n textures:i*
glDepthFunc func
glDepthMask flag
glDepthRangef n:f f:f
glDetachShader program shader
glDisable cap
glDisableVertexAttribArray index
glDrawArrays mode first count
glDrawElements mode count type indices:o
glEnable cap
glEnableVertexAttribArray index
glFinish
glFlush
glFramebufferRenderbuffer target attachment renderbuffertarget renderbuffer
glFramebufferTexture2D target attachment textarget texture level
glFrontFace mode
glGenBuffers n >buffers:i*
glGenFramebuffers n >framebuffers:i*
glGenRenderbuffers n >renderbuffers:i*
glGenTextures n >textures:i*
glGenerateMipmap target
=glGetUniformLocation program name:s
glHint target mode
glLineWidth width:f
glLinkProgram program
glPixelStorei pname param
glPolygonOffset factor:f units:f
glRenderbufferStorage target internalformat width height
glSampleCoverage value:f invert
glScissor x y width height
glShaderSource shader count string:s* length:i*
glStencilFunc func ref mask
glStencilFuncSeparate face func ref mask
glStencilMask mask
glStencilMaskSeparate face mask
glStencilOp fail zfail zpass
glStencilOpSeparate face sfail dpfail dppass
glTexImage2D target level internalformat width height border format type pixels:o
glTexParameterf target pname param:f
glTexParameteri target pname param
glTexSubImage2D target level xoffset yoffset width height format type pixels:o
glUniform1f location v0:f
glUniform2f location v0:f v1:f
glUniform3f location v0:f v1:f v2:f
glUniform4f location v0:f v1:f v2:f v3:f
glUniform1i location v0
glUniform2i location v0 v1
glUniform3i location v0 v1 v2
glUniform4i location v0 v1 v2 v3
glUniform1fv location count value:f*
glUniform2fv location count value:f*
glUniform3fv location count value:f*
glUniform4fv location count value:f*
glUniform1iv location count value:i*
glUniform2iv location count value:i*
glUniform3iv location count value:i*
glUniform4iv location count value:i*
glUniformMatrix2fv location count transpose value:f*
glUniformMatrix3fv location count transpose value:f*
glUniformMatrix4fv location count transpose value:f*
glUseProgram program
glVertexAttrib1f index x:f
glVertexAttrib2f index x:f y:f
glVertexAttrib3f index x:f y:f z:f
glVertexAttrib4f index x:f y:f z:f w:f
glVertexAttribPointer index size type normalized stride pointer:o
glViewport x y width height
glReadPixels x y width height format type pixels:o
=glCheckFramebufferStatus target
glGetActiveAttrib program index bufSize >length:i* >size:i* >type:i* >name:s
glGetActiveUniform program index bufSize >length:i* >size:i* >type:i* >name:s
glGetAttachedShaders program maxCount >count:i* >shaders:i*
=glGetAttribLocation program name:s
glGetBooleanv pname >data:i*
glGetBufferParameteriv target pname >params:i*
=glGetError
glGetFloatv pname >data:f*
glGetFramebufferAttachmentParameteriv target attachment pname >params:i*
glGetIntegerv pname >data:i*
glGetProgramInfoLog program bufSize >length:i* >infoLog:s
glGetProgramiv program pname >params:i*
glGetRenderbufferParameteriv target pname >params:i*
glGetShaderInfoLog shader bufSize >length:i* >infoLog:s
glGetShaderPrecisionFormat shadertype precisiontype >range:i* >precision:i*
glGetShaderSource shader bufSize >length:i* >source:s
glGetShaderiv shader pname >params:i*
=glGetString name
glGetTexParameterfv target pname >params:f*
glGetTexParameteriv target pname >params:i*
glGetUniformfv program location >params:f*
glGetUniformiv program location >params:i*
glGetVertexAttribPointerv index pname >pointer:p*
glGetVertexAttribfv index pname >params:f*
glGetVertexAttribiv index pname >params:i*
=glIsBuffer buffer
=glIsEnabled cap
=glIsFramebuffer framebuffer
=glIsProgram program
=glIsRenderbuffer renderbuffer
=glIsShader shader
=glIsTexture texture
glReleaseShaderCompiler
glShaderBinary count shaders:i* binaryFormat binary:v length
glTexParameterfv target pname params:f*
glTexParameteriv target pname params:i*
glValidateProgram program
glVertexAttrib1fv index v:f*
glVertexAttrib2fv index v:f*
glVertexAttrib3fv index v:f*
glVertexAttrib4fv index v:f*
"""
_ES_3_0 = """
glBindVertexArray array
glDeleteVertexArrays n arrays:i*
glGenVertexArrays n >arrays:i*
glDrawArraysInstanced mode first count instancecount
glDrawElementsInstanced mode count type indices:o instancecount
glVertexAttribDivisor index divisor
glVertexAttribIPointer index size type stride pointer:o
glBindBufferBase target index buffer
glBindBufferRange target index buffer offset size
=glGetUniformBlockIndex program uniformBlockName:s
glUniformBlockBinding program uniformBlockIndex uniformBlockBinding
glBlitFramebuffer srcX0 srcY0 srcX1 srcY1 dstX0 dstY0 dstX1 dstY1 mask filter
glClearBufferfv buffer drawbuffer value:f*
glClearBufferiv buffer drawbuffer value:i*
glClearBufferfi buffer drawbuffer depth:f stencil
glDrawBuffers n bufs:i*
glReadBuffer src
glRenderbufferStorageMultisample target samples internalformat width height
glInvalidateFramebuffer target numAttachments attachments:i*
glTexImage3D target level internalformat width height depth border format type pixels:o
glTexSubImage3D target level xoffset yoffset zoffset width height depth format type pixels:o
glTexStorage2D target levels internalformat width height
glTexStorage3D target levels internalformat width height depth
glFramebufferTextureLayer target attachment texture level layer
glGenSamplers count >samplers:i*
glBindSampler unit sampler
glSamplerParameteri sampler pname param
glSamplerParameterf sampler pname param:f
glUniform1ui location v0
glUniform1uiv location count value:i*
glCopyBufferSubData readTarget writeTarget readOffset writeOffset size
glBeginQuery target id
glBeginTransformFeedback primitiveMode
glBindTransformFeedback target id
glClearBufferuiv buffer drawbuffer value:i*
=glClientWaitSync sync:p flags timeout
glCompressedTexImage3D target level internalformat width height depth border imageSize data:o
glCompressedTexSubImage3D target level xoffset yoffset zoffset width height depth format imageSize data:o
glCopyTexSubImage3D target level xoffset yoffset zoffset x y width height
glDeleteQueries n ids:i*
glDeleteSamplers count samplers:i*
glDeleteSync sync:p
glDeleteTransformFeedbacks n ids:i*
glDrawRangeElements mode start end count type indices:o
glEndQuery target
glEndTransformFeedback
=glFenceSync condition flags
glFlushMappedBufferRange target offset length
glGenQueries n >ids:i*
glGenTransformFeedbacks n >ids:i*
glGetActiveUniformBlockName program uniformBlockIndex bufSize >length:i* >uniformBlockName:s
glGetActiveUniformBlockiv program uniformBlockIndex pname >params:i*
glGetActiveUniformsiv program uniformCount uniformIndices:i* pname >params:i*
glGetBufferParameteri64v target pname >params:i*
glGetBufferPointerv target pname >params:p*
=glGetFragDataLocation program name:s
glGetInteger64i_v target index >data:i*
glGetInteger64v pname >data:i*
glGetIntegeri_v target index >data:i*
glGetInternalformativ target internalformat pname count >params:i*
glGetProgramBinary program bufSize >length:i* >binaryFormat:i* >binary:v
glGetQueryObjectuiv id pname >params:i*
glGetQueryiv target pname >params:i*
glGetSamplerParameterfv sampler pname >params:f*
glGetSamplerParameteriv sampler pname >params:i*
=glGetStringi name index
glGetSynciv sync:p pname count >length:i* >values:i*
glGetTransformFeedbackVarying program index bufSize >length:i* >size:i* >type:i* >name:s
glGetUniformIndices program uniformCount uniformNames:s* >uniformIndices:i*
glGetUniformuiv program location >params:i*
glGetVertexAttribIiv index pname >params:i*
glGetVertexAttribIuiv index pname >params:i*
glInvalidateSubFramebuffer target numAttachments attachments:i* x y width height
=glIsQuery id
=glIsSampler sampler
=glIsSync sync:p
=glIsTransformFeedback id
=glIsVertexArray array
=glMapBufferRange target offset length access
glPauseTransformFeedback
glProgramBinary program binaryFormat binary:v length
glProgramParameteri program pname value
glResumeTransformFeedback
glSamplerParameterfv sampler pname param:f*
glSamplerParameteriv sampler pname param:i*
glTransformFeedbackVaryings program count varyings:s* bufferMode
glUniform2ui location v0 v1
glUniform2uiv location count value:i*
glUniform3ui location v0 v1 v2
glUniform3uiv location count value:i*
glUniform4ui location v0 v1 v2 v3
glUniform4uiv location count value:i*
glUniformMatrix2x3fv location count transpose value:f*
glUniformMatrix2x4fv location count transpose value:f*
glUniformMatrix3x2fv location count transpose value:f*
glUniformMatrix3x4fv location count transpose value:f*
glUniformMatrix4x2fv location count transpose value:f*
glUniformMatrix4x3fv location count transpose value:f*
=glUnmapBuffer target
glVertexAttribI4i index x y z w
glVertexAttribI4iv index v:i*
glVertexAttribI4ui index x y z w
glVertexAttribI4uiv index v:i*
glWaitSync sync:p flags timeout
"""
_ES_3_1 = """
glActiveShaderProgram pipeline program
glBindImageTexture unit texture level layered layer access format
glBindProgramPipeline pipeline
glBindVertexBuffer bindingindex buffer offset stride
=glCreateShaderProgramv type count strings:s*
glDeleteProgramPipelines n pipelines:i*
glDispatchCompute num_groups_x num_groups_y num_groups_z
glDispatchComputeIndirect indirect
glDrawArraysIndirect mode indirect:o
glDrawElementsIndirect mode type indirect:o
glFramebufferParameteri target pname param
glGenProgramPipelines n >pipelines:i*
glGetBooleani_v target index >data:i*
glGetFramebufferParameteriv target pname >params:i*
glGetMultisamplefv pname index >val:f*
glGetProgramInterfaceiv program programInterface pname >params:i*
glGetProgramPipelineInfoLog pipeline bufSize >length:i* >infoLog:s
glGetProgramPipelineiv pipeline pname >params:i*
=glGetProgramResourceIndex program programInterface name:s
=glGetProgramResourceLocation program programInterface name:s
glGetProgramResourceName program programInterface index bufSize >length:i* >name:s
glGetProgramResourceiv program programInterface index propCount props:i* count >length:i* >params:i*
glGetTexLevelParameterfv target level pname >params:f*
glGetTexLevelParameteriv target level pname >params:i*
=glIsProgramPipeline pipeline
glMemoryBarrier barriers
glMemoryBarrierByRegion barriers
glProgramUniform1f program location v0:f
glProgramUniform1i program location v0
glProgramUniform1ui program location v0
glProgramUniform1fv program location count value:f*
glProgramUniform1iv program location count value:i*
glProgramUniform1uiv program location count value:i*
glProgramUniform2f program location v0:f v1:f
glProgramUniform2i program location v0 v1
glProgramUniform2ui program location v0 v1
glProgramUniform2fv program location count value:f*
glProgramUniform2iv program location count value:i*
glProgramUniform2uiv program location count value:i*
glProgramUniform3f program location v0:f v1:f v2:f
glProgramUniform3i program location v0 v1 v2
glProgramUniform3ui program location v0 v1 v2
glProgramUniform3fv program location count value:f*
glProgramUniform3iv program location count value:i*
glProgramUniform3uiv program location count value:i*
glProgramUniform4f program location v0:f v1:f v2:f v3:f
glProgramUniform4i program location v0 v1 v2 v3
glProgramUniform4ui program location v0 v1 v2 v3
glProgramUniform4fv program location count value:f*
glProgramUniform4iv program location count value:i*
glProgramUniform4uiv program location count value:i*
glProgramUniformMatrix2fv program location count transpose value:f*
glProgramUniformMatrix3fv program location count transpose value:f*
glProgramUniformMatrix4fv program location count transpose value:f*
glProgramUniformMatrix2x3fv program location count transpose value:f*
glProgramUniformMatrix2x4fv program location count transpose value:f*
glProgramUniformMatrix3x2fv program location count transpose value:f*
glProgramUniformMatrix3x4fv program location count transpose value:f*
glProgramUniformMatrix4x2fv program location count transpose value:f*
glProgramUniformMatrix4x3fv program location count transpose value:f*
glSampleMaski maskNumber mask
glTexStorage2DMultisample target samples internalformat width height fixedsamplelocations
glUseProgramStages pipeline stages program
glValidateProgramPipeline pipeline
glVertexAttribBinding attribindex bindingindex
glVertexAttribFormat attribindex size type normalized relativeoffset
glVertexAttribIFormat attribindex size type relativeoffset
glVertexBindingDivisor bindingindex divisor
"""
_ES_1_1 = """
glMatrixMode mode
glLoadIdentity
glPushMatrix
glPopMatrix
glLoadMatrixf m:f*
glMultMatrixf m:f*
glTranslatef x:f y:f z:f
glRotatef angle:f x:f y:f z:f
glScalef x:f y:f z:f
glFrustumf l:f r:f b:f t:f n:f f:f
glOrthof l:f r:f b:f t:f n:f f:f
glLightf light pname param:f
glLightfv light pname params:f*
glLightModelf pname param:f
glLightModelfv pname params:f*
glMaterialf face pname param:f
glMaterialfv face pname params:f*
glColor4f red:f green:f blue:f alpha:f
glNormal3f nx:f ny:f nz:f
glMultiTexCoord4f target s:f t:f r:f q:f
glEnableClientState array
glDisableClientState array
glClientActiveTexture texture
glVertexPointer size type stride pointer:o
glNormalPointer type stride pointer:o
glColorPointer size type stride pointer:o
glTexCoordPointer size type stride pointer:o
glTexEnvf target pname param:f
glTexEnvi target pname param
glTexEnvfv target pname params:f*
glFogf pname param:f
glFogfv pname params:f*
glAlphaFunc func ref:f
glShadeModel mode
glPointSize size:f
glClipPlanef p eqn:f*
glAlphaFuncx func ref:x
glClearColorx red:x green:x blue:x alpha:x
glClearDepthx depth:x
glClipPlanex plane equation:x*
glColor4ub red green blue alpha
glColor4x red:x green:x blue:x alpha:x
glDepthRangex n:x f:x
glFogx pname param:x
glFogxv pname param:x*
glFrustumx l:x r:x b:x t:x n:x f:x
glGetClipPlanef plane >equation:f*
glGetClipPlanex plane >equation:x*
glGetFixedv pname >params:x*
glGetLightfv light pname >params:f*
glGetLightxv light pname >params:x*
glGetMaterialfv face pname >params:f*
glGetMaterialxv face pname >params:x*
glGetPointerv pname >params:p*
glGetTexEnvfv target pname >params:f*
glGetTexEnviv target pname >params:i*
glGetTexEnvxv target pname >params:x*
glGetTexParameterxv target pname >params:x*
glLightModelx pname param:x
glLightModelxv pname param:x*
glLightx light pname param:x
glLightxv light pname params:x*
glLineWidthx width:x
glLoadMatrixx m:x*
glLogicOp opcode
glMaterialx face pname param:x
glMaterialxv face pname param:x*
glMultMatrixx m:x*
glMultiTexCoord4x texture s:x t:x r:x q:x
glNormal3x nx:x ny:x nz:x
glOrthox l:x r:x b:x t:x n:x f:x
glPointParameterf pname param:f
glPointParameterfv pname params:f*
glPointParameterx pname param:x
glPointParameterxv pname params:x*
glPointSizePointerOES type stride pointer:o
glPointSizex size:x
glPolygonOffsetx factor:x units:x
glRotatex angle:x x:x y:x z:x
glSampleCoveragex value:x invert
glScalex x:x y:x z:x
glTexEnviv target pname params:i*
glTexEnvx target pname param:x
glTexEnvxv target pname params:x*
glTexParameterx target pname param:x
glTexParameterxv target pname params:x*
glTranslatex x:x y:x z:x
"""
_LATER = """
glDrawElementsBaseVertex mode count type indices:o basevertex
glDrawElementsInstancedBaseVertex mode count type indices:o instancecount basevertex
glDrawElementsInstancedBaseVertexBaseInstanceEXT mode count type indices:o instancecount basevertex baseinstance
glDrawArraysInstancedBaseInstanceEXT mode first count instancecount baseinstance
glTexParameterIivEXT target pname params:i*
glBlendBarrier
glBlendBarrierKHR
glEnableiEXT target index
glDisableiEXT target index
glBlendEquationiEXT buf mode
glBlendEquationSeparateiEXT buf modeRGB modeAlpha
glBlendFunciEXT buf src dst
glBlendFuncSeparateiEXT buf srcRGB dstRGB srcAlpha dstAlpha
glColorMaskiEXT index r g b a
glBufferStorageEXT target size data:v flags
glPushDebugGroup source id length message:s
glPopDebugGroup
glPushGroupMarkerEXT length marker:s
glPopGroupMarkerEXT
glInsertEventMarkerEXT length marker:s
glObjectLabel identifier name length label:s
glLabelObjectEXT type object length label:s
glDrawTexfOES x:f y:f z:f width:f height:f
glBeginQueryEXT target id
glBindVertexArrayOES array
glDiscardFramebufferEXT target numAttachments attachments:i*
glEndQueryEXT target
glGenQueriesEXT n >ids:i*
glGenVertexArraysOES n >arrays:i*
=glMapBufferOES target access
glTexImage3DOES target level internalformat width height depth border format type pixels:o
=glUnmapBufferOES target
memcpy dest:p src:v n
"""


_DESKTOP = """
glClearDepth depth:d
glClipPlane plane equation:d*
glColor3f red:f green:f blue:f
glColor3fv v:f*
glColor3ub red green blue
glColor4fv v:f*
glColor4ubv v:i*
glColorMaterial face mode
glDepthRange n:d f:d
glFogi pname param
glFrustum left:d right:d bottom:d top:d zNear:d zFar:d
glLightModeli pname param
glLoadMatrixd m:d*
glLoadTransposeMatrixf m:f*
glMultMatrixd m:d*
glMultTransposeMatrixd m:d*
glMultiTexCoord2f target s:f t:f
glNormal3b nx ny nz
glOrtho left:d right:d bottom:d top:d zNear:d zFar:d
glPolygonMode face mode
glRotated angle:d x:d y:d z:d
glScaled x:d y:d z:d
glTexCoord2f s:f t:f
glTranslated x:d y:d z:d
"""


class Kind(Enum):
    """Kind of an argument, by its letter in the table."""

    WHOLE = "i"
    """Integers, enums, bits, booleans and names of objects."""
    FLOAT = "f"
    DOUBLE = "d"
    FIXED = "x"
    """Numbers with 16 bits after the point (GLfixed)."""
    TEXT = "s"
    MEMORY = "v"
    """An address in the program's memory."""
    PLACE = "o"
    """An address in the program's memory, or an offset into the buffer that is bound."""
    HANDLE = "p"
    """An opaque pointer."""


class Argument(NamedTuple):
    """One argument of a function.

    Attributes
    ----------
    name
        Name in the Khronos registry.
    kind
        Kind of the argument, or of the elements of an array.
    array
        True for an array of numbers, texts or pointers.
    filled
        True if the function fills it in.
    """

    name: str
    kind: Kind
    array: bool
    filled: bool


def _argument(word: str) -> Argument:
    name, _, kind = word.lstrip(">").partition(":")
    return Argument(name, Kind(kind.rstrip("*") or "i"), kind.endswith("*"), word.startswith(">"))


_TABLES = (
    ("", _EGL),
    ("2.0", _ES_2_0),
    ("3.0", _ES_3_0),
    ("3.1", _ES_3_1),
    ("1.1", _ES_1_1),
    ("", _LATER),
    ("", _DESKTOP),
)
_LINES = tuple((version, line.split()) for version, text in _TABLES for line in text.strip().split("\n"))
ARGUMENTS = MappingProxyType({name.lstrip("="): tuple(map(_argument, words)) for _, (name, *words) in _LINES})
"""Arguments by function name."""
RETURNING = frozenset(name[1:] for _, (name, *_words) in _LINES if name.startswith("="))
"""Names of the functions with a return value."""
VERSIONS = MappingProxyType({name.lstrip("="): version for version, (name, *_words) in _LINES if version})
"""First version of OpenGL ES by function (1.1 for those that only the fixed-function API has)."""
SIGNATURES = MappingProxyType({name: Signature(name, tuple(a.name for a in one)) for name, one in ARGUMENTS.items()})
"""Signature by function name."""
FILLED = MappingProxyType(
    {name: frozenset(i for i, a in enumerate(one) if a.filled) for name, one in ARGUMENTS.items()}
)
"""Positions of the arguments that the function fills in."""
