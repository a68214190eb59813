"""A study of a user's own, on a small twin and a captured square."""

from pathlib import Path

import pytest

from tests.tools.conftest import record_square, tilegpu  # noqa: F401
from tests.workloads.conftest import small  # noqa: F401

OWN = '''
"""Two machines on whatever is asked for."""

from tilegpu.tools.studies.declare import Conclusion, Experiment, Figure, Frames, Machine, Study


def slower(m):
    return m.mean(m.ratios("gpu.cycles", "narrow", "usual").values())


STUDY = Study(
    name="own",
    title="A narrow GPU",
    source="nobody",
    workloads=("TWIN",),
    applications=("SQUARE", "capture:nowhere"),
    screen=None,
    frames=Frames((0,), (1, 2)),
    quick_frames=Frames((0,), (1,)),
    experiments=(
        Experiment(
            {
                "usual": Machine("ptr-2022"),
                "narrow": Machine("ptr-2022", ("fragment_stage.processors=1", "rasterizer.quads_per_cycle=1")),
            }
        ),
        Experiment({"two": Machine("ptr-2022-2ru")}, with_applications=False),
    ),
    figures=(
        Figure("1", "Cycles", "cycles", lambda m: {k: m.each(k, "gpu.cycles") for k in ("usual", "narrow")}, {"usual": {"small": 5}}),
        Figure("2", "Area", "x", lambda m: {"two": {n: m.area_mm2("two") / m.area_mm2("usual") for n in m.workloads}}),
        Figure("3", "Time by processors", "cycles", lambda m: {
            "mean": {"1": m.mean(m.each("narrow", "gpu.cycles").values()), "4": m.mean(m.each("usual", "gpu.cycles").values())},
            "alone": {"1": 2.5},
        }, curves="processors"),
        Figure("4", "Elsewhere", "cycles", lambda m: {"usual": {"1": m.table("elsewhere", "usual", "bandwidth").num_rows}}, curves="x"),
    ),
    conclusions=(
        Conclusion("slower", "A narrow GPU is slower.", 2, "x", "> 1", slower, lambda m: "one processor"),
        Conclusion("faster", "A narrow GPU is faster.", None, "x", "< 1", slower),
        Conclusion("rank", "The twin takes longest.", "small", "cycles", "small among the highest 1", lambda m: m.each("usual", "gpu.cycles")),
        Conclusion("lost", "Somewhere it is better.", None, "x", "> 1", lambda m: m.value("elsewhere", "usual", "gpu.cycles")),
    ),
)
'''  # noqa: E501


@pytest.fixture
def own(small: Path, tmp_path: Path) -> Path:  # noqa: F811
    """The study's file."""
    square = record_square(tmp_path / "square.trace")
    path = tmp_path / "own_study.py"
    path.write_text(OWN.replace("TWIN", str(small)).replace("SQUARE", str(square)))
    return path
