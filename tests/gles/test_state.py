"""What glGet answers, beside Mesa's answers to the same calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.functional.capture import Call, Trace, Value
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.gles.state_table import _PROGRAMMABLE
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.limits import LIMITS
from tilegpu.functional.pipeline.draw import Outcome

from .session import Session
from .test_errors import FRAGMENT, VERTEX

IMPLEMENTATIONS_OWN = frozenset({0x86A2, 0x86A3, 0x8B9A, 0x8B9B, 0x821B, 0x821C, 0x821D})
"""Compressed formats, formats of read-back, versions, number of extensions."""
MASKS = frozenset({0x0B93, 0x0B98, 0x8CA4, 0x8CA5, 0x0B97, 0x8CA3})
"""Stencil masks start with all bits set, and references are kept; Mesa shows the bits that the framebuffer has."""


def different(session: Session, function: str = "glGetIntegerv") -> list[str]:
    """Names of state whose answers differ."""
    assert session.mesa is not None
    found = []
    for name in sorted(set(_PROGRAMMABLE) - set(LIMITS) - IMPLEMENTATIONS_OWN - MASKS):
        ours = session.answer(function, name)
        listed = ours if isinstance(ours, list) else [ours]
        theirs = session.mesa.get(function, name, count=len(listed))
        if [float(v) for v in listed] != pytest.approx([float(v) for v in theirs], rel=1e-6):
            found.append(f"{function} {name:#06x}: here {ours}, Mesa {theirs}")
    assert session.error() == 0
    assert session.mesa.error() == 0
    return found


@pytest.mark.parametrize("function", ["glGetIntegerv", "glGetFloatv", "glGetBooleanv"])
def test_initial_state(function: str, both: Session) -> None:
    assert different(both, function) == []


@pytest.mark.parametrize("function", ["glGetIntegerv", "glGetFloatv"])
def test_state_that_was_set(function: str, both: Session) -> None:
    s = both
    s.glViewport(1, 2, 3, 4)
    s.glScissor(5, 6, 7, 8)
    s.glDepthRangef(0.25, 0.75)
    # How integers stand for values beyond 0 to 1 is left open.
    beyond = 2.5 if function == "glGetFloatv" else 0.5
    s.glClearColor(beyond, 0.25, 0.0, 1.0)
    s.glClearDepthf(0.5)
    s.glClearStencil(300)
    s.glColorMask(1, 0, 1, 0)
    s.glDepthMask(0)
    s.glDepthFunc(gl.GEQUAL)
    s.glCullFace(gl.FRONT)
    s.glFrontFace(gl.CW)
    s.glPolygonOffset(2.0, 3.0)
    s.glLineWidth(2.0)
    s.glSampleCoverage(0.5, 1)
    s.glBlendEquationSeparate(gl.MIN, gl.FUNC_SUBTRACT)
    s.glBlendFuncSeparate(gl.SRC_ALPHA, gl.DST_COLOR, gl.ZERO, gl.CONSTANT_COLOR)
    s.glBlendColor(0.25, beyond, 0.75, 1.0)
    s.glStencilFuncSeparate(gl.BACK, gl.LESS, 4, 0x0F)
    s.glStencilOpSeparate(gl.FRONT, gl.INCR, gl.DECR, gl.INVERT)
    s.glStencilMask(0x3C)
    s.glPixelStorei(gl.UNPACK_ALIGNMENT, 2)
    s.glPixelStorei(0x0D05, 1)
    s.glPixelStorei(gl.UNPACK_ROW_LENGTH, 17)
    s.glHint(0x8192, 0x1102)
    s.glActiveTexture(gl.TEXTURE0 + 3)
    s.glBindTexture(gl.TEXTURE_3D, s.glGenTextures(2)[1])
    s.glBindSampler(3, s.glGenSamplers(1)[0])
    for target in (gl.ARRAY_BUFFER, gl.ELEMENT_ARRAY_BUFFER, gl.COPY_READ_BUFFER, gl.UNIFORM_BUFFER):
        s.glBindBuffer(target, s.glGenBuffers(1)[0])
    s.glUseProgram(s.program(VERTEX, FRAGMENT))
    s.glBindTransformFeedback(0x8E22, s.glGenTransformFeedbacks(1)[0])
    s.glBindVertexArray(s.glGenVertexArrays(1)[0])
    s.glBindRenderbuffer(gl.RENDERBUFFER, s.glGenRenderbuffers(1)[0])
    s.glRenderbufferStorage(gl.RENDERBUFFER, gl.RGB565, 4, 4)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, 1)
    # softpipe has no advanced blend equations.
    for capability in gl.CAPABILITIES.keys() - {gl.BLEND_ADVANCED_COHERENT_KHR}:
        s.glEnable(capability)
    assert different(both, function) == []


def test_objects_and_their_parameters(both: Session) -> None:
    s = both
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    s.glTexStorage2D(gl.TEXTURE_2D, 2, 0x881A, 8, 4)
    s.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.MIRRORED_REPEAT)
    s.glTexParameteri(gl.TEXTURE_2D, 0x8E43, gl.ALPHA)
    s.glTexParameterf(gl.TEXTURE_2D, 0x813A, 1.5)
    s.glBindBuffer(gl.ARRAY_BUFFER, s.glGenBuffers(1)[0])
    s.glBufferData(gl.ARRAY_BUFFER, 40, None, 0x88E9)
    s.glMapBufferRange(gl.ARRAY_BUFFER, 8, 16, 2)
    s.glVertexAttribPointer(2, 3, gl.SHORT, 1, 12, None)
    s.glVertexAttribDivisor(2, 5)
    s.glVertexAttrib4f(4, 0.5, 1.0, 2.0, 4.0)
    s.glBindRenderbuffer(gl.RENDERBUFFER, s.glGenRenderbuffers(1)[0])
    s.glRenderbufferStorage(gl.RENDERBUFFER, gl.DEPTH24_STENCIL8, 6, 3)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, 1, 1)
    s.glFramebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_STENCIL_ATTACHMENT, gl.RENDERBUFFER, 1)
    parameters = (0x2800, 0x2801, 0x2802, 0x2803, 0x8072, 0x813A, 0x813B, 0x813C, 0x813D, 0x884C, 0x884D, 0x912F,
                  0x8E42, 0x8E43, 0x8E44, 0x8E45, 0x82DF)  # fmt: skip
    queries = [("glGetTexParameteriv", gl.TEXTURE_2D, name) for name in parameters]
    queries += [("glGetTexParameterfv", gl.TEXTURE_2D, name) for name in parameters]
    of_buffers = (0x8764, 0x8765, 0x88BC, 0x911F, 0x9120, 0x9121)
    queries += [("glGetBufferParameteriv", gl.ARRAY_BUFFER, n) for n in of_buffers]
    queries += [("glGetVertexAttribiv", 2, n) for n in (0x8622, 0x8623, 0x8624, 0x8625, 0x886A, 0x889F, 0x88FD, 0x88FE)]
    queries += [("glGetRenderbufferParameteriv", gl.RENDERBUFFER, 0x8D42 + i) for i in range(3)]
    queries += [("glGetRenderbufferParameteriv", gl.RENDERBUFFER, 0x8D50 + i) for i in range(6)]
    points = (gl.COLOR_ATTACHMENT0, gl.DEPTH_ATTACHMENT, gl.STENCIL_ATTACHMENT)
    queries += [
        ("glGetFramebufferAttachmentParameteriv", gl.FRAMEBUFFER, point, name)
        for point in points
        for name in (0x8CD0, 0x8CD1, 0x8210, 0x8211, 0x8212, 0x8213, 0x8214, 0x8215, 0x8216, 0x8217)
    ]
    where = ("glGetFramebufferAttachmentParameteriv", gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0)
    queries += [(*where, name) for name in (0x8CD2, 0x8CD4)]
    assert _compared(s, queries) == []


def test_programs(both: Session) -> None:
    s = both
    program = s.program(VERTEX, FRAGMENT)
    s.glUseProgram(program)
    at = s.glGetUniformLocation(program, "matrix")
    s.glUniformMatrix3fv(at, 1, 0, [float(i) for i in range(9)])
    names = (gl.LINK_STATUS, 0x8B80, 0x8B85, 0x8B86, 0x8B87, 0x8B89, 0x8B8A, 0x8A36, 0x8C83)
    queries = [("glGetProgramiv", program, name) for name in names]
    queries += [("glGetShaderiv", program + 1, name) for name in (0x8B4F, 0x8B81, 0x8B80, 0x8B88)]
    assert _compared(s, queries) == []
    assert s.answer("glGetUniformfv", program, at) == [float(i) for i in range(9)]
    assert s.mesa is not None
    assert s.mesa.get("glGetUniformfv", program, at, count=9) == [float(i) for i in range(9)]


def _compared(session: Session, queries: list[tuple]) -> list[str]:
    assert session.mesa is not None
    found = []
    for name, *arguments in queries:
        ours = session.answer(name, *arguments)
        (theirs,) = session.mesa.get(name, *arguments)
        errors = session.error(), session.mesa.error()
        if errors[0] != errors[1] or (not errors[0] and float(ours) != pytest.approx(float(theirs))):
            found.append(f"{name}{tuple(hex(a) for a in arguments)}: here {ours}, Mesa {theirs}, errors {errors}")
    return found


CAPTURES = ("es2gears_360p", "desktop_shadow_360p", "ideas_360p", "es3", "texture_mipmap_360p")
DRIVERS_OWN = frozenset({"glGetString", "glGetStringi", "glGetProgramInfoLog", "glGetShaderInfoLog",
                         "glReadPixels", "glGetProgramBinary", "glGetActiveUniform", "glGetActiveAttrib",
                         "glGetShaderPrecisionFormat", "glGetAttachedShaders"})  # fmt: skip


@pytest.mark.parametrize("capture", CAPTURES)
def test_answers_are_those_that_the_captured_program_had(capture: str, captures: Path) -> None:
    wrong: list[str] = []
    compared = 0

    def on_answer(call: Call, ours: Value) -> None:
        nonlocal compared
        theirs = _recorded(call)
        own = {*LIMITS, *IMPLEMENTATIONS_OWN}
        limit = call.name.startswith("glGet") and bool(call.arguments) and call.arguments[0] in own
        # The tracer's own queries leave errors in the context that no call of the program explains.
        traced = call.name == "glGetError" and ours == 0
        if call.name in DRIVERS_OWN or limit or traced or theirs is None:
            return
        compared += 1
        if ours != theirs:
            wrong.append(f"{call!r}: here {ours}, there {theirs}")

    display = Display(lambda draw, sink: Outcome(), Listener(), lambda window, call: None, on_answer=on_answer)
    for call in Trace(captures / f"{capture}.trace"):
        display.execute(call)
    assert wrong[:5] == []
    assert compared > 0


def _recorded(call: Call) -> Value:
    """What the captured driver answered: the result, or what it filled in."""
    if call.result is not None:
        return call.result
    last = call.arguments[-1] if call.arguments else None
    return last[0] if isinstance(last, list) and len(last) == 1 else last
