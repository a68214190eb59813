"""`make site`: no page of docs/ is lost, all can be found, and nothing is loaded from elsewhere."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("mkdocs", reason="the site needs the extra `site`")

REPOSITORY = Path(__file__).parents[2]
DOCS = REPOSITORY / "docs"
LOADED = re.compile(r'<(?:script|img|link rel="stylesheet")\b[^>]*?(?:src|href)="?([^">\s]+)')
LINK = re.compile(r'<a\b[^>]*?href="?([^">\s]+)')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; strict, so that a link or an anchor that is not there ends it."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-f", REPOSITORY / "site" / "mkdocs.yml", "-d", folder]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def address(page: Path) -> str:
    """Where a page of docs/ is on the site."""
    name = page.relative_to(DOCS).with_suffix("").as_posix()
    return f"{name.removesuffix('README').rstrip('/')}/"


def addresses() -> dict[str, Path]:
    """Pages of docs/ by their places; package.md is README.md again, which is the first page."""
    return {address(page): page for page in DOCS.rglob("*.md") if page.name != "package.md"}


def text_of(page: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", page.read_text("utf-8")))


def test_no_page_is_lost(site: Path) -> None:
    first = (site / "index.html").read_text("utf-8")
    listed = {urlsplit(link).path for link in LINK.findall(first)}
    for place, page in addresses().items():
        assert (site / place / "index.html").is_file(), page
        assert place in listed, f"{page}: is not in the navigation"
    assert "tilegpu" in text_of(site / "index.html")


def test_all_pages_can_be_searched(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    found = {entry["location"].partition("#")[0] for entry in index["docs"]}
    assert found >= addresses().keys()
    (told,) = [entry for entry in index["docs"] if entry["title"] == "GPU cost in continuous integration"]
    assert told["location"].startswith("recipes/#") and "tilegpu gate before.trace" in told["text"]


def test_pages_load_nothing_from_elsewhere_and_pictures_are_there(site: Path) -> None:
    for page in site.rglob("*.html"):
        for name in LOADED.findall(page.read_text("utf-8")):
            parts = urlsplit(name)
            assert not parts.netloc, f"{page}: loads {name}"
            # The page for what is not there is shown at any address: its links begin at the root.
            folder = site if page.name == "404.html" else page.parent
            assert (folder / unquote(parts.path).lstrip("/" * (page.name == "404.html"))).exists(), f"{page}: {name}"


def test_lists_below_a_paragraph_are_lists_and_code_is_code(site: Path) -> None:
    for page in site.rglob("*.html"):
        for paragraph in re.findall(r"<p>(.*?)</p>", page.read_text("utf-8"), re.S):
            assert not re.search(r"^(?:- |\||```)", paragraph, re.M), f"{page}: {paragraph[:200]}"
