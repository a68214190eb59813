"""What a call declares to change of the state that draws are made of is all that it changes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tilegpu.functional.gles.context import Context
from tilegpu.functional.gles.effects import ARRAYS, EVERYTHING, NOTHING, OBJECTS, STAGES
from tilegpu.functional.gles.entry_points import EFFECTS, ENTRY_POINTS
from tilegpu.functional.gles.programs import Program
from tilegpu.functional.gles.resolve import draw_state
from tilegpu.functional.gles.resolve_arrays import _content
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.opengl.errors import GLError

from .session import Session

VERTEX = """#version 300 es
in vec2 position; in vec4 color; uniform vec4 shift; out vec4 shade;
void main() { shade = color; gl_Position = vec4(position, 0.0, 1.0) + shift; }
"""
FRAGMENT = """#version 300 es
precision mediump float;
in vec4 shade; uniform sampler2D image; out vec4 drawn;
void main() { drawn = texture(image, shade.xy); }
"""
TARGETS = (gl.ARRAY_BUFFER, gl.ELEMENT_ARRAY_BUFFER, gl.TEXTURE_2D, gl.FRAMEBUFFER, gl.TRIANGLES, gl.FLOAT)
CALLS = 3000
CAPABILITIES = tuple(sorted(gl.CAPABILITIES))
FUNCTIONS = (gl.NEVER, gl.LESS, gl.GEQUAL, gl.ALWAYS)
FACTORS = (gl.ZERO, gl.ONE, gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
SIDES = (gl.FRONT, gl.BACK, gl.FRONT_AND_BACK)
SMALL, SHARES, BOOLS = (0, 1, 2, 9), (0.0, -0.0, 0.25, 1.0), (0, 1)
SETTERS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "glEnable": (CAPABILITIES,),
    "glDisable": (CAPABILITIES,),
    "glViewport": (SMALL,) * 4,
    "glScissor": (SMALL,) * 4,
    "glDepthRangef": (SHARES, SHARES),
    "glCullFace": (SIDES,),
    "glFrontFace": ((gl.CW, gl.CCW),),
    "glPolygonOffset": (SHARES, SHARES),
    "glLineWidth": ((1.0, 2.0),),
    "glDepthFunc": (FUNCTIONS,),
    "glDepthMask": (BOOLS,),
    "glColorMask": (BOOLS,) * 4,
    "glStencilFuncSeparate": (SIDES, FUNCTIONS, SMALL, SMALL),
    "glStencilOpSeparate": (SIDES, *((gl.KEEP, gl.ZERO, gl.INVERT),) * 3),
    "glStencilMaskSeparate": (SIDES, SMALL),
    "glBlendFuncSeparate": (FACTORS,) * 4,
    "glBlendEquationSeparate": ((gl.FUNC_ADD, gl.FUNC_SUBTRACT),) * 2,
    "glBlendColor": (SHARES,) * 4,
    "glEnablei": ((gl.BLEND,), BOOLS),
    "glDisablei": ((gl.BLEND,), BOOLS),
    "glBlendFuncSeparatei": (BOOLS, *(FACTORS,) * 4),
    "glBlendEquationSeparatei": (BOOLS, *((gl.FUNC_ADD, gl.FUNC_SUBTRACT),) * 2),
    "glColorMaski": (BOOLS,) * 5,
    "glSampleCoverage": (SHARES, BOOLS),
    "glTexParameteri": ((gl.TEXTURE_2D,), (gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER), (gl.NEAREST, gl.LINEAR)),
    "glActiveTexture": ((gl.TEXTURE0, gl.TEXTURE0 + 1),),
    "glBindTexture": ((gl.TEXTURE_2D,), (0, 1, 2)),
    "glUniform1i": (SMALL, SMALL),
    "glDrawBuffers": ((1,), ([gl.NONE], [gl.BACK])),
}
"""Calls that set what draws are made of, and values for their arguments."""


def prepared() -> Session:
    """A context that could draw."""
    session = Session()
    session.glUseProgram(session.program(VERTEX, FRAGMENT))
    session.glBindTexture(gl.TEXTURE_2D, session.glGenTextures(1)[0])
    session.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 2, 2, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(16))
    session.glBindBuffer(gl.ARRAY_BUFFER, session.glGenBuffers(1)[0])
    session.glBufferData(gl.ARRAY_BUFFER, 1024, bytes(1024), gl.STATIC_DRAW)
    for location in (0, 1):
        session.glVertexAttribPointer(location, 2, gl.FLOAT, False, 8, 0)
        session.glEnableVertexAttribArray(location)
    # The window's framebuffer gets its memory here, and not in the middle of the test.
    session.glClear(gl.COLOR_BUFFER_BIT)
    return session


def drawn(rnd: random.Random) -> list[Any]:
    """Arguments, more or less likely to make sense."""
    kinds = (
        lambda: rnd.randrange(5),
        lambda: rnd.randrange(5),
        lambda: rnd.choice(TARGETS),
        lambda: rnd.choice((0.0, 0.5, 1.0, 2.5)),
        lambda: [rnd.randrange(3) for _ in range(rnd.randrange(1, 5))],
        lambda: bytes(64),
    )
    return [rnd.choice(kinds)() for _ in range(rnd.randrange(7))]


def set_at_random(rnd: random.Random, names: list[str]) -> tuple[str, list[Any]]:
    """A call that makes sense."""
    name = rnd.choice(names)
    return name, [rnd.choice(values) for values in SETTERS[name]]


def looked_at(context: Context, program: Program | None) -> dict[int, object]:
    """All that draws with a program are resolved from but contents, by what a call must declare to change it."""
    assert program is not None
    state, _ = draw_state(context, program, context.framebuffer)
    samplers = [
        vars(sampler) | {"storage": None, "version": 0, "words": None} for stage in state.samplers for sampler in stage
    ]
    stages = state.raster, state.depth_stencil, state.blending
    others = state.program, state.constants, state.target, samplers
    return {STAGES: stages, OBJECTS: others, ARRAYS: _content(context, program)}


def test_every_entry_point_declares_an_effect() -> None:
    assert set(EFFECTS) == set(ENTRY_POINTS)


@pytest.mark.parametrize("seed", range(4))
def test_calls_change_no_more_than_they_declare(seed: int) -> None:
    rnd, session = random.Random(seed), prepared()
    context = session.display.current[0]
    # Units of samplers have a revision of their own; here no uniform is found by a number that nobody asked for.
    context.program.assumed = True
    # Another program has other arrays, which is known without being told.
    names = sorted(n for n, effect in EFFECTS.items() if effect.changes != EVERYTHING and n != "glUseProgram")
    setters, done = [name for name in SETTERS if name in names], set()
    for _ in range(CALLS):
        name, arguments = set_at_random(rnd, setters) if rnd.random() < 0.5 else (rnd.choice(names), drawn(rnd))
        before, context.error = looked_at(context, context.program), 0
        session.execute(name, arguments)
        if context.error == 0:
            done.add(name)
        for part, now in looked_at(context, context.program).items():
            assert now == before[part] or EFFECTS[name].changes & part, name
    assert len(done) > len(names) // 4


@pytest.mark.parametrize("seed", range(4))
def test_states_with_one_key_are_one_state(seed: int) -> None:
    """Whatever calls come between: states that are equal as keys are the same, to the type and sign of numbers."""
    rnd, session = random.Random(seed), prepared()
    context = session.display.current[0]
    names = sorted(name for name in EFFECTS if not name.startswith(("glDelete", "glLinkProgram", "glUseProgram")))
    setters = [name for name in SETTERS if name in EFFECTS]
    known: dict[object, str] = {}
    for _ in range(CALLS):
        session.execute(*set_at_random(rnd, setters) if rnd.random() < 0.7 else (rnd.choice(names), drawn(rnd)))
        assert context.program is not None
        try:
            state, _ = draw_state(context, context.program, context.framebuffer)
        except GLError:
            session.glBindFramebuffer(gl.FRAMEBUFFER, 0)
            continue
        found = repr((state.raster, state.depth_stencil, state.blending))
        assert known.setdefault(state, found) == found
    assert len(known) > CALLS // 10


def test_effects_of_calls() -> None:
    changes = {name: effect.changes for name, effect in EFFECTS.items()}
    assert changes["glUniformMatrix4fv"] == changes["glDrawElements"] == changes["glGetError"] == NOTHING
    assert changes["glUseProgram"] == changes["glBindBuffer"] == changes["glActiveTexture"] == NOTHING
    assert changes["glVertexAttribPointer"] == changes["glBufferSubData"] == changes["glBindVertexArray"] == ARRAYS
    assert changes["glEnable"] == changes["glViewport"] == STAGES
    assert changes["glBlendFunc"] == changes["glStencilOp"] == changes["glLineWidthx"] == STAGES
    assert changes["glUseProgramStages"] == changes["glBindTexture"] == changes["glUniformBlockBinding"] == OBJECTS
    for name in ("glLinkProgram", "glBindSampler", "glDrawTexfOES", "glDrawBuffers"):
        assert changes[name] == EVERYTHING
