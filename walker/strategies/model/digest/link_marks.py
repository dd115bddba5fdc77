"""Numbers of links in place: where a page's text has a link, the prompt has its number, with what became of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

import msgspec

from memory.state import WalkMemory
from memory.url_key import BadUrl, key_of, key_or, other_spellings
from memory.words import lazy_re
from perception.document.addresses import without_fragment
from perception.document.regions.link_cards import LinkCard, find_link_cards
from perception.document.visible import shortened
from perception.observation import Block, Link, Observation, Place
from walker.rules.action_words import followed_link, in_words
from walker.rules.policy import SAME_SHAPE_PAGES, shape_of
from walker.seams.actions import FollowLink
from walker.strategies.links.vague_links import subjects_of

_Span = tuple[int, int, str]
"""Beginning and end of a label in its block's text, and its number."""

_Pictured = tuple[int, int, Link, str]
"""A picture that leads somewhere: where it stands in its block's text, its link, and its number."""

LABEL_CHARS = 70
_FILE = lazy_re.compile(
    r"\.(?!html?$|php$|aspx?$|jsp$|png$|jpe?g$|gif$|webp$|svg$|bmp$|ico$)[a-z0-9]{2,5}$", re.IGNORECASE
)
"""The end of a URL that names a file which is no page."""
_PICTURE = lazy_re.compile(r"\.(?:png|jpe?g|gif|webp|svg|bmp|ico)(?:$|[?#])", re.IGNORECASE)
"""The end of the path of a URL that leads to nothing but a picture."""
_LEFT_AS: Mapping[str, str] = MappingProxyType(
    {
        "already visited": "seen",
        **dict.fromkeys(("off site", "blocked_address", "bad_scheme"), "outside"),
        **dict.fromkeys(("download", "not_a_page"), "file"),
    }
)
"""How a link is marked whose page was not entered, by the reason; "failed" for any other."""
LINK_NUMBER = lazy_re.compile(r" ?\[(\d+)(?: [a-z-]+)?\]")
"""The number of a link as it stands in a text, with what became of it."""
BETWEEN = " · "
"""Between labels that touch in the text."""
_OWN = "this page"
THIS_PAGE = f" [{_OWN}]"
"""Behind the label of a link to the page itself, in a row of links."""
NEAR_BLOCKS = 4
"""Blocks within which a picture that leads somewhere needs no number beside a label with the same address."""
LONGEST_ENTRY = 160
"""Characters of an entry or a heading, at whose end the number of the picture that begins it stands."""


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A place in a block's text, such as the end of a link's label, and what goes there, such as the link's number."""

    end: int
    text: str


class LinkMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks of a page's links. A link to a place on the same page has none: it leads nowhere."""

    by_block: Mapping[int, tuple[Mark, ...]]
    loose: tuple[Link, ...]
    """Links that stand in no text (a picture), by document order."""
    closed: Mapping[str, tuple[Link, ...]]
    """Links of closed menus, whose own text is not shown, by the name of what opens them."""
    hidden: int
    """How many links stand in parts that are not shown, and have no control that opens them."""
    states: Mapping[int, str]
    """By number of the link: "" for one that may be followed, else why not ("seen", "failed", "off-site", "file", "outside" of the
    scope, "refused" by another rule, "this page" of an address that led to it); none for a link to a place on the same page."""

    been: Mapping[int, str] = MappingProxyType({})
    """By number of a link that may be followed though the walk asked for it before: "unanswered" where no page came, once more; "seen"
    in a walk that enters pages more than once, and where only another spelling of the address was read."""

    about: Mapping[int, str] = MappingProxyType({})
    """By number of a link whose label does not tell, what it is about."""

    cards: tuple[LinkCard, ...] = ()
    """Cards that are one link each, whose numbers stand behind their names."""

    def text_of(self, block: Block) -> str:
        """The block's text with the numbers of its links; white space is kept."""
        text, marks = block.text, self.by_block.get(block.id, ())
        if not marks:
            return text
        pieces, done = [], 0
        for mark in marks:
            pieces += [text[done : mark.end], mark.text]
            done = mark.end
        return "".join((*pieces, text[done:]))

    def label_of(self, link: Link) -> str:
        """A link as an entry of a list: label, or end of its URL, what it is about where that does not tell, and its number."""
        about = f" ({subject})" if (subject := self.about.get(link.id)) else ""
        return f"{_name_of(link)}{about} {_numbered(link, self.states.get(link.id, '') or self.been.get(link.id, ''))}"


