from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.rules.viability import (
    OFF_TOPIC_LINKS,
    PROBE_CHARS,
    matches_probe,
    needs_probe,
    off_topic,
    reject_by_structure,
)

HOME = "http://reef.example/"
LONG = "<p>" + "The tide comes in twice a day and goes out twice a day. " * 40 + "</p>"
LOGIN = "<form><input name=user><input type=password name=pass><button>Sign in</button></form>"
CHALLENGE = (
    "<title>Just a moment...</title><p>Checking your browser</p><div id='cf-challenge' class='cf-turnstile'></div>"
)


def page(html: str, status: int = 200, url: str = HOME) -> Observation:
    return observe(Snapshot(url=url, final_url=url, status=status, html=html))


def reason(html: str, status: int = 200) -> str:
    rejection = reject_by_structure(page(html, status))
    return rejection.reason if rejection else ""


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503])
def test_an_error_of_the_server_is_one(status: int) -> None:
    assert reason("<p>Something went wrong</p>" + LONG, status) == "http error"


def test_a_page_that_asks_for_a_password_and_says_little_is_a_wall() -> None:
    assert reason(f"<h1>Members only</h1>{LOGIN}") == "login wall"
    assert reason("<p>You must log in</p>", 401) == "login wall"


def test_an_article_with_a_login_box_is_an_article() -> None:
    assert reason(LONG + LOGIN) == ""


def test_a_challenge_is_told_from_an_article_about_challenges() -> None:
    assert reason(CHALLENGE) == "challenge page"
    assert reason(f"<title>Just a moment</title>{LONG}") == ""


@pytest.mark.parametrize("status", [403, 429, 503])
def test_a_refusal_that_says_that_it_checks_is_a_challenge_without_a_widget(status: int) -> None:
    assert (
        reason("<title>Just a moment...</title><p>Checking your browser before you enter.</p>", status)
        == "challenge page"
    )
    assert reason("<h1>Forbidden</h1><p>You may not read this folder.</p>", status) == "http error"
    assert reason(f"<h1>Forbidden</h1>{LONG}<p>How a security check works</p>", status) == "http error"


def test_a_page_without_fault_is_viable() -> None:
    assert reason("<h1>Boats</h1><p>Two boats.</p>") == ""


def test_only_a_short_page_is_compared_with_the_probe() -> None:
    assert needs_probe(page("<p>Nothing here.</p>"))
    assert not needs_probe(page(LONG))
    assert not needs_probe(page("<p>Nothing here.</p>", 404))
    assert len(LONG) > PROBE_CHARS


def missing(address: str) -> Observation:
    body = f"<title>Oops</title><h1>Oops</h1><p>We could not find the page {address} you were looking for, sorry.</p>"
    return page(body, url=HOME + address)


def test_a_page_that_reads_like_one_that_cannot_exist_is_a_soft_404() -> None:
    assert matches_probe(missing("/old/news.html"), missing("/walker-probe-123"))


def test_a_page_with_words_of_its_own_is_none() -> None:
    short = page("<title>Boats</title><h1>Boats</h1><p>The boats lie at the north quay when they are not at sea.</p>")
    assert not matches_probe(short, missing("/walker-probe-123"))


def test_a_site_that_answers_probes_with_an_error_has_no_soft_404() -> None:
    probe = page("<title>Oops</title><h1>Oops</h1>", 404)
    assert not matches_probe(page("<title>Oops</title><h1>Oops</h1>"), probe)


@given(shared=st.integers(0, 9), ways=st.integers(0, 99))
def test_off_topic_is_a_page_without_a_word_of_the_question_and_without_a_way_on(shared: int, ways: int) -> None:
    assert (off_topic(shared, ways) is not None) == (shared == 0 and ways <= OFF_TOPIC_LINKS)
