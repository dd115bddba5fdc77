from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.fixtures.paper import HOME, PAGES, page
from tests.fixtures.recorded_walk import LENGTH, PEOPLE, Script, record
from tests.fixtures.scripts import in_one, links_in, sensible
from traces.compare.diff import Cause, WalkDiff, compare_walks
from traces.compare.origins import moved_text
from traces.reading.steps import Step, Walk
from traces.store.packing import pack_run
from walker.runs.compare import diff_runs
from walker.seams.chat import ChatRequest

SHIPS = {
    HOME: page(
        "Fleet",
        "<p>The ships of the fleet lie at many quays along the river, and each has a page of her own.</p>"
        + "".join(f'<p><a href="/{name}.html">{name.title()}</a></p>' for name in ("alba", "bora", "cora")),
    ),
    HOME + "alba.html": page(
        "Alba", "<p>The ship Alba was built in 1950 and lies at the east quay all summer long.</p>"
    ),
    HOME + "bora.html": page(
        "Bora", "<p>The ship Bora was built in 1960 and lies at the west quay all summer long.</p>"
    ),
    HOME + "cora.html": page(
        "Cora", "<p>The ship Cora was built in 1970 and is 44 metres long, longer than the rest.</p>"
    ),
}
CORA = "How long is the ship Cora?"
TEXTS = {url: html for url, html in PAGES.items() if isinstance(html, str)}


def touring(*names: str) -> Script:
    """A model that follows the first of these links that is offered, goes back elsewhere, and never says it is done."""

    def script(request: ChatRequest) -> str:
        if request.schema_name == "critic_find":
            return json.dumps({"relevance": 10, "findings": [], "list": 0})
        if request.schema_name == "critic_judge":
            return json.dumps({"sufficient": False, "answer": "", "confidence": 0, "cite": []})
        numbers = links_in(request.messages[-1].content)
        wanted = next((numbers[name] for name in names if name in numbers), 0)
        is_home = "# Fleet" in request.messages[-1].content
        return json.dumps({"action": "follow" if wanted else "answer" if is_home else "back", "number": wanted})

    return in_one(script)


def stages(chain: tuple[Cause, ...]) -> list[str]:
    return [f"{cause.stage}.{cause.field}" for cause in chain]


def differing(diff: WalkDiff) -> list[str]:
    return [f"{pair.title}:{found.stage}" for pair in diff.pairs for found in pair.differences]


async def test_a_walk_is_equal_to_itself_packed_too(tmp_path: Path) -> None:
    await record(tmp_path / "a", PEOPLE)
    pack_run(tmp_path / "a", tmp_path / "a.zip")
    diff = diff_runs(tmp_path / "a", tmp_path / "a.zip")
    assert diff.is_equal
    assert (diff.first, diff.chain, diff.settings, diff.end) == (None, (), (), ())
    assert [pair.one for pair in diff.pairs] == [1, 2, 3]


async def test_one_extra_step_does_not_turn_the_rest_red(tmp_path: Path) -> None:
    await record(tmp_path / "a", CORA, pages=SHIPS, script=touring("Alba", "Cora"))
    await record(tmp_path / "b", CORA, pages=SHIPS, script=touring("Alba", "Bora", "Cora"))
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    rows = [(pair.one, pair.other, pair.title, bool(pair.differences)) for pair in diff.pairs]
    assert rows[0][:3] == (1, 1, "Fleet")
    assert (0, 3, "Bora", False) in rows
    (cora,) = [pair for pair in diff.pairs if pair.title == "Cora"]
    assert (cora.one, cora.other) == (3, 4)
    assert [found.stage for found in cora.differences] == [], cora.differences


async def test_another_threshold_is_the_end_of_the_chain(tmp_path: Path) -> None:
    await record(tmp_path / "a", LENGTH, threshold=5.0)
    await record(tmp_path / "b", LENGTH, threshold=100.0)
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    assert [(one.field, one.expected, one.got) for one in diff.settings] == [("threshold", 5.0, 100.0)]
    assert stages(diff.chain)[-1] == "settings.threshold"


async def test_a_page_that_changed_is_the_end_of_the_chain(tmp_path: Path) -> None:
    changed = dict(PAGES) | {HOME + "boats.html": str(PAGES[HOME + "boats.html"]).replace("18.4", "21.9")}
    await record(tmp_path / "a")
    await record(tmp_path / "b", pages=changed)
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    assert diff.first is not None
    assert diff.first.title == "Boats"
    assert next((one.field, one.expected, one.got) for one in diff.end) == ("answer", "18.4 metres", "21.9 metres")
    assert diff.chain[0].stage == "verdict"
    assert diff.chain[1].stage == "findings"
    assert not diff.pairs[0].differences


