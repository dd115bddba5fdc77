"""WACZ 1.1.1 export: a WARC with its index and page list in one zip, which replayweb.page opens."""

from __future__ import annotations

import hashlib
import io
import zipfile
from urllib.parse import urlsplit

import msgspec

from traces.export.recorded_pages import RecordedPages
from traces.export.warc import ArchivedRecord, warc_of

WARC_NAME = "walk.warc.gz"
_OLDEST = (1980, 1, 1, 0, 0, 0)


def wacz_of(recorded: RecordedPages, *, version: str, title: str) -> bytes:
    """The archive of a walk. Raises `ImportError` where warcio is not installed."""
    archive = warc_of(recorded, version=version, title=title)
    created = max((record.at for record in archive.records), default="1970-01-01T00:00:00Z")
    files = {
        f"archive/{WARC_NAME}": archive.data,
        "indexes/index.cdx": _index(archive.records),
        "pages/pages.jsonl": _pages(recorded, archive.records),
    }
    resources = [
        {"name": path.rpartition("/")[2], "path": path, "hash": _digest(data), "bytes": len(data)}
        for path, data in files.items()
    ]
    package = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": title,
        "software": f"walker {version}",
        "created": created,
        "resources": resources,
    }
    described = msgspec.json.format(msgspec.json.encode(package))
    files["datapackage.json"] = described
    signed = {"path": "datapackage.json", "hash": _digest(described)}
    files["datapackage-digest.json"] = msgspec.json.format(msgspec.json.encode(signed))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        for path, data in files.items():
            zipped.writestr(zipfile.ZipInfo(path, _OLDEST), data)
    return out.getvalue()


def surt_of(url: str) -> str:
    """The SURT form of a URL, the sort key of CDX indexes: `http://www.a.org:8080/B?c` gives `org,a,www:8080)/b?c`; an IP address
    is not reversed."""
    if not url.startswith(("http://", "https://")):
        return url
    parts = urlsplit(url)
    host = (parts.hostname or "").lower()
    if not host.replace(".", "").isdigit() and ":" not in host:
        host = ",".join(reversed(host.split(".")))
    port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    query = "&".join(sorted(parts.query.lower().split("&")))
    return f"{host}{port}){parts.path.lower() or '/'}{'?' + query if query else ''}"


def _index(records: tuple[ArchivedRecord, ...]) -> bytes:
    lines = []
    for record in records:
        if record.kind == "metadata":
            continue
        fields = {
            "url": record.url,
            "mime": record.media_type,
            "status": str(record.status),
            "digest": record.digest,
            "length": str(record.length),
            "offset": str(record.offset),
            "filename": WARC_NAME,
        }
        lines.append(f"{surt_of(record.url)} {_compact(record.at)} {msgspec.json.encode(fields).decode()}\n")
    return "".join(sorted(lines)).encode()


def _pages(recorded: RecordedPages, records: tuple[ArchivedRecord, ...]) -> bytes:
    """Each page, with the date of its record."""
    at = {record.url: record.at for record in records if record.kind != "metadata"}
    lines: list[dict[str, str]] = [{"format": "json-pages-1.0", "id": "pages", "title": "Pages of the walk"}]
    for number, page in enumerate(recorded.pages, start=1):
        if not page.failure:
            url = page.final_url
            shown = at.get(url.partition("#")[0]) or at.get(url) or at[f"urn:dom:{url}"]
            lines.append({"id": str(number), "url": url, "ts": shown, "title": page.title or url})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _compact(date: str) -> str:
    return "".join(letter for letter in date if letter.isdigit())


def _digest(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
