"""Tells from words whether a question, or a passage of a page, points to a picture."""

from __future__ import annotations

import re
from typing import Literal

from memory.words import lazy_re

_NOUNS = (
    r"pictures?|photos?|maps?|charts?|diagrams?|figure|drawings?|illustrations?|sketch(?:es)?|posters?|flyers?|leaflets?|logos?"
    r"|banners?|floor ?plans?|mock-?ups?|t-?shirts?|paintings?|cartoons?|comics?|thumbnails?|(?:title|front) page"
    r"|(?<!docker )(?<!disk )(?<!container )(?<!boot )(?<!iso )(?<!system )(?<!kernel )(?<!base )(?<!machine )images?"
)
_LOOSE_NOUNS = (
    r"images?|figures|graphs?|plots?|icons?|covers?|signs?|timelines?|dialog(?:ue)?s?(?: box(?:es)?)?|pop-?ups?|scans?|slides?|badges?"
    r"|(?:status|title|tool|menu|side|search|task|address|navigation) ?bars?|legend|axis|flags?|stamps?|seal|coat of arms|mascot"
    r"|layouts?"
)
_SHOW = r"shows?|depicts?|displays?|illustrates?|looks?|says?|reads?"
_GERMAN = (
    r"bild(?:e|es|er|ern)?|fotos?|landkarten?|lageplan|stadtplan|diagramm(?:e|s)?|abbildung(?:en)?|grafik(?:en)?|schaubild(?:e|es)?"
    r"|skizzen?|plakat(?:e|es)?|logos?|zeichnung(?:en)?|titelbild|flyers?|gem[äa]lde|comics?"
    r"|\w{3,}(?:foto|grafik|diagramm|plakat|zeichnung|skizze|abbildung|landkarte)s?|banner(?:s|n)?|transparente?s?"
)
_LOOSE_GERMAN = (
    r"karten?|dialogfenster|(?:status|symbol|titel|men[üu]|such|seiten)leiste|\w{3,}schema|schild(?:er)?|wappen|folien?|achse|legende"
    r"|umschlag|cover|titelseite|stempel|flaggen?|scan"
)
_FRENCH = (
    r"photos?|photographies?|images?|sch[ée]mas?|diagrammes?|affiches?|dessins?|graphiques?|illustrations?|logos?|infographies?"
    r"|organigrammes?|vignettes?|tableaux? peints?|dépliants?"
)
_LOOSE_FRENCH = (
    r"cartes?|plans?|figures?|couvertures?|bo[îi]tes? de dialogue|barres? (?:d[’']\w+|de (?:titre|menus?))|panneaux?|diapositives?"
    r"|diapos?|drapeaux?|blasons?|l[ée]gende|frise|tampon"
)
_SPANISH = (
    r"fotos?|fotograf[íi]as?|im[áa]gen(?:es)?|mapas?|diagramas?|gr[áa]fic[oa]s?|cartel(?:es)?|dibujos?|ilustraci[óo]n(?:es)?|logos?"
    r"|infograf[íi]as?|vi[ñn]etas?|folletos?"
)
_LOOSE_SPANISH = (
    r"figuras?|esquemas?|planos?|portadas?|cuadros? de di[áa]logo|barras? de \w+"
    r"|letreros?|diapositivas?|banderas?|escudos?|leyenda"
)
_PORTUGUESE = (
    r"fotos?|fotografias?|imagem|imagens|mapas?|diagramas?|gr[áa]ficos?|cartaz|cartazes|desenhos?|logos?|infogr[áa]ficos?"
    r"|ilustra[çc](?:[ãa]o|[õo]es)|folhetos?"
)
_LOOSE_PORTUGUESE = (
    r"figuras?|esquemas?|capas?|caixas? de di[áa]logo"
    r"|barras? de \w+|placas?|slides?|bandeiras?|bras[ãa]o|legenda"
)
_ITALIAN = (
    r"foto|fotografi[ae]|immagin[ei]|mapp[ae]|cartina|diagramm[ai]|grafic[io]|disegn[io]|logo"
    r"|illustrazion[ei]|locandin[ae]|volantin[oi]"
)
_LOOSE_ITALIAN = (
    r"figur[ae]|schem[ai]|copertin[ae]|finestra di dialogo|barra (?:dei|degli|del|di) \w+"
    r"|cartell[oi]|stemma|bandier[ae]|legenda"
)
_FEW = r"(?:[^\s.,;:!?]+\s+){0,5}?"
_OBJECTS = r"(?:paintings?|drawings?|sketch(?:es)?|posters?|flyers?|leaflets?|banners?|t-?shirts?|cartoons?|comics?)"
"""Of the nouns those that mean things as well, which a site collects, lends or sells."""
_PROPERTIES = (
    r"(?:heights?|widths?|lengths?|depths?|sizes?|dimensions|weights?|area|thickness|diameters?|prices?|costs?|fees?|values?|ages?"
    r"|dates?|numbers?|count|total|sum|average|mean|median|owners?|painters?|makers?|artists?|authors?|donors?|lenders?)"
)
_OF_OBJECT = lazy_re.compile(
    rf"\b{_PROPERTIES}\s+of\s+(?:all\s+|both\s+|each of\s+)?(?:the|this|that|these|those|its|their|each|every)\s+"
    rf"(?:(?!(?:in|on|at|of|from|by|with)\b)[^\s.,;:!?]+\s+){{0,5}}?{_OBJECTS}(?![\w-])",
    re.IGNORECASE,
)
"""What a thing has, which no picture of it shows: "the height of the paintings"."""
_PLACES = (
    # English
    r"\b(?:to|at|on|in|from) the (?:immediate |far |very |upper |lower |top |bottom )?(?:left|right)(?: of| side| corner|[?,])",
    r"\b(?:left|right) of the\b|\b(?:top|upper|bottom|lower)[ -](?:left|right|row|corner|half)\b|\b(?:left|right)-?most\b",
    # German, French
    r"\b(?:links|rechts) (?:oben|unten|von|neben|au[ßs]en)\b|\b(?:oben|unten|ganz) (?:links|rechts)\b",
    r"\b(?:à (?:l[’']extr[êe]me )?|tout à )(?:gauche|droite)\b|\ben (?:haut|bas) à (?:gauche|droite)\b",
    # Spanish, Portuguese, Italian
    r"\ba la (?:izquierda|derecha)\b|\b(?:superior|inferior) (?:izquierd|derech|esquerd|direit)\w+|\bà (?:esquerda|direita)\b",
    r"\b(?:a|sulla) (?:sinistra|destra)\b|\bin (?:alto|basso) a (?:sinistra|destra)\b",
    # Chinese, Japanese
    r"[左右][边侧上下]角?|最[左右]|[左右](?:端|隣|の)|一番[左右上下]",
)
"""Places in what is drawn: in a text hardly anything stands to the left of something else; on a page parts of it do."""


