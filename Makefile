# Two commands do everything: `make run` and `make test`.
PY := .venv/bin/python
.DEFAULT_GOAL := help
.PHONY: help setup run test test-vllm check lint types generate lock clean

help:
	@echo "make run    set up, then serve a live match at http://127.0.0.1:8000"
	@echo "make test   set up, then run every test, browser included"
	@echo "make check  lint, types and every test (what CI runs)"
	@echo "make test-vllm  set up a vLLM server for the CPU, about 3 GB, then run the tests that need one"

setup: .venv/.done frontend/dist/.done

.venv/.done: requirements.lock pyproject.toml
	scripts/setup-python
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
	scripts/setup-openenv
	@touch $@

.venv/.train: requirements-train.lock .venv/.done
	scripts/setup-train
	@touch $@

.cache/vllm/.done: requirements-vllm.lock .venv/.train
	scripts/setup-vllm
	@touch $@

.cache/trl/.done: requirements-trl.lock .venv/.done
	scripts/setup-trl
	@touch $@

test: setup .venv/.openenv .venv/.train .cache/trl/.done
	scripts/setup-browser
	scripts/setup-deploy
	$(PY) -m pytest --all -n 2 --dist loadfile -m "not browser and not vllm"
	$(PY) -m pytest --all -n 2 --dist loadfile -m browser
	cd frontend && npm test

test-vllm: setup .cache/vllm/.done
	$(PY) -m pytest --all -m vllm tests/trainer/vllm

lint: .venv/.openenv .venv/.train
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	.venv/bin/lint-imports
	cd frontend && npm run lint

types: .venv/.openenv .venv/.train
	$(PY) -m mypy
	$(PY) scripts/generate_types.py --check
	cd frontend && npm run check

check: setup lint types test

generate: setup
	$(PY) scripts/generate_types.py
	PYTHONPATH=. $(PY) scripts/generate_settings.py

lock:
	.venv/bin/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --quiet --output-file requirements.lock
	.venv/bin/uv pip compile pyproject.toml --extra openenv --constraint requirements.lock --universal --python-version 3.11 --generate-hashes --quiet --output-file requirements-openenv.lock
	mkdir -p .cache && echo torch >.cache/without
	.venv/bin/uv pip compile requirements-train.in --excludes .cache/without --constraint requirements-openenv.lock --constraint requirements.lock --python-version 3.11 --generate-hashes --quiet --output-file requirements-train.lock
	.venv/bin/uv pip compile requirements-trl.in --excludes .cache/without --constraint requirements-openenv.lock --python-version 3.11 --generate-hashes --quiet --output-file requirements-trl.lock
	.venv/bin/uv lock --quiet

clean:
	rm -rf .venv .cache frontend/node_modules frontend/dist
