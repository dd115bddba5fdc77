"""Asks one fixed sample of questions of models behind any OpenAI-compatible endpoint, and prints a table with a line for each.

usage: python bench/models.py --model NAME[,NAME] [--base-url URL] [--sample 24] [--seed 7] [--pages 15] [--jobs 2]
       [--price IN,OUT] [--price NAME=IN,OUT] [--results FOLDER] [--out table.md] [--with OPTIONS]

The sample is the questions of the bundled demo site, and then questions of the building half of bench/answers as far as its sites
are unpacked here (bench/fetch_answer_sites.py), drawn by the seed as those of the written model are; their answers are checked
(bench/check_answers.py). `--model auto` is the model that a server of this machine offers, `--model none` the built-in strategy. A key
comes from WALKER_API_KEY or OPENAI_API_KEY.

Each model has a folder in --results, with the answers and the recorded walks; the same command goes on where it was stopped, and a
larger --sample asks what is missing. What keeps an endpoint from answering at all is told in the line of its model. Money is known
where prices are given, those of a million tokens. A repaired reply is one that could not be used and was asked for again with the
reason; a refused move is one that the policy did not allow.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import re
import shlex
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from answers.prices import Prices, price_in
from answers.question_set import KINDS, Question, QuestionSetError
from answers.scoring import is_right
from answers.sites_here import ServedSite, served_sites
from answers.unpacking import CACHE
from answers.walks import PROJECT, Ended, Walk
from written_model import drawn

from traces.errors import TraceError
from traces.events import ActionRefused, EdgeCall
from traces.reading.reader import read_run
from walker.batch.predictions import Prediction
from walker.demo.questions import bundled_questions
from walker.demo.server import serve_institute
from walker.models.discovery.model_families import family_of

SAMPLE, SEED, PAGES = 24, 7, 15
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    """A question of the sample, and where it is asked."""

    question: Question
    root: str
    site: str


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one model."""

    model: str
    asked: int
    right: int = 0
    wrong: int = 0
    silent: int = 0
    """Questions that got no answer, and have one."""
    failed: int = 0
    tokens: tuple[int, ...] = ()
    """Of each question, prompts and replies."""
    seconds: tuple[float, ...] = ()
    prompts: int = 0
    completions: int = 0
    calls: int = 0
    repaired: int = 0
    refused: int = 0
    error: str = ""
    """What kept the endpoint from answering, in one line."""


@contextlib.contextmanager
def sample_of(count: int, seed: int, cache: Path) -> Iterator[tuple[Sampled, ...]]:
    """Yields the sample, its sites served while the block lasts."""
    with serve_institute() as institute, served_sites(cache, halves=("building",)) as sites:
        bundled = [Sampled(question=one, root=institute, site="demo") for one in demo_questions()]
        others = [
            Sampled(question=one, root=served.address(one.root), site=served.site.name)
            for served, one in _drawn(sites, max(0, count - len(bundled)), seed)
        ]
        yield tuple([*bundled, *others][:count])


def demo_questions() -> tuple[Question, ...]:
    """The questions of the demo site in the form of bench/answers."""
    return tuple(
        Question(
            id=f"demo-{one.id}", site="demo", root="", question=one.question, answer=one.answer, accept=one.accept,
            kind="visual" if one.kind == "picture" else one.kind, items=one.items, n=one.count, lang=one.lang,
            sources=one.sources, evidence=(), depth=(),
        )
        for one in bundled_questions()
    )  # fmt: skip


def _drawn(sites: Sequence[ServedSite], count: int, seed: int) -> list[tuple[ServedSite, Question]]:
    return drawn(sites, count, KINDS, seed) if sites and count else []


