"""docs/studies.md, docs/studies/ and docs/model/sensitivity.md, from the outcomes in data/studies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from statistics import fmean

from .catalogue import find_study, paper_names
from .declare import Study
from .outcome import Json
from .text import HOLDS, quantity, summary

HEAD = """# The papers' experiments redone

`tilegpu study` redoes a paper's experiments on workloads like the paper's ([twins](workloads.md)) and sets the results
beside the paper's.

```sh
tilegpu study                                    # lists the studies
tilegpu study ptr-2022 -o ptr --quick            # in short: two frames, half the screen each way
tilegpu study ptr-2022 -o ptr                    # in full; what is there is not run again
tilegpu study my_study.py -o mine --workloads 000-bbr,scene:runner,game.trace
tilegpu study --compare before after             # what changed between two versions
```

The study `boards` sets predicted beside measured frame times of real GPUs: [accuracy](accuracy.md).

`-o DIR` gets `study.json`, `plots/`, `report.html` and the results of every run in `runs/WORKLOAD/MACHINE`, which
`tilegpu report` and pandas open. Exit status 0 means that the study ran, whatever holds.

## Rules

A conclusion is a sentence of the paper. Its rule was written from the paper's text before anything was measured, and
is not changed afterwards; one that does not hold stays in the table, with what was measured to explain it. Rules are of
a small grammar:

| rule | judges |
| --- | --- |
| `> 1`, `>= 1`, `< 1`, `<= 1` | a number |
| `0.6 to 1.0`, `within 10 % of 1.83` | a number; bounds belong to the range |
| `000-ccs, 000-rok among the lowest 4`, `… among the highest 1` | values by name |
| `a > b > c` | values by name |

"Ours" is the mean over the twins, and over all counted frames together; `study.json` has every frame's value,
their mean and standard deviation. The last column is the same over bundled scenes and captured applications
(kept outside of this repository), where the rule speaks of no game by name.

## A study of one's own

A Python file with a `STUDY` (`tilegpu.tools.studies.declare`): workloads, machines (a preset and settings),
figures and conclusions, which ask a `Measured` for statistics of runs by workload and machine.
`tools/studies/papers/` has examples. Workloads are names of twins, TOML files of one's own twins, `scene:NAME`
for a bundled scene, `capture:NAME` for a file in the folder that `TILEGPU_CAPTURES` names, or .trace files.
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
        holds = "not in this version yet" if found is None else _count(found)
        lines.append(f"| [{study.name}](studies/{study.name}.md) | {study.title} | {study.source} | {holds} |")
    return "\n".join(lines) + "\n"


def study_page(name: str) -> str:
    """The page on one study, as Markdown."""
    return "\n".join(_study(find_study(name))).rstrip() + "\n"


def _count(found: Json) -> str:
    judged = [c["holds"] for c in found["conclusions"] if c["holds"] is not None]
    return f"{sum(judged)} of {len(judged)}"


def _study(study: Study) -> Iterator[str]:
    yield f"# {study.name}: {study.title}\n"
    yield f"Source: {study.source}. `tilegpu study {study.name} -o DIR`; [what rules mean](../studies.md#rules)\n"
    found = outcome_of(study.name)
    if found is None:
        yield "Its outcome in full is not in this version yet; `--quick` gives a first one.\n"
        return
    frames = found["frames"]
    yield (
        f"{len(found['workloads'])} twins, {len(frames['counted'])} frames counted after {len(frames['warm_up'])}; "
        f"{summary(found)}.\n"
    )
    for holds, title in ((True, "Conclusions that hold"), (None, "Not measured")):
        some = [c for c in found["conclusions"] if c["holds"] is holds]
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


def _table(conclusions: list[Json]) -> Iterator[str]:
    yield "| conclusion | paper | ours | rule | applications |"
    yield "| --- | --- | --- | --- | --- |"
    for c in conclusions:
        other = c.get("applications") or {}
        theirs = "" if other.get("ours") is None else f"{quantity(other['ours'])}, {HOLDS[other['holds']]}"
        ours = f"{quantity(c['ours'], c['rule'])} {c['unit']}"
        yield f"| {c['text']} (`{c['id']}`) | {quantity(c['paper'])} | {ours} | {c['rule']} | {theirs} |"
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
gives each the other values that it may plausibly have, one at a time, on five twins at half the screen each
way, and asks what that does to cycles and energy of `ptr-2022`, to the speed-up of two Raster Units, and to the
conclusions of the study `ptr-2022`; then the values that change a verdict in pairs, those with the largest
effect first.
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
