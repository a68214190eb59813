"""Other readings of a paper's text, under which its headlines are judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tilegpu.tools.workloads.twin import SEEDS


@dataclass(frozen=True)
class Reading:
    """Another reading of a paper's text.

    Attributes
    ----------
    name
        What is read otherwise.
    settings
        Fields of all machines that it changes.
    workloads
        By the name of a workload, the variant of it that is run instead.
    seed
        Whether it is none of the text, but other scenes with the same tables.
    whole
        Whether all workloads and frames of the study are run, and not only those of the table.
    """

    name: str
    settings: tuple[str, ...] = ()
    workloads: Mapping[str, str] = field(default_factory=dict)
    seed: bool = False
    whole: bool = False

    @property
    def variant(self) -> str:
        """Ends of the names of its machines."""
        return f"@{self.name}" if self.settings else ""


def other_seeds(twins: Sequence[str]) -> tuple[Reading, ...]:
    """Other scenes with the tables of these twins."""
    return tuple(
        Reading(f"scenes of seed {number}", workloads={twin: f"{twin}+seed-{number}" for twin in twins}, seed=True)
        for number in SEEDS
    )


@dataclass(frozen=True)
class Beside:
    """Another machine, or other workloads, that a source beside the text describes, with verdicts of its own.

    Attributes
    ----------
    reading
        What it changes; other workloads run every other frame.
    machines
        Machines of the study that are run so, too.
    title
        Of its column.
    fork
        Whether the text allows both machines, so that conclusions that hold on one alone are not counted.
    """

    reading: Reading
    machines: tuple[str, ...]
    title: str
    fork: bool = False


@dataclass(frozen=True)
class Readings:
    """The table of readings: headline conclusions under each.

    Attributes
    ----------
    machines, workloads
        Machines that the conclusions compare, and workloads that they are judged on.
    conclusions
        Their ids.
    readings
        The readings beside that of the presets.
    page
        Link to the page of the model that argues the default ones.
    """

    machines: tuple[str, ...] = ()
    workloads: tuple[str, ...] = ()
    conclusions: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    page: str = "[TEAPOT's machine](../model/teapot.md)"
