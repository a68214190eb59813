"""The intermediate representation: vec4 instructions named after TGSI's."""

from .analysis import Block, blocks, coordinate_origins, count_by_class, position_slice, texture_channels
from .opcodes import OPCODES, Opcode
from .program import Declaration, Destination, File, Indirect, Instruction, Sampler, Shader, Source
from .text import IRTextError, parse_shader, print_instruction, print_shader

__all__ = [
    "OPCODES",
    "Block",
    "Declaration",
    "Destination",
    "File",
    "IRTextError",
    "Indirect",
    "Instruction",
    "Opcode",
    "Sampler",
    "Shader",
    "Source",
    "blocks",
    "coordinate_origins",
    "count_by_class",
    "parse_shader",
    "position_slice",
    "print_instruction",
    "print_shader",
    "texture_channels",
]
