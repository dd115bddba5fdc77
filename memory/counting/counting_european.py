"""Parses from a German, French, Spanish, Portuguese or Italian question how many items it asks for, by the same rules as for English:
what a page lists is counted, what it states as a figure is not.

Tables instead of grammars: the words that ask, the words that list, and the words after which the noun has ended.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memory.counting.asked_number import NOTHING, Asked

_FLAGS = re.IGNORECASE
_HIDDEN = "▢"
_QUOTED = re.compile(r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|»[^«]+«|‚[^‘]+‘|(?<!\w)'[^']+'(?!\w)")


class _Tongue(NamedTuple):
    """The words of one language, as patterns."""

    name: re.Pattern[str]
    """Asks for items by number or for all of them: "nenne"."""
    numbers: str
    """Number words from two on, separated by spaces."""
    between: str
    """What may stand between the asking word, the number and the noun."""
    every: str
    how_many: str
    lists: str
    """What a page does with the things that it lists, or a thing that has parts: "stehen", "gibt es"."""
    end: str
    """Words after which the noun has ended."""
    figures: str
    """Nouns that are measured or stated, not listed."""


_GERMAN = _Tongue(
    name=re.compile(
        r"\b(?:nennen?|nenn|liste|listen|z[äa]hlen?|gib|geben|finden?|schreiben?|w[äa]hlen?)\b(?:\s+(?:sie|mir|uns|bitte))*",
        _FLAGS,
    ),
    numbers="zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    between=r"(?:mindestens|wenigstens|genau|die|der|den|von|beliebige|verschiedene|namen|titel|ersten|letzten)",
    every=r"(?:alle|sämtliche|jeden|jede|jedes)",
    how_many=r"\bwie\s+viele\s+(?:verschiedene\s+|der\s+|von\s+den\s+)?",
    lists=r"stehen|steht|gibt\s+es|aufgef[üu]hrt|gelistet|aufgelistet|genannt|verzeichnet|enth[äa]lt|umfasst|listet|nennt|zeigt|geh[öo]ren|hat|haben|sind\s+(?:auf|in|unter|im)\b|finden\s+(?:statt|sich)|fanden",
    end=r"des|der|die|das|dem|den|in|im|auf|aus|bei|mit|von|vom|zu|zum|zur|für|an|am|unter|nach|stehen|steht|gibt|sind|waren|wurden|werden|hat|haben|enth[äa]lt|umfasst|listet|nennt|zeigt|geh[öo]ren|finden|fanden|und|oder|auf",
    figures=r"(?:kubik|quadrat|kilo|zenti|milli)?meter|minuten|stunden|tage|wochen|monate|jahre|euro|prozent|grad|tonnen|hektar|liter|menschen|personen|leute|einwohner\w*|besucher\w*|teilnehmer\w*|mitglieder|zuschauer\w*|wörter|zeichen|seiten|punkte|stimmen|haushalte",
)
_FRENCH = _Tongue(
    name=re.compile(
        r"\b(?:nomme[zr]?|cite[zr]?|donne[zr]?|liste[zr]?|énum[èé]re[zr]?|trouve[zr]?|indique[zr]?)\b(?:[\s-]+(?:moi|nous))?",
        _FLAGS,
    ),
    numbers="deux trois quatre cinq six sept huit neuf dix onze douze",
    between=r"(?:au\s+moins|exactement|les|des|de|noms?|titres?|premiers|premières|derniers)",
    every=r"(?:tous|toutes|chaque|chacun(?:e)?)(?:\s+(?:les|des))?",
    how_many=r"\bcombien\s+d(?:e\s+|['’])",
    lists=r"figurent|sont|liste|contient|compte|comprend|cite|y\s+a|présente|mentionne|appartiennent|répertorie|ont\s+(?:eu\s+)?lieu",
    end=r"de|du|des|d['’]|dans|sur|en|au|aux|à|qui|que|dont|pour|par|avec|figurent|sont|liste|contient|compte|comprend|cite|y|présente|mentionne|et|ou|la|le|les|ont",
    figures=r"(?:kilo|centi|milli)?mètres|minutes|heures|jours|semaines|mois|ans|années|euros|degrés|tonnes|hectares|litres|personnes|gens|habitants|visiteurs|participants|membres|mots|caractères|pages|points|voix|fois",
)
_SPANISH = _Tongue(
    name=re.compile(
        r"\b(?:nombr[ae]|menciona|mencione|enumer[ae]|indica|indique|cit[ae]|da|dé|list[ae]|encuentra|escrib[ae])\b",
        _FLAGS,
    ),
    numbers="dos tres cuatro cinco seis siete ocho nueve diez once doce",
    between=r"(?:al\s+menos|por\s+lo\s+menos|exactamente|los|las|de|nombres?|títulos?|primer[oa]s)",
    every=r"(?:todos|todas|cada)(?:\s+(?:los|las|un[oa]\s+de))?",
    how_many=r"\bcu[áa]nt[oa]s\s+",
    lists=r"hay|figuran|aparecen|tiene|tienen|contiene|enumera|incluye|menciona|lista|pertenecen|se\s+(?:listan|enumeran|mencionan|celebraron)",
    end=r"de|del|en|que|con|por|para|a|al|hay|figuran|aparecen|tiene|tienen|contiene|enumera|incluye|menciona|pertenecen|se|y|o|la|el|los|las|lista",
    figures=r"(?:kil[óo]|cent[íi]|mil[íi])?metros|minutos|horas|d[íi]as|semanas|meses|años|euros|grados|toneladas|hect[áa]reas|litros|personas|habitantes|visitantes|participantes|miembros|socios|palabras|caracteres|p[áa]ginas|puntos|votos|veces",
)
_PORTUGUESE = _Tongue(
    name=re.compile(
        r"\b(?:cit[ea]|nomei[ea]|list[ea]|enumer[ea]|indi(?:que|ca)|mencione|d[êe]|diga|encontre|escreva)\b", _FLAGS
    ),
    numbers="dois|duas três|tres quatro cinco seis sete oito nove dez onze doze",
    between=r"(?:pelo\s+menos|no\s+mínimo|exatamente|os|as|dos|das|de|nomes?|títulos?|primeir[oa]s)",
    every=r"(?:todos|todas|cada)(?:\s+(?:os|as|um|uma))?",
    how_many=r"\bquant[oa]s\s+",
    lists=r"h[áa]|existem|constam|aparecem|tem|têm|contém|lista|inclui|menciona|pertencem|são\s+(?:listad|mencionad|citad|apresentad)[oa]s|est(?:ão|avam)\s+list",
    end=r"de|do|da|dos|das|em|no|na|nos|nas|que|com|por|para|a|ao|há|existem|constam|aparecem|tem|têm|contém|lista|inclui|menciona|pertencem|são|foram|estão|e|ou|o",
    figures=r"(?:quil[ôo]|cent[íi]|mil[íi])?metros|minutos|horas|dias|semanas|meses|anos|euros|reais|graus|toneladas|hectares|litros|pessoas|habitantes|visitantes|participantes|membros|s[óo]cios|palavras|caracteres|p[áa]ginas|pontos|votos|vezes|alunos|estudantes",
)
_ITALIAN = _Tongue(
    name=re.compile(r"\b(?:nomina|elenca|elenchi|indica|indichi|cita|citi|d[àa]i?|trova|scrivi)(?:mi)?\b", _FLAGS),
    numbers="due tre quattro cinque sei sette otto nove dieci undici dodici",
    between=r"(?:almeno|esattamente|i|gli|le|dei|delle|degli|nomi|titoli|prim[ie])",
    every=r"(?:tutti|tutte|ogni)(?:\s+(?:i|gli|le))?",
    how_many=r"\bquant[ie]\s+",
    lists=r"ci\s+sono|sono|figurano|compaiono|ha|hanno|contiene|elenca|comprende|cita|appartengono",
    end=r"di|del|della|dei|delle|degli|in|nel|nella|nei|nelle|sul|sulla|che|con|per|da|dal|a|al|alla|ci|sono|figurano|compaiono|ha|hanno|contiene|elenca|comprende|cita|appartengono|e|o|il|la",
    figures=r"(?:chilo|centi|milli)?metri|minuti|ore|giorni|settimane|mesi|anni|euro|gradi|tonnellate|ettari|litri|persone|abitanti|visitatori|partecipanti|membri|soci|parole|caratteri|pagine|punti|voti|volte",
)
_TONGUES = {"de": _GERMAN, "fr": _FRENCH, "es": _SPANISH, "pt": _PORTUGUESE, "it": _ITALIAN}
SHORTEST_NOUN = 3
_HEAD_LAST = ("de",)
"""Languages whose adjectives stand before the noun."""


def read_european(question: str, language: str = "") -> Asked:
    """Mode, target and noun of a question, `NOTHING` if it does not count; `language` says which tongue is tried first."""
    text = _QUOTED.sub(_HIDDEN, question)
    order = sorted(_TONGUES, key=lambda code: code != language)
    for code in order:
        tongue = _TONGUES[code]
        found = _read_named(text, tongue, code) or _read_how_many(text, tongue, code)
        if found is not None:
            return found
    return NOTHING


def _read_named(text: str, tongue: _Tongue, code: str) -> Asked | None:
    asking = tongue.name.search(text)
    if asking is None:
        return None
    rest = text[asking.end() :]
    words = tongue.numbers.replace(" ", "|")
    number = re.match(
        rf"(?:\s+{tongue.between})*\s+(?P<number>\d{{1,3}}|{words})\b(?:\s+{tongue.between})*\s+(?P<rest>.+)",
        rest,
        _FLAGS,
    )
    if number is not None:
        target = _value(number["number"], tongue)
        noun = _noun(number["rest"], tongue, code)
        return Asked("quota", target, noun) if target > 1 and noun else None
    every = re.match(rf"(?:\s+{tongue.between})*\s+{tongue.every}\s+(?P<rest>.+)", rest, _FLAGS)
    noun = _noun(every["rest"], tongue, code) if every is not None else ""
    return Asked("exhaustive", 0, noun) if noun else None


def _read_how_many(text: str, tongue: _Tongue, code: str) -> Asked | None:
    match = re.search(tongue.how_many, text, _FLAGS)
    if match is None:
        return None
    rest = text[match.end() :]
    noun = _noun(rest, tongue, code)
    if not noun or re.fullmatch(tongue.figures, noun.rsplit(maxsplit=1)[-1], _FLAGS):
        return None
    return Asked("exhaustive", 0, noun) if re.search(rf"\b(?:{tongue.lists})", rest, _FLAGS) else None


def _noun(text: str, tongue: _Tongue, code: str) -> str:
    """The noun at the beginning of a text: in German with its adjectives, elsewhere its first word."""
    words: list[str] = []
    for word in re.split(r"\s+", text.strip()):
        bare = word.strip(".,;:?!()¿¡")
        if words and re.fullmatch(tongue.end, bare, _FLAGS):
            break
        if not re.fullmatch(r"[^\W\d_][\w'’-]*", bare):
            break
        words.append(bare)
        if bare != word:
            break
    if code not in _HEAD_LAST:
        named = bool(words) and len(words[0]) >= SHORTEST_NOUN and not re.fullmatch(tongue.end, words[0], _FLAGS)
        return words[0] if named else ""
    # German nouns begin with a capital: what follows the last one is a verb.
    last = max((place for place, word in enumerate(words) if word[0].isupper()), default=-1)
    return " ".join(words[: last + 1])


def _value(word: str, tongue: _Tongue) -> int:
    if word.isdigit():
        return int(word)
    numbers = tongue.numbers.split()
    return next((place for place, forms in enumerate(numbers, 2) if word.lower() in forms.split("|")), 0)
