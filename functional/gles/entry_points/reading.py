"""glReadPixels (OpenGL ES 3.0, 4.3.2): to the program, or into a pixel pack buffer."""

from __future__ import annotations

from typing import Any

from ...capture import Call
from ...opengl import enums as gl
from ..arguments import handle, whole
from ..checks import check_enum, check_operation, check_value
from ..context import Context
from ..effects import PIXELS
from ..pack import INTEGER_FORMATS, pack_pixels, readable
from ..pixels import CHANNELS, COMPONENTS, PACKED
from .copying import box_pixels, read_color
from .images import check_memory
from .table import EntryPoints

entry = EntryPoints()


@entry.with_call("glReadPixels", "glReadnPixels", "glReadnPixelsEXT", "glReadnPixelsKHR", effect=PIXELS)
def glReadPixels(context: Context, call: Call) -> None:
    x, y, width, height, pixel_format, kind = (whole(call.at(place)) for place in range(6))
    check_value(width >= 0 and height >= 0, f"box of {width}x{height}")
    check_enum(pixel_format, CHANNELS, "pixel format")
    check_enum(kind, COMPONENTS.keys() | PACKED.keys(), "pixel type")
    attachment, pixels, sized = read_color(context)
    plain = attachment.samples == 1 or context.state.read_framebuffer == 0
    check_operation(plain, "a framebuffer object of several samples cannot be read")
    integer = sized.kind in ("int", "uint")
    fits = readable(pixel_format, kind) and integer == (pixel_format in INTEGER_FORMATS)
    check_operation(fits, f"pixels of {sized.name} cannot be read as {pixel_format:#06x} of type {kind:#06x}")
    check_memory((width, height, 1), pixels.dtype)
    box = box_pixels(pixels, x, y, width, height, sized)
    buffer = context.state.buffers.get(gl.PIXEL_PACK_BUFFER)
    if buffer is None:
        if context.on_answer is not None:
            context.answer(call, pack_pixels(box, sized, pixel_format, kind, context.state.pack))
    else:
        check_operation(not buffer.locked, "the pixel pack buffer is mapped")
        pointer: Any = call.arguments[-1]
        offset = handle(pointer) if not isinstance(pointer, bytes) else 0
        check_operation(0 <= offset <= len(buffer.data), f"byte {offset} of a buffer of {len(buffer.data)}")
        data = pack_pixels(box, sized, pixel_format, kind, context.state.pack, bytes(buffer.data[offset:]))
        check_operation(offset + len(data) <= len(buffer.data), f"{len(data)} bytes into {len(buffer.data)}")
        buffer.update(offset, data)
        context.listener.event("buffer_update", context.call, buffer=buffer, offset_bytes=offset, size_bytes=len(data))
    context.listener.event(
        "read_pixels", context.call, source=attachment, box=(x, y, width, height), size_bytes=width * height * 4
    )
