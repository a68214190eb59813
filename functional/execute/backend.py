"""What running a shader means: the interface every back end implements, free of any back end's details."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import UserError
from ..glsl.ir.program import Shader
from .kernel_arguments import BlendState, TextureKind
from .paths import PathTable

FloatArray = NDArray[np.float32]
DEFAULT_INSTRUCTION_LIMIT = 1_000_000


class ExecutionError(UserError):
    """A shader that does not come to its end within the instruction limit."""


@dataclass(frozen=True, slots=True)
class TextureRequest:
    """A texture operation over all lanes.

    Attributes
    ----------
    pc : int
        Of the texture instruction.
    sampler : int
        Index into the shader's samplers.
    operation : str
        "implicit" (level of detail from the quad's derivatives), "bias" (that plus ``lod_or_bias``), "lod"
        (``lod_or_bias`` itself), "grad" (from ``gradients``), "fetch" (integer texel), "size".
    coordinates : float32 array of shape (k, n)
        k components, as many as the target takes; projection already divided. Bits of int32 for "fetch".
    lod_or_bias : float32 array of shape (n,), optional
    gradients : pair of float32 arrays of shape (k, n), optional
        Derivatives of the coordinates in x and in y.
    offsets : tuple of int, optional
        Texel offsets.
    reference : float32 array of shape (n,), optional
        Of a depth comparison.
    active : bool array of shape (n,), optional
        Lanes that execute the operation; None if all do. What the others get is ignored.
    """

    pc: int
    sampler: int
    operation: Literal["implicit", "bias", "lod", "grad", "fetch", "size"]
    coordinates: FloatArray
    lod_or_bias: FloatArray | None = None
    gradients: tuple[FloatArray, FloatArray] | None = None
    offsets: tuple[int, ...] | None = None
    reference: FloatArray | None = None
    active: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a shader computed.

    Attributes
    ----------
    outputs : float32 array of shape (outputs, 4, n)
        In order of ``shader.outputs``; components nobody wrote are 0.
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
    """Machine code that works through many quads by itself.

    Attributes
    ----------
    call : callable
        Runs it, given the address of its block of arguments (see `kernel_arguments`); other threads run meanwhile.
    address : int
        Where it is, to be called from machine code.
    texture_unit : callable
        Gives the addresses of the functions that sample a kind of texture; see `kernel_arguments.SamplerField`.
    width : int
        Lanes it works on at once. Rows of results are a multiple as long.
    code : object
        What must stay in memory.
    """

    call: Callable[[int], None]
    address: int
    texture_unit: Callable[[TextureKind], tuple[int, int, int]]
    width: int
    code: object


@dataclass(frozen=True, slots=True)
class VertexKernel:
    """Machine code of a whole shader without loops and textures, to be called from machine code; see `call_vertices`.

    Attributes
    ----------
    address : int
        Where it is.
    code : object
        What must stay in memory.
    branches : bool
        Whether lanes may take different paths, of which it says nothing.
    """

    address: int
    code: object
    branches: bool


class Backend(Protocol):
    """Something that runs shaders; ``name`` is how records of its work call it."""

    name: str

    def run(
        self,
        shader: Shader,
        inputs: FloatArray,
        constants: FloatArray,
        sample: SampleFunction,
        record_paths: PathTable | None = None,
        instruction_limit: int = DEFAULT_INSTRUCTION_LIMIT,
    ) -> Result:
        """Run a shader over n invocations.

        Parameters
        ----------
        shader : Shader
            What to run.
        inputs : float32 array of shape (inputs, 4, n)
            In order of ``shader.inputs``. In fragment shaders lanes are quads of four: (0, 0), (1, 0),
            (0, 1), (1, 1), y upwards. A "face" input is 1 in front and -1 in the back.
        constants : float32 array of shape (constant_count, 4)
            The constant file; integers and bools as bit patterns.
        sample : callable
            Does the texture operations: float32 (4, n) for a request.
        record_paths : PathTable, optional
            Where the executed paths go.
        instruction_limit : int
            How many instructions all lanes together may execute.

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

    def vertex_kernel(self, shader: Shader) -> VertexKernel | str:
        """The kernel of a vertex shader, or why there is none, in words."""
        ...

    def fragment_kernel(
        self, shader: Shader, flat: frozenset[int], straight: frozenset[int], size: int, decisions: bool = False
    ) -> Kernel | str:
        """The kernel of a fragment shader for primitives of ``size`` corners, or why there is none, in words.

        The varying slots ``flat`` are not interpolated, ``straight`` ones without perspective. With ``decisions`` it
        notes what lanes decide at branches.
        """
        ...

    def blend_kernel(self, state: BlendState) -> Kernel | str:
        """The kernel that blends quads into buffers of four bytes per pixel, or why there is none, in words."""
        ...
