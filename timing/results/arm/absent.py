"""Reasons why counters of Arm's have no value here."""

from __future__ import annotations

import re

REASONS = (
    (r"MaliGPUIRQ|.*IRQ", "interrupts and the driver that serves them are not modelled"),
    (r"MaliRes(Queue|erved)", "the model has no third queue of jobs"),
    (r"MaliCSF|MaliCS\d|MaliCSDoorbell", "the command stream's processors and their programs are not modelled"),
    (
        r".*QueueWait|.*AssignStall|.*DrainStall|Mali(Frag|Vert|Comp|Main|Binning)QueuedCy",
        "the model does not separate the causes for which a queue waits before its work begins",
    ),
    (r"MaliNonFragQueueJob|MaliVertQueueJob", "the model counts draws, each instance of its own, not jobs"),
    (r".*QueueTask|MaliNonFragTask", "work of vertices and dispatches is handed out in warps, not in tasks"),
    (r"MaliMMU", "addresses are not translated"),
    (r".*Snp|.*Snoop|.*Unique|MaliL2CacheL1", "caches of the GPU are not kept coherent with others"),
    (
        r"MaliExtBus(Rd|Wr)Stall|MaliL2Cache(Rd|Wr)Stall",
        "cycles in which requests wait for room are not counted at the L2's ports",
    ),
    (r"MaliExtBusWrOTQ", "writes take no slot that could be counted"),
    (r"MaliL2CacheWrMissRate", "tiles are written past the L2, so that both counters are of different writes"),
    (r"MaliL2CacheEvict", "write-backs of first-level caches are writes like others"),
    (r"MaliL2CacheFlushCy", "all caches are cleaned together"),
    (r"MaliGeomVarShad|MaliTilerVar", "programs of vertices are not split into positions and varyings"),
    (r"MaliTilerPosShad", "the tiler's queues before and behind vertex shading are not those of the hardware"),
    (r"MaliTilerWrBt", "what the tiler writes goes through a cache of its own, whose traffic has varyings in it"),
    (r"MaliFragFPK(Active|B)", "the launchers' queues are counted one by one, not those of a core together"),
    (r"MaliFragPartWarp", "coverage is not counted by warp"),
    (r"MaliAny", "cycles with fragments and with other work are counted apart, and overlap"),
    (r"MaliEngStarve", "stalls are counted for a core, not for each of its engines"),
    (r"MaliEngSWBlend", "no program blends"),
    (
        r"MaliTexQuadPass(Mip|Tri)|MaliTexFull|MaliTexFiltFull",
        "filters are distinguished only by their number of probes",
    ),
    (r"MaliTexCacheCompress", "lines of compressed textures are not counted apart"),
    (r"MaliTex(QuadPassDescMiss|DescStall)", "descriptors of textures are not read"),
    (r"MaliTex(In|Out)", "messages to the texture unit and back have no size"),
    (r"MaliTex(DataFetch|Filt)Stall", "waiting for lines and for filters is counted together"),
    (r"MaliLS(Full|Part)", "accesses are lines, of whatever width"),
    (r"MaliVar(32|16)", "interpolated channels are counted in units of 16 bits, of either precision"),
    (r"MaliAttr", "attributes are read before a warp begins"),
    (r"MaliSCBusLS(WBWr|OtherWr)", "write-backs are not counted separately from other writes"),
)
"""Patterns of names, and why those have no value; the first that fits counts."""


def reason(name: str) -> str:
    """Reason for the lack of a counter's value, as the second half of a sentence; empty if it is unknown."""
    return next((why for pattern, why in REASONS if re.match(pattern, name)), "")
