"""Names of records."""

from __future__ import annotations

import pytest

from perception.document.names import item_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("1991 Prof. Ana Ruiz (Faro)", "1991 Prof. Ana Ruiz"),
        ("Dr. Bo Lind. She leads the harbour", "Dr. Bo Lind"),
        ("Mme. Dupont — at the helm", "Mme. Dupont"),
        ("Cem H. Kaya: tides", "Cem H. Kaya"),
        ("A. B. Smith, Oslo", "A. B. Smith, Oslo"),
    ],
)
def test_a_title_or_an_initial_ends_no_name(text: str, name: str) -> None:
    assert item_name(text) == name


@pytest.mark.parametrize("text", ["Acme Inc. We sell rope", "Acme Inc — rope", "Acme Inc; rope", "Acme Inc。卖绳子"])
def test_a_name_ends_where_its_explanation_begins(text: str) -> None:
    assert item_name(text) == "Acme Inc"
