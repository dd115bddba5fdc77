"""The files of the viewer page. Its modules are bundled into one script: to ask for sixty would take most of the first view."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

START = "main.js"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.\.?/[\w./]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)

_PAGE = resources.files("traces.viewer") / "page"

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src {image}; connect-src {connect}; "
    "base-uri 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'"
)
"""Content-Security-Policy of the page. A recorded page in its frame inherits it, so inline styles are allowed; inline scripts never
are."""


def page_file(name: str) -> tuple[bytes, str]:
    """Bytes and media type of one file of the page; raises `KeyError` for any other name. `main.js` is the whole script; a module
    is also there as it was written, by its path ("run/timeline.js"), for whoever looks into one."""
    data = one_script().encode() if name == START else _files()[name].read_bytes()
    return data, f"{TYPES[_suffix(name)]}; charset=utf-8"


def start_page(source: str, single: str, opening: str, *, asks: bool = False) -> str:
    """The page, configured with the source of its runs ("server", "static" or "embedded"), the name of the run if there is only
    one, and the address within the page to open at, if not its start; `asks`: whether it shows what a walk asks a person."""
    named = (("run", single), ("opening", opening), ("asks", "yes" if asks else ""))
    told = "".join(f' data-{name}="{html.escape(value)}"' for name, value in named if value)
    attributes = f'data-source="{source}"{told}'
    return page_file("index.html")[0].decode().replace("data-source", attributes, 1)


def page_names() -> tuple[str, ...]:
    """Names of the files that the page consists of."""
    return tuple(name for name in _files() if name == START or _suffix(name) != ".js")


def module_names() -> tuple[str, ...]:
    """Paths of the modules that the script is made of."""
    return tuple(name for name in _files() if _suffix(name) == ".js")


@cache
def one_script() -> str:
    """All modules bundled into one script without imports: each in a function of its own, dependencies first."""
    written: dict[str, str] = {}
    _write(START, written)
    return "\n".join(written.values())


@cache
def _files() -> dict[str, Traversable]:
    return dict(sorted(_files_in(_PAGE, "")))


def _files_in(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_in(entry, f"{path}{entry.name}/")
        elif _suffix(entry.name) in TYPES:
            yield path + entry.name, entry


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _write(name: str, written: dict[str, str]) -> None:
    text = _files()[name].read_text(encoding="utf-8")
    imports = []
    for names, place in _IMPORT.findall(text):
        source = posixpath.normpath(posixpath.join(posixpath.dirname(name), place))
        if source not in written:
            _write(source, written)
        imports.append(f"const {{{names}}} = {_variable(source)};")
    body = _EXPORT.sub(r"\1", _IMPORT.sub("", text))
    exports = ", ".join(match[1] for match in _EXPORT.findall(text))
    head = "\n".join(imports)
    written[name] = f"const {_variable(name)} = (() => {{\n{head}\n{body}\nreturn {{{exports}}};\n}})();"


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)
