from __future__ import annotations

from functools import cache

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement, read_requirement
from memory.findings import Findings, Item
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.observation import Control, Link, Observation, Pagination
from perception.ocr.ocr import NoReader
from perception.snapshot import Snapshot
from walker.rules.budget import Budget
from walker.rules.policy import Policy
from walker.rules.scope import WalkScope
from walker.seams.actions import FollowLink, GiveAnswer, GoBack, Jump, NextPage, Refusal, Scroll, TypeText
from walker.seams.protocols import Edges, Verdict
from walker.seams.searches import search_address
from walker.seams.task import Task
from walker.settings import Limits
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.testing.fakes import EventList, PaperSite
from walker.vision.builtin_vision import BuiltinVision
from walker.walk.loop import walk
from walker.walk.walk_state import Rules

ROOT = "http://institute.test/index.html"


@cache
def ranker() -> Ranker:
    return Ranker(WordLlamaEmbedder.load())


class Reader:
    async def read(self, snapshot: Snapshot) -> Observation:
        return observe(snapshot)


class Recogniser:
    """A critic that has its answer when all of some pages were read, and says what it misses until then."""

    def __init__(self, *urls: str, missing: tuple[str, ...] = ()) -> None:
        self._keys = {key_of(url) for url in urls}
        self._missing = missing

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        return Findings()

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        return Verdict(
            sufficient=self._keys <= {page.key for page in memory.pages}, answer="found", missing=self._missing
        )


def page(title: str, *links: tuple[str, str], language: str = "en") -> str:
    listed = "".join(f'<li><a href="{address}">{label}</a></li>' for label, address in links)
    text = "<p>This page says what there is to say about the matter, in a few plain words.</p>"
    html = f"<main><h1>{title}</h1>{text}<ul>{listed}</ul></main>"
    return f'<html lang="{language}"><head><title>{title}</title></head><body>{html}</body></html>'


async def pages_to(site: dict[str, str], question: str, *targets: str, language: str = "en") -> list[str]:
    """The addresses opened until all targets were, the probes for missing pages left out."""
    # Every page speaks of the question, so that none is left as off topic: here only the way is at stake.
    pages = {
        f"http://institute.test/{path}": html.replace("</ul>", f"</ul><p>{question}</p>") for path, html in site.items()
    }
    browser = PaperSite(pages)
    critic = Recogniser(*(f"http://institute.test/{target}" for target in targets))
    edges = Edges(
        browser=browser,
        reader=Reader(),
        vision=BuiltinVision(NoReader),
        explorer=BuiltinExplorer(ranker()),
        critic=critic,
    )
    policy = Policy(scope=WalkScope(root_url=ROOT), max_depth=12)
    rules = Rules(policy=policy, budget=Budget(limits=Limits(pages=20)), threshold=0.0, may_look=False)
    task = Task(question=question, root_url=ROOT, language=language)
    outcome = await walk(task, edges, rules, EventList())
    assert outcome.stop_reason == "answered", browser.opened
    return [url.removeprefix("http://institute.test/") for url in browser.opened if "walker-probe" not in url]


UNIVERSITY = {
    "index.html": page(
        "Ashford University",
        ("About us", "about.html"),
        ("People", "people/index.html"),
        ("Admissions", "admissions.html"),
        ("Library", "library.html"),
        ("News", "news.html"),
        ("中文", "zh/index.html"),
        ("Login", "login.html"),
    ),
    "about.html": page("About us", ("Our history", "history.html")),
    "history.html": page("Our history"),
    "people/index.html": page("People", ("Ada Brook", "brook.html"), ("Li Wen", "wen.html")),
    "people/brook.html": page("Ada Brook"),
    "people/wen.html": page("Li Wen"),
    "admissions.html": page("Admissions", ("Fees and funding", "fees.html")),
    "fees.html": page("Fees and funding"),
    "library.html": page("Library"),
    "news.html": page("News", ("A new bell for the tower", "bell.html")),
    "bell.html": page("A new bell for the tower"),
    "login.html": page("Login"),
    "zh/index.html": page(
        "阿什福德大学",
        ("学校概况", "about.html"),
        ("师资队伍", "people.html"),
        ("招生信息", "admission.html"),
        ("通知公告", "news.html"),
        ("English", "../index.html"),
        language="zh",
    ),
    "zh/about.html": page("学校概况", language="zh"),
    "zh/people.html": page("师资队伍", ("物理学院教师名录", "physics.html"), language="zh"),
    "zh/physics.html": page("物理学院教师名录", language="zh"),
    "zh/admission.html": page("招生信息", ("2024年硕士研究生招生简章", "msc.html"), language="zh"),
    "zh/msc.html": page("2024年硕士研究生招生简章", language="zh"),
    "zh/news.html": page("通知公告", language="zh"),
}


