"""`walker extract` and `walker ask --schema` on the bundled site: files, exit codes, and runs that replay, verify and are shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.sites.serving import Answer, LoopbackSite, serving
from tests.walker.cli.program import walker_here
from traces.events import FieldsExtracted
from traces.reading.reader import read_run
from walker.demo.server import serve_institute
from walker.testing.chat_server import Asked, Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")
PERSON = {
    "title": "Person",
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "room": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "nationality": {"type": "string"},
    },
    "required": ["name", "room"],
}
PEOPLE = {
    "type": "array",
    "items": {"title": "Person", "type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root.removesuffix("index.html")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "person.json").write_text(json.dumps(PERSON))
    (tmp_path / "people.json").write_text(json.dumps(PEOPLE))
    return tmp_path


def test_fields_have_quotes_and_boxes_and_the_run_replays(institute: str, folder: Path) -> None:
    page = f"{institute}people/chen-yulan.html"
    ended = walker_here("extract", page, "--schema", "person.json", "-o", "out.jsonl", "--json", "-q", folder=folder)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert outcome["data"]["room"] == "2.01"
    room = outcome["fields"]["room"]
    assert (room["value"], room["quote"], room["page"], room["source"]) == ("2.01", "Room 2.01", page, "table")
    assert room["box"]["width"] > 0
    assert "no label" in outcome["fields"]["nationality"]["reason"]
    assert outcome["missing"] == ["nationality"]
    (line,) = (folder / "out.jsonl").read_text().splitlines()
    assert json.loads(line)["data"] == outcome["data"]
    (told,) = [event for event in read_run(folder / outcome["trace"]).events if isinstance(event, FieldsExtracted)]
    assert {field["path"] for field in told.fields} == {"name", "room", "email", "nationality"}
    for more in ((), ("--deep",)):
        again = json.loads(walker_here("replay", outcome["trace"], "--json", *more, folder=folder).out)["outcome"]
        assert (again["data"], again["fields"]) == (outcome["data"], outcome["fields"])
    assert walker_here("verify", outcome["trace"], folder=folder).code == 0
    assert walker_here("view", outcome["trace"], "--export", "run.html", folder=folder).code == 0
    assert walker_here("ask", "--resume", outcome["trace"], "--json", "-q", folder=folder).code == 0


def test_records_of_several_pages_are_lines_of_a_file_each_once(institute: str, folder: Path) -> None:
    root = f"{institute}people/index.html"
    flags = ("--follow", "--no-boxes", "--plain", "-o", "people.jsonl", "-q")
    ended = walker_here("extract", root, root, "--schema", "people.json", *flags, folder=folder)
    assert ended.code == 0, ended.err
    names = [json.loads(line)["name"] for line in (folder / "people.jsonl").read_text().splitlines()]
    assert len(names) == len(set(names)) == 23
    assert "23 records of 3 pages" in ended.out
    first, second = sorted(str(one.relative_to(folder)) for one in (folder / "runs").glob("2*"))
    assert walker_here("diff", first, second, folder=folder).code == 0


def test_what_is_missing_has_exit_code_3_and_the_reason(institute: str, folder: Path) -> None:
    ended = walker_here("extract", f"{institute}about.html", "--schema", "person.json", "-q", folder=folder)
    assert ended.code == 3
    assert "no label on the page names it" in ended.out
    assert "Not complete (budget after 1 page)" in ended.out


def test_a_nested_list_with_an_entry_that_lacks_a_required_field_has_exit_code_3(folder: Path) -> None:
    person = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    fields = {"name": {"type": "string"}, "general_chairs": {"type": "array", "items": person}}
    (folder / "chairs.json").write_text(json.dumps({"type": "object", "properties": fields, "required": ["name"]}))
    flags = ("--schema", "chairs.json", "--no-boxes", "-q", "-o", "out.jsonl")
    for second, code in (("<a href=/b>Ben Lee</a>", 0), ("Ben Lee", 3)):
        chairs = f"<ul><li><a href=/a>Ana Ruiz</a><br>ETS</li><li>{second}<br>Unity</li></ul>"
        page = Answer(f"<title>Committee</title><h1>Committee</h1><h4>General Chairs</h4>{chairs}")
        site = LoopbackSite(lambda asked, page=page: page if asked.target == "/" else None)  # type: ignore[misc]
        with serving(site):
            ended = walker_here("extract", site.home, *flags, folder=folder)
        assert ended.code == code, ended.out + ended.err
        (line,) = (folder / "out.jsonl").read_text().splitlines()
        assert json.loads(line)["is_complete"] == (code == 0)
        assert ("Not complete: general_chairs[1].name" in ended.out) == (code == 3)


def test_who_reads_one_page_only_is_told_how_to_read_more(institute: str, folder: Path) -> None:
    flags = ("--schema", "person.json", "--no-boxes")
    ended = walker_here("extract", f"{institute}about.html", *flags, folder=folder)
    assert "--follow goes on" in ended.err
    quiet = walker_here("extract", f"{institute}about.html", *flags, "-q", folder=folder)
    assert "--follow" not in quiet.err + quiet.out


def test_a_file_is_replaced_by_what_is_read_and_kept_where_the_page_cannot_be_had(institute: str, folder: Path) -> None:
    (folder / "out.jsonl").write_text("earlier\n")
    flags = ("--schema", "person.json", "--no-boxes", "--plain", "-q", "-o", "out.jsonl")
    gone = walker_here("extract", f"{institute}nothing-is-here.html", *flags, folder=folder)
    assert (gone.code, (folder / "out.jsonl").read_text()) == (1, "earlier\n")
    read = walker_here("extract", f"{institute}people/chen-yulan.html", *flags, folder=folder)
    assert read.code == 0
    (line,) = (folder / "out.jsonl").read_text().splitlines()
    assert json.loads(line)["room"] == "2.01"
    assert (
        walker_here("extract", f"{institute}people/chen-yulan.html", *flags[:-1], "/dev/null", folder=folder).code == 0
    )


def test_a_schema_file_may_begin_with_a_byte_order_mark(folder: Path) -> None:
    (folder / "marked.json").write_text(json.dumps(PERSON), encoding="utf-8-sig")
    ended = walker_here("extract", "https://nowhere.example/", "--schema", "marked.json", "--dry-run", folder=folder)
    assert (ended.code, ended.out.splitlines()[:2]) == (0, ["one thing:", "name: string"])


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [("unclosed", "x = (\n", "never closed"), ("ending", "raise SystemExit(3)\n", "ends the program")],
)
def test_a_module_that_cannot_be_read_is_one_line(folder: Path, name: str, code: str, why: str) -> None:
    (folder / f"{name}_models.py").write_text(code)
    flags = ("--schema", f"{name}_models:Person", "--dry-run")
    ended = walker_here("extract", "https://nowhere.example/", *flags, folder=folder)
    assert ended.code == 2
    assert why in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_question_is_answered_in_the_form_of_a_schema(institute: str, folder: Path) -> None:
    flags = ("--schema", "person.json", "--max-pages", "8", "--json", "-q")
    ended = walker_here("ask", institute, "In which room is Pavel Orlov?", *flags, folder=folder)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert outcome["data"]["name"] == "Pavel Orlov"
    assert outcome["fields"]["room"]["page"].endswith("/people/pavel-orlov.html")


def test_a_dry_run_says_how_the_schema_is_understood(folder: Path) -> None:
    ended = walker_here("extract", "https://nowhere.example/", "--schema", "people.json", "--dry-run", folder=folder)
    assert (ended.code, ended.out.splitlines()) == (0, ["records, each with:", "name: string"])
    assert not (folder / "runs").exists()


def test_a_type_of_a_module_is_a_schema_and_checks_the_data(institute: str, folder: Path) -> None:
    (folder / "own_models.py").write_text(
        "from pydantic import BaseModel, field_validator\n\n\nclass Person(BaseModel):\n    name: str\n    room: str\n\n"
        "    @field_validator('room')\n    @classmethod\n    def is_upstairs(cls, room: str) -> str:\n"
        "        if not room.startswith('2'):\n            raise ValueError('it is downstairs')\n        return room\n"
    )
    flags = ("--schema", "own_models:Person", "--no-boxes", "--json", "-q")
    upstairs = walker_here("extract", f"{institute}people/chen-yulan.html", *flags, folder=folder)
    assert json.loads(upstairs.out)["data"]["room"] == "2.01"
    downstairs = walker_here("extract", f"{institute}people/pavel-orlov.html", *flags, folder=folder)
    outcome = json.loads(downstairs.out)
    assert downstairs.code == 3
    assert outcome["data"] is None
    assert "downstairs" in outcome["error"]


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("none.json", "cannot be read"),
        ("broken.json", "is no JSON"),
        ("odd.json", "not supported"),
        ("no_module:X", "cannot be imported"),
    ],
)
def test_a_schema_that_cannot_be_used_is_one_line(folder: Path, written: str, what: str) -> None:
    (folder / "broken.json").write_text("{")
    (folder / "odd.json").write_text(
        '{"type": "object", "properties": {"a": {"type": "string", "contentEncoding": "x"}}}'
    )
    ended = walker_here("extract", "https://nowhere.example/", "--schema", written, folder=folder)
    assert ended.code == 2
    assert what in ended.err
    assert len(ended.err.splitlines()) == 1


def _pointing(asked: Asked) -> Reply:
    """A model that points at one sentence rightly, and makes up the rest."""
    shown = str(asked.body["messages"][-1]["content"])
    line = next(line for line in shown.splitlines() if line.startswith("[") and "built in 1998" in line)
    place = int(line[1 : line.index("]")])
    fields = [
        {"field": "year_built", "place": place, "quote": "1998"},
        {"field": "builder", "place": place, "quote": "the navy yard of Port Lennan"},
        {"field": "plan", "link": 4711},
        {"field": "cost", "place": place, "quote": "2,000,000 EUR"},
    ]
    return Reply(text=json.dumps({"fields": fields, "records": [], "open": []}))


def test_a_model_points_and_the_run_replays_without_it(institute: str, folder: Path) -> None:
    kinds = {"length_m": "number", "year_built": "integer", "builder": "string", "plan": "string", "cost": "number"}
    properties: dict[str, dict[str, str]] = {name: {"type": kind} for name, kind in kinds.items()}
    properties["plan"]["format"] = "uri"
    schema = {"title": "Facility", "type": "object", "properties": properties, "required": ["length_m", "year_built"]}
    (folder / "facility.json").write_text(json.dumps(schema))
    with served(Endpoint(_pointing)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--no-boxes", "--json", "-q")
        page = f"{institute}lab/tidal-flume.html"
        ended = walker_here("extract", page, "--schema", "facility.json", *flags, folder=folder)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert outcome["data"] == {"length_m": 42, "year_built": 1998}
    assert (outcome["fields"]["length_m"]["source"], outcome["fields"]["year_built"]["source"]) == ("table", "model")
    assert "built in 1998" in outcome["fields"]["year_built"]["quote"]
    assert len(outcome["refused"]) == 3
    assert outcome["usage"]["model_calls"] == 1
    again = json.loads(walker_here("replay", outcome["trace"], "--json", folder=folder).out)["outcome"]
    assert (again["data"], again["fields"], again["refused"]) == (
        outcome["data"],
        outcome["fields"],
        outcome["refused"],
    )
    assert walker_here("verify", outcome["trace"], folder=folder).code == 0
