"""Which service `--search` means, and what is said of a description that cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest

from walker.errors import UsageError
from walker.run_setup import recorded_settings, restored_settings
from walker.search.service_file import read_service, searxng_at, secrets_of_service
from walker.settings import Beyond, SearchService, Settings

YAML = """
# A search of ours.
url: "https://search.example/v1?q={query}&count={most}"
results: web.results
link: link
snippet: description
key: QUINCE_KEY
header: "X-Token: {key}"
"""
TOML = """
url = "https://search.example/v1?q={query}&count={most}"
results = "web.results"
link = "link"
snippet = "description"
key = "QUINCE_KEY"
header = "X-Token: {key}"
"""


@pytest.mark.parametrize(("name", "text"), [("ours.yaml", YAML), ("ours.toml", TOML), ("ours", "\ufeff" + YAML)])
def test_a_file_describes_any_json_search(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    service = read_service(str(tmp_path / name), {"QUINCE_KEY": "fig"}.__getitem__)
    assert service == SearchService(
        name=name,
        url="https://search.example/v1?q={query}&count={most}",
        results="web.results",
        link="link",
        snippet="description",
        header="X-Token: {key}",
        key="fig",
        key_name="QUINCE_KEY",
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("url: [", "does not describe a search"),
        ("just words", "does not describe a search"),
        ("url: http://a.example/?q={query}\nlinks: x", "unknown field `links`"),
        ("results: x", "missing required field `url`"),
        ("url: http://a.example/search", "url has no {query}"),
        ("url: http://a.example/?q={query}&l={lang}", "{lang} stands for nothing"),
        ("url: ftp://a.example/?q={query}", "url is no http or https address"),
        ("url: http://{query}.example/", "the host of url cannot hold a place"),
        ("url: http://a.example/?q={query}\nkey: QUINCE_KEY", "key and {key} belong together"),
        ("url: http://a.example/?q={query}&k={key}", "key and {key} belong together"),
        (
            "url: http://a.example/?q={query}&k={key}\nkey: UNSET",
            "UNSET is not in the environment. Set it: export UNSET=",
        ),
        ("url: http://a.example/?q={query}\nheader: 'Host: x'", "header is set by Walker itself"),
        ("x" * 70_000, "too large"),
        ("url: &a [*a]", "does not describe a search"),
    ],
)
def test_what_a_file_says_wrong_is_one_line_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        read_service(str(path), lambda _: "")
    assert str(raised.value).startswith(f"{path}: ")
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)
    assert raised.value.advice


@pytest.mark.parametrize(
    ("named", "told"),
    [
        (
            "nowhere.yaml",
            "nowhere.yaml: the file cannot be read (No such file or directory). Give the address of a SearXNG",
        ),
        ("ftp://a.example", "is no http or https address"),
        ("http://", "is not the address of a SearXNG"),
        ("http://a.example:99999", "not a valid address"),
        ("http://a.example/search?q=x", "another search is described by a file"),
        ("http://me:secret@a.example/#x", "http://a.example/#x"),
    ],
)
def test_what_is_neither_an_address_nor_a_file_is_one_line(named: str, told: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_service(named, lambda _: "")
    assert told in str(raised.value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("http://127.0.0.1:8888", "http://127.0.0.1:8888/search?q={query}&format=json"),
        ("HTTPS://Search.example/searx/", "https://search.example/searx/search?q={query}&format=json"),
        ("http://[::1]:8888/search", "http://[::1]:8888/search?q={query}&format=json"),
        ("http://a.example/{x}", "http://a.example/%7Bx%7D/search?q={query}&format=json"),
    ],
)
def test_an_address_is_that_of_a_searxng(address: str, url: str) -> None:
    service = read_service(address, lambda _: "")
    assert (service.kind, service.url) == ("searxng", url)


def test_keys_and_passwords_are_secrets_and_never_recorded() -> None:
    service = searxng_at("http://me:se%20cret@a.example/")
    assert secrets_of_service(service) == ("bWU6c2UgY3JldA==", "se cret")
    assert "@" not in service.name + service.url
    settings = Settings(beyond=Beyond(search=service, also=("b.example",), open=True))
    recorded = recorded_settings(settings)
    assert "bWU6c2UgY3JldA" not in str(recorded)
    kept = restored_settings(recorded, Settings())
    assert kept.beyond.also == ("b.example",)
    assert kept.beyond.open
    assert kept.beyond.search is not None
    assert (kept.beyond.search.url, kept.beyond.search.key) == (service.url, "")
    assert restored_settings(recorded, settings).beyond.search == service, "named again, it has its key again"


def test_a_walk_that_goes_nowhere_else_records_nothing_of_it() -> None:
    assert "beyond" not in recorded_settings(Settings())
    assert restored_settings(recorded_settings(Settings()), Settings()).beyond == Beyond()
