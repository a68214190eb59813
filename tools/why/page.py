"""The page of `tilegpu why`: the picture with its dearest draws, the reasons, and what changes save."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from importlib.resources import files
from pathlib import Path

from tilegpu.functional.images import png_bytes
from tilegpu.timing.declare.reasons import REASONS
from tilegpu.timing.results.palette import colours

from ..draw_reasons import reasons_of
from ..report.page import Section, image_html, write_page
from ..what_if.measure import Cost
from .answer import Answer
from .outlines import Covered, outlined
from .trials import Row, Trial, title_of
from .words import because, compared, headline, loss_text

OUTLINES = ((255, 64, 64), (255, 170, 0), (60, 220, 90), (60, 170, 255), (220, 100, 255))
"""Red, green and blue of the dearest draws."""
FADED = 0.45
"""Brightness of the picture behind outlines."""


def write_answer(path: Path, answer: Answer, force: bool = False) -> None:
    """Write the page; see `write_page` for errors."""
    style = files(__package__).joinpath("why.css").read_text("utf-8")
    sections = [
        Section("The draws that cost most", _draws(answer), style=style),
        Section("What each change would save", _changes(answer)),
        Section("How this was measured", _measured(answer)),
    ]
    title = f"Why frame {answer.chosen.number} of {answer.source} costs what it does"
    write_page(path, title, sections, _subtitle(answer), force)


def _subtitle(answer: Answer) -> str:
    costs = zip(answer.machines, answer.base.costs, strict=True)
    return "; ".join(f"{machine.name}: {cost_text(cost)}" for machine, cost in costs)


def cost_text(cost: Cost) -> str:
    """Cycles, energy and bytes of a frame."""
    energy = f"{cost.energy_pj / 1e6:,.0f} µJ"
    return f"{cost.cycles:,.0f} cycles, {energy}, {cost.dram_bytes / 1e3:,.0f} kB to and from main memory"


def _draws(answer: Answer) -> str:
    picture = outlined((answer.base.picture * FADED).astype("uint8"), answer.covered, OUTLINES[: len(answer.covered)])
    # What the dearest draws cover stays as bright as it is.
    for each in answer.covered:
        inside = each.mask & (picture == (answer.base.picture * FADED).astype("uint8")).all(axis=-1)
        picture[inside] = answer.base.picture[inside]
    labels = "".join(
        _label(each, colour) for each, colour in zip(answer.covered, OUTLINES, strict=False) if each.mask.any()
    )
    shown = image_html(png_bytes(picture), f"frame {answer.chosen.number} with its dearest draws outlined")
    items = "".join(_draw(answer, number, row) for number, row in enumerate(answer.dear))
    return (
        f'<p class="headline">{escape(headline(answer))}</p><div class="why"><div><div class="frame">{shown}{labels}'
        f'</div>{_legend(answer)}</div><ol class="draws">{items}</ol></div>'
    )


def _label(covered: Covered, colour: tuple[int, int, int]) -> str:
    """Number of a draw in the middle of what it covers."""
    x, y = covered.centre
    place = f"left:{100 * x:.1f}%;top:{100 * y:.1f}%;background:{_css(colour)}"
    return f'<span class="place" style="{place}">{covered.draw}</span>'


def _css(colour: tuple[int, int, int]) -> str:
    return f"rgb({colour[0]},{colour[1]},{colour[2]})"


def _draw(answer: Answer, number: int, row: Row) -> str:
    label = f" <span class='note'>{escape(row['label'])}</span>" if row["label"] else ""
    hidden = "" if answer.covered[number].mask.any() else " <span class='note'>not to the window</span>"
    mark = f'<span class="mark" style="background:{_css(OUTLINES[number])}">{row["draw"]}</span>'
    parts = [f"<h3>{mark} draw {row['draw']}{label}{hidden}</h3>"]
    for machine, configuration in enumerate(answer.machines):
        entry = answer.row(machine, row["draw"])
        if entry is None or not entry["cycles"]:
            continue
        cycles = answer.base.costs[machine].cycles
        name = f"<b>{escape(configuration.name)}</b> " if len(answer.machines) > 1 else ""
        parts.append(f"{_bar(entry, cycles)}<p>{name}{escape(because(entry, cycles))}</p>")
    return f"<li>{''.join(parts)}</li>"


_COLOURS = dict(zip(REASONS, colours(len(REASONS)), strict=True))


def _bar(row: Row, cycles: float) -> str:
    """A draw's share of the frame, by reason."""
    spans = "".join(
        f'<span style="width:{100 * each / cycles:.2f}%;background:{_COLOURS[name]}" '
        f'title="{name.replace("_", " ")}: {each:,} cycles"></span>'
        for name, each in reasons_of(row)
    )
    return f'<div class="share">{spans}</div>'


