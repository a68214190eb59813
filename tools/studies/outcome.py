"""The outcome of a study: what its study.json holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.activity.reader import Activity
from tilegpu.functional.errors import UserError

from .declare import Conclusion, Figure, Machine, PublishedNumber, Study, StudyError, Undecidable
from .drawing import FEWEST, Decision, decide, draws_of
from .measured import Measured, NotMeasured
from .rules import Quantity
from .selection import Selection, configuration_of

Json = dict[str, Any]
Declared = TypeVar("Declared", Figure, Conclusion)
FILE = "study.json"
DIGITS = 6


def outcome(selection: Selection, output: Path) -> Json:
    """Figures and conclusions of what was run.

    Parameters
    ----------
    selection
        What was run.
    output
        Folder of the study.
    """
    study = selection.study
    first = Measured(selection, output, selection.first)
    # Pairs take the place of both columns.
    others = selection.second if study.pairs is None else []
    second = Measured(selection, output, others) if others else None
    return {
        "study": study.name,
        "title": study.title,
        "source": study.source,
        "quick": selection.quick,
        "scale": selection.scale,
        "version": version("tilegpu"),
        "seeds": {name: w.twin.seed for name, w in selection.workloads.items() if w.twin is not None},
        "frames": {
            "warm_up": list(selection.frames.warm_up),
            "counted": list(selection.frames.counted),
            "before": selection.frames.before,
            **_too_few(study, first),
            **_moments(selection),
            **_of_captures(selection, first, second),
            **({"plans": {n: list(p.chosen) for n, p in selection.plans.items()}} if selection.plans else {}),
            **({"slow": list(selection.study.slow)} if selection.study.slow and not selection.quick else {}),
        },
        "machines": {name: [machine.preset, *machine.settings] for name, machine in study.machines().items()},
        "configurations": {name: configuration_hash(machine) for name, machine in study.machines().items()},
        "fields": field_names(study.machines().values()),
        "workloads": selection.first,
        "applications": others,
        "absent": list(selection.absent),
        "figures": [
            _of(study, figure, _figure, first, second) | _assumes(study.assumed("figures", figure.id))
            for figure in study.figures
        ],
        "conclusions": [_of(study, conclusion, _conclusion, first, second) for conclusion in study.conclusions],
        "baseline": [_published(published, first) for published in study.baseline],
        "readings": _readings(study, first),
    }


def _of(
    study: Study, asked: Declared, describe: Callable[[Declared, Measured, Measured | None], Json], *measured: Any
) -> Json:
    """A figure or conclusion; what goes wrong in it is wrong in the file that declares it."""
    try:
        return describe(asked, *measured)
    except (UserError, OSError):
        raise
    except Exception as error:
        if not study.file:
            raise
        kind = type(asked).__name__.lower()
        raise StudyError(f"{study.file}: {kind} {asked.id}: {type(error).__name__}: {error}") from error


def _too_few(study: Study, first: Measured) -> Json:
    """Number of simulated frames, where they are too few for intervals."""
    first.forget()
    simulated = first.simulated_frames()
    return {"too_few": simulated} if study.draws and simulated < FEWEST else {}


def _of_captures(selection: Selection, *columns: Measured | None) -> Json:
    """Frames of captures that count although nothing is drawn in them, and captures with fewer than are to count."""
    empty, fewer = {}, {}
    for measured in filter(None, columns):
        for name in measured.workloads:
            if selection.workloads[name].twin is not None or not measured.ran(name):
                continue
            numbers = measured.counted_frame_numbers(name)
            if frames := [number for number in numbers if not _draws(measured.activity(name), number)]:
                empty[name] = frames
            if len(numbers) < len(selection.frames_of(name).counted):
                fewer[name] = len(numbers)
    return {key: frames for key, frames in (("without_draws", empty), ("fewer", fewer)) if frames}


def _draws(activity: Activity, number: int) -> int:
    """Number of draws and dispatches of a frame."""
    return sum(activity.frame(table, number, ["event"]).num_rows for table in ("draws", "dispatches"))


def _moments(selection: Selection) -> Json:
    """Number of frames of workloads that have others than the study's."""
    own = {} if selection.quick else selection.study.moments
    counted = {name: len(frames.counted) for name, frames in own.items() if name in selection.workloads}
    return {"moments": counted} if counted else {}


def configuration_hash(machine: Machine, names: Iterable[str] | None = None) -> str:
    """Stands for all of a machine's fields, or for those that were known earlier (16 hex digits).

    Fields that came later leave a machine as it was, with their defaults.
    """
    fields = configuration_of(machine).model_dump(mode="json")
    if names is not None:
        fields = _only(fields, set(names))
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


def field_names(machines: Iterable[Machine]) -> list[str]:
    """All fields of some machines, as `section.field`."""
    dumped = (configuration_of(machine).model_dump(mode="json") for machine in machines)
    return sorted({name for fields in dumped for name in _names(fields)})


