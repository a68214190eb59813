"""Small scenes of OpenGL ES 1.1's fixed functions, drawn with the recorder.

Lights stay below full brightness: Mesa does not clamp lit colours before interpolation, as the specification asks.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

SCENES: dict[str, Callable[[Recorder], None]] = {}
MODELVIEW, PROJECTION, TEXTURE = 0x1700, 0x1701, 0x1702
VERTICES, NORMALS, COLORS, COORDINATES = 0x8074, 0x8075, 0x8076, 0x8078
LIGHTING, LIGHT0, COLOR_MATERIAL, FOG, ALPHA_TEST, NORMALIZE = 0x0B50, 0x4000, 0x0B57, 0x0B60, 0x0BC0, 0x0BA1
AMBIENT, DIFFUSE, SPECULAR, LIGHT_POSITION, SPOT_DIRECTION, EMISSION, SHININESS = (
    0x1200,
    0x1201,
    0x1202,
    0x1203,
    0x1204,
    0x1600,
    0x1601,
)
TEXTURE_ENV, ENV_MODE, ENV_COLOR = 0x2300, 0x2200, 0x2201
MODULATE, DECAL, REPLACE, ADD, COMBINE = 0x2100, 0x2101, 0x1E01, 0x0104, 0x8570


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def arrays(r: Recorder, **given: list | np.ndarray) -> int:
    """Set client arrays: vertices, normals, colors, coordinates; the others are switched off. Returns the count."""
    names = {"vertices": VERTICES, "normals": NORMALS, "colors": COLORS, "coordinates": COORDINATES}
    count = 0
    for name, array in names.items():
        if name not in given:
            r.glDisableClientState(array)
            continue
        values = np.array(given[name], np.float32)
        count = len(values)
        r.glEnableClientState(array)
        if name == "normals":
            r.glNormalPointer(gl.FLOAT, 0, values)
        else:
            pointer = {"vertices": r.glVertexPointer, "colors": r.glColorPointer, "coordinates": r.glTexCoordPointer}[
                name
            ]
            pointer(values.shape[1], gl.FLOAT, 0, values)
    return count


def square(r: Recorder, x0: float, y0: float, x1: float, y1: float, z: float = 0.0, **more: list) -> None:
    """A rectangle."""
    count = arrays(r, vertices=[(x0, y0, z), (x1, y0, z), (x0, y1, z), (x1, y1, z)], **more)
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, count)


def ball(r: Recorder, rings: int = 10, segments: int = 16) -> None:
    """A sphere with normals."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, segments + 1), indexing="ij")
    points = np.stack([np.sin(theta) * np.cos(phi), np.cos(theta), np.sin(theta) * np.sin(phi)], 2).reshape(-1, 3)
    cells = [(i * (segments + 1) + j, (i + 1) * (segments + 1) + j) for i in range(rings) for j in range(segments)]
    indices = np.array([k for a, b in cells for k in (a, a + 1, b, b, a + 1, b + 1)], np.uint16)
    arrays(r, vertices=points, normals=points)
    r.glDrawElements(gl.TRIANGLES, len(indices), gl.UNSIGNED_SHORT, indices)


def texture(r: Recorder, unit: int, pixel_format: int, channels: int, seed: int) -> None:
    """A small nearest texture on a unit, enabled."""
    r.glActiveTexture(gl.TEXTURE0 + unit)
    r.glBindTexture(gl.TEXTURE_2D, r.glGenTextures(1)[0])
    r.glPixelStorei(gl.UNPACK_ALIGNMENT, 1)
    texels = np.random.default_rng(seed).integers(0, 256, (8, 8, channels), np.uint8)
    r.glTexImage2D(gl.TEXTURE_2D, 0, pixel_format, 8, 8, 0, pixel_format, gl.UNSIGNED_BYTE, texels)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
    r.glTexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
    r.glEnable(gl.TEXTURE_2D)


CORNER_COLORS = [(1, 0.2, 0.1, 0.9), (0.2, 1, 0.3, 0.7), (0.1, 0.3, 1, 0.5), (0.9, 0.8, 0.7, 0.3)]
CORNERS = [(0, 0), (1, 0), (0, 1), (1, 1)]


