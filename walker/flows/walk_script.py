"""A recorded walk as a flow script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote_plus

import msgspec

from perception.observation import Block
from traces.events import WalkStarted
from traces.reading.reader import Run
from walker.errors import UsageError
from walker.flows.answer_again import names_on, passage_of
from walker.flows.effects import effect_of
from walker.flows.recorded_way import Leg, RecordedWay, SeenPage, page_key_or_none, way_of
from walker.flows.script import Answer, Effect, FlowScript, FlowStep, Listed, Passage, Variable
from walker.flows.shown_page import ShownPage, Target, address_of, locators_of, one_form
from walker.seams.actions import Click, TypeText

SECRET_MARK = "<secret:"  # noqa: S105 - what stands for a secret in a recording
NEW_TEXTS, TEXT_CHARS = 2, 80
NAME_CHARS = 60


class WalkScript(msgspec.Struct, frozen=True, kw_only=True):
    """The script of a walk, and what of the walk is not in it, one line each."""

    script: FlowScript
    left_out: tuple[str, ...]


def script_of_walk(run: Run) -> WalkScript:
    """The script of a run. Raises `UsageError` for one that holds no page, and for a session."""
    if run.manifest.settings.get("kind"):
        advice = "The program of the session is its script"
        raise UsageError("this is no run of a walk", where=str(run.folder), advice=advice)
    way = way_of(run)
    if not way.legs:
        raise UsageError("it holds no page of a site", where=str(run.folder), advice="Ask again")
    writer = _Writer(way)
    question = next((event.question for event in run.events if isinstance(event, WalkStarted)), run.manifest.question)
    answer, left_out = writer.answer()
    if answer.value and way.end is not None and way.end.confidence < run.manifest.sure:
        left_out.append(
            f"the walk was not sure ({way.end.confidence:.2f}): the script leads to the nearest that it found, {answer.value[:60]!r}"
        )
    script = FlowScript(
        walker="flow/1",
        name=re.sub(r"\W+", "-", question.casefold()).strip("-")[:NAME_CHARS].strip("-"),
        question=question,
        made_from=run.folder.name,
        start=writer.start,
        variables=writer.variables,
        steps=tuple(writer.steps),
        answer=answer,
    )
    return WalkScript(script=script, left_out=(*way.lost, *left_out))


class _Writer:
    """Writes the steps of a way; each page is that of the step that led to it."""

    def __init__(self, way: RecordedWay) -> None:
        self._way = way
        self.start = way.legs[0].page.asked
        self.variables: dict[str, Variable] = {}
        self.steps: list[FlowStep] = []
        self._step_of: dict[int, int] = {}
        """Number of the step by the id of its page."""
        self._reached: list[SeenPage] = []
        for leg in way.legs:
            self._add(leg)

    def answer(self) -> tuple[Answer, list[str]]:
        """Where the answer stands on the way, and what cannot be extracted again."""
        end = self._way.end
        if end is None or not end.answer.strip():
            return Answer(), ["the walk has no answer: the script has none to extract"]
        left_out: list[str] = []
        if end.items:
            lists = self._lists(end.items, some=end.count.get("mode") == "quota")
            if lists:
                return Answer(value=end.answer, lists=lists), left_out
        passages: list[Passage] = []
        for one in end.citations:
            made = self._passage(one["url"], one["quote"], end.answer)
            if made is None:
                left_out.append(f"not in the text of a page on the way, so not extracted again: {one['quote'][:80]}")
            else:
                passages.append(made)
        return Answer(value=end.answer, passages=tuple(passages)), left_out

    def _add(self, leg: Leg) -> None:
        page = leg.page
        if leg.returns:
            number = self._step_of[id(page)]
            self._keep(
                FlowStep(back=number, expect=self.steps[number - 1].expect, page=self.steps[number - 1].page), page
            )
            return
        if leg.start is None:
            address = "{start}" if not self.steps else address_of(page.asked, self.start)
            step = FlowStep(open=self._templated(address), expect=self._effect(page), page=page.shown.fingerprint)
        elif page.move is not None:
            step = self._operation(leg.start, page)
        else:
            step = self._followed(leg.start, page)
        self._keep(step, page)

    def _keep(self, step: FlowStep, page: SeenPage) -> None:
        self.steps.append(step)
        self._reached.append(page)
        self._step_of.setdefault(id(page), len(self.steps))

    def _followed(self, start: SeenPage, page: SeenPage) -> FlowStep:
        leading = [one for one in start.shown.links if page_key_or_none(one.url) in page.keys]
        # One that says where it leads, in the text rather than in a menu: menus are the same on every page.
        target = max(leading, key=lambda one: (bool(one.name), not _is_hidden(start.shown, one), -one.number))
        return FlowStep(
            follow=target.name or address_of(target.url, self.start),
            find=tuple(
                msgspec.structs.replace(one, address=self._templated(one.address)) if one.address else one
                for one in locators_of(start.shown, target, self.start)
            ),
            expect=self._effect(page),
            page=page.shown.fingerprint,
        )

    def _operation(self, start: SeenPage, page: SeenPage) -> FlowStep:
        assert page.move is not None, "a page that an operation led to"
        action = page.move.action
        seen = (*_new_texts(start.shown, page.shown),)
        text = () if _is_elsewhere(start, page) else seen
        effect = self._effect(page, text)
        if not isinstance(action, Click | TypeText):
            return FlowStep(scroll="end", expect=effect, page=page.shown.fingerprint)
        control = next((one for one in start.shown.controls if one.selector == page.move.selector), None)
        if control is None:
            control = Target(name="", role="button", under="", around="", selector=page.move.selector)
        find = locators_of(start.shown, control, self.start)
        name = control.name or control.role
        if isinstance(action, Click):
            return FlowStep(click=name, find=find, expect=effect, page=page.shown.fingerprint)
        typed = self._variable(action.text)
        # Only now: the address that it led to holds what was typed.
        return FlowStep(type=name, text=typed, find=find, expect=self._effect(page, text), page=page.shown.fingerprint)

    def _variable(self, text: str) -> str:
        number = len(self.variables) + 1
        name = "query" if number == 1 else f"query_{number}"
        known = next((name for name, one in self.variables.items() if one.value == text and text), "")
        if not known:
            is_secret = SECRET_MARK in text
            self.variables[name] = Variable(secret=True) if is_secret else Variable(value=text)
        return f"{{{known or name}}}"

    def _effect(self, page: SeenPage, text: tuple[str, ...] = ()) -> Effect:
        effect = effect_of(page.shown, self.start, text)
        return Effect(
            url=self._templated(effect.url),
            heading=self._with_variables(effect.heading),
            text=tuple(map(self._with_variables, effect.text)),
        )

    def _templated(self, address: str) -> str:
        """An address with variables where a value of its query is what was typed."""
        path, mark, query = address.partition("?")
        if not mark:
            return address
        pairs = [pair.partition("=") for pair in query.split("&")]
        return f"{path}?{'&'.join(name + sign + self._as_variable(value) for name, sign, value in pairs)}"

    def _as_variable(self, value: str) -> str:
        typed = unquote_plus(value)
        return next((f"{{{name}}}" for name, one in self.variables.items() if one.value and one.value == typed), value)

    def _with_variables(self, text: str) -> str:
        for name, variable in self.variables.items():
            if variable.value:
                text = re.sub(rf"(?<!\w){re.escape(variable.value)}(?!\w)", f"{{{name}}}", text)
        return text

    def _passage(self, url: str, quote: str, answer: str) -> Passage | None:
        key = page_key_or_none(url)
        for number, page in enumerate(self._reached, start=1):
            if key not in page.keys:
                continue
            made = passage_of(page.shown.observation, number, quote, answer)
            if made is not None:
                return self._with_part_opened(made, page)
        return None

    def _with_part_opened(self, passage: Passage, page: SeenPage) -> Passage:
        """With the press that opens the closed part that the passage stands in, where it does and the way ends here."""
        block = _holding(page.shown, passage.quote)
        if block is None or not block.opener or page is not self._reached[-1]:
            return passage
        opener = next((one for one in page.shown.controls if one_form(one.name) == one_form(block.opener)), None)
        if opener is None:
            return passage
        shown = Effect(text=(" ".join(block.text.split())[:TEXT_CHARS],))
        find = locators_of(page.shown, opener, self.start)
        self._keep(FlowStep(click=opener.name, find=find, expect=shown, page=page.shown.fingerprint), page)
        return msgspec.structs.replace(passage, step=len(self.steps))

    def _lists(self, items: Sequence[str], *, some: bool) -> tuple[Listed, ...]:
        wanted = frozenset(map(one_form, items))
        lists: list[Listed] = []
        for number, page in enumerate(self._reached, start=1):
            under, names = names_on(page.shown.observation, wanted)
            kept = tuple(name for name in names if one_form(name) in wanted) if some else names
            if kept and not any(set(kept) <= set(one.names) for one in lists):
                lists.append(Listed(step=number, under=under, names=kept, some=some))
        found = {one_form(name) for one in lists for name in one.names}
        return tuple(lists) if wanted <= found else ()


def _is_hidden(page: ShownPage, target: Target) -> bool:
    link = page.observation.link(target.number)
    return link is None or link.hidden or bool(link.opener) or link.region in ("nav", "footer")


def _is_elsewhere(start: SeenPage, page: SeenPage) -> bool:
    return page_key_or_none(start.snapshot.final_url) != page_key_or_none(page.snapshot.final_url)


def _new_texts(before: ShownPage, after: ShownPage) -> list[str]:
    """Texts that came with an operation, the first ones that are of some length."""
    lines = [
        " ".join(block.text.split()) for block in after.observation.blocks if not block.hidden and not block.opener
    ]
    new = [
        line[:TEXT_CHARS].strip()
        for line in lines
        if len(line) > 3 and one_form(line[:TEXT_CHARS]) not in before.visible
    ]
    return list(dict.fromkeys(new))[:NEW_TEXTS]


def _holding(page: ShownPage, quote: str) -> Block | None:
    wanted = "".join(letter for letter in quote if letter.isalnum()).casefold()
    blocks = page.observation.blocks
    return next(
        (one for one in blocks if wanted in "".join(filter(str.isalnum, one.text)).casefold() and not one.hidden), None
    )
