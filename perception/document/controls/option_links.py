"""Pages that a select leads to, such as the months of an archive: its options have addresses for values."""

from __future__ import annotations

import re

from perception.document.dom import Element

OPTIONS_AT_MOST = 400
LEAST_OPTIONS = 2
_ADDRESS = re.compile(
    r"^(?:https?://[^\s/]+/|\.{0,2}/)\S*$|^[\w%./-]+\.(?:html?|php|aspx?|jsp)(?:[?#]\S*)?$", re.IGNORECASE
)


def leading_options(select: Element) -> list[Element]:
    """The options that lead to pages, if all that have a value do."""
    options = [option for option in select.iter("option") if (option.get("value") or "").strip()]
    leading = [option for option in options if address_of_option(option)]
    is_menu = len(leading) >= LEAST_OPTIONS and len(leading) >= len(options) - 1
    return leading[:OPTIONS_AT_MOST] if is_menu else []


def address_of_option(element: Element) -> str:
    """The address that an option has for its value, "" for any other element or value."""
    value = (element.get("value") or "").strip() if element.tag == "option" else ""
    return value if _ADDRESS.match(value) else ""