@pytest.mark.parametrize(
    ("question", "target", "pages"),
    [
        ("How high is the tuition fee?", "fees.html", 3),
        ("In which year was the university founded?", "history.html", 3),
        ("What is the e-mail address of professor Ada Brook?", "people/brook.html", 3),
        ("According to 'A new bell for the tower', how heavy is the bell?", "bell.html", 7),
        ("根据《2024年硕士研究生招生简章》，招收多少人？", "zh/msc.html", 4),
        ("物理学院有多少位教授？", "zh/physics.html", 4),
        ("学校是哪一年创办的？", "zh/about.html", 3),
    ],
)
async def test_the_page_is_reached_by_link_scores(question: str, target: str, pages: int) -> None:
    language = "zh" if "？" in question else "en"
    opened = await pages_to(UNIVERSITY, question, target, language=language)
    assert len(opened) <= pages, opened


async def test_pages_of_both_parts_are_reached() -> None:
    question = (
        "How many years lie between the founding given on 'Our history' and the date of the 'Fees and funding' page?"
    )
    opened = await pages_to(UNIVERSITY, question, "history.html", "fees.html")
    assert len(opened) <= 6, opened


async def test_an_overview_is_opened_where_nothing_matches() -> None:
    site = {
        "index.html": page("Home", ("Download", "d.html"), ("Welcome", "w.html"), ("Site map", "map.html")),
        "d.html": page("Download"),
        "w.html": page("Welcome"),
        "map.html": page(
            "Site map", *((f"Chapter {number}", f"c{number}.html") for number in range(9)), ("Lathe", "l.html")
        ),
        "l.html": page("Lathe"),
    }
    assert await pages_to(site, "According to the Lathe page, how fast does it turn?", "l.html") == [
        "index.html",
        "map.html",
        "l.html",
    ]


async def test_a_small_site_is_read_whole_when_no_label_matches() -> None:
    site = {
        "index.html": page("Home", ("One", "a/one.html"), ("Two", "b/two.html"), ("Three", "c/three.html")),
        "a/one.html": page("One", ("More of one", "more.html")),
        "a/more.html": page("More of one"),
        "b/two.html": page("Two"),
        "c/three.html": page("Three", ("Deep", "deep.html")),
        "c/deep.html": page("Deep"),
    }
    opened = await pages_to(site, "Quelle est la couleur du zèbre ?", "c/deep.html", language="fr")
    assert len(opened) == len(set(opened))


TASK = Task(question="How deep is the harbour basin?", root_url=ROOT)


def untried(*names: str) -> tuple[UntriedLink, ...]:
    return tuple(
        UntriedLink(url=f"http://institute.test/{name}", key=key_of(f"http://institute.test/{name}"), label=name)
        for name in names
    )


NO_PAGES = Pagination()


def observed(*labels: str, pagination: Pagination = NO_PAGES, controls: tuple[Control, ...] = ()) -> Observation:
    links = tuple(
        Link(id=number, url=f"http://institute.test/{label}", label=label)
        for number, label in enumerate(labels, start=1)
    )
    return Observation(url=ROOT, status=200, title="Port", links=links, pagination=pagination, controls=controls)


