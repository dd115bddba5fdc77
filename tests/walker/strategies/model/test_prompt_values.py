"""What prompts offer and tell: the links left behind, what was found, what was counted."""

from __future__ import annotations

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import SHOWN_SCORE, Finding, Item
from memory.state import MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.geometry import Box
from perception.observation import Observation
from perception.page_pictures import PagePicture
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, observed, page, ranker, task_for
from tests.fixtures.scripts import QUOTE
from tests.walker.strategies.model.asked_once import MODEL, QUESTION, TASK, boats, same_for_all, standing
from walker.prompts import render_prompt
from walker.rules.cropping import CROPS_A_PAGE
from walker.seams.actions import FollowLink, GoBack, Refusal
from walker.seams.task import Task
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.one_call import OneCall
from walker.strategies.model.prompt_values import (
    Offer,
    Offers,
    PromptValues,
    finding_lines,
    possible_actions,
    question_values,
    shown_findings,
    walk_values,
)
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import ScriptedChat

REFUSED = Refusal(action=GoBack(), reason="there is no page below")


class CountedOffers(PromptValues):
    """Counts how often the links of a page are ranked."""

    def __init__(self) -> None:
        super().__init__(ranker())
        self.offers = 0

    def offer(self, task: Task, observation: Observation, memory: WalkMemory) -> Offer:
        self.offers += 1
        return super().offer(task, observation, memory)


async def test_the_links_of_a_page_are_ranked_once() -> None:
    talk, values = ModelTalk(ScriptedChat(same_for_all(action="back")), MODEL, "seed"), CountedOffers()
    critic = ModelCritic(talk, ranker(), BuiltinCritic(ranker()), values=values, one_call=OneCall(talk, values))
    await critic.find(TASK, boats(), standing(boats()))
    assert values.offers == 1


def test_links_left_behind_are_told_apart_by_their_route() -> None:
    home = "http://app.example/"
    here = home + "#/boats"
    html = page("Boats", '<p><a href="#/engines">Engines</a> <a href="#/sails">Sails</a></p>')
    observation = observe(Snapshot(url=here, final_url=here, status=200, html=html))
    untried = tuple(UntriedLink(url=home + route, key=key_of(home + route), label=route) for route in ("#/crew",))
    stack = UrlStack().push(Frame(url=home, key=key_of(home), title="App", untried=untried))
    stack = stack.push(Frame(url=here, key=key_of(here), title="App"))
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in observation.links)
    stack = stack.offer(links)
    offer = PromptValues(ranker()).offer(TASK, observation, WalkMemory(step=2, stack=stack))
    assert [one.url for one in offer.earlier] == [home + "#/crew"]
    assert sorted(offer.promising) == [1, 2]


def left_on(url: str, *labels: str, heading: str = "") -> Frame:
    untried = tuple(
        UntriedLink(url=f"{url}{n}.html", key=key_of(f"{url}{n}.html"), label=label, heading=f"{heading} {n}".strip())
        for n, label in enumerate(labels)
    )
    return Frame(url=url, key=key_of(url), title=url.rsplit("/", 2)[-2], untried=untried)


@pytest.mark.parametrize("missing", [(), ("the sails",), ("the engines of the Mantis",)])
def test_links_left_behind_stand_below_their_page_in_its_order(missing: tuple[str, ...]) -> None:
    observation = boats()
    stack = UrlStack().push(left_on(HOME + "ships/", "Sails", "Engines", "Crew"))
    stack = stack.push(left_on(HOME + "news/", "More", "More", heading="Item"))
    stack = stack.push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    memory = WalkMemory(step=3, stack=stack, missing=missing)
    values = walk_values(memory, PromptValues(ranker()).offer(TASK, observation, memory), "", ())
    assert str(values["earlier"]).splitlines() == [
        "- ships:",
        "1 Sails (/ships/0.html)",
        "2 Engines (/ships/1.html)",
        "3 Crew (/ships/2.html)",
        "- news:",
        "4 More: Item 0 (/news/0.html)",
        "5 More: Item 1 (/news/1.html)",
    ]


