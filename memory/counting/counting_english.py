"""Parses from an English question how many items it asks for.

The kind of thing decides, not the word "many": items that a page lists are counted, figures that a page states
("how many bytes") are not. Where both are possible the verb decides ("are listed" against "were fixed").
"""

from __future__ import annotations

import re

from memory.counting.afterthoughts import AFTERTHOUGHTS, last_asked, read_afterthought
from memory.counting.asked_number import ENGLISH_NUMBER, NOTHING, Asked, english_number
from memory.words import lazy_re

_FLAGS = re.IGNORECASE
NOUN_WORDS = 6
"""Most words of a noun with its adjectives before an afterthought."""
_HIDDEN = "▢"
"""Placeholder for a quoted title: numbers in it are never a target."""

_QUOTED = lazy_re.compile(r"(?<!\w)'(?=\S).+?(?<=\S)'(?!\w)|\"[^\"]+\"|“[^”]+”|‘[^’]+’(?!\w)|«[^»]+»|`[^`]+`")
_SENTENCE_END = lazy_re.compile(
    r"(?<=[.?!])(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St|vs|No)\.)(?<!\bMrs\.)(?<!\bProf\.)\s+(?=[A-Z▢\"'(0-9])|(?<=\?)\s+|\n+"
)
_START = (
    r"(?:^|[,:;–—]\s+|\bplease\s+|\b(?:can|could|would|will)\s+you\s+(?:please\s+)?|\b(?:like|want|need)\s+you\s+to\s+"
    r"|\b(?:like|want|need)\s+to\s+|\band\s+|\blet's\s+|\bhelp me\s+|\byour task is to\s+)"
)
_ASK = (
    r"(?:name|list|give|find|provide|identify|mention|show|tell|enumerate|cite|state|pick|choose|select|suggest"
    r"|recommend|return|get|write|collect|gather|extract|report|retrieve|look\s+up|point|fetch|quote|specify)"
    r"(?:\s+(?:me|us|out|up|down|for|with|any))*"
)
_WANT = r"\bI(?:'d|\s+would)?\s+(?:need|want|like)(?:\s+to\s+(?:see|have|know|get))?"
_NAMES_OF = r"(?:\s+(?:the\s+)?(?:\w+\s+){0,2}?[\w-]+s(?:\s*(?:,|and|or)\s+(?:the\s+)?[\w-]+s)*\s+(?:of|for))?"
_QUALIFIER = (
    r"(?:\s+(?:at\s+least|at\s+most|no\s+(?:fewer|less)\s+than|not\s+less\s+than|(?:a\s+)?minimum(?:\s+of)?|up\s+to"
    r"|exactly|precisely|any|some|(?:a\s+)?total\s+of|the|its|their|his|her|first|last|latest|newest|oldest|top|best"
    r"|main|key|major|other|different|distinct|next|most\s+\w+|\w+est|about|around|examples?\s+of|only|just))*"
)
_NUMBER = (
    rf"\s+{ENGLISH_NUMBER}(?:\s+or\s+more)?(?:\s+examples?(?P<one>\s+of\s+an?\b)?)?"
    r"(?:\s+of(?:\s+(?:the|its|their|his|her|those|these))?)?"
)
_QUOTAS = tuple(
    lazy_re.compile(pattern, _FLAGS)
    for names_of in ("", _NAMES_OF)
    for pattern in (
        rf"{_START}(?P<ask>{_ASK}){names_of}{_QUALIFIER}{_NUMBER}\s+(?P<rest>.+)",
        rf"{_WANT}{names_of}{_QUALIFIER}{_NUMBER}\s+(?P<rest>.+)",
        rf"(?<!between )(?<!than )\b(?:which|what){_QUALIFIER}{_NUMBER}\s+(?P<rest>.+)",
        rf"\b(?:which|what|who)\s+(?:are|were){names_of}{_QUALIFIER}{_NUMBER}\s+(?P<rest>.+)",
    )
)
_NUMBER_LAST = lazy_re.compile(
    rf"{_START}{_ASK}\s+(?P<rest>[^,;(]+?)\s*[,;(]\s*(?:at\s+least|a\s+minimum\s+of|minimum|no\s+(?:fewer|less)\s+than"
    rf"|exactly)\s+{ENGLISH_NUMBER}(?:\s+(?:of\s+them|in\s+total|in\s+all|examples|items|names))?\s*[).!?]*\s*$",
    _FLAGS,
)
"""The number comes last, as in: List professors of physics, at least three."""
_NUMBER_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_EVERY = lazy_re.compile(
    rf"(?:{_START}(?:{_ASK}|count)|\b(?:what|who|which)\s+are){_NAMES_OF}"
    r"\s+(?:all(?:\s+of)?|every(?:\s+one\s+of)?|each(?:\s+of)?|(?:the|a)\s+(?:complete|full|entire|whole)\s+(?:list|set)\s+of)"
    r"(?:\s+(?:the|its|their|those|these))?(?:\s+(?:different|distinct|available))?"
    rf"(?:\s+(?:\d{{1,3}}|{'|'.join(_NUMBER_WORDS)})\b)?\s+(?P<rest>.+)",
    _FLAGS,
)
_LIST_THE = lazy_re.compile(
    rf"{_START}(?:list|enumerate|count)(?:\s+(?:out|down|up))?(?:\s+the\s+(?:names|titles)\s+of)?"
    r"\s+(?:the|its|their)\s+(?P<rest>.+)",
    _FLAGS,
)
_WHICH = lazy_re.compile(
    r"\b(?P<which>which|what|who|how\s+many)(?:\s+(?:are|were))?(?:\s+(?:of|the|its|their|some|his|her|these|those|other))*\s+(?P<rest>.+)",
    _FLAGS,
)
_NUMBER_OF = lazy_re.compile(
    r"(?:\bwhat(?:\s+is|'s|\s+was)|\b(?:give|find|state|determine|report|tell\s+me))\s+the\s+(?:total\s+|exact\s+)?"
    r"(?:number|count)\s+of\s+(?P<rest>.+)",
    _FLAGS,
)
_HOW_MANY = lazy_re.compile(
    r"(?P<before>\S*\s*)\bhow\s+many\s+(?!(?:more|fewer|less)\b)(?:different\s+|distinct\s+|separate\s+|other\s+)?"
    r"(?:of\s+(?:the|its|their|these|those)\s+)?(?P<rest>[^?]*)",
    _FLAGS,
)
_ASKING_BEFORE = lazy_re.compile(
    r"^$|.*[,:;–—(]$|(?:me|us|know|say|count|out|determine|calculate|see|check|report|and|so|exactly|total|overall)$",
    _FLAGS,
)
_LISTING_BEFORE = lazy_re.compile(
    r"(?:lists?|contains?|describes?|documents?|has|have|shows?|includes?|names?|mentions?|defines?|offers?|provides?"
    r"|covers?|presents?|comprises?|features?|gives?|displays?|enumerates?)$",
    _FLAGS,
)

