"""The network of a walk on recording, and a real browser that is served from it when the site is gone."""

from __future__ import annotations

import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio
from warcio.archiveiterator import ArchiveIterator

from tests.recordings.make import FOLDER
from tests.sites.changing import serve_changing
from tests.walker.cli.program import walker_here
from traces.events import NetworkExchanged
from traces.reading.leaks import scan_run
from traces.reading.reader import read_run
from traces.store.blobs import BlobRef
from walker.asking import ask
from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.browser.network.recorded_network import RecordedNetwork
from walker.errors import UsageError
from walker.runs.browser_replay import recorded_exchanges, replay_in_browser
from walker.runs.export import export_runs
from walker.runs.verification import verify_run
from walker.seams.web.exchange import Exchange
from walker.settings import Settings

LENGTH = "How long is the research vessel Mantis?"
CHROMIUM = os.environ.get("WALKER_CHROMIUM", "")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def recorded(tmp_path_factory: pytest.TempPathFactory, chromium: Chromium) -> Path:
    """A walk with its network; its site is gone."""
    folder = tmp_path_factory.mktemp("network")
    settings = Settings(runs_folder=folder, network=True, chromium=CHROMIUM, scout_pages=0)
    with serve_changing() as root, keep_chromium(find_browser(), chromium):
        outcome = await ask(root, LENGTH, settings=settings)
    assert outcome.answer.startswith("18.4")
    return Path(outcome.trace)


async def test_all_that_pages_asked_for_is_on_the_tape_without_credentials(recorded: Path) -> None:
    run = read_run(recorded)
    exchanges, lost = recorded_exchanges(run)
    assert (lost, run.problems) == ((), ())
    told = {(one.method, one.url.rpartition("/")[2], one.status) for one in exchanges}
    assert {
        ("GET", "", 200),
        ("GET", "style.css", 200),
        ("GET", "pixel.png", 200),
        ("POST", "echo", 200),
        ("GET", "ships", 302),
        ("GET", "ships.html", 200),
    } <= told
    tides = [one.body for one in exchanges if one.url.endswith("tide.json")]
    assert tides[:2] == [b'{"level": 1}', b'{"level": 2}']
    (posted,) = [one for one in exchanges if one.method == "POST"]
    assert (posted.request_body, posted.body) == (b"name=Mantis", b"you said name=Mantis")
    (hop,) = [one for one in exchanges if one.status == 302]
    assert hop.redirect_to.endswith("/harbour/ships.html")
    assert scan_run(run, ["planted-cookie-7d1f"]).leaks == ()


async def test_the_walk_itself_replays_as_one_without(recorded: Path) -> None:
    for deep in (False, True):
        result = await verify_run(recorded, deep=deep)
        assert result.is_equal, result


@pytest.mark.usefixtures("kept_chromium")
async def test_a_browser_shows_the_same_pages_with_the_site_gone(recorded: Path) -> None:
    report = await replay_in_browser(recorded, Settings(chromium=CHROMIUM))
    assert [page.rung for page in report.pages] == ["exact"] * len(report.pages), report
    assert len(report.pages) >= 2
    assert report.served >= 6
    assert report.lost == ()
    assert [address for address in report.unrecorded if "favicon" not in address] == []
    assert "The tide stood at 1 and then at 2 metres." in first_page(recorded)
    short = await replay_in_browser(recorded, Settings(chromium=CHROMIUM), last_step=1)
    assert {page.step for page in short.pages} == {1}


def first_page(run: Path) -> str:
    exchange = next(event for event in read_run(run).events if getattr(event, "method", "") == "open")
    ref = exchange.outcome["html"]  # type: ignore[union-attr]
    return read_run(run).blobs.get(msgspec.convert(ref, BlobRef)).decode()


@pytest.mark.usefixtures("kept_chromium")
async def test_what_is_missing_on_the_tape_is_told_and_nothing_goes_out(recorded: Path, tmp_path: Path) -> None:
    run = Path(shutil.copytree(recorded, tmp_path / "run"))
    lines = (run / "events.jsonl").read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if not (b'"k":"net"' in line and b"tide.json" in line)]
    assert len(kept) < len(lines)
    (run / "events.jsonl").write_bytes(b"".join(kept))
    with serve_changing():  # another site listens on this machine; the page's own is gone
        report = await replay_in_browser(run, Settings(chromium=CHROMIUM))
    assert any(address.endswith("/tide.json") for address in report.unrecorded)
    assert report.certificate.unrecorded >= 1
    first = report.pages[0]
    assert (first.rung, first.note) == ("major", "the text differs")
    assert 0.9 < first.alike < 1


