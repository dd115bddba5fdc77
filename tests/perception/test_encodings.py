"""Any bytes become text, in the encoding that a browser would take."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from webencodings.labels import LABELS

from perception.encodings import codec_named, decode_html

PARAGRAPHS = [
    line.split("\t") for line in Path(__file__).with_name("languages.tsv").read_text("utf-8").splitlines()[1:]
]
"""Language, an encoding that its pages were written in before UTF-8, and a paragraph."""


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        ("图书馆".encode(), ""),
        (codecs.BOM_UTF8 + "图书馆".encode(), "text/html; charset=latin-1"),
        (codecs.BOM_UTF16_LE + "图书馆".encode("utf-16-le"), ""),
        (codecs.BOM_UTF16_BE + "图书馆".encode("utf-16-be"), ""),
        ("图书馆".encode("gbk"), "text/html; charset=GB2312"),
        ("图书馆".encode("gb18030"), 'text/html; charset="gb18030"'),
        ("图书馆".encode(), "text/html; charset=no-such-thing"),
    ],
)
def test_encoding_comes_from_mark_then_header(data: bytes, content_type: str) -> None:
    assert decode_html(data, content_type) == "图书馆"


def test_encoding_comes_from_the_meta_element() -> None:
    text = '<meta http-equiv="Content-Type" content="text/html; charset=gbk"><p>教授名单</p>'
    assert decode_html(text.encode("gbk")) == text


def test_the_header_goes_before_the_meta_element() -> None:
    text = '<meta charset="latin-1"><p>教授</p>'
    assert decode_html(text.encode(), "text/html; charset=utf-8") == text


def test_a_declaration_that_does_not_fit_is_passed_over() -> None:
    text = '<meta charset="ascii"><p>教授</p>'
    assert decode_html(text.encode()) == text


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=utf-8", "text/html; charset=shift_jis"]))
def test_decoding_never_fails(data: bytes, content_type: str) -> None:
    assert isinstance(decode_html(data, content_type), str)


def test_every_label_of_the_standard_names_a_codec() -> None:
    assert len(LABELS) == 228
    assert {label for label in LABELS if not codec_named(label)} == {"iso-2022-cn", "iso-2022-cn-ext", "replacement"}


@pytest.mark.parametrize("label", ["base64", "undefined", "idna", "utf-7", "no-such-thing", ""])
def test_what_is_no_label_is_no_encoding(label: str) -> None:
    assert codec_named(label) == ""


def test_labels_mean_what_browsers_take_them_for() -> None:
    assert "“".encode("cp1252").decode(codec_named("ISO-8859-1")) == "“"
    assert "㐀".encode("gb18030").decode(codec_named("gb2312")) == "㐀"
    assert b"\x87@".decode(codec_named("shift_jis")) == "①"


@pytest.mark.parametrize(("language", "encoding", "text"), PARAGRAPHS)
@pytest.mark.parametrize(
    "head",
    [
        "<html><meta charset={encoding}>",
        "<html lang={language}>",
        "<html>",
        "<html><!-- " + 6000 * "-" + " --><meta charset='{encoding}'>",
    ],
    ids=["declared", "language", "nothing", "late"],
)
def test_pages_of_thirty_languages_can_be_read(head: str, language: str, encoding: str, text: str) -> None:
    page = f"{head.format(language=language, encoding=encoding)}<title>1</title><p>{text}</p>"
    assert decode_html(page.encode(codec_named(encoding))) == page


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("iso-8859-2", "Üdvözöljük honlapunkon! A könyvtár nyitva tart hétköznap tíztől hatig."),
        ("iso-8859-2", "Szöveg: a hűség ára"),
        ("windows-1250", "Nyitólap | Termékek | Árlista | Elérhetőség | Vendégkönyv"),
        ("iso-8859-16", "Teatrul „Ion Creangă” din București prezintă „Miorița” în fiecare sâmbătă."),
        ("iso-8859-16", "Cartea „Ștefan cel Mare” a apărut; prețul este de șase lei."),
        ("windows-1252", "Il a dû partir en août, avant l'été et la fête de Noël, sûrement à regret."),
        ("windows-1252", "Informações e condições: as opções são três, põe à venda às férias."),
        ("windows-1252", "Öö on pikk, õhtu on lühike; võib-olla jõuab õigel ajal sõita."),
        ("windows-1252", "La canción del niño está en el álbum; año y corazón, también."),
        ("windows-1252", "A lição é fácil: põe, dispõe, supõe, propões."),
        ("iso-8859-2", "Zażółć gęślą jaźń: Łódź, Gdańsk, Ľubica i Žilina są miastami, które warto zobaczyć."),
    ],
)
def test_short_undeclared_texts_in_neighbouring_encodings_can_be_read(encoding: str, text: str) -> None:
    page = f"<html><title>1</title><p>{text}</p>"
    assert decode_html(page.encode(encoding)) == page


def test_a_meta_element_below_the_head_is_none() -> None:
    page = "<body><pre>&lt;meta charset=big5></pre><p>naïve <meta charset=big5></p>"
    assert decode_html(page.encode()) == page
