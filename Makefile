# Two commands do everything: `make run` and `make test`.
PY := .venv/bin/python
UPGRADE ?=
.DEFAULT_GOAL := help
# Tests start many processes, which share what one of them has compiled.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help setup equipment run test test-long test-page test-vllm check lint types generate build lock clean

help:
	@echo "make run        set up, then serve live matches at http://127.0.0.1:8000"
	@echo "make test       set up, then run the tests, browser included"
	@echo "make test-long  run the tests that take long: real engines, kills, learning, whole matches"
	@echo "make check      lint, types and make test"
	@echo "make test-page  run the tests of the page's own code"
	@echo "make setup      .venv with the locked dependencies, and the page"
	@echo "make lint       ruff, import-linter, the budget of concepts, ESLint"
	@echo "make types      mypy, generated types, svelte-check"
	@echo "make generate   write the TypeScript types and the page of settings again"
	@echo "make build      the wheel and the source distribution, in dist/"
	@echo "make lock       renew uv.lock and requirements.lock; UPGRADE=--upgrade takes the newest versions"
	@echo "make test-vllm  set up a vLLM server for the CPU, 2 GB, then run the tests that need one"
	@echo "make clean      delete .venv, .cache, node_modules and the built page"

setup: .venv/.done frontend/dist/.done

.venv/.done: uv.lock pyproject.toml
	scripts/setup/python
	@touch $@

frontend/node_modules/.done: frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

frontend/dist/.done: frontend/node_modules/.done $(shell find frontend/src frontend/public frontend/scripts/subset-fonts.mjs frontend/index.html frontend/embed.html frontend/vite.config.ts -type f 2>/dev/null)
	cd frontend && npm run build
	@touch $@

run: setup
	$(PY) -m grandstand serve

.venv/.openenv: .venv/.done
	scripts/setup/openenv
	@touch $@

.venv/.voice: .venv/.done
	scripts/setup/voice
	@touch $@

.venv/.openspiel: .venv/.done
	scripts/setup/openspiel
	@touch $@

.venv/.pettingzoo: .venv/.done
	scripts/setup/pettingzoo
	@touch $@

.venv/.textarena: .venv/.done
	scripts/setup/textarena
	@touch $@

.venv/.scale: .venv/.done
	scripts/setup/scale
	@touch $@

.venv/.train: .venv/.done
	scripts/setup/train
	@touch $@

.venv/.ray: .venv/.train
	scripts/setup/ray
	@touch $@

.cache/vllm/.done: .venv/.train
	scripts/setup/vllm
	@touch $@

.cache/trl/.done: .venv/.train
	scripts/setup/trl
	@touch $@

.cache/verifiers/.done: .venv/.done
	scripts/setup/verifiers
	@touch $@

.cache/inspect/.done: .venv/.done
	scripts/setup/inspect
	@touch $@

EXTRAS = .venv/.openenv .venv/.voice .venv/.openspiel .venv/.pettingzoo .venv/.textarena .venv/.scale .venv/.train .venv/.ray

# What the tests need beyond `setup`.
equipment: setup $(EXTRAS) .cache/trl/.done .cache/verifiers/.done .cache/inspect/.done
	scripts/setup/browser
	scripts/setup/deploy

# Tests wait for servers and the browser much of the time; meanwhile the rest is computed.
test: equipment
	scripts/beside test-page scripts/run-tests

test-long: equipment
	scripts/run-tests -m "long and not vllm"

test-page: frontend/node_modules/.done
	cd frontend && npm test

test-vllm: setup .cache/vllm/.done
	$(PY) -m pytest --all -m vllm tests/trainer/vllm

lint: $(EXTRAS) frontend/node_modules/.done
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	.venv/bin/lint-imports
	$(PY) -m scripts.budget
	cd frontend && npm run lint

types: $(EXTRAS) frontend/node_modules/.done
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

# Keeps the locked versions that still fit; `make lock UPGRADE=--upgrade` takes the newest. requirements.lock is for plain pip.
lock: .venv/.done
	.venv/bin/uv lock --quiet $(UPGRADE) && .venv/bin/uv export --frozen --quiet --no-emit-project --extra openenv --extra scale --extra voice --output-file requirements.lock

clean:
	rm -rf .venv .cache frontend/node_modules frontend/dist
