"""Small scenes of desktop OpenGL: fixed functions alone, and programs that read their state by built-in variables."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.opengl import enums as gl

from . import fixed_scenes
from .fixed_scenes import (
    ALPHA_TEST,
    AMBIENT,
    COLOR_MATERIAL,
    CORNER_COLORS,
    CORNERS,
    DIFFUSE,
    EMISSION,
    ENV_COLOR,
    LIGHT0,
    LIGHT_POSITION,
    LIGHTING,
    MODELVIEW,
    NORMALIZE,
    PROJECTION,
    REPLACE,
    SHININESS,
    SPECULAR,
    TEXTURE,
    TEXTURE_ENV,
    arrays,
    ball,
    square,
    texture,
)

SCENES: dict[str, Callable[[Recorder], None]] = {}
LIGHT_MODEL_TWO_SIDE = 0x0B52


def scene(function: Callable[[Recorder], None]) -> Callable[[Recorder], None]:
    """Register a scene under its function's name."""
    SCENES[function.__name__] = function
    return function


def use(r: Recorder, vertex: str, fragment: str, attributes: tuple[str, ...] = ()) -> int:
    """A program of GLSL 1.20, in use."""
    program = r.program(f"#version 120\n{vertex}", f"#version 120\n{fragment}", attributes)
    r.glUseProgram(program)
    return program


def view(r: Recorder) -> None:
    """A perspective view from doubles."""
    r.glMatrixMode(PROJECTION)
    r.glFrustum(-0.51, 0.5, -0.4, 0.6, 1.1, 10)
    r.glMatrixMode(MODELVIEW)
    r.glTranslated(0.1, 0.2, -3)


def light(r: Recorder) -> None:
    """A coloured light, above the viewer's right shoulder."""
    r.glLightfv(LIGHT0, DIFFUSE, [0.7, 0.5, 0.3, 1])
    r.glLightfv(LIGHT0, AMBIENT, [0.1, 0.2, 0.1, 1])
    r.glLightfv(LIGHT0, SPECULAR, [0.4, 0.4, 0.4, 1])
    r.glLightfv(LIGHT0, LIGHT_POSITION, [1, 1, 2, 0])
    r.glEnable(LIGHT0)


@scene
def double_matrices(r: Recorder) -> None:
    view(r)
    turn = np.eye(4)
    turn[:2, :2] = [[0.8, -0.6], [0.6, 0.8]]
    for load in (lambda: r.glMultMatrixd(turn.T.reshape(-1)), lambda: r.glMultTransposeMatrixd(turn.reshape(-1))):
        r.glPushMatrix()
        load()
        r.glRotated(33.3, 0.1, 1, 0.2)
        r.glScaled(0.6, 0.9, 1)
        square(r, -0.8, -0.7, 0.9, 0.8, colors=CORNER_COLORS)
        r.glPopMatrix()
        r.glTranslated(0.3, -0.4, 0.2)
    r.glLoadTransposeMatrixf(np.diag([0.3, 0.3, 1, 1]).reshape(-1))
    r.glMatrixMode(PROJECTION)
    r.glLoadMatrixd(np.eye(4).reshape(-1))
    r.glOrtho(-1, 2, -1.5, 1, -1, 1)
    square(r, -0.8, -0.7, 0.9, 0.8)


@scene
def current_values(r: Recorder) -> None:
    texture(r, 0, gl.RGB, 3, 5)
    for i, set_color in enumerate(
        (
            lambda: r.glColor3f(0.9, 0.3, 0.1),
            lambda: r.glColor3ub(30, 200, 90),
            lambda: r.glColor4ubv([250, 250, 20, 255]),
            lambda: r.glColor3fv([0.2, 0.4, 1]),
        )
    ):
        set_color()
        r.glTexCoord2f(0.3 * i, 0.2)
        square(r, -0.9 + 0.45 * i, -0.9, -0.5 + 0.45 * i, 0)
        r.glMultiTexCoord2f(gl.TEXTURE0, 0.1, 0.25 * i)
        square(r, -0.9 + 0.45 * i, 0.1, -0.5 + 0.45 * i, 0.9)
    r.glTexCoord2f(0, 0)


