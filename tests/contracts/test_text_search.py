"""One body for every implementation of the TextSearch seam."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from memory.library.protocol import Hit, NewPage, PageLine
from tests.sites.search_service import JSON, SearchService
from tests.sites.serving import Answer, serving
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.library.library_file import LibraryFile
from walker.library.text_search import LibraryTextSearch
from walker.recording.recorded_search import RecordedTextSearch
from walker.recording.recording import Recording
from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch
from walker.search.json_search import JsonSearch
from walker.search.service_file import read_service, searxng_at
from walker.testing.scripted_searches import ScriptedTextSearch

NAMES = ("ferries", "canoes", "ferries", "rafts")
HITS = tuple(
    TextHit(url=f"https://docs.example/{name}", title=name.title(), snippet=f"About {name}.", query="boats")
    for name in NAMES
)
SERVED = [(hit.url, hit.title, hit.snippet) for hit in HITS]
FILE = """
url: {home}/search?q={{query}}&format=json&n={{most}}
results: results
link: url
snippet: content
"""


@pytest.fixture
def service() -> Iterator[SearchService]:
    with serving(SearchService({"boats": SERVED})) as served:
        served.answers["storm"] = [Answer("", 429, headers=(("Retry-After", "120"),))]
        yield served


@pytest.fixture(params=["scripted", "searxng", "described", "recorded"])
async def search(request: pytest.FixtureRequest, service: SearchService, tmp_path: Path) -> AsyncIterator[TextSearch]:
    hits: Mapping[str, tuple[TextHit, ...] | SearchFailure] = {
        "boats": HITS,
        "storm": SearchFailure(kind="limited", message="too many requests"),
    }
    made: TextSearch = ScriptedTextSearch(hits)
    if request.param in ("searxng", "recorded"):
        made = JsonSearch(searxng_at(service.address))
    if request.param == "described":
        (tmp_path / "search.yaml").write_text(FILE.format(home=service.address))
        made = JsonSearch(read_service(str(tmp_path / "search.yaml"), lambda _: ""))
    if request.param == "recorded":
        manifest = RunManifest(run_id="r", created=1.0, question="", root_url="u", settings={})
        recording = Recording(recorder=Recorder.create(tmp_path / "run", manifest, clock=time.time))
        made = RecordedTextSearch(made, recording)
    yield made
    await made.close()


async def test_hits_come_best_first_and_each_address_once(search: TextSearch) -> None:
    found = await search.search("boats", 10)
    assert not isinstance(found, SearchFailure)
    assert [hit.title for hit in found] == ["Ferries", "Canoes", "Rafts"]
    assert [hit.snippet for hit in found] == ["About ferries.", "About canoes.", "About rafts."]
    assert {urlsplit(hit.url).scheme for hit in found} <= {"http", "https"}
    assert {hit.query for hit in found} == {"boats"}


async def test_no_more_hits_come_than_are_asked_for(search: TextSearch) -> None:
    found = await search.search("boats", 2)
    assert not isinstance(found, SearchFailure)
    assert [hit.title for hit in found] == ["Ferries", "Canoes"]


async def test_nothing_is_found_for_what_nobody_wrote(search: TextSearch) -> None:
    assert await search.search("zeppelins", 10) == ()


async def test_a_search_that_fails_says_why(search: TextSearch) -> None:
    found = await search.search("storm", 10)
    assert isinstance(found, SearchFailure)
    assert found.kind == "limited"
    assert found.message
    assert "\n" not in found.message


async def test_a_library_gives_its_pages_with_the_words_that_fit() -> None:
    with contextlib.closing(LibraryFile.in_memory()) as shelf:
        for name in ("ferries", "rafts"):
            lines = (PageLine(text=f"All about {name} and other boats."),)
            shelf.add(NewPage(url=f"https://docs.example/{name}", title=name.title(), lines=lines))

        async def find(query: str, most: int) -> tuple[tuple[Hit, ...], tuple[()]]:
            return shelf.search(query, most), ()

        search = LibraryTextSearch(find)
        found = await search.search("rafts", 5)
        assert [(hit.title, hit.query, hit.source) for hit in found] == [("Rafts", "rafts", "library")]
        assert "All about rafts" in found[0].snippet
        assert len(await search.search("boats", 1)) == 1


HOSTILE = [
    "file:///etc/passwd",
    "javascript:alert(1)",
    "ftp://a.example/",
    "https://library.invalid/search?q=x",
    "//x",
    "",
    7,
]


async def test_hits_that_are_no_web_pages_and_doubled_ones_are_left_out(service: SearchService) -> None:
    urls = [*HOSTILE, "https://a.example/x#one", "HTTPS://A.example/x#two", "https://[bad/", "http://127.0.0.1/admin"]
    body = {"results": [{"url": url, "title": f"T\u0000\u202e{'t' * 900}", "content": ["no text"]} for url in urls]}
    service.answers["q"] = [Answer(json.dumps(body), kind=JSON)]
    search = JsonSearch(searxng_at(service.address))
    found = await search.search("q", 50)
    assert not isinstance(found, SearchFailure)
    # A private address is a page like any other here: the egress of the walk refuses it.
    assert [hit.url for hit in found] == ["https://a.example/x#one", "http://127.0.0.1/admin"]
    assert all(len(hit.title) <= 300 and "\u0000" not in hit.title for hit in found)
    assert {hit.snippet for hit in found} == {""}
    await search.close()


@pytest.mark.parametrize(
    ("answer", "kind", "told"),
    [
        (Answer("<html>", 200), "unreadable", "HTML where JSON was asked for"),
        (Answer("plain words", 200), "unreadable", "not JSON"),
        (Answer("[" * 200_000, 200, JSON), "unreadable", "not JSON"),
        (Answer(b'{"results": ["\xff"]}', 200, JSON), "unreadable", "not JSON"),
        (
            Answer('{"results": {}, "query": ""}', 200, JSON),
            "unreadable",
            'no list at "results"; its answer holds results, query',
        ),
        (Answer('["a"]', 200, JSON), "unreadable", 'no list at "results"'),
        (
            Answer('{"results": [{"link": "https://a.example/"}]}', 200, JSON),
            "unreadable",
            'has "url"; a hit holds link',
        ),
        (Answer("", 403), "refused", "add json to the formats under search in its settings.yml"),
        (Answer("", 502), "refused", "status 502"),
        (Answer("", 302, headers=(("Location", "http://127.0.0.1:1/"),)), "blocked", "private"),
        (Answer("", 302, headers=(("Location", "http://169.254.169.254/latest/"),)), "blocked", "private"),
        (Answer("", 302, headers=(("Location", "http://[::1]/"),)), "blocked", "private"),
        (Answer("", 302, headers=(("Location", "file:///etc/passwd"),)), "blocked", "http and https"),
        (Answer("", 302, headers=(("Location", "/search?q=q&format=json"),)), "unreachable", "redirects without end"),
    ],
)
async def test_what_a_service_does_wrong_is_one_line(
    service: SearchService, answer: Answer, kind: str, told: str
) -> None:
    await is_told(service, answer, kind, told)


async def test_a_searxng_whose_engines_all_fail_has_not_found_nothing(service: SearchService) -> None:
    silent = {"results": [], "unresponsive_engines": [["brave", "HTTP connection error"], ["bing", "CAPTCHA"]]}
    service.answers["keel"] = [Answer(json.dumps(silent), kind=JSON)]
    search = JsonSearch(searxng_at(service.address))
    found = await search.search("keel", 5)
    await search.close()
    assert isinstance(found, SearchFailure)
    assert found.message.endswith("no engine of it answered: brave (HTTP connection error), bing (CAPTCHA)")


async def test_an_answer_without_end_is_one_line_too(service: SearchService) -> None:
    endless = Answer('{"results": [' + " " * (10 << 20) + "]}", 200, JSON)
    await is_told(service, endless, "unreadable", "larger than")


async def is_told(service: SearchService, answer: Answer, kind: str, told: str) -> None:
    service.answers["q"] = [answer]
    search = JsonSearch(searxng_at(service.address), seconds=10)
    found = await search.search("q", 5)
    assert isinstance(found, SearchFailure)
    assert (found.kind, "\n" in found.message) == (kind, False)
    assert found.message.startswith(f"the search at 127.0.0.1:{service.server_address[1]} failed: ")
    assert told in found.message
    await search.close()


async def test_a_short_wait_is_waited_for_and_a_long_one_is_not(service: SearchService) -> None:
    good = Answer(json.dumps(service.results("boats")), kind=JSON)
    service.answers["soon"] = [Answer("", 429, headers=(("Retry-After", "1"),)), good]
    search = JsonSearch(searxng_at(service.address))
    found = await search.search("soon", 5)
    assert not isinstance(found, SearchFailure)
    assert len(found) == 3
    for _ in range(2):
        storm = await search.search("storm", 5)
        assert isinstance(storm, SearchFailure)
        assert "wait for 1" in storm.message
    assert service.queries == ["soon", "soon", "storm"], "a service that asks to be left alone is"
    await search.close()


async def test_one_that_is_silent_or_gone_is_unreachable(service: SearchService) -> None:
    search = JsonSearch(searxng_at("http://127.0.0.1:9"))
    gone = await search.search("q", 5)
    assert isinstance(gone, SearchFailure)
    assert gone.kind == "unreachable"
    assert await search.search("  ", 5) == (), "there is nothing to ask"
    await search.close()
    del service


async def test_a_key_reaches_its_own_host_only_and_no_message(service: SearchService, tmp_path: Path) -> None:
    file = tmp_path / "search.toml"
    file.write_text(
        f'url = "{service.address}/search?format=json&q={{query}}&k={{key}}"\nkey = "QUINCE"\nheader = "X-Token: {{key}}"\n'
    )
    described = read_service(str(file), {"QUINCE": "fig & 2718"}.__getitem__)
    search = JsonSearch(described)
    assert not isinstance(await search.search("boats", 5), SearchFailure)
    assert service.seen[-1]["x-token"] == "fig & 2718"
    with serving(SearchService({})) as other:
        elsewhere = f"http://127.0.0.1:{service.server_address[1]}@127.0.0.1:{other.server_address[1]}/"
        service.answers["moved"] = [Answer("", 302, headers=(("Location", elsewhere),))]
        moved = await search.search("moved", 5)
        assert isinstance(moved, SearchFailure)
        assert moved.kind == "blocked", "another port of the same machine is another service"
        assert other.seen == []
    service.answers["refused"] = [Answer("", 401)]
    refused = await search.search("refused", 5)
    assert isinstance(refused, SearchFailure)
    assert "refuses the key (401)" in refused.message
    assert "2718" not in refused.message + repr(described.name)
    await search.close()


async def test_a_login_in_the_address_is_sent_in_a_header(service: SearchService) -> None:
    host = service.address.removeprefix("http://")
    search = JsonSearch(searxng_at(f"http://me:se%20cret@{host}/"))
    assert not isinstance(await search.search("boats", 5), SearchFailure)
    assert service.seen[-1]["authorization"] == "Basic bWU6c2UgY3JldA=="
    await search.close()
