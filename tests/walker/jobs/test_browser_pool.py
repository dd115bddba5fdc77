"""A browser that has shown its pages is replaced, and closed by the last work in it."""

from __future__ import annotations

from walker.assembly import WalkResources
from walker.browser.launch.chromium import ContextOptions
from walker.jobs.browser_pool import BrowserPool
from walker.jobs.kept_jobs import JobProgress
from walker.settings import Settings


async def test_a_worn_browser_is_replaced_and_closed_when_nobody_uses_it() -> None:
    async with WalkResources(Settings()) as first:
        pool = BrowserPool(first, most_pages=2)
        progress = JobProgress()
        async with pool.lent(progress) as long, pool.lent(short := JobProgress()) as same:
            assert long is same is first
            await (await long.chromium.new_context(ContextOptions())).close()
            for number in range(2):
                short.page(f"http://one.example/{number}")
        async with pool.lent(progress) as second:
            assert second is not first
            assert second.chromium is not first.chromium
            assert second.ranker is first.ranker
            assert not first.chromium.alive, "its last work had ended"
        assert pool.recycled == 1
        await pool.close()


async def test_a_browser_in_use_is_not_closed() -> None:
    async with WalkResources(Settings()) as first:
        used = [1 << 40]
        pool = BrowserPool(first, most_bytes=1 << 30, memory=lambda: used[0])
        async with pool.lent(JobProgress()) as long:
            await (await long.chromium.new_context(ContextOptions())).close()
            async with pool.lent(progress := JobProgress()) as same:
                assert same is first, "it has shown nothing yet"
                progress.page("http://one.example/")
            async with pool.lent(JobProgress()) as second:
                assert second is not first
                assert first.chromium.alive
            used[0] = 0
        assert not first.chromium.alive
        await pool.close()