def _names(fields: Json, group: str = "") -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, dict):
            yield from _names(value, f"{group}{name}.")
        else:
            yield group + name


def _only(fields: Json, names: set[str], group: str = "") -> Json:
    """Fields of these names, without groups that have some, but none of them."""
    fields_of_names: Json = {}
    for name, value in fields.items():
        if not isinstance(value, dict):
            fields_of_names |= {name: value} if group + name in names else {}
        elif (inner := _only(value, names, f"{group}{name}.")) or not value:
            fields_of_names[name] = inner
    return fields_of_names


def write_outcome(outcome: Json, output: Path) -> Path:
    """Write study.json, whole or not at all."""
    path = output / FILE
    with whole_file(path) as partial:
        partial.write_text(json.dumps(outcome, indent=1) + "\n", "utf-8")
    return path


def _figure(figure: Figure, first: Measured, second: Measured | None) -> Json:
    if figure.curves:
        return _curves(figure, first)
    names = list(figure.over or first.workloads)
    missing: Json = {}
    try:
        series = _series(figure, first, names)
    except NotMeasured as error:
        series, missing = {}, {"missing": error.args[0]}
    if second is not None and not figure.over:
        names += second.workloads
        with suppress(NotMeasured):
            for name, values in _series(figure, second, list(second.workloads)).items():
                series.setdefault(name, [None] * len(first.workloads)).extend(values)
    return {
        "id": figure.id,
        "title": figure.title,
        "unit": figure.unit,
        "drawn": _drawn(figure),
        "workloads": names,
        "series": {name: values + [None] * (len(names) - len(values)) for name, values in series.items()},
        "paper": {name: [values.get(workload) for workload in names] for name, values in figure.paper.items()},
        **({"marked": figure.table} if figure.table else {}),
        **missing,
    }


def _curves(figure: Figure, measured: Measured) -> Json:
    """Curves have places on an axis where other figures have workloads; of applications there are none."""
    missing = {}
    try:
        series = figure.series(measured)
    except NotMeasured as error:
        series, missing = {}, {"missing": error.args[0]}
    places = sorted({place for values in series.values() for place in values}, key=float)
    return {
        "id": figure.id,
        "title": figure.title,
        "unit": figure.unit,
        "drawn": _drawn(figure),
        "axis": figure.curves,
        "workloads": places,
        "series": {name: [_rounded(values.get(place)) for place in places] for name, values in series.items()},
        "paper": {},
        **({"bands": {name: list(ends) for name, ends in figure.bands.items()}} if figure.bands else {}),
        **missing,
    }


def _drawn(figure: Figure) -> str:
    kinds = {
        "curves": bool(figure.curves),
        "stacked": figure.stacked,
        "means": figure.means,
        "scatter": figure.scatter,
        "table": bool(figure.table),
    }
    return next((kind for kind, is_so in kinds.items() if is_so), "grouped")


def _series(figure: Figure, measured: Measured, names: list[str]) -> dict[str, list[float | None]]:
    series = figure.series(measured)
    return {name: [_rounded(values.get(workload)) for workload in names] for name, values in series.items()}


def _conclusion(conclusion: Conclusion, first: Measured, second: Measured | None) -> Json:
    rule = conclusion.judge
    row: Json = {
        "id": conclusion.id,
        "text": conclusion.text,
        "paper": conclusion.paper,
        "unit": conclusion.unit,
        "rule": conclusion.rule,
    }
    ours, error = _decided(conclusion, first, row)
    explanation = error
    if ours is not None and conclusion.why is not None:
        try:
            explanation = conclusion.why(first)
        except NotMeasured as missing:
            explanation = f"not measured: {missing.args[0]}"
    row["explanation"] = explanation
    row["by_frame"] = _by_frame(conclusion, first) if ours is not None else {}
    if ours is not None and conclusion.bound is not None:
        with suppress(NotMeasured):
            row["bound"] = _rounded(conclusion.bound(first))
    if (beside := first.selection.study.beside) is not None:
        row["beside"] = {}
        few = bool(beside.reading.workloads)
        _decided(conclusion, first.read(beside.reading) if few else first.under(beside.reading.variant), row["beside"])
    if second is not None:
        # Names of a rule are of the paper's games, which applications do not stand for.
        there, holding, _ = (None, None, "") if rule.names else _judged(conclusion, second)
        row["applications"] = {"workloads": list(second.workloads), "ours": _told(there), "holds": holding}
    return row | disagreement(first.selection.study, row) | standing_of(first.selection.study, conclusion)


def standing_of(study: Study, conclusion: Conclusion) -> Json:
    """Standing of a conclusion as evidence, as it is declared."""
    standing: Json = {}
    if conclusion.standing != "predicted":
        standing["standing"] = conclusion.standing
    if conclusion.correction is not None:
        standing["corrected"] = asdict(conclusion.correction)
    if (undecidable := study.undecidable.get(conclusion.id)) is not None:
        standing["undecidable"] = asdict(undecidable) | {"called": undecidable.called}
    if (cause := study.cause(conclusion.id)) is not None:
        standing["cause"] = {"line": cause.line, "more": cause.more}
    return standing | _assumes(study.assumed("conclusions", conclusion.id))


