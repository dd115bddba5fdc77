"""What the commands of the documents speak of, on this machine: a site in place of all the sites, and the files, the model, the search
service, the database and the store that they name."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.fixtures.postgres_server import serve_postgres
from tests.fixtures.s3_server import serve_s3
from tests.sites.endpoint_in_a_thread import served
from tests.sites.loopback_proxy import serve_proxy
from tests.sites.museum import pictures
from tests.sites.search_service import SearchService
from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving
from tests.walker.cli.program import Ended, walker_here
from walker.testing.chat_server import Asked as AskedModel
from walker.testing.chat_server import Endpoint, Reply

QUESTION = "How long is a backup kept?"
ANSWER = "A backup is kept for 90 days."
MODELS = ("test-model", "qwen3:8b", "qwen3-vl:8b")
_MUG = (
    "<main itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>{name} mug</h1><p>A mug of stoneware, fired at 1200"
    " degrees, safe in the dishwasher.</p><dl><dt>Price</dt><dd itemprop=price>{price}</dd><dt>Weight</dt><dd>0.35 kg</dd></dl>"
    "</main><a href=/mugs>All mugs</a>"
)
_ROWS = (("Blue", 12.5), ("Red", 13.0), ("Green", 11.0), ("Black", 14.0))
_TALKS = "".join(
    f"<li><a href=/talk/{number}>Talk {number}: on {what}</a></li>"
    for number, what in enumerate(("tides", "kelp", "sand"), 1)
)
PAGES: dict[str, str] = {
    "/": "<title>Docs</title><h1>The handbook</h1><p>All about the archive, the shop and the people who keep them, in short pages that"
    " are read in a minute. The wave basin is described too.</p><nav><ul><li><a href=/backup>Backups</a><li><a href=/wal>The wal"
    " checkpoint</a><li><a href=/mugs>Mugs</a><li><a href=/programme>Programme</a><li><a href=/picture>The bridge</a></ul></nav>"
    "<form action=/search role=search><input type=search name=q aria-label=Search></form>",
    "/backup": f"<title>Backups</title><h1>Backups</h1><p>{ANSWER} The backup runs at two in the morning; the page size is 4096 bytes,"
    " and the largest page size is 65536 bytes. SQLite was started by D. Richard Hipp, who maintains it.</p>",
    "/wal": "<title>WAL</title><h1>The wal checkpoint</h1><p>A wal checkpoint moves the pages of the log into the database. The"
    " maximum length of an SQL statement is 1,000,000,000 bytes. Ilse Brandt is on call, and keeps the calendar.</p>",
    "/mugs": "<title>Mugs</title><h1>Mugs</h1><table><tr><th>Name<th>Price</tr>"
    + "".join(f"<tr><td><a href=/mug/{name.lower()}>{name} mug</a><td>{price} EUR</tr>" for name, price in _ROWS)
    + "</table>",
    "/mug": f"<title>Blue mug</title>{_MUG.format(name='Blue', price=12.5)}",
    "/programme": f"<title>Programme</title><h1>Programme</h1><h2>Talks</h2><ul>{_TALKS}</ul>",
    "/picture": "<title>The bridge</title><h1>The bridge</h1><figure><img src=/bridge.png width=320 height=240 alt='The bridge'>"
    "<figcaption>The bridge of Sund, built by Ada Holm.</figcaption></figure>",
    "/login": "<title>Log in</title><h1>Log in</h1><form method=post action=/login><label>Name <input id=name name=name></label>"
    "<label>Word <input id=word name=word type=password></label><label>Code <input id=code name=code></label>"
    "<button id=go>Log in</button></form>",
} | {f"/mug/{name.lower()}": f"<title>{name} mug</title>{_MUG.format(name=name, price=price)}" for name, price in _ROWS} | {
    f"/talk/{number}": f"<title>Talk {number}</title><h1>Talk {number}</h1><p>A talk of twenty minutes, and ten for questions.</p>"
    for number in (1, 2, 3)
}  # fmt: skip


SEARCH = """\
walker: flow/1
start: HOME
variables: {query: {value: backup}}
steps:
  - open: "{start}"
    expect: {heading: The handbook}
  - type: Search
    text: "{query}"
    find: [{role: textbox, name: Search}, {role: searchbox, name: Search}]
    expect: {heading: Search}
