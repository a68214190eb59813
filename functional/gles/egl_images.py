"""EGLImages: images that several objects share (EGL_KHR_image_base, GL_OES_EGL_image).

Siblings have the same array of texels. A write to one raises the version of the others; defining the image of one anew
leaves the others with the old one.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..opengl import egl_enums as egl
from .framebuffers import Surface
from .textures import Texture


@dataclass(frozen=True)
class EglImage:
    """An image of a texture or a renderbuffer."""

    source: Texture | Surface
    level: int = 0
    face: int = 0


def image_of(
    textures: dict[int, Texture], renderbuffers: dict[int, Surface], target: int, name: int, level: int
) -> EglImage | None:
    """The image that eglCreateImage makes of an object; None for objects that are not OpenGL ES's, or do not exist."""
    if target == egl.GL_RENDERBUFFER and name in renderbuffers:
        return EglImage(renderbuffers[name])
    face = target - egl.GL_TEXTURE_CUBE_MAP_POSITIVE_X
    if name in textures and (target == egl.GL_TEXTURE_2D or 0 <= face < 6):
        image = EglImage(textures[name], level, max(face, 0))
        return image if (level, image.face) in textures[name].images else None
    return None


def share_with_texture(image: EglImage, texture: Texture) -> bool:
    """Make a texture a sibling of an image; False if there is no image any more."""
    source = image.source
    if isinstance(source, Texture):
        texels, sized = source.images.get((image.level, image.face)), source.formats.get((image.level, image.face))
    else:
        texels, sized = source.color, source.color_format
    if texels is None or sized is None or texels.ndim != 3:
        return False
    texture.clear()
    texture.hold(0, 0, texels, sized)
    for one, other in ((source, texture), (texture, source)):
        if all(other is not sibling for sibling in one.siblings):
            one.siblings.append(other)
    return True


def share_with_renderbuffer(image: EglImage, surface: Surface) -> bool:
    """Make a renderbuffer a sibling of an image of a texture; False if there is none."""
    source = image.source
    if not isinstance(source, Texture):
        return False
    texels, sized = source.images.get((image.level, image.face)), source.formats.get((image.level, image.face))
    if texels is None or sized is None:
        return False
    surface.allocate(texels.shape[1], texels.shape[0], sized, None, False)
    surface.color = texels
    surface.siblings.append(source)
    source.siblings.append(surface)
    return True
