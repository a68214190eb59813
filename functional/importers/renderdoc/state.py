"""The state of the context at the beginning of the frame: RenderDoc's `GLRenderState`."""

from __future__ import annotations

from typing import Any

from ...opengl import enums as gl
from .calls import Calls
from .chunks import Node
from .special_calls import TIGHT, bind_range

_CAPABILITIES = {
    "GL_CULL_FACE": gl.CULL_FACE, "GL_DEPTH_TEST": gl.DEPTH_TEST, "GL_DITHER": gl.DITHER,
    "GL_POLYGON_OFFSET_FILL": gl.POLYGON_OFFSET_FILL, "GL_STENCIL_TEST": gl.STENCIL_TEST,
    "GL_PRIMITIVE_RESTART_FIXED_INDEX": gl.PRIMITIVE_RESTART_FIXED_INDEX,
    "GL_SAMPLE_ALPHA_TO_COVERAGE": gl.SAMPLE_ALPHA_TO_COVERAGE, "GL_SAMPLE_COVERAGE": gl.SAMPLE_COVERAGE,
    "GL_SAMPLE_MASK": gl.SAMPLE_MASK, "GL_RASTERIZER_DISCARD": gl.RASTERIZER_DISCARD,
}  # fmt: skip
_LACKING = (
    "GL_DEPTH_CLAMP", "GL_DEPTH_BOUNDS_TEST_EXT", "GL_LINE_SMOOTH", "GL_POLYGON_SMOOTH",
    "GL_POLYGON_OFFSET_LINE", "GL_POLYGON_OFFSET_POINT", "GL_PRIMITIVE_RESTART", "GL_SAMPLE_ALPHA_TO_ONE",
    "GL_SAMPLE_SHADING", "GL_RASTER_MULTISAMPLE_EXT", *(f"GL_CLIP_DISTANCE{i}" for i in range(8)),
)  # fmt: skip
"""Capabilities that OpenGL ES has not, or we do not."""
_TEXTURES = {
    "GL_TEXTURE_BINDING_2D": gl.TEXTURE_2D, "GL_TEXTURE_BINDING_3D": gl.TEXTURE_3D,
    "GL_TEXTURE_BINDING_2D_ARRAY": gl.TEXTURE_2D_ARRAY, "GL_TEXTURE_BINDING_CUBE_MAP": gl.TEXTURE_CUBE_MAP,
    "GL_TEXTURE_BINDING_2D_MULTISAMPLE": gl.TEXTURE_2D_MULTISAMPLE,
}  # fmt: skip
_BUFFERS = {
    "GL_ARRAY_BUFFER_BINDING": gl.ARRAY_BUFFER, "GL_COPY_READ_BUFFER_BINDING": gl.COPY_READ_BUFFER,
    "GL_COPY_WRITE_BUFFER_BINDING": gl.COPY_WRITE_BUFFER, "GL_PIXEL_PACK_BUFFER_BINDING": gl.PIXEL_PACK_BUFFER,
    "GL_PIXEL_UNPACK_BUFFER_BINDING": gl.PIXEL_UNPACK_BUFFER,
    "GL_DRAW_INDIRECT_BUFFER_BINDING": gl.DRAW_INDIRECT_BUFFER,
    "GL_DISPATCH_INDIRECT_BUFFER_BINDING": gl.DISPATCH_INDIRECT_BUFFER,
}  # fmt: skip
_INDEXED = {
    "GL_UNIFORM_BUFFER_BINDING": gl.UNIFORM_BUFFER, "GL_SHADER_STORAGE_BUFFER_BINDING": gl.SHADER_STORAGE_BUFFER,
    "GL_ATOMIC_COUNTER_BUFFER_BINDING": gl.ATOMIC_COUNTER_BUFFER,
    "GL_TRANSFORM_FEEDBACK_BUFFER_BINDING": gl.TRANSFORM_FEEDBACK_BUFFER,
}  # fmt: skip
_ADVANCED = range(0x9294, 0x92B1)
"""Equations of KHR_blend_equation_advanced."""


