"""Parses from a Chinese question how many items it asks for, by the same rules as for English.

Works on characters, without a dictionary: what follows a number and its measure word is the noun.
"""

from __future__ import annotations

import re

from memory.counting.asked_number import CHINESE_NUMBER, NOTHING, Asked, chinese_number
from memory.words import lazy_re

_SIMPLIFIED = str.maketrans(
    "個幾給請舉種類項條張門兩萬間筆頁羅說寫選數總共於過該這還誰別屆場節隻處組臺為與從來學員獲參歲擇採薦",
    "个几给请举种类项条张门两万间笔页罗说写选数总共于过该这还谁别届场节只处组台为与从来学员获参岁择采荐",
)
"""One character to one, so that positions in the simplified text are positions in the question."""

_HIDDEN = "▢"
_QUOTED = lazy_re.compile(r"《[^》]*》|「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|‘[^’]*’|【[^】]*】|〈[^〉]*〉")
_SENTENCE_END = lazy_re.compile(r"(?<=[。？！?!；;\n])")
_MEASURE_WORD = (
    "[个位名篇条项种本部家所款件届场门章节只张份类段句首幅座处支组台套大点例道间枚起笔则颗棵辆艘栋期卷集批株步]"
)
_PARTS_OF_BOOKS = ("章", "节", "卷", "集", "期")
"""Measure words that are nouns themselves."""
_COUNTED = rf"(?P<number>{CHINESE_NUMBER})\s*多?{_MEASURE_WORD}(?!月|星期|小时|工作日|百分点|字符|字节)"
_LISTING = (
    r"(?:列出|列举|列明|举出|给出|找出|找到|查找|说出|写出|写下|指出|提供|推荐|选出|选择|选取|挑出|挑选|枚举|罗列|搜集|收集|报出"
    r"|答出|告诉我们?|获取|提取|摘录|查出|搜索|检索|说明|介绍|列|举|给我们?|给|找|说|写|选|想要|需要|想知道|想找)"
)
_PART = r"[^。？！?!；;，,]"

_QUOTA = lazy_re.compile(
    rf"{_LISTING}(?P<between>{_PART}{{0,40}}?)(?<![第年月日数\d.．零一二三四五六七八九十百])"
    rf"(?:{_COUNTED}|(?<=前)(?P<rank>{CHINESE_NUMBER}))(?P<rest>.*)"
)
_WHICH = lazy_re.compile(rf"哪\s*{_COUNTED}(?P<rest>.*)")
_RESPECTIVELY = lazy_re.compile(
    rf"(?<![第这那此该上述])(?<!以上)(?<!前述){_COUNTED}(?P<rest>{_PART}{{1,20}}?)"
    r"(?:的(?:名字|姓名|名称|标题))?分别?(?:是|为|叫|有)(?:谁|什么|哪)"
)
_AFTERTHOUGHT = lazy_re.compile(
    rf"{_LISTING}(?P<rest>{_PART}+)[，,、（(]\s*请?(?:给出|列出|找出|说出)?(?:至少|最少|不少于|不低于)\s*{_COUNTED}"
    r"\s*(?:即可)?[）)。？！?!]*\s*$"
)
_LATE_START = (
    rf"^\s*(?:请|請)?(?:你|您)?(?:试着?|任意?|随便|任)?(?:{_LISTING}|举|列|说|选|挑|写|给|要)?"
    r"(?:其中|当中|里面)?的?(?:至少|最少|任意|任|出)*\s*"
)
_LATE_NUMBER = lazy_re.compile(
    rf"{_LATE_START}(?:(?P<number>{CHINESE_NUMBER})\s*(?:{_MEASURE_WORD}|样|例)?)\s*"
    r"(?:例子|名称|名字|例|来|出来|即可|就行|就可以|作为例子|为例)*[。.！!）)]*\s*$"
)
"""A sentence that says of the question before it how many are wanted: 说三样。"""
_LATE_ALL = lazy_re.compile(
    rf"^\s*(?:请|請|要|把|将)*(?:它们|他们|其)?(?:名称|名字)?(?:{_LISTING}\s*(?:出|其中|它们|他们)*(?:全部|所有|完整|每一?个|全)(?:列表|名称|名字|名单|的)*"
    rf"|(?:全部|全都|都|所有|一一|逐一|逐个|完整地?)(?:都|地)*(?:{_LISTING})?(?:出来|出|来|一下|名称|名字)*)[。.！!）)]*\s*$"
)
_ASKED = lazy_re.compile(
    rf"(?:哪些|哪几\s*(?:{_MEASURE_WORD}|样)?|什么|多少\s*{_MEASURE_WORD}?|(?<!第)几\s*{_MEASURE_WORD})(?P<rest>[^？?。]*)"
)
_BELONGS_ELSEWHERE = lazy_re.compile(
    r"(?:有|由|过|含|含有|包含|包括|需|用|于|等|和|与|这|那|此|上述|拥有|具有|超过|占)$"
)
"""What precedes a number that describes the items rather than counts them: "列出有三个作者的论文"."""

