"""An extraction gets past a check page or a login as a walk does; else it says what to do."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.members import HOURS, MembersSite
from tests.sites.serving import serving
from tests.walker.handover.test_handing_over import Person, handed_over, settings
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.errors import RootUnreachable
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.handover.whom_to_ask import ask_by
from walker.runs.replay import replay_run
from walker.seams.outcome import Outcome
from walker.settings import ExtractionSettings, Settings, WorkflowSettings

SCHEMA = '{"type": "object", "title": "Page", "properties": {"name": {"type": "string"}}, "required": ["name"]}'


@pytest.fixture
def site() -> Iterator[MembersSite]:
    with serving(MembersSite()) as server:
        yield server


def extraction(folder: Path, **more: object) -> Settings:
    chosen = {"workflow": WorkflowSettings(name="extract"), "extraction": ExtractionSettings(schema=SCHEMA), **more}
    return settings(folder, **chosen)


def name_of(outcome: Outcome) -> object:
    assert isinstance(outcome, TypedOutcome)
    return outcome.fields["name"].value


@pytest.mark.usefixtures("kept_chromium", "window_left_out")
async def test_a_person_logs_in_and_the_page_is_read_and_a_replay_asks_nobody(
    site: MembersSite, tmp_path: Path
) -> None:
    async with WalkResources(extraction(tmp_path, ask_me=True)) as resources:
        person = Person(resources)
        ask_by(person.act)
        outcome = await ask_in(resources, f"{site.home}members/hours", "Extract it")
    assert name_of(outcome) == HOURS
    (event,) = handed_over(outcome)
    assert (event.by, event.obstacle) == ("person", "login wall")
    again = await replay_run(Path(outcome.trace))
    assert again.outcome is not None
    assert name_of(again.outcome) == HOURS
    assert len(person.asked) == 1, "a replay asks nobody"


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb is installed")
async def test_a_check_page_is_opened_once_more_in_a_window(site: MembersSite, tmp_path: Path) -> None:
    async with WalkResources(extraction(tmp_path, windows="virtual")) as resources:
        outcome = await ask_in(resources, f"{site.home}guarded", "Extract it")
    assert name_of(outcome) == "Plan"
    (event,) = handed_over(outcome)
    assert event.by == "headed"


@pytest.mark.usefixtures("kept_chromium")
async def test_what_keeps_an_extraction_out_is_told_with_what_to_do(
    site: MembersSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BrowserKinds, "fuller", lambda _: None)
    async with WalkResources(extraction(tmp_path)) as resources:
        with pytest.raises(RootUnreachable, match=r"is a login wall.*walker login http.*hours --save NAME"):
            await ask_in(resources, f"{site.home}members/hours", "Extract it")
        with pytest.raises(RootUnreachable, match=r"is a challenge page.*--ask-me"):
            await ask_in(resources, f"{site.home}guarded", "Extract it")
