"""Compute shaders as kernels that execute whole work groups, one after the other."""
