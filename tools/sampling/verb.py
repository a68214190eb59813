"""`tilegpu sample`: frames of a long capture that represent all of it."""

from __future__ import annotations

from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from ..choices import WARM_UP_FRAMES
from ..console import print_json, print_table, progress, say, warn
from ..options import AsJson
from ..outputs import check_file, none_ours

if TYPE_CHECKING:
    from tilegpu.functional.characterize.files import Characterization

    from .plan import Plan


def sample(
    counts: Annotated[Path, typer.Argument(metavar="DIR", help="Folder that `tilegpu characterize` wrote.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Plan file to write (JSON).")] = Path(
        "plan.json"
    ),
    vector: Annotated[
        str,
        typer.Option(
            metavar="paper|rich|reuse",
            help="Counts by which frames are compared. paper: instructions that each vertex and fragment shader "
            "executes, and primitives, as in MEGsim. rich: also vertices, visible primitives, tile entries, fragments, "
            "texels, passes, draws. reuse: also tiles drawn anew, for techniques that reuse results of earlier frames.",
        ),
    ] = "paper",
    most: Annotated[
        int, typer.Option("--max-clusters", metavar="K", min=1, help="Most clusters; the score chooses how many.")
    ] = 30,
    each: Annotated[
        int,
        typer.Option(
            "--per-cluster",
            metavar="N",
            min=0,
            help="Frames to simulate of each cluster: the one nearest to its centre, others by lot. Totals have "
            "intervals from two on; the paper simulates one. 0: two, or what a budget allows.",
        ),
    ] = 0,
    budget: Annotated[
        int,
        typer.Option(
            "--budget",
            metavar="N",
            min=0,
            help="Most frames to simulate, with those that warm up: fewer clusters if there are too many, and more "
            "frames of clusters that differ if some are left. 0: as many as the clusters ask for.",
        ),
    ] = 0,
    warm_up: Annotated[
        int, typer.Option("--warm-up", metavar="N", min=0, help="Frames before each, which a budget counts.")
    ] = WARM_UP_FRAMES,
    seed: Annotated[
        int, typer.Option(min=0, help="Of everything left to chance: the same seed gives the same plan.")
    ] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace a plan that is already there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Choose frames that represent a long capture, so that only these need to be simulated.

    Frames are clustered by what `tilegpu characterize` counted (k-means, the number of clusters by the Bayesian
    information criterion). The plan holds the chosen frames, how many frames each cluster has, and the cluster of each
    frame. `tilegpu trace --plan` records the chosen frames, `tilegpu replay --plan` gives totals for the whole capture;
    docs/sampling.md has the method and its errors.

    Example: tilegpu sample counts -o plan.json
    """
    from tilegpu.functional.characterize.files import Characterization

    from .plan import write_plan
    from .request import PlanRequest, plan_of

    wanted = PlanRequest(vector, most, each, budget, warm_up, seed)
    wanted.check()
    check_file(output, none_ours, force)
    read = Characterization(counts)
    with progress("clustering"):
        plan = plan_of(read, wanted, relpath(counts.absolute(), output.absolute().parent))
    write_plan(plan, output)
    _warn_of_cut(read, plan, budget and 1 + warm_up)
    if as_json:
        clusters = [one.model_dump(mode="json") for one in plan.clusters]
        frames = len(plan.cluster_of_frame)
        print_json({"plan": str(output), "frames": frames, "chosen": list(plan.chosen), "clusters": clusters})
        return
    table = Table("cluster", "frames", "spread", "simulated", box=None)
    for number, one in enumerate(plan.clusters):
        table.add_row(str(number), f"{one.frames:,}", f"{one.spread:.1%}", ", ".join(map(str, one.chosen)))
    print_table(table)
    frames = len(plan.cluster_of_frame)
    say(f"{len(plan.chosen)} of {frames:,} frames stand for all, one of {frames / len(plan.chosen):.1f}; in {output}")


def _warn_of_cut(counts: Characterization, plan: Plan, frames_of_budget: int) -> None:
    """Warn of frames that no other is like and that are not simulated.

    Parameters
    ----------
    counts, plan
        Counts of the frames, and the plan.
    frames_of_budget
        Frames of a budget for each simulated one, 0 without a budget.
    """
    from .planning import ALONE_SHARE, unlike_others

    unlike = unlike_others(counts)
    cut = sorted(unlike - set(plan.chosen))
    if cut:
        clusters = ALONE_SHARE * len(unlike)
        numbers = ", ".join(map(str, cut[:6])) + (" and more" if len(cut) > 6 else "")
        budget = f"--budget {clusters * frames_of_budget} " if frames_of_budget else ""
        warn(
            f"not simulated though it uses programs first: frame {numbers}; totals may be too low. "
            f"{budget}--max-clusters {clusters} has room for all such frames"
        )
