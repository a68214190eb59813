"""Server state of a context that no object owns (OpenGL ES 2.0, 6.2), with its initial values."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..pipeline.command import StencilFace
from . import enums as gl
from .pixels import Unpack

MAX_ATTRIBUTES = 16
MAX_TEXTURE_UNITS = 32

_STENCIL = StencilFace(gl.ALWAYS, 0, 0xFFFFFFFF, 0xFFFFFFFF, gl.KEEP, gl.KEEP, gl.KEEP)


@dataclass
class AttributeArray:
    """What glVertexAttribPointer sets for one location; `client` holds a client-side array."""

    enabled: bool = False
    buffer: int = 0
    client: bytes | None = None
    offset_bytes: int = 0
    stride_bytes: int = 0
    type: int = gl.FLOAT
    components: int = 4
    normalized: bool = False
    integer: bool = False
    divisor: int = 0


@dataclass
class VertexArrayObject:
    """A vertex array object: attribute arrays and the element array buffer (OpenGL ES 3.0, 2.10)."""

    attributes: list[AttributeArray] = field(default_factory=lambda: [AttributeArray() for _ in range(MAX_ATTRIBUTES)])
    element_buffer: int = 0


@dataclass
class State:
    """All of it; every field starts as the specification says."""

    enabled: set[int] = field(default_factory=lambda: {gl.DITHER})
    viewport: tuple[int, int, int, int] = (0, 0, 0, 0)
    scissor: tuple[int, int, int, int] = (0, 0, 0, 0)
    depth_range: tuple[float, float] = (0.0, 1.0)
    clear_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    clear_depth: float = 1.0
    clear_stencil: int = 0
    color_mask: tuple[bool, bool, bool, bool] = (True, True, True, True)
    depth_mask: bool = True
    depth_function: int = gl.LESS
    cull_face: int = gl.BACK
    front_face: int = gl.CCW
    polygon_offset: tuple[float, float] = (0.0, 0.0)
    line_width: float = 1.0
    sample_coverage: tuple[float, bool] = (1.0, False)
    stencil_front: StencilFace = _STENCIL
    stencil_back: StencilFace = _STENCIL
    blend_equation: tuple[int, int] = (gl.FUNC_ADD, gl.FUNC_ADD)
    blend_function: tuple[int, int, int, int] = (gl.ONE, gl.ZERO, gl.ONE, gl.ZERO)
    blend_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    unpack: Unpack = Unpack()
    active_unit: int = 0
    units: dict[tuple[int, int], int] = field(default_factory=dict)
    """Texture bound per (unit, target)."""
    buffers: dict[int, int] = field(default_factory=dict)
    """Buffer bound per target, but for the element array buffer, which belongs to the vertex array object."""
    uniform_buffers: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """Buffer, offset and size in bytes (-1: to its end) per uniform buffer binding."""
    program: int = 0
    framebuffer: int = 0
    read_framebuffer: int = 0
    renderbuffer: int = 0
    vertex_array: VertexArrayObject = field(default_factory=VertexArrayObject)
    constants: list[tuple[float, float, float, float]] = field(
        default_factory=lambda: [(0.0, 0.0, 0.0, 1.0)] * MAX_ATTRIBUTES
    )
    """Current value of each attribute that has no array."""
    samplers: dict[int, int] = field(default_factory=dict)
    """Sampler object bound per texture unit."""
