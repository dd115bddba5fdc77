"""Actions in words, for whoever reads the steps of a walk: a model, a refusal, the viewer; and what a search that was typed gave."""

from __future__ import annotations

import re
from typing import assert_never

from memory.focus import place_of
from memory.state import END
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.rules.counted_list import SCROLL
from walker.rules.tools.locating import GROUND
from walker.seams.actions import (
    Action,
    Click,
    Crop,
    FollowLink,
    GiveAnswer,
    GoBack,
    Ground,
    Jump,
    NextPage,
    ReadLetters,
    ReadPart,
    RunCode,
    Scroll,
    Search,
    SearchPicture,
    TypeText,
)

SAID_CHARS = 200
"""Most characters of a passage that says so; in a longer one the words speak of something else."""
_NOTHING = lazy_re.compile(
    r"\b(?:no|0|zero) (?:\w+ )?(?:results?|matches|hits|entries|documents|pages?)\b"
    r"|\bnothing (?:was )?found\b|\b(?:did not|didn't|does not) match any\b|\bnot match any\b|\bno \w+ found\b"
    r"|\b(?:keine?|0) (?:ergebnisse|treffer|resultate)\b|\bnichts gefunden\b|\baucun résultat\b|\b0 résultat"
    r"|\b(?:ningún|sin|no hay) resultados?\b|\bno se (?:ha |han )?encontr|\b(?:nenhum|sem) resultados?\b|\bnada encontrado\b"
    r"|\bnessun risultato\b|没有(?:找到|搜索到|相关)|未找到|无(?:结果|匹配)|0 ?(?:个|条)结果|沒有找到|見つかりません|ありませんでした",
    re.IGNORECASE,
)
"""How sites say that a search found nothing."""

LABEL_CHARS = 60
_VERBS: dict[type[Action], str] = {Crop: "crop", ReadLetters: "ocr", SearchPicture: "search by"}
_PLAIN: dict[type[Action], str] = {NextPage: "next page", Scroll: SCROLL, GoBack: "back", GiveAnswer: END}


_FOLLOWED = lazy_re.compile(r"follow \[(\d+)\]")


def followed_link(words: str) -> int:
    """The number of the link that these words of an action say was followed, 0 for any other.

    >>> followed_link("follow [3] “Boats”"), followed_link("jump to /boats")
    (3, 0)
    """
    said = _FOLLOWED.match(words)
    return int(said[1]) if said else 0


def in_words(action: Action, observation: Observation) -> str:
    """An action on an observed page as a few words, with the label of what it is done to; equal for equal actions on equal pages."""
    match action:
        case FollowLink(link_id=number):
            link = observation.link(number)
            return f"follow [{number}] {_quoted(link.label if link else '')}".rstrip()
        case Jump(url=url):
            return f"jump to {place_of(url) or url}"
        case Click(control_id=number):
            return f"click {number} {_name(observation, number)}".rstrip()
        case TypeText(control_id=number, text=text):
            return f"type {_quoted(text)} into {number} {_name(observation, number)}".rstrip()
        case ReadPart(part=part):
            return f"read part {part}"
        case Search():
            return f"search {' and '.join(map(_quoted, action.queries))}"
        case (
            Crop(image_index=number, box=box)
            | ReadLetters(image_index=number, box=box)
            | SearchPicture(image_index=number, box=box)
        ):
            verb = _VERBS[type(action)]
            return f"{verb} picture {number} {_picture(observation, number)}{[round(share, 3) for share in box]}"
        case RunCode() | Ground():
            return _tool_in_words(action)
        case NextPage() | Scroll() | GoBack() | GiveAnswer():
            return _PLAIN[type(action)]
        case _:
            assert_never(action)


def _tool_in_words(action: RunCode | Ground) -> str:
    if isinstance(action, Ground):
        return f"{GROUND}{_quoted(action.words)}"
    return f"run {_quoted(action.code)} over {', '.join(one.name for one in action.inputs)}"


def _name(observation: Observation, number: int) -> str:
    control = next((control for control in observation.controls if control.id == number), None)
    return _quoted(control.name) if control is not None else ""


def _picture(observation: Observation, number: int) -> str:
    words = observation.pictures[number].words if 0 <= number < len(observation.pictures) else ""
    return f"{_quoted(words)} " if words else ""


def _quoted(text: str) -> str:
    shown = visible_text(text)[:LABEL_CHARS]
    return f"“{shown}”" if shown else ""


def says_nothing_found(observation: Observation) -> bool:
    """Whether a passage of the page says that a search found nothing."""
    return any(_says_nothing(block.text) for block in observation.blocks if not block.hidden and not block.pictured)


def results_told(observation: Observation) -> str:
    """What the page that a search led to says of it ("no hits", "57 hits"), for whoever reads the steps; "" where it does not say."""
    if says_nothing_found(observation):
        return "no hits"
    return f"{observation.pagination.total} hits" if observation.pagination.total else ""


def _says_nothing(text: str) -> bool:
    return len(text) <= SAID_CHARS and _NOTHING.search(text) is not None
