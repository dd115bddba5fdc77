"""One browser for several walks."""

from __future__ import annotations

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import BrowserChoice, find_browser
from walker.browser.launch.kept_chromium import get_chromium, keep_chromium


async def test_walks_share_the_one_that_is_kept_and_leave_it_open(chromium: Chromium) -> None:
    with keep_chromium(find_browser(), chromium):
        browsers = []
        for _ in range(2):
            async with get_chromium(find_browser()) as lent:
                context = await lent.new_context(ContextOptions())
                browsers.append(context.browser)
                assert lent.alive
                await context.close()
        assert chromium.alive
    assert browsers[0] is browsers[1] is not None


def test_who_wants_another_gets_one_of_his_own(chromium: Chromium) -> None:
    choice = find_browser()
    other = BrowserChoice(path=choice.path, source="named")
    with keep_chromium(choice, chromium):
        own = [get_chromium(other), get_chromium(choice, headed=True)]
    own.append(get_chromium(choice))
    assert not any(one.alive for one in own)
    assert {type(one) for one in own} == {Chromium}
