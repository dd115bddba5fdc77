"""Semantic validation of a script beyond its types: URLs, selectors, patterns, files, and combinations of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from walker.crawl.script.crawl_scope import why_no_host
from walker.crawl.script.named_files import problems_of_files
from walker.crawl.script.patterns import why_no_pattern
from walker.crawl.script.script_yaml import Location
from walker.crawl.script.secret_text import SECRET, names_in
from walker.crawl.script.selectors import why_no_selector
from walker.crawl.script.spec import CrawlSpec, ItemRule, Login, Step
from walker.crawl.script.spec_problems import Problem
from walker.crawl.script.way_out_of_script import problems_of_way_out
from walker.errors import NotAUrl
from walker.rules.scope import check_root

_ACTIONS = ("click", "scroll", "type", "submit", "dismiss", "wait_for", "wait")


def problems_of(
    spec: CrawlSpec, environment: Mapping[str, str] | None = None, *, has_items_function: bool = False
) -> list[Problem]:
    """All problems of a script whose types are valid. Without an environment its variables are not looked up."""
    found = [
        *_addresses(spec),
        *_scope(spec),
        *_together(spec, has_items_function=has_items_function),
        *_order(spec),
        *_plain_http(spec),
        *_texts(spec, environment),
        *problems_of_way_out(spec),
        *problems_of_files(spec),
    ]
    for number, rule in enumerate(spec.pages):
        if why := why_no_pattern(rule.match):
            found.append(Problem(location=("pages", number, "match"), what=why))
        found += _steps(("pages", number), rule.steps)
        for position, item_rule in enumerate(rule.items):
            found += _item_rule(("pages", number, "items", position), item_rule)
    return found + (_login(spec.login) if spec.login else [])


def _addresses(spec: CrawlSpec) -> Iterator[Problem]:
    named: list[tuple[Location, str]] = [(("start", number), url) for number, url in enumerate(spec.start)]
    if not isinstance(spec.sitemaps, str):
        named += [(("sitemaps", number), url) for number, url in enumerate(spec.sitemaps)]
    if spec.login:
        named.append((("login", "url"), spec.login.url))
    for location, url in named:
        if SECRET.search(url):
            continue  # reported with the texts
        try:
            check_root(url)
        except NotAUrl as error:
            yield Problem(location=location, what=f"'{url}': {error.what}", expected=error.advice)


def _scope(spec: CrawlSpec) -> Iterator[Problem]:
    for name, patterns in (("include", spec.scope.include), ("exclude", spec.scope.exclude)):
        for number, pattern in enumerate(patterns):
            if why := why_no_pattern(pattern):
                yield Problem(location=("scope", name, number), what=why)
    for number, host in enumerate(spec.scope.hosts):
        if why := why_no_host(host):
            yield Problem(
                location=("scope", "hosts", number),
                what=why,
                expected="expected a host such as example.org or *.example.org",
            )
    if not spec.scope.path.startswith("/") or "*" in spec.scope.path:
        yield Problem(
            location=("scope", "path"),
            what=f"'{spec.scope.path}' is not the beginning of a path",
            expected="expected /folder/; patterns go into include",
        )


def _together(spec: CrawlSpec, *, has_items_function: bool) -> Iterator[Problem]:
    counter, finds_items = (
        spec.counter,
        spec.items == "auto" or any(rule.items for rule in spec.pages) or has_items_function,
    )
    if counter.mode == "quota" and not counter.target:
        yield Problem(location=("counter",), what="a quota needs a target", expected="expected target: 1 or more")
    if counter.mode != "quota" and counter.target:
        yield Problem(
            location=("counter", "target"),
            what=f"has no meaning with mode: {counter.mode}",
            by_neighbours=True,
            expected="say mode: quota",
        )
    if counter.mode == "quota" and not finds_items:
        yield Problem(
            location=("counter", "mode"),
            what="no rule says what an item is",
            by_neighbours=True,
            expected="say items: auto, or give items to a page rule; scope.pages limits pages",
        )


def _order(spec: CrawlSpec) -> Iterator[Problem]:
    if spec.order == "best-first" and not spec.best.strip():
        yield Problem(
            location=("order",),
            what="best-first needs words",
            by_neighbours=True,
            expected="expected best: words of a relevant link",
        )
    if spec.order != "best-first" and spec.best:
        yield Problem(
            location=("best",),
            what=f"has no meaning with order: {spec.order}",
            by_neighbours=True,
            expected="say order: best-first",
        )


def _plain_http(spec: CrawlSpec) -> Iterator[Problem]:
    if spec.driver == "http":
        for number, rule in enumerate(spec.pages):
            if rule.steps:
                yield Problem(
                    location=("pages", number, "steps"), what="driver http takes no steps", expected="say driver: auto"
                )
        if spec.login:
            yield Problem(location=("login",), what="driver http takes no steps", expected="say driver: auto")
        if "screenshot" in spec.keep or any("screenshot" in rule.keep for rule in spec.pages):
            yield Problem(location=("driver",), what="driver http makes no screenshots", expected="say driver: auto")
        if spec.press:
            yield Problem(location=("press",), what="driver http presses nothing", expected="say driver: auto")


def _login(login: Login) -> list[Problem]:
    found = _steps(("login",), login.steps)
    if not login.steps:
        found.append(
            Problem(location=("login", "steps"), what="a login without steps", expected="expected type and click steps")
        )
    if login.check and (why := why_no_selector(login.check, in_browser=True)):
        found.append(Problem(location=("login", "check"), what=why))
    return found


def _steps(above: Location, steps: tuple[Step, ...]) -> list[Problem]:
    return [problem for number, step in enumerate(steps) for problem in _step((*above, "steps", number), step)]


def _step(location: Location, step: Step) -> Iterator[Problem]:
    actions = [name for name in _ACTIONS if getattr(step, name)]
    if len(actions) != 1:
        what = f"does {' and '.join(actions)} at once" if actions else "does nothing"
        yield Problem(location=location, what=what, expected=f"expected exactly one of {', '.join(_ACTIONS)}")
    if step.type and not step.text:
        yield Problem(location=location, what="types no text", expected="expected text: what is typed")
    if step.text and not step.type:
        yield Problem(
            location=(*location, "text"),
            what="has no field to be typed into",
            by_neighbours=True,
            expected="expected type: selector",
        )
    if step.until != "once" and not step.click:
        yield Problem(
            location=(*location, "until"),
            what=f"{step.until} is for click",
            by_neighbours=True,
            expected="expected click: selector",
        )
    for name in ("click", "type", "submit", "dismiss", "wait_for"):
        selector = getattr(step, name)
        if selector and (why := why_no_selector(selector, in_browser=True)):
            yield Problem(location=(*location, name), what=why)


def _item_rule(location: Location, rule: ItemRule) -> Iterator[Problem]:
    if rule.each and (why := why_no_selector(rule.each)):
        yield Problem(location=(*location, "each"), what=why)
    for name, field in rule.fields.items():
        if field.select and (why := why_no_selector(field.select)):
            yield Problem(location=(*location, "fields", name, "select"), what=why)
    for number, name in enumerate(rule.key):
        if rule.fields and name not in rule.fields:
            expected = f"expected one of {', '.join(rule.fields)}"
            yield Problem(location=(*location, "key", number), what=f"there is no field '{name}'", expected=expected)


def _texts(spec: CrawlSpec, environment: Mapping[str, str] | None) -> Iterator[Problem]:
    for location, text in _all_texts(spec, ()):
        if location[-1] == "text" or location[0] in ("headers", "proxy"):
            missing = [name for name in names_in(text) if environment is not None and name not in environment]
            for name in missing:
                yield Problem(
                    location=location, what=f"{name} is not in the environment", expected=f"set it: export {name}=..."
                )
        elif SECRET.search(text):
            yield Problem(
                location=location, what="${...} is allowed in the text of a step, in headers and in the proxy only"
            )
        if location[0] == "polite" and not (text.isascii() and text.isprintable()):
            yield Problem(
                location=location, what="cannot be sent in a header", expected="expected printable ASCII on one line"
            )


def _all_texts(value: Any, location: Location) -> Iterator[tuple[Location, str]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _all_texts(getattr(value, name), (*location, name))
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _all_texts(inner, (*location, name))
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _all_texts(inner, (*location, number))
    elif isinstance(value, str):
        yield location, value
