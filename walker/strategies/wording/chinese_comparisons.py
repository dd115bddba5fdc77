"""How Chinese questions compare two things, as patterns with named groups: `a` and `b` are the things, `unit` what is counted, `order`
the comparative, `noun` what is asked of both."""

from __future__ import annotations

_AND = r"(?:和|与|跟|同)"
_THAN = r"比(?![例赛较方])"
_WHICH = r"哪(?:个|一个|所|位|门|家|场|届|次|款|种|者|篇|样|条|座|本|一?[门家场届次款种篇样])?"
_RANK = r"(?:更|比较|最|先|早|晚|难|强|多|少|长|短|高|低|大|小|贵|便宜|近|远|快|慢|新|旧|重|轻)"
CHINESE: tuple[tuple[str, str], ...] = (
    (
        "difference",
        rf"(?P<a>.+?)[，,]?{_THAN}(?P<b>.+?)(?P<order>多|少|早|晚|长|短|高|低|大|小|贵|便宜|重|轻)(?:出|了)?(?:多少|几)(?P<unit>\w*?)",
    ),
    (
        "difference",
        rf"(?P<a>.+?)[，,]?{_THAN}(?P<b>.+?)(?P<order>(?:大约|大概|约|能|可以)*(?:多|少))(?P<noun>[一-龥]{{1,4}}?了?(?:多少|几).*)",
    ),
    (
        "difference",
        r"从\s?(?P<a>.+?)(?:到|至)\s?(?P<b>.+?)[，,](?P<noun>.+?)(?P<order>增加|增长|上升|减少|下降|[上下]?[涨降跌])了?(?P<unit>多少.*)",
    ),
    (
        "difference",
        rf"(?:从)?(?P<a>.+?)(?:{_AND}|到)(?P<b>.+?)(?:之间)?(?P<order>相差|相隔|间隔(?!该|应|设)|隔|差|的差|过了)(?:是|了)?(?:多少|几)(?P<unit>\w*?)",
    ),
    (
        "difference",
        r"(?P<a>.{2,}?)(?P<order>之后|以后|之前|以前)(?:过了)?(?:多少|几)(?P<unit>年|天|个?月|小时|分钟)[，,]?(?P<b>.{2,})",
    ),
    (
        "difference",
        r"(?P<a>.{2,}?)(?:之|以)?(?P<order>前|后)?的?(?:第)?(?:多少|几)(?P<unit>年|天|个?月|小时|分钟)(?:之|以)?(?:前|后)[，,]?(?P<b>.{2,})",
    ),
    ("whether", rf"(?P<a>.+?){_THAN}(?P<b>\D+?)(?P<noun>更?(?:多|少|早|晚|长|短|高|低|大|小|贵|便宜|新|旧)[吗嗎])"),
    ("sum", r"(?P<a>.+?)(?:和|与|加上?)(?P<b>.+?)(?P<noun>(?:一共|总共|合计|共有|共计|加起来).*)"),
    (
        "compare",
        (
            rf"(?P<a>.+?)和(?P<b>.+?)(?:，|,|中|之中|相比)*"
            rf"(?P<noun>(?:谁|{_WHICH})\w{{0,8}}?{_RANK}.*)"
        ),
    ),
    (
        "compare",
        (
            rf"(?P<a>.+?){_AND}(?P<b>.+?)(?:，|,|中|之中|相比)*"
            rf"(?P<noun>(?:谁|{_WHICH})\w{{0,8}}?{_RANK}.*)"
        ),
    ),
    (
        "compare",
        rf"(?P<noun>.*?{_WHICH}[^，,]*?{_RANK}[^，,]*)[，,](?P<a>.+?)(?:还是|{_AND})(?P<b>.+)",
    ),
    ("compare", rf"(?P<noun>.+?{_RANK}[^，,]{{0,12}}的?)是(?P<a>[^，,]+?)还是(?P<b>.+)"),
)
