"""A model may read further relations of things out of the sentences of their pages; each reply is kept, so that a build goes on."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec

from evaluation.asking import NoReply, ask_for
from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.picture_set.stage_file import StageFile
from evaluation.building.picture_set.told_relations import ToldRelation, believed
from evaluation.building.visual.graph import Entity
from evaluation.prompts import request_of
from walker.seams.protocols import ChatModel

PAGE_CHARS = 6000
"""Of a page that a model is shown."""
MOST_LABELS = 24
"""Labels of the site that it is told, the most frequent first: relations of several things need the same words."""


class RelationsReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model reads on a page."""

    relations: tuple[ToldRelation, ...]


class RelationReader:
    """A chat model with its name."""

    def __init__(self, chat: ChatModel, model: str) -> None:
        self._chat, self._model = chat, model

    async def read(self, thing: Entity, text: str, labels: tuple[str, ...]) -> str:
        """The relations of a thing as JSON, none where the model gives nothing that can be read. Raises `EndpointUnusable`."""
        values = {"name": thing.name, "text": text, "labels": labels}
        request = request_of("read_relations", values, model=self._model, language=thing.language, max_tokens=800)
        try:
            reply = await ask_for(self._chat, request, RelationsReply)
        except NoReply:
            reply = RelationsReply(relations=())
        return msgspec.json.encode(reply).decode()


async def learn(site: SiteMaterial, stages: StageFile, reader: RelationReader) -> None:
    """Add to what is known of a site what a model reads on the pages of its things."""
    labels = _labels(site)
    told: dict[str, tuple[ToldRelation, ...]] = {}
    for one in site.pages:
        thing = site.knowledge.graph.entities.get(one.page.key)
        if thing is None or thing.form != "thing":
            continue
        asked = _Asked(name=thing.name, text=one.page.text[:PAGE_CHARS], labels=labels)
        said = await stages.asked("relations", asked, partial(reader.read, thing, asked.text, labels))
        told[one.page.key] = msgspec.json.decode(said, type=RelationsReply).relations
    site.learn(believed(told, site))


def _labels(site: SiteMaterial) -> tuple[str, ...]:
    """What the site itself calls relations of its things, the most frequent first."""
    stated = Counter(one.relation.label for one in site.knowledge.graph.triples if one.relation.kind == "stated")
    return tuple(label for label, _ in stated.most_common(MOST_LABELS))


class _Asked(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    text: str
    labels: tuple[str, ...]


msgspec.json.Decoder(RelationsReply)  # described at import: docs/design/msgspec.md
