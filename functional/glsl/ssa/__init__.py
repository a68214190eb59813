"""Single-assignment form of a shader, on which the optimizer works."""

from .builder import Builder, is_constant
from .values import Code, If, Jump, Loop, Node, Operand, Origin, RegisterArray, Value, bits_of

__all__ = [
    "Builder",
    "Code",
    "If",
    "Jump",
    "Loop",
    "RegisterArray",
    "Node",
    "Operand",
    "Origin",
    "Value",
    "bits_of",
    "is_constant",
]