_NAMES = lazy_re.compile(r"(?:name|enumerate)(?:\s+(?:me|us))?", _FLAGS)
_SINGULAR = lazy_re.compile(
    r"(?:digit|letter|word|character|bit|byte|year|month|week|day|hour|minute|second|part|page|star|point|step|way|person|player)\b"
    r"|of\b|more$|them$",
    _FLAGS,
)
"""What a number of something stands for one thing with: "the 5 year plan"; and what has no noun."""

_HEAD_END = lazy_re.compile(
    r"[,;:?!()▢–—]|\.(?!\w)|\s(?:are|is|was|were|be|been|am|do|does|did|have|has|had|can|could|may|might|must|should|will|would|shall"
    r"|of|in|on|at|by|with|without|for|from|under|about|to|into|onto|over|within|inside|as|between|among|during|since"
    r"|after|before|per|than|through|via|across|outside|near|against|behind|above|below|along|a|an|the|this|that|these"
    r"|those|which|who|whose|whom|where|when|if|and|or|but|not|there|it|its|you|we|they|he|she|according|currently"
    r"|altogether|overall|each|every|long|wide|high|tall|deep|old|ago|away|later|earlier|appear|exist)\b(?!-\w)"
)
_KIND_OF = lazy_re.compile(
    r"(?:[\w-]+\s+)*(?:kinds?|types?|sorts?|flavou?rs|categories|classes|forms|sets?|pieces|pairs|groups)$", _FLAGS
)
_KINDS = lazy_re.compile(r"(?:[\w-]+\s+)*(?:kinds?|types?|sorts?|categories|classes|flavou?rs)\s+of\b", _FLAGS)
_INTO = lazy_re.compile(r"\b(?:into|in|under|by|of)\s+$", _FLAGS)
_DIVIDED = lazy_re.compile(
    r"\b(?:divid|split|sort|group|classif|categori|separate|partition|broken\b|breaks?\b|arrange|organi[sz]|section|compos|consist)\w*",
    _FLAGS,
)
"""What has parts: "Into how many groups are the skills sorted?"."""
_PLURAL = lazy_re.compile(
    r"(?:\w[\w-]*[^sui'\W]s|\w+(?:us|is|ss)es|(?:\w+-)?(?:people|children|men|women|staff|faculty|personnel|criteria"
    r"|phenomena|data|media|alumni|indices|series|species|bus|menus|gurus|apis|gpus|cpus|urls|uris|skis|taxis|thesauri"
    r"|feet|teeth|mice|corpora|schemata|schemas|police|aircraft|syllabi|foci|nuclei|theses|analyses))",
    _FLAGS,
)