def _framed(english: str, german: str, french: str, spanish: str, portuguese: str, italian: str) -> tuple[str, ...]:
    """Patterns of the phrases in which the nouns of a picture mean one that is there."""
    return (
        (
            rf"\b(?:in|on|of|from|by|see|to|does|do|is|are)\s+(?:the|an?|this|that|its|their|each|which|one of the)\s+{_FEW}"
            rf"(?:{english})(?![\w-])"
            r"(?! (?:of directors|files?|formats?|names?|sizes?|urls?|versions?|layers?|registry|tags?|types?))"
        ),
        rf"\b(?:{english})\s+{_FEW}(?:{_SHOW})\b",
        (
            r"\b(?:auf|in|im|am|vom|von|aus|laut|zeigt|zeigen|sieht man auf|nach)\s+(?:d(?:em|er|en|ie|as)\s+|eine[mnr]?\s+)?"
            rf"{_FEW}(?:{german})\b"
        ),
        (
            r"\b(?:sur|dans|de|montre|illustre|selon|d[’']apr[èe]s)\s+(?:l[ea]s?\s+|l[’']\s?|cet?te?\s+|une?\s+|quelle\s+)"
            rf"{_FEW}(?:{french})\b"
        ),
        rf"\b(?:du|des|aux?)\s+{_FEW}(?:{french})\b",
        rf"\b(?:en|sobre|seg[úu]n|de|muestra|muestran)\s+(?:l[ao]s?|el|est[ea]|una?|qu[ée])\s+{_FEW}(?:{spanish})\b",
        rf"\b(?:del|al)\s+{_FEW}(?:{spanish})\b",
        rf"\b(?:[nd][ao]s?|n?um[a]?|sobre [ao]|segundo [ao]|mostra [ao])\s+{_FEW}(?:{portuguese})\b",
        rf"\b(?:[nd]ell?[ao]|[nd]ell[’']|[nd]el|sull[ao]|sul|sull[’']|secondo l[ao]|mostra l[ao])\s*{_FEW}(?:{italian})\b",
    )


