"""A crawl behind a login, whatever its driver; and one that goes on with the login of another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.errors import LoginFailed
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import UsageError
from walker.seams.web.storage_state import read_state

FORM = (
    "<title>Who?</title><form method=post action=/enter><input id=name name=name>"
    "<input id=word name=word type=password><button>go</button></form>"
)
SECRET = "open sesame"
MEMBERS = 6
LOGIN = {
    "steps": (
        {"type": "#name", "text": "ali"},
        {"type": "#word", "text": "${WORD}"},
        {"submit": "#word"},
    ),
    "check": "#inside",
}


def answer(asked: Asked) -> Answer | str | None:
    number = asked.target.removeprefix("/member/")
    if asked.method == "POST":
        if asked.body.decode() == "name=ali&word=" + SECRET.replace(" ", "+"):
            return Answer(
                status=303, headers=(("Location", "/member/0"), ("Set-Cookie", "key=turned; Path=/; HttpOnly"))
            )
        return FORM
    if asked.target == "/login":
        return FORM
    if "key=turned" not in asked.headers.get("Cookie", ""):
        return moved("/login")
    if asked.target == "/":
        return "<title>In</title>" + "".join(f"<a href=/member/{n}>{n}</a>" for n in range(MEMBERS))
    if number.isdecimal() and int(number) < MEMBERS:
        return f"<title>Member {number}</title><p id=inside>{f'member number {number} ' * 20}</p>"
    return None


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home


def all_text_in(folder: Path) -> str:
    return "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())


async def crawled(home: str, folder: Path, *, word: str = SECRET, **parts: Any) -> CrawlReport:
    spec = spec_of_root(home, concurrency=2, polite={"robots": False}, **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, environment={"WORD": word}))


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_what_is_behind_a_login_is_crawled(home: str, tmp_path: Path, driver: str) -> None:
    kept = tmp_path / "me.json"
    report = await crawled(
        home, tmp_path / "first", driver=driver, login={"url": home + "login", **LOGIN}, state_out=kept
    )
    assert (report.stop_reason, report.pages) == ("complete", MEMBERS + 1)
    assert ("key", "turned") in {(cookie.name, cookie.value) for cookie in read_state(kept).cookies}
    assert SECRET not in all_text_in(tmp_path), "what was typed is nowhere"
    again = await crawled(home, tmp_path / "again", driver="http", state_in=kept)
    assert again.pages == MEMBERS + 1


async def test_who_is_not_let_in_reads_why_and_fetches_nothing(home: str, tmp_path: Path) -> None:
    login = {"url": home + "login", **LOGIN}
    login["steps"] = (*LOGIN["steps"][:2], {"submit": "#word", "seconds": 1})
    with pytest.raises(LoginFailed, match=r"the element that indicates success failed: .*#inside") as raised:
        await crawled(home, tmp_path, word="wrong", login=login)
    assert "\n" not in str(raised.value)
    assert "wrong" not in str(raised.value)
    with pytest.raises(LoginFailed, match=r"status 404|cannot be loaded"):
        await crawled(home, tmp_path / "second", login={"url": "http://127.0.0.1:9/", **LOGIN})
    with pytest.raises(UsageError, match="cannot be read"):
        await crawled(home, tmp_path / "third", state_in=tmp_path / "none.json")
