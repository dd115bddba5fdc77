"""Summaries by a language model: it reads the page for the goal, and code checks that the page has what it quotes."""

from __future__ import annotations

from collections.abc import Sequence

from memory.findings import SENTENCES, PageSummary
from memory.library.passages import cut_passages
from memory.library.protocol import PageLine, WholePage
from memory.retrieval import Ranker
from perception.document.visible import visible_text
from walker.models.replies import BadReply, SummaryReply
from walker.models.token_count import count_tokens
from walker.seams.protocols import Summariser
from walker.seams.task import Task
from walker.strategies.answers.passages import split_sentences
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.model.quotes import is_within

QUOTES = 5
"""Most quotes of the evidence."""
QUOTE_CHARS = 600
RATIONALE_CHARS = 300
LEFT_OUT = "…"
"""Stands for passages of a long page that are not shown."""


class ModelSummariser:
    """Implements `walker.seams.protocols.Summariser`. If the model gives no usable reply, the page's own sentences are taken."""

    def __init__(self, talk: ModelTalk, ranker: Ranker, fallback: Summariser) -> None:
        self._talk, self._ranker, self._fallback = talk, ranker, fallback

    async def summarise(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        """What the model says of the page."""
        try:
            return await self._ask(task, goal, page, step)
        except NoUsableReply as failure:
            made = await self._fallback.summarise(task, goal, page, step)
            return _noted(made, failure)

    async def join(self, task: Task, goal: str, summaries: Sequence[PageSummary], step: int) -> PageSummary:
        """What the model says of the summaries; only their evidence is quoted."""
        if len(summaries) <= 1:
            return summaries[0] if summaries else PageSummary(goal=goal)
        try:
            joined = await self._ask(task, goal, _as_page(summaries), step)
        except NoUsableReply as failure:
            made = await self._fallback.join(task, goal, summaries, step)
            return _noted(made, failure)
        quotes = [quote for one in summaries for quote in one.evidence]
        kept = tuple(quote for quote in joined.evidence if any(is_within(held, quote) for held in quotes))
        return PageSummary(goal=goal, rationale=joined.rationale, evidence=kept, summary=joined.summary, by="model")

    async def _ask(self, task: Task, goal: str, page: WholePage, step: int) -> PageSummary:
        text = page.text

        def build(tokens: int) -> dict[str, object]:
            shown = fitted_page(page, goal, tokens, self._ranker)
            values = {"question": task.question, "goal": goal, "page": shown}
            return {**values, "quotes": QUOTES, "sentences": SENTENCES}

        def use(reply: SummaryReply) -> PageSummary:
            quotes = dict.fromkeys(quote.strip()[:QUOTE_CHARS] for quote in reply.evidence if quote.strip())
            kept = tuple(quote for quote in quotes if is_within(text, quote))[:QUOTES]
            if quotes and not kept:
                raise BadReply("none of its quotes is on the page: copy each quote from the page letter by letter")
            return PageSummary(
                goal=goal,
                rationale=visible_text(reply.rationale)[:RATIONALE_CHARS],
                evidence=kept,
                summary=" ".join(split_sentences(visible_text(reply.summary))[:SENTENCES]),
                by="model",
            )

        return await self._talk.ask("page_summary", task.language, step, build, SummaryReply, use)


def fitted_page(page: WholePage, goal: str, tokens: int, ranker: Ranker) -> str:
    """The text of a page within a number of tokens: all of it, else the passages that fit the goal best, in the page's order."""
    whole = f"{page.title}\n{page.text}"
    if count_tokens(whole) <= tokens:
        return whole
    passages = cut_passages(page.lines)
    texts = [" ".join((*one.headings, one.text)) for one in passages]
    left, chosen = tokens - count_tokens(page.title), set[int]()
    for one in ranker.rank(goal, texts):
        cost = count_tokens(passages[one.index].text) + 2
        if cost <= left:
            chosen.add(one.index)
            left -= cost
    parts: list[str] = [page.title]
    for place, one_passage in enumerate(passages):
        if place in chosen:
            parts.append(one_passage.text)
        elif parts[-1] != LEFT_OUT:
            parts.append(LEFT_OUT)
    return "\n".join(parts)


def _as_page(summaries: Sequence[PageSummary]) -> WholePage:
    lines = (PageLine(text=text) for one in summaries for text in (one.summary, *one.evidence) if text)
    return WholePage(url="", title="", lines=tuple(lines))


def _noted(made: PageSummary, failure: NoUsableReply) -> PageSummary:
    return PageSummary(
        goal=made.goal,
        rationale=made.rationale,
        evidence=made.evidence,
        summary=made.summary,
        note=f"by its own sentences: {failure}"[:200],
    )
