"""Report of `tilegpu replay --check-images` on the pictures that it compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tilegpu.timing.config.schema import Configuration
from tilegpu.timing.results.own_pictures import STATS
from tilegpu.timing.results.statistics import statistics

from .console import warn

OWN = frozenset(stat.name for stat in STATS)
COMPARED = ".checked_tiles"
"""End of the name of a technique's count of what it compared."""
PASSES, UNKNOWN, PIXELS, DIFFERENT, UNWRITTEN = (stat.name for stat in STATS)


def picture_lines(configuration: Configuration, totals: Mapping[str, float]) -> list[tuple[str, float, str]]:
    """Name, value and unit of the statistics of a run that tell whether its pictures are right."""
    shown = (stat for stat in statistics(configuration) if stat.wrong or stat.name in OWN)
    return [(stat.name, totals[stat.name], stat.unit) for stat in shown]


def picture_values(configuration: Configuration, totals: Mapping[str, float]) -> dict[str, float]:
    """The same by name, without units."""
    return {name: value for name, value, _ in picture_lines(configuration, totals)}


def tell_pictures(
    configuration: Configuration, totals: Mapping[str, float], note: Callable[[str], None], run: str = ""
) -> bool:
    """Say what came of the comparison.

    Parameters
    ----------
    configuration, totals
        Of the run.
    note
        Gets the line that says that all is as recorded.
    run
        Begins each line.

    Returns
    -------
    bool
        Whether something was compared, and nothing differs.
    """
    passes, unknown, pixels, different = (int(totals[name]) for name in (PASSES, UNKNOWN, PIXELS, DIFFERENT))
    unwritten = int(totals[UNWRITTEN])
    wrong = [line for line in picture_lines(configuration, totals) if line[0] not in OWN and line[1]]
    compared = passes > 0 or any(value for name, value in totals.items() if name.endswith(COMPARED))
    if not passes:
        lacking = "the activity has no colours; record with --with colors"
        why = f"none of {unknown} passes has one that can be" if unknown else lacking
        warn(f"{run}no picture of this machine was compared: {why}")
    elif different:
        warn(f"{run}{different:,} of {pixels:,} pixels in {passes} passes are not as recorded")
    else:
        note(f"{run}pictures as recorded: {pixels:,} pixels in {passes} passes; {unknown} passes cannot be compared")
    if unwritten:
        warn(f"{run}{unwritten:,} pixels are read that were not written: the flush of their tile was left out")
    for name, value, unit in wrong:
        warn(f"{run}{name}: {value:,.0f} {unit}")
    return compared and not different and not unwritten and not wrong
