"""What Japanese questions want counted."""

from __future__ import annotations

import pytest

from memory.counting.requirement import Requirement, read_requirement

QUOTA = [
    ("クラブの部活動を3つ挙げてください。", 3, "部活動"),
    ("研究室の設備を三つ教えてください。", 3, "設備"),
    ("2つの言語を答えてください。", 2, "言語"),
    ("発表者の名前を少なくとも2名挙げてください。", 2, "発表者"),
    ("どの3つの施設が利用できますか。", 3, "施設"),
    ("どのような設備がありますか。2つ挙げてください。", 2, "設備"),
    ("主な研究分野は何ですか？ふたつ。", 2, "研究分野"),
]
EXHAUSTIVE = [
    ("提供されている講座をすべて挙げてください。", "講座"),
    ("すべての支部を答えてください。", "支部"),
    ("どんなコマンドがありますか？全部教えてください。", "コマンド"),
    ("ページには講座がいくつ掲載されていますか。", "講座"),
    ("学科はいくつありますか。", "学科"),
    ("会員が何人紹介されていますか。", "会員"),
]
NOT_COUNTING = [
    "どのような設備がありますか。",
    "部員は何人いますか？",
    "部会は月に何回ありますか？",
    "実行委員は少なくとも何人必要ですか？",
    "貸し出し用の Chromebook は何台ありましたか？",
    "高さはいくつになりますか？",
    "CoderDojo を社会インフラの一つと見ている機関は？",
    "会長は誰ですか。3つの支部があります。",
]


@pytest.mark.parametrize(("question", "target", "noun"), QUOTA)
def test_a_quota_is_read_with_its_target(question: str, target: int, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="quota", target=target, noun=noun)


@pytest.mark.parametrize(("question", "noun"), EXHAUSTIVE)
def test_a_whole_list_is_asked_for(question: str, noun: str) -> None:
    assert read_requirement(question) == Requirement(mode="exhaustive", noun=noun)


@pytest.mark.parametrize("question", NOT_COUNTING)
def test_a_figure_or_a_stray_number_is_not_counted(question: str) -> None:
    assert read_requirement(question) == Requirement()
