"""From a machine's declarations to code: the dispatch, the looks at queues, the wires, the chains of hooks.

The text is made from declarations alone and is short; debuggers show it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from types import ModuleType
from typing import Any

from tilegpu.functional.errors import UserError

from ..engine.machine import SCOPES, Machine
from ..engine.technique import Technique
from ..engine.wiring import Target
from ..instruments import draw_costs
from .bounding import bounding
from .charging import charging
from .generated import define
from .policies import link_policies

RETURNS_NOTHING = "    pass"


class LinkError(UserError):
    """Declarations that do not fit together: a fault of the machine or of a technique, named in one line."""


def link(package: str, machine: Machine, techniques: Sequence[Technique], linked: ModuleType) -> None:
    """Make the code of a machine and connect its units, all of them modules of one copy of the engine.

    Parameters
    ----------
    package
        Name of the copy.
    machine
        The machine with the units of its techniques, from that copy.
    techniques
        In the order in which they are asked, instruments among them.
    linked
        Module `engine.linked` of the copy, which gets the functions `tick(gpu, frame, u, t)` and
        `look_at_queues(gpu, times)`, and with instruments those of `assembly.charging` and `assembly.bounding`.

    Raises
    ------
    LinkError
        If a wire leads nowhere, or is not connected.
    """
    jit = importlib.import_module(f"{package}.engine.jit")
    account = importlib.import_module(f"{package}.engine.account")
    linked.__dict__.update(
        inline=jit.inline, unit=jit.unit, look=account.look, NEVER=1 << 60,
        **{f"tick_{unit.name}": unit.tick for unit in machine.units},
    )  # fmt: skip
    instruments = [technique.name for technique in techniques if technique.package == "instruments"]
    costs = [line for name in instruments for line in charging(machine, name)]
    costs += bounding(machine) if draw_costs.NAME in instruments else ()
    asked = {f"reason_{unit.name}": unit.asks for unit in machine.units if unit.asks is not None}
    linked.__dict__.update(asked if draw_costs.NAME in instruments else {})
    lines = (*_dispatch(machine, techniques), *_looks(machine), *costs)
    define(linked, f"dispatch of {machine.name}", "\n".join(lines))
    _connect(package, machine, jit)
    link_policies(package, techniques)
    _chain(package, techniques, jit)


def _dispatch(machine: Machine, techniques: Sequence[Technique]) -> Iterator[str]:
    yield "@inline"
    yield "def tick(gpu, frame, u, t):"
    yield '    """Tick one unit; the cycle in which it next has something to do, as far as it knows."""'
    yield "    which = gpu.unit[u]"
    yield "    kind = which.kind"
    for kind, unit in enumerate(machine.units):
        adds = [technique for technique in techniques if unit in technique.units]
        own = _own_tables("frame", adds[0], techniques) if adds else "()"
        tables = [own if group == "own" else f"frame.{group}" for group in unit.tables]
        arguments = ", ".join(["gpu", *tables, *("which.a", "which.b")[: unit.dimensions], "t"])
        yield f"    if kind == {kind}:"
        yield f"        return tick_{unit.name}({arguments})"
    yield "    return NEVER"
    yield ""


def _own_tables(group: str, technique: Technique, techniques: Sequence[Technique]) -> str:
    """Source text of a technique's tables in a group of the frame: techniques that have tables are stored in order."""
    if technique.load is None:
        return "()"
    return f"{group}.extra[{[t.name for t in techniques if t.load is not None].index(technique.name)}]"


def _looks(machine: Machine) -> Iterator[str]:
    yield "@unit"
    yield "def look_at_queues(gpu, times):"
    yield '    """Add up how full the queues are, for some looks between which nothing happened."""'
    for unit, watch in machine.watched():
        indent, places = "    ", []
        if unit.scope:
            places.append("r")
            yield f"{indent}for r in range(gpu.raster_units):"
            indent += "    "
        shared = watch.queue.startswith(f"{unit.scope}.") if unit.scope else False
        if unit.most > 1 and not shared:
            places.append("i")
            yield f"{indent}for i in range(gpu.instances.{unit.name}):"
            indent += "    "
        owner = f"gpu.{unit.scope}[r]" if shared else unit.path(*places)
        entries, depth = (f"{owner}.{name.removeprefix(unit.scope + '.')}" for name in watch.fields)
        if watch.unless:
            yield f"{indent}if {owner}.{watch.unless} == 0:"
            indent += "    "
        number = machine.queues.index(watch.name)
        yield f"{indent}look(gpu.occupancy[{number}], {entries}, {depth}, times)"
    yield "    return"
    yield ""


def _connect(package: str, machine: Machine, jit: Any) -> None:
    """Put a function in the place of every wire that a unit's file declares."""
    wire_type = importlib.import_module(f"{package}.engine.wiring").Wire
    for full, target in machine.wires.items():
        module, name = find_wire(package, full)
        wire = getattr(module, name)
        problem = wire_problem(machine, wire, target)
        if problem:
            raise LinkError(f"machine {machine.name}: wire {full} {problem}")
        if callable(target):
            setattr(module, name, target)
            continue
        parameters = ", ".join(("gpu", *wire.parameters))
        text = f"@inline\ndef {name}({parameters}):\n    return {wire_path(machine, target, wire.parameters)}\n"
        wire_module = ModuleType(f"{package}.wire.{full}")
        wire_module.__dict__["inline"] = jit.inline
        define(wire_module, f"wire {full} of {machine.name}", text)
        setattr(module, name, getattr(wire_module, name))
    for unit in machine.units:
        module = importlib.import_module(unit.module)
        loose = [name for name, value in vars(module).items() if isinstance(value, wire_type)]
        if loose:
            raise LinkError(f"machine {machine.name}: {unit.name}.{loose[0]} is not connected")


