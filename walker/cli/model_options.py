"""The flags of language and vision models. API keys come from the environment only."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click
import msgspec

from walker.cli.found_models import AUTO, take_found_models
from walker.errors import UsageError
from walker.models.discovery.listed_model import ListedModel
from walker.models.discovery.model_choice import fitted
from walker.models.discovery.thinking_switch import switched
from walker.settings import AnalysisName, Components, ModelSettings, Order, Thinking, VisionSettings

OWN_KEY_NAMES = ("WALKER_API_KEY",)
"""All that is sent to a server that was looked for: a key of another service is not for what happens to listen here."""
KEY_NAMES = (*OWN_KEY_NAMES, "OPENAI_API_KEY")
VISION_KEY_NAME = "WALKER_VISION_KEY"
URL_NAMES = ("WALKER_BASE_URL", "OPENAI_BASE_URL")
_DEFAULTS = ModelSettings(name="")

_OPTIONS = (
    click.option(
        "--model",
        "model_name",
        default="",
        metavar="NAME",
        help="Language model for explorer and critic, auto for one that Ollama, LM Studio, llama.cpp or vLLM serves on this machine; without"
        " it the built-in strategy answers. Key: WALKER_API_KEY or OPENAI_API_KEY.",
    ),
    click.option(
        "--base-url",
        default="",
        metavar="URL",
        help="OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; WALKER_BASE_URL or OPENAI_BASE_URL if not given.",
    ),
    click.option(
        "--max-tokens",
        default=0,
        help="Spend at most this many tokens on the model, prompts and replies together (0: no limit).",
    ),
    click.option("--max-calls", default=0, help="Make at most this many calls to the model (0: no limit)."),
    click.option(
        "--max-cost", default=0.0, help="Spend at most this much money on the model; needs both prices (0: no limit)."
    ),
    click.option(
        "--price",
        default="",
        metavar="IN,OUT",
        help="Price of a million prompt tokens and a million reply tokens, such as 0.15,0.60.",
    ),
    click.option(
        "--page-tokens",
        default=_DEFAULTS.page_tokens,
        show_default=True,
        help="Most tokens of a page's text in one call.",
    ),
    click.option(
        "--model-seconds",
        default=_DEFAULTS.seconds,
        show_default=True,
        help="Time-out between two chunks of a streamed reply.",
    ),
    click.option(
        "--model-at-once",
        type=click.IntRange(0, 64),
        default=_DEFAULTS.at_once,
        metavar="N",
        help="Requests side by side where many passages are weighed; as many as the server gains by, up to 8, if not given.",
    ),
    click.option(
        "--temperature",
        default=_DEFAULTS.temperature,
        show_default=True,
        help="Temperature of the model's sampling; above 0 its replies to one request differ.",
    ),
    click.option(
        "--top-p",
        type=float,
        default=_DEFAULTS.top_p,
        metavar="SHARE",
        help="Share of the probability mass to sample from, such as 0.95; the server's own if not given.",
    ),
    click.option(
        "--thinking",
        type=click.Choice(get_args(Thinking)),
        default=_DEFAULTS.thinking,
        help="Switch the model's thinking before each reply off or on, or say how much, by what the documentation of its family names;"
        " the server's own if not given.",
    ),
    click.option(
        "--order",
        type=click.Choice(get_args(Order)),
        default=_DEFAULTS.order,
        show_default=True,
        help="One call of the model a page for critic and explorer, the explorer after the critic, or both at once.",
    ),
    click.option(
        "--analysis",
        type=click.Choice(get_args(AnalysisName)),
        default=_DEFAULTS.analysis,
        show_default=True,
        help="Who says at the start what the question asks for: one call of the model, or rules; without --model always rules.",
    ),
    click.option("--one-by-one", is_flag=True, help="As --order in-turn, and prefetch no pages."),
    click.option(
        "--vision-model",
        "vision_name",
        default="",
        metavar="NAME",
        help="Vision model for what OCR and icon recognition leave open, or auto; none if not given. Where it is --model too, that is"
        " shown the picture of --picture. Key: WALKER_VISION_KEY, else that of --model.",
    ),
    click.option(
        "--vision-url", default="", metavar="URL", help="Its OpenAI-compatible endpoint; that of --model if not given."
    ),
    click.option(
        "--vision-folder",
        default="",
        metavar="FOLDER",
        help="Folder of a vision model exported to ONNX (or for onnxruntime-genai), to run on this machine instead (on its GPU, if any).",
    ),
)
_WITHOUT = click.option(
    "--without",
    "left_out",
    multiple=True,
    type=click.Choice(["vision", "stack", "counter"]),
    help="Switch a module off (repeatable); all three off is the WebWalker baseline.",
)


def with_model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with the flags of the models and of the modules."""
    return with_endpoint_options(_WITHOUT(command))