"""


class DocumentedSite(LoopbackSite):
    """All the sites of the documents in one."""

    def answer(self, asked: Asked) -> Answer | None:
        """The answer to one request."""
        if asked.path == "/search":
            found = (
                "<a href=/wal>The wal checkpoint</a>"
                if "wal" in asked.query.get("q", "")
                else "<a href=/backup>Backups</a>"
            )
            return Answer(f"<title>Search</title><h1>Search</h1><ul><li>{found}</ul>", kind=HTML)
        if asked.path == "/login" and asked.method == "POST":
            return Answer(
                "<title>Wiki</title><h1>Wiki</h1><p id=out>Log out</p>",
                kind=HTML,
                headers=(("Set-Cookie", "session=1; Path=/"),),
            )
        if asked.path == "/walker":
            return Answer("", 204)
        if asked.path == "/bridge.png":
            return Answer(next(iter(pictures().values())), kind="image/png")
        body = PAGES.get(asked.path)
        return None if body is None else Answer(body, kind=HTML)


def plain_reply(asked: AskedModel) -> Reply:
    """A model that keeps to the form that is asked of it, and has nothing to say."""
    shape = asked.body.get("response_format", {}).get("json_schema", {}).get("schema")
    return Reply(text=json.dumps(_filled(shape, shape)) if shape else "No")


def _filled(shape: Any, whole: Any) -> Any:
    """The plainest value of a JSON Schema."""
    if "$ref" in shape:
        return _filled(whole["$defs"][shape["$ref"].rsplit("/", 1)[-1]], whole)
    if "enum" in shape:
        return next((one for one in ("answer", "text", "none") if one in shape["enum"]), shape["enum"][0])
    for several in ("anyOf", "oneOf", "allOf"):
        if several in shape:
            return _filled(shape[several][0], whole)
    match shape.get("type"):
        case "object":
            return {name: _filled(one, whole) for name, one in shape.get("properties", {}).items()}
        case "array":
            return [_filled(shape["items"], whole)] * shape.get("minItems", 0)
        case "integer" | "number":
            return shape.get("minimum", 0)
        case "boolean":
            return False
        case "null":
            return None
        case _:
            return ""


class DocWorld:
    """The services while they run, and the folder in which the commands are given."""

    def __init__(self, folder: Path, home: str, addresses: dict[str, str], environment: dict[str, str]) -> None:
        self.folder, self.home = folder, home
        self._addresses, self.environment = addresses, environment

    def local(self, text: str) -> list[str]:
        """The words of a command, with what it names here in place of what it names in the document."""
        text = re.sub(r'(\s)"\.\.\."', rf'\1"{QUESTION}"', text)
        for there, here in self._addresses.items():
            text = text.replace(there, here)
        text = re.sub(r"--base-url http://\.\.\.", f"--base-url {self._addresses['http://127.0.0.1:11434/v1']}", text)
        text = re.sub(
            r"(?:https?://)(?:www\.sqlite\.org|[a-z.]*\.example(?:\.org)?|example\.org|\.\.\.)(?=[/\s\"]|$)/?",
            self.home,
            text,
        )
        text = re.sub(r"--(also|allow) [a-z.]*example\.org", rf"--\1 {self.home.split('/')[2]}", text)
        text = re.sub(r"--model (?:\.\.\.|NAME)", "--model test-model", text)
        text = re.sub(r"runs/(?:<time>-)?\.\.\.", lambda _: str(self.runs[-1].relative_to(self.folder)), text)
        text = re.sub(
            r"crawls/\.\.\.",
            lambda _: str(next(iter((self.folder / "crawls").iterdir())).relative_to(self.folder)),
            text,
        )
        text = re.sub(r"\bruns/A\b|(?<=--diff )A\b", lambda _: str(self.runs[0].relative_to(self.folder)), text)
        text = re.sub(r"\bruns/B\b|(?<=\s)B$", lambda _: str(self.runs[-1].relative_to(self.folder)), text)
        return shlex.split(text)

    @property
    def runs(self) -> list[Path]:
        """The recorded walks of this folder that were answered, oldest first."""
        found = sorted(one.parent for one in (self.folder / "runs").glob("2*/run.json"))
        return [one for one in found if b'"stop_reason":"answered"' in (one / "events.jsonl").read_bytes()] or found

    def run(self, *words: str) -> Ended:
        """A command of ours."""
        return walker_here(*words, folder=self.folder, **self.environment)


@contextlib.contextmanager
def doc_world(folder: Path) -> Iterator[DocWorld]:
    """All of it, while the block lasts."""
    with contextlib.ExitStack() as stack:
        site = stack.enter_context(serving(DocumentedSite()))
        endpoint = stack.enter_context(served(Endpoint(plain_reply, models=MODELS)))
        search = SearchService({QUESTION: ((f"{site.home}backup", "Backups", ANSWER),)})
        stack.enter_context(serving(search))
        place = site.home.split("/")[2]
        proxy = stack.enter_context(serve_proxy({place: ("127.0.0.1", int(place.split(":")[1]))}))
        postgres, store = stack.enter_context(serve_postgres()), stack.enter_context(serve_s3())
        store.make_bucket("walks")
        addresses = {
            "http://127.0.0.1:11434/v1": endpoint.base_url,
            "http://127.0.0.1:8888": search.address,
            "http://127.0.0.1:3128": f"http://{proxy.place}",
            "postgresql://me@db.example.org/shop": postgres.url,
            "postgresql://me@db.example.org/crawls": postgres.url,
        }
        environment = {
            **store.environment,
            "WALKER_BASE_URL": endpoint.base_url,
            "API_KEY": "planted-key-1",
            "WALKER_WEBHOOK_SECRET": "a secret of the documents",
            "NAME": "ali",
            "WORD": "open sesame",
            "WIKI_TOTP": "JBSWY3DPEHPK3PXP",
            "HOME": str(folder),
            "PYTHONPATH": str(folder),
        }
        write_files(folder, site.home, search.address)
        yield DocWorld(folder, site.home, addresses, environment)


def write_files(folder: Path, home: str, search: str) -> None:
    """The files that the commands read."""
    product = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    cookie = {"name": "session", "value": "1", "domain": "127.0.0.1", "path": "/", "expires": -1, "sameSite": "Lax"}
    questions = [
        question_line("0", QUESTION, "90 days", home, ANSWER),
        question_line("1", "How many bytes is the page size?", "4096 bytes", home, "the page size is 4096 bytes"),
    ]
    texts: dict[str, Any] = {
        "product.json": product,
        "mug.json": {"type": "array", "items": product},
        "mugs.json": {"type": "array", "items": product},
        "state.json": {"cookies": [{**cookie, "httpOnly": False, "secure": False}], "origins": []},
    }
    for name, value in texts.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    for name in ("qa.jsonl", "questions.jsonl", "one.jsonl", "webwalkerqa.jsonl", "livevqa.jsonl"):
        (folder / name).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in questions))
    other = {**questions[0], "id": "9", "question": "When does the backup run?", "answer": "at two in the morning"}
    (folder / "two.jsonl").write_bytes(msgspec.json.encode(other) + b"\n")
    (folder / "pages.jsonl").write_bytes(
        b"".join(
            msgspec.json.encode(
                {"url": f"{home}backup", "question": QUESTION, "answer": "90 days", "needs_look": False}
            )
            + b"\n"
            for _ in range(2)
        )
    )
    (folder / "mugs.txt").write_text(f"{home}mug/blue\n{home}mug/red\n", encoding="utf-8")
    (folder / "photo.jpg").write_bytes(next(iter(pictures().values())))
    (folder / "ours.yaml").write_text(f'url: "{search}/search?q={{query}}&format=json"\n', encoding="utf-8")
    (folder / "news.yaml").write_text(f"start: [{home}]\nscope: {{pages: 6}}\n", encoding="utf-8")
    (folder / "search.yaml").write_text(SEARCH.replace("HOME", home), encoding="utf-8")
    (folder / "docs.yaml").write_text(f"start: [{home}]\n", encoding="utf-8")
    (folder / "login.yaml").write_text(
        f"url: {home}login\nsteps:\n  - {{type: '#name', text: '${{NAME}}'}}\n  - {{type: '#word', text: '${{WORD}}'}}\n"
        "  - {type: '#code', text: '${WIKI_TOTP_CODE}'}\n  - {click: '#go'}\ncheck: '#out'\n",
        encoding="utf-8",
    )
    (folder / "sites.tsv").write_text(f"{home}\tdocs\ten\n", encoding="utf-8")
    (folder / "shop").mkdir()
    (folder / "shop" / "models.py").write_text(
        "from pydantic import BaseModel\n\n\nclass Product(BaseModel):\n    name: str\n    price: float\n",
        encoding="utf-8",
    )


def question_line(name: str, text: str, answer: str, home: str, evidence: str) -> dict[str, Any]:
    """A question about the page of backups, in the form of a dataset and of a batch."""
    page = {"root": home, "site": "docs", "sources": [f"{home}backup"], "evidence": [evidence]}
    return {"id": name, "question": text, "answer": answer, "accept": [answer], "kind": "single", "lang": "en", **page}


def interrupted_copy(run: Path) -> Path:
    """A run as it lies there when its walk was killed: the last third of its lines is missing."""
    cut = run.with_name(f"{run.name}0")
    shutil.copytree(run, cut)
    lines = (cut / "events.jsonl").read_bytes().splitlines(keepends=True)
    (cut / "events.jsonl").write_bytes(b"".join(lines[: 2 * len(lines) // 3]))
    return cut
