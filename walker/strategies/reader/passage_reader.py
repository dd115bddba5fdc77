"""Reads texts for a question: how likely each answers it, and how likely each span of it is the answer.

An extractive reader as in retrieve-and-read question answering (Chen et al. 2017): a transformer over question and text
together, where the ranker compares both apart. It reads eight languages; `SOURCES.md` says what it learnt from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from perception.ocr.onnx_models import CPU, check_file, runtime, session_options
from walker.strategies.reader.model_digest import SHA256, TOKENIZER_SHA256
from walker.strategies.reader.unigrams import Token, Unigrams, shared_lengths

FOLDER = Path(__file__).parent
LONGEST = 160
"""Tokens of question and text together; what is longer is cut at the end of the text."""
QUESTION_CHARS = 300
HEADING_CHARS = 120
SPAN_TOKENS = 20
"""Most tokens of an answer."""
READ_AT_ONCE = 2
"""Texts that the net takes at a time. With the same readings 24 of 60 to 700 characters took 0.65 s of CPU by twos, 1.37 s by eights
and 0.48 s one by one, 64 short ones 0.34, 0.37 and 0.44 s; the process grew by 16 MB, 31 by eights."""
LEAST_LOG = -30.0
_START, _END = 0, 2
"""Ids of the tokens `<s>` and `</s>`: a pair is `<s> question </s></s> text </s>`."""
_LANGUAGES = frozenset(("de", "en", "es", "fr", "it", "ja", "pt", "zh"))


class ReaderText(msgspec.Struct, frozen=True):
    """A text to read, and the headings above it."""

    heading: str
    text: str


class Reading(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What was read in one text: characters of each token, and the log probability that the answer starts and ends with it. What is
    missing to 1 is that the text does not answer."""

    log_odds: float
    """That the text answers the question."""
    tokens: tuple[tuple[int, int], ...] = ()
    starts: tuple[float, ...] = ()
    ends: tuple[float, ...] = ()

    def span_log(self, start: int, end: int) -> float:
        """Log probability that the characters from `start` to `end` are the answer; `LEAST_LOG` where nothing was read there."""
        within = [number for number, (first, last) in enumerate(self.tokens) if first < end and last > start]
        return self.starts[within[0]] + self.ends[within[-1]] if within else LEAST_LOG

    def best_span(self, start: int, end: int) -> tuple[int, int, float] | None:
        """The likeliest span between two characters, with its log probability; None where nothing was read."""
        within = [number for number, (first, last) in enumerate(self.tokens) if first >= start and last <= end]
        pairs = (
            (self.starts[one] + self.ends[other], one, other)
            for place, one in enumerate(within)
            for other in within[place : place + SPAN_TOKENS]
        )
        best = max(pairs, default=None)
        return None if best is None else (self.tokens[best[1]][0], self.tokens[best[2]][1], best[0])


class PassageReader(Protocol):
    """Reads texts for a question. Deterministic."""

    def reads(self, language: str) -> bool:
        """Whether it reads a language, a BCP 47 primary tag."""
        ...

    def read(self, question: str, texts: Sequence[ReaderText]) -> list[Reading]:
        """One reading for each text, in order."""
        ...


class NetReader:
    """The reader of the package: 29 MB, opened with the first text; 21 ms of CPU for 90 tokens."""

    def reads(self, language: str) -> bool:
        """Those that it learnt: English, German, French, Spanish, Portuguese, Italian, Chinese, Japanese."""
        return language in _LANGUAGES

    def read(self, question: str, texts: Sequence[ReaderText]) -> list[Reading]:
        """One reading for each text, in order. Raises `ModelUnusable` if the package's file is missing or damaged."""
        asked = _tokenizer().tokens(_whole(question[:QUESTION_CHARS]), LONGEST)
        encoded = [_encoded(asked, _tokenizer().tokens(_whole(shown(text)), LONGEST)) for text in texts]
        order = sorted(range(len(texts)), key=lambda place: len(encoded[place].ids))
        readings: dict[int, Reading] = {}
        for first in range(0, len(order), READ_AT_ONCE):
            places = order[first : first + READ_AT_ONCE]
            spans, relevance = _run([encoded[place] for place in places])
            for row, place in enumerate(places):
                skipped = len(shown(texts[place])) - len(texts[place].text)
                readings[place] = _reading(encoded[place], skipped, spans[row], float(relevance[row, 0]))
        return [readings[place] for place in range(len(texts))]


