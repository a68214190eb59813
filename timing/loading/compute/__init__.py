"""Dispatches, and accesses of programs to buffers and images: warps, lines and banks."""
