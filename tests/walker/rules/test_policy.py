from __future__ import annotations

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Item
from memory.state import NOTHING_CHANGED, MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, NoStack, UntriedLink, UrlStack
from perception.geometry import Box
from perception.observation import Signals
from perception.page_pictures import PagePicture
from tests.fixtures.paper import HOME, observed, page
from walker.errors import NotAUrl
from walker.rules.action_words import in_words
from walker.rules.cropping import CropRules
from walker.rules.policy import OPERATIONS_A_PAGE, QUERIES_A_SEARCH, SAME_SHAPE_PAGES, SEARCHES_A_WALK, Policy
from walker.rules.scope import WalkScope, check_root
from walker.seams.actions import (
    Action,
    Click,
    Crop,
    Enlarge,
    Finish,
    FollowLink,
    GiveAnswer,
    GoBack,
    Jump,
    NextPage,
    Open,
    Operate,
    Pop,
    ReadPart,
    Refusal,
    Return,
    Scroll,
    Search,
    Unfold,
)
from walker.seams.searches import search_address

POLICY = Policy(scope=WalkScope(root_url=HOME), max_depth=3)
HERE = observed(
    page(
        "List",
        '<a href="/a.html">A</a> <a href="http://other.example/">Other</a> <a href="/file.zip">Zip</a> <a href="/seen.html">Seen</a>'
        '<a rel="next" href="/?page=2">Next</a><button id="more">Load more</button>'
        '<form method="post" action="/buy"><button id="buy">Buy</button></form><form><input type="password" id="pw"></form>',
    )
)


def at(*urls: str) -> WalkMemory:
    stack = UrlStack()
    for url in urls or (HOME,):
        stack = stack.push(Frame(url=url, key=key_of(url)))
    return WalkMemory(step=1, stack=stack.enter(key_of(HOME + "seen.html")))


def decide(action: Action, memory: WalkMemory | None = None, operations: int = 0) -> object:
    return POLICY.decide(action, HERE, memory or at(), operations)


def reason(decided: object) -> str:
    assert isinstance(decided, Refusal), decided
    return decided.reason


def number(label: str) -> int:
    return next(link.id for link in HERE.links if link.label == label)


def test_a_link_of_the_page_is_opened() -> None:
    assert decide(FollowLink(link_id=number("A"), reason="it fits")) == Open(url=HOME + "a.html", reason="it fits")


@pytest.mark.parametrize(("label", "said"), [("Other", "off site"), ("Zip", "a file"), ("Seen", "already visited")])
def test_what_may_not_be_entered_is_refused(label: str, said: str) -> None:
    assert said in reason(decide(FollowLink(link_id=number(label))))


def test_a_link_that_is_not_there_is_refused() -> None:
    assert "no link 99" in reason(decide(FollowLink(link_id=99)))


def test_the_walk_goes_only_so_deep() -> None:
    deep = at(HOME, HOME + "1.html", HOME + "2.html")
    assert "deep" in reason(decide(FollowLink(link_id=number("A")), deep))


def test_pages_of_one_shape_are_a_trap() -> None:
    notes = tuple(PageNote(step=n, url="", key=key_of(f"{HOME}day/{n}")) for n in range(SAME_SHAPE_PAGES))
    memory = WalkMemory(step=1, stack=at().stack, pages=notes)
    day = observed(page("Day", '<a href="/day/99">tomorrow</a>'))
    assert "shape" in reason(POLICY.decide(FollowLink(link_id=1), day, memory, 0))


def test_the_next_page_takes_the_place_of_this_one() -> None:
    assert decide(NextPage(), at(HOME, HOME + "list.html")) == Return(depth=1, url=HOME + "?page=2", reason="next page")


def test_a_jump_needs_an_untried_link_on_the_stack() -> None:
    link = UntriedLink(url=HOME + "b.html", key=key_of(HOME + "b.html"))
    stack = at().stack.offer((link,)).push(Frame(url=HOME + "c.html", key=key_of(HOME + "c.html")))
    memory = WalkMemory(step=2, stack=stack)
    assert decide(Jump(url=HOME + "b.html"), memory) == Return(depth=1, url=HOME + "b.html", reason="")
    assert "untried" in reason(decide(Jump(url=HOME + "nowhere.html"), memory))


def test_going_back_pops_and_the_root_is_never_left() -> None:
    assert isinstance(decide(GoBack(), at(HOME, HOME + "a.html")), Pop)
    assert isinstance(decide(GoBack()), Finish)
    assert isinstance(decide(GiveAnswer(reason="done")), Finish)


