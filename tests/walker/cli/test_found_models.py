"""`--model auto`: a model of this machine is found, told, recorded as if it had been named, or refused in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.sites.model_server import JSON, ModelServer, llama_cpp, lm_studio, ollama, vllm
from tests.sites.serving import Answer, serving
from tests.walker.cli.program import NO_BROWSER, closed_address, walker_here
from tests.walker.cli.test_ask_with_a_model import KEY, QUESTION, clever
from walker.demo.server import serve_institute
from walker.testing.chat_server import Endpoint

PORTS = "WALKER_MODEL_PORTS"
NOBODY = closed_address().rstrip("/").rpartition(":")[2]
"""A port at which nobody listens."""
ASKED = ("ask", "http://127.0.0.1:9/", "Who?")


def test_a_found_model_walks_is_recorded_by_name_and_address_and_replays_without_a_server(tmp_path: Path) -> None:
    with serve_institute() as root, served(Endpoint(clever)) as endpoint:
        port = endpoint.base_url.removesuffix("/v1").rpartition(":")[2]
        keys = {"OPENAI_API_KEY": KEY, PORTS: f"{NOBODY},{port}"}
        ended = walker_here("ask", root, QUESTION, "--model", "auto", "--json", folder=tmp_path, **keys)
        assert ended.code == 0, ended.err
        sent = {asked.headers.get("authorization", "") for asked in endpoint.asked}
    outcome = json.loads(ended.out)
    assert outcome["answer"] == "1.8 m"
    assert f"walker: model: test-model of OpenAI-compatible at {endpoint.base_url} (" in ended.err
    assert all(KEY not in key for key in sent), "a key of another service is not for a server that was looked for"
    recorded = json.dumps(json.loads((tmp_path / outcome["trace"] / "run.json").read_text(encoding="utf-8")))
    assert '"test-model"' in recorded
    assert endpoint.base_url in recorded
    assert '"auto"' not in recorded
    replayed = walker_here("replay", outcome["trace"], folder=tmp_path, **{PORTS: NOBODY})
    assert (replayed.code, "equal" in replayed.out + replayed.err) == (0, True), replayed.err


def test_with_no_server_it_is_refused_in_one_line_and_nothing_is_started(tmp_path: Path) -> None:
    ended = walker_here(*ASKED, "--model", "auto", folder=tmp_path, **{PORTS: NOBODY})
    assert (ended.code, ended.out) == (2, "")
    assert ended.line.startswith(
        f"walker: --model auto: no model server answers on this machine (port {NOBODY}). Start one"
    )
    assert "--model NAME --base-url URL" in ended.line
    assert list(tmp_path.iterdir()) == []


def test_with_json_the_refusal_is_json_too(tmp_path: Path) -> None:
    ended = walker_here(*ASKED, "--model", "auto", "--json", folder=tmp_path, **{PORTS: NOBODY})
    assert ended.code == 2
    assert "no model server answers" in json.loads(ended.out)["error"]


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"/v1/models": {"data": []}}, "has no chat model"),
        ({"/v1/models": {"data": [{"id": "nomic-embed-text"}]}}, "has no chat model"),
        ({"/v1/models": Answer('{"error": "key"}', 401, JSON)}, "with a key only"),
    ],
)
def test_a_server_without_a_model_is_named_in_the_refusal(
    answers: dict[str, object], said: str, tmp_path: Path
) -> None:
    with serving(ModelServer(answers)) as site:
        ended = walker_here(*ASKED, "--model", "auto", folder=tmp_path, **{PORTS: site.port})
    assert ended.code == 2
    assert f" at {site.address}/v1 " in ended.line
    assert said in ended.line


def test_base_url_names_the_one_server_that_is_asked(tmp_path: Path) -> None:
    with serving(vllm()) as named, serving(llama_cpp()) as other:
        flags = ("--model", "auto", "--base-url", f"{named.address}/v1", "--max-tokens", "-1")
        ended = walker_here(*ASKED, *flags, folder=tmp_path, **{PORTS: other.port})
        assert other.asked == []
    assert ended.code == 2, "the limit is refused once the model is found"
    assert f"model: Qwen/Qwen3-4B-Instruct-2507 of vLLM at {named.address}/v1" in ended.err


def test_a_server_on_another_machine_is_not_asked(tmp_path: Path) -> None:
    ended = walker_here(*ASKED, "--model", "auto", "--base-url", "https://models.example/v1", folder=tmp_path)
    assert ended.code == 2
    assert "looks on this machine only" in ended.err


def test_ports_that_are_none_are_refused(tmp_path: Path) -> None:
    ended = walker_here(*ASKED, "--model", "auto", folder=tmp_path, **{PORTS: "11434,http"})
    assert (ended.code, "WALKER_MODEL_PORTS=11434,http" in ended.err) == (2, True)


def test_the_doctor_suggests_the_best_of_all_servers_where_none_is_named(tmp_path: Path) -> None:
    with serving(ollama()) as first, serving(lm_studio()) as second:
        ports = {PORTS: f"{first.port},{NOBODY},{second.port}"}
        ended = walker_here("doctor", "--json", folder=tmp_path, **ports, **NO_BROWSER)
    (check,) = [check for check in json.loads(ended.out)["checks"] if check["name"] == "model"]
    assert (check["ok"], check["detail"]) == (True, "none is named")
    assert check["advice"].startswith("--model auto takes the best here: qwen/qwen3.5-9b of LM Studio at ")
    assert "context 20,000 tokens, takes pictures, reasons first), because it is in memory already" in check["advice"]


def test_the_doctor_says_that_there_is_no_server(tmp_path: Path) -> None:
    ended = walker_here("doctor", "--json", folder=tmp_path, **{PORTS: NOBODY}, **NO_BROWSER)
    (check,) = [check for check in json.loads(ended.out)["checks"] if check["name"] == "model"]
    assert (check["ok"], check["detail"]) == (True, "none is named, and no model server answers on this machine")


def test_a_vision_model_is_found_beside_the_model_that_reads(tmp_path: Path) -> None:
    with serving(ollama(running=(("qwen3:8b", 16384),))) as site:
        flags = ("--model", "auto", "--vision-model", "auto", "--max-tokens", "-1")
        ended = walker_here(*ASKED, *flags, folder=tmp_path, **{PORTS: site.port})
    first, second = [line for line in ended.err.splitlines() if line.startswith("walker: ")][:2]
    assert first.startswith("walker: model: qwen3:8b of Ollama at ")
    assert second.startswith("walker: vision-model: gemma3:4b of Ollama at ")


def test_without_a_model_that_takes_pictures_a_vision_model_is_refused(tmp_path: Path) -> None:
    with serving(vllm()) as site:
        ended = walker_here(*ASKED, "--vision-model", "auto", folder=tmp_path, **{PORTS: site.port})
    assert (ended.code, "has no model that takes pictures" in ended.line) == (2, True)


def test_the_doctor_tries_a_vision_model_that_it_found(tmp_path: Path) -> None:
    with serving(ollama()) as site:
        asked = ("doctor", "--json", "--vision-model", "auto")
        ended = walker_here(*asked, folder=tmp_path, **{PORTS: site.port}, **NO_BROWSER)
        assert "POST /v1/chat/completions" in site.asked
    assert f"walker: vision-model: gemma3:4b of Ollama at {site.address}/v1 (" in ended.err
    (check,) = [check for check in json.loads(ended.out)["checks"] if check["name"] == "vision"]
    assert "no model 'gemma3:4b'" in check["detail"], "this server lists it, and cannot chat"


def test_looking_at_a_page_refuses_a_vision_model_that_is_nowhere(tmp_path: Path) -> None:
    flags = ("--find", "the button", "--vision-model", "auto", "--json")
    ended = walker_here("look", "http://127.0.0.1:9/", *flags, folder=tmp_path, **{PORTS: NOBODY})
    assert (ended.code, "no model server answers" in json.loads(ended.out)["error"]) == (2, True)


def test_keys_of_other_services_are_not_sent_to_a_vision_model_that_was_looked_for(tmp_path: Path) -> None:
    keys = {"OPENAI_API_KEY": KEY, "WALKER_API_KEY": "", "WALKER_VISION_KEY": ""}
    with serving(ollama()) as site:
        walker_here("doctor", "--vision-model", "auto", folder=tmp_path, **keys, **{PORTS: site.port}, **NO_BROWSER)
        assert site.keys
        assert all(KEY not in key for key in site.keys)
