"""Instructions of fragment shaders, and textures, that only colours depend on."""

from __future__ import annotations

from typing import NamedTuple

from .analysis import kept, read_samplers, register_components
from .flow import successors
from .program import File, Instruction, Shader

_UNNOTED = ("TG4",)
"""Texture operations that no kernel executes without texels."""
_OF_QUADS = ("TEX", "TXP", "TXB", "TEX2", "TXB2")
"""Texture operations whose level of detail comes from differences inside quads."""
_DERIVATIVES = ("DDX", "DDY")
Component = tuple[File, int, int]


@kept
def coloring_samplers(shader: Shader, detailed: frozenset[int]) -> frozenset[int]:
    """Samplers that nothing but the shader's colours depends on: no discard, branch, depth, access to memory, and no
    other read. None if registers are chosen at run time.

    Parameters
    ----------
    shader
        Of the fragment stage.
    detailed
        Samplers that may need a level of detail.
    """
    if _chooses_registers(shader):
        return frozenset()
    needed = [shader.instructions[pc] for pc in _needed(shader, detailed)]
    return read_samplers(shader) - {i.sampler for i in needed if i.opcode != "TXQ"}


class Uncolored(NamedTuple):
    """Remains of a fragment shader without its colours.

    Attributes
    ----------
    executed
        The pcs of instructions that matter.
    unread
        Samplers of which it is enough to note what would be read.
    """

    executed: frozenset[int]
    unread: frozenset[int]


@kept
def without_colors(shader: Shader, detailed: frozenset[int]) -> Uncolored:
    """Remains of a shader, with `coloring_samplers` unread if they can be; all of it if registers are chosen at run
    time."""
    every = frozenset(range(len(shader.instructions)))
    if _chooses_registers(shader):
        return Uncolored(every, frozenset())
    happening = {pc for pc in every if _happens(shader.instructions[pc])}
    noted = coloring_samplers(shader, detailed) - {i.sampler for i in shader.instructions if i.opcode in _UNNOTED}
    return Uncolored(frozenset(_needed(shader, detailed) | happening), noted)


def _chooses_registers(shader: Shader) -> bool:
    """Whether registers are chosen at run time."""
    operands = [o for i in shader.instructions for o in (*i.sources, *([i.destination] if i.destination else ()))]
    return any(o.indirect is not None for o in operands)


@kept
def _needed(shader: Shader, detailed: frozenset[int]) -> set[int]:
    """The pcs of instructions whose results something other than colours depends on.

    Found backwards, until nothing changes: what matters before each instruction in lanes that execute it, and what
    matters in other lanes of their quads, which keep what was there before the branch.
    """
    following, inside = successors(shader), _inside(shader)
    nothing = frozenset[Component]()
    own, others = [nothing] * len(following), [nothing] * (len(following) + 1)
    outputs = [number for number, declaration in enumerate(shader.outputs) if declaration.semantic != "color"]
    end = frozenset((File.OUTPUT, number, component) for number in outputs for component in range(4))
    needed, changed = set[int](), True
    while changed:
        changed = False
        for pc in range(len(following) - 1, -1, -1):
            instruction, written = shader.instructions[pc], _written(shader.instructions[pc])
            after = nothing.union(*(own[target] for target in following[pc])) if following[pc] else end
            around = others[pc + 1].union(*(others[target] for target in following[pc] if target <= pc))
            if not written.isdisjoint(after | around):
                needed.add(pc)
            used = _operands(instruction) if pc in needed or _happens(instruction) else nothing
            before = after - written | used
            if not inside[pc]:
                around -= written
            elif _reads_quads(instruction, detailed):
                around |= used
            changed |= before != own[pc] or around != others[pc]
            own[pc], others[pc] = before, around
    return needed


def _inside(shader: Shader) -> list[bool]:
    """Whether each instruction is in a branch or loop."""
    depth, inside = 0, []
    for instruction in shader.instructions:
        depth += {"UIF": 1, "BGNLOOP": 1, "ENDIF": -1, "ENDLOOP": -1}.get(instruction.opcode, 0)
        inside.append(depth > 0)
    return inside


def _reads_quads(instruction: Instruction, detailed: frozenset[int]) -> bool:
    """Whether an instruction reads its operands in other lanes of the quad."""
    return instruction.opcode in _DERIVATIVES or (instruction.opcode in _OF_QUADS and instruction.sampler in detailed)


def _happens(instruction: Instruction) -> bool:
    """Whether an instruction matters whatever becomes of its result: texels are read in any case."""
    return instruction.info.shape == "texture" or instruction.info.operation_class in ("flow", "mem")


def _written(instruction: Instruction) -> frozenset[Component]:
    destination = instruction.destination
    if destination is None:
        return frozenset()
    return frozenset((destination.file, destination.index, c) for c in destination.components)


def _operands(instruction: Instruction) -> frozenset[Component]:
    return frozenset(
        (source.file, source.index, component)
        for index, source in enumerate(instruction.sources)
        for component in register_components(instruction, index)
    )
