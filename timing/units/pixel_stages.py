"""Pipelines that quads pass in order, early depth and blending, wherever their pixels are: on chip or behind caches."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, number


class PixelStage(Group):
    """Pipeline that quads pass in order."""

    quads_per_cycle: int
    in_flight: int = number(20, "quads", "quads in the pipeline [Table 4.1]", 1, 128)
    latency: int = number(0, "cycles", "time in the pipeline; 0: in_flight / quads_per_cycle", 0, 1000)

    @property
    def latency_cycles(self) -> int:
        """Time in the pipeline."""
        return self.latency or max(1, self.in_flight // self.quads_per_cycle)


class EarlyDepthParameters(PixelStage, section="early_depth"):
    """Early depth test."""

    quads_per_cycle: int = number(4, "quads/cycle", "quads tested per cycle (thesis 4.1.1)", 1, 32)
    read_ports: int = number(4, "quads/cycle", "quads read from the depth buffer per cycle (thesis 4.1.1, 5.2)", 1, 32)
    write_ports: int = number(4, "quads/cycle", "quads written to the depth buffer per cycle (thesis 5.2)", 1, 32)


class BlendingParameters(PixelStage, section="blending"):
    """Blending."""

    quads_per_cycle: int = number(4, "quads/cycle", "quads blended per cycle (thesis 4.1.1)", 1, 32)
    read_ports: int = number(4, "quads/cycle", "quads read from the colour buffer per cycle (thesis 4.1.1, 5.2)", 1, 32)
    write_ports: int = number(4, "quads/cycle", "quads written to the colour buffer per cycle (thesis 5.2)", 1, 32)
    color_queue: int = number(64, "quads", "Color Queue before blending [Table 4.1]", 1, 1024)
