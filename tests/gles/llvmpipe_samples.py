"""Textures with several samples, sample masks and positions: answers and errors are Mesa's; see `test_on_llvmpipe`."""

from __future__ import annotations

from typing import Any

import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session
from .test_levels import agree

COLOR, MULTISAMPLE = gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D_MULTISAMPLE


def _errors(s: Session) -> tuple[int, int]:
    assert s.mesa is not None
    return s.error(), s.mesa.error()


def _bound(s: Session, samples: int = 4, kind: int = gl.RGBA8, fixed: int = 1) -> int:
    name: int = s.glGenTextures(1)[0]
    s.glBindTexture(MULTISAMPLE, name)
    s.glTexStorage2DMultisample(MULTISAMPLE, samples, kind, 8, 6, fixed)
    return name


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((MULTISAMPLE, 4, gl.RGBA8, 8, 6, 1), 0),
        ((MULTISAMPLE, 1, gl.RGBA8, 8, 6, 0), 0),
        ((MULTISAMPLE, 4, gl.DEPTH24_STENCIL8, 8, 6, 1), 0),
        ((MULTISAMPLE, 4, gl.RGBA32UI, 8, 6, 1), 0),
        ((gl.TEXTURE_2D, 4, gl.RGBA8, 8, 6, 1), gl.INVALID_ENUM),
        ((MULTISAMPLE, 4, gl.RGBA, 8, 6, 1), gl.INVALID_ENUM),
        ((MULTISAMPLE, 0, gl.RGBA8, 8, 6, 1), gl.INVALID_VALUE),
        ((MULTISAMPLE, 4, gl.RGBA8, 0, 6, 1), gl.INVALID_VALUE),
        ((MULTISAMPLE, 4, gl.RGBA8, 1 << 20, 6, 1), gl.INVALID_VALUE),
        ((MULTISAMPLE, 40, gl.RGBA8, 8, 6, 1), gl.INVALID_OPERATION),
    ],
)
def test_storage(both: Session, arguments: tuple[int, ...], error: int) -> None:
    both.glBindTexture(MULTISAMPLE, both.glGenTextures(1)[0])
    both.glTexStorage2DMultisample(*arguments)
    assert _errors(both) == (error, error)


def test_storage_is_immutable(both: Session) -> None:
    _bound(both)
    both.glTexStorage2DMultisample(MULTISAMPLE, 4, gl.RGBA8, 8, 6, 1)
    assert _errors(both) == (gl.INVALID_OPERATION,) * 2
    both.glBindTexture(MULTISAMPLE, 0)
    both.glTexStorage2DMultisample(MULTISAMPLE, 4, gl.RGBA8, 8, 6, 1)
    assert _errors(both) == (gl.INVALID_OPERATION,) * 2


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        (gl.TEXTURE_BASE_LEVEL, 0, 0),
        (gl.TEXTURE_BASE_LEVEL, 1, gl.INVALID_OPERATION),
        (gl.TEXTURE_SWIZZLE_R, 0x1904, 0),
        (gl.TEXTURE_MAG_FILTER, gl.NEAREST, gl.INVALID_ENUM),
        (gl.TEXTURE_WRAP_S, gl.REPEAT, gl.INVALID_ENUM),
        (gl.TEXTURE_COMPARE_MODE, gl.NONE, gl.INVALID_ENUM),
        (gl.TEXTURE_MIN_LOD, 0, gl.INVALID_ENUM),
    ],
)
def test_parameters(both: Session, name: int, value: int, error: int) -> None:
    _bound(both)
    both.glTexParameteri(MULTISAMPLE, name, value)
    assert _errors(both) == (error, error)


