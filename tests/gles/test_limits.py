"""Queries of what OpenGL ES 3.1 added: limits are at least Mesa's, bindings are those that Mesa answers."""

from __future__ import annotations

import pytest

from tilegpu.functional.glsl.builtin_variables import builtin_variables
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.limits import INDEXED_LIMITS, LIMITS

from .session import Session

_GROUPS = "MAX_COMPUTE_", "MAX_COMBINED_", "MAX_ATOMIC_", "MAX_IMAGE_", "MAX_SHADER_STORAGE"
_PER_STAGE = "_STORAGE_BLOCKS", "_IMAGE_UNIFORMS", "_COUNTERS", "_COUNTER_BUFFERS"
AT_LEAST = [
    name for name in dir(gl) if name.startswith(_GROUPS) or (name.startswith("MAX_") and name.endswith(_PER_STAGE))
]
BINDINGS = ("SHADER_STORAGE_BUFFER", "ATOMIC_COUNTER_BUFFER", "UNIFORM_BUFFER")
IMAGE = ("NAME", "LEVEL", "LAYERED", "LAYER", "ACCESS", "FORMAT")


def _agree(s: Session, name: int, index: int) -> None:
    """Both answer alike, with the same error."""
    assert s.mesa is not None
    ours = s.answer("glGetIntegeri_v", name, index)
    error = s.error()
    theirs = s.mesa.get("glGetIntegeri_v", name, index)
    assert error == s.mesa.error(), (name, index)
    if not error:
        assert [ours] == theirs, (name, index)
        assert [s.answer("glGetInteger64i_v", name, index)] == theirs
        assert [s.answer("glGetBooleani_v", name, index)] == [bool(theirs[0])]


def test_the_version_is_mesas(both_31: Session) -> None:
    s = both_31
    assert s.mesa is not None
    for name in (gl.MAJOR_VERSION, gl.MINOR_VERSION):
        assert [s.answer("glGetIntegerv", name)] == s.mesa.get("glGetIntegerv", name)
    for name, words in ((gl.VERSION, 3), (gl.SHADING_LANGUAGE_VERSION, 5)):
        ours, theirs = s.answer("glGetString", name), s.mesa.text(name)
        assert ours.split()[:words] == theirs.split()[:words], (ours, theirs)


def test_limits_are_at_least_mesas(both_31: Session) -> None:
    s = both_31
    assert s.mesa is not None
    single = [getattr(gl, name) for name in AT_LEAST if getattr(gl, name) not in INDEXED_LIMITS]
    assert len(single) > 25
    for name in single:
        assert name in LIMITS, hex(name)
        assert s.answer("glGetIntegerv", name) >= s.mesa.get("glGetIntegerv", name)[0] > 0, hex(name)
    alignment = gl.SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT
    assert [s.answer("glGetIntegerv", alignment)] == s.mesa.get("glGetIntegerv", alignment)
    assert s.error() == s.mesa.error() == 0


def test_limits_of_debugging_are_mesas(both_31: Session) -> None:
    s = both_31
    assert s.mesa is not None
    for name in (
        gl.MAX_LABEL_LENGTH,
        gl.MAX_DEBUG_MESSAGE_LENGTH,
        gl.MAX_DEBUG_LOGGED_MESSAGES,
        gl.MAX_DEBUG_GROUP_STACK_DEPTH,
        gl.DEBUG_GROUP_STACK_DEPTH,
        gl.DEBUG_LOGGED_MESSAGES,
    ):
        assert [s.answer("glGetIntegerv", name)] == s.mesa.get("glGetIntegerv", name), hex(name)
    assert s.error() == s.mesa.error() == 0


@pytest.mark.parametrize("name", [gl.MAX_COMPUTE_WORK_GROUP_COUNT, gl.MAX_COMPUTE_WORK_GROUP_SIZE])
def test_limits_per_axis(both_31: Session, name: int) -> None:
    s = both_31
    assert s.mesa is not None
    for axis in range(3):
        assert s.answer("glGetIntegeri_v", name, axis) == s.mesa.get("glGetIntegeri_v", name, axis)[0]
    assert s.answer("glGetIntegeri_v", name, 3) is None
    s.mesa.get("glGetIntegeri_v", name, 3)
    assert s.error() == s.mesa.error() == gl.INVALID_VALUE


def test_constants_of_shaders_are_the_limits() -> None:
    constants = {v.name: v.value for v in builtin_variables("compute", 310, frozenset())}
    for name in ("ImageUnits", "ComputeImageUniforms", "ComputeAtomicCounters", "CombinedShaderOutputResources"):
        upper = "".join(f"_{c}" if c.isupper() else c for c in name).upper()
        assert constants[f"gl_Max{name}"] == LIMITS[getattr(gl, f"MAX{upper}")]


@pytest.mark.parametrize("target", BINDINGS)
def test_bindings_of_buffers(both_31: Session, target: str) -> None:
    s = both_31
    assert s.mesa is not None
    first, second = s.glGenBuffers(2)
    bound = getattr(gl, target)
    names = [getattr(gl, f"{target}_{part}") for part in ("BINDING", "START", "SIZE")]
    s.glBindBuffer(bound, first)
    s.glBufferData(bound, 1024, None, gl.STATIC_DRAW)
    s.glBindBufferBase(bound, 1, first)
    s.glBindBufferRange(bound, 2, second, 256, 512)
    assert [s.answer("glGetIntegerv", names[0])] == s.mesa.get("glGetIntegerv", names[0]) == [second]
    for name in names:
        for index in (*range(4), -1, 1000):
            _agree(s, name, index)
    s.glDeleteBuffers(1, [second])
    for name in names:
        _agree(s, name, 2)


def test_image_units(both_31: Session) -> None:
    s = both_31
    flat, deep = s.glGenTextures(2)
    s.glBindTexture(gl.TEXTURE_2D, flat)
    s.glTexStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, 8, 8)
    s.glBindTexture(gl.TEXTURE_2D_ARRAY, deep)
    s.glTexStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.R32UI, 8, 8, 4)
    s.glBindImageTexture(0, flat, 1, 1, 3, gl.READ_ONLY, gl.RGBA8)
    s.glBindImageTexture(1, deep, 0, 1, 2, gl.WRITE_ONLY, gl.R32UI)
    s.glBindImageTexture(2, deep, 0, 0, 2, gl.READ_WRITE, gl.R32UI)
    s.glBindImageTexture(3, 0, 1, 1, 2, gl.WRITE_ONLY, gl.R32F)
    for part in IMAGE:
        for index in (*range(5), -1, 1000):
            _agree(s, getattr(gl, f"IMAGE_BINDING_{part}"), index)
    s.glDeleteTextures(1, [deep])
    for part in IMAGE:
        for index in range(3):
            _agree(s, getattr(gl, f"IMAGE_BINDING_{part}"), index)


def test_the_indirect_buffer(both_31: Session) -> None:
    s = both_31
    assert s.mesa is not None
    (name,) = s.glGenBuffers(1)
    s.glBindBuffer(gl.DISPATCH_INDIRECT_BUFFER, name)
    binding = gl.DISPATCH_INDIRECT_BUFFER_BINDING
    assert [s.answer("glGetIntegerv", binding)] == s.mesa.get("glGetIntegerv", binding) == [name]
    s.glBindTexture(gl.TEXTURE_2D, s.glGenTextures(1)[0])
    kind = gl.IMAGE_FORMAT_COMPATIBILITY_TYPE
    assert [s.answer("glGetTexParameteriv", gl.TEXTURE_2D, kind)] == s.mesa.get(
        "glGetTexParameteriv", gl.TEXTURE_2D, kind
    )