def remembered(*frames: Frame, pages: int = 1) -> WalkMemory:
    stack = UrlStack()
    for frame in frames:
        stack = stack.push(frame)
    notes = tuple(PageNote(step=number, url=f"{ROOT}?{number}", key=f"k{number}") for number in range(1, pages + 1))
    return WalkMemory(step=pages, stack=stack, pages=notes)


def frame(name: str, *names: str) -> Frame:
    return Frame(
        url=f"http://institute.test/{name}", key=key_of(f"http://institute.test/{name}"), untried=untried(*names)
    )


async def test_a_refused_proposal_is_not_repeated() -> None:
    explorer, memory = BuiltinExplorer(ranker()), remembered(frame("top", "harbour", "basin", "news"))
    observation = observed("harbour", "basin", "news")
    refused: tuple[Refusal, ...] = ()
    proposed = []
    for _ in range(4):
        action = await explorer.propose(TASK, observation, memory, refused)
        proposed.append(action)
        refused = (*refused, Refusal(action=action, reason="no"))
    followed = [action.link_id for action in proposed if isinstance(action, FollowLink)]
    assert sorted(followed) == [1, 2, 3]
    assert isinstance(proposed[3], GiveAnswer)


async def test_a_decisive_link_further_up_is_opened_at_once() -> None:
    task = msgspec.structs.replace(TASK, question="According to the 'Harbour Basin' page, how deep is it?")
    memory = remembered(frame("top", "harbour-basin", "news"), frame("deep", "weather"))
    top = msgspec.structs.replace(memory.stack.frames[0].untried[0], label="Harbour Basin")
    first = msgspec.structs.replace(memory.stack.frames[0], untried=(top,))
    memory = msgspec.structs.replace(memory, stack=UrlStack().push(first).push(memory.stack.frames[1]))
    action = await BuiltinExplorer(ranker()).propose(task, observed("weather"), memory, ())
    assert isinstance(action, Jump)
    assert action.url == top.url


async def test_it_goes_back_to_a_better_link_further_up() -> None:
    memory = remembered(frame("top", "depths", "news"), frame("deep"))
    action = await BuiltinExplorer(ranker()).propose(TASK, observed(), memory, ())
    assert isinstance(action, GoBack)


async def test_entered_pages_are_never_proposed() -> None:
    memory = remembered(frame("top", "harbour", "basin"))
    memory = msgspec.structs.replace(memory, stack=memory.stack.enter(key_of("http://institute.test/harbour")))
    action = await BuiltinExplorer(ranker()).propose(TASK, observed("harbour", "basin"), memory, ())
    assert action == FollowLink(link_id=2, reason=action.reason)


async def test_a_counted_list_is_followed_to_its_next_page() -> None:
    question = "How many boats are listed?"
    task = Task(question=question, root_url=ROOT, requirement=read_requirement(question, "en"))
    memory = remembered(frame("top", "boats"))
    counter = Counter.start(Requirement(mode="exhaustive", noun="boats")).add(
        (Item(name="Avocet", page_url=ROOT, step=1),)
    )
    memory = msgspec.structs.replace(memory, counter=counter)
    following = Pagination(next_url="http://institute.test/list?page=2", last=3)
    explorer = BuiltinExplorer(ranker())
    assert isinstance(await explorer.propose(task, observed("boats", pagination=following), memory, ()), NextPage)
    refused = (Refusal(action=NextPage(), reason="no"),)
    assert not isinstance(
        await explorer.propose(task, observed("boats", pagination=following), memory, refused), NextPage
    )


async def test_the_search_of_the_site_is_tried_once_and_late() -> None:
    field = Control(id=1, kind="search", name="Search", selector="#q", form_action="http://institute.test/find")
    posting = msgspec.structs.replace(field, form_method="post")
    explorer = BuiltinExplorer(ranker())
    observation = observed(controls=(field,))
    late = remembered(frame("top"), pages=6)
    action = await explorer.propose(TASK, observation, late, ())
    assert isinstance(action, TypeText)
    assert "harbour" in action.text
    assert isinstance(await explorer.propose(TASK, observation, remembered(frame("top")), ()), GiveAnswer)
    assert isinstance(await explorer.propose(TASK, observed(controls=(posting,)), late, ()), GiveAnswer)
    operated = msgspec.structs.replace(late, step=late.step + 1)
    assert isinstance(await explorer.propose(TASK, observation, operated, ()), GiveAnswer)


