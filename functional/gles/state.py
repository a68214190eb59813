"""Server state of a context that belongs to no object (OpenGL ES 2.0, 6.2), with its initial values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..glsl.compatibility import LOCATIONS, POSITION
from ..opengl import enums as gl
from ..opengl.limits import MAX_VERTEX_ATTRIBS
from ..pipeline.command import ArrayLayout
from ..pipeline.state import StencilFace
from .buffers import Binding, Buffer
from .framebuffers import Surface
from .pipelines import ProgramPipeline
from .pixels import Unpack
from .programs import Program
from .textures import SamplerObject, Texture

UNCHANGED_STENCIL = StencilFace(gl.ALWAYS, 0, 0xFFFFFFFF, 0xFFFFFFFF, gl.KEEP, gl.KEEP, gl.KEEP)
INDEXED_TARGETS = (gl.UNIFORM_BUFFER, gl.SHADER_STORAGE_BUFFER, gl.ATOMIC_COUNTER_BUFFER)
"""Targets with bindings that belong to the context."""

_UNPACK = {
    gl.UNPACK_ALIGNMENT: "alignment",
    gl.UNPACK_ROW_LENGTH: "row_length",
    gl.UNPACK_SKIP_ROWS: "skip_rows",
    gl.UNPACK_SKIP_PIXELS: "skip_pixels",
    gl.UNPACK_IMAGE_HEIGHT: "image_height",
    gl.UNPACK_SKIP_IMAGES: "skip_images",
}
_PACK = {
    gl.PACK_ALIGNMENT: "alignment",
    gl.PACK_ROW_LENGTH: "row_length",
    gl.PACK_SKIP_ROWS: "skip_rows",
    gl.PACK_SKIP_PIXELS: "skip_pixels",
}
PIXEL_STORE = {
    **{name: ("unpack", part) for name, part in _UNPACK.items()},
    **{name: ("pack", part) for name, part in _PACK.items()},
}
"""Fields that store the parameters of glPixelStorei."""
HINTS = {
    gl.GENERATE_MIPMAP_HINT: gl.DONT_CARE,
    gl.FRAGMENT_SHADER_DERIVATIVE_HINT: gl.DONT_CARE,
    gl.PERSPECTIVE_CORRECTION_HINT: gl.DONT_CARE,
    gl.POINT_SMOOTH_HINT: gl.DONT_CARE,
    gl.LINE_SMOOTH_HINT: gl.DONT_CARE,
    gl.FOG_HINT: gl.DONT_CARE,
}
"""Hints and their initial values: mipmaps, derivatives, and the hints of OpenGL ES 1.1."""


NEVER = 1 << 30
"""Divisor of the array of a binding whose stride is 0: all vertices and instances read the first element."""


@dataclass
class AttributeArray:
    """State that glVertexAttribPointer sets for one location; `client` holds a client-side array, and a stride of 0
    means an array without gaps."""

    enabled: bool = False
    buffer: Buffer | None = None
    client: bytes | None = None
    layout: ArrayLayout = ArrayLayout()
    binding: int | None = None
    """Vertex buffer binding that it reads from, if not the one of its own number (OpenGL ES 3.1, 10.3.2)."""
    relative_bytes: int = 0
    """Offset in that binding."""
    pointed: tuple[int, int] = (0, 0)
    """Stride and offset that glVertexAttribPointer gave, for queries; those of the layout follow from the binding."""


class VertexBinding(NamedTuple):
    """A vertex buffer binding (OpenGL ES 3.1, 10.3.2)."""

    buffer: Buffer | None = None
    offset_bytes: int = 0
    stride_bytes: int = 16
    divisor: int = 0


class ImageUnit(NamedTuple):
    """Binding of an image unit (OpenGL ES 3.1, 8.22)."""

    texture: Texture | None = None
    level: int = 0
    layered: bool = False
    layer: int = 0
    access: int = gl.READ_ONLY
    format: int = gl.R32UI

    @property
    def single(self) -> bool:
        """Whether it is one layer of a texture that has several."""
        return not self.layered and self.texture is not None and self.texture.target != gl.TEXTURE_2D


EMPTY_IMAGE_UNIT = ImageUnit()


class BufferBlending(NamedTuple):
    """Blending of one draw buffer (EXT_draw_buffers_indexed); None where it is as for all of them."""

    enabled: bool | None = None
    equation: tuple[int, int] | None = None
    function: tuple[int, int, int, int] | None = None
    mask: tuple[bool, bool, bool, bool] | None = None


def attribute_count(fixed_functions: bool) -> int:
    """Number of locations: with fixed functions, there are those of vertices, normals, colours and so on."""
    return LOCATIONS if fixed_functions else MAX_VERTEX_ATTRIBS


@dataclass
class VertexArrayObject:
    """A vertex array object: attribute arrays and the element array buffer (OpenGL ES 3.0, 2.10)."""

    attributes: list[AttributeArray] = field(
        default_factory=lambda: [AttributeArray() for _ in range(MAX_VERTEX_ATTRIBS)]
    )
    element_buffer: Buffer | None = None
    bindings: dict[int, VertexBinding] = field(default_factory=dict)
    """Vertex buffer bindings that were set by themselves; others follow from the attribute of the same number."""
    bound: bool = False
    label: str = ""

    @classmethod
    def of(cls, fixed_functions: bool) -> VertexArrayObject:
        """A new one in a context with or without fixed functions."""
        return cls([AttributeArray() for _ in range(attribute_count(fixed_functions))])

    def array(self, location: int) -> AttributeArray:
        """Array that a draw reads at a location; 0 is another name of gl_Vertex (OpenGL 2.0, 2.7)."""
        if location in (0, POSITION) and len(self.attributes) == LOCATIONS:
            location = 0 if self.attributes[0].enabled else POSITION if self.attributes[POSITION].enabled else location
        return self.attributes[location]


@dataclass
class State:
    """The whole state; every field has the initial value of the specification."""

    enabled: set[int] = field(default_factory=lambda: {gl.DITHER, gl.FRAMEBUFFER_SRGB, gl.BLEND_ADVANCED_COHERENT_KHR})
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
    sample_mask: int = 0xFFFFFFFF
    stencil_front: StencilFace = UNCHANGED_STENCIL
    stencil_back: StencilFace = UNCHANGED_STENCIL
    blend_equation: tuple[int, int] = (gl.FUNC_ADD, gl.FUNC_ADD)
    blend_function: tuple[int, int, int, int] = (gl.ONE, gl.ZERO, gl.ONE, gl.ZERO)
    blend_color: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    blend_buffers: dict[int, BufferBlending] = field(default_factory=dict)
    """Blending of draw buffers that differs from the others'."""
    unpack: Unpack = Unpack()
    pack: Unpack = Unpack()
    hints: dict[int, int] = field(default_factory=dict)
    active_unit: int = 0
    units: dict[tuple[int, int], Texture] = field(default_factory=dict)
    """Texture bound per (unit, target)."""
    buffers: dict[int, Buffer] = field(default_factory=dict)
    """Buffer bound per target, except for the element array buffer, which belongs to the vertex array object."""
    indexed_buffers: dict[int, dict[int, Binding]] = field(
        default_factory=lambda: {target: {} for target in INDEXED_TARGETS}
    )
    """Buffer range bound to each binding of an indexed target, except for transform feedback's."""
    image_units: dict[int, ImageUnit] = field(default_factory=dict)
    program: Program | None = None
    pipeline: ProgramPipeline | None = None
    framebuffer: int = 0
    read_framebuffer: int = 0
    renderbuffer: Surface | None = None
    transform_feedback: int = 0
    vertex_array: VertexArrayObject = field(default_factory=VertexArrayObject)
    constants: list[tuple[float, float, float, float]] = field(
        default_factory=lambda: [(0.0, 0.0, 0.0, 1.0)] * MAX_VERTEX_ATTRIBS
    )
    """Current value of each attribute, used if it has no array."""
    integer_constants: set[int] = field(default_factory=set)
    """Attributes whose current value was given as integers."""
    samplers: dict[int, SamplerObject] = field(default_factory=dict)
    """Sampler object bound per texture unit."""

    @property
    def uniform_buffers(self) -> dict[int, Binding]:
        """Buffer range bound to each uniform buffer binding."""
        return self.indexed_buffers[gl.UNIFORM_BUFFER]

    def blend_buffer(self, number: int, **fields: Any) -> None:
        """Set part of the blending of one draw buffer."""
        self.blend_buffers[number] = self.blend_buffers.get(number, BufferBlending())._replace(**fields)

    def blend_all_buffers(self, part: str) -> None:
        """Let all draw buffers have the same value of a part of `BufferBlending` again."""
        for number, own in list(self.blend_buffers.items()):
            common = own._replace(**{part: None})
            if common == BufferBlending():
                del self.blend_buffers[number]
            else:
                self.blend_buffers[number] = common

    def mask_of(self, number: int) -> tuple[bool, bool, bool, bool]:
        """Channels of a draw buffer that are written."""
        own = self.blend_buffers.get(number)
        return self.color_mask if own is None or own.mask is None else own.mask

    @property
    def encodes(self) -> bool:
        """Whether colours are converted to sRGB for attachments of such formats (EXT_sRGB_write_control)."""
        return gl.FRAMEBUFFER_SRGB in self.enabled
