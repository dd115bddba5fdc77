from __future__ import annotations

import pytest

from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, PAGES, crew_for, page, rules_for, task_for
from traces.events import (
    ActionRefused,
    CounterMoved,
    GateDecided,
    PageFailed,
    PageOpened,
    PageRejected,
    StackMoved,
    Understood,
)
from walker.assembly import read_task
from walker.errors import RootUnreachable
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import PageFailure
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.loop import walk


async def ask(
    question: str, site_pages: dict[str, str | Paper] | None = None, **limits: int
) -> tuple[Outcome, EventList, PaperSite]:
    site, events, task = PaperSite(site_pages or PAGES), EventList(), task_for(question)
    outcome = await walk(task, crew_for(site), rules_for(task, **limits), events)
    return outcome, events, site


async def test_a_question_is_answered_with_a_verbatim_citation() -> None:
    outcome, _, _ = await ask("On the 'Boats' page, in which year was the research vessel Mantis launched?")
    assert outcome.stop_reason is StopReason.ANSWERED
    assert outcome.answer == "1997"
    assert outcome.citations[0].url == HOME + "boats.html"
    assert outcome.citations[0].quote in str(PAGES[HOME + "boats.html"])
    assert outcome.pages == 2


async def test_a_page_that_was_nearly_empty_when_its_time_was_over_is_looked_at_again() -> None:
    boats = HOME + "boats.html"
    late = PAGES | {boats: Paper(html=str(PAGES[boats]), early="<title>Boats</title><p>Loading</p>")}
    question = "On the 'Boats' page, in which year was the research vessel Mantis launched?"
    outcome, _, site = await ask(question, late)
    assert outcome.answer == "1997"
    assert site.opened.count(boats) == 2


async def test_an_exhaustive_count_follows_the_pages_to_their_end() -> None:
    outcome, events, _ = await ask("How many people are listed on the 'People' page?")
    assert outcome.items == ("Ana Ruiz", "Bo Lind", "Cem Kaya", "Dora Papp", "Emil Berg")
    assert outcome.answer.startswith("5 ")
    assert outcome.count == {"mode": "exhaustive", "target": 0, "found": 5, "complete": True}
    assert [event.found for event in events.events if isinstance(event, CounterMoved)][-1] == 5


async def test_a_quota_ends_the_walk_the_moment_it_is_met() -> None:
    outcome, _, site = await ask("Name 2 people listed on the 'People' page.")
    assert outcome.stop_reason is StopReason.QUOTA_REACHED
    assert outcome.items == ("Ana Ruiz", "Bo Lind")
    assert HOME + "people.html?page=2" not in site.opened


async def test_a_walk_that_finds_nothing_ends_by_itself_and_meets_every_trouble_on_the_way() -> None:
    outcome, _, site = await ask("Which instrument plays the anthem of the lighthouse keepers?")
    assert outcome.stop_reason in (StopReason.EXHAUSTED, StopReason.DEAD_END)
    assert not outcome.answered
    pages = [url for url in site.opened if "probe" not in url]
    again = {url for url in pages if pages.count(url) > 1}
    assert again == {HOME + "down.html"}, "only what refused the connection is asked for once more"
    assert len(pages) == len(set(pages)) + 1
    assert pages[-1] == HOME + "down.html", "when nothing better is left"
    assert all(url.startswith(HOME) for url in site.opened), "nothing off site, no mail, no file is opened"
    assert not any(url.endswith(".zip") for url in site.opened)


async def test_dead_links_failures_and_loops_are_left_and_recorded() -> None:
    question = "Where do the old news about the weather and the tides of Atlantis stand?"
    _, events, _ = await ask(question)
    reasons = {event.reason for event in events.events if isinstance(event, PageRejected)}
    kinds = {event.kind for event in events.events if isinstance(event, PageFailed)}
    assert "http error" in reasons, "the dead link"
    assert "already visited" in reasons, "the redirect back to the root"
    assert kinds == {"refused"}


async def test_no_page_is_opened_twice() -> None:
    _, events, _ = await ask("Which instrument plays the anthem of the lighthouse keepers?")
    keys = [event.key for event in events.events if isinstance(event, PageOpened) and event.final_url == event.url]
    assert len(keys) == len(set(keys))


async def test_the_page_budget_ends_a_walk() -> None:
    outcome, _, _ = await ask("Which instrument plays the anthem of the lighthouse keepers?", pages=2)
    assert outcome.pages <= 2
    assert outcome.stop_reason in (StopReason.BUDGET, StopReason.EXHAUSTED)


