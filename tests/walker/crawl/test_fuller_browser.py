"""A crawl may render its pages in a fuller browser, and says so where a check keeps pages closed to the light one."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.cli.walks.crawl import print_report
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import UsageError

CHECK = (
    "<title>Just a moment...</title><p>Checking your browser</p><script>"
    "if (navigator.plugins.length) { document.cookie = 'in=1'; setTimeout(() => location.reload(), 100); }</script>"
)
WORDS = f"<p>{'The harbour of the reef and its boats. ' * 8}</p>"
KINDS = [
    "chrome",
    pytest.param("headed", marks=pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb is installed")),
]


def answer(asked: Asked) -> Answer | str:
    if asked.path != "/open" and "in" not in asked.cookies:
        return Answer(CHECK, 403)
    return f"<title>{asked.path}</title><h1>{asked.path}</h1>{WORDS}<a href=/a>A</a>"


async def crawled(folder: Path, start: str, driver: str = "auto", **more: Any) -> tuple[CrawlReport, str]:
    """The report of a crawl, and how it is printed."""
    with serving(LoopbackSite(answer)) as site:
        script = CrawlScript(spec=spec_of_root(f"{site.home}{start}", driver=driver))
        report = await crawl(script, CrawlSettings(folder=folder, **more))
    printed = io.StringIO()
    print_report(report, Console(file=printed, width=400), script)
    return report, printed.getvalue()


@pytest.mark.parametrize("kind", KINDS)
async def test_pages_behind_a_check_are_crawled_in_a_fuller_browser(tmp_path: Path, kind: str) -> None:
    report, printed = await crawled(tmp_path / "job", "", browser=kind, windows="virtual")
    assert (report.pages, report.failures) == (2, {})
    assert "to try" not in printed


@pytest.mark.usefixtures("kept_chromium")
async def test_where_a_check_keeps_pages_closed_the_report_says_what_to_try(tmp_path: Path) -> None:
    _, printed = await crawled(tmp_path / "light", "open")
    assert "with --browser headed --again opens" in printed
    _, printed = await crawled(tmp_path / "http", "", driver="http")
    assert "with --driver auto --browser headed opens" in printed


async def test_selenium_opens_no_window(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="selenium opens no window"):
        await crawled(tmp_path, "", driver="selenium", browser="headed")