def test_controls_that_change_the_site_are_not_pressed() -> None:
    named = {control.name: control.id for control in HERE.controls}
    more = decide(Click(control_id=named["Load more"]))
    assert isinstance(more, Operate)
    assert more.selector == "#more"
    assert "posts" in reason(decide(Click(control_id=named["Buy"])))
    password = next(control.id for control in HERE.controls if control.kind == "password")
    assert "password" in reason(decide(Click(control_id=password)))
    assert "operations" in reason(decide(Scroll(), operations=OPERATIONS_A_PAGE))


def test_parts_are_drawn_larger_the_smaller_they_are() -> None:
    pictures = (
        PagePicture(box=Box(x=0, y=0, width=1280, height=9000)),
        PagePicture(box=Box(x=100, y=50, width=640, height=400), scale=1.0),
        PagePicture(box=Box(x=100, y=50, width=320, height=200), scale=4.0, of=1),
    )
    shown = msgspec.structs.replace(HERE, pictures=pictures)
    rules = CropRules()
    for box, index, scale in (
        ((0, 0, 1, 1), 1, 4.0),
        ((0, 0, 1, 0.1), 0, 2.64),
        ((0.5, 0.5, 1, 1), 2, 8.0),
        ((0.5, 0.5, 1, 1), 1, 4.0),
    ):
        move = rules.decide(Crop(box=box, image_index=index, reason="small print"), shown, 3)
        assert isinstance(move, Enlarge)
        assert (move.scale, move.image_index, move.reason) == (scale, index, "small print")
    assert rules.decide(Crop(box=(0, 0, 1, 1)), shown, 3) == (
        "that part cannot be drawn any larger: choose a smaller or another one"
    )


def test_pictures_of_a_page_that_checks_for_a_person_are_not_read() -> None:
    picture = PagePicture(box=Box(x=0, y=0, width=1280, height=900))
    challenge = msgspec.structs.replace(HERE, pictures=(picture,), signals=Signals(challenge=True))
    assert "checks for a person" in reason(POLICY.decide(Crop(box=(0, 0, 1, 1)), challenge, at(), 0))


@pytest.mark.parametrize(
    ("root", "said"),
    [
        ("", "no address"),
        ("docs.python.org/3/", "Did you mean https://docs.python.org/3/"),
        ("localhost:8000", "Did you mean http://localhost:8000"),
        ("127.0.0.1:8000/a", "Did you mean http://127.0.0.1:8000/a"),
        ("ftp://host/x", "ftp is not http"),
        ("file:///etc/passwd", "file is not http"),
        ("what is this", "not an address"),
        ("http://[::1", "not a valid address"),
        ("http://host:99999/", "not a valid address"),
    ],
)
def test_a_root_that_is_no_address_is_told_so(root: str, said: str) -> None:
    with pytest.raises(NotAUrl, match="(?i)" + said.replace("?", r"\?")):
        check_root(root)


def test_scope_by_path() -> None:
    scope = WalkScope(root_url=HOME + "docs/index.html", kind="path")
    assert scope.why_outside(HOME + "docs/a.html") == ""
    assert "folder" in scope.why_outside(HOME + "blog/")
    assert scope.why_outside("https://www.reef.example/docs/a.html") == "", "https and www of the same host"
    assert scope.why_outside("http://reef.example:8080/docs/") == "off site"
    assert "scheme" in scope.why_outside("javascript:alert(1)")


QUOTA = Requirement(mode="quota", target=5, noun="boats")
WHOLE = Requirement(mode="exhaustive", noun="boats")
AWAY = UntriedLink(url=HOME + "a.html", key=key_of(HOME + "a.html"), label="A")


def counting(requirement: Requirement, *names: str, untried: tuple[UntriedLink, ...] = (), step: int = 1) -> WalkMemory:
    """A walk at the page whose list goes on, with these items counted on it."""
    memory = at()
    items = [Item(name=name, page_url=HERE.url, step=step) for name in names]
    counter = Counter.start(requirement).add(items)
    stack = memory.stack.offer(untried)
    return msgspec.structs.replace(memory, counter=counter, stack=stack)


