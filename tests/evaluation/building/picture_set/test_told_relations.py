"""A model may read relations out of sentences, as far as the pages say them in these words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaluation.building.harvesting import HarvestLimits
from evaluation.building.make import Site
from evaluation.building.picture_set.building import Folders, Helpers, PicturePlan, PictureSet, build_picture_set
from evaluation.building.picture_set.refreshing import PictureRefreshing, refresh_picture_set
from evaluation.dataset.files import load, save
from tests.evaluation.building.picture_set.harbour import harbour
from tests.sites.pages_on_loopback import serve
from walker.seams.chat import ChatRequest
from walker.testing.fakes import ScriptedChat

OWNERS = {"Alba": "Oda Renn", "Bora": "Nils Hage", "Cirra": "Oda Renn"}
LIMITS = HarvestLimits(driver="http")


def owned_ships(owners: dict[str, str]) -> dict[str, str | bytes]:
    """The harbour, whose pages say in a sentence to whom each ship belonged, and whose logs have that word too."""
    pages = harbour()
    for path, body in pages.items():
        if isinstance(body, str):
            named = re.sub(r"<p>(\w+) is a ship\.</p>", lambda found: _sentence(found[1], owners), body)
            pages[path] = named.replace("yard rigged", "yard rigged owner")
    return pages


def _sentence(name: str, owners: dict[str, str]) -> str:
    return f"<p>{name} is a ship. Its first owner was {owners[name]}, they say.</p>"


def said(quote: str, label: str = "owner") -> list[dict[str, str]]:
    found = re.search(r"owner was (\w+ \w+)", quote)
    return [{"label": label, "value": found[1], "quote": quote}] if found else []


def reader(change: dict[str, str]) -> ScriptedChat:
    """A model that reads the sentence on the page, with something of it changed."""

    def answer(request: ChatRequest) -> str:
        sentence = re.search(r"Its first owner was [^.]*\.", request.messages[-1].content)
        relations = said(sentence[0]) if sentence and (request.prompt or "").startswith("read_relations") else []
        return json.dumps({"relations": [one | change for one in relations]})

    return ScriptedChat(answer)


async def built(base: str, folder: Path, chat: ScriptedChat | None) -> PictureSet:
    plan = PicturePlan(sites=(Site(root=f"{base}/", name="harbour", base=f"{base}/"),), levels=(1,), limits=LIMITS)
    folders = Folders(store=folder / "harvest", pictures=folder / "pictures")
    return await build_picture_set(plan, folders, Helpers.of(chat, "tiny") if chat is not None else None)


def owned(done: PictureSet) -> list[str]:
    return [one.answers[0] for one in done.questions if "owner" in one.question]


async def test_what_sentences_say_leads_on_and_a_refresh_without_the_model_keeps_it(tmp_path: Path) -> None:
    pages = owned_ships(OWNERS)
    with serve(pages) as base:
        assert owned(await built(base, tmp_path / "plain", None)) == []
        chat = reader({})
        done = await built(base, tmp_path / "read", chat)
        assert {"1860", "1851"} <= set(owned(done))
        asked = len(chat.asked)
        assert await built(base, tmp_path / "read", chat) == done
        assert len(chat.asked) == asked, "what a model has read is kept"

        save(tmp_path / "set.jsonl", done.questions)
        old, sites = load(tmp_path / "set.jsonl"), {"harbour": f"{base}/"}
        refreshing = PictureRefreshing(old=old, sites=sites, limits=LIMITS)
        again = await refresh_picture_set(refreshing, Folders(store=tmp_path / "2", pictures=tmp_path / "pictures"))
        assert (again.kept, again.dropped) == (len(done.questions), ())

        pages |= owned_ships(OWNERS | {"Bora": "nobody at all"})
        later = await refresh_picture_set(refreshing, Folders(store=tmp_path / "3", pictures=tmp_path / "pictures"))
    gone = {one.id for one in done.questions} - {one.id for one in later.questions}
    assert gone == {one.id for one in done.questions if "owner" in one.question and one.hidden == ("Bora",)}
    assert gone


@pytest.mark.parametrize(
    "change",
    [
        {"quote": "Its only owner was Oda Renn."},
        {"value": "Tom Quay"},
        {"label": "captain"},
        {"value": ""},
    ],
)
async def test_what_a_page_does_not_say_in_these_words_is_not_believed(tmp_path: Path, change: dict[str, str]) -> None:
    with serve(owned_ships(OWNERS)) as base:
        plain = await built(base, tmp_path, None)
        told = await built(base, tmp_path, reader(change))
    texts = {one.question for one in told.questions}
    assert texts == {one.question for one in plain.questions}
