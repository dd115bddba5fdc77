from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from playwright.async_api import Browser

from memory.retrieval import embed_texts
from perception.errors import ModelUnusable
from perception.icons import icon_reader
from perception.icons.glyph_image import Crop
from perception.icons.icon_reader import MODEL, NOT_AN_ICON, IconReader, Vocabulary
from perception.icons.model_digest import SHA256
from perception.ocr.onnx_models import OnnxModel
from tests.perception.icons.drawings import LINES, drawings, painted
from tools.icon_training.render import render_text
from walker.browser.launch.find_chromium import find_browser

BLACK, WHITE, BLUE, ORANGE, GRAY = (0, 0, 0), (255, 255, 255), (200, 90, 20), (0, 140, 255), (190, 190, 190)
TONES = {
    "dark on light": (BLACK, WHITE),
    "light on dark": (WHITE, (30, 30, 30)),
    "white on a blue button": (WHITE, BLUE),
    "orange": (ORANGE, (20, 40, 20)),
    "gray": (GRAY, WHITE),
}


MOST_KEPT = 5.0
"""MB that naming 64 icons leaves: 1, with an arena 12."""
_WEIGH = """
import numpy as np, psutil
from memory.retrieval import embed_texts
from perception.icons.icon_reader import IconReader
from perception.images.freed_memory import give_back_memory, keep_few_arenas
keep_few_arenas()
reader = IconReader.load(embed_texts, device="cpu")
crops = list(np.random.default_rng(1).integers(0, 255, (64, 24, 24, 3), np.uint8))
taken = []
for some in (crops[:1], crops):
    reader.read(some)
    give_back_memory()
    taken.append(psutil.Process().memory_info().rss / 1e6)
print(taken[1] - taken[0])
"""


@pytest.fixture(scope="module")
def reader() -> IconReader:
    return IconReader.load(embed_texts, device="cpu")


def wrong(reader: IconReader, crops: dict[str, Crop]) -> list[tuple[str, str]]:
    guesses = reader.read(list(crops.values()))
    return [(name, found[0].name) for name, found in zip(crops, guesses, strict=True) if found[0].name != name]


@pytest.mark.parametrize("tone", TONES)
def test_icons_are_named_in_every_tone(reader: IconReader, tone: str) -> None:
    assert wrong(reader, {name: painted(ink, *TONES[tone]) for name, ink in drawings().items()}) == []


@pytest.mark.parametrize("side", [20, 24, 48, 96, 300])
def test_icons_are_named_at_every_size(reader: IconReader, side: int) -> None:
    assert wrong(reader, {name: painted(ink, BLACK, WHITE, side) for name, ink in drawings().items()}) == []


@pytest.mark.skipif(sys.platform != "linux", reason="freed memory is given back there only")
def test_naming_many_icons_leaves_no_memory_taken() -> None:
    done = subprocess.run([sys.executable, "-c", _WEIGH], capture_output=True, text=True, check=True)
    assert float(done.stdout) < MOST_KEPT


def test_gray_crops_are_read_as_coloured_ones(reader: IconReader) -> None:
    assert wrong(reader, {name: 255 - cv2.resize(ink, (32, 32)) for name, ink in drawings().items()}) == []


async def test_icons_of_a_page_are_named_in_a_screenshot(reader: IconReader, browser: Browser) -> None:
    """Buttons with borders, round corners and colours, and a canvas."""
    kinds = (
        "border:1px solid #999;background:#fff;color:#222",
        "border:0;border-radius:6px;background:#205090;color:#fff",
    )
    wanted = ("search", "menu", "close", "home", "download", "mail")
    buttons = "".join(
        f'<button style="width:44px;height:44px;padding:10px;margin:6px;{kinds[place % 2]}"><svg width=22 height=22 '
        f'viewBox="0 0 24 24" fill=none stroke=currentColor stroke-width=2>{LINES[name]}</svg></button>'
        for place, name in enumerate(wanted)
    )
    paint = "c.lineWidth=3;c.beginPath();c.arc(17,17,10,0,7);c.moveTo(25,25);c.lineTo(36,36);c.stroke()"
    canvas = f"<canvas width=44 height=44></canvas><script>c=document.querySelector('canvas').getContext('2d');{paint}</script>"
    page = await browser.new_page()
    await page.set_content(f"<body style='background:#eee'>{buttons}{canvas}")
    shots = [await shot.screenshot() for shot in await page.locator("button,canvas").all()]
    await page.close()
    crops = [cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in shots]
    found = reader.read([crop for crop in crops if crop is not None])
    assert [guesses[0].name for guesses in found] == [*wanted, "search"]


def test_guesses_are_best_first_and_confidences_are_shares(reader: IconReader) -> None:
    for guesses in reader.read([painted(ink, BLACK, WHITE) for ink in drawings().values()]):
        sure = [guess.confidence for guess in guesses]
        assert sure == sorted(sure, reverse=True)
        assert 0 <= sum(sure) <= 1.0001


