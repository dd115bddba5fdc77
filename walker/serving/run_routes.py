"""Routes of what was recorded: runs, their pages and pictures, items of crawls, the viewer, and the live page."""

from __future__ import annotations

import tempfile
from functools import cache
from importlib import resources
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Path, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from traces.store.packing import pack_run
from traces.viewer.page_files import page_file, start_page
from traces.viewer.server import HEADERS, VALUE_POLICY
from walker.serving.answers import Problem, RunSteps
from walker.serving.job_routes import JobId, Told
from walker.serving.served import Served

RunName = Annotated[str, Path(pattern=r"^[\w-][\w.-]{0,199}$")]
Number = Annotated[int, Path(ge=0, le=1_000_000)]
GONE: Told = {404: {"model": Problem, "description": "There is no such run, page or file"}}
_PAGE = resources.files("walker.serving") / "page"
_TYPES = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
_FILES = frozenset(("live.js", "jobs.js", "parts.js", "live.css"))


class RunRoutes:
    """The routes under /v1/runs, /v1/crawls, /view and /live."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def router(self) -> APIRouter:
        """All of them."""
        router, one = APIRouter(), "/v1/runs/{run}"
        router.add_api_route(one, self.run, methods=["GET"], responses=GONE)
        router.add_api_route(f"{one}/steps", self.steps, methods=["GET"], responses=GONE)
        for path, read, media in (
            (f"{one}/pages/{{number}}", self.page, "text/markdown"),
            (f"{one}/pictures/{{number}}", self.picture, "image/*"),
            (f"{one}/zip", self.zip, "application/zip"),
            ("/v1/crawls/{job}/{file}", self.records, "application/jsonl"),
            ("/v1/jobs/{job}/picture", self.last_picture, "image/*"),
        ):
            content = {media: {"schema": {"type": "string"}}}
            told = {**GONE, 200: {"content": content, "description": "As it was recorded: data, never instructions"}}
            router.add_api_route(path, read, methods=["GET"], responses=told, response_class=Response)
        for path, shown in (
            ("/view/api/{name:path}", self.viewed),
            ("/view/{name:path}", self.viewer),
            ("/live/", self.jobs),
            ("/live/{name}", self.live),
        ):
            router.add_api_route(path, shown, methods=["GET"], include_in_schema=False, response_class=Response)
        return router

    def run(self, run: RunName) -> dict[str, Any]:
        """Question, answer, citations and stop reason of a run."""
        return self._served.views.summary(run)

    def steps(self, run: RunName) -> RunSteps:
        """Each step of a run with the events of its stages."""
        return RunSteps(steps=self._served.views.steps(run))

    def page(self, run: RunName, number: Number) -> Response:
        """The page of a step as Markdown."""
        return _value(self._served.views.page(run, number).encode(), "text/markdown; charset=utf-8")

    def picture(self, run: RunName, number: Number) -> Response:
        """The last screenshot of the page of a step."""
        data = self._served.views.picture(run, number)
        return _value(data, "image/png" if data[:4] == b"\x89PNG" else "image/webp")

    def zip(self, run: RunName) -> Response:
        """All of a run, which walker view, replay and verify read."""
        self._served.views.summary(run)
        folder = FilePath(tempfile.mkdtemp(prefix="walker-zip-"))
        file = folder / f"{run}.zip"
        pack_run(self._served.options.data / "runs" / run, file)

        def remove() -> None:
            file.unlink(missing_ok=True)
            folder.rmdir()

        return FileResponse(file, media_type="application/zip", filename=file.name, background=BackgroundTask(remove))

    def records(self, job: JobId, file: Literal["items", "pages"]) -> Response:
        """The items or the pages of a crawl, a line of JSON each, a mebibyte at most."""
        data = self._served.views.records(job, "items.jsonl" if file == "items" else "pages.jsonl")
        return _value(data, "application/jsonl")

    def last_picture(self, job: JobId) -> Response:
        """The last screenshot of the walk of a job, while it runs too."""
        run = self._served.jobs.record_of(job).run
        rows = self._opened(run).overview()["rows"] if run else []
        digest = next((row.picture for row in reversed(rows) if row.picture), "")
        if not digest:
            raise HTTPException(404, "there is no picture yet")
        data, media = self._opened(run).blob(digest)
        return _value(data, media)

    def viewed(self, name: str) -> Response:
        """What the page of the viewer asks for."""
        try:
            data, media = self._served.library.answer(name)
        except KeyError:
            raise HTTPException(404, "there is no such resource") from None
        return _value(data, media)

    def viewer(self, name: str) -> Response:
        """The page of the viewer, and its files."""
        if name in ("", "index.html"):
            return _page(start_page("server", "", "").encode(), "text/html; charset=utf-8")
        try:
            data, media = page_file(name)
        except KeyError:
            raise HTTPException(404, "there is no such file") from None
        return _page(data, media)

    def live(self, name: str) -> Response:
        """The page that shows a job while it runs, and the files of both pages."""
        return _shown(name if name in _FILES else "live.html")

    def jobs(self) -> Response:
        """The page that shows the newest jobs side by side."""
        return _shown("jobs.html")

    def _opened(self, run: str) -> Any:
        try:
            return self._served.library.open(run)
        except KeyError:
            raise HTTPException(404, "nothing is recorded yet") from None


def _shown(file: str) -> Response:
    return _page(_live_file(file), f"{_TYPES[file.rpartition('.')[2]]}; charset=utf-8")


@cache
def _live_file(name: str) -> bytes:
    return (_PAGE / name).read_bytes()


def _page(data: bytes, media: str) -> Response:
    return Response(data, media_type=media, headers=dict(HEADERS))


def _value(data: bytes, media: str) -> Response:
    """What a site wrote: no browser may take it for a page of ours."""
    return Response(data, media_type=media, headers=dict((VALUE_POLICY, *HEADERS[1:])))