_EVERY = lazy_re.compile(
    rf"(?:请|列出|列举|枚举|罗列|找出|给出|写出|说出|提供|收集|搜集|告诉我|查找|获取|提取|数出|统计){_PART}{{0,40}}?"
    rf"(?:所有|全部|每\s*一?\s*{_MEASURE_WORD}|一切|完整)(?:的|地|出|列表)*(?P<rest>.*)"
)
_EVERY_AFTER = lazy_re.compile(
    rf"(?:把|将)?(?P<rest>{_PART}{{1,30}}?)(?:都|全部?|全都|逐一|一一)(?:列出|列举|找出|罗列|写出)"
)

_ALL_WHICH = lazy_re.compile(
    rf"(?:分别|一共|总共)?都(?:有|是|包括|包含|设有|开设)了?(?:谁|哪些人?|什么)(?P<rest>{_PART}*)"
)
_HOW_MANY_WORD = lazy_re.compile(r"多少|几(?!乎|何)")
_HOW_MANY = lazy_re.compile(
    rf"(?P<before>{_PART}*?)(?<![第好哪十百千几数])(?P<word>多少|几)(?!乎|何|十|百|千|万|分之|率|于)"
    rf"\s*(?P<measure>{_MEASURE_WORD}(?!字符|字节|小时|月|星期))?(?P<rest>.*)"
)
_NUMBER_OF = lazy_re.compile(rf"(?P<rest>{_PART}+?)的?(?:总数|总数量|数量|个数|数目|人数)(?:是|为|有|共)?(?:多少|几)")
_LISTS = (
    r"(?:列出|列举|列有|列|收录|介绍|描述|提到|提及|展示|显示|公布|包含|包括|含有|含|定义|提供|开设|设有|设立|设|发布|发表"
    r"|记录|给出|载有|涵盖|罗列|说明|刊登|安排|举办|举行|拥有|具有|聘有)"
)
_BEFORE_LIST = lazy_re.compile(
    rf"(?:^|.*(?:(?:一共|总共|共计|合计|总计|共|目前|现|都|还|究竟|到底|分别)?有|一共|总共|共计|共|{_LISTS}(?:了|过|着)?(?:一共|总共|共)?(?:有)?"
    r"|分为|分成|分作|上|中|里|内|请问|问|请问一下|[，,：:]))\s*$"
)
_SAYS_LISTED = lazy_re.compile(
    r"列出|列举|列有|名单|列表|收录|被介绍|介绍了|提到|页面上|网页上|页上|清单|目录|页面?(?:一共|总共|共)?有"
)
_MEASURE = lazy_re.compile(
    r"\s*(?:年|天|日|小时|个小时|分钟|秒|毫秒|月|个月|周|星期|岁|元|块|美元|欧元|亿|万|字节|比特|字|字符|个字符|行|米|公里|千米|平方|亩|公顷|度|公斤"
    r"|千克|克|吨|个百分点|百分|%|倍|次|人次|学分|层|页|票|分|伏|瓦|像素|升|兆|[KMGT]i?B|MB|KB|GB|TB|钱|时间|点|号|届|期|代|级)"
    r"(?!函数|常量|类型|模块|课程|论文|书|人物|活动|会议)",
    re.IGNORECASE,
)
_ABLE = r"(?<![智功性职才技可])能(?![力量源])"
_POPULATION = lazy_re.compile(
    r"学生|本科生|研究生|博士生|硕士生|员工|职工|教职工|用户|居民|人口|观众|游客|读者|志愿者|患者|代码|测试|粉丝|访客|毕业生|校友"
    r"|座位|缺陷|错误|漏洞|人$|人[参在能]"
)
"""Things usually stated as figures rather than listed: counted only where the question says that they are listed."""
_SHOWN_NUMBER = lazy_re.compile(
    r"截图|截屏|状态栏|屏幕|图片[中上里]|照片|示意图|对话框|信息框|海报|徽章|引言|简介中|摘要"
)
"""Places that show or state a number and list nothing that could be counted in the page's text."""
_MEMBERSHIP = lazy_re.compile(r"会员|社员|党员|盟员")
_STATED = lazy_re.compile(
    rf"参加|参与|报名|注册|出席|可以|{_ABLE}|需要|修复|使用|用于|花费|投资|录取|招收|下载|引用|入学|毕业(?!生)"
)
_RATE = lazy_re.compile(r"每(?:年|天|日|月|周|小时|分钟|秒|学期|个月|人)")
_APPENDAGE = lazy_re.compile(
    r"的\s*(?:全部|完整)?(?:中文|英文|文章|论文)?(?:姓名|名称|名字|全名|全称|标题|题目|链接|网址|地址|职称|职务|编号|缩写|作者"
    r"|日期|时间|内容|邮箱|电话|简介)[^的]*$"
)
_NOUN_END = lazy_re.compile(
    r"[，,。？！?!；;：:（(）)]|分别|并(?:说明|给出|附)|说明什么|来说明|即可|吗|呢|被|以及它|及其"
)
_VERB_AFTER = lazy_re.compile(
    rf"是|在(?![线读职研校册])|曾|获得|(?<![首成])都|可以|{_ABLE}|位于|属于|用于|由|担任|从事|来自|负责(?!人)|出现|发表|拥有|包含"
    r"|研究(?!员|方向|所|中心|生|组|院|室|项目|领域|人员|课题|成果|团队|论文|报告|机构|兴趣)|工作(?!人员|组|室|坊|论文)|毕业(?!生)"
    r"|参[加与]|使用|需要|支持|讲授|列[出在]|(?<![现国拥公私所])有(?!效|机|限)"
)
"""Where the noun ends and a verb begins. Many are also parts of nouns (研究 in 研究方向), hence the exceptions."""
_COMPARED = lazy_re.compile(r"比(?!赛|例|较|特|重).*(?:[多少早晚高低]|增加|减少)|相差|差$")


