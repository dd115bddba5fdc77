"""A site of lessons: countries on one page, a searchable table in pages, films behind hashes, frames, and pages that want headers."""

from __future__ import annotations

import json

from tests.sites.serving import Answer, Asked, moved
from tests.sites.traps.words import Words

COUNTRIES, TEAMS, TURTLES = 250, 582, 6
YEARS = range(2010, 2016)
_STYLE = '<link rel="stylesheet" href="/static/styles.css">'


def country(number: int) -> tuple[str, str, int, float]:
    """Name, capital, population and area."""
    words = Words("country", number)
    return words.name(1 + number % 2), words.name(1), number * 91373 % 10_000_000, round(number * 7.1 % 900_000, 1)


def team(number: int) -> tuple[str, int, int, int, str]:
    """Name, year, wins, losses and difference of goals."""
    return (
        Words("team", number % 37).name(2),
        1990 + number // 37,
        number * 7 % 60,
        number * 11 % 40,
        f"{number * 13 % 200 - 100}",
    )


def film(year: int, number: int) -> dict[str, object]:
    """As the list of a year has it."""
    return {
        "title": f"{Words('film', year, number).name(2)}  ",
        "year": year,
        "awards": number + 1,
        "nominations": number + 3,
        "best_picture": number == 0,
    }


def countries_site(asked: Asked) -> Answer | str | None:
    """Answers for all of it."""
    match asked.parts:
        case []:
            return moved("/pages/")
        case ["pages"]:
            return _page(
                "Sandboxes",
                "".join(
                    f'<div class="page"><h3><a href="{to}">{name}</a></h3><p class="lead">{Words(to).prose(2)}</p></div>'
                    for name, to in _LESSONS
                ),
            )
        case ["pages", "simple"]:
            return _page(
                "Countries",
                f'<h1>Countries of the World: A Simple Example <small>{COUNTRIES} items</small></h1><section id="countries"><div class="container">{_countries()}</div></section>',
            )
        case ["pages", "forms"]:
            return _forms(asked)
        case ["pages", "ajax-javascript"]:
            if asked.query.get("ajax") == "true":
                films = [film(int(asked.query["year"]), number) for number in range(8)]
                return Answer(body=json.dumps(films), kind="text/html; charset=utf-8")
            return _page("Films", _FILMS)
        case ["pages", "frames"]:
            if asked.query.get("frame") == "i":
                family = asked.query.get("family")
                return _family(int(family)) if family else _turtles()
            return _page(
                "Turtles",
                '<h1>Turtles All the Way Down</h1><p>What stands below is in a frame.</p><iframe id="iframe" src="/pages/frames/?frame=i" width="100%" height="600px"></iframe>',
            )
        case ["pages", "advanced"]:
            return _advanced(asked)
        case ["pages", "nested"]:
            depth = int(asked.query.get("depth", "0"))
            inner = (
                f'<iframe src="/pages/nested/?depth={depth + 1}"></iframe>'
                if depth < 3
                else '<a href="/pages/simple/">Out</a>'
            )
            return f"<!doctype html><title>Level {depth}</title><h2>Level {depth}</h2><p>{Words('level', depth).prose(3)}</p>{inner}"
        case ["lessons"] | ["faq"] | ["login"]:
            return _page(
                asked.parts[0].title(), f"<h1>{asked.parts[0].title()}</h1><p>{Words(asked.path).prose(4)}</p>"
            )
    return None


_LESSONS = (
    ("Countries of the World: A Simple Example", "/pages/simple/"),
    ("Hockey Teams: Forms, Searching and Pagination", "/pages/forms/"),
    ("Oscar Winning Films: AJAX and Javascript", "/pages/ajax-javascript/"),
    ("Turtles All the Way Down: Frames & iFrames", "/pages/frames/"),
    ("Advanced Topics: Real World Challenges", "/pages/advanced/"),
)


def _page(title: str, body: str) -> str:
    nav = "".join(
        f'<li class="nav-item"><a href="{to}" class="nav-link">{name}</a></li>'
        for name, to in (("Sandbox", "/pages/"), ("Lessons", "/lessons/"), ("FAQ", "/faq/"), ("Login", "/login/"))
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title} | Practice</title>{_STYLE}</head><body>'
        f'<nav id="site-nav"><div class="container"><ul class="nav nav-tabs">{nav}</ul></div></nav><div id="page">{body}</div>'
        f'<section id="footer"><div class="container">Lessons and Videos © nobody 2023</div></section></body></html>'
    )


def _countries() -> str:
    blocks = "".join(
        f'<div class="col-md-4 country"><h3 class="country-name"><i class="flag-icon"></i>\n   {name}\n</h3><div class="country-info">'
        f'<strong>Capital:</strong> <span class="country-capital">{capital}</span><br><strong>Population:</strong> '
        f'<span class="country-population">{people}</span><br><strong>Area (km<sup>2</sup>):</strong> '
        f'<span class="country-area">{area}</span><br></div></div>'
        for name, capital, people, area in map(country, range(COUNTRIES))
    )
    return f'<div class="row">{blocks}</div>'


