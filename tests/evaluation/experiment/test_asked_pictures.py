"""Questions about pictures in an experiment: the pictures of its library are searched by them, from a root and without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.dataset.pictures import with_picture
from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.run import ExperimentPlan, run_experiment
from evaluation.experiment.variants import read_variants
from perception.images.image import decode_picture, encode_jpeg
from tests.sites.museum import pages, pictures
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from walker.settings import Limits, ModelSettings, Settings
from walker.testing.chat_server import Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")

ASKED = Question(
    id="mill", question="Who built this?", answers=("Tomas Brek",), root="/", site="quay", sources=("/mill.html",),
    language="en", picture="mill.jpg",
)  # fmt: skip


@pytest.fixture(scope="module")
def quay() -> Iterator[str]:
    with serve(pages()) as home:
        yield home


@pytest.fixture(scope="module")
def library(quay: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quay")
    crawl = ("crawl", quay + "/", "--driver", "http", "--keep", "pictures", "--library", "quay.library", "-q")
    assert walker_here(*crawl, folder=folder).code == 0
    return folder / "quay.library"


def content_of(file: Path) -> bytes:
    return file.read_bytes()


def plan(folder: Path, variant: str, quay: str) -> ExperimentPlan:
    (folder / "mill.jpg").write_bytes(encode_jpeg(decode_picture(pictures()["/mill.png"]), 80))
    shown = with_picture(ASKED, folder, {})
    return ExperimentPlan(
        dataset=Dataset(name="quay", questions=(shown,)), variants=read_variants([variant]), sites={"quay": quay}
    )


async def test_a_walk_from_a_root_finds_the_page_that_shows_the_picture(
    quay: str, library: Path, tmp_path: Path
) -> None:
    folder, before = ExperimentFolder(tmp_path / "one"), content_of(library)
    settings = Settings(limits=Limits(pages=4), ocr="none", library=library, scout_pages=0)
    await run_experiment(plan(tmp_path, "all", quay), folder, settings)
    (said,) = folder.read_answers().samples
    assert (said.error, said.answer, said.pages) == ("", "Tomas Brek", 1)
    assert content_of(library) == before, "the library that questions are answered from stays as it is"


async def test_turns_begin_with_the_pages_that_show_it(quay: str, library: Path, tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "turns")
    async with Endpoint([Reply(text='{"action": "answer", "text": "Tomas Brek"}')]) as endpoint:
        model = ModelSettings(name="test-model", base_url=endpoint.base_url)
        settings = Settings(limits=Limits(pages=4), ocr="none", library=library, model=model)
        await run_experiment(plan(tmp_path, "agentic", quay), folder, settings)
        prompt = endpoint.asked[0].prompt
    (said,) = folder.read_answers().samples
    assert (said.error, said.answer) == ("", "Tomas Brek")
    assert "Pages with pictures like that of the question" in prompt
    assert "Gull Mill" in prompt
