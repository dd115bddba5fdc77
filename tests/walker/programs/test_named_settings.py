"""The names of settings are those of the flags, and mean the same."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import Any

import click
import pytest

from walker.asking import ask
from walker.cli.commands import main
from walker.errors import UsageError
from walker.programs.crawl_request import CrawlOptions
from walker.programs.named_settings import SettingNames, settings_by_name
from walker.settings import Components, Settings

NOT_SETTINGS = {
    "ask": {
        "json",
        "resume",
        "batch",
        "site",
        "out",
        "jobs",
        "on",
        "quiet",
        "verbose",
        "help",
        "secret",
        "vision-model",
        "share-models",
        "model-gpu",
    },
    "crawl": {
        "check",
        "schema",
        "json",
        "verbose",
        "quiet",
        "help",
        "headed",
        "list",
        "no-probe",
        "metrics",
        "workers",
        "on",
    },
}
"""What belongs to a terminal or to a file of questions; secrets are named by variables there, by value here."""


def flags(name: str) -> set[str]:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    longest = {max(option.opts, key=len).lstrip("-") for option in options}
    return {name.replace("-", "_") for name in longest - NOT_SETTINGS[name]}


def test_every_flag_of_a_walk_and_of_a_crawl_is_a_name() -> None:
    of_a_question = set(signature(ask).parameters)
    assert {"picture", "box"} <= of_a_question
    assert flags("ask") - set(SettingNames.__annotations__) - of_a_question == set()
    assert flags("crawl") - set(CrawlOptions.__annotations__) == set()


@pytest.mark.parametrize(
    ("named", "place", "value"),
    [
        ({"max_pages": 7}, "limits.pages", 7),
        ({"max_seconds": 9.0}, "limits.seconds", 9.0),
        ({"max_depth": 2}, "limits.depth", 2),
        ({"effort": "low"}, "limits.pages", 8),
        ({"effort": "low", "max_pages": 9}, "limits.pages", 9),
        ({"tau": 61.0}, "threshold", 61.0),
        ({"tau2": 41.0}, "look_threshold", 41.0),
        ({"lang": "zh"}, "language", "zh"),
        ({"gate": "paper"}, "gate", "paper"),
        ({"runs": "here"}, "runs_folder", Path("here")),
        ({"no_record": True}, "record", False),
        ({"record": "network"}, "network", True),
        ({"sync": True}, "durability", "step"),
        ({"no_scout": True}, "scout_pages", 0),
        ({"picture_model": "here"}, "picture_model", Path("here")),
        ({"picture_search": "http://a.example/find"}, "picture_search.url", "http://a.example/find"),
        ({"secrets": ["a", "b"]}, "secrets", ("a", "b")),
        ({"without": ["vision"]}, "components", Components(vision=False)),
        ({"model": "m", "key": "k"}, "model.key", "k"),
        ({"model": "m", "max_cost": 2.0, "price": (0.1, 0.2)}, "model.max_money", 2.0),
        ({"model": "m", "code": "monty"}, "code", "monty"),
        ({"model": "m", "tools": ["ocr"]}, "tools", ("ocr",)),
        ({"model": "m", "one_by_one": True}, "model.order", "in-turn"),
        ({"model": "m", "base_url": "http://a/v1", "vision_model": "v"}, "vision.base_url", "http://a/v1"),
    ],
)
def test_a_name_sets_what_its_flag_sets(named: dict[str, Any], place: str, value: object) -> None:
    settings: Any = settings_by_name(Settings(), named)  # type: ignore[arg-type]
    for step in place.split("."):
        settings = getattr(settings, step)
    assert settings == value


@pytest.mark.parametrize(
    "named",
    [
        {"max_pages": 0},
        {"sure": 2.0},
        {"effort": "huge"},
        {"scope": "world"},
        {"base_url": "http://a"},
        {"tua": 3},
        {"max_pages": "many"},
        {"model": "auto"},
    ],
)
def test_what_cannot_be_is_refused(named: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        settings_by_name(Settings(), named)  # type: ignore[arg-type]
