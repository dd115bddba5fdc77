"""Links whose label does not say where they lead ("More...", "here"), and what they are about: the sentence, row, card or heading that
they stand in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict

from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Link, Observation

ABOUT_CHARS = 60
LEAST_ABOUT, LEAST_HEADING = 8, 3
"""Letters beside a link in its own block, and of the heading above, from which they tell what it is about: "Click" does not."""
MANY = 3
"""Pages that links with one label lead to from which it tells none of them apart."""
LONGEST_CARD = 60
"""Blocks of a card at most: further back none is sought."""
LABEL_CHARS = 40
"""A longer label says something by itself."""
_SIGNS = " |[](){}<>,;:·•–—-"
_VAGUE = lazy_re.compile(
    r"^\W*(?:(?:(?:read|learn|see|view|show|find out|discover|know)\s+)?(?:the\s+|full\s+)*"
    r"(?:more|details?|here|this|article|story|post|link|page)"
    r"|(?:click|tap|go|available)\s+here|continue(?:\s+reading)?|more\s+(?:info(?:rmation)?|details?|here)|info|open|view|visit|go"
    r"|(?:hier\s+)?(?:mehr|weiterlesen|weiter\s+lesen)|mehr\s+(?:lesen|erfahren|dazu|infos?|informationen)|(?:hier|zum\s+artikel|ansehen)"
    r"|lire\s+(?:la\s+suite|plus)|en\s+savoir\s+plus|(?:voir\s+)?plus|voir|ici|(?:plus\s+de\s+)?détails?|suite"
    r"|(?:leer|ver|saber)\s+más|más(?:\s+información)?|seguir\s+leyendo|aquí|detalles?|(?:leia|saiba|ler|ver|veja)\s+mais|mais|aqui|detalhes?"
    r"|leggi(?:\s+(?:tutto|di\s+più))?|(?:scopri\s+)?di\s+più|continua(?:\s+a\s+leggere)?|qui|dettagli"
    r"|(?:点击|點擊|查看|阅读|閱讀|了解|浏览)?(?:更多|详情|詳情|全文|详细|这里|這裡|此处|此處|这儿|原文)|点击查看|查看"
    r"|続きを読む|もっと(?:見る|読む)|詳細(?:は(?:こちら|ここ))?(?:を見る)?|詳しく(?:はこちら|見る)?|こちら|ここ)\W*$",
    re.IGNORECASE,
)


def is_vague(label: str) -> bool:
    """Whether a label says nothing of where its link leads.

    >>> is_vague("Read more »"), is_vague("[here]"), is_vague("查看详情"), is_vague("More boats")
    (True, True, True, False)
    """
    return len(label) <= LABEL_CHARS and _VAGUE.match(label) is not None


def subjects_of(observation: Observation) -> dict[int, str]:
    """By number of each link that its label does not tell, what it is about; those of which nothing else is known are left out."""
    leads: dict[str, set[str]] = defaultdict(set)
    for link in observation.links:
        if link.label and len(link.label) <= LABEL_CHARS:
            leads[link.label].add(link.url)
    vague = {label for label, urls in leads.items() if is_vague(label) or (len(urls) >= MANY and not label.isdigit())}
    told = [link for link in observation.links if link.label in vague]
    if not told:
        return {}
    cards, texts = _Cards(observation), _texts_without_links(observation, {link.block for link in told})
    found = ((link, _subject(link, texts, cards)) for link in told)
    return {link.id: about for link, about in found if about}


def _beside(link: Link, texts: dict[int, str]) -> str:
    """The words before the link in its own block, of a long text the last ones; those behind it where it begins the block."""
    text = texts.get(link.block, "")
    before = visible_text(text[max(0, link.start - 2 * ABOUT_CHARS) : link.start]).rstrip(_SIGNS)
    if _letters(before) < LEAST_ABOUT:
        return visible_text(text[link.end : link.end + 2 * ABOUT_CHARS])[:ABOUT_CHARS].strip(_SIGNS)
    told = before[-ABOUT_CHARS:]
    return told if len(before) <= ABOUT_CHARS or " " not in told else told.partition(" ")[2]


def _letters(text: str) -> int:
    """Letters and digits; a Chinese or Japanese one says as much as two."""
    return sum(1 + (letter >= "\u3040") for letter in text if letter.isalnum())


def _texts_without_links(observation: Observation, blocks: set[int]) -> dict[int, str]:
    """The texts of these blocks with spaces for the labels of their links, which say nothing of each other."""
    # Letter by letter: a block may hold thousands of links.
    letters = {number: list(observation.blocks[number - 1].text) for number in blocks if number}
    for link in observation.links:
        if link.block in letters and link.start < link.end:
            letters[link.block][link.start : link.end] = " " * (link.end - link.start)
    return {number: "".join(text) for number, text in letters.items()}


def _subject(link: Link, texts: dict[int, str], cards: _Cards) -> str:
    """The words beside the link in its sentence or row, else the name of its card, else the heading above."""
    around = _beside(link, texts)
    if _letters(around) >= LEAST_ABOUT and not is_vague(around):
        return around
    card = cards.name_at(link.block)
    if card and card != link.label and not is_vague(card):
        return card[:ABOUT_CHARS]
    heading = visible_text(link.heading)[:ABOUT_CHARS]
    return heading if _letters(heading) >= LEAST_HEADING else ""


class _Cards:
    """The cards and entries of a page by where they stand."""

    def __init__(self, observation: Observation) -> None:
        records = [record for records in observation.record_sets for record in records.records if record.first]
        # Of cards within cards the one that begins later is the inner one.
        self._records = sorted(records, key=lambda record: (record.first, -record.last))
        self._starts = [record.first for record in self._records]

    def name_at(self, block: int) -> str:
        """The name of the innermost card that the block stands in, "" for none."""
        for place in range(bisect_right(self._starts, block) - 1, -1, -1):
            record = self._records[place]
            if record.last >= block:
                return visible_text(record.name)
            if block - record.first > LONGEST_CARD:
                break
        return ""
