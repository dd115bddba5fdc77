"""A worker as it is without a cluster: its memory limit, and the errors that it hands over."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import Any

import psutil

from tests.sites.pages_on_loopback import serve
from walker.batch.asking_task import Answered, AskTask
from walker.batch.extracting import Extracted, ExtractTask
from walker.batch.places import ENDS_A_BATCH
from walker.batch.questions import Assignment
from walker.cli.places.walk_places import environment
from walker.errors import UsageError
from walker.extraction.schemas.program_schema import TypedSchema, typed_schema
from walker.extraction.schemas.schema_settings import with_schema
from walker.fleet.crawl_worker import CrawlOrder, CrawlWorker
from walker.fleet.key_names import KeyNames, without_keys
from walker.fleet.memory_guard import memory_used
from walker.fleet.walk_notes import NOTES
from walker.fleet.walk_worker import EndOfBatch, WalkWorker, raised_here
from walker.settings import Limits, ModelSettings, Settings

PAGE = (
    "<html lang=en><title>Skerry lighthouse</title><p>The Skerry lighthouse is 31 metres high.</p>"
    "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
)


def browsers() -> set[int]:
    return {one.pid for one in psutil.Process().children(recursive=True) if "chrom" in one.name()}


async def test_a_browser_that_has_grown_beyond_the_limit_is_ended_after_the_walk_and_the_next_has_another(
    tmp_path: Path,
) -> None:
    before = browsers()
    worker = WalkWorker(
        Settings(runs_folder=tmp_path, limits=Limits(pages=2), scout_pages=0), KeyNames(), environment, most_memory=1
    )
    with serve({"/one.html": PAGE, "/two.html": PAGE}) as home:
        for page in ("one", "two"):
            asked = Assignment(id=page, question="How high is the Skerry lighthouse?", roots=(f"{home}/{page}.html",))
            told = await worker.do(AskTask(asked))
            assert isinstance(told, Answered)
            assert told.prediction.answer.startswith("31")
            assert browsers() <= before


async def test_a_key_that_the_worker_lacks_ends_the_batch_with_its_name() -> None:
    settings = Settings(model=ModelSettings(name="m", key="sk-of-a-test"))
    sent, keys = without_keys(settings, {"WALKER_TEST_KEY_THAT_NOBODY_SETS": "sk-of-a-test"})
    told = await WalkWorker(sent, keys, environment, most_memory=1 << 40).do(
        AskTask(Assignment(id="q", question="Who?", roots=("http://127.0.0.1:1/",)))
    )
    assert isinstance(told, EndOfBatch)
    error = raised_here(pickle.loads(pickle.dumps(told)))
    assert isinstance(error, UsageError)
    assert "WALKER_TEST_KEY_THAT_NOBODY_SETS is not set on a worker" in str(error)


def test_each_error_that_ends_a_batch_arrives_as_what_it_was() -> None:
    for kind in ENDS_A_BATCH:
        error = raised_here(EndOfBatch(kind=kind.__name__, what="w", where="here", advice="Do."))
        assert type(error) is kind
        assert str(error) == "here: w. Do."


def test_memory_is_that_of_the_process_and_of_all_below_it() -> None:
    alone = memory_used()
    with psutil.Popen(
        [sys.executable, "-c", "b = bytearray(200_000_000); print(flush=True); input()"], stdin=-1, stdout=-1
    ) as child:
        child.stdout.readline()
        assert memory_used() - alone > 150_000_000
        child.kill()
    assert alone > psutil.Process(os.getpid()).memory_info().rss * 0.5


async def test_a_record_of_a_schema_arrives_as_it_was_read_and_travels_without_its_type(tmp_path: Path) -> None:
    wanted: TypedSchema[Any] = typed_schema(
        {"type": "object", "properties": {"height": {"type": "string"}, "keeper": {"type": "string"}}}
    )
    settings = with_schema(Settings(runs_folder=tmp_path, limits=Limits(pages=1)), wanted)
    with serve({"/one.html": PAGE}) as home:
        task = pickle.loads(pickle.dumps(ExtractTask(f"{home}/one.html", "Extract: height")))
        told = await WalkWorker(settings, KeyNames(), environment, most_memory=1 << 40).do(task)
    assert isinstance(told, Extracted)
    arrived = pickle.loads(pickle.dumps(told))
    assert arrived == told
    assert arrived.outcome.data == {"height": "31 m", "keeper": "nobody"}
    assert list((tmp_path / NOTES).iterdir()) == []


async def test_a_crawl_whose_password_the_worker_lacks_is_told_its_name_and_nothing_more() -> None:
    order = CrawlOrder(address="postgresql://me@127.0.0.1:1/d?job=n", password="NOBODY_SETS_THIS", folder="crawls/n")
    told = await CrawlWorker(environment).help(order)
    assert isinstance(told, EndOfBatch)
    assert "NOBODY_SETS_THIS is not set on a worker" in str(raised_here(told))
