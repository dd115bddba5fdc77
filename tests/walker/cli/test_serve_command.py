"""`walker serve`: what cannot be is refused in one line, before anything is served."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walker.cli.program import walker_here


@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        (["--host", "0.0.0.0"], {}, "WALKER_SERVE_TOKEN"),
        (["--allow", "https://docs.example.org/"], {}, "is no host"),
        ([], {"WALKER_WEBHOOK_SECRET": "short"}, "WALKER_WEBHOOK_SECRET"),
        (["--profile", "nobody"], {"XDG_DATA_HOME": "/there/is/none"}, "no saved login nobody"),
        (["--host", "192.0.2.1"], {"WALKER_SERVE_TOKEN": "a-token"}, "cannot listen there"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(tmp_path: Path, arguments: list[str], variables: dict[str, str], said: str) -> None:
    given = ("serve", "--port", "0", "--data", str(tmp_path / "data"), *arguments)
    ended = walker_here(*given, folder=tmp_path, **variables)
    assert ended.code == 2
    assert said in ended.line
