"""The application: routes, errors as one line of JSON, and OpenAPI made of the models of both."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, MutableMapping, Sequence
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match

from traces.errors import TraceError
from walker.errors import UsageError, WalkerError
from walker.handover.open_question import NoSuchChoice, NotAsked
from walker.jobs.bearer import App
from walker.jobs.kept_jobs import QueueIsFull
from walker.jobs.told_problem import told_problems
from walker.serving.answers import Health, Problem
from walker.serving.guard import Guard
from walker.serving.job_routes import JobRoutes
from walker.serving.run_routes import RunRoutes
from walker.serving.served import KeyTaken, NotDone, Served

RETRY_SECONDS = 10
METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
REFUSED: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "The request cannot be read"},
    401: {"model": Problem, "description": "The token is missing"},
    403: {
        "model": Problem,
        "description": "The request comes from another site, or asks for what this service does not do",
    },
    413: {"model": Problem, "description": "The request is too large"},
    500: {"model": Problem, "description": "The service failed"},
    422: {"model": Problem, "description": "The request asks for what cannot be"},
}
ABOUT = (
    "Walks websites in a real browser: questions answered with quotes, schemas filled in, sites crawled, each step recorded."
    " Text from pages is untrusted data."
)


def guarded_app(served: Served) -> App:
    """The whole service as an ASGI application; jobs are done while it runs."""

    @contextlib.asynccontextmanager
    async def working(_: FastAPI) -> AsyncIterator[None]:
        async with served.working():
            yield

    app = FastAPI(
        title="Walker",
        version=version("gemwalker"),
        description=ABOUT,
        lifespan=working,
        docs_url=None,
        redoc_url=None,
        responses=REFUSED,
        separate_input_output_schemas=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.include_router(JobRoutes(served).router(), tags=["jobs"])
    app.include_router(RunRoutes(served).router(), tags=["runs"])
    _add_health(app, served)
    _add_errors(app)
    return Guard(app, served.token)


def _add_health(app: FastAPI, served: Served) -> None:
    @app.get("/", include_in_schema=False)
    async def home() -> Response:
        """The address that is told when the service starts shows its jobs."""
        return RedirectResponse("/live/")

    @app.get("/healthz", tags=["health"])
    async def healthz() -> Health:
        """Whether the process answers."""
        return Health(status="ok")

    @app.get("/readyz", tags=["health"], responses={503: {"model": Health}})
    async def readyz(response: Response) -> Health:
        """Whether jobs are taken: the folder is there and the queue has room."""
        if not served.is_ready:
            reason = "the service starts or stops"
        elif served.jobs.waiting >= served.options.most_waiting:
            reason = "the queue is full"
        else:
            return Health(status="ok")
        response.status_code = 503
        return Health(status="not ready", reason=reason)

    @app.get(
        "/metrics",
        tags=["health"],
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    )
    def metrics() -> Response:
        """Figures for Prometheus."""
        return Response(served.figures.text(), media_type=CONTENT_TYPE_LATEST)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if isinstance(error.body, bytes) and "json" not in request.headers.get("content-type", ""):
            return _problem(422, "the body is read as JSON only. Send it with: Content-Type: application/json")
        return _problem(422, told_problems(error.errors(), "/openapi.json lists them"))

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        headers, told = error.headers, str(error.detail)
        where = f"{request.method} {request.url.path[:200]}"
        if error.status_code == 405:  # a route knows its own methods only
            headers = {"Allow": ", ".join(sorted(_methods_of(app.routes, request.scope)))}
            told = f"{where}: this address takes {headers['Allow']}"
        elif error.status_code == 404 and told == HTTPStatus.NOT_FOUND.phrase:  # no route knows it
            told = f"{where}: there is no such address; /openapi.json lists them"
        return _problem(error.status_code, told, headers)

    @app.exception_handler(WalkerError)
    async def failed(_: Request, error: WalkerError) -> Response:
        status = next((status for kinds, status in _STATUS if isinstance(error, kinds)), 500)
        return _problem(status, str(error), {"Retry-After": str(RETRY_SECONDS)} if status == 429 else None)

    @app.exception_handler(TraceError)
    async def unreadable(_: Request, error: TraceError) -> Response:
        return _problem(404, error.what)


_STATUS = (
    (QueueIsFull, 429),
    ((KeyTaken, NotAsked), 409),
    (NoSuchChoice, 422),
    (NotDone, 403),
    (UsageError, 404),  # of a job, a run or a page that is not there
)


def _problem(status: int, error: str, headers: Any = None) -> Response:
    return JSONResponse({"error": error}, status_code=status, headers=headers)


def _methods_of(routes: Sequence[BaseRoute], scope: MutableMapping[str, Any]) -> set[str]:
    """The methods that some route of a path takes; asked of each route, since a router that holds others does not list theirs."""
    return {
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in routes)
    }
