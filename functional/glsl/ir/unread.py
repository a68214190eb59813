"""Textures of which a fragment shader needs no texels if its colours are not needed."""

from __future__ import annotations

from .analysis import register_components
from .program import File, Instruction, Shader

_EXPLICIT = ("TXL", "TXL2", "TXD", "TG4", "TXF", "TXQ")
"""Texture operations whose level of detail is not implied."""
Component = tuple[File, int, int]


def unread_samplers(shader: Shader) -> frozenset[int]:
    """Samplers that nothing but the shader's colours depends on, and whose levels of detail are all implied: no
    discard, branch, depth or access to memory, and no other read. None if registers are chosen at run time."""
    operands = [o for i in shader.instructions for o in (*i.sources, *([i.destination] if i.destination else ()))]
    if any(o.indirect is not None for o in operands):
        return frozenset()
    needed = _needed(shader)
    found, others = set[int](), set[int]()
    for pc, instruction in enumerate(shader.instructions):
        if instruction.info.shape == "texture" and instruction.sampler is not None:
            kept = pc in needed or instruction.opcode in _EXPLICIT
            (others if kept else found).add(instruction.sampler)
    return frozenset(found - others)


def _needed(shader: Shader) -> set[int]:
    """The pcs of instructions whose results are needed: backwards, again and again because of loops."""
    needed, around, before = set[int](), set[Component](), -1
    while len(needed) + len(around) > before:
        before = len(needed) + len(around)
        live = {(File.OUTPUT, i, c) for i, d in enumerate(shader.outputs) if d.semantic != "color" for c in range(4)}
        depth = 0
        for pc in range(len(shader.instructions) - 1, -1, -1):
            instruction = shader.instructions[pc]
            depth += {"ENDIF": 1, "ENDLOOP": 1, "UIF": -1, "BGNLOOP": -1}.get(instruction.opcode, 0)
            if instruction.opcode == "ENDLOOP":
                live |= around
            elif instruction.opcode == "BGNLOOP":
                around |= live
            written = _written(instruction)
            if live & written:
                needed.add(pc)
            if not depth:
                # In branches, some lanes keep what was there.
                live -= written
            if pc in needed or _happens(instruction):
                live |= _operands(instruction)
    return needed


def _happens(instruction: Instruction) -> bool:
    """Whether an instruction matters whatever becomes of its result: texels are read in any case."""
    return instruction.info.shape == "texture" or instruction.info.operation_class in ("flow", "mem")


def _written(instruction: Instruction) -> set[Component]:
    destination = instruction.destination
    return {(destination.file, destination.index, c) for c in destination.components} if destination else set()


def _operands(instruction: Instruction) -> set[Component]:
    return {
        (source.file, source.index, component)
        for index, source in enumerate(instruction.sources)
        for component in register_components(instruction, index)
    }
