"""The notebooks of docs/ run, and show results, configurations and frames as tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import tilegpu
from tilegpu.functional.player import Frame

NOTEBOOKS = Path(__file__).parents[2] / "docs" / "notebooks"


def run(name: str, folder: Path) -> list[dict[str, Any]]:
    """Outputs of a notebook's cells by kind of content, in order."""
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    notebook = nbformat.read(NOTEBOOKS / name, 4)
    client = pytest.importorskip("nbclient").NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return list(_shown(notebook))


def _shown(notebook: Any) -> Iterator[dict[str, Any]]:
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type != "stream":
                yield dict(output.data)
            elif output.name == "stdout":
                yield {"stream": output.text}


def test_first_results(tmp_path: Path) -> None:
    frame, recorded, one, configuration, speed, two, units = run("first_results.ipynb", tmp_path)
    assert frame["text/plain"].startswith("<Frame 0: 640x360 pixels") and "image/png" in frame
    assert "frames=2" in recorded["text/plain"]
    assert one["text/plain"].startswith("<Results courtyard.trace on ptr-2022: 2 frames, ")
    assert "<td>gpu.cycles</td>" in one["text/html"] and "<td>gpu.cycles</td>" in two["text/html"]
    assert "<summary>texture_cache</summary>" in configuration["text/html"]
    assert 1 < float(speed["stream"].split()[0]) <= 2
    assert "<td>vertex_fetcher</td>" in units["text/html"]


@pytest.mark.slow
def test_texture_cache(tmp_path: Path) -> None:
    *_, table, _ = run("texture_cache.ipynb", tmp_path)
    # A larger cache of this kind hits more often here.
    rates = [float(line.split()[2]) for line in table["text/plain"].splitlines()[2:]]
    assert len(rates) == 3 and rates == sorted(rates)


def test_pictures_are_the_frames(tmp_path: Path) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (5, 7, 4), np.uint8)
    shown = Image.open(BytesIO(Frame(2, pixels, 0.5)._repr_png_() or b""))
    assert np.array_equal(np.asarray(shown), pixels)
    assert repr(Frame(2, pixels, 0.5)) == "<Frame 2: 7x5 pixels, 0.50 s of CPU time>"
    assert Frame(2, np.empty(0, np.uint8), 0.5)._repr_png_() is None


def test_a_configuration_is_a_line_of_text_and_a_table_of_what_it_uses() -> None:
    configuration = tilegpu.load_config("re-2019", techniques=["rendering_elimination"])
    assert repr(configuration) == "<Configuration re-2019: tile_based with rendering_elimination, 400 MHz>"
    assert "<summary>simt_core</summary>" not in configuration._repr_html_()
    named = tilegpu.load_config("ptr-2022").model_copy(update={"name": "<b>"})
    assert "<b></b>" not in named._repr_html_() and "&lt;b&gt;" in named._repr_html_()