async def test_a_model_that_says_otherwise_is_the_end_of_the_chain(tmp_path: Path) -> None:
    def unsure(request: ChatRequest) -> str:
        if request.schema_name == "critic_judge":
            return json.dumps({"sufficient": True, "answer": "18.4 metres", "confidence": 40, "cite": [1]})
        return sensible(request).replace('"number": 1', '"number": 2') if "Boats" in str(request) else sensible(request)

    await record(tmp_path / "a", script=sensible)
    await record(tmp_path / "b", script=unsure)
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    assert diff.chain[0].stage in ("move", "verdict")
    assert diff.chain[-1].stage == "model"
    assert diff.chain[-1].field == "reply"
    assert diff.chain[-1].one != diff.chain[-1].other


async def test_costs_stand_side_by_side(tmp_path: Path) -> None:
    await record(tmp_path / "a")
    await record(tmp_path / "b", script=sensible)
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    assert diff.cost["model_calls"] == (0, 2)
    assert diff.cost["prompt_tokens"][1] > 1000
    assert diff.cost["pages"] == (2, 2)


def standing_at(home: str, pages: Mapping[str, str]) -> dict[str, str]:
    """The site elsewhere; each page names its own address."""
    return {
        url.replace(HOME, home): html.replace(
            "<body>", f'<link rel="canonical" href="{url.replace(HOME, home)}"><body>'
        )
        for url, html in pages.items()
    }


async def test_one_site_at_two_origins_is_one_site(tmp_path: Path) -> None:
    staging = "http://127.0.0.1:8642/"
    await record(tmp_path / "a", CORA, pages=standing_at(HOME, SHIPS), script=touring("Alba", "Cora"))
    for name, tour in (("same", ("Alba", "Cora")), ("longer", ("Alba", "Bora", "Cora"))):
        pages = standing_at(staging, SHIPS)
        await record(tmp_path / name, CORA, pages=pages, script=touring(*tour), root=staging)
    diff = diff_runs(tmp_path / "a", tmp_path / "same")
    assert (diff.is_equal, diff.first, diff.chain) == (True, None, ())
    assert diff.origins == ((HOME.rstrip("/"), staging.rstrip("/")),)
    diff = diff_runs(tmp_path / "longer", tmp_path / "a")
    assert diff.origins == ((staging.rstrip("/"), HOME.rstrip("/")),)
    assert [pair.title for pair in diff.pairs if not pair.other] == ["Bora"]
    assert {stage.partition(".")[0] for stage in stages(diff.chain)} <= {"move", "proposal", "model"}
    assert all(pair.url.startswith(staging) for pair in diff.pairs if pair.one)


async def test_a_page_that_changed_differs_at_another_origin_too(tmp_path: Path) -> None:
    staging = "http://127.0.0.1:8642/"
    await record(tmp_path / "a", pages=standing_at(HOME, TEXTS))
    longer = {url: html.replace("18.4", "21.9") for url, html in standing_at(staging, TEXTS).items()}
    await record(tmp_path / "b", pages=longer, root=staging)
    diff = diff_runs(tmp_path / "a", tmp_path / "b")
    assert differing(diff)[0] == "Boats:page"
    assert "Reef Station:page" not in differing(diff)
    assert next((found.field, found.expected, found.got) for found in diff.end) == (
        "answer",
        "18.4 metres",
        "21.9 metres",
    )


def test_a_host_that_only_begins_like_the_origin_stays() -> None:
    origins = {"http://a.example:80": "https://b.example", "http://a.example": "https://c.example"}
    text = (
        b"http://a.example:80/x http://a.example:8080/x http://a.example.org/ xhttp://a.example/ See http://a.example. "
    )
    moved = (
        b"https://b.example/x http://a.example:8080/x http://a.example.org/ xhttp://a.example/ See https://c.example. "
    )
    assert moved_text(text, origins) == moved


def glanced(name: str, score: float) -> Walk:
    """One page that was understood, glanced at and understood again."""
    told: dict[str, dict[str, Any]] = {
        "understanding": {"score": score},
        "gate": {"choice": "glance" if score < 70 else "read"},
    }
    told |= {"look": {"texts": score}, "findings": {"items": score}}
    step = Step(number=1, url=HOME, key=HOME, path=(HOME,), stages={stage: (told[stage],) for stage in told})
    return Walk(name=name, start={"root_url": HOME}, settings={}, steps=(step,), end={}, cost={})


def test_a_page_that_was_understood_twice_has_a_chain_that_ends() -> None:
    diff = compare_walks(glanced("a", 60.0), glanced("b", 80.0))
    assert stages(diff.chain) == ["gate.choice", "understanding.score", "findings.items", "look.texts"]
