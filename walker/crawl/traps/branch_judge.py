"""Keeps the records of branches in memory, and applies the rule of walker/crawl/traps/branches.py to each page."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from walker.crawl.job_records import Arrived, BranchChange, BranchVerdict
from walker.crawl.traps.branches import Branch, Found, family_name, is_open, judge
from walker.crawl.traps.family_links import FamilyLinks

SUSPECTED_FROM = 3
"""Pages of a branch; the first ones of any list lead to more of it before its items are known."""
_DECODER = msgspec.msgpack.Decoder(Branch)


class BranchRecords:
    """All branches of a job."""

    def __init__(self, stored: Iterable[bytes], cut_after: int) -> None:
        """`stored`: serialised records from the store. `cut_after` 0 never cuts."""
        self._cut_after = cut_after
        self._links = FamilyLinks()
        self._known = {branch.name: branch for branch in map(_DECODER.decode, stored)}

    def learn(self, stored: Iterable[bytes]) -> None:
        """Take in serialised records that were written elsewhere."""
        self._known.update((branch.name, branch) for branch in map(_DECODER.decode, stored))

    def why_closed(self, branch: str) -> str:
        """Why pages of a branch are not fetched, "" if they are."""
        if not branch or is_open(branch, self._known):
            return ""
        own, family = self._known.get(branch), self._known.get(family_name(branch))
        return (own.cut if own is not None else "") or (family.cut if family is not None else "") or "cut"

    def is_suspected(self, branch: str) -> bool:
        """Whether several pages of a branch did nothing but lead to more of it."""
        known = self._known.get(branch)
        return known is not None and known.pages >= SUSPECTED_FROM and known.doubt + known.unproved > 0

    def start_over(self, branch: str) -> None:
        """Take back the suspicion of a branch: it came of text that is another each time."""
        if (known := self._known.get(branch)) is not None:
            self._known[branch] = msgspec.structs.replace(known, doubt=0.0, unproved=0.0)

    def judge_of(self, found: Found, own_keys: frozenset[str]) -> PageJudge:
        """The judge for one page. `own_keys`: keys of the page and its parent, which do not count as known links."""
        return PageJudge(self, found, own_keys)

    def reached(self, branch: str, urls: Iterable[str]) -> int:
        """Number of these known URLs that no page of the branch's family had linked to."""
        return self._links.reached(branch, urls)

    def weigh(self, found: Found) -> BranchVerdict:
        """Weigh a page, and update the records."""
        standing = judge(found, self._known, self._cut_after)
        for branch in standing.changed:
            self._known[branch.name] = branch
        return BranchVerdict(
            changed=tuple(
                BranchChange(name=branch.name, facts=msgspec.msgpack.encode(branch)) for branch in standing.changed
            ),
            cut=standing.reason if standing.kind == "cut" else "",
            probe=standing.probe,
        )


class PageJudge:
    """Weighs one page, once the store has determined what is new on it."""

    def __init__(self, records: BranchRecords, found: Found, own_keys: frozenset[str]) -> None:
        self._records, self._found, self._own_keys = records, found, own_keys

    def weigh(self, arrived: Arrived) -> BranchVerdict:
        """The effect of the page on branches."""
        new_links: dict[str, int] = {}
        for link in arrived.new:
            new_links[link.branch] = new_links.get(link.branch, 0) + 1
        template = _template(self._found.branch)
        known_links = sum(
            link.key not in self._own_keys and _template(link.branch) == template for link in arrived.known
        )
        return self._records.weigh(
            msgspec.structs.replace(
                self._found,
                items=arrived.items,
                new_links=new_links,
                known_links=known_links,
                reached=self._records.reached(self._found.branch, [link.url for link in arrived.known]),
            )
        )

    def why_closed(self, branch: str) -> str:
        """Why pages of a branch are not fetched, "" if they are."""
        return self._records.why_closed(branch)

    def learn(self, branches: Iterable[bytes]) -> None:
        """Take in records that were written elsewhere."""
        self._records.learn(branches)


def _template(branch: str) -> str:
    return branch.rpartition(" > ")[2]
