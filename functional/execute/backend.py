"""The interface that every back end implements, independent of any back end's details."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import ExecutionError
from ..glsl.ir.program import Shader
from ..glsl.ir.unread import Uncolored
from .kernel_arguments import BlendState, DepthState, TextureKind
from .memory import ImageFormat, ShaderMemory
from .paths import PathTable

FloatArray = NDArray[np.float32]
Noted = Literal["nothing", "decisions", "instructions"]
"""Notes that kernels take of the flow of each lane: its decisions at branches, or the number of instructions that it
executed."""
DEFAULT_INSTRUCTION_LIMIT = 1_000_000


def endless(shader: Shader) -> ExecutionError:
    """The error of a shader that does not terminate."""
    return ExecutionError(
        f"{shader.name}: more than {DEFAULT_INSTRUCTION_LIMIT} instructions executed; does a loop never end?"
    )


@dataclass(frozen=True, slots=True)
class TextureRequest:
    """A texture operation over all lanes.

    Attributes
    ----------
    pc : int
        Position of the texture instruction.
    sampler : int
        Index into the shader's samplers.
    operation : str
        "implicit" (level of detail from the quad's derivatives), "bias" (that plus ``lod_or_bias``), "lod"
        (``lod_or_bias`` itself), "grad" (from ``gradients``), "fetch" (integer texel), "size", "gather"
        (``component`` of four texels).
    coordinates : float32 array of shape (k, n)
        The k components of the target, after the division of a projection. Bits of int32 for "fetch".
    lod_or_bias : float32 array of shape (n,), optional
    gradients : pair of float32 arrays of shape (k, n), optional
        Derivatives of the coordinates in x and in y.
    offsets : tuple of int, optional
        Texel offsets.
    reference : float32 array of shape (n,), optional
        Reference of a depth comparison.
    active : bool array of shape (n,), optional
        Lanes that execute the operation; None if all do. Results of the others are ignored.
    component : int
        Component to gather.
    """

    pc: int
    sampler: int
    operation: Literal["implicit", "bias", "lod", "grad", "fetch", "size", "gather"]
    coordinates: FloatArray
    lod_or_bias: FloatArray | None = None
    gradients: tuple[FloatArray, FloatArray] | None = None
    offsets: tuple[int, ...] | None = None
    reference: FloatArray | None = None
    active: NDArray[np.bool_] | None = None
    component: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """Results of a shader.

    Attributes
    ----------
    outputs : float32 array of shape (outputs, 4, n)
        In order of ``shader.outputs``; components that were never written are 0.
    killed : bool array of shape (n,), optional
        Lanes that were discarded; None if the shader cannot discard.
    paths : uint32 or int32 array of shape (n,), optional
        Path of each lane in the path table, if one was given.
    """

    outputs: FloatArray
    killed: NDArray[np.bool_] | None = None
    paths: NDArray[np.uint32] | NDArray[np.int32] | None = None


SampleFunction = Callable[[TextureRequest], FloatArray]


@dataclass(frozen=True, slots=True)
class Kernel:
    """Machine code that processes many quads in one call.

    Attributes
    ----------
    call : callable
        Runs it with the address of its block of arguments (see `kernel_arguments`); other threads run meanwhile.
    address : int
        Its address, to be called from machine code.
    texture_unit : callable
        Returns the addresses of the functions that sample a kind of texture; see `kernel_arguments.SamplerBlock`.
    width : int
        Lanes that it processes at once. The length of result rows is a multiple of it.
    code : object
        What must stay in memory.
    unread : frozenset of int
        Samplers of which it only notes what would be read.
    noting_unit : callable, optional
        Returns the addresses of the functions that do this for a kind of texture.
    """

    call: Callable[[int], None]
    address: int
    texture_unit: Callable[[TextureKind], tuple[int, int, int]]
    width: int
    code: object
    unread: frozenset[int] = frozenset()
    noting_unit: Callable[[TextureKind], tuple[int, int, int]] | None = None


class Interpolation(NamedTuple):
    """Interpolation of a fragment shader's inputs.

    Attributes
    ----------
    flat, straight
        Varying slots that are not interpolated, and those without perspective.
    size
        Corners of a primitive.
    """

    flat: frozenset[int]
    straight: frozenset[int]
    size: int


@dataclass(frozen=True, slots=True)
class VertexKernel:
    """Machine code of a whole shader, to be called from machine code.

    Attributes
    ----------
    address : int
        Its address.
    texture_unit, width
        As in `Kernel`.
    code : object
        What must stay in memory.
    """

    address: int
    texture_unit: Callable[[TextureKind], tuple[int, int, int]]
    width: int
    code: object


@dataclass(frozen=True, slots=True)
class ComputeKernel:
    """Machine code that executes work groups.

    Attributes
    ----------
    call
        Runs it with the address of its `ComputeArguments`; other threads run meanwhile.
    texture_unit, width
        As in `Kernel`.
    state_bytes
        Memory for what outlives barriers.
    code
        What must stay in memory.
    """

    call: Callable[[int], None]
    texture_unit: Callable[[TextureKind], tuple[int, int, int]]
    width: int
    state_bytes: int
    code: object


class Backend(Protocol):
    """Something that runs shaders; ``name`` identifies it in recordings."""

    name: str

    def run(
        self,
        shader: Shader,
        inputs: FloatArray,
        constants: FloatArray,
        sample: SampleFunction,
        record_paths: PathTable | None = None,
        instruction_limit: int = DEFAULT_INSTRUCTION_LIMIT,
        memory: ShaderMemory | None = None,
    ) -> Result:
        """Run a shader over n invocations.

        Parameters
        ----------
        shader : Shader
            Shader to run.
        inputs : float32 array of shape (inputs, 4, n)
            In order of ``shader.inputs``. In fragment shaders lanes are quads of four: (0, 0), (1, 0), (0, 1), (1, 1),
            y upwards. A "face" input is 1 in front and -1 in the back, a "helper" input 1 in lanes that no fragment is
            shaded for.
        constants : float32 array of shape (constant_count, 4)
            The constant file; integers and bools as bit patterns.
        sample : callable
            Executes texture operations: float32 (4, n) for a request.
        record_paths : PathTable, optional
            Table that collects the executed paths.
        instruction_limit : int
            Most instructions that all lanes together may execute.
        memory : ShaderMemory, optional
            Buffers, images and shared memory, which the shader changes; lanes of a work group follow each other.

        Returns
        -------
        Result
            New arrays.

        Raises
        ------
        ExecutionError
            At the instruction limit.
        """
        ...

    def vertex_kernel(self, shader: Shader, noted: Noted = "nothing") -> VertexKernel | str:
        """The kernel of a vertex shader, or the reason why there is none."""
        return self._no_kernels()

    def fragment_kernel(
        self,
        shader: Shader,
        interpolation: Interpolation,
        noted: Noted = "nothing",
        uncolored: Uncolored | None = None,
    ) -> Kernel | str:
        """The kernel of a fragment shader, or the reason why there is none.

        With ``uncolored`` it leaves out colours, and executes what this says.
        """
        return self._no_kernels()

    def blend_kernel(self, state: BlendState) -> Kernel | str:
        """The kernel that blends quads into buffers of four bytes per pixel, or the reason why there is none."""
        return self._no_kernels()

    def depth_kernel(self, state: DepthState) -> Kernel | str:
        """The kernel that tests the depths of quads, or the reason why there is none."""
        return self._no_kernels()

    def compute_kernel(self, shader: Shader, formats: tuple[ImageFormat, ...]) -> ComputeKernel | str:
        """The kernel of a compute shader whose images have these formats, or the reason why there is none."""
        return self._no_kernels()

    def _no_kernels(self) -> str:
        return f"the {self.name} back end has no kernels"
