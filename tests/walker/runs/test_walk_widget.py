"""A walk in a notebook: a frame with all of the page in it, which works, and reaches nothing around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

import walker
from tests.traces.viewer.walks import made_run
from walker.errors import UsageError
from walker.runs import walk_widget

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_steps_of_a_walk_can_be_gone_through_in_a_notebook(browser: Browser, tmp_path: Path) -> None:
    made_run(tmp_path / "run", 3)
    shown = walker.WalkWidget(str(tmp_path / "run"))._repr_html_()
    page = await browser.new_page()
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    await page.set_content(f"<h1>Notebook</h1>{shown}")
    frame = page.frame_locator("iframe")
    await expect(frame.locator("[role=option]")).to_have_count(3)
    await frame.locator("[role=option]").nth(1).click()
    await expect(frame.locator("h2")).to_have_text("Harbour 2")
    await frame.get_by_role("link", name="Time").click()
    await expect(frame.locator("main.across.time")).to_be_attached()
    await page.keyboard.press("?")
    assert await page.locator("h1").inner_text() == "Notebook"
    assert errors == []
    assert [url for url in asked if not url.startswith(("data:", "blob:", "about:"))] == []
    await page.close()


async def test_two_walks_stand_beside_each_other(browser: Browser, tmp_path: Path) -> None:
    made_run(tmp_path / "one", 2)
    made_run(tmp_path / "other", 3)
    page = await browser.new_page()
    await page.set_content(walker.WalkWidget(tmp_path / "one", tmp_path / "other")._repr_html_())
    await expect(page.frame_locator("iframe").locator("#app")).to_contain_text("other")
    await page.close()


async def test_what_is_no_run_and_what_is_too_large_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="Name a run"):
        walker.WalkWidget(tmp_path / "nowhere")
    made_run(tmp_path / "run", 1)
    monkeypatch.setattr(walk_widget, "MOST_BYTES", 1000)
    widget = walker.WalkWidget(tmp_path / "run")
    assert "walker view" in widget._repr_html_()
    assert "<iframe" not in widget._repr_html_()
    assert repr(widget) == f"WalkWidget('{tmp_path / 'run'}')"