_MEASURE = lazy_re.compile(
    r"(?:(?:kilo|mega|giga|tera|kibi|mebi|gibi)?bytes?|[kmgt]i?b|hours?|minutes?|(?:milli|micro|nano)?seconds?|days?|weeks?"
    r"|months?|quarters?|years?|decades?|centuries|percent|percentage points?|degrees? (?:celsius|fahrenheit)"
    r"|(?:kilo|centi|milli)?met(?:er|re)s?|feet|miles|inches|acres|hectares?|dollars?|euros?|pounds?|yuan|rmb|cents?|tons?"
    r"|tonnes?|kilograms?|grams?|lit(?:er|re)s?|watts?|volts?|times|credits?|credit hours?|decimal places|pixels?)",
    _FLAGS,
)
_CALENDAR = lazy_re.compile(r"days|weeks|months|quarters|years|decades|centuries", _FLAGS)
"""Measures that may be named: "Name two years in which the club won"."""
_POPULATION = lazy_re.compile(
    r"(?:people|persons|students|undergraduates|graduates|pupils|employees|workers|users|customers|clients|inhabitants"
    r"|residents|visitors|guests|attendees|participants|subscribers|followers|readers|viewers|volunteers|patients|deaths"
    r"|births|bugs|commits|test cases|tests|files|databases|computers|devices|installations|bits?|characters?|chars"
    r"|letters|words?|lines?|digits?|points?|places|frames|cores|threads|cycles|iterations|levels|generations|postings|posts"
    r"|messages|copies|views|visits|downloads|citations|stars|votes|seats|units|steps|entries|elements|rows|bytes)",
    _FLAGS,
)
"""Things usually stated as figures rather than listed: counted only where the question says that they are listed."""

