"""A site made for measuring crawls: 2,000 pages without a script, as a manual or an encyclopedia has them; the same for every seed.

`python bench/crawl_sites.py` serves it and prints its address. Its server is a process of its own, so that nobody's figure
holds its CPU.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PAGES, SECTIONS, SEED = 2000, 40, 20
SMALLEST, LARGEST = 10_000, 60_000
"""Bytes of a page."""
LISTED = 25
"""Articles on one page of a section's list."""
STYLE = """
body { font: 16px/1.5 serif; margin: 0 auto; max-width: 60em; color: #222 }
nav ul { display: flex; flex-wrap: wrap; gap: .5em; list-style: none; padding: 0 }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: .2em .6em }
aside { float: right; width: 16em; background: #f4f4f4; padding: 1em } footer { border-top: 1px solid #ccc }
"""
_ONSETS = "b c d f g h j k l m n p r s t v w br cl dr fl gr pl st tr sh th".split()
_VOWELS = "a e i o u ai ea ou".split()
_ENDS = ["", "", "n", "r", "s", "t", "l", "m", "nd", "st"]


def make_site(pages: int = PAGES, seed: int = SEED) -> dict[str, bytes]:
    """Path -> body. Every page can be reached from `/`."""
    luck = random.Random(seed)
    words = sorted({_word(luck) for _ in range(9000)})
    luck.shuffle(words)
    lists_of = {section: f"/{words[section]}/" for section in range(SECTIONS)}
    in_lists = 1 + SECTIONS + sum(-(-len(range(s, pages, SECTIONS)) // LISTED) - 1 for s in range(SECTIONS))
    articles = [(number, number % SECTIONS) for number in range(max(0, pages - in_lists))]
    site: dict[str, bytes] = {"/style.css": STYLE.encode(), "/robots.txt": b"User-agent: *\nAllow: /\n"}
    firsts = [words[100 + n * 3 % (len(words) - 100)] for n, _ in articles]
    paths = [f"{lists_of[s]}{firsts[n]}-{words[101 + n * 3 % 4000]}-{n}.html" for n, s in articles]
    titles = [f"{firsts[n].title()} {words[101 + n * 3 % 4000]}" for n, _ in articles]
    navigation = "".join(f'<li><a href="{path}">{path.strip("/").title()}</a></li>' for path in lists_of.values())
    for number, section in articles:
        own = random.Random(f"{seed} {number}")
        near = [own.randrange(len(articles)) for _ in range(own.randint(6, 30))]
        body = _article(own, words, [(paths[n], titles[n]) for n in near])
        head = f'<p><a href="/">Home</a> / <a href="{lists_of[section]}">Section</a></p>'
        site[paths[number]] = _page(titles[number], navigation, head + body)
    for section, path in lists_of.items():
        members = [n for n, s in articles if s == section]
        for start in range(0, max(1, len(members)), LISTED):
            own = random.Random(f"{seed} list {section} {start}")
            rows = "".join(
                f'<li><a href="{paths[n]}">{titles[n]}</a> {_sentence(own, words)}</li>'
                for n in members[start : start + LISTED]
            )
            after = f'<a href="{path}page-{start // LISTED + 2}.html">Next</a>' if start + LISTED < len(members) else ""
            here = path if start == 0 else f"{path}page-{start // LISTED + 1}.html"
            title = f"{path.strip('/').title()}, articles {start + 1} and following"
            site[here] = _page(title, navigation, f"{_paragraphs(own, words, 3000)}<ul>{rows}</ul>{after}")
    home = random.Random(f"{seed} home")
    site["/"] = _page("A manual of everything", navigation, _paragraphs(home, words, 8000))
    return site


@contextmanager
def generated_site(pages: int = PAGES) -> Iterator[str]:
    """Served by a process of its own; yields the address of its root."""
    server = subprocess.Popen([sys.executable, __file__, str(pages)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.kill()
        server.wait()


class Answering(asyncio.Protocol):
    """HTTP/1.1 with connections that stay: the least that browsers and clients ask for."""

    def __init__(self, answers: dict[bytes, bytes]) -> None:
        self._answers, self._rest = answers, b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None
        *requests, self._rest = (self._rest + data).split(b"\r\n\r\n")
        for request in requests:
            path = request.split(b" ", 2)[1].partition(b"?")[0]
            self._transport.write(self._answers.get(path) or self._answers[b""])
            if b"\r\nconnection: close" in request.lower():
                self._transport.close()


def answers_of(site: dict[str, bytes]) -> dict[bytes, bytes]:
    """Whole answers by path; that of `b""` for any other."""
    answers = {path.encode(): _answer("200 OK", _type(path), body) for path, body in site.items()}
    answers[b""] = _answer("404 Not Found", "text/html; charset=utf-8", b"<h1>Not found</h1>")
    return answers


def _answer(status: str, kind: str, body: bytes) -> bytes:
    kept = "Cache-Control: max-age=3600\r\n" if kind == "text/css" else ""
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{kept}\r\n".encode() + body


def _type(path: str) -> str:
    return {"css": "text/css", "txt": "text/plain"}.get(path.rpartition(".")[2], "text/html; charset=utf-8")


def _page(title: str, navigation: str, body: str) -> bytes:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<link rel="stylesheet" href="/style.css"></head>\n<body><nav><ul>{navigation}</ul></nav>'
        f"<main><h1>{title}</h1>{body}</main><footer>All of it is made up.</footer></body></html>\n"
    ).encode()


def _article(luck: random.Random, words: list[str], near: list[tuple[str, str]]) -> str:
    size = int(SMALLEST * (LARGEST / SMALLEST) ** luck.random()) - 4500
    links = "".join(f'<li><a href="{path}" class="near">{title}</a></li>' for path, title in near)
    rows = "".join(
        f"<tr><th>{luck.choice(words)}</th><td>{luck.randint(1, 9999)}</td><td>{_sentence(luck, words)}</td></tr>"
        for _ in range(luck.randint(3, 20))
    )
    parts = [f"<aside><h2>See also</h2><ul>{links}</ul></aside>", f"<table>{rows}</table>"]
    while (left := size - sum(map(len, parts))) > 0:
        parts.append(f"<h2>{luck.choice(words).title()}</h2>{_paragraphs(luck, words, min(left, 4000))}")
    return "".join(parts)


def _paragraphs(luck: random.Random, words: list[str], size: int) -> str:
    made, length = [], 0
    while length < size:
        made.append("<p>" + " ".join(_sentence(luck, words) for _ in range(luck.randint(2, 7))) + "</p>\n")
        length += len(made[-1])
    return "".join(made)


def _sentence(luck: random.Random, words: list[str]) -> str:
    # Few words are frequent, as in any language.
    chosen = [words[int(len(words) * luck.random() ** 3)] for _ in range(luck.randint(6, 18))]
    if luck.random() < 0.2:
        chosen[2] = f"<em>{chosen[2]}</em>"
    return " ".join(chosen).capitalize() + "."


def _word(luck: random.Random) -> str:
    return "".join(
        luck.choice(_ONSETS) + luck.choice(_VOWELS) + luck.choice(_ENDS) for _ in range(luck.choice((1, 2, 2, 3)))
    )


async def serve(pages: int) -> None:
    """Until the process is ended."""
    answers = answers_of(make_site(pages))
    server = await asyncio.get_running_loop().create_server(lambda: Answering(answers), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if len(sys.argv) > 1 else PAGES))
