"""Which addresses are one page, which are two, and what links lead to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.url_key import BadUrl, join_link, key_of, origin_of, same_site

SAME = [
    ("http://EXAMPLE.com/a", "http://example.com/a"),
    ("HTTP://example.com/a", "http://example.com/a"),
    ("http://example.com:80/a", "http://example.com/a"),
    ("https://example.com:443/", "https://example.com"),
    ("https://example.com:/", "https://example.com/"),
    ("http://example.com/a#part", "http://example.com/a"),
    ("http://example.com/a#", "http://example.com/a"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../../a", "http://example.com/a"),
    ("http://example.com/a/%2e%2e/b", "http://example.com/b"),
    ("http://example.com/a/b/..", "http://example.com/a/"),
    ("http://example.com/%7Euser", "http://example.com/~user"),
    ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
    ("http://example.com/a b", "http://example.com/a%20b"),
    ("http://example.com/ü", "http://example.com/%C3%BC"),
    ("http://example.com/名", "http://example.com/%e5%90%8d"),
    ("http://example.com/?b=2&a=1", "http://example.com/?a=1&b=2"),
    ("http://example.com/?a[]=1", "http://example.com/?a%5B%5D=1"),
    ("http://example.com/?", "http://example.com/"),
    ("http://example.com/?&a=1&", "http://example.com/?a=1"),
    ("http://example.com/?a=1&utm_source=x&UTM_Medium=y", "http://example.com/?a=1"),
    ("http://example.com/?gclid=1&fbclid=2&msclkid=3", "http://example.com/"),
    ("http://example.com/?PHPSESSID=abc&p=2", "http://example.com/?p=2"),
    ("http://example.com/?sid=lit3py55t21z5v55vlm25s55", "http://example.com/"),
    ("http://example.com/?session_id=0f343b0931126a20f133d67c2b018a3b&p=2", "http://example.com/?p=2"),
    ("http://example.com/a;sid=8M2qV0rT5x1Zp9Lk3Wc7", "http://example.com/a"),
    ("http://example.com/#!", "http://example.com/"),
    ("http://example.com/#top", "http://example.com/"),
    ("http://example.com/a;jsessionid=1F?x=1", "http://example.com/a?x=1"),
    ("http://example.com/a;JSESSIONID=1F/b", "http://example.com/a/b"),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://example.com/a.aspx"),
    ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ("http://BÜCHER.example/", "http://xn--bcher-kva.example/"),
    ("http://例え。jp/", "http://xn--r8jz45g.jp/"),
    ("http://faß.de/", "http://xn--fa-hia.de/"),
    ("http://☕.example/", "http://xn--53h.example/"),
    ("http://ex%61mple.com/", "http://example.com/"),
    ("http://[0:0::1]/", "http://[::1]/"),
    ("http://example.com\\a\\b", "http://example.com/a/b"),
    (" http://example.com/a\n", "http://example.com/a"),
    ("http://exa\nmple.com/a", "http://example.com/a"),
    ("http://@example.com/", "http://example.com/"),
    ("http://example.com/?q=it's", "http://example.com/?q=it%27s"),
]
DIFFERENT = [
    ("http://example.com/talk?sid=17", "http://example.com/talk?sid=18"),
    ("http://example.com/talk?session_id=opening-keynote", "http://example.com/talk?session_id=closing-keynote"),
    ("http://example.com/talk?sessionid=2024annualmeetingofmembers", "http://example.com/talk"),
    ("http://example.com/a;sid=1", "http://example.com/a;sid=2"),
    ("http://example.com/#!one", "http://example.com/#!two"),
    ("http://example.com/A", "http://example.com/a"),
    ("http://example.com/a%2Fb", "http://example.com/a/b"),
    ("http://example.com/dir/", "http://example.com/dir"),
    ("http://example.com/dir/", "http://example.com/dir/index.html"),
    ("http://example.com/a", "https://example.com/a"),
    ("http://example.com/", "http://www.example.com/"),
    ("http://example.com:8080/", "http://example.com/"),
    ("http://example.com/?q=A", "http://example.com/?q=a"),
    ("http://example.com/?x=1&x=2", "http://example.com/?x=2&x=1"),
    ("http://example.com/?a=", "http://example.com/?a"),
    ("http://example.com/?q=a%2Bb", "http://example.com/?q=a+b"),
    ("http://example.com/?q=a%26b=1", "http://example.com/?q=a&b=1"),
    ("http://example.com/?page=1", "http://example.com/?page=2"),
    ("http://example.com/?residence=1", "http://example.com/?residence=2"),
    ("http://example.com/#!/one", "http://example.com/#!/two"),
    ("http://example.com/#/one", "http://example.com/"),
    ("http://example.com//a", "http://example.com/a"),
    ("http://example.com/a;v=1", "http://example.com/a;v=2"),
    ("http://example.com/100%25", "http://example.com/100"),
    ("http://user@example.com/", "http://example.com/"),
]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_page(first: str, second: str) -> None:
    assert key_of(first) == key_of(second)


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_pages(first: str, second: str) -> None:
    assert key_of(first) != key_of(second)


@pytest.mark.parametrize("url", [url for pair in SAME + DIFFERENT for url in pair])
def test_a_key_is_its_own_key(url: str) -> None:
    assert key_of(key_of(url)) == key_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com:99999/",
        "http://example.com:x/",
        "http://[::1/",
        "http://[v1.x]/",
        "http://a b/",
        "http://",
        "http:///path",
        "https:path",
        "http://exa<mple.com/",
        "http://-\u2488.com/",
    ],
)
def test_what_is_no_address_is_named(url: str) -> None:
    with pytest.raises(BadUrl):
        key_of(url)
    assert issubclass(BadUrl, ValueError)


def test_a_text_without_scheme_is_left_for_the_caller_to_judge() -> None:
    assert key_of("docs.python.org/3") == "docs.python.org/3"
    assert key_of("localhost:8000") == "localhost:8000"


SEGMENTS = ["a", "B", "é", "名", ".", "..", "/", "//", "\\", " ", "\n", "+", "'", "[", "|", "\ud800"]
ESCAPES = ["%2e", "%2F", "%", "%zz", "%41"]
SESSIONS = [";sid=1", ";jsessionid=2", "(S(aaaaaaaaaaaaaaaaaaaaaaaa))", "utm_a=b"]
PIECES = st.sampled_from([*SEGMENTS, *ESCAPES, *SESSIONS, "?", "&", "=", "x=1", "#", "#/r", "#!/r"])


@given(st.sampled_from(["http://h", "https://H.Example:443", "http://h:81/"]), st.lists(PIECES, max_size=12))
def test_keys_are_stable_whatever_the_path(start: str, pieces: list[str]) -> None:
    url = start + "/" + "".join(pieces)
    key = key_of(url)
    assert key_of(key) == key
    assert key.isascii()
    assert not any(character.isspace() for character in key)


@given(st.text(max_size=60))
def test_any_text_has_a_key_or_is_refused(text: str) -> None:
    for url in (text, "http://" + text, "http://h/" + text):
        try:
            key = key_of(url)
        except BadUrl:
            continue
        assert isinstance(key, str)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("12")), max_size=6), st.randoms())
def test_order_of_names_is_free_and_order_within_a_name_is_not(pairs: list[tuple[str, str]], random: object) -> None:
    grouped = sorted(pairs, key=lambda pair: pair[0])
    query = "&".join("=".join(pair) for pair in pairs)
    assert key_of(f"http://h/?{query}") == key_of("http://h/?" + "&".join("=".join(pair) for pair in grouped))


BASE = "http://example.com/dir/page.html?q=1"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("other.html", "http://example.com/dir/other.html"),
        ("../up.html#part", "http://example.com/up.html#part"),
        ("/root%2fx/", "http://example.com/root%2fx/"),
        ("?p=2", "http://example.com/dir/page.html?p=2"),
        ("#part", "http://example.com/dir/page.html?q=1#part"),
        ("//other.example/x", "http://other.example/x"),
        ("HTTPS://Other.Example/X", "https://Other.Example/X"),
        ("  spaced.html\n", "http://example.com/dir/spaced.html"),
        ("bro\n\tken.html", "http://example.com/dir/broken.html"),
        ("\\back\\slash", "http://example.com/back/slash"),
        ("a?b=\\c", "http://example.com/dir/a?b=\\c"),
        ("http:same-scheme.html", "http://example.com/dir/same-scheme.html"),
        ("http:/same-scheme/", "http://example.com/same-scheme/"),
        ("https:/other.example/x", "https://other.example/x"),
        ("https:other.example/x", "https://other.example/x"),
        ("http:///other.example/x", "http://other.example/x"),
        ("///other.example/x", "http://other.example/x"),
        ("名.html", "http://example.com/dir/名.html"),
        ("", None),
        (" \n", None),
        ("mailto:someone@example.com", None),
        ("JavaScript:void(0)", None),
        ("data:text/html,hello", None),
        ("tel:+4912345", None),
        ("file:///etc/passwd", None),
        ("ftp://example.com/", None),
        ("about:blank", None),
        ("http://[::1", None),
        ("http://h:99999/", None),
        ("https:///", None),
        ("http://a b/", None),
    ],
)
def test_links_lead_to_web_pages_or_nowhere(href: str, expected: str | None) -> None:
    assert join_link(BASE, href) == expected


@given(st.text(max_size=40))
def test_every_link_has_a_key(href: str) -> None:
    link = join_link(BASE, href)
    assert link is None or key_of(link).startswith(("http://", "https://"))


def test_origins() -> None:
    assert origin_of("HTTP://User:pw@Example.com:80/a?b#c") == "http://example.com"
    assert origin_of("https://example.com:8443/") == "https://example.com:8443"
    assert origin_of("http://[0::1]:81/") == "http://[::1]:81"
    with pytest.raises(BadUrl):
        origin_of("about:blank")


def test_sites_are_the_same_with_and_without_www_and_over_http_and_https() -> None:
    assert same_site("https://www.example.com/a", "http://EXAMPLE.com:80/")
    assert same_site("http://127.0.0.1:8000/", "https://127.0.0.1:8000/b")
    assert not same_site("http://example.com/", "http://example.com:8080/")
    assert not same_site("https://example.com:80/", "http://example.com/")
    assert not same_site("http://example.com/", "http://docs.example.com/")
    assert not same_site("http://example.com:port/", "http://example.com:port/")
    assert same_site("http://bücher.example/", "http://www.xn--bcher-kva.example/")
    assert not same_site("http://example.com.evil.example/", "http://example.com/")
    assert not same_site("mailto:a", "mailto:a")
    assert not same_site("mailto:a", "about:blank")
    assert not same_site("http://a b/", "http://a b/")
