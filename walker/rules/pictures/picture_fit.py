"""Judges one picture of a page: what it likely is, and how well it fits a question, by the words that the page has for it."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Observation
from perception.snapshot import BlindRegion
from walker.rules.pictures.picture_words import NOUNS, figure_numbers, kinds_named

_FUNCTION_WORDS = frozenset(
    # Of languages that the tokeniser has no stop words for; each stands in most questions and in most texts.
    "der die das den dem des ein eine einen einem einer eines und oder im in ist sind war zu zum zur bis auf aus bei mit von vom für "
    "wie viele viel wann wo wer was welche welcher welches welchem welchen hat haben wird wurde nach an am es sich als dieser diese "
    "le la les un une des du de et ou est sont à au aux dans sur pour par avec quel quelle quels quelles qui que combien où quand "
    "el los las una unos y o es son en con por para del al cuál cuáles qué quién cuántos cuántas dónde cuándo "
    "os um uma do da dos das na no nas nos em com qual quais quem quanto quantos onde il lo gli della di che chi quanti".split()
)
_DECORATION = lazy_re.compile(
    r"(?:^|[^a-z])(logos?|icons?|favicon|avatars?|gravatar|portraits?|head-?shots?|banners?|hero|backgrounds?|bg|backdrop|masthead"
    r"|sponsors?|partners?|badges?|buttons?|btn|flags?|bullets?|arrows?|spacers?|dividers?|separators?|ornaments?|decorations?|social"
    r"|emoji|smileys?|carousel|slideshow|speakers?|staff|team|teaser)(?:[^a-z]|$)"
)
"""Words in file names, class names and ids of pictures that decorate, or show who somebody is."""
_PHOTOGRAPH = lazy_re.compile(r"\.(?:jpe?g|jfif|heic)$|/(?:photos?|fotos?|gallery|galerie)/", re.IGNORECASE)
_DRAWN_FILE = lazy_re.compile(r"\.(?:png|gif|svg)$", re.IGNORECASE)
"""Files that hold drawings, however many colours these have."""
_INFORMATIVE = lazy_re.compile(
    r"(?:^|[^a-z])(?:screen ?shots?|screen captures?|diagrams?|(?:flow|pie|bar|org)? ?charts?|graphs?|plots?|maps?|floor ?plans?"
    r"|posters?|flyers?|leaflets?|infographics?|time ?tables?|schedules?|time ?lines?|architectures?|schem(?:a|as|atics?)|figures?|fig"
    r"|layouts?|tables?|slides?|scans?|sketch(?:es)?|topolog(?:y|ies)|work ?flows?|mock ?ups?|dialogs?|windows?|menus?|covers?"
    r"|diagramm\w*|schaubild\w*|abbildung\w*|lageplan|stadtplan|plakat\w*|fahrplan|stundenplan|speisekarte|bildschirm\w*|skizze\w*"
    r"|sch[ée]mas?|diagrammes?|affiches?|plans?|organigrammes?|captures?|graphiques?|cartel(?:es)?|mapas?|esquemas?|gr[áa]ficos?|cartaz"
    r"|planos?|diagramas?|capturas?|locandin[ae]|mapp[ae]|schem[ai]|diagramm[ai])(?:[^a-z]|$)"
    r"|图|海报|截屏|地图|课表|日程|スクリーンショット|ポスター|地図|時刻表|時間割",
    re.IGNORECASE,
)
"""Names of pictures that hold words and numbers of their own."""
_CALLED = frozenset(
    "img images pic pics pictures photos graphic graphics illustrations drawings bilder fotos grafiken abb abbildungen "
    "graphique graphiques gráfico gráficos imágenes imagens immagine immagini png jpg jpeg gif webp svg".split()
)
"""Besides `NOUNS`, words that say that something is a picture."""
_HUMPS = lazy_re.compile(r"(?<=[a-z])(?=[A-Z])|[_\-./+]+|(?<=[A-Za-z])(?=\d)")
_DOCUMENT = lazy_re.compile(r"\.(?:pdf|docx?|pptx?|xlsx?|od[tps]|epub|ps)$", re.IGNORECASE)
EVEN = 0.82
"""Share of equal neighbouring pixels from which a picture is drawn or typed: of 226 screenshots, diagrams and logos of the building
sites 212 have more, of 238 photographs 220 less."""
BANNER_SHAPE = 5.0
"""Width by height from which a picture is a strip across the page."""
LEAST_SIDE = 24.0
"""CSS pixels of the shorter side from which a picture is more than an icon."""
ICON_AREA, ICON_DETAIL = 10_000.0, 2.0
"""Square CSS pixels up to which a picture is small, 100 x 100; and own pixels per CSS pixel up to which its file holds no more than
that."""
STRIP_AREA = 40_000.0
"""Square CSS pixels from which what looks like decoration may be asked for by its name: 200 x 200."""
PREFIX = 5
"""Least letters of a word that also counts where it begins, or ends, a longer one ("Gutschein" in "Gutscheinkarte")."""


OWN, AROUND, PAGE = 1.5, 1.0, 0.7
"""How often each word of the question that stands in a picture's own words, around it, or in the page's title and address, halves
what is left of the doubt that this picture is meant: the words for what is to be read in it stand in it only."""


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """The words about a picture: its own (name, caption, file), those around it (heading, block), and those of its page."""

    own: frozenset[str]
    around: frozenset[str]
    page: frozenset[str]


def topic_of(question: str) -> frozenset[str]:
    """The words of a question that say what it is about; without those that only say that a picture is meant."""
    found = frozenset(word for word in tokens(question) if word not in _FUNCTION_WORDS)
    return found - NOUNS or found


def words_of(picture: BlindRegion, observation: Observation) -> Words:
    """The page's words about one of its pictures."""
    return Words(
        own=_set_of(f"{picture.name} {_file_words(picture.source)}"),
        around=_set_of(f"{picture.heading} {picture.near}"),
        page=_set_of(
            f"{observation.title} {_file_words(observation.url)} {_file_words(urlsplit(observation.url).fragment)}"
        ),
    )


