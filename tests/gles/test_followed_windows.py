"""Windows and frames of streams that are only followed are those of streams that are executed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilegpu.functional.capture import FRAME_ENDS, CaptureError, Trace
from tilegpu.functional.capture.signatures import SIGNATURES
from tilegpu.functional.followed_windows import FOLLOWED, SYSTEMS, FollowedWindows
from tilegpu.functional.gles.display import Display
from tilegpu.functional.gles.entry_points import ENTRY_POINTS
from tilegpu.functional.gles.listener import Listener
from tilegpu.functional.pipeline.draw import Outcome
from tilegpu.tools.demo import SCENES, scene_folder

Windows = list[tuple[int, int]]


def told(path: Path) -> tuple[list[Windows], list[Windows], list[int], bool]:
    """Sizes of frames and of windows at the end, by either way; versions of OpenGL ES; whether it is desktop OpenGL."""
    frames: list[Windows] = [[], []]
    display = Display(
        lambda draw, sink: Outcome(),
        Listener(),
        lambda picture, call: frames[0].append((picture.width, picture.height)),
    )
    ways = display, FollowedWindows(lambda width, height, call: frames[1].append((width, height)))
    for call in Trace(path):
        name = call.signature.name
        if name not in FRAME_ENDS and name not in FOLLOWED and not name.startswith(SYSTEMS):
            continue
        for way in ways:
            way.execute(call)
    systems = [way.window_system for way in ways]
    windows = [[(w.width, w.height) for w in system.windows.values()] for system in systems]
    desktop, followed = (system.desktop for system in systems)
    assert desktop == followed
    return frames, windows, [system.highest_version for system in systems], desktop


def check(path: Path) -> None:
    frames, windows, versions, _ = told(path)
    assert frames[0] == frames[1], path
    assert windows[0] == windows[1]
    assert versions[0] == versions[1]


@pytest.mark.parametrize("scene", SCENES)
def test_bundled_scenes(scene: str) -> None:
    path = scene_folder() / f"{scene}.trace"
    check(path)
    assert len(told(path)[0][1]) >= 8


@pytest.mark.slow
def test_captures(captures: Path) -> None:
    found = sorted(captures.rglob("*.trace"))
    assert found
    for path in found:
        try:
            check(path)
        except CaptureError as error:
            # Captures that break off are told so, whichever way they are read.
            assert str(path) in str(error)


def test_every_function_with_a_signature_is_supported() -> None:
    """`info` looks up only others."""
    assert {name for name in SIGNATURES if name.startswith("gl")} - FRAME_ENDS <= ENTRY_POINTS.keys()
