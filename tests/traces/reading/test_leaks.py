from __future__ import annotations

import base64
import html
import json
import random
import shutil
import string
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.paper import HOME, PAGES, page
from tests.fixtures.recorded_walk import record
from tests.recordings.make import FOLDER
from traces.events import MoveTaken
from traces.manifest import RunManifest
from traces.reading.leaks import encodings_of, entropy_bits, scan_run
from traces.reading.reader import read_run
from traces.store.recorder import Recorder

CANARY = "hunter2/Zebra&7?x"


def written(folder: Path, text: str) -> Path:
    """A run that holds a text: in its log, or in a blob where it is long."""
    recorder = Recorder.create(
        folder, RunManifest(run_id="r", created=1.0, question="q", root_url="u"), clock=time.time
    )
    recorder.emit(MoveTaken(step=1, move="Open", url="u", reason=text))
    recorder.close()
    return folder


@pytest.mark.parametrize("kind", ["count", "single", "model"])
def test_recordings_hold_nothing(kind: str) -> None:
    report = scan_run(read_run(FOLDER / kind), [CANARY])
    assert report.leaks == ()
    assert report.files > 30


FORMS = {
    "text": CANARY,
    "html": html.escape(CANARY),
    "address": quote(CANARY, safe=""),
    "json": json.dumps({"a": CANARY}),
    "base64": base64.b64encode(f"user:{CANARY}".encode()).decode(),
    "url base64": base64.urlsafe_b64encode(CANARY.encode()).decode(),
    "hex": CANARY.encode().hex(),
    "backwards": CANARY[::-1],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("filling", [0, 5000])
def test_a_canary_is_found_in_every_form_in_lines_and_in_blobs(form: str, filling: int, tmp_path: Path) -> None:
    run = written(tmp_path / "run", "the word " * filling + f"before {FORMS[form]} after")
    (leak,) = scan_run(read_run(run), [CANARY]).leaks
    assert leak.kind == "canary"
    assert leak.file.startswith("blob " if filling else "events.jsonl")
    assert CANARY not in f"{leak}"


@given(st.binary(max_size=7), st.binary(max_size=7), st.text(string.printable, min_size=8, max_size=30))
def test_base64_is_seen_through_at_every_offset(before: bytes, after: bytes, secret: str) -> None:
    coded = base64.b64encode(before + secret.encode() + after)
    assert any(form in coded for form in encodings_of(secret))


KEYS = {
    "OpenAI or Anthropic key": "sk-proj-" + "aB3" * 10,
    "GitHub token": "ghp_" + "a1B2" * 9,
    "AWS access key": "AKIA" + "ABCD1234EFGH5678",
    "Google API key": "AIza" + "a1B2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r",
    "Hugging Face token": "hf_" + "aBcD" * 9,
    "signed web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "private key": "-----BEGIN RSA PRIVATE KEY-----",
    "bearer token": "Authorization: Bearer abcdefghijklmnopqrst1234",
    "credentials in an address": "http://bob:hunter22@example.org/",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_known_by_its_form_and_never_shown(name: str, tmp_path: Path) -> None:
    recorder = Recorder.create(
        tmp_path / "run",
        RunManifest(run_id="r", created=1.0, question=f"q {KEYS[name]} q", root_url="u"),
        clock=time.time,
    )
    recorder.close()
    (tmp_path / "run" / "run.json").write_text(
        json.dumps(json.loads((tmp_path / "run" / "run.json").read_text()) | {"question": f"q {KEYS[name]} q"})
    )
    leaks = scan_run(read_run(tmp_path / "run")).leaks
    assert name in [leak.name for leak in leaks]
    assert all(KEYS[name] not in leak.shown for leak in leaks)


def test_random_values_that_are_called_a_secret_are_found_and_words_are_not(tmp_path: Path) -> None:
    run = written(tmp_path / "run", 'config = {"api_key": "q8Zr2LmX0vT5nKc7Wb"}; password: the-usual-word-here')
    (leak,) = scan_run(read_run(run)).leaks
    assert (leak.kind, leak.file) == ("entropy", "events.jsonl")
    chance = random.Random(4)
    noise = "".join(chance.choices(string.ascii_letters + string.digits, k=40))
    assert entropy_bits(noise.encode()) > 4
    assert entropy_bits(b"the-usual-word-here") < 3.5


async def test_a_password_field_of_a_page_is_masked_before_it_is_kept(tmp_path: Path) -> None:
    site = dict(PAGES) | {
        HOME: page("Reef Station", '<p>Sign in, or read on.</p><input type="password" value="hunter2-canary">')
    }
    await record(tmp_path / "run", pages=site)
    assert scan_run(read_run(tmp_path / "run"), ["hunter2-canary"]).leaks == ()


def test_a_damaged_value_is_told_and_not_passed_over(tmp_path: Path) -> None:
    run = Path(shutil.copytree(FOLDER / "model", tmp_path / "run"))
    shutil.rmtree(run / "blobs" / "bb")
    report = scan_run(read_run(run))
    assert [line.split(": ")[1] for line in report.unread] == ["blob bb334c2079ed"]
