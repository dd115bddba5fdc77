"""What words mean on a page, what a sentence asks for, and what it needs: without a browser."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.errors import NoSuchTarget, UsageError, WalkerError
from walker.flows.shown_page import ShownPage
from walker.rules.scope import WalkScope
from walker.seams.actions import Click, Fill, TypeText
from walker.session.plans import Plan, Wish, plan_of
from walker.session.secret import Secret, plain_text, text_again
from walker.session.sentences import read_sentence
from walker.session.targets import find_targets

HOME = "http://shop.example/"
SCOPE = WalkScope(root_url=HOME)
HTML = """<html lang=en><title>Shop</title><nav><a href=/help>Help</a> <a href=/logout>Log out</a></nav><main><h1>Mugs</h1>
<form action=/find><input type=search name=q aria-label="Search products"><button>Find</button></form>
<ul><li><a href=/blue>Blue mug</a> 12 EUR <li><a href=/red>Red mug</a> 14 EUR <li><a href=/old>Red mug, old</a> 3 EUR</ul>
<nav><a href="/?page=1">1</a> <a href="/?page=2">2</a> <a href="/?page=3">3</a> <a rel=next href="/?page=2">Next</a></nav>
<h2>News</h2><a href=/n1>More</a><h2>Events</h2><a href=/e1>More</a>
<button aria-expanded=false>Delivery details</button> <button>Empty the cart</button> <button disabled>Pay</button>
<form method=post action=/join><label>Email <input name=email></label> <label>Word <input type=password name=w></label>
<label>Country <select name=c><option>France<option>Spain</select></label><button>Join us</button></form>
<form action=/put><button>Put it in</button></form><a href=http://other.example/>Partner</a></main>"""


@pytest.fixture(scope="module")
def page() -> ShownPage:
    snapshot = Snapshot(url=HOME, final_url=HOME, status=200, html=HTML)
    return ShownPage(snapshot, observe(snapshot))


def names(observation: Observation, words: str) -> list[str]:
    return [one.name for one in find_targets(observation, words, SCOPE, 1)]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("Red mug", "Red mug"),
        ("the blue mugs", "Blue mug"),
        ("the second result", "Red mug"),
        ("last entry", "Red mug, old"),
        ("the first mug", "Blue mug"),
        ("the third shop", "Red mug, old"),
        ("the second red mug", "Red mug, old"),
        ("page 3", "3"),
        ("sign out", "Log out"),
        ("the email field", "Email"),
        ("search product", "Search products"),
        ("the 2nd button", "Delivery details"),
    ],
)
def test_words_mean_one_target(page: ShownPage, words: str, first: str) -> None:
    assert names(page.observation, words)[:1] == [first]


def test_words_that_mean_several_or_none(page: ShownPage) -> None:
    assert names(page.observation, "pagination") == ["1", "2", "3"]
    assert names(page.observation, "next page") in (["2"], ["Next"]), "two labels of one address are one"
    assert "Pay" not in names(page.observation, "all buttons"), "nobody can press it"
    assert names(page.observation, "the submarine") == []
    assert names(page.observation, "helpfulness") == [], "of one stem, and another word"
    for words in ("more events", "More under Events", 'more under the heading "Events"'):
        assert [one.url for one in find_targets(page.observation, words, SCOPE, 1)][:1] == [f"{HOME}e1"]


@pytest.mark.parametrize(
    ("sentence", "verb", "words", "text"),
    [
        ("open the second result.", "open", "second result", ""),
        ('Type "blue mug" into the search field', "type", "search field", "blue mug"),
        ('fill in the name with "Ana"', "type", "name", "Ana"),
        ("type into the password field", "type", "password field", ""),
        ('choose "Spain" in country', "type", "country", "Spain"),
        ("search for blue mugs", "search", "", "blue mugs"),
        ("press Add to cart", "press", "Add to cart", ""),
        ("scroll to the end", "scroll", "", ""),
        ("go back", "back", "", ""),
        ("打开帮助", "open", "帮助", ""),
        ("the blue mug", "any", "blue mug", ""),
    ],
)
def test_sentences(sentence: str, verb: str, words: str, text: str) -> None:
    said = read_sentence(sentence)
    assert (said.verb, said.words, said.text) == (verb, words, text)


def plan(page: ShownPage, what: str, *, text: str | Secret = "", submit: bool = False) -> Plan:
    return plan_of(Wish(what=what, text=text, submit=submit), page, SCOPE, 1, "")


@pytest.mark.parametrize(
    ("what", "needs"),
    [
        ("open Help", ()),
        ("Help", ()),
        ("open next page", ()),
        ("open partner", ("leave",)),
        ("open log out", ("press",)),
        ('search for "cups"', ()),
        ("press Find", ()),
        ("press Delivery details", ()),
        ("press Empty the cart", ("press",)),
        ("press Put it in", ("press",)),
        ("press Join us", ("press", "post")),
        ('type "a@b.example" into email', ("type",)),
        ("scroll", ()),
    ],
)
def test_what_has_to_be_allowed(page: ShownPage, what: str, needs: tuple[str, ...]) -> None:
    assert plan(page, what).needs == needs


def test_how_fields_are_filled_in(page: ShownPage) -> None:
    typed = plan(page, "email", text="a@b.example")
    assert typed.operate is not None
    assert isinstance(typed.operate.action, Fill)
    sent = plan(page, "the email field", text="a@b.example", submit=True)
    assert sent.operate is not None
    assert (type(sent.operate.action), sent.needs) == (TypeText, ("type", "post"))
    pressed = plan(page, "press Delivery details")
    assert pressed.operate is not None
    assert isinstance(pressed.operate.action, Click)
    secret = plan(page, "type into word", text=Secret("abc", "WORD"))
    assert secret.operate is not None
    assert "abc" not in str(secret)


@pytest.mark.parametrize(
    ("what", "text", "kind", "told"),
    [
        ("open More", "", NoSuchTarget, "2 targets"),
        ("open the submarine", "", NoSuchTarget, "nothing is called"),
        ("go back", "", NoSuchTarget, "no page to go back"),
        ("press email", "", UsageError, "takes a text"),
        ("word", "plain", UsageError, "Secret"),
        ("email", Secret("short", "S"), UsageError, "too short"),
        ("open Help", "words", UsageError, "takes no text"),
    ],
)
def test_what_cannot_be_done(
    page: ShownPage, what: str, text: str | Secret, kind: type[WalkerError], told: str
) -> None:
    with pytest.raises(kind, match=told):
        plan(page, what, text=text)


def test_a_target_is_found_again_or_is_gone(page: ShownPage) -> None:
    target = find_targets(page.observation, "Blue mug", SCOPE, 1)[0]
    assert plan_of(Wish(what=target), page, SCOPE, 4, "").address == f"{HOME}blue"
    empty = Snapshot(url=HOME, final_url=HOME, status=200, html="<p>Nothing")
    with pytest.raises(NoSuchTarget, match="not on this page"):
        plan_of(Wish(what=target), ShownPage(empty, observe(empty)), SCOPE, 5, "")


def test_a_secret_is_recorded_by_its_name() -> None:
    secret = Secret("correct horse", "WORD")
    assert plain_text(secret) == {"secret": "WORD", "hidden": True}
    again = text_again(plain_text(secret))
    assert isinstance(again, Secret)
    assert (again.mark, again.can_be_hidden) == (secret.mark, True)
    assert (repr(secret), text_again("plain")) == ("Secret(WORD)", "plain")
    for value, name in (("", "WORD"), ("x", "a b")):
        with pytest.raises(UsageError):
            Secret(value, name)
