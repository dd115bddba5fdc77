"""`walker look` reaches a page as walks do: with headers of its own, through a proxy."""

from __future__ import annotations

from pathlib import Path

from tests.sites.loopback_proxy import serve_proxy
from tests.sites.serving import Answer, LoopbackSite, serving
from tests.walker.cli.program import walker_here


def test_a_look_through_a_proxy_with_a_header(tmp_path: Path) -> None:
    site = LoopbackSite(lambda asked: Answer(f"<title>For {asked.headers.get('X-Key', 'nobody')}</title><p>Open.</p>"))
    with serving(site), serve_proxy({"site.test:80": ("127.0.0.1", site.server_address[1])}) as proxy:
        flags = ("--header", "X-Key: ${GUEST}", "--proxy", f"http://{proxy.place}", "--window")
        ended = walker_here("look", "http://site.test/", *flags, folder=tmp_path, GUEST="Ana")
    assert ended.code == 0, ended.err
    assert ended.out.startswith("For Ana:")
    assert proxy.asked


def test_a_proxy_that_cannot_be_is_told_before_a_browser_starts(tmp_path: Path) -> None:
    ended = walker_here(
        "look", "http://site.test/", "--proxy", "nonsense", folder=tmp_path, WALKER_CHROMIUM="/there/is/none"
    )
    assert (ended.code, "socks5://host:port" in ended.line) == (2, True)