def _legend(answer: Answer) -> str:
    used = {name for row in answer.dear for name, cycles in reasons_of(row) if cycles >= 0.01 * row["cycles"]}
    items = "".join(
        f'<li title="{escape(REASONS[name])}"><span class="key" style="background:{_COLOURS[name]}"></span>'
        f"{name.replace('_', ' ')}</li>"
        for name in REASONS
        if name in used
    )
    return f'<ul class="legend">{items}</ul>'


def _changes(answer: Answer) -> str:
    tried = [trial for trial in answer.trials if not trial.refused]
    refused = [trial for trial in answer.trials if trial.refused]
    head = "".join(f"<th>{text}</th>" for text in _titles(answer))
    rows = "".join(_change(answer, trial) for trial in tried)
    table = f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    notes = [
        "What saves most per loss of picture comes first; changes without loss stand before all others. A change is "
        "of this frame: others may answer differently."
    ]
    best = [trial for trial in tried if trial.saved[0].cycles > 0][:3]
    if len(answer.machines) > 1:
        notes += [f"{_begun(title_of(trial.change, trial.draw))}: {compared(answer, trial)}" for trial in best]
    notes_html = "".join(f"<p class='note'>{escape(note)}</p>" for note in notes)
    if answer.untried:
        notes_html += f"<p class='note'>{answer.untried} further changes were not tried: raise --budget.</p>"
    lines = "".join(f"<li>{escape(title_of(each.change, each.draw))}: {escape(each.refused)}</li>" for each in refused)
    more = f"<details><summary>{len(refused)} changes do not apply</summary><ul>{lines}</ul></details>"
    return table + notes_html + (more if refused else "")


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _titles(answer: Answer) -> Iterator[str]:
    yield "change"
    for machine in answer.machines:
        yield f"cycles, {escape(machine.name)}"
    of = f", {escape(answer.machines[0].name)}" if len(answer.machines) > 1 else ""
    yield f"energy{of}"
    yield f"main memory{of}"
    yield "loss of picture"


def _change(answer: Answer, trial: Trial) -> str:
    most = max((abs(answer.saving(each, 0)) for each in answer.trials if not each.refused), default=1.0) or 1.0
    note = f"<p class='note'>may change {escape(trial.change.may_change)}"
    note += f"; {escape(trial.change.caution)}</p>" if trial.change.caution else "</p>"
    cells = [f"<td>{escape(title_of(trial.change, trial.draw))}{note}</td>"]
    for number in range(len(answer.machines)):
        share = answer.saving(trial, number)
        width = min(100.0, 100 * abs(share) / most)
        kind = "saves" if share >= 0 else "costs"
        bar = f'<div class="{kind}" style="width:{width:.1f}%"></div>'
        cells.append(f'<td class="value">{_percent(share)}{bar}<p class="note">{_signed(trial, number)}</p></td>')
    base = answer.base.costs[0]
    for saved, all_of in (
        (trial.saved[0].energy_pj, base.energy_pj),
        (trial.saved[0].dram_bytes, base.dram_bytes),
    ):
        cells.append(f'<td class="number">{_percent(saved / max(1.0, all_of))}</td>')
    cells.append(f"<td>{escape(loss_text(trial))}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def _percent(share: float) -> str:
    return f"{-100 * share:+.1f} %".replace("-", "−").replace("+0.0", "0.0").replace("−0.0", "0.0")


def _signed(trial: Trial, machine: int) -> str:
    return f"{-trial.saved[machine].cycles:+,.0f} cycles".replace("-", "−")


def _measured(answer: Answer) -> str:
    lines = [
        f"Frame {answer.chosen.number} was cut out with what it depends on, recorded, and replayed alone, so caches "
        "are cold. A draw's cycles are those in which units worked for it and nothing else (docs/draw_costs.md).",
        "Each change was written as a capture of its own, recorded and replayed in the same way: what it saves is the "
        "difference of two replays.",
        f"{len(answer.trials)} changes were tried.",
    ]
    if answer.chosen.among:
        cycles = ", ".join(f"{number}: {value:,.0f}" for number, value in answer.chosen.among.items())
        lines.append(f"It is the dearest of {len(answer.chosen.among)} frames; cycles by frame: {cycles}.")
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
