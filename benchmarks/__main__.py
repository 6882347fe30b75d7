"""The command: measure all, or the rows whose names begin with the words given."""

import argparse
import gc
import os

for _name in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{_name}_NUM_THREADS"] = "1"  # read when NumPy is imported: so before all else


def main(arguments=None):
    from benchmarks import arrays, chains, convolutions, footprint, growth, networks, operations
    from benchmarks.measure import keep_memory, libraries, row, versions

    works = {
        "chain": chains.works,
        "mlp": networks.works,
        "matmul": arrays.works,
        "conv": convolutions.works,
        "op": operations.works,
    }
    others = {
        "growth": lambda rounds: growth.lines(min(rounds, 5)),
        "memory": lambda rounds: footprint.memory(),
        "import": lambda rounds: [footprint.import_time(rounds)],
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join([*works, *others]))
    parser.add_argument("--rounds", type=int, default=21, help="how often each is measured")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - {*works, *others}:
        parser.error(f"no such rows: {', '.join(sorted(unknown))}")

    keep_memory()
    libraries()
    gc.freeze()  # the collector need not walk over all that the imports made
    print(versions())
    print(f"OPENBLAS_CORETYPE={os.environ.get('OPENBLAS_CORETYPE', 'not set')}, one thread each,")
    print("medians of processor time; ratios below 1 mean that tinytorch is faster")
    for name in options.names or [*works, *others]:
        if name in works:
            lines = (row(work, options.rounds) for work in works[name]())
        else:
            lines = others[name](options.rounds)
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
