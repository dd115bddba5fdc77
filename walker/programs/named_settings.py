"""Settings by the names that the flags of `walker ask` have: one vocabulary for programs and the command line."""

from __future__ import annotations

import difflib
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict, cast, get_args

import msgspec

from traces.errors import StoreError
from traces.store.mirror import is_address, mirror_at
from walker.calibration.gate_file import GateFile, read_gate
from walker.errors import UsageError
from walker.logins.login_use import secrets_of_state, state_for
from walker.pictures.service_file import picture_service
from walker.rules.scope import check_host
from walker.search.service_file import read_service
from walker.settings import (
    AnalysisName,
    Beyond,
    BrowserKind,
    Components,
    GateName,
    Limits,
    ModelSettings,
    Order,
    Scope,
    Settings,
    SwitchedTool,
    TextReaderName,
    Thinking,
    VisionSettings,
    Weigher,
    WindowPlace,
    WorkflowName,
    code_kind,
)

_LIMITS = Limits()


class Effort(msgspec.Struct, frozen=True):
    """What one effort allows: tokens of a page's text in a call, pages of a walk, and looks at pictures."""

    page_tokens: int
    max_pages: int
    looks: int


EFFORTS = {
    "low": Effort(1500, 8, 5),
    "normal": Effort(ModelSettings(name="").page_tokens, _LIMITS.pages, _LIMITS.looks),
    "high": Effort(16_000, 60, 40),
}


class SettingNames(TypedDict, total=False):
    """What may be set by name; `walker ask --help` says what each does. Keys are given here, not taken from the environment."""

    max_pages: int
    max_seconds: float
    max_depth: int
    page_seconds: float
    effort: Literal["low", "normal", "high"]
    scope: Scope
    lang: str
    sure: float
    library: str | Path | None
    workflow: WorkflowName
    turns: int
    hits: int
    passages: int
    keep_from: float
    weigh_by: Weigher
    summaries: bool | None
    scout_pages: int | None
    no_scout: bool
    search: str | Path | None
    """The address of a SearXNG, or the file that describes another search."""
    search_key: str
    picture_search: str | Path | None
    """The address of a service that is sent the picture of a question, or the file that describes one."""
    picture_search_key: str
    picture_model: str | Path | None
    """Folder of an encoder that the library's pictures are compared by."""
    also: Collection[str]
    open: bool
    ocr: TextReaderName
    tau: float
    tau2: float
    gate: str | Path
    runs: str | Path
    record: Literal["network", "deterministic"] | None
    no_record: bool
    pictures: bool
    sync: bool
    secrets: Collection[str]
    """Values that must never reach a recording (`--secret` names variables of the environment)."""
    header: Mapping[str, str]
    """For the root's site only."""
    proxy: str
    headed: bool
    state: str | Path | None
    """A file with cookies and local storage, as Playwright writes it."""
    profile: str
    """Name of a saved login (`walker login`)."""
    profile_key: str
    """What it is encrypted with."""
    browser: BrowserKind | None
    cdp: str
    ask_me: bool
    hand_over: bool
    windows: WindowPlace
    chromium: str
    without: Collection[Literal["vision", "stack", "counter"]]
    model: str
    base_url: str
    key: str
    max_tokens: int
    max_calls: int
    max_cost: float
    price: tuple[float, float]
    page_tokens: int
    model_seconds: float
    model_at_once: int
    temperature: float
    top_p: float | None
    thinking: Thinking | None
    order: Order
    analysis: AnalysisName
    one_by_one: bool
    code: str
    tools: Collection[SwitchedTool]
    vision_model: str
    vision_url: str
    vision_key: str
    vision_folder: str | Path


_LIMIT_FIELDS = {"max_pages": "pages", "max_seconds": "seconds", "max_depth": "depth"}
_PLAIN_FIELDS = {
    "page_seconds": "page_seconds",
    "scope": "scope",
    "lang": "language",
    "sure": "sure",
    "summaries": "summaries",
    "scout_pages": "scout_pages",
    "ocr": "ocr",
    "tau": "threshold",
    "tau2": "look_threshold",
    "pictures": "pictures",
    "proxy": "proxy",
    "headed": "headed",
    "browser": "browser",
    "cdp": "cdp",
    "ask_me": "ask_me",
    "hand_over": "hand_over",
    "windows": "windows",
    "chromium": "chromium",
}
_WORKFLOW_FIELDS = {
    "workflow": "name",
    "turns": "turns",
    "hits": "hits",
    "passages": "passages",
    "keep_from": "keep_from",
    "weigh_by": "weigh_by",
}
_MODEL_FIELDS = {
    "model": "name",
    "base_url": "base_url",
    "key": "key",
    "max_tokens": "max_tokens",
    "max_calls": "max_calls",
    "max_cost": "max_money",
    "page_tokens": "page_tokens",
    "model_seconds": "seconds",
    "model_at_once": "at_once",
    "temperature": "temperature",
    "top_p": "top_p",
    "thinking": "thinking",
    "order": "order",
    "analysis": "analysis",
}
_VISION_FIELDS = {"vision_model": "name", "vision_url": "base_url", "vision_key": "key"}


