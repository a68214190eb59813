"""Contexts of desktop OpenGL, distinguished from those of OpenGL ES by how they are created."""

from __future__ import annotations

CONTEXT_MAJOR_VERSION, CONTEXT_PROFILE_MASK, CONTEXT_ES_PROFILE_BIT = 0x2091, 0x9126, 0x4
"""Attributes of GLX_ARB_create_context and WGL_ARB_create_context, which share their values; the bit comes from
EXT_create_context_es_profile."""
SERVED_AS = 3
"""Major version of OpenGL ES that contexts of desktop OpenGL are served as, for what both have."""


def embedded_version(attributes: dict[int, int]) -> int | None:
    """Major version of OpenGL ES requested from GLX or WGL; None for desktop OpenGL."""
    if attributes.get(CONTEXT_PROFILE_MASK, 0) & CONTEXT_ES_PROFILE_BIT:
        return attributes.get(CONTEXT_MAJOR_VERSION, 1)
    return None
