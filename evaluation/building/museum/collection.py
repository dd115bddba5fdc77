"""What the museum has: things of several kinds, each with a page, what is stated of it, and one picture."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["painting", "clock", "instrument", "maker", "hall", "town", "瓷瓶", "工匠", "展厅"]


class Exhibit(msgspec.Struct, frozen=True, kw_only=True):
    """A thing with a page of its own. `facts` are labels and values; a value that is the name of another thing is linked to it."""

    kind: Kind
    slug: str
    name: str
    facts: tuple[tuple[str, str], ...]
    about: str
    """Prose that follows “NAME is a KIND”."""

    @property
    def path(self) -> str:
        """Of its page."""
        return f"/zh/{self.slug}.html" if not self.kind.isascii() else f"/{self.kind}s/{self.slug}.html"

    @property
    def picture(self) -> str:
        """Path of its picture."""
        return f"/pictures/{self.slug}.png"


def _piece(kind: Kind, name: str, about: str, stated: str) -> Exhibit:
    """`stated` is “label: value” between semicolons."""
    pairs = (pair.split(": ", 1) for pair in stated.split("; "))
    slug = name.lower().replace(" ", "-").replace("'", "")
    return Exhibit(kind=kind, slug=slug, name=name, facts=tuple((label, value) for label, value in pairs), about=about)


PAINTINGS = (
    _piece(
        "painting", "Blue Harbour", "The boats lie at the quay before sunrise, and the water is laid on with a knife.",
        "Maker: Ada Voss; Completed: 1884; Shown in: Lantern Hall; Height: 92 cm; Material: oil; Acquired in: Merrow",
    ),
    _piece(
        "painting", "Winter Orchard", "Bare trees stand in three rows, and a single lamp burns in the farm behind.",
        "Maker: Tomas Reiner; Completed: 1901; Shown in: Lantern Hall; Height: 64 cm; Material: tempera; Acquired in: Quillhaven",
    ),
    _piece(
        "painting", "The Ferry at Dusk", "Seven passengers wait under umbrellas, and nobody looks at the river.",
        "Maker: Ada Voss; Completed: 1897; Shown in: North Gallery; Height: 118 cm; Material: oil; Acquired in: Quillhaven",
    ),
    _piece(
        "painting", "Red Kites", "Two birds circle over a quarry, of which the cranes were added ten years later.",
        "Maker: Tomas Reiner; Completed: 1912; Shown in: North Gallery; Height: 77 cm; Material: watercolour; Acquired in: Merrow",
    ),
)  # fmt: skip
CLOCKS = (
    _piece(
        "clock", "Owl Regulator", "The eyes move with the pendulum, and the hour is struck on a wooden drum.",
        "Maker: Ines Calder; Completed: 1889; Shown in: Mill Room; Height: 185 cm; Weight: 41 kg; Acquired in: Sallow Bridge",
    ),
    _piece(
        "clock", "Tide Dial", "A brass fish shows high and low water for the harbour of its first owner.",
        "Maker: Jonas Petrel; Completed: 1862; Shown in: Mill Room; Height: 38 cm; Weight: 6 kg; Acquired in: Merrow",
    ),
    _piece(
        "clock", "Glass Carriage Timepiece", "All wheels can be seen from every side, as there is no case but crystal.",
        "Maker: Ines Calder; Completed: 1908; Shown in: Garden Wing; Height: 22 cm; Weight: 3 kg; Acquired in: Merrow",
    ),
    _piece(
        "clock", "Miner's Alarm", "It rang for the early shift, and was wound with the key of the lamp room.",
        "Maker: Jonas Petrel; Completed: 1871; Shown in: Garden Wing; Height: 29 cm; Weight: 9 kg; Acquired in: Sallow Bridge",
    ),
)  # fmt: skip
INSTRUMENTS = (
    _piece(
        "instrument", "Swan Cittern", "Its ten strings are tuned in pairs, and the head is carved as a bird.",
        "Maker: Lea Ostrand; Completed: 1855; Shown in: Garden Wing; Height: 83 cm; Strings: 10; Acquired in: Sallow Bridge",
    ),
    _piece(
        "instrument", "Cellar Bass", "It was kept in the wine cellar of an inn, and still smells of it on warm days.",
        "Maker: Jonas Petrel; Completed: 1868; Shown in: Garden Wing; Height: 176 cm; Strings: 4; Acquired in: Quillhaven",
    ),
    _piece(
        "instrument", "Travelling Harp", "The frame folds twice, so that it could be carried on the back of a mule.",
        "Maker: Jonas Petrel; Completed: 1879; Shown in: North Gallery; Height: 104 cm; Strings: 22; Acquired in: Sallow Bridge",
    ),
    _piece(
        "instrument", "Star Zither", "Mother-of-pearl stars mark the frets, one of them upside down.",
        "Maker: Lea Ostrand; Completed: 1849; Shown in: North Gallery; Height: 57 cm; Strings: 32; Acquired in: Quillhaven",
    ),
)  # fmt: skip
MAKERS = (
    _piece(
        "maker", "Ada Voss", "She painted water in every season, and kept a diary of the light of each morning.",
        "Born: 12 March 1851; Birthplace: Quillhaven; Taught by: Lea Ostrand; Workshop in: Merrow; Medal: Silver Oar",
    ),
    _piece(
        "maker", "Tomas Reiner", "He built clocks by day and painted by night, and signed both with an acorn.",
        "Born: 4 July 1858; Birthplace: Merrow; Taught by: Jonas Petrel; Workshop in: Sallow Bridge; Medal: Golden Acorn",
    ),
    _piece(
        "maker", "Ines Calder", "She was the first in the valley to use crystal for the cases of her works.",
        "Born: 23 November 1879; Birthplace: Sallow Bridge; Taught by: Ada Voss; Workshop in: Quillhaven; Medal: Glass Prize",
    ),
    _piece(
        "maker", "Jonas Petrel", "He had been a pilot of ships, and all that he made has something to do with the sea.",
        "Born: 30 January 1836; Birthplace: Merrow; Taught by: Lea Ostrand; Workshop in: Quillhaven; Medal: Pilots' Cross",
    ),
    _piece(
        "maker", "Lea Ostrand", "She taught half of the makers of the region, and never sold an instrument twice.",
        "Born: 9 October 1819; Birthplace: Sallow Bridge; Workshop in: Merrow; Medal: Order of the Lyre",
    ),
)  # fmt: skip
HALLS = (
    _piece(
        "hall", "Lantern Hall", "Light falls through a glass roof that was once the lantern room of a lighthouse.",
        "Opened: 1893; Area: 240 m²; Floor: second; Given by: Tomas Reiner; Stone from: Sallow Bridge; Door: oak with iron stars",
    ),
    _piece(
        "hall", "North Gallery", "It was a rope walk before, and is longer than the street that it stands in.",
        "Opened: 1906; Area: 410 m²; Floor: first; Given by: Ines Calder; Stone from: Merrow; Door: two wings of larch",
    ),
    _piece(
        "hall", "Mill Room", "The old wheel still turns behind a window when the river is high.",
        "Opened: 1874; Area: 130 m²; Floor: ground; Given by: Lea Ostrand; Stone from: Quillhaven; Door: a sliding gate",
    ),
    _piece(
        "hall", "Garden Wing", "Its three doors lead to the herb garden, and one of them is only painted.",
        "Opened: 1921; Area: 320 m²; Floor: lower; Given by: Ada Voss; Stone from: Merrow; Door: green glass",
    ),
)  # fmt: skip
TOWNS = (
    _piece(
        "town", "Merrow", "A harbour behind two moles, with a market on every quay.",
        "Founded: 1204; River: Ashwater; Altitude: 6 m; Patron: Jonas Petrel; Emblem: a bell over three waves",
    ),
    _piece(
        "town", "Sallow Bridge", "It has more bridges than streets, and each has a keeper with a lamp.",
        "Founded: 1377; River: Lorn; Altitude: 212 m; Patron: Ines Calder; Emblem: a willow and a key",
    ),
    _piece(
        "town", "Quillhaven", "Paper was made here for the whole coast, until the mills were turned into workshops.",
        "Founded: 1519; River: Teal; Altitude: 48 m; Patron: Lea Ostrand; Emblem: a heron with a pen",
    ),
)  # fmt: skip


def _chinese(kind: Kind, slug: str, name: str, about: str, stated: str) -> Exhibit:
    pairs = (pair.split("：", 1) for pair in stated.split("；"))
    return Exhibit(kind=kind, slug=slug, name=name, facts=tuple((label, value) for label, value in pairs), about=about)


CHINESE = (
    _chinese(
        "瓷瓶", "crane-vase", "双鹤瓶", "瓶身绘有两只白鹤，颈部一圈云纹。",
        "作者：沈青岚；烧成：1736年；陈列于：听雨阁；高度：42厘米；釉色：天青",
    ),
    _chinese(
        "瓷瓶", "lotus-vase", "墨荷瓶", "荷叶用墨彩画成，只有一朵花是红的。",
        "作者：陆石泉；烧成：1758年；陈列于：望湖堂；高度：28厘米；釉色：月白",
    ),
    _chinese(
        "瓷瓶", "plum-vase", "雪梅瓶", "梅枝从瓶底绕到瓶口，正好绕了三圈。",
        "作者：闻一舟；烧成：1744年；陈列于：枕石轩；高度：35厘米；釉色：豆青",
    ),
    _chinese(
        "瓷瓶", "carp-vase", "跃鲤瓶", "鲤鱼跃出水面，水珠用金粉点成。",
        "作者：苏小篱；烧成：1763年；陈列于：观云台；高度：51厘米；釉色：霁蓝",
    ),
    _chinese(
        "工匠", "shen-qinglan", "沈青岚", "一生只画花鸟，每件作品都藏有一只蜜蜂。",
        "出生：1702年3月8日；师从：陆石泉；擅长：没骨花鸟；窑址：南溪村",
    ),
    _chinese(
        "工匠", "lu-shiquan", "陆石泉", "曾随商船远行，带回了新的蓝色颜料。",
        "出生：1689年10月21日；捐建：听雨阁；擅长：墨彩山水；窑址：北岭坡",
    ),
    _chinese(
        "工匠", "wen-yizhou", "闻一舟", "少年时在渡口撑船，瓶上的水纹都是从那里看来的。",
        "出生：1711年6月17日；师从：沈青岚；擅长：折枝梅花；窑址：东篱渡",
    ),
    _chinese(
        "工匠", "su-xiaoli", "苏小篱", "擅用金粉，烧坏的瓶子都埋在自家院里。",
        "出生：1725年12月2日；捐建：观云台；擅长：鱼藻；窑址：西坞",
    ),
    _chinese(
        "展厅", "tingyu", "听雨阁", "屋檐下挂着四十九只陶铃，下雨时会响。",
        "启用：1931年；面积：180平方米；捐赠：沈青岚；匾额：一夜清声",
    ),
    _chinese(
        "展厅", "wanghu", "望湖堂", "从窗口可以看到湖心的小岛。",
        "启用：1957年；面积：260平方米；捐赠：陆石泉；匾额：湖光入室",
    ),
    _chinese(
        "展厅", "zhenshi", "枕石轩", "厅中有一块原生的山石，屋子是绕着它建的。",
        "启用：1946年；面积：95平方米；捐赠：闻一舟；匾额：石不能言",
    ),
    _chinese(
        "展厅", "guanyun", "观云台", "屋顶可以打开，晴天的上午能看见远山的云。",
        "启用：1968年；面积：320平方米；捐赠：苏小篱；匾额：云在青天",
    ),
)  # fmt: skip
ENGLISH = (*PAINTINGS, *CLOCKS, *INSTRUMENTS, *MAKERS, *HALLS, *TOWNS)
EXHIBITS = (*ENGLISH, *CHINESE)
