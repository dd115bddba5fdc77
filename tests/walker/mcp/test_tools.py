"""The tools by the SDK's own client, on the bundled site."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp_types import BlobResourceContents, TextContent

from tests.sites.pages_on_loopback import serve
from tests.walker.mcp.serving import called, connected, links_of, text_of
from walker.demo.server import serve_institute
from walker.jobs.server_limits import ServerLimits
from walker.models.token_count import count_tokens
from walker.settings import Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")
ROOM = {
    "title": "Person",
    "type": "object",
    "properties": {"name": {"type": "string"}, "room": {"type": "string"}, "nationality": {"type": "string"}},
    "required": ["name", "room"],
}


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root.removesuffix("index.html")


async def test_seven_tools_cost_a_model_less_than_3000_tokens(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path) as client:
        listed = await client.list_tools()
    assert [tool.name for tool in listed.tools] == ["ask", "extract", "read", "look", "crawl", "job", "run"]
    assert count_tokens(listed.model_dump_json(by_alias=True, exclude_none=True)) < 3000
    for tool in listed.tools:
        assert tool.output_schema is not None
        Draft202012Validator.check_schema(tool.output_schema)


async def test_an_answer_has_quotes_fits_its_schema_and_links_its_run(institute: str, tmp_path: Path) -> None:
    reached: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert progress > 0
        assert total is None
        reached.append(message or "")

    async with connected(institute, tmp_path) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        result = await client.call_tool(
            "ask",
            {"root": institute, "question": "What is the greatest depth of water in the tidal flume?", "max_pages": 8},
            progress_callback=hear,
        )
        answer: Any = result.structured_content
        Draft202012Validator(listed["ask"].output_schema or {}).validate(answer)
        assert answer["answered"]
        assert "1.8" in answer["answer"]
        assert all(one["url"].startswith(institute) and one["quote"] for one in answer["citations"])
        assert reached
        run = answer["run"]
        assert links_of(result) == [f"walker://runs/{run}", f"walker://runs/{run}/steps"]
        told = json.loads(await resource(client, f"walker://runs/{run}"))
        assert told["answer"] == answer["answer"]
        steps = json.loads(await resource(client, f"walker://runs/{run}/steps"))
        assert steps[0]["url"].startswith(institute)
        assert "Institute" in await resource(client, f"walker://runs/{run}/page/1.md")
        for view, said in (("steps", institute), ("why", "1.8"), ("verify", "equal: "), ("diff", "equal: ")):
            shown = await called(client, "run", id=run, view=view, other=run)
            assert said in "\n".join(shown["lines"])


async def test_the_screenshot_of_each_step_is_a_resource_where_the_server_records_them(
    institute: str, tmp_path: Path
) -> None:
    settings = Settings(runs_folder=tmp_path / "runs", pictures=True)
    async with connected(institute, tmp_path, settings=settings) as client:
        run = (await called(client, "ask", root=institute, question="What is the Flume?", max_pages=1))["run"]
        (content,) = (await client.read_resource(f"walker://runs/{run}/picture/1")).contents
    assert isinstance(content, BlobResourceContents)
    assert content.mime_type == "image/png"
    assert base64.b64decode(content.blob).startswith(b"\x89PNG")


async def resource(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    return str(getattr(content, "text", ""))


async def test_text_of_pages_is_fenced_as_untrusted(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path) as client:
        texts = [text_of(await client.call_tool("read", {"url": institute})) for _ in range(2)]
    fences = [re.findall(r"<(untrusted-[0-9a-f]{8})>", text) for text in texts]
    assert len(fences[0]) == 1
    assert fences[0] != fences[1], "a page must not know the name of the fence"
    for text, (fence,) in zip(texts, fences, strict=True):
        assert text.startswith(f"Text in {fence} comes from web pages")
        assert text.endswith(f"</{fence}>")


async def test_a_page_is_read_within_the_limit_and_for_a_question(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path, ServerLimits(chars=700, wait_seconds=120)) as client:
        whole = await called(client, "read", url=institute, max_chars=10**6)
        asked = await called(client, "read", url=institute, max_chars=300, question="When is the open day?")
    assert whole["cut"]
    assert len(whole["markdown"]) == 700
    assert len(asked["markdown"]) <= 300
    assert "Open day" in asked["markdown"]


async def test_fields_are_extracted_with_their_quotes(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path) as client:
        found = await called(client, "extract", url=f"{institute}people/chen-yulan.html", schema=ROOM)
    assert found["state"] == "done"
    assert found["data"]["room"] == found["fields"]["room"]["value"]
    assert found["fields"]["room"]["quote"]
    assert found["fields"]["nationality"]["value"] is None
    assert found["missing"] == ["nationality"]


async def test_a_crawl_keeps_records_in_a_resource(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path, ServerLimits(pages=4, wait_seconds=120)) as client:
        result = await client.call_tool(
            "crawl",
            {
                "start": f"{institute}people/index.html",
                "records": {"each": "li.person", "fields": {"name": "h3"}},
                "limits": {"max_pages": 1000},
            },
        )
        found: Any = result.structured_content
        items, pages = links_of(result)
        lines = [json.loads(line) for line in (await resource(client, items)).splitlines()]
        kept = (await resource(client, pages)).splitlines()
    assert found["stop_reason"] == "page limit"
    assert found["pages"] == len(kept) == 4, "a client gets no more than the server's maximum"
    assert found["items"] == len(lines) > 0
    assert found["sample"] == lines[:5]


async def test_an_element_is_found(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path, ServerLimits(wait_seconds=300)) as client:
        seen = await called(client, "look", url=f"{institute}visit.html", find="the link to the courses")
    assert seen["found"]["is_found"]
    assert seen["found"]["name"] == "Courses"
    assert any("'Courses'" in line for line in seen["elements"])


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("read", {"url": "http://example.org/"}, "not allowed"),
        ("ask", {"root": "file:///etc/passwd", "question": "Who is root?"}, "not http or https"),
        ("crawl", {"start": "/etc/hosts.yaml"}, "not an address"),
        ("job", {"id": "../../etc/passwd"}, "no such job"),
        ("run", {"id": ".."}, "no such run"),
        ("run", {"id": "../runs"}, "no such run"),
    ],
)
async def test_what_cannot_be_is_an_error_in_one_line(
    institute: str, tmp_path: Path, name: str, arguments: dict[str, Any], said: str
) -> None:
    (tmp_path / "runs").mkdir()
    async with connected(institute, tmp_path) as client:
        result = await client.call_tool(name, arguments)
    assert result.is_error
    assert said in (result.structured_content or {})["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"root": "http://127.0.0.1:9/"}, "question: Field required"),
        (
            {"root": "http://127.0.0.1:9/", "question": "Who?", "max_pages": "many"},
            "max_pages: Input should be a valid integer",
        ),
        (
            {"root": "http://127.0.0.1:9/", "question": "Who?", "max_pages": -3},
            "max_pages: Input should be greater than",
        ),
        (
            {"root": "http://127.0.0.1:9/", "question": "Who?", "pages": 3},
            "pages: ask has no such argument. It takes root, ",
        ),
    ],
)
async def test_wrong_arguments_are_told_in_one_line_and_nothing_is_begun(
    institute: str, tmp_path: Path, arguments: dict[str, Any], said: str
) -> None:
    async with connected(institute, tmp_path) as client:
        result = await client.call_tool("ask", arguments)
    (told,) = result.content
    assert isinstance(told, TextContent)
    assert result.is_error
    assert said in told.text
    assert "\n" not in told.text
    assert "http" not in told.text, "no address of the library that checks"
    assert list((tmp_path / "jobs").iterdir()) == []


async def test_a_limit_that_a_crawl_does_not_know_is_refused_and_not_passed_over(
    institute: str, tmp_path: Path
) -> None:
    async with connected(institute, tmp_path) as client:
        result = await client.call_tool("crawl", {"start": institute, "limits": {"max_page": 3}})
    (told,) = result.content
    assert isinstance(told, TextContent)
    assert result.is_error
    assert "limits.max_page: there is no such field. See the schema of crawl" in told.text
    assert list((tmp_path / "jobs").iterdir()) == []


async def test_a_crawl_that_fetched_nothing_says_why(tmp_path: Path) -> None:
    with serve({"/": "<h1>Home</h1>", "/robots.txt": "User-agent: *\nDisallow: /"}) as home:
        async with connected(home, tmp_path) as client:
            told = (await client.call_tool("crawl", {"start": f"{home}/"})).structured_content
    assert told is not None
    assert told["error"] == "the crawl ended: nothing fetched (robots.txt forbids it)"


async def test_resources_are_no_paths(institute: str, tmp_path: Path) -> None:
    (tmp_path / "crawls").mkdir()
    (tmp_path / "items.jsonl").write_text("secret")
    async with connected(institute, tmp_path) as client:
        for uri in (
            "walker://crawls/../items.jsonl",
            "walker://crawls/%2E%2E/items.jsonl",
            "walker://runs/..%2F..%2Fetc",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(uri)


async def test_prompts_name_the_run_and_the_site(institute: str, tmp_path: Path) -> None:
    async with connected(institute, tmp_path) as client:
        debug = await client.get_prompt("debug-run", {"run": "20261123-x"})
        script = await client.get_prompt("crawl-script", {"start": institute, "wanted": "people"})
    assert "walker://runs/20261123-x/page/" in str(debug.messages[0].content)
    assert institute in str(script.messages[0].content)
