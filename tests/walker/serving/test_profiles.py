"""A saved login that the operator allows by name, and no other."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.serving.service_here import ended, options, sent, served
from walker.logins.login_store import LoginStore, SavedLogin
from walker.seams.web.storage_state import StorageState, StoredCookie
from walker.serving.served_work import Profiles

pytestmark = pytest.mark.usefixtures("kept_chromium")
KEY = "d41d8cd98f00b204e9800998ecf8427e"
SCHEMA = {"type": "object", "properties": {"balance": {"type": "string"}}}


def account(asked: Asked) -> Answer:
    told = "42 euros" if KEY in asked.headers.get("Cookie", "") else "hidden"
    return Answer(f"<title>Account</title><main><h1>Account</h1><dl><dt>Balance</dt><dd>{told}</dd></dl></main>")


async def test_callers_name_only_logins_that_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    with serving(LoopbackSite(account)) as site:
        place = urlsplit(site.home)
        cookie = StoredCookie(name="session", value=KEY, domain=place.hostname or "", http_only=True)
        for name in ("club", "bank"):
            state = StorageState(cookies=(cookie,))
            LoginStore().write(
                SavedLogin(name=name, url=site.home, hosts=(place.hostname or "",), saved_at=1.0, state=state)
            )
        given = options(site.home, tmp_path / "data", profiles=Profiles(names=frozenset(("club",))))
        body = {"url": site.home, "schema": SCHEMA}
        async with served(given) as client:
            plain = await ended(client, (await sent(client, "extract", body))["id"])
            inside = await ended(client, (await sent(client, "extract", body | {"profile": "club"}))["id"])
            refused = await client.post("/v1/extracts", json=body | {"profile": "bank"})
    assert (plain["result"]["data"], inside["result"]["data"]) == ({"balance": "hidden"}, {"balance": "42 euros"})
    assert refused.status_code == 403
    kept = [path for path in (tmp_path / "data").rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if KEY.encode() in path.read_bytes()]