@scene
def materials_of_both_faces(r: Recorder) -> None:
    view(r)
    light(r)
    r.glEnable(LIGHTING)
    r.glEnable(NORMALIZE)
    r.glLightModeli(LIGHT_MODEL_TWO_SIDE, 1)
    r.glMaterialfv(gl.FRONT, DIFFUSE, [0.8, 0.2, 0.3, 1])
    r.glMaterialfv(gl.BACK, DIFFUSE, [0.2, 0.9, 0.3, 1])
    r.glMaterialfv(gl.BACK, EMISSION, [0, 0, 0.3, 1])
    r.glRotated(40, 1, 0.3, 0)
    ball(r)
    r.glCullFace(gl.FRONT)
    r.glEnable(gl.CULL_FACE)
    r.glTranslated(0.4, 0.3, 0.5)
    r.glEnable(COLOR_MATERIAL)
    r.glColorMaterial(gl.FRONT, DIFFUSE)
    ball(r)
    r.glDisable(gl.CULL_FACE)
    r.glColorMaterial(gl.FRONT_AND_BACK, EMISSION)
    r.glColor3f(0.1, 0.3, 0.1)
    r.glTranslated(-1, -0.9, 0)
    ball(r)
    r.glColorMaterial(gl.FRONT_AND_BACK, 0x1602)
    r.glLightModeli(LIGHT_MODEL_TWO_SIDE, 0)
    for name, color in ((AMBIENT, [0.2, 0.2, 0.2, 1]), (DIFFUSE, [0.8, 0.8, 0.8, 1]), (EMISSION, [0, 0, 0, 1])):
        r.glMaterialfv(gl.FRONT_AND_BACK, name, color)


@scene
def names_of_vertices(r: Recorder) -> None:
    """Transformed by ftransform, textured by gl_TexCoord, lit by gl_LightSource."""
    view(r)
    light(r)
    texture(r, 0, gl.RGB, 3, 5)
    r.glMatrixMode(TEXTURE)
    r.glScaled(2, 1.5, 1)
    r.glMatrixMode(MODELVIEW)
    r.glMaterialfv(gl.FRONT, SPECULAR, [0.9, 0.8, 0.7, 1])
    r.glMaterialf(gl.FRONT, SHININESS, 12)
    use(
        r,
        """
        void main()
        {
            vec3 n = normalize(gl_NormalMatrix * gl_Normal);
            vec3 to_light = normalize(gl_LightSource[0].position.xyz);
            float shine = max(dot(n, gl_LightSource[0].halfVector.xyz), 0.0);
            gl_FrontColor = gl_FrontLightModelProduct.sceneColor + gl_FrontLightProduct[0].ambient
                + max(dot(n, to_light), 0.0) * gl_FrontLightProduct[0].diffuse
                + pow(shine, gl_FrontMaterial.shininess) * gl_FrontLightProduct[0].specular;
            gl_TexCoord[0] = gl_TextureMatrix[0] * vec4(gl_Vertex.xy, 0.0, 1.0);
            gl_Position = ftransform();
        }
        """,
        "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, gl_TexCoord[0].st) * gl_Color; }",
    )
    r.glRotated(20, 1, 1, 0)
    ball(r)
    r.glUseProgram(0)
    r.glMaterialfv(gl.FRONT_AND_BACK, SPECULAR, [0, 0, 0, 1])
    r.glMaterialf(gl.FRONT_AND_BACK, SHININESS, 0)


@scene
def arrays_of_a_program(r: Recorder) -> None:
    """Colours and coordinates of client arrays, which a fixed-function draw beside it reads, too; an own attribute."""
    use(
        r,
        """
        attribute float along; varying vec4 gl_TexCoord[3];
        void main()
        {
            gl_FrontColor = gl_Color * 1.5;
            gl_TexCoord[0] = gl_MultiTexCoord0;
            gl_TexCoord[2] = vec4(along);
            gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
        }
        """,
        "void main() { gl_FragColor = vec4(gl_Color.rg, gl_TexCoord[0].s * 0.5 + gl_TexCoord[2].t * 0.5, 1.0); }",
        ("unused", "along"),
    )
    r.glVertexAttribPointer(1, 1, gl.FLOAT, False, 0, np.array([0, 0.3, 0.6, 1], np.float32))
    r.glEnableVertexAttribArray(1)
    square(r, -0.9, -0.8, 0, 0.9, colors=CORNER_COLORS, coordinates=CORNERS)
    r.glUseProgram(0)
    square(r, 0.1, -0.8, 0.9, 0.9, colors=CORNER_COLORS)
    r.glDisableVertexAttribArray(1)


@scene
def vertices_by_number(r: Recorder) -> None:
    """Attribute 0 is gl_Vertex."""
    use(
        r,
        "void main() { gl_FrontColor = gl_Vertex * 0.5 + 0.5; gl_Position = gl_Vertex; }",
        "void main() { gl_FragColor = gl_Color; }",
    )
    arrays(r)
    r.glVertexAttribPointer(0, 2, gl.FLOAT, False, 0, np.array([-0.8, -0.8, 0, -0.8, -0.4, 0.7], np.float32))
    r.glEnableVertexAttribArray(0)
    r.glDrawArrays(gl.TRIANGLES, 0, 3)
    r.glDisableVertexAttribArray(0)
    use(
        r,
        "attribute vec4 p; void main() { gl_Position = p; }",
        "void main() { gl_FragColor = vec4(0.3, 0.9, 0.2, 1.0); }",
        ("p",),
    )
    square(r, 0.1, -0.8, 0.8, 0.8)
    r.glUseProgram(0)


