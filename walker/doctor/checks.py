"""The checks of `walker doctor`; each says what it found and how to fix it."""

from __future__ import annotations

import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import numpy as np

from memory.retrieval import WordLlamaEmbedder, embed_texts
from perception.errors import MissingPackage, PerceptionError
from perception.icons.icon_reader import IconReader
from perception.ocr.ocr import PaddleReader, TextReader
from perception.ocr.onnx_models import has_cuda
from walker.browser.launch.find_chromium import find_browser
from walker.doctor.browser_trial import try_browser
from walker.doctor.installation import foreign_owners, installed_distributions, package_folders, rival_builds
from walker.errors import BrowserUnavailable
from walker.recording.secret_notice import notice_of
from walker.settings import ModelSettings, VisionSettings

LEAST_FREE_MB = 500
"""A walk of 500 pages without screenshots takes about 55 MB (TRACES.md); a browser profile as much again."""
CJK_FONT_NAMES = (
    "cjk",
    "wqy",
    "hanyi",
    "pingfang",
    "sourcehan",
    "notosanssc",
    "notoserifsc",
    "simsun",
    "msyh",
    "uming",
    "ukai",
)
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
)
MEGABYTE = 1024 * 1024


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One finding. A check that is `ok` may still carry advice: a walk works, but something would be better."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


async def examine(*, runs_folder: Path, chromium: str = "") -> tuple[Check, ...]:
    """All checks, basic ones first; the browser is actually started."""
    return (
        check_python(sys.version_info[:3]),
        check_packages(),
        check_builds(),
        check_playwright(),
        await check_browser(chromium),
        check_embeddings(WordLlamaEmbedder.load),
        check_ocr(PaddleReader),
        check_icons(partial(IconReader.load, embed_texts)),
        check_device(),
        check_runs_folder(runs_folder),
        check_disk_space(runs_folder),
        check_fonts(FONT_FOLDERS),
    )


def check_python(running: tuple[int, int, int]) -> Check:
    """Python 3.11 to 3.13."""
    shown = ".".join(map(str, running))
    if (3, 11) <= running[:2] <= (3, 13):
        return Check(name="python", ok=True, detail=f"{shown} on {platform.platform(terse=True)}")
    return Check(
        name="python", ok=False, detail=shown, advice="Python 3.11, 3.12 or 3.13 is needed: make setup PYTHON=..."
    )


def check_packages() -> Check:
    """The five packages are in one folder, and no other distribution installs files into them."""
    folders = package_folders()
    missing = [name for name, folder in folders.items() if folder is None]
    parents = sorted({str(folder.parent) for folder in folders.values() if folder is not None})
    if missing:
        return Check(name="packages", ok=False, detail=f"not found: {', '.join(missing)}", advice="Run make setup")
    if len(parents) > 1:
        advice = "Run walker in an environment of its own (make setup makes one)"
        return Check(name="packages", ok=False, detail=f"they are in {' and '.join(parents)}", advice=advice)
    if owners := foreign_owners(installed_distributions()):
        name, other = owners[0]
        return Check(
            name="packages", ok=False, detail=f"{other} installs files under {name}/", advice=f"pip uninstall {other}"
        )
    return Check(name="packages", ok=True, detail=f"all five in {parents[0]}")


def check_builds() -> Check:
    """One build of onnxruntime and one of OpenCV."""
    builds = rival_builds(installed_distributions())
    for folder, rivals in builds.items():
        if len(rivals) > 1 and not _are_twins(folder, rivals):
            names = " ".join(rival.split()[0] for rival in rivals)
            advice = f"pip uninstall -y {names}, remove what is left of the folder {folder}, then make setup"
            return Check(name="builds", ok=False, detail=f"{' and '.join(rivals)} share one folder", advice=advice)
    found = [" and ".join(rivals) for rivals in builds.values() if rivals]
    return Check(name="builds", ok=True, detail=", ".join(found) or "neither onnxruntime nor OpenCV is installed")


def _are_twins(folder: str, rivals: tuple[str, ...]) -> bool:
    """Two builds of OpenCV of one version differ only in GUI support, which is not used here; rapidocr requires the headless
    one."""
    return folder == "cv2" and len({rival.split()[1] for rival in rivals}) == 1


def check_playwright() -> Check:
    """Playwright is installed."""
    try:
        return Check(name="playwright", ok=True, detail=version("playwright"))
    except PackageNotFoundError:
        return Check(name="playwright", ok=False, detail="not installed", advice="Run make setup")


async def check_browser(chromium: str) -> Check:
    """A browser is found, starts, and loads a page."""
    try:
        path = str(find_browser(chromium or None).path)
    except BrowserUnavailable as error:
        return Check(
            name="browser", ok=False, detail=": ".join(filter(None, (error.where, error.what))), advice=error.advice
        )
    trial = await try_browser(path)
    if trial.failure:
        return Check(name="browser", ok=False, detail=trial.failure, advice=trial.advice)
    lighter = "" if "headless" in Path(path).name else "; chromium-headless-shell would use a third of its CPU time"
    return Check(name="browser", ok=True, detail=f"{path}, version {trial.version}, starts{lighter}")


