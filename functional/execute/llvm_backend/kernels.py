"""Kernels ready to be called, compiled once per program, with the functions they share."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial

from llvmlite import ir

from ...compile import Code
from ...glsl.ir.program import Shader
from ...glsl.ir.text import print_shader
from ...glsl.ir.unread import Uncolored
from ..backend import ComputeKernel, Interpolation, Kernel, Noted, VertexKernel
from ..kernel_arguments import BlendState, DepthState, TextureKind
from ..memory import ImageFormat
from . import vertices
from .blend import kernel as blending
from .compute import kernel as computing
from .depth import kernel as testing
from .fragments import FragmentKernel, not_compiled
from .ir.whole import not_vector_code
from .native import compile_functions, width
from .texture.fetch import Fetched, emit_fetch, fetches
from .texture.kinds import NOTING_EXPLICIT, NOTING_IMPLICIT, SINGLE, emit_noting, emit_texture_unit
from .texture.unit import EXPLICIT, IMPLICIT

_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@cache
def _sampling(kind: TextureKind, lanes: int) -> Code:
    names = [IMPLICIT, EXPLICIT] if kind.deep else [IMPLICIT, EXPLICIT, SINGLE]
    key = ["texture unit", repr(kind)]
    return compile_functions(key, names, lambda m: emit_texture_unit(m, lanes, kind), thoroughly=True)


def texture_unit(kind: TextureKind) -> tuple[int, int, int]:
    """The functions that sample a kind of texture; see `SamplerBlock`."""
    address = _sampling(kind, width()).address
    return address[IMPLICIT], address[EXPLICIT], address.get(SINGLE, 0)


@cache
def _noting(kind: TextureKind, lanes: int) -> Code:
    names = [NOTING_IMPLICIT, NOTING_EXPLICIT]
    return compile_functions(["noting", repr(kind)], names, lambda m: emit_noting(m, lanes, kind), thoroughly=True)


def noting_unit(kind: TextureKind) -> tuple[int, int, int]:
    """The functions that note which texels would be read, in place of those of `texture_unit`."""
    address = _noting(kind.without_texels(), width()).address
    return address[NOTING_IMPLICIT], address[NOTING_EXPLICIT], 0


@cache
def _fetching(fetched: Fetched, lanes: int) -> Code:
    key = ["fetch", repr(fetched)]
    return compile_functions(key, [fetched.name], lambda m: emit_fetch(m, lanes, fetched), thoroughly=True)


def _called(shader: Shader, unread: frozenset[int] = frozenset()) -> list[Code]:
    """Functions that a shader's code calls by name."""
    return [_fetching(fetched, width()) for fetched in fetches(shader, unread)]


def _text(shader: Shader) -> str:
    """Everything about a shader that its code depends on: browsers compile the same one under many names."""
    inputs, outputs = ([replace(d, name="") for d in side] for side in (shader.inputs, shader.outputs))
    samplers = tuple(replace(sampler, name="") for sampler in shader.samplers)
    return print_shader(replace(shader, name="", inputs=tuple(inputs), outputs=tuple(outputs), samplers=samplers))


def fragment_kernel(
    shader: Shader,
    interpolation: Interpolation,
    noted: Noted = "nothing",
    uncolored: Uncolored | None = None,
) -> Kernel | str:
    """The kernel of a fragment shader, or the reason why it cannot be compiled as a whole.

    Parameters
    ----------
    shader
        Of the fragment stage.
    interpolation
        Of its inputs.
    noted
        What it notes of the flow of lanes.
    uncolored
        If it leaves out colours, what it executes.
    """
    why = not_compiled(shader)
    if why:
        return why
    kernel = FragmentKernel(shader, interpolation, noted, uncolored)
    flat, straight, size = interpolation
    key = ["fragments", _text(shader), repr((sorted(flat), sorted(straight))), f"{size} {noted}"]
    key += [] if uncolored is None else ["without colours", *(repr(sorted(one)) for one in uncolored)]
    code = compile_functions(key, [kernel.name], lambda m: kernel.emit(m, width()), _called(shader, kernel.unread))
    address = code.address[kernel.name]
    return Kernel(_PROTOTYPE(address), address, texture_unit, width(), code, kernel.unread, noting_unit)


def vertex_kernel(shader: Shader, noted: Noted = "nothing") -> VertexKernel | str:
    """The kernel of a vertex shader, which notes something of the flow of lanes, or the reason why it cannot be
    compiled as a whole."""
    why = not_vector_code(shader)
    if why:
        return why
    name = vertices.NAME
    key = [name, _text(shader), noted]
    emit = partial(vertices.emit_vertices, width=width(), shader=shader, noted=noted)
    code = compile_functions(key, [name], emit, _called(shader))
    return VertexKernel(code.address[name], texture_unit, width(), code)


def compute_kernel(shader: Shader, formats: tuple[ImageFormat, ...]) -> ComputeKernel | str:
    """The kernel of a compute shader whose images have these formats, or the reason why it cannot be compiled."""
    why = not_vector_code(shader, accesses=True)
    if why:
        return why
    name, emitted = computing.NAME, computing.ComputeCode(shader, formats)
    key = [name, _text(shader), repr(formats)]
    code = compile_functions(key, [name], lambda m: emitted.emit(m, width()), _called(shader))
    call = _PROTOTYPE(code.address[name])
    return ComputeKernel(call, texture_unit, width(), emitted.state_bytes(width()), code)


@lru_cache(maxsize=256)
def blend_kernel(state: BlendState) -> Kernel:
    """The kernel that blends quads."""
    return _of_quads(["blend", repr(state)], blending.NAME, lambda m: blending.emit_blend(m, state, width()))


@lru_cache(maxsize=64)
def depth_kernel(state: DepthState) -> Kernel:
    """The kernel that tests the depths of quads."""
    return _of_quads(["depth", repr(state)], testing.NAME, lambda m: testing.emit_depth_test(m, state, width()))


def _of_quads(key: list[str], name: str, emit: Callable[[ir.Module], None]) -> Kernel:
    """A kernel of quads that is the same for all shaders."""
    code = compile_functions(key, [name], emit, thoroughly=True)
    return Kernel(_PROTOTYPE(code.address[name]), code.address[name], texture_unit, width(), code)
