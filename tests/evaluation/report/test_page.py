"""The page from values, without a browser: what it says of odd experiments, and that nothing of a site becomes markup."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.variants import EIGHT, read_variants
from evaluation.ledger import Ledger
from evaluation.report.figures import draw_cost, draw_figures
from evaluation.report.make import ablate_folder, make_report
from evaluation.report.page import render_page
from evaluation.sample import Grade, Sample
from walker.errors import UsageError
from walker.seams.outcome import Usage
from walker.settings import ModelSettings, Settings

SLY = "</p><script>alert('x')</script>"
QUESTIONS = (
    Question(id="a", question=f"How deep {SLY}?", answers=("1.8 m",), root="https://a.example/", language="en"),
    Question(id="b", question="多深？", answers=("两米",), root="https://a.example/", language="zh", domain="game"),
)


def folder_with(tmp_path: Path, samples: list[Sample], grades: list[Grade], *names: str) -> ExperimentFolder:
    folder = ExperimentFolder(tmp_path / "tide <b>")
    variants = read_variants(names) if names else EIGHT
    settings = Settings(model=ModelSettings(name="m", prompt_price=1, completion_price=1))
    folder.begin(Dataset(name="set", questions=QUESTIONS), variants, settings, 1)
    for path, kind, entries in ((folder.samples_file, Sample, samples), (folder.grades_file, Grade, grades)):
        ledger = Ledger(path, kind)
        for entry in entries:
            ledger.add(entry)
        ledger.close()
    return folder


def sample(question_id: str, variant: str, **more: object) -> Sample:
    said = {"question_id": question_id, "variant": variant, "answer": "1.8 m", "pages": 3}
    return Sample(**(said | more))  # type: ignore[arg-type]


def grade(question_id: str, variant: str, right: bool | None, **more: object) -> Grade:
    return Grade(question_id=question_id, variant=variant, right=right, **more)  # type: ignore[arg-type]


def test_what_questions_answers_and_reasons_say_stays_text(tmp_path: Path) -> None:
    samples = [sample("a", "all", answer=SLY, error=""), sample("b", "all", error=f"no page {SLY}")]
    folder = folder_with(tmp_path, samples, [grade("a", "all", False, reason=SLY)], "all")
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    assert "<script>alert" not in source
    assert source.count("&lt;script&gt;alert") >= 4
    assert re.findall(r"<script[^>]*>", source) == ["<script>"]
    assert not re.search(r'(?:src|href)="https?://', source)


def told(source: str) -> str:
    """The sentences at the top of the page, as text."""
    (lead,) = re.findall(r'<p class="lead">(.*?)</p>', source, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", lead).split())


def test_the_story_says_what_is_best_and_whether_that_may_be_chance(tmp_path: Path) -> None:
    samples = [sample(q, v) for q in ("a", "b") for v in ("baseline", "all")]
    grades = [
        grade("a", "all", True),
        grade("b", "all", False, error_class="imprecise"),
        grade("a", "baseline", False, error_class="refusal"),
        grade("b", "baseline", False, error_class="refusal"),
    ]
    folder = folder_with(tmp_path, samples, grades, "baseline", "all")
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    lead = told(source)
    assert lead.startswith(
        "2 questions were asked of 2 variants. The best variant, “all”, is right on 50 % (1 of 2 answers)."
    )
    assert "is right on 0 %; the difference of +50 points may be chance (p = 1: 2 questions do not tell)" in lead
    assert "The one wrong answer is “imprecise”. A question cost it 3.0 pages" in lead
    better, worse = '<a class="n" href="#answers?variant=all&amp;question=a">1</a>', "<td>0</td>"
    assert f"<td>{better}</td>{worse}" in source


def test_questions_that_a_variant_does_worse_on_are_linked_together(tmp_path: Path) -> None:
    samples = [sample(q, v) for q in ("a", "b") for v in ("baseline", "all")]
    grades = [grade(q, "baseline", True) for q in ("a", "b")]
    grades += [grade(q, "all", False, error_class="refusal") for q in ("a", "b")]
    folder = folder_with(tmp_path, samples, grades, "baseline", "all")
    make_report(folder, pictures=False)
    both = '<a class="n" href="#answers?variant=all&amp;question=a&amp;question=b">2</a>'
    assert both in folder.report_file.read_text(encoding="utf-8")


def test_of_equals_the_one_with_all_modules_is_told_and_nothing_is_compared_with_itself(tmp_path: Path) -> None:
    samples = [sample("a", v) for v in ("baseline", "all")]
    folder = folder_with(tmp_path, samples, [grade("a", v, True) for v in ("baseline", "all")], "baseline", "all")
    make_report(folder, pictures=False)
    assert "“all”, is right on 100 % (1 of 1 answers), as is baseline." in told(folder.report_file.read_text("utf-8"))
    alone = folder_with(tmp_path / "alone", [sample("a", "all")], [grade("a", "all", True)], "all")
    make_report(alone, pictures=False)
    lead = told(alone.report_file.read_text("utf-8"))
    assert lead.startswith(
        "2 questions were asked of 1 variant. The variant, “all”, is right on 100 % (1 of 1 answers). A question"
    )


def test_confidence_tools_and_passes_are_shown_where_there_are_any(tmp_path: Path) -> None:
    samples = [sample("a", "all", confidence=0.8, tools={"open": 3, "search": 1}), sample("b", "all", confidence=0.3)]
    grades = [grade("a", "all", True, stated=0.9), grade("b", "all", False, error_class="imprecise")]
    folder = folder_with(tmp_path, samples, grades, "all")
    report, _ = make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    assert report.calibrations[0].ece == pytest.approx(0.25)
    assert "0.250" in source
    assert "stated in the answer" in source
    assert re.sub(r"<[^>]+>", "", source).count("Only 2 answers") == 1
    assert re.findall(r"<title>(.* right)</title>", source) == [
        "1 answer with a confidence of 30 % of the walk: 0 % right",
        "1 answer with a confidence of 80 % of the walk: 100 % right",
        "1 answer with a confidence of 90 % stated in the answer: 100 % right",
    ]
    assert "open 75 %, search 25 %" in source
    assert "75 % open, 25 % search" in re.sub(r"<[^>]+>", "", source), "to be read where nothing hovers"
    assert report.by_pass is None
    plain = folder_with(tmp_path / "plain", [sample("a", "all")], [grade("a", "all", True)], "all")
    make_report(plain, pictures=False)
    bare = plain.report_file.read_text(encoding="utf-8")
    assert 'id="confidence"' not in bare
    assert 'id="tools"' not in bare


def test_many_samples_are_told_by_avg_and_pass_at_k_and_their_grades_are_counted(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "many")
    settings = Settings(model=ModelSettings(name="m"))
    folder.begin(Dataset(name="set", questions=QUESTIONS), read_variants(["direct", "agentic"]), settings, 10)
    tries = [(q, v, n) for q in ("a", "b") for v in ("direct", "agentic") for n in range(1, 11)]
    graded = {(q, v, n): q == "a" and n <= (2 if v == "direct" else 5) for q, v, n in tries}
    for path, kind, entries in (
        (folder.samples_file, Sample, [sample(q, v, number=n) for q, v, n in tries]),
        (folder.grades_file, Grade, [grade(q, v, right, number=n) for (q, v, n), right in graded.items()]),
    ):
        ledger = Ledger(path, kind)
        for entry in entries:
            ledger.add(entry)
        ledger.close()
    report, _ = make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    direct = source[source.index('<h3 id="pass-at-k">') :].split("<tr><td>")[1]
    # Of ten samples two are right: avg@10 0.1 over both questions, pass@2 (1 - 28/45) / 2.
    assert [float(one) for one in re.findall(r">(\d+\.\d)<", direct)][:3] == [10.0, 10.0, 18.9]
    assert report.by_pass is not None
    assert [row.questions for row in report.by_pass.rows] == [("a",), ("b",)]
    assert report.by_pass.rows[0].success == {"direct": 0.2, "agentic": 0.5}
    assert 'href="#answers?variant=agentic&amp;slice=easy+by+pass%4010">50</a>' in source
    assert source.count("|easy by pass@10|") == source.count("|hard by pass@10|") == 1
    assert "✓7</span>" in source
    assert "✗20</span>" in source


def test_published_figures_say_where_they_stand_and_that_they_are_of_other_questions(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [sample("a", "all")], [grade("a", "all", True, f1=0.5)], "all")
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    shown = source[source.index('<section id="published">') : source.index('<section id="questions">')]
    assert all(paper in shown for paper in ("V-GEMS", "WebWatcher", "ReAG", "SenseSearch", "ReFACT"))
    assert shown.count("Other questions, other models") == 5
    assert "Table 2" in shown
    ours = [re.sub(r"<[^>]+>", " ", row).split() for row in re.findall(r"<tr>.*?</tr>", shown) if "here," in row]
    assert ours[0] == ["here,", "“all”", "50", "%", "set", "F1"]
    assert ["here,", "“all”", "100", "%", "set", "accuracy"] in ours
    assert "prints prompts and cases, and no figure" in shown


def test_unscored_answers_and_samples_without_a_walk_are_told(tmp_path: Path) -> None:
    samples = [sample("a", "all"), sample("b", "all", answer="", error="the server is away")]
    folder = folder_with(tmp_path, samples, [grade("a", "all", None, reason="no grade in “hm”")], "all")
    report, why = make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    assert 'unscored answers, neither right nor wrong: <a class="n" href="#answers?state=unscored">1</a>' in source
    assert 'failed samples: <a class="n" href="#answers?state=failed">1</a>' in source
    assert "the server is away" in source
    assert (report.costs[0].failed, why) == (1, "")


@pytest.mark.parametrize(("site", "is_shown"), [("institute", False), ("docs", True)])
def test_figures_of_others_do_not_stand_beside_those_of_the_demo(tmp_path: Path, site: str, is_shown: bool) -> None:
    folder = folder_with(tmp_path, [sample("a", "all")], [grade("a", "all", True)], "all")
    questions = tuple(msgspec.structs.replace(question, site=site) for question in QUESTIONS)
    report, _ = make_report(folder, pictures=False)
    page = render_page(
        msgspec.structs.replace(report, dataset=msgspec.structs.replace(report.dataset, questions=questions))
    )
    assert ("Figures of others" in page) is is_shown


def test_judges_and_their_agreement_are_shown(tmp_path: Path) -> None:
    votes: list[dict[str, bool | None]] = [{"strict/m": True, "yesno/m": True}, {"strict/m": False, "yesno/m": False}]
    grades = [grade(name, "all", vote["strict/m"], votes=vote) for name, vote in zip(("a", "b"), votes, strict=True)]
    folder = folder_with(tmp_path, [sample("a", "all"), sample("b", "all")], grades, "all")
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    assert "strict/m and yesno/m" in source
    assert "1.00" in source


def test_money_tokens_and_several_variants_are_drawn(tmp_path: Path) -> None:
    usage = Usage(total_tokens=1200, prompt_tokens=1000, completion_tokens=200, model_calls=3, seconds=2.5)
    samples = [sample(q, v, usage=usage, money=0.0012) for q in ("a", "b") for v in ("baseline", "all", "direct")]
    grades = [grade(q, v, v != "baseline", f1=0.5) for q in ("a", "b") for v in ("baseline", "all", "direct")]
    folder = folder_with(tmp_path, samples, grades, "baseline", "all", "direct")
    report, _ = make_report(folder)
    source = folder.report_file.read_text(encoding="utf-8")
    assert "tokens a question" in source
    assert "0.0012" in source
    assert set(report.comparisons) == {"all", "direct"}
    assert report.pictures == ("success.png", "errors.png", "cost.png")
    assert "What each module adds" not in source


def test_modules_are_shown_once_they_were_taken_apart(tmp_path: Path) -> None:
    samples = [sample(q, variant.name) for q in ("a", "b") for variant in EIGHT]
    grades = [grade(q, variant.name, variant.components.vision or q == "b") for q in ("a", "b") for variant in EIGHT]
    folder = folder_with(tmp_path, samples, grades)
    assert ablate_folder(folder).slices[0].values["vision"].value == pytest.approx(0.5)
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    assert "What each module adds" in source
    assert "+500" in source


def test_what_is_missing_is_told(tmp_path: Path) -> None:
    samples = [sample(q, v) for q, v in (("a", "all"), ("b", "all"), ("a", "baseline"))]
    folder = folder_with(tmp_path, samples, [grade("a", "all", True)], "baseline", "all")
    report, _ = make_report(folder, pictures=False)
    assert [gap.line.partition(";")[0] for gap in report.gaps] == [
        "missing answers: 1 of 4",
        "answers not graded yet: 2",
    ]
    source = folder.report_file.read_text(encoding="utf-8")
    assert all(gap.line in re.sub(r"<[^>]+>", "", source) for gap in report.gaps)
    assert '<a class="n" href="#answers?state=unscored">2</a>; run walker eval grade' in source


def test_modules_are_taken_apart_again_when_grades_have_come_since(tmp_path: Path) -> None:
    samples = [sample(q, variant.name) for q in ("a", "b") for variant in EIGHT]
    early = [grade("a", variant.name, variant.components.vision) for variant in EIGHT]
    folder = folder_with(tmp_path, samples, early)
    assert ablate_folder(folder).slices[0].values["vision"].value == pytest.approx(1.0)
    ledger = Ledger(folder.grades_file, Grade)
    for variant in EIGHT:
        ledger.add(grade("b", variant.name, True))
    ledger.close()
    report, _ = make_report(folder, pictures=False)
    assert report.ablation is not None
    assert report.ablation.slices[0].values["vision"].value == pytest.approx(0.5)


def test_an_experiment_that_nobody_graded_says_how(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [sample("a", "all")], [], "all")
    with pytest.raises(UsageError, match="walker eval grade"):
        make_report(folder)


def test_an_ablation_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [sample("a", "all")], [grade("a", "all", True)], "all")
    folder.ablation_file.write_text("{")
    with pytest.raises(UsageError, match="walker eval ablate again"):
        make_report(folder)


def test_figures_are_drawn_of_values(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, [sample("a", "all")], [grade("a", "all", False, error_class="refusal")], "all")
    report, _ = make_report(folder, pictures=False)
    drawn = draw_figures(tmp_path / "figures", report.figures, report.costs, None)
    assert [path.name for path in drawn] == ["success.png", "errors.png", "cost.png"]
    assert all(path.read_bytes()[:4] == b"\x89PNG" for path in drawn)


def test_points_are_lettered_inside_the_drawing_and_apart_and_the_key_names_every_variant(tmp_path: Path) -> None:
    names = [variant.name for variant in EIGHT]
    samples = [sample("a", name, pages=20 if name in names[:5] else 3) for name in names]
    folder = folder_with(tmp_path, samples, [grade("a", name, name in names[:3]) for name in names])
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    cost = source[source.index('<section id="cost">') :]
    places = [
        (float(x), float(y)) for x, y in re.findall(r'<circle class="ours dot" cx="([\d.]+)" cy="([\d.]+)"', cost)
    ]
    letters = re.findall(r'<text class="letter"[^>]*>(.)</text>', cost)
    assert letters == sorted(letters)
    assert len(places) == len(letters) == 3
    assert all(9 <= x <= 351 and 9 <= y <= 271 for x, y in places)
    for number, (x, y) in enumerate(places):
        assert not any(abs(x - u) + abs(y - v) < 10 for u, v in places[:number])
    (key,) = re.findall(r'<ul class="letters">(.*?)</ul>', cost, re.DOTALL)
    assert sorted(re.findall(r">([^<>]+)</a>", key)) == sorted(names)
    assert re.findall(r"<b>(.)</b>", key) == letters


def test_the_figure_of_costs_names_every_variant_once_and_inside(tmp_path: Path) -> None:
    variants = [variant.name for variant in EIGHT]
    samples = [sample("a", name, pages=20 if name in variants[:5] else 3) for name in variants]
    folder = folder_with(tmp_path, samples, [grade("a", name, name in variants[:3]) for name in variants])
    report, _ = make_report(folder, pictures=False)
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - 0.4 s and 30 MB of every process else
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    draw_cost(axes, [one for one in report.figures if one.slice == "all"], report.costs)
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    assert sorted(name for text in axes.texts for name in text.get_text().split("\n")) == sorted(variants)
    assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
    assert not any(one.overlaps(other) for place, one in enumerate(boxes) for other in boxes[:place])


def test_every_number_of_the_tables_and_drawings_leads_to_its_answers(tmp_path: Path) -> None:
    samples = [sample(q, v.name, confidence=0.7, tools={"open": 2}) for q in ("a", "b") for v in EIGHT]
    grades = [
        grade(one.question_id, one.variant, right, error_class=None if right else "imprecise")
        for one in samples
        for right in (one.variant == "all" or one.question_id == "a",)
    ]
    folder = folder_with(tmp_path, samples, grades)
    ablate_folder(folder)
    make_report(folder, pictures=False)
    source = folder.report_file.read_text(encoding="utf-8")
    ours = source[source.index('<section id="success">') : source.index('<section id="published">')]
    cells = re.findall(r"<td[^>]*>(.*?)</td>", ours, re.DOTALL)
    unlinked = [re.sub(r"<a .*?</a>", "", cell, flags=re.DOTALL).replace("F1", "") for cell in cells]
    assert len(cells) > 100
    assert [one for one in unlinked if re.search(r"[1-9]", re.sub(r"<[^>]+>", "", one))] == []
    drawn = re.sub(
        r'<text class="faint small" .*?</text>|<a .*?</a>', "", ours, flags=re.DOTALL
    )  # axes, and what is linked
    assert re.findall(r"<tspan|<rect x=", drawn) == []
