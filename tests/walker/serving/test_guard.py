"""Who may come in, and what a body may say: nothing here opens a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.walker.serving.service_here import options, served
from walker.errors import UsageError
from walker.jobs.http_address import HttpAddress
from walker.serving.guard import MOST_BYTES
from walker.serving.server import serve

ROOT = "http://127.0.0.1:9/"
TOKEN = "a-token-that-nobody-guesses"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
async def test_a_page_of_another_site_cannot_ask_on_loopback(headers: dict[str, str], tmp_path: Path) -> None:
    async with served(options(ROOT, tmp_path)) as client:
        assert (await client.post("/v1/asks", json={"root": ROOT, "question": "?"}, headers=headers)).status_code == 403
        assert (await client.get("/v1/jobs")).json() == {"jobs": [], "next": None}


async def test_beyond_loopback_a_token_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="WALKER_SERVE_TOKEN"):
        await serve(options(ROOT, tmp_path), HttpAddress(host="0.0.0.0", port=0), lambda _: None)


async def test_with_a_token_nothing_but_pages_without_data_is_open(tmp_path: Path) -> None:
    async with served(options(ROOT, tmp_path), TOKEN) as client:
        async with httpx2.AsyncClient(base_url=client.base_url) as nobody:
            for path in ("/healthz", "/readyz", "/live/x", "/live/live.js", "/view/", "/view/main.js"):
                assert (await nobody.get(path)).status_code in (200, 404), path
            for path in (
                "/v1/jobs",
                "/metrics",
                "/openapi.json",
                "/view/api/runs",
                "/v1/rights",
                "/view/%61pi/runs",
            ):
                assert (await nobody.get(path)).status_code == 401, path
            for wrong in ("Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer", ""):
                assert (await nobody.get("/v1/jobs", headers={"Authorization": wrong})).status_code == 401
        assert (await client.get("/v1/jobs")).status_code == 200
        assert (await client.get("/v1/rights")).json() == {"control": True}


async def test_a_link_lets_its_holder_read_one_job_and_change_nothing(tmp_path: Path) -> None:
    given = options(ROOT, tmp_path)
    async with served(given, TOKEN) as client:
        jobs = [(await client.post("/v1/asks", json={"root": ROOT, "question": "Who?"})).json() for _ in range(2)]
        key = jobs[0]["links"]["live"].partition("?key=")[2]
        async with httpx2.AsyncClient(base_url=client.base_url) as guest:
            own, other = (f"/v1/jobs/{job['id']}" for job in jobs)
            assert (await guest.get(own, params={"key": key})).status_code == 200
            assert (await guest.get("/v1/rights", params={"key": key})).json() == {"control": False}
            assert (await guest.get(other, params={"key": key})).status_code == 401
            assert (await guest.get("/v1/jobs", params={"key": key})).status_code == 401
            assert (await guest.delete(own, params={"key": key})).status_code == 401
            assert (await guest.post(f"{own}/pause", params={"key": key})).status_code == 401


async def test_the_cookie_of_a_person_changes_things_from_the_same_origin_only(tmp_path: Path) -> None:
    async with served(options(ROOT, tmp_path), TOKEN) as client:
        cookie = (await client.post("/v1/session")).headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        shown = {"Cookie": cookie.partition(";")[0]}
        home = str(client.base_url).rstrip("/")
        async with httpx2.AsyncClient(base_url=client.base_url, headers=shown) as person:
            assert (await person.get("/v1/jobs")).status_code == 200
            body = {"root": ROOT, "question": "Who?"}
            assert (await person.post("/v1/asks", json=body)).status_code == 403
            assert (
                await person.post("/v1/asks", json=body, headers={"Origin": "http://evil.example"})
            ).status_code == 403
            assert (await person.post("/v1/asks", json=body, headers={"Origin": home})).status_code == 202


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("asks", {"root": "file:///etc/passwd", "question": "?"}),
        ("asks", {"root": "http://10.0.0.1/", "question": "?"}),
        ("asks", {"root": "http://127.0.0.1:8/", "question": "?"}),
        ("asks", {"root": ROOT, "question": "?", "model": "http://evil.example/v1"}),
        ("asks", {"root": ROOT, "question": "?", "runs": "/tmp"}),
        ("asks", {"root": ROOT, "question": "?", "profile": "bank"}),
        ("asks", {"root": ROOT, "question": "?", "webhook": "http://169.254.169.254/"}),
        ("asks", {"root": ROOT, "question": "   "}),
        ("extracts", {"url": ROOT, "schema": {"type": "string", "$ref": "file:///etc/passwd"}}),
        ("crawls", {"start": [ROOT], "output": {"items": "/tmp/x.jsonl"}}),
        ("crawls", {"start": [ROOT], "headers": {"X": "${HOME}"}}),
        ("crawls", {"start": [ROOT], "best": "${HOME}"}),
        ("crawls", {"start": [ROOT], "pages": [{"steps": [{"click": "a", "text": "${HOME}"}]}]}),
        ("crawls", {"start": [ROOT], "pages": [{"steps": [{"submit": "form"}]}]}),
        ("crawls", {"start": [ROOT], "pages": [{"keep": ["download"]}]}),
        ("crawls", {"start": [ROOT], "scope": {"hosts": ["*.example.org"]}}),
        ("crawls", {"start": [ROOT], "scope": {"hosts": ["10.0.0.1"]}}),
        ("crawls", {"start": [ROOT], "state_in": "/etc/passwd"}),
        ("crawls", {"start": [ROOT], "proxy": "http://10.0.0.1:8080"}),
        ("crawls", {"start": ["script.py"]}),
    ],
    ids=str,
)
async def test_a_body_is_not_trusted(path: str, body: dict[str, Any], tmp_path: Path) -> None:
    async with served(options(ROOT, tmp_path)) as client:
        answer = await client.post(f"/v1/{path}", json=body)
        assert answer.status_code in (403, 422), answer.text
        assert "\n" not in answer.json()["error"]
    assert list((tmp_path / "jobs").iterdir()) == []


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("{", "application/json", "body: this is no JSON"),
        (
            f'{{"root": "{ROOT}", "question": "?"}}',
            "application/x-www-form-urlencoded",
            "Content-Type: application/json",
        ),
        ('{"root": "example.org", "question": "Who?"}', "application/json", "Give it as https://host/path"),
        (f'{{"root": "{ROOT}", "question": "Who?", "pages": 1}}', "application/json", "pages: there is no such field"),
        (f'{{"root": "{ROOT}"}}', "application/json", "question: Field required"),
        ('{"root": "x", "question": "Who?"}', "application/json", "body.root: is no address of a web page"),
        (f'{{"root": "{ROOT}", "question": ""}}', "application/json", "body.question: holds no word"),
    ],
    ids=["no JSON", "as curl -d sends it", "no address", "unknown field", "no question", "short", "empty"],
)
async def test_what_is_wrong_with_a_body_is_told_for_whoever_wrote_it(
    body: str, kind: str, said: str, tmp_path: Path
) -> None:
    async with served(options(ROOT, tmp_path)) as client:
        answer = await client.post("/v1/asks", content=body, headers={"Content-Type": kind})
        assert (answer.status_code, said in answer.json()["error"]) == (422, True), answer.text
        assert "^" not in answer.json()["error"], "no pattern"
        wrong = await client.get("/v1/jobs/nonsense")
        assert "is no id of a job" in wrong.json()["error"]


async def test_the_address_that_is_told_leads_to_the_jobs_and_others_say_what_there_is(tmp_path: Path) -> None:
    async with served(options(ROOT, tmp_path), TOKEN) as client:
        async with httpx2.AsyncClient(base_url=client.base_url) as nobody:
            home = await nobody.get("/")
            assert (home.status_code, home.headers["location"]) == (307, "/live/")
        gone = await client.post("/v1/reads", json={})
        assert (gone.status_code, gone.json()["error"]) == (
            404,
            "POST /v1/reads: there is no such address; /openapi.json lists them",
        )
        wrong = await client.put("/v1/asks")
        assert (wrong.status_code, wrong.json()["error"]) == (405, "PUT /v1/asks: this address takes POST")
        assert wrong.headers["allow"] == "POST"
        assert (await client.put("/v1/jobs/ask-0123456789ab")).headers["allow"] == "DELETE, GET"


async def test_a_body_has_a_size(tmp_path: Path) -> None:
    async def parts() -> Any:
        for _ in range(20):
            yield b"x" * (MOST_BYTES // 10)

    async with served(options(ROOT, tmp_path)) as client:
        whole = await client.post("/v1/asks", content=b"x" * (MOST_BYTES + 1))
        assert whole.status_code == 413
        try:
            chunked = await client.post("/v1/asks", content=parts())
            assert chunked.status_code == 413
        except (httpx2.WriteError, httpx2.ReadError):
            pass  # it hung up on the rest
        assert (await client.get("/healthz")).status_code == 200


async def test_names_are_no_paths(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "items.jsonl").write_text('{"a": 1}\n')
    async with served(options(ROOT, tmp_path)) as client:
        for path in (
            "/v1/runs/..%2Fsecret",
            "/v1/runs/../secret",
            "/v1/crawls/..%2Fsecret/items",
            "/v1/jobs/..%2f..%2fsecret",
            "/view/..%2f..%2fsecret",
            "/view/api/..%2fsecret/overview",
            "/live/..%2fserver.py",
        ):
            answer = await client.get(path)
            assert answer.status_code in (404, 422) or "Walker: a job" in answer.text, (path, answer.text)
