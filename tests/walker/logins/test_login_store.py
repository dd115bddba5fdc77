"""Saved logins are their owner's alone, whole or not there, and encrypted where there is a key."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from walker.errors import UsageError
from walker.logins.login_store import LoginStore, SavedLogin
from walker.logins.login_use import kept_to_hosts, secrets_of_state, state_for
from walker.seams.web.storage_state import StorageState, StoredCookie, StoredItem, StoredOrigin

SESSION = "a1b2c3d4e5f6a7b8c9d0"
STATE = StorageState(
    cookies=(
        StoredCookie(name="session", value=SESSION, domain="wiki.example.org", http_only=True),
        StoredCookie(name="theme", value="dark", domain=".example.org"),
        StoredCookie(name="id", value="tracker-0123456789abcdef", domain=".tracker.example"),
    ),
    origins=(
        StoredOrigin(
            origin="https://wiki.example.org",
            local_storage=(StoredItem(name="user", value='{"token": "tok-0123456789-abcdef", "name": "Ali"}'),),
        ),
        StoredOrigin(origin="https://tracker.example", local_storage=(StoredItem(name="a", value="b"),)),
    ),
)
LOGIN = SavedLogin(name="wiki", url="https://wiki.example.org/", hosts=("wiki.example.org",), saved_at=1.0, state=STATE)


def test_a_login_comes_back_as_it_was_and_is_its_owners_alone(tmp_path: Path) -> None:
    store = LoginStore(tmp_path / "logins")
    path = store.write(LOGIN)
    assert store.read("wiki") == LOGIN
    assert store.names() == ("wiki",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["wiki.login"]
    store.remove("wiki")
    assert store.names() == ()
    with pytest.raises(UsageError, match="no saved login wiki"):
        store.remove("wiki")


def test_with_a_key_nothing_can_be_read_in_the_file(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    path = LoginStore(tmp_path, key="quince and fig").write(LOGIN)
    data = path.read_bytes()
    assert SESSION.encode() not in data
    assert b"example" not in data
    assert LoginStore(tmp_path, key="quince and fig").read("wiki") == LOGIN
    assert LoginStore(tmp_path).is_encrypted("wiki")
    with pytest.raises(UsageError, match="is encrypted"):
        LoginStore(tmp_path).read("wiki")
    with pytest.raises(UsageError, match="does not open"):
        LoginStore(tmp_path, key="another").read("wiki")


@pytest.mark.parametrize("name", ["../wiki", "", "a/b", ".hidden", "x" * 65])
def test_a_name_is_no_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="no name of a login"):
        LoginStore(tmp_path).read(name)


def test_a_damaged_login_is_told(tmp_path: Path) -> None:
    store = LoginStore(tmp_path)
    store.write(LOGIN).write_bytes(b'{"name": "wi')
    with pytest.raises(UsageError, match="damaged"):
        store.read("wiki")


def test_a_login_is_made_in_one_browser_at_a_time(tmp_path: Path) -> None:
    store = LoginStore(tmp_path)
    code = (
        "import sys; from pathlib import Path; from walker.logins.login_store import LoginStore\n"
        "with LoginStore(Path(sys.argv[1])).locked('wiki'):\n    print('in', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "in\n"
        with pytest.raises(UsageError, match="in another browser"), store.locked("wiki"):
            pass
        other.kill()
    with store.locked("wiki"):
        assert store.names() == ()


def test_only_its_hosts_get_what_a_login_has(tmp_path: Path) -> None:
    kept = kept_to_hosts(STATE, ("wiki.example.org",))
    assert [one.name for one in kept.cookies] == ["session", "theme"]
    assert [one.origin for one in kept.origins] == ["https://wiki.example.org"]
    LoginStore(tmp_path).write(LOGIN)
    assert state_for(None, "wiki", folder=tmp_path) == kept


def test_what_logs_in_is_secret_and_settings_are_not() -> None:
    assert set(secrets_of_state(STATE)) == {SESSION, "tracker-0123456789abcdef", "tok-0123456789-abcdef"}
