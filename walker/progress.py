"""Live progress of a walk in the terminal, from its events."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from perception.document.visible import shortened, shortened_address
from traces.events import (
    ActionRefused,
    CodeRan,
    CounterMoved,
    ElementLocated,
    Event,
    FieldsExtracted,
    GateDecided,
    Judged,
    PageFailed,
    PageOpened,
    PageRejected,
    PassagesFound,
    PictureCropped,
    PictureNamed,
    TaskAnalysed,
    WalkEnded,
    WalkStarted,
)
from traces.session_events import HandedOver, PersonAsked
from walker.seams.searches import is_own_page, is_picture_search, picture_of, queries_of, roots_of

URL_CHARS, LINE_CHARS = 72, 90


_PASSED_BY = {"chrome": "in the whole browser", "headed": "in a browser with a window", "person": "after you acted"}


class ProgressLines:
    """A line for each page, with what came of it; goes to stderr, so that stdout holds the answer alone."""

    def __init__(self, console: Console, *, verbose: bool = False, prefix: str = "") -> None:
        self._console, self._verbose, self._prefix = console, verbose, prefix
        self._page = 0

    def emit(self, event: Event) -> None:  # noqa: C901, PLR0912 - a case for each kind of event
        """Show an event, where a person would want to know of it."""
        match event:
            case WalkStarted(question=question, root_url=root):
                self._line("", f"{question}", "bold")
                self._line("", f"from {_place(root)}", "dim")
            case TaskAnalysed():
                note = f"; {event.note}" if event.note else ""
                self._line("", f"asked for: {_in_words(event)}{note}", "yellow" if note else "dim")
            case PictureNamed(name=name):
                self._line("", f"the picture shows: {_told(name)}", "cyan")
            case PageOpened():
                self._page_opened(event)
            case PageFailed(url=url, kind=kind, message=message):
                self._page += 1
                is_ours = is_own_page(url)
                self._line(f"{self._page:>3}", _place(url) if is_ours else f"{kind}: {_short(url)}", "yellow")
                if (is_ours or kind == "other") and self._page > 1:  # a walk that cannot begin ends with this message
                    self._line("", message, "yellow")
            case PageRejected(reason=reason, detail=detail):
                self._line("", f"left: {reason}{f' ({detail})' if detail else ''}", "yellow")
            case HandedOver(by=by, obstacle=obstacle, note=note):
                told = f"{obstacle}: {note}" if by == "nobody" else f"{obstacle}: opened again, {_PASSED_BY[by]}"
                self._line("", told, "cyan")
            case PersonAsked(chosen=chosen):
                self._line(
                    "", f"chosen by you: {_told(chosen)}" if chosen else "nobody chose; going on without", "cyan"
                )
            case GateDecided(choice="look", score=score):
                self._line("", f"reading its images (understanding {score:.0f})", "cyan")
            case PictureCropped(image_index=index, scale=scale, failure=failure):
                self._line("", f"enlarging a part of image {index} {scale:g} times", "cyan")
                if failure:
                    self._line("", failure, "yellow")
            case CodeRan():
                self._code_ran(event)
            case PassagesFound():
                self._passages_found(event)
            case ElementLocated(words=words, told=told):
                self._line("", f"where is {_told(words)}: {told}", "cyan")
            case CounterMoved(found=found, target=target, added=added) if added:
                self._line("", f"counted {found}{f' of {target}' if target else ''}", "green")
            case FieldsExtracted(fields=fields, records=records):
                found = sum(field.get("value") is not None for field in fields)
                self._line(
                    "", f"found {records} records" if records else f"found {found} of {len(fields)} fields", "green"
                )
            case Judged(answer=answer, confidence=confidence) if answer:
                self._line("", f"so far: {_told(answer)}  ({confidence:.2f})", "green")
            case ActionRefused(action=action, reason=reason) if self._verbose:
                self._line("", f"refused {action}: {reason}", "dim")
            case WalkEnded(stop_reason=reason, pages=pages):
                self._line("", f"{reason} after {pages} page{'s' if pages != 1 else ''}", "bold")
            case _:
                pass

    def _page_opened(self, opened: PageOpened) -> None:
        """A page by its title; of a page of hits what was searched for, and what of the search failed."""
        self._page += 1
        number, url = f"{self._page:>3}", opened.final_url
        if not is_own_page(url):
            self._line(number, f"{opened.title or '(no title)'}  [{_short(url)}]")
            return
        self._line(number, _place(url))
        for notice in opened.notices:
            self._line("", notice.removeprefix("search: "), "yellow")

    def _code_ran(self, ran: CodeRan) -> None:
        """Code with what it gave; why it gave nothing is a line of its own, as the code would push it out of sight."""
        code = " ".join(ran.code.split())
        if ran.failure:
            self._line("", _told(f"could not compute {code}"), "yellow")
            self._line("", f"{ran.failure}: {ran.message}", "yellow")
        else:
            self._line("", _told(f"computed {code} = {ran.value or ran.printed}"), "cyan")

    def _passages_found(self, found: PassagesFound) -> None:
        """How many passages were kept, and who weighed them where somebody did."""
        kept = sum(one.get("kept", True) for one in found.passages)
        note = f", weighed {found.note}" if found.note else ""
        # More than one way of weighing is not what was asked for: the model failed for some.
        self._line("", f"kept {kept} of {len(found.passages)} passages{note}", "yellow" if ";" in note else "dim")

    def _line(self, number: str, text: str, style: str = "") -> None:
        self._console.print(Text(f"{self._prefix}{number:>3} {text}", style=style), overflow="ellipsis", no_wrap=True)


def _in_words(asked: TaskAnalysed) -> str:
    """What a question asks for: "count, 2 parts (difference), also written RV Mantis"."""
    parts = f"{len(asked.parts)} parts" if len(asked.parts) > 1 else ""
    joined = f" ({asked.operation})" if parts and asked.operation != "none" else ""
    spelled = [spelling for name in asked.names for spelling in name.get("spellings", ())]
    told = (
        f"{asked.kind}{f' ({asked.unit})' if asked.unit else ''}",
        f"{parts}{joined}",
        f"also written {', '.join(spelled)}" if spelled else "",
        f"picture: {asked.picture}" if asked.picture and asked.by == "model" else "",
    )
    return _told(", ".join(filter(None, told)))


def _place(url: str) -> str:
    """Where a walk is: what a page of hits was searched by, the roots or the picture that it begins with, the address of any other."""
    searched = " and ".join(f"“{query}”" for query in queries_of(url))
    if searched or is_picture_search(url):
        return f"a search for {searched}" if searched else "a search by a part of a picture"
    return ", ".join(roots_of(url)) or ("the picture" if picture_of(url) else url)


def _short(url: str) -> str:
    return shortened_address(url, URL_CHARS)


def _told(text: str) -> str:
    return shortened(text, LINE_CHARS)
