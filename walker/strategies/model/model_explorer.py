"""The explorer with a language model (V-GEMS, appendix D.2): it chooses among numbered links and controls of the page."""

from __future__ import annotations

import msgspec

from memory.focus import defocus, refocus
from memory.retrieval import Ranker
from memory.state import WalkMemory
from perception.document.visible import visible_text
from perception.observation import Control, Observation
from perception.page_pictures import PagePicture
from walker.models.replies import BadReply, StepReply
from walker.seams.actions import Action, Crop, Refusal
from walker.seams.protocols import Explorer
from walker.seams.task import Task
from walker.strategies.builtin.builtin_explorer import next_of_list
from walker.strategies.links.link_candidates import LinkCandidate, LinkCandidateFinder
from walker.strategies.model.model_choice import Offer, action_of
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.page_digest import digest_page
from walker.strategies.question.open_parts import current_parts
from walker.strategies.question.question import read_question

LINKS_SHOWN = 16
"""Most links of the page that the model may choose from, highest link score first."""
EARLIER_SHOWN = 8
CONTROLS_SHOWN = 8
LABEL_CHARS = 70
CROP_CHARS = 60
"""Characters of what was read in a crop."""
PAGE_SHARE = 0.3
"""Share of the tokens for a page: the critic reads the page, the explorer only needs an overview of it."""
REFOCUSES = 2
"""Most earlier steps that the model may see again before one action."""


class ModelExplorer:
    """Implements `walker.seams.protocols.Explorer`. If the model gives no usable reply, the built-in explorer takes the step."""

    def __init__(self, talk: ModelTalk, ranker: Ranker, fallback: Explorer, *, may_look: bool = True) -> None:
        """`may_look`: whether crops of pictures may be proposed."""
        self._talk, self._ranker, self._fallback, self._may_look = talk, ranker, fallback, may_look
        self._finder = LinkCandidateFinder(ranker)

    async def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Action:
        """The model's choice, as an action on this page or on a page of the stack."""
        if (onward := next_of_list(observation, memory, refused)) is not None:
            return onward
        offer = self._offer(task, observation, memory)
        again: list[str] = []
        try:
            while True:
                chosen = await self._ask(task, observation, memory, refused, offer, tuple(again))
                if not isinstance(chosen, str):
                    return chosen
                again.append(chosen)
        except NoUsableReply as failure:
            action = await self._fallback.propose(task, observation, memory, refused)
            return msgspec.structs.replace(action, reason=f"{action.reason} (built-in explorer: {failure})"[:300])

    async def _ask(
        self,
        task: Task,
        observation: Observation,
        memory: WalkMemory,
        refused: tuple[Refusal, ...],
        offer: Offer,
        again: tuple[str, ...],
    ) -> Action | str:
        """An action, or the whole of a step that the model wants to see again."""
        query = " ".join((task.question, *memory.missing[:3]))

        def build(tokens: int) -> dict[str, object]:
            page = digest_page(observation, query, self._ranker, tokens=int(PAGE_SHARE * tokens), with_lists=False)
            return {
                "question": task.question,
                "progress": _progress(memory),
                "known": visible_text(memory.answer)[:200],
                "missing": visible_text("; ".join(memory.missing[:3]))[:200],
                "steps": visible_text_lines(defocus(memory)),
                "path": " > ".join(visible_text(frame.title)[:40] or frame.url for frame in memory.stack.frames[-6:]),
                "page": page,
                "links": "\n".join(_link_line(candidate) for candidate in offer.links) or "-",
                "earlier": "\n".join(
                    _earlier_line(number, candidate) for number, candidate in enumerate(offer.earlier, start=1)
                ),
                "controls": "\n".join(_control_line(control) for control in offer.controls),
                "pictures": "\n".join(_picture_line(number, one) for number, one in enumerate(offer.pictures)),
                "more": visible_text_lines("\n".join(again)),
                "refused": "\n".join(_refusal_line(refusal) for refusal in refused),
            }

        def use(reply: StepReply) -> Action | str:
            if reply.action == "refocus":
                return _seen_again(reply, memory, again)
            return action_of(reply, observation, memory, offer)

        return await self._talk.ask("explorer", task.language, memory.step, build, StepReply, use)

    def _offer(self, task: Task, observation: Observation, memory: WalkMemory) -> Offer:
        open_parts = current_parts(read_question(task.question, task.language), observation, memory)
        hidden = {link.id for link in observation.links if link.hidden}
        candidates = self._finder.find_candidates(open_parts, observation, memory)
        links = tuple(candidate for candidate in candidates if candidate.link_id and candidate.link_id not in hidden)[
            :LINKS_SHOWN
        ]
        earlier = tuple(candidate for candidate in candidates if not candidate.link_id)[:EARLIER_SHOWN]
        pictures = observation.pictures if self._may_look and not observation.signals.challenge else ()
        return Offer(links=links, earlier=earlier, controls=_usable(observation)[:CONTROLS_SHOWN], pictures=pictures)


