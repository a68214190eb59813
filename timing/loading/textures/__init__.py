"""Texture operations: where texels lie, and the cache lines that each operation reads."""
