"""Usual names for the parts of any site, in English and Chinese.

A question says "dean" or "phone number" where the menu says "People" or 「联系我们」; words of one group stand for each
other. Groups distinguish kinds of pages and are specific to no site.
"""

from __future__ import annotations

from functools import lru_cache

from memory.words import lazy_re, tokens

_VOCABULARY = """
people: staff faculty professor lecturer teacher team member researcher personnel dean director head chair president
people: rector fellow postdoc employee edges advisor adviser tutor author founder developer leader leadership
people: 师资 教师 教授 人员 队伍 教职工 研究员 导师 院长 校长 所长 主任 领导 团队 成员 博士后 负责人 书记 顾问 学者 讲师
contact: contact phone telephone fax email address postal location directions map campus visit room building parking
contact: transport bus train ferry station airport travel arrive leave taxi hour
contact: 联系 电话 邮箱 邮编 地址 传真 位置 交通 地图 校区 公交 地铁 班车 开放时间 乘车
about: about overview history introduction mission profile founded established foundation background story origin
about: milestone chronology timeline leadership director president dean head
about: 概况 简介 介绍 关于 历史 沿革 创办 成立 建校 创建 校史 由来 大事记 院长 校长 所长 领导
news: news announcement press release notice bulletin
news: 新闻 通知 公告 动态 要闻 公示 快讯 消息 资讯
events: event conference resources seminar lecture talk colloquium symposium calendar agenda schedule exhibition deadline
events: 活动 会议 讲座 论坛 日程 研讨会 报告会 学术报告 展览 日历 开放日
admission: admission apply application enrol enroll enrolment tuition fee scholarship requirement prospective applicant
admission: 招生 报名 录取 申请 学费 奖学金 简章 入学 报考 招收
courses: course programme program degree curriculum teaching study education credit syllabus bachelor master phd student
courses: 课程 专业 教学 培养 学位 学分 本科 硕士 研究生 博士 人才培养 教务
research: research project group lab laboratory science area theme facility equipment instrument
research: 科研 科学研究 研究 项目 实验室 课题 方向 平台 设备 仪器
papers: publication paper article journal book thesis preprint bibliography citation
papers: 论文 出版 期刊 著作 成果 学术成果 刊物
jobs: job career vacancy position employment opening hiring recruitment salary
jobs: 招聘 人才招聘 岗位 职位 应聘 就业
library: library collection archive loan catalogue
library: 图书馆 馆藏 借阅 档案
prices: price cost pricing buy shop order product licence license subscription plan payment
prices: 价格 费用 购买 产品 订购 收费 报价
help: faq question answer help support guide howto tutorial
help: 常见问题 帮助 问答 指南 支持 教程
partners: partner cooperation collaboration sponsor consortium alliance
partners: 合作 交流 伙伴 联盟 国际合作
departments: organization organisation structure department division unit school college institute office committee
departments: 机构 机构设置 组织 部门 院系 学院 系所 办公室 委员会
awards: award prize honour honor distinction
awards: 获奖 荣誉 奖励 奖项
"""
_ASKED = """
contact: open close find reach where
prices: cost pay expensive
admission: cost pay
events: happen begin start
papers: write written wrote
people: lead led
"""
"""Question words that no menu contains, and the group of pages that answer such questions."""
_HAN = lazy_re.compile(r"[\u3400-\u9fff]")


def _read_groups(table: str) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        name, _, words = line.partition(":")
        groups[name] = (*groups.get(name, ()), *words.split())
    return groups


def _stems(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem for word in words if not _HAN.search(word) for stem in tokens(word))


_GROUPS = _read_groups(_VOCABULARY)
_ENGLISH = {name: _stems(words) for name, words in _GROUPS.items()}
_CHINESE = {name: lazy_re.compile("|".join(filter(_HAN.search, words))) for name, words in _GROUPS.items()}
_POINTERS = {name: _stems(words) for name, words in _read_groups(_ASKED).items()}


@lru_cache(maxsize=1 << 13)
def groups_of(text: str, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Which groups the words of a label or name belong to, the stems in `without` left aside.

    >>> sorted(groups_of("Contact us")), sorted(groups_of("招生简章"))
    (['contact'], ['admission'])
    """
    words = frozenset(tokens(text)) - without
    found = {name for name, stems in _ENGLISH.items() if not words.isdisjoint(stems)}
    if _HAN.search(text):
        found.update(name for name, pattern in _CHINESE.items() if pattern.search(text))
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def groups_asked(text: str) -> frozenset[str]:
    """Which groups a question points to: those of its words, and those of pages that answer such questions."""
    words = frozenset(tokens(text))
    return groups_of(text).union(name for name, stems in _POINTERS.items() if not words.isdisjoint(stems))
