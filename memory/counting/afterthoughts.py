"""Sentences behind a question that say how many of its things are wanted: "Which tools does the course show? Name three."

They hold a number or "all" and hardly anything else, so that the noun is that of the question before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from memory.counting.asked_number import Asked
from memory.words import lazy_re

_FLAGS = re.IGNORECASE
NOUN_WORDS = 4
"""Most words of a noun that stands alone behind a number: "Three pieces of equipment"."""


class Afterthought(NamedTuple):
    """What such sentences are made of in one language, as patterns."""

    ask: str
    """Verbs that ask, with those they ask for: "give me"."""
    numbers: str
    """Number words from two on, separated by spaces."""
    beside: str
    """Words that add nothing: "please", "of them", "at least", "examples"."""
    names_of: str
    """What is asked of each: "the names of"."""
    every: str
    more: str
    """Words that begin what is said further of the things: "from the table"."""
    them: str
    """Asks for the things without a number, which is for all of them: "list them"."""


AFTERTHOUGHTS = {
    "en": Afterthought(
        ask=r"(?:(?:can|could)\s+you\s+)?(?:name|list|give|tell|mention|state|cite|quote|pick|choose|find|say|specify|enumerate|write|provide"
        r"|identify|show|include|note|i\s+(?:want|need)|any)(?:\s+(?:me|us|down|out|up))*",
        numbers="two|both three four five six seven eight nine ten eleven twelve",
        beside=r"please|just|only|any|at\s+least|exactly|of\s+(?:them|these|those|each)|them|these|those|(?:the\s+)?examples?(?:\s+of\s+(?:them|these))?"
        r"|names?|will\s+do|are\s+enough|(?:is|are)\s+sufficient|suffice|by\s+name|will\s+suffice|the|in\s+total|or\s+more|different|such|ones",
        names_of=r"(?:the\s+)?[\w-]+s\s+of",
        every=r"all(?:\s+of)?|every(?:\s+single)?\s+one(?:\s+of)?|each(?:\s+one)?(?:\s+of)?|the\s+(?:whole|full|complete|entire)\s+list",
        more=r"with|and|from|by|as|in|on|for|that|which|who|according|together|along",
        them=r"(?:list|name|enumerate|mention|cite|state)\s+(?:them|those|these)(?:\s+(?:please|out|by\s+name))*",
    ),
    "de": Afterthought(
        ask=r"(?:nenn(?:en?)?|liste[nt]?|gib|geben|z[äa]hlen?|f[üu]hren?|schreiben?|sag(?:en?)?|finden?|w[äa]hlen?|zeigen?|ich\s+(?:will|brauche|m[öo]chte))"
        r"(?:\s+(?:sie|mir|uns|an|auf))*",
        numbers="zwei|beide|beiden drei vier fünf sechs sieben acht neun zehn elf zwölf",
        beside=r"bitte|und\s+zwar|nur|mindestens|wenigstens|genau|davon|von\s+(?:ihnen|diesen|denen)|sie|diese|beispiele|beispielhaft|namen|st[üu]ck|nennen|auflisten"
        r"|aufz[äa]hlen|angeben|auf|an|gen[üu]gen|reichen|die|beliebige|als\s+beispiele?|namentlich|insgesamt|einzeln|sind\s+gefragt",
        names_of=r"(?:die\s+)?\w+\s+von",
        every=r"alle[ns]?|s[äa]mtliche|(?:die|eine)?\s*(?:ganze|vollst[äa]ndige|komplette)\s+liste|jede[ns]?(?:\s+einzelnen?)?",
        more=r"mit|und|aus|samt|in|auf|die|laut|für|als|bei",
        them=r"(?:liste[nt]?|nenne[nt]?|nenn|z[äa]hlen?|f[üu]hren?)\s+(?:sie\s+)?(?:sie|diese)(?:\s+(?:bitte|auf|an|namentlich))*",
    ),
    "fr": Afterthought(
        ask=r"(?:nomme[zr]?|cite[zr]?|donne[zr]?|liste[zr]?|[ée]num[èé]re[zr]?|trouve[zr]?|indique[zr]?|mentionne[zr]?|dis|dites|pr[ée]cise[zr]?|je\s+veux)"
        r"(?:\W+(?:moi|nous|m['’]en|en|les|la))*",
        numbers="deux trois quatre cinq six sept huit neuf dix onze douze",
        beside=r"s['’]il\s+(?:vous|te)\s+pla[îi]t|svp|au\s+moins|exactement|seulement|d['’]entre\s+(?:eux|elles)|parmi\s+(?:eux|elles)|en|les|l['’]|(?:des\s+)?exemples?"
        r"|noms?|suffisent|suffiront|au\s+choix|des|à\s+citer|citer|nommer|donner|sont\s+demand[ée]e?s|par\s+leurs?\s+noms?|comme\s+exemples?",
        names_of=r"(?:les\s+|le\s+)?\w+\s+d(?:e|['’])",
        every=r"tous|toutes|chacun(?:e)?|la\s+liste\s+compl[èe]te|sans\s+exception",
        more=r"avec|et|par|dans|parmi|selon|qui|que|sur|comme|pour",
        them=r"(?:list|cit|nomm|[ée]num[èée]r)\w*-les",
    ),
    "es": Afterthought(
        ask=r"(?:n[óo]mbr|menci[óo]n|enum[ée]r|ind[íi](?:c|qu)|c[íi]t|l[íi]st|se[ñn][áa]l|escr[íi]b|encu[ée]ntr)(?:[aeé]|en|ar)?(?:me)?(?:l[oa]s)?|d[íi](?:me|ga)?(?:l[oa]s)?"
        r"|d[aáeé](?:me)?(?:l[oa]s)?|quiero",
        numbers="dos|ambos|ambas tres cuatro cinco seis siete ocho nueve diez once doce",
        beside=r"por\s+favor|al\s+menos|por\s+lo\s+menos|exactamente|solo|s[óo]lo|de\s+(?:ell[oa]s|est[oa]s)|(?:l[oa]s\s+)?ejemplos?|nombres?|bastan?(?:\s+con)?|cualquiera|l[oa]s"
        r"|con|a|a\s+elegir|como\s+ejemplo|son\s+suficientes",
        names_of=r"(?:l[oa]s\s+|el\s+)?\w+\s+de",
        every=r"tod[oa]s(?:\s+ell[oa]s)?|cada\s+un[oa]|la\s+lista\s+completa",
        more=r"con|y|de|en|seg[úu]n|que|para|por|como",
        them=r"(?:enum[ée]r|n[óo]mbr|c[íi]t|l[íi]st|menci[óo]n)\w+l[oa]s",
    ),
    "pt": Afterthought(
        ask=r"(?:cit[ea]|nomei[ea]|list[ea]|enumer[ea]|indi(?:que|ca)|mencion[ea]|d[êe]|d[áa]|diga|diz|escreva|aponte|quero)(?:-(?:me|[oa]s|nos))?",
        numbers="dois|duas|ambos|ambas três|tres quatro cinco seis sete oito nove dez onze doze",
        beside=r"por\s+favor|pelo\s+menos|no\s+m[íi]nimo|exatamente|apenas|s[óo]|del[ea]s|dess[ea]s|(?:[oa]s\s+)?exemplos?|nomes?|bastam?|quaisquer|[oa]s|à\s+escolha|como\s+exemplo",
        names_of=r"(?:[oa]s?\s+)?\w+\s+de",
        every=r"tod[oa]s(?:\s+el[ea]s)?|cada\s+um[a]?|a\s+lista\s+completa",
        more=r"com|e|de|em|por|segundo|que|para|como",
        them=r"(?:list|cit|nomei|enumer)\w*-[oa]s",
    ),
    "it": Afterthought(
        ask=r"(?:nomin[ai]|elenc(?:a|hi)|indic(?:a|hi)|cit[ai]|d[àa]i?|dimm?i|damm?i|trov[ai]|scriv[ai]|menzion[ai]|voglio)(?:me|mi)?(?:l[ie]|ne)?",
        numbers="due|entrambi|entrambe tre quattro cinque sei sette otto nove dieci undici dodici",
        beside=r"per\s+(?:favore|piacere)|almeno|esattamente|solo|soltanto|di\s+(?:ess[ie]|loro|quest[ie])|(?:gli\s+)?esemp(?:i|io)|nomi|bastano|ne|i|gli|le|li|a\s+scelta|come\s+esempi",
        names_of=r"(?:i|gli|le|il)\s+\w+\s+di",
        every=r"tutt[ie](?:\s+quant[ie])?|ciascun[oa]|ognun[oa]|l['’]elenco\s+completo",
        more=r"con|e|di|in|secondo|che|per|come|da",
        them=r"(?:elenc|nomin|cit)\w+l[ie]",
    ),
}  # fmt: skip


class Late(NamedTuple):
    """An afterthought: what is asked, the noun that it has itself, and the sentences that it is about."""

    asked: Asked
    noun: str
    of: tuple[str, ...]


_SENTENCE_END = lazy_re.compile(r"(?<=[?!？！])\s*(?=\S)|(?<=[^\W\d_]{4}\.)(?<!\bProf\.)\s+(?=\S)|\n+")
_TAIL = lazy_re.compile(r"\s*[,;:(–—]\s*(?=[^,;:(–—]*$)")
_ASKS = lazy_re.compile(r"[?？]")


def sentences_of(text: str) -> list[str]:
    """The sentences of a question."""
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def read_afterthought(before: Sequence[str], sentence: str, words: Afterthought) -> Late | None:
    """What a sentence says of those before it, None if it is a sentence of its own.

    The end of a sentence may say it too, if it asks: "Which tools are shown (name three)?"
    """
    form = _form(words)
    if before and (match := form.asking.match(sentence)):
        return _late(match, words, before)
    if before and _ASKS.search(before[-1]) and (match := form.bare.match(sentence)):
        return _late(match, words, before)
    if before and _ASKS.search(before[-1]) and form.them.match(sentence):
        return Late(Asked("exhaustive", 0, ""), "", tuple(before))
    tail = _TAIL.search(sentence)
    if tail is not None and tail.start() and (match := form.asking.match(sentence[tail.end() :])):
        return _late(match, words, (*before, sentence[: tail.start()]))
    return None


def last_asked(sentences: Sequence[str], noun_of: Callable[[str], str]) -> str:
    """The noun of the last of these sentences that asks for one."""
    return next((noun for text in reversed(sentences) if (noun := noun_of(text))), "")


class _Form(NamedTuple):
    asking: re.Pattern[str]
    bare: re.Pattern[str]
    them: re.Pattern[str]


@lru_cache(maxsize=16)
def _form(words: Afterthought) -> _Form:
    """The sentences with a verb that asks, and those of a number or "all" alone; a noun may stand in the latter, since a sentence that
    asks for a number of some noun is read as any other."""
    between = rf"(?:(?:{words.beside})(?!\w)\W*)*"
    number = rf"(?P<number>\d{{1,2}}|{words.numbers.replace(' ', '|')})(?!\w)(?![.,]\d)\W*"
    noun = rf"(?P<noun>(?:[^\W\d_][\w'’-]*\s+){{0,{NOUN_WORDS - 1}}}[^\W\d_][\w'’-]*)?"
    every = rf"(?P<every>{words.every})(?!\w)\W*"
    ask = rf"(?:{words.ask})(?!\w)\W*"
    names_of = rf"(?:(?:{words.names_of})\s+)?"
    rest = rf"(?:(?:{words.more})(?!\w).*)?\W*$"
    asking = rf"^\W*{between}{ask}{between}{names_of}{between}(?:{number}|{every}){between}{rest}"
    them = rf"^\W*{between}(?:{words.them})(?!\w)\W*{between}{rest}"
    bare = rf"^\W*{between}(?:{number}{between}(?:{noun}|(?<=,\s).*)|{every}{between})\W*$"
    return _Form(re.compile(asking, _FLAGS), re.compile(bare, _FLAGS), re.compile(them, _FLAGS))


def _late(match: re.Match[str], words: Afterthought, of: Sequence[str]) -> Late | None:
    if match["every"]:
        return Late(Asked("exhaustive", 0, ""), "", tuple(of))
    target = _value(match["number"], words)
    noun = match.groupdict().get("noun") or ""
    return Late(Asked("quota", target, ""), noun, tuple(of)) if target > 1 else None


def _value(word: str, words: Afterthought) -> int:
    if word.isdigit():
        return int(word)
    forms = words.numbers.split()
    return next((place for place, one in enumerate(forms, 2) if word.lower() in one.split("|")), 0)
