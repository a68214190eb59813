"""Object code of programs: a function with all that it calls, and an entry that takes its arguments."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite import binding, ir

from .functions import Functions, ProgramError
from .kinds import BIT, BOOL, BYTE, FLOAT, INT, NOTHING, POINTER, UNSIGNED, WORD, Kind, Tables, Tuple
from .machine_code import target_machine
from .memory import Memory
from .native import NO_MEMORY
from .values import Value

OPTIMIZATION, QUICK_OPTIMIZATION = 3, 1
QUICK = "TILEGPU_QUICK_COMPILE"
"""Environment variable with which programs of units take a fifth of the time to compile, and run a fifth more slowly:
for many that run little."""
ENTRY = "entry"
_CODES: dict[Kind, str] = {NOTHING: "", BOOL: "b", INT: "i", UNSIGNED: "u", FLOAT: "f"}
"""Letters for kinds of results; the file of a program begins with them, those of a tuple in parentheses, and a line
feed."""


class Options(NamedTuple):
    """Ways to compile a program: with vectors of long loops; as a function of integers that others call by address."""

    loops: bool
    by_address: bool

    @property
    def quick(self) -> bool:
        """Whether compiling has to be quick."""
        return bool(os.environ.get(QUICK)) and not self.loops


def compiled(function: Callable[..., Any], kind: Tables, options: Options) -> bytes:
    """Content of a program's file: letters for the kind of its result, and object code.

    Parameters
    ----------
    function
        That Python calls.
    kind
        Of its arguments together.
    options
        Ways to compile it.

    Raises
    ------
    ProgramError
        If a part says something that programs do not have.
    """
    machine = target_machine(QUICK_OPTIMIZATION if options.quick else OPTIMIZATION)
    module = ir.Module(function.__name__)
    module.triple, module.data_layout = binding.get_default_triple(), str(machine.target_data)
    letters = _entry_by_address(module, function, kind) if options.by_address else _entry(module, function, kind)
    parsed = binding.parse_assembly(str(module))
    _optimize(parsed, machine, options)
    code: bytes = machine.emit_object(parsed)
    return letters.encode() + b"\n" + code


def _optimize(module: Any, machine: Any, options: Options) -> None:
    # Loops of units run a few times: vectors of them, or copies, only cost time.
    tuning = binding.create_pipeline_tuning_options(OPTIMIZATION)
    tuning.slp_vectorization = False
    tuning.loop_unrolling = tuning.loop_vectorization = tuning.loop_interleaving = options.loops
    builder = binding.create_pass_builder(machine, tuning)
    passes = _quick_passes() if options.quick else builder.getModulePassManager()
    passes.run(module, builder)


def _quick_passes() -> Any:
    """Each function is simplified, becomes part of its callers where it must, and these are simplified once more."""
    passes = binding.create_new_module_pass_manager()
    for inlines in (True, False):
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        if inlines:
            passes.add_always_inliner_pass()
    passes.add_simplify_cfg_pass()
    return passes


def _letters(function: Callable[..., Any], result: Kind) -> str:
    if isinstance(result, Tuple):
        return f"({''.join(_letters(function, member) for member in result.members)})"
    if result not in _CODES:
        raise ProgramError(f"{function.__name__} returns a {result.name}, and Python takes only numbers")
    return _CODES[result]


def _entry(module: ir.Module, function: Callable[..., Any], kind: Tables) -> str:
    """Add the function, and one that calls it with arguments from a block, puts the result elsewhere and returns
    whether it failed; letters for the kind of the result."""
    inner = Functions(module).translated(function, kind.members)
    letters = _letters(function, inner.result)
    entry = ir.Function(module, ir.FunctionType(BIT, [POINTER, POINTER]), ENTRY)
    entry.return_value.add_attribute("zeroext")
    memory = Memory(ir.IRBuilder(entry.append_basic_block()))
    b, block = memory.builder, Value(kind, entry.args[0])
    returned = b.call(inner.function, [memory.table(block, k).ir for k in range(len(kind.members))])
    failed = b.extract_value(returned, 0) if inner.fails else ir.Constant(BIT, 0)
    if inner.result is not NOTHING:
        value = Value(inner.result, b.extract_value(returned, 1) if inner.fails else returned)
        for k, member in enumerate(_members(memory, value)):
            place = b.gep(entry.args[1], [ir.Constant(WORD, 8 * k)], source_etype=BYTE)
            b.store(member.ir if member.kind is FLOAT else memory.convert(member, INT).ir, place)
    b.ret(failed)
    return letters


def _members(memory: Memory, value: Value) -> list[Value]:
    if not isinstance(value.kind, Tuple):
        return [value]
    return [memory.member(value, k) for k in range(len(value.kind.members))]


def _entry_by_address(module: ir.Module, function: Callable[..., Any], kind: Tables) -> str:
    """Add the function, and one that calls it with integers and returns its result or `NO_MEMORY`."""
    inner = Functions(module).translated(function, kind.members)
    entry = ir.Function(module, ir.FunctionType(WORD, [WORD] * len(kind.members)), ENTRY)
    memory = Memory(ir.IRBuilder(entry.append_basic_block()))
    b = memory.builder
    returned = b.call(inner.function, list(entry.args))
    value = Value(inner.result, b.extract_value(returned, 1) if inner.fails else returned)
    result = memory.convert(value, INT).ir
    if inner.fails:
        result = b.select(b.extract_value(returned, 0), ir.Constant(WORD, NO_MEMORY), result)
    b.ret(result)
    return "i"