def check_embeddings(load: Callable[[], WordLlamaEmbedder]) -> Check:
    """The model for sentence embeddings loads from the package alone."""
    try:
        vectors = load().embed(("the tide is late", "the ferry is early"))
    except (OSError, ImportError, ValueError) as error:
        return Check(
            name="embeddings",
            ok=False,
            detail=_line(error),
            advice="Run make setup; the model is in wordllama's package",
        )
    return Check(name="embeddings", ok=True, detail=f"wordllama {version('wordllama')}, {len(vectors[0])} dimensions")


def check_ocr(load: Callable[[], TextReader]) -> Check:
    """The OCR engine loads. A walk works without one, but an installed engine that is broken is an error."""
    try:
        reader = load()
    except PerceptionError as error:
        return _unusable("ocr", error)
    return Check(name="ocr", ok=True, detail=f"{reader.name}, loads")


def check_icons(load: Callable[[], IconReader]) -> Check:
    """The package's own model for icons is whole, and runs."""
    try:
        reader = load()
        reader.read([np.full((48, 48), 255, np.uint8)])
    except PerceptionError as error:
        return _unusable("icons", error)
    return Check(name="icons", ok=True, detail="icon reader, loads and runs")


def _unusable(name: str, error: PerceptionError) -> Check:
    """A missing optional package is fine; a damaged or missing file is an error."""
    detail = ": ".join(part for part in (error.where, error.what) if part)
    return Check(name=name, ok=isinstance(error, MissingPackage), detail=detail, advice=error.advice)


def check_device() -> Check:
    """The device that vision models run on: CUDA or CPU."""
    if has_cuda():
        return Check(name="device", ok=True, detail="CUDA, through onnxruntime")
    detail = "CPU: onnxruntime cannot open a CUDA session"
    if shutil.which("nvidia-smi") is None:
        return Check(name="device", ok=True, detail=detail)
    advice = "There is an NVIDIA driver: pip install 'gemwalker[cuda]' brings CUDA 13 and cuDNN 9 (1.3 GB)"
    return Check(name="device", ok=True, detail=detail, advice=advice)


def check_runs_folder(folder: Path) -> Check:
    """The folder for recorded walks can be created and written."""
    advice = "Make it writable, or name another with --runs"
    if folder.exists() and not folder.is_dir():
        return Check(name="runs folder", ok=False, detail=f"{folder} is not a folder", advice=advice)
    try:
        with tempfile.TemporaryFile(dir=_nearest_existing(folder)) as file:
            file.write(b"walker")
    except OSError as error:
        return Check(name="runs folder", ok=False, detail=f"{folder}: {error.strerror or error}", advice=advice)
    return Check(
        name="runs folder", ok=True, detail=str(folder.absolute()) + ("" if folder.exists() else " (will be created)")
    )


def check_keys(model: ModelSettings, vision: VisionSettings) -> Check:
    """The models' API keys can be redacted: long enough, and no ordinary words. A walk works with any."""
    named = {"the key of the model": model.key}
    if vision.key != model.key:
        named["the key of the vision model"] = vision.key
    if not any(named.values()):
        return Check(name="keys", ok=True, detail="none is set")
    notice = notice_of(named)
    if not notice:
        return Check(name="keys", ok=True, detail="redacted in all recordings")
    detail, _, advice = notice.rpartition("; ")
    return Check(name="keys", ok=True, detail=detail, advice=advice)


def check_disk_space(folder: Path) -> Check:
    """There is disk space for recordings."""
    free = shutil.disk_usage(_nearest_existing(folder)).free // MEGABYTE
    if free < LEAST_FREE_MB:
        advice = f"Free some: {LEAST_FREE_MB} MB are needed, or name another folder with --runs"
        return Check(name="disk space", ok=False, detail=f"{free} MB free", advice=advice)
    return Check(name="disk space", ok=True, detail=f"{free} MB free")


def check_fonts(folders: tuple[str, ...]) -> Check:
    """Fonts for Chinese, Japanese and Korean. Page text is read without them, but screenshots show boxes."""
    for folder in folders:
        for font in Path(folder).expanduser().rglob("*"):
            if any(name in font.name.lower().replace("-", "").replace(" ", "") for name in CJK_FONT_NAMES):
                return Check(name="fonts", ok=True, detail=f"CJK fonts in {folder}")
    advice = "Screenshots of Chinese pages would show boxes; Debian: apt-get install fonts-noto-cjk"
    return Check(name="fonts", ok=True, detail="no CJK fonts", advice=advice)


def _nearest_existing(folder: Path) -> Path:
    path = folder.absolute()
    while not path.is_dir() and path != path.parent:
        path = path.parent
    return path


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
