"""A watch: what it compares, what it keeps, what a kill leaves, and whom it tells."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import itertools
import json
import os
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from tests.fixtures.loaded_program import run_code_loaded
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.errors import UsageError, WalkerError
from walker.watching.checking import CheckFound
from walker.watching.history import FILE_NAME, History, read_history
from walker.watching.schedule import Every, read_cron, read_every
from walker.watching.telling import Command, Message, Untold, Webhook, key_of_secret
from walker.watching.watch import Tellers, Watch, keep_watching, watch_once
from walker.watching.watched import Change, Check, FieldChange, Told, WatchFound, changes_between, changes_of_crawl

SECRET = "whsec_" + base64.b64encode(b"sixteen bytes of secret").decode()


class Answers:
    """Checks that find what a test says; an error is one that fails."""

    def __init__(self, *found: str | WatchFound | WalkerError) -> None:
        self.what = {"ask": "http://reef.example/", "question": "How long?"}
        self._found = list(found)
        self.made = 0

    async def check(self, before: Check | None, seen: int) -> CheckFound:
        self.made += 1
        found = self._found.pop(0)
        if isinstance(found, WalkerError):
            raise found
        found = WatchFound(answer=found) if isinstance(found, str) else found
        last = before.found if before is not None else None
        return CheckFound(found=found, change=Change() if last is None else changes_between(last, found))


def watch_of(
    folder: Path,
    answers: Answers,
    tellers: Tellers | None = None,
    warned: Callable[[str], None] = lambda _: None,
    clock: Callable[[], float] = time.time,
) -> Watch:
    return Watch(folder, answers, tellers or Tellers(), told=lambda _: None, warned=warned, clock=clock)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        (WatchFound(answer="12 EUR"), WatchFound(answer=" 12  eur"), Change()),
        (
            WatchFound(answer="12 EUR"),
            WatchFound(answer="14 EUR"),
            Change(answer=FieldChange(was="12 EUR", now="14 EUR")),
        ),
        (WatchFound(answer="12 EUR"), WatchFound(), Change(answer=FieldChange(was="12 EUR", now=""))),
        (WatchFound(answer="2 (a; b)", items=("a", "b")), WatchFound(answer="2 (b; a)", items=("b", "a")), Change()),
        (WatchFound(items=("a", "b")), WatchFound(items=("b", "c")), Change(new_items=("c",), gone_items=("a",))),
        (
            WatchFound(fields={"price": "12", "name": '"mug"'}),
            WatchFound(fields={"price": "14", "name": '"mug"', "size": "3"}),
            Change(fields={"price": FieldChange(was="12", now="14"), "size": FieldChange(was="", now="3")}),
        ),
    ],
)
def test_what_differs_is_told_and_what_does_not_is_none(before: WatchFound, now: WatchFound, change: Change) -> None:
    assert changes_between(before, now) == change
    assert change.is_none == (change.lines == ())


def test_a_crawl_tells_its_own_changes_and_counts_what_is_beyond_the_most() -> None:
    pages = [{"url": f"http://a.org/{number}", "change": "new", "title": "A"} for number in range(250)]
    change = changes_of_crawl(
        [*pages, {"url": "http://a.org/", "change": "unchanged"}], [{"name": "mug", "change": "gone"}]
    )
    assert (len(change.pages), change.left_out) == (200, 50)
    assert change.lines[-2:] == ("item gone: mug", "and 50 more")


async def test_failed_checks_are_no_change_and_the_next_is_compared_with_the_last_good_one(tmp_path: Path) -> None:
    answers = Answers("18 m", WalkerError("it is down", where="http://reef.example/"), "18 m", "21 m")
    states = [(await watch_once(watch_of(tmp_path / "w", answers))).state for _ in range(4)]
    assert states == ["first", "failed", "same", "changed"]
    entries = [entry for entry in read_history(tmp_path / "w") if isinstance(entry, Check)]
    assert [entry.number for entry in entries] == [1, 2, 3, 4]
    assert entries[1].error == "http://reef.example/: it is down"
    assert entries[3].change.lines == ("- 18 m", "+ 21 m")


async def test_half_a_line_is_cut_off_and_its_check_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    await watch_once(watch_of(folder, Answers("18 m")))
    whole = (folder / FILE_NAME).read_bytes()
    (folder / FILE_NAME).write_bytes(whole + b'{"type":"check","number":2,"at":1')
    assert len(read_history(folder)) == 2
    made = await watch_once(watch_of(folder, Answers("18 m")))
    assert (made.number, made.state) == (2, "same")
    (folder / FILE_NAME).write_bytes(whole + b"{}\n")
    with pytest.raises(UsageError, match="line 3: damaged"):
        read_history(folder)


def test_a_history_is_that_of_one_watch_and_of_one_process(tmp_path: Path) -> None:
    with contextlib.closing(History(tmp_path, {"ask": "a"})), pytest.raises(UsageError, match="another process"):
        History(tmp_path, {"ask": "a"})
    with pytest.raises(UsageError, match="something else is watched"):
        History(tmp_path, {"ask": "b"})
    with pytest.raises(UsageError, match="nothing was watched"):
        read_history(tmp_path / "none")


KILLED = """
import asyncio, sys
from pathlib import Path
from tests.walker.watching.test_watch import Answers, watch_of
from walker.watching.schedule import Every
from walker.watching.telling import Command
from walker.watching.watch import Tellers, keep_watching
answers = Answers(*(str(number) for number in range(10_000)))
tellers = Tellers(command=Command(f"{sys.executable} -S -c pass", {}))
asyncio.run(keep_watching(watch_of(Path(sys.argv[1]), answers, tellers), Every(seconds=0)))
"""


def test_a_watch_that_is_killed_again_and_again_has_each_check_once(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    for _ in range(3):
        with run_code_loaded(KILLED, str(folder)) as process:
            before = (folder / FILE_NAME).stat().st_size if (folder / FILE_NAME).exists() else 0
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                if (folder / FILE_NAME).exists() and (folder / FILE_NAME).stat().st_size > before + 1500:
                    break
                time.sleep(0.01)
            process.kill()
    with contextlib.closing(History(folder, Answers().what)) as history:
        numbers = [check.number for check in history.checks]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > 3
        told = [(entry.number, entry.by) for entry in read_history(folder) if isinstance(entry, Told)]
        changed = [check.number for check in history.checks if check.state == "changed"]
        assert len(told) == len(set(told))
        assert len(changed) - len(told) == len(history.untold) <= 1


async def test_the_webhook_is_signed_tried_again_and_told_once(tmp_path: Path) -> None:
    got: list[Asked] = []

    def receive(asked: Asked) -> Answer:
        got.append(asked)
        return Answer(status=503 if len(got) < 3 else 204)

    with serving(LoopbackSite(receive)) as site:
        tellers = Tellers(webhook=Webhook(site.home + "hook", SECRET, pauses=(0.0, 0.0)))
        for answer in ("18 m", "21 m", "21 m"):
            await watch_once(watch_of(tmp_path / "w", Answers(answer), tellers))
    assert len(got) == 3
    assert len({one.headers["webhook-id"] for one in got}) == 1
    last = got[-1]
    signed = f"{last.headers['webhook-id']}.{last.headers['webhook-timestamp']}.".encode() + last.body
    expected = base64.b64encode(hmac.new(b"sixteen bytes of secret", signed, hashlib.sha256).digest()).decode()
    assert last.headers["webhook-signature"] == f"v1,{expected}"
    assert abs(int(last.headers["webhook-timestamp"]) - time.time()) < 60
    body = json.loads(last.body)
    assert (body["lines"], body["check"]["number"], body["id"]) == (["- 18 m", "+ 21 m"], 2, last.headers["webhook-id"])
    told = [entry for entry in read_history(tmp_path / "w") if isinstance(entry, Told)]
    assert [(one.number, one.by, one.detail) for one in told] == [(2, "webhook", "204")]
    assert SECRET not in (tmp_path / "w" / FILE_NAME).read_text()


async def test_a_webhook_that_cannot_be_told_is_told_with_the_next_check(tmp_path: Path) -> None:
    warned: list[str] = []
    with serving(LoopbackSite(lambda _: moved("http://127.0.0.1:9/"))) as site:  # a redirect is not followed
        tellers = Tellers(webhook=Webhook(site.home, SECRET, pauses=()))
        for answer in ("18 m", "21 m"):
            await watch_once(watch_of(tmp_path / "w", Answers(answer), tellers, warned.append))
        place = site.home
    assert len(warned) == 1
    assert "it answered 302; it is tried again with the next check" in warned[0]
    got: list[dict[str, object]] = []

    def receive(asked: Asked) -> Answer:
        got.append(json.loads(asked.body))
        return Answer("ok", kind="text/plain")

    port = int(place.rsplit(":", 1)[1].strip("/"))
    with serving(LoopbackSite(receive, port=port)) as site:
        await watch_once(
            watch_of(tmp_path / "w", Answers("24 m"), Tellers(webhook=Webhook(site.home, SECRET, pauses=())))
        )
    assert [one["lines"] for one in got] == [["- 18 m", "+ 21 m"], ["- 21 m", "+ 24 m"]]


async def test_a_webhook_from_public_names_never_reaches_a_private_address_by_its_reply() -> None:
    with pytest.raises(UsageError, match="WALKER_WEBHOOK_SECRET is not set"):
        Webhook("https://hooks.example/?token=abc", "")
    with pytest.raises(UsageError, match="too short"):
        Webhook("https://hooks.example/", "short")
    assert key_of_secret("no base64 at all") == b"no base64 at all"
    with pytest.raises(Untold, match=r"^169\.254\.169\.254: a private, loopback or link-local address"):
        await Webhook("http://169.254.169.254/latest/", SECRET, pauses=()).tell(_message(), time.time)


async def test_a_command_gets_the_change_on_its_input_and_nothing_of_a_page_on_its_line(tmp_path: Path) -> None:
    script = tmp_path / "note.py"
    script.write_text(
        textwrap.dedent("""
            import json, os, sys
            given = json.load(sys.stdin)
            told = [sys.argv[1:], given["lines"], os.environ["WALKER_CHECK"], "WALKER_WEBHOOK_SECRET" in os.environ]
            open(sys.argv[1], "a").write(json.dumps(told) + "\\n")
            sys.exit(4)
        """)
    )
    out = tmp_path / "out.jsonl"
    environment = {**os.environ, "WALKER_WEBHOOK_SECRET": "do not tell"}
    command = Command(f"{sys.executable} {script} {out}", environment)
    for answer in ("18 m", "$(touch /tmp/never); 21 m", "$(touch /tmp/never); 21 m"):
        await watch_once(watch_of(tmp_path / "w", Answers(answer), Tellers(command=command)))
    (line,) = out.read_text().splitlines()
    assert json.loads(line) == [[str(out)], ["- 18 m", "+ $(touch /tmp/never); 21 m"], "2", False]
    (told,) = [entry for entry in read_history(tmp_path / "w") if isinstance(entry, Told)]
    assert (told.by, told.detail) == ("command", "exit code 4")
    assert await Command("sleep 60", {**os.environ}, seconds=0.1).tell(_message()) == "ended after 0.1 seconds"
    with pytest.raises(Untold, match="cannot be run"):
        await Command("no-such-program-here", {}).tell(_message())


async def test_a_schedule_makes_up_for_what_was_missed_once_and_waits_for_the_rest(tmp_path: Path) -> None:
    now = [1000.0]
    answers = Answers("a", "a", "a")

    def clock() -> float:
        now[0] += 25.0  # each look at the clock
        return now[0]

    checks = await keep_watching(watch_of(tmp_path / "w", answers, clock=clock), Every(seconds=50.0), most=3)
    assert [check.state for check in checks] == ["first", "same", "same"]
    starts = [check.at for check in checks]
    assert all(later - earlier >= 50.0 for earlier, later in itertools.pairwise(starts))


def test_intervals_and_cron_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [read_every(text).seconds for text in ("90s", "15m", "1h", "2d")] == [90, 900, 3600, 172800]
    for text in ("1", "h", "5s", "-1h"):
        with pytest.raises(UsageError):
            read_every(text)
    pytest.importorskip("croniter")
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        friday = time.mktime((2026, 3, 27, 12, 0, 0, 0, 0, -1))
        due = read_cron("0 7 * * 1-5").next_after(friday)
        # Over the weekend on which the clock goes forward.
        assert time.strftime("%a %Y-%m-%d %H:%M %Z", time.localtime(due)) == "Mon 2026-03-30 07:00 CEST"
        assert read_cron("0 7 * * 1-5").next_after(due) > due
    finally:
        monkeypatch.undo()
        time.tzset()
    for line in ("0 7 * *", "61 * * * *", "@reboot", "* * * * * *"):
        with pytest.raises(UsageError):
            read_cron(line)


def _message() -> Message:
    check = Check(number=2, at=1.0, seconds=1.0, state="changed", found=WatchFound(answer="b"))
    return msgspec.convert(
        {"id": "x-2", "watch": "w", "what": {}, "check": msgspec.to_builtins(check), "lines": []}, Message
    )