PASSED = (
    "void main() { gl_FrontColor = gl_Color; gl_BackColor = gl_Color.bgra; gl_Position = ftransform(); }",
    "void main() { gl_FragColor = gl_Color; }",
)


@scene
def alpha_test_of_a_program(r: Recorder) -> None:
    program = use(r, PASSED[0], "uniform vec4 tint; void main() { gl_FragColor = gl_Color * tint; }")
    tint = r.glGetUniformLocation(program, "tint")
    r.glEnable(ALPHA_TEST)
    for i, (function, reference) in enumerate(((gl.GREATER, 0.5), (gl.LEQUAL, 0.6), (gl.NEVER, 0), (gl.ALWAYS, 0))):
        r.glUniform4f(tint, 1, 0.25 * i, 1, 1)
        r.glAlphaFunc(function, reference)
        square(r, -0.9 + 0.45 * i, -0.9, -0.5 + 0.45 * i, 0.9, colors=CORNER_COLORS)
    r.glDisable(ALPHA_TEST)
    r.glUseProgram(0)


@scene
def flat_colors_of_a_program(r: Recorder) -> None:
    use(r, *PASSED)
    r.glShadeModel(0x1D00)
    square(r, -0.9, -0.8, 0, 0.9, colors=CORNER_COLORS)
    r.glShadeModel(0x1D01)
    square(r, 0.1, -0.8, 0.9, 0.9, colors=CORNER_COLORS)
    r.glUseProgram(0)


@scene
def colors_of_back_faces(r: Recorder) -> None:
    use(r, *PASSED)
    r.glEnable(gl.VERTEX_PROGRAM_TWO_SIDE)
    square(r, -0.9, -0.8, 0, 0.9, colors=CORNER_COLORS)
    square(r, 0.9, -0.8, 0.1, 0.9, colors=CORNER_COLORS)
    r.glDisable(gl.VERTEX_PROGRAM_TWO_SIDE)
    r.glUseProgram(0)


def point_sizes_of_a_program(r: Recorder) -> None:
    use(r, PASSED[0].replace("}", "gl_PointSize = 9.0; }"), PASSED[1])
    r.glPointSize(5)
    count = arrays(r, vertices=[(-0.6, -0.55, 0), (0.1, 0.2, 0), (0.7, 0.4, 0)], colors=CORNER_COLORS[:3])
    r.glDrawArrays(gl.POINTS, 0, count)
    r.glEnable(gl.PROGRAM_POINT_SIZE)
    r.glMatrixMode(MODELVIEW)
    r.glTranslated(0, 0.4, 0)
    r.glDrawArrays(gl.POINTS, 0, count)
    r.glDisable(gl.PROGRAM_POINT_SIZE)
    r.glPointSize(1)
    r.glUseProgram(0)


@scene
def state_in_fragments(r: Recorder) -> None:
    """Fog and constants of the texture environment, read by a fragment shader."""
    r.glFogfv(0x0B66, [0.2, 0.5, 0.9, 1])
    r.glFogf(0x0B63, -0.5)
    r.glFogf(0x0B64, 1.5)
    r.glTexEnvfv(TEXTURE_ENV, ENV_COLOR, [0.9, 0.4, 0.1, 1])
    r.glTexEnvi(TEXTURE_ENV, 0x2200, REPLACE)
    use(
        r,
        "void main() { gl_FogFragCoord = gl_Vertex.x; gl_FrontColor = gl_Color; gl_Position = ftransform(); }",
        """
        void main()
        {
            float clear = clamp((gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale, 0.0, 1.0);
            gl_FragColor = mix(gl_Fog.color, gl_TextureEnvColor[0] * gl_Color, clear);
        }
        """,
    )
    square(r, -0.9, -0.8, 0.9, 0.9, colors=CORNER_COLORS)
    r.glUseProgram(0)


POINTS = {"point_sizes_of_a_program": point_sizes_of_a_program}
"""Mesa's softpipe takes the size that a program writes even where the context's counts."""
OF_ES_1 = {
    f"{name} of es1": draw
    for name, draw in fixed_scenes.SCENES.items()
    if name not in ("paletted_textures", "screen_rectangles")
}
"""Scenes of OpenGL ES 1.1 without those of extensions that desktop OpenGL lacks."""