def wire_problem(machine: Machine, wire: Any, target: Target) -> str:
    """Reason why a wire cannot lead to a target, or an empty string.

    Parameters
    ----------
    machine
        Whose units it joins.
    wire
        An `engine.wiring.Wire`, perhaps of another copy of the engine.
    target
        Where the machine leads it.
    """
    if callable(target):
        takes = len(signature(getattr(target, "py_func", target)).parameters) - 1
        passes = len(wire.parameters)
        return "" if takes == passes else f"passes {passes} values, not {takes}"
    leads_to = target_type(machine, target)
    unit = machine.by_name.get(target)
    bases = [] if unit is None else [base.__name__ for base in unit.record_class.__mro__]
    if wire.gives in (leads_to, f"{leads_to.partition('[')[0]}[Any]", *bases):
        return ""
    return f"leads to {target}, a {leads_to}, and not to {wire.gives}"


def target_type(machine: Machine, target: str) -> str:
    """Source text of the type that a wire leads to."""
    head, _, name = target.partition(".")
    if head in SCOPES:
        kinds = [unit.shared for unit in machine.units if unit.scope == head and unit.shared]
    elif head in machine.by_name:
        kinds = [machine.by_name[head].record_class]
    else:
        raise LinkError(f"machine {machine.name}: a wire leads to {target}, and there is no {head}")
    if not name:
        return str(kinds[0].__name__)
    bases = [base for kind in kinds for base in reversed(kind.__mro__)]
    types = {field: text for base in bases for field, text in vars(base).get("__annotations__", {}).items()}
    if name not in types:
        raise LinkError(f"machine {machine.name}: a wire leads to {target}, and {head} has no {name}")
    return str(types[name])


def find_wire(package: str, full: str) -> tuple[ModuleType, str]:
    """File and name of a wire, which is named by both: `tile_fetcher.tile_queue`."""
    file, _, name = full.partition(".")
    for part in ("units", "agents", "techniques"):
        try:
            module = importlib.import_module(f"{package}.{part}.{file}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{part}.{file}":
                raise
            continue
        if hasattr(module, name):
            return module, name
    raise LinkError(f"there is no wire {full}")


def wire_path(machine: Machine, target: str, parameters: Sequence[str]) -> str:
    """Source text for what a wire leads to."""
    head, dot, rest = target.partition(".")
    scope = f"gpu.{head}[{(*parameters, '0')[0]}]"
    return (scope if head in SCOPES else machine.by_name[head].path(*parameters)) + dot + rest


def _chain(package: str, techniques: Sequence[Technique], jit: Any) -> None:
    """Put chains of the techniques' functions in the place of the hooks that do nothing."""
    hooks = importlib.import_module(f"{package}.engine.hooks")
    for hook, (kind, piped, declared_in) in hooks.HOOKS.items():
        declaring = importlib.import_module(declared_in)
        baseline = getattr(declaring, hook)
        parameters = list(signature(getattr(baseline, "py_func", baseline)).parameters)
        group = next((name for name in parameters if name in GROUPS), "")
        filled: list[tuple[str, Technique, Callable[..., Any]]] = []
        for technique in techniques:
            function = _filling(package, technique, hook)
            if function is not None:
                takes = [parameters[0], *(["own"] if group else []), *parameters[1:]]
                _check_hook(technique, hook, takes, function)
                filled.append((_own_tables(group, technique, techniques) if group else "", technique, function))
        if not filled:
            continue
        hook_module = ModuleType(f"{package}.hook.{hook}")
        hook_module.__dict__.update(
            inline=jit.inline, **{f"of_{technique.name}": call for _, technique, call in filled}
        )
        define(hook_module, f"hook {hook}", "\n".join(_chain_text(hook, kind, piped, parameters, filled)) + "\n")
        setattr(declaring, hook, getattr(hook_module, hook))


def _filling(package: str, technique: Technique, hook: str) -> Callable[..., Any] | None:
    """Function with which a technique fills a hook, of its own module or of the one it has in common with others."""
    module = importlib.import_module(f"{package}.{technique.module}")
    if hasattr(module, hook) or not technique.common:
        return getattr(module, hook, None)
    return getattr(importlib.import_module(f"{package}.{technique.package}.{technique.common}"), hook, None)


def _check_hook(technique: Technique, hook: str, takes: list[str], function: Any) -> None:
    """LinkError where a technique's function has not as many parameters as the hook passes values."""
    has = list(signature(getattr(function, "py_func", function)).parameters)
    if len(has) != len(takes):
        raise LinkError(f"technique {technique.name}: {hook} takes ({', '.join(takes)}), not ({', '.join(has)})")


GROUPS = ("commands", "vertices", "binning", "tiling", "depth", "shading", "texturing")


def _chain_text(hook: str, kind: str, piped: str, parameters: list[str], filled: Sequence[Any]) -> Iterator[str]:
    yield "@inline"
    yield f"def {hook}({', '.join(parameters)}):"
    for number, (own, technique, _) in enumerate(filled):
        call = f"of_{technique.name}({', '.join([parameters[0], *filter(None, [own]), *parameters[1:]])})"
        if kind == "tell":
            yield f"    {call}"
        elif kind == "pipe":
            yield f"    {piped} = {call}" if number == 0 else f"    {piped} = {call} if {piped} >= 0 else {piped}"
        else:
            yield f"    decision = {call}" if number == 0 else f"    if decision == 0:\n        decision = {call}"
    yield {"tell": RETURNS_NOTHING, "pipe": f"    return {piped}", "decide": "    return decision"}[kind]
