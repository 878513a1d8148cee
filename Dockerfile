# Built in three stages: Node makes the page, uv the environment, and what runs holds neither.
# It runs as uid 1000 (a Space), as uid 65532 (OpenEnv's validator) or any other; unless told otherwise it writes to /tmp
# alone. What changes rarely comes first: a change of rules rebuilds neither the page nor the dependencies.

FROM node:24-slim AS page
WORKDIR /src/frontend
COPY frontend/package.json frontend/package-lock.json ./
RUN npm ci --no-audit --no-fund
# The files of the games that the page is built from.
COPY grandstand/games/cricket/data/fielding.json /src/grandstand/games/cricket/data/
COPY grandstand/games/diplomacy/data/map.gen.json /src/grandstand/games/diplomacy/data/
COPY frontend ./
RUN npm run build

FROM python:3.11-slim-bookworm AS environment
RUN pip install --no-cache-dir uv==0.13.8 \
    && uv venv --no-cache /app/.venv
WORKDIR /src
ENV VIRTUAL_ENV=/app/.venv
COPY pyproject.toml requirements.lock ./
RUN uv pip install --no-cache --compile-bytecode --require-hashes --requirements requirements.lock
COPY README.md LICENSE NOTICE ./
COPY grandstand grandstand
COPY --from=page /src/frontend/dist frontend/dist
RUN uv pip install --no-cache --compile-bytecode --no-deps . \
    && uv pip show --quiet openenv

FROM python:3.11-slim-bookworm
LABEL org.opencontainers.image.title="Grandstand" \
    org.opencontainers.image.description="Matches between agents, live, replayed and trained on" \
    org.opencontainers.image.licenses="Apache-2.0"
# A volume takes the owner of the folder that it is mounted over, so a named one at /var/lib/grandstand can be written to.
RUN useradd --uid 1000 --create-home user \
    && install -d -o 1000 -g 1000 /var/lib/grandstand
WORKDIR /app
COPY LICENSE NOTICE ./
COPY --from=environment /app/.venv .venv
COPY README.md ./
# OpenEnv's tools would otherwise turn its own page on, in place of ours.
ENV ENABLE_WEB_INTERFACE=false
# The record lies on the machine's own disk. A bucket that is mounted at /data keeps it beyond the machine's life.
ENV GRANDSTAND_DATA=/tmp/grandstand \
    GRANDSTAND_BUCKET=/data
ENV HOME=/tmp \
    PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 1000
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/api/health', timeout=4)"]
CMD ["grandstand", "serve", "--host", "0.0.0.0", "--port", "8000"]
