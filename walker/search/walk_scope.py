"""The scope of a walk, and what it may search, from its task and its settings."""

from __future__ import annotations

import msgspec

from walker.rules.scope import WalkScope
from walker.seams.searches import SearchReach, is_own_page, is_start, roots_of
from walker.seams.task import Task
from walker.settings import Beyond, Settings


def scope_of(task: Task, settings: Settings) -> WalkScope:
    """What a walk may ask the network for."""
    beyond, has_root = settings.beyond, not is_own_page(task.root_url) or bool(roots_of(task.root_url))
    return WalkScope(
        root_url=task.root_url,
        kind=settings.scope,
        also=beyond.also,
        is_library=not has_root and beyond == Beyond(pictures=beyond.pictures),
        opens_hits=beyond.open,
    )


def entered_scope(task: Task, settings: Settings) -> WalkScope:
    """What a walk may enter: without a root also what its library finds, whose pages need no network."""
    scope = scope_of(task, settings)
    is_open = not scope.roots and not scope.is_library
    return msgspec.structs.replace(scope, opens_hits=scope.opens_hits or is_open)


def may_search(task: Task, settings: Settings) -> SearchReach:
    """Whether a walk has pages to search besides those that it shows: its scout's, or the web's."""
    if settings.beyond.search is not None:
        return "web"
    if not scope_of(task, settings).roots:
        return is_start(task.root_url)  # a library, which no search has begun with
    return settings.scouts > 0