_WRITTEN = (
    # English, German
    r"\b(?:which|what) words? (?:is|are|stands?|appears?|can be read) (?:\w+ )?(?:on|above|over|below|under|beside|behind|across)\b",
    (
        r"\bwhat (?:do|does) (?:the|its|their) (?:[^\s.,;:!?]+ ){0,2}?(?:letters|lettering|inscription|writing) "
        r"[^.;:!?]{0,40}?\b(?:say|read)\b"
    ),
    r"\bwelche[sr]? (?:wort|w[öo]rter|aufschrift|schriftzug|buchstaben?)\b.{0,30}?\b(?:[üu]ber|auf|unter|an|am|neben|hinter)\b",
    # French, Spanish
    r"\bquels? mots?\b.{0,40}?\b(?:sur|au-dessus|sous|dans le dos)\b|\b(?:est|sont) (?:tatou|grav)[ée]e?s?\b",
    r"\bqu[ée] palabras?\b.{0,40}?\b(?:sobre|encima|debajo|en)\b|\bqu[ée] dicen? las letras\b",
)
"""What is written on a thing: a text that describes it seldom says so."""
_WRITING = lazy_re.compile(
    "|".join((*_WRITTEN, r"(?:哪个|什么)(?:词|字|单词|文字)(?:在|写|印)|(?:写|印|刻)着(?:什么|哪)")), re.IGNORECASE
)
_THINGS_SEEN = r"banners?|logos?|posters?|billboards?|placards?"
_PLACED = (
    # English, German: where it hangs, and what somebody has on.
    rf"\b(?:{_THINGS_SEEN})\s+(?:hangs?\s+)?(?:above|over|behind|below|under|beneath|next to|beside|in front of)\b",
    r"\b(?:wears?|wore)\b[^.;:!?]{0,60}?\bon (?:his|her|their|its)\b|\bdoes [^.;:!?]{2,60}? wear on\b",
    r"\b(?:marked|labell?ed|drawn)\b[^.;:!?]{0,60}?\bon (?:the|its|their|a) (?:[^\s.,;:!?]+ ){0,2}?(?:plan|sketch)(?![\w-])",
    r"\b(?:banner|logo|plakat|schild|transparent)s?\s+(?:\w+ ){0,4}?(?:hinter|[üu]ber|unter|neben|vor|an)\b",
    r"\btr[äa]gt\b.{0,50}?\bauf (?:de[mr]|seine[mr]|ihre[mr])\b",
    # French, Spanish, Chinese
    r"\bporte(?:nt)?\b.{0,50}?\bsur (?:son|sa|ses|leurs?)\b",
    r"\b(?:lleva|viste)n?\b.{0,50}?\ben (?:su|la|el) (?:camiseta|dorsal|espalda)\b",
    r"[上下左右旁]面?的?(?:标志|徽标|logo)|(?:标志|徽标|logo)(?:属于|代表|是哪)",
)

