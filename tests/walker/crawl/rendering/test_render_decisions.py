"""What is found out about templates, without a browser."""

from __future__ import annotations

from walker.crawl.rendering.needs_javascript import PageFacts
from walker.crawl.rendering.render_decisions import (
    EVERY,
    GIVEN_UP_AT,
    NEEDS_RENDERING_AT_MOST,
    SAMPLES,
    RenderDecisions,
)

URL = "http://a.example/item/{}"


def choices() -> RenderDecisions:
    return RenderDecisions(lambda url: url.rsplit("/", 1)[0])


def facts(*programs: str) -> PageFacts:
    return PageFacts(programs=frozenset(programs))


def trusted(*programs: str) -> RenderDecisions:
    known = choices()
    for n in range(SAMPLES):
        assert known.why_sampled(URL.format(n), facts(*programs)) == "a sample"
        known.record_same(URL.format(n), facts(*programs), "a sample")
    return known


def test_one_in_many_is_sampled_once_however_many_ask() -> None:
    known = trusted("menu")
    for n in range(EVERY - 1):
        assert known.why_sampled(URL.format(n), facts("menu")) == ""
        known.record_http_read(URL.format(n), facts("menu"))
    assert known.why_sampled(URL.format(1), facts("menu")) == "one in many"
    assert known.why_sampled(URL.format(2), facts("menu")) == "", "another worker has that page under way"
    known.record_failed_sample(URL.format(1))
    assert known.why_sampled(URL.format(3), facts("menu")) == "one in many", "the browser failed at the first"


def test_a_difference_is_blamed_on_what_only_that_page_runs() -> None:
    known = choices()
    known.record_needs_rendering(URL.format(0), facts("menu", "logo"), "8 words that the source has not, such as 'x'")
    assert known.why_needs_rendering(URL.format(1), facts("menu")) == "", "who knows; it is sampled"
    known.record_same(URL.format(1), facts("menu"), "a sample")
    assert known.why_needs_rendering(URL.format(2), facts("logo", "other"))
    assert known.why_needs_rendering(URL.format(3), facts("menu")) == ""
    assert known.verdicts()[0].driver == "mixed"


def test_a_page_with_nothing_but_harmless_programs_that_differs_ends_all_trust() -> None:
    known = trusted("menu")
    known.record_http_read(URL.format(7), facts("menu"))
    known.record_needs_rendering(URL.format(8), facts("menu"), "3 words that the source has not, such as 'x'")
    assert known.why_needs_rendering(URL.format(9), facts("menu"))
    assert known.take_refetch_urls() == (URL.format(7),)


def test_what_an_earlier_run_read_is_doubted_until_a_sample_was_good() -> None:
    known = choices()
    known.record_earlier_reads([URL.format(1), URL.format(2)])
    known.record_needs_rendering(URL.format(8), facts("menu"), "3 words that the source has not, such as 'x'")
    assert known.take_refetch_urls() == (URL.format(1), URL.format(2))
    other = choices()
    other.record_earlier_reads([URL.format(1)])
    other.record_same(URL.format(3), facts("menu"), "a sample")
    other.record_needs_rendering(URL.format(8), facts("menu"), "3 words that the source has not, such as 'x'")
    assert other.take_refetch_urls() == ()


def test_a_template_of_doubts_is_not_asked_for_over_http_any_more() -> None:
    known = choices()
    for n in range(NEEDS_RENDERING_AT_MOST):
        assert known.why_rendered(URL.format(n)) == ""
        known.record_needs_rendering(URL.format(n), PageFacts(reasons=("an empty shell",)), "an empty shell")
    assert known.why_rendered(URL.format(9)) == "an empty shell"
    assert known.why_rendered("http://a.example/other/1") == ""


def test_pages_that_each_run_something_else_are_rendered_without_a_look() -> None:
    same, other = choices(), trusted("menu")
    for n in range(GIVEN_UP_AT + 1):
        assert same.why_rendered(URL.format(n)) == ""
        same.record_same(URL.format(n), facts(f"own {n}"), "a sample")
        other.record_needs_rendering(URL.format(n), facts("menu", f"own {n}"), "a difference")
    assert same.why_rendered(URL.format(99)) == "other scripts on every page"
    assert other.why_rendered(URL.format(99)) == "a difference"
    assert [known.verdicts()[0].driver for known in (same, other)] == ["rendered", "rendered"]


def test_a_server_that_tells_browsers_apart_is_not_trusted_for_pages_without_scripts() -> None:
    known = choices()
    assert known.why_sampled(URL.format(0), facts()) == "a sample"
    known.record_needs_rendering(URL.format(0), facts(), "5 words that the source has not, such as 'x'")
    assert known.why_needs_rendering(URL.format(1), facts())
    assert known.why_sampled("http://a.example/other/1", facts()) == "a sample"
    assert known.why_sampled("http://b.example/item/1", facts()) == "a sample"
