"""Makes the icon reader from the icon sets: `python -m tools.icon_training FOLDER`, see README.md."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from perception.icons.glyph_image import glyph_batch
from perception.icons.icon_reader import IconReader
from tools.icon_training import evaluate
from tools.icon_training.calibrate import best_temperature, best_threshold
from tools.icon_training.evaluate import UnseenIcon, unseen_icons
from tools.icon_training.export import PACKAGE, export_network, load_network
from tools.icon_training.icon_sets import tags_of_sets
from tools.icon_training.labels import Labels, common_icons, label_rows, load_labels, other_names, save_labels
from tools.icon_training.render import render_sets, render_words
from tools.icon_training.train import ROUNDS, train_network

log = logging.getLogger(__name__)


def make_reader(folder: Path, chromium: str | None = None) -> None:
    """Draw, label, learn, calibrate and export; what `folder` already holds is not made again."""
    if not (folder / "icons.npy").exists():
        render_sets(folder / "node_modules", folder, chromium)
    rows: list[dict[str, str]] = json.loads((folder / "icons.json").read_text())
    tags = tags_of_sets(folder / "node_modules")
    if not (folder / "labels.npz").exists():
        save_labels(label_rows(rows, tags), folder)
    labels = load_labels(folder)
    if not (folder / "words.npy").exists():
        render_words(negative_words(labels.words), folder, chromium)
    if not (folder / "network.pt").exists():
        for number, schedule in enumerate(ROUNDS):
            train_network(folder, schedule, folder / "network.pt" if number else None)
    drawings = np.load(folder / "icons.npy", mmap_mode="r")
    also = other_names(rows, tags, labels)
    calibrate_and_export(folder, labels, also, rows_of_use(rows, labels, tags, drawings, "validate"))
    reader = IconReader.load(PACKAGE / "icons.onnx", device="cpu")
    for style in ("regular", "bold", "light", "fill", "duotone"):
        report(reader, rows_of_use([*rows], labels, tags, drawings, "test", style), style)


def negative_words(words: tuple[str, ...]) -> list[str]:
    """Words, pairs of words and numbers, as pages print them: what the reader must not take for icons."""
    kept = [word for word in words if len(word) > 2]
    texts = [word.upper() if place % 7 == 0 else word.title() if place % 3 else word for place, word in enumerate(kept)]
    pairs = [f"{one} {other}" for one, other in zip(texts[::5], texts[2::5], strict=False)]
    return [*texts, *pairs, *(str(number) for number in range(137, 99999, 331))]


def calibrate_and_export(
    folder: Path, labels: Labels, also: dict[str, tuple[str, ...]], icons: list[tuple[int, UnseenIcon]]
) -> None:
    """Write the package's files, twice: the threshold is found with the model as it will be shipped."""
    network = load_network(folder / "network.pt", labels)
    with torch.no_grad():
        logits = network(torch.from_numpy(glyph_batch([icon.crop for _, icon in icons])))[0].numpy()
    temperature = best_temperature(logits, labels.class_of_row[[row for row, _ in icons]])
    export_network(network, labels, also, (temperature, 1.0))
    reader = IconReader.load(PACKAGE / "icons.onnx", device="cpu")
    threshold = best_threshold(reader, [icon for _, icon in icons], labels.classes[: len(labels.also)])
    log.info("temperature %.2f, threshold %.2f", temperature, threshold)
    export_network(network, labels, also, (temperature, threshold))


def rows_of_use(
    rows: list[dict[str, str]], labels: Labels, tags: Any, drawings: Any, use: str, style: str = ""
) -> list[tuple[int, UnseenIcon]]:
    """Row numbers and icons of a set that is not learnt from."""
    chosen = [n for n, row in enumerate(rows) if row["use"] == use and style in ("", row["style"])]
    common = _common_names(rows, labels, chosen, use)
    icons = unseen_icons([rows[n] for n in chosen], tags[rows[chosen[0]]["set"]], common, drawings[chosen])
    return list(zip(chosen, icons, strict=True))


def _common_names(rows: list[dict[str, str]], labels: Labels, chosen: list[int], use: str) -> list[str]:
    """The common icon that each row is, "" for none. The test set has a list of its own, the other goes by class."""
    if use == "test":
        listed = {file: icon.name for icon in common_icons() for file in icon.test}
        return [listed.get(rows[n]["name"], "") for n in chosen]
    classes = (*labels.classes[: len(labels.also)], "")
    return [classes[min(int(labels.class_of_row[n]), len(labels.also))] for n in chosen]


def report(reader: IconReader, numbered: list[tuple[int, UnseenIcon]], style: str) -> None:
    """Log the figures of one style of the test set."""
    icons = [icon for _, icon in numbered]
    log.info(
        "%s: common icons right %.3f, found among 20 by name %.3f, by one word %.3f; names given right %.3f, to common icons %.3f",
        style,
        evaluate.share_named_right(reader, icons),
        evaluate.share_found(reader, icons, phrases=True),
        evaluate.share_found(reader, icons, phrases=False),
        evaluate.share_of_names_right(reader, icons),
        evaluate.share_given_a_name(reader, icons),
    )
    if style == "regular":
        log.info("wrong: %s", evaluate.wrong_names(reader, icons))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    make_reader(Path(sys.argv[1]), *sys.argv[2:3])
