"""Types of GLSL ES: the components of values and the vec4 registers they take."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Base = Literal["float", "int", "uint", "bool"]
_VECTOR_PREFIX = {"float": "", "int": "i", "uint": "u", "bool": "b"}


@dataclass(frozen=True, slots=True)
class BasicType:
    """Scalar, vector or matrix: ``columns`` vectors of ``rows`` components."""

    base: Base
    rows: int = 1
    columns: int = 1

    @property
    def name(self) -> str:
        """The type as written."""
        if self.columns > 1:
            suffix = str(self.columns) if self.columns == self.rows else f"{self.columns}x{self.rows}"
            return f"mat{suffix}"
        return f"{_VECTOR_PREFIX[self.base]}vec{self.rows}" if self.rows > 1 else self.base

    @property
    def component_count(self) -> int:
        """Number of scalars."""
        return self.rows * self.columns

    @property
    def is_scalar(self) -> bool:
        """Whether it has one component."""
        return self.rows == 1

    @property
    def is_vector(self) -> bool:
        """Whether it is a vector (not a scalar, not a matrix)."""
        return self.rows > 1 and self.columns == 1

    @property
    def is_matrix(self) -> bool:
        """Whether it is a matrix."""
        return self.columns > 1

    def with_rows(self, rows: int) -> "BasicType":
        """The vector (or scalar) of this base type with a number of components."""
        return BasicType(self.base, rows)


@dataclass(frozen=True, slots=True)
class OpaqueType:
    """A type whose values only functions use: a sampler, an image, or an atomic counter."""

    name: str


@dataclass(frozen=True, slots=True)
class SamplerType(OpaqueType):
    """A sampler: ``target`` is "2d", "3d", "cube", "2d_array", "2d_ms" or "external"; ``base`` is the type that it
    returns."""

    target: str
    base: Base = "float"
    shadow: bool = False


@dataclass(frozen=True, slots=True)
class ImageType(OpaqueType):
    """An image: ``target`` and ``base`` as those of a sampler."""

    target: str
    base: Base = "float"


@dataclass(frozen=True, slots=True)
class CounterType(OpaqueType):
    """An atomic counter."""

    name: str = "atomic_uint"


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a structure; types that differ only in precision are equal.

    ``row_major`` is set for members of blocks whose matrices are stored row by row; ``access`` are the memory
    qualifiers of members of storage blocks.
    """

    name: str
    type: "Type"
    precision: str = field(default="", compare=False)
    row_major: bool = field(default=False, compare=False)
    access: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True, slots=True)
class StructType:
    """A structure; two definitions are the same type if name and members agree."""

    name: str
    fields: tuple[Field, ...]

    def field_index(self, name: str) -> int | None:
        """Position of the member of this name."""
        return next((i for i, member in enumerate(self.fields) if member.name == name), None)


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array; ``size`` is 0 while it is unknown."""

    element: "Type"
    size: int

    @property
    def name(self) -> str:
        """The type as written."""
        inner: Type = self.element
        sizes = f"[{self.size or ''}]"
        while isinstance(inner, ArrayType):
            sizes += f"[{inner.size}]"
            inner = inner.element
        return inner.name + sizes


@dataclass(frozen=True, slots=True)
class VoidType:
    """No value."""

    name: str = "void"


Type = BasicType | OpaqueType | StructType | ArrayType | VoidType

FLOAT, INT, UINT, BOOL = BasicType("float"), BasicType("int"), BasicType("uint"), BasicType("bool")
VEC2, VEC3, VEC4 = (BasicType("float", n) for n in (2, 3, 4))
VOID, COUNTER = VoidType(), CounterType()


def _samplers() -> Iterator[SamplerType]:
    bases: tuple[tuple[str, Base], ...] = (("", "float"), ("i", "int"), ("u", "uint"))
    for prefix, base in bases:
        for suffix, target in (("2D", "2d"), ("3D", "3d"), ("Cube", "cube"), ("2DArray", "2d_array")):
            yield SamplerType(f"{prefix}sampler{suffix}", target, base)
        yield SamplerType(f"{prefix}sampler2DMS", "2d_ms", base)
    for suffix, target in (("2DShadow", "2d"), ("CubeShadow", "cube"), ("2DArrayShadow", "2d_array")):
        yield SamplerType(f"sampler{suffix}", target, "float", True)
    yield SamplerType("samplerExternalOES", "external")


def _images() -> Iterator[ImageType]:
    bases: tuple[tuple[str, Base], ...] = (("", "float"), ("i", "int"), ("u", "uint"))
    for prefix, base in bases:
        for suffix, target in (("2D", "2d"), ("3D", "3d"), ("Cube", "cube"), ("2DArray", "2d_array")):
            yield ImageType(f"{prefix}image{suffix}", target, base)


def _named() -> dict[str, Type]:
    types: list[Type] = [FLOAT, INT, UINT, BOOL, VOID, COUNTER, *_samplers(), *_images()]
    bases: tuple[Base, ...] = ("float", "int", "uint", "bool")
    types += [BasicType(base, n) for base in bases for n in (2, 3, 4)]
    types += [BasicType("float", rows, columns) for rows in (2, 3, 4) for columns in (2, 3, 4)]
    names: dict[str, Type] = {t.name: t for t in types}
    names.update({f"mat{n}x{n}": BasicType("float", n, n) for n in (2, 3, 4)})
    return names


MAXIMUM_REGISTERS = 16384
"""Vectors of a variable or value in registers; what lies in blocks and shared memory takes none."""
BUILTIN_TYPES: dict[str, Type] = _named()


def leaf_types(of: Type) -> Iterator[BasicType | OpaqueType]:
    """The vectors that a value consists of, in register order: one per matrix column, member or element."""
    if isinstance(of, BasicType):
        for _ in range(of.columns):
            yield of.with_rows(of.rows)
    elif isinstance(of, OpaqueType):
        yield of
    elif isinstance(of, StructType):
        for member in of.fields:
            yield from leaf_types(member.type)
    elif isinstance(of, ArrayType):
        for _ in range(of.size):
            yield from leaf_types(of.element)


def leaf_count(of: Type) -> int:
    """Number of vec4 registers a value takes."""
    if isinstance(of, BasicType):
        return of.columns
    if isinstance(of, StructType):
        return sum(leaf_count(member.type) for member in of.fields)
    if isinstance(of, ArrayType):
        return of.size * leaf_count(of.element)
    return 1 if isinstance(of, OpaqueType) else 0


def component_count(of: Type) -> int:
    """Number of scalars in a value."""
    return sum(leaf.rows if isinstance(leaf, BasicType) else 1 for leaf in leaf_types(of))


def contains_opaque(of: Type) -> bool:
    """Whether a sampler, image or counter is part of the type."""
    if isinstance(of, ArrayType):
        return contains_opaque(of.element)
    if isinstance(of, StructType):
        return any(contains_opaque(member.type) for member in of.fields)
    return isinstance(of, OpaqueType)


def contains_image(of: Type) -> bool:
    """Whether it is an image, or an array of them."""
    return contains_image(of.element) if isinstance(of, ArrayType) else isinstance(of, ImageType)


def contains_counter(of: Type) -> bool:
    """Whether it is an atomic counter, or an array of them."""
    return contains_counter(of.element) if isinstance(of, ArrayType) else isinstance(of, CounterType)


def contains_array(of: Type) -> bool:
    """Whether an array is part of the type."""
    if isinstance(of, StructType):
        return any(contains_array(member.type) for member in of.fields)
    return isinstance(of, ArrayType)
