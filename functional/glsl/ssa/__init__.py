"""Single-assignment form of a shader: where optimization happens."""

from .builder import Builder, bits_of, is_constant
from .values import Code, If, Jump, Loop, Memory, Node, Operand, Value

__all__ = [
    "Builder",
    "Code",
    "If",
    "Jump",
    "Loop",
    "Memory",
    "Node",
    "Operand",
    "Value",
    "bits_of",
    "is_constant",
]