async def test_a_soft_404_is_detected_by_a_probe() -> None:
    class Forgiving(PaperSite):
        async def open(self, url: str):  # type: ignore[no-untyped-def]
            if "probe" in url or "lost" in url:
                url = HOME + "sorry"
            return await super().open(url)

    pages: dict[str, str | Paper] = {
        HOME: page(
            "Shop",
            '<p>Everything for divers, cheap and good.</p><a href="/lost-mask.html">The lost mask of Neptune</a>',
        ),
        HOME + "sorry": page("Sorry", "<p>We looked everywhere and did not find what you wanted.</p>"),
    }
    events, task = EventList(), task_for("What does the lost mask of Neptune cost?")
    outcome = await walk(task, crew_for(Forgiving(pages)), rules_for(task), events)
    assert [event.reason for event in events.events if isinstance(event, PageRejected)] == ["soft 404"]
    assert not outcome.answered


@pytest.mark.parametrize(
    ("root", "said"),
    [
        (Paper(status=404, html=page("Gone", "")), "status 404"),
        (Paper(failure=PageFailure(url="", kind="not_a_page", message="it is no page (application/pdf)")), "no page"),
        (Paper(failure=PageFailure(url="", kind="unknown_host", message="the host name does not resolve")), "resolve"),
    ],
)
async def test_a_root_that_cannot_be_had_is_one_clear_error(root: Paper, said: str) -> None:
    events, task = EventList(), task_for("What is here?")
    with pytest.raises(RootUnreachable, match=said) as caught:
        await walk(task, crew_for(PaperSite({HOME: root})), rules_for(task), events)
    assert HOME in str(caught.value)
    assert caught.value.advice
    assert events.kinds()[-1] == "error", "the trace says what ended the walk"


class LateAtFirst(PaperSite):
    """The first `late` times that a page is opened it is not there in time."""

    def __init__(self, pages: dict[str, str | Paper], late: int) -> None:
        super().__init__(pages)
        self.late = late

    async def open(self, url: str) -> Snapshot | PageFailure:
        if self.late > 0:
            self.late -= 1
            return PageFailure(url=url, kind="timeout", message="the page was not readable in time")
        return await super().open(url)


async def test_a_first_page_that_is_late_is_asked_for_once_more() -> None:
    events, task = EventList(), task_for("What is here?")
    pages: dict[str, str | Paper] = {HOME: page("Shop", "<p>Everything for divers, cheap and good.</p>")}
    outcome = await walk(task, crew_for(LateAtFirst(pages, late=1)), rules_for(task), events)
    assert outcome.pages == 1
    assert [event.kind for event in events.events if isinstance(event, PageFailed)] == ["timeout"]
    with pytest.raises(RootUnreachable, match="in time"):
        await walk(task, crew_for(LateAtFirst(pages, late=2)), rules_for(task), EventList())


async def test_every_page_read_has_a_score_whose_terms_add_up_and_a_gate() -> None:
    _, events, _ = await ask("On the 'Boats' page, in which year was the research vessel Mantis launched?")
    scores = [event for event in events.events if isinstance(event, Understood)]
    gates = [event for event in events.events if isinstance(event, GateDecided)]
    assert len(scores) == len(gates) == 2
    for event in scores:
        assert sum(event.terms.values()) == pytest.approx(event.score, abs=0.01)
        assert event.text_quality + event.relevance + event.clarity + event.special == pytest.approx(
            event.score, abs=0.01
        )


async def test_the_stack_is_the_path_from_the_root() -> None:
    _, events, _ = await ask("How many people are listed on the 'People' page?")
    for event in events.events:
        if isinstance(event, StackMoved) and event.path:
            assert event.path[0] == HOME
            assert event.depth == len(event.path)


async def test_a_login_wall_at_the_root_ends_the_walk() -> None:
    form = '<form method="post"><input name="user"><input type="password" name="word"><button>Sign in</button></form>'
    outcome, events, _ = await ask("What is inside?", {HOME: page("Members", form)})
    assert outcome.stop_reason is StopReason.NEEDS_LOGIN
    assert "login wall" in {event.reason for event in events.events if isinstance(event, PageRejected)}


async def test_refusals_are_shown_to_the_explorer() -> None:
    _, events, _ = await ask("Which instrument plays the anthem of the lighthouse keepers?", depth=1)
    reasons = [event.reason for event in events.events if isinstance(event, ActionRefused)]
    assert any("deep" in reason for reason in reasons)


async def test_a_list_that_was_entered_behind_its_first_page_is_not_whole() -> None:
    """A search may find the last page of a list first: what stands there is not how many there are."""
    last = f"{HOME}people.html?page=2"
    task = read_task(last, "How many people are listed on the 'People' page?", "en")
    pager = '<nav><a href="/people.html">1</a> <b aria-current="page">2</b></nav>'
    site = PaperSite({last: str(PAGES[last]).replace("</ul>", f"</ul>{pager}")})
    outcome = await walk(task, crew_for(site), rules_for(task, pages=1), EventList())
    assert outcome.count["found"] == 2
    assert outcome.count["complete"] is False
    assert outcome.answer.startswith("at least 2 ")
