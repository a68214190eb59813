"""The page of captures: what it says of pictures follows from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tilegpu.functional.capture import Recorder
from tilegpu.functional.images import write_png

from .captures_page import page


def test_the_frame_that_differs_most_is_shown(tmp_path: Path) -> None:
    with Recorder(tmp_path / "red.trace", 10, 10) as gl:
        for _ in range(3):
            gl.glClearColor(1, 0, 0, 1)
            gl.glClear(0x4000)
            gl.swap()
    (tmp_path / "red").mkdir()
    for frame, wrong in ((0, 0), (2, 7)):
        picture = np.full((10, 10, 3), (255, 0, 0), np.uint8)
        picture[0, :wrong, 1] = 3
        write_png(picture, tmp_path / "red" / f"f{frame:010d}.png")
    (tmp_path / "no_pictures.trace").write_bytes((tmp_path / "red.trace").read_bytes())
    assert page(tmp_path).endswith("| red | 10x10 | 3 | 7.000 % |\n")