def _assumes(constants: list[str]) -> Json:
    return {"assumes": constants} if constants else {}


def disagreement(study: Study, row: Json) -> Json:
    """Class of a conclusion that holds on one of two machines that the text allows, and not on the other."""
    holds = row.get("holds"), (row.get("beside") or {}).get("holds")
    if study.beside is None or not study.beside.fork or None in holds or holds[0] == holds[1]:
        return {}
    one, other = ("the preset", study.beside.title) if holds[0] else (study.beside.title, "the preset")
    why = f"it holds with one machine that the text allows ({one}), and not with the other ({other})."
    undecidable = Undecidable("opposite verdicts", why)
    return {"undecidable": asdict(undecidable) | {"called": undecidable.called}}


def _decided(conclusion: Conclusion, measured: Measured, row: Json) -> tuple[Quantity | None, str]:
    """Tell value, interval and verdict; also why there is none."""
    measured.forget()
    ours, _, error = _judged(conclusion, measured)
    enough = ours is not None and measured.simulated_frames() >= FEWEST
    decision = Decision(None)
    if ours is not None:
        decision = decide(conclusion.judge, ours, _over_draws(conclusion, measured) if enough else ())
    if decision.interval is not None:
        row["interval"] = [_rounded(end) for end in decision.interval]
    if decision.tied:
        row["tied"] = True
    row |= {"ours": _told(ours), "workloads": list(measured.workloads), "holds": decision.holds}
    row["undecided"] = ours is not None and decision.holds is None
    return ours, error


def _published(published: PublishedNumber, measured: Measured) -> Json:
    """A number of the baseline, beside the paper's."""
    row: Json = {"what": published.what, "place": published.place, "paper": published.paper, "unit": published.unit}
    try:
        return row | {"ours": _rounded(published.ours(measured))}
    except NotMeasured as missing:
        return row | {"ours": None, "missing": missing.args[0]}


def _judged(conclusion: Conclusion, measured: Measured) -> tuple[Quantity | None, bool | None, str]:
    try:
        ours = conclusion.ours(measured)
        return ours, conclusion.judge.holds(ours), ""
    except KeyError as missing:
        # Not measured; or a name of the rule, by which nothing was.
        return None, None, f"not measured: {missing.args[0]}"


def _over_draws(conclusion: Conclusion, measured: Measured) -> Iterator[Quantity]:
    """Judged quantity, over draws of frames."""
    for draw in draws_of(measured.selection.study.draws):
        try:
            yield conclusion.ours(measured.drawn(draw))
        except NotMeasured:
            # A draw without what is asked for says nothing.
            continue


def _readings(study: Study, measured: Measured) -> list[Json]:
    """Headline conclusions under each reading of the text."""
    table = study.readings
    chosen = [conclusion for conclusion in study.conclusions if conclusion.id in table.conclusions]
    there = [name for name in table.workloads if name in measured.selection.workloads]
    if not chosen or not there:
        return []
    own = replace(measured, workloads=there)
    under = [(False, "as the presets", replace(own, few=True))]
    for reading in table.readings:
        if reading.whole:
            under.append((False, f"{reading.name}, on all workloads and frames", measured.under(reading.variant)))
        else:
            under.append((reading.seed, reading.name, own.read(reading)))
    return [
        {
            "reading": name,
            "seed": seed,
            "conclusions": {
                c.id: {"ours": _told(ours), "holds": holds, "rule": c.rule}
                for c in chosen
                for ours, holds, _ in [_judged(c, read)]
            },
        }
        for seed, name, read in under
    ]


def _by_frame(conclusion: Conclusion, measured: Measured) -> Json:
    """Mean and spread of a number over the frames, each with the weight that it has in the whole; in how many frames a
    rule about names holds."""
    values, holding, weights = [], [], []
    for frame, weight in enumerate(measured.weights()):
        ours, holds, _ = _judged(conclusion, measured.at(frame))
        if isinstance(ours, float | int):
            values.append(float(ours))
            weights.append(weight)
        if holds is not None:
            holding.append(holds)
    spread: Json = {"holds": holding}
    if values:
        mean = float(np.average(values, weights=weights))
        deviation = float(np.sqrt(np.average((np.array(values) - mean) ** 2, weights=weights)))
        spread |= {"mean": _rounded(mean), "standard_deviation": _rounded(deviation)}
        spread["values"] = [_rounded(value) for value in values]
    return spread


def _told(ours: Quantity | None) -> Any:
    if isinstance(ours, Mapping):
        return {name: _rounded(value) for name, value in sorted(ours.items(), key=lambda item: -item[1])}
    return _rounded(ours)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), DIGITS)
