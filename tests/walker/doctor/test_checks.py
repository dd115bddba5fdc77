from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from memory.retrieval import WordLlamaEmbedder, embed_texts
from perception.errors import MissingPackage, ModelUnusable
from perception.icons import icon_reader
from perception.icons.icon_reader import IconReader
from perception.icons.model_digest import SHA256, VOCABULARY_SHA256
from perception.ocr.ocr import NoReader
from perception.ocr.onnx_models import has_cuda
from walker.doctor.checks import (
    Check,
    check_browser,
    check_builds,
    check_device,
    check_disk_space,
    check_embeddings,
    check_fonts,
    check_icons,
    check_ocr,
    check_packages,
    check_playwright,
    check_python,
    check_runs_folder,
)


@pytest.mark.parametrize(
    ("running", "ok"), [((3, 10, 9), False), ((3, 11, 0), True), ((3, 13, 5), True), ((3, 14, 0), False)]
)
def test_python_is_3_11_to_3_13(running: tuple[int, int, int], ok: bool) -> None:
    check = check_python(running)
    assert check.ok is ok
    assert bool(check.advice) is not ok


def test_this_installation_is_sound() -> None:
    for check in (check_packages(), check_playwright(), check_embeddings(WordLlamaEmbedder.load)):
        assert check.ok, check


@pytest.mark.skipif(has_cuda(), reason="there is a GPU")
def test_a_driver_without_cuda_is_told_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (check_device().ok, check_device().advice) == (True, "")
    (tmp_path / "nvidia-smi").write_text("#!/bin/sh\n")
    (tmp_path / "nvidia-smi").chmod(0o755)
    assert check_device().ok
    assert "pip install 'gemwalker[cuda]'" in check_device().advice


def test_builds_are_named() -> None:
    assert check_builds().name == "builds"
    assert check_builds().detail


def test_a_model_that_does_not_load_fails_in_one_line() -> None:
    def load() -> WordLlamaEmbedder:
        raise FileNotFoundError("no weights\nin the package")

    check = check_embeddings(load)
    assert not check.ok
    assert check.detail == "FileNotFoundError: no weights in the package"
    assert check.advice


def test_letters_that_were_not_installed_are_advice_and_broken_ones_a_failure() -> None:
    def left_out() -> NoReader:
        raise MissingPackage("rapidocr is not installed", advice="pip install it")

    def broken() -> NoReader:
        raise ModelUnusable("the model file is missing", where="/models/rec.onnx", advice="Get it again")

    assert check_ocr(NoReader) == Check(name="ocr", ok=True, detail="no letters, loads")
    assert check_ocr(left_out) == Check(
        name="ocr", ok=True, detail="rapidocr is not installed", advice="pip install it"
    )
    assert not check_ocr(broken).ok
    assert check_ocr(broken).detail == "/models/rec.onnx: the model file is missing"


def test_an_icon_model_that_is_gone_or_damaged_is_named_with_its_digest_and_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_icons(partial(IconReader.load, embed_texts)).ok
    data = icon_reader.MODEL.read_bytes()
    for name, kept in (("MODEL", SHA256), ("VOCABULARY", VOCABULARY_SHA256)):
        with monkeypatch.context() as patch:
            file = tmp_path / name
            patch.setattr(icon_reader, name, file)
            gone = check_icons(partial(IconReader.load, embed_texts))
            file.write_bytes(data[:1000])
            damaged = check_icons(partial(IconReader.load, embed_texts))
        for check, word in ((gone, "missing"), (damaged, "damaged")):
            assert not check.ok
            assert check.detail.startswith(f"{file}: the model file is {word}")
            assert kept in check.detail
            assert "install the package again" in check.advice


def test_a_runs_folder_need_not_exist_yet(tmp_path: Path) -> None:
    check = check_runs_folder(tmp_path / "deep" / "runs")
    assert check.ok
    assert check.detail.endswith("(will be created)")
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_place_of_the_runs_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("not a folder")
    check = check_runs_folder(tmp_path / "runs")
    assert not check.ok
    assert "--runs" in check.advice


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_runs_folder_that_may_not_be_written_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    check = check_runs_folder(tmp_path / "runs")
    tmp_path.chmod(0o700)
    assert not check.ok


def test_disk_space_is_told(tmp_path: Path) -> None:
    assert check_disk_space(tmp_path / "runs").detail.endswith("MB free")


def test_fonts_are_advice_only(tmp_path: Path) -> None:
    without = check_fonts((str(tmp_path),))
    assert without.ok
    assert "fonts-noto-cjk" in without.advice
    (tmp_path / "opentype").mkdir()
    (tmp_path / "opentype" / "NotoSansCJK-Regular.ttc").touch()
    assert check_fonts((str(tmp_path),)) == Check(name="fonts", ok=True, detail=f"CJK fonts in {tmp_path}")


async def test_a_browser_that_is_not_there_is_told_with_what_to_do(tmp_path: Path) -> None:
    check = await check_browser(str(tmp_path / "no-browser"))
    assert not check.ok
    assert "no-browser" in check.detail
    assert check.advice
