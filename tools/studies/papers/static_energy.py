"""Static energy by device type, beside what Fig. 6.6 of Parallel Tile Rendering says of it.

The thesis names no device type. Of shared texture caches it says (6.4) that most configurations save a bit less energy
than Parallel Tile Rendering as it is, because of static power, as they take longer; and that some saving makes sense,
as there are fewer caches while dynamic energy stays. So with a device like the thesis' energies follow times over the
configurations, and some energy is saved where times are equal. Runs are the same for all device types: only their
energy is counted anew. The fourth reading is a device of high performance of which those that need not be fast have
longer channels (McPAT's `longer_channel_device`).
"""

from __future__ import annotations

from ..boards.statistics import pearson
from ..declare import Conclusion, Experiment, Figure, Frames, Study
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
EQUAL = 0.02
"""Times within this share of one are taken for equal."""
FOLLOWS = 0.5

SHARED = {name: machine for name, machine in mapped().items() if name.startswith("shared-")}
MACHINES = {PTR: OF_PTR[PTR]} | SHARED


def _energy_pj(m: Measured, workload: str, machine: str, device: str) -> float:
    return recounted(m, workload, machine, *DEVICES[device]).total_pj


def _static_share(m: Measured, workload: str, device: str) -> float:
    made = recounted(m, workload, PTR, *DEVICES[device])
    return sum(row.static_pj for row in made.structures) / made.total_pj


def ratios(m: Measured, machine: str, device: str) -> dict[str, float]:
    """Energy of a configuration over that of Parallel Tile Rendering, by twin."""
    return {n: _energy_pj(m, n, machine, device) / _energy_pj(m, n, PTR, device) for n in m.workloads}


def energies(m: Measured, device: str) -> dict[str, float]:
    """The same of every configuration, mean over the twins."""
    return {name: m.mean(ratios(m, name, device).values()) for name in SHARED}


def times(m: Measured) -> dict[str, float]:
    """Time of every configuration over that of Parallel Tile Rendering, mean over the twins."""
    return {name: m.mean(m.ratios(CYCLES, name, PTR).values()) for name in SHARED}


def _follows(m: Measured, device: str) -> float:
    return pearson(list(times(m).values()), list(energies(m, device).values()))


def _where_equal(m: Measured, device: str) -> float:
    found, spent = times(m), energies(m, device)
    return m.mean(spent[name] for name in SHARED if abs(found[name] - 1) <= EQUAL)


def _told(m: Measured, device: str) -> str:
    found, spent = times(m), energies(m, device)
    each = ", ".join(
        f"{name.removeprefix('shared-')}: time {found[name]:.3f}, energy {spent[name]:.3f}" for name in SHARED
    )
    share = m.mean(_static_share(m, n, device) for n in m.workloads)
    return f"static energy of the GPU is {share:.0%} of all; {each}"


def _of(device: str) -> tuple[Conclusion, Conclusion]:
    short = device.removeprefix("itrs-").replace(", longer channels", "-longer")
    return (
        Conclusion(
            f"follows-{short}", f"Energies follow times over the configurations (6.4), with {device}.",
            None, "correlation", f">= {FOLLOWS}", lambda m: _follows(m, device), lambda m: _told(m, device),
        ),
        Conclusion(
            f"saves-{short}", f"Where times are equal, fewer caches save some energy (6.4), with {device}.",
            None, "of that with private caches", "< 1", lambda m: _where_equal(m, device), lambda m: _told(m, device),
        ),
    )  # fmt: skip


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
        Figure("6.6", "Shared texture caches: energy", "of Parallel Tile Rendering's", lambda m: {
            f"{name.removeprefix('shared-')}, {device}": ratios(m, name, device)
            for name in SHARED for device in DEVICES
        }, means=True),
    ),
    conclusions=tuple(conclusion for device in DEVICES for conclusion in _of(device)),
)  # fmt: skip