def _forms(asked: Asked) -> str:
    words = asked.query.get("q", "")
    size = int(asked.query.get("per_page") or 25)
    number = int(asked.query.get("page_num") or 1)
    found = [one for one in map(team, range(TEAMS)) if words.lower() in one[0].lower()]
    shown = found[(number - 1) * size : number * size]
    rows = "".join(
        f'<tr class="team"><td class="name">\n  {name}\n</td><td class="year">{year}</td><td class="wins">{wins}</td><td class="losses">{losses}</td>'
        f'<td class="diff text-{"danger" if diff.startswith("-") else "success"}">{diff}</td></tr>'
        for name, year, wins, losses, diff in shown
    )
    query = (f"&q={words}" if words else "") + (f"&per_page={size}" if "per_page" in asked.query else "")
    last = -(-len(found) // size)
    pager = "".join(f'<li><a href="/pages/forms/?page_num={n}{query}">{n}</a></li>' for n in range(1, last + 1))
    pager += (
        f'<li><a href="/pages/forms/?page_num={number + 1}{query}" aria-label="Next">»</a></li>'
        if number < last
        else ""
    )
    sizes = "".join(f'<option value="{n}"{" selected" if n == size else ""}>{n}</option>' for n in (25, 50, 100))
    return _page(
        "Hockey",
        "<h1>Hockey Teams: Forms, Searching and Pagination <small>582 items</small></h1>"
        f'<form class="form form-inline" action="" method="GET"><label for="q">Search for Teams: </label><input type="text" id="q" name="q" class="form-control" value="{words}" placeholder="Search for Teams">'
        '<input type="submit" value="Search" class="btn btn-primary"></form>'
        f'<table class="table"><tr><th>Team Name</th><th>Year</th><th>Wins</th><th>Losses</th><th>+ / -</th></tr>{rows}</table>'
        f'<ul class="pagination">{pager}</ul><form action="" method="GET"><label>Per Page:</label><select name="per_page" id="per_page" onchange="this.form.submit()">{sizes}</select></form>',
    )


_FILMS = (
    '<h1>Oscar Winning Films: AJAX and Javascript</h1><h3>Choose a Year to View Films</h3><div id="years">'
    + "".join(f'<a href="#" class="year-link" id="{year}">{year}</a>\n' for year in reversed(YEARS))
    + """</div><div id="loading" style="display: none">loading</div><table class="table"><thead><tr><th>Title</th><th>Nominations</th>
<th>Awards</th><th>Best Picture</th></tr></thead><tbody id="table-body"></tbody></table>
<script>
function show(year) {
  document.getElementById('loading').style.display = '';
  fetch('/pages/ajax-javascript/?ajax=true&year=' + year).then(function (r) { return r.json(); }).then(function (films) {
    document.getElementById('loading').style.display = 'none';
    document.getElementById('table-body').innerHTML = films.map(function (f) {
      return '<tr class="film"><td class="film-title">' + f.title + '</td><td class="film-nominations">' + f.nominations + '</td><td class="film-awards">' +
        f.awards + '</td><td class="film-best-picture">' + (f.best_picture ? '<i class="glyphicon glyphicon-flag"></i>' : '') + '</td></tr>';
    }).join('');
  });
}
document.querySelectorAll('.year-link').forEach(function (link) {
  link.addEventListener('click', function (e) { e.preventDefault(); history.replaceState(null, '', '#' + link.id); show(link.id); });
});
if (location.hash.length > 1) show(location.hash.slice(1));
</script>"""
)


def _turtles() -> str:
    cards = "".join(
        f'<div class="col-md-4 turtle-family-card"><h3 class="family-name">{Words("turtle", n).name(1)}</h3>'
        f'<a class="btn" href="/pages/frames/?frame=i&family={n}">Learn more about the {Words("turtle", n).name(1)} family</a></div>'
        for n in range(TURTLES)
    )
    return f"<!doctype html><title>Families</title><h2>Turtle families</h2><div class=row>{cards}</div>"


def _family(number: int) -> str:
    return (
        f'<!doctype html><title>Family</title><a href="/pages/frames/?frame=i">Back</a><h3 class="family-name">{Words("turtle", number).name(1)}</h3>'
        f'<p class="lead">{Words("shell", number).prose(4)} Their common name is {Words("common", number).name(1)}.</p>'
    )


def _advanced(asked: Asked) -> Answer | str:
    gotcha = asked.query.get("gotcha", "")
    if gotcha == "headers":
        agent, accept = asked.headers.get("user-agent", ""), asked.headers.get("accept", "")
        if not agent.startswith("Mozilla/") or "text/html" not in accept:
            return Answer(body="<h1>400 Bad Request</h1><p>Your headers are no browser's.</p>", status=400)
        return _page("Headers", "<h1>Headers properly spoofed, request appears to be coming from a browser :)</h1>")
    if gotcha == "login":
        if asked.method == "POST":
            return Answer(
                body="",
                status=302,
                headers=(("Location", "/pages/advanced/?gotcha=login"), ("Set-Cookie", "session=1; Path=/")),
            )
        if asked.cookies.get("session"):
            return _page("Login", "<h1>Session properly set</h1>" + Words("in").prose(3))
        return _page(
            "Login",
            '<h1>A page with a form to log in</h1><form method="POST"><input name="user"><input type="password" name="pass"><input type="submit" value="Login"></form>',
        )
    if gotcha == "csrf":
        return _page(
            "CSRF",
            f'<h1>A form with a token</h1><p>{Words("csrf").prose(5)}</p><form method="POST"><input type="hidden" name="csrf" value="x{asked.time}"><input name="user"><input type="submit"></form>',
        )
    links = "".join(
        f'<li><a href="/pages/advanced/?gotcha={name}">{name}</a></li>' for name in ("headers", "login", "csrf")
    )
    return _page(
        "Advanced",
        f"<h1>Advanced Topics: Real World Challenges</h1><p>{Words('advanced').prose(4)}</p><ul>{links}</ul>",
    )
