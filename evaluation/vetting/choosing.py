"""Which recorded answers of experiments lines are made of: graded, hard enough, and mixed in given shares."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from evaluation.dataset.question import Question
from evaluation.experiment.folder import Answers, ExperimentFolder
from evaluation.sample import Sample
from walker.errors import UsageError

HARDEST = 0.5
"""Greatest share of right samples of a hard question; one that is never answered right has nothing to learn from."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One recorded answer."""

    experiment: str
    question: Question
    sample: Sample
    run: Path
    right: bool | None
    """None where it has no verdict."""
    pass_rate: float | None
    """Share of right samples of its question and variant; None where there is one sample, or one without a verdict."""

    @property
    def words(self) -> frozenset[str]:
        """What a mixture may call it by: its experiment, domain, kind, difficulty and site."""
        asked = self.question
        return frozenset((self.experiment, asked.domain, asked.kind, asked.difficulty, asked.site)) - {""}


def candidates_of(
    folders: Sequence[ExperimentFolder], grades: Mapping[str, bool] | None = None, variants: Sequence[str] = ()
) -> tuple[Candidate, ...]:
    """The recorded answers of these experiments that are of the `variants`, () for all. `grades` by run or question take the place
    of the experiments' own. Raises `UsageError` for experiments that differ in more than their questions, and for none recorded."""
    answers = [(folder, folder.read_answers()) for folder in folders]
    _check_alike(answers)
    found: list[Candidate] = []
    for folder, known in answers:
        samples = [one for one in known.samples if not one.error and (not variants or one.variant in variants)]
        if grades is None:
            right = {grade.key: grade.right for grade in folder.read_grades(known.samples)}
        else:
            right = {one.key: _named_grade(grades, known, one) for one in samples}
        by_group: dict[tuple[str, str], list[bool | None]] = {}
        for sample in samples:
            by_group.setdefault(_group(sample), []).append(right.get(sample.key))
        for sample in samples:
            question = known.dataset.question(sample.question_id)
            assert question is not None, "a sample of another question is refused when the folder is read"
            if sample.trace:
                found.append(
                    Candidate(
                        experiment=known.experiment.name,
                        question=question,
                        sample=sample,
                        run=folder.path / sample.trace,
                        right=right.get(sample.key),
                        pass_rate=_pass_rate(by_group[_group(sample)]),
                    )
                )
    if not found:
        where = ", ".join(str(folder.path) for folder in folders)
        raise UsageError("there are no recorded answers", where=where, advice="Run walker eval run to the end")
    return tuple(found)


def hard_ones(candidates: Sequence[Candidate]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Those whose question is sometimes answered right and at most half of the times, and why the others are not, one line each.
    Raises `UsageError` where no question has two samples with verdicts."""
    if all(one.pass_rate is None for one in candidates):
        raise UsageError(
            "each question has one sample with a verdict, and how hard it is shows from two on",
            where="--hard-only",
            advice="Ask again with walker eval run ... --samples 8 --temperature 1, and grade",
        )
    kept, left_out = [], []
    for one in candidates:
        if one.pass_rate is not None and 0 < one.pass_rate <= HARDEST:
            kept.append(one)
        else:
            rate = "unknown" if one.pass_rate is None else f"{one.pass_rate:.2f}"
            left_out.append(f"{one.run}: its question is not hard (pass rate {rate})")
    return tuple(kept), tuple(left_out)


def read_mix(text: str) -> dict[str, int]:
    """Shares by name: "a=5,b=3". Raises `UsageError`."""
    found: dict[str, int] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, mark, share = part.partition("=")
        if not mark or not name.strip() or not share.strip().isdecimal() or not int(share):
            raise UsageError(f"{part!r} is no share", where="--mix", advice="Write it like this: --mix a=5,b=3,c=2")
        found[name.strip()] = int(share)
    return found


def mixed(candidates: Sequence[Candidate], shares: Mapping[str, int]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """As many as can be had in these shares, and why the others are left out. Each belongs to the first name that it can be called by;
    which of too many are taken depends on their runs alone. Raises `UsageError` for a name that none can be called by."""
    parts: dict[str, list[Candidate]] = {name: [] for name in shares}
    left_out = []
    for one in candidates:
        name = next((name for name in shares if name in one.words), "")
        if name:
            parts[name].append(one)
        else:
            left_out.append(f"{one.run}: it belongs to no part of the mixture")
    if empty := [name for name, members in parts.items() if not members]:
        known = sorted(frozenset[str]().union(*(one.words for one in candidates)))
        advice = f"Choose from {', '.join(known)}" if known else "Choose others, or fewer filters"
        raise UsageError(f"there is no walk of {empty[0]!r}", where="--mix", advice=advice)
    times = min(len(members) / shares[name] for name, members in parts.items())
    taken: set[Path] = set()
    for name, members in parts.items():
        ordered = sorted(members, key=lambda one: hashlib.sha256(str(one.sample.trace).encode()).hexdigest())
        taken |= {one.run for one in ordered[: int(times * shares[name] + 1e-9)]}
        left_out += [f"{one.run}: more of {name} than the mixture holds" for one in members if one.run not in taken]
    return tuple(one for one in candidates if one.run in taken), tuple(left_out)


def _check_alike(answers: Sequence[tuple[ExperimentFolder, Answers]]) -> None:
    (_, first), *others = answers
    for folder, other in others:
        for name in type(first.experiment.setup).__struct_fields__:
            one, two = (getattr(known.experiment.setup, name) for known in (first, other))
            if name != "dataset" and one != two:
                raise UsageError(
                    f"its {name} is {_told(two)}, and that of {first.experiment.name} is {_told(one)}",
                    where=str(folder.path),
                    advice="Export experiments of different setups one by one; lines never mix them",
                )


def _named_grade(grades: Mapping[str, bool], known: Answers, sample: Sample) -> bool | None:
    question = known.dataset.question(sample.question_id)
    names = (sample.trace, Path(sample.trace).name, question.question if question is not None else "")
    return next((grades[name] for name in names if name in grades), None)


def _group(sample: Sample) -> tuple[str, str]:
    return sample.variant, sample.question_id


def _pass_rate(right: Sequence[bool | None]) -> float | None:
    if len(right) < 2 or None in right:
        return None
    return sum(map(bool, right)) / len(right)


def _told(setting: object) -> str:
    return "none" if setting == "" else str(setting)
