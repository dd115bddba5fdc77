from __future__ import annotations

from typing import Any

import pytest

from walker.crawl.script.crawl_scope import CrawlScope, RulesOfPages
from walker.crawl.script.spec import CrawlSpec


def scope(start: str = "https://example.org/", keep: tuple[str, ...] = ("links",), **parts: Any) -> CrawlScope:
    return CrawlScope(CrawlSpec.model_validate({"start": (start,), "scope": parts, "keep": keep}))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a",
        "http://example.org/a",
        "https://www.example.org",
        "https://EXAMPLE.org/?q=http://b.org/",
    ],
)
def test_the_host_of_the_start_is_inside(url: str) -> None:
    assert scope().why_outside(url) == ""


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://other.org/", "another host"),
        ("https://sub.example.org/", "another host"),
        ("https://example.org:8443/", "another host"),
        ("https://example.org@other.org/", "another host"),
        ("https://example.org.other.org/", "another host"),
        ("ftp://example.org/", "ftp scheme is not http or https"),
        ("javascript:alert(1)", "javascript scheme is not http or https"),
        ("https://example.org:99999/", "not a valid URL"),
        ("https://exa mple.org/", "not a valid URL"),
        ("https:///a", "not a valid URL"),
        ("https://example.org/" + "a" * 5000, "longer than 4096 characters"),
        ("https://example.org/a.pdf", "a file, and the script keeps neither downloads nor the text of it"),
        ("https://example.org/a.ZIP?x", "a file, and the script keeps neither downloads nor the text of it"),
    ],
)
def test_what_is_outside_says_why(url: str, why: str) -> None:
    assert scope().why_outside(url) == why


def test_named_hosts_are_entered_and_no_other() -> None:
    named = scope(hosts=("a.org", "*.b.org", "c.org:8080"))
    inside = ["https://a.org/", "http://a.org:80/", "https://x.y.b.org/", "http://c.org:8080/x"]
    outside = ["https://b.org/x", "https://xb.org/", "https://a.org:444/", "https://c.org/", "https://example.org/x"]
    assert [named.why_outside(url) for url in inside] == [""] * 4
    assert [named.why_outside(url) for url in outside] == ["another host"] * 5


def test_a_named_host_keeps_the_port_of_the_start() -> None:
    local = scope("http://127.0.0.1:8123/", hosts=("127.0.0.1",))
    assert local.why_outside("http://127.0.0.1:8123/a") == ""
    assert local.why_outside("http://127.0.0.1:8124/a") == "another host"


def test_path_patterns_and_depth_bound_the_crawl() -> None:
    bounded = scope(path="/docs/", include=("/docs/**",), exclude=("*print=1*", "/docs/old/**"), depth=2)
    assert bounded.why_outside("https://example.org/docs/a", 2) == ""
    assert bounded.why_outside("https://example.org/docs/a", 3) == "deeper than 2 links"
    assert bounded.why_outside("https://example.org/blog/") == "not below /docs/"
    assert bounded.why_outside("https://example.org/docs/old/a") == "matches /docs/old/**, which is excluded"
    assert bounded.why_outside("https://example.org/docs/a?print=1") == "matches *print=1*, which is excluded"
    assert scope(include=("/a/**",)).why_outside("https://example.org/b") == "matches no include pattern"


def test_a_start_address_is_inside_whatever_the_patterns_say() -> None:
    elsewhere = scope("https://example.org/index.html", path="/docs/", hosts=("docs.example.org",))
    assert elsewhere.why_outside("https://example.org/index.html") == ""
    assert elsewhere.why_outside("https://example.org/other.html") == "another host"


def test_files_are_wanted_where_they_are_kept() -> None:
    assert scope(keep=("download",)).why_outside("https://example.org/a.zip") == ""
    assert scope(keep=("pdf",)).why_outside("https://example.org/a.pdf") == ""
    assert scope(keep=("pdf",)).why_outside("https://example.org/a.zip") != ""
    by_rule = CrawlScope(
        CrawlSpec.model_validate(
            {"start": ("https://example.org/",), "pages": ({"match": "/papers/**", "keep": ("pdf",)},)}
        )
    )
    assert by_rule.why_outside("https://example.org/papers/1.pdf") == ""
    assert by_rule.why_outside("https://example.org/1.pdf") != ""


def test_all_rules_that_match_apply_in_their_order() -> None:
    spec = CrawlSpec.model_validate(
        {"start": ("https://example.org/",), "pages": ({"match": "/a/**"}, {"match": "*.html"}, {"match": "/b"})}
    )
    assert [rule.match for rule in RulesOfPages(spec).of("https://example.org/a/x.html")] == ["/a/**", "*.html"]
    assert RulesOfPages(spec).of("https://example.org/c") == ()
