"""A browser that shows the picture of a question on a page of its own, and answers searches by picture; all else is another one's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from html import escape

import msgspec

from perception.element_map import View
from perception.errors import PictureUnreadable
from perception.geometry import Box
from perception.images.picture_file import LEAST_SIDE
from perception.page_pictures import Shares
from perception.snapshot import FLAT, Layout, Notice, Snapshot
from walker.asked_picture.drawn_picture import DrawnPicture
from walker.asked_picture.picture_file import AskedPicture
from walker.asked_picture.picture_hits import FoundPages, find_pages, footer_of, for_people, sections_of
from walker.rules.scope import WalkScope
from walker.seams.actions import Operate
from walker.seams.picture_pages import ROOTS, TITLE
from walker.seams.protocols import Browser, PageFailure
from walker.seams.search_protocols import PictureSearch
from walker.seams.searches import is_own_page, is_picture_search, is_start, picture_of, roots_of, searched_part

Locate = Callable[[str, View], Awaitable[Box | None]]
"""Where in a view a phrase is shown, in CSS pixels of its page; None where it is not found, or nobody can tell."""
FINE_AT_MOST = 0.85
"""Share 0..1 of the searched picture from which its part is no part: it would find the same again."""
DETAIL_AT_MOST = 4.0
"""Most picture pixels per CSS pixel at which a part of a page is searched for."""
PICTURE_FILES = "https://library.invalid/picture/"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk asks with a picture: the question, its subject in words, and the picture, where it has one."""

    question: str
    subject: str = ""
    picture: AskedPicture | None = None


