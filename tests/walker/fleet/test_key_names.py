"""Secrets do not travel; their names do."""

from __future__ import annotations

import pickle

import msgspec
import pytest

from walker.errors import UsageError
from walker.fleet.key_names import with_keys, without_keys
from walker.settings import Beyond, ModelSettings, PictureService, SearchService, Settings, VisionSettings

KEYS = {
    "MODEL": "sk-model-1",
    "VISION": "sk-vision-2",
    "SEARCH": "sk-search-3",
    "PICTURES": "sk-pictures-4",
    "OWN": "mine-5",
}
FULL = Settings(
    model=ModelSettings(name="m", key=KEYS["MODEL"]),
    vision=VisionSettings(name="v", key=KEYS["VISION"]),
    beyond=Beyond(search=SearchService(name="s", url="http://s/{query}", key=KEYS["SEARCH"])),
    picture_search=PictureService(url="http://p/", key=KEYS["PICTURES"]),
    secrets=(KEYS["OWN"], KEYS["MODEL"]),
    seed="1",
)


def test_no_key_leaves_and_a_worker_has_them_all_again() -> None:
    sent, names = without_keys(FULL, KEYS)
    travels = pickle.dumps((sent, names))
    assert [key for key in KEYS.values() if key.encode() in travels] == []
    assert (names.model, names.secrets) == ("MODEL", ("OWN", "MODEL"))
    assert with_keys(sent, names, KEYS) == FULL


def test_a_worker_has_the_key_of_its_own_environment() -> None:
    sent, names = without_keys(FULL, KEYS)
    theirs = with_keys(sent, names, KEYS | {"MODEL": "sk-theirs"})
    assert theirs.model is not None
    assert theirs.model.key == "sk-theirs"


def test_settings_without_secrets_are_as_before() -> None:
    plain = Settings(seed="1")
    sent, names = without_keys(plain, {"EMPTY": ""})
    assert sent == plain
    assert with_keys(sent, names, {}) == plain


def test_a_variable_that_a_worker_lacks_is_named() -> None:
    sent, names = without_keys(FULL, KEYS)
    with pytest.raises(UsageError, match="the environment variable VISION is not set on a worker"):
        with_keys(sent, names, {name: value for name, value in KEYS.items() if name != "VISION"})


def test_a_key_that_no_variable_holds_is_refused_without_being_told() -> None:
    with pytest.raises(UsageError, match="no environment variable") as refused:
        without_keys(FULL, {})
    assert "sk-" not in str(refused.value)


@pytest.mark.parametrize(
    ("field", "value", "flag"),
    [
        ("headers", (("Cookie", "secret"),), "--header"),
        ("proxy", "http://me:secret@p:1", "--proxy"),
        ("session", {"cookies": ["secret"]}, "--profile"),
        ("headed", True, "--headed"),
    ],
)
def test_what_belongs_to_this_machine_stays_here(field: str, value: object, flag: str) -> None:
    with pytest.raises(UsageError, match=flag) as refused:
        without_keys(msgspec.structs.replace(Settings(), **{field: value}), {})
    assert "secret" not in str(refused.value)
