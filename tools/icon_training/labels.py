"""What each drawing is called: a class where several sets agree on a name, and weighted words for all of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from perception.icons.query_words import words_of
from tools.icon_training.icon_sets import Tags

COMMON = Path(__file__).with_name("common_icons.json")
SETS_FOR_A_CLASS = 3
"""Sets that must share a name before it is a class: fewer is one set's private word."""
NAME_WEIGHT, COMMON_WEIGHT, TAG_WEIGHT = 1.0, 0.6, 0.4
"""How much a word of the name, of a common icon's synonyms and of a tag counts: tags are many and loose."""
CLASSES_OF_A_NAME = 2
"""Classes that may share another name: a tag of more of them ("direction", "alarm") says of none what it shows."""
OTHER, NO_ICON = "other icon", "no icon"
Row = Mapping[str, str]


class CommonIcon(msgspec.Struct, frozen=True, kw_only=True):
    """An icon that user interfaces share. `files` are its names in the sets, `test` its drawings in the unseen one.

    "name@set" is meant in that set alone, "name@-set" in every other.
    """

    name: str
    also: tuple[str, ...]
    files: tuple[str, ...]
    test: tuple[str, ...]


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """Classes and words of the rows that were drawn."""

    classes: tuple[str, ...]
    """Names; the common icons first in their file's order, `OTHER` and `NO_ICON` last."""
    also: dict[str, tuple[str, ...]]
    """Synonyms of the common icons, by name."""
    words: tuple[str, ...]
    class_of_row: npt.NDArray[np.int64]
    words_of_row: npt.NDArray[np.float32]
    """Row x word, each row sums to 1, or to 0 where no word is known."""


def common_icons() -> tuple[CommonIcon, ...]:
    """The list that was fixed before any training."""
    return msgspec.json.decode(COMMON.read_bytes(), type=tuple[CommonIcon, ...])


def label_rows(rows: Sequence[Row], tags: Mapping[str, Tags]) -> Labels:
    """Name every row; only rows to train on make classes and words."""
    common = common_icons()
    learnt = [row for row in rows if row["use"] == "train"]
    class_names, class_of = _classes(learnt, common)
    weights = _word_weights(rows, tags, common)
    words = _vocabulary(learnt, tags, common)
    place = {word: number for number, word in enumerate(words)}
    matrix = np.zeros((len(rows), len(words)), np.float32)
    for number, row in enumerate(rows):
        for word, weight in weights[row["set"], row["name"]].items():
            if word in place:
                matrix[number, place[word]] = weight
    totals = matrix.sum(axis=1, keepdims=True)
    return Labels(
        classes=(*class_names, OTHER, NO_ICON),
        also={icon.name: icon.also for icon in common},
        words=words,
        class_of_row=np.array([_class_of(row, class_of, len(class_names)) for row in rows]),
        words_of_row=matrix / np.maximum(totals, 1e-6),
    )


def without_order(name: str) -> str:
    """A name with its words sorted, so that "circle-plus" and "plus-circle" are one."""
    return "-".join(sorted(name.split("-")))


def _classes(learnt: Iterable[Row], common: Sequence[CommonIcon]) -> tuple[list[str], dict[tuple[str, str], int]]:
    """Names of classes, and (set or "", unordered name) to class."""
    class_of: dict[tuple[str, str], int] = {}
    sets = {row["set"] for row in learnt} | {"ionicons", "phosphor"}
    for number, icon in enumerate(common):
        for file in icon.files:
            name, _, only = file.partition("@")
            for icon_set in [""] if not only else sets - {only[1:]} if only[0] == "-" else [only]:
                class_of[icon_set, without_order(name)] = number
    for number, icon in enumerate(common):
        class_of |= {("phosphor", without_order(file)): number for file in icon.test}
    names = [icon.name for icon in common]
    known = {name for _, name in class_of} | {without_order(name.replace(" ", "-")) for name in names}
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for _, name in sorted({(row["set"], row["name"]) for row in learnt}):
        spellings[without_order(name)][name] += 1
    for unordered, counted in spellings.items():
        if counted.total() >= SETS_FOR_A_CLASS and unordered not in known:
            class_of["", unordered] = len(names)
            names.append(counted.most_common(1)[0][0].replace("-", " "))
    return names, class_of