def test_a_name_is_given_only_where_it_is_sure(reader: IconReader) -> None:
    crops = [painted(ink, BLACK, WHITE) for ink in drawings().values()]
    for name, guesses in zip(reader.names(crops), reader.read(crops), strict=True):
        assert name == (guesses[0].name if guesses[0].confidence >= reader.threshold else "")
    assert sum(bool(name) for name in reader.names(crops)) >= len(crops) / 2


def test_text_gets_no_name(reader: IconReader) -> None:
    crops = render_text(["Sign in", "Contact us", "Read more", "2026", "Opening hours", "Terms"], find_browser().path)
    assert reader.names(crops) == ("",) * len(crops)
    assert sum(guesses[0].name == NOT_AN_ICON for guesses in reader.read(crops)) >= len(crops) - 1


def test_even_areas_gradients_and_noise_get_no_name(reader: IconReader) -> None:
    chance = np.random.default_rng(3)
    ramp = np.linspace(0, 255, 60).astype(np.uint8)
    clouds = cv2.resize(chance.integers(0, 256, (6, 6)).astype(np.uint8), (64, 64), interpolation=cv2.INTER_CUBIC)
    crops = [np.full((40, 40, 3), 200, np.uint8), np.zeros((1, 1), np.uint8), np.tile(ramp, (40, 1)), clouds]
    assert reader.names(crops) == ("",) * len(crops)
    assert reader.read(crops)[0][0].name == NOT_AN_ICON


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("search", "search"),
        ("find", "search"),
        ("magnifying glass", "search"),
        ("favourites", "favorite"),
        ("navigation menu", "menu"),
        ("trash", "delete"),
        ("user profile", "account"),
        ("house", "home"),
        ("envelope", "mail"),
        ("add", "add"),
    ],
)
def test_a_query_finds_its_icon(reader: IconReader, query: str, name: str) -> None:
    names = list(drawings())
    scores = reader.match([painted(ink, WHITE, BLUE) for ink in drawings().values()], query)
    assert names[scores.index(max(scores))] == name
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("query", ["", "the", "搜索"])
def test_a_query_without_words_fits_nothing(reader: IconReader, query: str) -> None:
    assert reader.match([painted(ink, BLACK, WHITE) for ink in drawings().values()], query) == [0.0] * len(drawings())


def test_a_word_that_means_nothing_fits_all_alike(reader: IconReader) -> None:
    scores = reader.match([painted(ink, BLACK, WHITE) for ink in drawings().values()], "qzxvwk")
    assert len(set(scores)) == 1


def test_no_crops_have_no_names(reader: IconReader) -> None:
    assert reader.read([]) == ()
    assert reader.names([]) == ()
    assert reader.match([], "search") == []


def test_many_crops_are_read_as_each_alone(reader: IconReader) -> None:
    crops = [painted(ink, BLACK, WHITE) for ink in drawings().values()] * 10
    assert [guesses[0].name for guesses in reader.read(crops)] == [
        reader.read([crop])[0][0].name for crop in crops[: len(drawings())]
    ] * 10


def test_a_crop_that_is_no_picture_is_told(reader: IconReader) -> None:
    with pytest.raises(ValueError, match=r"crop 0: .*float64"):
        reader.read([np.zeros((9, 9))])


def test_other_names_of_an_icon(reader: IconReader) -> None:
    assert "house" in reader.other_names("home")
    assert reader.other_names("no such name") == ()


def test_the_shipped_file_is_the_one_in_the_code_and_small() -> None:
    data = MODEL.read_bytes()
    assert hashlib.sha256(data).hexdigest() == SHA256
    assert len(data) <= 4_000_000


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelUnusable, match="missing"):
        IconReader.load(embed_texts, tmp_path / "none.onnx")


def test_a_damaged_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = tmp_path / "icons.onnx"
    damaged.write_bytes(MODEL.read_bytes()[:-1000])
    with pytest.raises(ModelUnusable, match="cannot be opened"):
        IconReader.load(embed_texts, damaged, device="cpu")
    monkeypatch.setattr(icon_reader, "MODEL", damaged)
    with pytest.raises(ModelUnusable, match="damaged"):
        IconReader.load(embed_texts, device="cpu")


def test_a_model_of_another_kind_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = tmp_path / "vocabulary.json"
    shutil.copy(icon_reader.VOCABULARY, shorter)
    shorter.write_text(shorter.read_text(encoding="utf-8").replace('"search",', "", 1), encoding="utf-8")
    with pytest.raises(ModelUnusable, match="not an icon model"):
        IconReader(
            OnnxModel(MODEL, device="cpu"), msgspec.json.decode(shorter.read_bytes(), type=Vocabulary), embed_texts
        )
    monkeypatch.setattr(icon_reader, "VOCABULARY", shorter)
    with pytest.raises(ModelUnusable, match=r"vocabulary\.json: the model file is damaged"):
        IconReader.load(embed_texts, device="cpu")
