"""The same reports from one process, four processes, a dask cluster of four, four MPI ranks and four merged shards, of many
files and of the columns of one table.

usage: check_engines.py FIXTURES [COPIES]

Judges COPIES (2,000) copies of fixtures, and a sound and a broken table of 64 columns in four parts, and prints how long
each engine took. The reports about all copies are compared as JSON, those about a tenth of them and about the tables in
every format, byte for byte. The directory above FIXTURES also has bench, generators and conformance, which make the table. With mpi4py it
runs itself under mpiexec."""

import concurrent.futures
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from unittest import mock

import hepcheck
from hepcheck import _program, _validate

PARTS = 4
# Parts of the table that differ in the broken one.
BROKEN = ("ts00", "label02", "name03", "id04", "words/OFFSETS", "SEARCH_INDEXES/energy06__sorted", "SEARCH_INDEXES/id09__bloom")


def copies(fixtures, folder, count):
    sources = sorted((fixtures / "hep001").rglob("*.h5"))
    made = []
    for i in range(count):
        path = folder / f"{i:05}.h5"
        shutil.copy(sources[i % len(sources)], path)
        made.append(str(path))
    return made


def tables(base, folder):
    """A sound table of 64 columns of all kinds, and one in which a byte of some columns and indexes is another."""
    import h5py
    import numpy
    sys.path.insert(0, str(base / "bench"))
    import make_table
    sound, broken = folder / "sound.h5", folder / "broken.h5"
    make_table.make_table(str(sound), 20_000, "plain", 64)
    shutil.copy(sound, broken)
    with h5py.File(broken, "r+") as file:
        for name in BROKEN:
            element = numpy.array(file[f"/events/{name}"][:1])
            element.view("u1")[..., -1] ^= 0xFF
            file[f"/events/{name}"][:1] = element
    return [str(sound), str(broken)]


# --- Reports in every format -------------------------------------------------------------------------


def run(*arguments):
    done = subprocess.run([_program.program(), *arguments], capture_output=True, check=False)
    assert done.returncode in (0, 1, 3), done.stderr.decode(errors="replace")
    return done.stdout.decode()


def all_formats():
    """Those that `hepcheck validate --help` lists."""
    listed = run("validate", "--help").partition("Report formats:\n")[2].partition("\n\n")[0]
    names = [line.split()[0] for line in listed.splitlines()]
    assert {"text", "json", "markdown", "html", "junit", "sarif"} <= set(names), names
    return names


def written(folder, formats, *arguments):
    """The reports, by format, of a command that takes --format. JUnit says when it ran."""
    into = {name: folder / f"report.{name}" for name in formats}
    run(*arguments, *[word for name, path in into.items() for word in ("--format", f"{name}={path}")])
    made = {name: path.read_bytes() for name, path in into.items()}
    return {name: re.sub(rb' time(stamp)?="[0-9.:T-]+"', b"", text) if name.startswith("junit") else text for name, text in made.items()}


class Comparison:
    """Reports of one process, with which those of engines are compared."""

    def __init__(self, folder, formats, name, files):
        self.folder, self.formats = folder, formats
        self.expected = timed(f"{name}, one process",
                              lambda: written(folder, formats, "validate", "--no-config", "--jobs", "1", *files))

    def report(self, name, make):
        """`make` gives a JSON report, which is rendered in the other formats."""
        path = self.folder / "document.json"
        path.write_bytes(timed(name, make))
        assert path.read_bytes() == self.expected["json"], f"{name}: another JSON report"
        others = [each for each in self.formats if each != "json"]
        if others:
            self.same(name, written(self.folder, others, "report", "render", str(path)))

    def same(self, name, reports):
        for each, text in reports.items():
            assert text == self.expected[each], f"{name}: another report as {each}"


def timed(name, make):
    start = time.perf_counter()
    document = make()
    print(f"{name:32} {time.perf_counter() - start:7.2f} s", flush=True)
    return document


# --- Engines -----------------------------------------------------------------------------------------


