"""Machines with cores for all stages: warps of vertices, their primitives, registers that programs need."""
