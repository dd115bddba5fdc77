"""`walker look`: what Walker sees on one page."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from perception.geometry import Box
from perception.grounding.grounding import Grounding
from perception.images.image import decode_picture, encode_picture, opencv
from walker.cli.model_options import vision_at
from walker.cli.reach_options import read_reach, with_browser_options
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.tables import print_folded
from walker.cli.walks.way_out_options import read_way_out, with_way_out
from walker.errors import OutputUnwritable
from walker.files.atomic_output import write_output
from walker.inspect_page import PageLook, look_at_page
from walker.settings import Settings

_COLOURS = {"control": (40, 40, 220), "link": (200, 90, 20), "figure": (30, 150, 30), "blind": (160, 20, 160)}
"""Of outlines, blue-green-red."""


@click.command("look")
@click.argument("url")
@click.argument("question", required=False, default="")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    default=None,
    help="Save the screenshot with outlined elements, as PNG.",
)
@click.option(
    "--find",
    default="",
    metavar="PHRASE",
    help="Find the element that a phrase means, such as 'the search button'; runs OCR on the whole screenshot.",
)
@click.option("--vision-model", default="", metavar="NAME", help="With --find: ask this vision model too.")
@click.option("--vision-url", default="", metavar="URL", help="Its OpenAI-compatible endpoint.")
@click.option("--vision-folder", default="", metavar="FOLDER", help="A vision model exported to ONNX, instead.")
@click.option("--window", is_flag=True, help="Only the first window of 1280 x 800, not the whole page.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object on stdout and nothing else: elements, blind regions, OCR results.",
)
@with_way_out("URL")
@with_browser_options
def look_command(
    url: str, question: str, picture: Path | None, find: str, window: bool, as_json: bool, **vision: Any
) -> None:
    r"""Show what Walker sees on one page: its elements, the regions without text (images, canvas), and what OCR reads there.

    With a QUESTION it also shows the gate's decision (text only, OCR or vision model) and its reason.

    \b
    walker look https://example.org/menu "How much does the fish soup cost?" --picture seen.png
    """
    headers, proxy, _ = read_way_out(vision.pop("header_lines"), vision.pop("proxy"), as_json=as_json)
    reach, _ = read_reach(vision, as_json=as_json)
    if any(vision.values()) and not find:
        raise click.UsageError(
            "the vision model is used by --find only: add --find 'the search button', or leave the model out"
        )
    settings = Settings(
        record=False,
        headers=headers,
        proxy=proxy,
        **reach,
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        vision=vision_at(vision["vision_model"], vision["vision_url"], "", vision["vision_folder"], as_json=as_json),
    )
    look = run_for_person(look_at_page(url, question, settings, whole=not window, find=find), as_json=as_json)
    if picture is not None:
        try:
            write_output(picture, _outlined(look))
        except OutputUnwritable as error:
            stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        shown = msgspec.to_builtins(msgspec.structs.replace(look, view=msgspec.structs.replace(look.view, picture=b"")))
        click.echo(msgspec.json.encode(shown).decode())
        return
    _tell(look)
    if picture is not None:
        click.echo(f"picture: {picture}")


def _tell(look: PageLook) -> None:
    elements = look.view.map.elements
    pressed = [element for element in elements if element.is_interactive]
    unnamed = sum(not element.name for element in pressed)
    unseen = [element for element in elements if element.unseen and element.text]
    print_folded(
        f"{look.title or look.view.url}: {look.view.width} x {look.view.height} pixels, {len(elements)} elements"
    )
    print_folded(f"  {len(pressed)} interactive, {unnamed} of them without a name")
    for element in unseen[:5]:
        print_folded(f"  hidden text ({element.unseen}): {element.text[:80]}")
    if len(unseen) > 5:
        print_folded(f"  and {len(unseen) - 5} more hidden texts")
    print_folded(f"regions without text: {len(look.blind)}")
    for region in look.blind[:12]:
        print_folded(f"  {region.kind:<9} {_place(region.box)}  {(region.heading or region.near)[:60]}")
    print_folded(f"seen there ({look.look.model}):")
    for seen in look.look.seen[:40]:
        where = f"{_place(seen.box)}  " if seen.box else ""
        print_folded(f"  {seen.source:<6} {where}{seen.text[:100]}")
    for note in look.look.notes:
        print_folded(f"  note: {note}")
    if look.decision is not None:
        print_folded(
            f"gate: {look.decision.choice}, trust in the text {look.decision.trust:.0f} of 100: {look.decision.reason}"
        )
        print_folded("  " + ", ".join(f"{name} {value:+.2f}" for name, value in look.decision.terms.items()))
    if look.found is not None:
        _print_found(look, look.found)
    if look.answer:
        print_folded(f"answer: {look.answer}")


def _print_found(look: PageLook, found: Grounding) -> None:
    if look.closer is not None:
        apart = ", ".join(f"{witness.name} {witness.element}" for witness in look.apart)
        print_folded(f"enlarged {_place(look.closer)}: sources named different elements ({apart})")
    element = look.view.map.element(found.element)
    if element is None:
        print_folded(f"not found: {found.reason}")
    else:
        who = ", ".join(f"{witness.name} {witness.score:.2f}" for witness in found.witnesses)
        print_folded(
            f"found: {element.role} {_place(found.box)} {found.reason}, confidence {found.confidence:.2f} ({who})"
        )
        if element.selector:
            print_folded(f"  {element.selector}")
    for note in look.notes:
        print_folded(f"  note: {note}")
    for seen in look.differ.seen_only[:12]:
        print_folded(f"  read by OCR, not in the page's text: {_place(seen.box)} {seen.text[:80]}")


def _place(box: Box | None) -> str:
    return f"[{box.x:.0f},{box.y:.0f} {box.width:.0f}x{box.height:.0f}]" if box is not None else ""


def _outlined(look: PageLook) -> bytes:
    cv2, picture, frame = opencv(), decode_picture(look.view.picture).copy(), look.view.frame
    boxes = [
        (element.box, _COLOURS[element.kind], 1)
        for element in look.view.map.elements
        if element.kind in _COLOURS and not element.unseen
    ]
    boxes += [(region.box, _COLOURS["blind"], 2) for region in look.blind]
    for box, colour, thick in boxes:
        left, top, right, bottom = frame.to_pixels(box)
        cv2.rectangle(picture, (left, top), (right, bottom), colour, thick)
    return encode_picture(picture)
