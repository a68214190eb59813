"""The std140 layout of uniform blocks (OpenGL ES 3.0, section 2.12.6.4): offsets of members in bytes."""

from collections.abc import Iterator
from dataclasses import dataclass

from .typed import Variable
from .types import ArrayType, BasicType, StructType, Type, leaf_count

SLOT_BYTES = 16
COMPONENT_BYTES = 4


@dataclass(frozen=True, slots=True)
class BlockMember:
    """A member of basic type, or an array of them, with its offset.

    Attributes
    ----------
    name : str
        Name within the block, such as "lights[2].color".
    offset_bytes : int
        From the start of the block.
    array_stride_bytes, matrix_stride_bytes : int
        0 if it is not an array or a matrix, respectively.
    """

    name: str
    type: Type
    offset_bytes: int
    array_stride_bytes: int
    matrix_stride_bytes: int
    row_major: bool


def _rounded(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def alignment_bytes(of: Type) -> int:
    """Base alignment of a type."""
    if isinstance(of, BasicType) and not of.is_matrix:
        return COMPONENT_BYTES * {1: 1, 2: 2, 3: 4, 4: 4}[of.rows]
    return SLOT_BYTES


def size_bytes(of: Type, row_major: bool) -> int:
    """Bytes that a value occupies."""
    if isinstance(of, BasicType):
        if of.is_matrix:
            return SLOT_BYTES * (of.rows if row_major else of.columns)
        return COMPONENT_BYTES * of.rows
    if isinstance(of, ArrayType):
        return of.size * array_stride_bytes(of.element, row_major)
    assert isinstance(of, StructType)
    end = 0
    for offset, member in zip(member_offsets(of, row_major), of.fields, strict=True):
        end = offset + size_bytes(member.type, row_major or member.row_major)
    return _rounded(end, SLOT_BYTES)


def array_stride_bytes(element: Type, row_major: bool) -> int:
    """Distance of the elements of an array."""
    return _rounded(size_bytes(element, row_major), SLOT_BYTES)


def member_offsets(of: StructType, row_major: bool) -> list[int]:
    """Offsets of the members of a structure."""
    offsets, end = [], 0
    for member in of.fields:
        offsets.append(_rounded(end, alignment_bytes(member.type)))
        end = offsets[-1] + size_bytes(member.type, row_major or member.row_major)
    return offsets


def list_members(name: str, of: Type, offset: int = 0, row_major: bool = False) -> Iterator[BlockMember]:
    """The members of basic type within a value, with OpenGL's names."""
    if isinstance(of, StructType):
        for member, start in zip(of.fields, member_offsets(of, row_major), strict=True):
            inner = f"{name}.{member.name}" if name else member.name
            yield from list_members(inner, member.type, offset + start, row_major or member.row_major)
    elif isinstance(of, ArrayType) and not isinstance(of.element, BasicType):
        stride = array_stride_bytes(of.element, row_major)
        for i in range(of.size):
            yield from list_members(f"{name}[{i}]", of.element, offset + i * stride, row_major)
    else:
        element = of.element if isinstance(of, ArrayType) else of
        matrix = isinstance(element, BasicType) and element.is_matrix
        yield BlockMember(
            name,
            of,
            offset,
            array_stride_bytes(element, row_major) if isinstance(of, ArrayType) else 0,
            SLOT_BYTES if matrix else 0,
            row_major and matrix,
        )


def constant_slots(variable: Variable) -> int:
    """Number of vec4 of the constant file that a uniform or block takes."""
    if variable.block:
        return -(-size_bytes(variable.type, False) // SLOT_BYTES)
    return leaf_count(variable.type)
