"""Wiring of questions with pictures: the pictures at hand, and the browser that shows one and searches by pictures."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from functools import cache

import msgspec

from walker.asked_picture.drawn_picture import asked_views
from walker.asked_picture.picture_browser import Asked, PictureBrowser
from walker.asked_picture.picture_file import AskedPicture
from walker.errors import UsageError
from walker.library.opening import library_errors, opened_library
from walker.recording.recorded_picture_search import RecordedPictureSearch
from walker.recording.recording import Recording
from walker.rules.scope import WalkScope
from walker.seams.chat import ChatImage
from walker.seams.protocols import Browser, VisionModel
from walker.seams.search_protocols import PictureSearch
from walker.seams.task import Task
from walker.seams.web.way_out import UpstreamProxy
from walker.settings import Settings
from walker.strategies.pictured.subject import subject_of
from walker.vision.builtin_vision import BuiltinVision
from walker.vision.sent_picture import chat_image
from walker.vision.subject_place import SubjectPlace


def picture_search_of(
    settings: Settings, proxy: Callable[[], UpstreamProxy | None]
) -> Callable[[], PictureSearch] | None:
    """Opens the search by pictures that the settings name: of a service, which is sent pictures (by `proxy` unless it is near), else
    of their library; None where they name neither."""
    service, path, folder = settings.picture_search, settings.library, settings.picture_model
    if service is None and path is None:
        return None

    @cache
    def encoder() -> object:
        assert path is not None, "it is asked for with a library"
        searching = importlib.import_module("walker.library.picture_search")
        return None if folder is None else searching.prepared_encoder(path, folder)[0]

    def opened() -> PictureSearch:
        # An HTTP client, or local features and their vocabulary: most walks ask about no picture.
        if service is not None:
            asking = importlib.import_module("walker.pictures.picture_service")
            asked: PictureSearch = asking.PictureServiceSearch(service, proxy=proxy())
            return asked
        assert path is not None, "without a service there is a library"
        searching = importlib.import_module("walker.library.picture_search")
        with library_errors():
            reading = importlib.import_module("walker.pictures.picture_text")
            read = reading.picture_reader(settings.ocr)
            search: PictureSearch = searching.LibraryPictureSearch.read(path, encoder(), read)
        return search

    return opened


def with_picture_search(settings: Settings) -> Settings:
    """The settings with a search by picture, where they name a service, or their library holds pictures. Raises `LibraryFailed`, and
    `UsageError` for an encoder without a library that holds pictures."""
    if settings.beyond.pictures:
        return settings
    has_pictures = settings.picture_search is not None
    if not has_pictures and settings.library is not None and settings.library.exists():
        with opened_library(settings.library) as library:
            has_pictures = library.info().pictures > 0
    if settings.picture_model is not None and not has_pictures:
        advice = "Name one with --library FILE; walker crawl ROOT --keep pictures --library FILE fills it"
        raise UsageError(
            "an encoder compares pictures of a library, and there are none",
            where=str(settings.picture_model),
            advice=advice,
        )
    if not has_pictures:
        return settings
    beyond = msgspec.structs.replace(settings.beyond, pictures=True)
    return msgspec.structs.replace(settings, beyond=beyond)


class QuestionPictures:
    """What the walks of a process need for pictures."""

    def __init__(self, open_search: Callable[[], PictureSearch] | None) -> None:
        """`open_search` opens what pages are searched by pictures with, anew for each walk."""
        self._open_search = open_search
        self._held: dict[str, list[bytes]] = {}
        """The pictures of questions by their digest, once for each walk that has one."""

    async def check(self) -> None:
        """Open the search once, before anything is recorded: an encoder that cannot be used leaves no run behind. Raises `UsageError`,
        `LibraryFailed`."""
        if self._open_search is not None:
            await self._open_search().close()

    @contextlib.contextmanager
    def holding(self, picture: AskedPicture | None) -> Iterator[None]:
        """Keep the picture of a question at hand for as long as its walk takes."""
        if picture is None:
            yield
            return
        held = self._held.setdefault(picture.about.digest, [])
        held.append(picture.data)
        try:
            yield
        finally:
            held.pop()

    def held(self, task: Task) -> AskedPicture | None:
        """The picture of the task's question, None where there is none, or it is not at hand."""
        held = self._held.get(task.picture.digest, []) if task.picture is not None else []
        return AskedPicture(about=task.picture, data=held[-1]) if task.picture is not None and held else None

    def sent(self, task: Task, model: str) -> tuple[ChatImage, ...]:
        """The picture of the question, and the part that it is about, as a model of this name is sent them; () where there is none at
        hand."""
        asked = self.held(task)
        if asked is None:
            return ()
        return tuple(chat_image(data, model) for data in asked_views(asked))

    def sent_in_walk(self, task: Task, settings: Settings) -> tuple[ChatImage, ...]:
        """The same for the language model of a walk; () for one that takes no pictures."""
        model = settings.model
        return self.sent(task, model.name) if model is not None and settings.model_sees else ()

    def search(self, recording: Recording | None) -> PictureSearch | None:
        """A search by pictures for one walk, None where there is none."""
        if self._open_search is None:
            return None
        search = self._open_search()
        return search if recording is None else RecordedPictureSearch(search, recording)

    def in_front_of(
        self,
        browser: Browser,
        task: Task,
        scope: WalkScope,
        search: PictureSearch | None,
        vision: tuple[BuiltinVision, VisionModel | None],
    ) -> Browser:
        """The browser behind one that shows the picture of the question and searches by pictures; itself where there is neither.
        `vision`: built-in vision tells where the subject of the question is on pages, and only the model, where on a photograph."""
        if task.picture is None and search is None:
            return browser
        picture = self.held(task)
        asked = Asked(question=task.question, subject=subject_of(task.question, task.language).words, picture=picture)
        finder = SubjectPlace(*vision, task.question, task.language)
        locate = finder.find if picture is None or vision[1] is not None else None
        return PictureBrowser(browser, asked, scope, search, locate)
