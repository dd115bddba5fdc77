"""`walker crawl` and `walker worker` as Prometheus and a collector see them: real processes, scraped and sent over HTTP."""

from __future__ import annotations

import json
import re
import socket
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

from tests.fixtures.loaded_program import LoadedProgram
from tests.fixtures.postgres_server import serve_postgres
from tests.sites.collector import Collector
from tests.sites.crawl_site import serve_crawl_site
from tests.sites.serving import serving
from tests.walker.cli.program import started, walker_here

DEPLOY = Path(__file__).parents[4] / "deploy"
SECRET = "hunter-two-and-more"


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _scraped(port: int, process: LoadedProgram, *wanted: str) -> str:
    """What is told on a port, once it tells of what is wanted."""
    text, until = "", time.monotonic() + 60
    while process.poll() is None and time.monotonic() < until and not all(name in text for name in wanted):
        time.sleep(0.1)
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    return text


def _names_of_dashboard() -> set[str]:
    panels = json.loads((DEPLOY / "grafana" / "walker.json").read_text())["panels"]
    return {
        name for panel in panels for target in panel["targets"] for name in re.findall(r"walker_\w+", target["expr"])
    }


def test_all_that_the_dashboard_shows_is_told_and_a_collector_gets_it_with_a_trace_a_page(tmp_path: Path) -> None:
    with serve_postgres() as postgres, serve_crawl_site(delay=2.0) as site, serving(Collector()) as collector:
        (tmp_path / "site.yaml").write_text(
            f"start: [{site.home}]\ndriver: http\nconcurrency: 4\npolite: {{per_host: 8}}\nscope: {{pages: 60}}\n"
            f"headers: {{X-Key: '${{SITE_KEY}}'}}\n"
        )
        told = {"SITE_KEY": SECRET, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.home.rstrip("/")}
        address, ports = f"{postgres.url}?job=told", (_free_port(), _free_port())
        command = ("crawl", "site.yaml", "--job", address, "--metrics", str(ports[0]), "--json")
        with started(*command, folder=tmp_path, **told) as first:
            site.wait_for(4)
            with started("worker", address, "-q", "--metrics", str(ports[1]), folder=tmp_path, **told) as second:
                wanted = _names_of_dashboard()
                scraped = _scraped(ports[1], second, *wanted - {"walker_errors_total"})
                site.delay = 0.02
                out, errors = first.communicate(timeout=90)
                second.communicate(timeout=60)
        taken = walker_here("crawl", "http://127.0.0.1:9/", "--metrics", str(postgres.port), folder=tmp_path)
    assert first.returncode == 0, errors
    report = json.loads(out)
    exported = set(re.findall(r"^(walker_\w+)", scraped, re.MULTILINE))
    assert wanted - {"walker_errors_total"} <= exported
    assert 'crawl="told"' in scraped
    assert collector.refused == []
    sums: dict[str, float] = {}
    for request in collector.metrics[-2:]:
        for resource in request.resource_metrics:
            for metric in resource.scope_metrics[0].metrics:
                points = metric.sum.data_points or metric.gauge.data_points
                sums[metric.name] = sums.get(metric.name, 0) + sum(one.as_int or one.as_double for one in points)
    assert sums["walker.pages"] >= report["pages"] == 60
    spans = [span for one in collector.requests for span in one.resource_spans[0].scope_spans[0].spans]
    assert len(spans) >= 60
    by_trace: dict[bytes, set[str]] = {}
    for span in spans:
        (url,) = (one.value.string_value for one in span.attributes if one.key == "url.full")
        by_trace.setdefault(span.trace_id, set()).add(url)
    assert all(len(urls) == 1 for urls in by_trace.values()), "a trace is of one page"
    assert len(by_trace) == len(set().union(*by_trace.values())), "whichever worker had it"
    workers = {
        one.value.string_value
        for r in collector.requests
        for one in r.resource_spans[0].resource.attributes
        if one.key == "service.instance.id"
    }
    assert len(workers) == 2
    assert SECRET not in str(collector.requests) + str(collector.metrics) + scraped
    assert (taken.code, "the port cannot be had" in taken.line) == (2, True)


def test_every_metric_of_the_dashboard_has_its_instrument() -> None:
    text = (Path(__file__).parents[4] / "walker" / "crawl" / "fleet" / "telemetry.py").read_text()
    defined = {name.replace(".", "_") for name in re.findall(r'"(walker\.[\w.]+)"', text)}
    for name in _names_of_dashboard():
        assert re.sub(r"(_seconds|_bytes)?(_total|_bucket)?$", "", name) in defined, name
