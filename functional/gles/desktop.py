"""Contexts of desktop OpenGL, distinguished from those of OpenGL ES by how they are created."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..opengl import egl_enums as egl

CONTEXT_MAJOR_VERSION, CONTEXT_MINOR_VERSION, CONTEXT_FLAGS, CONTEXT_PROFILE_MASK = 0x2091, 0x2092, 0x2094, 0x9126
"""Attributes of GLX_ARB_create_context and WGL_ARB_create_context, which share their values."""
CONTEXT_CORE_PROFILE_BIT, CONTEXT_COMPATIBILITY_PROFILE_BIT, CONTEXT_ES_PROFILE_BIT = 0x1, 0x2, 0x4
"""Profiles; EGL has the first two. The last is from EXT_create_context_es_profile."""
CONTEXT_FORWARD_COMPATIBLE_BIT = 0x2
SERVED_AS = 3
"""Major version of OpenGL ES that contexts of desktop OpenGL are served as, for what both have."""
FIRST_WITH_PROFILES = (3, 2)


class ContextKind(NamedTuple):
    """API of a context.

    Attributes
    ----------
    version
        Major version of OpenGL ES, or the one that desktop OpenGL is served as.
    desktop
        Whether it is one of desktop OpenGL.
    core
        Whether it is one of those that have no fixed functions.
    """

    version: int
    desktop: bool = False
    core: bool = False

    @property
    def fixed_functions(self) -> bool:
        """Whether draws without a program are those of OpenGL ES 1.1."""
        return self.version == 1 or (self.desktop and not self.core)


DESKTOP = ContextKind(SERVED_AS, desktop=True)
"""Desktop OpenGL of any version below 3.2, or of the compatibility profile."""


def _desktop(version: tuple[int, int], profiles: int, forward: bool) -> ContextKind:
    """A version of desktop OpenGL; from 3.2 on the core profile unless the other one is asked for."""
    core = version >= FIRST_WITH_PROFILES and not profiles & CONTEXT_COMPATIBILITY_PROFILE_BIT
    return DESKTOP._replace(core=core or forward)


def kind_by_attributes(attributes: Mapping[int, int]) -> ContextKind:
    """Kind of a context of GLX or WGL."""
    version = attributes.get(CONTEXT_MAJOR_VERSION, 1), attributes.get(CONTEXT_MINOR_VERSION, 0)
    profiles = attributes.get(CONTEXT_PROFILE_MASK, 0)
    if profiles & CONTEXT_ES_PROFILE_BIT:
        return ContextKind(max(1, version[0]))
    return _desktop(version, profiles, bool(attributes.get(CONTEXT_FLAGS, 0) & CONTEXT_FORWARD_COMPATIBLE_BIT))


def kind_by_egl(attributes: Mapping[int, int], desktop: bool) -> ContextKind:
    """Kind of a context of EGL, by the API that is bound."""
    version = attributes.get(egl.CONTEXT_CLIENT_VERSION, 1), attributes.get(egl.CONTEXT_MINOR_VERSION, 0)
    if not desktop:
        return ContextKind(max(1, version[0]))
    flags = attributes.get(egl.CONTEXT_FLAGS_KHR, 0) & egl.CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR
    forward = attributes.get(egl.CONTEXT_OPENGL_FORWARD_COMPATIBLE, 0) or flags
    return _desktop(version, attributes.get(egl.CONTEXT_OPENGL_PROFILE_MASK, 0), bool(forward))
