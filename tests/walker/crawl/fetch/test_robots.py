from __future__ import annotations

import asyncio

import pytest

from walker.crawl.fetch.robots import (
    FIRST_WAIT_SECONDS,
    SILENT_TRIES,
    SILENT_WAIT_SECONDS,
    TRIES,
    RobotsRules,
)
from walker.crawl.fetch.robots_text import MOST_CHARACTERS
from walker.crawl.fetch.user_agent import product_of

PAGE = "https://example.org/private/a"
FORBIDS = "User-agent: *\nDisallow: /private/\n"


class Site:
    """Answers with what is next in its list, the last for ever, and counts."""

    def __init__(self, *answers: tuple[int, str]) -> None:
        self.answers, self.asked = list(answers), list[str]()
        self.now = 1000.0

    async def fetch(self, url: str) -> tuple[int, str]:
        self.asked.append(url)
        await asyncio.sleep(0)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def rules(self, agent: str = "Walker/0.1", *, obey: bool = True) -> RobotsRules:
        return RobotsRules(self.fetch, agent, obey=obey, clock=lambda: self.now)


async def test_rules_are_read_once_an_origin() -> None:
    site = Site((200, FORBIDS))
    rules = site.rules()
    verdicts = await asyncio.gather(*(rules.verdict(f"https://example.org/{path}") for path in ("private/a", "b", "c")))
    assert [verdict.allowed for verdict in verdicts] == [False, True, True]
    assert (await rules.verdict("https://example.org:443/d")).allowed
    assert site.asked == ["https://example.org/robots.txt"]
    assert not (await rules.verdict("http://example.org:8080/private/")).allowed
    assert site.asked[1:] == ["http://example.org:8080/robots.txt"]
    assert (await rules.verdict(PAGE)).why == "robots.txt forbids it"


async def test_the_own_group_goes_before_the_one_for_all() -> None:
    text = FORBIDS + "\nUser-agent: walker\nDisallow: /b\nAllow: /b/c\nCrawl-delay: 2.5\nSitemap: https://a.org/1\n"
    rules = Site((200, "\ufeff" + text)).rules("Mozilla/5.0 (compatible; Walker/0.1; +mail)")
    assert (await rules.verdict(PAGE)).allowed
    assert not (await rules.verdict("https://example.org/b")).allowed
    assert (await rules.verdict("https://example.org/b/c")).allowed
    assert await rules.crawl_delay(PAGE) == 2.5
    assert await rules.sitemaps(PAGE) == ("https://a.org/1",)


async def test_a_request_rate_is_a_delay() -> None:
    assert await Site((200, "User-agent: *\nRequest-rate: 1/5\nCrawl-delay: 2\n")).rules().crawl_delay(PAGE) == 5


async def test_a_missing_file_allows_everything() -> None:
    for status in (301, 401, 403, 404, 410, 418):
        assert (await Site((status, FORBIDS)).rules().verdict(PAGE)).allowed


async def test_a_page_in_place_of_rules_allows_everything() -> None:
    assert (
        await Site((200, "<!DOCTYPE html><title>Not found</title><p>Disallow: /</p>")).rules().verdict(PAGE)
    ).allowed


async def test_a_server_error_means_wait_and_then_no() -> None:
    site = Site((503, FORBIDS))
    rules = site.rules()
    waits = []
    for _ in range(TRIES - 1):
        verdict = await rules.verdict(PAGE)
        assert (verdict.allowed, verdict.why) == (False, "robots.txt answers 503")
        assert (await rules.verdict(PAGE)).wait_seconds == verdict.wait_seconds
        waits.append(verdict.wait_seconds)
        site.now += verdict.wait_seconds
    assert waits == [FIRST_WAIT_SECONDS * 2**number for number in range(TRIES - 1)]
    final = await rules.verdict(PAGE)
    assert (final.allowed, final.wait_seconds, final.why) == (False, 0.0, "robots.txt answers 503")
    site.now += 10_000
    await rules.verdict(PAGE)
    assert len(site.asked) == TRIES


async def test_where_nobody_answers_it_is_given_up_soon() -> None:
    site = Site((0, ""))
    rules, started = site.rules(), site.now
    for _ in range(SILENT_TRIES - 1):
        site.now += (await rules.verdict(PAGE)).wait_seconds
    final = await rules.verdict(PAGE)
    assert (final.allowed, final.forbidden, final.wait_seconds) == (False, False, 0.0)
    assert site.now - started < 10


