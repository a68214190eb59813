"""The instruction set: one row per opcode.

Names and meanings are TGSI's (Mesa, ``docs/gallium/tgsi.rst``), except for F2H and H2F, which are halves of PK2H and
UP2H. Every opcode works on vectors of four 32-bit components under a write mask, which is what mobile GPU papers count
as one instruction.
"""

from dataclasses import dataclass
from typing import Literal

OperationClass = Literal["alu", "sfu", "tex", "flow", "mem"]
Shape = Literal[
    "component", "replicate", "dot2", "dot3", "dot4", "texture", "flow", "kill", "address",
    "load", "store", "atomic", "size", "barrier",
]  # fmt: skip
Kind = Literal["float", "int", "bits"]
ACCESSING: tuple[Shape, ...] = ("load", "store", "atomic")
"""Shapes of instructions that access a buffer, an image or shared memory."""
ADDRESSING: tuple[Shape, ...] = (*ACCESSING, "size")
"""Shapes of instructions that name a buffer, an image or shared memory."""


@dataclass(frozen=True, slots=True)
class Opcode:
    """A row of the instruction set.

    Attributes
    ----------
    name : str
        TGSI's mnemonic.
    operands : int
        Number of source operands.
    shape : str
        How sources map to the destination: component by component, one scalar (first component of each
        source) replicated, a dot product replicated, or something of its own.
    kind : str
        Type of the source components. Negate and absolute act on the sign bit of floats, so only
        "float" and "bits" opcodes take them.
    operation_class : str
        Which execution resource issues it: "alu", "sfu" (transcendental), "tex", "mem" (memory) or "flow".
    meaning : str
        One line of formula.
    """

    name: str
    operands: int
    shape: Shape
    kind: Kind
    operation_class: OperationClass
    meaning: str


