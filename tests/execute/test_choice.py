"""The back end is the fastest one that the machine allows; what is missing of ours is no reason for a slower one."""

import sys

import pytest

from tilegpu.functional.errors import UserError
from tilegpu.functional.execute import choice
from tilegpu.functional.execute.choice import choose_backend
from tilegpu.functional.execute.numpy_backend import NumpyBackend

BACKEND = f"{choice.__package__}.llvm_backend"


class _Fails:
    """Fails to find a module of another name where that of the back end is looked for."""

    def __init__(self, missing: str) -> None:
        self.missing = missing

    def find_spec(self, name: str, *_: object) -> None:
        if name == BACKEND:
            raise ModuleNotFoundError(f"No module named {self.missing!r}", name=self.missing)


def _lacking(patch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [name for name in sys.modules if name == BACKEND or name.startswith(f"{BACKEND}.")]:
        patch.delitem(sys.modules, name)
    patch.setattr(sys, "meta_path", [_Fails(missing), *sys.meta_path])


def test_by_name() -> None:
    assert (choose_backend("numpy")[0].name, choose_backend()[0].name) == ("numpy", "llvm")
    with pytest.raises(UserError, match="choose one of llvm, numpy"):
        choose_backend("cuda")


def test_without_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    _lacking(monkeypatch, "llvmlite")
    backend, reason = choose_backend()
    assert type(backend) is NumpyBackend and "No module named 'llvmlite'" in reason
    with pytest.raises(UserError, match="does not load"):
        choose_backend("llvm")


def test_an_incomplete_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = f"{BACKEND}.depth"
    _lacking(monkeypatch, missing)
    with pytest.raises(ModuleNotFoundError, match="depth"):
        choose_backend()
