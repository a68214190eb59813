"""docs/studies.md, docs/studies/ and docs/model/sensitivity.md, from the outcomes in data/studies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from statistics import fmean

from .catalogue import find_study, paper_names
from .declare import Study
from .outcome import Json, configuration_hash
from .set_values import set_table
from .text import HOLDS, interval, quantity, summary, tally, verdict

HEAD = """# The papers' experiments redone

`tilegpu study` redoes a paper's experiments on workloads like the paper's ([twins](workloads.md)) and sets the results
beside the paper's.

```sh
tilegpu study                                    # lists the studies
tilegpu study ptr-2022 -o ptr --quick            # in short: two frames, half the screen each way
tilegpu study ptr-2022 -o ptr                    # in full; what is there is not run again
tilegpu study my_study.py -o mine --workloads 000-bbr,scene:runner,game.trace@40:42
tilegpu study --compare before after             # what changed between two versions
```

The study `boards` sets predicted beside measured frame times of real GPUs: [accuracy](accuracy.md).

`--plan N` lets [plans](sampling.md) choose the frames of each twin, N of the 60 that it has, instead of those that
the study names; each is weighted by the number of frames that it represents, and intervals come from the simulated
frames of each cluster. The pages here have the frames that the studies name.

`-o DIR` gets `study.json`, `plots/`, `report.html` and the results of every run in `runs/WORKLOAD/MACHINE`, which
`tilegpu report` and pandas open. Exit status 0 means that the study ran, whatever holds; one that asks for a machine
or a statistic that there is not ends with 2.

## Rules

A conclusion is a sentence of the paper. Its rule was written from the paper's text before anything was measured, and is
not changed afterwards, but where it misread the text: then the page quotes the sentence beside the old and the new
rule. A conclusion that does not hold stays in the table, with what was measured to explain it. Most are predicted: no
choice here was made by them. Those that are "seen" prompted a choice, which is argued otherwise; those that are "set"
restate a property of the workloads that was taken from the paper. Both are counted apart. Rules are of a small grammar:

| rule | judges |
| --- | --- |
| `> 1`, `>= 1`, `< 1`, `<= 1` | a number |
| `0.6 to 1.0`, `within 10 % of 1.83` | a number; bounds belong to the range |
| `000-ccs, 000-rok among the lowest 4`, `… among the highest 1` | values by name |
| `a > b > c` | values by name |

"Ours" is the mean over the twins, and over all counted frames together; in brackets the interval that holds 95 % of
400 draws with replacement of frames, and of games unless the sentence speaks of games by name. A verdict whose
interval crosses the bound of its rule reads "undecided". With fewer than five simulated frames there is no interval,
and the value alone decides. `study.json` has every frame's value, their mean and standard deviation. The last column
is the same over bundled scenes and captured applications (kept outside of this repository), where the rule speaks of
no game by name.

## A study of one's own

A Python file with a `STUDY` (`tilegpu.tools.studies.declare`): workloads, machines (a preset and settings),
figures and conclusions, which ask a `Measured` for statistics of runs by workload and machine:

```python
from tilegpu.tools.studies.declare import Conclusion, Experiment, Frames, Machine, Study


def speed_up(m):
    return m.mean(m.ratios("gpu.cycles", "one", "two").values())


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
    conclusions=(Conclusion("gain", "Two are faster by half.", 1.5, "x", "1.4 to 1.6", speed_up),),
)
```

