"""Choice of what rasterizes in a GPU of SIMT clusters: a pipeline in each cluster, or one for all.

Five units ask for it, and which of them there are depends on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import model_validator

from tilegpu.functional.errors import UserError
from tilegpu.timing.declare.parameters import Group, choice, number

from .simt_core import SimtCoreParameters

if TYPE_CHECKING:
    from tilegpu.timing.declare.hardware import Hardware


class RasterParameters(Group, section="raster"):
    """Coarse and fine rasterization and Hi-Z of each cluster: raster tiles of 4x4 pixels."""

    tiles_per_cycle: int = number(1, "tiles/cycle", "raster tiles per cycle [Emerald, Table 7]", 1, 8)
    latency: int = number(8, "cycles", "from setup through both to the tile coalescing stage", 1, 1000, silent=(2, 20))
    pipeline: str = choice(
        "clusters",
        {
            "clusters": "each cluster its own part of the screen [Emerald, 3.3.5]",
            "central": "one rasterizer for all, with a depth unit and a pixel launcher behind it, as in the authors' "
            "public simulator of the first case study",
        },
        "what rasterizes",
    )
    hi_z: str = choice(
        "on", {"on": "", "off": ""}, "whether raster tiles behind all that is there are left out [Emerald, 3.3.1]"
    )
    in_front: str = choice(
        "tested",
        {"tested": "loaded and tested as others", "stored": "only stored, as in the authors' public simulator"},
        "depths of raster tiles in front of all that is there, by Hi-Z",
    )

    @model_validator(mode="after")
    def _fits(self) -> RasterParameters:
        if self.in_front == "stored" and self.hi_z == "off":
            raise UserError("in_front = stored needs Hi-Z: set hi_z = on")
        return self


def is_central(configuration: Hardware) -> bool:
    """Whether one rasterizer draws for all clusters."""
    return bool(configuration.of(RasterParameters).pipeline == "central")


def clusters(configuration: Hardware) -> int:
    """Clusters of a GPU."""
    return int(configuration.of(SimtCoreParameters).clusters)


def rasterizers(configuration: Hardware) -> int:
    """Rasterizers: one in each cluster, or a central one."""
    return 1 if is_central(configuration) else clusters(configuration)
