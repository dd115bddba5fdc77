"""A site of oddities: whatever a server may answer and a page may write, with what is to come of it.

Below `/reach/` lies what a browser would come to by links, below `/never/` what it would not; each is asked for by one way only, and
named by it.
"""

from __future__ import annotations

import gzip
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import brotli
import zstandard

from tests.sites.serving import HTML, Answer, Asked, moved
from tests.sites.traps.words import Words

Made = Answer | str | Callable[[Asked], Answer | str]


def text_of(name: str, body: str = "") -> str:
    """A page with text of its own."""
    return f"<!doctype html><html><head><title>{name}</title></head><body><h1>{name}</h1><p>{Words(name).prose(4)}</p>{body}</body></html>"


# Redirects --------------------------------------------------------------------------------------------------------

STATUSES = (301, 302, 303, 307, 308)
CHAIN = 10
REDIRECTS: Mapping[str, Made] = {
    **{f"/r/{status}": moved(f"/reach/r{status}", status) for status in STATUSES},
    "/r/relative": moved("../reach/r-relative"),
    "/r/protocol": lambda asked: moved(f"//{asked.headers['host']}/reach/r-protocol"),
    "/r/space": moved("/reach/r space"),
    "/r/fragment": moved("/reach/r-fragment#part"),
    "/r/query": moved("?now=1"),
    "/r/meta0": '<html><head><meta http-equiv="refresh" content="0; url=/reach/meta0"></head><body>Moving</body></html>',
    "/r/meta-quoted": "<html><head><META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/reach/meta-quoted'\"></head><body>Moving</body></html>",
    "/r/meta-no-url": text_of("Only reloads", '<meta http-equiv="refresh" content="300">'),
    "/r/meta-script": text_of("Goes to a script", '<meta http-equiv="refresh" content="0;url=javascript:void(0)">'),
    "/r/meta-bad": text_of("Goes nowhere", '<meta http-equiv="refresh" content="0;url=http://[bad">'),
    "/r/meta10": text_of("Moves in ten seconds", '<meta http-equiv="refresh" content="10;url=/reach/meta10">'),
    "/r/header": Answer(body="<p>Moving</p>", headers=(("Refresh", "0; url=/reach/header"),)),
    "/r/loop": moved("/r/loop2"),
    "/r/loop2": moved("/r/loop"),
    "/r/itself": moved("/r/itself"),
    "/r/empty": Answer(status=302, headers=(("Location", ""),), body=text_of("No address to go to")),
    "/r/nowhere": Answer(status=302, body=text_of("No address at all")),
    "/r/out": moved("http://other.example/"),
    "/r/mail": moved("mailto:ann@example.org"),
    "/r/missing": moved("/missing/after-redirect"),
    **{f"/r/chain{n}": moved(f"/r/chain{n + 1}" if n < CHAIN else "/reach/chain") for n in range(1, CHAIN + 1)},
}
REDIRECTED = (
    *(f"/reach/r{status}" for status in STATUSES),
    *"/reach/r-relative /reach/r-protocol /reach/r%20space /reach/r-fragment#part /reach/meta0 /reach/meta-quoted /reach/meta10".split(),
    *"/reach/header /reach/chain".split(),
)

# Links ------------------------------------------------------------------------------------------------------------

