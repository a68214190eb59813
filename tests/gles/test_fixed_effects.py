"""Programs of OpenGL ES 1.1 follow their state, whichever calls changed it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.examples import examples
from tilegpu.functional.gles.effects import STAGES
from tilegpu.functional.gles.entry_points import EFFECTS
from tilegpu.functional.gles.fixed.programs import FixedPrograms
from tilegpu.functional.opengl import enums as gl

from .session import Session
from .test_effects import looked_at

CALLS = examples(400, 1000)
SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2)))
"""Of calls, all of which are drawn from the same setters: one stream has each of them dozens of times."""
NUMBERS = (0.0, 0.25, 1.0, 3.0)
LIGHTS = (gl.LIGHT0, gl.LIGHT0 + 1)
COLORS = ([0.1, 0.2, 0.3, 1.0], [1.0, 0.5, 0.0, 0.5])
CAPABILITIES = (gl.LIGHTING, *LIGHTS, gl.COLOR_MATERIAL, gl.NORMALIZE, gl.RESCALE_NORMAL, gl.FOG, gl.ALPHA_TEST,
                gl.TEXTURE_2D, gl.CLIP_PLANE0, gl.POINT_SPRITE_OES, gl.BLEND, gl.COLOR_LOGIC_OP)  # fmt: skip
ARRAY_NAMES = (gl.VERTEX_ARRAY, gl.NORMAL_ARRAY, gl.COLOR_ARRAY, gl.TEXTURE_COORD_ARRAY)
SETTERS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("glEnable", (CAPABILITIES,)),
    ("glDisable", (CAPABILITIES,)),
    ("glLightfv", (LIGHTS, (gl.AMBIENT, gl.DIFFUSE, gl.SPECULAR, gl.POSITION), COLORS)),
    ("glLightfv", (LIGHTS, (gl.SPOT_DIRECTION,), COLORS)),
    ("glLightf", (LIGHTS, (gl.SPOT_EXPONENT, gl.SPOT_CUTOFF, gl.CONSTANT_ATTENUATION), NUMBERS)),
    ("glLightModelfv", ((gl.LIGHT_MODEL_AMBIENT,), COLORS)),
    ("glLightModelf", ((gl.LIGHT_MODEL_TWO_SIDE,), (0.0, 1.0))),
    ("glMaterialfv", ((gl.FRONT_AND_BACK,), (gl.AMBIENT, gl.DIFFUSE, gl.EMISSION, gl.AMBIENT_AND_DIFFUSE), COLORS)),
    ("glMaterialf", ((gl.FRONT_AND_BACK,), (gl.SHININESS,), NUMBERS)),
    ("glFogf", ((gl.FOG_DENSITY, gl.FOG_START, gl.FOG_END), NUMBERS)),
    ("glFogx", ((gl.FOG_MODE,), (gl.EXP, gl.LINEAR))),
    ("glFogfv", ((gl.FOG_COLOR,), COLORS)),
    ("glTexEnvi", ((gl.TEXTURE_ENV,), (gl.TEXTURE_ENV_MODE,), (gl.MODULATE, gl.REPLACE, gl.COMBINE))),
    ("glTexEnvfv", ((gl.TEXTURE_ENV,), (gl.TEXTURE_ENV_COLOR,), COLORS)),
    ("glTexEnvf", ((gl.TEXTURE_FILTER_CONTROL_EXT,), (gl.TEXTURE_LOD_BIAS,), NUMBERS)),
    ("glPointParameterf", ((gl.POINT_SIZE_MIN, gl.POINT_SIZE_MAX), NUMBERS)),
    ("glPointSize", (NUMBERS,)),
    ("glColor4f", (NUMBERS,) * 4),
    ("glNormal3f", (NUMBERS,) * 3),
    ("glMultiTexCoord4f", ((gl.TEXTURE0, gl.TEXTURE0 + 1), *(NUMBERS,) * 4)),
    ("glAlphaFunc", ((gl.LESS, gl.ALWAYS), NUMBERS)),
    ("glShadeModel", ((gl.FLAT, gl.SMOOTH),)),
    ("glClipPlanef", ((gl.CLIP_PLANE0,), COLORS)),
    ("glLogicOp", ((gl.COPY, gl.SET),)),
    ("glClientActiveTexture", ((gl.TEXTURE0, gl.TEXTURE0 + 1),)),
    ("glActiveTexture", ((gl.TEXTURE0, gl.TEXTURE0 + 1),)),
    ("glBindTexture", ((gl.TEXTURE_2D,), (0, 1))),
    ("glEnableClientState", (ARRAY_NAMES,)),
    ("glDisableClientState", (ARRAY_NAMES,)),
    ("glVertexPointer", ((2, 3), (gl.FLOAT,), (0,), (0, 8))),
    ("glMatrixMode", ((0x1700, 0x1701, 0x1702),)),
    ("glLoadIdentity", ()),
    ("glPushMatrix", ()),
    ("glPopMatrix", ()),
    ("glRotatef", (NUMBERS,) * 4),
    ("glTranslatef", (NUMBERS,) * 3),
    ("glMultMatrixf", ([float(n % 5) for n in range(16)],)),
    ("glLoadMatrixf", (([float(n % 3) for n in range(16)],),)),
)  # fmt: skip


def _prepared() -> Session:
    session = Session(version=1)
    session.glBindTexture(gl.TEXTURE_2D, session.glGenTextures(1)[0])
    session.glTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, bytes(4))
    session.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    session.glBindBuffer(gl.ARRAY_BUFFER, session.glGenBuffers(1)[0])
    session.glBufferData(gl.ARRAY_BUFFER, 1024, bytes(1024), gl.STATIC_DRAW)
    session.glVertexPointer(2, gl.FLOAT, 0, 0)
    session.glClear(gl.COLOR_BUFFER_BIT)
    return session


def _content_of(program: Any) -> tuple[object, ...]:
    constants = program.constants
    return program.sources, constants.vertex.tobytes(), constants.fragment.tobytes(), program.units["fragment"]


@pytest.mark.parametrize("seed", SEEDS)
def test_programs_have_the_uniforms_of_their_state(seed: int) -> None:
    rnd, session = random.Random(seed), _prepared()
    context = session.display.current[0]
    seen = set()
    for _ in range(CALLS):
        name, choices = rnd.choice(SETTERS if rnd.random() < 0.8 else SETTERS[:2])
        session.execute(name, [rnd.choice(values) for values in choices])
        points = rnd.random() < 0.1
        program = context.fixed_programs.program(context, points)
        again = FixedPrograms().program(context, points)
        assert _content_of(program) == _content_of(again), name
        seen.add(id(program))
    assert len(seen) > 20


@pytest.mark.parametrize("seed", SEEDS)
def test_calls_change_no_more_than_they_declare(seed: int) -> None:
    rnd, session = random.Random(seed), _prepared()
    context = session.display.current[0]
    for _ in range(CALLS):
        name, choices = rnd.choice(SETTERS if rnd.random() < 0.8 else SETTERS[:2])
        program = context.fixed_programs.program(context, False)
        before = looked_at(context, program)
        session.execute(name, [rnd.choice(values) for values in choices])
        following = context.fixed_programs.program(context, False)
        now = looked_at(context, following)
        # Another program has other arrays and samplers, which resolving sees by itself.
        for part in now if program is following else (STAGES,):
            assert now[part] == before[part] or EFFECTS[name].changes & part, name
