"""docs/studies.md, and the tables of headlines and numbers that the README shows, from the outcomes in data/studies."""

from __future__ import annotations

from collections.abc import Iterator

from .catalogue import find_study, paper_names
from .declare import Study
from .outcome import Json
from .stored import judged_outcome
from .summary import Row, rows
from .text import interval, quantity, ratio, tally, verdict

HEAD = """# The papers' experiments redone

`tilegpu study` redoes a paper's experiments on workloads like the paper's ([twins](workloads.md)) and sets the results
beside the paper's. What the five documents say first:

{headlines}
Every conclusion that is a number on both sides, ours against the paper's (`tilegpu study --summary`; those that
nothing in the text decides are left out; beside it [real boards](accuracy.md)):

![The papers' numbers against ours](papers.svg)

{numbers}
## Rules

A conclusion is a sentence of the paper. Its rule was written from the paper's text before anything was measured, and is
not changed afterwards, but where it misread the text: then the page quotes the sentence beside the old and the new
rule. What does not hold stays in the table, with its cause.

- **Ours** is the mean over the twins and over all counted frames. A paper's mean is over its own games, and each twin
  stands for one of them, so games are not drawn. In brackets is the interval that holds 95 % of 400 draws with
  replacement of frames, within the phases of a workload that has some; a phase of one frame has a weight and no spread.
- **Verdict**: the value holds or fails. "Undecided" is one whose interval crosses the rule's bound. Below five frames
  there is no interval. In ranks, names that frames do not tell apart are equal ("a tie").
- **Standing**: most are predicted: no choice here was made by them. Those that are "seen" prompted a choice, which is
  argued otherwise; those that are "set" restate a property of the workloads that was taken from the paper. Both are
  counted apart.
- **Not decidable** is what nothing that keeps to the text can tell: the number that the rule needs is not in the text;
  or two machines or workloads that keep to it give opposite verdicts, shown; or the result needs a quantity that is not
  given, and the page says which value would give the figure. What divides by nothing is **not measurable**. Neither is
  counted. What fails under every reading fails.
- **Causes** are told in a line each, and below with what was measured. "At most" is what the best machine could gain on
  the same workloads: it tells workload and machine apart.

| rule | judges |
| --- | --- |
| `> 1`, `>= 1`, `< 1`, `<= 1` | a number |
| `0.6 to 1.0`, `within 10 % of 1.83` | a number; bounds belong to the range |
| `000-ccs, 000-rok among the lowest 4`, `… among the highest 1` | values by name |
| `a > b > c` | values by name |

"""

OWN = """## Running one

```sh
tilegpu study                                    # lists the studies
tilegpu study --summary                          # all numbers of the papers against ours; -o FILE draws the plot
tilegpu study ptr-2022 -o ptr --quick            # in short: two frames, half the screen each way
tilegpu study ptr-2022 -o ptr                    # in full; what is there is not run again
tilegpu study my_study.py -o mine --workloads 000-bbr,scene:runner,game.trace@40:42
tilegpu study --compare before after             # what changed between two versions
```

`-o DIR` gets `study.json`, `plots/`, `report.html` and the results of every run in `runs/WORKLOAD/MACHINE`, which
`tilegpu report` and pandas open. `study.json` has every frame's value. Exit status 0 means that the study ran, whatever
holds; one that asks for a machine or a statistic that there is not ends with 2.

`--plan N` lets [plans](sampling.md) choose the frames of each twin, N of the 60 that it has, instead of those that
the study names; each is weighted by the number of frames that it represents, and intervals come from the simulated
frames of each cluster. The pages here have the frames that the studies name.

## A study of one's own

A Python file with a `STUDY` (`tilegpu.tools.studies.declare`): workloads, machines (a preset and settings),
figures and conclusions, which ask a `Measured` for statistics of runs by workload and machine:

```python
from tilegpu.tools.studies.declare import Cause, Conclusion, Experiment, Frames, Machine, Study, Undecidable


def speed_up(m):
    return m.mean(m.ratios("gpu.cycles", "one", "two").values())


def if_all_were_raster(m):
    return m.mean(1 / (1 - share / 2) for share in m.shares("one", "gpu.raster_cycles", "gpu.cycles").values())


STUDY = Study(
    name="mine",
    title="Two Raster Units on my game",
    source="nobody yet",
    workloads=("game.trace@40:46",),
    applications=("scene:runner",),
    screen=None,
    frames=Frames((), (1, 2, 3, 4, 5), before=1),
    quick_frames=Frames((), (1,), before=1),
    experiments=(Experiment({"one": Machine("ptr-2022"), "two": Machine("ptr-2022", ("tiles.raster_units=2",))}),),
    figures=(),
    conclusions=(
        Conclusion("gain", "Two are faster by half.", 1.5, "x", "1.4 to 1.6", speed_up, bound=if_all_were_raster),
        Conclusion("twice", "Somebody has measured twice.", 2, "x", "> 1.9", speed_up),
    ),
    headlines={"gain": "Two Raster Units are half as fast again"},
    undecidable={"twice": Undecidable("not in the text", "nobody says of which game.")},
    causes=(Cause(("gain",), "geometry is not shared"),),
)
```

Workloads are names of twins, TOML files of one's own twins, `scene:NAME` for a bundled scene, `capture:NAME` for a
file in the folder that `TILEGPU_CAPTURES` names, or .trace files. Behind a scene, capture or .trace file may stand
the frames that count, as the capture numbers them: `game.trace@40:46` counts frames 40 to 45, after as many as the
study's frames warm up. Without numbers its first frames take the place of the study's; frames without a draw are
told. `tools/studies/papers/` has longer examples.
"""


