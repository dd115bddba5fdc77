"""Words by which sites of any kind call their parts, in English and Chinese.

A question says "dean" or "phone number" where the menu says "People" or 「联系我们」; words of one group stand for each
other. Groups tell kinds of pages apart, they know no site.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memory.words import tokens

_GROUPS: tuple[tuple[str, str], ...] = (
    ("people staff faculty professor lecturer teacher team member researcher personnel dean director head chair president "
     "rector fellow postdoc student employee who crew author founder developer leader leadership board management",
     "师资 教师 教授 人员 队伍 教职工 研究员 导师 院长 校长 所长 主任 领导 团队 成员 博士后 负责人 书记 谁 学者 讲师"),
    ("contact phone telephone fax email address postal location directions map campus visit find reach room building "
     "where parking park transport bus train ferry station airport travel arrive leave taxi hour open close",
     "联系 电话 邮箱 邮编 地址 传真 位置 交通 地图 校区 哪里 公交 地铁 班车 开放时间 乘车"),
    ("about overview history introduction mission profile founded established foundation background story founding origin "
     "milestone chronology timeline leadership director president dean head",
     "概况 简介 介绍 关于 历史 沿革 创办 成立 建校 创建 校史 由来 大事记 院长 校长 所长 领导"),
    ("news announcement press release notice bulletin",
     "新闻 通知 公告 动态 要闻 公示 快讯 消息 资讯"),
    ("event conference workshop seminar lecture talk colloquium symposium calendar agenda schedule exhibition open day "
     "summer school date deadline",
     "活动 会议 讲座 论坛 日程 研讨会 报告会 学术报告 展览 日历 开放日"),
    ("admission apply application enrol enroll enrolment tuition fee scholarship entry requirement prospective applicant",
     "招生 报名 录取 申请 学费 奖学金 简章 入学 报考 招收"),
    ("course programme program degree curriculum teaching study education credit syllabus bachelor master phd",
     "课程 专业 教学 培养 学位 学分 本科 硕士 研究生 博士 人才培养 教务"),
    ("research project group lab laboratory science area theme field facility equipment instrument",
     "科研 科学研究 研究 项目 实验室 课题 方向 平台 设备 仪器"),
    ("publication paper article journal book thesis preprint bibliography citation",
     "论文 出版 期刊 著作 成果 学术成果 刊物"),
    ("job career vacancy position employment opening hiring recruitment salary",
     "招聘 人才招聘 岗位 职位 应聘 就业"),
    ("library collection archive opening hour loan catalogue",
     "图书馆 馆藏 借阅 开放时间 档案"),
    ("price cost pricing buy shop order product licence license subscription plan payment",
     "价格 费用 购买 产品 订购 收费 报价"),
    ("faq question answer help support guide howto tutorial",
     "常见问题 帮助 问答 指南 支持 教程"),
    ("partner cooperation collaboration sponsor member consortium alliance",
     "合作 交流 伙伴 联盟 国际合作"),
    ("organization organisation structure department division unit school college institute office committee",
     "机构 机构设置 组织 部门 院系 学院 系所 办公室 委员会"),
    ("award prize honour honor distinction",
     "获奖 荣誉 奖励 奖项"),
)  # fmt: skip
_ENGLISH: tuple[frozenset[str], ...] = tuple(
    frozenset(stem for word in english.split() for stem in tokens(word)) for english, _ in _GROUPS
)
_CHINESE: tuple[re.Pattern[str], ...] = tuple(
    re.compile("|".join(sorted(chinese.split(), key=len, reverse=True))) for _, chinese in _GROUPS
)
_HAN = re.compile(r"[\u3400-\u9fff]")


@lru_cache(maxsize=1 << 15)
def groups_of(text: str) -> frozenset[int]:
    """Which groups the words of a text belong to."""
    words = frozenset(tokens(text))
    found = {place for place, group in enumerate(_ENGLISH) if not words.isdisjoint(group)}
    if _HAN.search(text):
        found.update(place for place, pattern in enumerate(_CHINESE) if pattern.search(text))
    return frozenset(found)
