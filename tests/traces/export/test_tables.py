from __future__ import annotations

import csv
import io

import msgspec

from tests.recordings.make import FOLDER
from traces.events import EdgeCall
from traces.export.csv_table import csv_of
from traces.export.parquet_table import parquet_of
from traces.export.site_picture import DrawnPage, picture_of
from traces.export.step_rows import StepRow, rows_of
from traces.reading.reader import read_run
from traces.reading.steps import walk_of
from walker.runs.compare import page_key
from walker.seams.chat import ChatReply


def rows(kind: str) -> tuple[StepRow, ...]:
    return rows_of(walk_of(read_run(FOLDER / kind), page_key))


def test_a_row_tells_a_step() -> None:
    first, second, third = rows("count")
    assert (first.run, first.step, first.url, first.depth) == ("count", 1, "http://reef.example/", 1)
    assert (first.proposal, first.move, first.move_url) == ("FollowLink", "Open", "http://reef.example/people.html")
    assert (second.counted, third.counted, third.sufficient) == (3, 5, True)
    assert (first.gate, first.status, first.model_calls) == ("read", 200, 0)
    model = rows("model")
    assert sum(row.model_calls for row in model) == 3
    chat = [call for call in read_run(FOLDER / "model").events if isinstance(call, EdgeCall) and call.seam == "chat"]
    told = sum(msgspec.convert(call.outcome, ChatReply).prompt_tokens for call in chat)
    assert sum(row.prompt_tokens for row in model) == told > 0


def test_csv_and_parquet_hold_the_same_rows() -> None:
    from pyarrow import parquet  # noqa: PLC0415 - 29 MB of every process else

    told = rows("count") + rows("model")
    lines = list(csv.DictReader(io.StringIO(csv_of(told).decode())))
    table = parquet.read_table(io.BytesIO(parquet_of(told))).to_pylist()
    assert table == [msgspec.structs.asdict(row) for row in told]
    assert [line["url"] for line in lines] == [row.url for row in told]
    assert [float(line["trust"]) for line in lines] == [row.trust for row in told]


def test_what_a_page_says_is_no_formula() -> None:
    row = msgspec.structs.replace(rows("single")[0], title='=HYPERLINK("http://evil")', answer="-1")
    (line,) = csv.DictReader(io.StringIO(csv_of([row]).decode()))
    assert (line["title"], line["answer"]) == ('\'=HYPERLINK("http://evil")', "'-1")


def test_no_rows_are_a_table_too() -> None:
    from pyarrow import parquet  # noqa: PLC0415 - as above

    assert len(csv_of([]).decode().splitlines()) == 1
    assert parquet.read_table(io.BytesIO(parquet_of([]))).num_rows == 0


def test_a_site_is_drawn_in_any_script() -> None:
    pages = [
        DrawnPage(key="a", label="Home", state="opened", step=1),
        DrawnPage(key="b", label="人员", state="rejected", step=2),
        DrawnPage(key="c", label="/c", state="seen", step=0),
    ]
    data = picture_of(pages, [("a", "b"), ("b", "c"), ("b", "a"), ("x", "a")], title="谁?")
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(data) > 5000
    assert picture_of([], [], title="nothing").startswith(b"\x89PNG")
