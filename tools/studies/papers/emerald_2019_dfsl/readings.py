"""Emerald's second case study: other readings of what the paper leaves open."""

from __future__ import annotations

from ...declare import Reading, Readings
from .measures import BLOB, CODE, HEAD, SIZES, TRANSLUCENT, static

ZOOMS = {100: 47, 70: 23, 50: 12, 40: 8}
"""Variants of the heads' twins by their zoom, and what they cover of the screen; both in per cent."""


def _heads(zoom: int, covered: int) -> Reading:
    """The heads of W4 and W5 at another size."""
    return Reading(
        f"heads cover {covered} % of the screen",
        workloads={name: f"{name}+zoom-{zoom}" for name in (HEAD, TRANSLUCENT)},
    )


def _of(caches: tuple[str, ...], setting: str) -> tuple[str, ...]:
    return tuple(f"{cache}_cache.{setting}" for cache in caches)


FRAGMENTS, PIXELS = ("texture", "depth", "color"), ("depth", "color")

READINGS = Readings(
    tuple(static(size) for size in SIZES),
    (BLOB, HEAD, TRANSLUCENT),
    ("most", "best-w2", "best-w4", "best-w5", "sizes-differ", "misses", "texture-misses", "l2", "traffic"),
    (
        CODE,
        Reading("primitives given to all clusters before the first cycle", ("vpo.distribution=given",), whole=True),
        Reading("clears are stored", ("memory.clears=stored",), whole=True),
        Reading("surfaces in square tiles", ("memory.texture_layout=tiled",)),
        Reading("32 missing lines, hits meanwhile", (*_of(FRAGMENTS, "mshrs=32"), *_of(FRAGMENTS, "blocking=misses"))),
        Reading("64 masks", ("vpo.masks=64",)),
        Reading("8192 masks", ("vpo.masks=8192",)),
        Reading("two instructions per cycle", ("simt_core.schedulers=2",)),
        Reading("writes that miss fetch nothing", _of(PIXELS, "write_miss=validate")),
        Reading("TC tiles wait 64 cycles", ("tile_coalescing.timeout=64",)),
        Reading("the same step for all sizes", ("tile_coalescing.hash_step=3",)),
        *(_heads(zoom, covered) for zoom, covered in ZOOMS.items()),
    ),
    "[the SIMT machine](../model/simt.md)",
)
