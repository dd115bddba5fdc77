"""Keys that are short or ordinary words, as people give them to endpoints that take any: the walk must not notice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.walker.cli.program import NO_BROWSER, walker_here
from tests.walker.cli.test_ask_with_a_model import QUESTION, clever, holding
from walker.demo.server import serve_institute
from walker.testing.chat_server import Endpoint

SHORT = ("x", "EMPTY", "none", "ollama", "token")
WORDS = ("complete", "question", "findings", "vision_model")
"""Long enough to be searched for: the method of an edge, what prompts say, what replies are made of, the name of an edge."""


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


def walk(institute: str, key: str, folder: Path) -> tuple[dict[str, object], str]:
    with served(Endpoint(clever, key=key)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--json")
        ended = walker_here("ask", institute, QUESTION, *flags, folder=folder, WALKER_API_KEY=key)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    for command in (("replay", "--deep"), ("verify",)):
        replayed = walker_here(command[0], outcome["trace"], *command[1:], folder=folder)
        assert replayed.code == 0, replayed.out + replayed.err
    return outcome, ended.err


@pytest.mark.parametrize("key", SHORT)
def test_a_short_key_is_told_once_and_changes_nothing(institute: str, key: str, tmp_path: Path) -> None:
    outcome, err = walk(institute, key, tmp_path)
    assert (outcome["answer"], outcome["stop_reason"], outcome["pages"]) == ("1.8 m", "answered", 3)
    (notice,) = [line for line in err.splitlines() if "shorter than 8 characters" in line]
    assert notice.startswith("the key of the model: ")
    assert "not redacted in pages" in notice
    assert holding(tmp_path / "runs", b"<secret:") == []


@pytest.mark.parametrize("key", WORDS)
def test_a_key_that_is_a_word_of_the_record_breaks_nothing(institute: str, key: str, tmp_path: Path) -> None:
    outcome, err = walk(institute, key, tmp_path)
    assert (outcome["answer"], outcome["pages"]) == ("1.8 m", 3)
    assert ("spelled like a word" in err) == key.isalpha()


@pytest.mark.parametrize(
    ("key", "told"),
    [("ollama", "not redacted"), ("anything", "like a word"), ("sk-planted-7f3a9c", "redacted in all recordings")],
)
def test_doctor_says_what_it_makes_of_the_key(key: str, told: str, tmp_path: Path) -> None:
    ended = walker_here("doctor", "--json", folder=tmp_path, WALKER_API_KEY=key, **NO_BROWSER)
    (check,) = [check for check in json.loads(ended.out)["checks"] if check["name"] == "keys"]
    assert check["ok"]
    assert told in check["detail"]
    assert key not in check["detail"] + check["advice"]