def mark_links(observation: Observation, memory: WalkMemory) -> LinkMarks:
    """The marks of an observed page on top of the walk's stack."""
    states = _states(observation, memory)
    been = _been(observation, states, memory)
    spans: dict[int, list[_Span]] = defaultdict(list)
    loose: list[Link] = []
    closed: dict[str, list[Link]] = defaultdict(list)
    pictured: dict[int, list[_Pictured]] = defaultdict(list)
    unseen = {block.id for block in observation.blocks if block.hidden}
    cards = find_link_cards(observation)
    names = {card.link: card.name for card in cards}
    for link in observation.links:
        if link.hidden:
            continue
        state = states.get(link.id)
        number = "" if state is None else f" {_numbered(link, state or (been and been.get(link.id)) or '')}"
        stands = False
        places: tuple[Link | Place, ...] = (link, *link.again) if link.again else (link,)
        for place in places:
            block = place.block
            if not block or block in unseen:
                continue
            stands = True
            if place is link and names.get(link.id, block) != block:
                end = len(observation.blocks[names[link.id] - 1].text)
                spans[names[link.id]].append((end, end, number))
            elif place.start < place.end:
                spans[block].append((place.start, place.end, number))
            elif number:
                pictured[block].append((place.start, place.end, link, number))
        if not stands and state is not None:
            (closed[link.opener] if link.opener else loose).append(link)
    if pictured:
        _name_pictures(observation, spans, pictured)
    _mark_own(observation, spans, unseen)
    marks = {number: _marks(observation.blocks[number - 1], found) for number, found in spans.items()}
    menus = {opener: tuple(links) for opener, links in closed.items()}
    hidden = sum(states.get(link.id) == "" for link in observation.links if link.hidden)
    return LinkMarks(
        by_block=marks,
        loose=tuple(loose),
        closed=menus,
        hidden=hidden,
        states=states,
        been=been,
        about=subjects_of(observation),
        cards=cards,
    )


def _mark_own(observation: Observation, spans: dict[int, list[_Span]], unseen: Set[int]) -> None:
    """Mark links to the page itself where they stand in a row of links."""
    for own in observation.own:
        if own.block not in unseen and (own.block in spans or observation.blocks[own.block - 1].region != "main"):
            spans[own.block].append((own.start, own.end, THIS_PAGE))


def _name_pictures(
    observation: Observation, spans: dict[int, list[_Span]], pictured: Mapping[int, Sequence[_Pictured]]
) -> None:
    """Add the marks of pictures that lead somewhere: each has a name, though none that stands in the text, unless a label beside it
    leads there too. Where a picture begins an entry or a heading, its mark stands behind the text."""
    seen = [link for link in observation.links if not link.hidden]
    written = {(link.block, link.url) for link in seen if link.start < link.end}
    written |= {(place.block, link.url) for link in seen for place in link.again if place.start < place.end}
    for number, pictures in pictured.items():
        text = observation.blocks[number - 1].text
        for start, end, link, mark in pictures:
            if any((number + step, link.url) in written for step in range(NEAR_BLOCKS)):
                continue
            name = _name_of(link)
            if end or len(text) > LONGEST_ENTRY:
                spans[number].append((start, end, f"‹{name}›{mark}"))
            else:
                is_said = name.casefold() in text.casefold()
                spans[number].append((len(text), len(text), mark if is_said else f" ‹{name}›{mark}"))


def _marks(block: Block, spans: list[_Span]) -> tuple[Mark, ...]:
    """The numbers behind the labels. Where two links meet they are parted, if nothing stands between them and words would touch or
    one has no number; beside the main text each link is parted from words that touch it: there a style sets labels apart on the
    screen."""
    is_side = block.region != "main"
    if len(spans) == 1 and not is_side and spans[0][2].startswith(" "):
        return (Mark(spans[0][1], spans[0][2]),)
    starts, ends = {start for start, _, _ in spans}, {end for _, end, _ in spans}
    found: list[Mark] = []
    done = 0
    for start, end, number in sorted(spans):
        touches = _is_within_a_word(block.text, start) and (start in ends or is_side)
        follows = is_side and 0 < done <= start and not block.text[done:start].strip()
        if (touches or follows) and start < end:
            found.append(Mark(start, BETWEEN))
        done = max(done, end)
        starts_next = is_side and _is_within_a_word(block.text, end) and end not in starts
        mark = number + (BETWEEN if starts_next else "")
        if mark.startswith("‹"):
            mark = f"{'' if block.text[end - 1 : end].isspace() or not end else ' '}{mark}"
            mark += " " if block.text[end : end + 1].isalnum() else ""
        if mark:
            found.append(Mark(end, mark))
    # Of marks at one place the number of the link that ends there stands first.
    return tuple(sorted(found, key=lambda mark: (mark.end, mark.text == BETWEEN)))