def visible_text_lines(text: str) -> str:
    """Visible text, line by line."""
    return "\n".join(line for line in map(visible_text, text.splitlines()) if line)


def _usable(observation: Observation) -> tuple[Control, ...]:
    """Controls that are visible and that the policy allows."""
    return tuple(
        control
        for control in observation.controls
        if not control.hidden and control.kind != "password" and control.form_method.lower() != "post"
    )


def _seen_again(reply: StepReply, memory: WalkMemory, again: tuple[str, ...]) -> str:
    if len(again) >= REFOCUSES:
        raise BadReply("enough was seen again: choose an action")
    step = refocus(memory, reply.number)
    if not step:
        raise BadReply(f"there is no step {reply.number}")
    if step in again:
        raise BadReply(f"step {reply.number} is shown already")
    return step


def _progress(memory: WalkMemory) -> str:
    requirement, counter = memory.counter.requirement, memory.counter
    if requirement.mode == "quota":
        return f"{counter.found}/{requirement.target}"
    return str(counter.found) if requirement.mode == "exhaustive" else ""


def _link_line(candidate: LinkCandidate) -> str:
    label = visible_text(candidate.label)[:LABEL_CHARS]
    return f"{candidate.link_id} {label}" if len(label) > 3 else f"{candidate.link_id} {label} {_end_of(candidate.url)}"


def _earlier_line(number: int, candidate: LinkCandidate) -> str:
    return f"{number} {visible_text(candidate.label)[:LABEL_CHARS] or _end_of(candidate.url)}"


def _control_line(control: Control) -> str:
    return f"{control.id} {control.kind} {visible_text(control.name)[:LABEL_CHARS]}"


def _picture_line(number: int, picture: PagePicture) -> str:
    """Its size on the page, its description, and for a crop the text read in it."""
    size = f"{number} {picture.box.width:.0f}x{picture.box.height:.0f}"
    shown = f" (shown at 1/{picture.detail:.0f})" if picture.detail >= 2 else ""
    read = f": {visible_text('; '.join(picture.texts))[:CROP_CHARS] or '-'}" if picture.is_crop else ""
    what = (
        f"of {picture.of}" if picture.is_crop else "page" if not number else visible_text(picture.words)[:LABEL_CHARS]
    )
    return f"{size}{shown} {what}{read}".rstrip()


def _refusal_line(refusal: Refusal) -> str:
    action = refusal.action
    if isinstance(action, Crop):
        box = ", ".join(f"{share:g}" for share in action.box)
        return f"Crop {action.image_index} [{box}]: {refusal.reason}"
    number = getattr(action, "link_id", 0) or getattr(action, "control_id", 0) or ""
    return f"{type(action).__name__} {number}: {refusal.reason}"


def _end_of(url: str) -> str:
    return url.rstrip("/").rsplit("/", 1)[-1][:40]
