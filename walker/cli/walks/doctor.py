"""`walker doctor`: checks of the installation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, get_args

import click
import msgspec

from walker.cli.found_models import ports_to_ask
from walker.cli.model_options import key_for_resume, model_at, vision_at, vision_key_for_resume
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.tables import print_folded
from walker.cli.tool_options import check_code
from walker.doctor.checks import Check, check_keys, examine
from walker.doctor.code_trial import examine_code
from walker.doctor.model_suggestion import suggest_model
from walker.doctor.model_trial import examine_model
from walker.doctor.search_trial import examine_search
from walker.doctor.vision_trial import examine_vision
from walker.errors import UsageError
from walker.search.service_file import read_service
from walker.settings import ModelSettings, SearchService, Thinking, VisionSettings


@click.command("doctor")
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder for recorded walks.",
)
@click.option(
    "--model",
    "model_name",
    default="",
    metavar="NAME",
    help="Try this language model too, or auto for one that is served on this machine. Key: WALKER_API_KEY or OPENAI_API_KEY.",
)
@click.option(
    "--base-url",
    default="",
    metavar="URL",
    help="Its OpenAI-compatible endpoint; WALKER_BASE_URL or OPENAI_BASE_URL if not given.",
)
@click.option("--vision", is_flag=True, help="Try the vision model too: images, text in images, coordinates.")
@click.option("--vision-model", default="", metavar="NAME", help="The vision model; that of --model if not given.")
@click.option("--vision-url", default="", metavar="URL", help="Its endpoint; that of --model if not given.")
@click.option("--vision-folder", default="", metavar="FOLDER", help="A vision model exported to ONNX, instead.")
@click.option("--search", default="", metavar="URL|FILE", help="Try this search service too, as in walker ask.")
@click.option(
    "--code", default="", metavar="monty|pyodide:FOLDER|URL", help="Try this interpreter for a model's code too."
)
@click.option(
    "--thinking",
    type=click.Choice(get_args(Thinking)),
    help="Switch its thinking before each reply off or on, as in walker ask.",
)
@click.option(
    "--price",
    default="",
    metavar="IN,OUT",
    help="Price of a million prompt tokens and a million reply tokens, such as 0.15,0.60.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def doctor_command(**given: Any) -> None:
    r"""Check the installation: Python, packages, browser, models, folders. Exit code 1 if a walk would fail.

    \b
    walker doctor
    walker doctor --model qwen3:8b --base-url http://127.0.0.1:11434/v1
    walker doctor --model auto
    walker doctor --search http://127.0.0.1:8888
    walker doctor --code monty
    """
    as_json, runs_folder = given["as_json"], given["runs_folder"]
    model_name = given["model_name"]
    # --base-url may be for the vision model only.
    model = model_at(
        model_name,
        given["base_url"] if model_name or not given["vision_model"] else "",
        given["price"],
        thinking=given["thinking"],
        as_json=as_json,
    )
    vision_name = given["vision_model"] or (given["model_name"] if given["vision"] else "")
    if given["vision"] and not vision_name and not given["vision_folder"]:
        raise click.UsageError("--vision needs --vision-model NAME, --vision-folder FOLDER or --model NAME")
    vision = vision_at(vision_name, given["vision_url"], given["base_url"], given["vision_folder"], as_json=as_json)
    chromium = os.environ.get("WALKER_CHROMIUM", "")
    check_code(given["code"])
    search = _service(given["search"], as_json=as_json) if given["search"] else None
    examined = _examine(runs_folder, chromium, model, vision, given["code"], search)
    checks = run_for_person(examined, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode({"ok": all(check.ok for check in checks), "checks": checks}).decode())
    else:
        for check in checks:
            print_folded(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}", hang=5)
            if check.advice:
                print_folded(f"     {check.advice}", hang=0)
    raise SystemExit(0 if all(check.ok for check in checks) else 1)


def _service(named: str, *, as_json: bool) -> SearchService:
    try:
        return read_service(named, lambda name: os.environ.get(name, ""))
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


async def _examine(
    runs_folder: Path,
    chromium: str,
    model: ModelSettings | None,
    vision: VisionSettings | None,
    code: str,
    search: SearchService | None,
) -> tuple[Check, ...]:
    checks = await examine(runs_folder=runs_folder, chromium=chromium)
    checks = (*checks, check_keys(key_for_resume() if model is None else model, vision or vision_key_for_resume()))
    checks = (*checks, *(await examine_model(model) if model is not None else (await suggest_model(ports_to_ask()),)))
    if vision is not None:
        checks = (*checks, *await examine_vision(vision))
    if search is not None:
        checks = (*checks, *await examine_search(search))
    return (*checks, await examine_code(code, chromium)) if code else checks
