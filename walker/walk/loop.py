"""The walk itself. Read this first: everything else is a stage named here."""

from __future__ import annotations

from walker.errors import BudgetSpent
from walker.seams.actions import Finish, Move, Open
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import Edges, TraceSink
from walker.seams.task import Task
from walker.walk.arrival import Arrival
from walker.walk.choosing import Choosing
from walker.walk.closing import begin_walk, end_walk, fail_walk
from walker.walk.reading import Reading
from walker.walk.walk_state import Rules, WalkState


async def walk(task: Task, edges: Edges, rules: Rules, sink: TraceSink) -> Outcome:
    """Walk from the task's root until the question is answered or nothing more is promised.

    Every page goes through the same stages: opened, observed, checked for viability, read by the critic, scored for
    understanding, looked at if the gate says so, counted, judged. Then the explorer proposes and the policy moves; an explorer
    that takes long is set to think while the page is still being read. A move may also be a closer look at a part of the page.
    """
    state = WalkState(task=task, edges=edges, rules=rules, sink=sink)
    arrival, reading, choosing = Arrival(state), Reading(state), Choosing(state)
    memory = begin_walk(state)
    move: Move = Open(url=task.root_url, reason="the root of the walk")
    try:
        while True:
            memory, page = await arrival.take_move(memory, move)
            if page.is_new:
                memory, page = await arrival.check_viability(memory, page)
            if page.is_new:
                await choosing.think_ahead(memory, page)
                findings = await reading.read_page(memory, page)
                memory = reading.keep_findings(memory, findings)
                memory = reading.count_items(memory, findings)
                memory = await reading.judge_findings(memory)
            if stop := choosing.stop_reason(memory):
                return end_walk(state, memory, stop)
            move = await choosing.choose_move(memory)
            if isinstance(move, Finish):
                return end_walk(state, memory, choosing.final_reason(memory))
    except BudgetSpent:
        return end_walk(state, memory, StopReason.BUDGET)
    except BaseException as error:
        fail_walk(state, memory, error)
        raise
    finally:
        await choosing.drop_thoughts()
