"""Images of frames: rows from the top, alpha left out, whatever the width."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tilegpu.functional.images import frame_image


@given(height=st.integers(1, 9), width=st.integers(1, 40), cut=st.booleans(), seed=st.integers(0, 99))
def test_an_image_is_the_buffer_from_the_top(height: int, width: int, cut: bool, seed: int) -> None:
    """Every pixel is where it belongs, of whole buffers and of parts."""
    buffer = np.random.default_rng(seed).integers(0, 256, (height, width + cut, 4), dtype=np.uint8)[:, :width]
    assert frame_image(buffer, True).tolist() == buffer[::-1].tolist()
    assert frame_image(buffer, False).tolist() == buffer[::-1, :, :3].tolist()
