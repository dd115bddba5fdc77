from __future__ import annotations

from pathlib import Path

from walker.doctor.installation import (
    DISTRIBUTION,
    PACKAGES,
    Installed,
    foreign_owners,
    installed_distributions,
    package_folders,
    rival_builds,
)


def make_packages(folder: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").touch()


def test_a_second_memory_package_is_named_with_its_owner() -> None:
    installed = (
        Installed(name=DISTRIBUTION, version="0.1.0", tops=frozenset(PACKAGES)),
        Installed(name="total-recall", version="2.0", tops=frozenset({"memory", "recall"})),
    )
    assert foreign_owners(installed) == (("memory", "total-recall"),)


def test_two_builds_in_one_folder_are_found() -> None:
    installed = (
        Installed(name="onnxruntime", version="1.31.1"),
        Installed(name="onnxruntime-gpu", version="1.31.1"),
        Installed(name="opencv-python", version="5.0.0"),
    )
    assert rival_builds(installed) == {
        "onnxruntime": ("onnxruntime 1.31.1", "onnxruntime-gpu 1.31.1"),
        "cv2": ("opencv-python 5.0.0",),
    }


def test_packages_are_found_where_python_would_import_them(tmp_path: Path) -> None:
    make_packages(tmp_path / "other", ("memory",))
    make_packages(tmp_path / "ours", PACKAGES[:-1])
    folders = package_folders([str(tmp_path / "other"), str(tmp_path / "ours")])
    assert folders["memory"] == tmp_path / "other" / "memory"
    assert folders["walker"] == tmp_path / "ours" / "walker"
    assert folders["evaluation"] is None


def test_this_environment_is_described() -> None:
    installed = {entry.name: entry for entry in installed_distributions()}
    assert DISTRIBUTION in installed
    assert "msgspec" in installed["msgspec"].tops
    assert list(installed) == sorted(installed)