def share_said(topic: frozenset[str], said: frozenset[str]) -> float:
    """Share 0..1 of a question's words that are among others."""
    return len(matched(topic, said)) / len(topic) if topic else 0.0


def matched(topic: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """The words of a question that are among others; a long word also where it is a part of a longer one."""
    return frozenset(word for word in topic if word in said or _is_part(word, said))


def is_decoration(picture: BlindRegion) -> bool:
    """Whether a picture is likely no part of what the page says: a logo, an icon, a portrait, a banner, outside of the main text;
    or a document in a frame, which is a page of its own."""
    if _DOCUMENT.search(urlsplit(picture.source).path):
        return True
    if picture.place in ("header", "footer", "nav") or min(picture.box.width, picture.box.height) < LEAST_SIDE:
        return True
    if picture.box.width > BANNER_SHAPE * picture.box.height and not picture.detail:
        return bool(picture.source)
    return _DECORATION.search(f"{_file_name(picture.source)} {picture.marks}".lower()) is not None


def is_icon(picture: BlindRegion) -> bool:
    """Whether a picture is too small for words and numbers of its own, and its file as well."""
    return picture.box.area <= ICON_AREA and picture.detail < ICON_DETAIL


def is_photograph(picture: BlindRegion) -> bool:
    """Whether a picture is likely a photograph, by its file, and by its pixels where they are known: these seldom hold words."""
    path = urlsplit(picture.source).path
    if picture.even and not _DRAWN_FILE.search(path):
        return picture.even < EVEN
    return _PHOTOGRAPH.search(path) is not None


def is_informative(picture: BlindRegion) -> bool:
    """Whether the page, or its file's name, calls a picture something that is drawn to be read: a diagram, a map, a poster."""
    return _INFORMATIVE.search(f"{picture.name} {_file_words(picture.source)}") is not None


def is_only_called(picture: BlindRegion) -> bool:
    """Whether all that the page calls a picture is that it is drawn to be read ("Chart", "Figure 2", "diagram.png"), and nothing of
    what it shows. "Photo" or "img_2031.png" promise no words and numbers."""
    if not _INFORMATIVE.search(picture.name):
        return False
    said = _HUMPS.sub(" ", picture.name)
    for _ in range(2):  # neighbours share the sign between them
        said = _INFORMATIVE.sub(" ", said)
    words = re.findall(r"[^\W\d_]+", said.lower())
    return all(word in NOUNS or word in _CALLED for word in words)


def pointed_fit(picture: BlindRegion, question: str, observation: Observation) -> float:
    """How well, 0..1, a picture is the one that a question points to, by its words; 0 for one that it cannot be."""
    topic, words = topic_of(question), words_of(picture, observation)
    if is_decoration(picture) and not _may_be_asked_for(picture, question, matched(topic, words.own)):
        return 0.0
    if (numbers := figure_numbers(question)) and (own_numbers := figure_numbers(f"{picture.name} {picture.near}")):
        return 1.0 if numbers & own_numbers else 0.0
    own = matched(topic, words.own)
    around = matched(topic, words.around) - own
    page = matched(topic, words.page) - own - around
    kind = bool(kinds_named(question) & kinds_named(f"{picture.name} {_file_words(picture.source)}"))
    if picture.box.area <= ICON_AREA and not own and not kind:
        return 0.0  # the portrait or the icon beside a text about the question
    return round(1 - math.exp2(-(OWN * len(own) + AROUND * len(around) + PAGE * len(page) + kind)), 4)


def _may_be_asked_for(picture: BlindRegion, question: str, own: frozenset[str]) -> bool:
    """Whether a picture that looks like decoration may be the one that a question points to: one of a kind that it names ("the logo",
    "on the badge"), or a large one of the main text that has words of it in its own name ("timeline.png")."""
    if kinds_named(question) & {"logo", "icon", "banner", "portrait"}:
        return True
    called = _DECORATION.findall(f"{_file_name(picture.source)} {picture.marks}".lower())
    if not _set_of(" ".join(called)).isdisjoint(_set_of(question)):
        return True
    is_large = min(picture.box.width, picture.box.height) >= LEAST_SIDE and picture.box.area >= STRIP_AREA
    return bool(own) and is_large and picture.place in ("main", "aside", "")


def _is_part(word: str, said: frozenset[str]) -> bool:
    return len(word) >= PREFIX and any(
        len(other) >= PREFIX and (other.startswith(word) or word.startswith(other)) for other in said
    )


@lru_cache(maxsize=512)
def _set_of(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def _file_name(source: str) -> str:
    return unquote(urlsplit(source).path).rpartition("/")[2]


def _file_words(source: str) -> str:
    """The words of a file's name: "fanshop-gutschein-karte.webp" gives "fanshop gutschein karte"."""
    stem = _file_name(source).rpartition(".")[0] or _file_name(source)
    return " ".join(_HUMPS.split(stem))
