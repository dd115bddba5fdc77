"""Facts of sentences with a defined pattern, in English, German, French and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evaluation.building.facts.fact import Amount, Expansion, Happened, Located
from evaluation.building.facts.lines import is_answer
from evaluation.building.facts.sentence_patterns import AMOUNT, FRAGMENT, HAPPENED, HAS, LOCATED, SHORT, SMALL
from evaluation.building.tree import HarvestedPage

Stating = Happened | Amount | Located | Expansion

_NO_SUBJECT = frozenset(
    "it he she they we you i this that these those there here its his her their our my if when while as for in on at after"
    " before since although because but and or so then which what who where each every one another some most many other"
    " both all such with by from es er sie wir ich hier dort wenn als mit nach vor seit dies diese dieser dieses il elle"
    " ils elles on nous vous ce cet cette ces ici quand si dans pour par également auch also however thus"
    " am im an auf aus bei beim bis durch für gegen hinter neben ohne trotz über um unter vom von während wegen zu zum zur zwischen"
    " anlässlich aufgrund dank laut gemäß ab bereits erst schließlich zunächst danach dann darauf später zudem außerdem"
    " during despite among within without through under over near about against until later finally eventually initially today"
    " lors depuis pendant après avant sous sur chez entre vers malgré selon à au aux en durant dès puis enfin cependant".split()
)
"""First words of what is no subject, or none that can be understood without the sentences before."""
_ARTICLES = frozenset("the a an der die das ein eine le la les un une".split())
_CONTEXT = frozenset(
    "first second third last other same previous next above below following new latter former current resulting given"
    " erste zweite andere obige folgende premier première deuxième suivant suivante".split()
)
"""Of a subject that refers to its context."""
_ADVERBS = frozenset("also now only already currently still just then often usually auch nur noch aussi déjà".split())
_ZH_NO_SUBJECT = re.compile(r"^[这那该此其本我你他她它并且而但]|^目前|^以及")
_CLAUSE = re.compile(r"\b(?:that|which|who|dass|welche\w?|qui|que|dont|if|when|and|or|but)\b")
_SENTENCES = re.compile(r"(?<=[a-zà-ÿ0-9)\]”\"»][.!])\s+(?=[A-ZÀ-Þ„«“])|(?<=[。！])\s*")


def prose_facts(page: HarvestedPage, language: str) -> Iterator[Stating]:
    """The facts of the sentences of a page."""
    for passage in page.passages:
        if passage.kind not in ("paragraph", "item", "definition", "quote"):
            continue
        if language in ("en", "de", "fr"):
            yield from _expansions(page, passage.text)
        text = passage.text
        if language == "en" and len(text) <= 120:  # "Spider type. 2 decks. No redeal.": fragments, not sentences
            yield from _fragments(page, text)
        for sentence in _SENTENCES.split(text):
            if len(sentence) <= 400:
                yield from _of_sentence(page, sentence.strip(), language)


def _fragments(page: HarvestedPage, text: str) -> Iterator[Amount]:
    for fragment in text.rstrip(".").split(". ") if text.endswith(".") else ():
        match = FRAGMENT.match(fragment)
        if match is not None and (match["unit"].endswith("s") or match["number"] in ("1", "one")):
            yield Amount(page=page.key, value=match["number"], quote=text, subject="", verb="", unit=match["unit"])


def _of_sentence(page: HarvestedPage, sentence: str, language: str) -> Iterator[Stating]:
    happened = HAPPENED[language].search(sentence)
    if happened and (subject := _subject(happened)):
        yield Happened(
            page=page.key,
            value=happened["year"],
            quote=sentence,
            subject=subject,
            verb=happened["verb"],
            auxiliary=happened["aux"],
        )
    amount = AMOUNT[language].search(sentence)
    if amount and (subject := _subject(amount)):
        verb = HAS[language][amount["verb"]]
        yield Amount(
            page=page.key, value=amount["number"], quote=sentence, subject=subject, verb=verb, unit=amount["unit"]
        )
    for pattern in LOCATED[language]:
        located = pattern.search(sentence)
        if located and is_answer(located["place"]):
            yield from _located(page, sentence, located)


def _located(page: HarvestedPage, sentence: str, found: re.Match[str]) -> Iterator[Located]:
    parts = found.groupdict()
    if "np" not in parts:
        yield Located(page=page.key, value=parts["place"], quote=sentence, subject="", verb="")
        return
    subject, verb = _subject(found), parts["verb"]
    if "done" in parts:  # "took place": "did {np} take place"
        auxiliary = {"took": "did", "takes": "does", "will take": "will", "will be": "will"}.get(verb, verb)
        done = "take place" if parts["done"] == "place" else parts["done"]
        verb = f"{auxiliary} {{np}} {'be ' if verb == 'will be' else ''}{done}"
    if subject:
        yield Located(page=page.key, value=parts["place"].strip(), quote=sentence, subject=subject, verb=verb)


def _subject(found: re.Match[str]) -> str:
    """The subject of a sentence, "" if it can only be understood from its context."""
    subject = " ".join(found["np"].split())
    words = subject.casefold().split()
    if words[0] in _ARTICLES and (len(words) < 3 or _CONTEXT.intersection(words)):
        return ""
    if (
        words[-1] in _ADVERBS
        or words[0] in _NO_SUBJECT
        or _ZH_NO_SUBJECT.match(subject)
        or _CLAUSE.search(subject)
        or len(words) > 8
    ):
        return ""
    return subject


def _expansions(page: HarvestedPage, text: str) -> Iterator[Expansion]:
    for match in SHORT.finditer(text):
        words = re.split(r"[ -]", match["words"])
        letters = [letter.casefold() for letter in match["short"] if letter.isupper()]
        for start in range(len(words)):
            rest = words[start:]
            heads = [word[0].casefold() for word in rest if word not in SMALL]
            if rest[0] not in SMALL and heads == letters and len(letters) >= 2:
                expansion = _from_word(match["words"], start)
                quote = text[max(0, match.start() - 120) : match.end() + 60]
                quote = quote[quote.find(" ") + 1 :] if match.start() > 120 else quote
                yield Expansion(page=page.key, value=expansion, quote=quote.strip(), short=match["short"])
                break


def _from_word(text: str, number: int) -> str:
    """The text from its word of that number on, the first being 0."""
    places = [0, *(match.end() for match in re.finditer(r"[ -]", text))]
    return text[places[number] :]
