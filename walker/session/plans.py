"""What a call of `act` comes to on a page: a target, the move, and what has to be allowed for it. Pure."""

from __future__ import annotations

import msgspec

from walker.errors import NoSuchTarget, UsageError
from walker.flows.shown_page import ShownPage
from walker.rules.scope import WalkScope
from walker.seams.actions import Click, Fill, Operate, Scroll, TypeText
from walker.session.secret import Secret
from walker.session.sentences import Sentence, read_sentence
from walker.session.targets import ActionTarget, Permission, all_targets, find_targets, nearest_names

TIE = 0.03
"""Targets whose scores are no further apart are equally near."""
_FIELDS = ("text", "search", "select", "password")


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to do."""

    kind: str
    """followed, pressed, typed, searched, scrolled or returned: as it is told when it is done."""
    target: ActionTarget | None = None
    address: str = ""
    """What is opened; "" for an operation."""
    operate: Operate | None = None
    needs: tuple[Permission, ...] = ()

    @property
    def told(self) -> str:
        """The target in words."""
        return f"{self.target.kind} {self.target.name!r}" if self.target is not None else self.kind


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What a program asks for."""

    what: str | ActionTarget
    text: str | Secret = ""
    submit: bool = False


def plan_of(wish: Wish, page: ShownPage, scope: WalkScope, step: int, before: str) -> Plan:
    """The plan; `before` is the address of the page to go back to, "" for none. Raises `NoSuchTarget`, or `UsageError` for what
    cannot be."""
    if isinstance(wish.what, ActionTarget):
        target = _again(wish.what, page, scope, step)
        return _typing(wish, target, page) if wish.text else _using(target)
    said = read_sentence(wish.what)
    match said.verb:
        case "back":
            if not before:
                raise NoSuchTarget("there is no page to go back to", where=page.url, advice="Open one")
            return Plan(kind="returned", address=before)
        case "scroll":
            return Plan(kind="scrolled", operate=Operate(action=Scroll()))
        case "search":
            return _searching(said, page, scope, step)
        case "type":
            wish = msgspec.structs.replace(wish, text=wish.text or said.text)
            return _typing(wish, _chosen(said, page, scope, step, _FIELDS), page)
        case "open":
            target = _chosen(said, page, scope, step, ("link",))
            return _typing(wish, target, page) if wish.text else _using(target)
        case _:
            kinds = _FIELDS if wish.text else ("button", "submit", "checkbox") if said.verb == "press" else ()
            target = _chosen(said, page, scope, step, kinds)
            return _typing(wish, target, page) if wish.text else _using(target)


def _again(target: ActionTarget, page: ShownPage, scope: WalkScope, step: int) -> ActionTarget:
    """The same target on the page as it is now."""
    same = (one for one in all_targets(page.observation, scope, step) if _identity(one) == _identity(target))
    found = next((one for one in same if one.name == target.name), None)
    if found is None:
        raise NoSuchTarget(
            f"{target.kind} {target.name!r} is not on this page", where=page.url, advice="Observe the page again"
        )
    return found


def _identity(target: ActionTarget) -> str:
    return target.url or target.selector


def _chosen(said: Sentence, page: ShownPage, scope: WalkScope, step: int, preferred: tuple[str, ...]) -> ActionTarget:
    """The one target that the words mean, of the preferred kinds where there are such."""
    found = find_targets(page.observation, said.words, scope, step)
    if said.verb == "type" or preferred == _FIELDS:
        found = tuple(one for one in found if one.kind in preferred)
    elif preferred and any(one.kind in preferred for one in found):
        best = found[0].score
        same = tuple(one for one in found if one.kind in preferred and one.score >= best - 0.2)
        found = same or found
    if not found:
        near = nearest_names(page.observation, said.words, scope)
        advice = f"Nearest: {', '.join(near)}" if near else "See what is there: await session.observe('all links')"
        raise NoSuchTarget(f"nothing is called {said.words!r}", where=page.url, advice=advice)
    rivals = {_identity(one): one for one in found if one.score >= found[0].score - TIE}
    if (len(rivals) > 1 and found[0].score < 1.0) or len({*_exact(found)}) > 1:
        names = ", ".join(f"{one.name!r} ({one.url or one.kind})" for one in list(rivals.values())[:4])
        advice = f"Say which: {names}; or act on one of await session.observe({said.words!r})"
        raise NoSuchTarget(f"{len(rivals)} targets are equally near {said.words!r}", where=page.url, advice=advice)
    return found[0]


def _exact(found: tuple[ActionTarget, ...]) -> list[str]:
    """What all targets whose label is the very words lead to or are."""
    return [_identity(one) for one in found if one.score == 1.0]


def _using(target: ActionTarget) -> Plan:
    """Follow a link, or press a control."""
    if target.url:
        return Plan(kind="followed", target=target, address=target.url, needs=target.needs)
    if target.kind in _FIELDS:
        raise UsageError(f"{target.kind} field {target.name!r} takes a text", where="act", advice='Give it: text="..."')
    move = Operate(action=Click(control_id=target.number), selector=target.selector)
    return Plan(kind="pressed", target=target, operate=move, needs=target.needs)


def _typing(wish: Wish, target: ActionTarget, page: ShownPage) -> Plan:
    """Fill in a field, and submit it where that is wanted."""
    if target.kind not in _FIELDS:
        raise UsageError(f"{target.kind} {target.name!r} takes no text", where="act", advice="Name a field")
    secret = wish.text if isinstance(wish.text, Secret) else None
    if target.kind == "password" and secret is None:
        raise UsageError(
            "a password comes from a Secret, so that it is never recorded",
            where=target.name,
            advice="text=Secret(os.environ['NAME'], 'NAME')",
        )
    if secret is not None and target.kind != "password" and not secret.can_be_hidden:
        raise UsageError(
            "this secret is too short to be hidden in recordings",
            where=secret.name,
            advice="It can be typed into a password field only",
        )
    text = secret.mark if secret is not None else str(wish.text)
    action = TypeText(control_id=target.number, text=text) if wish.submit else Fill(control_id=target.number, text=text)
    needs = _needs_of_typing(target, page) if wish.submit else target.needs
    return Plan(kind="typed", target=target, operate=Operate(action=action, selector=target.selector), needs=needs)


def _needs_of_typing(target: ActionTarget, page: ShownPage) -> tuple[Permission, ...]:
    """What has to be allowed for a field to be filled in and submitted: for a search with GET nothing."""
    field = next(one for one in page.observation.controls if one.selector == target.selector)
    method = field.form_method.casefold()
    if field.kind == "search" and method == "get":
        return ()
    return ("type", "post") if method == "post" else ("type",)


def _searching(said: Sentence, page: ShownPage, scope: WalkScope, step: int) -> Plan:
    """Type into the page's search field and submit it; a form with GET needs nothing."""
    fields = [one for one in page.observation.controls if one.kind == "search" and not one.hidden]
    if not fields:
        raise NoSuchTarget("the page has no search field", where=page.url, advice="Open a page that has one")
    field = fields[0]
    target = next(one for one in all_targets(page.observation, scope, step) if one.selector == field.selector)
    move = Operate(action=TypeText(control_id=field.id, text=said.text), selector=field.selector)
    return Plan(kind="searched", target=target, operate=move, needs=_needs_of_typing(target, page))
