"""A model that searches and opens pages in turns until it answers (SenseSearch, WebWatcher)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.findings import PageSummary
from memory.library.query_terms import terms_of
from memory.library.snippet import snippet_of
from walker.models.token_count import count_tokens
from walker.seams.passage_critic import OfferedPassage
from walker.seams.passage_source import WholePage
from walker.strategies.model.digest.page_digest import cut_text
from walker.strategies.model.model_talk import ModelTalk
from walker.workflows.concluding import Ended, conclude_reply
from walker.workflows.replies import AnswerReply, TurnReply
from walker.workflows.searching import Searcher, listed
from walker.workflows.workflow_run import WeighedPassage, WorkflowRun

OPENED_CHARS = 6000
"""Of a page that is shown as it is."""
SUMMARISED_PAGES = 5
"""Of one search, those with the best passages (SenseSearch: 5)."""
BRIEF_CHARS = 240
"""Of an earlier turn, where all do not fit."""


async def answer_in_turns(run: WorkflowRun, talk: ModelTalk) -> Ended:
    """Ask until the model answers or its turns are over. Raises as the edges do, and `NoUsableReply`."""
    return await _Turns(run, talk).answer()


class _Turns:
    """What was found so far, and what the model was told of it."""

    def __init__(self, run: WorkflowRun, talk: ModelTalk) -> None:
        self._run, self._talk, self._searcher = run, talk, Searcher(run)
        self._found: list[OfferedPassage] = []
        self._notes: list[str] = []

    async def answer(self) -> Ended:
        """The answer of the last turn."""
        run, reply = self._run, TurnReply(action="answer")
        for turn in range(1, run.limits.turns + 1):
            run.turns = turn
            reply = await self._ask(run.limits.turns - turn)
            run.propose(reply.action, _detail(reply))
            if reply.action == "answer":
                break
            if reply.action == "search":
                self._notes.append(await self._search(reply))
            else:
                self._notes.append(await self._open(reply))
        answered = reply.answered if reply.action == "answer" else AnswerReply()
        return conclude_reply(answered, self._found, run.step)

    async def _ask(self, left: int) -> TurnReply:
        task = self._run.task

        def build(tokens: int) -> dict[str, object]:
            return {
                "question": task.question,
                "notes": _fitted(self._notes, tokens),
                "left": left,
                "summaries": self._run.edges.summariser is not None,
            }

        return await self._talk.ask("agentic", task.language, self._run.step, build, TurnReply, lambda reply: reply)

    async def _search(self, reply: TurnReply) -> str:
        run = self._run
        queries = reply.asked or (run.task.question,)
        hits = [hit for hit in await self._searcher.search(queries, reply.think) if hit not in self._found]
        run.found(queries, [WeighedPassage(passage=hit) for hit in hits])
        start = len(self._found)
        self._found += hits
        named = ", ".join(f"“{query}”" for query in queries)
        if run.edges.summariser is None or not hits:
            return f"Searched {named}:\n{listed(hits, start)}"
        goal = reply.goal or " ".join(queries)
        joined = await self._summary_of_search(hits, goal)
        return f"Searched {named}. Together the pages say:\n{joined.summary or '-'}\n{_brief(hits, start, goal)}"

    async def _summary_of_search(self, hits: Sequence[OfferedPassage], goal: str) -> PageSummary:
        """Each page, then all of them."""
        run, summariser = self._run, self._run.edges.summariser
        assert summariser is not None, "asked only where there is one"
        urls = list(dict.fromkeys(hit.url for hit in hits))[:SUMMARISED_PAGES]
        each: list[PageSummary] = []
        for url in urls:
            page = await self._searcher.text_of(url)
            if page is None:
                continue
            one = await summariser.summarise(run.task, goal, page, run.step)
            run.summarised((url,), one)
            if one.summary:
                each.append(one)
        joined = await summariser.join(run.task, goal, each, run.step)
        run.summarised(urls, joined)
        return joined

    async def _open(self, reply: TurnReply) -> str:
        run, number = self._run, reply.number
        if not 1 <= number <= len(self._found):
            return self._refused(reply, f"There is no passage {number}.")
        page = await self._searcher.page(self._found[number - 1].url, reply.goal or reply.think)
        if page is None:
            return self._refused(reply, f"The page of passage {number} cannot be opened.")
        if run.edges.summariser is None:
            return f"Opened the page of passage {number}, “{page.title}”:\n{page.text[:OPENED_CHARS]}"
        return await self._summarised(page, number, reply.goal or run.task.question)

    async def _summarised(self, page: WholePage, number: int, goal: str) -> str:
        """What the page says about the goal; its quotes are passages from here on, so that they can be cited."""
        run, summariser = self._run, self._run.edges.summariser
        assert summariser is not None, "asked only where there is one"
        summary = await summariser.summarise(run.task, goal, page, run.step)
        run.summarised((page.url,), summary)
        start = len(self._found)
        quoted = [OfferedPassage(url=page.url, title=page.title, text=quote) for quote in summary.evidence]
        self._found += quoted
        said = summary.summary or "It says nothing about that."
        return f"Opened the page of passage {number}, “{page.title}”, for “{goal}”:\n{said}\n{listed(quoted, start)}".rstrip()

    def _refused(self, reply: TurnReply, why: str) -> str:
        self._run.refuse(reply.action, why)
        return why


def _detail(reply: TurnReply) -> dict[str, object]:
    """What a turn asks for, without what it leaves out."""
    match reply.action:
        case "search":
            asked: dict[str, object] = {"queries": list(reply.asked)}
        case "open":
            asked = {"number": reply.number, "goal": reply.goal}
        case "answer":
            asked = {"text": reply.text, "cite": list(reply.cite)}
    return {**asked, "reason": reply.think}


def _brief(hits: Sequence[OfferedPassage], start: int, goal: str) -> str:
    """Passages by number, each by what of it fits the goal."""
    terms = terms_of(goal)
    return "\n".join(
        f"[{number}] {hit.title} ({hit.url}): {snippet_of(hit.text, terms).text}"
        for number, hit in enumerate(hits, start=start + 1)
    )


def _fitted(notes: Sequence[str], tokens: int) -> list[str]:
    """The notes within a number of tokens: the latest whole, of earlier ones the beginning where all do not fit."""
    if sum(map(count_tokens, notes)) <= tokens:
        return list(notes)
    shown: list[str] = []
    for note in reversed(notes):
        brief = note if len(note) <= BRIEF_CHARS else f"{note[:BRIEF_CHARS]} …"
        earlier = note if count_tokens(note) <= tokens // 2 else brief
        text = earlier if shown else cut_text(note, tokens)
        tokens = max(0, tokens - count_tokens(text))
        shown.append(text)
    return shown[::-1]
