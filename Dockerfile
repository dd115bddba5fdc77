# Walker with its browser, OCR and their models: nothing is fetched when it starts. Runs as an ordinary user; all it writes is in /data.
#
#   docker build -t walker .
#   docker run --rm -v walker:/data walker ask https://www.sqlite.org/ "What is the maximum length of an SQL statement?"
#   docker compose up          the tools for agents over HTTP, with Postgres and a local model server (compose.yaml)
#
# For linux/amd64 and linux/arm64. Where there is no Docker, scripts/container builds and tries it too.
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS built
# Debian keeps the newest build of a version only: pins of packages would not be found next month.
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# A file of certificates in the base, where packages come by way of a proxy that signs them itself.
ARG PIP_CERT
RUN python3 -m venv /opt/walker
# What is needed changes seldom, and Walker often: two layers.
COPY pyproject.toml constraints.txt ./
RUN mkdir walker && touch walker/__init__.py README.md LICENSE \
    && /opt/walker/bin/pip install -q --no-cache-dir -c constraints.txt '.[ocr,files,duckdb,postgres,s3,export,report,otel,mcp,service,logins,watch]' \
    && /opt/walker/bin/pip uninstall -q -y gemwalker
COPY . .
RUN /opt/walker/bin/pip install -q --no-cache-dir --no-deps .

FROM ${BASE}
LABEL org.opencontainers.image.title="Walker" \
      org.opencontainers.image.description="Walks a site in a real browser, answers questions about it, and records every step" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.licenses="Apache-2.0"
# hadolint ignore=DL3008
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends python3 tini ca-certificates \
       chromium chromium-headless-shell chromium-driver libatomic1 fonts-dejavu-core fonts-wqy-zenhei \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 --create-home --shell /usr/sbin/nologin walker \
    && install -d -o walker -g walker /data
COPY --from=built /opt/walker /opt/walker
ENV PATH=/opt/walker/bin:$PATH \
    XDG_DATA_HOME=/data XDG_CACHE_HOME=/data/cache \
    PYTHONUNBUFFERED=1
USER 1000:1000
WORKDIR /data
VOLUME /data
# Chromium and its driver leave processes behind that somebody has to wait for.
ENTRYPOINT ["tini", "--", "walker"]
CMD ["--help"]
# Of a container that serves (walker mcp --http): whether it answers. Others end by themselves.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python3", "-c", "import os, socket; socket.create_connection(('127.0.0.1', int(os.environ.get('WALKER_PORT', '8766'))), 3).close()"]
