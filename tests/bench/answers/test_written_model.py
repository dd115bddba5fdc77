from __future__ import annotations

from collections import Counter

import msgspec
import pytest
import written_model
from answers.question_set import KINDS, Kind, Question, Site, kinds_in
from answers.sites_here import ServedSite
from answers.slices import Scored

from tests.bench.answers.conftest import made_question


def served(site: Site, name: str, kinds: tuple[Kind, ...]) -> ServedSite:
    """A site with two questions of each kind, the second one click deeper."""
    questions = tuple(
        made_question(id=f"{name}-{kind}-{depth}", kind=kind, depth=[depth]) for kind in kinds for depth in (1, 2)
    )
    return ServedSite(
        site=msgspec.structs.replace(site, name=name), base=f"http://{name}.example/", questions=questions
    )


@pytest.fixture
def sites(site: Site) -> tuple[ServedSite, ...]:
    return (served(site, "ferry", KINDS), served(site, "tram", KINDS), served(site, "bus", ("single", "none")))


def of(sample: list[tuple[ServedSite, Question]], field: str) -> Counter[str]:
    return Counter(getattr(question, field) if field != "site" else home.site.name for home, question in sample)


def test_a_small_sample_has_every_kind_and_every_site(sites: tuple[ServedSite, ...]) -> None:
    sample = written_model.drawn(sites, 8)
    assert set(of(sample, "kind")) == set(KINDS)
    assert of(sample, "site") == {"ferry": 3, "tram": 3, "bus": 2}
    assert {question.depth for _, question in sample} == {(2,)}


def test_a_sample_follows_from_its_arguments(sites: tuple[ServedSite, ...]) -> None:
    ids = [question.id for _, question in written_model.drawn(sites, 9)]
    assert ids == [question.id for _, question in written_model.drawn(sites, 9)]
    assert ids[:5] == [question.id for _, question in written_model.drawn(sites, 5)]
    others = [[question.id for _, question in written_model.drawn(sites, 9, seed=seed)] for seed in range(5)]
    assert any(other != ids for other in others)


def test_a_sample_of_some_kinds_has_no_other_and_ends_with_the_last(sites: tuple[ServedSite, ...]) -> None:
    sample = written_model.drawn(sites, 100, kinds=kinds_in("quota,none"))
    assert of(sample, "kind") == {"quota": 4, "none": 6}


def test_a_kind_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="several"):
        kinds_in("single,several")


def test_a_mode_that_gets_more_of_a_kind_right_is_told(
    sites: tuple[ServedSite, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = written_model.drawn(sites, 8)

    def right_of(*kinds: Kind) -> list[Scored]:
        return [Scored(site=home.site, question=one, is_right=one.kind in kinds) for home, one in asked]

    written_model.report_modules(
        {"all": right_of("single"), "no-vision": right_of(), "no-counter": right_of("single", "quota")}
    )
    said = capsys.readouterr().out
    assert 'no-vision: kinds that all modules lower", "value": "none"' in said
    assert 'no-counter: kinds that all modules lower", "value": "quota 0 < ' in said
