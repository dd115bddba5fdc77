"""The laws of the stack, on examples and on any sequence of moves."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memory.url_stack import LEFT_KEPT, Frame, UntriedLink, UrlStack


def frame(key: str, *untried: str) -> Frame:
    return Frame(url=f"{key}?as-written", key=key, untried=links(*untried))


def links(*keys: str) -> tuple[UntriedLink, ...]:
    return tuple(UntriedLink(url=f"{key}?as-written", key=key, label=key) for key in keys)


def keys_of(stack: UrlStack) -> list[tuple[int, str]]:
    return [(depth, link.key) for depth, link in stack.untried()]


def test_an_empty_stack() -> None:
    stack = UrlStack()
    assert (stack.top, stack.depth, stack.path, stack.untried()) == (None, 0, (), ())
    for move in (stack.pop, lambda: stack.offer(()), lambda: stack.return_to(1)):
        with pytest.raises(ValueError, match="stack"):
            move()


def test_push_enters_and_pop_rolls_back() -> None:
    one = UrlStack().push(frame("a", "b", "c"))
    two = one.push(frame("b"))
    assert two.path == ("a?as-written", "b?as-written")
    assert keys_of(two) == [(1, "c")]
    back = two.pop()
    assert back.top == frame("a", "c")
    assert back.has_entered("b")
    assert keys_of(one) == [(1, "b"), (1, "c")], "the stack from before is untouched"


def test_a_page_on_the_stack_is_not_pushed_again() -> None:
    stack = UrlStack().push(frame("a")).push(frame("b"))
    with pytest.raises(ValueError, match="on the stack already: a"):
        stack.push(frame("a"))
    assert stack.pop().push(frame("b")).depth == 2


def test_offers_keep_their_order_without_entered_and_doubled_links() -> None:
    stack = UrlStack().push(frame("a")).enter("gone").offer(links("z", "gone", "m", "z", "a"))
    assert keys_of(stack) == [(1, "z"), (1, "m")]


def test_entering_a_page_takes_it_from_every_frame() -> None:
    stack = UrlStack().push(frame("a", "x", "y")).push(frame("b", "y", "z")).enter("y")
    assert keys_of(stack) == [(2, "z"), (1, "x")]
    assert stack.enter("y") is stack


def test_returning_drops_the_frames_above() -> None:
    stack = UrlStack().push(frame("a")).push(frame("b")).push(frame("c"))
    assert stack.return_to(1).path == ("a?as-written",)
    assert stack.return_to(3) is stack
    assert stack.return_to(1).has_entered("c")
    for depth in (0, 4, -1):
        with pytest.raises(ValueError, match="no frame at depth"):
            stack.return_to(depth)


def test_links_of_pages_that_were_left_are_kept_until_they_are_entered() -> None:
    stack = UrlStack().push(frame("a", "b")).push(frame("b", "c", "x")).push(frame("c", "y", "z"))
    back = stack.return_to(1)
    assert [(page.frame.key, page.below, [link.key for link in page.frame.untried]) for page in back.left] == [
        ("b", ("a",), ["x"]),
        ("c", ("a", "b"), ["y", "z"]),
    ]
    assert [[link.key for link in page.frame.untried] for page in back.enter("y").left] == [["x"], ["z"]]
    assert [page.frame.key for page in back.enter("x").left] == ["c"], "a page without untried links is forgotten"


def test_a_page_that_was_left_hangs_below_the_nearest_page_still_there() -> None:
    stack = UrlStack().push(frame("a", "b")).push(frame("b", "c", "x")).push(frame("c", "y"))
    left = stack.pop().left[0]
    assert (stack.pop().depth_below(left), stack.return_to(1).depth_below(left)) == (2, 1)
    assert stack.return_to(1).push(frame("d", "e")).depth_below(left) == 1


def test_of_many_pages_that_were_left_the_latest_are_kept() -> None:
    stack = UrlStack().push(frame("root"))
    for number in range(LEFT_KEPT + 3):
        stack = stack.push(frame(f"p{number}", f"link {number}")).pop()
    assert [page.frame.key for page in stack.left] == [f"p{number}" for number in range(3, LEFT_KEPT + 3)]


def test_the_number_of_a_page_is_kept_over_a_visit_elsewhere() -> None:
    stack = UrlStack().push(msgspec.structs.replace(frame("a"), page_number=2))
    top = stack.push(frame("b")).pop().top
    assert top is not None
    assert top.page_number == 2


def test_frames_that_a_move_does_not_touch_are_shared() -> None:
    stack = UrlStack().push(frame("a", "x")).push(frame("b", "y"))
    assert stack.push(frame("c")).frames[0] is stack.frames[0]


def test_entered_keys_given_in_any_order_are_found() -> None:
    stack = UrlStack(entered=("c", "a", "b", "a"))
    assert [key for key in "abcd" if stack.has_entered(key)] == ["a", "b", "c"]
    assert stack.entered == ("a", "b", "c")


KEYS = st.sampled_from([f"k{number}" for number in range(9)])


class AnyWalk(RuleBasedStateMachine):
    """Moves in any order, beside a plain model of what must be so."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = UrlStack()
        self.entered: set[str] = set()

    @rule(key=KEYS, offered=st.lists(KEYS, max_size=5))
    def push(self, key: str, offered: list[str]) -> None:
        if any(below.key == key for below in self.stack.frames):
            with pytest.raises(ValueError, match="already"):
                self.stack.push(frame(key))
            return
        pushed = self.stack.push(frame(key, *offered))
        self.entered.add(key)
        assert pushed.pop().frames == self.stack.enter(key).frames
        assert pushed.pop().entered == self.stack.enter(key).entered
        assert pushed.pop().path == self.stack.path
        self.stack = pushed

    @precondition(lambda self: self.stack.depth)
    @rule()
    def pop(self) -> None:
        self.stack = self.stack.pop()

    @precondition(lambda self: self.stack.depth)
    @rule(data=st.data())
    def return_to(self, data: st.DataObject) -> None:
        depth = data.draw(st.integers(1, self.stack.depth))
        returned = self.stack.return_to(depth)
        assert returned.frames == self.stack.frames[:depth]
        self.stack = returned

    @precondition(lambda self: self.stack.depth)
    @rule(offered=st.lists(KEYS, max_size=6))
    def offer(self, offered: list[str]) -> None:
        self.stack = self.stack.offer(links(*offered))
        expected = [key for key in dict.fromkeys(offered) if key not in self.entered]
        assert [key for depth, key in keys_of(self.stack) if depth == self.stack.depth] == expected

    @rule(key=KEYS)
    def enter(self, key: str) -> None:
        self.stack = self.stack.enter(key)
        self.entered.add(key)

    @invariant()
    def the_laws_hold(self) -> None:
        stack = self.stack
        assert set(stack.entered) == self.entered
        assert all(stack.has_entered(f"k{number}") == (f"k{number}" in self.entered) for number in range(9))
        on_stack = [below.key for below in stack.frames]
        assert len(on_stack) == len(set(on_stack))
        assert set(on_stack) <= self.entered
        assert all(not stack.has_entered(key) for _, key in keys_of(stack))
        assert all(page.frame.untried for page in stack.left)
        assert not any(stack.has_entered(link.key) for page in stack.left for link in page.frame.untried)
        assert all(1 <= stack.depth_below(page) <= stack.depth for page in stack.left if stack.depth)
        depths = [depth for depth, _ in keys_of(stack)]
        assert depths == sorted(depths, reverse=True)

    @invariant()
    def it_survives_json(self) -> None:
        line = msgspec.json.encode(self.stack)
        assert msgspec.json.decode(line, type=UrlStack) == self.stack


AnyWalk.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestAnyWalk = AnyWalk.TestCase