_LISTED = (
    r"(?:listed|described|documented|shown|named|mentioned|displayed|included|presented|enumerated|defined|featured"
    r"|introduced|provided|offered|catalogu?ed|covered|discussed|indexed|advertised|identified|outlined|linked|posted"
    r"|printed|recorded|found|given|profiled|credited|detailed|highlighted|distinguished|itemi[sz]ed|announced|published)"
)
_IS_LISTED = lazy_re.compile(
    rf"(?:\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+|also\s+|there\s+)*{_LISTED}\b"
    rf"|^\s*{_LISTED}\b|\b(?:can|could|may)\s+(?:be\s+(?:found|seen|counted)|(?:you|we|one|I)\s+(?:find|see|count))\b"
    r"|\b(?:appear|appears|make\s+up)\b"
    r"|^\s*(?:are|is)\s+(?:there\s+)?(?:\w+ly\s+)?(?:in|on|under|at)\b.*\b(?:page|list|table|section|index|menu|directory|sidebar"
    r"|catalog(?:ue)?|gallery|schedule|program(?:me)?|agenda|chapter|glossary)\b)",
    _FLAGS,
)
_PAGE_LISTS = lazy_re.compile(
    r"(?:\b(?:does|do|did)\b.*?)\s(?:list|describe|document|show|contain|include|name|mention|present|enumerate|define"
    r"|feature|display|cover|distinguish|give|comprise|outline|identify|provide|offer|link|publish|announce|propose|recommend|suggest)\b",
    _FLAGS,
)
_SCREENSHOT = lazy_re.compile(r"\bscreen\s*shots?\b", _FLAGS)
_SAYS_LIST = lazy_re.compile(r"\b(?:list|table|sections?|chapter|menu|index|directory)\b", _FLAGS)
_SHOWN_NUMBER = lazy_re.compile(
    r"\b(?:the|this|that|its|a|an)\s+(?:screen|display|(?:[\w-]+\s+){0,2}?(?:status\s*(?:bar|line)|screen\s*shot|dialog(?:ue)?(?:\s+box)?"
    r"|title\s+bar|picture|photo|photograph|drawing|diagram|chart|graph|logo|poster|banner|info\s*box|progress\s+bar"
    r"|(?:visitor|hit|page)\s+counter|badge))(?=\s*(?:[?.,;)]|$)|\s+(?:of|on|in|at|for|above|below|shows?|says?|states?|reports?"
    r"|displays?|gives?|reads?|lists?|contains?|indicates?|has|have|is|are)\b)"
    r"|\b(?:according\s+to|in|per)\s+(?:the\s+|its\s+)?(?:introduction|introductory\s+\w+|abstract|caption|headline|preamble)\b",
    _FLAGS,
)
"""Places that show or state a number and list nothing that could be counted in the page's text."""
_MEMBERSHIP = lazy_re.compile(
    r"\b(?:(?:clubs?|associations?|societ(?:y|ies)|unions?|organi[sz]ations?|federations?|leagues?|part(?:y|ies)|communit(?:y|ies)"
    r"|church|guilds?|networks?|cooperatives?|charit(?:y|ies)|movement|alliance|confederation|chamber|consortium)\b[^?]*\b(?:have|has|had|count|counts)"
    r"|(?:have|has|does|belong\s+to|in|of)\s+(?:the\s+|this\s+|our\s+)?(?:[\w-]+\s+){0,3}?(?:club|association|society|union|organi[sz]ation"
    r"|federation|league|party|community|church|guild|network|cooperative|charity|movement|alliance|confederation|chamber|consortium)\b)",
    _FLAGS,
)
"""Bodies that state how many members they have, and do not list them."""
_PANEL = lazy_re.compile(
    r"\b(?:committee|board|council|team|panel|jury|staff|cabinet|group|crew|presidium|secretariat)\b", _FLAGS
)
"""Bodies that list their members."""
_RATE = lazy_re.compile(
    r"^\s*(?:(?!for\b)\w+\s+){0,2}?(?:per|a|an|each|every)\s+(?:day|week|month|year|hour|minute|second)\b"
    r"|\b(?:per|a|an|each|every)\s+(?:day|week|month|year|hour|minute|second)\s*[.?]?\s*$",
    _FLAGS,
)
_MEASURING = lazy_re.compile(
    r"^\s*(?:long|wide|high|tall|deep|old|ago|away|later|earlier|after|before|per|since|apart|too)\b", _FLAGS
)
_VERB = lazy_re.compile(
    r"\b(?:(?P<present>is|are)|(?P<past>was|were|had|did)|(?P<perfect>has|have)|(?P<do>does|do)"
    r"|(?P<modal>can|could|may|might|must|should|will|would|shall))\b\s*(?P<then>.*)"
)
_STATED = lazy_re.compile(
    r"(?:\w+ly\s+)*(?:used|required|needed|supported|allowed|permitted|reserved|stored|returned|processed|executed"
    r"|generated|sold|produced|run|made|limited|able|enough|possible|necessary|left|open|kept|considered|known|estimated"
    r"|expected|planned|sent|received|spent|lost|built|fixed|born|killed|enrolled|employed|involved|available\s+for)\b",
    _FLAGS,
)
_LISTED_EVENT = lazy_re.compile(
    r"(?:been\s+)?(?:\w+ly\s+)*(?:added|removed|deprecated|held|taught|awarded|organi[sz]ed|released|elected|there)\b",
    _FLAGS,
)
_HOLDING = lazy_re.compile(r"\s(?:have|teach|maintain|run|host|organi[sz]e|consist|belong|appear|exist|fall)\b", _FLAGS)
_MADE = lazy_re.compile(
    r"\s(?:writ(?:e|ten)|author(?:ed)?|publish(?:ed)?|edit(?:ed)?|supervised?|taught|organi[sz]ed?|host(?:ed)?|released?)\b",
    _FLAGS,
)
"""Kinds of works that a person's page lists."""
_TOOK_PLACE = lazy_re.compile(r"\s*(?:took\s+place|were\s+(?:held|given|scheduled))\b", _FLAGS)
_PAST_VERB = lazy_re.compile(
    r"^\s*(?:\w+ly\s+)?(?:\w+ed|took|won|made|got|came|went|left|ran|wrote|began|became|had|saw|sold|lost|met|fell|grew|held)\b",
    _FLAGS,
)