def numbered(frame: Frame) -> Frame:
    untried = tuple(msgspec.structs.replace(one, number=n) for n, one in enumerate(frame.untried, start=1))
    return msgspec.structs.replace(frame, untried=untried)


@pytest.mark.parametrize(("gave", "offered"), [("a finding", True), ("relevance", True), ("nothing", False)])
def test_links_beside_one_that_led_to_something_are_offered(gave: str, offered: bool) -> None:
    labels = [f"{QUESTION} {n}" for n in range(90)]
    labels[40:44] = ["Gull", "Orca", "Heron", "Otter"]
    root, followed = numbered(left_on(HOME + "log/", *labels)), HOME + "log/40.html"
    observation = boats()
    stack = UrlStack().push(root).enter(key_of(followed))
    stack = stack.push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    move = MoveNote(step=1, page=root.key, what="follow [41] “Gull”")
    pages = (
        PageNote(step=1, url=root.url, key=root.key, outcome="read"),
        PageNote(step=2, url=followed, key=key_of(followed), outcome="read", relevance=0.75 * (gave == "relevance")),
    )
    found = Finding(text="18 m", quote="18 m long", url=followed, step=2, score=0.9)
    memory = WalkMemory(step=3, stack=stack, pages=pages, moves=(move,), findings=(found,) * (gave == "a finding"))
    offer = PromptValues(ranker()).offer(TASK, observation, memory)
    assert ("Orca" in [one.label for one in offer.earlier]) is offered


@pytest.mark.parametrize(("question", "kept"), [("Who won in March 2019?", ["2", "8", "14"]), ("Who won?", [])])
def test_pages_of_a_list_stay_on_offer_where_the_question_names_a_time(question: str, kept: list[str]) -> None:
    root = left_on(HOME + "news/", *(f"Who won the race {n}" for n in range(90)), *map(str, range(2, 15)))
    observation = boats()
    stack = UrlStack().push(root).push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    memory = WalkMemory(step=2, stack=stack)
    offer = PromptValues(ranker()).offer(task_for(question), observation, memory)
    assert [one.label for one in offer.earlier if one.label.isdigit()] == kept


def test_pages_of_the_open_list_are_offered_whatever_the_question_names() -> None:
    """The pager of page 12 shows its neighbours; those that an earlier page showed stay one jump away."""
    news = HOME + "news/"
    pages = tuple(
        UntriedLink(url=f"{news}{n}/", key=key_of(f"{news}{n}/"), label=str(n)) for n in (2, 3, 4, 5, 6, 7, 8, 9, 24)
    )
    posts = tuple(
        UntriedLink(url=f"{HOME}{n}.html", key=key_of(f"{HOME}{n}.html"), label=f"Who won the race {n}")
        for n in range(20)
    )
    other = UntriedLink(url=HOME + "races/3/", key=key_of(HOME + "races/3/"), label="3")
    pager = "".join(f"<a href='/news/{n}/'>{n}</a> " for n in (11, 13, 24))
    html = page("News", f"<p>The harbour was open.</p><p>{pager}<a href='/news/13/'>Next</a></p>")
    here = news + "12/"
    observation = observe(Snapshot(url=here, final_url=here, status=200, html=html))
    root = Frame(url=news, key=key_of(news), title="News", untried=(*posts, *pages, other))
    stack = UrlStack().push(root).push(Frame(url=here, key=key_of(here), title="News 12"))
    memory = WalkMemory(step=2, stack=stack)
    offer = PromptValues(ranker()).offer(task_for("Who won the race?"), observation, memory)
    assert [one.label for one in offer.earlier if one.url.startswith(news)] == ["2", "4", "7", "8", "9"]
    for language, told in (("en", "page 2 of this list (/news/2/)"), ("zh", "本列表第 2 页 (/news/2/)")):
        assert told in str(walk_values(memory, offer, "", (), language)["earlier"])
    assert "3 of this list" not in str(walk_values(memory, offer, "", ())["earlier"]), "races are another list"