def restore(calls: Calls, state: Node) -> None:
    """Record calls that bring a context into a state, and bindings that a stream has made already to it."""
    for part in (_capabilities, _blending, _rasterization, _depth_and_stencil, _clearing, _pixels, _attributes):
        part(calls, state)
    if calls.objects.survey.driver != "OpenGLES":
        _of_desktop(calls, state)
    for bind in (_bind_textures, _bind_images, _bind_buffers, _bind_programs, _bind_framebuffers):
        bind(calls, state)


def _whole(state: Node, *names: str) -> list[int]:
    return [state[name].whole for name in names]


def _capabilities(calls: Calls, state: Node) -> None:
    for name, capability in _CAPABILITIES.items():
        enabled = state[name].whole
        if enabled != (capability == gl.DITHER):
            calls.bindings.call("glEnable" if enabled else "glDisable", capability)
    srgb = state.get("GL_FRAMEBUFFER_SRGB")
    if srgb is not None and not srgb.whole and calls.objects.survey.driver == "OpenGLES":
        calls.bindings.call("glDisable", gl.FRAMEBUFFER_SRGB)
    for name in _LACKING:
        capability_node = state.get(name)
        if capability_node is not None and capability_node.whole:
            calls.missing[f"state {name}"] += 1


def _blending(calls: Calls, state: Node) -> None:
    targets = [_blend(target) for target in state["GL_BLENDS"].children] or [{}]
    masks = [_whole(mask, "red", "green", "blue", "alpha") for mask in state["GL_COLOR_WRITEMASK"].children]
    first = targets[0]
    for name, arguments in first.items():
        calls.bindings.call(name, *arguments)
    for index, target in enumerate(targets[1:], 1):
        for name, arguments in target.items():
            if first.get(name) != arguments:
                calls.bindings.call(*_of_target(name, index, arguments))
    if masks and masks[0] != [1, 1, 1, 1]:
        calls.bindings.call("glColorMask", *masks[0])
    for index, mask in enumerate(masks):
        if mask != masks[0]:
            calls.bindings.call("glColorMaskiEXT", index, *mask)
    calls.bindings.call("glBlendColor", *(value.real for value in state["GL_BLEND_COLOR"].children[:4]))


def _blend(target: Node) -> dict[str, list[int]]:
    """Calls that set the blending of all targets, their arguments by their name."""
    equations = _whole(target, "EquationRGB", "EquationAlpha")
    factors = _whole(target, "SourceRGB", "DestinationRGB", "SourceAlpha", "DestinationAlpha")
    switch = {"glEnable" if target["Enabled"].whole else "glDisable": [gl.BLEND]}
    if equations[0] in _ADVANCED:
        return switch | {"glBlendEquation": equations[:1], "glBlendFuncSeparate": factors}
    return switch | {"glBlendEquationSeparate": equations, "glBlendFuncSeparate": factors}


def _of_target(name: str, index: int, arguments: list[int]) -> tuple[Any, ...]:
    """The same call for one target."""
    if name in ("glEnable", "glDisable"):
        return f"{name}iEXT", *arguments, index
    return f"{name}iEXT", index, *arguments