def many(files, pool):
    return hepcheck.validate_many(files, executor=pool, jobs=1).json


def spread(files, pool):
    """The report on one file whose parts all came from the executor: none was read here instead."""
    facts, given = _validate._facts, []

    def remembered(*arguments):
        given.extend(facts(*arguments))
        return given

    with mock.patch.object(_validate, "_facts", remembered):
        report = hepcheck.validate(files[0], executor=pool, parts=PARTS, jobs=1)
    assert given.count("--facts") == PARTS, given
    return report.json


WORK = {"many": many, "spread": spread}  # by what an executor does


@contextlib.contextmanager
def dask_cluster():
    import dask.distributed
    with dask.distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster, \
            dask.distributed.Client(cluster) as client:
        yield client.get_executor()


def with_mpi(work, files, folder):
    listed = folder / "files.txt"
    listed.write_text("\n".join(files))
    out = folder / "mpi.json"
    subprocess.run(["mpiexec", "--allow-run-as-root", "--oversubscribe", "-n", "5", sys.executable, "-m",
                    "mpi4py.futures", __file__, "--rank", work, str(listed), str(out)], check=True)
    return out.read_bytes()


def rank(work, listed, out):
    from mpi4py.futures import MPIPoolExecutor
    with MPIPoolExecutor() as pool:
        document = WORK[work](pathlib.Path(listed).read_text().split("\n"), pool)
    pathlib.Path(out).write_bytes(document)


def in_parallel(commands):
    running = [subprocess.Popen([_program.program(), *command]) for command in commands]
    for each in running:
        assert each.wait() in (0, 1, 3)


def merged_shards(files, folder, formats):
    """Four processes of a job array take a share of the files each; one more merges their reports."""
    parts = [folder / f"part-{i}.json" for i in range(1, PARTS + 1)]
    in_parallel([["validate", "--no-config", "-q", "--shard", f"{i}/{PARTS}", "--format", f"json={part}", *files]
                 for i, part in enumerate(parts, 1)])
    return written(folder, formats, "report", "merge", *map(str, parts))


def judged_shares(files, folder, formats):
    """Four processes read a share of the columns each; one more judges."""
    parts = [folder / f"{i}.facts" for i in range(1, PARTS + 1)]
    in_parallel([["facts", "--no-config", "--share", f"{i}/{PARTS}", "-o", str(part), *files] for i, part in enumerate(parts, 1)])
    return written(folder, formats, "validate", "--no-config", *[word for part in parts for word in ("--facts", str(part))], *files)


SHARES = {"many": merged_shards, "spread": judged_shares}


def compare(name, files, work, folder, formats):
    known = Comparison(folder, formats, name, files)
    for workers in (1, 2, 4):
        with concurrent.futures.ProcessPoolExecutor(workers) as pool:
            known.report(f"{name}, {workers} processes", lambda: WORK[work](files, pool))
    with dask_cluster() as pool:
        known.report(f"{name}, dask, 4 workers", lambda: WORK[work](files, pool))
    known.report(f"{name}, MPI, 4 ranks", lambda: with_mpi(work, files, folder))
    known.same(f"{name}, 4 shares", timed(f"{name}, 4 shares", lambda: SHARES[work](files, folder, formats)))
    print(f"{name}: every report is the same ({', '.join(formats)}), {len(known.expected['json'])} bytes as JSON")
    return json.loads(known.expected["json"])["claim"]


def main():
    if sys.argv[1] == "--rank":
        return rank(*sys.argv[2:])
    fixtures = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "files").mkdir()
        files = copies(fixtures, folder / "files", int(sys.argv[2]) if len(sys.argv) > 2 else 2000)
        compare(f"{len(files)} files", files, "many", folder, ["json"])
        compare(f"{len(files[::10])} files", files[::10], "many", folder, all_formats())
        claims = [compare(f"64 columns of {pathlib.Path(path).name}", [path], "spread", folder, all_formats())
                  for path in tables(fixtures.parent, folder)]
        assert claims == ["conformant", "not conformant"], claims


if __name__ == "__main__":
    main()
