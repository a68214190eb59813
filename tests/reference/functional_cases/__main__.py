"""`python -m tests.reference.functional_cases TRACE ANSWERS OUT.json`: judges a capture beside Mesa's answers.

TRACE is an apitrace capture, ANSWERS Mesa's answers (.answers, or .answers.gz as they come). OUT.json becomes a list:
what comes before the first case, then every case with its name, Mesa's verdict, what was compared and what differs.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from .answers import read_answers
from .judge import Judge


def main(trace: str, answers: str, out: str, snap: str = "8") -> None:
    """Judge a capture; a snap of "none" rasterizes without snapping vertices."""
    judge = Judge(read_answers(Path(answers)), snap == "8")
    judge.play(Path(trace))
    Path(out).write_text(json.dumps([asdict(verdict) for verdict in judge.verdicts], indent=0, default=str))
    cases = judge.verdicts[1:]
    passed = [verdict for verdict in cases if verdict.verdict == "Pass"]
    right = sum(not verdict.faults for verdict in passed)
    counts = {name: sum(getattr(v, name) for v in cases) for name in ("frames", "reads", "maps", "answers")}
    compared = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(f"{trace}: {len(cases)} cases, {len(passed)} pass on Mesa, {right} of them without fault here; {compared}")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