def plural_head(noun: str) -> str:
    """A noun without what stands behind its last plural, where it does not end with one: "undergraduates work" asks for these.

    >>> plural_head("undergraduates work"), plural_head("gold sponsors"), plural_head("staff")
    ('undergraduates', 'gold sponsors', 'staff')
    """
    words = noun.split()
    places = [place for place, word in enumerate(words) if _PLURAL.fullmatch(word)]
    return " ".join(words[: places[-1] + 1]) if places else noun


def read_english(question: str) -> Asked:
    """Mode, target and noun of a question, `NOTHING` if it does not count. The last sentence that counts decides."""
    text = _QUOTED.sub(_HIDDEN, question)
    asked = NOTHING
    sentences = _SENTENCE_END.split(text)
    for place, sentence in enumerate(sentences):
        if late := _read_number_last(sentence) or _read_late(sentences[:place], sentence):
            asked = late
            continue
        bare = re.sub(r"\([^()]*\)", " ", sentence).strip()
        found = _read_quota(bare) or _read_every(bare) or _read_how_many(bare)
        asked = found or asked
    return asked


def may_be_stated_english(question: str) -> bool:
    """Whether "how many" may ask for a number that the site states: nothing in the question says that the things are listed."""
    text = _QUOTED.sub(_HIDDEN, question)
    return re.search(r"\bhow\s+many\b", text, _FLAGS) is not None and not (
        _says_listed(text) or _SAYS_LIST.search(text)
    )


def _read_late(before: list[str], sentence: str) -> Asked | None:
    """What a sentence like "Name three." says of the question before it."""
    late = read_afterthought(before, sentence, AFTERTHOUGHTS["en"])
    if late is None:
        return None
    head, _ = _split_head(late.noun)
    return late.asked._replace(noun=head if _is_plural(head) else last_asked(late.of, _asked_noun))


def _asked_noun(sentence: str) -> str:
    """What a question asks for: "tools" of "Which tools does the course show?"."""
    for match in _WHICH.finditer(sentence):
        head, _ = _split_head(match["rest"])
        if head and len(head.split()) <= NOUN_WORDS and (_is_plural(head) or match["which"].lower() == "which"):
            return head
    return "people" if re.search(r"\bwho(?:m|se)?\b", sentence, _FLAGS) else ""


def _read_number_last(sentence: str) -> Asked | None:
    match = _NUMBER_LAST.search(sentence)
    if match is None:
        return None
    rest = re.sub(r"^(?:all|the|some|any)\s+", "", match["rest"], flags=_FLAGS)
    head, _ = _split_head(rest)
    target = english_number(match)
    return Asked("quota", target, head) if _is_plural(head) and target > 1 else None


def _read_quota(sentence: str) -> Asked | None:
    for pattern in _QUOTAS:
        match = pattern.search(sentence)
        if match is None:
            continue
        target = english_number(match)
        head, _ = _split_head(re.sub(rf"^(?:(?:other|more|different|distinct|{_HIDDEN})\s+)+", "", match["rest"]))
        if _SCREENSHOT.search(sentence) or _last_words(head).lower() in ("letters", "characters", "digits"):
            continue
        may_be_named = "ask" in match.groupdict() and _CALENDAR.fullmatch(_last_words(head)) is not None
        is_many = _is_plural(head) or bool(head and match["one"]) or _are_named(match, head)
        if target > 1 and is_many and (may_be_named or not _is_measure(head)) and not _is_year(match, target):
            return Asked("quota", target, head)
    return None


def _are_named(match: re.Match[str], head: str) -> bool:
    """Whether things are to be named whose plural no ending tells: "Name 6 fish"."""
    asked = match.groupdict().get("ask") or ""
    return _NAMES.fullmatch(asked) is not None and bool(head) and not _SINGULAR.match(head)


def _is_year(match: re.Match[str], number: int) -> bool:
    """Whether the number is a year, as in: List 2023 publications."""
    return match["digits"] is not None and 1900 <= number <= 2100 and "," not in match["digits"]


def _read_every(sentence: str) -> Asked | None:
    if match := _EVERY.search(sentence):
        head, _ = _split_head(match["rest"])
        return Asked("exhaustive", 0, head) if head else None
    match = _LIST_THE.search(sentence)
    if match is None:
        return None
    head, _ = _split_head(match["rest"])
    return Asked("exhaustive", 0, head) if _is_plural(head) else None


