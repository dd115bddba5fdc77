"""A run of code as the viewer shows it: the code, what went in, what came out."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.traces.viewer.browsing import viewing
from tests.walker.walk.test_code_walk import SUM, record

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_code_stands_with_its_inputs_and_its_output(browser: Browser, tmp_path: Path) -> None:
    folder = await record(tmp_path)
    async with viewing(browser, folder, "#step=1") as seen:
        card = seen.page.get_by_label("Code", exact=True)
        await expect(card.locator("pre").first).to_have_text("f1_value (")
        await expect(card).to_contain_text("line 1, column 6: SyntaxError: unexpected EOF")
        await expect(card.locator("pre").nth(1)).to_have_text(SUM)
        await expect(card.locator("li")).to_have_text(["f1: 12 EUR", "f1: 12 EUR", "f2: 22.5 EUR"])
        await expect(card).to_contain_text("gave 34.5")
        marks = await card.locator("ul").first.evaluate("list => getComputedStyle(list).paddingLeft")
        assert marks == "18px", "the marks of the list stand within the card"
        moves = seen.page.get_by_label("Next move", exact=True)
        await expect(moves).to_contain_text("inputs f1, f2")
        await expect(moves).not_to_contain_text("[object")