def read_chinese(question: str) -> Asked:
    """Mode, target and noun of a question, `NOTHING` if it does not count. The last sentence that counts decides."""
    text = _QUOTED.sub(_HIDDEN, question)
    asked = NOTHING
    before = ""
    for sentence in _SENTENCE_END.split(text):
        plain = sentence.translate(_SIMPLIFIED)
        late = _read_late(before, plain)
        if late is not None:
            place = before.translate(_SIMPLIFIED).find(late.noun)
            asked = late._replace(noun=before[place : place + len(late.noun)])
            continue
        before = sentence if sentence.strip() else before
        found = _read_quota(plain) or _read_every(plain) or _read_how_many(plain)
        if found:
            # The noun in the original characters of the question, to be found on pages in the same script.
            place = plain.find(found.noun)
            asked = found._replace(noun=sentence[place : place + len(found.noun)].strip(" " + _HIDDEN))
    return asked


def _read_late(before: str, sentence: str) -> Asked | None:
    """What a sentence says of the question before it, with the noun of that question."""
    plain = before.translate(_SIMPLIFIED)
    if not before.strip() or not sentence.strip():
        return None
    match = _ASKED.search(plain)
    noun = (_subject(match["rest"]) or _noun(_without_having(plain[: match.start()]))) if match is not None else ""
    if _LATE_ALL.match(sentence):
        return Asked("exhaustive", 0, noun)
    number = _LATE_NUMBER.match(sentence) if re.search(r"[?？]", plain) else None
    target = chinese_number(number["number"]) if number is not None else 0
    return Asked("quota", target, noun) if target > 1 else None


