"""The table of `--profile`: where the time went."""

from __future__ import annotations

from rich.table import Column, Table

from tilegpu.functional.stage_clock import STAGES, StageClock

from .console import out


def print_stages(clock: StageClock) -> None:
    """Wall time and share of each stage, in the order of the pipeline; frames that were left out included."""
    total = sum(clock.seconds.values())
    table = Table("stage", Column("seconds", justify="right"), Column("share", justify="right"))
    for name in STAGES:
        seconds = clock.seconds.get(name, 0.0)
        table.add_row(name, f"{seconds:.3f}", f"{seconds / total if total else 0.0:.1%}")
    table.add_row("all", f"{total:.3f}", "100.0%")
    out.print(table)
    print_ways(clock)


def print_ways(clock: StageClock) -> None:
    """Numbers of draws by the way of executing them without measuring, the most frequent first."""
    ways = Table(
        "vertices and primitives", "fragments", Column("draws", justify="right"), title="draws without --profile"
    )
    for (primitives, fragments), draws in clock.draws.most_common():
        ways.add_row(primitives, fragments, str(draws))
    out.print(ways)
