"""Queries of the images of textures: answers and errors are Mesa's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session

SIZES = (gl.TEXTURE_WIDTH, gl.TEXTURE_HEIGHT, gl.TEXTURE_DEPTH, gl.TEXTURE_SAMPLES, gl.TEXTURE_FIXED_SAMPLE_LOCATIONS)
FORMATS = (gl.TEXTURE_INTERNAL_FORMAT, gl.TEXTURE_COMPRESSED, gl.TEXTURE_DEPTH_SIZE, gl.TEXTURE_STENCIL_SIZE,
           gl.TEXTURE_SHARED_SIZE, gl.TEXTURE_DEPTH_TYPE, *range(gl.TEXTURE_RED_SIZE, gl.TEXTURE_RED_SIZE + 4),
           *range(gl.TEXTURE_RED_TYPE, gl.TEXTURE_RED_TYPE + 4))  # fmt: skip


def agree(s: Session, target: int, level: int, names: tuple[int, ...] = (*SIZES, *FORMATS)) -> None:
    """Compare the answers to both queries."""
    assert s.mesa is not None
    for kind in ("iv", "fv"):
        query = f"glGetTexLevelParameter{kind}"
        ours = {f"{name:#x}": s.answer(query, target, level, name) for name in names}
        assert ours == {f"{name:#x}": s.mesa.get(query, target, level, name)[0] for name in names}
    assert s.error() == s.mesa.error() == 0


STORED = ("R8", "RGB8", "RGBA8", "SRGB8_ALPHA8", "RGB565", "RGBA4", "RGB5_A1", "RGB10_A2", "R8_SNORM", "RG16F",
          "RGBA32F", "R11F_G11F_B10F", "RGB9_E5", "RGBA8I", "RG32UI", "DEPTH_COMPONENT16", "DEPTH_COMPONENT24",
          "DEPTH_COMPONENT32F", "DEPTH24_STENCIL8", "DEPTH32F_STENCIL8")  # fmt: skip


@pytest.mark.parametrize("name", STORED)
def test_stored_formats(both: Session, name: str) -> None:
    both.glBindTexture(gl.TEXTURE_2D, both.glGenTextures(1)[0])
    both.glTexStorage2D(gl.TEXTURE_2D, 3, getattr(gl, name), 9, 6)
    for level in range(4):
        agree(both, gl.TEXTURE_2D, level, (*SIZES, *FORMATS) if level < 3 else SIZES)


def _cube(s: Session) -> None:
    for face in range(6):
        target = gl.TEXTURE_CUBE_MAP_POSITIVE_X + face
        s.glTexImage2D(target, 1, gl.RGBA8, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, np.zeros(64, np.uint8))


@pytest.mark.parametrize(
    ("bound", "define", "target"),
    [
        (gl.TEXTURE_CUBE_MAP, _cube, gl.TEXTURE_CUBE_MAP_POSITIVE_X + 3),
        (gl.TEXTURE_3D, lambda s: s.glTexStorage3D(gl.TEXTURE_3D, 2, gl.RGBA8, 8, 4, 6), gl.TEXTURE_3D),
        (gl.TEXTURE_2D_ARRAY, lambda s: s.glTexStorage3D(gl.TEXTURE_2D_ARRAY, 2, gl.R8, 8, 4, 6), gl.TEXTURE_2D_ARRAY),
        (gl.TEXTURE_2D, lambda s: s.glTexStorage2D(gl.TEXTURE_2D, 2, 0x9278, 8, 4), gl.TEXTURE_2D),
        (
            gl.TEXTURE_2D,
            lambda s: s.glTexImage2D(
                gl.TEXTURE_2D, 1, gl.RGB, 4, 4, 0, gl.RGB, gl.UNSIGNED_SHORT_5_6_5, np.zeros(32, "u1")
            ),
            gl.TEXTURE_2D,
        ),
    ],
)
def test_kinds_of_textures(both: Session, bound: int, define: Callable[[Session], None], target: int) -> None:
    both.glBindTexture(bound, both.glGenTextures(1)[0])
    define(both)
    agree(both, target, 1)


@pytest.mark.parametrize(
    ("target", "level", "name", "error"),
    [
        (gl.TEXTURE_CUBE_MAP, 0, gl.TEXTURE_WIDTH, gl.INVALID_ENUM),
        (gl.TEXTURE_2D, 0, gl.TEXTURE_WRAP_S, gl.INVALID_ENUM),
        (gl.TEXTURE_2D, -1, gl.TEXTURE_WIDTH, gl.INVALID_VALUE),
        (gl.TEXTURE_2D, 99, gl.TEXTURE_WIDTH, gl.INVALID_VALUE),
        (gl.TEXTURE_2D_MULTISAMPLE, 1, gl.TEXTURE_WIDTH, gl.INVALID_VALUE),
    ],
)
def test_errors(both: Session, target: int, level: int, name: int, error: int) -> None:
    assert both.mesa is not None
    assert both.answer("glGetTexLevelParameteriv", target, level, name) is None
    both.mesa.get("glGetTexLevelParameteriv", target, level, name)
    assert (both.error(), both.mesa.error()) == (error, error)


@pytest.mark.parametrize(
    ("value", "error"), [(gl.STENCIL_INDEX, 0), (gl.DEPTH_COMPONENT, 0), (gl.RED, gl.INVALID_ENUM)]
)
def test_part_that_shaders_read(both: Session, value: int, error: int) -> None:
    s = both
    assert s.mesa is not None
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    query = "glGetTexParameteriv", gl.TEXTURE_2D, gl.DEPTH_STENCIL_TEXTURE_MODE
    assert [s.answer(*query)] == s.mesa.get(*query) == [gl.DEPTH_COMPONENT]
    s.glTexParameteri(gl.TEXTURE_2D, gl.DEPTH_STENCIL_TEXTURE_MODE, value)
    assert (s.error(), s.mesa.error()) == (error, error)
    assert [s.answer(*query)] == s.mesa.get(*query) == [gl.DEPTH_COMPONENT if error else value]


def test_indexed_state_as_booleans(both: Session) -> None:
    assert both.mesa is not None
    both.glBindBufferBase(gl.UNIFORM_BUFFER, 3, both.glGenBuffers(1)[0])
    for index in (2, 3):
        theirs = bool(int(both.mesa.get("glGetBooleani_v", gl.UNIFORM_BUFFER_BINDING, index)[0]) & 0xFF)
        assert both.answer("glGetBooleani_v", gl.UNIFORM_BUFFER_BINDING, index) is theirs is (index == 3)