class _Encoded(NamedTuple):
    """A question and a text as the net takes them."""

    ids: list[int]
    type_ids: list[int]
    tokens: list[Token]
    """Those of the text."""


def _encoded(question: Sequence[Token], text: Sequence[Token]) -> _Encoded:
    kept, kept_of_text = shared_lengths(len(question), len(text), LONGEST - 4)
    asked, told = [one.id for one in question[:kept]], [one.id for one in text[:kept_of_text]]
    ids = [_START, *asked, _END, _END, *told, _END]
    types = [0] * (len(ids) - len(told) - 1) + [1] * (len(told) + 1)
    return _Encoded(ids, types, list(text[:kept_of_text]))


def shown(text: ReaderText) -> str:
    """A text as it is read: headings, a bar, the text."""
    heading = text.heading[-HEADING_CHARS:].strip()
    return f"{heading} | {text.text}" if heading else text.text


def _whole(text: str) -> str:
    """Halves of a character, which pages may hold, as question marks: the tokenizer takes none."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _run(encoded: Sequence[_Encoded]) -> list[npt.NDArray[np.float32]]:
    longest = max(len(one.ids) for one in encoded)
    feeds = {name: np.zeros((len(encoded), longest), np.int64) for name in ("ids", "mask", "types")}
    for row, one in enumerate(encoded):
        length = len(one.ids)
        feeds["ids"][row, :length], feeds["mask"][row, :length] = one.ids, 1
        feeds["types"][row, :length] = one.type_ids
    return list(_session().run(["spans", "relevance"], feeds))


def _reading(encoded: _Encoded, skipped: int, logits: npt.NDArray[np.float32], log_odds: float) -> Reading:
    """`skipped`: characters before the text itself. The first token stands for "no answer"."""
    first = len(encoded.ids) - len(encoded.tokens) - 1
    own = [number for number, token in enumerate(encoded.tokens) if token.end]
    logs = [
        _log_shares(logits[[0, *(first + number for number in own)], column].astype(np.float64))[1:]
        for column in (0, 1)
    ]
    kept = [place for place, number in enumerate(own) if encoded.tokens[number].start >= skipped]
    places = [(encoded.tokens[own[place]].start - skipped, encoded.tokens[own[place]].end - skipped) for place in kept]
    return Reading(
        log_odds=round(log_odds, 4),
        tokens=tuple(places),
        starts=tuple(round(float(logs[0][place]), 4) for place in kept),
        ends=tuple(round(float(logs[1][place]), 4) for place in kept),
    )


def _log_shares(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    highest = float(logits.max())
    shares: npt.NDArray[np.float64] = logits - (highest + math.log(float(np.exp(logits - highest).sum())))
    return shares


@cache
def _tokenizer() -> Unigrams:
    file = FOLDER / "tokenizer.json"
    check_file(file, TOKENIZER_SHA256)
    return Unigrams(file.read_bytes())


@cache
def _session() -> Any:
    file = FOLDER / "reader.onnx"
    check_file(file, SHA256)
    options = session_options(threads=1)
    # An arena keeps what the largest batch took, 58 MB, to the end; without it a batch takes as long (0.24 s for 8 texts).
    options.enable_cpu_mem_arena = False
    # A plan of memory is kept for each length of texts, and there are as many lengths as pairs of texts: 6 MB.
    options.enable_mem_pattern = False
    # Weights are held in 8 bits and computed with in 32: the same figures on every processor.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    return runtime().InferenceSession(str(file), options, providers=[CPU])
