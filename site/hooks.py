"""What the site adds to the pages of docs/: a first page, links to the repository, sections of pages."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from mkdocs.structure.files import File, Files

REPOSITORY = Path(__file__).parents[1]
SECTIONS = {
    "Use": [
        "commands",
        "recipes",
        "inspect",
        "why",
        "draw_costs",
        "resource_costs",
        "any_frame",
        "sampling",
        "sharing",
        "cluster",
        "api",
    ],
    "Right and fast": [
        "correctness",
        "captures",
        "accuracy",
        "speed",
        "studies",
        "artifact",
        "workloads",
        "collisions",
    ],
    "Reference": [
        "configuration",
        "statistics",
        "arm_counters",
        "activity",
        "frame_counts",
        "opengl_es",
        "texture_formats",
        "glsl",
    ],
}
"""Pages in the order of the navigation; the others follow under "More", those of folders under the folder's name."""
FOLDERS = {"model": "The model", "configuration": "Fields", "studies": "Studies"}
_FENCE = re.compile(r"^```(\w*)(?: \w+)?$")
_LIST = re.compile(r"- |1\. ")
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def on_config(config: Any) -> Any:
    """Make the navigation of the pages that there are."""
    docs = Path(config.docs_dir)
    names = {path.stem for path in docs.glob("*.md")} - {"package"}
    nav: list[Any] = [{"tilegpu": "index.md"}]
    for title, pages in SECTIONS.items():
        nav.append({title: [f"{name}.md" for name in pages if name in names]})
        names -= set(pages)
    nav.append({"More": [f"{name}.md" for name in sorted(names)]})
    for folder in sorted(path.name for path in docs.iterdir() if path.is_dir()):
        pages = sorted(path.relative_to(docs).as_posix() for path in (docs / folder).rglob("*.md"))
        nav.append({FOLDERS.get(folder, folder): sorted(pages, key=lambda page: not page.endswith("README.md"))})
    config.nav = nav
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add README.md as the first page, and pictures that pages show from elsewhere in the repository."""
    readme = (REPOSITORY / "README.md").read_text("utf-8")
    files.append(File.generated(config, "index.md", content=readme.replace("](docs/", "](")))
    for path in sorted({link[1] for link in re.findall(r"(!\[[^\]]*\]\()([^):\s]+)", readme)}):
        if not path.startswith("docs/"):
            name = f"pictures/{PurePosixPath(path).name}"
            files.append(File.generated(config, name, content=(REPOSITORY / path).read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Let links that leave docs/ lead to the repository, and write in plain Markdown what only GitHub reads."""
    folder = PurePosixPath("docs", page.file.src_uri).parent

    def followed(link: re.Match[str]) -> str:
        begin, target, anchor, end = link[1], link[2], link[3] or "", link[4]
        inside = normpath((folder / target).as_posix())
        if files.get_file_from_path(inside.removeprefix("docs/")) is not None:
            return link[0]
        outside = inside if (REPOSITORY / inside).exists() else target
        if (picture := files.get_file_from_path(f"pictures/{PurePosixPath(outside).name}")) is not None:
            return f"{begin}{picture.src_uri}{end}"
        return f"{begin}{config.repo_url.rstrip('/')}/blob/main/{outside}{anchor}{end}"

    return _in_plain_markdown(_LINK.sub(followed, markdown))


def _in_plain_markdown(text: str) -> str:
    """Lists that begin below a paragraph after an empty line, and blocks of code with their language alone."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = _FENCE.match(line)
        if fence:
            fenced = not fenced
            lines.append(f"```{fence[1]}")
            continue
        before = lines[-1] if lines else ""
        if not fenced and _LIST.match(line) and before and not before.startswith((" ", "- ", "1. ")):
            lines.append("")
        lines.append(line)
    return "\n".join(lines) + "\n"
