"""Progress lines of a harvest."""

from __future__ import annotations

from collections.abc import Callable

from walker.crawl.crawl_events import PageDone


class HarvestProgress:
    """Implements `CrawlSink`: a line for each page."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell, self._pages = tell, 0

    def emit(self, event: PageDone) -> None:
        """Report a finished page."""
        self._pages += 1
        said = event.title if event.outcome == "kept" else f"{event.outcome}: {event.why or event.final_url}"
        self._tell(f"{self._pages:>4} level {event.depth + 1} {said} [{event.url}]")
