"""Where a walk is not sure of its answer or of its next step, a person chooses; a replay asks nobody and ends the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.findings import Candidate, Citation
from memory.state import WalkMemory
from memory.url_stack import UrlStack
from tests.fixtures.paper import HOME, crew_for, page, rules_for, task_for
from tests.sites.pages_on_loopback import serve
from tests.sites.two_minds import PAGES, QUESTION
from traces.reading.reader import read_run
from traces.session_events import PersonAsked
from walker.asking import ask
from walker.handover.live_person import MOST_STEPS, LivePerson
from walker.handover.whom_to_ask import ask_by
from walker.runs.replay import replay_run
from walker.seams.actions import FollowLink, GiveAnswer
from walker.seams.outcome import Conclusion, Outcome
from walker.seams.web.asked_person import END_HERE, NONE_IS_RIGHT, Answerable, Choice, Pause, Picked
from walker.settings import Limits, Settings
from walker.testing.fakes import EventList, PaperSite
from walker.walk.closing import answerables
from walker.walk.loop import walk


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serve(PAGES) as home:
        yield home


class Person:
    """Chooses by what the choices say, and keeps what was asked."""

    def __init__(self, choose: Callable[[Pause], str]) -> None:
        self._choose = choose
        self.asked: list[Pause] = []

    async def __call__(self, pause: Pause) -> int:
        self.asked.append(pause)
        wanted = self._choose(pause)
        return next((number for number, one in enumerate(pause.choices, 1) if wanted and wanted in one.text), 0)


async def asked_of(site: str, folder: Path, person: Person, **more: object) -> Outcome:
    ask_by(person)
    settings = Settings(limits=Limits(pages=5, seconds=90), runs_folder=folder, scout_pages=0, ask_me=True, **more)  # type: ignore[arg-type]
    return await ask(f"{site}/", QUESTION, settings=settings)


def told(outcome: Outcome) -> list[PersonAsked]:
    return [event for event in read_run(Path(outcome.trace)).events if isinstance(event, PersonAsked)]


@pytest.mark.usefixtures("kept_chromium")
async def test_the_answer_that_a_person_chooses_is_given_with_its_page_and_replays(site: str, tmp_path: Path) -> None:
    person = Person(lambda pause: "1884" if pause.kind == "answer" else pause.choices[0].text)
    outcome = await asked_of(site, tmp_path, person)
    assert "1884" in outcome.answer
    assert (outcome.answered, outcome.by_person, outcome.confidence) == (True, True, 1.0)
    assert [one.url for one in outcome.citations] == [f"{site}/"]
    answer = next(one for one in person.asked if one.kind == "answer")
    assert {"1871", "1884"} <= {year for one in answer.choices for year in ("1871", "1884") if year in one.text}
    assert answer.choices[-1].text == NONE_IS_RIGHT
    (event,) = [one for one in told(outcome) if one.about == "answer"]
    assert "1884" in event.chosen
    asked = len(person.asked)
    again = (await replay_run(Path(outcome.trace))).outcome
    assert again is not None
    assert (again.answer, again.by_person) == (outcome.answer, True)
    assert again.helped == outcome.helped
    assert [one.about for one in outcome.helped] == [one.kind for one in person.asked]
    assert "1884" in outcome.helped[-1].chosen
    assert msgspec.json.decode(msgspec.json.encode(outcome))["helped"][-1]["about"] == "answer"
    assert len(person.asked) == asked, "a replay asks nobody"


@pytest.mark.usefixtures("kept_chromium")
async def test_none_of_these_leaves_the_question_open_and_time_out_is_as_without(site: str, tmp_path: Path) -> None:
    none = await asked_of(
        site, tmp_path, Person(lambda pause: NONE_IS_RIGHT if pause.kind == "answer" else pause.choices[0].text)
    )
    assert (none.answer, none.nearest, none.answered, none.by_person) == ("", "", False, True)
    away = Person(lambda _: "")
    outcome = await asked_of(site, tmp_path, away)
    assert len(away.asked) == 1, "nobody is asked again once nobody answered"
    assert (outcome.answered, outcome.by_person) == (False, False)
    assert outcome.nearest


async def test_a_link_that_a_person_chooses_is_followed_where_the_walk_would_have_ended() -> None:
    pages = {
        HOME: page("Paper", f"<p>{'Words of a page. ' * 20}</p><a href='a.html'>Alpha</a> <a href='b.html'>Beta</a>"),
        f"{HOME}a.html": page("Alpha", f"<p>{'Nothing of that. ' * 20}</p>"),
        f"{HOME}b.html": page("Beta", f"<p>{'Nothing else. ' * 20}</p>"),
    }
    paper, events, task = PaperSite(pages), EventList(), task_for("Which bell rings at noon?")
    likely = ((Choice(text="Alpha", url=f"{HOME}a.html"), 0.01), (Choice(text="Beta", url=f"{HOME}b.html"), 0.0))
    person = Person(lambda pause: "Beta" if len(pause.choices) > 2 else END_HERE)
    live = LivePerson(person, lambda *_: likely, 0.5)
    await walk(task, msgspec.structs.replace(crew_for(paper), person=live), rules_for(task), events)
    assert paper.opened[1] == f"{HOME}b.html"
    assert {one.kind for one in person.asked} == {"next step"}
    assert next(one.chosen for one in events.events if isinstance(one, PersonAsked)) == "Beta"


async def test_a_link_with_the_words_of_the_end_is_followed_where_a_person_chooses_it() -> None:
    class Chooser:
        async def pick_step(self, *_: object) -> Picked:
            choices = (Choice(text="Alpha", url=f"{HOME}a.html"), Choice(text=END_HERE, url=f"{HOME}b.html"))
            return Picked(pause=Pause(kind="next step", text="Where to?", choices=choices), number=2)

        async def pick_answer(self, *_: object) -> Picked:
            return Picked()

    body = f"<p>{'Words of a page. ' * 20}</p><a href='a.html'>Alpha</a> <a href='b.html'>{END_HERE}</a>"
    paper, task = PaperSite({HOME: page("Paper", body)}), task_for("Which bell rings at noon?")
    await walk(task, msgspec.structs.replace(crew_for(paper), person=Chooser()), rules_for(task), EventList())
    assert paper.opened[1:2] == [f"{HOME}b.html"]


def test_answers_are_offered_once_each_and_the_likeliest_first() -> None:
    task, where = task_for("Which bell rings at noon?"), (Citation(url=HOME, quote="Alpha rings."),)
    memory = WalkMemory(stack=UrlStack(), counter=Counter.start(task.requirement))
    tied = tuple(Candidate(answer=one, citations=()) for one in ("Beta", " alpha"))
    made = Conclusion(answer="Alpha", items=(), confidence=0.4, citations=where, tied=tied)
    assert [one.answer for one in answerables(made, memory)] == ["Alpha", "Beta"]
    assert answerables(made, memory)[0].citations == where


async def test_a_person_is_asked_for_few_steps_and_never_where_the_walk_is_sure() -> None:
    site = PaperSite({HOME: page("Paper", "<p>Words.</p><a href='/a'>Alpha</a>")})
    task = task_for("Which bell rings at noon?")
    crew = crew_for(site)
    observation = await crew.reader.read(await site.open(HOME))  # type: ignore[arg-type]
    memory = WalkMemory(stack=UrlStack(), counter=Counter.start(task.requirement))
    person = Person(lambda pause: pause.choices[0].text)
    other = ((Choice(text="Other", url=f"{HOME}o"), 0.9),)
    live = LivePerson(person, lambda *_: other, 0.5)
    assert (await live.pick_answer("q", (Answerable(answer="a"),), 0.5)).pause is None
    link = FollowLink(link_id=observation.links[0].id)
    for _ in range(MOST_STEPS + 2):
        await live.pick_step(task, observation, memory, link)
    assert len(person.asked) == MOST_STEPS
    sure = LivePerson(person, lambda *_: ((Choice(text="Alpha", url=observation.links[0].url), 0.9), *other), 0.5)
    assert (await sure.pick_step(task, observation, memory, link)).pause is None
    confident = msgspec.structs.replace(memory, confidence=0.9)
    assert (await sure.pick_step(task, observation, confident, GiveAnswer())).pause is None
