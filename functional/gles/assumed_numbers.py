"""Locations of uniforms that a capture never asks for, as Mesa numbers them.

Captures that are cut lose the calls that asked; what sets uniforms by number is left. Mesa goes through the stages, and
in each first through the members of its uniform blocks, every element of an array taking a number, then through the
active uniforms in the order of their declaration (measured on 118 programs of captures that do ask, and on 7 with
blocks; `gl_nir_link_uniforms.c` numbers so).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from ..glsl import LinkedProgram, Uniform
from ..glsl.types import ArrayType
from ..glsl.uniform_blocks import UniformBlock

_ELEMENT = re.compile(r"\[\d+\]$")


class Unasked(Protocol):
    """The part of a program that is numbered; see `programs.Program`."""

    linked: LinkedProgram | None
    sources: tuple[str, ...]
    asked: dict[int, str]
    locations: dict[int, tuple[Uniform, int]]


def assumed_locations(program: Unasked) -> dict[int, tuple[Uniform, int]]:
    """Uniform and element by location as Mesa gives them; empty for a program that the capture asks for any.

    Parameters
    ----------
    program
        A program.
    """
    if program.linked is None or program.asked or program.locations:
        return {}
    return {location: at for location, at in enumerate(_numbered(program.linked, program.sources)) if at is not None}


def _numbered(linked: LinkedProgram, sources: tuple[str, ...]) -> Iterator[tuple[Uniform, int] | None]:
    """Uniform and element of each location in turn, None for members of blocks."""
    listed: set[str] = set()
    for stage, source in zip(linked.shaders, sources, strict=False):
        for block in linked.blocks:
            name = _ELEMENT.sub("", block.name)
            if name not in listed and re.search(rf"\b{re.escape(name)}\b", source):
                listed.add(name)
                yield from [None] * _members(block)
        for uniform in linked.uniforms:
            if uniform.name not in listed and stage in uniform.stages and not uniform.name.startswith("gl_"):
                listed.add(uniform.name)
                yield from ((uniform, element) for element in range(max(1, uniform.array_size)))


def _members(block: UniformBlock) -> int:
    """Numbers that the members of a block take."""
    return sum(member.type.size if isinstance(member.type, ArrayType) else 1 for member in block.members)
