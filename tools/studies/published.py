"""Tables of the pages of recent techniques: the published figures beside ours, from the study of them."""

from __future__ import annotations

from .catalogue import find_study
from .stored import judged_outcome
from .text import quantity, verdict

PAGES = {"tcor": "tcor", "libra": "libra", "dtexl": "dtexl", "evr": "evr", "omega_test": "omega-test", "wasp": "wasp"}
"""Beginnings of the ids of their conclusions by page of the model."""


def published_table(page: str) -> str:
    """Published figures of a technique beside ours, as Markdown."""
    outcome = judged_outcome(find_study("recent"))
    if outcome is None:
        return "Not measured in this version yet.\n"
    lines = ["| the abstract says | paper | ours | at most | |", "| --- | --- | --- | --- | --- |"]
    for c in outcome["conclusions"]:
        if c["id"].startswith(f"{PAGES[page]}-"):
            bound = "" if c.get("bound") is None else quantity(c["bound"])
            lines.append(
                f"| {c['text']} | {quantity(c['paper'])} % | {quantity(c['ours'])} % | {bound} | {verdict(c)} |"
            )
    return "\n".join(lines) + "\n"