def with_endpoint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with the flags of the models alone."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_model(given: dict[str, Any]) -> ModelSettings | None:
    """Take this module's flags out of `given`; the model they describe, or None. Raises `click.UsageError`."""
    found = _found(given)
    del given["found_model"]
    name, base_url, price = given.pop("model_name"), given.pop("base_url"), given.pop("price")
    one_by_one, order = given.pop("one_by_one"), given.pop("order")
    analysis = given.pop("analysis")
    limits = {
        "max_tokens": given.pop("max_tokens"),
        "max_calls": given.pop("max_calls"),
        "max_money": given.pop("max_cost"),
    }
    page_tokens, seconds = given.pop("page_tokens"), given.pop("model_seconds")
    sampling = _sampling(given.pop("temperature"), given.pop("top_p"))
    limits["at_once"] = given.pop("model_at_once")
    thinking = _thinking(name, given.pop("thinking"))
    if not name:
        if base_url:
            raise click.UsageError("--base-url needs --model NAME too")
        return None
    if any(limit < 0 for limit in limits.values()) or page_tokens < 1 or seconds <= 0:
        raise click.UsageError(
            "--max-tokens, --max-calls, --max-cost, --page-tokens and --model-seconds take positive numbers"
        )
    prompt_price, completion_price = _prices(price)
    if limits["max_money"] and not (prompt_price and completion_price):
        raise click.UsageError("--max-cost needs --price IN,OUT: the price of a million tokens of prompt and of reply")
    address = base_url or _from_environment(URL_NAMES)
    if address and not address.startswith(("http://", "https://")):
        raise click.UsageError(f"--base-url {address}: write it with its scheme, such as http://127.0.0.1:11434/v1")
    settings = ModelSettings(
        name=name,
        base_url=address,
        key=_from_environment(KEY_NAMES if found is None else OWN_KEY_NAMES),
        seconds=seconds,
        thinking=thinking,
        page_tokens=page_tokens,
        step_tokens=max(_DEFAULTS.step_tokens, page_tokens + _DEFAULTS.step_tokens - _DEFAULTS.page_tokens),
        prompt_price=prompt_price,
        completion_price=completion_price,
        order="in-turn" if one_by_one else order,
        analysis=analysis,
        fetch_ahead=0 if one_by_one else _DEFAULTS.fetch_ahead,
        **limits,
        **sampling,
    )
    return settings if found is None else _fitted(settings, found, is_quiet=bool(given.get("quiet")))


def _found(given: dict[str, Any]) -> ListedModel | None:
    """The language model that was looked for, once for all readers of `given`."""
    if given.get("found_model") is None:
        given["found_model"] = take_found_models(given, given.get("base_url") or _from_environment(URL_NAMES))
    found: ListedModel | None = given["found_model"]
    return found


def _fitted(settings: ModelSettings, found: ListedModel, *, is_quiet: bool) -> ModelSettings:
    settings, notice = fitted(settings, found)
    if notice and not is_quiet:
        click.echo(f"walker: {notice}", err=True)
    return settings


def read_vision(given: dict[str, Any]) -> VisionSettings | None:
    """Take the vision model's flags out of `given`; the model they describe, or None. Raises `click.UsageError`."""
    is_looked_for, has_url = given["vision_name"] == AUTO, bool(given["vision_url"])
    found = _found(given)
    name, url, base_url = given.pop("vision_name"), given.pop("vision_url"), given.get("base_url", "")
    vision = vision_at(name, url, base_url, given.pop("vision_folder"))
    return _with_own_key(vision) if is_looked_for or (found is not None and not has_url) else vision


