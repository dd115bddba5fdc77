"""The container says what the package says; `scripts/container` builds and tries it."""

from __future__ import annotations

import re

import yaml

from tests.architecture.source_tree import PACKAGES, ROOT
from tests.architecture.test_packaging import PROJECT
from walker.cli.agents.mcp import mcp_command
from walker.cli.agents.serve import serve_command

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
VERSION = PROJECT["project"]["version"]


def test_the_image_is_of_this_version_with_extras_that_exist() -> None:
    assert f'org.opencontainers.image.version="{VERSION}"' in DOCKERFILE
    assert COMPOSE["services"]["walker"]["image"] == COMPOSE["services"]["service"]["image"] == f"walker:{VERSION}"
    (extras,) = re.findall(r"'\.\[([^]]+)\]'", DOCKERFILE)
    assert set(extras.split(",")) <= set(PROJECT["project"]["optional-dependencies"])
    assert {"ocr", "mcp", "postgres"} <= set(extras.split(","))


def test_the_image_takes_what_the_package_is_made_of_and_no_more() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    taken = {line[1:] for line in lines if line.startswith("!")}
    assert taken == {*PACKAGES, "pyproject.toml", "constraints.txt", "README.md", "LICENSE"}
    assert "*" in lines


def test_the_image_runs_as_nobody_special_below_an_init() -> None:
    final = DOCKERFILE.rpartition("FROM ")[2]
    assert re.findall(r"^USER (.*)$", final, re.MULTILINE) == ["1000:1000"]
    assert 'ENTRYPOINT ["tini", "--", "walker"]' in final
    assert "HEALTHCHECK" in final
    assert "VOLUME /data" in final


def test_what_is_served_is_on_loopback_and_nothing_has_a_usual_password() -> None:
    services = COMPOSE["services"]
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)
    secrets = {
        name: value
        for service in services.values()
        for name, value in service.get("environment", {}).items()
        if name.endswith(("TOKEN", "PASSWORD"))
    }
    assert set(secrets) == {"WALKER_MCP_TOKEN", "WALKER_SERVE_TOKEN", "POSTGRES_PASSWORD"}
    assert all(value.startswith("${") and ":?" in value for value in secrets.values())
    for name in ("walker", "service"):
        assert services[name]["read_only"] is True
        assert services[name]["cap_drop"] == ["ALL"]
        assert services[name]["volumes"] == ["walker:/data"]


def test_the_servers_are_started_with_options_that_exist_and_asked_for_their_health() -> None:
    for name, command in (("walker", mcp_command), ("service", serve_command)):
        first, *options = COMPOSE["services"][name]["command"]
        assert first == command.name
        context = command.make_context(first, options, resilient_parsing=False)
        assert str(context.params["data"]).startswith("/data")
    service = COMPOSE["services"]["service"]
    (port,) = (published.rpartition(":")[2] for published in service["ports"])
    assert f"http://127.0.0.1:{port}/healthz" in service["healthcheck"]["test"][-1]
    assert service["command"][service["command"].index("--port") + 1] == port
    compile(service["healthcheck"]["test"][-1], "healthcheck", "exec")