Workloads are names of twins, TOML files of one's own twins, `scene:NAME` for a bundled scene, `capture:NAME` for a
file in the folder that `TILEGPU_CAPTURES` names, or .trace files. Behind a scene, capture or .trace file may stand
the frames that count, as the capture numbers them: `game.trace@40:46` counts frames 40 to 45, after as many as the
study's frames warm up. Without numbers its first frames take the place of the study's; frames without a draw are
told. `tools/studies/papers/` has longer examples.
"""


LISTED = 4
"""Parts of an explanation from which on it is shown as a list."""


def outcome_of(name: str) -> Json | None:
    """The committed outcome of a study in full; None where there is none yet."""
    path = files("tilegpu.data").joinpath("studies", f"{name}.json")
    found: Json | None = json.loads(path.read_text("utf-8")) if path.is_file() else None
    return found


def studies_page() -> str:
    """The page on all studies, as Markdown."""
    lines = [
        HEAD,
        "## Studies\n",
        "Each has a page with every conclusion, those that hold and those that do not, and why.\n",
        "| study | subject | source | conclusions that hold |",
        "| --- | --- | --- | --- |",
    ]
    for study in map(find_study, paper_names()):
        found = outcome_of(study.name)
        holds = "not in this version yet" if found is None else tally(found)
        lines.append(f"| [{study.name}](studies/{study.name}.md) | {study.title} | {study.source} | {holds} |")
    return "\n".join(lines) + "\n"


def study_page(name: str) -> str:
    """The page on one study, as Markdown."""
    return "\n".join(_study(find_study(name))).rstrip() + "\n"


def _study(study: Study) -> Iterator[str]:
    yield f"# {study.name}: {study.title}\n"
    yield f"Source: {study.source}. `tilegpu study {study.name} -o DIR`; [what rules mean](../studies.md#rules)\n"
    found = outcome_of(study.name)
    if found is None:
        yield "Its outcome in full is not in this version yet; `--quick` gives a first one.\n"
        return
    yield f"{len(found['workloads'])} twins, {_frames(found['frames'])}; {summary(found)}.\n"
    if changed := changed_machines(study, found):
        yield (
            f"**Measured with an earlier version**: {len(changed)} of {len(study.machines())} machines have other "
            f"fields now. `tilegpu study {study.name} -o DIR` gives today's figures.\n"
        )
    if study.picture:
        yield f"![{study.title}](../{study.picture})\n"
    yield from set_table(study.workloads)
    yield from _told_readings(study, found)
    for told, title in (
        ("holds", "Conclusions that hold"),
        ("undecided", "Undecided: the interval crosses the rule's bound"),
        ("not measured", "Not measured"),
    ):
        some = [c for c in found["conclusions"] if verdict(c) == told]
        if some:
            yield f"## {title}\n"
            yield from _table(some)
    reasons: dict[str, list[Json]] = {}
    for c in found["conclusions"]:
        if c["holds"] is False:
            reasons.setdefault(c["explanation"] or "see the figures of its report", []).append(c)
    if reasons:
        yield "## Conclusions that do not hold, and why\n"
    for number, (reason, some) in enumerate(reasons.items(), 1):
        yield f"### Reason {number}: {len(some)} conclusion{'s' * (len(some) > 1)}\n"
        yield from _table(some)
        yield from _reason(reason)


def changed_machines(study: Study, found: Json) -> list[str]:
    """Machines whose fields are others than when a study was measured."""
    known = found.get("fields")
    now = {name: configuration_hash(machine, known) for name, machine in study.machines().items()}
    return [name for name, value in found["configurations"].items() if now.get(name, value) != value]


def _frames(frames: Json) -> str:
    """Which frames were counted."""
    before, first = frames.get("before", 0), len(frames["warm_up"])
    counted = f"{len(frames['counted'])} frames counted"
    if own := frames.get("moments"):
        return ", ".join(f"{count:,} frames of {name}" for name, count in own.items()) + " counted"
    if slow := frames.get("slow"):
        counted += f" (every other one of {', '.join(slow)})"
    return f"{counted}, each after {before} that warm up" if before else f"{counted} after {first}"


def _told_readings(study: Study, found: Json) -> Iterator[str]:
    """The table of readings, and rules that were corrected."""
    readings = found.get("readings") or []
    if readings:
        names = list(readings[0]["conclusions"])
        yield "## Readings of the text\n"
        yield (
            f"What the texts leave open is a field ({study.readings.page}); here are the headline "
            f"conclusions under each reading, on {', '.join(study.readings.workloads)} and every other frame.\n"
        )
        yield f"| reading | {' | '.join(f'`{name}`' for name in names)} |"
        yield "| --- |" + " --- |" * len(names)
        for row in readings:
            cells = [row["conclusions"][name] for name in names]
            yield f"| {row['reading']} | {' | '.join(_under(cell) for cell in cells)} |"
        yield ""
    corrected = [c for c in found["conclusions"] if c.get("corrected")]
    if corrected:
        yield "## Rules that misread the text\n"
        yield "| conclusion | the text | rule before | rule now |"
        yield "| --- | --- | --- | --- |"
        for c in corrected:
            yield f"| `{c['id']}` | {c['corrected']['sentence']} | {c['corrected']['before']} | {c['rule']} |"
        yield ""


def _under(cell: Json) -> str:
    return "–" if cell["ours"] is None else f"{quantity(cell['ours'], cell['rule'])}, {HOLDS[cell['holds']]}"


def _table(conclusions: list[Json]) -> Iterator[str]:
    yield "| conclusion | paper | ours | rule | applications |"
    yield "| --- | --- | --- | --- | --- |"
    for c in conclusions:
        other = c.get("applications") or {}
        theirs = "" if other.get("ours") is None else f"{quantity(other['ours'])}, {HOLDS[other['holds']]}"
        ours = f"{quantity(c['ours'], c['rule'])}{interval(c)} {c['unit']}"
        standing = f", {c['standing']}" if "standing" in c else ""
        yield f"| {c['text']} (`{c['id']}`{standing}) | {quantity(c['paper'])} | {ours} | {c['rule']} | {theirs} |"
    yield ""


def _reason(text: str) -> Iterator[str]:
    """An explanation; what it lists, as a list."""
    parts = [part.strip() for part in text.split("; ")]
    if len(parts) < LISTED:
        yield f"{text}.\n"
        return
    yield from (f"- {part}" for part in parts)
    yield ""


SENSITIVITY = """# What hangs on the constants that no paper gives

