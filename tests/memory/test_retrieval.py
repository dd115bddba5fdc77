from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import wordllama
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.retrieval import Ranker, WordLlamaEmbedder, holders_of_names, is_mostly_cjk, keyword_scores, tokens

PASSAGES = (
    "The library is open from nine to five.",
    "Professor Chen studies salt marshes.",
    "The pymalloc allocator uses arenas of 256 KiB.",
    "Opening hours of the sports hall change in summer.",
    "",
)


@pytest.fixture(scope="module")
def ranker() -> Ranker:
    return Ranker(WordLlamaEmbedder.load())


def test_the_passage_with_the_words_of_the_query_comes_first(ranker: Ranker) -> None:
    ranked = ranker.rank("How large are the arenas of pymalloc?", PASSAGES)
    assert ranked[0].index == 2
    assert sorted(one.index for one in ranked) == list(range(len(PASSAGES)))
    assert all(0 <= one.keyword <= 1 and 0 <= one.meaning <= 1.0001 for one in ranked)


def test_meaning_finds_what_shares_no_word(ranker: Ranker) -> None:
    ranked = ranker.rank("physician", ("hospital and doctors", "parking fees", "sitemap"))
    assert ranked[0].index == 0
    assert ranked[0].keyword == 0
    assert ranked[0].meaning > ranked[1].meaning


def test_chinese_is_ranked_by_pairs_of_characters(ranker: Ranker) -> None:
    texts = ("图书馆开放时间为周一至周五", "计算机学院招生简章", "校园新闻")
    assert ranker.rank("计算机学院招收多少人？", texts)[0].index == 1


def test_no_query_and_no_texts_are_no_error(ranker: Ranker) -> None:
    assert ranker.rank("", ("a", "b"))[0].index == 0
    assert ranker.rank("a", ()) == ()
    assert ranker.relevance("", ("a",)) == 0
    assert ranker.relevance("a", ()) == 0
    assert ranker.similarities("a", ("", "\ud800"))[0] == 0


def test_a_rare_word_weighs_more_than_one_that_stands_everywhere() -> None:
    documents = [tokens(text) for text in ("python tutorial", "python glossary", "python faq", "python library")]
    scores = keyword_scores(tokens("python glossary"), documents)
    assert scores[1] == max(scores)
    assert scores[1] > 3 * scores[0] > 0


def test_keyword_score_is_a_share_of_the_whole_query() -> None:
    documents = [tokens("lemon parser generator"), tokens("lemon"), tokens("other page")]
    whole, part, none = keyword_scores(tokens("lemon parser generator"), documents)
    assert 1 >= whole > part > none == 0


def test_relevance_grows_with_the_share_of_the_query_that_a_page_covers(ranker: Ranker) -> None:
    query = "tuition fee of the master course"
    full = ranker.relevance(query, ("The tuition fee of the master course is 3900 euros.", "Contact"))
    half = ranker.relevance(query, ("The master of ceremonies speaks.", "A race course"))
    nothing = ranker.relevance(query, ("Nuts and bolts", "Weather"))
    assert 1 >= full > half > nothing >= 0
    assert full > 0.8


def test_embeddings_are_unit_rows_and_zero_for_no_text() -> None:
    rows = WordLlamaEmbedder.load().embed(("words", "", "   "))
    assert np.linalg.norm(rows[0]) == pytest.approx(1)
    assert not rows[1].any()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(PASSAGES[:4]), min_size=1, max_size=9))
def test_a_similarity_does_not_depend_on_what_else_is_compared(ranker: Ranker, texts: list[str]) -> None:
    alone = {text: ranker.likeness(("salt marsh", "opening hours"), (text,))[0] for text in texts}
    together = ranker.likeness(("salt marsh", "opening hours"), texts)
    assert all((row == alone[text]).all() for row, text in zip(together, texts, strict=True))


def test_the_script_of_a_text_is_told_by_its_letters() -> None:
    assert is_mostly_cjk("计算机学院 CS")
    assert not is_mostly_cjk("Department of 物 Physics")
    assert not is_mostly_cjk("123")


@pytest.mark.parametrize(
    ("query", "held"),
    [
        ("To what is MACLIST_TTL set in the author's shorewall.conf?", (2,)),
        ("What does HELPERS name?", (2,)),
        ("What is the author's setting?", ()),
        ('Which sentence speaks of "a long network"?', (1,)),
        ("What came with 4.6.11?", (0,)),
        ("What is TTL?", ()),
    ],
)
def test_a_name_is_found_where_it_stands_letter_by_letter(query: str, held: tuple[int, ...]) -> None:
    texts = (
        "The author's settings need 4.6.11",
        "This is a long network",
        'MACLIST_TTL=60\n\nHELPERS="ftp,irc"',
        "helpers",
    )
    assert holders_of_names(query, texts) == held


def test_a_name_that_stands_in_many_texts_tells_none_of_them() -> None:
    assert holders_of_names("What is the TTL of LNCS?", ("TTL 1", "TTL 2", "TTL 3 LNCS")) == (2,)


def test_words_kept_in_half_precision_are_those_of_the_package() -> None:
    folder = Path(wordllama.__file__).parent
    whole = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
    texts = [*filter(str.strip, PASSAGES), *(" ".join(("boats", *PASSAGES[: count % 5])) for count in range(40))]
    rows = np.asarray(whole.embed(texts, norm=False), np.float32)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert (WordLlamaEmbedder.load().embed(texts) == units).all()
