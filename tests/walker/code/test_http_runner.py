from __future__ import annotations

import pytest

from tests.walker.code.sandbox_server import SandboxServer, response
from walker.code.http_runner import MOST_BYTES, HttpRunner
from walker.seams.code_runner import MEMORY_BYTES, SECONDS


async def test_a_server_is_told_the_limits() -> None:
    async with SandboxServer(lambda _code, _inputs: "5") as server:
        ran = await HttpRunner(server.address).run("2 + 3", {"f1": "a", "t1": (("x", "1"),)})
    assert ran.value == "5"
    assert server.asked == [
        {"code": "2 + 3", "inputs": {"f1": "a", "t1": [["x", "1"]]}, "seconds": SECONDS, "memory_bytes": MEMORY_BYTES}
    ]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (response(b"not json"), "is no JSON of a run"),
        (response(b'{"failure": {"kind": "strange", "message": "?"}}'), "is no JSON of a run"),
        (response(b'{"result": 5}'), "has neither value, printed nor failure"),
        (response(b"{}", "500 Internal Server Error"), "answered with 500"),
        (response(b"", "302 Found"), "answered with 302"),
        (response(b"x" * (MOST_BYTES + 1)), "is larger than"),
        (b"nonsense\r\n\r\n", "cannot be reached"),
    ],
)
async def test_what_a_server_says_wrong_is_told_in_one_line(raw: bytes, said: str) -> None:
    async with SandboxServer(raw=raw) as server:
        ran = await HttpRunner(server.address).run("1", {})
    assert ran.failure is not None
    assert ran.failure.kind == "unavailable"
    assert said in ran.failure.message
    assert f"the sandbox at {server.address.removeprefix('http://').removesuffix('/run')}" in ran.failure.message
    assert "\n" not in ran.failure.message


async def test_what_stands_in_the_address_beside_the_host_is_not_told() -> None:
    async with SandboxServer(raw=response(b"{}", "401 Unauthorized")) as server:
        asked = server.address.replace("http://", "http://user:quince@") + "?token=medlar"
        ran = await HttpRunner(asked).run("1", {})
    assert ran.failure is not None
    assert ran.failure.message.endswith("answered with 401")
    assert "quince" not in ran.failure.message
    assert "medlar" not in ran.failure.message


async def test_code_that_gives_nothing_is_no_fault_of_the_server() -> None:
    async with SandboxServer(raw=response(b'{"value": null}')) as server:
        ran = await HttpRunner(server.address).run("x = 1", {})
    assert ran.failure is not None
    assert ran.failure.kind == "output"


async def test_a_server_that_does_not_answer_is_not_waited_for() -> None:
    async with SandboxServer(raw=response(b"{}"), seconds=30) as server:
        ran = await HttpRunner(server.address, wait_seconds=0.2).run("1", {})
    assert ran.failure is not None
    assert "did not answer" in ran.failure.message


async def test_nobody_at_the_address() -> None:
    async with SandboxServer(raw=b"") as server:
        gone = server.address
    ran = await HttpRunner(gone).run("1", {})
    assert ran.failure is not None
    assert "cannot be reached" in ran.failure.message
