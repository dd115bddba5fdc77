from __future__ import annotations

import json
import re
from pathlib import Path

from perception.icons import icon_reader
from tools import icon_training
from tools.icon_training.icon_sets import SETS

PACKAGE, TRAINING = Path(icon_reader.__file__).parent, Path(icon_training.__file__).parent
SOURCES = (PACKAGE / "SOURCES.md").read_text(encoding="utf-8")


def table() -> dict[str, tuple[str, str, str]]:
    """Package to version, licence and use."""
    rows = re.findall(r"^\| ([@\w/-]+) \| ([\d.]+) \| (.+?) \| [\d,]+ \| (\w+) \|$", SOURCES, re.MULTILINE)
    return {package: (version, licence, use) for package, version, licence, use in rows}


def test_every_set_is_listed_in_the_version_that_was_used() -> None:
    pinned = json.loads((TRAINING / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {package: version for package, (version, _, _) in table().items()} == pinned
    assert {icon_set.package: icon_set.use for icon_set in SETS} == {name: use for name, (_, _, use) in table().items()}


def test_every_licence_lets_the_reader_be_shipped() -> None:
    assert {licence.split(" ")[0] for _, licence, _ in table().values()} <= {"ISC", "MIT", "Apache-2.0", "CC-BY-4.0"}


def test_attribution_is_given_where_the_licence_asks_for_it() -> None:
    attribution = SOURCES.partition("## Attribution")[2]
    assert "Font Awesome Free" in attribution
    assert "creativecommons.org/licenses/by/4.0" in attribution
    assert "Changed:" in attribution


def test_the_unseen_set_is_not_learnt_from() -> None:
    assert {icon_set.use for icon_set in SETS if icon_set.name == "phosphor"} == {"test"}
