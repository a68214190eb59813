"""A page in one file: style, scripts and pictures are in it, and it asks no server for anything.

Whatever comes from files is escaped where it is put into HTML. Besides, the page names the scripts that may run by
their hashes and forbids the browser every request, so that text which slipped through could do nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from tilegpu.functional.activity.output import whole_file
from tilegpu.functional.errors import UserError
from tilegpu.functional.text import legible

from ..outputs import OutputError, check_file, holds
from .tables import Cell, Entry, number_text, sortable_table

__all__ = [
    "Cell",
    "Entry",
    "PageError",
    "Section",
    "check_page",
    "data_html",
    "figure_html",
    "image_html",
    "number_text",
    "sortable_table",
    "write_page",
]

GENERATOR = '<meta name="generator" content="tilegpu">'
FIGURE_CLASS = "figure"
PAGES = frozenset({".html", ".htm"})
KINDS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


class PageError(UserError):
    """A page that cannot be written."""


@dataclass(frozen=True)
class Section:
    """One part of a page.

    Parameters
    ----------
    title
        Heading, also in the table of contents; escaped.
    html
        Content, put there as it is: made by the functions of this package, or escaped by the caller.
    scripts
        Files of this package that it needs beside `page.js`.
    own_scripts, style
        Texts of scripts that follow these, and of rules that follow those of `page.css`; neither from a stream.
    """

    title: str
    html: str
    scripts: tuple[str, ...] = ()
    own_scripts: tuple[str, ...] = ()
    style: str = ""


def check_page(path: Path, force: bool = False) -> None:
    """Refuse to write a page where something else would be lost, or into a file of another kind.

    Raises
    ------
    UserError
        If a page must not be written there.
    OSError
        If it cannot be.
    """
    if path.is_dir():
        raise PageError(f"{path}: is a folder; name a file, such as {path / 'report.html'}")
    if path.suffix and path.suffix.lower() not in PAGES:
        raise PageError(f"{path}: the page is HTML; name it {path.with_suffix('.html').name}")
    try:
        check_file(path, holds(GENERATOR.encode()), force, "no page of tilegpu")
    except OutputError as error:
        raise PageError(str(error)) from None


def write_page(path: Path, title: str, sections: Sequence[Section], subtitle: str = "", force: bool = False) -> None:
    """Write a page, which appears when it is whole; a page that was there is replaced.

    Parameters
    ----------
    path
        File, .html.
    title, subtitle
        Heading, and what stands below it; escaped.
    sections
        Parts, in order; with more than one, a table of contents leads to them.
    force
        Whether another file may be replaced.

    Raises
    ------
    PageError
        If something else than a page is there already.
    OSError
        If it cannot be written.
    """
    path = Path(path)
    check_page(path, force)
    scripts = [_file("page.js")]
    scripts += map(_file, dict.fromkeys(name for section in sections for name in section.scripts))
    scripts += [text for section in sections for text in section.own_scripts]
    content = legible(_page(title, subtitle, sections, scripts))
    with whole_file(path, f".{os.getpid()}") as partial:
        partial.write_text(content, "utf-8", newline="\n")


def figure_html(chart: str) -> str:
    """A chart as `charts` makes it, as a figure of the page."""
    return f'<div class="{FIGURE_CLASS}">{chart}</div>'


def data_html(content: Any, name: str = "") -> str:
    """Data for the page's scripts, as a JSON element that no browser runs.

    Parameters
    ----------
    content
        What JSON can hold; no NaN.
    name
        Its id in the page, if it needs one.
    """
    # Without these characters no text within can end the element or open a comment.
    text = json.dumps(content, allow_nan=False, separators=(",", ":"), ensure_ascii=True)
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    own = f' id="{escape(name)}"' if name else ""
    return f'<script type="application/json"{own}>{text}</script>'


def image_html(picture: bytes | Path, alt: str, caption: str = "") -> str:
    """A PNG or JPEG picture, held by the page itself.

    Raises
    ------
    PageError
        If it is neither.
    """
    content = picture if isinstance(picture, bytes) else Path(picture).read_bytes()
    kind = next((kind for start, kind in KINDS.items() if content.startswith(start)), None)
    if kind is None:
        raise PageError(f"{'a picture' if isinstance(picture, bytes) else picture}: neither PNG nor JPEG")
    source = f"data:{kind};base64,{base64.b64encode(content).decode()}"
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f'<figure><img src="{source}" alt="{escape(alt)}">{below}</figure>'


def _page(title: str, subtitle: str, sections: Sequence[Section], scripts: Sequence[str]) -> str:
    names = [f"section-{number}" for number in range(1, len(sections) + 1)]
    links = "".join(
        f'<li><a href="#{name}">{escape(section.title)}</a></li>' for name, section in zip(names, sections, strict=True)
    )
    parts = [
        f'<section id="{name}">\n<h2>{escape(section.title)}</h2>\n{section.html}\n</section>'
        for name, section in zip(names, sections, strict=True)
    ]
    below = f'<p class="subtitle">{escape(subtitle)}</p>' if subtitle else ""
    run = "\n".join(f"<script>{text}</script>" for text in scripts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{GENERATOR}
<meta http-equiv="Content-Security-Policy" content="{_policy(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>{"".join([_file("page.css"), *(section.style for section in sections)])}</style>
</head>
<body>
<header><h1>{escape(title)}</h1>{below}</header>
{f"<nav><ol>{links}</ol></nav>" if len(sections) > 1 else ""}
<main>
{chr(10).join(parts)}
</main>
{run}
</body>
</html>
"""


def _policy(scripts: Sequence[str]) -> str:
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{value}'" for value in hashes)
    return f"default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src {allowed}"


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
