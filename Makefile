# Two commands do everything: `make run` and `make test`.
PY := .venv/bin/python
UPGRADE ?=
.DEFAULT_GOAL := help
# Tests start many processes, which share what one of them has compiled.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help setup equipment run test test-page test-vllm check lint types package generate build lock clean

help:
	@echo "make run        set up, then serve live matches at http://127.0.0.1:8000"
	@echo "make test       set up, then run every test, browser included"
	@echo "make check      lint, types and every test (what CI runs)"
	@echo "make test-page  run the tests of the page's own code"
	@echo "make setup      .venv with the locked dependencies, and the page"
	@echo "make lint       ruff, import-linter, ESLint"
	@echo "make types      mypy, generated types, svelte-check"
	@echo "make generate   write the TypeScript types and the page of settings again"
	@echo "make build      the wheel and the source distribution, in dist/"
	@echo "make lock       renew every lock; UPGRADE=--upgrade takes the newest versions"
	@echo "make test-vllm  set up a vLLM server for the CPU, 2 GB, then run the tests that need one"
	@echo "make clean      delete .venv, .cache, node_modules and the built page"

setup: .venv/.done frontend/dist/.done

.venv/.done: requirements.lock pyproject.toml
	scripts/setup/python
	@touch $@

frontend/node_modules/.done: frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

frontend/dist/.done: frontend/node_modules/.done $(shell find frontend/src frontend/public frontend/index.html frontend/vite.config.ts -type f 2>/dev/null)
	cd frontend && npm run build
	@touch $@

run: setup
	$(PY) -m grandstand serve

.venv/.openenv: requirements-openenv.lock .venv/.done
	scripts/setup/openenv
	@touch $@

.venv/.voice: requirements-voice.lock .venv/.done
	scripts/setup/voice
	@touch $@

.venv/.train: requirements-train.lock requirements-torch.txt .venv/.done
	scripts/setup/train
	@touch $@

.venv/.ray: requirements-ray.lock .venv/.train
	scripts/setup/ray
	@touch $@

.cache/vllm/.done: requirements-vllm.lock requirements-torch.txt .venv/.train
	scripts/setup/vllm
	@touch $@

.cache/trl/.done: requirements-trl.lock requirements-torch.txt .venv/.train
	scripts/setup/trl
	@touch $@

.cache/verifiers/.done: requirements-verifiers.lock
	scripts/setup/verifiers
	@touch $@

EXTRAS = .venv/.openenv .venv/.voice .venv/.train .venv/.ray

# What the tests need beyond `setup`.
equipment: setup $(EXTRAS) .cache/trl/.done .cache/verifiers/.done
	scripts/setup/browser
	scripts/setup/deploy

# Tests wait for servers and the browser much of the time; meanwhile the rest is computed.
test: equipment
	scripts/beside test-page scripts/run-tests

test-page: frontend/node_modules/.done
	cd frontend && npm test

test-vllm: setup .cache/vllm/.done
	$(PY) -m pytest --all -m vllm tests/trainer/vllm

# The package as a wheel holds it, for the tools that follow no `__path__`.
package:
	scripts/link-package

lint: $(EXTRAS) package frontend/node_modules/.done
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	cd .cache/package && PYTHONPATH=. ../../.venv/bin/lint-imports --config ../../pyproject.toml
	cd frontend && npm run lint

types: $(EXTRAS) package frontend/node_modules/.done
	$(PY) -m mypy
	$(PY) scripts/generate_types.py --check
	cd frontend && npm run check

check: equipment
	scripts/beside "lint types test-page" scripts/run-tests

generate: setup
	$(PY) scripts/generate_types.py
	$(PY) scripts/generate_settings.py

build: setup
	.venv/bin/uv build --no-build-isolation --out-dir dist

# Keeps the locked versions that still fit; `make lock UPGRADE=--upgrade` takes the newest. What is left out below is torch,
# which scripts/setup installs by itself, and what vLLM names but does not need on a CPU.
COMPILE = .venv/bin/uv pip compile --python-version 3.11 --generate-hashes --quiet $(UPGRADE)
WITHOUT_VLLM = anthropic opencv-python-headless torch torchaudio torchcodec torchvision triton

lock: .venv/.done
	mkdir -p .cache
	echo torch >.cache/without
	printf '%s\n' $(WITHOUT_VLLM) >.cache/vllm-without
	$(COMPILE) pyproject.toml --extra dev --universal --output-file requirements.lock
	$(COMPILE) pyproject.toml --extra openenv --constraint requirements.lock --universal --output-file requirements-openenv.lock
	$(COMPILE) pyproject.toml --extra voice --constraint requirements-openenv.lock --constraint requirements.lock --universal --output-file requirements-voice.lock
	$(COMPILE) pyproject.toml --extra train --excludes .cache/without --constraint requirements-openenv.lock --constraint requirements.lock --output-file requirements-train.lock
	$(COMPILE) pyproject.toml --extra ray --constraint requirements-train.lock --constraint requirements-openenv.lock --output-file requirements-ray.lock
	$(COMPILE) requirements-trl.in --excludes .cache/without --constraint requirements-openenv.lock --output-file requirements-trl.lock
	$(COMPILE) requirements-verifiers.in --output-file requirements-verifiers.lock
	$(COMPILE) requirements-vllm.in --excludes .cache/vllm-without --output-file requirements-vllm.lock
	.venv/bin/uv lock --quiet $(UPGRADE)

clean:
	rm -rf .venv .cache frontend/node_modules frontend/dist