_ROWS: tuple[tuple[str, int, Shape, Kind, OperationClass, str], ...] = (
    # name, operands, shape, kind, class, meaning
    ("MOV", 1, "component", "bits", "alu", "a"),
    ("ADD", 2, "component", "float", "alu", "a + b"),
    ("MUL", 2, "component", "float", "alu", "a * b"),
    ("MAD", 3, "component", "float", "alu", "a * b + c, rounded twice"),
    ("DIV", 2, "component", "float", "alu", "a / b"),
    ("MIN", 2, "component", "float", "alu", "the lesser"),
    ("MAX", 2, "component", "float", "alu", "the greater"),
    ("LRP", 3, "component", "float", "alu", "a * b + (1 - a) * c, computed as a * (b - c) + c"),
    ("FLR", 1, "component", "float", "alu", "largest integer not above a"),
    ("CEIL", 1, "component", "float", "alu", "smallest integer not below a"),
    ("TRUNC", 1, "component", "float", "alu", "a rounded towards zero"),
    ("ROUND", 1, "component", "float", "alu", "nearest integer, ties to even"),
    ("FRC", 1, "component", "float", "alu", "a - floor(a)"),
    ("SSG", 1, "component", "float", "alu", "-1, 0 or 1 by the sign of a"),
    ("SLT", 2, "component", "float", "alu", "a < b ? 1.0 : 0.0"),
    ("SGE", 2, "component", "float", "alu", "a >= b ? 1.0 : 0.0"),
    ("FSLT", 2, "component", "float", "alu", "a < b ? all bits : 0"),
    ("FSGE", 2, "component", "float", "alu", "a >= b ? all bits : 0"),
    ("FSEQ", 2, "component", "float", "alu", "a == b ? all bits : 0"),
    ("FSNE", 2, "component", "float", "alu", "a != b ? all bits : 0"),
    ("DDX", 1, "component", "float", "alu", "difference to the horizontal neighbour in the quad"),
    ("DDY", 1, "component", "float", "alu", "difference to the vertical neighbour in the quad"),
    ("DP2", 2, "dot2", "float", "alu", "sum of two products"),
    ("DP3", 2, "dot3", "float", "alu", "sum of three products"),
    ("DP4", 2, "dot4", "float", "alu", "sum of four products"),
    ("RCP", 1, "replicate", "float", "sfu", "1 / a"),
    ("RSQ", 1, "replicate", "float", "sfu", "1 / sqrt(a)"),
    ("SQRT", 1, "replicate", "float", "sfu", "sqrt(a)"),
    ("EX2", 1, "replicate", "float", "sfu", "2 to the power a"),
    ("LG2", 1, "replicate", "float", "sfu", "base-2 logarithm of a"),
    ("POW", 2, "replicate", "float", "sfu", "a to the power b"),
    ("SIN", 1, "replicate", "float", "sfu", "sine of a radians"),
    ("COS", 1, "replicate", "float", "sfu", "cosine of a radians"),
    ("F2I", 1, "component", "float", "alu", "float to int, towards zero"),
    ("F2U", 1, "component", "float", "alu", "float to unsigned, towards zero"),
    ("I2F", 1, "component", "int", "alu", "int to float"),
    ("U2F", 1, "component", "int", "alu", "unsigned to float"),
    ("F2H", 1, "component", "float", "alu", "bits of the nearest half-precision float"),
    ("H2F", 1, "component", "int", "alu", "half-precision float in the low 16 bits of a"),
    ("UADD", 2, "component", "int", "alu", "a + b modulo 2**32"),
    ("UMUL", 2, "component", "int", "alu", "a * b modulo 2**32"),
    ("INEG", 1, "component", "int", "alu", "-a modulo 2**32"),
    ("IABS", 1, "component", "int", "alu", "|a|"),
    ("ISSG", 1, "component", "int", "alu", "-1, 0 or 1 by the sign of a"),
    ("IDIV", 2, "component", "int", "alu", "signed quotient towards zero; 0 where b is 0"),
    ("UDIV", 2, "component", "int", "alu", "unsigned quotient; all bits where b is 0"),
    ("MOD", 2, "component", "int", "alu", "signed remainder; all bits where b is 0"),
    ("UMOD", 2, "component", "int", "alu", "unsigned remainder; all bits where b is 0"),
    ("IMIN", 2, "component", "int", "alu", "the lesser, signed"),
    ("IMAX", 2, "component", "int", "alu", "the greater, signed"),
    ("UMIN", 2, "component", "int", "alu", "the lesser, unsigned"),
    ("UMAX", 2, "component", "int", "alu", "the greater, unsigned"),
    ("ISLT", 2, "component", "int", "alu", "a < b ? all bits : 0, signed"),
    ("ISGE", 2, "component", "int", "alu", "a >= b ? all bits : 0, signed"),
    ("USLT", 2, "component", "int", "alu", "a < b ? all bits : 0, unsigned"),
    ("USGE", 2, "component", "int", "alu", "a >= b ? all bits : 0, unsigned"),
    ("USEQ", 2, "component", "int", "alu", "a == b ? all bits : 0"),
    ("USNE", 2, "component", "int", "alu", "a != b ? all bits : 0"),
    ("SHL", 2, "component", "int", "alu", "a shifted left by the low five bits of b"),
    ("ISHR", 2, "component", "int", "alu", "a shifted right, sign filled"),
    ("USHR", 2, "component", "int", "alu", "a shifted right, zero filled"),
    ("AND", 2, "component", "int", "alu", "bitwise and"),
    ("OR", 2, "component", "int", "alu", "bitwise or"),
    ("XOR", 2, "component", "int", "alu", "bitwise exclusive or"),
    ("NOT", 1, "component", "int", "alu", "bitwise complement"),
    ("IBFE", 3, "component", "int", "alu", "c bits of a from bit b on, sign filled; b and c modulo 32"),
    ("UBFE", 3, "component", "int", "alu", "c bits of a from bit b on, zero filled; b and c modulo 32"),
    ("BFI", 4, "component", "int", "alu", "a, its d bits from bit c on replaced by b's lowest; c and d modulo 32"),
    ("BREV", 1, "component", "int", "alu", "bits of a in reverse order"),
    ("POPC", 1, "component", "int", "alu", "number of bits of a that are set"),
    ("LSB", 1, "component", "int", "alu", "number of the lowest bit of a that is set; -1 for 0"),
    ("IMSB", 1, "component", "int", "alu", "number of the highest bit of a unlike its sign; -1 for 0 and -1"),
    ("UMSB", 1, "component", "int", "alu", "number of the highest bit of a that is set; -1 for 0"),
    ("IMUL_HI", 2, "component", "int", "alu", "upper 32 bits of the signed 64-bit a * b"),
    ("UMUL_HI", 2, "component", "int", "alu", "upper 32 bits of the unsigned 64-bit a * b"),
    ("LDEXP", 2, "component", "int", "alu", "the float a times 2 to the power of the integer b"),
    ("UCMP", 3, "component", "bits", "alu", "bits of a not all 0 ? b : c"),
    ("UARL", 1, "address", "int", "alu", "load the address register"),
    ("TEX", 1, "texture", "float", "tex", "sample, level of detail from derivatives"),
    ("TXP", 1, "texture", "float", "tex", "TEX at a.xyz / a.w"),
    ("TXB", 1, "texture", "float", "tex", "TEX with a.w added to the level of detail"),
    ("TXL", 1, "texture", "float", "tex", "sample at level of detail a.w"),
    ("TXD", 3, "texture", "float", "tex", "sample with gradients b and c"),
    ("TXF", 1, "texture", "int", "tex", "fetch the texel a.xyz of level, or sample, a.w"),
    ("TXQ", 1, "texture", "int", "tex", "size of level a.x"),
    ("TG4", 2, "texture", "float", "tex", "component b.x of the four texels that a filter would blend"),
    ("TEX2", 2, "texture", "float", "tex", "TEX, reference or bias in b.x"),
    ("TXB2", 2, "texture", "float", "tex", "TXB, bias in b.x"),
    ("TXL2", 2, "texture", "float", "tex", "TXL, level of detail in b.x"),
    ("LOAD", 1, "load", "int", "mem", "words from address a on, or texel a"),
    ("STORE", 2, "store", "bits", "mem", "write b to address a on, or to texel a"),
    ("ATOMUADD", 2, "atomic", "int", "mem", "what is at a; then b is added"),
    ("ATOMXCHG", 2, "atomic", "int", "mem", "what is at a; then b replaces it"),
    ("ATOMCAS", 3, "atomic", "int", "mem", "what is at a; then c replaces it if it equals b"),
    ("ATOMAND", 2, "atomic", "int", "mem", "what is at a; then its bitwise and with b"),
    ("ATOMOR", 2, "atomic", "int", "mem", "what is at a; then its bitwise or with b"),
    ("ATOMXOR", 2, "atomic", "int", "mem", "what is at a; then its exclusive or with b"),
    ("ATOMUMIN", 2, "atomic", "int", "mem", "what is at a; then the lesser of it and b, unsigned"),
    ("ATOMUMAX", 2, "atomic", "int", "mem", "what is at a; then the greater of it and b, unsigned"),
    ("ATOMIMIN", 2, "atomic", "int", "mem", "what is at a; then the lesser of it and b, signed"),
    ("ATOMIMAX", 2, "atomic", "int", "mem", "what is at a; then the greater of it and b, signed"),
    ("RESQ", 0, "size", "int", "mem", "bytes of a buffer, or size of an image"),
    ("MEMBAR", 0, "barrier", "bits", "mem", "accesses so far come before those that follow"),
    ("BARRIER", 0, "barrier", "bits", "flow", "wait for all invocations of the work group"),
    ("KILL", 0, "kill", "float", "flow", "discard"),
    ("KILL_IF", 1, "kill", "float", "flow", "discard where any component of a is negative"),
    ("UIF", 1, "flow", "int", "flow", "if a.x is not 0; else to the target"),
    ("ELSE", 0, "flow", "bits", "flow", "jump to the target; target of a UIF that fails is behind it"),
    ("ENDIF", 0, "flow", "bits", "flow", "paths join"),
    ("BGNLOOP", 0, "flow", "bits", "flow", "loop begins; target is its ENDLOOP"),
    ("BRK", 0, "flow", "bits", "flow", "leave the loop; target is behind its ENDLOOP"),
    ("CONT", 0, "flow", "bits", "flow", "next iteration; target is its ENDLOOP"),
    ("ENDLOOP", 0, "flow", "bits", "flow", "jump to the target, behind BGNLOOP"),
    ("END", 0, "flow", "bits", "flow", "the shader ends"),
)

OPCODES: dict[str, Opcode] = {row[0]: Opcode(*row) for row in _ROWS}
