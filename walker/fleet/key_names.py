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
    by_value = {value: name for name, value in environment.items()}
    names = KeyNames(
        model=_name(settings.model.key if settings.model else "", by_value),
        vision=_name(settings.vision.key if settings.vision else "", by_value),
        search=_name(settings.beyond.search.key if settings.beyond.search else "", by_value),
        pictures=_name(settings.picture_search.key if settings.picture_search else "", by_value),
        secrets=tuple(_name(value, by_value) for value in settings.secrets),
    )
    return _filled(settings, KeyNames(), {}), names


def with_keys(settings: Settings, names: KeyNames, environment: Mapping[str, str]) -> Settings:
    """The settings again, with the values that the variables have here. Raises `UsageError` for one that is not set."""
    return _filled(settings, names, environment)


def _name(value: str, by_value: Mapping[str, str]) -> str:
    if value and value not in by_value:
        raise UsageError(
            "a key is in no environment variable, so workers cannot find it",
            where="--on",
            advice="Set it in the environment here and where the workers run",
        )
    return by_value[value] if value else ""


def _filled(settings: Settings, names: KeyNames, environment: Mapping[str, str]) -> Settings:
    def value(name: str) -> str:
        if name and not environment.get(name):
            raise UsageError(
                f"the environment variable {name} is not set on a worker",
                where="--on",
                advice="Set it before `ray start` on every machine",
            )
        return environment[name] if name else ""

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