def _read_how_many(sentence: str) -> Asked | None:
    if match := _NUMBER_OF.search(sentence):
        head, rest = _split_head(match["rest"])
        if _is_plural(head) and _says_listed(rest) and not _is_measure(head):
            return Asked("exhaustive", 0, head)
    for match in _HOW_MANY.finditer(sentence):
        head, rest = _split_head(match["rest"])
        if not head or _is_measure(head) or _MEASURING.search(rest) or _RATE.search(rest):
            continue
        if _SHOWN_NUMBER.search(rest) or _SHOWN_NUMBER.search(sentence[: match.start()]) or _is_membership(head, rest):
            continue
        before = match["before"].strip()
        if _KINDS.match(head) or (
            _INTO.search(sentence[: match.start()] + match["before"]) and _DIVIDED.search(sentence)
        ):
            return Asked("exhaustive", 0, head)
        in_front = not sentence[: match.start()].strip() and not before
        if in_front or _ASKING_BEFORE.fullmatch(before):
            if _wants_listing(head, rest):
                return Asked("exhaustive", 0, head)
        elif _LISTING_BEFORE.fullmatch(before) and not _POPULATION.fullmatch(_last_words(head)):
            return Asked("exhaustive", 0, head)
    return None


def _wants_listing(head: str, rest: str) -> bool:
    """Whether "how many `head` `rest`" asks for items that a page lists."""
    if _says_listed(rest):
        return True
    if any(_POPULATION.fullmatch(words) for words in (head, _last_words(head), _last_words(head, 2))):
        return False
    verbs = list(_VERB.finditer(rest))
    if _TOOK_PLACE.match(rest):
        return True
    if not verbs:
        return not _PAST_VERB.search(rest)
    relative = re.match(r"\s*(?:that|which|who|whose)\b", rest)
    verb = _VERB.search(rest, verbs[0].end("then") - len(verbs[0]["then"])) if relative else verbs[0]
    return _verb_lists(verb or verbs[0])


def _is_membership(head: str, rest: str) -> bool:
    """Whether members of a body are asked for that states their number."""
    if _last_words(head).lower() not in ("members", "supporters") or _PANEL.search(f"{head} {rest}"):
        return False
    return _MEMBERSHIP.search(rest) is not None and not _says_listed(rest)


def _verb_lists(verb: re.Match[str]) -> bool:
    then = verb["then"]
    if verb["modal"]:
        return False
    if verb["present"]:
        return not _STATED.match(then)
    if verb["do"] or verb["past"] == "did":
        return bool(_MADE.search(then) or (verb["do"] and _HOLDING.search(then)))
    return bool(_LISTED_EVENT.match(then) or (verb["perfect"] and _MADE.search(then)))


def _says_listed(rest: str) -> bool:
    return bool(_IS_LISTED.search(rest) or _PAGE_LISTS.search(rest))


def _split_head(text: str) -> tuple[str, str]:
    """Noun phrase at the start of `text`, and what follows it: "SQL functions", " that are ..."."""
    stop = _HEAD_END.search(" " + text)
    while stop and stop[0].strip().lower() == "of" and _KIND_OF.fullmatch(text[: stop.start() - 1]):
        stop = _HEAD_END.search(" " + text, stop.end())
    while stop and stop[0].strip().lower() in ("or", "and", ",") and _is_adjective(text[: max(0, stop.start() - 1)]):
        stop = _HEAD_END.search(" " + text, stop.end())
    end = max(0, stop.start() - 1) if stop else len(text)
    head, rest = text[:end].strip(), text[end:]
    if " of " not in head:
        # "professors work": a verb or participle that the list of stops does not know follows the last plural.
        kept = plural_head(head)
        head, rest = kept, f" {' '.join(head.split()[len(kept.split()) :])}{rest}"
    return re.sub(r"^(?:the|of|all|these|those)\s+", "", head, flags=_FLAGS), rest


def _is_adjective(text: str) -> bool:
    """Whether a phrase before "or", "and" or a comma has no noun yet: "drama" of "drama or literature societies"."""
    return bool(text.strip()) and not any(_PLURAL.fullmatch(word) for word in text.split())


def _is_plural(head: str) -> bool:
    return any(_PLURAL.fullmatch(word) for word in head.split()[-1:]) or bool(
        " of " in head and _PLURAL.fullmatch(head.partition(" of ")[0].split()[-1])
    )


def _is_measure(head: str) -> bool:
    return bool(_MEASURE.fullmatch(_last_words(head)) or _MEASURE.fullmatch(_last_words(head, 2)))


def _last_words(head: str, count: int = 1) -> str:
    return " ".join(head.split()[-count:])
