"""CPU time of spreading files, and the columns of one table, over 1, 2 and 4 workers: `spread.py [FILES] [ROWS]`.

HEPCHECK is the program. Prints CPU times of all processes, and the efficiency: for files, the
CPU time of one process divided by that of all; for columns, by that of the longest share and of the judging process,
times the number of shares. Every report is compared with that of one process."""

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
from hepcheck import _program  # noqa: E402
import make_table  # noqa: E402

OPTIONS = ["--no-config", "--jobs", "1"]


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


def shares(path, alone):
    """The columns of one table: the shares one after another, so that each one's CPU time is known."""
    for parts in (1, 2, 4):
        with tempfile.TemporaryDirectory() as name:
            given, used = [], []
            for number in range(1, parts + 1):
                before = cpu()
                given += ["--facts", f"{name}/{number}"]
                _program.run(["facts", *OPTIONS, "--share", f"{number}/{parts}", "-o", given[-1], path])
                used.append(cpu() - before)
            before = cpu()
            document = _program.run(["validate", *OPTIONS, "--format", "json", *given, path])[1]
            judge = cpu() - before
        assert document == alone[0]
        both = max(used) + judge
        print(f"64 columns, {parts} shares: {sum(used) + judge:6.2f} s CPU in all; longest share {max(used):.2f} s, "
              f"judging {judge:.2f} s; efficiency {alone[1] / both / parts:.0%}", flush=True)


def main(files=2000, rows=1_000_000):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if int(files) > 0:
            many = copies(folder, int(files))
            one = measured(f"{files} files, one process", lambda: hepcheck.validate_many(many, jobs=1))
            for workers in (1, 2, 4):
                with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                    measured(f"{files} files, {workers} workers",
                             lambda: hepcheck.validate_many(many, executor=pool), one)
        wide = str(folder / "wide.h5")
        make_table.make_table(wide, int(rows), "plain", 64)
        hepcheck.validate(wide, jobs=1)  # the page cache is warm
        shares(wide, measured("64 columns, one process", lambda: hepcheck.validate(wide, jobs=1)))


if __name__ == "__main__":
    main(*sys.argv[1:])