LINKS = """
<a href="/reach/plain">plain</a> <a href='/reach/single'>single</a> <a href=/reach/bare>bare</a> <A HREF="/reach/upper">upper</A>
<a href=" /reach/spaces ">spaces</a> <a href="
/reach/new
line">newline</a> <a href="/reach/t	ab">tab</a> <a href="\\reach\\backslash">backslash</a> <a href="HTTP://HOST/reach/scheme">scheme</a>
<a href="//HOST/reach/protocol">protocol</a> <a href="reach/relative">relative</a> <a href="./reach/dot">dot</a>
<a href="x/y/../../reach/dots">dots</a> <a href="/../../reach/above">above</a> <a href="?query=1">query only</a>
<a href="/reach/amp?a=1&amp;b=2">amp</a> <a href="/reach/bare-amp?a=1&b=2">bare amp</a> <a href="/reach/entity&#47;slash">entity</a>
<a href="/reach/sp ace">space within</a> <a href="/reach/%7Etilde">tilde</a> <a href="/reach/ümlaut">umlaut</a>
<a href="/reach/%e4%b8%ad">lower escapes</a> <a href="/reach/plus+sign">plus</a> <a href="/reach/plus%20sign">space</a>
<a href="/reach/case">case</a> <a href="/reach/CASE">other case</a> <a href="/reach/slash">no slash</a> <a href="/reach/slash/">slash</a>
<a href="/reach//double">double slash</a> <a href="/reach/fragment#one">one</a> <a href="/reach/fragment#two">two</a>
<a href="/reach/order?a=1&b=2">order</a> <a href="/reach/order?b=2&a=1">other order</a> <a href="/reach/utm?utm_source=x">tracked</a>
<a href="/reach/semi;v=1">semicolon</a> <a href="/reach/pipe|bar">pipe</a> <a href="/reach/brackets[1]">brackets</a> <a href="/reach/quote'">quote</a>
<a href="/reach/percent%">lone percent</a> <a href="/reach/colon:1">colon</a> <a href="/reach/at@x">at</a> <a href="/reach/star*">star</a>
<a href="/reach/LONG">long</a> <a href="" >empty</a> <a href>none</a> <a name="anchor">anchor</a> <a href="#top">top</a>
<a href="javascript:void(0)">void</a> <a href="JavaScript:alert('/never/alert')">alert</a> <a href="mailto:ann@example.org">mail</a>
<a href="tel:+4912345">call</a> <a href="data:text/html,<a href=/never/data>x</a>">data</a> <a href="ftp://HOST/never/ftp">ftp</a>
<a href="blob:http://HOST/never/blob">blob</a> <a href="about:blank">about</a> <a href="file:///etc/passwd">file</a> <a href="http://">nothing</a>
<a href="http:///never/no-host">no host</a> <a href="https://[bad/never/bracket">bracket</a> <a href="http://HOST:99999/never/port">port</a>
<a href="http://other.example/never/foreign">foreign</a> <a href="http://bücher.example/never/unicode">unicode host</a>
<!-- <a href="/never/comment">comment</a> --> <template><a href="/never/template">template</a></template>
<script>document.title += '<a href="/never/script">script</a>'; var u = "/never/string";</script>
<script type="text/template"><a href="/never/script-template">x</a></script><style>a { background: url(/never/style) }</style>
<textarea><a href="/never/textarea">x</a></textarea><title><a href="/never/title">x</a></title>
<svg><a href="/reach/svg"><text>svg</text></a> <a xlink:href="/reach/xlink"><text>xlink</text></a></svg>
<map name=m><area href="/reach/area" shape=rect coords="0,0,9,9"></map> <iframe src="/reach/iframe"></iframe>
<link rel="next" href="/reach/rel-next"><link rel=canonical href="/reach/canonical"><form action="/reach/form"><input type=hidden name=a value=1></form>
<form method=post action="/never/post"><input name=x></form> <button onclick="location.href='/reach/onclick'">go</button>
<a href="/never/nofollow" rel="nofollow">nofollow</a> <a href="/reach/ugc" rel="ugc noopener">ugc</a> <a href="/reach/sponsored" rel=sponsored>ad</a>
<a href="/reach/download" download>download</a> <a href="/reach/target" target=_blank>target</a> <a href="/reach/hidden" style="display:none">hidden</a>
<a href="/reach/nested"><b><i><img alt=x></i></b></a> <p><a href="/reach/unclosed">unclosed <p><a href="/reach/after-unclosed">after</a>
<table><tr><td><table><tr><td><a href="/reach/nested-table">deep</a></table></table> <custom-link><a href="/reach/custom">custom</a></custom-link>
<link rel=alternate hreflang=de href="/reach/language"><link rel="first start" href="/reach/rel-first"><link rel=stylesheet href="/never/style">
<link rel=alternate type="application/rss+xml" href="/never/feed"><a rel="nofollowing" href="/reach/not-nofollow">follow</a>
<select onchange="window.location.href = this.value"><option value="">go</option><option value="/reach/chosen">choice</option></select>
<select onchange="count(this)"><option value="/never/counted">choice</option></select>
<details><a href="/reach/details">details</a></details> <object data="/reach/object"></object> <a href="/reach/eof">eof
"""
REACHED = tuple(
    "plain single bare upper spaces newline tab backslash scheme protocol relative dot dots above amp?a=1&b=2 bare-amp?a=1&b=2 entity/slash"
    " sp%20ace %7Etilde %C3%BCmlaut %e4%b8%ad plus+sign plus%20sign case CASE slash slash/ /double fragment order?a=1&b=2 utm?utm_source=x"
    " semi;v=1 pipe|bar brackets[1] quote' percent% colon:1 at@x star* svg xlink area iframe rel-next canonical form?a=1 onclick ugc"
    " language rel-first not-nofollow chosen sponsored download target hidden nested unclosed after-unclosed nested-table custom details object eof".split()
)
LONG = "l" * 1800