def test_a_person_records_the_network_and_sees_the_pages_again(tmp_path: Path) -> None:
    with serve_changing() as root:
        asked = walker_here("ask", root, LENGTH, "--record", "deterministic", "--json", folder=tmp_path)
    assert asked.code == 0, asked.err
    trace, doubts = (json.loads(asked.out)[name] for name in ("trace", "doubts"))
    assert "(redacted " in doubts, "cookies that scripts can read"
    assert read_run(tmp_path / trace).manifest.record["mode"] == "deterministic"
    shown = walker_here("replay", trace, "--browser", folder=tmp_path)
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.splitlines()
    assert lines[0].startswith("exact   100%  step 1 open http://127.0.0.1:")
    assert lines[-1].startswith("fidelity of the pages: ")
    assert any(line.startswith("warning from the recording: step 1, redacted: a cookie") for line in lines)
    assert "may not replay exactly in a browser (redacted " in walker_here("verify", trace, folder=tmp_path).out
    wrong = walker_here("replay", trace, "--browser", "--deep", folder=tmp_path)
    assert (wrong.code, wrong.line) == (
        2,
        "walker: --browser goes with --to and --headed only. See walker replay --help",
    )


async def test_a_run_without_its_network_says_so() -> None:
    with pytest.raises(UsageError, match="its network was not recorded"):
        await replay_in_browser(FOLDER / "single", Settings())
    assert not any(isinstance(event, NetworkExchanged) for event in read_run(FOLDER / "single").events)


def test_archives_of_a_recorded_network_hold_every_response(recorded: Path) -> None:
    log = json.loads(export_runs([recorded], "har").data)["log"]
    by_name = {entry["request"]["url"].rpartition("/")[2]: entry for entry in log["entries"]}
    assert by_name["echo"]["request"]["postData"]["text"] == "name=Mantis"
    assert by_name["pixel.png"]["response"]["content"]["encoding"] == "base64"
    assert by_name["ships"]["response"]["redirectURL"].endswith("/harbour/ships.html")
    assert {"name": "content-type", "value": "text/css"} in by_name["style.css"]["response"]["headers"]
    assert "planted-cookie" not in json.dumps(log)
    kinds: dict[str, list[str]] = {}
    for record in ArchiveIterator(io.BytesIO(export_runs([recorded], "warc").data), check_digests="raise"):
        record.content_stream().read()
        kinds.setdefault(record.rec_type, []).append(record.rec_headers.get_header("WARC-Target-URI") or "")
    assert any(url.endswith("/style.css") for url in kinds["response"])
    assert all(url.startswith("urn:dom:") for url in kinds["resource"])
    with zipfile.ZipFile(io.BytesIO(export_runs([recorded], "wacz").data)) as archive:
        index = archive.read("indexes/index.cdx").decode()
    assert '"mime":"text/css"' in index
    assert '"status":"302"' in index


def answers(network: RecordedNetwork, *asked: tuple[str, str]) -> list[bytes | None]:
    found = [network._find(method, url, b"") for method, url in asked]
    return [one.body if one else None for one in found]


def test_answers_come_in_their_order_and_the_last_is_repeated() -> None:
    network = RecordedNetwork(Exchange(method="GET", url="http://a/n", status=200, body=b"%d" % n) for n in (1, 2, 3))
    asked = [("GET", "http://a/n#part")] * 5 + [("POST", "http://a/n"), ("GET", "http://a/m")]
    assert answers(network, *asked) == [b"1", b"2", b"3", b"3", b"3", None, None]
    assert network.repeated == 2


def test_redirects_are_followed_on_the_tape_and_a_circle_ends() -> None:
    network = RecordedNetwork(
        [
            Exchange(method="POST", url="http://a/form", status=303, redirect_to="http://a/done"),
            Exchange(method="GET", url="http://a/done", status=200, body=b"done"),
            Exchange(method="GET", url="http://a/loop", status=302, redirect_to="http://a/loop"),
        ]
    )
    assert answers(network, ("POST", "http://a/form"), ("GET", "http://a/loop")) == [b"done", None]
