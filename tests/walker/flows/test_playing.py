"""A script of the reef site, played on that site and on ones that were changed."""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from tests.fixtures.paper import HOME, PAGES, page
from tests.fixtures.recorded_walk import LENGTH, PEOPLE, record
from traces.events import WalkEnded
from traces.reading.reader import read_run
from walker.browser.page.live_reader import LiveReader
from walker.flows.playing import Choose, Played, Player
from walker.flows.script import FlowScript, FlowStep, Locator, Variable
from walker.flows.script_file import patch_of, script_of, text_of, with_steps
from walker.flows.walk_script import script_of_walk
from walker.testing.fakes import Paper, PaperSite

BOATS = HOME + "boats.html"
Pages = dict[str, str | Paper]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def script(tmp_path_factory: pytest.TempPathFactory) -> FlowScript:
    folder = tmp_path_factory.mktemp("walk") / "run"
    await record(folder, LENGTH)
    made = script_of_walk(read_run(folder))
    assert made.left_out == ()
    return made.script


async def test_a_walk_that_was_not_sure_is_told_with_its_script(tmp_path: Path) -> None:
    await record(tmp_path / "run", LENGTH)
    run = read_run(tmp_path / "run")
    doubted = [
        msgspec.structs.replace(one, confidence=0.3) if isinstance(one, WalkEnded) else one for one in run.events
    ]
    made = script_of_walk(msgspec.structs.replace(run, events=tuple(doubted)))
    assert made.script.answer.value
    (told,) = made.left_out
    assert told.startswith("the walk was not sure (0.30): the script leads to the nearest that it found, ")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def people(tmp_path_factory: pytest.TempPathFactory) -> FlowScript:
    folder = tmp_path_factory.mktemp("people") / "run"
    await record(folder, PEOPLE)
    return script_of_walk(read_run(folder)).script


async def play(script: FlowScript, pages: Pages, *, heals: bool = True, choose: Choose | None = None) -> Played:
    values = {"start": script.start, **{name: one.value for name, one in script.variables.items()}}
    player = Player(script, PaperSite(pages), LiveReader(), values=values, heals=heals, choose=choose)
    return await player.play(lambda _step, _page: None)


def changed(old: str, new: str, url: str = HOME) -> Pages:
    text = PAGES[url]
    assert isinstance(text, str)
    assert old in text
    return {**PAGES, url: text.replace(old, new)}


def states(played: Played) -> list[str]:
    return [step.state for step in played.steps]


def test_the_way_has_no_detours_and_each_locator_finds_its_target(script: FlowScript) -> None:
    assert [(step.action, step.target) for step in script.steps] == [("open", "{start}"), ("follow", "Boats")]
    assert [one.kind for one in script.steps[1].find] == ["name", "css", "address", "place"]
    assert script.steps[1].expect.url == "/boats.html"
    assert script.answer.passages[0].value == "18.4 metres"


async def test_the_same_site_is_all_hits_and_the_answer_as_before(script: FlowScript) -> None:
    played = await play(script, PAGES, heals=False)
    assert states(played) == ["hit", "hit"]
    assert (played.answer.state, played.answer.value) == ("same", script.answer.value)
    assert played.healed == {}


async def test_a_reordered_list_is_a_hit(script: FlowScript) -> None:
    pages = changed('<li><a href="/boats.html">Boats</a></li><li><a href="/people.html">People</a></li>', "")
    home = str(pages[HOME]).replace(
        "</ul>", '<li><a href="/people.html">People</a></li><li><a href="/boats.html">Boats</a></li></ul>'
    )
    assert states(await play(script, {**pages, HOME: home}, heals=False)) == ["hit", "hit"]


async def test_a_renamed_class_is_a_hit(script: FlowScript) -> None:
    pages = changed('<a href="/boats.html">', '<a class="card-link--v2" href="/boats.html">')
    assert states(await play(script, pages, heals=False)) == ["hit", "hit"]