# Answers ----------------------------------------------------------------------------------------------------------


def _after(times: int, first: Answer) -> Made:
    return lambda asked: first if asked.time <= times else text_of(f"Fine at last {asked.path}")


def _late(seconds: int) -> Callable[[Asked], Answer | str]:
    def made(asked: Asked) -> Answer | str:
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)
        return Answer(status=429, headers=(("Retry-After", date),)) if asked.time == 1 else text_of("Fine after a date")

    return made


KEPT_STATUSES = (200, 201, 202, 203, 206, 226)
LOST_STATUSES = (400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 418, 422, 451, 501, 505)
ANSWERS: Mapping[str, Made] = {
    **{
        f"/s/{status}": Answer(status=status, body=text_of(f"Status {status}"))
        for status in (*KEPT_STATUSES, *LOST_STATUSES)
    },
    "/s/204": Answer(status=204),
    "/s/205": Answer(status=205),
    "/s/304": Answer(status=304),
    "/s/999": Answer(status=999, body=text_of("Status 999")),
    "/s/seconds": _after(1, Answer(status=429, headers=(("Retry-After", "1"),))),
    "/s/date": _late(2),
    "/s/500-then-fine": _after(1, Answer(status=500)),
    "/s/503-then-fine": _after(1, Answer(status=503, headers=(("Retry-After", "1"),))),
    "/s/404-with-links": Answer(status=404, body=text_of("Gone", '<a href="/never/of-404">x</a>')),
    "/s/soft": text_of("Page not found")[:120] + "</p>",
}

# Contents ---------------------------------------------------------------------------------------------------------

WORD = "Ümläut “quoted” žluťoučký"
ASIAN = "漢字かなカナ交じりの文章です。"


def _typed(kind: str, body: bytes | str, **headers: str) -> Answer:
    return Answer(body, kind=kind, headers=tuple(headers.items()))


def _in(charset: str, words: str, meta: str = "") -> bytes:
    html = f"<html><head>{meta}<title>{words}</title></head><body><h1>{words}</h1><p>{words} {words}</p><a href=/reach/of-{charset}>on</a></body></html>"
    return html.encode(charset)


def _raw(head: str, *pieces: bytes) -> Answer:
    return Answer(raw=(head.replace("\n", "\r\n").encode() + b"\r\n\r\n", *pieces))


def _dripping(body: bytes) -> Iterator[bytes]:
    yield f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
    for start in range(0, len(body), 50):
        time.sleep(0.005)
        yield body[start : start + 50]


