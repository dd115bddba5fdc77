"""Sessions in a real browser on a real site: what they do, what they may not do, and their runs."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.walker.cli.program import closed_address
from tests.walker.session.shop import TOKEN, Shop, serve_shop
from traces.events import ActionRefused
from traces.reading.leaks import scan_run
from traces.reading.reader import read_run
from traces.session_events import ActionDone, SessionCalled, SessionLeft
from walker import Secret, Session, SessionSync
from walker.errors import (
    BudgetSpent,
    Divergence,
    NoSuchTarget,
    NotAllowed,
    PageNotOpened,
    UsageError,
)
from walker.flows.walk_script import script_of_walk
from walker.runs.fork import fork_run
from walker.runs.replay import replay_run, resume_run
from walker.runs.state_at_step import state_at
from walker.runs.verification import verify_run
from walker.session.targets import Permission
from walker.settings import Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")
PRICE = {
    "type": "object",
    "properties": {"price": {"type": "number"}, "size": {"type": "string"}},
    "required": ["price"],
}


def folders(runs: Path) -> list[Path]:
    return sorted(one for one in runs.iterdir() if one.is_dir())


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Shop, str]]:
    with serve_shop() as served:
        yield served


@pytest_asyncio.fixture(loop_scope="session")
async def session(site: tuple[Shop, str], tmp_path: Path) -> AsyncIterator[Session]:
    site[0].posted.clear()
    async with Session(site[1], runs=tmp_path) as opened:
        await opened.open()
        yield opened


async def test_a_session_goes_through_a_site_and_its_run_is_the_same_again(
    site: tuple[Shop, str], tmp_path: Path
) -> None:
    shop, home = site
    shop.posted.clear()

    async def program(session: Session) -> list[Any]:
        front = await session.open()
        pages = await session.observe("pagination")
        with pytest.raises(NoSuchTarget):
            await session.act("open the cellar door")
        done = await session.act("open the second result")
        product = await session.extract(PRICE)
        outcome = await session.ask("What is the price of the red mug?")
        with pytest.raises(NotAllowed):
            await session.act("press Like it")
        back = await session.act("go back")
        hits = await session.act('search for "blue mug"')
        return [front, pages, done, product, outcome, back, hits, session.page]

    async with Session(home, runs=tmp_path) as session:
        first = await program(session)
    pages, done, product, outcome, back, hits, last = first[1:]
    assert [one.name for one in pages] == ["1", "2"]
    assert (done.after, done.changed) == (f"{home}/mug/red", ("Price | 12.50 EUR", "Colour | red"))
    assert [one.kind for one in done.locators][:2] == ["name", "text"]
    assert (product.data, product.missing) == ({"price": 12.5}, ("size",))
    assert outcome.answer == "12.50 EUR"
    assert (back.kind, back.after) == ("returned", f"{home}/")
    assert (hits.kind, last.url) == ("searched", f"{home}/search?q=blue+mug")
    assert shop.posted == []

    verified = await verify_run(Path(session.run), deep=True)
    assert (verified.is_equal, verified.departure, verified.notes) == (True, None, ())
    report = await replay_run(Path(session.run))
    assert (report.ended_with, report.pages) == ("", 4)
    async with Session.replay(session.run) as again:
        assert await program(again) == first, "the same program without a browser"
    asked = next(one for one in folders(tmp_path) if "price-of-the-red" in one.name)
    assert (await verify_run(asked)).is_equal
    assert (outcome.trace, product.trace) == (str(asked), session.run)


async def test_another_program_departs_from_the_run(session: Session) -> None:
    await session.act("open the first result")
    run = session.run
    async with Session.replay(run) as again:
        await again.open()
        with pytest.raises(Divergence):
            await again.act("open the second result")


async def test_what_is_no_call_is_told_and_neither_recorded_nor_the_end_of_the_session(session: Session) -> None:
    calls: list[tuple[Any, Any]] = [
        (session.act, 42), (session.act, "  "), (session.observe, None), (session.open, 7), (session.ask, b"Who?"),
    ]  # fmt: skip
    for call, wrong in calls:
        with pytest.raises(UsageError, match=r"(is no text|nothing is said)\. [A-Z]"):
            await call(wrong)
    with pytest.raises(UsageError, match="text: 5 is no text"):
        await session.act("the delivery field", text=5, allow="type")  # type: ignore[arg-type]
    assert (await session.act("open the first result")).kind == "followed"
    called = [event.call for event in read_run(Path(session.run)).events if isinstance(event, SessionCalled)]
    assert called == ["open", "act"]


async def test_a_program_that_fails_leaves_a_run_that_replays_as_far(site: tuple[Shop, str], tmp_path: Path) -> None:
    async def fail() -> str:
        async with Session(site[1], runs=tmp_path) as session:
            await session.open()
            return str(1 / 0)

    with pytest.raises(ZeroDivisionError):
        await fail()
    (run,) = folders(tmp_path)
    verified = await verify_run(run)
    assert verified.is_equal
    assert "was not closed" in verified.notes[0]


async def test_a_call_that_is_cut_off_ends_what_is_recorded(site: tuple[Shop, str], tmp_path: Path) -> None:
    async with Session(site[1], runs=tmp_path) as session:
        await session.open()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(session.open("/slow"), 0.2)
        with pytest.raises(UsageError, match="cut off"):
            await session.open()
    verified = await verify_run(Path(session.run))
    assert verified.is_equal
    assert "interrupted" in verified.notes[0]


async def test_nothing_is_posted_unless_the_call_allows_it(site: tuple[Shop, str], session: Session) -> None:
    shop, home = site
    await session.open("/mug/red")
    asked: tuple[tuple[str, tuple[Permission, ...], tuple[Permission, ...]], ...] = (
        ("press Add to cart", (), ("press", "post")),
        ("press Add to cart", ("press",), ("post",)),
        ("press Like it", (), ("press",)),
    )
    for words, allow, needs in asked:
        with pytest.raises(NotAllowed) as refused:
            await session.act(words, allow=allow)
        assert refused.value.needs == needs
    liked = await session.act("press Like it", allow=("press",))
    assert (liked.changed, liked.refused) == (("That did not work",), (f"POST {home}/like",))
    with pytest.raises(NotAllowed, match="popup"):
        await session.act("press Everything", allow=("press",))
    await asyncio.sleep(0.3)
    assert shop.posted == []
    refused_notices = (await session.look()).url
    assert refused_notices == f"{home}/mug/red", "the page stays"
    liked = await session.act("press Like it", allow=("press", "post"))
    assert (liked.changed, liked.refused, shop.posted) == (("You like it",), (), ["/like"])
    done = await session.act("press Add to cart", allow=("press", "post"))
    assert (done.after, shop.posted) == (f"{home}/", ["/like", "/cart"])
    reasons = [one.reason for one in read_run(Path(session.run)).events if isinstance(one, ActionRefused)]
    assert len(reasons) == 4


async def test_what_a_press_has_put_off_is_held_too(site: tuple[Shop, str], session: Session) -> None:
    shop, _ = site
    for wait in (0.0, 0.5):
        await session.open("/mug/red")
        await session.act("press Remind me", allow="press")
        await asyncio.sleep(wait)
        await session.open("/")
        await asyncio.sleep(0.2)
    assert shop.posted == []
    await session.open("/mug/red")
    await session.act("press Remind me", allow=("press", "post"))
    await session.act("go back")
    await asyncio.sleep(0.2)
    assert "/left" not in shop.posted, "the page says it when it is left, which allows nothing"


async def test_all_ways_to_post_work_where_they_are_allowed(site: tuple[Shop, str], session: Session) -> None:
    """Else the test before would hold for a page that posts nothing."""
    shop, _ = site
    await session.open("/mug/red")
    done = await session.act("press Everything", allow=("press", "post"))
    await asyncio.sleep(0.3)
    assert {"/beacon", "/popup", "/frame", "/from-worker"} <= set(shop.posted)
    assert "undefined" in done.changed, "shared workers are none"


async def test_a_login_is_typed_and_its_secret_is_nowhere(
    site: tuple[Shop, str], session: Session, tmp_path: Path
) -> None:
    shop, home = site
    password = Secret("correct horse battery", "SHOP_PASSWORD")
    await session.open("/login")
    with pytest.raises(NotAllowed):
        await session.act("the name field", text="ana")
    with pytest.raises(UsageError, match="Secret"):
        await session.act("the password field", text="correct horse", allow=("type",))
    await session.act('type "ana" into the name field', allow=("type",))
    await session.act('choose "Paris" in city', allow=("type",))
    await session.act("type into the password field", text=password, allow=("type",))
    assert shop.posted == []
    done = await session.act("press Log in", allow=("press", "post"))
    assert done.after.startswith(f"{home}/welcome?")
    assert shop.bodies[-1] == {"name": "ana", "city": "Paris", "password": "correct horse battery"}
    assert "horse" not in str(session.page)
    assert TOKEN not in str(session.page), "nor is the login's token shown to anybody"
    await session.open("/members")
    assert "ana" in (await session.ask("What is the member called?")).answer, "its walks are logged in too"
    assert (repr(password), session.page.title) == ("Secret(SHOP_PASSWORD)", "Members")
    scanned = [scan_run(read_run(folder), ["correct horse battery", TOKEN]) for folder in folders(tmp_path)]
    assert len(scanned) == 2, "the session's and its walk's"
    assert [one.leaks for one in scanned] == [(), ()]
    assert (await verify_run(Path(session.run))).departure is None


async def test_other_sites_take_a_word(site: tuple[Shop, str], session: Session) -> None:
    _, home = site
    with pytest.raises(NotAllowed) as refused:
        await session.act("open our partner")
    assert refused.value.needs == ("leave",)
    with pytest.raises(NotAllowed):
        await session.act("open log out")
    with pytest.raises(NotAllowed) as refused:
        await session.open(closed_address())
    assert refused.value.needs == ("leave",)
    assert session.page.url == f"{home}/", "nothing was opened"
    with pytest.raises(PageNotOpened, match="also="):
        await session.open(closed_address(), allow="leave")
    with pytest.raises(UsageError, match="no page"):
        await session.observe("links")
    await session.open("/")
    assert session.page.url == f"{home}/"


async def test_a_budget_of_pages(site: tuple[Shop, str], tmp_path: Path) -> None:
    async with Session(site[1], runs=tmp_path, max_pages=2) as session:
        await session.open()
        await session.act("open next page")
        with pytest.raises(BudgetSpent):
            await session.act("open the first result")
        with pytest.raises(BudgetSpent):
            await session.ask("What is the price of the red mug?")
    assert (await verify_run(Path(session.run))).is_equal


async def test_a_budget_of_seconds_is_that_of_its_calls(site: tuple[Shop, str], tmp_path: Path) -> None:
    async with Session(site[1], runs=tmp_path, max_seconds=0.2) as session:
        await asyncio.sleep(0.25)
        await session.open("/slow")
        with pytest.raises(BudgetSpent, match="max_seconds"):
            await session.open()
    verified = await verify_run(Path(session.run))
    assert (verified.is_equal, verified.notes) == (True, ()), "the replay is faster, and spends the same"


async def test_the_page_of_the_driver_is_noted(session: Session) -> None:
    page = session.playwright_page
    await page.get_by_text("Delivery").click()
    assert await page.evaluate("fetch('/like', {method: 'POST'}).catch(() => 'held')") == "held"
    await page.evaluate("document.title = 'Changed'")
    assert (await session.look()).title == "Changed"
    events = read_run(Path(session.run)).events
    assert any(isinstance(one, SessionLeft) for one in events)
    assert [one.call for one in events if isinstance(one, SessionCalled)] == ["open", "leave", "look"]


async def test_what_is_for_walks_only_says_so(session: Session, tmp_path: Path) -> None:
    await session.open("/login")
    await session.act('type "ana" into the name field', allow="type")
    run = Path(session.run)
    with pytest.raises(UsageError, match="session decides nothing"):
        await state_at(run, 1)
    with pytest.raises(UsageError, match="run of a session"):
        await fork_run(run, after_step=1, settings=Settings(runs_folder=tmp_path))
    with pytest.raises(UsageError, match="run of a session"):
        await resume_run(run, settings=Settings(runs_folder=tmp_path))
    with pytest.raises(UsageError, match="no run of a walk"):
        script_of_walk(read_run(run))


def test_without_await(site: tuple[Shop, str], tmp_path: Path) -> None:
    with SessionSync(site[1], runs=tmp_path) as session:
        assert session.open().title == "Shop"
        assert session.act(session.observe("the blue mug")[0]).after.endswith("/mug/blue")
        assert session.extract(PRICE).data == {"price": 12.5}
    with SessionSync.replay(session.run) as again:
        assert again.open().title == "Shop"
    with pytest.raises(RuntimeError, match="not open"):
        session.open()
    done = [one for one in read_run(Path(session.run)).events if isinstance(one, ActionDone)]
    assert [one.kind for one in done] == ["followed"]


async def test_a_model_helps_to_extract_and_is_not_asked_again(site: tuple[Shop, str], tmp_path: Path) -> None:
    def reply(asked: Asked) -> Reply:
        numbers = re.findall(r"\[(\d+)\] Colour", asked.prompt)
        field = {"field": "tint", "place": int(numbers[-1]), "quote": "red"}
        return Reply(text=json.dumps({"fields": [field], "records": [], "open": []}))

    wanted = {"type": "object", "properties": {"tint": {"type": "string"}}, "required": ["tint"]}
    async with Endpoint(reply) as endpoint:
        async with Session(
            site[1], runs=tmp_path, model="test-model", base_url=endpoint.base_url, key="k-12345678"
        ) as session:
            await session.open("/mug/red")
            outcome = await session.extract(wanted)
        assert (outcome.data, outcome.fields["tint"].source) == ({"tint": "red"}, "model")
        asked = len(endpoint.asked)
        assert asked == 1
        async with Session.replay(session.run) as again:
            await again.open("/mug/red")
            assert (await again.extract(wanted)).data == {"tint": "red"}
        verified = await verify_run(Path(session.run), deep=True)
        assert (verified.is_equal, len(endpoint.asked)) == (True, asked)
