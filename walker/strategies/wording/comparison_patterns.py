"""How German, French, Spanish and Chinese questions compare two things, as patterns with named groups.

`a` and `b` are the things, `unit` what is counted, `order` the comparative, `verb` what is said of both, `noun` what is asked of them.
"""

from __future__ import annotations

GERMAN_BEGAN = (
    r"(?:begann(?:en)?|wurden?|war(?:en)?|kam(?:en)?|startete|fand(?:en)?|gab|entstand|öffnete|erschien(?:en)?"
    r"|hat|haben|ist|sind|beginnt|beginnen|endet|enden|schließt|schließen|startet|öffnet|kommt|kommen|erscheint|fing|trat|fand)"
)
_IS = r"(?:ist|sind|war|waren|hat|haben|hatte|liegt|liegen|lag|dauert|dauerte|braucht|kostet|kostete)"
_COMPARATIVE = r"(?:mehr|weniger|[a-zäöüß]+er)"
GERMAN: tuple[tuple[str, str], ...] = (
    (
        "difference",
        (
            r"(?P<noun>wie ?viele? .+?) (?P<a>(?:der|die|das|den|dem|ein(?:e[nmrs]?)?) .+?) (?P<order>mehr"
            r"|weniger) als (?P<b>.+)"
        ),
    ),
    (
        "difference",
        rf"um wie ?viele? (?P<unit>\w+) (?P<verb>{_IS}) (?P<a>.+?) (?P<order>{_COMPARATIVE}) als (?P<b>.+)",
    ),
    ("difference", rf"um wie ?viele? (?P<unit>\w+) (?P<order>{_COMPARATIVE}) als (?P<b>.+?) (?P<verb>{_IS}) (?P<a>.+)"),
    ("difference", rf"um wie ?viele? (?P<verb>{_IS}) (?P<a>.+?) (?P<order>{_COMPARATIVE}) als (?P<b>.+)"),
    ("difference", rf"wie ?viele? (?P<unit>\w+) (?P<order>nach|vor) (?P<a>.+?) (?P<b>{GERMAN_BEGAN} .+)"),
    ("difference", rf"wie ?viele? (?P<unit>\w+) (?P<order>später|früher) als (?P<a>.+?) (?P<b>{GERMAN_BEGAN} .+)"),
    (
        "difference",
        r"wie ?viele? (?P<unit>\w+) (?:liegen|lagen|vergingen|vergehen|sind|waren) (?P<order>zwischen) (?P<a>.+?) und (?P<b>.+)",
    ),
    (
        "difference",
        r"(?:wie groß|wie hoch|welches?) ist (?:der|die) (?:unterschied|differenz) zwischen (?P<a>.+?) und (?P<b>.+)",
    ),
    (
        "difference",
        rf"wie ?viele? (?P<unit>\w+) (?P<order>mehr|weniger) (?P<verb>{_IS}|gibt es|kennt|umfasst) (?P<a>.+?) als (?P<b>.+)",
    ),
    (
        "difference",
        (
            r"wie ?viele? (?P<order>mehr|weniger) (?P<unit>\w+(?: (?-i:[A-ZÄÖÜ])\w+)?) (?P<verb>[a-zäöüß]+) (?P<a>.+?) "
            r"als (?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            r"um wie ?viele? (?P<unit>\w+) (?P<verb>liegt|liegen|lag|lagen) (?P<a>.+?) (?P<order>über"
            r"|unter) (?P<b>(?:de[rmn]|die|das) .+)"
        ),
    ),
    (
        "difference",
        rf"wie ?viele? (?P<unit>\w+) (?P<order>mehr|weniger|{_COMPARATIVE}) (?P<verb>[a-zäöüß]+t|sind) (?P<a>.+?) als (?P<b>.+)",
    ),
    (
        "compare",
        (
            rf"(?P<noun>(?:was|wer|wo|wovon|woran|wofür|(?:(?:an|auf|bei|für|in|mit|von) )?welche[mnrs]?)\b [^,:]*?"
            rf"\b(?:zuerst|eher|{_COMPARATIVE})\b[^,:]*)[,:]\s*(?P<a>.+?),?\s+oder\s+(?P<b>.+)"
        ),
    ),
)
_INVERTED = r"[\w]+(?:-t)?-(?:ils?|elles?|on)"
_OF = r"(?:de |d['’])"
_MORE = r"(?:de |en )?(?:plus|moins)"
_LIE = r"(?:se sont écoulée?s|s['’]écoulent|séparent|y a-t-il|ont passé|passent)"
FRENCH: tuple[tuple[str, str], ...] = (
    (
        "difference",
        (rf"combien {_OF}(?P<unit>[\w-]+) (?P<a>.+?) (?P<verb>{_INVERTED})(?: \w+)? (?P<order>{_MORE}) que (?P<b>.+)"),
    ),
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?P<a>(?:l[ea]s? "
            rf"|l['’]).+?) (?P<verb>{_INVERTED})(?: \w+)? que (?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?P<verb>faut-il|(?!qu[e'’]|y\b|l[aes]+\b|un\b|une\b|son\b|sa\b|ses\b)"
            r"[a-zéèêîûç]+) (?P<a>(?!-)(?:(?!\sest-|\sa-t-|-t-).)+?) qu(?:e |['’])(?P<b>.+)"
        ),
    ),
    (
        "difference",
        (rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?P<verb>y a-t-il|{_INVERTED}) (?P<a>.+?) que (?P<b>.+)"),
    ),
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?:que (?P<b>.+?) )(?P<a>(?:l[ea]s? |l['’]|un |une |son "
            rf"|sa |ses |les ).+?) "
            rf"(?P<verb>{_INVERTED}).*"
        ),
    ),
    (
        "difference",
        (
            rf"(?:de )?combien(?: {_OF}(?P<unit>[\w-]+))? (?P<a>.+?) (?:dépasse|excède|surpasse)(?:nt)?(?:-t)?(?:-(?:ils?"
            rf"|elles?))? (?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            rf"(?:de )?combien(?: {_OF}(?P<unit>[\w-]+))? (?P<a>.+?) (?P<verb>est|sont|était|étaient|dure|durait|coûte"
            rf"|coûtait)(?:-t)?-(?:ils?|elles?) "
            rf"(?:de )?(?P<order>(?:plus|moins)(?: \w+)?|supérieure?s?|inférieure?s?) (?:que |à |au )(?P<b>.+)"
        ),
    ),
    ("difference", rf"combien {_OF}(?P<unit>[\w-]+) {_LIE} (?P<order>entre) (?P<a>.+?) et (?P<b>.+)"),
    ("difference", rf"combien {_OF}(?P<unit>[\w-]+) {_LIE} (?P<a>.+?) de (?P<b>ce(?:lle|lui|ux|lles)\b.+)"),
    ("difference", rf"combien {_OF}(?P<unit>[\w-]+) {_LIE} (?P<a>.+?) (?:et|de) (?P<b>.+)"),
    ("difference", rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>après|avant) (?P<a>[^,]+?), ?(?P<b>.+)"),
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>après|avant) (?P<a>\S+ \S.*?)(?<! de)(?<! à) (?P<b>(?:l[ea]s? |l['’]|un |une "
            rf"|son |sa |ses )[^,]*?"
            rf"{_INVERTED} .+)"
        ),
    ),
    (
        "difference",
        (
            rf"(?:de )?combien(?: {_OF}(?P<unit>[\w-]+))? (?P<a>.+?) (?P<verb>{_INVERTED}) (?P<order>{_MORE})(?: \w+)?"
            r"(?: par \w+)? qu(?:e |['’])(?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            rf"combien(?: {_OF}(?P<unit>[\w-]+))? (?P<verb>coûtent?|coûtait|faut-il payer|paient?|paie-t-on|durent?|pèsent?|mesurent?)"
            rf" (?P<order>{_MORE})(?: (?:à l['’]|par )\w+)? (?P<a>.+?) (?:qu(?:e |['’])|plutôt que )(?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?P<a>.+?{_INVERTED}.*?)"
            r" qu(?:e |['’])(?P<b>(?:à |aux? |dans |en |pour )?.+)"
        ),
    ),
    (
        "difference",
        (
            rf"combien (?P<verb>y a-t-il|y avait-il) {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) "
            r"(?P<a>(?:dans|sur|à|aux?|pour|en|chez) .+?) qu(?:e |['’])(?P<b>.+)"
        ),
    ),
    (
        "difference",
        rf"quelle (?:(?:est|était) la )?différence (?:{_OF}(?P<unit>[\w-]+) )?(?:y a-t-il )?entre (?P<a>.+?) et (?P<b>.+)",
    ),
    (
        "sum",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<a>.+?) et (?P<b>.+?) (?P<verb>{_INVERTED})(?: \w+)? "
            r"(?:au total|en tout|à eux deux|à elles deux|ensemble)"
        ),
    ),
    (
        "compare",
        (
            r"(?:qui|lequel|laquelle|quel(?:le)? [\w-]+),? (?:de |d['’]|entre |du )(?P<a>[^,]+?) (?:ou|et) "
            r"(?:de |d['’]|du )?(?P<b>[^,]+?),? "
            r"(?P<noun>(?:est|sont|était|a|ont|avait|dure|coûte|propose|compte|pèse|mesure|contient|offre)\b.*\b(?:plus|moins|premi(?:er|ère)"
            r"|derni(?:er|ère)|avant)\b.*)"
        ),
    ),
    (
        "compare",
        (
            r"(?P<noun>(?:(?:à|dans|pour|sur|de) )?(?:lequel|laquelle|lesquel(?:le)?s|quel(?:le)?s?|qui|qu['’]est-ce qui"
            r"|que|où|d['’]où)\b"
            r"[^,:]*?\b(?:plus|moins"
            r"|premi(?:er|ère)|derni(?:er|ère)|avant|d['’]abord)"
            r"\b[^,:]*?)\s*[,:]\s*(?:de |entre )?(?P<a>.+?),? ou (?:de )?(?P<b>.+)"
        ),
    ),
    (
        "compare",
        (
            r"(?:entre|de|parmi) (?P<a>.+?) (?:et|ou) (?:de )?(?P<b>.+?)\s*,\s*(?P<noun>(?:lequel|laquelle|qui|quel(?:le)?) "
            r".*\b(?:plus|moins|premi(?:er|ère)|avant|d['’]abord)\b.*)"
        ),
    ),
)
_SPANISH_VERB = (
    r"(?:tienen?|tuvo|tuvieron|tenía|hay(?: en)?|hubo(?: en)?|había(?: en)?|ofrecen?|ofreció|cuenta|cuentan|contienen?"
    r"|incluyen?|duran?|duró|cuestan?|costó"
    r"|pesan?|miden?|recibió|recibieron|publicó|publicaron|acoge|reúne|suma|obtuvo|necesitan?)"
)
_SPANISH_LIE = r"(?:pasaron|pasan|transcurrieron|transcurren|hay|hubo|separan|median|mediaron)"
_SPANISH_PAST = r"(?:se )?(?:\w+(?:ó|aron|ieron|aba|ía|ían)|fue|fueron|hubo|tuvo)\b"
SPANISH: tuple[tuple[str, str], ...] = (
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<order>más|menos) que (?P<b>.+?) (?P<verb>{_SPANISH_VERB}|{_SPANISH_PAST}) (?P<a>.+)",
    ),
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<order>más|menos) (?P<verb>{_SPANISH_VERB}) (?P<a>.+?) que (?P<b>.+)",
    ),
    (
        "difference",
        (
            r"(?:en |por )?cu[aá]nt[oa]s? ?(?P<unit>[\w-]+)? (?:super[aó]n?|superaron|exced[eí]\w*|aventaj\w+|venció|ganó) "
            r"(?P<a>.+?) a(?=l? )(?P<b>l? ?.+)"
        ),
    ),
    ("difference", rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) {_SPANISH_LIE} (?P<order>entre) (?P<a>.+?) y (?P<b>.+)"),
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) {_SPANISH_LIE} (?P<a>.+?) del? (?P<b>(?:el|la|los|las|lo) (?:de|del|que)\b.+)",
    ),
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) {_SPANISH_LIE} (?P<order>desde|de) (?P<a>.+?) (?:hasta|a) (?P<b>.+)",
    ),
    ("difference", rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) {_SPANISH_LIE} (?P<a>.+?) (?:y|hasta|de|a) (?P<b>.+)"),
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<order>después|antes) de (?P<a>.+?),? (?P<b>{_SPANISH_PAST}.*)",
    ),
    (
        "difference",
        (
            r"cu[aá]nt[oa]s (?P<unit>[\w-]+)(?: (?-i:[A-Z])[\w-]*)? (?P<order>más|menos)(?: (?:al|a la|por|tarde|temprano)(?: \w+)?)? "
            r"(?P<verb>(?:se )?\w+) (?P<a>.+?) (?:de lo )?que (?P<b>.+)"
        ),
    ),
    (
        "difference",
        r"cu[aá]nt[oa]s (?P<unit>[\w-]+)(?: de \w+)? (?:separan|median) (?P<order>entre )?(?P<a>.+?) (?:y|de) (?P<b>.+)",
    ),
    (
        "difference",
        (
            r"cu[aá]nt[oa] (?:(?P<unit>[\w-]+) )?(?P<order>más|menos) (?P<verb>(?!que\b)(?:[\w]+ (?=tener\b|pagar\b))?\w+) "
            r"(?P<a>(?!que\b).+?) (?:de lo )?que (?P<b>.+)"
        ),
    ),
    (
        "difference",
        (
            r"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<verb>es|son|era|fue) (?P<order>mayor(?:es)?|menor(?:es)?|más \w+) "
            r"(?P<a>.+?) que (?P<b>.+)"
        ),
    ),
    (
        "difference",
        r"cuál (?:es|era|fue) la diferencia (?:(?:de|en) (?P<unit>[\w-]+) )?entre (?P<a>.+?) y (?P<b>.+)",
    ),
    (
        "sum",
        (
            r"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?:suman|tienen en total|hay en total en|reúnen) "
            r"(?P<a>.+?) y (?P<b>.+?)(?: en total| juntos| juntas)?"
        ),
    ),
    (
        "compare",
        (
            r"(?:cuál|qui[ée]n|qué [\w-]+)(?: de (?:los|las) (?:dos )?\w*)?, (?P<a>[^,]+?) [ou] (?P<b>[^,]+?), "
            r"(?P<noun>[^,]*\b(?:más|menos|mayor|menor|primero|primera|antes)\b[^,]*)"
        ),
    ),
    (
        "compare",
        (
            r"(?P<noun>(?:(?:a|con|de|en|para|por) )?(?:cuál(?:es)?|qui[ée]n(?:es)?|qué|dónde)\b[^,:]*?\b(?:más|menos|mayor|menor"
            r"|primero|primera|último|última|antes|después)\b[^,:]*?)\s*[,:]\s*(?P<a>.+?),? "
            r"[ou] (?P<b>.+)"
        ),
    ),
    (
        "compare",
        (
            r"(?:entre|de) (?P<a>.+?) [yeou] (?P<b>.+?)\s*,\s*¿?(?P<noun>(?:cuál|qui[ée]n|qué) .*\b(?:más|menos|mayor"
            r"|menor|primero|primera|antes)\b.*)"
        ),
    ),
)
_HAN_AND = r"(?:和|与|跟|同)"
_HAN_THAN = r"比(?![例赛较方])"
_HAN_WHICH = r"哪(?:个|一个|所|位|门|家|场|届|次|款|种|者|篇|样|条|座|本|一?[门家场届次款种篇样])?"
_HAN_RANK = r"(?:更|比较|最|先|早|晚|难|强|多|少|长|短|高|低|大|小|贵|便宜|近|远|快|慢|新|旧|重|轻)"
_OF_BOTH = rf"(?P<b>.+?)(?:，|,|中|之中|相比)*(?P<noun>(?:谁|{_HAN_WHICH})\w{{0,8}}?{_HAN_RANK}.*)"
CHINESE: tuple[tuple[str, str], ...] = (
    (
        "difference",
        rf"(?P<a>.+?)[，,]?{_HAN_THAN}(?P<b>.+?)(?P<order>多|少|早|晚|长|短|高|低|大|小|贵|便宜|重|轻)(?:出|了)?(?:多少|几)(?P<unit>\w*?)",
    ),
    (
        "difference",
        rf"(?P<a>.+?)[，,]?{_HAN_THAN}(?P<b>.+?)(?P<order>(?:大约|大概|约|能|可以)*(?:多|少))(?P<noun>[一-龥]{{1,4}}?了?(?:多少|几).*)",
    ),
    (
        "difference",
        r"从\s?(?P<a>.+?)(?:到|至)\s?(?P<b>.+?)[，,](?P<noun>.+?)(?P<order>增加|增长|上升|减少|下降|[上下]?[涨降跌])了?(?P<unit>多少.*)",
    ),
    (
        "difference",
        rf"(?:从)?(?P<a>.+?)(?:{_HAN_AND}|到)(?P<b>.+?)(?:之间)?(?P<order>相差|相隔|间隔(?!该|应|设)|隔|差|的差|过了)(?:是|了)?(?:多少|几)(?P<unit>\w*?)",
    ),
    (
        "difference",
        r"(?P<a>.{2,}?)(?P<order>之后|以后|之前|以前)(?:过了)?(?:多少|几)(?P<unit>年|天|个?月|小时|分钟)[，,]?(?P<b>.{2,})",
    ),
    (
        "difference",
        r"(?P<a>.{2,}?)(?:之|以)?(?P<order>前|后)?的?(?:第)?(?:多少|几)(?P<unit>年|天|个?月|小时|分钟)(?:之|以)?(?:前|后)[，,]?(?P<b>.{2,})",
    ),
    ("whether", rf"(?P<a>.+?){_HAN_THAN}(?P<b>\D+?)(?P<noun>更?(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜|新|旧)[吗嗎])"),
    ("sum", r"(?P<a>.+?)(?:和|与|加上?)(?P<b>.+?)(?P<noun>(?:一共|总共|合计|共有|共计|加起来).*)"),
    ("compare", rf"(?P<a>.+?)和{_OF_BOTH}"),
    ("compare", rf"(?P<a>.+?){_HAN_AND}{_OF_BOTH}"),
    (
        "compare",
        rf"(?P<noun>.*?{_HAN_WHICH}[^，,]*?{_HAN_RANK}[^，,]*)[，,](?P<a>.+?)(?:还是|{_HAN_AND})(?P<b>.+)",
    ),
    ("compare", rf"(?P<noun>.+?{_HAN_RANK}[^，,]{{0,12}}的?)是(?P<a>[^，,]+?)还是(?P<b>.+)"),
)
