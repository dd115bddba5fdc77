"""Routes of jobs: sent, read, followed, paused, ended."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from walker.errors import WalkerError
from walker.serving.answers import Job, JobHead, JobPage, Problem, Rights, State
from walker.serving.bodies import AnswerBody, AskBody, CrawlBody, ExtractBody, JobBody
from walker.serving.event_stream import stream_events
from walker.serving.guard import CONTROL, COOKIE, session_of
from walker.serving.served import Served

JobId = Annotated[str, Path(pattern=r"^[a-z]+-[0-9a-f]{12}$")]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        max_length=255,
        description="The same request under it is one job, however often it is sent",
    ),
]
MOST_LISTED = 200
Told = dict[int | str, dict[str, Any]]
BUSY: Told = {
    429: {
        "model": Problem,
        "description": "As many jobs wait as may wait",
        "headers": {"Retry-After": {"schema": {"type": "integer"}}},
    }
}
UNKNOWN: Told = {404: {"model": Problem, "description": "There is no such job"}}
CONFLICT: Told = {409: {"model": Problem, "description": "Another request was sent under this Idempotency-Key"}}
NOT_ASKED: Told = {409: {"model": Problem, "description": "The job does not ask this, or not any more"}}
STREAM: Told = {
    200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "Server-sent events"}
}


class JobRoutes:
    """The routes under /v1/jobs, and those that jobs are sent to."""

    def __init__(self, served: Served) -> None:
        self._served = served

    def router(self) -> APIRouter:
        """All of them."""
        router, one = APIRouter(), "/v1/jobs/{job}"
        for path, sent in (("/v1/asks", self.ask), ("/v1/extracts", self.extract), ("/v1/crawls", self.crawl)):
            router.add_api_route(path, sent, methods=["POST"], status_code=202, responses={**BUSY, **CONFLICT})
        router.add_api_route("/v1/jobs", self.listed, methods=["GET"], responses=UNKNOWN)
        router.add_api_route(one, self.read, methods=["GET"], responses=UNKNOWN)
        router.add_api_route(one, self.cancel, methods=["DELETE"], responses=UNKNOWN)
        for name, change in (("pause", self.pause), ("stop", self.cancel_by_post), ("resume", self.resume)):
            router.add_api_route(f"{one}/{name}", change, methods=["POST"], responses=UNKNOWN)
        router.add_api_route(f"{one}/answer", self.answer, methods=["POST"], responses={**UNKNOWN, **NOT_ASKED})
        router.add_api_route(f"{one}/pin", self.pin, methods=["PUT"], responses=UNKNOWN)
        router.add_api_route(f"{one}/pin", self.unpin, methods=["DELETE"], responses=UNKNOWN)
        router.add_api_route(
            f"{one}/events", self.events, methods=["GET"], responses={**UNKNOWN, **STREAM}, response_class=Response
        )
        router.add_api_route("/v1/rights", self.rights, methods=["GET"])
        router.add_api_route("/v1/session", self.session, methods=["POST"], status_code=204)
        return router

    async def ask(self, body: AskBody, response: Response, key: Key = "") -> Job:
        """Answer a question by walking a site."""
        return await self._begin("ask", body, key, response)

    async def extract(self, body: ExtractBody, response: Response, key: Key = "") -> Job:
        """Fill in a schema from a page, or from the pages of a list; values are never invented."""
        return await self._begin("extract", body, key, response)

    async def crawl(self, body: CrawlBody, response: Response, key: Key = "") -> Job:
        """Crawl a site."""
        return await self._begin("crawl", body, key, response)

    async def listed(
        self,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 50,
        after: Annotated[str, Query(pattern=r"^([a-z]+-[0-9a-f]{12})?$")] = "",
        state: State | None = None,
    ) -> JobPage:
        """Jobs, the newest first."""
        found: list[JobHead] = []
        try:
            for record in self._served.newest(after):
                head = self._served.head(record)
                if state is not None and head.state != state:
                    continue
                if len(found) == limit:
                    return JobPage(jobs=found, next=found[-1].id)
                found.append(head)
        except WalkerError as error:
            raise HTTPException(404, str(error)) from None
        return JobPage(jobs=found, next=None)

    async def read(self, job: JobId) -> Job:
        """One job, with its result once it is done."""
        return self._served.job(self._served.jobs.record_of(job))

    async def cancel(self, job: JobId) -> Job:
        """End a job that has not ended; what it recorded and fetched stays."""
        return self._served.job(await self._served.jobs.cancel(job))

    async def cancel_by_post(self, job: JobId) -> Job:
        """The same as DELETE, for clients that have none."""
        return await self.cancel(job)

    async def pause(self, job: JobId) -> Job:
        """Interrupt a job, to go on later from what it recorded; one that has ended stays as it is."""
        return self._served.job(await self._served.jobs.pause(job))

    async def resume(self, job: JobId) -> Job:
        """Go on with a job that was paused."""
        return self._served.job(self._served.resume(job))

    async def answer(self, job: JobId, body: AnswerBody) -> Job:
        """Choose for a job that asks a person; the walk goes on with it."""
        return self._served.job(self._served.answer(job, body.number, body.choice))

    async def pin(self, job: JobId) -> Job:
        """Keep a job, its run and its files, however old they are."""
        return self._served.job(self._served.jobs.pin(job, is_pinned=True))

    async def unpin(self, job: JobId) -> Job:
        """No longer keep it however old it is."""
        return self._served.job(self._served.jobs.pin(job, is_pinned=False))

    async def events(
        self,
        job: JobId,
        after: Annotated[int, Query(ge=0, description="Id of the last event that is known")] = 0,
        last: Annotated[
            int, Header(alias="Last-Event-ID", ge=0, description="The same; it counts where both are given")
        ] = 0,
    ) -> Response:
        """What happens in a job, as server-sent events with ids, to the event job.ended."""
        self._served.jobs.record_of(job)
        stream = stream_events(self._served.jobs, job, last or after)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    async def rights(self, request: Request) -> Rights:
        """Whether whoever asks may stop and pause jobs."""
        return Rights(control=request.scope[CONTROL])

    async def session(self, response: Response) -> None:
        """A cookie for the pages of this service in a browser, for whoever has shown the token."""
        if token := self._served.token:
            response.set_cookie(COOKIE, session_of(token), httponly=True, samesite="strict")

    async def _begin(self, kind: str, body: JobBody, key: str, response: Response) -> Job:
        given = body.model_dump(mode="json", by_alias=True, exclude_unset=False)
        record = await self._served.begin(kind, given, key)
        response.headers["Location"] = f"/v1/jobs/{record.id}"
        return self._served.job(record)
