"""Scores how well a label or a URL matches a name in a question."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from memory.words import lazy_re, tokens

GENERIC_WEIGHT = 0.4
SHORT_CHARS = 200
"""Most characters of a label, heading or context that are compared; a longer text is no name."""
SITE_WEIGHT = 0.25
"""Weight of a word of the site's own title ("Python" on the Python site), which occurs on most pages."""
_GENERIC = frozenset(
    tokens(
        "page list module function section chapter guide manual reference document documentation docs table "
        "introduction version release number information general home site website web details main new use using "
        "program system part type first second old legacy description index official standard library example value "
        "order line"
    )
)
_NUMBERING = lazy_re.compile(r"^(?:\d+(?:\.\d+)*\.?|[ivx]+\.|第.{1,4}[章节])\s+", re.IGNORECASE)
_HEAD = lazy_re.compile(r"^(.{2,40}?)\s*(?:\s[—–|-]\s|[:：]\s)")
_NOT_WORD = lazy_re.compile(r"[^\w.+#]+|\.(?!\w)|(?<!\w)\.")
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")
CODE = lazy_re.compile(r"\w_\w|\w\.\w|\(\)|[a-z][A-Z]")
"""Matches identifiers."""
_ENDING = lazy_re.compile(r"\.(?:x?html?|php\d?|aspx?|jsp|do|action|shtml|md)$", re.IGNORECASE)


@lru_cache(maxsize=1 << 13)
def plain_title(text: str) -> str:
    """A title without numbering, case and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'").strip(" ¶")
    return _NOT_WORD.sub(" ", _NUMBERING.sub("", folded).replace("'", "")).strip()


def words_of(text: str) -> frozenset[str]:
    """The words of a short text; of a longer one those of its beginning."""
    return _words_of(text[:SHORT_CHARS])  # so that no long text is kept


@lru_cache(maxsize=1 << 13)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


@lru_cache(maxsize=1 << 13)
def word_weight(word: str, site_words: frozenset[str]) -> float:
    """How specific a word is: identifiers and numbers most, words of the site's name and of any site least."""
    if word in site_words:
        return SITE_WEIGHT
    if word in _GENERIC:
        return GENERIC_WEIGHT
    return 1.4 if any(character.isdigit() or character in "_." for character in word) else 1.0


@lru_cache(maxsize=1 << 13)
def match_title(label: str, name: str, site_words: frozenset[str]) -> float:
    """0..1: 1 for the same title, then by how much of the name the label holds, and how much else it holds.

    Of "queue — A synchronized queue class" the head counts as a title too.
    """
    head = _HEAD.match(label)
    whole = _match_whole(label, name, site_words)
    return max(whole, 0.96 * _match_whole(head[1], name, site_words)) if head else whole


def _match_whole(label: str, name: str, site_words: frozenset[str]) -> float:
    plain, wanted = plain_title(label[:SHORT_CHARS]), plain_title(name)
    if not plain or not wanted:
        return 0.0
    if plain == wanted:
        return 1.0
    if (held := _contained(plain, wanted)) > 0:
        return held
    words, asked = words_of(label), words_of(name)
    shared = words & asked
    if not shared:
        return 0.0
    weight = {word: word_weight(word, site_words) for word in sorted(words | asked)}
    recall = sum(weight[word] for word in shared) / sum(weight[word] for word in asked)
    precision = sum(weight[word] for word in shared) / sum(weight[word] for word in words)
    telling = min(1.0, sum(weight[word] for word in shared) / 0.9)
    if CODE.search(label) and not CODE.search(name):
        telling *= 0.5  # the name of a function is not a title
    return 0.92 * recall * (0.55 + 0.45 * precision) * telling


def match_folder(url: str, name: str, site_words: frozenset[str]) -> float:
    """Share 0..1 of the name's words that are in the folders above the page."""
    asked = {word for word in words_of(name) & _folder_words(url) if len(word) > 1}
    if not asked:
        return 0.0
    total = sum(word_weight(word, site_words) for word in sorted(words_of(name)))
    return sum(word_weight(word, site_words) for word in sorted(asked)) / total


@lru_cache(maxsize=1 << 13)
def _folder_words(url: str) -> frozenset[str]:
    return frozenset(tokens(" ".join(url.partition("://")[2].split("/")[1:-1])))


def match_jointly(label: str, url: str, name: str, site_words: frozenset[str]) -> float:
    """Share 0..1 of the name's words that are in the label or the URL ("(Legacy version)", in distutils/)."""
    asked = words_of(name)
    by_label, by_address = asked & words_of(label), asked & words_of(address_words(url))
    if not by_label or not by_address - by_label:
        return 0.0
    total = sum(word_weight(word, site_words) for word in sorted(asked))
    return sum(word_weight(word, site_words) for word in sorted(by_label | by_address)) / total


def _contained(plain: str, wanted: str) -> float:
    """Score of a label that contains the whole name, or (from two words on) is contained in it."""
    if _HAN.search(wanted):
        if len(wanted) >= 2 and wanted in plain:
            return 0.8 + 0.18 * len(wanted) / len(plain)
        return 0.75 * len(plain) / len(wanted) if len(plain) >= 2 and plain in wanted else 0.0
    if f" {wanted} " in f" {plain} ":
        start = 0.06 if plain.startswith(wanted) else 0.0
        return 0.72 + start + 0.2 * len(wanted) / len(plain)
    return 0.0


@lru_cache(maxsize=1 << 13)
def address_words(url: str) -> str:
    """The last folder or file name of a URL without suffix, lower case."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    pieces = [piece for piece in unquote(path).casefold().split("/") if piece]
    while pieces and re.fullmatch(r"(?:index|default|main|home)?", _ENDING.sub("", pieces[-1])):
        pieces.pop()
    return _ENDING.sub("", pieces[-1]) if pieces else ""


@lru_cache(maxsize=1 << 12)
def _spelled(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in plain_title(name).split() if len(word) > 1))


def match_address(url: str, name: str, site_words: frozenset[str]) -> float:
    """0..1: share of the name's words in the last part of the URL, also without separators ("whatsnew")."""
    ending = address_words(url)
    words = _spelled(name)
    if not ending or not words:
        return 0.0
    weights = {word: word_weight((tokens(word) or (word,))[0], site_words) for word in words}
    left, found = ending, 0.0
    for word in sorted(words, key=len, reverse=True):
        for form in (word, word[: max(4, len(word) - 2)], word.replace(".", "")):
            if (len(form) >= 3 or re.search(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])", left)) and form in left:
                left = left.replace(form, " ", 1)
                found += weights[word]
                break
    letters = len(re.sub(r"[\W_]", "", ending)) or 1
    cover = 1 - len(re.sub(r"[\W_]", "", left)) / letters
    recall = found / sum(weights.values())
    return recall * (0.25 + 0.75 * cover) * min(1.0, found / 0.8)
