"""Techniques that shade other fragments than are drawn refuse draws whose programs write memory."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.record import record
from tilegpu.timing import load_configuration
from tilegpu.timing.assembly.loader import Loader
from tilegpu.timing.loading.source import ActivityError
from tilegpu.timing.registry import find_technique, technique_names

CHANGING = (
    "deferred_rendering",
    "evr",
    "fragment_memoization",
    "omega_test",
    "rendering_elimination",
    "visibility_rendering_order",
    "z_prepass",
)
_VERTEX = """#version 310 es
void main() { gl_Position = vec4(gl_VertexID & 1, gl_VertexID >> 1, 0.0, 1.0) * 4.0 - vec4(1.0, 1.0, 0.0, 3.0); }
"""
_FRAGMENT = """#version 310 es
precision highp float;
layout(std430, binding = 0) buffer A {{ uint count; }};
layout(location = 0) out vec4 color;
void main() {{ {effect} color = vec4(1.0); }}
"""


@cache
def recorded(effect: str) -> Path:
    """Activity of one draw."""
    folder = Path(mkdtemp())
    with Recorder(folder / "a.trace", 32, 32, version=(3, 1)) as recorder:
        (buffer,) = recorder.glGenBuffers(1)
        recorder.glBindBuffer(gl.SHADER_STORAGE_BUFFER, buffer)
        recorder.glBufferData(gl.SHADER_STORAGE_BUFFER, 4, np.zeros(1, np.uint32), gl.STATIC_DRAW)
        recorder.glBindBufferBase(gl.SHADER_STORAGE_BUFFER, 0, buffer)
        recorder.glUseProgram(recorder.program(_VERTEX, _FRAGMENT.format(effect=effect)))
        recorder.glDrawArrays(gl.TRIANGLES, 0, 3)
        recorder.swap()
    record(folder / "a.trace", folder / "activity", level="all", groups=frozenset({"inputs"}))
    return folder / "activity"


def loader(name: str, effect: str) -> Loader:
    """Loader of that draw for the machine that a technique is for."""
    (machine, *_) = find_technique(name).machines or ("tile_based",)
    configuration = load_configuration("ptr-2022", [f"techniques={name}", f"machine={machine}"])
    return Loader(recorded(effect), configuration)


@pytest.mark.parametrize("name", CHANGING)
def test_side_effects_are_refused(name: str) -> None:
    with pytest.raises(ActivityError, match=f"draw 0 writes to buffers or images, and {name} shades other"):
        loader(name, "atomicAdd(count, 1u);").load(0)
    loader(name, "").load(0)


@pytest.mark.parametrize("name", sorted(set(technique_names()) - set(CHANGING)))
def test_others_take_them(name: str) -> None:
    assert not find_technique(name).changes_shading
