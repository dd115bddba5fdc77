from __future__ import annotations

from perception.element_map import View
from perception.geometry import Box
from perception.reading import observe
from perception.snapshot import Snapshot
from walker.seams import LookRequest
from walker.vision import MODEL_NAME, BuiltinVision

URL = "http://reef.example/fleet/"


async def looked(html: str) -> tuple[str, ...]:
    look = await BuiltinVision().look(
        LookRequest(
            question="How long?",
            observation=observe(Snapshot(url=URL, final_url=URL, status=200, html=html)),
            view=View(url=URL, picture=b"", width=0, height=0, shown=Box(x=0, y=0, width=0, height=0)),
        )
    )
    assert look.model == MODEL_NAME
    return look.texts


async def test_alt_text_caption_and_label_are_read_under_their_heading() -> None:
    html = (
        "<h2>Mantis</h2><figure><img src=m.png alt='The Mantis at sea' width=300 height=200>"
        "<figcaption>Length 18.4 m</figcaption></figure><svg aria-label='Crew of six' width=200 height=200></svg>"
    )
    assert await looked(html) == ("Mantis: The Mantis at sea Length 18.4 m", "Mantis: Crew of six")


async def test_the_same_words_are_told_once() -> None:
    assert await looked(
        "<figure><img src=a.png alt=Map><figcaption>Map</figcaption></figure><img src=b.png alt=Map>"
    ) == ("Map",)


async def test_pictures_without_words_tell_nothing() -> None:
    assert await looked("<img src=a.png><img src=b.png alt=''><canvas width=300 height=200></canvas>") == ()