_PLAIN = lazy_re.compile(
    "|".join(
        (
            *_framed(_NOUNS, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN),
            # English
            r"\b(?:screen ?shots?|screen captures?|infographics?|photographs?|pictured|depicted|fig(?:ure|\.) ?\d+|wearing)\b",
            r"\b(?:is|are|was|were)\s+(?:[^\s.,;:!?]+\s+){0,3}?(?:drawn|painted)\s+(?:in|on|at|above|below|under|beside)\b",
            r"\b(?:on|according to) (?:the|its|their)\s+(?:[^\s.,;:!?]+\s+){0,3}?(?:signs?|covers?|badges?|stamps?)(?![\w-])",
            # German, French
            r"\b(?:screenshots?|bildschirmfotos?|abgebildet\w*|abb\. ?\d+|sieht man auf)\b",
            r"\bauf de[rm] (?:\w+ )?(?:karte|schild|cover)\b|\bsur (?:la (?:carte|couverture)|le (?:plan|panneau))\b",
            r"\b(?:captures?|copies?) d[’']\s?[ée]cran\b|\bque voit-on\b|\bvisibles? (?:sur|dans)\b",
            # Spanish, Portuguese, Italian
            r"\bcapturas? de (?:pantalla|tela|ecr[ãa])\b|\bpantallazos?\b|\bschermat[ae]\b",
            *_WRITTEN,
            *_PLACED,
            # Chinese, Japanese
            r"截图|截屏|图片|图中|图上|图里|图内|照片|插图|示意图|地图[上中里]|海报|如图|图 ?\d+|流程图|架构图|曲线图|柱状图|饼图",
            r"结构图|(?:标志|徽标|logo)[上中里]|长什么样|[这该此本]张?图",
            r"画像|写真|スクリーンショット|スクショ|地図|イラスト|ポスター|図 ?\d+|図[中表にで]|[のこ]図|描かれ|写って|ロゴ",
        )
    ),
    re.IGNORECASE,
)
_PLACE = lazy_re.compile("|".join(_PLACES), re.IGNORECASE)
_OBJECT = lazy_re.compile(rf"\b{_OBJECTS}(?![\w-])", re.IGNORECASE)
_BEFORE = lazy_re.compile(r"^.*\b(?=(?:the|an?|this|that|its|their|each|which) )", re.IGNORECASE)
_LOOSE_FRAMED = lazy_re.compile(
    "|".join(_framed(_LOOSE_NOUNS, _LOOSE_GERMAN, _LOOSE_FRENCH, _LOOSE_SPANISH, _LOOSE_PORTUGUESE, _LOOSE_ITALIAN)),
    re.IGNORECASE,
)
_LOOSE = lazy_re.compile(
    "|".join(
        (
            _LOOSE_FRAMED.pattern,
            _PLACE.pattern,
            # English
            (
                r"\b(?:is|are|was|were)\s+(?:[^\s.,;:!?]+\s+){0,3}?(?:shown|visible|seen|printed|written)\s+"
                r"(?:in|on|at|above|below|under|beside)\b"
            ),
            r"\bwh(?:at|ich) colou?rs?\b|\blooks? like\b|\b(?:at|of) the arrow\b|\blabel+ed\b",
            # German, French, Spanish, Portuguese, Italian
            r"\b(?:zu sehen|zu lesen|welche farben?|dargestellt\w*)\b|\b(?:in|im|as) (?:the |an )?(?:example|beispiel)\b",
            r"\b(?:dans l[’']|en |de l[’'])exemples?\b|\ben (?:el )?ejemplo\b",
            r"\b(?:de )?quelles? couleurs?\b|\b(?:est|sont) [ée]crite?s? sur\b",
            r"\b(?:de )?qu[ée] color(?:es)?\b|\b(?:de )?que cor(?:es)?\b|\bdi che colore\b|\best[áa] (?:escrit[oa]|pintad[oa])\b",
            # Chinese, Japanese
            r"图表|图示|画面|(?:什么|哪种|何种)颜色|所示|对话框|状态栏|[框布时关状原分]\w?图|封面|写着|印着|幻灯片",
            r"グラフ[でのにが]|何色|表紙|ダイアログ|示され|書かれて|スライド|看板",
        )
    ),
    re.IGNORECASE,
)
_FIGURE = (
    r"fig(?:ure|\.)?|pictures?|photos?|images?|maps?|screen ?shots?|diagrams?|charts?|graphs?|graphics?|drawings?|illustrations?"
    r"|posters?|plans?|schematics?|infographics?|layouts?|flow ?charts?|sketch(?:es)?"
)
_DE, _FR, _ES = f"{_GERMAN}|{_LOOSE_GERMAN}", f"{_FRENCH}|{_LOOSE_FRENCH}", f"{_SPANISH}|{_LOOSE_SPANISH}"
_PT, _IT = f"{_PORTUGUESE}|{_LOOSE_PORTUGUESE}", f"{_ITALIAN}|{_LOOSE_ITALIAN}"
_PAGE = lazy_re.compile(
    "|".join(
        (
            rf"\b(?:see|refer to|look at|consult)\s+(?:also\s+)?(?:(?:the|our|this)\s+{_FEW}(?:{_FIGURE})(?![\w-])|(?:{_FIGURE}) ?\d)",
            (
                r"\b(?:shown|illustrated|depicted|displayed|seen|marked|found|given|listed|diagram+ed|pictured|drawn|visible|visuali[sz]ed)"
                rf"\s+(?:in|on|by)\s+(?:the\s+|our\s+|this\s+|an?\s+)?{_FEW}(?:{_FIGURE})(?![\w-])"
            ),
            rf"\b(?:{_FIGURE})\s+(?:below|above|on the (?:left|right)|shows?|illustrates?|depicts?)\b",
            rf"\b(?:following|next|previous|above|below|accompanying)\s+(?:[^\s.,;:!?]+\s+)?(?:{_FIGURE})(?![\w-])",
            rf"\b(?:this|here) is (?:an?|the|our) (?:[^\s.,;:!?]+\s+)?(?:{_FIGURE})(?![\w-])",
            # German
            rf"\b(?:siehe|vgl\.?)\s+(?:d(?:ie|as|en)\s+)?(?:abb(?:\.|ildung)|{_DE})|\b(?:{_DE})\s+(?:unten|oben|zeigt)\b",
            rf"\b(?:folgende\w*|nachstehende\w*|obige\w*)\s+(?:{_DE})\b",
            rf"\b(?:wie )?(?:im|in der|auf dem|auf der)\s+(?:{_DE})\s+(?:\w+\s+)?(?:gezeigt|dargestellt|zu sehen|abgebildet)\b",
            # French
            rf"\bvoir\s+(?:l[ae]\s+|l[’'])?(?:{_FR})\b|\b(?:{_FR})\s+(?:ci-(?:dessous|dessus|contre)|suivante?s?)\b",
            rf"\b(?:comme le )?(?:montre|illustre)(?:nt)?\s+(?:l[ae]s?\s+|l[’'])(?:{_FR})\b|\b(?:{_FR})\s+(?:montre|illustre)",
            # Spanish, Portuguese, Italian
            rf"\b(?:v[ée]ase|ver|vea)\s+(?:l[ao]s?\s+|el\s+)?(?:{_ES})\b|\b(?:{_ES})\s+(?:siguiente|de abajo|de arriba)\b",
            rf"\b(?:siguientes?|como muestra (?:el|la))\s+(?:{_ES})\b|\b(?:{_ES})\s+muestra\b",
            rf"\b(?:veja|ver|vide)\s+[ao]s?\s+(?:{_PT})\b|\b(?:{_PT})\s+(?:abaixo|acima|a seguir|seguinte|mostra)\b",
            rf"\b(?:vedi|si veda)\s+(?:l[ao]\s+|il\s+|l[’'])?(?:{_IT})\b|\b(?:{_IT})\s+(?:seguente|sotto|sopra|mostra)\b",
            # Chinese, Japanese
            r"[见如下上]图|参见图|图 ?\d+|如下所示的图|下列图|以下截图|如截图|图[中片]?所示|下面的?[^，。]{0,6}图|以下[^，。]{0,6}图",
            r"[下上次]の?(?:図|写真|画像|地図)|図 ?\d+|図のよう|以下の(?:図|画像|写真|地図|スクリーンショット)|図[にで]示",
        )
    ),
    re.IGNORECASE,
)
_CONTROL = lazy_re.compile(
    r"\b(?:buttons?|icons?|symbols?|tool ?bars?|check ?boxes|controls?|knobs?|switch(?:es)?"
    r"|kn[öo]pfe?|schaltfl[äa]chen?|symbole?|symbolleisten?|werkzeugleisten?"
    r"|boutons?|ic[ôo]nes?|barres? d[’']outils|bot[óo]n(?:es)?|iconos?|barras? de herramientas|bot(?:[ãa]o|[õo]es)|[íi]cones?"
    r"|barras? de ferramentas|pulsant[ei]|icon[ae])\b"
    r"|按钮|图标|工具栏|按键|ボタン|アイコン|ツールバー",
    re.IGNORECASE,
)
_NUMBERED = lazy_re.compile(
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


Pointing = Literal["plain", "loose", ""]
"""How a question points to a picture: by words that mean one and nothing else ("in the screenshot"), by words that mean other things
on many a site as well ("in the dialog", "what colour", "on the left"), or not at all."""


def how_question_points(question: str) -> Pointing:
    """How a question asks for what a picture shows."""
    text = _read(question)
    if _PLAIN.search(text):
        return "plain"
    # Two that mean other things leave little else: "in the layout ..., which field lies to the right of the mark".
    if _PLACE.search(text) and _LOOSE_FRAMED.search(text):
        return "plain"
    return "loose" if _LOOSE.search(text) else ""


def asks_for_writing(question: str) -> bool:
    """Whether a question asks what is written on a thing that a picture shows ("which word stands over the door")."""
    return _WRITING.search(_read(question)) is not None


def names_control(question: str) -> bool:
    """Whether a question names a button, an icon or a tool bar."""
    return _CONTROL.search(question) is not None


def picture_named(question: str) -> str:
    """The words by which a question points to a picture plainly, from their last article: "the old map"; "" where none do."""
    found = _PLAIN.search(_read(question))
    return _BEFORE.sub("", found[0]) if found else ""


def means_picture_only(question: str) -> bool:
    """Whether the words by which a question points to a picture plainly mean no thing of which there may be a picture."""
    return how_question_points(_OBJECT.sub(" ", _read(question))) == "plain"


def _read(question: str) -> str:
    """A question in one line, without the properties of things that it asks for."""
    return _OF_OBJECT.sub(" ", " ".join(question.split()))


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