def _rasterization(calls: Calls, state: Node) -> None:
    call = calls.bindings.call
    viewport, scissor = state["GL_VIEWPORT"].element(0), state["GL_SCISSOR"].element(0)
    call("glViewport", *(int(viewport[side].real) for side in ("x", "y", "width", "height")))
    call("glScissor", *_whole(scissor, "x", "y", "width", "height"))
    call("glEnable" if scissor["enabled"].whole else "glDisable", gl.SCISSOR_TEST)
    depths = state["GL_DEPTH_RANGE"].element(0)
    call("glDepthRangef", depths["nearZ"].real, depths["farZ"].real)
    call("glLineWidth", state["GL_LINE_WIDTH"].real)
    call("glPolygonOffset", state["GL_POLYGON_OFFSET_FACTOR"].real, state["GL_POLYGON_OFFSET_UNITS"].real)
    call("glCullFace", *_whole(state, "GL_CULL_FACE_MODE"))
    call("glFrontFace", *_whole(state, "GL_FRONT_FACE"))
    call("glSampleCoverage", state["GL_SAMPLE_COVERAGE_VALUE"].real, state["GL_SAMPLE_COVERAGE_INVERT"].whole)
    mask = state["GL_SAMPLE_MASK_VALUE"].element(0).whole
    if mask not in (0, 0xFFFFFFFF):
        call("glSampleMaski", 0, mask)


def _of_desktop(calls: Calls, state: Node) -> None:
    """Size of points, which programs set if that is enabled, and logical operations of desktop OpenGL."""
    for name, capability in (
        ("GL_PROGRAM_POINT_SIZE", gl.PROGRAM_POINT_SIZE),
        ("GL_COLOR_LOGIC_OP", gl.COLOR_LOGIC_OP),
    ):
        enabled = state.get(name)
        if enabled is not None and enabled.whole:
            calls.bindings.call("glEnable", capability)
    size, operation = state.get("GL_POINT_SIZE"), state.get("GL_LOGIC_OP_MODE")
    if size is not None and size.real > 0:
        calls.bindings.call("glPointSize", size.real)
    if operation is not None and operation.whole:
        calls.bindings.call("glLogicOp", operation.whole)


def _depth_and_stencil(calls: Calls, state: Node) -> None:
    call = calls.bindings.call
    call("glDepthMask", *_whole(state, "GL_DEPTH_WRITEMASK"))
    call("glDepthFunc", *_whole(state, "GL_DEPTH_FUNC"))
    for face, side in ((gl.FRONT, ""), (gl.BACK, "_BACK")):
        test = _whole(state, f"GL_STENCIL{side}_FUNC", f"GL_STENCIL{side}_REF", f"GL_STENCIL{side}_VALUE_MASK")
        call("glStencilFuncSeparate", face, *test)
        operations = (f"GL_STENCIL{side}_{name}" for name in ("FAIL", "PASS_DEPTH_FAIL", "PASS_DEPTH_PASS"))
        call("glStencilOpSeparate", face, *_whole(state, *operations))
        call("glStencilMaskSeparate", face, *_whole(state, f"GL_STENCIL{side}_WRITEMASK"))


def _clearing(calls: Calls, state: Node) -> None:
    color = state["GL_COLOR_CLEAR_VALUE"]
    calls.bindings.call("glClearColor", *(color[channel].real for channel in ("red", "green", "blue", "alpha")))
    calls.bindings.call("glClearDepthf", state["GL_DEPTH_CLEAR_VALUE"].real)
    calls.bindings.call("glClearStencil", state["GL_STENCIL_CLEAR_VALUE"].whole)


def _pixels(calls: Calls, state: Node) -> None:
    """Layout of pixels in the program's memory: kept for buffers of its own; the capture's are tight."""
    names = {
        gl.UNPACK_ALIGNMENT: "ALIGNMENT", gl.UNPACK_ROW_LENGTH: "ROW_LENGTH", gl.UNPACK_IMAGE_HEIGHT: "IMAGE_HEIGHT",
        gl.UNPACK_SKIP_PIXELS: "SKIP_PIXELS", gl.UNPACK_SKIP_ROWS: "SKIP_ROWS", gl.UNPACK_SKIP_IMAGES: "SKIP_IMAGES",
    }  # fmt: skip
    assert names.keys() == TIGHT.keys()
    for parameter, name in names.items():
        calls.unpacking[parameter] = state[f"GL_UNPACK_{name}"].whole