def _class_of(row: Row, class_of: Mapping[tuple[str, str], int], other: int) -> int:
    unordered = without_order(row["name"])
    return class_of.get((row["set"], unordered), class_of.get(("", unordered), other))


def _word_weights(
    rows: Sequence[Row], tags: Mapping[str, Tags], common: Sequence[CommonIcon]
) -> dict[tuple[str, str], dict[str, float]]:
    """Set and name to word to weight; a drawing whose set gives no tags borrows those of its name in the others."""
    borrowed: dict[str, list[str]] = defaultdict(list)
    for icon_set, named in tags.items():
        if icon_set not in ("ionicons", "phosphor"):
            for name, texts in named.items():
                borrowed[without_order(name)].extend(texts)
    _, class_of = _classes([row for row in rows if row["use"] == "train"], common)
    weights: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        key = (row["set"], row["name"])
        if key in weights:
            continue
        number = _class_of(row, class_of, len(common))
        own = [*tags.get(row["set"], {}).get(row["name"], ()), *borrowed.get(without_order(row["name"]), ())]
        shared = [common[number].name, *common[number].also] if number < len(common) else []
        weighed = dict.fromkeys((word for text in own for word in words_of(text)), TAG_WEIGHT)
        weighed |= dict.fromkeys((word for text in shared for word in words_of(text)), COMMON_WEIGHT)
        weighed |= dict.fromkeys(words_of(row["name"]), NAME_WEIGHT)
        weights[key] = weighed
    return weights


def _vocabulary(learnt: Iterable[Row], tags: Mapping[str, Tags], common: Sequence[CommonIcon]) -> tuple[str, ...]:
    """Words that two sets and three icons use, or six icons of one set; sorted."""
    users: dict[str, set[str]] = defaultdict(set)
    icons: dict[str, set[str]] = defaultdict(set)
    for icon_set, name in {(row["set"], row["name"]) for row in learnt}:
        for text in (name, *tags.get(icon_set, {}).get(name, ())):
            for word in words_of(text):
                users[word].add(icon_set)
                icons[word].add(name)
    always = {word for icon in common for text in (icon.name, *icon.also) for word in words_of(text)}
    counted = {word for word in icons if len(icons[word]) >= (3 if len(users[word]) >= 2 else 6)}
    return tuple(sorted((counted | always) - {word for word in counted if word.isdigit() and len(word) > 2}))


def other_names(rows: Sequence[Row], tags: Mapping[str, Tags], labels: Labels) -> dict[str, tuple[str, ...]]:
    """What each class is also called: the list's synonyms, else tags that two sets give it and hardly another class."""
    sets_of: dict[tuple[int, str], set[str]] = defaultdict(set)
    for row, label in zip(rows, labels.class_of_row.tolist(), strict=True):
        if row["use"] == "train" and label < len(labels.classes) - 2:
            for tag in tags.get(row["set"], {}).get(row["name"], ()):
                sets_of[label, " ".join(words_of(tag))].add(row["set"])
    shared = sorted(key for key, sets in sets_of.items() if len(sets) >= 2 and key[1])
    classes_of = Counter(tag for _, tag in shared)
    found: dict[str, tuple[str, ...]] = {}
    for label, tag in shared:
        name = labels.classes[label]
        if classes_of[tag] <= CLASSES_OF_A_NAME and tag != " ".join(words_of(name)):
            found[name] = (*found.get(name, ()), tag)
    return found | labels.also


def save_labels(labels: Labels, folder: Path) -> None:
    """Write what the rows are called, for training and export: `labels.json`, `labels.npz`."""
    text: dict[str, Any] = {"classes": labels.classes, "also": labels.also, "words": labels.words}
    (folder / "labels.json").write_text(json.dumps(text))
    np.savez_compressed(folder / "labels.npz", class_of_row=labels.class_of_row, words_of_row=labels.words_of_row)


def load_labels(folder: Path) -> Labels:
    """What `save_labels` wrote."""
    text = json.loads((folder / "labels.json").read_text())
    with np.load(folder / "labels.npz") as arrays:
        return Labels(
            classes=tuple(text["classes"]),
            also={name: tuple(also) for name, also in text["also"].items()},
            words=tuple(text["words"]),
            class_of_row=arrays["class_of_row"],
            words_of_row=arrays["words_of_row"],
        )