_GOOD = "HTTP/1.1 200 OK\nContent-Type: text/html\nConnection: close"
_DEFLATE = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
CONTENTS: Mapping[str, Made] = {
    "/c/no-type": Answer(body=text_of("No type", "<a href=/reach/of-no-type>on</a>"), kind=""),
    "/c/odd-type": _typed("Text/HTML ; Charset=UTF-8", text_of("Odd type", "<a href=/reach/of-odd-type>on</a>")),
    "/c/two-types": _typed(
        "text/html, Text/HTML; charset=utf-8", text_of("Two types", "<a href=/reach/of-two-types>on</a>")
    ),
    "/c/xhtml": _typed(
        "application/xhtml+xml",
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>XHTML</title></head><body><h1>XHTML</h1><p>Strict words &amp; more</p><a href="/reach/of-xhtml">on</a></body></html>',
    ),
    "/c/plain": _typed("text/plain", "Only text <a href='/never/of-plain'>x</a>"),
    "/c/json": _typed("application/json", '{"href": "/never/of-json"}'),
    "/c/binary": _typed("application/octet-stream", b"\0\1\2<a href='/never/of-binary'>"),
    "/c/picture": _typed("image/png", b"\x89PNG"),
    "/c/attachment": _typed("text/html", text_of("Attached"), **{"Content-Disposition": "attachment; filename=a.html"}),
    "/c/xslt": _typed("text/xml", '<?xml version="1.0"?><root><item>Words</item></root>'),
    "/c/gzip": _typed(HTML, gzip.compress(text_of("Gzip").encode()), **{"Content-Encoding": "gzip"}),
    "/c/x-gzip": _typed(HTML, gzip.compress(text_of("X-Gzip").encode()), **{"Content-Encoding": "x-gzip"}),
    "/c/deflate": _typed(HTML, zlib.compress(text_of("Deflate").encode()), **{"Content-Encoding": "deflate"}),
    "/c/raw-deflate": _typed(
        HTML, _DEFLATE.compress(text_of("Raw deflate").encode()) + _DEFLATE.flush(), **{"Content-Encoding": "deflate"}
    ),
    "/c/br": _typed(HTML, brotli.compress(text_of("Brotli").encode()), **{"Content-Encoding": "br"}),
    "/c/zstd": _typed(HTML, zstandard.compress(text_of("Zstandard").encode()), **{"Content-Encoding": "zstd"}),
    "/c/twice": _typed(
        HTML, brotli.compress(gzip.compress(text_of("Twice").encode())), **{"Content-Encoding": "gzip, br"}
    ),
    "/c/unknown-packing": _typed(HTML, text_of("Unknown"), **{"Content-Encoding": "none"}),
    "/c/drip": lambda _: Answer(raw=_dripping(text_of("Dripping", "<a href=/reach/of-drip>on</a>").encode())),
    "/c/identity": _typed(HTML, text_of("Identity"), **{"Content-Encoding": "identity"}),
    "/c/not-gzip": _typed(HTML, text_of("Not packed at all"), **{"Content-Encoding": "gzip"}),
    "/c/empty": Answer(headers=(("Content-Type", HTML),)),
    "/c/white": " \n ",
    "/c/utf-16": _typed("text/html", _in("utf-16", WORD)),
    "/c/utf-8-bom": _typed("text/html; charset=iso-8859-1", _in("utf-8-sig", WORD)),
    "/c/windows-1252": _typed("text/html; charset=iso-8859-1", _in("windows-1252", "Ümläut “quoted”")),
    "/c/windows-1250": _typed("text/html", _in("windows-1250", "žluťoučký “kůň”", '<meta charset="windows-1250">')),
    "/c/shift_jis": _typed(
        "text/html", _in("shift_jis", ASIAN, '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">')
    ),
    "/c/euc_jp": _typed("text/html; charset=EUC-JP", _in("euc_jp", ASIAN)),
    "/c/gb18030": _typed("text/html; charset=gb2312", _in("gb18030", "中文页面，简体字")),
    "/c/big5": _typed("text/html", _in("big5", "繁體中文頁面", "<meta charset=big5>")),
    "/c/koi8-r": _typed("text/html; charset=KOI8-R", _in("koi8-r", "Съешь ещё этих булок")),
    "/c/meta-lies": _typed("text/html; charset=utf-8", _in("utf-8", WORD, "<meta charset=iso-8859-1>")),
    "/c/unknown-charset": _typed("text/html; charset=klingon", _in("utf-8", WORD)),
    "/c/utf-16-meta": _typed("text/html", _in("utf-8", WORD, "<meta charset=utf-16>")),
    "/c/long-length": _raw(_GOOD + "\nContent-Length: 99999", text_of("Shorter than it says").encode()),
    "/c/no-length": _raw(_GOOD, text_of("No length", "<a href=/reach/of-no-length>on</a>").encode()),
    "/c/cut-chunk": _raw(_GOOD + "\nTransfer-Encoding: chunked", b"400\r\n<h1>Cut off"),
    "/c/closed": Answer(raw=(b" ",)),
    "/c/many-links": text_of(
        "Many",
        "".join(f'<a href="http://other.example/{n}">{n}</a>' for n in range(21_000))
        + "<a href=/reach/after-many>on</a>",
    ),
    "/c/deep": text_of("Deep", "<div>" * 3000 + "<a href=/reach/deep>on</a>"),
    "/c/frameset": "<html><head><title>Frames</title></head><frameset cols='50%,50%'><frame src='/reach/frame1'><frame src='/reach/frame2'></frameset></html>",
    "/c/base": '<html><head><title>Base</title><base href="/reach/based/"></head><body><h1>Base</h1><p>Words of a base.</p><a href="on">on</a><a href="#x">x</a></body></html>',
    "/c/two-titles": "<title>First</title><title>Second</title><h1>Two</h1><p>Words of two titles",
    "/c/null": "<title>Null</title><h1>Nu\0ll</h1><p>Words with a \0 byte</p><a href=/reach/of-null>on</a>",
    "/c/noscript": text_of("Noscript", "<noscript><a href=/reach/noscript>on</a></noscript>"),
}
READ_AS = {
    "utf-16": WORD, "utf-8-bom": WORD, "windows-1252": "Ümläut “quoted”", "windows-1250": "žluťoučký “kůň”", "shift_jis": ASIAN, "euc_jp": ASIAN,
    "gb18030": "中文页面，简体字", "big5": "繁體中文頁面", "koi8-r": "Съешь ещё этих булок", "meta-lies": WORD, "unknown-charset": WORD, "utf-16-meta": WORD,
}  # fmt: skip