async def test_what_the_verdict_misses_turns_the_walk() -> None:
    task = Task(question="Who leads the group that built the tide gauge?", root_url=ROOT)
    names = ("tide-gauge", "pavel-orlov")
    explorer, memory = BuiltinExplorer(ranker()), remembered(frame("top", *names))
    first = await explorer.propose(task, observed(*names), memory, ())
    wanted = msgspec.structs.replace(memory, missing=("Pavel Orlov group",))
    second = await explorer.propose(task, observed(*names), wanted, ())
    assert isinstance(first, FollowLink)
    assert isinstance(second, FollowLink)
    assert (first.link_id, second.link_id) == (1, 2)


async def test_a_page_of_use_only_later_is_left_for_later() -> None:
    question = (
        "The 'Thanks' page names a donor. According to the 'Donors since 1900' page, in which year did that donor give?"
    )
    task = Task(question=question, root_url=ROOT)
    memory = remembered(frame("top", "Donors since 1900", "Thanks"))
    action = await BuiltinExplorer(ranker()).propose(task, observed("Donors since 1900", "Thanks"), memory, ())
    assert isinstance(action, FollowLink)
    assert action.link_id == 2


async def test_the_same_arguments_give_the_same_action_whatever_was_asked_before() -> None:
    names = ("harbour", "basin", "tides", "people", "news", "history")
    memory, observation = remembered(frame("top", *names)), observed(*names)
    used = BuiltinExplorer(ranker())
    for question in ("Who is the director?", "How old is the pier?", "Where is the library?"):
        await used.propose(Task(question=question, root_url=ROOT), observation, memory, ())
    fresh = BuiltinExplorer(ranker())
    assert await used.propose(TASK, observation, memory, ()) == await fresh.propose(TASK, observation, memory, ())


async def test_where_links_run_out_a_page_is_made_to_show_more() -> None:
    async def proposed(observation: Observation, *refused: Refusal) -> object:
        here = Frame(url=ROOT, key=key_of(ROOT), title="Port")
        memory = WalkMemory(step=1, stack=UrlStack().push(here))
        return await BuiltinExplorer(ranker()).propose(TASK, observation, memory, refused)

    grows = msgspec.structs.replace(observed(), may_grow=True)
    button = Control(id=3, kind="button", name="Load more", selector="#more")
    presses = observed(pagination=Pagination(next_control=3), controls=(button,))
    assert isinstance(await proposed(observed()), GiveAnswer)
    assert isinstance(await proposed(grows), Scroll)
    assert isinstance(await proposed(grows, Refusal(action=Scroll(), reason="in vain")), GiveAnswer)
    assert isinstance(await proposed(presses), NextPage)
    assert isinstance(await proposed(presses, Refusal(action=NextPage(), reason="in vain")), GiveAnswer)


@pytest.mark.parametrize(
    ("outcome", "confidence", "goes_on"),
    [("read", 0.0, False), ("found little", 0.0, True), ("found nothing", 0.2, True), ("found little", 0.5, False)],
)
async def test_links_are_followed_where_a_search_says_little_of_the_site(
    outcome: str, confidence: float, goes_on: bool
) -> None:
    memory = remembered(frame("top", "weather"), pages=12)
    searched = PageNote(step=2, url=search_address("how deep"), key="search", outcome=outcome)
    pages = (memory.pages[0], searched, *memory.pages[2:])
    memory = msgspec.structs.replace(memory, pages=pages, answer="nine" if confidence else "", confidence=confidence)
    action = await BuiltinExplorer(ranker()).propose(TASK, observed("weather"), memory, ())
    assert isinstance(action, FollowLink if goes_on else GiveAnswer)