def _attributes(calls: Calls, state: Node) -> None:
    for index, vector in enumerate(state["GL_CURRENT_VERTEX_ATTRIB"].children[:16]):
        value = [vector[part].real for part in "xyzw"]
        if value not in ([0.0, 0.0, 0.0, 1.0], [0.0] * 4):
            calls.bindings.call("glVertexAttrib4f", index, *value)


def _bind_textures(calls: Calls, state: Node) -> None:
    bindings, wanted = calls.bindings, {}
    for name, target in _TEXTURES.items():
        for unit, texture in enumerate(state[name].children):
            if texture.whole and calls.objects.has(texture.whole):
                wanted[unit, target] = calls.objects.name(texture)
    for unit, target in sorted({*wanted, *bindings.textures}):
        texture_name = wanted.get((unit, target), 0)
        if bindings.textures.get((unit, target), 0) != texture_name:
            if bindings.unit != unit:
                bindings.call("glActiveTexture", gl.TEXTURE0 + unit)
            bindings.call("glBindTexture", target, texture_name)
    for unit, sampler in enumerate(state["GL_SAMPLER_BINDING"].children):
        if sampler.whole and calls.objects.has(sampler.whole):
            bindings.call("glBindSampler", unit, calls.objects.name(sampler))
    bindings.call("glActiveTexture", state["GL_ACTIVE_TEXTURE"].whole)


def _bind_images(calls: Calls, state: Node) -> None:
    for unit, image in enumerate(state["GL_IMAGE_BINDING"].children):
        if image["res"].whole and calls.objects.has(image["res"].whole):
            arguments = _whole(image, "level", "layered", "layer", "access", "format")
            calls.bindings.call("glBindImageTexture", unit, calls.objects.name(image["res"]), *arguments)


def _bind_buffers(calls: Calls, state: Node) -> None:
    bindings = calls.bindings
    arrays = state["GL_VERTEX_ARRAY_BINDING"]
    name = calls.objects.name(arrays) if calls.objects.has(arrays.whole) else 0
    if bindings.arrays != name:
        bindings.call("glBindVertexArray", name)
    feedback = state["GL_TRANSFORM_FEEDBACK_BINDING"]
    if feedback.whole and calls.objects.has(feedback.whole):
        bindings.call("glBindTransformFeedback", gl.TRANSFORM_FEEDBACK, calls.objects.name(feedback))
    for member, target in _INDEXED.items():
        for index, one in enumerate(state[member].children):
            if one["res"].whole and calls.objects.has(one["res"].whole):
                extent = (one["start"].whole, one["size"].whole)
                bind_range(calls, (target, index), calls.objects.name(one["res"]), extent)
    for member, target in _BUFFERS.items():
        buffer = state[member]
        wanted = calls.objects.name(buffer) if calls.objects.has(buffer.whole) else 0
        if bindings.buffer(target) != wanted:
            bindings.call("glBindBuffer", target, wanted)


def _bind_programs(calls: Calls, state: Node) -> None:
    program, pipeline = state["GL_CURRENT_PROGRAM"], state["GL_PROGRAM_PIPELINE_BINDING"]
    name = calls.objects.name(program) if calls.objects.has(program.whole) else 0
    if calls.bindings.program != name:
        calls.bindings.call("glUseProgram", name)
    if pipeline.whole and calls.objects.has(pipeline.whole):
        calls.bindings.call("glBindProgramPipeline", calls.objects.name(pipeline))


def _bind_framebuffers(calls: Calls, state: Node) -> None:
    bindings = calls.bindings
    for member, target in (("READ", gl.READ_FRAMEBUFFER), ("DRAW", gl.DRAW_FRAMEBUFFER)):
        framebuffer = state[f"GL_{member}_FRAMEBUFFER_BINDING"]
        name = calls.objects.name(framebuffer) if calls.objects.has(framebuffer.whole) else 0
        if bindings.framebuffers[target] != name:
            bindings.call("glBindFramebuffer", target, name)
    if bindings.renderbuffer:
        bindings.call("glBindRenderbuffer", gl.RENDERBUFFER, 0)
