"""Numbers that the captured driver gave to uniforms and blocks, learned from the answers in the stream.

Programs name blocks, and sometimes uniforms, by indices that every driver chooses itself. Whatever recorded answer
tells a name, a location or a block together with an index is noted; what needs a name that comes later waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ..glsl import LinkedProgram
from ..glsl.types import ArrayType


class NumberedProgram(Protocol):
    """The part of a program that numbers are for; see `programs.Program`."""

    linked: LinkedProgram | None
    block_names: dict[int, str]

    def place(self, name: str, location: int) -> None:
        """Note the location of a uniform."""


@dataclass
class DriverNumbers:
    """Numbers and names of a program's uniforms that the stream has revealed since the last link.

    Attributes
    ----------
    names
        Uniforms by index.
    waiting
        What is to be done once the name of a uniform is known, by its index.
    """

    names: dict[int, str] = field(default_factory=dict)
    waiting: dict[int, list[Callable[[str], None]]] = field(default_factory=dict)

    def name_uniform(self, index: int, name: str) -> None:
        """Note the name of a uniform."""
        self.names[index] = name
        for then in self.waiting.pop(index, ()):
            then(name)

    def place_uniform(self, program: NumberedProgram, index: int, location: int) -> None:
        """Note the location of a uniform."""
        self._once_named(index, lambda name: program.place(name, location))

    def join_block(self, program: NumberedProgram, index: int, block: int) -> None:
        """Note that a uniform is a member of a block."""
        if block >= 0 and block not in program.block_names:
            self._once_named(index, lambda name: _name_block(program, block, name))

    def _once_named(self, index: int, then: Callable[[str], None]) -> None:
        if index in self.names:
            then(self.names[index])
        else:
            self.waiting.setdefault(index, []).append(then)


def _name_block(program: NumberedProgram, index: int, member: str) -> None:
    """Name a block after one of its members."""
    for block in program.linked.blocks if program.linked is not None else ():
        for variable in block.members:
            listed = variable.name + ("[0]" if isinstance(variable.type, ArrayType) else "")
            if member in (listed, variable.name):
                program.block_names.setdefault(index, block.name)
                return
