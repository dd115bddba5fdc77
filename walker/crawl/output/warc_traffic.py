"""The traffic of a crawl, into the WARC file that its script names."""

from __future__ import annotations

from pathlib import Path

from walker.browser.traffic import Exchange
from walker.crawl.output.warc import WarcFile
from walker.crawl.spec import CrawlSpec
from walker.crawl.user_agent import agent_of
from walker.errors import UsageError


class WarcTraffic:
    """Implements `traffic.Traffic`. Raises `UsageError` where the file cannot be written."""

    def __init__(self, path: Path, spec: CrawlSpec) -> None:
        about = {
            "http-header-user-agent": agent_of(spec.polite),
            "robots": "obey" if spec.polite.robots else "ignore",
        }
        self._path = path
        try:
            self._file = WarcFile(path, about)
        except OSError as error:
            raise self._unwritable(error) from None

    def add(self, exchange: Exchange) -> None:
        """Append it."""
        try:
            self._file.add(exchange)
        except OSError as error:
            raise self._unwritable(error) from None

    def close(self) -> None:
        """Nothing more comes."""
        self._file.close()

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(
            f"the traffic cannot be written ({error.strerror})",
            where=str(self._path),
            advice="Name another file with --warc, or make room",
        )