def _read_quota(sentence: str) -> Asked | None:
    if match := _AFTERTHOUGHT.search(sentence):
        return _quota(match, _noun(match["rest"]))
    if match := _WHICH.search(sentence):
        return _quota(match, _subject(match["rest"]))
    match = _QUOTA.search(sentence)
    if match and not _BELONGS_ELSEWHERE.search(match["between"]):
        return _quota(match, _noun(match["rest"]))
    if match := _RESPECTIVELY.search(sentence):
        return _quota(match, _noun(match["rest"]))
    return None


def may_be_stated_chinese(question: str) -> bool:
    """Whether 多少 may ask for a number that the site states: nothing in the question says that the things are listed."""
    text = _QUOTED.sub(_HIDDEN, question).translate(_SIMPLIFIED)
    return _HOW_MANY_WORD.search(text) is not None and _SAYS_LISTED.search(text) is None


def _quota(match: re.Match[str], noun: str) -> Asked | None:
    found = match.groupdict()
    target = chinese_number(found["number"] or found.get("rank") or "")
    return Asked("quota", target, noun) if target > 1 else None


def _read_every(sentence: str) -> Asked | None:
    if match := _ALL_WHICH.search(sentence):
        return Asked("exhaustive", 0, _subject(match["rest"]) or _noun(sentence[: match.start()]))
    match = _EVERY.search(sentence) or _EVERY_AFTER.search(sentence)
    if match is None:
        return None
    noun = _noun(match["rest"])
    return Asked("exhaustive", 0, noun) if noun else None


def _read_how_many(sentence: str) -> Asked | None:
    if (match := _NUMBER_OF.search(sentence)) and _SAYS_LISTED.search(match["rest"]):
        return Asked("exhaustive", 0, _noun(match["rest"]))
    for match in _HOW_MANY.finditer(sentence):
        before, measure, rest = match["before"], match["measure"] or "", match["rest"]
        if (
            _RATE.search(before)
            or _COMPARED.search(sentence)
            or not _BEFORE_LIST.fullmatch(before)
            or _MEASURE.match(measure + rest)
        ):
            continue
        noun = _subject(rest) or (measure if measure in _PARTS_OF_BOOKS else _noun(_without_having(before)))
        if not noun or (match["word"] == "几" and not measure and not noun.startswith("人")):
            continue
        if _SHOWN_NUMBER.search(sentence) or (_MEMBERSHIP.search(noun) and not _SAYS_LISTED.search(sentence)):
            continue
        if not _SAYS_LISTED.search(sentence) and (_POPULATION.search(noun) or _STATED.search(rest.partition(noun)[2])):
            continue
        return Asked("exhaustive", 0, noun)
    return None


def _without_having(before: str) -> str:
    subject = re.split(r"(?:页面?|名[录单]|列表|目录|表|网站|官网)[中上里]", before)[-1]
    return re.sub(rf"(?:一共|总共|共计|共|目前|现)*(?:{_LISTS}(?:了|过)?|有)*\s*$", "", subject)


def _noun(text: str) -> str:
    """The head noun at the end of the text: "由张三发表的论文的标题" gives 论文."""
    named = _APPENDAGE.sub("", _cut(text, _NOUN_END))
    return re.sub(r"^[\s▢]*(?:位于|关于|所有|全部)?", "", named.rpartition("的")[2]).strip(" " + _HIDDEN)


def _subject(text: str) -> str:
    """The subject at the beginning of the text: "教授研究机器学习" gives 教授."""
    clause = _cut(text, _NOUN_END).strip()
    if "的" in clause and (re.match(r"关于|由|在|有|与|和|用于|来自|被|是", clause) or not _VERB_AFTER.search(clause)):
        return _noun(clause)
    stop = _VERB_AFTER.search(clause, 1)
    return _noun(clause[: stop.start()] if stop else clause)


def _cut(text: str, end: re.Pattern[str]) -> str:
    stop = end.search(text)
    return text[: stop.start()] if stop else text