Fields of a configuration that are marked "papers silent" had to be chosen. `tilegpu study sensitivity -o DIR`
gives each the other values that it may plausibly have, one at a time, on five twins, and asks what that does to cycles
and energy of `ptr-2022`, to the speed-up of two Raster Units, and to the conclusions of the study `ptr-2022`; then the
values that change a verdict in pairs, those with the largest effect first.
"""


def sensitivity_page() -> str:
    """The page on sensitivity, as Markdown."""
    found = outcome_of("sensitivity")
    if found is None:
        return SENSITIVITY + "\nIts outcome in full is not in this version yet.\n"
    figures = {figure["id"]: figure["series"] for figure in found["figures"]}
    usual = fmean(figures["speedup"]["as it is"])
    lines = [SENSITIVITY, "## Fields\n"]
    lines.append(f"Means of {', '.join(found['workloads'])}. Two Raster Units as they are: {usual:.3f}x.\n")
    lines.append("| field = value | cycles | energy | two Raster Units |")
    lines.append("| --- | --- | --- | --- |")
    for name, values in figures["cycles"].items():
        cycles, energy = fmean(values) - 1, fmean(figures["energy"][name]) - 1
        lines.append(f"| {name} | {cycles:+.1%} | {energy:+.1%} | {fmean(figures['speedup'][name]):.3f}x |")
    if not any("," in name for name in figures["cycles"]):
        lines += ["", "Pairs have not been run for this version."]
    lines += [
        "",
        "## Conclusions\n",
        "| conclusion of ptr-2022 | values that change its verdict | which |",
        "| --- | --- | --- |",
    ]
    for c in found["conclusions"]:
        lines.append(f"| {c['id']} | {quantity(c['ours'])} | {c['explanation']} |")
    return "\n".join(lines) + "\n"