def _with_own_key(vision: VisionSettings | None) -> VisionSettings | None:
    if vision is None:
        return None
    return msgspec.structs.replace(vision, key=_from_environment((VISION_KEY_NAME, *OWN_KEY_NAMES)))


def vision_at(name: str, url: str, base_url: str, folder: str, *, as_json: bool = False) -> VisionSettings | None:
    """A vision model at an address, "" for that of the language model, or in a folder, whose name says its family. `as_json`: tell
    as JSON too that none is found."""
    if name == AUTO and not folder:
        names: dict[str, Any] = {"vision_name": name, "vision_url": url, "as_json": as_json}
        take_found_models(names, base_url or _from_environment(URL_NAMES))
        return _with_own_key(vision_at(names["vision_name"], names["vision_url"], "", ""))
    if folder:
        if url:
            raise click.UsageError("--vision-folder runs here; leave out --vision-url")
        place = Path(folder).resolve()
        return VisionSettings(name=name or place.name, folder=str(place))
    if not name:
        if url:
            raise click.UsageError("--vision-url needs --vision-model NAME too")
        return None
    address = url or base_url or _from_environment(URL_NAMES)
    if address and not address.startswith(("http://", "https://")):
        raise click.UsageError(f"--vision-url {address}: write it with its scheme, such as http://127.0.0.1:8000/v1")
    return VisionSettings(name=name, base_url=address, key=_from_environment((VISION_KEY_NAME, *KEY_NAMES)))


def vision_key_for_resume() -> VisionSettings:
    """The same for the vision model's key."""
    return VisionSettings(name="", key=_from_environment((VISION_KEY_NAME, *KEY_NAMES)))


def model_at(
    name: str, base_url: str, price: str, *, thinking: Thinking | None = None, as_json: bool = False
) -> ModelSettings | None:
    """The model that the flags of `walker doctor` describe; `as_json`: tell as JSON too that none is found. Raises
    `click.UsageError`."""
    named: dict[str, Any] = {"model_name": name, "base_url": base_url, "price": price, "as_json": as_json}
    limits = {"max_tokens": 0, "max_calls": 0, "max_cost": 0.0}
    minds = {"one_by_one": False, "order": _DEFAULTS.order, "analysis": _DEFAULTS.analysis}
    page = {
        "page_tokens": _DEFAULTS.page_tokens,
        "model_seconds": _DEFAULTS.seconds,
        "model_at_once": _DEFAULTS.at_once,
    }
    sampling = {"temperature": _DEFAULTS.temperature, "top_p": _DEFAULTS.top_p, "thinking": thinking}
    return read_model(named | limits | minds | page | sampling)


def read_components(given: dict[str, Any]) -> Components:
    """Take `--without` out of `given`; the modules that are left."""
    left_out = given.pop("left_out")
    return Components(
        vision="vision" not in left_out, url_stack="stack" not in left_out, counter="counter" not in left_out
    )


def key_for_resume() -> ModelSettings:
    """The settings of this process that a resumed walk needs: the API keys, which are never recorded."""
    return ModelSettings(name="", key=_from_environment(KEY_NAMES))


def _sampling(temperature: float, top_p: float | None) -> dict[str, Any]:
    if not 0 <= temperature < math.inf:
        raise click.UsageError("--temperature takes a number from 0")
    if top_p is not None and not 0 < top_p <= 1:
        raise click.UsageError("--top-p takes a share above 0, up to 1")
    return {"temperature": temperature, "top_p": top_p}


def _thinking(name: str, given: Thinking | None) -> Thinking | None:
    if given is not None and not name:
        raise click.UsageError("--thinking needs --model NAME too")
    if given is not None:
        try:
            switched(name, given)
        except UsageError as error:
            raise click.UsageError(str(error)) from None
    return given


def _prices(given: str) -> tuple[float, float]:
    if not given:
        return 0.0, 0.0
    first, comma, second = given.partition(",")
    try:
        prices = float(first), float(second)
    except ValueError:
        comma, prices = "", (0.0, 0.0)
    if not comma or min(prices) < 0:
        raise click.UsageError(f"--price {given}: write it as 0.15,0.60")
    return prices


def _from_environment(names: tuple[str, ...]) -> str:
    return next((os.environ[name] for name in names if os.environ.get(name)), "")
