"""GLSL ES: source text to typed tree to IR."""