# Robots -----------------------------------------------------------------------------------------------------------

ROBOTS: Mapping[str, Made] = {
    "/m/noindex": text_of("Noindex", '<meta name=robots content=noindex><a href="/reach/of-noindex">on</a>'),
    "/m/nofollow": '<html><head><meta name="ROBOTS" content="INDEX, NOFOLLOW"></head><body><h1>Nofollow</h1><a href="/never/of-nofollow">on</a>',
    "/m/none": '<html><head><meta name="robots" content="none"></head><body><h1>None</h1><a href="/never/of-none">on</a>',
    "/m/header": Answer(
        body=text_of("Header", '<a href="/never/of-header">on</a>'), headers=(("X-Robots-Tag", "noindex, nofollow"),)
    ),
    "/m/other-bot": Answer(
        body=text_of("Other", '<a href="/reach/of-other-bot">on</a>'), headers=(("X-Robots-Tag", "otherbot: nofollow"),)
    ),
    "/m/private": text_of("Private"),
    "/m/to-private": moved("/m/private/within"),
    "/m/private/within": text_of("Private, and led to"),
}
ROBOTS_TXT = "\ufeff# odd\r\nUSER-AGENT : *\r\ndisallow: /m/private\r\nDisallow: /*.cgi$\r\nAllow: /\r\nCrawl-delay: 0\r\nNonsense\r\n"

KINDS = {"r": REDIRECTS, "s": ANSWERS, "c": CONTENTS, "m": ROBOTS}


def oddities_site(asked: Asked) -> Answer | str | None:
    """Answers for all of it; `/index/KIND` leads to all of one kind."""
    if asked.path == "/robots.txt":
        return Answer(body=ROBOTS_TXT, kind="text/plain")
    if asked.path == "/links":
        return text_of("Links", LINKS.replace("HOST", asked.headers["host"]).replace("LONG", LONG))
    match asked.parts:
        case ["index", kind] if kind in KINDS:
            return text_of(f"Index {kind}", "".join(f'<a href="{path}">{path}</a> ' for path in KINDS[kind]))
        case ["reach" | "never", *_]:
            return text_of(asked.path)
        case [kind, *_] if kind in KINDS and (made := KINDS[kind].get(asked.path)) is not None:
            return made(asked) if callable(made) else made
    return None
