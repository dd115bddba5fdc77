"""Tells from words whether a question, or a passage of a page, points to a picture."""

from __future__ import annotations

import re

_NOUNS = (
    r"pictures?|photos?|images?|maps?|charts?|graphs?|plots?|diagrams?|figures?|drawings?|illustrations?|sketch(?:es)?|posters?"
    r"|flyers?|leaflets?|logos?|icons?|banners?|covers?|signs?|timelines?|floor ?plans?|dialog(?:ue)?s?(?: box(?:es)?)?|pop-?ups?"
    r"|(?:status|title|tool|menu|side) ?bars?|mock-?ups?|scans?|slides?|t-?shirts?"
)
_SHOW = r"shows?|depicts?|displays?|illustrates?|looks?"
_GERMAN = (
    r"bild(?:e|es|er|ern)?|fotos?|karten?|lageplan|stadtplan|diagramm(?:e|s)?|abbildung(?:en)?|grafik(?:en)?|schaubild(?:e|es)?"
    r"|skizzen?|plakat(?:e|es)?|logos?|zeichnung(?:en)?|titelbild|flyers?"
)
_FRENCH = r"photos?|images?|cartes?|plans?|sch[ée]mas?|diagrammes?|figures?|affiches?|dessins?|graphiques?|illustrations?|logos?"
_SPANISH = (
    r"fotos?|fotograf[íi]as?|im[áa]gen(?:es)?|mapas?|figuras?|diagramas?|gr[áa]fic[oa]s?|esquemas?|cartel(?:es)?|dibujos?|planos?"
    r"|ilustraci[óo]n(?:es)?|logos?"
)
_PORTUGUESE = r"fotos?|imagem|imagens|mapas?|figuras?|diagramas?|gr[áa]ficos?|cartaz|desenhos?|logos?"
_ITALIAN = r"foto|immagin[ei]|mapp[ae]|cartina|figur[ae]|diagramm[ai]|grafic[io]|disegn[io]|logo"
_FEW = r"(?:[^\s.,;:!?]+\s+){0,5}?"
_QUESTION = re.compile(
    "|".join(
        (
            # English
            r"\b(?:screen ?shots?|screen captures?|infographics?|photographs?|pictured|depicted|fig(?:ure|\.) ?\d+)\b",
            (
                rf"\b(?:in|on|of|from|by|see|to|does|do|is|are)\s+(?:the|an?|this|that|its|their|each|which|one of the)\s+{_FEW}"
                rf"(?:{_NOUNS})(?![\w-])"
                r"(?! (?:of directors|files?|formats?|names?|sizes?|urls?|versions?|layers?|registry))"
            ),
            rf"\b(?:{_NOUNS})\s+{_FEW}(?:{_SHOW})\b",
            (
                r"\b(?:is|are|was|were)\s+(?:[^\s.,;:!?]+\s+){0,3}?(?:drawn|shown|visible|seen|printed|painted|written)\s+"
                r"(?:in|on|at|above|below|under|beside)\b"
            ),
            r"\bwh(?:at|ich) colou?rs?\b|\blooks? like\b|\bwearing\b",
            # German
            r"\b(?:screenshots?|bildschirmfotos?|abgebildet\w*|abb\. ?\d+|zu sehen|welche farben?|dargestellt\w*)\b",
            (
                r"\b(?:auf|in|im|am|vom|von|aus|laut|zeigt|zeigen|sieht man auf)\s+(?:d(?:em|er|en|ie|as)\s+|eine[mnr]?\s+)?"
                rf"{_FEW}(?:{_GERMAN})\b"
            ),
            # French
            r"\bcaptures? d[’']\s?[ée]cran\b|\bde quelle couleur\b|\bquelle couleur\b",
            rf"\b(?:sur|dans|de|montre|illustre)\s+(?:l[ea]s?\s+|l[’']\s?|cet?te?\s+|une?\s+){_FEW}(?:{_FRENCH})\b",
            # Spanish, Portuguese, Italian
            r"\b(?:capturas? de (?:pantalla|tela|ecr[ãa])|qu[ée] color(?:es)?|de que cor|di che colore)\b",
            rf"\b(?:en|sobre|seg[úu]n|de|muestra|muestran)\s+(?:l[ao]s?|el|est[ea]|una?)\s+{_FEW}(?:{_SPANISH})\b",
            rf"\b(?:n[ao]s?|sobre [ao]|mostra [ao])\s+{_FEW}(?:{_PORTUGUESE})\b",
            rf"\b(?:nell[ao]|nell[’']|nel|sull[ao]|sul|mostra l[ao])\s*{_FEW}(?:{_ITALIAN})\b",
            # Chinese
            r"截图|截屏|图片|图中|图上|图里|图内|照片|插图|示意图|地图[上中里]|图表|图示|海报|如图|图 ?\d+|画面|流程图|架构图",
            r"曲线图|柱状图|饼图|结构图|(?:标志|徽标|logo)[上中里]|(?:什么|哪种|何种)颜色|长什么样",
            # Japanese
            r"画像|写真|スクリーンショット|スクショ|地図|イラスト|ポスター|グラフ[でのにが]|図 ?\d+|図[中表にで]|[のこ]図",
            r"何色|描かれ|写って",
        )
    ),
    re.IGNORECASE,
)
_FIGURE = (
    r"fig(?:ure|\.)?|pictures?|photos?|images?|maps?|screen ?shots?|diagrams?|charts?|graphs?|drawings?|illustrations?|posters?"
    r"|plans?"
)
_PAGE = re.compile(
    "|".join(
        (
            rf"\b(?:see|refer to|look at|consult)\s+(?:also\s+)?(?:(?:the|our|this)\s+{_FEW}(?:{_FIGURE})(?![\w-])|(?:{_FIGURE}) ?\d)",
            (
                r"\b(?:shown|illustrated|depicted|displayed|seen|marked|found|given|listed)\s+(?:in|on|by)\s+(?:the\s+|our\s+)?"
                rf"{_FEW}(?:{_FIGURE})(?![\w-])"
            ),
            rf"\b(?:{_FIGURE})\s+(?:below|above|on the (?:left|right)|shows?|illustrates?)\b",
            rf"\b(?:following|next|previous)\s+(?:[^\s.,;:!?]+\s+)?(?:{_FIGURE})(?![\w-])",
            rf"\b(?:siehe|vgl\.?)\s+(?:d(?:ie|as|en)\s+)?(?:abb(?:\.|ildung)|{_GERMAN})|\b(?:{_GERMAN})\s+(?:unten|oben|zeigt)\b",
            rf"\b(?:folgende\w*|nachstehende\w*)\s+(?:{_GERMAN})\b",
            rf"\bvoir\s+(?:l[ae]\s+|l[’'])?(?:{_FRENCH})\b|\b(?:{_FRENCH})\s+ci-(?:dessous|dessus|contre)\b",
            rf"\b(?:v[ée]ase|ver|vea)\s+(?:l[ao]s?\s+|el\s+)?(?:{_SPANISH})\b|\b(?:{_SPANISH})\s+(?:siguiente|de abajo|de arriba)\b",
            r"[见如下上]图|参见图|图 ?\d+|如下所示的图|下列图|以下截图|如截图",
            r"[下上次]の?(?:図|写真|画像|地図)|図 ?\d+|図のよう|以下の(?:図|画像|写真|地図)",
        )
    ),
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\b(?:fig(?:ure|\.)?|abb(?:ildung|\.)|figura|figuur)\s?(\d+)|図 ?(\d+)|图 ?(\d+)", re.IGNORECASE
)
_KINDS = {
    "map": r"\bmaps?\b|karte|lageplan|stadtplan|\bcartes?\b|mapas?|地图|地図|cartina|mapp[ae]",
    "logo": r"\blogos?\b|标志|徽标|ロゴ",
    "icon": r"\bicons?\b|symbol|图标|アイコン",
    "banner": r"\bbanners?\b",
    "portrait": r"\bportraits?\b|\bphotos?\b|\bfotos?\b|wearing|照片|写真",
}
NOUNS = frozenset(
    "screenshot picture pictur photo photograph image imag map chart graph plot diagram figure figur drawing draw illustration "
    "illustr sketch poster flyer leaflet logo icon banner cover sign show shown depict display bild foto karte abbildung grafik "
    "abgebildete abgebildet zeigt carte schéma affiche imagen mapa figura diagrama gráfico captura pantalla image colour color "
    "visible seen drawn written printed 图片 截图 照片 地图 画像 写真 地図".split()
)
"""Words that say that a picture is meant, not which one."""


def question_points(question: str) -> bool:
    """Whether a question asks for what a picture shows ("in the screenshot", "on the map", "what colour")."""
    return _QUESTION.search(" ".join(question.split())) is not None


def picture_named(question: str) -> str:
    """The words by which a question points to a picture, "" where none does."""
    found = _QUESTION.search(" ".join(question.split()))
    return found[0] if found else ""


def text_points(text: str) -> bool:
    """Whether a passage sends its reader to a picture ("see figure 3", "the map below")."""
    return _PAGE.search(text) is not None


def figure_numbers(text: str) -> frozenset[str]:
    """Numbers of the figures that a text names."""
    return frozenset(number for match in _NUMBERED.findall(text) for number in match if number)


def kinds_named(text: str) -> frozenset[str]:
    """The kinds of pictures that a text names, of those that are otherwise decoration: "logo", "icon", "banner", "portrait"; and
    "map"."""
    return frozenset(kind for kind, pattern in _KINDS.items() if re.search(pattern, text, re.IGNORECASE))