@scene
def colored(r: Recorder) -> None:
    square(r, -0.9, -0.8, 0.7, 0.9, colors=CORNER_COLORS)


@scene
def current_color(r: Recorder) -> None:
    r.glColor4f(0.3, 0.6, 0.9, 1)
    square(r, -0.9, -0.8, 0.7, 0.9)


@scene
def transforms(r: Recorder) -> None:
    r.glMatrixMode(PROJECTION)
    r.glFrustumf(-0.5, 0.5, -0.4, 0.6, 1, 10)
    r.glMatrixMode(MODELVIEW)
    r.glTranslatef(0.1, 0.2, -3)
    for i in range(3):
        r.glPushMatrix()
        r.glRotatef(40 * i + 13, 0.2, 1, 0.3)
        r.glScalef(1, 0.5 + 0.3 * i, 1)
        square(r, -0.8, -0.7, 0.9, 0.8, 0.4 * i, colors=CORNER_COLORS)
        r.glPopMatrix()


@scene
def lit_ball(r: Recorder) -> None:
    r.glMatrixMode(PROJECTION)
    r.glOrthof(-1.2, 1.2, -1.2, 1.2, -5, 5)
    r.glMatrixMode(MODELVIEW)
    r.glEnable(gl.DEPTH_TEST)
    r.glEnable(LIGHTING)
    r.glEnable(LIGHT0)
    r.glEnable(LIGHT0 + 1)
    r.glLightfv(LIGHT0, LIGHT_POSITION, [1.0, 2.0, 3.0, 0.0])
    r.glLightfv(LIGHT0 + 1, LIGHT_POSITION, [-2.0, 0.5, 1.0, 1.0])
    r.glLightfv(LIGHT0 + 1, DIFFUSE, [0.2, 0.5, 0.9, 1.0])
    r.glLightf(LIGHT0 + 1, 0x1208, 0.3)
    r.glMaterialfv(gl.FRONT_AND_BACK, AMBIENT, [0.3, 0.1, 0.1, 1.0])
    r.glMaterialfv(gl.FRONT_AND_BACK, DIFFUSE, [0.5, 0.45, 0.2, 1.0])
    r.glMaterialfv(gl.FRONT_AND_BACK, SPECULAR, [0.2, 0.2, 0.2, 1.0])
    r.glMaterialfv(gl.FRONT_AND_BACK, EMISSION, [0.0, 0.05, 0.0, 1.0])
    r.glMaterialf(gl.FRONT_AND_BACK, SHININESS, 12)
    ball(r)


@scene
def spot_light(r: Recorder) -> None:
    r.glMatrixMode(PROJECTION)
    r.glOrthof(-1.2, 1.2, -1.2, 1.2, -5, 5)
    r.glMatrixMode(MODELVIEW)
    r.glEnable(gl.DEPTH_TEST)
    r.glEnable(LIGHTING)
    r.glEnable(LIGHT0)
    r.glEnable(NORMALIZE)
    r.glScalef(0.9, 0.9, 0.9)
    r.glLightfv(LIGHT0, LIGHT_POSITION, [0.3, 0.2, 3.0, 1.0])
    r.glLightfv(LIGHT0, SPOT_DIRECTION, [-0.05, 0.0, -1.0])
    r.glLightf(LIGHT0, 0x1206, 17)
    r.glLightf(LIGHT0, 0x1205, 3)
    ball(r)


@scene
def color_material(r: Recorder) -> None:
    r.glEnable(LIGHTING)
    r.glEnable(LIGHT0)
    r.glEnable(COLOR_MATERIAL)
    square(
        r, -0.9, -0.8, 0.7, 0.9, colors=CORNER_COLORS, normals=[(0, 0, 1), (0.5, 0, 0.8), (0, 0.6, 0.8), (-0.7, 0, 0.7)]
    )


