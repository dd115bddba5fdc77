"""What one request of a walk shows and asks for. All that is known here of the form of Walker's prompts stands in this module."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from answers.blank_reply import blank, schema_of
from walker.testing.chat_server import Asked

_FENCE = re.compile(r"={3,}[0-9a-f]{6,}={3,}")
_ADDRESS = re.compile(r"^\W*(https?://\S+)\s*$", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+) (.*)$")
_IN_TEXT = re.compile(r"\[(\d{1,5})(?: ([a-z-]{1,12}))?\]")
_PICTURE = re.compile(r"\[(?:picture|video) (\d+)(?:: ([^\]]*))?\]")
_PATH = re.compile(r"^(.*) \((/.*)\)$")
_HERE = re.compile(r"^(?:Here: |当前位置：).*\n+", re.MULTILINE)
_LIST = re.compile(r"^\[?list (\d+)[\]:] .*\((\d+)\): (.+)$", re.MULTILINE)
_SECTIONS = {
    "links": ("Links:", "链接："),
    "earlier": (
        "Left behind:",
        "留下的链接：",
        "Left behind on earlier pages (jump):",
        "之前页面上留下的链接（jump）：",
    ),
    "controls": ("Controls:", "控件：", "Controls (click, type):", "控件（click、type）："),
    "pictures": ("Pictures:", "图片：", "Pictures (crop):", "图片（crop）："),
}
_LEFT_OUT = re.compile(r"^(?:parts?|第) ([\d, …-]+)(?: 部分)?: (.*?)(?: \(\d+ (?:words|词)\))?$", re.MULTILINE)
_RUN = re.compile(r"(\d+)(?:-(\d+))?")
_AROUND = re.compile(r'\("read" (\d+) (?:shows all|显示全部)\)')
_NO_HEADING = "\0"
"""Of what stands around the text."""
_POSSIBLE = re.compile(r"Possible now: ([^.]+)|现在可行：([^。]+)")
_PAGES = re.compile(r"(\d+)-(\d+) \[(\d+)\]-\[\d+\]")
"""Pages of a list whose numbers and links count one by one."""
_ASIDE = re.compile(r"\([^()]*\)")
"""What is said of an action behind its name: "next (this is page 2 of 9)"."""
_NEXT_NUMBER = re.compile(r"New findings are numbered from (\d+)|新的条目从 (\d+)")
_REFUSED = re.compile(
    r"^(?:Refused:|已被拒绝：)\n((?:(?!New findings|Possible now|新的条目|现在可行).+\n?)+)", re.MULTILINE
)
_REPAIR = re.compile(r"(?:That reply cannot be used: |这个回复不能使用：)(.+)")


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """Something that may be chosen by its number, and the text that says what it is: a label, or all that stands before the
    number in its line."""

    number: int
    said: str
    in_text: bool = False
    state: str = ""
    """Why it cannot be chosen, such as "seen"; "" where it can."""
    path: str = ""
    """Where it leads, from the root of its host, where the prompt says so."""


class ListShown(msgspec.Struct, frozen=True, kw_only=True):
    """A list of the page by its number, its length, and the names that are shown."""

    number: int
    count: int
    names: tuple[str, ...]


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the page that is not shown, and the headings above it."""

    first: int
    last: int
    about: str


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """One request."""

    text: str
    """What stands between the markers: pages and findings, not what the prompt says itself."""
    above: str
    """Of that, what the walk knows: findings, steps, what is still looked for."""
    page: str
    """Of that, the page, from its title on, with what was read in its pictures."""
    address: str
    """Of the page that is shown, "" for none."""
    wants: frozenset[str]
    """Names of the reply's fields, at every depth."""
    links: tuple[Offered, ...] = ()
    earlier: tuple[Offered, ...] = ()
    controls: tuple[Offered, ...] = ()
    pictures: tuple[Offered, ...] = ()
    lists: tuple[ListShown, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    possible: frozenset[str] = frozenset()
    """Names of the actions that are possible, empty where the prompt does not say."""
    next_number: int = 1
    """Of the first finding that a reply adds."""
    refused: str = ""
    """What the policy or the parser objected to, "" for nothing."""
    has_image: bool = False

    @property
    def is_reading(self) -> bool:
        """Whether it asks what a page holds."""
        return "findings" in self.wants

    @property
    def is_judging(self) -> bool:
        """Whether it asks if the findings are enough."""
        return "sufficient" in self.wants

    @property
    def is_step(self) -> bool:
        """Whether it asks where to go."""
        return "action" in self.wants


def read_request(asked: Asked) -> Shown:
    """Take a request apart."""
    parts = _FENCE.split(asked.prompt)
    text = "\n".join(parts[1::2])
    after = parts[-1] if len(parts) > 2 else ""
    page, sections = _sections(text)
    address = _address(page)
    begins = page.rfind("\n", 0, max(0, address.start() - 1)) + 1 if address else len(page)
    in_text = tuple(
        Offered(
            number=int(found[1]),
            said=line[: found.start()].replace("‹", " ").replace("›", ""),
            in_text=True,
            state=found[2] or "",
        )
        for line in _PAGES.sub("", page).splitlines()
        for found in _IN_TEXT.finditer(line)
    )
    in_text += tuple(
        Offered(number=int(link) + place, said=str(int(first) + place), in_text=True)
        for first, last, link in _PAGES.findall(page)
        for place in range(int(last) - int(first) + 1)
    )
    objection = _REPAIR.findall(after) or _REFUSED.findall(after)
    return Shown(
        text=text,
        above=page[:begins],
        page="\n".join((page[begins:], *sections["pictures"])),
        address=address[1] if address else "",
        wants=_names(schema_of(asked.body)),
        links=(*_numbered(sections["links"]), *in_text),
        earlier=_numbered(sections["earlier"]),
        controls=_numbered(sections["controls"]),
        pictures=(*_numbered(sections["pictures"]), *_pictures_in(page)),
        lists=tuple(
            ListShown(number=int(number), count=int(count), names=tuple(names.split("; ")))
            for number, count, names in _LIST.findall(page)
        ),
        left_out=tuple(
            LeftOut(first=int(first), last=int(last or first), about=about)
            for runs, about in (*_LEFT_OUT.findall(page), *((one, _NO_HEADING) for one in _AROUND.findall(page)))
            for first, last in _RUN.findall(runs)
        ),
        possible=frozenset(re.findall(r"[a-z]+", _ASIDE.sub("", " ".join(_POSSIBLE.findall(after)[-1]))))
        if _POSSIBLE.search(after)
        else frozenset(),
        next_number=int("".join(_NEXT_NUMBER.findall(after)[-1])) if _NEXT_NUMBER.search(after) else 1,
        refused=objection[-1].strip() if objection else "",
        has_image=any("image_url" in str(message.get("content"))[:4000] for message in asked.body.get("messages", ())),
    )


def reply_with(asked: Asked, said: dict[str, Any]) -> dict[str, Any]:
    """A reply of the form that is asked for, with what is said where it has a place, and nothing elsewhere."""
    made = _filled(schema_of(asked.body), said)
    assert isinstance(made, dict), "replies are objects"
    return made


def _filled(schema: dict[str, Any], said: dict[str, Any]) -> Any:
    if schema.get("type") != "object" or "properties" not in schema:
        return blank(schema)
    made = {}
    for name, inner in schema["properties"].items():
        if name not in said:
            made[name] = _filled(inner, said)
        elif name in ("findings", "items"):
            made[name] = [_filled(inner.get("items", {}), one) for one in said[name]]
        else:
            made[name] = said[name]
    return made


def _sections(text: str) -> tuple[str, dict[str, list[str]]]:
    """The page itself, and the lines of the numbered sections below it."""
    lines: dict[str, list[str]] = {name: [] for name in _SECTIONS}
    page: list[str] = []
    into = page
    for line in text.splitlines():
        name = next((name for name, heads in _SECTIONS.items() if line.strip() in heads), "")
        if name:
            into = lines[name]
        else:
            into.append(line)
    return "\n".join(page), lines


def _numbered(lines: list[str]) -> tuple[Offered, ...]:
    found = (_NUMBERED.match(line) for line in lines)
    return tuple(_offered(int(one[1]), one[2]) for one in found if one)


def _pictures_in(page: str) -> Iterator[Offered]:
    """Pictures whose marks stand in the page's text, by number."""
    for number, name in _PICTURE.findall(page):
        yield Offered(number=int(number), said=name, in_text=True)


def _offered(number: int, said: str) -> Offered:
    parted = _PATH.match(said)
    return Offered(number=number, said=parted[1] if parted else said, path=parted[2] if parted else "")


def _address(page: str) -> re.Match[str] | None:
    """The line with the address of the page that is open: below the line that says so, which text seen again may stand above; the
    first one where no line says so."""
    for here in _HERE.finditer(page):
        found = _ADDRESS.search(page, here.end())
        if found is not None and page.count("\n", here.end(), found.start()) <= 1:
            return found
    return _ADDRESS.search(page)


def _names(schema: Any) -> frozenset[str]:
    if not isinstance(schema, dict):
        return frozenset()
    properties = schema.get("properties", {})
    inner = [_names(one) for one in (*properties.values(), schema.get("items"))]
    return frozenset(properties).union(*inner)
