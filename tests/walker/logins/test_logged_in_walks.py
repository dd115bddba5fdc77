"""Walks, looks and crawls behind a login: made by a script, used by name, and never in what is recorded."""

from __future__ import annotations

import gzip
import json
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

from tests.sites.members import NAME, PLAN, WORD, MembersSite
from tests.sites.serving import serving
from tests.walker.cli.program import Ended, walker_here
from walker.logins.totp import one_time_password

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
QUESTION = "When does the lighthouse open?"
SCRIPT = """
steps:
  - {type: "#name", text: "${CLUB_NAME}"}
  - {type: "#word", text: "${CLUB_WORD}"}
  - {type: "#code", text: "${CLUB_TOTP_CODE}"}
  - {submit: "#word"}
"""


@pytest.fixture(scope="module")
def site() -> Iterator[MembersSite]:
    with serving(MembersSite(code=lambda: one_time_password(SECRET, time.time()))) as server:
        yield server


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


def run(*arguments: str, home: Path, **more: str) -> Ended:
    return walker_here(*arguments, folder=home, XDG_DATA_HOME=str(home / "data"), **more)


def log_in(site: MembersSite, home: Path, word: str = WORD) -> Ended:
    (home / "login.yaml").write_text(SCRIPT)
    made = ("login", f"{site.home}login", "--save", "club", "--script", "login.yaml", "--totp", "CLUB_TOTP")
    secrets = {"CLUB_NAME": NAME, "CLUB_WORD": word, "CLUB_TOTP": SECRET}
    return run(*made, "--check", "Log out", home=home, **secrets)


@pytest.fixture(scope="module")
def logged_in(site: MembersSite, home: Path) -> str:
    done = log_in(site, home)
    assert (done.code, done.err) == (0, "")
    assert "1 cookie of 127.0.0.1" in done.out
    assert f"walker ask {site.home} QUESTION --profile club" in done.out, "not from the form, which is left behind"
    return site.issued[-1]


def test_a_walk_with_a_login_reads_what_is_behind_it_and_records_no_session(
    site: MembersSite, home: Path, logged_in: str
) -> None:
    asked = ("ask", site.home, QUESTION, "--profile", "club", "--max-pages", "5", "--record", "network", "-q")
    done = run(*asked, home=home)
    assert done.code == 0, done
    assert "9:45" in done.out
    assert logged_in in site.sessions, "nothing has logged out"
    (folder,) = (home / "runs").glob("2*")
    for kind, name in (("har", "walk.har"), ("warc", "walk.warc.gz")):
        exported = run("export", str(folder), "--to", kind, "-o", name, home=home)
        assert exported.code == 0, exported
    assert session_in(home, logged_in) == ()


def session_in(home: Path, session: str) -> tuple[str, ...]:
    """Files, beside the saved login itself, that hold the session, compressed or not."""
    found = []
    for path in sorted(home.rglob("*")):
        if not path.is_file() or path.suffix == ".login" or "data" in path.parts:
            continue
        data = path.read_bytes()
        texts = [data]
        if data[:2] == b"\x1f\x8b":
            texts.append(gzip.decompress(data))
        if data[:4] == b"\x28\xb5\x2f\xfd":
            try:
                texts.append(zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 24))
            except zstandard.ZstdError:  # compressed with another blob as its dictionary
                texts.append(b"")
        if zipfile.is_zipfile(path):
            texts.extend(zipfile.ZipFile(path).read(name) for name in zipfile.ZipFile(path).namelist())
        if any(session.encode() in text for text in texts):
            found.append(str(path))
    return tuple(found)


def test_a_replay_needs_no_login(home: Path, logged_in: str) -> None:
    assert logged_in
    (folder,) = (home / "runs").glob("2*")
    done = run("replay", str(folder), home=home)
    assert done.code == 0, done


