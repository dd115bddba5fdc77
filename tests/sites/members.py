"""A site of which a part is for those who have logged in, and a part for those who pass a check."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from tests.sites.serving import Answer, Asked, LoopbackSite, moved

NAME, WORD = "ali", "open sesame 2718"
PLAN = "The lighthouse opens at 9:45 on weekdays."
HOURS = "Opening hours of the lighthouse"
CHECK = (
    "<title>One moment</title><h1>Checking your browser</h1>"
    "<form id=challenge-form class=challenge-form></form><script src='/captcha-delivery.js'></script>"
    "<iframe src='/recaptcha/api2' title='reCAPTCHA'></iframe>"
)
FORM = (
    "<title>Log in</title><h1>Log in</h1><form method=post action=/login><label>Name <input id=name name=name></label>"
    "<label>Word <input id=word name=word type=password></label>{code}<button id=go>Log in</button></form>"
)


class MembersSite(LoopbackSite):
    """`/` is for all, `/members/` for those with a session, `/guarded` for browsers with a window, by what they call themselves."""

    def __init__(self, code: Callable[[], str] | None = None) -> None:
        """`code` is the one-time password that the form asks for too."""
        super().__init__()
        self._code = code
        self.sessions: set[str] = set()
        self.cookies_seen: list[str] = []
        self.issued: list[str] = []

    def expire(self) -> None:
        """End all sessions."""
        self.sessions.clear()

    def answer(self, asked: Asked) -> Answer | str | None:
        """The answer to one request."""
        self.cookies_seen.append(asked.headers.get("Cookie", ""))
        if asked.path == "/login":
            return self._login(asked)
        if asked.path == "/logout":
            self.expire()
            return moved("/")
        if asked.path == "/guarded":
            is_headless = "HeadlessChrome" in asked.headers.get("User-Agent", "")
            return (
                Answer(CHECK, 403)
                if is_headless
                else f"<title>Plan</title><h1>Plan</h1><p>{PLAN}</p>{'<p>More words. ' * 20}"
            )
        if asked.path.startswith("/members/"):
            return self._members(asked) if asked.cookies.get("session") in self.sessions else moved("/login")
        if asked.path == "/":
            named = {"/members/hours": HOURS, "/about": "About", "/login": "Log in"}
            links = "".join(f"<li><a href={path}>{name}</a>" for path, name in named.items())
            return f"<title>Club</title><h1>Club</h1><p>{'A club of people who like lighthouses. ' * 6}</p><nav><ul>{links}</ul></nav>"
        if asked.path == "/about":
            return f"<title>About</title><h1>About</h1><p>{'We meet on Mondays in the town hall. ' * 6}</p>"
        return None

    def _login(self, asked: Asked) -> Answer | str:
        code = "<label>Code <input id=code name=code></label>" if self._code else ""
        if asked.method != "POST":
            return FORM.format(code=code)
        wanted = {"name": NAME, "word": WORD} | ({"code": self._code()} if self._code else {})
        if {name: asked.form.get(name, "") for name in wanted} != wanted:
            return FORM.format(code=code)
        session = secrets.token_hex(16)
        self.sessions.add(session)
        self.issued.append(session)
        return moved("/members/home", 303, cookie=f"session={session}; Path=/; HttpOnly")

    def _members(self, asked: Asked) -> str:
        out = "<a href=/logout>Log out</a>"
        if asked.path == "/members/hours":
            # As sites do: the session stands in the page too, in an address and in a script.
            session = asked.cookies["session"]
            script = f"<script>window.session = '{session}'</script><a href='/members/file?session={session}'>File</a>"
            told = f"<p>{PLAN}</p>{'<p>More words on it. ' * 20}"
            return f"<title>{HOURS}</title><h1>{HOURS}</h1>{told}{out}{script}"
        told = f"<p>{'Welcome to the members. ' * 20}</p><a href=/members/hours>{HOURS}</a>"
        return f"<title>Members</title><h1>Members</h1>{told}{out}"
