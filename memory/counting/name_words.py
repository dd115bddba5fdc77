"""Words in which names of one thing differ: abbreviations, spellings, units, numbers in words, plurals, linking words."""

from __future__ import annotations

from functools import lru_cache

LINKING = frozenset("a an the of for in on at and by de la le der die das des und von".split())
"""Words that a name may lack."""
ORDERED = frozenset(
    "from to into versus vs before after over under with without against via onto toward towards than bites not".split()
)
"""Words that say what stands on which side of them."""
ROLES = frozenset(
    "chair co-chair chairman chairwoman chairperson head director deputy vice dean editor secretary treasurer president emeritus"
    " retired pdf html doc docx ps slides video link new updated online external draft en de fr zh lts".split()
) | frozenset(("院长", "主任", "主席", "所长", "校长", "副院长", "副主任", "会长", "新", "通讯作者"))
"""What brackets add without making it another thing."""
_WORDS = {
    "dept": "department", "univ": "university", "inst": "institute", "intl": "international", "int'l": "international",
    "conf": "conference", "proc": "proceedings", "assoc": "association", "lab": "laboratory", "labs": "laboratory", "vol": "volume",
    "ch": "chapter", "chap": "chapter", "sec": "section", "sect": "section", "fig": "figure", "eq": "equation", "no": "number",
    "nr": "number", "intro": "introduction", "info": "information", "govt": "government", "mgmt": "management",
    "admin": "administration", "math": "mathematics", "maths": "mathematics", "stats": "statistics", "natl": "national",
    "acad": "academy", "soc": "society",
    "eng": "engineering", "tech": "technology", "sci": "science", "comp": "computer", "mt": "mount", "vs": "versus", "&": "and",
    "email": "e mail", "wi-fi": "wifi", "centre": "center", "programme": "program", "grey": "gray", "defence": "defense",
    "licence": "license", "theatre": "theater", "metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km",
    "centimetre": "cm", "centimeter": "cm", "millimetre": "mm", "millimeter": "mm", "gram": "g", "gramme": "g", "kilogram": "kg",
    "litre": "l", "liter": "l",
    "megabyte": "mb", "gigabyte": "gb", "kilobyte": "kb", "terabyte": "tb", "hour": "h", "hr": "h", "hrs": "h", "minute": "min",
    "second": "2", "sept": "september", "jan": "january", "feb": "february", "aug": "august", "oct": "october", "nov": "november",
    "dec": "december",
}  # fmt: skip
_NUMBERS = {
    word: str(number)
    for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
_ORDINALS = {
    word: str(number)
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
_ROMAN = {numeral: str(number) for number, numeral in enumerate("ii iii iv v vi vii viii ix x xi xii".split(), 2)}
_UNCHANGED = frozenset("news series species physics glasses arms customs lens gas bus bias always less plus".split())
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("zes", "z"), ("uses", "us"))
_TRADITIONAL = (
    "學機計實驗國際與業書語歷經濟電術藝體醫藥農東華師範財務環網絡資訊處長張劉陳楊趙黃吳孫鄭謝許馬羅係這個"
    "條種類項給舉門間頁說寫選數總於過還別場節隻組臺為從來員獲參歲擇採薦軟開發設備動態圖館團隊講課導論專題"
    "會議論壇獎"
)
_SIMPLE = (
    "学机计实验国际与业书语历经济电术艺体医药农东华师范财务环网络资讯处长张刘陈杨赵黄吴孙郑谢许马罗系这个"
    "条种类项给举门间页说写选数总于过还别场节只组台为从来员获参岁择采荐软开发设备动态图馆团队讲课导论专题"
    "会议论坛奖"
)
SIMPLIFIED = str.maketrans(dict(zip(_TRADITIONAL, _SIMPLE, strict=True)))
"""Traditional characters that names of things often hold to simplified ones."""


@lru_cache(maxsize=8192)
def canonical_word(word: str) -> str:
    """One form for a word's plural, abbreviation, spelling and number: "Labs", "Lab", "Laboratory"; lower case."""
    low = word.lower().removesuffix("'s").strip("'")
    known = _WORDS.get(low) or _NUMBERS.get(low) or _ORDINALS.get(low) or _ROMAN.get(low)
    if known:
        return known
    if low[:-2].isdigit() and low[-2:] in ("st", "nd", "rd", "th"):
        return low[:-2]
    single = _singular(low)
    known = _WORDS.get(single)
    return known or _spelling(single)


def _singular(word: str) -> str:
    if len(word) < 4 or word in _UNCHANGED or word.endswith(("ics", "ss", "us", "is")) or not word.endswith("s"):
        return word
    for ending, shorter in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + shorter
    return word[:-1]


def _spelling(word: str) -> str:
    """American spelling of the regular differences."""
    if len(word) < 6:
        return {"colour": "color"}.get(word, word)
    for british, american in (("our", "or"), ("ise", "ize"), ("yse", "yze"), ("isation", "ization"), ("ogue", "og")):
        if word.endswith(british):
            return word.removesuffix(british) + american
    return word.replace("elling", "eling").replace("elled", "eled")
