"""Whether a study asks for machines and statistics that there are, before anything is run: it is asked for its figures
and conclusions with numbers that stand for results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.errors import choices
from tilegpu.timing.results.statistics import statistics, structures
from tilegpu.tools.sampling.first_uses import Fills

from .declare import Conclusion, StudyError
from .measured import TILE_COLUMNS, Measured, NotMeasured, Outcome, Row
from .rules import Quantity, RuleError
from .selection import Selection, configuration_of


class _Supposed(Measured):
    """Answers 1 for whatever is declared, and a StudyError for the rest."""

    def _has(self, workload: str, machine: str) -> bool:
        self.declared(machine)
        return True

    def _outcome(self, workload: str, machine: str) -> Outcome:
        configuration = configuration_of(self.declared(machine))
        key = self._asked(workload), machine + self.variant
        if key[0] not in self.selection.workloads:
            raise NotMeasured(f"{workload}: {machine}")
        if key not in self._read:
            names = [stat.name for stat in statistics(configuration)]
            row = Row({"frame": 0.0, **dict.fromkeys(names, 1.0)}, f"{key[0]}: {key[1]}")
            tiles = pa.Table.from_pylist([dict.fromkeys(TILE_COLUMNS, 1)])
            parts = {structure.name: 1.0 for structure in structures(configuration)}
            self._read[key] = Outcome([row], [{"gpu": 1.0, "dram": 1.0}], [parts], tiles, Fills({}, 1))
        return self._read[key]

    def _places(self, workload: str, machine: str) -> list[int]:
        return [0]

    def counted_frame_numbers(self, workload: str) -> list[int]:
        return [0]

    def fills(self, workload: str, machine: str) -> Fills:
        self.declared(machine)
        raise NotMeasured("supposed")

    def table(self, workload: str, machine: str, name: str) -> pa.Table:
        self.declared(machine)
        raise NotMeasured("supposed")

    def shared(self, pair: str, sharing: str) -> dict[str, Any]:
        pairs = self.selection.study.pairs
        for name, names in ((pair, pairs.pairs if pairs else ()), (sharing, pairs.sharings if pairs else ())):
            if name not in names:
                raise StudyError(f"no pair or sharing {name!r} is declared; {choices(name, names)}")
        raise NotMeasured("supposed")

    def activity(self, workload: str) -> Activity:
        raise NotMeasured("supposed")


def check_names(selection: Selection, output: Path) -> None:
    """Ask a study for its baseline, figures and conclusions as if each had been measured.

    Parameters
    ----------
    selection
        What is to be run.
    output
        Folder of the study.

    Raises
    ------
    StudyError, RuleError
        If one asks for a machine or a statistic that there is not, or its rule does not fit what it judges.
    """
    study = selection.study
    supposed = _Supposed(selection, output, selection.first)
    for published in study.baseline:
        _asked(f"baseline, {published.what}", published.ours, supposed)
    for figure in study.figures:
        _asked(f"figure {figure.id}", figure.series, supposed)
    for conclusion in study.conclusions:
        where = f"conclusion {conclusion.id}"
        ours = _asked(where, conclusion.ours, supposed)
        if isinstance(ours, float | int | Mapping):
            _asked(where, partial(_holds, conclusion, ours), supposed)
        for more in (conclusion.why, conclusion.bound):
            if more is not None:
                _asked(where, more, supposed)


def _holds(conclusion: Conclusion, ours: Quantity, supposed: Measured) -> bool:
    return conclusion.judge.holds(ours)


def _asked(where: str, ask: Callable[[Measured], Any], supposed: Measured) -> Any:
    try:
        return ask(supposed)
    except (StudyError, RuleError) as error:
        raise StudyError(f"{where}: {error}") from None
    except Exception:
        # Numbers that stand for others may lead anywhere; what is wrong with real ones is told when they are there.
        return None
