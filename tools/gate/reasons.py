"""Reasons for a change of a draw's cost: the amounts of work that differ most."""

from __future__ import annotations

from typing import Any

from ..draw_costs import COSTS, DrawCost

WORK = (
    *(c for c in COSTS if c.title in ("vertices", "quads shaded", "instructions", "lines of texels")),
    DrawCost("primitives", ("geometry.primitive_assembly.primitives",)),
)
"""Amounts of work of a draw: they differ only if the draw does."""
TRAFFIC = (
    DrawCost("texture cache misses", ("memory.texture_cache.misses",)),
    DrawCost("L2 misses", ("memory.l2_cache.misses",)),
    DrawCost("DRAM bytes", ("memory.dram.bytes",)),
)
"""Traffic of a draw in shared memories: other draws move it a little."""
AMOUNTS = (*WORK, *TRAFFIC)
LEAST = 0.01
"""Of a draw's traffic, a change that says why."""
TOLD = 3
OTHER_SHADERS = "other shaders"
LONGER, SHORTER = "the same work, waits longer", "the same work, waits less"


def reasons(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Largest differences of two draws, in words; none if nothing differs."""
    texts = [OTHER_SHADERS] if before["shaders"] != after["shaders"] else []
    changes = _changes(before, after, WORK, 0.0) + _changes(before, after, TRAFFIC, LEAST)
    texts += [text for _, text in sorted(changes)[:TOLD]]
    rise = (after["cycles"] or 0) - (before["cycles"] or 0)
    if not texts and rise:
        texts.append(LONGER if rise > 0 else SHORTER)
    return texts or [text for _, text in _changes(before, after, TRAFFIC, 0.0)]


def _changes(
    before: dict[str, Any], after: dict[str, Any], amounts: tuple[DrawCost, ...], least: float
) -> list[tuple[float, str]]:
    """Amounts that change by more than a share: the share, less than 0 so that the largest comes first, and words."""
    changes = []
    for amount in amounts:
        name = next((name for name in amount.statistics if name in before and name in after), None)
        was, now = (float(row[name] or 0) if name else 0.0 for row in (before, after))
        share = abs(now - was) / max(abs(was), 1.0)
        if share > least:
            percent = f" ({(now - was) / was:+.0%})".replace("%", " %") if was else ""
            changes.append((-share, f"{amount.title} {was:,.0f} → {now:,.0f}{percent}"))
    return changes
