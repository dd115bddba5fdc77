"""A walk beyond its site among hostile hits, pages and redirects: a proxy that sees every request is the witness."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.sites.loopback_proxy import LoopbackProxy, serve_proxy
from tests.sites.search_service import SearchService
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from traces.events import PageFailed, PageOpened, PageRejected
from traces.reading.reader import read_run
from walker.asking import ask
from walker.runs.replay import replay_run
from walker.seams.outcome import Outcome
from walker.search.service_file import searxng_at
from walker.settings import Beyond, Limits, Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")

QUESTION = "In which year was the research vessel Mantis launched?"
ROOT, HITS, THIRD, NEVER = "http://reef.test/", "http://museum.test/", "http://third.test/", "http://never.test/"
KEY = "quince-2718-fig"


def page(title: str, body: str) -> Answer:
    return Answer(f"<title>{title}</title><main><h1>{title}</h1>{body}</main>")


THIRD_LINKS = "".join(
    f'<a href="{THIRD}{name}">The research vessel Mantis, launched in which year {name}</a> '
    for name in ("a", "b", "c")
)
PAGES = {
    "reef.test/": page("Reef", f"<p>Corals of the reef.</p>{THIRD_LINKS}<a href='/boats'>Boats</a>"),
    "reef.test/boats": page("Boats", "<p>Boats are moored at the quay.</p>"),
    "museum.test/vessel": page(
        "The vessel",
        f"<p>All about vessels.</p>{THIRD_LINKS}<a href='/mantis'>Research vessel Mantis</a>",
    ),
    "museum.test/mantis": page("Mantis", "<p>The research vessel Mantis was launched in 1997.</p>"),
    "museum.test/moved": moved(NEVER + "mantis"),
    "never.test/mantis": page("Mantis", "<p>The research vessel Mantis was launched in 1997.</p>"),
    "never.test/boats": page("Boats", "<p>Boats are moored at the quay.</p>"),
    "museum.test/away": moved(THIRD + "redirected"),
    "museum.test/hop": moved("/hop2"),
    "museum.test/hop2": moved(THIRD + "twice"),
    "museum.test/script": page("Mantis launched", f"<p>Vessels go.</p><script>location = '{THIRD}script'</script>"),
    "museum.test/meta": page(
        "Mantis launched", f'<p>Vessels go.</p><meta http-equiv="refresh" content="0;url={THIRD}meta">'
    ),
    "museum.test/window": page("Mantis launched", f"<p>Vessels.</p><script>open('{THIRD}window')</script>"),
}


def site(asked: Asked) -> Answer | None:
    host = asked.headers.get("Host", "").partition(":")[0]
    return PAGES.get(f"{host}{asked.path}")


class Web(SearchService):
    """The service, a proxy in front of all names, and a server that nobody may ask."""

    proxy: LoopbackProxy
    private: LoopbackSite
    private_port: int


@pytest.fixture
def web() -> Iterator[Web]:
    with contextlib.ExitStack() as stack:
        pages = stack.enter_context(serving(LoopbackSite(site)))
        place = ("127.0.0.1", pages.server_address[1])
        names = {f"{urlsplit(url).hostname}:80": place for url in (ROOT, HITS, THIRD, NEVER)}
        made = stack.enter_context(serving(Web({})))
        made.proxy = stack.enter_context(serve_proxy(names))
        made.private = stack.enter_context(
            serving(LoopbackSite(lambda _: "<h1>Secret of the Mantis, launched 1666</h1>"))
        )
        port = made.private_port = made.private.server_address[1]
        private = [
            f"http://{host}:{port}/" for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "0.0.0.0")
        ]
        hostile = [*private, "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "javascript:alert(1)"]
        lures = [f"{HITS}{path}" for path in ("away", "hop", "script", "meta", "window", "vessel")]
        given = [*hostile, *lures, f"{HITS}vessel"]
        made.hits[QUESTION] = [(url, "Research vessel Mantis", "Launched in the year 1666, surely.") for url in given]
        yield made


async def asked(web: Web, folder: Path, roots: tuple[str, ...], beyond: Beyond) -> Outcome:
    settings = Settings(
        limits=Limits(pages=30, seconds=120),
        runs_folder=folder,
        headers=(("Authorization", f"Bearer {KEY}"),),
        proxy=f"http://{web.proxy.place}",
        page_seconds=8,
        scout_pages=5 if roots else 0,
        beyond=beyond,
    )
    return await ask(roots, QUESTION, settings=settings)


def written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def hosts_asked(web: Web) -> set[str]:
    targets = [line.partition(" ")[2] for line in web.proxy.asked]
    return {(urlsplit(target).hostname or "") if "://" in target else target.partition(":")[0] for target in targets}


async def test_without_open_what_is_found_elsewhere_is_never_asked_for(web: Web, tmp_path: Path) -> None:
    beyond = Beyond(search=searxng_at(web.address))
    await asked(web, tmp_path, (ROOT,), beyond)
    assert web.queries == [QUESTION]
    assert hosts_asked(web) <= {"reef.test"}
    assert web.private.asked == []


async def test_a_named_host_is_opened_and_nothing_behind_it(web: Web, tmp_path: Path) -> None:
    beyond = Beyond(search=searxng_at(web.address), also=("museum.test",))
    outcome = await asked(web, tmp_path, (ROOT,), beyond)
    assert "1997" in outcome.answer
    assert {citation.url for citation in outcome.citations} == {HITS + "mantis"}
    assert hosts_asked(web) == {"reef.test", "museum.test"}
    assert web.private.asked == []


async def test_with_open_only_a_hit_opens_a_site(web: Web, tmp_path: Path) -> None:
    beyond = Beyond(search=searxng_at(web.address), open=True)
    outcome = await asked(web, tmp_path, (), beyond)
    assert "1997" in outcome.answer
    assert hosts_asked(web) == {"museum.test"}, "neither redirects nor links nor scripts lead to a third host"
    assert web.private.asked == [], "and no hit to a private address"
    run = Path(outcome.trace)
    events = read_run(run).events
    opened = [event.final_url for event in events if isinstance(event, PageOpened)]
    assert {urlsplit(url).hostname for url in opened} <= {"library.invalid", "museum.test"}
    refused = {event.url for event in events if isinstance(event, PageFailed)}
    assert {HITS + "away", HITS + "hop"} <= refused
    assert not any(f":{web.private_port}" in url for url in refused), "a hit at a private address costs no page"
    assert not any(isinstance(event, PageRejected) and "third" in event.detail for event in events)
    before = len(web.queries)
    replayed = await replay_run(run)
    assert replayed.outcome is not None
    assert replayed.outcome.answer == outcome.answer
    assert len(web.queries) == before


async def test_one_found_site_may_redirect_to_another_and_to_no_third(web: Web, tmp_path: Path) -> None:
    found = (f"{HITS}moved", f"{NEVER}boats", f"{HITS}away")
    web.hits[QUESTION] = [(url, "Research vessel Mantis", "Launched in a year.") for url in found]
    outcome = await asked(web, tmp_path, (), Beyond(search=searxng_at(web.address), open=True))
    assert "1997" in outcome.answer
    assert {citation.url for citation in outcome.citations} == {NEVER + "mantis"}
    assert hosts_asked(web) == {"museum.test", "never.test"}


async def test_own_headers_reach_the_sites_of_the_roots_only(web: Web, tmp_path: Path) -> None:
    seen: dict[str, set[str]] = {}

    def noting(asked_for: Asked) -> Answer | None:
        host = asked_for.headers.get("Host", "").partition(":")[0]
        seen.setdefault(host, set()).add(asked_for.headers.get("Authorization", ""))
        return site(asked_for)

    with serving(LoopbackSite(noting)) as pages:
        web.proxy.names = dict.fromkeys(web.proxy.names, ("127.0.0.1", pages.server_address[1]))
        await asked(web, tmp_path, (ROOT,), Beyond(search=searxng_at(web.address), open=True))
    assert seen["reef.test"] == {f"Bearer {KEY}"}
    assert seen["museum.test"] == {""}
    assert "authorization" not in web.seen[0]
    assert hosts_asked(web) == {"reef.test", "museum.test"}
    assert KEY.encode() not in written(tmp_path)
