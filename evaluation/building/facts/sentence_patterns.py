"""The sentences that state a fact, by language: what was founded, opened, published when; how many of something there are; where
something takes place; what an abbreviation stands for. `np` is the subject."""

from __future__ import annotations

import re

from evaluation.building.facts.dates import CHINESE_WORDS, NUMBER_WORDS

_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_EN_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December) "
_EN_NAME = r"(?P<np>(?:The |A |An )?[A-Z][^,.;:()“”\"]{1,60}?)"
_DE_NAME = r"(?P<np>(?:Der |Die |Das |Ein |Eine )?[A-ZÄÖÜ]\S* [^,.;:()„“\"]{1,60}?)"
"""Of two words at least: a single one in front of the verb may be an adverb ("Zuvor fand ... statt")."""
_FR_NAME = r"(?P<np>(?:Le |La |Les |L[’'])?[A-ZÀ-Þ][^,.;:()«»\"]{1,60}?)"
_ZH_NAME = r"(?P<np>[^，。；：、（）“”\s][^，。；：、（）“”]{1,28}?)"
_EN_DONE = "founded|established|created|built|published|released|introduced|born|written|opened|launched|invented|formed|completed"
_DE_DONE = "gegründet|eröffnet|erbaut|gebaut|veröffentlicht|eingeführt|entwickelt|geboren|errichtet|fertiggestellt"
_FR_DONE = r"(?:fondé|créé|construit|publié|inauguré|ouvert|introduit|inventé)e?s?"
_ZH_DONE = "成立|创立|建立|创办|发布|出版|建成"
HAPPENED = {
    "en": re.compile(
        rf"^{_EN_NAME} (?P<aux>was|were) (?:first |originally |officially )?(?P<verb>{_EN_DONE}) in (?:{_EN_MONTH})?{_YEAR}(?!\d)"
    ),
    "de": re.compile(rf"^{_DE_NAME} (?P<aux>wurden?) (?:im Jahre? )?{_YEAR} [^.,;]{{0,40}}?(?P<verb>{_DE_DONE})"),
    "fr": re.compile(rf"^{_FR_NAME} (?P<aux>a été|ont été|fut|furent) (?P<verb>{_FR_DONE}) en {_YEAR}(?!\d)"),
    "zh": re.compile(rf"^{_ZH_NAME} ?(?P<aux>)(?P<verb>{_ZH_DONE})于 ?{_YEAR} ?年"),
}
NUMBER = {
    "en": rf"(?P<number>\d{{1,6}}|{'|'.join(NUMBER_WORDS['en'][2:])})",
    "de": rf"(?P<number>\d{{1,6}}|{'|'.join(NUMBER_WORDS['de'][2:])})",
    "fr": rf"(?P<number>\d{{1,6}}|{'|'.join(NUMBER_WORDS['fr'][2:])})",
    "zh": rf"(?P<number>\d{{1,6}}|[{''.join(CHINESE_WORDS[1:11])}两]{{1,2}})",
}
_EN_HAS = {
    "has": "have", "contains": "contain", "uses": "use", "supports": "support", "provides": "provide", "offers": "offer",
    "includes": "include", "comprises": "comprise", "consists of": "consist of", "requires": "require", "takes": "take",
}  # fmt: skip
_DE_HAS = {"hat": "hat", "umfasst": "umfasst", "besitzt": "besitzt", "zählt": "zählt", "bietet": "bietet"}
_FR_HAS = {
    "compte": "compte",
    "comprend": "comprend",
    "possède": "possède",
    "contient": "contient",
    "propose": "propose",
}
_ZH_HAS = {"共有": "共有", "包含": "包含", "包括": "包括", "设有": "设有", "拥有": "拥有"}
HAS = {"en": _EN_HAS, "de": _DE_HAS, "fr": _FR_HAS, "zh": _ZH_HAS}
AMOUNT = {
    "en": re.compile(
        rf"^{_EN_NAME} (?P<verb>{'|'.join(_EN_HAS)}) (?:exactly )?{NUMBER['en']} "
        r"(?P<unit>(?!or |and |to |of )(?:[a-z][a-z-]+ ){0,2}[a-z]{2,}s)(?=[,.;:]|$| and\b)"
    ),
    "de": re.compile(
        rf"^{_DE_NAME} (?P<verb>{'|'.join(_DE_HAS)}) {NUMBER['de']} "
        r"(?P<unit>(?:[a-zäöü]+e )?[A-ZÄÖÜ][a-zäöüß-]+(?:e|en|er|n|s))(?=[,.;:]|$| und\b)"
    ),
    "fr": re.compile(
        rf"^{_FR_NAME} (?P<verb>{'|'.join(_FR_HAS)}) {NUMBER['fr']} "
        r"(?P<unit>[a-zà-ÿ’'-]+[sx](?: [a-zà-ÿ-]+s)?)(?=[,.;:]|$| et\b)"
    ),
    "zh": re.compile(
        rf"^{_ZH_NAME} ?(?P<verb>{'|'.join(_ZH_HAS)}) ?{NUMBER['zh']} ?"
        r"(?P<unit>[个名位台项支条种门间][^，。；：、（）\d\s]{1,8})(?=[，。；]|$)"
    ),
}
FRAGMENT = re.compile(rf"^{NUMBER['en']} (?P<unit>(?:[a-z]+ )?[a-z]+)$")
_EN_PLACE = r"(?P<place>(?:the )?[A-Z0-9][^.;:()]{2,50}?)(?=,? (?:from|on|between|during|and(?! (?:the )?[A-Z])|as|with|by)\b|[.;(]|$)"
LOCATED = {
    "en": (
        re.compile(rf"^{_EN_NAME} (?P<verb>took|takes|will take) (?P<done>place) (?:in|at) {_EN_PLACE}"),
        re.compile(
            rf"^{_EN_NAME} (?P<verb>was|is|will be|were) (?P<done>held|located|based|situated) (?:in|at) {_EN_PLACE}"
        ),
    ),
    "zh": (
        re.compile(
            r"^[^。]{0,40}?(?:活动|比赛|讲座|会议|聚会|课程|大会)[^，。]{0,10}?[于在] ?"
            r"(?P<place>[^，。；：、月日年周时]{0,20}(?:教室|楼|馆|厅|中心|校区|酒店|室|广场|学院|大学|公园)) ?"
            r"(?:准时|隆重|正式|顺利|如期|成功)?(?:举行|举办|召开)(?=[，。；]|$)"
        ),
    ),
    "de": (
        re.compile(
            rf"^{_DE_NAME} (?P<verb>findet|fand) (?:[^.,;]{{0,40}} )?"
            r"(?P<place>(?:in|im) (?:der |dem |den )?(?!Rahmen|Regel|Form)[A-ZÄÖÜ][^.,;()]{2,45}?) statt"
        ),
    ),
    "fr": (
        re.compile(
            rf"^{_FR_NAME} (?P<verb>a lieu|aura lieu|a eu lieu) "
            r"(?P<place>(?:à|au|aux|dans) [^.,;()]{2,45}?)(?= (?:le|du|de|les)\b|[.,;]|$)"
        ),
    ),
}
_NAME_WORD = r"(?:[A-ZÀ-Þ][\w-]+|of|and|the|for|in|to|on|de|des|du|la|für|und|der)"
SHORT = re.compile(
    rf"(?P<words>{_NAME_WORD}(?:[ -]{_NAME_WORD}){{1,7}}) \((?P<short>[A-Z][A-Za-z]{{0,3}}[A-Z]{{1,5}})\)"
)
SMALL = frozenset("of and the for in to on de des du la für und der".split())
"""Words of a name that have no letter in its abbreviation."""
