"""The same report from one process, four processes, a dask cluster of four, four MPI ranks and four merged shards.

usage: check_engines.py FIXTURES [COPIES]

Judges COPIES (2,000) copies of fixtures, and prints how long each engine took. With mpi4py it runs itself under mpiexec."""

import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import hepcheck
from hepcheck import _program


def copies(fixtures, folder, count):
    sources = sorted((fixtures / "hep001").rglob("*.h5"))
    made = []
    for i in range(count):
        path = folder / f"{i:05}.h5"
        shutil.copy(sources[i % len(sources)], path)
        made.append(str(path))
    return made


def timed(name, make):
    start = time.perf_counter()
    document = make()
    print(f"{name:24} {time.perf_counter() - start:7.2f} s", flush=True)
    return document


def with_processes(files, workers):
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        return hepcheck.validate_many(files, executor=pool, jobs=1).json


def with_dask(files):
    import dask.distributed
    with dask.distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask.distributed.Client(cluster) as client:
        return hepcheck.validate_many(files, executor=client.get_executor(), jobs=1).json


def with_mpi(files, folder):
    listed = folder / "files.txt"
    listed.write_text("\n".join(files))
    out = folder / "mpi.json"
    subprocess.run(["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "5", sys.executable, "-m",
                    "mpi4py.futures", __file__, "--rank", str(listed), str(out)], check=True)
    return out.read_bytes()


def with_shards(files, folder):
    parts = [folder / f"part-{i}.json" for i in range(1, 5)]
    # The shards of a job array: each process takes its part.
    running = [subprocess.Popen([_program.program(), "validate", "--no-config", "-q", "--shard", f"{i}/4",
                                 "--format", f"json={part}", *files]) for i, part in enumerate(parts, 1)]
    for each in running:
        assert each.wait() in (0, 1, 3)
    merged = folder / "merged.json"
    subprocess.run([_program.program(), "report", "merge", "--format", f"json={merged}", *map(str, parts)], check=True)
    return merged.read_bytes()


def rank(listed, out):
    from mpi4py.futures import MPIPoolExecutor
    with MPIPoolExecutor() as pool:
        report = hepcheck.validate_many(pathlib.Path(listed).read_text().split("\n"), executor=pool, jobs=1)
    pathlib.Path(out).write_bytes(report.json)


def main():
    if sys.argv[1] == "--rank":
        return rank(*sys.argv[2:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "files").mkdir()
        files = copies(pathlib.Path(sys.argv[1]), folder / "files", int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
        expected = timed("one process", lambda: hepcheck.validate_many(files, jobs=1).json)
        for workers in (1, 2, 4):
            assert timed(f"{workers} processes", lambda: with_processes(files, workers)) == expected
        assert timed("dask, 4 workers", lambda: with_dask(files)) == expected
        assert timed("MPI, 4 ranks", lambda: with_mpi(files, folder)) == expected
        assert timed("4 shards, merged", lambda: with_shards(files, folder)) == expected
    print(f"{len(files)} files: every report is the same, {len(expected)} bytes")


if __name__ == "__main__":
    main()
