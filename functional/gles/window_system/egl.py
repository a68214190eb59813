"""Calls of EGL 1.5 and of its extensions."""

from __future__ import annotations

from collections.abc import Callable

from ...capture import Call
from ...opengl import egl_enums as egl
from ...opengl.enums import TEXTURE_2D
from ..arguments import handle, made, whole
from ..desktop import kind_by_egl
from ..effects import EVERYTHING
from ..frame_ends import pairs, single_buffered
from .state import AnySystem, WindowSystemCall, filled_in

EGL_CALLS: dict[str, WindowSystemCall] = {}
"""Functions by the name of the call that they execute."""


def _executes(*names: str) -> Callable[[WindowSystemCall], WindowSystemCall]:
    def register(function: WindowSystemCall) -> WindowSystemCall:
        EGL_CALLS.update(dict.fromkeys(names, function))
        return function

    return register


@_executes("eglChooseConfig")
def _choose_config(system: AnySystem, call: Call) -> None:
    attributes, configs = call["attrib_list"], call["configs"]
    if isinstance(configs, list):
        for config in configs:
            system.requested[handle(config)] = pairs(attributes)


@_executes("eglGetConfigAttrib")
def _get_config_attribute(system: AnySystem, call: Call) -> None:
    value = filled_in(call["value"])
    if isinstance(value, int):
        system.actual.setdefault(handle(call["config"]), {})[whole(call["attribute"])] = value


@_executes("eglBindAPI")
def _bind_api(system: AnySystem, call: Call) -> None:
    if call.result is None or call.result:
        system.bound_api[call.thread] = whole(call["api"])


@_executes("eglCreateContext")
def _create_context(system: AnySystem, call: Call) -> None:
    desktop = system.bound_api.get(call.thread) == egl.OPENGL_API
    system.create_context(made(call), call["share_context"], kind_by_egl(pairs(call["attrib_list"]), desktop))


@_executes("eglDestroyContext")
def _destroy_context(system: AnySystem, call: Call) -> None:
    system.destroy_context(handle(call["ctx"]))


@_executes("eglCreateWindowSurface", "eglCreatePlatformWindowSurface", "eglCreatePlatformWindowSurfaceEXT")
def _create_window_surface(system: AnySystem, call: Call) -> None:
    attributes = pairs(call["attrib_list"])
    window = system.create_window(made(call), call["config"], attributes, pbuffer=False)
    if window is None:
        return
    window.single_buffered = single_buffered(attributes)
    native = call.at(2)
    if isinstance(native, int):
        earlier = system.native.get(native)
        if earlier is not None and not window.fixed:
            window.width, window.height = earlier.width, earlier.height
        system.native[native] = window


@_executes("eglCreatePbufferSurface")
def _create_pbuffer_surface(system: AnySystem, call: Call) -> None:
    system.create_window(made(call), call["config"], pairs(call["attrib_list"]))


@_executes("eglCreatePixmapSurface", "eglCreatePlatformPixmapSurface", "eglCreatePlatformPixmapSurfaceEXT")
def _create_pixmap_surface(system: AnySystem, call: Call) -> None:
    window = system.create_window(made(call), call["config"], pairs(call["attrib_list"]), pbuffer=False)
    if window is not None:
        window.single_buffered = True


@_executes("eglDestroySurface")
def _destroy_surface(system: AnySystem, call: Call) -> None:
    system.windows.pop(handle(call["surface"]), None)


@_executes("eglQuerySurface")
def _query_surface(system: AnySystem, call: Call) -> None:
    window, value = system.windows.get(handle(call["surface"])), filled_in(call["value"])
    if window is not None and isinstance(value, int) and call["attribute"] in (egl.WIDTH, egl.HEIGHT):
        width = value if call["attribute"] == egl.WIDTH else 0
        window.reach(width, 0 if width else value)


@_executes("eglMakeCurrent")
def _make_current(system: AnySystem, call: Call) -> None:
    if call.result is None or call.result:
        system.make_current(call, call["ctx"], call["draw"], call["read"])


@_executes("eglReleaseThread")
def _release_thread(system: AnySystem, call: Call) -> None:
    system.make_current(call, None, None)


@_executes("eglCreateImage", "eglCreateImageKHR")
def _create_image(system: AnySystem, call: Call) -> None:
    context = system.contexts.get(handle(call.at(1))) or system.current.get(call.thread)
    if context is None:
        return
    # Streams without images need nothing of what is in them.
    from ..egl_images import image_of

    group, target, name = context.group, whole(call.at(2)), handle(call.at(3))
    level = pairs(call.at(4)).get(egl.GL_TEXTURE_LEVEL, 0)
    image = image_of(group.textures, group.renderbuffers, target, name, level)
    if image is not None:
        system.images[made(call)] = image


@_executes("eglDestroyImage", "eglDestroyImageKHR")
def _destroy_image(system: AnySystem, call: Call) -> None:
    system.images.pop(handle(call.at(1)), None)


@_executes("eglBindTexImage")
def _bind_texture_image(system: AnySystem, call: Call) -> None:
    window, context = system.windows.get(handle(call.at(1))), system.current.get(call.thread)
    if window is None or context is None:
        return
    picture = window.picture()
    pixels = picture.attachment.color()
    if pixels is not None and pixels.ndim == 3:
        context.texture(TEXTURE_2D).set_image(0, 0, pixels[None].copy(), picture.color)
        context.group.changed(EVERYTHING)


@_executes("eglReleaseTexImage")
def _release_texture_image(system: AnySystem, call: Call) -> None:
    context = system.current.get(call.thread)
    if context is not None:
        context.texture(TEXTURE_2D).clear()
        context.group.changed(EVERYTHING)
