"""The site has what its pages link to in the repository: REFERENCE.md, examples, the files of sql/.

Links are written as they work in a checkout. Files beside docs/ become pages at their own path, scripts with
their text as a block, folders as a list of their files, and links to them are changed accordingly.
"""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # tests look at this file where MkDocs is not installed
    from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent
LINK = re.compile(r"(\]\()(?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
SCRIPTS = {
    ".sql": "sql",
    ".py": "python",
    ".toml": "toml",
    ".sh": "shell",
    ".yml": "yaml",
    ".js": "js",
    ".json": "json",
}


def on_files(files: Files, config: Any) -> Files:
    """Add what pages link to, and what that links to."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        if not path.startswith("docs/"):
            files.append(_file(path, config))
        for target in _targets(path):
            if target not in seen and (ROOT / target).exists() and not target.startswith("docs/"):
                seen.add(target)
                waiting.append(target)
    return files


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    """Links from where the page is in the site to where their targets are."""
    place = page.file.src_uri
    path = _path(place)

    def moved(link: re.Match[str]) -> str:
        target = _place(_resolved(path, link[2]))
        there = posixpath.relpath(target, posixpath.dirname(place) or ".")
        return link[1] + there + (link[3] or "")

    code: list[str] = []

    def kept(block: re.Match[str]) -> str:
        code.append(block[0])
        return f"\0{len(code) - 1}\0"

    text = LINK.sub(moved, CODE.sub(kept, markdown))
    return re.sub("\0(\\d+)\0", lambda mark: code[int(mark[1])], text)


# What a page loads unasked: scripts, styles, pictures; and what a style does.
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed)\b[^>]*?\bsrc=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|icon|preload|prefetch|preconnect|dns-prefetch|modulepreload))"""
    r"""[^>]*?\bhref=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|(?:url\(|@import )["']?((?:https?:)?//[^"')\s]+)"""
)


def foreign(text: str) -> list[str]:
    """What a page or a style loads from elsewhere."""
    return [next(filter(None, found)) for found in LOADED.findall(text)]


def on_post_build(*, config: Any) -> None:
    """The site is complete: who reads it tells nobody else."""
    from mkdocs.exceptions import PluginError

    for file in Path(config.site_dir).rglob("*"):
        if file.suffix in (".html", ".css") and (loaded := foreign(file.read_text("utf-8"))):
            raise PluginError(f"{file.name} loads {', '.join(loaded)}")


def _resolved(path: str, link: str) -> str:
    """The file of the repository that a link in another one means."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _place(path: str) -> str:
    """Where a file of the repository is among the sources of the site."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "README.md":
        return "index.md"
    if (ROOT / path).is_dir():
        return f"{path}/README.md" if (ROOT / path / "README.md").exists() else f"{path}/index.md"
    return f"{path}.md" if Path(path).suffix in SCRIPTS else path


def _path(place: str) -> str:
    """The file of the repository behind a source of the site."""
    if (ROOT / "docs" / place).exists():
        return f"docs/{place}"
    script = place.removesuffix(".md")
    return script if Path(script).suffix in SCRIPTS else place


def _source(path: str) -> Path:
    """A file, or of a folder its README.md, if there is one."""
    file = ROOT / path
    return file / "README.md" if (file / "README.md").exists() else file


def _text(path: str) -> str | None:
    """The Markdown of a script or a folder; None for what is there as it is."""
    file = _source(path)
    if file.is_dir():
        names = sorted(
            entry.relative_to(file).as_posix() for entry in file.rglob("*") if entry.suffix in SCRIPTS
        )
        return f"# {path}\n\n" + "".join(f"- [{name}]({name})\n" for name in names)
    if file.suffix in SCRIPTS:
        return f"# {path}\n\n```{SCRIPTS[file.suffix]}\n{file.read_text('utf-8')}```\n"
    return None


def _file(path: str, config: Any) -> File:
    from mkdocs.structure.files import File

    text = _text(path)
    if text is not None:
        return File.generated(config, _place(path), content=text)
    return File.generated(config, _place(path), abs_src_path=os.fspath(_source(path)))


def _targets(path: str) -> list[str]:
    """The files of the repository that a page links to."""
    source = _source(path)
    if source.is_dir():
        path, text = f"{path}/index.md", _text(path) or ""
    elif source.suffix == ".md":
        path, text = source.relative_to(ROOT).as_posix(), source.read_text("utf-8")
    else:
        return []
    return [_resolved(path, link[2]) for link in LINK.finditer(CODE.sub("", text))]
