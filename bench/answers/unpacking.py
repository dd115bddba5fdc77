"""Gets the pages of a site as its authors published them: from Debian, npm or a public repository, into a cache folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from functools import partial
from pathlib import Path, PurePosixPath

import platformdirs

from answers.question_set import Site, Source

SECONDS = 900
"""For one download."""
CACHE = Path(platformdirs.user_cache_dir("gemwalker")) / "answer-sites"
_MARK = ".source"


class NotUnpacked(Exception):
    """The pages of a site cannot be had here; the message says why in one line."""


def pages_of(site: Site, cache: Path) -> Path | None:
    """The folder that is served at "/", None where the site was not unpacked yet, or from another source."""
    mark = cache / site.name / _MARK
    known = mark.is_file() and mark.read_text() == _identity(site.source)
    return cache / site.name / "pages" if known else None


def unpack(site: Site, cache: Path, mirrors: Path | None = None) -> Path:
    """Have the site's pages in the cache; `mirrors` holds bare repositories named owner+name. Raises `NotUnpacked`."""
    if known := pages_of(site, cache):
        return known
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as scratch:
        try:
            made = _got(site.source, Path(scratch), mirrors)
        except (OSError, subprocess.SubprocessError, tarfile.TarError) as error:
            said = getattr(error, "stderr", None) or str(error)
            raise NotUnpacked(_last_line(said)) from None
        if not made.is_dir() or not any(made.iterdir()):
            raise NotUnpacked(f"there is no folder {site.source.folder!r} in it")
        home = cache / site.name
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir()
        shutil.copytree(made, home / "pages", ignore=partial(_outside, Path(scratch).resolve()))
    (home / _MARK).write_text(_identity(site.source))
    return home / "pages"


def _outside(home: Path, folder: str, names: list[str]) -> list[str]:
    """Links that lead to nothing, or out of what was unpacked; the others are followed, as a server would."""
    found = {name: (Path(folder) / name).resolve() for name in names}
    return [name for name, path in found.items() if not path.exists() or home not in path.parents]


def _got(source: Source, scratch: Path, mirrors: Path | None) -> Path:
    folder = source.folder.strip("/")
    if source.debian:
        _run(["apt-get", "download", source.debian], scratch)
        (package,) = scratch.glob("*.deb")
        _run(["dpkg-deb", "-x", str(package), "unpacked"], scratch)
        return scratch / "unpacked" / folder
    if source.npm:
        _run(["npm", "pack", "--silent", f"{source.npm}@{source.version}"], scratch)
        (package,) = scratch.glob("*.tgz")
        with tarfile.open(package) as archive:
            archive.extractall(scratch / "unpacked", filter="data")
        return scratch / "unpacked" / folder
    repository = _mirror(source, mirrors) or _fetched(source, scratch)
    _write_tree(repository, source.commit, folder, scratch / "unpacked")
    return scratch / "unpacked"


def _mirror(source: Source, mirrors: Path | None) -> Path | None:
    """The bare repository of a source, at the folder of its name or one below it."""
    home = mirrors / source.git.replace("/", "+") if mirrors is not None else None
    if home is None or not home.is_dir():
        return None
    found = next((file.parent for file in sorted([*home.glob("HEAD"), *home.glob("*/HEAD")])), None)
    return found if found is not None and _holds(found, source.commit) else None


def _holds(repository: Path, commit: str) -> bool:
    asked = ["git", "--git-dir", str(repository), "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(asked, capture_output=True, check=False, env=_environment()).returncode == 0


def _fetched(source: Source, scratch: Path) -> Path:
    repository = scratch / "repository"
    git = ["git", "--git-dir", str(repository)]
    _run([*git, "init", "--quiet", "--bare"], scratch)
    _run([*git, "fetch", "--quiet", "--depth", "1", f"https://github.com/{source.git}", source.commit], scratch)
    return repository


def _write_tree(repository: Path, commit: str, folder: str, target: Path) -> None:
    """Write the files of a commit's folder. A file that the repository lists but does not have is left out."""
    git = ["git", "--git-dir", str(repository)]
    wanted = f"{commit}:{folder}" if folder else commit
    listed = subprocess.run(
        [*git, "ls-tree", "-r", "-z", wanted], capture_output=True, check=True, timeout=SECONDS, env=_environment()
    ).stdout
    with subprocess.Popen(
        [*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment()
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for entry in filter(None, listed.split(b"\0")):
            facts, _, name = entry.partition(b"\t")
            mode, kind, digest = facts.split()
            if kind != b"blob" or mode == b"120000":
                continue
            reader.stdin.write(digest + b"\n")
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[1] != b"blob":
                continue
            data = reader.stdout.read(int(head[2]) + 1)[:-1]
            path = PurePosixPath(os.fsdecode(name))
            assert ".." not in path.parts, "git lists no path that leaves the tree"
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(data)
        reader.stdin.close()


def _run(command: list[str], folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=SECONDS, env=_environment())


def _environment() -> dict[str, str]:
    """Nobody is asked for a password, and what a partial repository lacks is not fetched."""
    return os.environ | {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


def _identity(source: Source) -> str:
    return " ".join(f"{name}={getattr(source, name)}" for name in source.__struct_fields__)


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it could not be downloaded"
