"""Fixed-function OpenGL ES 1.1: its state, and the shaders that stand for it."""
