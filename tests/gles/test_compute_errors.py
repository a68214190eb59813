"""Errors of dispatches, image bindings and bindings of buffers: Mesa's, or the specification's where Mesa is lax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tilegpu.functional.opengl import enums as gl

from .session import Session
from .test_resources import linked

STORAGE, COUNTER, INDIRECT = gl.SHADER_STORAGE_BUFFER, gl.ATOMIC_COUNTER_BUFFER, gl.DISPATCH_INDIRECT_BUFFER
ONE = "buffer O { uint o; }; void main() { o = 1u; }"


def _buffer(s: Session, target: int, size: int = 64) -> int:
    (name,) = s.glGenBuffers(1)
    s.glBindBuffer(target, name)
    # Without content, an indirect dispatch may have any number of groups.
    s.glBufferData(target, size, bytes(size), gl.STATIC_DRAW)
    return int(name)


def _bound(target: int, index: int, offset: int, size: int) -> Callable[[Session], None]:
    return lambda s: s.glBindBufferRange(target, index, _buffer(s, target, 1024), offset, size)


def _dispatch(*groups: int) -> Callable[[Session], None]:
    def make(s: Session) -> None:
        s.glUseProgram(linked(s, ONE))
        s.glBindBufferBase(STORAGE, 0, _buffer(s, STORAGE))
        s.glDispatchCompute(*groups)

    return make


def _indirect(offset: int, size: int | None, use: bool = True) -> Callable[[Session], None]:
    def make(s: Session) -> None:
        if use:
            s.glUseProgram(linked(s, ONE))
        if size is not None:
            _buffer(s, INDIRECT, size)
        s.glDispatchComputeIndirect(offset)

    return make


def _image(*arguments: int, immutable: bool = True) -> Callable[[Session], None]:
    def make(s: Session) -> None:
        (name,) = s.glGenTextures(1)
        s.glBindTexture(gl.TEXTURE_2D, name)
        if immutable:
            s.glTexStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, 8, 8)
        else:
            s.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, None)
        unit, texture, *rest = arguments
        s.glBindImageTexture(unit, name if texture == 1 else texture, *rest)

    return make


def _mapped(target: int, offset: int, size: int, access: int) -> Callable[[Session], None]:
    def make(s: Session) -> None:
        _buffer(s, target)
        s.glMapBufferRange(target, offset, size, access)

    return make


def _mapped_dispatch(s: Session) -> None:
    s.glUseProgram(linked(s, ONE))
    s.glBindBufferBase(STORAGE, 0, _buffer(s, STORAGE))
    s.glMapBufferRange(STORAGE, 0, 16, gl.MAP_READ_BIT)
    s.glDispatchCompute(1, 1, 1)


CALLS: dict[str, Callable[[Session], Any]] = {
    "no program": lambda s: s.glDispatchCompute(1, 1, 1),
    "no groups": _dispatch(0, 1, 1),
    "one group": _dispatch(1, 1, 1),
    "too many groups": _dispatch(65536, 1, 1),
    "negative groups": _dispatch(1, -1, 1),
    "no indirect buffer": _indirect(0, None),
    "indirect without a program": _indirect(0, 64, use=False),
    "indirect at an odd byte": _indirect(2, 64),
    "indirect below": _indirect(-4, 64),
    "indirect beyond": _indirect(56, 64),
    "indirect at the end": _indirect(52, 64),
    "image": _image(0, 1, 0, 0, 0, gl.READ_ONLY, gl.RGBA8),
    "image unit beyond": _image(192, 1, 0, 0, 0, gl.READ_ONLY, gl.RGBA8),
    "negative level": _image(0, 1, -1, 0, 0, gl.READ_ONLY, gl.RGBA8),
    "negative layer": _image(0, 1, 0, 0, -1, gl.READ_ONLY, gl.RGBA8),
    "no such format": _image(0, 1, 0, 0, 0, gl.READ_ONLY, gl.RGB8),
    "unsized format": _image(0, 1, 0, 0, 0, gl.READ_ONLY, gl.RGBA),
    "no such access": _image(0, 1, 0, 0, 0, 0x1234, gl.RGBA8),
    "no such texture": _image(0, 999, 0, 0, 0, gl.READ_ONLY, gl.RGBA8),
    "mutable texture": _image(0, 1, 0, 0, 0, gl.READ_ONLY, gl.RGBA8, immutable=False),
    "no texture": _image(0, 0, 0, 0, 0, gl.READ_ONLY, gl.RGBA8),
    "no texture, no format": _image(0, 0, 0, 0, 0, gl.READ_ONLY, gl.RGB8),
    "storage": _bound(STORAGE, 0, 256, 512),
    "storage at byte 2": _bound(STORAGE, 0, 2, 512),
    "storage at byte 4": _bound(STORAGE, 0, 4, 510),
    "counters at byte 2": _bound(COUNTER, 0, 2, 16),
    "counters at byte 4": _bound(COUNTER, 0, 4, 16),
    "counters of odd size": _bound(COUNTER, 0, 4, 15),
    "no bytes": _bound(STORAGE, 0, 0, 0),
    "negative bytes": _bound(STORAGE, 0, 0, -4),
    "below": _bound(STORAGE, 0, -4, 4),
    "beyond the buffer": _bound(STORAGE, 0, 1000, 1000),
    "storage binding beyond": _bound(STORAGE, 96, 0, 16),
    "counter binding beyond": _bound(COUNTER, 16, 0, 16),
    "not indexed": _bound(INDIRECT, 0, 0, 16),
    "uniforms at byte 4": _bound(gl.UNIFORM_BUFFER, 0, 4, 16),
    "map storage": _mapped(STORAGE, 0, 16, 1),
    "map counters": _mapped(COUNTER, 16, 16, 2),
    "map indirect": _mapped(INDIRECT, 0, 16, 3),
    "map nothing": _mapped(STORAGE, 0, 0, 1),
    "map beyond": _mapped(COUNTER, 60, 16, 1),
    "map unread and read": _mapped(INDIRECT, 0, 16, 5),
    "dispatch into a mapped buffer": _mapped_dispatch,
}
OTHERWISE = {
    "no such access": gl.INVALID_ENUM,  # 8.22; Mesa: INVALID_VALUE
    "below": gl.INVALID_VALUE,  # 6.1.1
    "dispatch into a mapped buffer": gl.INVALID_OPERATION,  # 6.3.1
    # The alignment of uniform buffers is that of the captured driver.
    "uniforms at byte 4": gl.NO_ERROR,
}
"""Errors that are not Mesa's, with their sections of the specification."""


@pytest.mark.parametrize("name", CALLS)
def test_errors(both_31: Session, name: str) -> None:
    s = both_31
    assert s.mesa is not None
    CALLS[name](s)
    error = s.mesa.error()
    assert s.error() == OTHERWISE.get(name, error)
    assert name not in OTHERWISE or error != OTHERWISE[name]
