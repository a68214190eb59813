"""Pages of the hardware configuration: an index of all fields, and a page per machine and for the techniques."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tilegpu import timing
from tilegpu.timing import load_configuration
from tilegpu.timing.config.choices import allowed, meaning
from tilegpu.timing.config.fields import field_value, fields, group_fields, is_used
from tilegpu.timing.config.policies import named_by, policy_names
from tilegpu.timing.declare.statistics import Stat
from tilegpu.timing.memory.dram import policies as memory_policies
from tilegpu.timing.registry import find_machine, find_technique, machine_names, sources, technique_names
from tilegpu.timing.results.arm.names import arm_names
from tilegpu.timing.results.statistics import statistics

PRESETS = {
    "tile_based": "ptr-2022",
    "immediate": "imr-2018",
    "programmable_blending": "dae-2012-baseline",
    "simt": "emerald-case1",
    "unified": "mali-g52-mc1",
}
"""Preset by machine whose values its page shows."""


def own_names(part: str, names: list[str]) -> list[str]:
    """Those of some machines, techniques or policies that come with the package."""
    package = Path(str(timing.__file__)).parent
    return [name for name in names if package in sources(part, name).parents]


def index_page() -> str:
    """Page of the configuration, as Markdown: use, fields of each machine, and their values."""
    machines = {name: _configuration(name) for name in own_names("machines", machine_names())}
    lines = [
        "# Hardware configuration and statistics\n",
        "A configuration is a preset (`tilegpu configs` lists them), or a TOML file with what differs from one:\n",
        '```toml\nbase = "re-2019"   # ptr-2022 without this line\n\n[texture_cache]\nsize_bytes = 16384\n```\n',
        "`tilegpu configs NAME` prints a whole one, `--against NAME` what differs. `--set section.field=value` changes",
        "one field; the name alone is enough where one section has it; several values make a run each; several",
        "techniques of one run are joined by `+`; sizes may end in KiB, MiB or GiB. A field that the machine does not",
        "use warns.\n",
        "`tilegpu configs --schema > tilegpu.schema.json` writes a JSON schema, with which editors complete, explain",
        "and check such files: with taplo or Even Better TOML, a file's first line is",
        "`#:schema ./tilegpu.schema.json`.\n",
        "A page per machine has its fields in full, with unit, source and meaning, and its statistics:\n",
        *(f"- [{name}](configuration/{name}.md): {find_machine(name).title}" for name in machines),
        "- [techniques](configuration/techniques.md): fields and statistics of each\n",
        "# All fields\n",
        "| field | unit | values | machines |",
        "| --- | --- | --- | --- |",
    ]
    policies = policy_names()
    for name, field in fields():
        having = [machine for machine, c in machines.items() if is_used(c, name)]
        used = "all" if len(having) == len(machines) else ", ".join(having)
        section = name.partition(".")[0]
        used = f"with {named_by(section)} {section}" if section in policies else used
        lines.append(f"| {name} | {_unit(field)} | {_allowed(name, field)} | {used} |")
    return "\n".join(lines) + "\n"


def machine_page(name: str) -> str:
    """Fields and statistics of a machine, as Markdown."""
    preset = PRESETS[name]
    configuration = load_configuration(preset)
    machine = load_configuration("ptr-2022", [f"machine={name}"])
    lines = [
        f"# Machine {name}\n",
        f'`machine = "{name}"`: {find_machine(name).title}. Values are those of the preset `{preset}`. "Papers silent"',
        "marks what no paper gives, with what hardware may plausibly have in brackets.",
        "[All machines](../configuration.md)\n",
        f"| field | unit | {preset} | values | meaning and source |",
        "| --- | --- | --- | --- | --- |",
    ]
    policies = policy_names()
    for full, field in fields():
        if is_used(configuration, full) or (name == "tile_based" and full.partition(".")[0] in policies):
            value = field_value(configuration, full)
            shown = "+".join(value) or "none" if isinstance(value, tuple) else value
            values = _allowed(full, field).replace("](", "](../")
            lines.append(f"| {full} | {_unit(field)} | {shown} | {values} | {meaning(field)} |")
    lines += [
        "\n# Statistics\n",
        "Written per frame to `stats.parquet` and `stats.json`. The last column names Arm's counter that a",
        "figure equals, or may be compared with; `replay --counters arm` writes [all of them](../arm_counters.md).\n",
        "| statistic | unit | meaning | derived as | Arm |",
        "| --- | --- | --- | --- | --- |",
        *(_row(stat, arm_names(machine)) for stat in statistics(machine)),
    ]
    if name == "tile_based":
        lines += ["\n# Statistics of scheduling policies\n", "Present where `dram.scheduling` is the policy.\n"]
        lines += ["| statistic | unit | meaning | derived as | Arm |", "| --- | --- | --- | --- | --- |"]
        own = own_names("policies", memory_policies.policy_names())
        lines += [_row(stat, {}) for policy in own for stat in memory_policies.find_policy(policy).statistics]
    return "\n".join(lines) + "\n"


def techniques_page() -> str:
    """Fields and statistics of each technique, as Markdown."""
    return "\n".join(["# Techniques\n", "[What they are](../techniques.md).", *_techniques()]) + "\n"


def _techniques() -> Iterator[str]:
    for name in own_names("techniques", technique_names()):
        technique = find_technique(name)
        yield f"\n## {technique.title}\n"
        yield f"`--set techniques={name}`. Fields, and statistics in addition to the machine's:\n"
        yield "| field or statistic | unit | default or formula | values | meaning |"
        yield "| --- | --- | --- | --- | --- |"
        for full, field in group_fields(technique.parameters, f"technique.{name}."):
            values = _allowed(full, field)
            yield f"| {full} | {_unit(field)} | {field.default} | {values} | {meaning(field)} |"
        for stat in (*technique.statistics, *(stat for unit in technique.units for stat in unit.statistics)):
            yield f"| {stat.name} | {stat.unit} | {stat.formula} | | {stat.description} |"


def _row(stat: Stat, public: Mapping[str, str]) -> str:
    return f"| {stat.name} | {stat.unit} | {stat.description} | {stat.formula} | {public.get(stat.name, '')} |"


def _configuration(machine: str) -> Any:
    return load_configuration("ptr-2022", [f"machine={machine}"])


def _unit(field: Any) -> str:
    return str((field.json_schema_extra or {}).get("unit", ""))


def _allowed(full: str, field: Any) -> str:
    if full == "fragment_stage.quad_mapping":
        return "[quad mappings](model/quad_mappings.md)"
    if full == "machine":
        return ", ".join(own_names("machines", machine_names()))
    if full == "dram.scheduling":
        return ", ".join(("specification", *own_names("policies", memory_policies.policy_names())))
    if full == "techniques":
        return ", ".join(own_names("techniques", technique_names()))
    return allowed(full, field)
