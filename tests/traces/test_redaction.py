from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from traces.redaction import LEAST_SEARCHED, Redactor, same_but_for_marks

KEY = b"project"
SECRETS = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_characters="\x7f"), min_size=8, max_size=24
).filter(lambda text: any(character.isascii() and character.isalnum() for character in text) and text.strip() == text)


def written(secret: str) -> list[str]:
    forms = [secret, quote(secret), quote(secret, safe=""), quote_plus(secret), html.escape(secret)]
    return [*forms, *(json.dumps(form) for form in forms), *(json.dumps(f, ensure_ascii=False) for f in forms)]


@settings(max_examples=150, deadline=None)
@given(secret=SECRETS)
@example(secret='p&ss"w<rd/1')
@example(secret="it's <b>8")
def test_a_secret_is_found_however_it_is_written(secret: str) -> None:
    redactor = Redactor((secret,), KEY)
    mark = redactor.clean(secret.encode()).decode()
    assert mark.startswith("<secret:value:")
    for form in written(secret):
        cleaned = redactor.clean(f"( {form} )".encode()).decode()
        assert cleaned.replace('"', "") == f"( {mark} )", form


@settings(max_examples=80, deadline=None)
@given(secret=SECRETS, text=st.text(max_size=40))
@example(secret="00000000", text="\x10")
@example(secret="nnnnnnnn", text="\n")
def test_json_stays_json_and_cleaning_twice_changes_nothing(secret: str, text: str) -> None:
    redactor = Redactor((secret,), KEY)
    data = json.dumps({"a": text + secret + text, "b": [f'<input type="password" value="{text}">']}).encode()
    once = redactor.clean(data)
    json.loads(once)
    assert redactor.clean(once) == once


ANY_SECRET = st.text(st.characters(exclude_categories=["Cs"]), min_size=LEAST_SEARCHED, max_size=16)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def shape_of(value: Any) -> Any:
    """The value without its strings."""
    match value:
        case dict():
            return {name: shape_of(inner) for name, inner in value.items()}
        case list():
            return [shape_of(inner) for inner in value]
        case str():
            return str
        case _:
            return value


def strings_of(value: Any) -> Iterator[str]:
    match value:
        case dict():
            for inner in value.values():
                yield from strings_of(inner)
        case list():
            for inner in value:
                yield from strings_of(inner)
        case str():
            yield value


def planted(value: Any, secret: str) -> Any:
    """The value with the secret in each of its strings, and beside it."""
    match value:
        case dict():
            return {name: planted(inner, secret) for name, inner in value.items()} | {secret: "its key", "s": secret}
        case list():
            return [*(planted(inner, secret) for inner in value), secret]
        case str():
            return f"{value[:3]}{secret}{value[3:]}"
        case _:
            return value


@settings(max_examples=300, deadline=None)
@given(value=VALUES, secret=ANY_SECRET, ensure_ascii=st.booleans(), formatted=st.booleans())
@example(value={"kind": "call", "seam": [1, 2.5, None]}, secret='","seam":"', ensure_ascii=False, formatted=False)
@example(value={"n": 12345678, "text": "12345678"}, secret="12345678", ensure_ascii=False, formatted=False)
@example(value=["\\"], secret='"\\"\\"\\"\\"', ensure_ascii=False, formatted=True)
@example(value={"password": "x"}, secret="password", ensure_ascii=True, formatted=True)
@example(value=["é"], secret="ünïcödé-key", ensure_ascii=True, formatted=False)
@example(value=[], secret="\u2028\x00\x7f</a>&'", ensure_ascii=True, formatted=False)
def test_json_keeps_its_shape_and_no_string_of_it_keeps_the_secret(
    value: Any, secret: str, ensure_ascii: bool, formatted: bool
) -> None:
    data = json.dumps(planted(value, secret), ensure_ascii=ensure_ascii, indent=2 if formatted else None).encode()
    redactor = Redactor((secret,), KEY)
    cleaned = redactor.clean_json(data)
    before, after = json.loads(data), json.loads(cleaned)
    assert shape_of(after) == shape_of(before)
    if secret not in redactor.clean(secret.encode()).decode():  # of ":" and the like a mark is made itself
        assert [text for text in strings_of(after) if secret in text] == []
    assert Redactor((secret,), KEY).clean_json(cleaned) == cleaned


@settings(max_examples=200, deadline=None)
@given(value=VALUES, secret=ANY_SECRET)
def test_json_without_the_secret_stays_byte_for_byte(value: Any, secret: str) -> None:
    data = json.dumps(value, ensure_ascii=False).encode()
    if all(secret not in text for text in strings_of(value)):
        assert Redactor((secret,), KEY).clean_json(data) == Redactor().clean_json(data)


@pytest.mark.parametrize("secret", ["x", "EMPTY", "none", "ollama", "token", "7 chars"])
def test_a_short_secret_is_not_searched_for(secret: str) -> None:
    text = f"the {secret} of all pages".encode()
    assert Redactor((secret,), KEY).clean(text) == text
    assert Redactor((secret,), KEY).clean_json(b'["%b"]' % text) == b'["%b"]' % text


