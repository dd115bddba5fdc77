"""The language of pages that name none."""

from __future__ import annotations

import pytest

from walker.library.page_language import language_of_text


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pages of this handbook are written by the people who use it.", "en"),
        ("Die Seiten dieses Handbuchs werden von den Leuten geschrieben, die es auch nutzen.", "de"),
        ("Les pages du manuel sont écrites par des personnes qui le lisent dans une école.", "fr"),
        ("Las páginas del manual son para los lectores que lo usan como una guía.", "es"),
        ("As páginas do manual são escritas por quem o usa, e não por uma empresa.", "pt"),
        ("Le pagine del manuale sono scritte da chi lo usa, che non è una ditta della città.", "it"),
        ("数据库每晚两点备份，保存九十天。", "zh"),
        ("データベースは毎晩バックアップされます。", "ja"),
        ("데이터베이스는 매일 밤 백업됩니다.", "ko"),
        ("sqlite3_open(db); return 0;", ""),
        ("12 345 --- ☃", ""),
        ("", ""),
    ],
)
def test_it_is_told_by_script_or_by_frequent_words(text: str, language: str) -> None:
    assert language_of_text(text) == language
