"""A study's page in docs/studies: what it found on three screens, then everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .captured_tables import captured_table, figures_table
from .catalogue import find_study
from .declare import Study
from .outcome import Json, configuration_hash
from .set_values import set_table
from .stored import judged_outcome
from .summary import pairs, rows
from .text import HOLDS, UNDECIDED, interval, means, quantity, ratio, summary, verdict

GROUPS = {
    "holds": "hold",
    "does not hold": "do not hold",
    "undecided": "are undecided: the interval over frames crosses the rule's bound",
    "not measured": "are not measured",
    "not decidable": "nothing in the text decides; they are not counted",
    "not measurable": "cannot be measured; they are not counted",
}
"""Titles of the groups of conclusions, by verdict, behind "Conclusions that"."""


MOST_CHARACTERS = 240
"""Of an explanation that a study measures, on the page."""


def study_page(name: str) -> str:
    """The page on one study, as Markdown."""
    return "\n".join(_study(find_study(name))).rstrip() + "\n"


def _study(study: Study) -> Iterator[str]:
    yield f"# {study.name}: {study.title}\n"
    yield f"Source: {study.source}. `tilegpu study {study.name} -o DIR`; [what rules mean](../studies.md#rules)\n"
    outcome = judged_outcome(study)
    if outcome is None:
        yield "Its outcome in full is not in this version yet; `--quick` gives a first one.\n"
        return
    kind = "twins" if any(":" not in name for name in study.workloads) else "captures"
    yield f"{len(outcome['workloads'])} {kind}, {_frames(outcome['frames'])}; {summary(outcome)}.{_nearness(outcome)}\n"
    if changed := changed_machines(study, outcome):
        yield (
            f"**Measured with an earlier version**: {len(changed)} of {len(study.machines())} machines have other "
            f"fields now. `tilegpu study {study.name} -o DIR` gives today's figures.\n"
        )
    if study.picture:
        yield f"![{study.title}](../{study.picture})\n"
    yield from _headlines(study, outcome)
    yield from _baseline(outcome)
    if captured := captured_table(study=study.name):
        yield f"## On captured applications\n\n{captured}"
    yield from _causes(study, outcome, whole=False)
    if study.conclusions:
        yield "---\n"
        yield from _conclusions(study, outcome)
        yield from _causes(study, outcome, whole=True)
        yield from _undecidable(outcome)
        yield from _assumptions(study)
        yield from _readings(study, outcome)
        yield from _tables(outcome)
        yield from _corrected(outcome)
    else:
        yield from _figures(outcome)
    yield from set_table([name for name in study.workloads if ":" not in name])


def _figures(outcome: Json) -> Iterator[str]:
    """Tables of the figures of a study that concludes nothing; those of means are one."""
    several = [figure for figure in outcome["figures"] if figure["drawn"] == "means"]
    if several:
        yield from _means_table(several)
    for figure in outcome["figures"]:
        if figure not in several:
            yield f"## {figure['title']}\n"
            yield f"In parts {figure['unit']}.\n"
            yield from figures_table([figure])
            yield ""


def _means_table(figures: Sequence[Json]) -> Iterator[str]:
    """Lines of a table of means: a row for each series, a column for each figure."""
    columns = [dict(zip(figure["series"], means(figure), strict=True)) for figure in figures]
    units = {figure["unit"] for figure in figures}
    same = len(units) == 1
    titles = [figure["title"] if same else f"{figure['title']}, {figure['unit']}" for figure in figures]
    yield f"Means of the workloads{f', in parts {units.pop()}' if same else ''}.\n"
    yield f"| | {' | '.join(titles)} |"
    yield "| --- |" + " --- |" * len(figures)
    for name in dict.fromkeys(name for column in columns for name in column):
        yield f"| {name} | {' | '.join(quantity(column.get(name)) for column in columns)} |"
    yield ""


def _nearness(outcome: Json) -> str:
    """Distance of our numbers from the paper's, if there are some."""
    some = pairs(outcome)
    if not some:
        return ""
    (*_, whole) = rows([outcome])
    return (
        f" Of {whole.count} numbers {whole.within[1]} are within 25 % of the paper's, {whole.within[3]} within twice."
    )


def changed_machines(study: Study, outcome: Json) -> list[str]:
    """Machines whose fields are others than when a study was measured."""
    fields = outcome.get("fields")
    now = {name: configuration_hash(machine, fields) for name, machine in study.machines().items()}
    return [name for name, value in outcome["configurations"].items() if now.get(name, value) != value]