def _mode(mode: int, pixel_format: int, channels: int) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        texture(r, 0, pixel_format, channels, 7)
        r.glTexEnvi(TEXTURE_ENV, ENV_MODE, mode)
        r.glTexEnvfv(TEXTURE_ENV, ENV_COLOR, [0.2, 0.7, 0.4, 0.6])
        r.glEnable(gl.BLEND)
        r.glBlendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
        square(r, -0.91, -0.83, 0.79, 0.93, colors=CORNER_COLORS, coordinates=CORNERS)

    return function


for _mode_name, _number in {
    "modulate": MODULATE,
    "decal": DECAL,
    "replace": REPLACE,
    "add": ADD,
    "blend": gl.BLEND,
}.items():
    for _format_name, _format, _channels in (
        ("rgba", gl.RGBA, 4),
        ("rgb", gl.RGB, 3),
        ("alpha", gl.ALPHA, 1),
        ("luminance", gl.LUMINANCE, 1),
    ):
        if _mode_name != "decal" or _channels >= 3:
            SCENES[f"environment_{_mode_name}_{_format_name}"] = _mode(_number, _format, _channels)


@scene
def combiners(r: Recorder) -> None:
    texture(r, 0, gl.RGBA, 4, 11)
    texture(r, 1, gl.RGB, 3, 12)
    r.glTexEnvi(TEXTURE_ENV, ENV_MODE, COMBINE)
    r.glTexEnvi(TEXTURE_ENV, 0x8571, 0x8575)
    for i, (source, operand) in enumerate(((0x1702, 0x0300), (0x8578, 0x0301), (0x8577, 0x0302))):
        r.glTexEnvi(TEXTURE_ENV, 0x8580 + i, source)
        r.glTexEnvi(TEXTURE_ENV, 0x8590 + i, operand)
    r.glTexEnvi(TEXTURE_ENV, 0x8572, 0x8574)
    r.glTexEnvf(TEXTURE_ENV, 0x8573, 2.0)
    for unit in range(2):
        r.glClientActiveTexture(gl.TEXTURE0 + unit)
        r.glEnableClientState(COORDINATES)
        r.glTexCoordPointer(2, gl.FLOAT, 0, np.array(CORNERS, np.float32) * (1 + unit * 0.7))
    r.glEnableClientState(VERTICES)
    r.glVertexPointer(
        2, gl.FLOAT, 0, np.array([(-0.91, -0.83), (0.79, -0.83), (-0.91, 0.93), (0.79, 0.93)], np.float32)
    )
    r.glEnableClientState(COLORS)
    r.glColorPointer(4, gl.FLOAT, 0, np.array(CORNER_COLORS, np.float32))
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, 4)
    r.glDisableClientState(COORDINATES)
    r.glClientActiveTexture(gl.TEXTURE0)


def _fog(mode: int) -> Callable[[Recorder], None]:
    def function(r: Recorder) -> None:
        r.glMatrixMode(PROJECTION)
        r.glFrustumf(-0.5, 0.5, -0.5, 0.5, 1, 20)
        r.glMatrixMode(MODELVIEW)
        r.glEnable(FOG)
        r.glFogf(0x0B65, mode)
        r.glFogf(0x0B62, 0.15)
        r.glFogf(0x0B63, 2)
        r.glFogf(0x0B64, 9)
        r.glFogfv(0x0B66, [0.5, 0.6, 0.7, 1.0])
        count = arrays(
            r, vertices=[(-0.8, -0.6, -1.5), (0.8, -0.6, -1.5), (-4, 3, -10), (4, 3, -10)], colors=CORNER_COLORS
        )
        r.glDrawArrays(gl.TRIANGLE_STRIP, 0, count)

    return function


for _fog_name, _fog_mode in (("linear", 0x2601), ("exp", 0x0800), ("exp2", 0x0801)):
    SCENES[f"fog_{_fog_name}"] = _fog(_fog_mode)


@scene
def alpha_test(r: Recorder) -> None:
    texture(r, 0, gl.RGBA, 4, 21)
    r.glEnable(ALPHA_TEST)
    r.glAlphaFunc(gl.GREATER, 0.45)
    square(r, -0.91, -0.83, 0.79, 0.93, coordinates=CORNERS)