def ask_model(model: str, sample: Sequence[Sampled], folder: Path, options: Sequence[str]) -> str:
    """Ask what has no answer in the folder yet; what ended the batch in one line, "" for nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    walks = [
        Walk(id=one.question.id, question=one.question.text, root=one.root, lang=one.question.lang) for one in sample
    ]
    questions = folder / "questions.jsonl"
    questions.write_bytes(b"".join(msgspec.json.encode(walk) + b"\n" for walk in walks))
    named = [] if model == "none" else ["--model", model]
    command = [
        sys.executable,
        *"-m walker ask -q --batch".split(),
        str(questions),
        "--out",
        str(folder / "answers.jsonl"),
    ]
    with (folder / "said.txt").open("a+", encoding="utf-8") as said:
        start = said.seek(0, 2)
        code = _ended([*command, "--runs", str(folder / "runs"), *named, *options], said)
        said.seek(start)
        lines = said.read().strip().splitlines()
    if code == 0 or not lines or "questions failed;" in lines[-1]:
        return ""
    return lines[-1].removeprefix("walker: ")


def _ended(command: Sequence[str], said: IO[str]) -> int:
    """Run a command to its end, and return its exit code. Where this program is interrupted the command is too, once, and has time to
    write down what it has."""
    process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL, stderr=said, start_new_session=True)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
        raise


def score_of(model: str, sample: Sequence[Sampled], folder: Path, error: str = "") -> Score:
    """What the files of a model say of this sample."""
    answers = latest(folder / "answers.jsonl")
    found = [(one, answers[one.question.id]) for one in sample if one.question.id in answers]
    score = Score(model=model, asked=len(found), error=error)
    for one, answer in found:
        if answer.error:
            score = msgspec.structs.replace(score, failed=score.failed + 1)
            continue
        told = Ended(id=answer.id, answer=answer.answer, items=answer.items, confidence=answer.confidence)
        is_silent = not answer.answer and one.question.kind != "none"
        right = is_right(one.question, told)
        repaired, refused = trouble_in(PROJECT / answer.trace) if answer.trace else (0, 0)
        usage = answer.usage
        score = msgspec.structs.replace(
            score,
            right=score.right + right,
            wrong=score.wrong + (not right and not is_silent),
            silent=score.silent + (not right and is_silent),
            tokens=(*score.tokens, usage.total_tokens),
            seconds=(*score.seconds, usage.seconds),
            prompts=score.prompts + usage.prompt_tokens,
            completions=score.completions + usage.completion_tokens,
            calls=score.calls + usage.model_calls,
            repaired=score.repaired + repaired,
            refused=score.refused + refused,
        )
    return score


def latest(file: Path) -> dict[str, Prediction]:
    """The last line of each question; a line that was cut off is none."""
    if not file.is_file():
        return {}
    lines = [line for line in file.read_bytes().split(b"\n")[:-1] if line]
    return {one.id: one for one in (msgspec.json.decode(line, type=Prediction) for line in lines)}


def trouble_in(run: Path) -> tuple[int, int]:
    """Replies of a recorded walk that were asked for again, and moves that were refused; zeros where the record is gone."""
    try:
        events = read_run(run).events
    except TraceError:
        return 0, 0
    chats = [event.request for event in events if isinstance(event, EdgeCall) and event.seam == "chat"]
    repaired = sum(any(said["role"] == "assistant" for said in request["messages"]) for request in chats)
    return repaired, sum(isinstance(event, ActionRefused) for event in events)


def table_of(scores: Sequence[Score], wanted: int, prices: dict[str, Prices]) -> str:
    """Markdown, a line for each model."""
    heads = ("model", "family", "asked", "right", "wrong", "no answer", "failed", "tokens a question", "seconds a question",
             "money", "repaired a call", "refused a question", "error")  # fmt: skip
    rows = [heads, tuple("---" for _ in heads), *(_row(score, wanted, prices) for score in scores)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(score: Score, wanted: int, prices: dict[str, Prices]) -> tuple[str, ...]:
    family, price = family_of(score.model), prices.get(score.model, prices.get(""))
    walked = len(score.tokens)
    money = "-"
    if price is not None and score.calls:
        money = f"{price.of(score.prompts, score.completions):.4f}"
    return (
        score.model,
        family.name if family is not None else "-",
        f"{score.asked} of {wanted}",
        f"{score.right} ({score.right / score.asked:.0%})" if score.asked else "-",
        str(score.wrong),
        str(score.silent),
        str(score.failed),
        f"{statistics.median(score.tokens):,.0f}" if walked else "-",
        f"{statistics.median(score.seconds):.1f}" if walked else "-",
        money,
        f"{score.repaired / score.calls:.3f}" if score.calls else "-",
        f"{score.refused / walked:.2f}" if walked else "-",
        score.error.replace("|", "/") or "-",
    )


def prices_in(given: Sequence[str]) -> dict[str, Prices]:
    """By model, "" for all others. Raises `ValueError` for what is no price."""
    found = {}
    for text in given:
        name, _, numbers = text.rpartition("=")
        found[name] = price_in(numbers)
    return found


def folder_of(results: Path, model: str, told: Sequence[str]) -> Path:
    """Of a model as it is asked: answers to other settings are no answers to these."""
    digest = hashlib.sha256("\n".join((model, *told)).encode()).hexdigest()[:8]
    return results / f"{_UNSAFE.sub('-', model)}-{digest}"


def parser_of() -> argparse.ArgumentParser:
    """What may be said on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--model", required=True, help="names, with commas between; auto, or none for the built-in strategy"
    )
    parser.add_argument("--base-url", default="", help="the endpoint; WALKER_BASE_URL or OPENAI_BASE_URL if not given")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="so many questions")
    parser.add_argument("--seed", type=int, default=SEED, help="another number draws another sample")
    parser.add_argument("--pages", type=int, default=PAGES, help="most pages of a walk")
    parser.add_argument("--jobs", type=int, default=2, help="walks at a time")
    parser.add_argument("--price", action="append", default=[], metavar="[NAME=]IN,OUT", help="of a million tokens")
    parser.add_argument(
        "--results", type=Path, default=Path("bench-models"), help="folder of answers and recorded walks"
    )
    parser.add_argument("--out", type=Path, help="file for the table")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where fetch_answer_sites.py unpacked the sites")
    parser.add_argument("--with", dest="more", default="", metavar="OPTIONS", help="further options of `walker ask`")
    return parser


def measured(options: argparse.Namespace, prices: dict[str, Prices]) -> str:
    """Ask each model, write the table after each, and return it."""
    asked = ["--max-pages", str(options.pages), *shlex.split(options.more)]
    where = ["--base-url", options.base_url] if options.base_url else []
    scores: list[Score] = []
    table = ""
    with sample_of(options.sample, options.seed, options.cache) as sample:
        for model in filter(None, options.model.split(",")):
            folder = folder_of(options.results.resolve(), model, [str(options.seed), *where, *asked])
            endpoint = [] if model == "none" else where
            error = ask_model(model, sample, folder, [*endpoint, *asked, "--jobs", str(options.jobs)])
            scores.append(score_of(model, sample, folder, error))
            table = table_of(scores, len(sample), prices)
            if options.out is not None:
                options.out.write_text(table + "\n", encoding="utf-8")
            sys.stderr.write(f"{model}: {error or f'{scores[-1].right} of {scores[-1].asked} right'}\n")
    return table


def main() -> None:
    """Ask each model, and print the table."""
    options = parser_of().parse_args()
    try:
        prices = prices_in(options.price)
    except ValueError:
        raise SystemExit(f"--price {' '.join(options.price)}: write it as 0.15,0.60, or NAME=0.15,0.60") from None
    try:
        print(measured(options, prices))
    except QuestionSetError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command goes on\n")
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