def _frames(frames: Json) -> str:
    """Frames that were counted."""
    before, first = frames.get("before", 0), len(frames["warm_up"])
    counted = f"{len(frames['counted'])} frames counted"
    if own := frames.get("moments"):
        return ", ".join(f"{count:,} frames of {name}" for name, count in own.items()) + " counted"
    if slow := frames.get("slow"):
        counted += f" (every other one of {', '.join(slow)})"
    return f"{counted}, each after {before} that warm up" if before else f"{counted} after {first}"


def _headlines(study: Study, outcome: Json) -> Iterator[str]:
    some = [c for c in outcome["conclusions"] if c["id"] in study.headlines]
    if some:
        yield "## What the paper says first\n"
        yield from conclusions_table(study, some)
        yield from _seeds(study, outcome)


def _seeds(study: Study, outcome: Json) -> Iterator[str]:
    """The range of the headlines over scenes of other seeds, and whether one of them judges otherwise."""
    other_seeds = [row["conclusions"] for row in outcome.get("readings") or [] if row.get("seed")]
    usual = [row["conclusions"] for row in (outcome.get("readings") or [])[:1]]
    parts = []
    for name in study.headlines:
        cells = [row[name] for row in (*usual, *other_seeds) if name in row and row[name]["ours"] is not None]
        values = [cell["ours"] for cell in cells]
        if len(cells) > 1 and not any(isinstance(value, dict) for value in values):
            same = len({cell["holds"] for cell in cells}) == 1
            range_of = f"`{name}` {quantity(min(values))} to {quantity(max(values))}"
            parts.append(range_of + ("" if same else ", **with another verdict**"))
    if parts:
        seeds = f"Over {1 + len(other_seeds)} seeds of {', '.join(study.readings.workloads)}, every other frame"
        note = "Verdicts are the same where nothing is said; tables are solved for the first seed."
        yield f"{seeds}: {'; '.join(parts)}. {note}\n"


def _baseline(outcome: Json) -> Iterator[str]:
    baseline = outcome.get("baseline") or []
    if baseline:
        yield "## The baseline beside the paper's\n"
        yield "| | place | paper | ours |"
        yield "| --- | --- | --- | --- |"
        for row in baseline:
            ours = quantity(row["ours"]) if row["ours"] is not None else "not in this version yet"
            yield f"| {row['what']} | {row['place']} | {quantity(row['paper'])} {row['unit']} | {ours} |"
        yield ""


def _causes(study: Study, outcome: Json, whole: bool) -> Iterator[str]:
    """Causes for which conclusions do not hold: a line each; `whole`: with what was measured."""
    failed = {c["id"]: c for c in outcome["conclusions"] if verdict(c) == HOLDS[False]}
    failures = [(cause, [name for name in cause.conclusions if name in failed]) for cause in study.causes]
    rest = [name for name in failed if study.cause(name) is None]
    if not failed or (whole and not any(cause.more for cause, some in failures if some)):
        return
    yield "## Why, with what was measured\n" if whole else "## What does not hold, and why\n"
    for cause, some in failures:
        if some and (cause.more or not whole):
            yield f"- {_ids(some)}: {cause.line}.{' ' + cause.more if whole else ''}"
    if not whole:
        yield from (f"- {_ids([name])}: {_shortened(failed[name]['explanation'])}." for name in rest)
    yield ""


def _shortened(explanation: str) -> str:
    """The first parts of what a study measured to explain a conclusion."""
    if not explanation:
        return "see the figures of its report"
    parts = explanation.split("; ")
    shortened = parts[0]
    for part in parts[1:]:
        if len(shortened) + len(part) > MOST_CHARACTERS:
            break
        shortened += f"; {part}"
    return shortened if len(shortened) <= MOST_CHARACTERS else shortened[:MOST_CHARACTERS].rsplit(" ", 1)[0] + " …"