def test_state(both: Session) -> None:
    s = both
    assert s.mesa is not None
    name = _bound(s)
    s.glSampleMaski(0, 0x5)
    s.glEnable(gl.SAMPLE_MASK)
    for query in (gl.TEXTURE_BINDING_2D_MULTISAMPLE, gl.SAMPLE_MASK, gl.MAX_SAMPLE_MASK_WORDS,
                  gl.MAX_COLOR_TEXTURE_SAMPLES, gl.MAX_DEPTH_TEXTURE_SAMPLES, gl.MAX_INTEGER_SAMPLES):  # fmt: skip
        assert [s.answer("glGetIntegerv", query)] == s.mesa.get("glGetIntegerv", query)
    assert s.answer("glGetIntegerv", gl.TEXTURE_BINDING_2D_MULTISAMPLE) == name
    assert [s.answer("glGetIntegeri_v", gl.SAMPLE_MASK_VALUE, 0)] == s.mesa.get(
        "glGetIntegeri_v", gl.SAMPLE_MASK_VALUE, 0
    )
    s.glSampleMaski(1, 0)
    assert _errors(s) == (gl.INVALID_VALUE,) * 2
    assert s.answer("glGetIntegeri_v", gl.SAMPLE_MASK_VALUE, 1) is None
    s.mesa.get("glGetIntegeri_v", gl.SAMPLE_MASK_VALUE, 1)
    assert _errors(s) == (gl.INVALID_VALUE,) * 2


def test_attachment(both: Session) -> None:
    """A texture is attached as one; two must have the same samples at the same positions."""
    s = both
    assert s.mesa is not None
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    name = _bound(s)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, COLOR, MULTISAMPLE, name, 0)
    parameter = "glGetFramebufferAttachmentParameteriv"
    for query in (gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME):
        arguments = gl.FRAMEBUFFER, COLOR, query
        assert [s.answer(parameter, *arguments)] == s.mesa.get(parameter, *arguments)
    for query in (gl.SAMPLES, gl.SAMPLE_BUFFERS):
        assert [s.answer("glGetIntegerv", query)] == s.mesa.get("glGetIntegerv", query)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, COLOR, MULTISAMPLE, name, 1)
    assert _errors(s) == (gl.INVALID_VALUE,) * 2
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, COLOR, gl.TEXTURE_2D, name, 0)
    assert _errors(s) == (gl.INVALID_OPERATION,) * 2
    for fixed in (1, 0):
        other = _bound(s, 4, gl.DEPTH_COMPONENT16, fixed)
        s.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, MULTISAMPLE, other, 0)
        ours = s.answer("glCheckFramebufferStatus", gl.FRAMEBUFFER)
        assert ours == s.mesa.call("glCheckFramebufferStatus", gl.FRAMEBUFFER)
        assert ours == (gl.FRAMEBUFFER_COMPLETE if fixed else gl.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE)


def test_deleted_textures_are_detached() -> None:
    s = Session(3)
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    name = _bound(s)
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, COLOR, MULTISAMPLE, name, 0)
    assert s.answer("glCheckFramebufferStatus", gl.FRAMEBUFFER) == gl.FRAMEBUFFER_COMPLETE
    s.execute("glDeleteTextures", [1, [name]])
    assert s.answer("glCheckFramebufferStatus", gl.FRAMEBUFFER) == gl.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT


def test_positions(both: Session) -> None:
    s = both
    assert s.mesa is not None
    s.glBindFramebuffer(gl.FRAMEBUFFER, s.glGenFramebuffers(1)[0])
    s.glFramebufferTexture2D(gl.FRAMEBUFFER, COLOR, MULTISAMPLE, _bound(s), 0)
    for index in range(4):
        theirs: list[Any] = s.mesa.get("glGetMultisamplefv", gl.SAMPLE_POSITION, index, count=2)
        assert s.answer("glGetMultisamplefv", gl.SAMPLE_POSITION, index) == theirs
    for name, index, error in ((gl.SAMPLE_POSITION, 4, gl.INVALID_VALUE), (gl.SAMPLES, 0, gl.INVALID_ENUM)):
        assert s.answer("glGetMultisamplefv", name, index) is None
        s.mesa.get("glGetMultisamplefv", name, index, count=2)
        assert _errors(s) == (error, error)


@pytest.mark.parametrize(("samples", "fixed"), [(4, 1), (4, 0)])
@pytest.mark.parametrize("kind", [gl.RGBA8, gl.DEPTH24_STENCIL8, gl.RGBA16F])
def test_several_samples(both: Session, kind: int, samples: int, fixed: int) -> None:
    target = gl.TEXTURE_2D_MULTISAMPLE
    both.glBindTexture(target, both.glGenTextures(1)[0])
    both.glTexStorage2DMultisample(target, samples, kind, 7, 5, fixed)
    agree(both, target, 0)
