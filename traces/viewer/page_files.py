"""The files of the viewer page: as they are for a server, and bundled into one script for a self-contained page."""

from __future__ import annotations

import html
import re
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

START = "main.js"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)

_PAGE = resources.files("traces.viewer") / "page"

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src {image}; connect-src {connect}; "
    "base-uri 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; worker-src 'none'"
)
"""Content-Security-Policy of the page. A recorded page in its frame inherits it, so inline styles are allowed; inline scripts never
are."""


def page_file(name: str) -> tuple[bytes, str]:
    """Bytes and media type of one file of the page; raises `KeyError` for any other name."""
    file = _files()[name]
    kind = TYPES["." + name.rpartition(".")[2]]
    return file.read_bytes(), f"{kind}; charset=utf-8"


def start_page(source: str, single: str, opening: str) -> str:
    """The page, configured with the source of its runs ("server", "static" or "embedded"), the name of the run if there is only
    one, and the address within the page to open at, if not its start."""
    attributes = f'data-source="{source}"' + "".join(
        f' data-{name}="{html.escape(value)}"' for name, value in (("run", single), ("opening", opening)) if value
    )
    return page_file("index.html")[0].decode().replace("data-source", attributes, 1)


def page_names() -> tuple[str, ...]:
    """Names of all files."""
    return tuple(_files())


def one_script() -> str:
    """All modules bundled into one script without imports: each in a function of its own, dependencies first."""
    written: dict[str, str] = {}
    _write(START, written)
    return "\n".join(written.values())


@cache
def _files() -> dict[str, Traversable]:
    return {file.name: file for file in _PAGE.iterdir() if "." + file.name.rpartition(".")[2] in TYPES}


def _write(name: str, written: dict[str, str]) -> None:
    text = _files()[name].read_text(encoding="utf-8")
    imports = []
    for names, source in _IMPORT.findall(text):
        if source not in written:
            _write(source, written)
        imports.append(f"const {{{names}}} = {_variable(source)};")
    body = _EXPORT.sub(r"\1", _IMPORT.sub("", text))
    exports = ", ".join(match[1] for match in _EXPORT.findall(text))
    head = "\n".join(imports)
    written[name] = f"const {_variable(name)} = (() => {{\n{head}\n{body}\nreturn {{{exports}}};\n}})();"


def _variable(name: str) -> str:
    return "$" + name.replace(".", "_")