def test_a_look_and_a_crawl_have_the_login_too(site: MembersSite, home: Path, logged_in: str) -> None:
    seen = run("look", f"{site.home}members/hours", "--profile", "club", "--window", home=home)
    assert "Opening hours" in seen.out, seen
    crawled = run(
        *("crawl", f"{site.home}members/home", "--profile", "club", "--keep", "text", "--driver", "http", "-q"),
        *("--exclude", "/logout", "--delay", "0", "--warc", "crawl.warc.gz"),
        home=home,
    )
    assert crawled.code == 0, crawled
    (pages,) = (home / "crawls").rglob("pages.jsonl")
    assert any(PLAN in line for line in pages.read_text().splitlines())
    (record,) = (home / "crawls").rglob("trace")
    assert session_in(record, logged_in) == ()
    # What a page itself says of the session is its content, which a person asked for; what was sent with requests is not.
    with gzip.open(home / "crawl.warc.gz") as file:
        heads = [line.lower() for line in file.read().splitlines()]
    assert not any(line.startswith((b"cookie:", b"set-cookie:")) for line in heads)


def test_logins_are_listed_without_what_they_hold(home: Path, logged_in: str) -> None:
    listed = run("logins", "list", "--json", home=home)
    (one,) = json.loads(listed.out)
    assert (one["name"], one["hosts"]) == ("club", ["127.0.0.1"])
    assert logged_in not in listed.out
    assert run("logins", "check", "club", home=home).out == "club is logged in\n"


def test_what_is_wrong_is_told_in_one_line(site: MembersSite, home: Path, logged_in: str) -> None:
    assert logged_in
    wrong = log_in(site, home, word="a wrong word")
    assert wrong.code == 1
    assert "does not show 'Log out'" in wrong.line
    by_hand = run("login", site.home, "--save", "other", home=home, DISPLAY="", WAYLAND_DISPLAY="")
    assert by_hand.code == 2
    assert "--script FILE" in by_hand.line
    missing = run("ask", site.home, QUESTION, "--profile", "nobody", "-q", home=home)
    assert (missing.code, "There are: club" in missing.line) == (2, True)


def test_an_expired_login_and_a_missing_one_are_told(site: MembersSite, home: Path, logged_in: str) -> None:
    assert logged_in
    site.expire()
    asked = ("ask", site.home, QUESTION, "--max-pages", "6", "-q", "--no-record", "--json")
    expired = run(*asked, "--profile", "club", home=home)
    assert expired.code == 3
    told = json.loads(expired.out)
    assert told["stop_reason"] == "needs login"
    assert "club has expired" in told["advice"]
    assert f"walker login {site.home} --save club" in told["advice"]
    without = json.loads(run(*asked, home=home).out)
    assert (without["stop_reason"], "--profile NAME" in without["advice"]) == ("needs login", True)
    checked = run("logins", "check", "club", home=home)
    assert (checked.code, "has expired" in checked.out) == (3, True)


@pytest.mark.parametrize(
    ("days", "code", "told"),
    [((-2, -1), 1, "all 2 cookies of this host expired by 20"), ((-2, 1), 0, "1 expired (by 20"), ((1, 1), 0, "")],
)
def test_a_state_that_has_expired_is_not_saved_as_a_login(
    tmp_path: Path, days: tuple[int, ...], code: int, told: str
) -> None:
    host = {"domain": "wiki.example.org", "path": "/", "value": "x"}
    cookies = [host | {"name": f"c{place}", "expires": time.time() + day * 86_400} for place, day in enumerate(days)]
    (tmp_path / "state.json").write_text(json.dumps({"cookies": cookies, "origins": []}))
    made = ("login", "https://wiki.example.org/", "--save", "wiki", "--from", "state.json")
    done = run(*made, home=tmp_path)
    assert done.code == code
    assert done.err.count("\n") == (1 if told else 0)
    assert told in done.err
    assert ("saved wiki: " in done.out) == (code == 0)
