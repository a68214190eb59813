"""The runs that several configurations and settings with several values make."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..config.fields import field_value, full_name, is_used, short_names
from ..config.load import ConfigurationError, load_configuration, unused_sections
from ..config.schema import Configuration

MAX_RUNS = 10_000
Value = str | int | float | bool


@dataclass(frozen=True)
class Run:
    """One run.

    Parameters
    ----------
    name
        Names the run and its folder: the configuration where there are several or nothing else varies, and each setting
        that varies, by the shortest name that no other field has.
    configuration
        Hardware, resolved.
    varied
        Values of what varies between runs, numbers as numbers: `config` where there are several, and dotted names of
        fields.
    """

    name: str
    configuration: Configuration
    varied: dict[str, Value]


def plan(configurations: Sequence[str], settings: Sequence[str] = ()) -> list[Run]:
    """Every configuration with every combination of the settings' values, the last setting changing fastest.

    Parameters
    ----------
    configurations
        Presets or TOML files.
    settings
        `field=value` or `field=value,value,...`; names of techniques are joined by `+`, `none` is the baseline.

    Raises
    ------
    ConfigurationError
        If one of them makes no sense, or two runs would be the same.
    """
    values = [_values(setting) for setting in settings]
    names = [name for name, _ in values]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ConfigurationError(f"{twice} is set twice: give all of its values at once, {twice}=value,value")
    count = len(configurations)
    for _, given in values:
        count *= len(given)
    if count > MAX_RUNS:
        raise ConfigurationError(f"{count} runs are more than {MAX_RUNS}")
    short = short_names([name for name, given in values if len(given) > 1])
    runs: list[Run] = []
    for configuration in configurations:
        for chosen in itertools.product(*(given for _, given in values)):
            pairs = list(zip(names, chosen, strict=True))
            varied = {n: v for (n, v), (_, given) in zip(pairs, values, strict=True) if len(given) > 1}
            label = Path(configuration).stem if configuration.endswith(".toml") else configuration
            parts = [label] * (len(configurations) > 1 or not varied) + [f"{short[n]}={v}" for n, v in varied.items()]
            written = zip((setting.partition("=")[0].strip() for setting in settings), chosen, strict=True)
            resolved = load_configuration(configuration, [f"{n}={v}" for n, v in written])
            typed = {n: _typed(field_value(resolved, n), v) for n, v in varied.items()}
            shown = ({"config": label} if len(configurations) > 1 else {}) | typed
            runs.append(Run(",".join(parts), resolved, shown))
    run_names = [run.name for run in runs]
    for name in run_names:
        if len(runs) > 1 and ("/" in name or "\\" in name or name.startswith(".")):
            raise ConfigurationError(f"a run would be called {name}, which cannot name its folder")
    if len(set(run_names)) < len(runs):
        twice = next(name for name in run_names if run_names.count(name) > 1)
        raise ConfigurationError(f"two runs would be called {twice}; name configurations and values apart")
    return runs


def unused_settings(runs: Sequence[Run], settings: Sequence[str]) -> list[str]:
    """A line for each setting that some configuration does not use."""
    lines = []
    for full in (_values(setting)[0] for setting in settings):
        without = dict.fromkeys(r.configuration.name for r in runs if not is_used(r.configuration, full))
        if without:
            lines.append(f"{full} has no effect: {', '.join(without)} does not use it")
    return lines


def unused_sections_of(runs: Sequence[Run], configurations: Sequence[str]) -> list[str]:
    """A line for each section of a file that some run does not use; `runs` are those that `plan` made of the files."""
    each = len(runs) // len(configurations)
    lines = (unused_sections(configurations[i // each], run.configuration) for i, run in enumerate(runs))
    return list(dict.fromkeys(line for of_run in lines for line in of_run))


def _typed(value: object, text: str) -> Value:
    """A field's value as a table has it; what is no number as it was written."""
    return value if isinstance(value, int | float) else text


def _values(setting: str) -> tuple[str, list[str]]:
    name, sign, text = setting.partition("=")
    if not sign or not name.strip():
        raise ConfigurationError(f"{setting}: expected field=value")
    given = [part.strip() for part in text.split(",")]
    if not all(given):
        raise ConfigurationError(f"{setting}: a value is empty")
    return full_name(name.strip()), given