UNRELATED = (
    "Imprint of 2019",
    "Wallpaper",
    "Choir",
    "Parking",
    "Lost property",
    "Canteen",
    "Garden",
    "Cinema",
    "Chess club",
    "Radio",
)


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        ((), "Lengths of all research vessels"),
        (("who repaired the diesel engine",), "Diesel engine repairs"),
        (("harbour fees for visitors",), "Harbour fees"),
    ],
)
def test_of_many_links_left_behind_those_that_bear_on_what_is_missing_are_offered(
    missing: tuple[str, ...], wanted: str
) -> None:
    labels = (
        *UNRELATED,
        "Diesel engine repairs",
        "Harbour fees",
        "Lengths of all research vessels",
        "Site map",
        *UNRELATED[::-1],
    )
    observation = boats()
    stack = UrlStack().push(left_on(HOME + "ships/", *labels))
    stack = stack.push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    ships = PageNote(step=1, url=HOME + "ships/", title="ships", key=stack.frames[0].key, outcome="read")
    memory = WalkMemory(step=3, stack=stack, missing=missing, pages=(ships,))
    offer = PromptValues(ranker()).offer(TASK, observation, memory)
    shown = [one.label for one in offer.earlier]
    assert wanted in shown
    assert "Site map" in shown, "the way to pages that no label names stays"
    assert len(shown) == 6
    lines = str(walk_values(memory, offer, "", ())["earlier"]).splitlines()
    assert lines[0] == "- ships (18 more left, step 1):", "how many others there are, and where"
    assert lines[-1].endswith('"refocus" shows all of a step, "back" the page before)')


def test_of_few_links_left_behind_all_are_offered() -> None:
    observation, labels = boats(), [f"Diary of week {number}" for number in range(10)]
    stack = UrlStack().push(left_on(HOME + "ships/", *labels))
    stack = stack.push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    memory = WalkMemory(step=3, stack=stack, missing=("Diesel engine repairs",))
    offer = PromptValues(ranker()).offer(TASK, observation, memory)
    assert sorted(one.label for one in offer.earlier) == sorted(labels)
    assert "more" not in str(walk_values(memory, offer, "", ())["earlier"])


def test_a_control_that_is_switched_off_is_not_offered() -> None:
    html = page("Boats", f"<p>{QUOTE}</p><button disabled>Back</button><button onclick='x()'>On</button>")
    address = HOME + "boats.html"
    observation = observe(Snapshot(url=address, final_url=address, status=200, html=html))
    offer = PromptValues(ranker()).offer(TASK, observation, standing(observation))
    assert [one.name for one in offer.controls] == ["On"]


def test_what_would_open_a_part_that_is_shown_anyway_is_not_offered() -> None:
    closed = "<details><summary>Prices</summary><p>Adults pay 12 EUR.</p><input name='q' aria-label='Filter'></details>"
    html = page("Boats", f"<p>{QUOTE}</p>{closed}<button onclick='x()'>On</button>")
    address = HOME + "boats.html"
    observation = observe(Snapshot(url=address, final_url=address, status=200, html=html))
    assert any("collapsed" in control.state for control in observation.controls)
    offer = PromptValues(ranker()).offer(TASK, observation, standing(observation))
    assert [one.name for one in offer.controls] == ["On"]
    assert "Adults pay 12 EUR." in "".join(part.text for part in offer.page.parts)


@pytest.mark.parametrize(("question", "is_kept"), [("List all posts about ropes.", True), (QUESTION, False)])
def test_archives_stay_among_the_links_left_behind_where_something_is_counted(question: str, *, is_kept: bool) -> None:
    observation, labels = boats(), [f"Length of research vessel {number}" for number in range(20)]
    posts = left_on(HOME + "news/", *labels)
    tag = UntriedLink(url=HOME + "tags/cordage/", key=key_of(HOME + "tags/cordage/"), label="cordage")
    posts = msgspec.structs.replace(posts, untried=(*posts.untried, tag))
    stack = UrlStack().push(posts).push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    task = task_for(question)
    offer = PromptValues(ranker()).offer(
        task, observation, WalkMemory(step=3, stack=stack, missing=("vessel lengths",))
    )
    assert (tag.url in [one.url for one in offer.earlier]) == is_kept


