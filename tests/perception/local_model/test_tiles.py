"""Pictures cut into tiles, as Idefics3 and SmolVLM take them: how many, which, and what stands for them in the prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.images.image import Picture
from perception.local_model.local_model import LocalModel
from perception.local_model.tiles import TileMarks, parts_of, tile_rows, tiles_of
from tests.perception.local_model.tiny import LONGEST, SIDE, Weights, make_tokenizer, reference_logits, write_folder

QUESTION = "What is it?"
ROWS, COLUMNS = 3, 4
SMOL = {"size": {"longest_edge": 2048}, "max_image_size": {"longest_edge": 512}}
IDEFICS = {"size": {"longest_edge": 1456}, "max_image_size": {"longest_edge": 364}}
AROUND, WHOLE = "<fake_token_around_image>", "<global-img>"


def drawn(width: int = LONGEST, height: int = ROWS * SIDE, seed: int = 1) -> Picture:
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3)).astype(np.uint8)


def reference_tiles(picture: Picture) -> NDArray[Any]:
    """Tiles row by row, then the whole picture by means of blocks."""
    height, width = picture.shape[0] // SIDE, picture.shape[1] // SIDE
    tiles = [picture[y * SIDE : (y + 1) * SIDE, x * SIDE : (x + 1) * SIDE] for y in range(height) for x in range(width)]
    blocks = picture.reshape(SIDE, height, SIDE, width, 3).astype(np.float64)
    tiles.append(np.rint(blocks.mean(axis=(1, 3))).astype(np.uint8))
    return np.array([[(tile[:, :, 2 - channel] / 255 - 0.5) / 0.5 for channel in range(3)] for tile in tiles])


def reference_answer(weights: Weights, picture: Picture, most: int) -> list[int]:
    """Greedy, everything computed again for every token, the prompt written out by hand."""
    tokenizer = make_tokenizer("tiles")
    features = reference_tiles(picture).reshape(-1, weights.vision.shape[0]) @ weights.vision
    four = "<image>" * 4
    shown = "".join(
        "".join(f"{AROUND}<row_{row}_col_{column}>{four}" for column in (1, 2, 3, 4)) + "\n" for row in (1, 2, 3)
    )
    shown += f"\n{AROUND}{WHOLE}{four}{AROUND}"
    text = f"<|im_start|>User:{shown} {QUESTION}<end_of_utterance>\nAssistant:"
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    image, end = tokenizer.token_to_id("<image>"), tokenizer.token_to_id("<end_of_utterance>")
    said: list[int] = []
    while len(said) < most:
        embeds = weights.embed[np.array([*ids, *said])]
        embeds[[at for at, one in enumerate(ids) if one == image]] = features
        token = int(reference_logits(weights, embeds, np.arange(len(embeds))[None])[-1].argmax())
        if token == end:
            break
        said.append(token)
    return said


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_answer_is_that_of_the_reference(tmp_path: Path, seed: int) -> None:
    weights = write_folder(tmp_path / "m", "tiles")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    reply = model.answer([drawn(seed=seed)], QUESTION, max_tokens=10)
    expected = reference_answer(weights, drawn(seed=seed), 10)
    assert reply.completion_tokens == len(expected) > 0
    assert reply.text == make_tokenizer("tiles").decode(expected).strip()
    assert reply.prompt_tokens > (ROWS * COLUMNS + 1) * 4


def test_tiles_are_those_of_the_reference() -> None:
    settings = {
        "size": {"longest_edge": LONGEST},
        "max_image_size": {"longest_edge": SIDE},
        "image_mean": [0.5] * 3,
        "image_std": [0.5] * 3,
    }
    made = tiles_of(drawn(), settings, TileMarks(tokens=4))
    values = made.feeds["pixel_values"]
    assert values.shape == (1, 13, 3, SIDE, SIDE)
    assert np.abs(values[0] - reference_tiles(drawn())).max() <= 2 / 255 + 1e-6
    assert np.abs(values[0, :12] - reference_tiles(drawn())[:12]).max() < 1e-6
    assert made.feeds["pixel_attention_mask"].all()
    assert made.tokens == 52


@pytest.mark.parametrize(
    ("size", "settings", "expected"),
    [
        ((1280, 800), SMOL, (3, 4)),  # 2048 x 1280 in tiles of 512
        ((800, 1280), SMOL, (4, 3)),
        ((2048, 2048), SMOL, (4, 4)),
        ((100, 100), SMOL, (4, 4)),  # a small picture is made large first
        ((2000, 10), SMOL, (1, 4)),
        ((1280, 800), IDEFICS, (3, 4)),  # 1456 x 910
        ((1, 1), IDEFICS, (4, 4)),
        ((300, 200), {**IDEFICS, "do_image_splitting": False}, (0, 0)),
        ((300, 200), {**IDEFICS, "do_resize": False}, (0, 0)),
        ((365, 364), {**IDEFICS, "do_resize": False}, (2, 2)),  # as wide as two tiles, its aspect makes it two high
        ((9000, 9000), {**SMOL, "size": {"longest_edge": 9000}}, (8, 8)),  # never longer than 4096
    ],
)
def test_rows_and_columns(size: tuple[int, int], settings: dict[str, Any], expected: tuple[int, int]) -> None:
    assert tile_rows(*size, settings=settings) == expected


def test_many_tiles_are_looked_at_in_turn() -> None:
    settings = {"size": {"longest_edge": LONGEST}, "max_image_size": {"longest_edge": SIDE}}
    feeds = tiles_of(drawn(), settings, TileMarks(tokens=4)).feeds
    parts = parts_of(feeds)
    assert [part["pixel_values"].shape[1] for part in parts] == [6, 6, 1]
    assert np.concatenate([part["pixel_attention_mask"] for part in parts], axis=1).shape == (1, 13, SIDE, SIDE)
    assert np.array_equal(np.concatenate([part["pixel_values"] for part in parts], axis=1), feeds["pixel_values"])
    assert parts_of({"pixel_values": np.zeros((24, 96))})[0]["pixel_values"].shape == (24, 96)


def test_a_picture_that_is_not_cut_stands_alone() -> None:
    settings = {"max_image_size": {"longest_edge": SIDE}, "do_image_splitting": False}
    made = tiles_of(drawn(), settings, TileMarks(tokens=4))
    assert made.feeds["pixel_values"].shape == (1, 1, 3, SIDE, SIDE)
    assert made.pieces == (AROUND + WHOLE, 4, AROUND)


def test_several_pictures_each_have_their_tiles(tmp_path: Path) -> None:
    write_folder(tmp_path / "m", "tiles")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    one, two = drawn(seed=1), drawn(SIDE, SIDE, seed=2)
    assert (model.image_tokens(one), model.image_tokens(two)) == (52, 68)
    both = model.answer([one, two], QUESTION, max_tokens=6)
    other = model.answer([one, 255 - two], QUESTION, max_tokens=6)
    assert both.prompt_tokens > 120
    assert both.text != other.text, "the second picture matters"


def test_settings_in_one_file_do_too(tmp_path: Path) -> None:
    """Newer exports have processor_config.json only, and the preprocessor in it."""
    write_folder(tmp_path / "m", "tiles")
    before = LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=6)
    inner = json.loads((tmp_path / "m" / "preprocessor_config.json").read_text())
    (tmp_path / "m" / "preprocessor_config.json").unlink()
    (tmp_path / "m" / "processor_config.json").write_text(json.dumps({"image_seq_len": 4, "image_processor": inner}))
    assert LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=6) == before


def test_tokens_of_a_tile_follow_from_the_encoder_where_nothing_says_them(tmp_path: Path) -> None:
    write_folder(tmp_path / "m", "tiles")
    (tmp_path / "m" / "processor_config.json").unlink()
    config = json.loads((tmp_path / "m" / "config.json").read_text())
    config |= {"scale_factor": 2, "vision_config": {"image_size": SIDE, "patch_size": 2}}
    (tmp_path / "m" / "config.json").write_text(json.dumps(config))
    assert LocalModel.load(tmp_path / "m", device="cpu").image_tokens(drawn(SIDE, SIDE)) == 17 * 4


def test_settings_that_are_of_another_model_are_told(tmp_path: Path) -> None:
    write_folder(tmp_path / "m", "tiles")
    (tmp_path / "m" / "processor_config.json").write_text('{"image_seq_len": 5}')
    model = LocalModel.load(tmp_path / "m", device="cpu")
    with pytest.raises(
        ModelUnusable, match=r"vision_encoder\.onnx: it makes 52 rows of features .* a place for 65\. p"
    ):
        model.answer([drawn()], QUESTION)
    settings = {"max_image_size": {"longest_edge": 2 * SIDE}}
    (tmp_path / "m" / "preprocessor_config.json").write_text(json.dumps(settings))
    with pytest.raises(ModelUnusable, match=r"takes pictures of 8 x 8, and preprocessor_config\.json makes 16 x 16"):
        LocalModel.load(tmp_path / "m", device="cpu")
    with pytest.raises(ModelUnusable, match=r"names no max_image_size\.longest_edge"):
        tiles_of(drawn(), {"max_image_size": {}}, TileMarks(tokens=4))
