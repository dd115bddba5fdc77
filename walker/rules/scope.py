"""Decides which URLs belong to a walk, by code alone: nothing that a page says changes it."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from memory.url_key import WEB_SCHEMES, key_of, origin_of, same_site
from walker.errors import NotAUrl
from walker.seams.searches import is_search
from walker.settings import Scope

FILE_ENDING = re.compile(
    r"\.(?:pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|iso|whl|jar|png|jpe?g|gif|webp|svg|ico|bmp|tiff?"
    r"|mp[34]|m4[av]|avi|mov|mkv|webm|ogg|wav|flac|docx?|xlsx?|pptx?|od[tsp]|epub|mobi|csv|ics|css|js|woff2?|ttf)$",
    re.IGNORECASE,
)
"""Path suffixes of URLs that lead to a file, not to a page."""
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico")
READ_ENDINGS = frozenset((".pdf", *PICTURE_ENDINGS))
"""Those of files that a walk reads like pages: a picture is a page that shows a picture."""
FILE_REFUSED = "a file that is not read here: look for a page or a PDF that says the same"


_ORIGIN = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\]*")
_AFTER_PATH = re.compile(r"[?#]")


class WalkScope(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a site that a walk may enter."""

    root_url: str
    kind: Scope = "host"

    def why_outside(self, url: str) -> str:
        """Why this URL may not be opened, "" if it may."""
        origin = _ORIGIN.match(url)
        if why := _why_foreign(origin.group(0) if origin else url, self.root_url):
            return why
        path = _AFTER_PATH.split(url[origin.end() :] if origin else "", maxsplit=1)[0]
        ending = FILE_ENDING.search(path)
        if ending and ending[0].lower() not in READ_ENDINGS:
            return FILE_REFUSED
        if self.kind == "path" and not path.startswith(root_folder(self.root_url)):
            return "outside the root's folder"
        return ""


@lru_cache(maxsize=4096)
def _why_foreign(origin: str, root_url: str) -> str:
    """Why an origin is outside, "" if it is not; cached, as the thousands of links of a page have a handful of origins."""
    try:
        scheme = urlsplit(origin).scheme
        if scheme not in WEB_SCHEMES:
            return f"{scheme or 'no'} scheme is not http or https"
        origin_of(origin)
    except ValueError:
        return "not a valid address"
    # A search may find pages of any site; only those that the library holds are links on the pages of such a walk.
    return "" if is_search(root_url) or same_site(origin, root_url) else "off site"


@lru_cache(maxsize=256)
def root_folder(root_url: str) -> str:
    """Path of the root URL's folder, with a slash at its end."""
    return urlsplit(root_url).path.rsplit("/", 1)[0] + "/"


def check_root(root: str) -> str:
    """The root URL to open; raises `NotAUrl` with advice on the form that was probably meant."""
    text = root.strip()
    if not text:
        raise NotAUrl("no address was given", advice="Give the address of a site, such as https://docs.python.org/3/")
    try:
        parts = urlsplit(text)
        host = parts.hostname
        key_of(text)
    except ValueError as error:
        raise NotAUrl(f"not a valid address ({error})", where=text, advice="Give it as https://host/path") from None
    if parts.scheme in ("http", "https") and host:
        return text
    if parts.scheme and "://" in text:
        raise NotAUrl(f"{parts.scheme} is not http or https", where=text, advice="Walker opens web pages only")
    if "." in text.split("/")[0] or text.startswith("localhost"):
        raise NotAUrl("the scheme is missing", where=text, advice=f"Did you mean https://{text} ?")
    raise NotAUrl("not an address of a web page", where=text, advice="Give it as https://host/path")
