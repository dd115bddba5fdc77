"""Addresses of jobs without their passwords, and with them again."""

from __future__ import annotations

import pytest

from walker.crawl.job.shared.postgres_base import split_password, with_password
from walker.errors import UsageError


@pytest.mark.parametrize(
    ("address", "without", "password"),
    [
        ("postgresql://me:open%20sesame%2F1@db:5/d?job=n", "postgresql://me@db:5/d?job=n", "open sesame/1"),
        ("postgresql://me@db/d?job=n&password=a%26b", "postgresql://me@db/d?job=n", "a&b"),
        ("postgresql://db/d?job=n&sslmode=require", "postgresql://db/d?job=n&sslmode=require", ""),
        ("postgresql://me@[::1]:5/d", "postgresql://me@[::1]:5/d", ""),
    ],
)
def test_a_password_is_taken_out_wherever_it_stands(address: str, without: str, password: str) -> None:
    assert split_password(address) == (without, password)
    assert split_password(with_password(without, password)) == (without, password)


def test_a_passphrase_cannot_be_taken_out() -> None:
    with pytest.raises(UsageError, match="passphrase") as refused:
        split_password("postgresql://me@db/d?sslpassword=open")
    assert "open" not in str(refused.value)
