"""Drawing a model with OpenGL ES 2.0: everything is loaded once, and a frame sends matrices and draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.shaders import source

from ...scenes.meshes import columns, perspective
from ..geometry import packed
from ..painter import ATTRIBUTES, STRIDE_BYTES
from ..textures import mipmaps
from ..twin import Twin, theme_of
from ..uploads import (
    ARRAY_BUFFER,
    ELEMENT_ARRAY_BUFFER,
    MAG_FILTER,
    MIN_FILTER,
    MIN_FILTER_UNMIPMAPPED,
    RGBA,
    SMALLEST,
    TEXTURE_2D,
    UNSIGNED_BYTE,
    upload,
)
from .catalog import MODELS
from .model import Faces, Model, Part

BLEND, CULL_FACE, DEPTH_TEST = 0x0BE2, 0x0B44, 0x0B71
CULLED = {Faces.FRONT: 0x0405, Faces.BACK: 0x0404}
"""glCullFace by the faces that are drawn."""
COLOR_AND_DEPTH, TRIANGLES, UNSIGNED_SHORT = 0x4100, 4, 0x1403
UNIFORMS = "model", "view_projection", "lamp", "eye", "light", "opacity", "image"
Loaded = tuple[int, int, int]
"""Names of vertex buffer, index buffer and texture."""


class ModelPainter:
    """Draws frames of a model with a recorder.

    Parameters
    ----------
    gl
        Recorder of a context of OpenGL ES 2.0.
    twin
        Says the screen, the frames of a loop, and how large and how filtered textures are.
    model
        The model.
    """

    def __init__(self, gl: Recorder, twin: Twin, model: Model) -> None:
        self.gl, self.twin, self.model = gl, twin, model
        names = tuple(name for name, *_ in ATTRIBUTES)
        program = gl.program(source("models/surface.vert"), source("models/surface.frag"), names)
        gl.glUseProgram(program)
        self.places = {name: gl.glGetUniformLocation(program, name) for name in UNIFORMS}
        self.loaded: list[Loaded] = []
        for part in model.parts:
            self.loaded.append(self._load(part))
        self.drawn: Part | None = None
        enlarged = np.diag((twin.zoom, twin.zoom, 1.0, 1.0))
        self.projection = enlarged @ perspective(model.field, twin.width / twin.height, model.near, model.far)
        self._constants()

    def frame(self, t: float) -> None:
        """Draw a frame at a time in frames."""
        gl = self.gl
        view = self.model.view(t / self.twin.frames)
        translucent = self.model.opacity < 1
        if translucent:
            # Clearing depth needs the mask that translucent surfaces do without.
            gl.glDepthMask(True)
        gl.glClear(COLOR_AND_DEPTH)
        if translucent:
            gl.glDepthMask(False)
        gl.glUniformMatrix4fv(self.places["model"], 1, False, columns(view.model))
        gl.glUniformMatrix4fv(self.places["view_projection"], 1, False, columns(self.projection @ view.camera))
        gl.glUniform3f(self.places["eye"], *map(float, view.eye))
        for part, loaded in zip(self.model.parts, self.loaded, strict=True):
            if part is not self.drawn:
                self._bind(part, loaded)
            with gl.group(part.label):
                gl.glDrawElements(TRIANGLES, part.mesh.triangles.size, UNSIGNED_SHORT, 0)
        gl.swap()

    def _constants(self) -> None:
        """State that stays as it is."""
        gl, model = self.gl, self.model
        gl.glClearColor(*model.sky, 1.0)
        gl.glEnable(DEPTH_TEST)
        gl.glUniform1i(self.places["image"], 0)
        gl.glUniform3f(self.places["lamp"], *model.lamp)
        gl.glUniform1f(self.places["opacity"], model.opacity)
        if model.opacity < 1:
            gl.glEnable(BLEND)
            gl.glBlendFunc(0x0302, 0x0303)

    def _bind(self, part: Part, loaded: Loaded) -> None:
        """Buffers, texture and state of a part."""
        gl = self.gl
        vertices, indices, texture = loaded
        gl.glBindBuffer(ARRAY_BUFFER, vertices)
        for location, (_, size, kind, normalized, offset) in enumerate(ATTRIBUTES):
            gl.glVertexAttribPointer(location, size, kind, normalized, STRIDE_BYTES, offset)
            if self.drawn is None:
                gl.glEnableVertexAttribArray(location)
        gl.glBindBuffer(ELEMENT_ARRAY_BUFFER, indices)
        gl.glBindTexture(TEXTURE_2D, texture)
        if part.faces is Faces.BOTH:
            gl.glDisable(CULL_FACE)
        else:
            gl.glEnable(CULL_FACE)
            gl.glCullFace(CULLED[part.faces])
        gl.glUniform3f(self.places["light"], *part.light)
        self.drawn = part

    def _load(self, part: Part) -> Loaded:
        """Static buffers and a texture with all its levels; parts of one mesh and one image share them."""
        for other, loaded in zip(self.model.parts, self.loaded, strict=False):
            if other.mesh is part.mesh and other.image is part.image:
                return loaded
        return (*upload(self.gl, *packed(part.mesh)), self._texture(part))

    def _texture(self, part: Part) -> int:
        gl, twin = self.gl, self.twin
        name: int = gl.glGenTextures(1)[0]
        gl.glBindTexture(TEXTURE_2D, name)
        size = max(SMALLEST, 1 << round(np.log2(part.size * twin.texture_scale)))
        levels = mipmaps(part.image(size))
        for level, texels in enumerate(levels if twin.mipmaps else levels[:1]):
            height, width = texels.shape[:2]
            gl.glTexImage2D(TEXTURE_2D, level, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, texels)
        filtered = twin.filters[0] if twin.filters else "trilinear" if twin.mipmaps else "bilinear"
        gl.glTexParameteri(TEXTURE_2D, 0x2801, (MIN_FILTER if twin.mipmaps else MIN_FILTER_UNMIPMAPPED)[filtered])
        gl.glTexParameteri(TEXTURE_2D, 0x2800, MAG_FILTER[filtered])
        return name


def paint_model(twin: Twin, path: Path, times: Sequence[float], config: dict[int, int] | None) -> Model:
    """Write the trace of a twin that is a model, and return the model.

    Parameters
    ----------
    twin
        The twin; its theme names the model.
    path
        File to write.
    times
        Times of the frames, in frames.
    config
        What the window asks for, as for `Recorder`.

    Raises
    ------
    TwinError
        If there is no such model.
    """
    model = theme_of(twin, MODELS)()
    with Recorder(path, twin.width, twin.height, 2, config) as gl:
        painter = ModelPainter(gl, twin, model)
        for t in times:
            painter.frame(float(t))
    return model
