"""Parameters of CPU cores, of the display controller, and of the pace of frames."""

from __future__ import annotations

from tilegpu.timing.declare.parameters import Group, choice, number

from ..memory.address_map import CPU_REGION_BYTES
from ..memory.masters import MAX_CPU_CORES

SECTION = "soc"
NAME = f"techniques.{SECTION}"
"""Prefix of agents in results and configuration, which dates from when they were a technique."""

MAX_LIMIT = 32
"""Misses of a thread under way."""
MAX_MISSES = 1_000_000


class Parameters(Group, section="technique.soc"):
    """CPU cores, display controller and the pace of frames (Gubran and Aamodt, ISCA 2019, Table 5)."""

    frame_rate: int = number(
        60, "frames/s", "target of the application: frames begin no faster than this [5.2.1]; 0: back to back", 0, 1000
    )
    interval_cycles: int = number(50_000, "GPU cycles", "of the table of bandwidth over time", 100, 1 << 40)

    cores: int = number(4, "cores", "CPU cores, a thread each [Table 5]", 0, MAX_CPU_CORES)
    cpu_mhz: int = number(2000, "MHz", "clock of the CPU [Table 5]", 1, 100_000)
    intensive_cores: int = number(
        2,
        "cores",
        "whose threads are memory-intensive: the first ones, or all where there are no more",
        0,
        MAX_CPU_CORES,
        silent=(0, 4),
    )
    frame_kilocycles: int = number(
        6000,
        "kilocycles",
        "computing of each thread before a frame's commands are ready",
        0,
        1 << 30,
        silent=(500, 20_000),
    )
    background_kilocycles: int = number(
        3000, "kilocycles", "computing of each thread while the GPU renders", 0, 1 << 30, silent=(0, 20_000)
    )
    background_misses: int = number(
        500,
        "per mille",
        "of a thread's misses per kilocycle that it has while the GPU renders",
        0,
        1000,
        silent=(100, 1000),
    )
    intensive_misses: int = number(
        2250,
        "misses/megacycle",
        "of computing: reads of memory-intensive threads",
        0,
        MAX_MISSES,
        silent=(1000, 15_000),
    )
    light_misses: int = number(
        150, "misses/megacycle", "of computing: reads of light threads", 0, MAX_MISSES, silent=(50, 1000)
    )
    intensive_outstanding: int = number(
        6,
        "misses",
        "under way, at which an intensive thread stalls; 6 in the data cache of gem5's ARM O3 core",
        1,
        MAX_LIMIT,
        silent=(2, 16),
    )
    light_outstanding: int = number(
        6, "misses", "under way, at which a light thread stalls; as intensive ones", 1, MAX_LIMIT, silent=(1, 8)
    )
    intensive_sequential: int = number(
        800, "per mille", "of an intensive thread's misses that are the next line's", 0, 1000, silent=(200, 950)
    )
    light_sequential: int = number(
        500, "per mille", "of a light thread's misses that are the next line's", 0, 1000, silent=(100, 900)
    )
    write_backs: int = number(300, "per mille", "of misses that write a line back", 0, 1000, silent=(100, 500))
    footprint_kilobytes: int = number(
        16_384, "KB", "that a thread's misses are spread over", 1, CPU_REGION_BYTES >> 10, silent=(2048, 65_536)
    )
    spread: int = number(
        500, "per mille", "by which computing between two misses differs from its mean", 0, 1000, silent=(0, 1000)
    )

    display: str = choice(
        "on",
        {
            "on": "",
            "off": "",
        },
        "whether a display controller reads the last complete frame",
    )
    refresh_rate: int = number(60, "frames/s", "of the display [Table 3: 16 ms]", 1, 1000)
    display_width: int = number(1024, "pixels", "of a line [Table 5]", 1, 16_384)
    display_height: int = number(768, "lines", "of a frame [Table 5]", 1, 16_384)
    pixel_bytes: int = number(4, "bytes", "of a pixel [Table 5: RGBA, 32 bit]", 1, 16)
    buffer_bytes: int = number(
        2048,
        "bytes",
        "that the controller may read ahead of the pixels that are shown: its buffer, in gem5's HDLCD of this size",
        0,
        1 << 22,
        silent=(1024, 65_536),
    )
    late_pixels: int = number(
        32,
        "pixels",
        "that are shown at a time: where some of them are late the frame is aborted, as by gem5's HDLCD",
        1,
        1 << 20,
        silent=(32, 1024),
    )

    blank_lines: int = number(
        38,
        "lines",
        "of a period before those that are shown [VESA: 806 lines for 768 at 60 Hz]",
        0,
        16_384,
    )

    @property
    def display_pixels(self) -> int:
        """Pixels of a frame that is shown."""
        return self.display_width * self.display_height
