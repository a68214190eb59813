"""Frames: where they end, how large they are, and which colours a display shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilegpu.functional.capture import FRAME_ENDS, CaptureError, Pointer, Recorder, calls_any
from tilegpu.functional.capture.recorder import CONFIG, CONTEXT, DISPLAY, SURFACE, WINDOW
from tilegpu.functional.inspection import inspect_stream
from tilegpu.functional.opengl import egl_enums as egl
from tilegpu.functional.opengl import enums as gl
from tilegpu.functional.player import Player
from tilegpu.functional.record import record

COLORS = (0.2, 0.4, 0.6)
BYTES = [51, 102, 153]


class Program(Recorder):
    """A program with a surface of given attributes, or none; nothing tells the size of its window."""

    def __init__(self, path: Path, attributes: tuple[int, ...] | None = None) -> None:
        self.attributes = attributes
        super().__init__(path, 0, 0, 3)

    def _begin(self, size: tuple[int, int], version: int, config: dict[int, int], surface: dict[int, int]) -> None:
        self._record("eglBindAPI", [egl.OPENGL_ES_API], True)
        self._record(
            "eglCreateContext", [DISPLAY, CONFIG, None, [egl.CONTEXT_CLIENT_VERSION, version, egl.NONE]], CONTEXT
        )
        if self.attributes is not None:
            self._record("eglMakeCurrent", [DISPLAY, None, None, CONTEXT], True)
            self.surface(SURFACE)
        else:
            self._record("eglMakeCurrent", [DISPLAY, None, None, CONTEXT], True)

    def surface(self, name: int) -> None:
        """Create a surface of the same window, and make it current."""
        self._record(
            "eglCreateWindowSurface", [DISPLAY, CONFIG, WINDOW, [*(self.attributes or ()), egl.NONE]], Pointer(name)
        )
        self._record("eglMakeCurrent", [DISPLAY, Pointer(name), Pointer(name), CONTEXT], True)

    def fill(self, red: float, alpha: float = 1.0) -> None:
        """Clear to a colour."""
        self.glClearColor(red, *COLORS[1:], alpha)
        self.glClear(gl.COLOR_BUFFER_BIT)

    def target(self, internal: int, width: int, height: int) -> int:
        """A framebuffer object, which is bound."""
        texture, framebuffer = self.glGenTextures(1)[0], self.glGenFramebuffers(1)[0]
        self.glBindTexture(gl.TEXTURE_2D, texture)
        self.glTexStorage2D(gl.TEXTURE_2D, 1, internal, width, height)
        self.glBindFramebuffer(gl.FRAMEBUFFER, framebuffer)
        self.glFramebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0)
        return framebuffer

    def read(self, width: int, height: int) -> None:
        """Read pixels."""
        self.glReadPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, None)


def reds(player: Player) -> list[int]:
    """Red of each frame."""
    return [int(frame.pixels[0, 0, 0]) for frame in player.run()]


def test_flushes_of_a_single_buffered_surface_end_frames(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace", (egl.RENDER_BUFFER, egl.SINGLE_BUFFER)) as r:
        r.glViewport(0, 0, 8, 4)
        r.glFlush()
        for red in (0.2, 0.4):
            r.fill(red)
            r.glFlush()
        # Nothing new shows.
        r.glFinish()
        r.fill(0.6)
        r.glFinish()
    assert reds(Player(tmp_path / "a.trace")) == [51, 102, 153]
    info = inspect_stream(tmp_path / "a.trace")
    assert (info.frames, info.frames_at, info.width, info.height) == (3, "flush", 8, 4)


def test_flushes_of_a_double_buffered_surface_end_no_frame(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace", ()) as r:
        r.glViewport(0, 0, 8, 4)
        r.fill(0.2)
        r.glFlush()
    with pytest.raises(CaptureError, match="no frame ends in it: there is no buffer swap, no flush"):
        list(Player(tmp_path / "a.trace").run())
    assert reds(Player(tmp_path / "a.trace", frames_at="flush")) == [51]


def test_reads_of_whole_framebuffers_end_frames(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace") as r:
        r.target(gl.RGBA8, 6, 5)
        for red in (0.2, 0.4):
            r.fill(red)
            r.read(2, 2)
            r.read(6, 5)
            r.read(6, 5)
    player = Player(tmp_path / "a.trace")
    frames = list(player.run())
    assert [f.pixels.shape for f in frames] == [(5, 6, 3)] * 2
    assert [f.pixels[0, 0].tolist() for f in frames] == [BYTES, [102, *BYTES[1:]]]
    assert inspect_stream(tmp_path / "a.trace").frames_at == "read"
    recorded = record(tmp_path / "a.trace", tmp_path / "activity", groups=frozenset({"pass_images"}))
    assert recorded.frames == 2


def test_reads_of_floats_are_clamped(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace") as r:
        r.target(0x881A, 4, 4)
        r.glClearBufferfv(gl.COLOR, 0, [1.5, -1.0, 0.2, 1.0])
        r.glReadPixels(0, 0, 4, 4, gl.RGBA, gl.FLOAT, None)
    (frame,) = Player(tmp_path / "a.trace").run()
    assert frame.pixels[0, 0].tolist() == [255, 0, 51]


def test_swaps_end_frames_whatever_else_happens(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 4) as r:
        for red in (0.2, 0.4):
            r.glClearColor(red, 0, 0, 1)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.glFinish()
            r.glReadPixels(0, 0, 8, 4, gl.RGBA, gl.UNSIGNED_BYTE, None)
            r.glClear(gl.COLOR_BUFFER_BIT)
            r.swap()
    assert reds(Player(tmp_path / "a.trace")) == [51, 102]
    assert reds(Player(tmp_path / "a.trace", frames_at="read")) == [51, 102]


@pytest.mark.parametrize("swaps", [True, False])
def test_swaps_are_found_without_decoding(tmp_path: Path, swaps: bool) -> None:
    """A name among texts is no call, wherever blocks of the file begin."""
    with Program(tmp_path / "a.trace") as r:
        for number in range(200):
            r._record("eglGetProcAddress", ["eglSwapBuffers"], Pointer(number))
            r.glShaderSource(1, 1, [f"eglSwapBuffers{'x' * (number * 97 % 9000)}"], None)
        if swaps:
            r.swap()
    assert calls_any(tmp_path / "a.trace", FRAME_ENDS) == swaps


def test_a_window_that_only_blits_reach_has_their_size(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace", ()) as r:
        framebuffer = r.target(gl.RGBA8, 12, 10)
        r.fill(0.2)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, framebuffer)
        r.glBindFramebuffer(gl.DRAW_FRAMEBUFFER, 0)
        r.glBlitFramebuffer(0, 10, 12, 0, 0, 0, 12, 10, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        r.swap()
    (frame,) = Player(tmp_path / "a.trace").run()
    assert frame.pixels.shape == (10, 12, 3)
    assert (frame.pixels == BYTES).all()
    info = inspect_stream(tmp_path / "a.trace")
    assert (info.width, info.height) == (12, 10)


def test_blits_beyond_a_window_of_known_size_do_not_enlarge_it(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 8, 4, 3) as r:
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.glBindFramebuffer(gl.READ_FRAMEBUFFER, 0)
        r.glBlitFramebuffer(0, 0, 4, 4, 0, 0, 100, 100, gl.COLOR_BUFFER_BIT, gl.NEAREST)
        r.swap()
    (frame,) = Player(tmp_path / "a.trace").run()
    assert frame.pixels.shape[:2] == (4, 8)


def test_a_new_surface_of_a_window_has_its_size(tmp_path: Path) -> None:
    with Program(tmp_path / "a.trace", ()) as r:
        r.glViewport(0, 0, 8, 4)
        r.fill(0.2)
        r.swap()
        r.surface(SURFACE + 4096)
        r.fill(0.4)
        r._record("eglSwapBuffers", [DISPLAY, Pointer(SURFACE + 4096)], True)
    assert [f.pixels.shape[:2] for f in Player(tmp_path / "a.trace").run()] == [(4, 8)] * 2


@pytest.mark.parametrize("encodes", [True, False])
def test_windows_with_the_srgb_color_space_store_encoded_colors(tmp_path: Path, encodes: bool) -> None:
    """Worked out by hand from the transfer function of ES 3.0, 4.1.8; Mesa's replayer leaves the attribute out."""
    with Program(tmp_path / "a.trace", (egl.GL_COLORSPACE, egl.GL_COLORSPACE_SRGB)) as r:
        r.glViewport(0, 0, 4, 4)
        if not encodes:
            r.glDisable(gl.FRAMEBUFFER_SRGB)
        r.fill(0.2)
        r.swap()
    (frame,) = Player(tmp_path / "a.trace").run()
    encoded = np.floor(255 * (1.055 * np.array(COLORS) ** (1 / 2.4) - 0.055) + 0.5)
    assert frame.pixels[0, 0].tolist() == (encoded.tolist() if encodes else BYTES)


def test_frames_are_opaque_unless_alpha_is_asked_for(tmp_path: Path) -> None:
    with Recorder(tmp_path / "a.trace", 4, 4) as r:
        r.glClearColor(0.2, 0.4, 0.6, 0.2)
        r.glClear(gl.COLOR_BUFFER_BIT)
        r.swap()
    (opaque,), (kept,) = (list(Player(tmp_path / "a.trace", alpha=alpha).run()) for alpha in (False, True))
    assert opaque.pixels[0, 0].tolist() == BYTES
    assert kept.pixels[0, 0].tolist() == [*BYTES, 51]
