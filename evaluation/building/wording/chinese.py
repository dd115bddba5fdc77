"""Questions in Chinese."""

from __future__ import annotations

from typing import Literal

from evaluation.building.facts.fact import (
    Amount,
    Ascribed,
    Cell,
    Dated,
    Day,
    Default,
    Described,
    Entered,
    Expansion,
    Extreme,
    Fact,
    Given,
    Happened,
    Headed,
    Hours,
    Link,
    Listed,
    Located,
    Marked,
    Meaning,
    Omitted,
    Placed,
    Textual,
)

_MARKED = {
    "author": "{}署名的作者是谁？",
    "published": "{}的发布日期是哪一天？",
    "location": "{}给出的地点是哪里？",
    "starts": "{}所介绍的活动从哪一天开始？",
    "price": "{}给出的价格是多少？",
    "founded": "{}给出的成立日期是什么？",
}
_PLACES = {"first": "第一项", "second": "第二项", "third": "第三项", "last": "最后一项"}


class Chinese:
    """Implements `Wording`."""

    def page(self, name: str) -> str:
        return f"页面“{name}”"

    def page_of(self, link: Link, place: str) -> str:
        if isinstance(link, Omitted):
            return f"{place}中“{link.sentence}”一句里略去的文字所链接的页面"
        return f"{self.thing_of(link, place)}的页面"

    def thing_of(self, link: Link, place: str) -> str:
        match link:
            case Given(label=label):
                return f"{place}的“{label}”一项所指的对象"
            case Cell(column=column, value=value):
                return f"{place}的表格中“{column}”为“{value}”的那一行所指的对象"
            case Entered(row=row, column=column):
                return f"{place}的表格中“{row}”的“{column}”一栏所指的对象"
            case Described(description=said) | Meaning(value=said):
                return f"{place}中说明为“{said}”的那一项"
            case Placed(heading=heading, place=which):
                return f"{place}中“{heading}”列表里的{_PLACES[which]}"
            case Dated(value=day):
                return f"{place}中日期为“{day}”的那一项"
            case Omitted(sentence=said):
                return f"{place}中“{said}”一句里略去的文字"
            case Extreme(column=column, which=which):
                most = "高" if which == "highest" else "低"
                return f"{place}的表格中“{column}”一栏数值最{most}的那一行所指的对象"

    def ask_same(self, thing: str, fact: Ascribed, place: str) -> str:
        match fact:
            case Cell(column=column):
                asked = f"在{place}的表格中，同名那一行的“{column}”一栏是什么？"
            case Dated():
                asked = f"{place}中，同名那一项的日期是哪一天？"
            case Listed():
                asked = f"{place}中，同名标题下面的列表一共有几项？"
            case Default():
                asked = f"根据{place}，同名选项的默认值是什么？"
            case Expansion():
                asked = f"在{place}中，同名缩写的全称是什么？"
            case Meaning():
                asked = f"{place}是怎样解释同名词条的？"
            case Happened() | Amount() | Located():
                asked = f"根据{place}，{self.ask_about(fact, '它')}"
        return f"请先找出{thing}。{asked}"

    def ask(self, fact: Fact, place: str) -> str:
        match fact:
            case Cell(row=row, column=column):
                return f"在{place}的表格中，“{row}”的“{column}”一栏是什么？"
            case Given(label=label):
                return f"{place}给出的“{label}”是什么？"
            case Dated(entry=entry):
                return f"{place}中，“{entry}”的日期是哪一天？"
            case Headed():
                return f"{place}的标题下方标注的日期是哪一天？"
            case Hours():
                return f"{place}给出的时间是从几点到几点？"
            case Listed(heading=heading):
                return f"{place}中，“{heading}”下面的列表一共有几项？"
            case Placed(heading=heading, place=which):
                return f"{place}中“{heading}”下面的列表里{_PLACES[which]}是什么？"
            case Extreme(column=column, which=which):
                return f"在{place}的表格中，“{column}”一栏数值最{'高' if which == 'highest' else '低'}的是哪一行？"
            case Marked(prop=prop):
                return _MARKED[prop].format(place)
            case _:
                return self._ask_on(fact, place)

    def _ask_on(self, fact: Textual, place: str) -> str:
        match fact:
            case Default(option=option):
                return f"根据{place}，“{option}”的默认值是什么？"
            case Expansion(short=short):
                return f"在{place}中，缩写“{short}”的全称是什么？"
            case Described(description=description):
                return f"在{place}中，哪一项的说明是“{description}”？"
            case Meaning(term=term):
                return f"{place}是怎样解释“{term}”的？"
            case Amount(subject="", unit=unit):
                return f"{place}给出了多少{unit}？"
            case Located(subject=""):
                return f"根据{place}，活动是在哪里举行的？"
            case Happened() | Amount() | Located():
                return f"根据{place}，{self.ask_about(fact, fact.subject)}"

    def ask_about(self, fact: Textual, subject: str) -> str:
        match fact:
            case Happened(verb=verb):
                return f"{subject}{verb}于哪一年？"
            case Amount(verb=verb, unit=unit):
                return f"{subject}{verb}多少{unit}？"
            case Located():
                return f"{subject}是在哪里举行的？"
            case _:
                raise ValueError(f"{type(fact).__name__} has no subject")

    def both(self, first: str, second: str) -> str:
        return f"{first.rstrip('？')}；{second}"

    def which_date(self, dated: Day, which: Literal["earlier", "later"], first: str, second: str) -> str:
        when = "早" if which == "earlier" else "晚"
        if isinstance(dated, Marked):
            return f"{first}和{second}，哪一个发布得更{when}，发布日期是哪一天？"
        return f"{first}和{second}，哪一个标题下方的日期更{when}，是哪一天？"

    def days_between(self, dated: Day, first: str, second: str) -> str:
        if isinstance(dated, Marked):
            return f"{first}和{second}的发布日期相隔多少天？"
        return f"{first}和{second}标题下方的两个日期相隔多少天？"

    def days(self, count: int) -> tuple[str, ...]:
        return (f"{count}天", f"{count} 天", str(count))

    def larger(self, label: str, first: str, second: str) -> str:
        return f"{first}和{second}，哪一个的“{label}”数值更大，是多少？"

    def together(self, heading: str, first: str, second: str) -> str:
        return f"{first}和{second}中“{heading}”下面的列表合起来一共有几项？"

    def shared(self, heading: str, first: str, second: str) -> str:
        return f"哪一项同时出现在{first}和{second}的“{heading}”列表中？"