async def test_a_changed_link_text_is_healed_by_another_locator_and_told(script: FlowScript) -> None:
    pages = changed(">Boats</a>", ">Our fleet</a>")
    played = await play(script, pages)
    step = played.steps[1]
    assert (step.state, step.by) == ("healed", "css")
    assert "there is no link 'Boats'" in step.tried[0]
    assert step.healed is not None
    assert step.healed.follow == "Our fleet"
    assert step.healed.find[0] == Locator(role="link", name="Our fleet")
    again = msgspec.structs.replace(script, steps=(script.steps[0], step.healed))
    assert states(await play(again, pages, heals=False)) == ["hit", "hit"]
    assert states(await play(script, pages, heals=False)) == ["hit", "miss"]


async def test_a_link_of_the_right_name_that_leads_elsewhere_is_not_taken(script: FlowScript) -> None:
    pages = changed(
        '<a href="/boats.html">Boats</a>', '<a href="/people.html">Boats</a> <a href="/boats.html">Ships and boats</a>'
    )
    played = await play(script, pages)
    assert played.steps[1].state == "healed"
    assert played.steps[1].url == BOATS
    assert "expected '/boats.html', got '/people.html'" in played.steps[1].tried[0]


async def test_a_page_that_moved_is_known_by_its_contents(script: FlowScript) -> None:
    pages = changed('href="/boats.html"', 'href="/fleet.html"')
    pages[HOME + "fleet.html"] = pages.pop(BOATS)
    played = await play(script, pages)
    step = played.steps[1]
    assert (step.state, step.url, step.alike) == ("healed", HOME + "fleet.html", 1.0)
    assert step.healed is not None
    assert step.healed.expect.url == "/fleet.html"
    assert played.answer.state == "same"


async def test_a_page_that_nothing_leads_to_any_more_is_opened_by_its_address(script: FlowScript) -> None:
    played = await play(script, changed('<li><a href="/boats.html">Boats</a></li>', ""))
    assert (played.steps[1].state, played.steps[1].by) == ("healed", "opening its address")
    assert played.steps[1].healed == FlowStep(
        open="/boats.html", expect=script.steps[1].expect, page=script.steps[1].page
    )


async def test_a_page_that_is_gone_is_a_miss_with_what_differs_and_what_is_near(script: FlowScript) -> None:
    pages = changed(">Boats</a>", ">Boat hire</a>")
    del pages[BOATS]
    played = await play(script, pages)
    missed = played.steps[1]
    assert states(played) == ["hit", "miss"]
    assert [(one.what, one.got) for one in missed.mismatches] == [("status", "404"), ("heading", "Not found")]
    assert "'Boat hire'" in missed.tried[-1]
    assert played.answer.state == "none"
    assert played.healed == {}


async def test_a_link_off_the_site_is_never_followed(script: FlowScript) -> None:
    pages = changed('<a href="/boats.html">Boats</a>', '<a href="http://evil.example/boats.html">Boats</a>')
    pages["http://evil.example/boats.html"] = pages[BOATS]
    played = await play(script, pages, heals=False)
    assert played.steps[1].state == "miss"
    assert "off the script's site" in played.steps[1].mismatches[0].got


async def test_another_value_under_the_same_words_is_told_as_changed(script: FlowScript) -> None:
    played = await play(script, changed("18.4 metres", "21.0 metres", BOATS))
    assert states(played) == ["hit", "hit"]
    assert played.answer.state == "changed"
    assert "21.0 metres" in played.answer.value


async def test_a_passage_that_is_not_there_any_more_is_told_as_gone(script: FlowScript) -> None:
    sentence = "The research vessel Mantis was launched in 1997 and is 18.4 metres long. She carries a crew of six."
    played = await play(script, changed(sentence, "Both boats are at sea until the spring of next year.", BOATS))
    assert (played.answer.state, played.answer.value) == ("gone", "")


async def test_names_of_a_counted_list_that_are_new_and_gone_are_told(people: FlowScript) -> None:
    assert [len(one.names) for one in people.answer.lists] == [3, 2]
    assert (await play(people, PAGES)).answer.state == "same"
    moved = changed(
        '<li><a href="/p/3">Cem Kaya</a></li>', '<li><a href="/p/6">Finn Dahl</a></li>', HOME + "people.html"
    )
    played = await play(people, moved)
    assert (played.answer.state, played.answer.new, played.answer.gone) == ("changed", ("Finn Dahl",), ("Cem Kaya",))


