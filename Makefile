# What a checkout can do. Each command installs what it needs first, into .venv, and does so once.
# ARGS go to the command: make chat ARGS="--persona yuki", make test ARGS="tests/unit -k memory".

.POSIX:
.PHONY: help chat run test check format words lock clean

ARGS =
WORKERS = 2
UV_COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate $(UPGRADE)

help:
	@echo "make chat    talk to a persona in this terminal"
	@echo "make run     serve Discord and Telegram, with the tokens in .env"
	@echo "make test    run every test"
	@echo "make check   look at format, style, types, layers and docs"
	@echo "make format  mend format and style where that is possible"
	@echo "make words   bring the files with translations up to date with the code's texts"
	@echo "make lock    write the locks anew after a change in pyproject.toml (UPGRADE=--upgrade for the newest versions)"
	@echo "make clean   remove .venv and all caches; data and .env stay"

chat:
	@sh scripts/setup.sh run
	@test ! -t 0 || set -m; .venv/bin/baku chat $(ARGS)

run:
	@sh scripts/setup.sh run
	@.venv/bin/baku run $(ARGS)

test:
	@sh scripts/setup.sh develop
	.venv/bin/python -m pytest -n $(WORKERS) --dist loadgroup $(ARGS)

check:
	@sh scripts/setup.sh develop
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python -m pytest -q tests/architecture tests/docs -m "not fresh_checkout"

format:
	@sh scripts/setup.sh develop
	.venv/bin/ruff format
	.venv/bin/ruff check --fix

words:
	@sh scripts/setup.sh develop
	.venv/bin/python -m scripts.words

lock:
	@sh scripts/setup.sh run
	$(UV_COMPILE) pyproject.toml --output-file requirements.lock
	$(UV_COMPILE) pyproject.toml --group dev --constraints requirements.lock --output-file requirements-dev.lock
	$(UV_COMPILE) --group setup --constraints requirements.lock --output-file requirements-setup.lock
	$(UV_COMPILE) --group model --no-deps --output-file requirements-model.lock

clean:
	rm -rf .venv build baku_bot.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
