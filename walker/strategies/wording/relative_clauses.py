"""Finds the thing that a question describes by a clause, whatever its noun: "Where does the member work whose term began in 2026?"
asks first which member that is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from memory.words import lazy_re
from walker.strategies.wording.descriptions import ROLES, Described, verb_place_after_start

MANY_WORDS = 3
"""Least words of what is said of the thing."""
LONGEST_THING = 9
_LINK = r"(?:(?:in|at|on|by|for|from|with|to|of|under)\s+)?(?:who|whom|whose|which|that|where)"
_NO_NOUN = (
    r"(?:is|was|are|were|do|does|did|has|have|had|can|may|must|should|when|where|if|than|how|why|so|such|said|says?|know|means?"
    r"|called|the|an?|of|in|on|at|for|from|with|by|to|and|or|those|people|anyone|someone|as)"
)
_AT_END = lazy_re.compile(
    rf"(?P<before>.*?)\b(?P<art>the|that)\s+(?P<noun>(?:(?!{_NO_NOUN}\b|{_LINK}\b)[\w'’./&-]+\s+){{0,6}}?"
    rf"(?!{_NO_NOUN}\b|{_LINK}\b)[\w'’./&-]+),?\s+(?P<link>{_LINK})\s+(?P<said>.+?)[?. ]*$",
    re.IGNORECASE,
)
_BEHIND_VERB = lazy_re.compile(
    rf"(?P<before>.*?\b(?:did|does|do)\s+)(?P<rest>the\s.+?)\s+(?P<link>{_LINK})\s+(?P<said>.+?)[?. ]*$", re.IGNORECASE
)
_FINITE = lazy_re.compile(
    r"^(?:is|was|are|were|has|had|have|did|does|can|may|\w+(?:ed|s)|gave|won|led|wrote|made|held|built|came|took|got|ran|spoke|sang|taught"
    r"|began|became|found|went|kept|sold|bought|sent|read|knew|drew|chose|saw)\b"
)
"""How a clause begins that says what the thing itself does."""
_BEHIND_PARTICIPLE = lazy_re.compile(
    rf"(?P<before>(?:.*?\s)?(?:which|what|who|whom|when|where|how)\b.*?\b(?:has|have|had|was|were|is|are)\s+)(?P<art>the)\s+"
    rf"(?P<noun>(?:(?!{_NO_NOUN}\b|{_LINK}\b)[\w'’-]+\s+){{0,4}}?(?!{_NO_NOUN}\b|{_LINK}\b)[\w'’-]+),?\s+(?P<link>{_LINK})\s+"
    r"(?P<said>(?:[\w'’.&/-]+,?\s+){2,12}?[\w'’.&/-]+),?\s+"
    r"(?P<verb>(?:been\s+)?(?<!\bis\s)(?<!\bwas\s)(?<!\bare\s)(?<!\bwere\s)(?<!\bhas\s)(?<!\bhad\s)(?<!\bhave\s)(?<!\band\s)(?<!\bbe\s)(?<!\bbeing\s)(?<!\bbeen\s)(?<!\bnow\s)(?<!\balso\s)(?<!\bfirst\s)"
    r"(?:[a-z]{3,}(?:ed|ing)|done|held|built|made|won|sung|written|given|taken|spoken|found|led|taught|shown|kept|sold|bought|sent|read"
    r"|spent|become|grown|seen|begun|chosen|drawn|known)\b(?:\s[^?]*)?)[?. ]*$",
    re.IGNORECASE,
)
"""A perfect or a passive around what is described: "Where had the student who gave the talk done research?"."""
_NO_THING = lazy_re.compile(
    r"(?:\w+\s)?(?:first|last|only|ones?|least|most|latest|\w{3,}est)(?:\sones?)?", re.IGNORECASE
)
"""What is no kind of thing: "the oldest one that it supports"."""
_PEOPLE = lazy_re.compile(r"\b(?:those|people|anyone|someone|somebody|ones|everybody|everyone)\s*$", re.IGNORECASE)
_OF_THE = lazy_re.compile(r"(?P<head>.+\s(?:of|from|in))\s(?:the\s)?(?P<noun>.+)$", re.IGNORECASE)
_EMPTY = frozenset(
    "the a an of in is was are were it its they them for by to on at from did does do has have had be been with"
    " and or that this who whom whose"
    " called name names named nickname nicknamed term title word call known mean means stand stands used use uses one ones kind type"
    " what which who many much long wrote written made built put said found".split()
)
"""Words that ask no more of a thing than what it is."""
_ROLE_AT_END = lazy_re.compile(
    rf"(?P<before>(?:(?:at|by|for|from|in|of|on|under|with|to)\s+)?(?:which|what|where|when|how)\b.*?)\s+(?P<thing>the\s+(?:[\w'’&-]+\s+){{0,6}}?{ROLES}\s+"
    rf"(?:of|for|on|at|in)\s+.+?)[?. ]*$",
    re.IGNORECASE,
)
_DONE = lazy_re.compile(r"\s(?:born|raised|educated|buried|based|employed|trained)$", re.IGNORECASE)
_BEFORE_VERB = lazy_re.compile(r"\b(?:did|does|do)$", re.IGNORECASE)
_REACHED = lazy_re.compile(
    r"\b(?:phone|telephone|mobile|e-?mail|mail|number|address|room|office|doctorate|degree|university|country|city|town|home|work|works|come"
    r"|comes|live|lives|born|study|studied|company|employer)\b",
    re.IGNORECASE,
)
"""What is asked of a person who is named by a role."""
_BEFORE_NOUN = r"(?:der|die|das|dem|den|des|eine[rnms]?|ein)"
_GERMAN = lazy_re.compile(
    rf"(?P<before>.+?)\s{_BEFORE_NOUN}\s(?P<noun>[\w-]+(?:\s[\w-]+){{0,3}}?),\s(?P<rel>(?:(?:auf|in|zu|mit|für|von|bei|an|aus|über)\s)?"
    r"(?:der|die|das|dem|den|dessen|deren|denen))\s(?P<said>[^,?]+)[?. ]*$"
)
_GERMAN_WITHIN = lazy_re.compile(
    rf"(?P<before>.+?)\s(?P<art>{_BEFORE_NOUN})\s(?P<noun>[\w-]+(?:\s[\w-]+){{0,3}}?),\s(?P<rel>(?:(?:auf|in|zu|mit|für|von|bei|an|aus|über)\s)?"
    r"(?:der|die|das|dem|den|dessen|deren|denen))\s(?P<said>[^,?]+),\s(?P<after>(?!(?:und|oder|wenn|als|der|die|das)\b)[^?]+?)[?. ]*$"
)
"""What a clause describes in the midst: "Wann gibt die Person, die sich um die Seite kümmert, ihren Kurs?"."""
_GERMAN_ROLE = lazy_re.compile(
    r"(?P<before>(?:(?:an|in|auf|mit|für|seit|bei|unter|zu)\s)?(?:welche\w*|was|wie|wann|wo|woher)\b.*?)\s(?P<thing>(?:der|die|das|den|dem)\s"
    r"(?:\w+\s)?[\w-]*(?:[Cc]hef(?:in)?|[Ll]eiter(?:in)?|[Vv]orsitzenden?|[Ff]achreferent(?:in|en)?|[Kk]ommandant(?:in|en)?|[Tt]rainer(?:in)?"
    r"|[Pp]räsident(?:in|en)?|[Aa]nsprechpartner(?:in)?|[Bb]eauftragten?)\s(?:der|des|von|vom|für|im|am)\s.+?)[?. ]*$",
    re.IGNORECASE,
)
_FRENCH = lazy_re.compile(
    r"(?P<before>.+?)\s(?P<art>l['’]|(?:le|la|les|du|au|des|aux)\s)(?P<noun>(?!plus|moins|mieux|premi)[\w'’-]+"
    r"(?:\s(?!pour\b|avant\b|plus\b|moins\b|est\b)[\w'’-]+){0,4}?)\s(?P<rel>qui\s|que\s|qu['’]|dont\s|où\s"
    r"|(?:dans|pour|avec|sur|à)\s(?:lequel|laquelle|qui)\s)(?P<said>[^,?]+)[?. ]*$",
    re.IGNORECASE,
)
_SPANISH = lazy_re.compile(
    r"(?P<before>¿.+?)\s(?P<art>el|la|los|las|del|al)\s(?P<noun>(?!mismo|misma|más|menos|primer)[\w-]+(?:\s(?!para\b|si\b|más\b|menos\b|es\b|hay\b|tiene\b|tienen\b|hace\b)[\w-]+){0,4}?)\s(?P<rel>que|donde|cuy[oa]s?|quien"
    r"|(?:en|con|a|de)\s(?:el|la)\s(?:que|cual))\s(?P<said>[^,?]+)[?. ]*$",
    re.IGNORECASE,
)
_SPANISH_WHO = lazy_re.compile(
    r"(?P<before>¿.+?\s(?:de|a|con|por|para))\s(?P<rel>quien)\s(?P<said>[^,?]+)[?. ]*$", re.IGNORECASE
)
_SPANISH_ROLE = lazy_re.compile(
    r"(?P<before>¿(?:(?:a|en|de|con)\s)?(?:qué|cuál|cuándo|dónde)\b.*?)\s(?P<thing>(?:el|la|del|al)\s(?:jef[ea]|director[a]?|president[ea]"
    r"|coordinadora?|entrenadora?(?:\sprincipal)?|responsable|secretari[oa]|tesorer[oa])\s(?:del?|de la)\s.+?)[?. ]*$",
    re.IGNORECASE,
)
_FRENCH_PERSON = lazy_re.compile(r"personne|gens|celui|celle", re.IGNORECASE)
_SPANISH_PERSON = lazy_re.compile(r"persona|quien", re.IGNORECASE)
_FRENCH_PREPOSITION = lazy_re.compile(r"(?P<at>dans|pour|avec|sur|à)\s", re.IGNORECASE)
_SPANISH_PREPOSITION = lazy_re.compile(r"(?P<at>en|con|a|de)\s", re.IGNORECASE)
_HAN = lazy_re.compile(
    r"^(?P<said>.{4,}?)的(?P<noun>(?:那|这)[一]?[个位门种本场次款项档条家篇届]\w{1,6}?|商品|会员|账户|人|作者|讲者|演讲者|秘书|会长|社团|课程|老师|店|组长)"
    r"[，,]\s*(?P<outer>.*(?:什么|多少|几|谁|哪|多久|多长|多大).*)$"
)
_HAN_OF = lazy_re.compile(
    r"^(?P<said>[^，,的]{2,}?)的那(?P<noun>[个位门种本场次款]\w{1,3}?)(?P<outer>(?:用|是|在|有|叫|从|由|讲|要).*(?:什么|多少|几|谁|哪).*)$"
)


def clause_described(question: str) -> Described | None:
    """What a clause describes and what is asked of it; None where no more is asked than what it is."""
    for reader in _READERS:
        if (found := reader(question)) is not None:
            return found
    return None


def _behind_verb(question: str) -> Described | None:
    match = _BEHIND_VERB.match(question)
    if match is None or len(match["said"].split()) < MANY_WORDS:
        return None
    place = verb_place_after_start(match["rest"])
    thing = match["rest"][:place].strip() if place else ""
    verb = match["rest"][place:] if place else ""
    if (
        not thing
        or len(thing.split()) > LONGEST_THING
        or len(verb.split()) > 3
        or asks_no_more(f"{match['before']} {verb}")
    ):
        return None
    if _PEOPLE.search(verb):
        return None
    head, noun = "", thing.split(" ", 1)[1]
    if (part := _OF_THE.match(thing)) is not None:
        head, noun = f"{part['head']} ", part["noun"]
    inner = _which(noun, match["link"], match["said"])
    return Described(inner, f"{match['before'].strip()} {head}it {verb}?", match.start("rest"), match.end("said"))


def perfect_described(question: str) -> Described | None:
    """What a clause describes between the two words of a perfect or a passive, and what is asked of it."""
    match = _BEHIND_PARTICIPLE.match(question)
    if match is None or len(match["said"].split()) < MANY_WORDS or _FINITE.search(match["said"]) is None:
        return None
    inner = _which(match["noun"], match["link"], match["said"])
    return Described(inner, f"{match['before'].strip()} it {match['verb']}?", match.start("art"), match.end("said"))


def _at_end(question: str) -> Described | None:
    match = _AT_END.match(question)
    if match is None or len(match["said"].split()) < MANY_WORDS or asks_no_more(match["before"]):
        return None
    asks = re.search(r"\b(?:which|what|who|whom|when|where|how)\b", match["before"], re.IGNORECASE)
    if (
        asks is None
        or _NO_THING.fullmatch(match["noun"])
        or re.match(r"where\s(?:is|are|was)\b", match["link"] + " " + match["said"])
    ):
        return None
    inner = _which(match["noun"], match["link"], match["said"])
    return Described(inner, f"{match['before'].strip()} it?", match.start("art"), match.end("said"))


def _which(noun: str, link: str, said: str) -> str:
    """The thing as it is asked for: "At which meeting did she speak" of "the meeting at which she spoke"."""
    noun = re.sub(r"^one\s+(?=\S)", "", noun)
    words = link.lower().split()
    if link.lower() == "who":
        return f"Who is the {noun} who {said}?"
    if words[-1] == "whose":
        return f"Which {noun}'s {said}?"
    at = words[0] if len(words) > 1 else "in" if words[-1] == "where" else ""
    return f"{at.capitalize()} which {noun} {said}?" if at else f"Which {noun} {said}?"


def _french_inner(said: Mapping[str, str]) -> str:
    """The same in French, of the article, the noun, the relative pronoun and what is said.

    >>> _french_inner({"art": "la ", "noun": "salle", "rel": "où ", "said": "joue le club"})
    'Dans quelle salle joue le club ?'
    """
    noun, rel, rest = said["noun"].strip(), said["rel"].strip().lower(), said["said"].strip()
    if rel == "qui" and _FRENCH_PERSON.fullmatch(noun):
        return f"Qui {rest} ?"
    article = said["art"].strip().lower()
    which = {"la": "quelle", "les": "quels", "des": "quels", "aux": "quels"}.get(article, "quel")
    at = _FRENCH_PREPOSITION.match(f"{rel} ")
    before = {"où": "dans ", "dont": "de "}.get(rel, f"{at['at']} " if at is not None else "")
    asked = f"{before}{which} {noun} {rest} ?"
    return asked[0].upper() + asked[1:]


def _spanish_inner(said: Mapping[str, str]) -> str:
    """The same in Spanish.

    >>> _spanish_inner({"noun": "entidad", "rel": "que", "said": "publicó la guía"})
    '¿Qué entidad publicó la guía?'
    """
    noun, rel, rest = said["noun"].strip(), said["rel"].strip().lower(), said["said"].strip()
    if rel == "que" and _SPANISH_PERSON.fullmatch(noun):
        return f"¿Quién {rest}?"
    if rel.startswith("cuy"):
        return f"¿Qué {noun}, {rel} {rest}?"
    at = _SPANISH_PREPOSITION.match(rel)
    before = "En qué" if rel == "donde" else f"{at['at'].capitalize()} qué" if at is not None else "Qué"
    return f"¿{before} {noun} {rest}?"


def asks_no_more(before: str) -> bool:
    """Whether what is asked of a described thing is no more than what it is: "What is the name of"."""
    return all(word in _EMPTY for word in re.findall(r"\w+", before.lower()))


def _role_at_end(question: str) -> Described | None:
    match = _ROLE_AT_END.match(question)
    if match is None or not _REACHED.search(match["before"]) or _BEFORE_VERB.search(match["before"]):
        return None
    thing, rest = match["thing"], ""
    if (done := _DONE.search(thing)) is not None:
        thing, rest = thing[: done.start()], done[0]
    return Described(f"Who is {thing}?", f"{match['before']} it{rest}?", match.start("thing"), match.end("thing"))


def _by_clause(
    pattern: re.Pattern[str], inner: str | Callable[[Mapping[str, str]], str], outer: str
) -> Callable[[str], Described | None]:
    # Of "the key of the tool that ..." the thing is the whole first, then what stands next to the clause.
    nearest = lazy_re.compile(pattern.pattern.replace(".+?)", ".+)", 1), pattern.flags)

    def read(question: str) -> Described | None:
        match = next((found for one in (pattern, nearest) if _asks_of(found := one.match(question))), None)
        if match is None:
            return None
        said = match.groupdict()
        of = _OF_ARTICLE.get((said.get("art") or "").strip().lower(), "")
        start = match.start("noun" if "noun" in said else "rel")
        asked = inner.format(**said) if isinstance(inner, str) else inner(said)
        return Described(asked, outer.format(**{**said, "before": f"{said['before']}{of}"}), start, match.end("said"))

    return read


_OF_ARTICLE = {"du": " de", "des": " de", "au": " à", "aux": " à", "del": " de", "al": " a"}
"""The preposition that an article holds."""


def _asks_of(match: re.Match[str] | None) -> bool:
    """Whether something is asked of a thing that a clause of some length describes."""
    if match is None or len(match["said"].split()) < MANY_WORDS or not _ASKED.search(match["before"]):
        return False
    return not _IDENTITY.fullmatch(match["before"].strip("¿ "))


def _by_role(pattern: re.Pattern[str], inner: str, outer: str) -> Callable[[str], Described | None]:
    def read(question: str) -> Described | None:
        match = pattern.match(question)
        if match is None or _IDENTITY.fullmatch(match["before"].strip("¿ ")):
            return None
        return Described(inner.format(**match.groupdict()), outer.format(**match.groupdict()), *match.span("thing"))

    return read


_ASKED = lazy_re.compile(
    r"\b(?:welche\w*|was|wie|wann|wo|woher|wer|wem|wen|quel(?:le)?s?|quand|où|combien|qui|que|qué|cuál(?:es)?|cuándo|dónde|cu[aá]nt[oa]s?)\b",
    re.IGNORECASE,
)
_IDENTITY = lazy_re.compile(
    r"(?:wie heißt|wie hei(?:ß|ss)en|wer ist|was ist|welche[rs]? ist|quel(?:le)? est|qui est|comment"
    r" s['’]appelle|cuál es|quién es|qué es"
    r"|cómo se llama)(?:\s(?:der name|le nom|el nombre)(?:\s\w+)?)?",
    re.IGNORECASE,
)
"""Asks no more than what the thing is."""


def _chinese(question: str) -> Described | None:
    match = _HAN.match(question) or _HAN_OF.match(question)
    if match is None or re.search(r"什么|多少|几|谁|哪", match["said"]):
        return None
    noun = re.sub(r"^[那这]一?", "", match["noun"])
    if noun in ("人", "作者", "讲者", "演讲者"):
        which = "谁"
    else:
        which = f"哪{noun}" if noun[0] in "个位门种本场次款项档条家篇届" else f"哪个{noun}"
    inner = f"{match['said']}的是{which}？"
    return Described(inner, f"它{match['outer']}", match.start("said"), match.end("said"))


_TOPIC_FIRST = (
    lazy_re.compile(
        r"^(?P<art>el|la)\s(?P<noun>[\w-]+(?:\s[\w-]+){0,4}?)\s(?P<rel>que|quien|donde|(?:en|con|a|de)\s(?:el|la)\s(?:que|cual))\s"
        r"(?P<said>[^?¿]+?)\s*[,:.;]\s*(?P<outer>¿[^?]+\?)$",
        re.IGNORECASE,
    ),
    lazy_re.compile(
        r"^(?P<art>l['’]|(?:le|la)\s)(?P<noun>[\w'’-]+(?:\s[\w'’-]+){0,4}?)\s(?P<rel>qui\s|que\s|qu['’]|dont\s|où\s)"
        r"(?P<said>[^?]+?)\s*[,:.;]\s*(?P<outer>(?:(?:à|de|dans|en|pour|sur|avec|depuis)\s)?"
        r"(?:quel(?:le)?s?|qui|quand|où|combien|comment)\b[^?]+\?)$",
        re.IGNORECASE,
    ),
)
"""What is asked about stands before the question: "La autora que ..., ¿dónde estudió?"."""


def _topic_first(question: str) -> Described | None:
    for pattern, inner in zip(_TOPIC_FIRST, (_spanish_inner, _french_inner), strict=True):
        match = pattern.match(question)
        if match is not None and len(match["said"].split()) >= MANY_WORDS and len(match["outer"].split()) >= MANY_WORDS:
            asked = match["outer"].lstrip("¿ ")
            asked = f"{'¿' if '¿' in match['outer'] else ''}{asked[0].upper()}{asked[1:]}"
            return Described(inner(match.groupdict()), asked, match.start("noun"), match.end("said"))
    return None


_READERS: tuple[Callable[[str], Described | None], ...] = (
    _topic_first,
    _behind_verb,
    _at_end,
    _role_at_end,
    _by_role(_SPANISH_ROLE, "¿Quién es {thing}?", "{before} él?"),
    _by_clause(_GERMAN, "Welche {noun}, {rel} {said}?", "{before} er?"),
    _by_clause(_GERMAN_WITHIN, "Welche {noun}, {rel} {said}?", "{before} er {after}?"),
    _by_clause(_SPANISH, _spanish_inner, "{before} él?"),
    _by_clause(_SPANISH_WHO, "¿Quién {said}?", "{before} él?"),
    _by_clause(_FRENCH, _french_inner, "{before} il ?"),
    _by_role(_GERMAN_ROLE, "Wer ist {thing}?", "{before} er?"),
    _chinese,
)