@scene
def flat_shading(r: Recorder) -> None:
    r.glShadeModel(0x1D00)
    count = arrays(
        r,
        vertices=[(-0.9, -0.8), (0.7, -0.7), (-0.8, 0.2), (0.8, 0.3), (-0.7, 0.9)],
        colors=[*CORNER_COLORS, (1, 1, 0, 1)],
    )
    r.glDrawArrays(gl.TRIANGLE_STRIP, 0, count)


@scene
def texture_matrix(r: Recorder) -> None:
    texture(r, 0, gl.RGBA, 4, 31)
    r.glMatrixMode(TEXTURE)
    r.glRotatef(30, 0, 0, 1)
    r.glScalef(1.7, 0.8, 1)
    r.glTranslatef(0.13, 0.21, 0)
    square(r, -0.91, -0.83, 0.79, 0.93, coordinates=CORNERS)


@scene
def clip_plane(r: Recorder) -> None:
    r.glClipPlanef(0x3000, [1.0, 0.63, 0.0, 0.21])
    r.glEnable(0x3000)
    square(r, -0.91, -0.83, 0.79, 0.93, colors=CORNER_COLORS)


@scene
def logical_operations(r: Recorder) -> None:
    r.glEnable(0x0BF2)
    for i in range(16):
        r.glLogicOp(0x1503)
        x, y = -0.97 + 0.5 * (i % 4), -0.97 + 0.5 * (i // 4)
        r.glColor4f(0.3, 0.7, 0.55, 1)
        square(r, x, y, x + 0.3, y + 0.44)
        r.glLogicOp(0x1500 + i)
        r.glColor4f(0.8, 0.45, 0.1, 0.6)
        square(r, x + 0.13, y, x + 0.44, y + 0.44)
    r.glLogicOp(0x1503)
    r.glDisable(0x0BF2)
    r.glColor4f(1, 1, 1, 1)


@scene
def paletted_textures(r: Recorder) -> None:
    r.glEnable(0x0DE1)
    choose = np.random.default_rng(6)
    for i, (kind, entries, entry_bytes) in enumerate(
        ((0x8B91, 16, 4), (0x8B95, 256, 3), (0x8B92, 16, 2), (0x8B99, 256, 2))
    ):
        size = entries * entry_bytes + 8 * 8 // (2 if entries == 16 else 1)
        data = choose.integers(0, 256, size, np.uint8)
        r.glBindTexture(0x0DE1, r.glGenTextures(1)[0])
        r.glCompressedTexImage2D(0x0DE1, 0, kind, 8, 8, 0, size, data.tobytes())
        r.glTexParameteri(0x0DE1, 0x2801, 0x2600)
        r.glTexParameteri(0x0DE1, 0x2800, 0x2600)
        x, y = -0.97 + 0.97 * (i % 2), -0.97 + 0.97 * (i // 2)
        square(r, x, y, x + 0.9, y + 0.9, coordinates=[(0, 0), (1, 0), (0, 1), (1, 1)])


@scene
def screen_rectangles(r: Recorder) -> None:
    r.glEnable(0x0DE1)
    r.glBindTexture(0x0DE1, r.glGenTextures(1)[0])
    texels = np.random.default_rng(7).integers(0, 256, (16, 16, 4), np.uint8)
    r.glTexImage2D(0x0DE1, 0, gl.RGBA, 16, 16, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels)
    r.glTexParameteri(0x0DE1, 0x2801, 0x2600)
    r.glTexParameteri(0x0DE1, 0x2800, 0x2600)
    for crop, place in (
        ([0, 0, 16, 16], (3, 4, 16, 48)),
        ([4, 12, 8, -8], (30, 6, 24, 24)),
        ([2, 1, 12, 6], (31, 37, 24, 12)),
    ):
        r.glTexParameteriv(0x0DE1, 0x8B9D, crop)
        x, y, width, height = (float(v) for v in place)
        r.glDrawTexfOES(x, y, 0.0, width, height)