class PictureBrowser:
    """Implements `walker.seams.protocols.Browser` in front of another one."""

    def __init__(
        self,
        live: Browser,
        asked: Asked,
        scope: WalkScope,
        search: PictureSearch | None = None,
        locate: Locate | None = None,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`search` finds pages by a picture, `locate` the part of one that the question is about; None where the walk has neither."""
        self._live, self._asked, self._scope = live, asked, scope
        self._search, self._locate, self._clock = search, locate, clock
        self._made: dict[str, Snapshot] = {}
        self._layouts: dict[str, Layout] = {}
        self._shown = ""
        self._drawn: DrawnPicture | None = None

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page of the picture, or of pages with pictures like a part of one, each made once; any other as the other browser."""
        is_ours = is_picture_search(url) or (is_start(url) and bool(picture_of(url)))
        if not is_ours:
            self._shown = ""
            opened = await self._live.open(url)
            if isinstance(opened, Snapshot):
                self._layouts[url] = self._layouts[opened.final_url] = opened.layout
            return opened
        if url not in self._made:
            made = await (self._hits(url) if is_picture_search(url) else self._start(url))
            if isinstance(made, PageFailure):
                return made
            self._made[url] = made
        self._shown = url
        return self._made[url]

    async def act(self, move: Operate) -> Snapshot | PageFailure:
        """As the other browser; a page of our own has no controls."""
        if self._shown:
            return PageFailure(url=self._shown, kind="gone", message="a page that Walker made cannot be operated")
        return await self._live.act(move)

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        """The page of the picture, drawn from its bytes; any other as the other browser."""
        if not self._shown:
            return await self._live.see(whole=whole, box=box, scale=scale)
        if self._drawn is None or not is_start(self._shown):
            return PageFailure(url=self._shown, kind="other", message="a page of hits cannot be drawn")
        return await asyncio.to_thread(self._drawn.view, whole=whole, box=box, scale=scale)

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """As the other browser."""
        await self._live.fetch_ahead(tuple(url for url in urls if not is_own_page(url)))

    async def close(self) -> None:
        """Close the search and the other browser."""
        if self._search is not None:
            await self._search.close()
        await self._live.close()

    async def _start(self, url: str) -> Snapshot | PageFailure:
        picture, digest = self._asked.picture, picture_of(url)
        if picture is None or picture.about.digest != digest:
            return PageFailure(url=url, kind="other", message="the picture of the question is not at hand")
        source = f"{PICTURE_FILES}{digest}/the-picture-of-the-question"
        self._drawn = drawn = DrawnPicture(picture, url, source)
        try:
            layout = await asyncio.to_thread(lambda: drawn.layout)
        except PictureUnreadable as error:
            return PageFailure(url=url, kind="unreadable", message=str(error))
        found, fine = (await self._pages_of(drawn)) if self._search is not None else (None, "")
        return self._page(url, self._asked.question, source, found, (fine,) if fine else (), layout)

    async def _pages_of(self, drawn: DrawnPicture) -> tuple[FoundPages, str]:
        """The pages for the whole picture and for the part that the question is about; and why there is no such part."""
        assert self._search is not None, "asked where there is a search only"
        parts, part, why = [("the whole picture", drawn.asked.data)], drawn.asked.about.box, ""
        called = "the box that was given" if part is not None else f"its part “{self._asked.subject}”"
        if part is None:
            part, why = await self._subject_in(drawn)
        if part is not None:
            parts.append((called, await asyncio.to_thread(drawn.cut, part)))
        return await find_pages(self._search, parts, self._asked.subject), why

    async def _subject_in(self, drawn: DrawnPicture) -> tuple[Shares | None, str]:
        """The part of the picture that shows the subject of the question, else why the whole picture alone is searched by."""
        subject = self._asked.subject
        if not subject:
            return None, "the question names no part of it: searched by the whole picture alone"
        if self._locate is None:
            return None, f"nobody can tell where “{subject}” is in it: searched by the whole picture alone"
        box = await self._locate(subject, await asyncio.to_thread(drawn.view, whole=True))
        shares = drawn.shares_of(box) if box is not None else (0.0, 0.0, 0.0, 0.0)
        width, height = shares[2] - shares[0], shares[3] - shares[1]
        about = drawn.asked.about
        if min(width * about.width, height * about.height) < LEAST_SIDE:
            return None, f"“{subject}” was not found in it: searched by the whole picture alone"
        if width * height > FINE_AT_MOST:
            return None, f"“{subject}” is nearly all of it: searched by the whole picture alone"
        return shares, ""

    async def _hits(self, url: str) -> Snapshot | PageFailure:
        """The pages for a part of a picture of a page, which is opened again if another one is shown."""
        if self._search is None:
            return PageFailure(url=url, kind="other", message="this walk has no picture search")
        try:
            page, box = searched_part(url)
        except (ValueError, KeyError):
            return PageFailure(url=url, kind="other", message="not the address of a picture search")
        opened = await self.open(page)
        if isinstance(opened, PageFailure):
            return opened
        layout = self._layouts.get(page, FLAT) if self._shown != page else opened.layout
        view = await self.see(box=box, scale=_detail_at(box, layout))
        if isinstance(view, PageFailure):
            return view
        if not view.picture:
            return PageFailure(url=url, kind="other", message="nothing is drawn there")
        parts, why = [("this part", view.picture)], ()
        subject = self._asked.subject
        fine = await self._locate(subject, view) if subject and self._locate is not None else None
        if fine is not None and LEAST_SIDE**2 < fine.cut_to(box).area <= FINE_AT_MOST * box.area:
            closer = await self.see(box=fine.cut_to(box), scale=_detail_at(fine, layout))
            if isinstance(closer, View) and closer.picture:
                parts.append((f"“{subject}” in it", closer.picture))
        found = await find_pages(self._search, parts, subject)
        return self._page(url, "Pages with pictures like a part of this one", "", found, why, FLAT)

    def _page(
        self, url: str, heading: str, source: str, found: FoundPages | None, why: tuple[str, ...], layout: Layout
    ) -> Snapshot:
        """`why` no part of the picture was searched by. A search that failed is told to the person who watches the walk, too."""
        title = TITLE if source else heading
        figure = f'<figure><img src="{escape(source)}"></figure>' if source else ""
        good, others, told = sections_of(found, self._scope) if found is not None else ("", "", ())
        roots = "".join(f'<li><a href="{escape(root)}">{escape(root)}</a></li>' for root in roots_of(url))
        begin = f"<h2>{escape(ROOTS)}</h2><ul>{roots}</ul>" if roots else ""
        searched = for_people((*(found.searched if found is not None else ()), *why))
        html = (
            f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{escape(title)}</title>{searched}</head><body><main>'
            f"<h1>{escape(heading)}</h1>{figure}{good}{begin}{others}</main>{footer_of(told)}</body></html>"
        )
        at = round(self._clock(), 3)
        failed = found.notes if found is not None else ()
        return Snapshot(
            url=url,
            final_url=url,
            status=200,
            html=html,
            title=title,
            layout=layout,
            notices=tuple(Notice(kind="search", text=note) for note in failed),
            fetched_at=at,
        )


def _detail_at(box: Box, layout: Layout) -> float:
    """Picture pixels per CSS pixel at which a part of a page shows all that its picture's file holds."""
    regions = (*layout.blind, *layout.described)
    details = [one.detail for one in regions if one.detail and box.share_in(one.box) > 0.5]
    return round(min(DETAIL_AT_MOST, max(details, default=1.0)), 2)