async def test_an_origin_that_comes_back_is_read() -> None:
    site = Site((0, "nobody answers"), (429, ""), (200, FORBIDS))
    rules = site.rules()
    assert (await rules.verdict("https://example.org/b")).why == "robots.txt cannot be fetched: nobody answers"
    site.now += SILENT_WAIT_SECONDS
    assert (await rules.verdict("https://example.org/b")).wait_seconds == 2 * FIRST_WAIT_SECONDS
    site.now += 2 * FIRST_WAIT_SECONDS
    assert (await rules.verdict("https://example.org/b")).allowed
    assert not (await rules.verdict(PAGE)).allowed


async def test_only_the_first_half_mebibyte_counts() -> None:
    filler = "Disallow: /x" + "y" * 88 + "\n"
    text = "User-agent: *\n" + filler * (MOST_CHARACTERS // len(filler)) + "Disallow: /private/\n"
    assert len(text) > MOST_CHARACTERS
    assert (await Site((200, text)).rules().verdict(PAGE)).allowed


async def test_a_crawl_may_be_told_not_to_obey() -> None:
    site = Site((200, FORBIDS + "Crawl-delay: 9\nSitemap: https://a.org/1\n"))
    rules = site.rules(obey=False)
    assert (await rules.verdict(PAGE)).allowed
    assert await rules.crawl_delay(PAGE) == 0
    assert site.asked == []
    assert await rules.sitemaps(PAGE) == ("https://a.org/1",)


@pytest.mark.parametrize(
    ("addressed", "is_meant"),
    [
        ("walker", True),
        ("WALKER", True),
        ("Walker/2.0", True),
        ("*", True),
        ("mozilla", False),
        ("compatible", False),
        ("example", False),
        ("walker-news", False),
    ],
)
async def test_rules_are_for_the_product_of_the_agent(addressed: str, is_meant: bool) -> None:
    agent = "Mozilla/5.0 (compatible; Walker/0.1; +https://example.org/bots)"
    rules = Site((200, f"User-agent: {addressed}\nDisallow: /private/\n")).rules(agent)
    assert (await rules.verdict(PAGE)).allowed is not is_meant


async def allowed(text: str, *paths: str, agent: str = "Walker/0.1") -> list[bool]:
    rules = Site((200, text)).rules(agent)
    return [(await rules.verdict(f"https://example.org{path}")).allowed for path in paths]


@pytest.mark.parametrize(
    "named", ["other, Walker", "other Walker", "Walker/2.0, other", "other; walker ,third", "Walker/0.1"]
)
async def test_several_agents_may_stand_in_one_line(named: str) -> None:
    assert await allowed(f"User-agent: {named}\nDisallow: /a\n", "/a", "/b") == [False, True]


@pytest.mark.parametrize("named", ["bot360", "Bot360/2.1", "other2, bot360"])
async def test_names_may_have_digits(named: str) -> None:
    text = f"User-agent: {named}\nDisallow: /a\n\nUser-agent: bot\nDisallow: /b\n\nUser-agent: *\nDisallow: /c\n"
    assert await allowed(text, "/a", "/b", "/c", agent="bot360/1.0") == [False, True, True]
    assert await allowed(text, "/a", "/b", "/c", agent="bot/1.0") == [True, False, True]
    assert await allowed(
        "User-agent: bot\nDisallow: /\n\nUser-agent: *\nDisallow: /c\n", "/a", "/c", agent="bot360"
    ) == [True, False]
    assert product_of("Mozilla/5.0 (compatible; AI2Bot/1.0; +https://example.org)") == "AI2Bot"


@pytest.mark.parametrize(
    "between", ["Crawl-delay: 7", "Unknown: line", "Content-Signal: search=yes", "Sitemap: /map.xml", "", "# x"]
)
async def test_a_line_between_agents_ends_no_group(between: str) -> None:
    text = f"User-agent: walker\n{between}\nUser-agent: other\nDisallow: /a\nNoindex: /b\nDisallow: /c\n"
    assert await allowed(text, "/a", "/b", "/c") == [False, True, False]
    assert await allowed(text, "/a", "/b", "/c", agent="other") == [False, True, False]


async def test_a_delay_is_of_those_who_are_named_above_it() -> None:
    text = "User-agent: other\nCrawl-delay: 30\n\nUser-agent: *\nDisallow: /a\nCrawl-delay: 2\n"
    assert await Site((200, text)).rules().crawl_delay(PAGE) == 2
    text = "User-agent: other\nCrawl-delay: 30\n\nUser-agent: *\nDisallow: /a\n"
    assert await Site((200, text)).rules().crawl_delay(PAGE) == 0
    assert await Site((200, text)).rules("other/1").crawl_delay(PAGE) == 30
    assert await allowed(text, "/a", agent="other/1") == [False]
