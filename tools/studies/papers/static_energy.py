"""Static energy by device type, beside what Fig. 6.6 of Parallel Tile Rendering says of it.

The thesis names no device type. Of shared texture caches it says (6.4) that most configurations save a bit less energy
than Parallel Tile Rendering as it is, because of static power, as they take longer; and that some saving makes sense,
as there are fewer caches while dynamic energy stays. So with a device like the thesis' energies follow times over the
configurations, and some energy is saved where times are equal. Runs are the same for all device types: only their
energy is counted anew. The fourth reading is a device of high performance of which those that need not be fast have
longer channels (McPAT's `longer_channel_device`).
"""

from __future__ import annotations

from ..declare import Experiment, Figure, Frames, Study
from ..measured import Measured
from ..recounted import recounted
from .ptr_2022.measures import CYCLES, PTR, mapped
from .ptr_2022.measures import MACHINES as OF_PTR

TWINS = ("000-ccs", "000-bbr", "000-rok", "000-gra", "000-crs")
"""As in the study `sensitivity`."""
DEVICES = {
    "itrs-lstp": ("energy.device=itrs-lstp",),
    "itrs-lop": ("energy.device=itrs-lop",),
    "itrs-hp": ("energy.device=itrs-hp",),
    "itrs-hp, longer channels": ("energy.device=itrs-hp", "energy.longer_channels=all"),
}
"""Settings of each reading."""

SHARED = {name: machine for name, machine in mapped().items() if name.startswith("shared-")}
MACHINES = {PTR: OF_PTR[PTR]} | SHARED


def _energy_pj(m: Measured, workload: str, machine: str, device: str) -> float:
    return recounted(m, workload, machine, *DEVICES[device]).total_pj


def ratios(m: Measured, machine: str, device: str) -> dict[str, float]:
    """Energy of a configuration over that of Parallel Tile Rendering, by twin."""
    return {n: _energy_pj(m, n, machine, device) / _energy_pj(m, n, PTR, device) for n in m.workloads}


def _figure(device: str) -> Figure:
    """Energy of every configuration with a device."""
    return Figure(
        device,
        f"Energy with {device}",
        "of those with private caches",
        lambda m: {name.removeprefix("shared-"): ratios(m, name, device) for name in SHARED},
        means=True,
    )


STUDY = Study(
    name="static-energy",
    title="Static energy by device type, beside Fig. 6.6 of Parallel Tile Rendering",
    source="the thesis on Parallel Tile Rendering, section 6.4",
    workloads=TWINS,
    applications=(),
    screen=None,
    frames=Frames((), (5, 25, 45), before=1),
    quick_frames=Frames((), (20,), before=1),
    experiments=(Experiment(MACHINES),),
    figures=(
        Figure(
            "time", "Cycles", "of those with private caches",
            lambda m: {
                name.removeprefix("shared-"): {"mean": m.mean(m.ratios(CYCLES, name, PTR).values())} for name in SHARED
            }, over=("mean",), means=True,
        ),
        *map(_figure, DEVICES),
    ),
    conclusions=(),
)  # fmt: skip
