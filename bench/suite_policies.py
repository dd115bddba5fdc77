"""What a crawl of pages leaves alone on purpose, of the cases of two public suites: each a pattern of cases and the reason."""

from __future__ import annotations

import re

PRESSING = "pressing is asked for by --press"
_POSTS = "is sent by POST, PUT or DELETE, as a crawl never does"
_NO_PLACE = "names the page's own facts or files, and no place that a reader goes to"
_TEXT = "is text or a part of a script's text, and no link"

MAZE = (
    (r"^/javascript/frameworks/", "needs to be built, or a script of another host, which is not there offline"),
    (r"known-files/robots\.txt", "is forbidden by robots.txt"),
    (r"form/action-post|js-(post|put|delete)|automatic-post|two-listeners|listener-and-event-attribute", _POSTS),
    (r"/ping\.found", "is told by POST when a link is followed"),
    (r"redefine-event-attribute", "shows only when a control is pressed a second time"),
    (r"/interactive/", PRESSING),
    (r"/misc/string/|/misc/(comment|string-)|comment-conditional", _TEXT),
    (r"doctype|head/(base|profile|import|meta/content-(csp|pinned|reading))|manifest|cite\.found|longdesc", _NO_PLACE),
    (r"headers/(link|content-location)\.found", _NO_PLACE),
    (
        r"applet|isindex|dynsrc|lowsrc|object/(codebase|param)|frameset",
        "stands in markup that browsers of today leave out",
    ),
    (r"srcset|font-face|src-data|track", "is a file that a browser does not choose or need here"),
    (
        r"/(audio|video|img|input|svg|table|script)/|background|head/link",
        "is a file of a page, asked for where it is rendered",
    ),
    (r"iframe/srcdoc", "is a picture, asked for where the page is rendered"),
)
CRAWLGROUND = (
    (r"forms\.(02|05|12)", _POSTS),
    (r"js-events\.03", "shows only when a field is entered, which steps of a script do"),
    (r"js-events\.09", "shows only when the right button is pressed"),
    (r"other\.01", "comes 1.5 seconds after a page that has text, which is not waited for"),
    (r"dynamic-content\.(04|07|08|10)|forms\.11|js-events\.(01|05|10|11|14)|navigation\.(03|09)", PRESSING),
)


def why_left_alone(suite: str, case: str, *, press: bool) -> str:
    """The policy by which a case is not reached, "" for none."""
    for pattern, reason in MAZE if suite == "Security Crawl Maze" else CRAWLGROUND:
        if re.search(pattern, case):
            return "" if press and reason == PRESSING else reason
    return ""
