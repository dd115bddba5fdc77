"""What a notebook shows of answers, runs and comparisons. Pages are hostile: nothing that they say becomes markup."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest

import walker
from memory.findings import Citation
from tests.recordings import make
from traces.compare.diff import compare_walks
from traces.notebooks.table import MOST_CHARS, MOST_ROWS, Linked, notebook_table
from traces.reading.reader import read_run
from traces.reading.steps import walk_of
from walker.extraction.schemas.typed_answers import FieldValue, RecordValue, TypedOutcome
from walker.seams.outcome import Outcome, StopReason

HOSTILE = '<script>alert(1)</script><img src=x onerror="alert(2)">"\'&'


def outcome(kind: type[Outcome] = Outcome, **values: object) -> Outcome:
    fields = {"answer": "six", "items": (), "confidence": 0.83, "citations": (), "pages": 3, "steps": 4, "count": {}}
    return kind(**{"question": "How many?", "stop_reason": StopReason.ANSWERED, **fields, **values})  # type: ignore[arg-type]


def shown(made: object) -> lxml.html.HtmlElement:
    return lxml.html.fromstring(made._repr_html_())  # type: ignore[attr-defined]


def links(page: lxml.html.HtmlElement) -> list[str]:
    return [str(one) for one in page.xpath("//a/@href")]


def test_an_answer_is_shown_with_its_sources() -> None:
    page = shown(outcome(citations=(Citation(url="http://reef.example/crew", quote="The crew has six members."),)))
    text = page.text_content()
    assert all(part in text for part in ("How many?", "six", "The crew has six members.", "0.83", "answered; 3 pages"))
    assert links(page) == ["http://reef.example/crew"]
    open_ended = shown(outcome(answer="", answered=False, nearest="seven")).text_content()
    assert "none that is sure enough" in open_ended
    assert "seven" in open_ended


def test_what_a_person_chose_is_not_told_as_found() -> None:
    chosen = shown(outcome(answer="seven", confidence=1.0, by_person=True)).text_content()
    assert "chosen by" in chosen
    assert "chosen by" not in shown(outcome(answer="seven")).text_content()


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,<script>", 'http://reef.example/"><script>alert(1)</script>']
)
def test_nothing_that_a_page_says_becomes_markup(address: str) -> None:
    made = outcome(
        TypedOutcome,
        question=HOSTILE,
        answer=HOSTILE,
        nearest=HOSTILE,
        error=HOSTILE,
        trace=HOSTILE,
        citations=(Citation(url=address, quote=HOSTILE),),
    )
    field = FieldValue(value=HOSTILE, quote=HOSTILE, page=address, reason=HOSTILE)
    record = RecordValue(data={}, fields={HOSTILE: field}, page=address)
    for page in (
        shown(made),
        lxml.html.fromstring(Outcome._repr_html_(made)),
        shown(outcome(TypedOutcome, fields={HOSTILE: field})),
        shown(outcome(TypedOutcome, records=(record, record))),
    ):
        assert page.xpath("//script | //img | //@onerror") == []
        assert all(one.startswith("http://reef.example/") for one in links(page))
    assert HOSTILE in lxml.html.fromstring(Outcome._repr_html_(made)).text_content()


def test_fields_and_records_are_tables() -> None:
    fields = {
        "price": FieldValue(value=12.5, quote="12.50 €", page="http://reef.example/mug"),
        "colour": FieldValue(reason="not stated"),
    }
    one = shown(outcome(TypedOutcome, fields=fields))
    assert [cell.text_content() for cell in one.xpath("//tr[2]/td")] == ["price", "12.5", "12.50 €", ""]
    assert [cell.text_content() for cell in one.xpath("//tr[3]/td")] == ["colour", "", "", "not stated"]
    rows = tuple(RecordValue(data={}, fields={"price": FieldValue(value=number)}, page="") for number in range(3))
    many = shown(outcome(TypedOutcome, records=rows))
    assert [cell.text_content() for cell in many.xpath("//td")] == ["0", "1", "2"]


def test_a_run_and_a_comparison_are_shown_step_by_step() -> None:
    runs = [Path(make.__file__).with_name(name) for name in ("count", "single")]
    one, other = map(read_run, runs)
    text = shown(one).text_content()
    assert str(runs[0]) in text
    assert "Open" in text
    compared = shown(compare_walks(walk_of(one, str), walk_of(other, str)))
    assert compared.xpath("//tr/th")[0].text_content() == "where"
    assert len(compared.xpath("//tr")) > 2
    assert ": equal" in shown(compare_walks(walk_of(one, str), walk_of(one, str))).text_content()


def test_runs_are_opened_and_compared_as_an_outcome_names_them() -> None:
    """`Outcome.trace` is a text, and a notebook knows nothing of rooms and keys."""
    one, other = (str(Path(make.__file__).with_name(name)) for name in ("count", "single"))
    assert one in shown(walker.open_run(one)).text_content()
    assert len(shown(walker.diff_runs(one, other)).xpath("//tr")) > 2
    with pytest.raises(walker.WalkerError, match=r"^nowhere: there is no run there"):
        walker.open_run("nowhere")


def test_long_tables_and_texts_are_cut_and_say_so() -> None:
    page = lxml.html.fromstring(
        notebook_table(
            "Long", ([str(row), Linked("x" * 5000, "https://reef.example/")] for row in range(MOST_ROWS + 7))
        )
    )
    assert len(page.xpath("//tr")) == MOST_ROWS
    assert "7 more rows" in page.text_content()
    assert max(len(cell.text_content()) for cell in page.xpath("//td")) == MOST_CHARS + 4
