"""Decides where a walk that may ask a person does: what to ask is the walk's, whether it is worth a person's time is decided here."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from memory.state import WalkMemory
from perception.observation import Observation
from walker.handover.whom_to_ask import AskPerson, asked_by
from walker.seams.actions import Action, FollowLink, GiveAnswer, Jump
from walker.seams.task import Task
from walker.seams.web.asked_person import END_HERE, NONE_IS_RIGHT, Answerable, Choice, Pause, Picked
from walker.settings import Settings

RankLinks = Callable[[Task, Observation, WalkMemory], tuple[tuple[Choice, float], ...]]
"""Links that were not tried, the likeliest first, each with its score."""
UNLIKELY = 0.14
"""Score of a link below which it is doubtful that it leads on: that below which a long walk without a model follows none
(`LEAST_SCORES` of `walker/strategies/builtin/builtin_explorer.py`). How often a person chooses better was not measured."""
MOST_STEPS = 3
"""Steps that a person is asked for in a walk: they were promised an answer, not work."""
OFFERED = 5
LINE_CHARS = 160


class LivePerson:
    """Implements `walker.seams.web.asked_person.Person` for one walk. Once nobody has answered in time, nobody is asked again."""

    def __init__(
        self,
        ask: AskPerson | None,
        likely: RankLinks,
        sure: float,
        waited: Callable[[float], None] = lambda _: None,
    ) -> None:
        """`ask` None: nobody is there. `sure`: confidence from which an answer is one. `waited` is told the seconds of each pause."""
        self._ask, self._likely, self._sure, self._waited = ask, likely, sure, waited
        self._steps = 0

    async def pick_answer(self, question: str, found: Sequence[Answerable], confidence: float) -> Picked:
        """Ask where the likeliest is not sure enough to be told as the answer."""
        if self._ask is None or confidence >= self._sure:
            return Picked()
        offered = (*(_as_choice(one) for one in found), Choice(text=NONE_IS_RIGHT))
        text = f"{question} Nothing found is sure (the first: {confidence:.2f}). Which is the answer?"
        return await self._asked(Pause(kind="answer", text=text, choices=offered))

    async def pick_step(self, task: Task, observation: Observation, memory: WalkMemory, action: Action) -> Picked:
        """Ask where the walk would end without an answer, or open what is unlikely to lead on."""
        proposed, is_end = _as_proposed(action, observation), isinstance(action, GiveAnswer)
        if self._ask is None or self._steps >= MOST_STEPS or proposed is None:
            return Picked()
        if is_end and memory.confidence >= self._sure:
            return Picked()
        likely = self._likely(task, observation, memory)
        others = tuple(choice for choice, _ in likely if choice.url != proposed.url)[:OFFERED]
        is_likely = any(choice.url == proposed.url and score >= UNLIKELY for choice, score in likely)
        if is_likely or not others:
            return Picked()
        self._steps += 1
        end = () if is_end else (Choice(text=END_HERE),)
        what = "Nothing left promises an answer" if is_end else "The next page is unlikely to lead on"
        text = f"{task.question} {what}. Where to go on?"
        return await self._asked(
            Pause(kind="next step", text=text, choices=(proposed, *others, *end), url=observation.url)
        )

    async def _asked(self, pause: Pause) -> Picked:
        ask, started = self._ask, time.monotonic()
        assert ask is not None, "asked only where somebody can be"
        number = await ask(pause)
        seconds = round(time.monotonic() - started, 1)
        self._waited(seconds)
        if not number:
            self._ask = None
        return Picked(pause=pause, number=number, seconds=seconds)


def person_of(settings: Settings, likely: RankLinks, waited: Callable[[float], None]) -> LivePerson | None:
    """Who is asked where the walk is not sure; None where nobody is to be."""
    return LivePerson(asked_by(), likely, settings.sure, waited) if settings.ask_me else None


def choice_of(text: str, detail: str, url: str) -> Choice:
    """A choice from words of a page or a model, each in one line that a terminal can show, and none said twice."""
    told, why = _line(text or url), _line(detail)
    return Choice(text=told, detail="" if why == told else why, url=url)


def _as_choice(one: Answerable) -> Choice:
    cited = one.citations[0] if one.citations else None
    quote, url = (cited.quote, cited.url) if cited is not None else ("", "")
    return choice_of(one.answer, quote, url)


def _as_proposed(action: Action, observation: Observation) -> Choice | None:
    """What the explorer proposes, as a choice; None for what no person is asked about."""
    match action:
        case GiveAnswer(reason=reason):
            return choice_of(END_HERE, reason, "")
        case Jump(url=url, reason=reason):
            return choice_of(url, reason, url)
        case FollowLink(link_id=number, reason=reason) if link := observation.link(number):
            return choice_of(link.label, reason, link.url)
    return None


def _line(text: str) -> str:
    """Text of a page in one line that a terminal can show."""
    plain = " ".join("".join(sign if sign.isprintable() or sign.isspace() else " " for sign in text).split())
    return plain if len(plain) <= LINE_CHARS else f"{plain[: LINE_CHARS - 1]}…"
