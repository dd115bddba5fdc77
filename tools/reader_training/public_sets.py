"""Public sets of questions with the texts that answer them, in one form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from lxml import html

LONG_ANSWER = 160
"""Characters of an answer that is a paragraph rather than a span."""
AROUND = (50, 400)
"""Characters kept before and behind an answer in a paper of many pages."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and the accepted answers, none where the text does not say."""

    question: str
    answers: tuple[str, ...] = ()


class AskedText(msgspec.Struct, frozen=True, kw_only=True):
    """A text with its questions, and what it is part of."""

    title: str
    text: str
    asked: tuple[Asked, ...]


def read_set(form: str, file: Path, random: Random) -> Iterator[AskedText]:
    """The texts of one file. Raises `ValueError` for an unknown form."""
    if form == "squad-pages":
        yield from _explorer_page(file)
    elif form == "squad":
        yield from _squad(json.loads(file.read_text(encoding="utf-8")))
    elif form == "squad-long":
        yield from _parts_of_papers(json.loads(file.read_text(encoding="utf-8")), random)
    elif form == "qed":
        yield from (one for line in file.read_text(encoding="utf-8").splitlines() for one in _qed(json.loads(line)))
    else:
        raise ValueError(f"{form}: no such form of a set; see sources.json")


def _explorer_page(file: Path) -> Iterator[AskedText]:
    """Of a page of SQuAD's explorer. Version 2 repeats what version 1 asks, so only what has no answer is taken of it."""
    document = html.fromstring(file.read_text(encoding="utf-8"))
    title = "".join(document.xpath('//h1[@id="title"]/text()')).replace("_", " ")
    is_second = "v2.0" in str(file)
    for wrap in document.xpath('//div[@class="para-wrap"]'):
        asked = []
        for each in wrap.xpath('.//div[@class="qa-wrap"]'):
            question = each.xpath('.//*[@class="question"]')[0].text_content().strip()
            answers = tuple(span.text_content() for span in each.xpath('.//span[@class="answer"]'))
            has_none = bool(each.xpath('.//*[@class="no-answer"]'))
            if has_none if is_second else answers:
                asked.append(Asked(question=question, answers=() if has_none else answers))
        yield AskedText(title=title, text=wrap.xpath(".//pre")[0].text_content(), asked=tuple(asked))


def _squad(document: dict[str, Any]) -> Iterator[AskedText]:
    for article in document["data"]:
        for paragraph in article["paragraphs"]:
            asked = tuple(
                Asked(question=one["question"], answers=tuple(answer["text"] for answer in one["answers"]))
                for one in paragraph["qas"]
            )
            yield AskedText(title=article.get("title", ""), text=paragraph["context"], asked=asked)


def _parts_of_papers(document: dict[str, Any], random: Random) -> Iterator[AskedText]:
    for article in document["data"]:
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            for one in paragraph["qas"]:
                answer = one["answers"][0]
                if len(answer["text"]) >= LONG_ANSWER:
                    continue
                start = max(0, answer["answer_start"] - random.randint(*AROUND))
                end = answer["answer_start"] + len(answer["text"]) + random.randint(*AROUND)
                part = text[text.find(" ", start) + 1 if start else 0 : end]
                asked = Asked(question=one["question"], answers=(answer["text"],))
                yield AskedText(title=text[:90].split("\n")[0], text=part, asked=(asked,))


def _qed(line: dict[str, Any]) -> Iterator[AskedText]:
    text = _joined(line["paragraph_text"])
    answers = tuple(_joined(one[0]["string"]) for one in line["original_nq_answers"] if one)
    held = tuple(one for one in answers if one in text)
    if held:
        asked = Asked(question=line["question_text"], answers=held)
        yield AskedText(title=line["title_text"], text=text, asked=(asked,))


def _joined(tokens: str) -> str:
    """Text of tokens with spaces between them, as it was written."""
    tokens = re.sub(r"([(\[])\s+", r"\1", tokens)
    return re.sub(r"\s+([,.;:!?)\]])", r"\1", tokens).replace(" - ", "-").replace(" 's", "'s")
