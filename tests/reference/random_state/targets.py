"""Framebuffer objects that scenes draw into, and shaders that write to and show any format."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tilegpu.functional.opengl import enums as gl

from .formats import Layout, layout_of
from .scene import matrix, value_of
from .stage import CELL, HEAD, Stage

COPIED = HEAD.replace("uniform mat4", "uniform highp sampler2D image; uniform mat4", 1)


@dataclass(frozen=True)
class Target:
    """A framebuffer object and the names of its textures."""

    framebuffer: int
    colors: tuple[int, ...]
    depth: int = 0


def color_target(stage: Stage, internals: tuple[str, ...], size: tuple[int, int], depth: str = "") -> Target:
    """Make and bind a framebuffer object of textures, cleared to zero by nobody yet."""
    r = stage.r
    framebuffer = r.glGenFramebuffers(1)[0]
    r.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
    names = []
    for i, internal in enumerate(internals):
        names.append(plane(stage, layout_of(internal), size))
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + i, gl.TEXTURE_2D, names[-1], 0)
    planes = 0
    if depth:
        planes = plane(stage, layout_of(depth), size)
        point = gl.DEPTH_STENCIL_ATTACHMENT if "STENCIL" in depth else gl.DEPTH_ATTACHMENT
        r.glFramebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, planes, 0)
    if len(internals) > 1:
        r.glDrawBuffers(len(internals), [gl.COLOR_ATTACHMENT0 + i for i in range(len(internals))])
    r.glViewport(0, 0, *size)
    return Target(framebuffer, tuple(names), planes)


def plane(stage: Stage, layout: Layout, size: tuple[int, int]) -> int:
    """A texture of one level, never filtered."""
    name = stage.texture()
    stage.r.glTexStorage2D(gl.TEXTURE_2D, 1, value_of(layout.internal), *size)
    stage.nearest()
    return name


def show_plane(
    stage: Stage, name: int, layout: Layout, size: tuple[int, int] = (CELL, CELL), channels: tuple[int, ...] = (0, 1, 2)
) -> None:
    """Fill the cell with a texture of one level, texel by texel; outside of it there is nothing."""
    stage.r.glBindTexture(gl.TEXTURE_2D, name)
    scale, offset = layout.shown
    head = HEAD.replace("uniform mat4", f"uniform highp {layout.prefix}sampler2D image; uniform mat4", 1)
    source = (
        f"{head}out vec4 color;\nvoid main() {{ ivec2 at = ivec2(v.xy);\n"
        "bool inside = all(lessThan(at, textureSize(image, 0)));\n"
        "color = inside ? seen(texelFetch(image, at, 0)) : vec4(0.5); }"
    )
    stage.show(source, matrix(channels, 1.0 if layout.integer else scale), offset)


def clear(stage: Stage, layout: Layout, number: int, buffer: int = 0) -> None:
    """Fill a draw buffer with a random value."""
    random, r = Random(number), stage.r
    if layout.kind == "int":
        r.glClearBufferiv(gl.COLOR, buffer, [random.randint(-(1 << 31), (1 << 31) - 1) for _ in range(4)])
    elif layout.kind == "uint":
        r.glClearBufferuiv(gl.COLOR, buffer, [random.getrandbits(32) for _ in range(4)])
    else:
        low, high = (-1.0, 2.0) if layout.kind == "float" else (0.0, 1.0)
        r.glClearBufferfv(gl.COLOR, buffer, [random.uniform(low, high) for _ in range(4)])


def gradient(layouts: tuple[Layout, ...]) -> str:
    """A fragment shader that writes v to all targets, to integer ones as numbers of many bits."""
    outputs, body = "", ""
    for i, layout in enumerate(layouts):
        kind = f"{layout.prefix}vec4"
        outputs += f"layout(location = {i}) out highp {kind} color{i};\n"
        turned = "v" if i == 0 else "v.wzyx" if i == 1 else "v.yxwz"
        value = {
            "int": f"ivec4(floor({turned} * 20.0)) * 3500 - 35000",
            "uint": f"uvec4(floor(abs({turned}) * 20.0)) * 3500u",
        }.get(layout.kind, turned)
        body += f"color{i} = {value}; "
    head = "#version 300 es\nprecision highp float; precision highp int;\nin highp vec4 v;\n"
    return f"{head}{outputs}void main() {{ {body} }}"
