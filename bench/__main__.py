"""``make bench``: every benchmark, one line each."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import bench


def main(names: list[str]) -> None:
    """Runs the named benchmarks, or all: the modules whose name begins with ``bench_``."""
    modules = [module.name for module in pkgutil.iter_modules(bench.__path__) if module.name.startswith("bench_")]
    for name in modules:
        if not names or name.removeprefix("bench_") in names:
            for line in importlib.import_module(f"bench.{name}").lines():
                print(line.as_text(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
