"""Arithmetic opcodes on one row each."""

import numpy as np

from ...glsl.ir.opcodes import OPCODES
from . import kernels
from .kernels import Operation


def arithmetic(
    opcode: str, row: int, operands: list[int], negated: list[bool], scratch: int, uniform: bool
) -> list[Operation]:
    """Operations that compute one component.

    Parameters
    ----------
    opcode : str
        Component-wise or replicating, not UCMP.
    row : int
        Where the result goes.
    operands : list of int
        Rows.
    negated : list of bool
        Operands of ADD, MUL and MAD to negate in the operation.
    scratch : int
        A row that is not used otherwise.
    uniform : bool
        Whether ``row`` has length 1.
    """
    if opcode == "ADD":
        return _sum(row, operands, negated)
    if opcode == "MUL":
        product = kernels.binary(np.multiply, row, *operands)
        return [product, kernels.unary(np.negative, row, row)] if negated[0] != negated[1] else [product]
    if opcode == "MAD":
        return [kernels.multiply_add(row, operands, scratch, (negated[0] != negated[1], negated[2]))]
    if opcode == "MOV":
        return [] if row == operands[0] else [kernels.copy(row, operands[0])]
    if opcode == "LRP":
        return [kernels.interpolate(row, operands, scratch)]
    if opcode == "FRC":
        return [kernels.fraction(row, operands[0], scratch)]
    if opcode in ("RCP", "RSQ"):
        return [kernels.reciprocal(row, operands[0], opcode == "RSQ")]
    if opcode in ("EX2", "POW"):
        return [kernels.exponential(row, operands)]
    if opcode in ("DDX", "DDY"):
        return [kernels.derivative(row, operands[0], opcode == "DDY")]
    if kernels.is_comparison(opcode):
        return [kernels.compare(opcode, row, operands[0], operands[1], uniform)]
    operation = kernels.elementary(opcode, row, operands)
    return [operation or kernels.general(opcode, row, operands, OPCODES[opcode].kind)]


def _sum(row: int, operands: list[int], negated: list[bool]) -> list[Operation]:
    a, b = operands
    if negated == [True, True]:
        return [kernels.binary(np.add, row, a, b), kernels.unary(np.negative, row, row)]
    if negated[1]:
        return [kernels.binary(np.subtract, row, a, b)]
    return [kernels.binary(np.subtract, row, b, a) if negated[0] else kernels.binary(np.add, row, a, b)]
