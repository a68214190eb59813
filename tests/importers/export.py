"""Exports as RenderDoc writes them, of our own making: values of chunks, and the two files."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tilegpu.functional.opengl import enums as gl

WINDOW, ARRAYS = 8, 7
"""Identifiers of the window's framebuffer and of the vertex array object that a context has."""
Value = str


def leaf(kind: str, name: str, value: object, more: str = "") -> Value:
    return f'<{kind} name="{name}" {more}>{escape(str(value))}</{kind}>'


def whole(name: str, value: int) -> Value:
    return leaf("int", name, value)


def real(name: str, value: float) -> Value:
    return leaf("float", name, value)


def flag(name: str, value: bool) -> Value:
    return leaf("bool", name, str(value).lower())


def text(name: str, value: str) -> Value:
    return leaf("string", name, value)


def thing(name: str, value: int) -> Value:
    return leaf("ResourceId", name, value, 'typename="GLResource"')


def array(name: str, elements: Sequence[Value]) -> Value:
    return f'<array name="{name}">{"".join(elements)}</array>'


def struct(name: str, *members: Value) -> Value:
    return f'<struct name="{name}">{"".join(members)}</struct>'


def chunk(name: str, *members: Value) -> Value:
    return f'<chunk id="1" name="{name}" length="0">{"".join(members)}</chunk>'


def numbers(make: Callable[[str, float], Value], values: Sequence[float]) -> list[Value]:
    return [make("", value) for value in values]


class Buffers:
    """Buffers that the XML names."""

    def __init__(self) -> None:
        self.contents: list[bytes] = []

    def add(self, name: str, content: bytes) -> Value:
        self.contents.append(content)
        return leaf("buffer", name, len(self.contents) - 1, f'byteLength="{len(content)}"')


def settings(size: int, version: str = "OpenGL ES 3.1 a driver") -> Value:
    bits = {"colorBits": 32, "depthBits": 24, "stencilBits": 8, "multiSamples": 1, "width": size, "height": size}
    members = [leaf("uint", name, value) for name, value in bits.items()]
    return struct("InitParams", *members, text("version", version))


def state(size: int, **other: Value) -> Value:
    """A context as it begins, but for the members that are given."""
    half = [flag(f"GL_{name}", name == "DITHER") for name in (
        "CULL_FACE", "DEPTH_TEST", "DITHER", "POLYGON_OFFSET_FILL", "STENCIL_TEST", "PRIMITIVE_RESTART_FIXED_INDEX",
        "SAMPLE_ALPHA_TO_COVERAGE", "SAMPLE_COVERAGE", "SAMPLE_MASK", "RASTERIZER_DISCARD")]  # fmt: skip
    empty = ("TEXTURE_BINDING_2D", "TEXTURE_BINDING_3D", "TEXTURE_BINDING_2D_ARRAY", "TEXTURE_BINDING_CUBE_MAP",
             "TEXTURE_BINDING_2D_MULTISAMPLE", "SAMPLER_BINDING", "IMAGE_BINDING", "UNIFORM_BUFFER_BINDING",
             "SHADER_STORAGE_BUFFER_BINDING", "ATOMIC_COUNTER_BUFFER_BINDING", "TRANSFORM_FEEDBACK_BUFFER_BINDING",
             "CURRENT_VERTEX_ATTRIB")  # fmt: skip
    nothing = ("CURRENT_PROGRAM", "PROGRAM_PIPELINE_BINDING", "TRANSFORM_FEEDBACK_BINDING", "ARRAY_BUFFER_BINDING",
               "COPY_READ_BUFFER_BINDING", "COPY_WRITE_BUFFER_BINDING", "PIXEL_PACK_BUFFER_BINDING",
               "PIXEL_UNPACK_BUFFER_BINDING", "DRAW_INDIRECT_BUFFER_BINDING",
               "DISPATCH_INDIRECT_BUFFER_BINDING")  # fmt: skip
    box = [real(side, value) for side, value in zip(("x", "y", "width", "height"), (0, 0, size, size), strict=True)]
    whole_box = [box_side.replace("float", "int") for box_side in box]
    members = {
        **{f"GL_{name}": array(f"GL_{name}", []) for name in empty},
        **{f"GL_{name}": thing(f"GL_{name}", 0) for name in nothing},
        "GL_VERTEX_ARRAY_BINDING": thing("GL_VERTEX_ARRAY_BINDING", ARRAYS),
        "GL_READ_FRAMEBUFFER_BINDING": thing("GL_READ_FRAMEBUFFER_BINDING", WINDOW),
        "GL_DRAW_FRAMEBUFFER_BINDING": thing("GL_DRAW_FRAMEBUFFER_BINDING", WINDOW),
        "GL_ACTIVE_TEXTURE": whole("GL_ACTIVE_TEXTURE", gl.TEXTURE0),
        "GL_BLENDS": array("GL_BLENDS", [blend()]),
        "GL_COLOR_WRITEMASK": array("GL_COLOR_WRITEMASK", [mask()]),
        "GL_BLEND_COLOR": array("GL_BLEND_COLOR", numbers(real, [0, 0, 0, 0])),
        "GL_VIEWPORT": array("GL_VIEWPORT", [struct("", *box)]),
        "GL_SCISSOR": array("GL_SCISSOR", [struct("", *whole_box, flag("enabled", False))]),
        "GL_DEPTH_RANGE": array("GL_DEPTH_RANGE", [struct("", real("nearZ", 0), real("farZ", 1))]),
        "GL_SAMPLE_MASK_VALUE": array("GL_SAMPLE_MASK_VALUE", [leaf("uint", "", 0xFFFFFFFF)]),
        "GL_COLOR_CLEAR_VALUE": struct(
            "GL_COLOR_CLEAR_VALUE", *(real(c, 0) for c in ("red", "green", "blue", "alpha"))
        ),
        **{f"GL_{name}": real(f"GL_{name}", value) for name, value in _REAL.items()},
        **{f"GL_{name}": whole(f"GL_{name}", value) for name, value in _WHOLE.items()},
    }
    return struct("state", *half, *(members | other).values())


