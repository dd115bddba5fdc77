"""Verdicts: what code computes of a reply, which parts it ticks off, and where findings differ."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from memory.counting.requirement import Requirement
from memory.findings import Finding
from memory.state import PageNote, WalkMemory
from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page
from walker.models.replies import FindReply, JudgeReply, read_reply
from walker.seams.chat import ChatReply
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.seams.task_analysis import SiteName, TaskAnalysis, TaskPart
from walker.strategies.answers.conflicts import conflicts_of
from walker.strategies.model.judged_lines import judged_values
from walker.strategies.model.page_findings import UNTICKED_MOST, PageFindings, verdict_of
from walker.strategies.model.prompt_values import shown_findings

LATER = "How many years after the 'Otter' was launched was the 'Mantis' launched?"
TWO_PARTS = "How many years lie between the launch of the Otter and the launch of the Mantis?"


def found(text: str, quote: str = "", *, parts: tuple[int, ...] = (), url: str = HOME, score: float = 0.9) -> Finding:
    return Finding(text=text, quote=quote or f"It says {text}.", url=url, step=1, score=score, parts=parts)


def task(question: str = LATER, language: str = "en") -> Task:
    return Task(question=question, root_url=HOME, language=language)


def judged(findings: list[Finding], asked: Task | None = None, **said: Any) -> Verdict:
    text = msgspec.json.encode({"sufficient": True, "cite": [1], "confidence": 90, **said}).decode()
    return verdict_of(read_reply(ChatReply(text=text), JudgeReply), asked or task(), findings)


def apart(*of: int, operation: str = "difference", **more: Any) -> dict[str, Any]:
    return {"operation": operation, "of": list(of), **more}


def test_code_computes_what_the_model_names() -> None:
    verdict = judged([found("1995"), found("1998")], answer="", calculation=apart(1, 2))
    assert (verdict.sufficient, verdict.answer) == (True, "3 (1998 - 1995)")
    assert [one.quote for one in verdict.citations] == ["It says 1995.", "It says 1998."]
    assert "computed: 3 (1998 - 1995)" in verdict.reason


def test_an_answer_that_says_the_same_keeps_its_words() -> None:
    verdict = judged([found("1995"), found("1998")], answer="three years", calculation=apart(1, 2))
    assert verdict.answer == "three years (1998 - 1995)"


def test_a_computed_value_wins_and_the_reason_says_so() -> None:
    verdict = judged([found("1995"), found("1998")], answer="4", calculation=apart(1, 2))
    assert verdict.answer == "3 (1998 - 1995)"
    assert "the model said “4”" in verdict.reason


@pytest.mark.parametrize(
    ("findings", "calculation"),
    [
        ([found("1995 or 1996"), found("1998")], apart(1, 2)),
        ([found("1995"), found("1998")], apart(1, 3)),
        ([found("1995"), found("1998", "It was launched later.")], apart(1, 2)),
        ([found("$5"), found("3 EUR")], apart(1, 2)),
        ([found("1995"), found("1998")], apart(1, 2, operation="guess")),
        ([found("1995"), found("1998")], "1998 - 1995"),
        ([found("1995")], apart(1, bound="2002")),
    ],
)
def test_what_code_cannot_read_is_left_to_the_model(findings: list[Finding], calculation: object) -> None:
    verdict = judged(findings, answer="four", calculation=calculation)
    assert (verdict.sufficient, verdict.answer) == (True, "four")


def test_a_bound_of_the_question_is_compared_with() -> None:
    asked = task("Ist die Mantis länger als 20 m?", "de")
    verdict = judged([found("18,4 m")], asked, answer="", calculation=apart(1, operation="is_more", bound="20 m"))
    assert verdict.answer == "nein: 18,4 m ≤ 20 m"


@pytest.mark.parametrize(
    ("question", "language", "bound", "text", "answer"),
    [
        ("How many more than 40 members are there?", "en", "40", "48 members", "8 (48 - 40)"),
        ("How many more than forty members are there?", "en", "40", "48 members", "8 (48 - 40)"),
        (
            "Wie viele Minuten nach 18 Uhr schließt das Haus?",
            "de",
            "18 Uhr",
            "18:45 Uhr",
            "45 Minuten (18:45 Uhr - 18 Uhr)",
        ),
        ("Combien de temps après 18h ferme-t-il ?", "fr", "18h", "18h45", "45 min (18 h 45 min - 18 h)"),
        ("会员比四十人多多少？", "zh", "40", "48人", "8 (48 - 40)"),
    ],
)
def test_a_value_of_the_question_may_be_an_operand(
    question: str, language: str, bound: str, text: str, answer: str
) -> None:
    verdict = judged([found(text)], task(question, language), answer="", calculation=apart(1, bound=bound))
    assert verdict.answer == answer
    assert f"{bound} is the question's own" in verdict.reason


def test_what_the_question_does_not_state_is_no_operand() -> None:
    asked = task("How many more than 40 members are there?")
    verdict = judged([found("48 members")], asked, answer="44", calculation=apart(1, bound="4"))
    assert verdict.answer == "44"
    assert "nothing was computed" in verdict.reason


def test_which_and_by_how_much_come_out_of_code() -> None:
    asked = task("Which is longer, the Otter or the Mantis, and by how much?")
    wanted = apart(1, 2, operation="more", names=["the Otter", "the Mantis"])
    findings = [found("24 m"), found("18 m")]
    assert judged(findings, asked, answer="the Otter, by 5 m", calculation=wanted).answer == (
        "the Otter (24 m / 18 m; 24 - 18 = 6 m)"
    )
    assert judged(findings, asked, answer="the Otter by 6 m", calculation=wanted).answer.startswith("the Otter by 6 m")


def test_one_of_the_named_things_is_the_answer() -> None:
    asked = task("Which is longer, the Otter or the Mantis?")
    wanted = apart(1, 2, operation="more", names=["the Otter", "the Mantis"])
    verdict = judged([found("24 m"), found("18 m")], asked, answer="the Mantis", calculation=wanted)
    assert verdict.answer == "the Otter (24 m / 18 m)"


def test_parts_are_shown_with_the_findings_that_answer_them() -> None:
    lines = str(judged_values(task(TWO_PARTS), [found("1995", parts=(0,))], WalkMemory())["parts"]).splitlines()
    assert [line.split(")")[0] + ")" for line in lines] == ["1 (see [1])", "2 (open)"]
    assert judged_values(task("How long is it?"), [], WalkMemory())["parts"] == ""


@pytest.mark.parametrize(
    ("finding", "state"),
    [
        (found("1995", "The Otter was launched in 1995."), ("see [1]", "open")),
        (found("1995 and 1998", "Launch: Otter 1995, Mantis 1998."), ("see [1]", "see [1]")),
        (found("1995", "Launch: 1995", url=HOME + "otter.html"), ("see [1]", "open")),
        (found("1995", "Launch: 1995"), ("open", "open")),
        (found("steel", "The Otter is of steel."), ("open", "open")),
        (found("1995", "The launch of the Otter: 1995", score=0.2), ("open", "open")),
        (found("1995", "The launch of the Otter: 1995", parts=(1,)), ("open", "see [1]")),
    ],
)
def test_a_part_is_ticked_off_by_its_words_where_the_finding_names_none(
    finding: Finding, state: tuple[str, str]
) -> None:
    lines = str(judged_values(task(TWO_PARTS), [finding], WalkMemory())["parts"]).splitlines()
    assert [line.partition("(")[2].partition(")")[0] for line in lines] == list(state)


def test_the_name_of_its_page_tells_what_a_finding_is_about() -> None:
    note = PageNote(step=1, url=HOME + "p7", key="7", title="Otter", outcome="read")
    launched = found("1995", "Launch: 1995", url=HOME + "p7")
    lines = str(judged_values(task(TWO_PARTS), [launched], WalkMemory(pages=(note,)))["parts"])
    assert lines.startswith("1 (see [1]) ")


def test_a_finding_that_is_given_again_with_its_part_ticks_it_off() -> None:
    launched = found("1995", "Launched in 1995.")
    memory = WalkMemory(findings=(launched, found("six"), msgspec.structs.replace(launched, parts=(0,))))
    assert [(one.text, one.parts) for one in shown_findings(memory)] == [("1995", (0,)), ("six", ())]


def test_an_answer_with_an_open_part_is_less_sure() -> None:
    first, second = found("1995", parts=(0,)), found("1998", parts=(1,))
    sure = judged([first, second], task(TWO_PARTS), answer="3")
    doubtful = judged([first], task(TWO_PARTS), answer="3")
    assert (sure.sufficient, sure.confidence) == (True, 0.9)
    assert (doubtful.sufficient, doubtful.confidence) == (True, UNTICKED_MOST)
    assert "no finding for part 2" in doubtful.reason


def test_findings_that_name_no_part_may_answer_any() -> None:
    assert judged([found("1995")], task(TWO_PARTS), answer="3").confidence == 0.9


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("18 m", "24 m", True),
        ("18 m", "1800 cm", False),
        ("18 m", "18 kg", False),
        ("May 2021", "2021-05-04", False),
        ("May 2021", "4 June 2021", True),
        ("3.1.0", "3.2.0", True),
        ("Ada Lovelace", "Grace Hopper", True),
        ("Ada Lovelace", "Lovelace, Ada", False),
        ("Dr. Gerald Lutz", "Gerald Lutz", False),
        ("seven", "7", False),
        ("18 m", "a long boat", False),
        ("", "18 m", False),
    ],
)
def test_findings_that_differ_are_told(one: str, other: str, *, differ: bool) -> None:
    pair = (found(one, "q", parts=(1,)), found(other, "q", parts=(1,)))
    assert conflicts_of(pair, parts=2) == (((0, 1),) if differ else ())


def test_findings_of_other_parts_or_the_same_page_do_not_differ() -> None:
    assert conflicts_of((found("18 m", parts=(0,)), found("24 m", parts=(1,))), parts=2) == ()
    assert conflicts_of((found("18 m"), found("24 m"))) == ()
    assert conflicts_of((found("18 m"), found("24 m", url=HOME + "b"))) == ((0, 1),)
    assert conflicts_of((found("18 m"), found("24 m", url=HOME + "b", score=0.4))) == ()


def test_the_judge_and_the_person_hear_of_findings_that_differ() -> None:
    asked, pair = task("How long is the Mantis?"), [found("18 m"), found("24 m", url=HOME + "b")]
    assert judged_values(asked, pair, WalkMemory())["differ"] == "[1] and [2] differ"
    assert "found too: “24 m” on " + HOME + "b" in judged(pair, asked, answer="18 m").reason
    counting = msgspec.structs.replace(asked, requirement=Requirement(mode="exhaustive", noun="boats"))
    assert judged_values(counting, pair, WalkMemory())["differ"] == ""


def test_things_named_one_by_one_are_a_finding_that_can_be_cited() -> None:
    body = "<p>The crew are Ada and Grace.</p>"
    seen = observe(Snapshot(url=HOME, final_url=HOME, status=200, html=page("Crew", body)))
    reply = read_reply(
        ChatReply(text='{"relevance": 40, "items": [{"name": "Ada", "quote": "Ada and Grace"}, "Grace"]}'), FindReply
    )
    findings, by_place = PageFindings(
        seen, 1, msgspec.structs.replace(task(), requirement=Requirement(mode="exhaustive"))
    ).read(reply, "")
    assert [item.name for item in findings.items] == ["Ada", "Grace"]
    assert by_place == findings.findings
    assert [finding.text for finding in findings.findings] == ["2: Ada; Grace"]


def test_a_finding_may_name_its_parts_in_any_form() -> None:
    body = "<p>The Mantis is 18 m long.</p>"
    seen = observe(Snapshot(url=HOME, final_url=HOME, status=200, html=page("Boats", body)))
    for part, read in (("2", (1,)), ("[2, 1]", (0, 1)), ('"part 2"', (1,)), ("null", ()), ("0", ())):
        text = f'{{"relevance": 40, "findings": [{{"answer": "18 m", "quote": "18 m long", "part": {part}}}]}}'
        findings, _ = PageFindings(seen, 1, task()).read(read_reply(ChatReply(text=text), FindReply), "")
        assert findings.findings[0].parts == read
        assert findings.findings[0].part == (read[0] if read else 0)


@pytest.mark.parametrize(
    ("question", "differ"),
    [
        ("Who wrote the manual?", "[1] and [2] differ"),
        ("Who are the authors of the manual?", ""),
        ("Which companies sponsored the meeting?", ""),
        ("Which class is named?", "[1] and [2] differ"),
        ("Wer sind die Trainer?", ""),
        ("哪些人写了手册？", ""),
    ],
)
def test_two_names_where_several_are_wanted_are_no_conflict(question: str, differ: str) -> None:
    pair = [found("Ada Lovelace"), found("Grace Hopper", url=HOME + "b")]
    assert judged_values(task(question), pair, WalkMemory())["differ"] == differ


def test_a_part_that_wants_several_names_has_no_conflicts_and_another_has() -> None:
    parts = (TaskPart(text="Who are the authors of the manual?"), TaskPart(text="When was it printed?"))
    asked = msgspec.structs.replace(task(), analysis=TaskAnalysis(by="model", parts=parts))
    names = [found("Ada Lovelace", parts=(0,)), found("Grace Hopper", parts=(0,), url=HOME + "b")]
    years = [found("1995", parts=(1,)), found("1998", parts=(1,), url=HOME + "b")]
    assert judged_values(asked, [*names, *years], WalkMemory())["differ"] == "[3] and [4] differ"


def test_values_of_different_subjects_are_no_conflict() -> None:
    names = (SiteName(name="Otter"), SiteName(name="Mantis", spellings=("MV 12",)))
    asked = msgspec.structs.replace(task("How long are they?"), analysis=TaskAnalysis(by="model", names=names))
    otter, mantis = found("24 m", "The Otter is 24 m long."), found("18 m", "MV 12 is 18 m long.", url=HOME + "b")
    assert judged_values(asked, [otter, mantis], WalkMemory())["differ"] == ""
    other = found("18 m", "The Otter is 18 m long.", url=HOME + "b")
    assert judged_values(asked, [otter, other], WalkMemory())["differ"] == "[1] and [2] differ"


def test_entries_of_one_list_are_no_conflict() -> None:
    entries = (
        msgspec.structs.replace(found("Ada Lovelace", "Ada Lovelace, chair", parts=(1,)), heading="Board"),
        msgspec.structs.replace(found("Grace Hopper", "Grace Hopper, deputy", parts=(1,)), heading="Board"),
    )
    assert conflicts_of(entries, parts=2) == ()


@pytest.mark.parametrize(
    ("findings", "calculation", "why"),
    [
        ([found("1995 or 1996"), found("1998")], apart(1, 2), "finding 1 states several values"),
        ([found("long ago"), found("1998")], apart(1, 2), "finding 1 states no value"),
        (
            [found("03/04/2021"), found("1998")],
            apart(1, 2, operation="days_between"),
            "finding 1 can be read in two ways",
        ),
        ([found("1995"), found("1998")], apart(1, 3), "finding 3 is not there"),
        (
            [found("1995"), found("1998", "It was launched later.")],
            apart(1, 2),
            "finding 2 states a value that its quote",
        ),
        (
            [found("1995"), found("1998")],
            apart(1, 2, operation="earlier", names=["Otter"]),
            "not every value has a name",
        ),
        (
            [found("3 days"), found("5 days")],
            apart(1, 2, operation="earlier", names=["Otter", "Mantis"]),
            "“earlier” is of dates or of ages, and a finding states a duration",
        ),
        ([found("$5"), found("3 EUR")], apart(1, 2), "of different kinds or units, or overlap"),
    ],
)
def test_why_nothing_was_computed_is_told_as_it_is(
    findings: list[Finding], calculation: dict[str, Any], why: str
) -> None:
    assert f"nothing was computed: {why}" in judged(findings, answer="four", calculation=calculation).reason.replace(
        "the values are ", ""
    )


@pytest.mark.parametrize(
    ("question", "texts", "operation", "answer"),
    [
        ("Which of the two reefs is older?", ("4,500 years", "3,000 years"), "earlier", "Otter"),
        ("Which reef formed later?", ("4,500 years ago", "3,000 years ago"), "later", "Mantis"),
        ("Who was born earlier?", ("3 May 1950 (aged 72)", "1 June 1948 (aged 74)"), "earlier", "Mantis"),
        ("Which began later?", ("12 May 2019, 14:30", "12 June 2019, 9:00"), "later", "Mantis"),
    ],
)
def test_the_earlier_of_two_ages_or_of_dates_with_more_beside_them_is_computed(
    question: str, texts: tuple[str, str], operation: str, answer: str
) -> None:
    calculation = apart(1, 2, operation=operation, names=["Otter", "Mantis"])
    verdict = judged([found(text) for text in texts], task(question), answer="", calculation=calculation)
    assert verdict.answer.startswith(answer)
