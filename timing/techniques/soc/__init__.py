"""The application's pace on a system on chip (Gubran and Aamodt, ISCA 2019, 5), with the agents next to the GPU: CPU
cores, which prepare each frame and go on in parallel with it, and a display controller, both with requests of their own
to main memory.

The agents are units of `timing.agents`; here is what gives them work, and the hooks by which frames wait for it. With
them, `dram.scheduling=dash` and `dram.cpu_channels` have something to distinguish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...agents import cpu_core, display_controller
from ...agents.parameters import Parameters
from ...engine.hooks import GO, WAIT
from ...engine.jit import inline
from ...engine.technique import Technique
from ...memory.dram import scheduler
from ...memory.masters import GPU, GPU_CLASS
from ...memory.request import COLOR
from . import frame_pacing
from .results import TABLES
from .state import READY, RENDERS, RESTS, STATISTICS, State, setup

if TYPE_CHECKING:
    from ...agents.cpu_core import CpuCore
    from ...engine.frame import Commands
    from ...memory.gpu import Gpu


@inline
def pass_begin(gpu: Gpu, own: Any, commands: Commands, render_pass: int, t: int) -> int:
    """The GPU's frame begins when the CPU's part of it is done."""
    state = gpu.technique.soc
    if render_pass > 0 or state.phase == RENDERS:
        return GO
    if state.phase == RESTS:
        frame_pacing.ask(gpu, state, t)
    if state.phase != READY:
        return WAIT
    state.phase = RENDERS
    state.rendering = t
    state.cpu_cycles += state.computed - state.began
    state.gpu_bytes = gpu.dram.of[GPU_CLASS].bytes
    scheduler.begin_work(gpu.dram, GPU, state.frame_bytes, t)
    for k in range(gpu.instances.cpu_core):
        core: CpuCore = gpu.cpu_core[k]
        cpu_core.give(gpu, core, 0, core.background_work, t)
    return GO


@inline
def frame_end(gpu: Gpu, own: Any, commands: Commands, t: int) -> None:
    """The frame is complete: the display may show it, and the CPU may begin with the next one."""
    state = gpu.technique.soc
    if state.phase != RENDERS:
        return
    state.phase = RESTS
    state.frames += 1
    state.frame_cycles += t - state.began
    state.gpu_cycles += t - state.rendering
    # What the frame has taken is the guess for the next one.
    state.frame_bytes = gpu.dram.of[GPU_CLASS].bytes - state.gpu_bytes
    scheduler.end_work(gpu.dram, GPU)
    address = gpu.display_controller.newest_address
    last = commands.render_pass[len(commands.render_pass) - 1]
    for i in range(last.first_target, last.last_target):
        if commands.target[i].source == COLOR:
            address = commands.target[i].address
    display_controller.offer(gpu, address)


TECHNIQUE = Technique(
    "soc",
    "CPU cores, display controller and frame pacing of a system on chip (ISCA 2019, section 5)",
    parameters=Parameters,
    record=State,
    setup=setup,
    # The last of the threads is done, and the frame goes on in the same cycle.
    units=(cpu_core.UNIT, display_controller.UNIT, frame_pacing.UNIT),
    wires={"cpu_core.employer": "frame_pacing"},
    statistics=STATISTICS,
    results=TABLES,
    order=10,
    one_application=True,
)