def settings_by_name(base: Settings, named: SettingNames) -> Settings:
    """The settings with those that are named changed. Raises `UsageError` for a name or a value that cannot be."""
    given = dict(named)
    _check_names(given)
    effort = EFFORTS[str(given["effort"])] if "effort" in given else None
    if effort is not None:
        given = {"max_pages": effort.max_pages, "page_tokens": effort.page_tokens} | given
    changes: dict[str, Any] = _renamed(given, _PLAIN_FIELDS)
    limits = _renamed(given, _LIMIT_FIELDS) | ({"looks": effort.looks} if effort is not None else {})
    changes["workflow"] = msgspec.structs.replace(base.workflow, **_renamed(given, _WORKFLOW_FIELDS))
    changes["limits"] = msgspec.structs.replace(base.limits, **limits)
    changes |= _kept(given) | _gated(given)
    if given.get("no_scout"):
        changes["scout_pages"] = 0
    if "header" in given:
        changes["headers"] = tuple(cast("Mapping[str, str]", given["header"]).items())
    if "library" in given:
        changes["library"] = None if given["library"] is None else Path(str(given["library"]))
    changes |= _by_picture(given) | _session(given, changes.get("secrets", base.secrets))
    if "without" in given:
        left_out = cast("Collection[str]", given["without"])
        changes["components"] = Components(
            vision="vision" not in left_out, url_stack="stack" not in left_out, counter="counter" not in left_out
        )
    if (beyond := _beyond(base.beyond, given)) != base.beyond:
        changes["beyond"] = beyond
    changes |= _tools(given)
    changes |= {"model": _model(base.model, given), "vision": _vision(base.vision, given)}
    changed = msgspec.structs.replace(base, **changes)
    _check_values(changed)
    return changed


def _check_names(given: dict[str, object]) -> None:
    known = SettingNames.__annotations__
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise UsageError(f"there is no setting {name}", advice=f"Did you mean {near[0]}?" if near else "")
    if "effort" in given and given["effort"] not in EFFORTS:
        raise UsageError(f"effort {given['effort']} is not known", advice=f"Say one of {', '.join(EFFORTS)}")


def _check_values(settings: Settings) -> None:
    try:
        msgspec.convert(msgspec.to_builtins(settings, enc_hook=str), Settings, dec_hook=lambda kind, value: kind(value))
    except msgspec.ValidationError as error:
        raise UsageError(f"a setting has a value that cannot be ({error})") from None
    if settings.model is not None and settings.model.name == "auto" and not settings.model.base_url:
        raise UsageError(
            "auto is for the command line", advice="Name the model and its base_url: walker doctor finds them"
        )
    limits = settings.limits
    if limits.pages < 1 or limits.depth < 1:
        raise UsageError("max_pages and max_depth take a number from 1")
    if limits.seconds <= 0 or settings.page_seconds <= 0:
        raise UsageError("max_seconds and page_seconds take a number of seconds above 0")
    if settings.code and code_kind(settings.code) is None:
        raise UsageError(
            f"code {settings.code} is no interpreter", advice="Say monty, pyodide:FOLDER or an http address"
        )
    if settings.chosen_tools and settings.model is None:
        raise UsageError("code and tools need a model too", advice="Name it: model=...")
    if not 0 <= settings.sure <= 1:
        raise UsageError("sure takes a number from 0 to 1")
    workflow = settings.workflow
    if min(workflow.turns, workflow.hits, workflow.passages) < 1:
        raise UsageError("turns, hits and passages take a number from 1")
    if not 0 <= workflow.keep_from <= 1:
        raise UsageError("keep_from takes a chance from 0 to 1")


def _renamed(given: dict[str, object], fields: dict[str, str]) -> dict[str, Any]:
    return {field: given[name] for name, field in fields.items() if name in given}


