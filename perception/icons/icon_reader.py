"""Icon recognition: names for icons, and the icon that best matches a word. `tools/icon_training` makes the network."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from perception.errors import ModelUnusable
from perception.icons.glyph_image import SIDE, Crop, glyph_batch
from perception.icons.model_digest import SHA256, VOCABULARY_SHA256
from perception.icons.query_words import words_of
from perception.icons.word_neighbours import Embed, Neighbours
from perception.ocr.onnx_models import Device, OnnxModel, check_file, session_without_arena

MODEL = Path(__file__).with_name("icons.onnx")
VOCABULARY = Path(__file__).with_name("vocabulary.json")
SOURCE = "install the package again, or retrain it as tools/icon_training/README.md in the repository says"

NOT_AN_ICON = "not an icon"
"""The class for text, a photo or an even area; the best guess where it is likelier than every icon."""
AT_ONCE = 64
"""Batch size; larger batches are not faster."""
GUESSES = 5
THREADS = 2
"""Threads of a run, without spinning: 40 crops take 25 ms with two threads and 41 ms with one, and equally long with either where
another process needs a core."""

Floats = npt.NDArray[np.float32]


class IconGuess(msgspec.Struct, frozen=True, kw_only=True):
    """A possible name of an icon. `confidence` is its probability 0 to 1, calibrated on a held-out set."""

    name: str
    confidence: float


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """The meaning of the model's outputs, and the confidence threshold."""

    classes: tuple[str, ...]
    """Names in the order of the output "classes"; the last two are "any other icon" and "no icon"."""
    also: dict[str, tuple[str, ...]]
    """Other names for the same icon."""
    words: tuple[str, ...]
    """Words in the order of the output "words"."""
    threshold: float
    common: int
    """The first so many classes are common icons: only their names are reliable enough to be given."""


