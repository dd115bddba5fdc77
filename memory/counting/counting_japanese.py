"""Parses from a Japanese question how many items it asks for, by the same rules as for English.

The noun stands before its particle (を, は, が) or, with の, behind the number: 部活動を3つ, 3つの部活動.
"""

from __future__ import annotations

import re

from memory.counting.asked_number import CHINESE_NUMBER, NOTHING, Asked, chinese_number
from memory.words import lazy_re

_HIDDEN = "▢"
_QUOTED = lazy_re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|【[^】]*】|〈[^〉]*〉|《[^》]*》")
_SENTENCE_END = lazy_re.compile(r"(?<=[。？！?!\n])")
_TALLY = r"(?:つ|個|箇|人|名|点|種類|種|冊|件|[かカヶケヵ箇]所|例|本|台|校|社|館|曲|項目|団体|言語|か国)"
"""What follows a number of things."""
_ONES = {"ふたつ": 2, "みっつ": 3, "三つ": 3, "よっつ": 4, "いつつ": 5}
_NUMBER = rf"(?P<number>{'|'.join(_ONES)}|{CHINESE_NUMBER}(?={_TALLY}))(?:{_TALLY})?"
_ASK = r"(?:挙げ|あげ|上げ|答え|教え|列挙|書い|書き|示し|選ん|選び|選択|リスト|述べ|言っ|紹介し|列記|お願い)"
_PHRASE = r"[^をはがもの、。，,？?！!\s▢]{1,20}"
"""Up to the next particle."""
_NOUN = rf"(?P<noun>{_PHRASE})"
_NAMES = r"(?:の(?:名前|名称|例))?"
_LEAST = r"(?:少なくとも|最低|例として|例を|うち|中から|そのうち|それらを|ほど)*"
_ALL = r"(?:すべて|全て|全部|全員|残らず|一つ残らず|ひとつ残らず|全)"

_QUOTA_BEHIND = lazy_re.compile(rf"{_NOUN}{_NAMES}を\s*{_LEAST}\s*{_NUMBER}(?:以上|ほど|だけ)?\s*{_ASK}")
_QUOTA_BEFORE = lazy_re.compile(rf"{_NUMBER}の{_NOUN}{_NAMES}を\s*{_ASK}")
_WHICH = lazy_re.compile(rf"(?:どの|どんな)\s*{_NUMBER}の{_NOUN}(?:を|は|が|に|で|と|の|か)")
_ALL_BEHIND = lazy_re.compile(rf"{_NOUN}{_NAMES}を\s*{_ALL}\s*{_ASK}")
_ALL_BEFORE = lazy_re.compile(rf"{_ALL}の{_NOUN}{_NAMES}を\s*{_ASK}")
_LATE_NUMBER = lazy_re.compile(
    rf"^\s*{_LEAST}\s*{_NUMBER}(?:以上|ほど|だけ)?(?:を|の例を)?\s*(?:{_ASK}.*)?[。.！!]*\s*$"
)
_LATE_ALL = lazy_re.compile(rf"^\s*(?:それらを|名前を)?{_ALL}(?:を)?\s*(?:{_ASK}.*)?[。.！!]*\s*$")
_ASKED = lazy_re.compile(
    r"(?:どの|どんな|どのような|どういう|何の|なんの|何という)\s*(?P<noun>[^をはがにでともの、。，,？?！!\s▢]{1,20})"
    rf"|(?P<subject>{_PHRASE})(?:は|には|とは)\s*(?:何|なん|どれ|どこ|誰|どなた)"
)
_HOW_MANY = lazy_re.compile(
    rf"(?P<subject>{_PHRASE})(?:は|が|には)\s*(?:全部で|すべてで|全て|合計で?|全部|ページに|一覧に)?\s*(?:いくつ|何(?!台|例){_TALLY})(?P<rest>.*)"
)
_HEAD = lazy_re.compile(r"[\u30a1-\u30ff\u3400-\u9fff々A-Za-z0-9 .-]+$")
"""The noun without what describes it: 講座 of 提供されている講座."""
_LISTS = lazy_re.compile(r"あり|ある|載|掲載|紹介|記載|挙げ|含ま|並|分か|分け|構成|から成|からな|挙が")
_IS_LISTED = lazy_re.compile(r"載|掲載|紹介|記載|挙げ|並|挙が")
_STATED = lazy_re.compile(
    r"少なくとも|最低|最大|最高|まで|必要|以上|以下|くらい|ぐらい|ほど|年に|月に|週に|日に|1人|一人|参加|世界|利用|置け|入れ"
)
_POPULATION = lazy_re.compile(
    r"(?:人|員|者|生|学生|生徒|児童|会員|部員|社員|客|台|パソコン|サーバ|マシン|PC|Chromebook|席|座席|文字|ビット|行|頁|ページ|高さ|サイズ|GPU|CPU|コア|件数|人数)$"
)
"""Things usually stated as figures rather than listed: counted only where the question says that they are listed."""


def read_japanese(question: str) -> Asked:
    """Mode, target and noun of a question, `NOTHING` if it does not count. The last sentence that counts decides."""
    asked, before = NOTHING, ""
    for sentence in _SENTENCE_END.split(_QUOTED.sub(_HIDDEN, question)):
        if sentence.strip():
            found = _read_late(before, sentence) or _read_quota(sentence) or _read_every(sentence)
            asked = found or _read_how_many(sentence) or asked
            before = sentence
    return asked


def may_be_stated_japanese(question: str) -> bool:
    """Whether いくつ may ask for a number that the site states: nothing in the question says that the things are listed."""
    text = _QUOTED.sub(_HIDDEN, question)
    return re.search(rf"いくつ|何{_TALLY}", text) is not None and _IS_LISTED.search(text) is None


def _read_late(before: str, sentence: str) -> Asked | None:
    """What a sentence says of the question before it, with the noun of that question."""
    if not re.search(r"[?？か]", before):
        return None
    asking = _ASKED.search(before)
    noun = _head(asking["noun"] or asking["subject"] or "") if asking is not None else ""
    if _LATE_ALL.match(sentence):
        return Asked("exhaustive", 0, noun)
    number = _LATE_NUMBER.match(sentence)
    return _quota(number["number"], noun) if number is not None else None


def _read_quota(sentence: str) -> Asked | None:
    match = _QUOTA_BEHIND.search(sentence) or _QUOTA_BEFORE.search(sentence) or _WHICH.search(sentence)
    return _quota(match["number"], _head(match["noun"])) if match is not None else None


def _quota(number: str, noun: str) -> Asked | None:
    target = _ONES.get(number) or chinese_number(number)
    return Asked("quota", target, noun) if target > 1 else None


def _read_every(sentence: str) -> Asked | None:
    match = _ALL_BEHIND.search(sentence) or _ALL_BEFORE.search(sentence)
    return Asked("exhaustive", 0, _head(match["noun"])) if match is not None else None


def _read_how_many(sentence: str) -> Asked | None:
    match = _HOW_MANY.search(sentence)
    if match is None or _STATED.search(sentence) or not _LISTS.search(match["rest"]):
        return None
    noun = _head(match["subject"])
    if _POPULATION.search(noun) and not _IS_LISTED.search(match["rest"]):
        return None
    return Asked("exhaustive", 0, noun)


def _head(phrase: str) -> str:
    found = _HEAD.search(phrase)
    return found[0].strip() if found is not None else phrase
