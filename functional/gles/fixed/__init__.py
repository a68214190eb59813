"""Fixed-function OpenGL ES 1.1: its state, and the shaders that implement it."""
