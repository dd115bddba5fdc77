"""The same page over its other two sources: one file that holds everything, and a folder on any file server."""

# ruff: noqa: E501 (markup, and what it should become, read better whole)
from __future__ import annotations

import json
import re
import shutil
from mimetypes import guess_type
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.traces.viewer.browsing import watched
from tests.traces.viewer.walks import made_run
from traces.viewer.export import members, write_page, write_site
from traces.viewer.library import Library

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def runs(museum: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(museum, folder / "museum")
    made_run(folder / "made", 30)
    return folder


class PlainFiles(LoopbackSite):
    """A file server that knows no ranges, as Python's own."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def answer(self, asked: Asked) -> Answer | None:
        file = self._folder / (asked.path.strip("/") or "index.html")
        return Answer(file.read_bytes(), kind=guess_type(file.name)[0] or "") if file.is_file() else None


class RangedFiles(PlainFiles):
    """One that gives parts of files."""

    def answer(self, asked: Asked) -> Answer | None:
        whole = super().answer(asked)
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", asked.headers.get("Range", ""))
        if whole is None or wanted is None:
            return whole
        return Answer(whole.body[int(wanted[1]) : int(wanted[2]) + 1], 206)


async def test_one_file_shows_a_run_with_nothing_beside_it(browser: Browser, runs: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    write_page(Library(runs / "museum"), file)
    assert file.stat().st_mode & 0o077 == 0
    assert str(runs.parent) not in file.read_text(encoding="utf-8")
    async with watched(browser, f"{file.as_uri()}#step=3", offline=True) as seen:
        page = seen.page
        await expect(page.locator("h2")).to_have_text("The curve of visitors")
        await expect(page.locator(".stage img.shown")).to_be_visible()
        await expect(page.locator(".layer.answer rect")).to_be_visible()
        await page.get_by_role("tab", name="Page").click()
        await expect(page.frame_locator("iframe.recorded").locator("h1")).to_have_text("The curve of visitors")
        for name, words in (
            ("Site map", "Maritime museum"),
            ("Model calls", "critic_judge"),
            ("Time", "Ships of the museum"),
            ("Record", "qwen3-vl-8b"),
        ):
            await page.get_by_role("navigation").get_by_role("link", name=name).click()
            await expect(page.locator("main")).to_contain_text(words)
        await page.keyboard.press("g")
        assert seen.errors == []
        assert seen.asked == [f"{file.as_uri()}", *[url for url in seen.asked if url.startswith("blob:")]]


async def test_its_policy_allows_its_own_script_alone(browser: Browser, runs: Path, tmp_path: Path) -> None:
    write_page(Library(runs / "made"), tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[:1]
    assert re.search(r"script-src 'sha256-[\w+/=]{44}';", policy)
    assert "connect-src 'none'" in policy
    async with watched(browser, (tmp_path / "report.html").as_uri()) as seen:
        await expect(seen.page.locator("h2")).to_contain_text("Harbour")
        ran = await seen.page.evaluate(
            "() => { const tag = document.createElement('script'); tag.textContent = 'window.ran = 1'; document.body.append(tag); return window.ran; }"
        )
        assert ran is None


@pytest.mark.parametrize("files", [RangedFiles, PlainFiles])
async def test_a_folder_is_read_from_any_file_server(
    browser: Browser, runs: Path, tmp_path: Path, files: type[PlainFiles]
) -> None:
    write_site(Library(runs), tmp_path / "site")
    with serving(files(tmp_path / "site")) as site:
        async with watched(browser, site.home) as seen:
            page = seen.page
            await expect(page.locator("tbody tr")).to_have_count(2)
            await page.get_by_role("link", name="In which month").click()
            await expect(page.locator("h2")).to_contain_text("The curve of visitors")
            await expect(page.locator(".stage img.shown")).to_be_visible()
            await page.keyboard.press("k")
            await expect(page.locator("h2")).to_contain_text("Ships of the museum")
            packs = [url for url in seen.asked if url.endswith(".pack")]
            assert (len(packs) > 3) == (files is RangedFiles)
            assert seen.errors == []
            assert seen.outside(site.home) == []


async def test_all_sources_answer_the_same_names(runs: Path, tmp_path: Path) -> None:
    library = Library(runs)
    write_site(library, tmp_path / "site")
    index = json.loads((tmp_path / "site" / "index.json").read_bytes())
    names = [name for name, _, _ in members(library)]
    assert list(index) == names
    assert len(names) == len(set(names))
    for name in names:
        library.answer(name)
    for needed in (
        "runs",
        "made/overview",
        "made/steps/0",
        "made/steps/30",
        "museum/map",
        "museum/calls",
        "museum/counting",
    ):
        assert needed in index


async def test_what_is_damaged_is_left_out_and_told(browser: Browser, runs: Path, tmp_path: Path) -> None:
    made_run(tmp_path / "hurt", 3)
    for blob in (tmp_path / "hurt" / "blobs").glob("*/*"):
        blob.write_bytes(b"gone bad")
    write_page(Library(tmp_path / "hurt"), tmp_path / "report.html")
    async with watched(browser, f"{(tmp_path / 'report.html').as_uri()}#step=2") as seen:
        await expect(seen.page.locator("h2")).to_have_text("Harbour 2")
        await expect(seen.page.locator("#view")).to_contain_text("This cannot be shown")
        assert seen.errors == []
