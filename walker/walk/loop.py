"""The main loop of a walk. Read this first: everything else is a stage, named here or listed in stages.py."""

from __future__ import annotations

from walker.errors import BudgetSpent
from walker.seams.actions import Finish, Move, Open
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import Edges, TraceSink
from walker.seams.task import Task
from walker.walk.analysing import analyse_task
from walker.walk.arrival import check_viability, take_move
from walker.walk.choosing import choose_move, drop_lookahead, final_reason, start_lookahead, stop_reason
from walker.walk.closing import begin_walk, end_walk, fail_walk, look_back
from walker.walk.stages import stages_for
from walker.walk.walk_state import Fresh, ReadOn, Rules, WalkContext


async def walk(task: Task, edges: Edges, rules: Rules, sink: TraceSink) -> Outcome:
    """Walk from the task's root until the question is answered or no link is worth following.

    Once it is said what is asked, pages are read in passes: each stage returns the next state. A slow explorer starts beside them.
    """
    context = WalkContext(task=task, edges=edges, rules=rules, sink=sink)
    state, ahead = begin_walk(context), None
    stop: StopReason | None = None
    move: Move = Open(url=task.root_url, reason="the root of the walk")
    try:
        try:
            while stop is None:
                state, page = await take_move(context, state, move)
                state, page = await check_viability(context, state, page)
                context, state = await analyse_task(context, state)
                ahead = start_lookahead(context, state) if isinstance(page, Fresh | ReadOn) else None
                for stage in stages_for(page):
                    state = await stage(context, state)
                if stop := stop_reason(context, state):
                    break
                state, move = await choose_move(context, state, ahead)
                stop = final_reason(context, state) if isinstance(move, Finish) else None
        except BudgetSpent:
            stop = StopReason.BUDGET
        state, stop = await look_back(context, state, stop)
        return await end_walk(context, state, stop)
    except BaseException as error:
        fail_walk(context, state, error)
        raise
    finally:
        await drop_lookahead(ahead)
