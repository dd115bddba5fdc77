"""The understanding score as it is commonly written, with words that cost points: to stand beside ours."""

from __future__ import annotations

import re

_TAGS = re.compile(r"<script.*?</script>|<style.*?</style>|<[^>]+>", re.DOTALL)
_PENALTIES = (
    (r"image|picture|photo|gallery|图片|图像", 5),
    (r"chart|graph|diagram|canvas|figure|图表", 5),
    (r"captcha|verify|验证码", 10),
    (r"error|404|not found|错误", 8),
    (r"video|play|watch|视频", 4),
)
"""What a word anywhere in the text costs (V-GEMS appendix A, special cases)."""


def keyword_score(html: str, question: str) -> float:
    """0..100 from text length, the share of Latin and Han letters, word overlap with the question, tags, and penalties."""
    text = " ".join(_TAGS.sub(" ", html).split())
    valid = len(re.findall(r"[A-Za-z0-9\u4e00-\u9fff\s.,;:!?，。；：！？]", text)) / max(1, len(text))
    quality = min(10.0, len(text) / 200 * 10) + 10 * valid + 5
    asked = set(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", question.lower()))
    said = set(re.findall(r"[a-z]{3,}|[\u4e00-\u9fff]", text.lower()))
    relevance = 40 * len(asked & said) / max(1, len(asked))
    links = html.count("<a ") + html.count("<button")
    structure = (5 if html.count("<p") >= 3 else 0) + min(10.0, 2.0 * links) + 5
    special = 15 - sum(cost for pattern, cost in _PENALTIES if re.search(pattern, text.lower()))
    return quality + relevance + structure + max(0, special)