def _kept(given: dict[str, object]) -> dict[str, Any]:
    """What is recorded, and where."""
    changes: dict[str, Any] = {}
    if "runs" in given:
        changes["runs_folder"] = _runs_folder(str(given["runs"]))
    if "no_record" in given:
        changes["record"] = not given["no_record"]
    if "sync" in given:
        changes["durability"] = "step" if given["sync"] else "process"
    if "secrets" in given:
        changes["secrets"] = tuple(cast("Collection[str]", given["secrets"]))
    if (record := given.get("record")) is not None and not given.get("no_record"):
        changes |= {"network": True, "pinned_at": round(time.time(), 3) if record == "deterministic" else 0.0}
    return changes


def _gated(given: dict[str, object]) -> dict[str, Any]:
    if "gate" not in given:
        return {}
    if given["gate"] in get_args(GateName):
        return {"gate": given["gate"]}
    gate: GateFile = read_gate(Path(str(given["gate"])))
    return {"weights": gate.weights, "threshold": gate.tau, "look_threshold": gate.tau2}


def _beyond(before: Beyond, given: dict[str, object]) -> Beyond:
    changes: dict[str, Any] = {"open": given["open"]} if "open" in given else {}
    if "also" in given:
        changes["also"] = tuple(map(check_host, cast("Collection[str]", given["also"])))
    if "search" in given:
        named, key = given["search"], str(given.get("search_key", ""))
        changes["search"] = None if named is None else read_service(str(named), lambda _: key)
    return msgspec.structs.replace(before, **changes)


def _by_picture(given: dict[str, object]) -> dict[str, Any]:
    """What pages are searched by the picture of a question with."""
    changes: dict[str, Any] = {}
    if "picture_search" in given:
        named, key = given["picture_search"], str(given.get("picture_search_key", ""))
        changes["picture_search"] = None if named is None else picture_service(str(named), lambda _: key)
    if "picture_model" in given:
        changes["picture_model"] = None if given["picture_model"] is None else Path(str(given["picture_model"]))
    return changes


def _session(given: dict[str, object], secrets: tuple[str, ...]) -> dict[str, Any]:
    """What a person who has logged in has, and that its values are secrets."""
    file, profile = given.get("state"), str(given.get("profile", ""))
    if file is None and not profile:
        return {}
    state = state_for(None if file is None else Path(str(file)), profile, key=str(given.get("profile_key", "")))
    return {
        "session": state.as_playwright(),
        "profile": profile,
        "secrets": (*secrets, *secrets_of_state(state)),
    }


def _tools(given: dict[str, object]) -> dict[str, Any]:
    """What a model is offered besides."""
    changes: dict[str, Any] = {"code": str(given["code"])} if "code" in given else {}
    if "tools" in given:
        changes["tools"] = tuple(cast("Collection[SwitchedTool]", given["tools"]))
    return changes


def _model(before: ModelSettings | None, given: dict[str, object]) -> ModelSettings | None:
    changes = _renamed(given, _MODEL_FIELDS)
    if given.get("one_by_one"):
        changes |= {"order": "in-turn", "fetch_ahead": 0}
    if "price" in given:
        changes["prompt_price"], changes["completion_price"] = cast("tuple[float, float]", given["price"])
    if "page_tokens" in changes:
        usual = ModelSettings(name="")
        changes["step_tokens"] = max(usual.step_tokens, changes["page_tokens"] + usual.step_tokens - usual.page_tokens)
    if before is None and not changes.get("name"):
        if "base_url" in changes:
            raise UsageError("base_url needs a model too", advice="Name it: model=...")
        return None
    return msgspec.structs.replace(before or ModelSettings(name=""), **changes)


def _vision(before: VisionSettings | None, given: dict[str, object]) -> VisionSettings | None:
    changes = _renamed(given, _VISION_FIELDS)
    if "vision_folder" in given:
        place = Path(str(given["vision_folder"])).resolve()
        changes = {"name": place.name, "folder": str(place)} | changes
    if before is None and not changes.get("name"):
        return None
    if before is None and not changes.get("folder"):
        # Of the language model's endpoint unless it has one of its own.
        changes = {"base_url": given.get("base_url", ""), "key": given.get("key", "")} | changes
    return msgspec.structs.replace(before or VisionSettings(name=""), **changes)


def _runs_folder(place: str) -> Path:
    """The folder of runs; of `s3://BUCKET/PREFIX` its mirror. Raises `UsageError`."""
    if not is_address(place):
        return Path(place)
    try:
        return mirror_at(place).marked().folder
    except StoreError as error:
        raise UsageError(error.what, where=error.where, advice=error.advice) from None