async def test_a_model_is_asked_only_for_what_no_locator_finds_and_its_choice_is_verified(script: FlowScript) -> None:
    asked: list[str] = []
    pages = changed('<a href="/boats.html">Boats</a>', '<a href="/craft">What we sail</a>')
    pages[HOME + "craft"] = pages.pop(BOATS)

    async def choose(step: FlowStep, targets: tuple, page: object) -> object:  # type: ignore[type-arg]
        asked.append(step.target)
        return next(one for one in targets if one.name == wanted)

    lone = msgspec.structs.replace(script.steps[1], find=(Locator(role="link", name="Boats"),))
    bare = msgspec.structs.replace(script, steps=(script.steps[0], lone))
    wanted = "What we sail"
    played = await play(bare, pages, choose=choose)  # type: ignore[arg-type]
    assert (played.steps[1].state, played.steps[1].by) == ("healed", "model")
    wanted = "People"
    played = await play(bare, pages, choose=choose)  # type: ignore[arg-type]
    assert played.steps[1].state == "miss"
    assert any("model: 'People'" in line for line in played.steps[1].tried)
    assert asked == ["Boats", "Boats"]
    await play(bare, PAGES, choose=choose)  # type: ignore[arg-type]
    await play(bare, pages, heals=False, choose=choose)  # type: ignore[arg-type]
    assert len(asked) == 2


FORM = '<form action="/find"><input type="search" name="q" aria-label="Search"><button>Go</button></form>'


async def test_what_is_typed_is_a_variable_and_pressing_is_verified(tmp_path: Path) -> None:
    field, button = "html > body:nth-of-type(1) > main:nth-of-type(1) > form:nth-of-type(1) > ", "#more"
    found = page("Results for eel", "<p>Two entries speak of the eel.</p><button id='more'>Show all</button>")
    shown = found.replace("<button", "<p>The eel is 2 metres long.</p><button")
    pages: Pages = {
        HOME: Paper(html=page("Find", FORM), controls={f"{field}input:nth-of-type(1)": HOME + "find?q=eel"}),
        HOME + "find?q=eel": Paper(html=found, controls={button: shown}),
    }
    text = f"""
walker: flow/1
start: {HOME}
variables: {{query: {{value: eel}}}}
steps:
  - open: "{{start}}"
  - type: Search
    text: "{{query}}"
    find: {{role: textbox, name: Search}}
    expect: {{url: "/find?q={{query}}", heading: "Results for {{query}}"}}
  - click: Show all
    find: [{{role: button, name: Show all}}]
    expect: {{text: [The eel is 2 metres long.]}}
  - back: 2
    expect: {{heading: Results for eel}}
""".replace("find: {role: textbox, name: Search}", "find: [{role: textbox, name: Search}]")
    played = await play(script_of(text, "x"), pages)
    assert states(played) == ["hit"] * 4, played.steps[-1]
    other = msgspec.structs.replace(script_of(text, "x"), variables={"query": Variable(value="cod")})
    assert (await play(other, pages)).steps[1].mismatches[0].expected == "/find?q=cod"


async def test_a_patch_replaces_the_healed_step_alone_and_git_applies_it(script: FlowScript, tmp_path: Path) -> None:
    text = text_of(script).replace("  - follow:", "  # the boats, not the people\n  - follow:") + "# the end\n"
    file = tmp_path / "boats.yaml"
    file.write_text(text)
    healed = (await play(script, changed(">Boats</a>", ">Our fleet</a>"))).healed
    after = with_steps(text, healed)
    assert "  # the boats, not the people\n  - follow: Our fleet\n" in after
    assert after.endswith("# the end\n")
    assert script_of(after, "x").steps == (script.steps[0], healed[2])
    (tmp_path / "boats.patch").write_text(patch_of("boats.yaml", text, after))
    await asyncio.to_thread(
        subprocess.run, ["git", "apply", "-p0", "boats.patch"], cwd=tmp_path, check=True, capture_output=True
    )
    assert file.read_text() == after
