from __future__ import annotations

import pytest

from scripts.lowest_versions import lowest_versions

PROJECT = {
    "dependencies": ["numpy>=2.0", "httpx2[brotli,zstd]>=2.16", "onnxruntime>=1.20; sys_platform == 'darwin'"],
    "optional-dependencies": {"files": ["pyarrow>=9"], "export": ["pyarrow>=18"], "odd": ["pyarrow"]},
}


def test_the_lowest_of_each() -> None:
    assert lowest_versions(PROJECT, []) == {"numpy": "2.0", "httpx2": "2.16", "onnxruntime": "1.20"}


def test_of_two_extras_the_higher_by_number() -> None:
    assert lowest_versions(PROJECT, ["files", "export"])["pyarrow"] == "18"


def test_an_entry_without_a_lowest_version_is_told() -> None:
    with pytest.raises(ValueError, match="pyarrow"):
        lowest_versions(PROJECT, ["odd"])
