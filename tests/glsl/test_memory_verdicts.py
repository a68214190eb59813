"""Verdicts on compute shaders: ours are Mesa's, or the specification's where Mesa does not follow it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gles.mesa import Mesa
from tilegpu.functional.glsl import LinkError, ShaderError, compile_shader
from tilegpu.functional.glsl.link import link_compute
from tilegpu.functional.opengl import enums as gl

from .memory_verdicts import CASES

OTHERWISE = {
    "shared: shared with a value": "shared variables have no initializers (4.3.8)",
    "shared: shared in a function": "shared variables are global (4.3.8)",
    "blocks: member of type void": "void is no type of a member (4.1.1)",
    "blocks: atomic on readonly": "readonly memory is not written (4.9)",
    "blocks: readonly as out argument": "readonly memory is not written (4.9)",
    "blocks: readonly as inout argument": "readonly memory is not written (4.9)",
    "blocks: neither reading nor writing": "both qualifiers leave length() (4.9)",
    "blocks: coherent twice": "a qualifier is not repeated (4.10)",
    "counters: offset of another uniform": "only atomic counters have offsets (4.4.6)",
    "images: as parameter without a format": "a parameter cannot have a format, and gets that of its argument (4.9)",
    "images: parameter that drops restrict": "restrict is the one qualifier that parameters may drop (4.9)",
}
"""Where Mesa's verdict is not the specification's, and why."""
CRASHES = ("images: in a structure",)
"""What this Mesa does not survive; images are no members of structures (4.1.7.2)."""


@pytest.fixture(scope="module")
def mesa() -> Iterator[Mesa]:
    """A context of OpenGL ES 3.1."""
    context = Mesa(3, 1)
    yield context
    context.close()


def theirs(mesa: Mesa, source: str) -> bool:
    """Whether Mesa compiles and links a compute shader."""
    program, shader = mesa.call("glCreateProgram"), mesa.call("glCreateShader", gl.COMPUTE_SHADER)
    mesa.call("glShaderSource", shader, 1, [source], None)
    mesa.call("glCompileShader", shader)
    mesa.call("glAttachShader", program, shader)
    mesa.call("glLinkProgram", program)
    accepted = mesa.get("glGetProgramiv", program, gl.LINK_STATUS) == [1]
    mesa.call("glDeleteShader", shader)
    mesa.call("glDeleteProgram", program)
    return accepted


def ours(source: str) -> bool:
    """Whether this compiler does."""
    try:
        link_compute(compile_shader(source, "compute"))
    except (ShaderError, LinkError):
        return False
    return True


@pytest.mark.parametrize("name", [name for name in CASES if name not in CRASHES])
def test_verdict(mesa: Mesa, name: str) -> None:
    assert (ours(CASES[name]) == theirs(mesa, CASES[name])) == (name not in OTHERWISE)


@pytest.mark.parametrize("name", CRASHES)
def test_refused(name: str) -> None:
    assert not ours(CASES[name])


def test_both_verdicts_occur() -> None:
    verdicts = [ours(source) for source in CASES.values()]
    assert len(verdicts) > 150 and min(verdicts.count(True), verdicts.count(False)) > 50