_REAL = {"LINE_WIDTH": 1, "POLYGON_OFFSET_FACTOR": 0, "POLYGON_OFFSET_UNITS": 0, "SAMPLE_COVERAGE_VALUE": 1,
         "DEPTH_CLEAR_VALUE": 1}  # fmt: skip
_STENCIL = {"FUNC": gl.ALWAYS, "REF": 0, "VALUE_MASK": 255, "FAIL": gl.KEEP, "PASS_DEPTH_FAIL": gl.KEEP,
            "PASS_DEPTH_PASS": gl.KEEP, "WRITEMASK": 255}  # fmt: skip
_WHOLE = {
    "CULL_FACE_MODE": gl.BACK, "FRONT_FACE": gl.CCW, "SAMPLE_COVERAGE_INVERT": 0, "DEPTH_WRITEMASK": 1,
    "DEPTH_FUNC": gl.LESS, "STENCIL_CLEAR_VALUE": 0, "UNPACK_ALIGNMENT": 4,
    **{f"UNPACK_{name}": 0 for name in ("ROW_LENGTH", "IMAGE_HEIGHT", "SKIP_PIXELS", "SKIP_ROWS", "SKIP_IMAGES")},
    **{f"STENCIL{side}_{name}": value for side in ("", "_BACK") for name, value in _STENCIL.items()},
}  # fmt: skip


def blend(source: int = gl.ONE, sink: int = gl.ZERO, enabled: bool = False) -> Value:
    """Blending of a target."""
    members = {"EquationRGB": gl.FUNC_ADD, "EquationAlpha": gl.FUNC_ADD, "SourceRGB": source, "SourceAlpha": source,
               "DestinationRGB": sink, "DestinationAlpha": sink}  # fmt: skip
    return struct("", *(whole(name, value) for name, value in members.items()), flag("Enabled", enabled))


def mask() -> Value:
    return struct("", *(whole(channel, 1) for channel in ("red", "green", "blue", "alpha")))


def beginning(size: int) -> list[Value]:
    """Chunks of a context that has nothing yet."""
    return [
        chunk("Internal::Driver Initialisation Parameters", settings(size)),
        chunk("DeviceInitialisation", thing("vao", 0), thing("FBO 0 ID", 0)),
        chunk("glGenVertexArrays", whole("n", 1), thing("array", ARRAYS)),
        chunk("glObjectLabel", thing("Resource", ARRAYS), whole("length", -1), text("Label", "Default VAO")),
    ]


def frame(size: int, *chunks: Value, **other: Value) -> list[Value]:
    """Chunks of a captured frame, on a state with these members."""
    configuration = (thing("Context", 6), thing("FBO", WINDOW), settings(size, ""))
    return [
        chunk("Internal::Beginning of Capture", state(size, **other)),
        chunk("Internal::Context Configuration", *configuration),
        *chunks,
        chunk("eglSwapBuffers"),
        chunk("Internal::End of Capture"),
    ]


def program(vertex: str, fragment: str) -> list[Value]:
    """Chunks that make program 30."""
    chunks = [chunk("glCreateProgram", thing("Program", 30))]
    for identity, kind, source in ((31, gl.VERTEX_SHADER, vertex), (32, gl.FRAGMENT_SHADER, fragment)):
        shader = thing("shader", identity)
        chunks += [
            chunk("glCreateShader", whole("type", kind), thing("Shader", identity)),
            chunk("glShaderSource", shader, whole("count", 1), array("sources", [text("", source)])),
            chunk("glCompileShader", shader),
            chunk("glAttachShader", thing("program", 30), shader),
        ]
    return [*chunks, chunk("glLinkProgram", thing("program", 30))]


def write(path: Path, chunks: Sequence[Value], buffers: Buffers | None = None, driver: str = "OpenGLES") -> Path:
    """Write `path`, a .zip.xml, and the .zip beside it."""
    path.write_text(
        f'<?xml version="1.0"?>\n<rdc><header><driver id="9">{driver}</driver></header><chunks version="35">'
        f"{''.join(chunks)}</chunks></rdc>",
        "utf-8",
    )
    with zipfile.ZipFile(path.with_suffix(""), "w") as archive:
        for number, content in enumerate(buffers.contents if buffers is not None else ()):
            archive.writestr(f"{number:06d}", content)
    return path
