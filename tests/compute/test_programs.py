"""The compute programs give on Mesa and in this renderer what numpy computes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tilegpu.functional.execute.backend import Backend
from tilegpu.functional.execute.llvm_backend import LlvmBackend
from tilegpu.functional.execute.numpy_backend import NumpyBackend
from tilegpu.tools.demo import scene_folder

from . import mesa, own
from .programs.answers import Answer, picture, values
from .programs.catalogue import PROGRAMS

REPOSITORY = Path(__file__).parents[2]
OTHER_SIZES = {
    "reduction": (8192,),
    "prefix_sum": (700,),
    "matrix_multiply": (48,),
    "blur": (130, 70),
    "histogram": (33, 90),
    "bitonic_sort": (2048,),
    "particles": (77,),
    "n_body": (192,),
    "light_culling": (48, 96, 300),
    "mip_chain": (128,),
    "flood": (64, 40),
    "life": (64,),
    "heat": (51, 33),
    "voxels": (20,),
    "instance_culling": (256,),
}


@pytest.mark.parametrize("driver", mesa.DRIVERS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_mesa_gives_what_numpy_computes(name: str, driver: str, tmp_path: Path) -> None:
    program, path = PROGRAMS[name], tmp_path / "a.trace"
    program.record(path)
    for number, (answer, given) in enumerate(zip(program.expected(), mesa.play(path, driver), strict=True)):
        assert answer.agrees(given), f"answer {number}"


@pytest.mark.parametrize("backend", [NumpyBackend(), LlvmBackend()], ids=["numpy", "llvm"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_this_renderer_gives_what_numpy_computes(name: str, backend: Backend, tmp_path: Path) -> None:
    program, path = PROGRAMS[name], tmp_path / "a.trace"
    program.record(path)
    for number, (answer, given) in enumerate(zip(program.expected(), own.play(path, backend), strict=True)):
        assert answer.agrees(given), f"answer {number}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_other_sizes_work_too(name: str, tmp_path: Path) -> None:
    program, path, sizes = PROGRAMS[name], tmp_path / "a.trace", OTHER_SIZES[name]
    program.record(path, *sizes)
    answers = program.expected(*sizes), mesa.play(path, "llvmpipe"), own.play(path)
    for number, (answer, given, ours) in enumerate(zip(*answers, strict=True)):
        assert answer.agrees(given), f"answer {number} of Mesa"
        assert answer.agrees(ours), f"answer {number}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_eglretrace_shows_the_results(name: str, eglretrace: str, tmp_path: Path) -> None:
    program, path = PROGRAMS[name], tmp_path / "a.trace"
    program.record(path)
    environment = os.environ | {
        "WAFFLE_PLATFORM": "surfaceless_egl", "LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"
    }  # fmt: skip
    command = [eglretrace, "--headless", "-s", str(tmp_path / "image_"), str(path)]
    subprocess.run(command, env=environment, capture_output=True, check=True)
    images = [np.asarray(Image.open(image).convert("RGB"))[::-1] for image in sorted(tmp_path.glob("image_*.png"))]
    answers = program.expected()
    each = len(answers) // program.FRAMES
    assert program.FRAMES == len(images) >= 2
    assert all(
        answer.agrees(picture(image).data) for answer, image in zip(answers[each - 1 :: each], images, strict=True)
    )
    assert len({image.tobytes() for image in images}) == len(images)


def test_all_are_recorded_into_a_folder(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "tests.compute.programs", str(tmp_path)], cwd=REPOSITORY, check=True)
    assert {path.stem for path in tmp_path.iterdir()} == set(PROGRAMS)
    for name, program in PROGRAMS.items():
        again = tmp_path / "again.trace"
        program.record(again)
        assert again.read_bytes() == (tmp_path / f"{name}.trace").read_bytes()


def test_bundled_captures_are_what_the_programs_record(tmp_path: Path) -> None:
    bundled = sorted((scene_folder() / "compute").glob("*.trace"))
    assert [path.stem for path in bundled] == ["life", "light_culling", "matrix_multiply", "particles"]
    for path in bundled:
        PROGRAMS[path.stem].record(tmp_path / "again.trace")
        assert (tmp_path / "again.trace").read_bytes() == path.read_bytes()


def test_answers_differ_by_a_bit_or_by_more_than_their_tolerance() -> None:
    exact, near = values(np.array([1.0, 100.0], np.float32)), values(np.array([1.0, 100.0], np.float32), 0.01)
    for numbers, agrees in (([1.0, 100.0], True), ([1.5, 99.5], True), ([1.0, 98.5], False), ([3.0, 100.0], False)):
        given = np.array(numbers, np.float32).tobytes()
        assert near.agrees(given) == agrees and exact.agrees(given) == (numbers == [1.0, 100.0])
    assert not near.agrees(b"") and not near.agrees(np.array([np.nan, 100], np.float32).tobytes())
    assert not Answer(b"\0\1").agrees(b"\0\0")
    with pytest.raises(ValueError, match="0 to 255"):
        picture(np.full((1, 1, 3), 256))
