"""Jump targets of flow instructions."""

from dataclasses import replace

from ..ir.program import Instruction


def with_flow_targets(instructions: tuple[Instruction, ...]) -> tuple[Instruction, ...]:
    """Fill in the targets of flow instructions."""
    targets: dict[int, int] = {}
    open_ifs: list[int] = []
    loops: list[tuple[int, list[int]]] = []
    for pc, instruction in enumerate(instructions):
        if instruction.opcode == "UIF":
            open_ifs.append(pc)
        elif instruction.opcode == "ELSE":
            targets[open_ifs.pop()] = pc + 1
            open_ifs.append(pc)
        elif instruction.opcode == "ENDIF":
            targets[open_ifs.pop()] = pc
        elif instruction.opcode == "BGNLOOP":
            loops.append((pc, []))
        elif instruction.opcode in ("BRK", "CONT"):
            loops[-1][1].append(pc)
        elif instruction.opcode == "ENDLOOP":
            start, jumps = loops.pop()
            targets[pc], targets[start] = start + 1, pc
            for jump in jumps:
                targets[jump] = pc + 1 if instructions[jump].opcode == "BRK" else pc
    return tuple(
        replace(instruction, flow_target=targets[pc]) if pc in targets else instruction
        for pc, instruction in enumerate(instructions)
    )
