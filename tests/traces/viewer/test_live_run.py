"""Runs that are not whole: still being written, cut off by kill -9, damaged; and one of thousands of steps."""

# ruff: noqa: E501 (markup, and what it should become, read better whole)
from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.traces.viewer.browsing import viewing
from tests.traces.viewer.walks import made_run, write_start, write_step
from traces.events import WalkEnded
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from traces.viewer.opened_run import OpenedRun

pytestmark = pytest.mark.asyncio(loop_scope="session")


def recorder_of(folder: Path) -> Recorder:
    manifest = RunManifest(run_id="live", created=1.0, question="How many harbours?", root_url="http://made.example/")
    return Recorder.create(folder, manifest, clock=lambda: 1.0)


async def test_a_walk_is_followed_while_it_goes_on(browser: Browser, tmp_path: Path) -> None:
    recorder = recorder_of(tmp_path / "live")
    write_start(recorder)
    async with viewing(browser, tmp_path / "live") as seen:
        page = seen.page
        await expect(page.locator(".stats .pill")).to_have_text("live")
        await expect(page.locator("main")).to_contain_text("The first page is being opened")
        write_step(recorder, 1)
        await expect(page.locator("h2")).to_have_text("Harbour 1")
        write_step(recorder, 2)
        await expect(page.locator("h2")).to_have_text("Harbour 2")
        await expect(page.locator("[role=option]")).to_have_count(2)
        await page.keyboard.press("k")  # whoever looks at a step is left with it
        write_step(recorder, 3)
        await expect(page.locator("[role=option]")).to_have_count(3)
        await expect(page.locator("h2")).to_have_text("Harbour 1")
        await page.get_by_role("checkbox", name="follow").check()
        await expect(page.locator("h2")).to_have_text("Harbour 3")
        recorder.emit(
            WalkEnded(step=3, stop_reason="answered", answer="three", confidence=0.9, items=(), citations=(), count={}, pages=3, steps=3)
        )  # fmt: skip
        recorder.seal("answered", {})
        recorder.close()
        await expect(page.locator(".stats .pill")).to_have_text("answered")
        await expect(page.locator(".asked .answer")).to_have_text("three")


async def test_what_a_walk_was_not_sure_of_is_not_shown_as_its_answer(browser: Browser, tmp_path: Path) -> None:
    recorder = recorder_of(tmp_path / "doubted")
    write_start(recorder)
    write_step(recorder, 1)
    recorder.emit(
        WalkEnded(step=1, stop_reason="budget", answer="three", confidence=0.3, items=(), citations=(), count={}, pages=1, steps=1)
    )  # fmt: skip
    recorder.seal("budget", {})
    recorder.close()
    async with viewing(browser, tmp_path / "doubted") as seen:
        await expect(seen.page.locator(".asked .answer.dim")).to_have_text("Not sure. Nearest: three")
    made_run(tmp_path / "other", 2)
    async with viewing(browser, tmp_path) as seen:
        await expect(seen.page.locator(".runs .answer", has_text="Not sure. Nearest: three")).to_have_count(1)


async def test_the_list_shows_a_run_that_began_after_it(browser: Browser, tmp_path: Path) -> None:
    made_run(tmp_path / "first", 2)
    async with viewing(browser, tmp_path) as seen:
        await expect(seen.page.locator("tbody tr")).to_have_count(1)
        recorder = recorder_of(tmp_path / "second")
        write_start(recorder)
        await expect(seen.page.locator("tbody tr")).to_have_count(2)
        await expect(seen.page.locator("tbody .pill.live")).to_have_text("live")
        recorder.close()


