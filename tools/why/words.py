"""Sentences about draws and changes, with the figures behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..draw_reasons import LEAST, reasons_of
from .answer import Answer
from .trials import Row, Trial, title_of

LEAST_SAVING = 0.005
"""Share of the cycles below which a change is not worth a headline."""
ALL = 0.995
LEFT_OUT = "leave_out"

Figure = Callable[[Row], str]
REASONS = {
    "arithmetic": "its programs are computed",
    "results": "its programs wait for results of their own",
    "code": "its programs wait for instructions",
    "texture_filtering": "texels are looked up and filtered",
    "texture_misses": "texels are on their way from memory",
    "buffer_access": "programs read and write buffers",
    "barriers": "work groups wait at barriers",
    "launch": "warps are put together",
    "vertex_fetch": "vertices are fetched",
    "primitive_assembly": "primitives are assembled",
    "tiling": "primitives are sorted into tiles",
    "rasterization": "it is rasterized",
    "early_depth": "depth is tested",
    "order": "it waits for the draw before",
    "blending": "it is blended",
    "bandwidth": "pixels are on their way from or to memory",
    "other": "other units work for it",
    "idle": "nothing works",
}


KINDS = ("alu", "sfu", "tex", "mem", "flow")
CORES = ("fragment.processor", "simt.core")


def _first(row: Row, *names: str) -> float:
    return next((float(row[name]) for name in names if row.get(name) is not None), 0.0)


def _arithmetic(row: Row) -> str:
    quads = _first(row, "fragment.processor.quads", "simt.core.quads")
    issued = sum(_first(row, *(f"{unit}.{kind}_instructions" for unit in CORES)) for kind in KINDS)
    return f"{issued:,.0f} instructions for {quads:,.0f} quads" if quads else f"{issued:,.0f} instructions"


def _texels(row: Row) -> str:
    misses = _first(row, "memory.texture_cache.read_misses")
    read = _first(row, "memory.dram.read_bytes.texture")
    return f"{misses:,.0f} misses of the texture cache, {read / 1e3:,.0f} kB of texels from main memory"


def _filtering(row: Row) -> str:
    lines = _first(row, "fragment.texture_unit.lines", "simt.load_store.lines")
    return f"{lines:,.0f} lines looked up"


def _geometry(row: Row) -> str:
    vertices = _first(row, "geometry.vertex_processor.vertices", "simt.core.vertices")
    primitives = _first(row, "geometry.primitive_assembly.primitives")
    return f"{vertices:,.0f} vertices" + (f", {primitives:,.0f} primitives" if primitives else "")


def _bytes(row: Row) -> str:
    return f"{_first(row, 'memory.dram.bytes') / 1e3:,.0f} kB to and from main memory"


def _depth(row: Row) -> str:
    tested = _first(row, "raster.early_depth.quads", "raster.rasterizer.quads")
    killed = _first(row, "raster.early_depth.killed_quads")
    return f"{killed:,.0f} of {tested:,.0f} quads are hidden" if tested else _bytes(row)


FIGURES: dict[str, Figure] = {
    "arithmetic": _arithmetic,
    "results": _arithmetic,
    "code": _arithmetic,
    "texture_misses": _texels,
    "texture_filtering": _filtering,
    "vertex_fetch": _geometry,
    "primitive_assembly": _geometry,
    "tiling": _geometry,
    "early_depth": _depth,
    "order": _depth,
}
"""Figures behind a reason; bytes of main memory for others."""


def because(row: Row, cycles: float) -> str:
    """A sentence about why a draw holds the frame.

    Parameters
    ----------
    row
        Of the draw.
    cycles
        Of the frame.
    """
    held = reasons_of(row)
    total = sum(each for _, each in held)
    name, most = held[0]
    figure = FIGURES.get(name, _bytes)(row)
    part = "all" if most >= ALL * total else f"{most / total:.0%}"
    text = f"It holds the frame for {row['cycles'] / cycles:.1%} of its cycles; in {part} of them "
    text += f"{REASONS[name]} ({figure})"
    others = [f"in {each / total:.0%} {REASONS[other]}" for other, each in held[1:3] if each >= LEAST * total]
    return text + "".join(f", {other}" for other in others) + "."


def loss_text(trial: Trial) -> str:
    """The loss of picture of a change."""
    loss = trial.loss
    if loss is None or not loss.pixels:
        return "none" if trial.change.pictured else "to be seen on a device"
    return f"{loss.psnr_db:.1f} dB, {loss.over_tolerance_percent:.1f} % of pixels"


def compared(answer: Answer, trial: Trial) -> str:
    """A sentence that sets what a change saves on the first machine beside the others."""
    first = answer.saving(trial, 0)
    parts = []
    for number in range(1, len(answer.machines)):
        other = answer.saving(trial, number)
        word = "less" if other < first else "more" if other > first else "the same"
        why = [_shares(answer, trial, machine) for machine in (number, 0)]
        parts.append(f"On {answer.machines[number].name} it saves {word}, {other:.1%}: {why[0]}, here {why[1]}.")
    return " ".join(parts)


def _shares(answer: Answer, trial: Trial, machine: int) -> str:
    """Reason that holds the frame most, of the draw that is changed or of all."""
    rows: list[dict[str, Any]] = answer.rows[machine]
    whose = "the frame"
    if trial.draw is not None:
        whose, row = "the draw", answer.row(machine, trial.draw)
        rows = [] if row is None else [row]
    sums: dict[str, int] = {}
    for each in rows:
        for name, cycles in reasons_of(each):
            sums[name] = sums.get(name, 0) + cycles
    if not sums:
        return f"{whose} takes no time"
    name = max(sums, key=lambda each: sums[each])
    return f"{name.replace('_', ' ')} takes {sums[name] / sum(sums.values()):.0%} of {whose}'s time"


def headline(answer: Answer) -> str:
    """Changes that save most: of those that keep the picture, and of those that do not, but for draws left out."""
    saving = [trial for trial in answer.trials if not trial.refused and answer.saving(trial, 0) >= LEAST_SAVING]
    lossless = [trial for trial in saving if trial.keeps_picture]
    other = [trial for trial in saving if trial not in lossless and trial.change.name != LEFT_OUT]
    sentences = []
    for trials in (lossless, other):
        if trials:
            best = max(trials, key=lambda trial: trial.saved[0].cycles)
            words = title_of(best.change, best.draw)
            picture = f"loss of picture {loss_text(best)}" if best in other else "the same picture"
            outcome = f"−{answer.saving(best, 0):.1%} of the cycles, {picture}."
            sentences.append(f"{words[0].upper()}{words[1:]}: {outcome}")
    return " ".join(sentences) or "No change that was tried saves anything to speak of."