def papers() -> list[tuple[Study, Json]]:
    """Studies of papers, which have headlines, and their outcomes."""
    outcomes = ((study, judged_outcome(study)) for study in map(find_study, paper_names()) if study.headlines)
    return [(study, outcome) for study, outcome in outcomes if outcome is not None]


def headlines(folder: str = "studies/") -> str:
    """Table of what the papers say first, as Markdown.

    Parameters
    ----------
    folder
        Of the studies' pages, as a link from the page that shows it.
    """
    lines = ["| the paper says | paper | ours | ours / paper | | study |", "| --- | --- | --- | --- | --- | --- |"]
    for study, outcome in papers():
        by_id = {c["id"]: c for c in outcome["conclusions"]}
        for name, sentence in study.headlines.items():
            c = by_id[name]
            ours = f"{quantity(c['ours'], c['rule'])}{interval(c)}"
            if study.beside is not None and (c.get("beside") or {}).get("ours") is not None:
                ours += f"; {study.beside.title}: {quantity(c['beside']['ours'])}"
            link = f"[{study.name}]({folder}{study.name}.md)"
            paper = f"{quantity(c['paper'])} {c['unit']}".strip()
            lines.append(f"| {sentence} | {paper} | {ours} | {ratio(c)} | {verdict(c)} | {link} |")
    return "\n".join(lines) + "\n"


def numbers() -> str:
    """Table of how near the numbers come, as Markdown."""
    lines = ["| study | numbers | within 10 % | 25 % | 50 % | twice | half within |"]
    lines.append("| --- | --- | --- | --- | --- | --- | --- |")
    lines += map(_number_row, rows(outcome for _, outcome in papers()))
    whole = rows((outcome for _, outcome in papers()), decidable=False)[-1]
    bands = ", ".join(map(str, whole.within))
    return "\n".join(lines) + f"\n\nWith those that nothing in the text decides: {bands} of {whole.count}.\n"


def numbers_line() -> str:
    """Sentence on the distance of our numbers from the papers'."""
    (*studies, whole) = rows(outcome for _, outcome in papers())
    ten, quarter, _, twice = whole.within
    return (
        f"Of {whole.count} numbers in {len(studies)} studies {ten} come within 10 %, {quarter} within 25 % and {twice} "
        "within a factor of two of the paper's.\n"
    )


def _number_row(row: Row) -> str:
    factor = "–" if row.median == float("inf") else f"{row.median:.2f}x"
    return f"| {row.name} | {row.count} | {' | '.join(map(str, row.within))} | {factor} |"


def studies_page() -> str:
    """The page on all studies, as Markdown."""
    return HEAD.format(headlines=headlines(), numbers=numbers()) + "\n".join(_studies()) + "\n\n" + OWN


def _studies() -> Iterator[str]:
    yield "## Studies\n"
    yield "Each has a page: headlines, baseline and causes first, then every conclusion. `boards` sets predicted beside"
    yield "measured frame times of real GPUs: [accuracy](accuracy.md).\n"
    yield "| study | subject | source | conclusions that hold |"
    yield "| --- | --- | --- | --- |"
    for study in map(find_study, paper_names()):
        outcome = judged_outcome(study)
        holds = "not in this version yet" if outcome is None else tally(outcome)
        yield f"| [{study.name}](studies/{study.name}.md) | {study.title} | {study.source} | {holds} |"
