"""Tables of docs/artifact.md: times and disk, and expected figures of each study."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from ..studies.catalogue import find_study, paper_names
from ..studies.selection import select
from ..studies.stored import judged_outcome
from ..studies.text import tally

CORES = 2
"""Processes that the estimates are for."""


def measured() -> dict[str, Any]:
    """Times that `measure` took."""
    path = files("tilegpu.data").joinpath("artifact", "measured.json")
    results: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return results


def steps_table() -> str:
    """Time and disk of the short steps, as Markdown."""
    results = measured()
    machine = results["machine"]
    lines = [
        f"Measured with version {results['version']} and Python {machine['python']} on {machine['cores']} cores that "
        "had much else to do, so that the CPU time counts: one step after the other, with nothing compiled before the "
        "first:\n",
        "| step | CPU time | time there | disk |",
        "| --- | --- | --- | --- |",
    ]
    for name, step in results["steps"].items():
        command = "`tilegpu demo`" if name == "demo" else f"`tilegpu study {name} --quick --workloads scene:courtyard`"
        disk = f"{step['disk_bytes'] / 1e6:.1f} MB"
        lines.append(f"| {command} | {step['cpu_seconds']:.0f} s | {step['seconds']:.0f} s | {disk} |")
    lines.append(f"\nCompiled code then takes {results['cache_bytes'] / 1e6:.0f} MB in the cache folder.")
    return "\n".join(lines) + "\n"


def studies_table() -> str:
    """Runs, estimated time and disk, and the expected tally of each study in full, as Markdown."""
    lines = [
        f"| study | runs | about, {CORES} processes | disk | conclusions that hold |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name in paper_names():
        study = find_study(name)
        outcome = judged_outcome(study)
        # Captures are not part of the package, so that the table is the same with and without them.
        own = [n for n in (*study.workloads, *study.applications) if not n.startswith("capture:")]
        link = f"[{name}](studies/{name}.md)"
        expected = "not in this version yet" if outcome is None else tally(outcome)
        if not own:
            lines.append(f"| {link} | captures only | | | {expected} |")
            continue
        chosen = select(study, False, own)
        minutes = max(1, round(chosen.seconds() / CORES / 60))
        lines.append(f"| {link} | {chosen.runs} | {minutes} min | {chosen.size_bytes() / 1e9:.1f} GB | {expected} |")
    return "\n".join(lines) + "\n"
