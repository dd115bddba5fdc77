"""A file that is a picture as an HTML page: the picture under the name of its file, with the text that a drawing (SVG) holds."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import escape
from urllib.parse import unquote, urlsplit

from lxml import etree

MOST_BYTES = 6_000_000
MOST_TEXTS = 400
"""Texts of a drawing that are read."""
SVG_TYPE = "image/svg+xml"
PICTURE_TYPES = frozenset(
    ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/x-icon", SVG_TYPE)
)
"""Media types that browsers show."""
_STYLE = "body{margin:1em}img{max-width:100%}"
_SPOKEN = re.compile(r"[-_+.]+")


def picture_type(status: int, headers: Mapping[str, str]) -> str:
    """The media type of a response that is a picture, else ""; header names in lower case."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind if kind in PICTURE_TYPES and 200 <= status < 300 and status not in (204, 205) else ""


def too_large_picture() -> str:
    """Why a file above the limit is not shown."""
    return f"it is a picture of more than {MOST_BYTES // 1_000_000} MB, the limit for one file"


def page_of_picture(data: bytes, kind: str, url: str) -> str:
    """The page for a file at a URL. All text is escaped; scripts of a drawing do not run within an image."""
    name, texts = _name_of(url), _texts_of(data) if kind == SVG_TYPE else []
    said = "".join(f"<p>{escape(text)}</p>" for text in texts)
    # Without a text for it: what it shows is read by OCR or a vision model.
    picture = f'<img src="data:{kind};base64,{base64.b64encode(data).decode()}">'
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(name)}</title><style>{_STYLE}</style></head>'
        f"<body><main><h1>{escape(name)}</h1>{picture}{said}</main></body></html>"
    )


def _name_of(url: str) -> str:
    """The name of a file in words: "Depth chart" for `depth_chart.png`."""
    file = unquote(urlsplit(url).path.rsplit("/", 1)[-1])
    words = _SPOKEN.sub(" ", file.rpartition(".")[0] or file).strip()
    return words[:1].upper() + words[1:] or "Picture"


def _texts_of(data: bytes) -> list[str]:
    """The title, the description and the texts of a drawing, each once, in its order."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data, parser=parser)
    except etree.XMLSyntaxError:
        return []
    if root is None:
        return []
    texts = (" ".join("".join(part.itertext()).split()) for part in root.iter("{*}title", "{*}desc", "{*}text"))
    return list(dict.fromkeys(filter(None, texts)))[:MOST_TEXTS]
