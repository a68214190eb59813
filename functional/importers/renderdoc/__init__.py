"""RenderDoc captures of OpenGL ES and of desktop OpenGL: `.rdc`, or the `.zip.xml` that RenderDoc exports of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from ...capture.call import CaptureError
from ...capture.recorder import Recorder
from ...opengl import egl_enums as egl
from ...opengl import enums as gl
from ..imported import Imported
from .calls import Calls
from .chunks import ChunkError, Export, Node
from .contents import fill
from .export import exported
from .objects import BEGINNING, CONTENTS, DEVICE, END, Survey
from .state import restore

NAME = "RenderDoc"
MAX_SIDE = 1 << 14
_BINARY, _XML = b"RDOC", b"<rdc>"
_DRIVERS = {"OpenGL": "desktop OpenGL", "OpenGLES": "OpenGL ES"}


def recognizes(head: bytes) -> bool:
    """Whether a file that begins so is a capture of RenderDoc or an export of one."""
    return head.startswith(_BINARY) or (head.lstrip(b"\xef\xbb\xbf").startswith(b"<?xml") and _XML in head)


def play(path: Path, output: Path, properties: dict[str, str], progress: Callable[[float], None]) -> Imported:
    """Write the captured frame as a stream: frame 0 makes objects and state, frame 1 is the one that was captured.

    Parameters
    ----------
    path
        `.rdc` or `.zip.xml`.
    output
        apitrace file to write.
    properties
        Notes to write into it.
    progress
        Told how much is done, from 0 to 1.

    Raises
    ------
    CaptureError
        The capture cannot be read, or is one of another API.
    """
    with ExitStack() as stack:
        export = stack.enter_context(exported(path))
        size = max(1, export.path.stat().st_size) * 2
        survey = _surveyed(path, export)
        _check(path, survey)
        width, height = (survey.settings.get(side, 0) for side in ("width", "height"))
        version = None if survey.driver == "OpenGL" else (3, 1)
        window = {egl.FIXED_SIZE_ANGLE: 1, egl.WIDTH: width, egl.HEIGHT: height}
        stream = Recorder(output, width, height, version, _config(survey), properties, window)
        recorder = stack.enter_context(stream)
        calls = Calls(export, recorder, survey)
        calls.bindings.call("glPixelStorei", gl.UNPACK_ALIGNMENT, 1)
        for number, chunk in export.chunks():
            try:
                _play(calls, chunk)
            except ChunkError as error:
                raise CaptureError(f"{path}: chunk {number} ({chunk.name[:60]}): {error}") from None
            progress(min(1.0, export.bytes_read / size))
        if calls.swaps < 2:
            calls.swap()
        if len(survey.contexts) > 1:
            calls.missing[f"{len(survey.contexts)} contexts, played as one"] += 1
        return Imported(NAME, _api(survey), calls.swaps, dict(calls.missing))


def _surveyed(path: Path, export: Export) -> Survey:
    try:
        return Survey.of(export)
    except ChunkError as error:
        raise CaptureError(f"{path}: {error}") from None


def _check(path: Path, survey: Survey) -> None:
    if survey.driver not in _DRIVERS:
        raise CaptureError(f"{path}: a capture of {survey.driver[:30] or 'no API'}; OpenGL ES and OpenGL are imported")
    if not survey.begins:
        raise CaptureError(f"{path}: holds no captured frame; it is cut off, export it again")
    if not all(1 <= survey.settings.get(side, 0) <= MAX_SIDE for side in ("width", "height")):
        raise CaptureError(f"{path}: names no size of a window from 1 to {MAX_SIDE}")


def _api(survey: Survey) -> str:
    """API and version; drivers of OpenGL ES name it themselves."""
    api = _DRIVERS[survey.driver]
    return survey.version if survey.version.startswith(api) else f"{api} {survey.version}".strip()


def _config(survey: Survey) -> dict[int, int]:
    """EGL attributes of the window."""
    bits, samples = survey.settings, survey.settings.get("multiSamples", 1)
    config = {egl.DEPTH_SIZE: min(bits.get("depthBits", 24), 24), egl.STENCIL_SIZE: min(bits.get("stencilBits", 8), 8)}
    if bits.get("colorBits", 32) < 32:
        config[egl.ALPHA_SIZE] = 0
    if bits.get("colorBits", 32) <= 16:
        config |= {egl.RED_SIZE: 5, egl.GREEN_SIZE: 6, egl.BLUE_SIZE: 5}
    return config | ({egl.SAMPLES: samples} if 1 < samples <= 16 else {})


def _play(calls: Calls, chunk: Node) -> None:
    if chunk.name == CONTENTS:
        fill(calls, chunk)
    elif chunk.name == BEGINNING:
        restore(calls, chunk["state"])
        calls.in_frame = calls.bindings.restores = True
        calls.swap()
    elif chunk.name not in (END, DEVICE):
        calls.play(chunk)