def test_links_of_a_page_that_was_left_by_going_back_are_offered_too() -> None:
    observation = boats()
    stack = UrlStack().push(Frame(url=observation.url, key=key_of(observation.url), title="Boats"))
    stack = stack.push(left_on(HOME + "ships/", "Lengths of all research vessels")).pop()
    memory = WalkMemory(step=3, stack=stack)
    offer = PromptValues(ranker()).offer(TASK, observation, memory)
    assert str(walk_values(memory, offer, "", ())["earlier"]).splitlines() == [
        "- ships:",
        "1 Lengths of all research vessels (/ships/0.html)",
    ]
    many = UrlStack().push(stack.frames[0]).push(left_on(HOME + "ships/", *UNRELATED)).pop()
    left = WalkMemory(step=3, stack=many)
    offer = PromptValues(ranker()).offer(TASK, observation, left)
    assert offer.others == ()
    assert "more left" not in str(walk_values(left, offer, "", ())["earlier"])
    entered = WalkMemory(step=4, stack=stack.enter(key_of(HOME + "ships/0.html")))
    assert PromptValues(ranker()).offer(TASK, observation, entered).earlier == ()


def test_what_was_found_again_on_a_page_is_listed_once_and_a_longer_list_in_place_of_a_shorter() -> None:
    def told(text: str, url: str = HOME) -> Finding:
        return Finding(text=text, quote="Mantis", url=url, step=1, score=0.9)

    found = (
        told("2: Mantis; Squid"),
        told("18 m"),
        told("18 m"),
        told("3: Mantis; Squid; Orca"),
        told("1: Mantis", "b"),
    )
    shown = shown_findings(WalkMemory(findings=found))
    assert [(one.text, one.url) for one in shown] == [
        ("18 m", HOME),
        ("3: Mantis; Squid; Orca", HOME),
        ("1: Mantis", "b"),
    ]


@pytest.mark.parametrize(
    ("question", "items", "progress"),
    [
        ("How many boats does the station have?", (), ""),
        ("How many boats does the station have?", ("Mantis",), "1 (Mantis)"),
        ("Name two boats of the station.", (), "0/2"),
    ],
)
def test_nothing_counted_is_told_only_where_so_many_are_wanted(
    question: str, items: tuple[str, ...], progress: str
) -> None:
    asked = task_for(question)
    counted = Counter.start(asked.requirement).add(Item(name=name, page_url=HOME, step=1) for name in items)
    assert question_values(asked, WalkMemory(counter=counted))["progress"] == progress


@pytest.mark.parametrize(
    ("question", "may_count", "shown"),
    [
        ("How many posts are there in the news?", True, True),
        ("How many times was the Mantis repaired?", True, True),
        ("Wie viele Beiträge gibt es?", True, True),
        ("How many posts are there in the news?", False, False),
        ("Which boat is red?", True, False),
    ],
)
def test_lists_are_shown_for_whatever_asks_how_many_though_the_number_may_be_stated(
    question: str, *, may_count: bool, shown: bool
) -> None:
    here = observed(
        page("News", "<h2>Posts</h2><ul><li>The Mantis is back</li><li>A red boat</li><li>Open day</li></ul>")
    )
    memory = WalkMemory(step=1, stack=UrlStack().push(Frame(url=HOME, key=key_of(HOME))))
    values, task = PromptValues(ranker(), Offers(may_count=may_count)), task_for(question)
    text = values.digest(task, here, memory, values.offer(task, here, memory), 2000).text
    assert ("Lists of this page:" in text) is shown