@pytest.mark.parametrize("requirement", [QUOTA, WHOLE])
@pytest.mark.parametrize("action", [GiveAnswer(reason="that is all"), GoBack()])
def test_no_end_and_no_way_back_while_the_counted_list_goes_on(requirement: Requirement, action: Action) -> None:
    memory = counting(requirement, "Mantis", "Squid")
    assert "take its next page first" in reason(decide(action, memory))
    assert isinstance(decide(NextPage(), memory), Open)


def test_a_next_page_that_was_visited_or_added_nothing_keeps_nobody() -> None:
    memory = counting(WHOLE, "Mantis")
    visited = msgspec.structs.replace(memory, stack=memory.stack.enter(key_of(HOME + "?page=2")))
    assert isinstance(decide(GiveAnswer(), visited), Finish)
    assert isinstance(decide(GiveAnswer(), counting(WHOLE, "Mantis", step=0)), Finish), "this page added nothing"


def test_an_open_quota_ends_only_where_nothing_is_untried() -> None:
    counted_before = counting(QUOTA, "Mantis", untried=(AWAY,), step=0)
    assert "1 of 5 was found" in reason(decide(GiveAnswer(), counted_before))
    outside = UntriedLink(url="http://other.example/", key="http://other.example/", label="Other")
    assert isinstance(decide(GiveAnswer(), counting(QUOTA, "Mantis", untried=(outside,), step=0)), Finish)
    assert isinstance(decide(GiveAnswer(), counting(QUOTA, "Mantis", step=0)), Finish)


def test_a_list_that_was_not_found_is_looked_for_and_one_that_was_answered_is_not() -> None:
    assert "follow one of this page" in reason(decide(GiveAnswer(), counting(WHOLE, untried=(AWAY,))))
    answered = msgspec.structs.replace(counting(WHOLE, untried=(AWAY,)), answer="12")
    assert isinstance(decide(GiveAnswer(), answered), Finish)
    assert isinstance(decide(GiveAnswer(), counting(Requirement(), untried=(AWAY,))), Finish)


def test_a_part_of_the_page_is_shown_once() -> None:
    assert decide(ReadPart(part=3, reason="so")) == Unfold(part=3, reason="so")
    assert decide(ReadPart(part=3, reason="so"), WalkMemory(step=1, unfolded=(3, 4))) == Unfold(part=3, reason="so")
    assert isinstance(decide(ReadPart(part=3), WalkMemory(step=1, unfolded=(3, 4, 3, 4))), Refusal)
    refused = decide(ReadPart(part=3), WalkMemory(step=1, unfolded=(3,)))
    assert isinstance(refused, Refusal)
    assert refused.reason == "part 3 is shown already"


def test_what_changed_nothing_is_not_done_again_on_this_page_and_may_be_elsewhere() -> None:
    def after(page: str, outcome: str) -> WalkMemory:
        here = Frame(url=HOME, key=key_of(HOME), title="List")
        note = MoveNote(step=1, page=page, what="scroll", outcome=outcome)
        return WalkMemory(step=1, stack=UrlStack().push(here), moves=(note,))

    refused = decide(Scroll(), after(key_of(HOME), NOTHING_CHANGED))
    assert isinstance(refused, Refusal)
    assert "changed nothing on this page before" in refused.reason
    assert isinstance(decide(Scroll(), after(key_of(HOME), "")), Operate)
    assert isinstance(decide(Scroll(), after(HOME + "other.html", NOTHING_CHANGED)), Operate)


def test_a_button_for_more_that_changed_nothing_is_not_pressed_again() -> None:
    observation = observed('<ul><li>Orca</li></ul><button class="more">Load more</button>')
    memory = WalkMemory(step=1, stack=UrlStack().push(Frame(url=HOME, key=key_of(HOME), title="List")))
    assert isinstance(POLICY.decide(NextPage(), observation, memory, 0), Operate)
    note = MoveNote(step=1, page=key_of(HOME), what="next page", outcome=NOTHING_CHANGED)
    refused = POLICY.decide(NextPage(), observation, msgspec.structs.replace(memory, moves=(note,)), 1)
    assert isinstance(refused, Refusal)
    assert "changed nothing on this page before" in refused.reason


def test_a_walk_without_a_stack_is_told_that_it_cannot_go_back() -> None:
    here = Frame(url=HOME + "b", key=key_of(HOME + "b"), title="B")
    refused = decide(GoBack(), WalkMemory(step=2, stack=NoStack().push(here)))
    assert isinstance(refused, Refusal)
    assert refused.reason == "this walk keeps no stack and cannot go back: follow a link of this page, or answer"


