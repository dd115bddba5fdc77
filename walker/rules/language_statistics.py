"""The likeliest language of a text by the statistics of its letters; the model is loaded when asked, and given back soon after."""

from __future__ import annotations

import threading
from collections.abc import Callable

from py3langid.langid import MODEL_FILE, LanguageIdentifier

KEPT_SECONDS = 30.0
"""Seconds after the last question for which the model is kept: whole it holds 75 MB, and loading it takes 0.3 s."""

Opener = Callable[[], tuple[LanguageIdentifier, Callable[[], None]]]
"""Gives the model, and what is called when it is given back."""


def _open_whole() -> tuple[LanguageIdentifier, Callable[[], None]]:
    return LanguageIdentifier.from_model_file(MODEL_FILE), lambda: None


class _Model:
    """The statistical model, for whichever thread asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._identifier: LanguageIdentifier | None = None
        self._open: Opener = _open_whole
        self._close: Callable[[], None] | None = None
        self._end: threading.Timer | None = None

    def open_with(self, opener: Opener) -> None:
        """Load it in another way from the next time on: this code is pure, and knows no files."""
        self._open = opener

    def classify(self, text: str) -> str:
        """BCP 47 primary tag."""
        with self._lock:
            if self._end is not None:
                self._end.cancel()
            if self._identifier is None:
                self._identifier, self._close = self._open()
            self._end = threading.Timer(KEPT_SECONDS, self.give_back)
            self._end.daemon = True
            self._end.start()
            return str(self._identifier.classify(text)[0])

    def give_back(self) -> None:
        """Drop it; the next question loads it again."""
        with self._lock:
            self._identifier = None
            if self._close is not None:
                self._close()
                self._close = None

    @property
    def is_loaded(self) -> bool:
        return self._identifier is not None


MODEL = _Model()


def likeliest_language(text: str) -> str:
    """BCP 47 primary tag, right for most texts from a sentence on."""
    return MODEL.classify(text)