@pytest.mark.parametrize(("crops", "may_crop"), [(0, True), (CROPS_A_PAGE - 1, True), (CROPS_A_PAGE, False)])
def test_a_closer_look_is_offered_as_long_as_one_is_possible(crops: int, *, may_crop: bool) -> None:
    box = Box(x=0, y=0, width=300, height=200)
    whole = PagePicture(box=box)
    looked_at = tuple(PagePicture(box=box, of=1, scale=2, texts=(f"Deck {n}",)) for n in range(crops))
    observation = msgspec.structs.replace(boats(), pictures=(whole, whole, *looked_at))
    values, memory = PromptValues(ranker()), standing(boats())
    offer = values.offer(TASK, observation, memory)
    assert len(offer.pictures) == 2 + crops, "what was read in them stays"
    possible = possible_actions(observation, memory, offer, values.digest(TASK, observation, memory, offer, 600))
    assert ("crop" in possible.split(", ")) is may_crop


@pytest.mark.parametrize(("spent", "may_crop"), [(4, True), (5, False)])
def test_no_closer_look_is_offered_once_the_looks_of_the_walk_are_spent(spent: int, *, may_crop: bool) -> None:
    observation = msgspec.structs.replace(boats(), pictures=(PagePicture(box=Box(x=0, y=0, width=300, height=200)),))
    values, memory = PromptValues(ranker(), Offers(looks=5)), msgspec.structs.replace(standing(boats()), looks=spent)
    offer = values.offer(TASK, observation, memory)
    possible = possible_actions(observation, memory, offer, values.digest(TASK, observation, memory, offer, 600))
    assert ("crop" in possible.split(", ")) is may_crop


def test_a_step_is_offered_again_only_where_another_page_was_read_and_is_not_shown() -> None:
    observation, values = boats(), PromptValues(ranker())
    here = standing(observation)
    key = here.stack.frames[-1].key
    own = tuple(PageNote(step=step, url=observation.url, key=key, outcome="read") for step in (2, 3))
    home = PageNote(step=1, url=HOME, key=key_of(HOME), outcome="read")
    for pages, seen_again, is_offered in ((own, 0, False), ((home, *own), 0, True), ((home, *own), 1, False)):
        memory = msgspec.structs.replace(here, pages=pages)
        offer = msgspec.structs.replace(values.offer(TASK, observation, memory), seen_again=seen_again)
        possible = possible_actions(observation, memory, offer, values.digest(TASK, observation, memory, offer, 600))
        assert ("refocus" in possible.split(", ")) is is_offered


def test_how_far_a_list_goes_is_told_with_the_way_to_its_next_page() -> None:
    numbers = "".join(f'<a href="/boats.html?page={n}">{n}</a> ' for n in (2, 3, 4))
    html = page("News", f"<p>The harbour was open.</p><p>{numbers}<a href='/boats.html?page=41'>Oldest</a></p>")
    observation = observe(Snapshot(url=HOME + "boats.html", final_url=HOME + "boats.html", status=200, html=html))
    values, memory = PromptValues(ranker()), standing(observation)
    offer = values.offer(TASK, observation, memory)
    possible = possible_actions(observation, memory, offer, values.digest(TASK, observation, memory, offer, 600))
    assert "next (this is page 1 of 41)" in possible


def counted(names: int) -> WalkMemory:
    items = tuple(Item(name=f"Boat {number}", page_url=HOME, step=1) for number in range(names))
    task = task_for("How many boats are there?")
    return WalkMemory(counter=Counter.start(task.requirement).add(items))


