"""Argument names of the EGL and OpenGL ES functions that the recorder offers, in the order of the specifications.

`>` marks an argument that the function fills in; `=` a function with a return value. apitrace's replayer goes by the
position of arguments, so their order matters and their names are for readers.
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
