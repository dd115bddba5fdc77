"""A model may put questions into other words, as far as these say the same and give no name away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.building.harvesting import HarvestLimits
from evaluation.building.make import Site
from evaluation.building.picture_set.building import Folders, Helpers, PicturePlan, build_picture_set
from tests.evaluation.building.picture_set.harbour import harbour
from tests.sites.pages_on_loopback import serve
from walker.testing.fakes import ScriptedChat

SMOOTH = "The picture shows a ship. In which “Born in the year” was its “Builder” born?"
TEMPLATE = "What is given as “Born in the year” for the “Builder” of this ship in the picture?"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (json.dumps({"question": SMOOTH}), SMOOTH),
        (json.dumps({"question": SMOOTH.replace("a ship", "the Alba, Bora or Cirra")}), TEMPLATE),
        (json.dumps({"question": "In which “Born in the year” was its “Builder” born?"}), TEMPLATE),
        (json.dumps({"question": "When was the builder of the ship in the picture born?"}), TEMPLATE),
        ("I cannot do that.", TEMPLATE),
    ],
)
async def test_other_words_are_taken_where_they_pass_every_check(tmp_path: Path, said: str, kept: str) -> None:
    chat = ScriptedChat(lambda _: said)
    folders = Folders(store=tmp_path / "harvest", pictures=tmp_path / "pictures")
    with serve(harbour()) as base:
        plan = PicturePlan(sites=(Site(root=f"{base}/"),), levels=(1,), limits=HarvestLimits(driver="http"))
        built = await build_picture_set(plan, folders, Helpers.of(chat, "tiny"))
        born = {one.question for one in built.questions if "Born" in one.question}
        assert born == {kept}
        asked = len(chat.asked)
        again = await build_picture_set(plan, folders, Helpers.of(chat, "tiny"))
    assert again == built
    assert len(chat.asked) == asked, "what a model has said is kept"