class IconReader:
    """Recognises crops of a screenshot that show one icon each. Stateless between calls."""

    def __init__(self, model: OnnxModel, vocabulary: Vocabulary, embed: Embed) -> None:
        """Raises `ModelUnusable` if the model is not the one that the vocabulary describes."""
        self._model, self._vocabulary = model, vocabulary
        expected = {"classes": len(vocabulary.classes), "words": len(vocabulary.words)}
        found = {value.name: value.shape[-1] for value in model.session.get_outputs()}
        shapes = [shape[1:] for _, shape in model.inputs.values()]
        if found != expected or shapes != [[1, SIDE, SIDE]]:
            raise ModelUnusable(
                f"this is not an icon model: it gives {found} for {shapes}, not {expected} for {[[1, SIDE, SIDE]]}",
                where=str(model.path),
                advice=f"Get it again: {SOURCE}",
            )
        self._word_places = {word: place for place, word in enumerate(vocabulary.words)}
        self._common = frozenset(vocabulary.classes[: vocabulary.common])
        self._neighbours = Neighbours(vocabulary.words, embed)
        self._class_words = [
            [frozenset(words_of(text)) for text in (name, *vocabulary.also.get(name, ()))]
            for name in vocabulary.classes[:-2]
        ]

    @classmethod
    def load(cls, embed: Embed, path: Path | None = None, device: Device = "auto") -> IconReader:
        """Open the model of the package, or another of the same shape. `embed` gives the vectors by which words that it does not
        know are compared with those that it does. Raises `ModelUnusable`."""
        check_file(VOCABULARY, VOCABULARY_SHA256, SOURCE)
        digest = "" if path else SHA256
        model = OnnxModel(
            path or MODEL,
            sha256=digest,
            source=SOURCE,
            device=device,
            threads=THREADS,
            make_session=session_without_arena,  # with an arena 40 crops leave 16 MB, and take as long
        )
        return cls(model, msgspec.json.decode(VOCABULARY.read_bytes(), type=Vocabulary), embed)

    @property
    def threshold(self) -> float:
        """Least confidence for the name of a common icon; nine in ten are right, on a held-out set too."""
        return self._vocabulary.threshold

    def read(self, crops: Sequence[Crop]) -> tuple[tuple[IconGuess, ...], ...]:
        """The five likeliest names of each crop, best first. Raises `ValueError` unless crops are uint8 gray or BGR pictures.

        An unknown icon has guesses of low confidence; see `names`.
        """
        return tuple(self._guesses(chances) for chances in self._run(crops, ("classes",))[0])

    def names(self, crops: Sequence[Crop]) -> tuple[str, ...]:
        """The name of the common icon in each crop; "" below the threshold, and where there is no icon.

        Rarer icons are only named by `read`: of their most confident names eight in ten are right.
        """
        best = (guesses[0] for guesses in self.read(crops))
        return tuple(
            guess.name if guess.name in self._common and guess.confidence >= self.threshold else "" for guess in best
        )

    def other_names(self, name: str) -> tuple[str, ...]:
        """Synonyms of an icon's name: "house" for "home"."""
        return self._vocabulary.also.get(name, ())

    def match(self, crops: Sequence[Crop], query: str) -> list[float]:
        """How well each crop fits a word or phrase, 0 to 1: a ranking score, not a probability.

        All 0 for a query without any word.
        """
        words = words_of(query)
        if not words or not crops:
            return [0.0] * len(crops)
        return self.scores(*self.run(crops), words)

    def run(self, crops: Sequence[Crop]) -> tuple[Floats, Floats]:
        """Class probabilities and word log-probabilities, one row per crop; reuse them for many queries of the same crops."""
        chances, log_words = self._run(crops, ("classes", "words"))
        return chances, log_words

    def scores(self, chances: Floats, log_words: Floats, words: tuple[str, ...]) -> list[float]:
        """`match` from the outputs of `run`: class probabilities and word log-probabilities, one row per crop."""
        fitting = [self._word_score(word, log_words) for word in words]
        by_words = np.exp(np.mean(fitting, axis=0))
        scores = np.minimum(1.0, by_words + chances[:, :-2] @ self._class_weights(frozenset(words)))
        return [float(score) for score in scores]

    def _guesses(self, chances: Floats) -> tuple[IconGuess, ...]:
        named = np.delete(chances, -2)
        likely = np.flatnonzero(named >= np.partition(named, -GUESSES)[-GUESSES])
        best = likely[np.argsort(-named[likely], kind="stable")][:GUESSES]
        names = (*self._vocabulary.classes[:-2], NOT_AN_ICON)
        return tuple(IconGuess(name=names[place], confidence=float(named[place])) for place in best)

    def _word_score(self, word: str, log_words: Floats) -> Floats:
        """Log-probability of a word for each crop; an unknown word is replaced by its nearest known ones."""
        place = self._word_places.get(word)
        near = [(place, 1.0)] if place is not None else self._neighbours.of(word)
        if not near:
            return np.full(len(log_words), log_words.mean(), np.float32)
        total = sum(weight for _, weight in near)
        return np.asarray(sum(log_words[:, place] * np.float32(weight / total) for place, weight in near))

    def _class_weights(self, words: frozenset[str]) -> Floats:
        """Weight of each class for a query: 1 for its name, less for one of its synonyms."""
        weights = np.zeros(len(self._class_words), np.float32)
        for number, names in enumerate(self._class_words):
            if words in names:
                weights[number] = 1.0 if words == names[0] else ALSO_WEIGHT
        return weights

    def _run(self, crops: Sequence[Crop], outputs: tuple[str, ...]) -> list[Floats]:
        """The model's outputs, one row a crop."""
        batch = glyph_batch(crops)
        parts: list[list[Any]] = [
            self._model.run({"pictures": batch[start : start + AT_ONCE]}, outputs)
            for start in range(0, len(batch), AT_ONCE)
        ]
        return [np.concatenate(part) for part in zip(*parts, strict=True)] if parts else [np.zeros((0, 0), np.float32)]


ALSO_WEIGHT = 0.5
"""Weight of a class for a query that is one of its synonyms: those are shared ("next" is an arrow and a chevron)."""


msgspec.json.Decoder(Vocabulary)  # described at import: docs/design/msgspec.md
