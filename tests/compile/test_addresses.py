"""Addresses of arrays are those that NumPy tells."""

import numpy as np
import pytest

from tilegpu.functional.compile.addresses import address

WHOLE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    "array",
    [WHOLE, WHOLE[1], np.frombuffer(b"constant", np.uint8), np.zeros(3, "i4,f8"), np.zeros((0, 4))],
    ids=["whole", "part", "read only", "records", "empty"],
)
def test_of_every_kind(array: np.ndarray) -> None:
    assert address(array) == array.ctypes.data


@pytest.mark.parametrize("array", [WHOLE[:, :, 1:], WHOLE.T, WHOLE[:, ::2]], ids=["gaps", "columns", "steps"])
def test_arrays_with_gaps_have_none(array: np.ndarray) -> None:
    """Compiled code would read other elements."""
    with pytest.raises(ValueError, match="without gaps"):
        address(array)
