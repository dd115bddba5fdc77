"""Closed parts of a page, and the visible control that opens each: tabs, accordions, menus, drawers.

What is one press away belongs to the page; what no visible control opens does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from perception.document.controls.control_names import ElementsById, own_name
from perception.document.dom import Element, text_in
from perception.document.link_density import LEAST_NAVIGATION, LinkDensity, density_of

PARTS_AT_MOST = 3_000
"""Closed parts that are looked into, from the top of the page."""
LABEL_CHARS = 80
_HIDDEN = "data-walker-hidden"
_CLOSED_DETAILS = etree.XPath(".//details[not(@open)]")
_UNSEEN = etree.XPath(f".//@{_HIDDEN}/..")
_HIDDEN_ATTRIBUTES = etree.XPath(f".//@hidden/parent::*[not(@{_HIDDEN})]")
_UNFOLDED = etree.XPath(".//@aria-expanded/parent::*[@aria-expanded='false'][@aria-controls]")
_CONTROLLING = (
    "aria-controls",
    "aria-owns",
    "data-target",
    "data-bs-target",
    "data-controls",
    "popovertarget",
    "commandfor",
)
_TOGGLE = re.compile(
    r"menu|nav|toggl|hamburger|burger|drawer|side-?bar|offcanvas|contents|collapse|菜单|菜單|导航|導航|目录|目錄|メニュー|目次|меню|menü",
    re.IGNORECASE,
)
_MENU_NAME = re.compile(r"menu|nav(?!y|el)|drawer|side-?bar|off-?canvas", re.IGNORECASE)
_POP_UP = re.compile(r"(?:^|[\s_-])(?:pop-?(?:ups?|over|box)|tool-?tip|hover|balloon|bubble|fly-?out)", re.IGNORECASE)
_HEAD = re.compile(r"accordion|toggle|collaps|faq|expand|tab|summary|question|dropdown", re.IGNORECASE)
_PRESSED = ("button", "a", "summary", "label", "span", "p", "div", "i", "dt", "h2", "h3", "h4", "h5", "h6")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_INLINE = ("a", "span", "b", "i", "em", "strong", "button", "label", "svg", "img", "small", "br", "option")
_LABELS = ("button", "a", "summary", "label", "span", "i", "b")
_LISTS = ("ul", "ol", "menu", "nav", "dl")
_MENU_PLACES = ("nav", "header", "footer")
_MENU_ROLES = ("navigation", "menu", "menubar", "banner", "contentinfo", "listbox")
_TOGGLES = ("collapse", "tab", "pill", "dropdown", "modal", "popover", "accordion")
"""What frameworks write into `data-toggle` of what is pressed."""
_UP = 4
"""Steps up from a closed part within which an id or a control that belongs to it is sought."""


class Opener(NamedTuple):
    """The name of the control that opens a part, and whether the part is text (a tab, an accordion) and not a menu."""

    name: str
    shows_text: bool


def find_openers(body: Element) -> dict[Element, Opener]:
    """The closed parts of a page that a visible control opens, topmost elements only."""
    details = _CLOSED_DETAILS(body)
    marked = [*_UNSEEN(body), *_HIDDEN_ATTRIBUTES(body)][:PARTS_AT_MOST]
    closed = [part for part in marked if part.tag not in ("script", "style", "input")]
    unfolded = _UNFOLDED(body)
    found: dict[Element, Opener] = {}
    if closed or unfolded:
        finder = _Finder(body, closed)
        for part in closed:
            if (opener := finder.opener_of(part)) is not None:
                found[part] = opener
        found |= finder.folded_but_rendered(unfolded)
    for part in details:
        summary = part.find("summary")
        name = own_name(summary, ElementsById(part)) if summary is not None else ""
        found[part] = Opener(name[:LABEL_CHARS] or "details", shows_text=True)
    return found


class _Finder:
    def __init__(self, body: Element, closed: list[Element]) -> None:
        self._body = body
        self._closed = set(closed)
        self._ids = ElementsById(body)
        self._places: dict[Element, bool] = {}
        self._by_target: dict[str, Element] = {}
        self._by_link: dict[str, Element] = {}
        self._beside: dict[Element, Opener | None] = {}
        self._togglers: list[Element] | None = None
        if closed:
            self._collect_targets()

    def _collect_targets(self) -> None:
        for name in _CONTROLLING:
            for control in self._body.xpath(f".//@{name}/.."):
                self._add_targets(self._by_target, control, control.get(name) or "")
        ids = {key for part in self._closed for each in _boxes_of(part) if (key := each.get("id"))}
        for control in self._body.xpath(".//a[starts-with(@href, '#')]") if ids else ():
            if control.get("href")[1:] in ids:
                self._add_targets(self._by_link, control, control.get("href"))
        for label in self._body.xpath(".//label[@for]"):
            self._add_targets(self._by_link, label, label.get("for"))

    def _add_targets(self, controls: dict[str, Element], control: Element, targets: str) -> None:
        for target in targets.split():
            key = target.lstrip("#")
            known = controls.get(key)
            if key and (known is None or not self._is_shown(known)):
                controls[key] = control

    def opener_of(self, part: Element) -> Opener | None:
        """The visible control that opens a closed part, None where there is none."""
        why = part.get(_HIDDEN) or ""
        if why not in ("", "off-screen", "transparent", "clipped"):
            return None
        if part.getparent() is None or not self._is_shown(part.getparent()):
            return None
        control = self._named_control(part)
        control = self._checked_label(part) if control is None else control
        if control is not None:
            return self._opener(part, control, is_text=not why)
        parent = part.getparent()
        if why:
            # Off-screen drawers are marked text by text: what holds for one holds for its neighbours.
            if parent not in self._beside:
                self._beside[parent] = self._by_place(part, density=None)
            return self._beside[parent]
        return self._by_place(part, density_of(part))

    def _by_place(self, part: Element, density: LinkDensity | None) -> Opener | None:
        if density is not None and part.tag not in _INLINE:
            is_list = density.links > 1 or (density.links == 1 and part.tag in _LISTS)
            is_menu = is_list and (density.share >= LEAST_NAVIGATION or self._is_in_navigation(part))
            if (tab := self._tab_of(part)) is not None:
                return self._opener(part, tab, is_text=True)
            if (before := self._control_before(part, is_menu=is_menu)) is not None:
                return self._opener(part, before, is_text=not is_menu)
        if density is not None and (owner := self._owner_of_pop_up(part)) is not None:
            return self._opener(part, owner, is_text=True)
        if density is not None and not density.links:
            return None
        is_dense = density is not None and density.links >= 3 and density.share >= LEAST_NAVIGATION
        is_navigation = self._is_in_navigation(part)
        toggler = self._toggler_for(part, anywhere=is_navigation) if is_dense or is_navigation else None
        return None if toggler is None else self._opener(part, toggler, is_text=False)

    def folded_but_rendered(self, controls: list[Element]) -> dict[Element, Opener]:
        """Parts that a control calls collapsed though they are rendered, as boxes without height are."""
        found = {}
        for control in controls:
            if self._is_shown(control) and not self._is_menu_place(control):
                for part in self._ids.all_of(control.get("aria-controls")):
                    if part not in self._closed and self._is_shown(part) and not self._is_menu_place(part):
                        found[part] = Opener(self._name(control), shows_text=True)
        return {part: opener for part, opener in found.items() if opener.name}

    def _opener(self, part: Element, control: Element, *, is_text: bool) -> Opener | None:
        name = self._name_beside(control, part)[:LABEL_CHARS]
        if not name:
            return None
        shows_text = is_text and not self._is_menu_place(part) and not self._is_menu_place(control)
        shows_text = shows_text and not (_speaks_of_menu(part, "") or _speaks_of_menu(control, name))
        if shows_text:
            density = density_of(part)
            shows_text = not density.links or density.share < LEAST_NAVIGATION
        return Opener(name, shows_text)

    def _name(self, control: Element) -> str:
        return own_name(control, self._ids)[:LABEL_CHARS]

    def _is_shown(self, element: Element) -> bool:
        """Whether neither an element nor any around it is hidden."""
        path = []
        known: bool | None = None
        for each in (element, *element.iterancestors()):
            known = self._places.get(each)
            if known is None and (_HIDDEN in each.attrib or "hidden" in each.attrib):
                known = False
            path.append(each)
            if known is not None:
                break
        is_shown = known is not False
        self._places.update(dict.fromkeys(path, is_shown))
        return is_shown

    def _is_menu_place(self, element: Element) -> bool:
        return any(
            each.tag in _MENU_PLACES or each.get("role") in _MENU_ROLES for each in (element, *element.iterancestors())
        )

    def _named_control(self, part: Element) -> Element | None:
        """The control that names this part, or the box that only holds it, as what it controls."""
        for controls in (self._by_target, self._by_link):
            for each in _boxes_of(part):
                if (control := self._control_of(each, controls)) is not None:
                    return control
        if part.get(_HIDDEN):
            for each, _ in zip(part.iterancestors(), range(_UP), strict=False):
                if (control := self._control_of(each, self._by_target)) is not None:
                    return control
        for label in self._ids.all_of(part.get("aria-labelledby")):
            if self._is_shown(label) and (label.get("role") in ("tab", "button") or label.tag in ("button", "a")):
                return label
        return None

    def _control_of(self, part: Element, controls: dict[str, Element]) -> Element | None:
        for key in (part.get("id") or "", *("." + name for name in (part.get("class") or "").split())):
            control = controls.get(key) if key else None
            if control is not None and self._is_shown(control) and not _is_around(part, control):
                return control
        return None

    def _checked_label(self, part: Element) -> Element | None:
        """The label of a checkbox before the part, which style sheets use to show it."""
        for each in (part, *_wrappers(part)):
            for before in each.itersiblings("input", preceding=True):
                if before.get("type") not in ("checkbox", "radio") or not before.get("id"):
                    continue
                label = self._by_link.get(before.get("id"))
                if label is not None and label.tag == "label" and self._is_shown(label):
                    return label
        return None

    def _tab_of(self, part: Element) -> Element | None:
        """The tab at the same place among its fellows as the part among its own."""
        shape = (part.tag, (part.get("class") or "").split()[:1])
        parent = part.getparent()
        if parent is None or not shape[1]:
            return None
        fellows = [each for each in parent if (each.tag, (each.get("class") or "").split()[:1]) == shape]
        if len(fellows) < 2 or all(each in self._closed for each in fellows):
            return None
        before = fellows[0].getprevious()
        strip = before if before is not None else parent.getprevious()
        while strip is not None and isinstance(strip.tag, str) and len(strip) == 1:
            strip = strip[0]
        tabs = [each for each in strip if isinstance(each.tag, str)] if strip is not None else []
        if len(tabs) != len(fellows) or not self._is_shown(strip):
            return None
        tab = tabs[fellows.index(part)]
        return tab if 0 < len(text_in(tab)) <= LABEL_CHARS else None

    def _control_before(self, part: Element, *, is_menu: bool) -> Element | None:
        """The control right before a part: of a menu any label, of a text only what looks like a control."""
        parent = part.getparent()
        before = _previous(part)
        if before is None and parent is not None and parent is not self._body:
            before = _previous(parent)
        for each in _with_those_before(before, 3 if is_menu else 1):
            if not self._is_shown(each) or each.tag not in _PRESSED:
                continue
            is_label = each.tag in _LABELS or (parent is not None and parent.tag == "li")
            if is_menu and is_label and 0 < len(text_in(each)) <= LABEL_CHARS:
                return each
            if (control := _control_in(each)) is not None:
                # A control without a name, such as an anchor, stands for the box around it, which may show a picture.
                return control if self._name(control) else each
        return None

    def _owner_of_pop_up(self, part: Element) -> Element | None:
        """What a pop-up belongs to, which opens it when one points there: what it describes, stands right after, or stands in."""
        about = f"{part.get('class') or ''} {part.get('id') or ''} {part.get('role') or ''}"
        if not _POP_UP.search(about):
            return None
        if part.get("id"):
            described = self._body.xpath(".//*[@aria-describedby=$id]", id=part.get("id"))
            if described and self._is_shown(described[0]):
                return described[0]
        parent, before = part.getparent(), _previous(part)
        if parent is None or parent.tag in ("body", "main", "header", "footer", "nav"):
            return None
        for each in (before, parent if before is None else None):
            if each is not None and self._is_shown(each) and 0 < len(self._name_beside(each, part)) <= LABEL_CHARS:
                return each
        return None

    def _name_beside(self, owner: Element, part: Element) -> str:
        """What an element says besides its pop-up."""
        if not _is_around(owner, part):
            return self._name(owner)
        return " ".join((owner.text or "").split())

    def _is_in_navigation(self, part: Element) -> bool:
        return any(
            each.tag in ("nav", "aside") or each.get("role") in _MENU_ROLES or _speaks_of_menu(each, "")
            for each, _ in zip((part, *part.iterancestors()), range(2 * _UP), strict=False)
            if each.tag not in ("body", "html")
        )

    def _toggler_for(self, part: Element, *, anywhere: bool) -> Element | None:
        """The visible button that speaks of a menu, the nearest around the part first."""
        if self._togglers is None:
            self._togglers = [each for each in self._toggler_candidates() if self._is_toggler(each)]
        for around, _ in zip(part.iterancestors(), range(_UP), strict=False):
            if around is self._body:
                break
            for toggler in self._togglers:
                if _is_around(around, toggler):
                    return toggler
        return self._togglers[0] if anywhere and self._togglers else None

    def _toggler_candidates(self) -> Iterator[Element]:
        yield from self._body.xpath(
            ".//button | .//*[@role='button'] | .//label[@for] | .//a[@href='#' or starts-with(@href, 'javascript:')]"
            " | .//a[not(@href)][@onclick or @class]"
        )

    def _is_toggler(self, control: Element) -> bool:
        if not self._is_shown(control) or not self._name(control):
            return False
        targets = self._ids.all_of(control.get("aria-controls") or control.get("data-bs-target"))
        if targets and not any(target in self._closed for target in targets):
            return False
        words = (
            self._name(control),
            control.get("class") or "",
            control.get("id") or "",
            control.get("aria-label") or "",
        )
        return _TOGGLE.search(" ".join(words)) is not None


def _speaks_of_menu(element: Element, name: str) -> bool:
    if element.get("role") in ("tab", "tabpanel"):
        return False
    return _MENU_NAME.search(f"{name} {element.get('id') or ''} {element.get('class') or ''}") is not None


def _is_around(outer: Element, inner: Element) -> bool:
    return any(each is outer for each in inner.iterancestors())


def _boxes_of(part: Element) -> list[Element]:
    """A part, the box that is all that it holds, and those that hold nothing but it."""
    inner = [child for child in part if isinstance(child.tag, str)]
    return [part, *(inner if len(inner) == 1 else ()), *_wrappers(part)]


def _wrappers(part: Element) -> Iterator[Element]:
    """The boxes around a part that hold nothing but it."""
    for around, _ in zip(part.iterancestors(), range(_UP), strict=False):
        if len(around) != 1 or (around.text or "").strip() or around.tag in ("body", "main"):
            return
        yield around


def _previous(element: Element) -> Element | None:
    before = element.getprevious()
    return before if before is not None and isinstance(before.tag, str) else None


def _with_those_before(element: Element | None, most: int) -> Iterator[Element]:
    for _ in range(most):
        if element is None:
            return
        yield element
        element = _previous(element)


def _control_in(element: Element) -> Element | None:
    """What is pressed of an element before a closed text, None where it looks like text itself."""
    whole = element[0] if element.tag in _HEADINGS and len(element) == 1 else element
    if _is_toggle(whole):
        return whole
    words = len(text_in(element))
    if words > LABEL_CHARS:
        return None
    if _is_control(element):
        return element
    inner = next((each for each in element.iterdescendants() if isinstance(each.tag, str) and _is_control(each)), None)
    if inner is not None:
        return inner if text_in(inner) or not words else element
    return element if words and _HEAD.search(element.get("class") or "") else None


def _is_toggle(element: Element) -> bool:
    """Whether a page declares that an element is pressed, however much it says."""
    kind = element.get("data-toggle") or element.get("data-bs-toggle")
    return kind in _TOGGLES or (element.get("role") == "button" and element.get("aria-expanded") is not None)


def _is_control(element: Element) -> bool:
    if element.tag in ("button", "summary") or element.get("role") in ("button", "tab"):
        return True
    href = element.get("href") or ""
    return (
        element.get("aria-expanded") is not None
        or element.get("onclick") is not None
        or (element.tag == "a" and (href.startswith(("#", "javascript:")) or not href))
    )
