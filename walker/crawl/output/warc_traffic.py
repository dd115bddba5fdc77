"""Writes the traffic of a crawl to the WARC file that its script names."""

from __future__ import annotations

from pathlib import Path

import msgspec

from walker.browser.egress.egress_proxy import REFUSED_HEADER
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.output.warc import WarcFile
from walker.crawl.script.spec import CrawlSpec
from walker.files.atomic_output import unwritable
from walker.seams.web.exchange import Exchange, Headers
from walker.seams.web.own_headers import OwnHeaders
from walker.seams.web.traffic import without_secrets


class WarcTraffic:
    """Implements `traffic.Traffic`. Raises `OutputUnwritable` if the file cannot be written."""

    def __init__(self, path: Path, spec: CrawlSpec) -> None:
        about = {
            "http-header-user-agent": agent_of(spec.polite),
            "robots": "obey" if spec.polite.robots else "ignore",
        }
        self._path, self._own = path, OwnHeaders(spec.headers, lambda _: False)
        try:
            self._file = WarcFile(path, about)
        except OSError as error:
            raise unwritable(path, error) from None

    def add(self, exchange: Exchange) -> None:
        """Append an exchange without credentials; for a failed request, a note of the failure."""
        if any(name.lower() == REFUSED_HEADER for name, _ in exchange.headers):
            # The response is from our own proxy: nothing was fetched.
            return
        kept = msgspec.structs.replace(
            exchange,
            url=exchange.url.partition("#")[0],
            headers=without_secrets(exchange.headers),
            request_headers=self._without_own(exchange.request_headers),
        )
        try:
            if kept.status:
                self._file.add(kept)
            else:
                self._file.add_metadata(kept.url, kept.at, {"failure": kept.error})
        except OSError as error:
            raise unwritable(self._path, error) from None

    def _without_own(self, headers: Headers) -> Headers:
        """Request headers without credentials, and without those that the user adds, which may be such."""
        return self._own.without(without_secrets(headers))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
