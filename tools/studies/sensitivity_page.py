"""docs/model/sensitivity.md, from the outcome of the study `sensitivity`."""

from __future__ import annotations

from statistics import fmean

from .stored import outcome_of
from .text import quantity

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
