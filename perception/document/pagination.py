"""Pagination: what a page says about its place in a series of pages.

Chapter navigation of documentation ("next: Installation") does not count: the next page of a list has a URL of the same
shape as this one, a number, or a run of page numbers beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from perception.document.addresses import without_fragment
from perception.observation import Block, Control, Link, Pagination

_NEXT = re.compile(
    r"^\W*(?:next(?:\s+(?:page|results|\d+))?|older(?:\s+\w+)?|more results|下一?页|下一頁|下页|后一页|次へ|次の?ページ|다음(?:\s*페이지)?|suivante?s?"
    r"|page suivante|weiter|nächste(?:\s+seite)?|siguiente(?:s)?|página siguiente|próxim[ao]|seguinte|successiv[ao]|avanti"
    r"|volgende|nästa|neste|næste|seuraava|następna|další|следующая|вперёд|далее|sonraki|التالي|tiếp)\W*$",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(
    r"^\W*(?:prev(?:ious)?(?:\s+page)?|newer(?:\s+\w+)?|上一?页|上一頁|前へ|前の?ページ|이전|précédente?|zurück|vorherige(?:\s+seite)?|anterior"
    r"|precedente|vorige|föregående|forrige|poprzednia|предыдущая|назад|önceki|السابق)\W*$",
    re.IGNORECASE,
)
_ARROWS_ON, _ARROWS_BACK = frozenset("›»→>❯❱⟩〉▶►▸⇒➔➜⟶"), frozenset("‹«←<❮❰⟨〈◀◄◂⇐⟵")
_SHAPES = r"\W*(?:(?:keyboard|navigate|arrow|chevron|angle|caret|circle|double|long|big)[\s_-]?)+"
_ICON_ON = re.compile(rf"^{_SHAPES}(?:right|next|forward)(?:[\s_-](?:ios|circle|square|alt))*\W*$", re.IGNORECASE)
_ICON_BACK = re.compile(
    rf"^{_SHAPES}(?:left|back|before|prev(?:ious)?)(?:[\s_-](?:ios|circle|square|alt))*\W*$", re.IGNORECASE
)
"""Names of icons of arrows ("chevron left", "arrow_back_ios")."""
_UNNAMED = 2
"""Most links of the run without any label: icons whose name nobody knows, one back and one on. More are pictures of a gallery."""
_MORE = re.compile(
    r"^\W*(?:load|show|view|see)\s+more\b|^\W*more(?:\s+(?:results|items))?\W*$|加载更多|查看更多|显示更多|更多|もっと見る|afficher plus|voir plus"
    r"|mehr (?:laden|anzeigen)|cargar más|ver más|carregar mais|mostra altri|показать ещё",
    re.IGNORECASE,
)
_SHOWN = re.compile(
    r"(?<![\d.])(\d[\d,]*)\s*(?:-|–|—|~|to|bis|à|a|至|到)\s*(\d[\d,]*)\s*(?:of|/|von|sur|de|di|out of|из|，?\s*共)\s*(\d[\d,]*)(?![\d.])",
    re.IGNORECASE,
)
_PAGE_OF = re.compile(
    r"(?:page|seite|página|pagina|第)\s*(\d+)\s*(?:页)?\s*(?:of|von|sur|de|di|/|，|,|\s)\s*(?:共)?\s*(\d+)",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"共\s*(?:有)?\s*(\d[\d,]*)\s*(?:条|項|项|个|篇|位|人|名|件|则|種|种|门|本|家|所|部)|\b(\d[\d,]*)\s+(?:results|entries|records|items)\b(?:\s+(?:found|in all|in total))?",
    re.IGNORECASE,
)
_PAGE_LABEL = re.compile(
    r"^\W*(?:(?:(?:go\s+)?to\s+)?(?:page|seite|página|pagina|pagină|strona|sida|side|страница|ページ|第|p\.)\s*)?(\d{1,4})\s*(?:页|頁|ページ)?\W*$",
    re.IGNORECASE,
)
_OWN_NUMBER = re.compile(r"\d{1,4}(?=\D*$)")
_SHORT = 160
"""Longest text in which "1-20 of 57" is taken for pagination; such numbers in a longer paragraph mean something else."""
_PAGE_WORDS = re.compile(r"(?:page|pages|seite|index|p|pg|start|offset|from)?[=/_.-]?\d+", re.IGNORECASE)

_CHAPTER = re.compile(
    r"[/_.-](?:ch|chap|chapter|pr|sec|sect|section|part|vol|volume|book|lesson|unit|app|appendix|lecture|episode|issue)[-_.]?\d+"
    r"(?=[^/]*$)",
    re.IGNORECASE,
)
"""Words that mark chapter navigation: chapters are numbered too, but are not pages of one list."""


def page_number(label: str) -> int:
    """The number that a link to one page of a list is called by, 0 for any other label.

    >>> page_number("17"), page_number("Page 3"), page_number("第 4 页"), page_number("2019 news")
    (17, 3, 4, 0)
    """
    match = _PAGE_LABEL.match(label)
    return int(match[1]) if match else 0


def read_pagination(
    links: Sequence[Link], controls: Sequence[Control], blocks: Sequence[Block], page_url: str, next_hint: str
) -> Pagination:
    """The series of pages that this page belongs to. `next_hint` is the URL of a `<link rel="next">`, "" for none."""
    current, last, shown, total = _statements(blocks)
    numbered = [(number, link.url) for link in links if (number := page_number(link.label))]
    run = [(number, url) for number, url in numbered if same_run(url, page_url)]
    in_run = len(run) >= 2 or bool(run and (current or shown[2]))
    next_url = _next_link(links, page_url, in_run=in_run or bool(shown[2]) or bool(last), hint=next_hint)
    if run and (in_run or not next_url):
        current = current or _missing_number([number for number, _ in run], page_url)
    if not next_url and run:
        next_url = next((url for number, url in run if current and number == current + 1), "")
    previous = _previous_link(links, page_url)
    control = 0
    if not next_url:
        control = next(
            (c.id for c in controls if not c.hidden and c.kind in ("button", "link") and _MORE.search(c.name)), 0
        )
    return Pagination(
        next_url=next_url,
        next_control=control,
        previous_url=previous,
        page_urls=tuple(dict.fromkeys(url for _, url in run)) if in_run else (),
        current=current,
        last=last or max((number for number, _ in run), default=0) if in_run or last else 0,
        shown_from=shown[0],
        shown_to=shown[1],
        total=total,
    )


def _statements(blocks: Sequence[Block]) -> tuple[int, int, tuple[int, int, int], int]:
    current = last = total = 0
    shown = (0, 0, 0)
    for block in blocks:
        if len(block.text) > _SHORT or block.kind in ("code", "row") or not any(map(str.isdigit, block.text)):
            continue
        if not shown[2] and (match := _SHOWN.search(block.text)):
            low, high, whole = (int(group.replace(",", "")) for group in match.groups())
            if 0 < low <= high <= whole:
                shown, total = (low, high, whole), whole
        if not last and (match := _PAGE_OF.search(block.text)):
            here, end = int(match.group(1)), int(match.group(2))
            if 0 < here <= end:
                current, last = here, end
        if not total and (match := _TOTAL.search(block.text)):
            total = int((match.group(1) or match.group(2)).replace(",", ""))
    return current, last, shown, total


def _next_link(links: Sequence[Link], page_url: str, *, in_run: bool, hint: str) -> str:
    candidates = [link for link in links if "next" in link.rel or _NEXT.match(link.label)]
    candidates += [link for link in links if _is_arrow(link, _ARROWS_ON, _ICON_ON)]
    for link in candidates:
        if same_run(link.url, page_url):
            return link.url
    if in_run and candidates:
        return candidates[0].url
    if unnamed := _unnamed(links, page_url, on=True):
        return unnamed
    return hint if hint and same_run(hint, page_url) else ""


def _previous_link(links: Sequence[Link], page_url: str) -> str:
    """By its words, else by an arrow: of several the last, which stands beside this page ("« ‹")."""
    run = [link for link in links if same_run(link.url, page_url)]
    named = [link.url for link in run if "prev" in link.rel or _PREVIOUS.match(link.label)]
    arrows = [link.url for link in run if _is_arrow(link, _ARROWS_BACK, _ICON_BACK)]
    return named[0] if named else arrows[-1] if arrows else _unnamed(links, page_url, on=False)


def _is_arrow(link: Link, signs: frozenset[str], icon: re.Pattern[str]) -> bool:
    return bool(link.label) and (set(link.label) - {" "} <= signs or icon.match(link.label) is not None)


def _unnamed(links: Sequence[Link], page_url: str, *, on: bool) -> str:
    """The link of a pager of icons without any name that leads on, or back, as its number says; "" where there is none."""
    found = dict.fromkeys(link.url for link in links if not link.label and same_run(link.url, page_url))
    here = _number_of(page_url)
    if len(found) > _UNNAMED:
        return ""
    return next((url for url in found if (_number_of(url) > here if on else _number_of(url) < here)), "")


def _number_of(url: str) -> int:
    """The number of a page in its address; 1 for the first page, which often has none."""
    own = _OWN_NUMBER.search(url.partition("://")[2].partition("/")[2])
    return int(own[0]) if own else 1


def same_run(url: str, page_url: str) -> bool:
    """Whether two URLs differ only in a page number, or one has a page number and the other none."""
    a, b = without_fragment(url), without_fragment(page_url)
    if _CHAPTER.search(a) and _CHAPTER.search(b):
        return False
    return a != b and _without_number(a) == _without_number(b) and any(map(str.isdigit, a + b))


def _without_number(url: str) -> str:
    host, _, rest = url.partition("://")[2].partition("/")
    plain = _PAGE_WORDS.sub("", rest).lower()
    plain = re.sub(r"[?&](?:page|p|pg|paged|start|offset|from|pageno|pagenum)=?(?=&|$)", "", plain).rstrip("/?&_-")
    plain = re.sub(r"(?:/page|index)?(?:\.s?html?|\.php|\.aspx?|\.jsp)?/?$", "", plain)
    return f"{host}/{plain.rstrip('/?&_-')}"


def _missing_number(numbers: list[int], page_url: str) -> int:
    """The number of the current page, which has no link: that of its address where no link has it, else the gap in the run, or the one
    before the first."""
    present = set(numbers)
    own = _OWN_NUMBER.search(page_url.partition("://")[2].partition("/")[2])
    if own and int(own[0]) not in present and min(present) <= int(own[0]) <= max(present) + 1:
        return int(own[0])
    for number in range(1, max(present) + 2):
        if number not in present:
            return number
    return 0
