"""A shader as a list of vec4 instructions: frozen records without logic."""

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from .opcodes import OPCODES, Opcode

Stage = Literal["vertex", "fragment", "compute"]
IDENTITY_SWIZZLE = (0, 1, 2, 3)


class File(Enum):
    """Register files; the value is the name in text."""

    INPUT = "IN"
    OUTPUT = "OUT"
    TEMPORARY = "TEMP"
    CONSTANT = "CONST"
    IMMEDIATE = "IMM"
    ADDRESS = "ADDR"


class Space(Enum):
    """Memory that instructions address; the value is the name in text."""

    BUFFER = "BUFFER"
    IMAGE = "IMAGE"
    SHARED = "SHARED"


@dataclass(frozen=True, slots=True)
class Indirect:
    """A run-time offset, in registers: one component of an address register."""

    index: int
    component: int


@dataclass(frozen=True, slots=True)
class Source:
    """A source operand; absolute is applied before negate."""

    file: File
    index: int
    swizzle: tuple[int, int, int, int] = IDENTITY_SWIZZLE
    negate: bool = False
    absolute: bool = False
    indirect: Indirect | None = None


_COMPONENTS = tuple(tuple(c for c in range(4) if mask >> c & 1) for mask in range(16))


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination operand. ``write_mask`` has bit c set where component c is written."""

    file: File
    index: int
    write_mask: int = 15
    saturate: bool = False
    indirect: Indirect | None = None

    @property
    def components(self) -> tuple[int, ...]:
        """The written components, in order."""
        return _COMPONENTS[self.write_mask]


@dataclass(frozen=True, slots=True)
class Instruction:
    """One operation on four-component vectors.

    ``sampler`` and ``target`` are set for texture operations; ``flow_target`` is a pc, set for flow
    operations that jump; ``offsets`` are texel offsets of a texture operation. ``memory`` is set for operations on
    memory: the space, and the index of the shader's buffer or image. The first source is the address of the first
    component in bytes, or an image's texel; ``stored`` is the number of components that a store writes, and
    ``barrier`` the function that a barrier stands for. ``half``: whether 16-bit floats are precise enough for it.
    """

    opcode: str
    destination: Destination | None = None
    sources: tuple[Source, ...] = ()
    sampler: int | None = None
    target: str | None = None
    flow_target: int | None = None
    offsets: tuple[int, ...] | None = None
    memory: tuple[Space, int] | None = None
    stored: int = 0
    barrier: str = ""
    half: bool = False

    @property
    def info(self) -> Opcode:
        """The row of the instruction set."""
        return OPCODES[self.opcode]


@dataclass(frozen=True, slots=True)
class Declaration:
    """An input or output: where its vec4 comes from or goes to.

    ``semantic`` of inputs: "attribute" (slot is the location), "varying", "frag_coord", "face",
    "helper", "point_coord", "vertex_id", "instance_id", "local_id", "group_id", "group_count"; of outputs: "position",
    "point_size", "varying", "color" (slot is the draw buffer), "depth".
    """

    name: str
    semantic: str
    slot: int
    interpolation: str = "smooth"


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler of the shader, with the target it samples ("2d", "cube", ...)."""

    name: str
    target: str


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer of the shader: ``kind`` "storage" or "counter", and the binding point of that kind."""

    name: str
    kind: Literal["storage", "counter"]
    binding: int
    writes: bool


COORDINATES = MappingProxyType({"2d": 2, "3d": 3, "cube": 3, "2d_array": 3})
"""Coordinates of a texel of an image, by target."""


@dataclass(frozen=True, slots=True)
class Image:
    """An image of the shader: its target, format qualifier ("" if it is only written), and the image unit."""

    name: str
    target: str
    format: str
    unit: int
    writes: bool


@dataclass(frozen=True)
class Shader:
    """A shader of one stage, ready to run.

    Attributes
    ----------
    name : str
        Name for messages.
    stage : str
        "vertex", "fragment" or "compute".
    instructions : tuple of Instruction
        Ends with END.
    inputs, outputs : tuple of Declaration
        Input register i is ``inputs[i]``.
    constant_count : int
        Size of the constant file in vec4.
    immediates : tuple of 4-tuples of int
        The immediate file, as 32-bit patterns.
    samplers : tuple of Sampler
        Sampler index i is ``samplers[i]``.
    temporary_count : int
        Size of the temporary file in vec4.
    buffers : tuple of Buffer
        Buffer index i is ``buffers[i]``.
    images : tuple of Image
        Image index i is ``images[i]``.
    shared_bytes : int
        Shared memory of a work group.
    local_size : tuple of int
        Invocations of a work group in x, y and z.
    blend_support : tuple of str
        Advanced equations that colours may be blended by.
    early_tests : bool
        Whether a fragment shader asks for depth and stencil tests before it.
    discards, writes_depth, reads_derivatives : bool
        Whether a fragment shader can discard its fragment, writes depth, or needs its quad's neighbours
        (explicit derivatives or texture reads with implicit level of detail).
    lines : tuple of tuple of int
        Of each instruction its line in the source text, and those of the calls that it was inlined for, the innermost
        first; empty for what no line asks for, such as END. Equal shaders may differ in it.
    """

    name: str
    stage: Stage
    instructions: tuple[Instruction, ...]
    inputs: tuple[Declaration, ...] = ()
    outputs: tuple[Declaration, ...] = ()
    constant_count: int = 0
    immediates: tuple[tuple[int, int, int, int], ...] = ()
    samplers: tuple[Sampler, ...] = ()
    temporary_count: int = 0
    buffers: tuple[Buffer, ...] = ()
    images: tuple[Image, ...] = ()
    shared_bytes: int = 0
    local_size: tuple[int, int, int] = (1, 1, 1)
    early_tests: bool = False
    blend_support: tuple[str, ...] = ()
    discards: bool = False
    writes_depth: bool = False
    reads_derivatives: bool = False
    lines: tuple[tuple[int, ...], ...] = field(default=(), compare=False)

    @property
    def accesses_memory(self) -> bool:
        """Whether it uses buffers or images."""
        return bool(self.buffers or self.images)

    @cached_property
    def writes_memory(self) -> bool:
        """Whether it has side effects: stores or atomic operations."""
        return any(i.memory is not None and i.info.shape in ("store", "atomic") for i in self.instructions)