def test_words_of_the_format_and_digests_stay_where_they_are_the_whole_string() -> None:
    redactor = Redactor(("complete", "deadbeef", "redirect"), KEY, words=frozenset(["complete", "redirect_loop"]))
    digest = f"sha256:{'deadbeef' * 8}"
    data = json.dumps(["complete", "it is complete", "redirect_loop", "a redirect", "deadbeef"]).encode()
    cleaned = json.loads(redactor.clean_json(data))
    assert [text for text in cleaned if "<secret:" not in text] == ["complete", "redirect_loop"]
    call = {"fingerprint": "deadbeef" * 4, "outcome": {"$b": digest, "n": 8}}
    assert json.loads(redactor.clean_json(json.dumps(call).encode())) == call


def test_a_secret_that_is_spelled_like_a_digest_is_hidden() -> None:
    key = "0123456789abcdef" * 2
    assert key.encode() not in Redactor((key,), KEY).clean_json(json.dumps({"a": key}).encode())


@pytest.mark.parametrize("with_keys", [True, False])
def test_keys_are_cleaned_only_where_the_json_is_not_ours(with_keys: bool) -> None:
    cleaned = json.loads(Redactor(("hunter2-zebra",), KEY).clean_json(b'{"hunter2-zebra": 1}', with_keys=with_keys))
    assert ("hunter2-zebra" in cleaned) is not with_keys


def test_bodies_are_cleaned_by_their_media_type() -> None:
    redactor = Redactor(("12345678",), KEY)
    assert redactor.clean_body(b'{"id": 12345678}', "application/problem+json; charset=utf-8") == b'{"id": 12345678}'
    assert b"12345678" not in redactor.clean_body(b"{id: 12345678}", "application/json")
    assert b"12345678" not in redactor.clean_body(b"<p>12345678</p>", "text/html")


def test_json_within_json_keeps_its_shape_too() -> None:
    inner = json.dumps({"findings": [{"quote": "hunter2-zebra", "hunter2-zebra": 12345678}]})
    redactor = Redactor(("hunter2-zebra", "12345678", "findings"), KEY, words=frozenset(["findings"]))
    (found,) = json.loads(json.loads(redactor.clean_json(json.dumps({"text": inner}).encode()))["text"])["findings"]
    assert "hunter2-zebra" not in json.dumps(found)
    assert 12345678 in found.values()


@pytest.mark.parametrize(
    ("recorded", "derived", "same"),
    [
        ({"a": ["<secret:value:0011aabb> new"]}, {"a": ("anything new",)}, True),
        ({"a": "no <secret:value:0011aabb>"}, {"a": "yes anything"}, False),
        ("<secret:value:0011aabb>", "anything", True),
        ("a <secret:value:0011aabb> b", "a b", False),
        ("a (secret) b (secret)", "a x b y", True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1], [1, 2], False),
        (1, 2, False),
    ],
)
def test_a_mark_in_a_record_stands_for_any_text(recorded: Any, derived: Any, same: bool) -> None:
    assert same_but_for_marks(recorded, derived) is same


def test_a_secret_after_a_backslash_is_hidden_where_the_text_is_no_json() -> None:
    assert b"unter2x" not in Redactor(("nunter2x",), KEY).clean(rb"the folder C:\nunter2x holds it")


def test_equal_secrets_look_equal_within_a_project_only() -> None:
    one, same = Redactor(("hunter2x",), b"k"), Redactor(("hunter2x",), b"k")
    other = Redactor(("hunter2x",), b"l")
    assert one.clean(b"hunter2x") == same.clean(b"hunter2x") != other.clean(b"hunter2x")


def test_a_longer_secret_is_hidden_whole() -> None:
    redactor = Redactor(("hunter2x", "hunter2x-and-more"), KEY)
    assert b"more" not in redactor.clean(b"hunter2x-and-more")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("http://h/?access_token=abcdefgh&page=2", "http://h/?access_token=(secret)&page=2"),
        ("http://h/?page=2&Password=abcdefgh#top", "http://h/?page=2&Password=(secret)#top"),
        ("http://h/#id_token=abc.def.ghi", "http://h/#id_token=(secret)"),
        ("http://h/go?to=http%3A%2F%2Fi%2F%3Faccess_token%3Dabcdefgh", None),
        ("http://ann:pass@h/", "http://(secret)@h/"),
        ("http://h/?code=CS101&key=title&token=page2", "http://h/?code=CS101&key=title&token=page2"),
        ("mail ann@h.example about the password", "mail ann@h.example about the password"),
        ("<input name=q type=text value=abc>", "<input name=q type=text value=abc>"),
        ("<input value='a b' type='password' id=p>", "<input value='(secret)' type='password' id=p>"),
        ('<input type="password" value="a>b<c"><p>x</p>', '<input type="password" value="(secret)"><p>x</p>'),
        (r"<input type=password value=a\b id=p>", "<input type=password value=(secret) id=p>"),
        ("<INPUT TYPE=password VALUE=abc>", "<INPUT TYPE=password VALUE=(secret)>"),
    ],
)
def test_addresses_and_password_fields(before: str, after: str | None) -> None:
    cleaned = Redactor().clean(before.encode()).decode()
    if after is None:
        assert "abcdefgh" not in cleaned
    else:
        assert cleaned == after


def test_only_harmless_headers_keep_their_value() -> None:
    given_headers = {"Content-Type": "text/html", "Set-Cookie": "a=b", "X-Api-Key": "k", "Authorization": "Bearer t"}
    assert Redactor().clean_headers(given_headers) == {
        "Content-Type": "text/html",
        "Set-Cookie": "(secret)",
        "X-Api-Key": "(secret)",
        "Authorization": "(secret)",
    }