def _is_within_a_word(text: str, place: int) -> bool:
    return text[place - 1 : place].isalnum() and text[place : place + 1].isalnum()


def _name_of(link: Link) -> str:
    return shortened(link.label, LABEL_CHARS) or end_of(link.url)


def end_of(url: str) -> str:
    """The last part of a URL's path."""
    return unquote(url.partition("?")[0].rstrip("/").rsplit("/", 1)[-1])[:40]


def _numbered(link: Link, state: str) -> str:
    """Its number with why it may not be followed, or that it leads to a picture; none for one that leads here."""
    if state == _OWN:
        return f"[{_OWN}]"
    if not state and not _PICTURE.search(link.url):
        return f"[{link.id}]"
    return f"[{link.id} {state or 'picture'}]"


def _states(observation: Observation, memory: WalkMemory) -> dict[int, str]:
    known: dict[str, str | None] = {}
    states: dict[int, str] = {}
    walked = _Walked(observation, memory)
    for link in observation.links:
        address = without_fragment(link.url)
        if address not in known:
            known[address] = walked.state_of(address)
        state = known[address]
        if state == "" and walked.was_refused(link):
            state = "refused"
        if state is not None:
            states[link.id] = state
    return states


def spelled_otherwise(memory: WalkMemory) -> frozenset[str]:
    """Keys under which pages that were read may be found too, such as that of the folder of an index."""
    stack = memory.stack
    read = stack.entered if stack.goes_back else [note.key for note in memory.pages if note.outcome == "read"]
    return frozenset(other for key in read for other in other_spellings(key))


def _been(observation: Observation, states: Mapping[int, str], memory: WalkMemory) -> dict[int, str]:
    """The links to pages that did not come when they were asked for, and to those that were read under another spelling of their
    address, this one among them; in a walk that may enter pages again, to all that were read."""
    if memory.stack.top is None:
        return {}
    found: dict[str, str] = dict.fromkeys(spelled_otherwise(memory), "seen")
    if memory.stack.goes_back:
        found |= dict.fromkeys(memory.unanswered, "unanswered")
    else:
        found |= {note.key: "seen" for note in memory.pages if note.outcome == "read"}
    found |= dict.fromkeys(other_spellings(memory.stack.top.key), _OWN)
    return {
        link.id: found[key]
        for link in (observation.links if found else ())
        if states.get(link.id) == "" and (key := key_or(link.url, "")) in found
    }


class _Walked:
    """What the walk knows of addresses on the page on top of its stack."""

    def __init__(self, observation: Observation, memory: WalkMemory) -> None:
        top = memory.stack.top
        self._here = top.key if top is not None else ""
        self._led_here = top.asked if top is not None else ""
        page = urlsplit(observation.url)
        self._host, self._site = page.netloc, f"{page.scheme}://{page.netloc}/"
        untried = top.untried if top is not None else ()
        self._urls, self._keys = {without_fragment(link.url) for link in untried}, {link.key for link in untried}
        read = {note.key for note in memory.pages if note.outcome == "read"}
        self._failed = {
            note.key: _LEFT_AS.get(note.outcome, "failed")
            for note in memory.pages
            if note.outcome not in ("", "read") and note.key not in read
        }
        times = Counter(shape_of(note.key) for note in memory.pages)
        self._enough = {shape for shape, count in times.items() if count >= SAME_SHAPE_PAGES}
        self._refused = {
            (number, note.what)
            for note in memory.moves
            if note.page == self._here and note.outcome and (number := followed_link(note.what))
        }
        self._observation = observation
        self._late = memory.unanswered
        self._stack = memory.stack

    def was_refused(self, link: Link) -> bool:
        """Whether a rule refuses a link though its page was not read: enough pages like it were, or it was refused on this page."""
        if self._enough and shape_of(key_or(link.url, "")) in self._enough:
            return True
        said = in_words(FollowLink(link_id=link.id), self._observation) if self._refused else ""
        return (link.id, said) in self._refused

    def state_of(self, address: str) -> str | None:
        """Why a page may not be entered, nothing if it may; None for this page and for what is no address; an address that led to this
        page is marked as such."""
        if address in self._urls:
            return ""
        try:
            key = key_of(address)
        except BadUrl:
            return None
        if key == self._here:
            return None
        if key in self._keys or key in self._late:
            return ""
        if key in self._failed:
            return self._failed[key]
        if key == self._led_here:
            return _OWN
        if self._stack.has_entered(key):
            return "seen"
        if not address.startswith(self._site) and urlsplit(address).netloc != self._host:
            return "off-site"
        # What may be entered was offered when the page was opened.
        return "" if not self._keys else "file" if _FILE.search(address) else "outside"
