"""The command: measure all, or the rows whose names begin with the words given."""

import argparse
import gc
import os

for _name in ("OPENBLAS", "OMP", "MKL"):
    os.environ[f"{_name}_NUM_THREADS"] = "1"  # read when NumPy is imported: so before all else


def measured():
    """{name of rows: what makes their works}, {name: what makes lines of its own}"""
    from benchmarks import arrays, chains, convolutions, footprint, growth, language, networks
    from benchmarks import operations as ops

    works = {
        "chain": chains.works,
        "mlp": networks.works,
        "language": language.works,
        "matmul": arrays.works,
        "conv": convolutions.works,
        "op": ops.works,
    }
    others = {
        "growth": lambda rounds: growth.lines(min(rounds, 5)),
        "memory": lambda rounds: footprint.memory(),
        "import": lambda rounds: [footprint.import_time(rounds)],
    }
    return works, others


def main(arguments=None):
    from benchmarks.measure import compared, keep_memory, libraries, row, table_row, versions

    works, others = measured()
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
    table = []
    for name in options.names or [*works, *others]:
        for work in works[name]() if name in works else ():
            found = compared(work, options.rounds)
            print(row(work, *found), flush=True)
            table.append(table_row(work, found[1]))
        for line in others[name](options.rounds) if name in others else ():
            print(line, flush=True)
    if table:
        print("", *table, sep="\n")  # as in tinytorch/README.md


if __name__ == "__main__":
    main()
