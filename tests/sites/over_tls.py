"""Servers of tests behind TLS, and a browser that takes their certificates."""

from __future__ import annotations

import shlex
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TypeVar

import pytest

from walker.browser.launch.find_chromium import find_browser

Server = TypeVar("Server", bound=ThreadingHTTPServer)


def make_certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """Key and certificate of a name ("DNS:localhost", "IP:127.0.0.1"), signed by itself."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", f"/CN={name.partition(':')[2]}", "-addext", f"subjectAltName={name}"]
    try:
        subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl makes the certificate of this test")
    return key, certificate


@contextmanager
def served_over_tls(server: Server, folder: Path) -> Iterator[Server]:
    """A server that does not serve yet, on TLS."""
    key, certificate = make_certificate(folder, "IP:127.0.0.1")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def chromium_that_trusts_all(folder: Path) -> str:
    """The path of a browser whose flag takes any certificate."""
    path = folder / "trusting-chromium"
    path.write_text(
        f'#!/bin/sh\nexec {shlex.quote(find_browser(windowed=True).path)} --ignore-certificate-errors "$@"\n'
    )
    path.chmod(0o755)
    return str(path)
