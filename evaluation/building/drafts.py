"""Cache of model-written questions, so that the model is not paid twice for the same pages."""

from __future__ import annotations

from pathlib import Path

import msgspec

from evaluation.building.candidate import Candidate
from evaluation.building.tree import HarvestedPage
from evaluation.building.writing import Refused, Writer
from evaluation.ledger import Ledger


class Draft(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result for one target: a candidate, or why there is none."""

    pages: tuple[str, ...]
    candidate: Candidate | None = None
    refused: str = ""


class DraftFile:
    """Drafts by their pages; a context manager."""

    def __init__(self, path: Path, writer: Writer) -> None:
        self._ledger = Ledger(path, Draft)
        self._known = {draft.pages: draft for draft in self._ledger.entries}
        self._writer = writer

    def __enter__(self) -> DraftFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()

    async def draft(self, pages: tuple[HarvestedPage, ...]) -> tuple[Candidate | None, str]:
        """The candidate of these pages, or why there is none."""
        keys = tuple(page.key for page in pages)
        known = self._known.get(keys)
        if known is None:
            written = await self._writer.write(pages)
            refused = written.reason if isinstance(written, Refused) else ""
            known = Draft(pages=keys, candidate=None if isinstance(written, Refused) else written, refused=refused)
            self._ledger.add(known)
            self._known[keys] = known
        return known.candidate, known.refused
