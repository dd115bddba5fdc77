"""How German, French and Spanish questions compare two things, as patterns with named groups.

`a` and `b` are the things, `unit` what is counted, `order` the comparative, `verb` what is said of both.
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
            rf"combien {_OF}(?P<unit>[\w-]+) (?P<order>{_MORE}) (?P<verb>dure|coûte|mesure|pèse|compte|contient|a|faut-il"
            rf"|prend) (?P<a>.+?) "
            r"que (?P<b>.+)"
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
    (
        "difference",
        (
            rf"combien {_OF}(?P<unit>[\w-]+) (?:se sont écoulée?s|s['’]écoulent|séparent|y a-t-il|ont passé"
            rf"|passent) (?P<order>entre )?"
            r"(?P<a>.+?) (?:et|de) (?P<b>.+)"
        ),
    ),
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
        rf"quelle (?:est|était) la différence (?:{_OF}(?P<unit>[\w-]+) )?entre (?P<a>.+?) et (?P<b>.+)",
    ),
    (
        "compare",
        (
            r"(?P<noun>(?:(?:à|dans|pour|sur|de) )?(?:lequel|laquelle|lesquel(?:le)?s|quel(?:le)?s?|qui|qu['’]est-ce qui"
            r"|que|où|d['’]où)\b"
            r"[^,:]*?\b(?:plus|moins"
            r"|premi(?:er|ère)|avant|d['’]abord)"
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
_SPANISH_PAST = r"(?:se )?(?:\w+(?:ó|aron|ieron|aba|ía|ían)|fue|fueron|hubo|tuvo)\b"
SPANISH: tuple[tuple[str, str], ...] = (
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<order>más|menos) que (?P<b>.+?) (?P<verb>{_SPANISH_VERB}) (?P<a>.+)",
    ),
    (
        "difference",
        rf"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?P<order>más|menos) (?P<verb>{_SPANISH_VERB}) (?P<a>.+?) que (?P<b>.+)",
    ),
    (
        "difference",
        r"(?:en )?cu[aá]nt[oa]s? ?(?P<unit>[\w-]+)? (?:supera|superan|excede|exceden|aventaja) (?P<a>.+?) a(?=l? )(?P<b>l? ?.+)",
    ),
    (
        "difference",
        (
            r"cu[aá]nt[oa]s (?P<unit>[\w-]+) (?:pasaron|pasan|transcurrieron|transcurren|hay|hubo|separan|median"
            r"|mediaron) (?P<order>entre|desde|de)? ?"
            r"(?P<a>.+?) (?:y|hasta|de|a) (?P<b>.+)"
        ),
    ),
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
        r"cuál (?:es|era|fue) la diferencia (?:(?:de|en) (?P<unit>[\w-]+) )?entre (?P<a>.+?) y (?P<b>.+)",
    ),
    (
        "compare",
        (
            r"(?P<noun>(?:(?:a|con|de|en|para|por) )?(?:cuál(?:es)?|qui[ée]n(?:es)?|qué|dónde)\b[^,:]*?\b(?:más|menos|mayor|menor"
            r"|primero|primera|antes|después)\b[^,:]*?)\s*[,:]\s*(?P<a>.+?),? "
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
