"""OpenGL ES state: contexts, buffers, textures, programs, framebuffers."""
