"""CPU time of spreading files, and the columns of one table, over 1, 2 and 4 workers: `spread.py [FILES] [ROWS]`.

HEPCHECK is the program. Prints one line per case: wall-clock time, CPU time of all processes, and their
efficiency: the CPU time of one process divided by that of all. Every report is compared with that of one process."""

import concurrent.futures
import pathlib
import resource
import shutil
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "bindings/python/src"), str(REPOSITORY / "bench")]

import hepcheck  # noqa: E402
import make_table  # noqa: E402


def cpu():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(name, work, alone=None):
    start, before = time.perf_counter(), cpu()
    document = work().json
    seconds, used = time.perf_counter() - start, cpu() - before
    efficiency = "" if alone is None else f"  {alone[1] / used:5.0%}"
    print(f"{name:28} {seconds:7.2f} s  {used:7.2f} s CPU{efficiency}", flush=True)
    assert alone is None or document == alone[0]
    return document, used


def copies(folder, count):
    sources = sorted((REPOSITORY / "fixtures/hep001").rglob("*.h5"))
    (folder / "files").mkdir()
    return [shutil.copy(sources[i % len(sources)], folder / f"files/{i:05}.h5") for i in range(count)]


def main(files=2000, rows=1_000_000):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        many = copies(folder, int(files))
        wide = str(folder / "wide.h5")
        make_table.make_table(wide, int(rows), "plain", 64)
        for what, alone, spread in (
                (f"{files} files", lambda: hepcheck.validate_many(many, jobs=1),
                 lambda pool, _: hepcheck.validate_many(many, executor=pool)),
                ("64 columns", lambda: hepcheck.validate(wide, jobs=1),
                 lambda pool, workers: hepcheck.validate(wide, executor=pool, parts=workers, jobs=1))):
            alone()  # the page cache is warm
            one = measured(f"{what}, one process", alone)
            for workers in (1, 2, 4):
                with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                    measured(f"{what}, {workers} workers", lambda: spread(pool, workers), one)


if __name__ == "__main__":
    main(*sys.argv[1:])