def _ids(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _conclusions(study: Study, outcome: Json) -> Iterator[str]:
    for word, title in GROUPS.items():
        some = [c for c in outcome["conclusions"] if verdict(c) == word]
        if some:
            yield f"## Conclusions that {title}\n"
            yield from conclusions_table(study, some, verdicts=False)


def conclusions_table(study: Study, conclusions: Iterable[Json], verdicts: bool = True) -> Iterator[str]:
    """Lines of a table of conclusions: the paper's number, ours, and by what ours is more; the second column where it
    was run.

    Parameters
    ----------
    study, conclusions
        The study, and those of its outcome.
    verdicts
        Whether the verdict follows our number; not where all are the same.
    """
    conclusions = list(conclusions)
    ran = any((c.get("beside") or {}).get("ours") is not None for c in conclusions)
    beside = study.beside if ran else None
    second = f"{beside.title} (bold: holds) | " if beside else ""
    yield f"| conclusion | paper | ours | ours / paper | {second}rule |"
    yield "| --- | --- | --- | --- | --- |" + (" --- |" if beside else "")
    for c in conclusions:
        ours = f"{quantity(c['ours'], c['rule'])}{interval(c)} {c['unit']}".strip()
        if c.get("bound") is not None:
            ours += f"; at most {quantity(c['bound'])} on these workloads"
        ours += f": {verdict(c)}" if verdicts else ""
        cells = [f"{c['text']} (`{c['id']}`{_notes(c)})", quantity(c["paper"]), ours, ratio(c)]
        if beside:
            cells.append(_under(c.get("beside") or {}, c["rule"]))
        yield f"| {' | '.join(cells)} | {c['rule']} |"
    yield ""


def _notes(conclusion: Json) -> str:
    """Its standing where it is no prediction, and the constants that its number hangs on, by their last names."""
    constants = (name.rpartition(".")[2] for name in conclusion.get("assumes", ()))
    notes = [conclusion.get("standing", ""), *(f"by `{name}`" for name in constants)]
    return "".join(f", {note}" for note in notes if note)


def _undecidable(outcome: Json) -> Iterator[str]:
    by_reason: dict[tuple[str, str], list[str]] = {}
    for c in outcome["conclusions"]:
        if undecidable := c.get("undecidable"):
            by_reason.setdefault((undecidable["proof"], undecidable["why"]), []).append(c["id"])
    if by_reason:
        yield "## Why the text cannot decide\n"
        yield from (f"- {_ids(names)} ({proof}): {why}" for (proof, why), names in by_reason.items())
        yield ""


def _assumptions(study: Study) -> Iterator[str]:
    """Constants that nobody publishes, and what hangs on each."""
    if study.assumptions:
        yield "## Numbers that hang on one constant that nobody publishes\n"
        for each in study.assumptions:
            figures = f"; Fig. {'; '.join(each.figures)}" if each.figures else ""
            yield f"- `{each.constant}` ({_ids(each.conclusions)}{figures}): {each.why}"
        yield ""


def _readings(study: Study, outcome: Json) -> Iterator[str]:
    readings = outcome.get("readings") or []
    if not readings:
        return
    names = list(readings[0]["conclusions"])
    yield "## Readings of the text\n"
    yield (
        f"What the texts leave open is a field ({study.readings.page}); here are headline conclusions under each "
        f"reading, on {', '.join(study.readings.workloads)} and every other frame. Bold: holds.\n"
    )
    yield f"| reading | {' | '.join(f'`{name}`' for name in names)} |"
    yield "| --- |" + " --- |" * len(names)
    for row in readings:
        cells = [_under(row["conclusions"][name], row["conclusions"][name]["rule"]) for name in names]
        yield f"| {row['reading']} | {' | '.join(cells)} |"
    yield ""


def _tables(outcome: Json) -> Iterator[str]:
    """Figures that are tables; rows with the greatest value of the series that is marked are bold."""
    for figure in outcome["figures"]:
        if figure["drawn"] != "table" or not figure["series"]:
            continue
        yield f"## {figure['title']}\n"
        yield f"{figure['unit']}\n"
        yield f"| | {' | '.join(figure['series'])} |"
        yield "| --- |" + " --- |" * len(figure["series"])
        marked = figure["series"][figure["marked"]]
        greatest = max(value for value in marked if value is not None)
        for place, name in enumerate(figure["workloads"]):
            row = f"**{name}**" if marked[place] == greatest else name
            cells = (quantity(values[place]) for values in figure["series"].values())
            yield f"| {row} | {' | '.join(cells)} |"
        yield ""


def _under(cell: Json, rule: str) -> str:
    ours = cell.get("ours")
    if ours is None:
        return "–"
    value = quantity(ours, rule)
    value = f"**{value}**" if verdict(cell) == HOLDS[True] else value
    return value + interval(cell) + (f", {UNDECIDED}" if verdict(cell) == UNDECIDED else "")


def _corrected(outcome: Json) -> Iterator[str]:
    corrected = [c for c in outcome["conclusions"] if c.get("corrected")]
    if not corrected:
        return
    yield "## Rules that misread the text\n"
    yield "| conclusion | the text | rule before | rule now |"
    yield "| --- | --- | --- | --- |"
    for c in corrected:
        yield f"| `{c['id']}` | {c['corrected']['sentence']} | {c['corrected']['before']} | {c['rule']} |"
    yield ""
