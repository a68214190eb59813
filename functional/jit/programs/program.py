"""Programs: Python calls one function, which is compiled with all that it calls, once, and kept on disk."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding, ir

from ...garbage import seldom_collected
from ..addresses import address
from ..disk_cache import only_one
from ..machine_code import Code, compiler_key, target_machine
from ..stored_files import StoredFiles
from .arguments import block_of, described, kind_of
from .functions import Functions, ProgramError
from .kinds import BOOL, BYTE, FLOAT, INT, NOTHING, POINTER, WORD, Kind, Tables, Tuple, size_of
from .memory import Memory
from .values import Value

OPTIMIZATION = 3
QUICK = "TILEGPU_QUICK_COMPILE"
"""Environment variable with which programs take a fifth of the time to compile, and run a fifth more slowly: for many
that run little."""
ENTRY = "entry"
SUFFIX = ".o"
_CODES: dict[Kind, str] = {NOTHING: "", BOOL: "b", INT: "i", FLOAT: "f"}
"""Letters for kinds of results; the file of a program begins with them, those of a tuple in parentheses, and a line
feed."""


class Program:
    """A function that Python calls, compiled for the kinds of its arguments when they are first passed.

    The arrays and records that it is given must outlive the call; its tuples are constant meanwhile, and the arrays in
    them stay where they are. The interpreter is free for other threads.

    Parameters
    ----------
    function
        As that of a `Part`.
    folder
        For what was compiled; its name says everything that the code depends on but LLVM and the processor.
    """

    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        self.py_func, self.__doc__ = function, function.__doc__
        self.__name__, self.__module__ = function.__name__, function.__module__
        self._folder = Path(folder)
        self._loaded: dict[Tables, _Loaded] = {}

    def __call__(self, *arguments: Any) -> Any:
        """Run it."""
        kind: Any = kind_of(arguments)
        if kind not in self._loaded:
            self._loaded[kind] = self._load(kind)
        return self._loaded[kind](arguments)

    @property
    def variants(self) -> int:
        """Number of compilations, for different kinds of arguments."""
        return len(self._loaded)

    def _load(self, kind: Tables) -> _Loaded:
        files = StoredFiles(self._folder.name, SUFFIX, [], compiler_key() + " quick" * _is_quick())
        key = [self.py_func.__module__, self.py_func.__qualname__, described(kind)]
        stored = files.read(key)
        if stored is None:
            # Others that want the same wait, and load it.
            with only_one(self._folder, self.py_func.__qualname__):
                stored = files.read(key)
                if stored is None:
                    with seldom_collected():
                        stored = compiled(self.py_func, kind)
                    files.write(key, stored)
        return _Loaded(stored, kind)


class _Loaded:
    """Machine code for arguments of some kinds."""

    def __init__(self, stored: bytes, kind: Tables) -> None:
        result, code = stored.split(b"\n", 1)
        self._result, self._kind = result.decode(), kind
        self._code = Code(code, [ENTRY])
        self._call: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._code.address[ENTRY])

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        letters = self._result.strip("()")
        block = block_of(arguments, self._kind, len(letters))
        self._call(address(block))
        words = block[len(block) - len(letters) :]
        values = [_number(letter, words[k : k + 1]) for k, letter in enumerate(letters)]
        if letters == self._result:
            return values[0] if values else None
        return tuple(values)


def _number(letter: str, word: np.ndarray[Any, np.dtype[np.int64]]) -> float:
    if letter == "f":
        return float(word.view(np.float64)[0])
    return bool(word[0]) if letter == "b" else int(word[0])


def compiled(function: Callable[..., Any], kind: Tables) -> bytes:
    """Content of a program's file: letters for the kind of its result, and object code.

    Parameters
    ----------
    function
        That Python calls.
    kind
        Of its arguments together.

    Raises
    ------
    ProgramError
        If a part says something that programs do not have.
    """
    machine = target_machine(OPTIMIZATION)
    module = ir.Module(function.__name__)
    module.triple, module.data_layout = binding.get_default_triple(), str(machine.target_data)
    letters = _entry(module, function, kind)
    parsed = binding.parse_assembly(str(module))
    _optimize(parsed, machine)
    code: bytes = machine.emit_object(parsed)
    return letters.encode() + b"\n" + code


def _optimize(module: Any, machine: Any) -> None:
    # Loops run a few times: vectors of them, or copies, only cost time.
    options = binding.create_pipeline_tuning_options(OPTIMIZATION)
    options.loop_unrolling = options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = False
    builder = binding.create_pass_builder(machine, options)
    passes = _quick_passes() if _is_quick() else builder.getModulePassManager()
    passes.run(module, builder)


def _is_quick() -> bool:
    return bool(os.environ.get(QUICK))


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
    """Add the function, and one that calls it with arguments from a block and puts the result behind them; letters for
    the kind of the result."""
    inner, result = Functions(module).made(function, kind.members)
    letters = _letters(function, result)
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), ENTRY)
    memory = Memory(ir.IRBuilder(entry.append_basic_block()))
    block = Value(kind, entry.args[0])
    returned = memory.builder.call(inner, [memory.table(block, k).ir for k in range(len(kind.members))])
    value = Value(result, returned)
    members = [memory.member(value, k) for k in range(len(result.members))] if isinstance(result, Tuple) else [value]
    for k, member in enumerate(members if result is not NOTHING else ()):
        place = memory.builder.gep(entry.args[0], [ir.Constant(WORD, size_of(kind) + 8 * k)], source_etype=BYTE)
        memory.builder.store(member.ir if member.kind is FLOAT else memory.convert(member, INT).ir, place)
    memory.builder.ret_void()
    return letters
