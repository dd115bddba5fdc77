"""Keys on their way to another machine: their names travel, and their values are taken from the environment there."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from walker.errors import UsageError
from walker.settings import Settings


class KeyNames(msgspec.Struct, frozen=True, kw_only=True):
    """Environment variables that hold the secrets of settings; "" for none."""

    model: str = ""
    vision: str = ""
    search: str = ""
    pictures: str = ""
    secrets: tuple[str, ...] = ()


_STAYS = {
    "headers": "--header",
    "proxy": "--proxy",
    "session": "--profile",
    "cdp": "--cdp",
    "library": "--library",
    "headed": "--headed",
    "ask_me": "--ask-me",
}
"""What belongs to one machine or one person, with its flag."""


def without_keys(settings: Settings, environment: Mapping[str, str]) -> tuple[Settings, KeyNames]:
    """The settings without any secret, and where a worker finds them. Raises `UsageError` for what cannot leave this machine."""
    for field, flag in _STAYS.items():
        if getattr(settings, field):
            raise UsageError(
                f"{flag} stays on this machine",
                where="--on",
                advice="Leave it out, or ask the questions that need it with --on local",
            )
    names = KeyNames(
        model=name_of(settings.model.key if settings.model else "", environment),
        vision=name_of(settings.vision.key if settings.vision else "", environment),
        search=name_of(settings.beyond.search.key if settings.beyond.search else "", environment),
        pictures=name_of(settings.picture_search.key if settings.picture_search else "", environment),
        secrets=tuple(name_of(value, environment) for value in settings.secrets),
    )
    return _filled(settings, KeyNames(), {}), names


def with_keys(settings: Settings, names: KeyNames, environment: Mapping[str, str]) -> Settings:
    """The settings again, with the values that the variables have here. Raises `UsageError` for one that is not set."""
    return _filled(settings, names, environment)


def name_of(value: str, environment: Mapping[str, str]) -> str:
    """The variable that holds a secret, "" for no secret. Raises `UsageError` where none does."""
    name = next((name for name, held in environment.items() if held == value), "") if value else ""
    if value and not name:
        raise UsageError(
            "a key or password is in no environment variable, so workers cannot find it",
            where="--on",
            advice="Set it in the environment here and where the workers run",
        )
    return name


def value_of(name: str, environment: Mapping[str, str]) -> str:
    """What a variable holds here, "" for no variable. Raises `UsageError` for one that is not set."""
    if name and not environment.get(name):
        raise UsageError(
            f"the environment variable {name} is not set on a worker",
            where="--on",
            advice="Set it before `ray start` on every machine",
        )
    return environment[name] if name else ""


def _filled(settings: Settings, names: KeyNames, environment: Mapping[str, str]) -> Settings:
    def value(name: str) -> str:
        return value_of(name, environment)

    replace = msgspec.structs.replace
    model, vision, search, pictures = settings.model, settings.vision, settings.beyond.search, settings.picture_search
    return replace(
        settings,
        model=model and replace(model, key=value(names.model)),
        vision=vision and replace(vision, key=value(names.vision)),
        beyond=replace(settings.beyond, search=search and replace(search, key=value(names.search))),
        picture_search=pictures and replace(pictures, key=value(names.pictures)),
        secrets=tuple(value(name) for name in names.secrets),
    )
