"""All compute programs by name."""

from __future__ import annotations

from types import MappingProxyType

from . import (
    bitonic_sort,
    blur,
    flood,
    heat,
    histogram,
    instance_culling,
    life,
    light_culling,
    matrix_multiply,
    mip_chain,
    n_body,
    particles,
    prefix_sum,
    reduction,
    voxels,
)

PROGRAMS = MappingProxyType(
    {
        module.__name__.rpartition(".")[2]: module
        for module in (
            reduction,
            prefix_sum,
            matrix_multiply,
            blur,
            histogram,
            bitonic_sort,
            particles,
            n_body,
            light_culling,
            mip_chain,
            flood,
            life,
            heat,
            voxels,
            instance_culling,
        )
    }
)
"""Modules with functions `record` and `expected`."""
