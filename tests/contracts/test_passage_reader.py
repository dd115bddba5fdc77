"""What every reader of texts keeps to."""

from __future__ import annotations

import pytest

from walker.strategies.reader.passage_reader import LEAST_LOG, NetReader, PassageReader, ReaderText

HARBOUR = ReaderText("Harbour > Berths", "The ferry Heron lies at the south quay. A berth costs 18 euros a night.")
KITCHEN = ReaderText("Canteen", "Lunch is served at noon. The soup is made by Maria Lopez.")
EMPTY = ReaderText("", "")


@pytest.fixture(params=[NetReader])
def reader(request: pytest.FixtureRequest) -> PassageReader:
    made: PassageReader = request.param()
    return made


def test_readings_come_in_the_order_of_the_texts_however_long_each_is(reader: PassageReader) -> None:
    texts = [KITCHEN, ReaderText("", HARBOUR.text * 9), HARBOUR, EMPTY] * 3
    together = reader.read("Who makes the soup?", texts)
    assert len(together) == len(texts)
    for place in range(4):
        alone = reader.read("Who makes the soup?", [texts[place]])[0]
        assert together[place + 4].log_odds == pytest.approx(alone.log_odds, abs=0.01)
        assert together[place].tokens == alone.tokens


def test_the_same_texts_are_read_alike_every_time(reader: PassageReader) -> None:
    assert reader.read("What does a berth cost?", [HARBOUR]) == reader.read("What does a berth cost?", [HARBOUR])


def test_nothing_to_read_gives_nothing(reader: PassageReader) -> None:
    assert reader.read("Who?", []) == []
    assert reader.read("Who?", [EMPTY])[0].best_span(0, 100) is None


def test_spans_lie_within_the_text_and_have_a_share_of_one(reader: PassageReader) -> None:
    reading = reader.read("What does a berth cost?", [HARBOUR])[0]
    best = reading.best_span(0, len(HARBOUR.text))
    assert best is not None
    start, end, log = best
    assert 0 <= start < end <= len(HARBOUR.text)
    assert LEAST_LOG < log <= 0
    assert reading.span_log(start, end) == pytest.approx(log)
    assert reading.span_log(500, 600) == LEAST_LOG


def test_a_text_that_answers_is_likelier_than_one_that_does_not(reader: PassageReader) -> None:
    for question, right, answer in (
        ("What is the price of a berth?", HARBOUR, "18 euros"),
        ("Who cooks the soup?", KITCHEN, "Maria Lopez"),
    ):
        readings = dict(zip((HARBOUR, KITCHEN), reader.read(question, [HARBOUR, KITCHEN]), strict=True))
        best = readings[right].best_span(0, len(right.text))
        assert max(readings, key=lambda text: readings[text].log_odds) == right
        assert best is not None
        assert answer in right.text[best[0] : best[1]]


def test_a_question_longer_than_the_window_and_odd_characters_are_read_too(reader: PassageReader) -> None:
    assert len(reader.read("0123456789" * 90, [HARBOUR])) == 1
    assert len(reader.read("\u0000 \ufffd 問い", [ReaderText("\u0000", "\u0000 \ud83d")])) == 1


def test_only_languages_that_were_learnt_are_read(reader: PassageReader) -> None:
    assert all(reader.reads(language) for language in ("en", "de", "fr", "es", "pt", "it", "zh", "ja"))
    assert not reader.reads("pl")
    assert not reader.reads("")


@pytest.mark.parametrize(
    ("question", "right", "wrong", "answer"),
    [
        (
            "Wie viel kostet ein Liegeplatz?",
            "Für einen Platz im Hafen zahlen Sie 18 Euro je Nacht.",
            "Das Mittagessen wird um zwölf Uhr ausgegeben.",
            "18 Euro",
        ),
        (
            "Qui prépare la soupe ?",
            "La soupe est faite par Maria Lopez.",
            "Le bac part du quai sud toutes les heures.",
            "Maria Lopez",
        ),
        (
            "¿A qué hora abre la oficina?",
            "La oficina atiende al público desde las nueve.",
            "El barco mide 18 metros.",
            "las nueve",
        ),
        ("图书馆周末几点关门？", "图书馆周六和周日开放到下午五点。", "学校共有三个食堂。", "下午五点"),
        (
            "研究室は何階にありますか。",
            "研究室は本館の四階にあります。",
            "食堂は正午に開きます。",
            "四階",
        ),
    ],
)
def test_each_language_is_read_in_its_own_words(
    reader: PassageReader, question: str, right: str, wrong: str, answer: str
) -> None:
    of_right, of_wrong = reader.read(question, [ReaderText("", right), ReaderText("", wrong)])
    best = of_right.best_span(0, len(right))
    assert of_right.log_odds > of_wrong.log_odds
    assert best is not None
    assert answer in right[best[0] : best[1]] or right[best[0] : best[1]] in answer