def test_a_count_says_how_many_of_its_names_are_not_told() -> None:
    task = task_for("How many boats are there?")
    progress = str(question_values(task, counted(30))["progress"])
    assert progress.startswith("30 (Boat 0; Boat 1; ")
    assert progress.endswith("; Boat 23; … 6 more)")
    assert "more" not in str(question_values(task, counted(24))["progress"])


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "; new by step: 2: 3, 5: 2; the site states 9"),
        ("zh", "；各步新增：第 2 步 3 个、第 5 步 2 个；网站称共 9 个"),
    ],
)
def test_a_count_over_several_pages_says_how_many_were_new_on_each(language: str, told: str) -> None:
    asked = msgspec.structs.replace(task_for("How many boats are there?"), language=language)
    first = [Item(name=f"Boat {name}", page_url=HOME, step=2) for name in "abc"]
    more = [Item(name=f"Boat {name}", page_url=HOME + "2", step=5) for name in "bcde"]
    memory = WalkMemory(step=6, counter=Counter.start(Requirement(mode="exhaustive")).add([*first, *more]).saw_total(9))
    progress = str(question_values(asked, memory)["progress"])
    assert progress == f"5 (Boat a; Boat b; Boat c; Boat d; Boat e){told}"
    many = [Item(name=f"Boat {n}", page_url=f"{HOME}{n}", step=n) for n in range(1, 31)]
    long = WalkMemory(step=31, counter=Counter.start(Requirement(mode="exhaustive")).add(many))
    assert ("up to 18: 18, 19: 1" if language == "en" else "到第 18 步 18 个、第 19 步 1 个") in str(
        question_values(asked, long)["progress"]
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("prompt", ["step", "critic_find"])
def test_lists_by_number_are_explained_only_where_they_are_shown(prompt: str, language: str) -> None:
    def explained(question: str, *, may_count: bool) -> bool:
        values, task = PromptValues(ranker(), Offers(may_count=may_count)), task_for(question)
        offer, memory = values.offer(task, boats(), standing(boats())), standing(boats())
        rendered = render_prompt(
            prompt,
            language,
            {
                **question_values(task, memory),
                **walk_values(memory, offer, "", ()),
                **values.bounds(task, memory),
                **dict.fromkeys(("fence", "findings", "differ", "page", "possible", "most", "next_number"), ""),
                "parts": "1. one",
            },
        )
        return '"list"' in rendered[0].content or "list_part" in rendered[0].content

    assert explained("How many boats are there?", may_count=True)
    assert not explained("How many boats are there?", may_count=False)
    assert not explained(QUESTION, may_count=True)


async def test_how_many_pages_are_left_is_said() -> None:
    chat = ScriptedChat(same_for_all(action="back"))
    explorer, critic = model_strategies(chat, MODEL, ranker(), seed="seed", offers=Offers(pages=15))
    note = PageNote(step=1, url=HOME, key=key_of(HOME), outcome="read")
    memory = msgspec.structs.replace(standing(boats()), pages=(note,))
    await critic.find(TASK, boats(), memory)
    await explorer.propose(TASK, boats(), memory, (REFUSED,))
    assert [one.schema_name for one in chat.asked] == ["step", "explorer"]
    for one in chat.asked:
        assert one.messages[1].content.endswith(" Pages left: 14.")


@pytest.mark.parametrize(
    ("language", "told"), [("en", ": refocus shows what it said"), ("zh", "：用 refocus 可见其内容")]
)
def test_a_refusal_says_what_may_be_done_instead(language: str, told: str) -> None:
    refused = Refusal(action=FollowLink(link_id=1), reason="already visited")
    values = walk_values(
        standing(boats()), PromptValues(ranker()).offer(TASK, boats(), standing(boats())), "", (refused,), language
    )
    assert values["refused"] == f"FollowLink 1: already visited{told}"


def test_what_a_picture_gave_is_told_as_such_not_as_text_under_a_heading() -> None:
    asked = "What colour is the lighthouse?"
    read = Finding(url=HOME, step=1, text="red", quote="The tower is red", score=0.9, heading="Sights > tower.png")
    shown = msgspec.structs.replace(
        read, text="A red tower.", quote="A red tower.", score=SHOWN_SCORE, heading="Harbour"
    )
    read = msgspec.structs.replace(read, heading=f"Sights > {asked} > tower.png")
    bare = msgspec.structs.replace(read, heading=asked)
    written = msgspec.structs.replace(read, quote="It is red.", heading="Sights > Towers")
    lines = finding_lines((shown, read, bare, written), asked).splitlines()
    assert lines[0] == f"[1] picture “Harbour” shows “A red tower.”, {HOME}"
    assert lines[1] == f"[2] red: “The tower is red” in the picture “Sights > tower.png”, {HOME}"
    assert lines[2] == f"[3] red: “The tower is red” in a picture, {HOME}"
    assert lines[3] == f"[4] red: “It is red.” under “Sights > Towers”, {HOME}"
