"""Programs: Python calls one function, which is compiled with all that it calls, once, and kept on disk."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from struct import Struct
from typing import Any

from ..garbage import seldom_collected
from .arguments import described, kind_of, words_of_kind
from .blocks import kinds_of_parameters
from .emission import ENTRY, Options, compiled
from .kinds import INT, Tables, tables_of
from .locks import only_one
from .machine_code import Code, compiler_key
from .native import NO_MEMORY
from .stored_files import StoredFiles, sources_key

SUFFIX = ".o"


class Program:
    """A function that Python calls, compiled for the kinds of its arguments when they are first passed.

    The arrays and records that it is given must outlive the call; its tuples are constant meanwhile, and the arrays in
    them stay where they are. The interpreter is free for other threads.

    Parameters
    ----------
    function
        As that of a `Part`. If all its parameters have types, it is compiled for these alone.
    folder
        For what was compiled; its name says everything that the code depends on but LLVM and the processor.
    loops
        Whether its loops are long, and vectors of them worth the time to compile them.
    """

    def __init__(self, function: Callable[..., Any], folder: str, loops: bool = False) -> None:
        self.py_func, self.__doc__ = function, function.__doc__
        self.__name__, self.__module__ = function.__name__, function.__module__
        self._folder, self.loops = Path(folder), loops
        self._loaded: dict[Tables, _Loaded] = {}
        self._latest: _Loaded | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Run it.

        Raises
        ------
        MemoryError
            If there is not enough memory for what it does.
        """
        latest = self._latest
        if latest is not None:
            try:
                words = latest.words(arguments)
            except (AttributeError, TypeError, ValueError):
                # Arguments of other kinds, or none that programs take.
                pass
            else:
                return latest.run(words)
        kind: Any = self.declared or kind_of(arguments)
        if kind not in self._loaded:
            self._loaded[kind] = self._load(kind)
        latest = self._latest = self._loaded[kind]
        return latest.run(latest.words(arguments))

    @cached_property
    def declared(self) -> Tables | None:
        """Kinds that the parameters are declared with."""
        return kinds_of_parameters(self.py_func) if self.loops else None

    @property
    def variants(self) -> int:
        """Number of compilations, for different kinds of arguments."""
        return len(self._loaded)

    def prepare(self) -> None:
        """Compile it for its declared parameters, or load it."""
        if self.declared is not None and self.declared not in self._loaded:
            self._loaded[self.declared] = self._load(self.declared)

    def is_stored(self) -> bool:
        """Whether what it is for its declared parameters is on disk."""
        return self.declared is not None and self._stored(self.declared).exists()

    def _load(self, kind: Tables) -> _Loaded:
        return _Loaded(self._stored(kind).read_or_compile(), kind, strict=self.declared is None)

    def _stored(self, kind: Tables) -> _Stored:
        return _Stored(self.py_func, kind, self._folder, Options(self.loops, False))


class _Stored:
    """File of a program, for arguments of some kinds."""

    def __init__(self, function: Callable[..., Any], kind: Tables, folder: Path, options: Options) -> None:
        self._function, self._kind, self._folder, self._options = function, kind, folder, options
        variant = " quick" * options.quick + " loops" * options.loops + " by address" * options.by_address
        self._files = StoredFiles(folder.name, SUFFIX, [], compiler_key() + variant)
        text = sources_key([Path(function.__code__.co_filename)])
        self._key = [function.__module__, function.__qualname__, text, described(kind)]

    def exists(self) -> bool:
        """Whether there is such a file, which is read when it is needed."""
        return self._files.holds(self._key)

    @property
    def content(self) -> bytes | None:
        """Content of the file, None if there is none."""
        return self._files.read(self._key)

    def read_or_compile(self) -> bytes:
        """Content of the file, which is made if it is not there; other processes that want the same wait."""
        stored = self.content
        if stored is None:
            with only_one(self._folder, self._function.__qualname__):
                stored = self.content
                if stored is None:
                    with seldom_collected():
                        stored = compiled(self._function, self._kind, self._options)
                    self._files.write(self._key, stored)
        return stored


class ByAddress:
    """A function of integers that returns one, which programs call by address: it is compiled by itself.

    Parameters
    ----------
    function
        As that of a `Part`.
    folder
        As for a `Program`.
    plain
        Whether Python runs the text as it is.
    """

    def __init__(self, function: Callable[..., Any], folder: str, plain: bool = False) -> None:
        self.py_func, self.__doc__ = function, function.__doc__
        self.__name__, self.__module__ = function.__name__, function.__module__
        self._folder, self._parameters, self._plain = Path(folder), function.__code__.co_argcount, plain

    def __call__(self, *arguments: int) -> int:
        """Run it.

        Raises
        ------
        MemoryError
            If there is not enough memory for what it does.
        """
        if self._plain:
            return int(self.py_func(*arguments))
        result = int(self._call(*arguments))
        if result == NO_MEMORY:
            raise MemoryError
        return result

    def prepare(self) -> None:
        """Compile it, or load it."""
        assert self.address

    @property
    def address(self) -> int:
        """Address of its machine code, for a field of type `Kernel`."""
        return self._code.address[ENTRY]

    @cached_property
    def _code(self) -> Code:
        return Code(self._stored.read_or_compile().split(b"\n", 1)[1], [ENTRY], system=True)

    def is_stored(self) -> bool:
        """Whether it is on disk."""
        return self._stored.exists()

    @property
    def _stored(self) -> _Stored:
        kind = tables_of((INT,) * self._parameters, ())
        return _Stored(self.py_func, kind, self._folder, Options(loops=True, by_address=True))

    @cached_property
    def _call(self) -> Any:
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * self._parameters)(self.address)


class _Loaded:
    """Machine code for arguments of some kinds, and what packs them: all other kinds are errors if it is strict."""

    def __init__(self, stored: bytes, kind: Tables, strict: bool) -> None:
        result, code = stored.split(b"\n", 1)
        self._result = result.decode()
        self._letters = self._result.strip("()")
        self._plain = set(self._letters) <= {"i"}
        self.words = words_of_kind(kind, strict)
        self._code = Code(code, [ENTRY], system=True)
        self._results: Any = ctypes.c_int64 * max(len(self._letters), 1)
        prototype = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p, ctypes.c_void_p)
        self._call: Any = prototype(self._code.address[ENTRY])

    def run(self, words: bytes) -> Any:
        """Run it with packed arguments."""
        results = self._results()
        if self._call(words, results):
            raise MemoryError
        if not self._letters:
            return None
        values = results[:] if self._plain else list(map(_number, self._letters, results))
        return values[0] if len(self._letters) == len(self._result) else tuple(values)


_INTEGER, _FLOATING = Struct("=q"), Struct("=d")


def _number(letter: str, word: int) -> float:
    if letter == "i":
        return word
    if letter == "f":
        return float(_FLOATING.unpack(_INTEGER.pack(word))[0])
    return bool(word) if letter == "b" else word % (1 << 64)
