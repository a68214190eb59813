"""Compiles and links as `link` does, and keeps linked programs on disk: an application links the same ones whenever it
starts, and its shaders take longer to compile than its frames to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ..compile import StoredFiles
from ..garbage import seldom_collected
from .dialects import Dialect
from .ir.program import Stage
from .link import CompiledShader, LinkedProgram, compile_shader, link_compute, link_program
from .link_separate import link_alone, link_pair, link_stage


@dataclass(frozen=True, slots=True)
class ValidShader:
    """A shader that is known to compile, perhaps from an earlier run; see `compile_shader`."""

    source: str
    stage: Stage
    name: str
    dialect: Dialect = "strict"

    def compiled(self) -> CompiledShader:
        """The compiled shader."""
        return compile_shader(self.source, self.stage, self.name, self.dialect)

    @property
    def key(self) -> tuple[str, ...]:
        """All that the compiled shader depends on."""
        return self.source, self.stage, self.name, self.dialect


def validate_shader(source: str, stage: Stage, name: str, dialect: Dialect = "strict") -> ValidShader:
    """Check that a shader compiles; parameters and errors are those of `compile_shader`."""
    shader = ValidShader(source, stage, name, dialect)
    if _files().read(shader.key) is None:
        with seldom_collected():
            shader.compiled()
        _files().write(shader.key, b"")
    return shader


def link_stored(
    vertex: ValidShader,
    fragment: ValidShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link two shaders, or read the result from disk; parameters and errors are those of `link_program`."""
    return _linked((vertex, fragment), "", link_program, attribute_locations, captured, separate)


def link_pair_stored(
    vertex: ValidShader,
    fragment: ValidShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Combine stages of two programs, or read the result from disk; parameters and errors are those of `link_pair`."""
    return _linked((vertex, fragment), "pair", link_pair, attribute_locations, captured, separate)


def link_alone_stored(
    vertex: ValidShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link what draws without a fragment shader, or read it from disk; parameters and errors are `link_alone`'s."""
    return _linked((vertex,), "alone", link_alone, attribute_locations, captured, separate)


def link_stage_stored(
    shader: ValidShader,
    attribute_locations: Mapping[str, int],
    captured: Sequence[str] = (),
    separate: bool = False,
) -> LinkedProgram:
    """Link one stage, or read the result from disk; parameters and errors are those of `link_stage`."""
    return _linked((shader,), "stage", link_stage, attribute_locations, captured, separate)


def _linked(
    shaders: Sequence[ValidShader],
    way: str,
    link: Callable[..., LinkedProgram],
    attribute_locations: Mapping[str, int],
    captured: Sequence[str],
    separate: bool,
) -> LinkedProgram:
    options = repr((sorted(attribute_locations.items()), tuple(captured), separate))
    key = [part for shader in shaders for part in shader.key] + [options] + ([way] if way else [])
    return _stored(key, lambda: link(*(s.compiled() for s in shaders), attribute_locations, captured, separate))


def link_compute_stored(shader: ValidShader) -> LinkedProgram:
    """Link a compute shader, or read the result from disk; errors are those of `link_compute`."""
    return _stored(shader.key, lambda: link_compute(shader.compiled()))


def _stored(key: Sequence[str], link: Callable[[], LinkedProgram]) -> LinkedProgram:
    if (program := _read((*key, "linked"))) is not None:
        return program
    with seldom_collected():
        program = link()
    _files().write((*key, "linked"), _programs().dump_json(program))
    return program


def _read(key: Sequence[str]) -> LinkedProgram | None:
    content = _files().read(key)
    try:
        return _programs().validate_json(content) if content is not None else None
    except ValidationError:
        return None


@cache
def _programs() -> TypeAdapter[LinkedProgram]:
    return TypeAdapter(LinkedProgram)


@cache
def _files() -> StoredFiles:
    return StoredFiles("programs", ".json", [Path(__file__).parent])
