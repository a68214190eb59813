"""Memory that operations access, from the state that they are executed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..activity.kernels.logic import COPY
from ..gles.buffers import Buffer
from ..gles.context import Context
from ..gles.framebuffers import Attachment, Framebuffer
from ..gles.programs import Program
from ..gles.resolve_memory import bound_image, bound_range
from ..gles.textures import Texture
from ..glsl.ir.analysis import read_samplers
from ..glsl.ir.program import Shader
from ..glsl.ir.unread import coloring_samplers
from ..pipeline.command import DrawCommand
from ..pipeline.fused.sampler_blocks import detailed_samplers
from ..pipeline.sampler import Sampler
from .memory import NONE, Memory, Numbers, memory_of
from .operations import Access


def draw_access(memory: Memory, context: Context, program: Program, command: DrawCommand) -> Access:
    """Memory that a draw accesses."""
    state = command.state
    reads = memory.known_buffers(_array_buffers(context)) | _sampled(memory, context, command)
    writes, steers = NONE, _blocks(memory, context, program)
    framebuffer = context.framebuffer
    if not state.raster.discard:
        for place, number in enumerate(framebuffer.draw_buffers):
            if any(state.blending.of(place).color_mask):
                writes |= _slot(memory, framebuffer.colors.get(number), "color")
        depth = _slot(memory, framebuffer.depth, "depth") if state.depth_stencil.depth_test else NONE
        reads |= depth
        writes |= depth if state.depth_stencil.depth_write else NONE
        writes |= _slot(memory, framebuffer.stencil, "stencil") if state.depth_stencil.stencil_test else NONE
    if command.feedback is not None:
        writes |= _all(memory.buffer(binding.buffer) for binding in context.feedback.bindings.values())
    for stage in command.memory:
        written = _stored(memory, context, state.program.shaders[stage])
        reads, writes = reads | written.reads, writes | written.writes
    # Whatever is written in part keeps the rest.
    return Access("draw", reads | writes, writes, NONE, steers)


def draw_inputs(memory: Memory, context: Context, program: Program, command: DrawCommand) -> Numbers:
    """Memory that the values depend on that a draw writes: its targets only where it tests or blends with them."""
    state, framebuffer = command.state, context.framebuffer
    inputs = memory.known_buffers(_array_buffers(context)) | _sampled(memory, context, command)
    inputs |= _blocks(memory, context, program)
    for place, number in enumerate(framebuffer.draw_buffers):
        blending = state.blending.of(place)
        if blending.blend is not None or blending.logic_operation != COPY:
            inputs |= _slot(memory, framebuffer.colors.get(number), "color")
    inputs |= _slot(memory, framebuffer.depth, "depth") if state.depth_stencil.depth_test else NONE
    inputs |= _slot(memory, framebuffer.stencil, "stencil") if state.depth_stencil.stencil_test else NONE
    for stage in command.memory:
        inputs |= _stored(memory, context, state.program.shaders[stage]).reads
    return inputs


def steering_reads(memory: Memory, context: Context, command: DrawCommand, access: Access, colors: Numbers) -> Numbers:
    """Memory that more than the colours of a draw depends on, of that which it accesses with these colours."""
    state = command.state
    shader, (vertex, fragment) = state.program.fragment, state.samplers
    coloring = frozenset[int]()
    # Alpha may decide on samples.
    if not state.blending.alpha_to_coverage:
        coloring = coloring_samplers(shader, detailed_samplers(fragment))
    deciding = [fragment[number] for number in read_samplers(shader) - coloring]
    deciding += [vertex[number] for number in read_samplers(state.program.vertex)]
    return (access.reads - colors - _sampled(memory, context, command)) | _textures(memory, context, deciding)


def unseen_draw(memory: Memory, context: Context, program: Program, steering: Iterable[Buffer | None]) -> Access:
    """Memory that a draw may access whose numbers or indices are in buffers that are not known."""
    linked, framebuffer = program.linked, context.framebuffer
    assert linked is not None
    writes = NONE
    for slot, attachment in attachments_of(framebuffer):
        writes |= _slot(memory, attachment, slot)
    reads = memory.known_buffers(_array_buffers(context))
    for texture in (*context.state.units.values(), *context.default_textures.values()):
        reads |= memory.texture(texture)
    for shader in linked.shaders.values():
        stored = _stored(memory, context, shader)
        reads, writes = reads | stored.reads, writes | stored.writes
    steers = _blocks(memory, context, program) | memory.known_buffers(steering)
    return Access("draw", reads | writes, writes, NONE, steers)


def dispatch_access(
    memory: Memory, context: Context, program: Program, steering: Iterable[Buffer | None] = ()
) -> Access:
    """Memory that a dispatch accesses."""
    linked = program.linked
    assert linked is not None
    reads = NONE
    for texture in (*context.state.units.values(), *context.default_textures.values()):
        reads |= memory.texture(texture)
    stored = _stored(memory, context, linked.compute)
    steers = _blocks(memory, context, program) | memory.known_buffers(steering)
    return Access("dispatch", reads | stored.reads | stored.writes, stored.writes, NONE, steers)


def clear_access(memory: Memory, framebuffer: Framebuffer, slots: dict[str, bool]) -> Access:
    """Memory that a clear of some slots accesses, each complete or partial."""
    attachments, size = dict(attachments_of(framebuffer)), framebuffer.size
    writes = replaces = NONE
    for slot, whole in slots.items():
        attachment = attachments[slot]
        number = _slot(memory, attachment, slot)
        writes |= number
        # The framebuffer is as large as its smallest attachment.
        replaces |= number if whole and attachment.size == size else NONE
    return Access("clear", NONE, writes, replaces)


def mipmap_access(memory: Memory, texture: Texture) -> Access:
    """Memory that a generation of mipmaps accesses, after it happened."""
    first = texture.first_level
    reads = memory.known_arrays(image for (level, _), image in texture.images.items() if level == first)
    made = [image for (level, _), image in texture.images.items() if level > first]
    written = _all(memory.array(image) for image in made)
    return Access("generate_mipmap", reads, written, written)


def attachments_of(framebuffer: Framebuffer) -> list[tuple[str, Attachment]]:
    """Attachments with the names of their slots."""
    attachments = [(f"color{number}", attachment) for number, attachment in framebuffer.colors.items()]
    attachments += [("depth", framebuffer.depth)] if framebuffer.depth is not None else []
    return attachments + ([("stencil", framebuffer.stencil)] if framebuffer.stencil is not None else [])


def _slot(memory: Memory, attachment: Attachment | None, slot: str) -> Numbers:
    return memory.array(memory_of(attachment, slot)) if attachment is not None else NONE


def _all(numbers: Iterable[Numbers]) -> Numbers:
    return frozenset().union(*numbers)


def _array_buffers(context: Context) -> list[Buffer | None]:
    arrays = context.state.vertex_array
    return [arrays.element_buffer, *(array.buffer for array in arrays.attributes if array.enabled)]


def _blocks(memory: Memory, context: Context, program: Program) -> Numbers:
    """Buffers of uniform blocks: the constants of a program have a new version only if other bytes are loaded."""
    if program.linked is None or not program.linked.blocks:
        return NONE
    return memory.known_buffers(binding.buffer for binding in context.state.uniform_buffers.values())


def _sampled(memory: Memory, context: Context, command: DrawCommand) -> Numbers:
    return _textures(memory, context, (*command.state.samplers.vertex, *command.state.samplers.fragment))


def _textures(memory: Memory, context: Context, samplers: Sequence[Sampler]) -> Numbers:
    """Memory of the textures of some samplers."""
    if not samplers:
        return NONE
    bound = {sampler.surface for sampler in samplers}
    reads = NONE
    for texture in (*context.state.units.values(), *context.default_textures.values()):
        if texture.identity in bound:
            reads |= memory.texture(texture)
    return reads


def _stored(memory: Memory, context: Context, shader: Shader) -> Access:
    """Buffers and images that a shader accesses."""
    reads = writes = NONE
    for declared in shader.buffers:
        bound = bound_range(context, declared)
        if bound is not None:
            reads |= memory.known_buffers((bound.buffer,))
            writes |= memory.buffer(bound.buffer) if declared.writes else NONE
    for image in shader.images:
        unit = bound_image(context, image)
        if unit is None:
            continue
        texels = [a for (level, _), a in unit[0].images.items() if level == unit[1].level]
        reads |= memory.known_arrays(texels)
        writes |= _all(memory.array(a) for a in texels) if image.writes else NONE
    return Access("", reads, writes)
