"""Argument names of the EGL and OpenGL ES functions that the recorder offers, listed in the specifications' order.

`>` marks an argument that the function fills in, `=` a function with a return value. apitrace's replayer identifies
arguments by position, so their order matters; their names are for readers.
"""

from __future__ import annotations

from types import MappingProxyType

from .call import Signature

_FUNCTIONS = """
=eglGetDisplay display_id
=eglInitialize dpy >major >minor
=eglBindAPI api
=eglChooseConfig dpy attrib_list >configs config_size >num_config
=eglCreateContext dpy config share_context attrib_list
=eglCreateWindowSurface dpy config win attrib_list
=eglMakeCurrent dpy draw read ctx
=eglSwapBuffers dpy surface
=eglDestroySurface dpy surface
=eglDestroyContext dpy ctx
=eglTerminate dpy
glActiveTexture texture
glAttachShader program shader
glBindAttribLocation program index name
glBindBuffer target buffer
glBindFramebuffer target framebuffer
glBindRenderbuffer target renderbuffer
glBindTexture target texture
glBlendColor red green blue alpha
glBlendEquation mode
glBlendEquationSeparate modeRGB modeAlpha
glBlendFunc sfactor dfactor
glBlendFuncSeparate sfactorRGB dfactorRGB sfactorAlpha dfactorAlpha
glBufferData target size data usage
glBufferSubData target offset size data
glClear mask
glClearColor red green blue alpha
glClearDepthf d
glClearStencil s
glColorMask red green blue alpha
glCompileShader shader
glCompressedTexImage2D target level internalformat width height border imageSize data
glCompressedTexSubImage2D target level xoffset yoffset width height format imageSize data
glCopyTexImage2D target level internalformat x y width height border
glCopyTexSubImage2D target level xoffset yoffset x y width height
=glCreateProgram
=glCreateShader type
glCullFace mode
glDeleteBuffers n buffers
glDeleteFramebuffers n framebuffers
glDeleteProgram program
glDeleteRenderbuffers n renderbuffers
glDeleteShader shader
glDeleteTextures n textures
glDepthFunc func
glDepthMask flag
glDepthRangef n f
glDetachShader program shader
glDisable cap
glDisableVertexAttribArray index
glDrawArrays mode first count
glDrawElements mode count type indices
glEnable cap
glEnableVertexAttribArray index
glFinish
glFlush
glFramebufferRenderbuffer target attachment renderbuffertarget renderbuffer
glFramebufferTexture2D target attachment textarget texture level
glFrontFace mode
glGenBuffers n >buffers
glGenFramebuffers n >framebuffers
glGenRenderbuffers n >renderbuffers
glGenTextures n >textures
glGenerateMipmap target
=glGetUniformLocation program name
glHint target mode
glLineWidth width
glLinkProgram program
glPixelStorei pname param
glPolygonOffset factor units
glRenderbufferStorage target internalformat width height
glSampleCoverage value invert
glScissor x y width height
glShaderSource shader count string length
glStencilFunc func ref mask
glStencilFuncSeparate face func ref mask
glStencilMask mask
glStencilMaskSeparate face mask
glStencilOp fail zfail zpass
glStencilOpSeparate face sfail dpfail dppass
glTexImage2D target level internalformat width height border format type pixels
glTexParameterf target pname param
glTexParameteri target pname param
glTexSubImage2D target level xoffset yoffset width height format type pixels
glUniform1f location v0
glUniform2f location v0 v1
glUniform3f location v0 v1 v2
glUniform4f location v0 v1 v2 v3
glUniform1i location v0
glUniform2i location v0 v1
glUniform3i location v0 v1 v2
glUniform4i location v0 v1 v2 v3
glUniform1fv location count value
glUniform2fv location count value
glUniform3fv location count value
glUniform4fv location count value
glUniform1iv location count value
glUniform2iv location count value
glUniform3iv location count value
glUniform4iv location count value
glUniformMatrix2fv location count transpose value
glUniformMatrix3fv location count transpose value
glUniformMatrix4fv location count transpose value
glUseProgram program
glVertexAttrib1f index x
glVertexAttrib2f index x y
glVertexAttrib3f index x y z
glVertexAttrib4f index x y z w
glVertexAttribPointer index size type normalized stride pointer
glViewport x y width height
glReadPixels x y width height format type pixels
glBindVertexArray array
glDeleteVertexArrays n arrays
glGenVertexArrays n >arrays
glDrawArraysInstanced mode first count instancecount
glDrawElementsInstanced mode count type indices instancecount
glDrawElementsBaseVertex mode count type indices basevertex
glDrawElementsInstancedBaseVertex mode count type indices instancecount basevertex
glDrawElementsInstancedBaseVertexBaseInstanceEXT mode count type indices instancecount basevertex baseinstance
glDrawArraysInstancedBaseInstanceEXT mode first count instancecount baseinstance
glTexParameterIivEXT target pname params
glTexStorage2DMultisample target samples internalformat width height fixedsamplelocations
glVertexAttribFormat attribindex size type normalized relativeoffset
glVertexAttribIFormat attribindex size type relativeoffset
glVertexAttribBinding attribindex bindingindex
glBindVertexBuffer bindingindex buffer offset stride
glVertexBindingDivisor bindingindex divisor
glEnableiEXT target index
glDisableiEXT target index
glBlendEquationiEXT buf mode
glBlendEquationSeparateiEXT buf modeRGB modeAlpha
glBlendFunciEXT buf src dst
glBlendFuncSeparateiEXT buf srcRGB dstRGB srcAlpha dstAlpha
glColorMaskiEXT index r g b a
glBufferStorageEXT target size data flags
glVertexAttribDivisor index divisor
glVertexAttribIPointer index size type stride pointer
glBindBufferBase target index buffer
glBindBufferRange target index buffer offset size
=glGetUniformBlockIndex program uniformBlockName
glUniformBlockBinding program uniformBlockIndex uniformBlockBinding
glBlitFramebuffer srcX0 srcY0 srcX1 srcY1 dstX0 dstY0 dstX1 dstY1 mask filter
glClearBufferfv buffer drawbuffer value
glClearBufferiv buffer drawbuffer value
glClearBufferfi buffer drawbuffer depth stencil
glDrawBuffers n bufs
glReadBuffer src
glRenderbufferStorageMultisample target samples internalformat width height
glInvalidateFramebuffer target numAttachments attachments
glTexImage3D target level internalformat width height depth border format type pixels
glTexSubImage3D target level xoffset yoffset zoffset width height depth format type pixels
glTexStorage2D target levels internalformat width height
glTexStorage3D target levels internalformat width height depth
glFramebufferTextureLayer target attachment texture level layer
glGenSamplers count >samplers
glBindSampler unit sampler
glSamplerParameteri sampler pname param
glSamplerParameterf sampler pname param
glUniform1ui location v0
glUniform1uiv location count value
glCopyBufferSubData readTarget writeTarget readOffset writeOffset size
glPushDebugGroup source id length message
glPopDebugGroup
glMatrixMode mode
glLoadIdentity
glPushMatrix
glPopMatrix
glLoadMatrixf m
glMultMatrixf m
glTranslatef x y z
glRotatef angle x y z
glScalef x y z
glFrustumf l r b t n f
glOrthof l r b t n f
glLightf light pname param
glLightfv light pname params
glLightModelf pname param
glLightModelfv pname params
glMaterialf face pname param
glMaterialfv face pname params
glColor4f red green blue alpha
glNormal3f nx ny nz
glMultiTexCoord4f target s t r q
glEnableClientState array
glDisableClientState array
glClientActiveTexture texture
glVertexPointer size type stride pointer
glNormalPointer type stride pointer
glColorPointer size type stride pointer
glTexCoordPointer size type stride pointer
glTexEnvf target pname param
glTexEnvi target pname param
glTexEnvfv target pname params
glFogf pname param
glFogfv pname params
glAlphaFunc func ref
glShadeModel mode
glPointSize size
glClipPlanef p eqn
glAlphaFuncx func ref
glBeginQuery target id
glBeginTransformFeedback primitiveMode
glBindTransformFeedback target id
=glCheckFramebufferStatus target
glClearBufferuiv buffer drawbuffer value
glClearColorx red green blue alpha
glClearDepthx depth
=glClientWaitSync sync flags timeout
glClipPlanex plane equation
glColor4ub red green blue alpha
glColor4x red green blue alpha
glCompressedTexImage3D target level internalformat width height depth border imageSize data
glCompressedTexSubImage3D target level xoffset yoffset zoffset width height depth format imageSize data
glCopyTexSubImage3D target level xoffset yoffset zoffset x y width height
glDeleteQueries n ids
glDeleteSamplers count samplers
glDeleteSync sync
glDeleteTransformFeedbacks n ids
glDepthRangex n f
glDrawRangeElements mode start end count type indices
glEndQuery target
glEndTransformFeedback
=glFenceSync condition flags
glFlushMappedBufferRange target offset length
glFogx pname param
glFogxv pname param
glFrustumx l r b t n f
glGenQueries n >ids
glGenTransformFeedbacks n >ids
glGetActiveAttrib program index bufSize >length >size >type >name
glGetActiveUniform program index bufSize >length >size >type >name
glGetActiveUniformBlockName program uniformBlockIndex bufSize >length >uniformBlockName
glGetActiveUniformBlockiv program uniformBlockIndex pname >params
glGetActiveUniformsiv program uniformCount uniformIndices pname >params
glGetAttachedShaders program maxCount >count >shaders
=glGetAttribLocation program name
glGetBooleanv pname >data
glGetBufferParameteri64v target pname >params
glGetBufferParameteriv target pname >params
glGetBufferPointerv target pname >params
glGetClipPlanef plane >equation
glGetClipPlanex plane >equation
=glGetError
glGetFixedv pname >params
glGetFloatv pname >data
=glGetFragDataLocation program name
glGetFramebufferAttachmentParameteriv target attachment pname >params
glGetInteger64i_v target index >data
glGetInteger64v pname >data
glGetIntegeri_v target index >data
glGetIntegerv pname >data
glGetInternalformativ target internalformat pname count >params
glGetLightfv light pname >params
glGetLightxv light pname >params
glGetMaterialfv face pname >params
glGetMaterialxv face pname >params
glGetPointerv pname >params
glGetProgramBinary program bufSize >length >binaryFormat >binary
glGetProgramInfoLog program bufSize >length >infoLog
glGetProgramInterfaceiv program programInterface pname >params
glGetProgramiv program pname >params
glGetQueryObjectuiv id pname >params
glGetQueryiv target pname >params
glGetRenderbufferParameteriv target pname >params
glGetSamplerParameterfv sampler pname >params
glGetSamplerParameteriv sampler pname >params
glGetShaderInfoLog shader bufSize >length >infoLog
glGetShaderPrecisionFormat shadertype precisiontype >range >precision
glGetShaderSource shader bufSize >length >source
glGetShaderiv shader pname >params
=glGetString name
=glGetStringi name index
glGetSynciv sync pname count >length >values
glGetTexEnvfv target pname >params
glGetTexEnviv target pname >params
glGetTexEnvxv target pname >params
glGetTexParameterfv target pname >params
glGetTexParameteriv target pname >params
glGetTexParameterxv target pname >params
glGetTransformFeedbackVarying program index bufSize >length >size >type >name
glGetUniformIndices program uniformCount uniformNames >uniformIndices
glGetUniformfv program location >params
glGetUniformiv program location >params
glGetUniformuiv program location >params
glGetVertexAttribIiv index pname >params
glGetVertexAttribIuiv index pname >params
glGetVertexAttribPointerv index pname >pointer
glGetVertexAttribfv index pname >params
glGetVertexAttribiv index pname >params
glInvalidateSubFramebuffer target numAttachments attachments x y width height
=glIsBuffer buffer
=glIsEnabled cap
=glIsFramebuffer framebuffer
=glIsProgram program
=glIsQuery id
=glIsRenderbuffer renderbuffer
=glIsSampler sampler
=glIsShader shader
=glIsSync sync
=glIsTexture texture
=glIsTransformFeedback id
=glIsVertexArray array
glLightModelx pname param
glLightModelxv pname param
glLightx light pname param
glLightxv light pname params
glLineWidthx width
glLoadMatrixx m
glLogicOp opcode
=glMapBufferRange target offset length access
glMaterialx face pname param
glMaterialxv face pname param
glMultMatrixx m
glMultiTexCoord4x texture s t r q
glNormal3x nx ny nz
glOrthox l r b t n f
glPauseTransformFeedback
glPointParameterf pname param
glPointParameterfv pname params
glPointParameterx pname param
glPointParameterxv pname params
glPointSizePointerOES type stride pointer
glPointSizex size
glPolygonOffsetx factor units
glProgramBinary program binaryFormat binary length
glProgramParameteri program pname value
glReleaseShaderCompiler
glResumeTransformFeedback
glRotatex angle x y z
glSampleCoveragex value invert
glSamplerParameterfv sampler pname param
glSamplerParameteriv sampler pname param
glScalex x y z
glShaderBinary count shaders binaryFormat binary length
glTexEnviv target pname params
glTexEnvx target pname param
glTexEnvxv target pname params
glTexParameterfv target pname params
glTexParameteriv target pname params
glTexParameterx target pname param
glTexParameterxv target pname params
glTransformFeedbackVaryings program count varyings bufferMode
glTranslatex x y z
glUniform2ui location v0 v1
glUniform2uiv location count value
glUniform3ui location v0 v1 v2
glUniform3uiv location count value
glUniform4ui location v0 v1 v2 v3
glUniform4uiv location count value
glUniformMatrix2x3fv location count transpose value
glUniformMatrix2x4fv location count transpose value
glUniformMatrix3x2fv location count transpose value
glUniformMatrix3x4fv location count transpose value
glUniformMatrix4x2fv location count transpose value
glUniformMatrix4x3fv location count transpose value
=glUnmapBuffer target
glValidateProgram program
glVertexAttrib1fv index v
glVertexAttrib2fv index v
glVertexAttrib3fv index v
glVertexAttrib4fv index v
glVertexAttribI4i index x y z w
glVertexAttribI4iv index v
glVertexAttribI4ui index x y z w
glVertexAttribI4uiv index v
glWaitSync sync flags timeout
glPushGroupMarkerEXT length marker
glPopGroupMarkerEXT
glInsertEventMarkerEXT length marker
glObjectLabel identifier name length label
glLabelObjectEXT type object length label
glDrawTexfOES x y z width height
glBeginQueryEXT target id
glBindVertexArrayOES array
glDiscardFramebufferEXT target numAttachments attachments
glEndQueryEXT target
glGenQueriesEXT n >ids
glGenVertexArraysOES n >arrays
=glMapBufferOES target access
glTexImage3DOES target level internalformat width height depth border format type pixels
=glUnmapBufferOES target
memcpy dest src n
"""


def _parse() -> tuple[dict[str, Signature], dict[str, frozenset[int]], frozenset[str]]:
    signatures, filled, returning = {}, {}, set()
    for line in _FUNCTIONS.split("\n"):
        if not line:
            continue
        name, *arguments = line.split()
        if name.startswith("="):
            name = name[1:]
            returning.add(name)
        signatures[name] = Signature(name, tuple(a.lstrip(">") for a in arguments))
        filled[name] = frozenset(i for i, a in enumerate(arguments) if a.startswith(">"))
    return signatures, filled, frozenset(returning)


_signatures, _filled, RETURNING = _parse()
SIGNATURES = MappingProxyType(_signatures)
"""Signature by function name."""
FILLED = MappingProxyType(_filled)
"""Positions of the arguments that the function fills in."""