async def test_a_walk_that_was_killed_is_shown_as_far_as_it_came(browser: Browser, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.traces.viewer.test_live_run import recorder_of, write_start, write_step\n"
        "recorder = recorder_of(Path(sys.argv[1])); write_start(recorder); [write_step(recorder, step) for step in (1, 2, 3)]\n"
        "print('written', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(  # noqa: ASYNC220 - a few bytes are read from it
        [sys.executable, "-c", script, str(tmp_path / "killed")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"written\n"
    assert OpenedRun(tmp_path / "killed").overview()["summary"].state == "live"
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    with (tmp_path / "killed" / "events.jsonl").open("ab") as log:
        log.write(b'{"seq":37,"t":')
    async with viewing(browser, tmp_path / "killed") as seen:
        page = seen.page
        await expect(page.locator(".stats .pill")).to_have_text("cut off")
        await expect(page.get_by_role("alert")).to_contain_text("the walk was interrupted")
        await expect(page.locator("[role=option]")).to_have_count(3)
        await page.get_by_role("alert").get_by_role("link", name="show all").click()
        problems = page.locator(".problems li")
        await expect(problems).to_have_count(2)
        await expect(problems.first).to_have_class("error")
        await expect(problems.last).to_contain_text("the last line is truncated after 14 bytes")


async def test_a_damaged_record_is_shown_errors_first(browser: Browser, tmp_path: Path) -> None:
    made_run(tmp_path / "hurt", 4)
    log = tmp_path / "hurt" / "events.jsonl"
    lines = log.read_bytes().splitlines()
    lines[17] = b"\x00garbage"
    log.write_bytes(b"\n".join(lines) + b"\n")
    step = OpenedRun(tmp_path / "hurt").step(3)
    html, reading = (step["events"][place]["d"]["outcome"] for place in (0, 2))
    for ref in (html["html"], reading):
        digest = ref["$b"].removeprefix("sha256:")
        (tmp_path / "hurt" / "blobs" / digest[:2] / digest).unlink()
    async with viewing(browser, tmp_path / "hurt") as seen:
        page = seen.page
        await expect(page.get_by_role("alert")).to_contain_text("2 errors")
        await page.get_by_role("alert").get_by_role("link", name="go to step").click()
        await expect(page.get_by_role("region", name="Damage")).to_contain_text("Line 18")
        await page.keyboard.press("j")
        await expect(page.get_by_role("region", name="Damage")).to_contain_text("missing")
        await page.get_by_role("tab", name="Page").click()
        await expect(page.locator("#view")).to_contain_text("This cannot be shown: the recorded value is missing")
        await page.get_by_role("tab", name="Text").click()
        await expect(page.locator("#view")).to_contain_text("missing")


async def test_five_thousand_steps_are_a_list_like_any_other(browser: Browser, tmp_path: Path) -> None:
    made_run(tmp_path / "long", 5000)
    async with viewing(browser, tmp_path / "long", "#step=4321") as seen:
        page = seen.page
        await expect(page.locator("h2")).to_have_text("Harbour 4321")
        await expect(page.locator("#step-4321")).to_be_in_viewport()
        assert await page.locator("[role=option]").count() < 50
        await page.keyboard.press("End")
        await expect(page.locator("h2")).to_have_text("Harbour 5000")
        await page.get_by_role("searchbox", name="Search steps").fill("harbour 777")
        await expect(page.locator("[role=option]")).to_have_count(5)  # 777, 1777 ...
        assert await page.evaluate("document.querySelectorAll('*').length") < 3000


async def test_a_run_without_a_step_and_a_folder_without_a_run(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    async with viewing(browser, tmp_path / "empty") as seen:
        await expect(seen.page.locator("main")).to_contain_text("There are no runs here yet")
    recorder_of(tmp_path / "bare").close()
    async with viewing(browser, tmp_path / "bare") as seen:
        await expect(seen.page.locator("main")).to_contain_text("The record holds no step")
        await seen.page.keyboard.press("j")
        for view in ("map", "time", "counter", "calls", "problems", "record"):
            await seen.page.goto(seen.page.url.partition("#")[0] + f"#view={view}")
            await expect(seen.page.locator("main > *").first).to_be_attached()
