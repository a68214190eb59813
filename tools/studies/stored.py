"""Outcomes of studies that come with the package, under what the studies declare now."""

from __future__ import annotations

import json
from importlib.resources import files

from .declare import Conclusion, Study
from .drawing import within
from .outcome import Json, disagreement, standing_of
from .rules import Rule

DECLARED = "standing", "corrected", "undecidable", "cause", "assumes"
"""Parts of a conclusion that are no measurements."""


def outcome_of(name: str) -> Json | None:
    """The committed outcome of a study in full, as it was measured; None where there is none yet."""
    path = files("tilegpu.data").joinpath("studies", f"{name}.json")
    outcome: Json | None = json.loads(path.read_text("utf-8")) if path.is_file() else None
    return outcome


def judged_outcome(study: Study) -> Json | None:
    """The same under what the study declares now.

    Numbers and intervals are those of its runs. Rules, classes and verdicts follow the declaration, so that a rule
    that is mended needs no run.
    """
    outcome = outcome_of(study.name)
    if outcome is None:
        return None
    measured = {c["id"]: c for c in outcome["conclusions"]}
    outcome["conclusions"] = [judged(study, c, measured.get(c.id)) for c in study.conclusions]
    return outcome


def judged(study: Study, conclusion: Conclusion, measured: Json | None) -> Json:
    """A conclusion as it is declared, with what was measured of it."""
    declared = {
        "id": conclusion.id,
        "text": conclusion.text,
        "paper": conclusion.paper,
        "unit": conclusion.unit,
        "rule": conclusion.rule,
    }
    nothing: Json = {"ours": None, "holds": None, "undecided": False, "explanation": "", "by_frame": {}}
    kept = {key: value for key, value in (measured or nothing).items() if key not in DECLARED}
    row = {**kept, **declared, **standing_of(study, conclusion)}
    for each in filter(None, (row, row.get("beside"))):
        each |= _verdict(conclusion.judge, each)
    return disagreement(study, row) | row


def _verdict(rule: Rule, row: Json) -> Json:
    ours, interval = row.get("ours"), row.get("interval")
    if ours is None:
        return {"holds": None, "undecided": False}
    if isinstance(ours, dict):
        names = set(rule.names) <= set(ours)
        return {"holds": bool(row.get("tied")) or rule.holds(ours) if names else None, "undecided": False}
    holds = within(rule, ours, tuple(interval or ()))
    return {"holds": holds, "undecided": holds is None}
