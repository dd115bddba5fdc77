from __future__ import annotations

import html
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from traces.redaction import Redactor

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
