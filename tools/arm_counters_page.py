"""docs/arm_counters.md: the counters of Arm's GPUs, and what each is here."""

from __future__ import annotations

from collections.abc import Iterator

from tilegpu.timing.config.load import load_configuration, preset_names
from tilegpu.timing.declare.chip import Counters
from tilegpu.timing.results.arm.names import ARM_NAMES
from tilegpu.timing.results.arm.values import Source, counters_of, coverage, sources

HEAD = """# Arm's counters

`tilegpu replay --counters arm` writes `counters_arm.csv`, a row per frame, under the names and in the units of Arm's
public specification of performance counters (libGPUCounters), as Streamline has them; in Python, `results.counters`.
Presets with unified cores name their GPU (`counters.arm_gpu`) and give each of its counters a value, or this page says
why not. What Arm derives from other counters follows by Arm's own equation, also where the hardware's rounding shows: a
warp with one quad counts as full. A quotient that divides by 0 is empty. Beats of the bus to main memory have
`counters.bus_bytes`, which is assumed (16 to 32).

"""
OTHERS = """
## Other machines

Their counters are those whose names fit statistics best. Amounts may be of something else than in Arm's hardware.

| statistic | counter |
| --- | --- |
"""


def arm_counters_page() -> str:
    """Coverage by preset, then each counter of each GPU, and the names for other machines, as Markdown."""
    by_gpu: dict[str, tuple[list[str], list[Source]]] = {}
    for name in preset_names():
        configuration = load_configuration(name)
        if counters_of(configuration):
            gpu = configuration.of(Counters).arm_gpu
            by_gpu.setdefault(gpu, ([], list(sources(configuration))))[0].append(name)
    lines = ["| GPU of the specification | presets | counters | with a value | |", "| --- | --- | --- | --- | --- |"]
    for gpu, (presets, counters) in by_gpu.items():
        count = sum(bool(source.amount) for source in counters)
        shown = ", ".join(presets)
        lines.append(f"| Mali-{gpu} | {shown} | {len(counters)} | {count} | {coverage(counters):.0%} |")
    lines.append("\nConstants of a GPU, which Arm lists among its counters, are counted with them.")
    lines.append("The specification has no Mali-G57 and no Mali-G610: G77 and G710 are of the same generations.")
    text = HEAD + "\n".join(lines) + "\n"
    for gpu, (_, counters) in by_gpu.items():
        text += "\n".join(_counters(gpu, counters))
    rows = "\n".join(f"| {statistic} | {counter} |" for statistic, counter in ARM_NAMES.items())
    return text + OTHERS + rows + "\n"


def _counters(gpu: str, counters: list[Source]) -> Iterator[str]:
    yield f"\n## Mali-{gpu}\n"
    yield "| counter | unit | is | |"
    yield "| --- | --- | --- | --- |"
    for source in counters:
        counter = source.counter
        if source.amount:
            yield f"| {counter.name} | {counter.unit} | {source.amount} | {source.note} |"
    yield "\nNot modelled:\n"
    reasons: dict[str, list[str]] = {}
    for source in counters:
        if not source.amount:
            reasons.setdefault(source.reason, []).append(source.counter.name)
    for reason, names in reasons.items():
        why = reason if reason.startswith("needs ") else f"because {reason}"
        yield f"- {', '.join(names)}: {why}"
    yield ""