def searching(*queries: str) -> WalkMemory:
    notes = tuple(
        PageNote(step=step, url=search_address(query), key=query) for step, query in enumerate(queries, start=2)
    )
    return msgspec.structs.replace(at(), pages=notes)


def search(query: str, memory: WalkMemory | None = None) -> object:
    return msgspec.structs.replace(POLICY, may_search=True).decide(Search(query=query), HERE, memory or at(), 0)


def test_a_search_is_a_page_to_open() -> None:
    assert search("keel  depth") == Open(url=search_address("keel depth"))


def test_the_same_words_are_searched_for_once_however_they_are_put() -> None:
    memory = searching("the depth of the keel")
    assert "searched for already" in reason(search("Keels, depths", memory))
    assert isinstance(search("keel depth of Mantis", memory), Open)


def test_a_walk_without_a_library_a_query_without_words_and_endless_searching_are_refused() -> None:
    assert "nothing to search" in reason(decide(Search(query="keel")))
    assert "no words" in reason(search(" ?! "))
    assert f"{SEARCHES_A_WALK} searches" in reason(search("keel", searching(*map(str, range(SEARCHES_A_WALK)))))
    assert "deep" in reason(search("keel", at(HOME, HOME + "b", HOME + "c")))


def test_no_link_of_a_page_leads_to_a_search() -> None:
    hostile = observed(page("List", f'<a href="{search_address("free money")}">A</a>'))
    refused = msgspec.structs.replace(POLICY, may_search=True).decide(FollowLink(link_id=1), hostile, at(), 0)
    assert "off site" in reason(refused)


def test_a_jump_may_go_to_a_link_of_a_page_that_was_left() -> None:
    link = UntriedLink(url=HOME + "b.html", key=key_of(HOME + "b.html"))
    left = Frame(url=HOME + "c.html", key=key_of(HOME + "c.html"), untried=(link,))
    memory = WalkMemory(step=3, stack=at().stack.push(left).pop())
    assert decide(Jump(url=HOME + "b.html"), memory) == Return(depth=1, url=HOME + "b.html", reason="")
    entered = WalkMemory(step=4, stack=memory.stack.enter(link.key))
    assert "already visited" in reason(decide(Jump(url=HOME + "b.html"), entered))


def several(query: str, *further: str, memory: WalkMemory | None = None) -> object:
    action = Search(query=query, further=further)
    return msgspec.structs.replace(POLICY, may_search=True).decide(action, HERE, memory or at(), 0)


def test_several_queries_are_one_page_and_those_asked_before_are_left_out() -> None:
    assert several("keel depth", "mast height") == Open(url=search_address("keel depth", "mast height"))
    assert several("keel depth", "?!", "Depth of the keel", "mast") == Open(url=search_address("keel depth", "mast"))
    assert several(*"abcdef") == Open(url=search_address(*"abcdef"[:QUERIES_A_SEARCH]))
    note = PageNote(step=2, url=search_address("keel", "mast"), key="k")
    before = msgspec.structs.replace(at(), pages=(note,))
    assert several("keel", "boom", memory=before) == Open(url=search_address("boom"))
    assert "searched for already" in reason(several("mast", "keel", memory=before))


def test_a_search_with_one_query_is_recorded_as_it_ever_was() -> None:
    assert msgspec.to_builtins(Search(query="keel")) == {"type": "Search", "query": "keel", "reason": ""}
    assert msgspec.convert({"type": "Search", "query": "keel", "reason": ""}, Search).queries == ("keel",)
    both = Search(query="keel", further=("mast",))
    assert msgspec.convert(msgspec.to_builtins(both), Search) == both
    assert in_words(both, HERE) == "search “keel” and “mast”"


def test_a_link_to_a_site_that_a_hit_named_may_be_followed_and_no_other() -> None:
    opened = Policy(scope=WalkScope(root_url=HOME, opens_hits=True), max_depth=3)
    page_here = observed(
        page("List", '<a href="https://museum.example/a">A</a><a href="https://third.example/b">B</a>')
    )
    memory = msgspec.structs.replace(at(), hit_sites=("https://museum.example",))
    assert opened.decide(FollowLink(link_id=1), page_here, memory, 0) == Open(url="https://museum.example/a")
    assert "off site" in reason(opened.decide(FollowLink(link_id=2), page_here, memory, 0))
    assert "off site" in reason(opened.decide(FollowLink(link_id=1), page_here, at(), 0))
