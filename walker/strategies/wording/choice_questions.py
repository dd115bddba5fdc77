"""Words one of two things that a question offers to choose from as a question of its own: of "Which is newer, A or B, and with
which version did it come?" both halves are "With which version did A come?"."""

from __future__ import annotations

import re

from memory.words import lazy_re
from walker.strategies.wording.quantity_questions import how_of

BESIDES = lazy_re.compile(
    r"(?:,\s+and\s+(?:(?:by|in|at|on|with|from|since|to)\s+)?(?:which|what|how|when|where)"
    r"|,?\s+(?:et|und|y)\s+(?:(?:de|à|en|dans|depuis|quel|um|in|an|ab|seit|por|con|desde|a)\s+)?"
    r"(?:quel(?:le)?s?|combien|quand|où|wie ?viele?|welche\w*|wann|wo|cu[aá]nt[oa]s?|cuál(?:es)?|qué|cuándo|dónde))\b[^,]*$",
    re.IGNORECASE,
)
"""What a comparing question wants besides the thing that it chooses: ", and by how many minutes", " et à quelle heure"."""
_MOMENT = lazy_re.compile(
    r"^\W*(?:et|und|y)\s+(?P<asked>à quelle (?:heure|date)|quel jour|quand|en quelle année"
    r"|um wie ?viel uhr|wann|an welchem tag|in welchem jahr"
    r"|a qué hora|en qué (?:fecha|año)|qué día|cuándo|de (?:qué|cuándo))\b[^,]*$",
    re.IGNORECASE,
)
_WAS = {"fr": "a eu lieu", "de": "war", "es": "fue"}
_COMPARATIVE = (
    r"(?:more|most|fewer|less|least|larger|largest|higher|highest|older|oldest|earlier|earliest|later|latest|longer|newer"
    r"|newest|bigger"
    r"|shorter|smaller|lower|cheaper|younger|first|last|greater|\w+er)"
)
_TAIL = lazy_re.compile(
    r"^\W*and\s+(?P<asked>(?:(?:by|in|at|on|with|from|since|to)\s+)?(?:which|what|when|where|who|whose)\b.*)$",
    re.IGNORECASE,
)
_NAMES_IT = lazy_re.compile(r"^(?:which|what)\s+(?P<noun>[\w-]+)\s+(?:is|was)\s+(?:it|that)$", re.IGNORECASE)
_PRONOUN = lazy_re.compile(r"\b(?:it|they|that|this|he|she)\b", re.IGNORECASE)
_AT = lazy_re.compile(
    r"^(?:at|in|on|with)\s+(?:which|what)\s+(?:time|date|day|year|month|version|release)$", re.IGNORECASE
)
_OF_TWO = lazy_re.compile(
    rf"^(?P<said>.+?)\s+the\s+{_COMPARATIVE}\s+of\s+(?:the\s+|these\s+)?(?:two|three|both|these|them)\b.*$",
    re.IGNORECASE,
)
"""What did it to one of them: "version brought the earlier of two features"."""
_HAS_MORE = lazy_re.compile(rf"^(?P<verb>.+?)\s+(?:the\s+)?{_COMPARATIVE}\s+(?P<noun>[\w .-]+)$", re.IGNORECASE)
_IS_RANKED = lazy_re.compile(
    rf"^(?P<kind>.*?)\s*\b(?P<verb>is|are|was|were)\s+(?:the\s+)?(?P<rank>{_COMPARATIVE})\b(?P<rest>.*)$", re.IGNORECASE
)
_TIMED = lazy_re.compile(
    r"^(?:(?P<kind>(?!(?:is|are|was|were|has|had)\b).*?)\s+)?(?:(?P<aux>is|are|was|were|has"
    r"|had)\s+)?(?P<verb>\w+)\s+(?P<rank>earlier|later|first|last|sooner)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
_MORE = lazy_re.compile(r"more|most|fewer|fewest|less|least", re.IGNORECASE)
_PREPOSITION = lazy_re.compile(
    r"(?:in|on|at|for|from|to|with|by|among|under|of|after|before|during|per)\b", re.IGNORECASE
)
_OTHERWISE = lazy_re.compile(
    r"^(?!(?:has|have|had|contains?|holds?|offers?|uses?|needs?)\b)(?P<before>.+?)\s(?:the\s+)?(?P<rank>more|most|fewer|fewest|less|least|longer"
    r"|longest|faster|fastest|slower|slowest|higher|further|farther|deeper|bigger|larger|smaller|taller|wider|heavier|sooner)\b\s*"
    r"(?P<rest>(?!recent|specific).*)$",
    re.IGNORECASE,
)
"""What one of two things does more of than the other, whatever it does."""
_SOMEWHERE = lazy_re.compile(
    rf"^(?P<kind>.*?)\b(?P<aux>is|are|was|were|do|does|did|may|can|could|has|have|had)\s+(?P<said>.+?)\s+"
    rf"(?:(?:on|at)\s+)?(?:(?:the|an?)\s+)?(?P<rank>{_COMPARATIVE})\b\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_LASTED = lazy_re.compile(
    r"\b(?:took|takes|lasted|lasts|ran|runs)\b[^,]*\b(?:longer|shorter)\b"
    r"|\b(?:talk|session|lecture|workshop|presentation|meeting|conference|event|show|film|concert|course|class|break|match|tour|trip|journey"
    r"|crossing|flight|walk)\s(?:was|is)\s(?:the\s)?(?:longer|shorter)\b",
    re.IGNORECASE,
)
"""What takes time; a thing that is longer has a length."""
_DOING = lazy_re.compile(r"\w+ed|\w+s|came|come|began|begun|got|took|went|ran|open|held|built|made|born", re.IGNORECASE)
_TIME_RANKS = lazy_re.compile(
    r"older|oldest|newer|newest|younger|earlier|later|latest|first|last|more recent", re.IGNORECASE
)
_PERSON = lazy_re.compile(
    r"\b(?:person|man|woman|player|member|speaker|author|child|girl|boy|participant|brother|sister)s?\b", re.IGNORECASE
)
_VERSION = lazy_re.compile(r"\b(?:version|release)\b", re.IGNORECASE)
_THE_ONE = lazy_re.compile(r"^(?:that|the (?:first |last )?ones?)\s+", re.IGNORECASE)
_OF_THINGS = lazy_re.compile(r"\bof (?:the|these) (?:two |three )?(?P<noun>[\w-]+?)s\b", re.IGNORECASE)
_FIRST_NAMED = lazy_re.compile(
    r"^(?P<named>(?:the|a|an)\s+(?:[\w-]+\s+)??[\w-]+)\s+(?:with|of|in|on|from|about|for)\b", re.IGNORECASE
)


def choice_question(noun: str, tail: str, thing: str) -> str:
    """The question for one of two things; `noun`: what stands between the question word and the things, `tail`: what is wanted
    besides ("and at what time"), "" for nothing."""
    noun, thing = noun.strip(" ,:"), _named(thing.strip(" ,"), noun)
    if (asked := _of_tail(noun, tail, thing)) is not None:
        return asked
    if (of_two := _OF_TWO.match(noun)) is not None:
        return f"Which {of_two['said']} {thing}?"
    if _LASTED.search(noun):
        return f"How long did {thing} take?"
    if (ranked := _IS_RANKED.match(noun)) is not None:
        return _of_rank(ranked, thing)
    if (timed := _TIMED.match(noun)) is not None:
        return _of_time(timed, noun, thing)
    if (other := _OTHERWISE.match(noun)) is not None:
        return _of_other(other, thing)
    if (more := _HAS_MORE.match(noun)) is not None:
        if re.fullmatch(r"has|have|had|contains?|holds?|offers?|uses?|needs?", more["verb"].split()[-1], re.IGNORECASE):
            return f"How many {more['noun']} does {thing} have?"
        return f"{thing} {more['verb']} which {more['noun']}?"
    return f"{thing} {noun}?"


def place_question(noun: str, at: str, thing: str) -> str:
    """The question for one of two places or times to choose from: of "In which season do the shows begin earlier" "When do
    the shows begin in winter?"; `at`: the preposition of the question word."""
    match = _SOMEWHERE.match(noun)
    thing = (
        thing.strip(" ,") if not at or _PREPOSITION.match(thing.strip(" ,")) else f"{at.lower()} {thing.strip(' ,')}"
    )
    if match is None:
        return f"{noun.strip()} {thing}?"
    aux, said, rank, rest = (match[name].strip() for name in ("aux", "said", "rank", "rest"))
    if _MORE.fullmatch(rank):
        asked = f"How many {rest}" if rest and not _PREPOSITION.match(rest) else f"How much {rest}".strip()
        return f"{asked} {aux} {said} {thing}?"
    if rank.lower() in ("cheaper", "dearer", "costlier"):
        return f"How much does {said} cost {f'{rest} ' if rest else ''}{thing}?"
    asking = how_of(rank) or ("When" if _TIME_RANKS.match(rank) else "How")
    return " ".join(f"{asking} {aux} {said} {rest} {thing}?".split())


def same_question(noun: str, thing: str) -> str:
    """The question for one of two things that are asked to have the same of something."""
    return f"What is the {noun.strip()} of {thing}?"


def european_choice(language: str, noun: str, thing: str) -> str:
    """The question for one of two things that German, French and Spanish choose from by an adjective."""
    thing = re.sub(r"^du\s", "le ", thing) if language == "fr" else thing
    for pattern, wording in _BY_ADJECTIVE[language]:
        if (match := pattern.search(noun)) is not None:
            return wording.format(thing=thing, **match.groupdict())
    return f"{thing}: {noun}?"


_KINDS = {
    "de": lazy_re.compile(r"\bwelche\w* (?:der (?:beiden|zwei) )?(?P<noun>(?-i:[A-ZÄÖÜ])[\w-]+)", re.IGNORECASE),
    "fr": lazy_re.compile(
        r"\bquel(?:le)? (?P<noun>(?!est\b|a\b)[\w-]+)|\b(?:lequel|laquelle) de(?:s|ces) (?:deux )?(?P<many>[\w-]+?)s\b",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(
        r"\bqué (?P<noun>(?!es\b|fue\b|se\b)[\w-]+)|\bcuál de (?:los|las|estos|estas) (?:dos )?(?P<many>[\w-]+?)s\b",
        re.IGNORECASE,
    ),
}
_ONE_OF_KIND = {
    "de": lazy_re.compile(
        r"^(?P<article>der|die|das)\s(?=(?:am|an|auf|aus|bei|beim|für|im|in|mit|nach|über|vom|von|vor|zum|zur)\s)"
    ),
    "fr": lazy_re.compile(r"^(?P<article>celui|celle)(?:-ci|-là)?(?=\s)"),
    "es": lazy_re.compile(r"^(?P<article>el|la)\s(?=(?:de|del|en|para|por|sobre|con|que)\s)"),
}
"""One thing of the kind that the question names: "celle sur Rust" of "quelle conférence"."""


def one_of_kind(language: str, noun: str, thing: str) -> str:
    """A thing with the noun that the question has for both: "la conférence sur Rust" of "celle sur Rust"."""
    one, kind = _ONE_OF_KIND[language].match(thing), _KINDS[language].search(noun)
    if one is None or kind is None:
        return thing
    article = {"celui": "le", "celle": "la"}.get(one["article"], one["article"])
    named = kind["noun"] or kind.groupdict().get("many") or ""
    return f"{article} {named} {thing[one.end() :].strip()}"


def _patterns(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((lazy_re.compile(pattern, re.IGNORECASE), wording) for pattern, wording in pairs)


_BY_ADJECTIVE = {
    "de": _patterns(
        (r"\b(?:dauert\w*|läuft|lief)\b.*\b(?:länger|kürzer)", "Wie lange dauerte {thing}?"),
        (r"\b(?:älter|jünger|neuer|zuerst|früher|später)\b", "Wann war {thing}?"),
        (r"\b(?:näher|weiter)\b(?P<rest>.*)", "Wie weit ist {thing}{rest} entfernt?"),
        (r"\bversion\b", "In welcher Version kam {thing}?"),
        (r"\b(?:mehr|weniger) (?P<unit>[\w-]+)", "Wie viele {unit} hat {thing}?"),
        (r"\b(?:länger|kürzer)", "Wie lang ist {thing}?"),
        (r"\b(?:höher|niedriger|tiefer)", "Wie hoch ist {thing}?"),
        (r"\b(?:größer|kleiner)", "Wie groß ist {thing}?"),
        (r"\b(?:schwerer|leichter)", "Wie schwer ist {thing}?"),
        (r"\b(?:teurer|billiger|günstiger)", "Wie viel kostet {thing}?"),
    ),
    "fr": _patterns(
        (r"\b(?:dure\w*)\b", "Combien de temps dure {thing} ?"),
        (r"\b(?:plus|moins) (?:près|loin|proche)(?P<rest>.*)", "À quelle distance est {thing}{rest} ?"),
        (r"\bversion\b", "Dans quelle version {thing} ?"),
        (
            (
                r"\b(?P<said>(?:a été|ont été|est|sont|a|ont) \w+(?:ée?s?|ie?s?|ue?s?|erte?s?)) (?:en |l[ea]s? )?(?:premi\w+|derni\w+"
                r"|avant)"
                r"(?P<rest>.*)"
            ),
            "Quand {thing} {said}{rest} ?",
        ),
        (
            r"\b(?:ancien(?:ne)?|vieux|vieille|récente?|nouveau|nouvelle|jeune|tôt|tard|(?:premi|derni)(?:er|ère)|avant|d['’]abord)\b",
            "De quand date {thing} ?",
        ),
        (r"\b(?:plus|moins) (?:de |d['’])(?P<unit>[\w-]+)", "Combien de {unit} a {thing} ?"),
        (r"\b(?:long(?:ue)?|courte?)\b", "Combien mesure {thing} ?"),
        (r"\b(?:haute?|grande?|petite?|basse?)\b", "Combien mesure {thing} ?"),
        (r"\b(?:lourde?|légère?)\b", "Combien pèse {thing} ?"),
        (r"\b(?:chère?|cher|élevée?)\b", "Combien coûte {thing} ?"),
        (r"\bplus (?P<how>\w+)$", "À quel point {thing} est-il {how} ?"),
        (r"\b(?:plus|moins) (?P<how>.+)", "{thing} : combien, {how} ?"),
    ),
    "es": _patterns(
        (r"(?P<said>(?:es|son|está|están) [\w-]+) por (?:más|menos) tiempo", "¿Por cuánto tiempo {said} {thing}?"),
        (r"\b(?:dur\w+)\b", "¿Cuánto tiempo dura {thing}?"),
        (r"\bmás (?:cerca|lejos)(?P<rest>.*)", "¿A qué distancia está {thing}{rest}?"),
        (r"\bversión\b", "¿En qué versión llegó {thing}?"),
        (
            r"\b(?P<said>(?:fue |se )\w+|\w{3,}ó) (?:antes|después|primero|(?:en )?último)(?P<rest>.*)",
            "¿Cuándo {said} {thing}{rest}?",
        ),
        (
            r"\b(?:antigu[oa]|viej[oa]|reciente|nuev[oa]|joven|primer[oa]|antes|después|tarde)\b",
            "¿De cuándo es {thing}?",
        ),
        (r"\b(?:más|menos) (?P<unit>(?!larg|cort|alt|baj|car|grand)[\w-]{4,}s)\b", "¿Cuántos {unit} tiene {thing}?"),
        (r"\b(?:larg[oa]|cort[oa]|alt[oa]|baj[oa]|grande|mayor|menor|pequeñ[oa])\b", "¿Cuánto mide {thing}?"),
        (r"\b(?:pesad[oa]|liger[oa])\b", "¿Cuánto pesa {thing}?"),
        (r"\b(?:car[oa]|barat[oa])\b", "¿Cuánto cuesta {thing}?"),
    ),
}


def _of_tail(noun: str, tail: str, thing: str) -> str | None:
    match = _TAIL.match(tail)
    if match is None:
        return None
    asked = match["asked"].strip(" ?.,")
    if (named := _NAMES_IT.match(asked)) is not None:
        ranked = _IS_RANKED.match(noun)
        kind = ranked["kind"].strip() if ranked is not None else ""
        if kind:
            return f"Which {kind} is {thing}?"
        return None if named["noun"].lower() in noun.lower() else f"Which {named['noun']} is {thing}?"
    if _AT.match(asked):
        return f"{asked[0].upper()}{asked[1:]} was {thing}?"
    if _PRONOUN.search(asked):
        filled = _PRONOUN.sub(lambda _: thing, asked, count=1)
        return f"{filled[0].upper()}{filled[1:]}?"
    return None


def _of_time(timed: re.Match[str], noun: str, thing: str) -> str:
    verb, rest = timed["verb"], timed["rest"]
    if timed["aux"] is None and not _DOING.fullmatch(verb):
        return f"When: {thing} {noun[: timed.start('rank')].strip()}{rest}?"
    if verb.lower() in ("came", "come", "happened"):
        return f"When was {thing}{rest}?"
    return f"When {timed['aux'] or 'did'} {thing} {verb}{rest}?"


def _of_other(other: re.Match[str], thing: str) -> str:
    before, rank, rest = (other[name].strip() for name in ("before", "rank", "rest"))
    if _MORE.fullmatch(rank):
        asked = f"How many {rest}" if rest and not _PREPOSITION.match(rest) else f"How much {rest}".strip()
    else:
        asked = " ".join(filter(None, (how_of(rank) or "How", rest)))
    return f"{asked}: {thing} {before}?"


def _of_rank(ranked: re.Match[str], thing: str) -> str:
    kind, rank, rest = ranked["kind"].strip(), ranked["rank"], ranked["rest"]
    if _VERSION.search(kind):
        return f"Which {kind} {ranked['verb']} {thing}?"
    if kind and re.fullmatch(r"old(?:er|est)|younger", rank, re.IGNORECASE) and not _PERSON.search(kind):
        return f"When {ranked['verb']} {thing} founded or built?"
    if how := how_of(rank):
        return f"{how} {ranked['verb']} {thing}{rest}?"
    if _TIME_RANKS.match(rank):
        return f"When {ranked['verb']} {thing}{rest}?"
    return f"{thing} {ranked['verb']} {rank}{rest}?"


def _named(thing: str, noun: str) -> str:
    """The thing with its noun in place of "that" and "the one": "the talk on tides" of "that on tides" among "the two talks"."""
    again, things = _THE_ONE.match(thing), _OF_THINGS.search(noun)
    return f"the {things['noun']} {thing[again.end() :]}" if again is not None and things is not None else thing


def moment_besides(language: str, tail: str, thing: str) -> str | None:
    """The question for one of two things of which the tail wants to know when it was; None where it asks anything else.

    >>> moment_besides("de", ", und wann?", "der Umzug")
    'Wann war der Umzug?'
    """
    found = _MOMENT.match(tail)
    if found is None or language not in _WAS:
        return None
    asked = found["asked"]
    if asked.lower().startswith("de "):
        asked = "cuándo"
    verb, start = _WAS[language], "¿" if language == "es" else ""
    end = " ?" if language == "fr" else "?"
    return f"{start}{asked[0].upper()}{asked[1:]} {verb} {thing.strip(' ,')}{end}"
