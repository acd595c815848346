"""Kills hepcheck index build and drop at any point, and makes any write fail: the file has its old or its new
content, byte for byte, in every format that the HDF5 library writes. In place,
this holds for failed writes; a crash may leave a file that cannot be opened, but never a table that
appears valid and is not.

HEPCHECK_EVERY=1 tests every point of every run, which takes minutes, instead of a sample.
"""

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from multiprocessing.pool import ThreadPool
from pathlib import Path

import h5py
import numpy as np
from h5py import h5f, h5p

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE))

from conformance import catalogues  # noqa: E402
from generators.hep001 import good_table  # noqa: E402
from generators.hep001 import write as writing  # noqa: E402

HEPCHECK, RECORDER, CRASH_STATES = (
    Path(os.environ[name]).resolve() for name in ("HEPCHECK", "RECORDER", "CRASH_STATES"))
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"
LOG = b"\x89HEPTRC\n\1" + bytes(7)  # without records
FILE, COPY = "table.h5", ".table.h5.hepcheck"
PATIENCE = 120  # seconds; every command should finish within one

OLD, NEW = h5f.LIBVER_EARLIEST, h5f.LIBVER_LATEST
FORMATS = {  # lower version bound, file space strategy, whether free space is persisted
    "earliest": (OLD, h5f.FSPACE_STRATEGY_FSM_AGGR, False),
    "latest": (NEW, h5f.FSPACE_STRATEGY_FSM_AGGR, False),
    "paged": (NEW, h5f.FSPACE_STRATEGY_PAGE, False),
    "paged, free space kept": (NEW, h5f.FSPACE_STRATEGY_PAGE, True),
}
COMMANDS = {
    "build": ("build", "row_id", "SORTED_ROWS"),
    "replace": ("build", "ts", "SORTED_ROWS", "--replace"),
    "drop": ("drop", "ts", "CHUNK_MINMAX"),
}
RUNS = list(itertools.product(FORMATS, COMMANDS))
OLDER, NEWER = "hep001-2026-06-16", "hep001-2026-07-09"
# For the revision with validity tokens: the command, and the initial state of the table.
WITH_TOKENS = {
    "build the first": (("build", "ts", "SORTED_ROWS"), "no indexes"),
    "build another": (("build", "row_id", "SORTED_ROWS"), "valid"),
    "replace a contiguous one": (("build", "ts", "SORTED_ROWS", "--replace"), "contiguous"),
    "replace a wrong one": (("build", "ts", "SORTED_ROWS", "--replace"), "wrong"),
    "fill a stale one": (("build", "ts", "SORTED_ROWS", "--replace"), "stale"),
    "fill a stale bitmap": (("build", "label", "BITMAP", "--replace"), "stale"),
    "drop": (("drop", "ts", "CHUNK_MINMAX"), "valid"),
}
WRITES_FAIL = ("enospc@", "enospc@+", "eio@", "eio@+")
REASON = (r"\Ahepcheck: [^\n]*/table\.h5: [^\n]*\((No space left on device|Input/output error)\)"
          r"[^\n]*\n\Z")


def make_file(path, format):
    """A table with every kind of index, in a file with free space between objects."""
    low, strategy, persist = FORMATS[format]
    table = good_table()
    access, creation = h5p.create(h5p.FILE_ACCESS), writing._without_times(h5p.FILE_CREATE)
    access.set_libver_bounds(low, NEW)
    creation.set_file_space_strategy(strategy, persist, 1)
    file = h5f.create(os.fsencode(path), h5f.ACC_TRUNC, creation, access)
    writer = writing._Writer(file)
    writer.write(table.file.root)
    writer.close()
    file.close()
    with h5py.File(path, "r+", libver=("earliest" if low == OLD else "latest", "latest")) as opened:
        opened["scrap"] = [1.5] * 3000
        opened["other"] = range(2000)
        del opened["scrap"]


def put_token(item, name, value):
    if name in item.attrs:
        item.attrs.modify(name, np.uint64(value))
    else:
        item.attrs.create(name, value, dtype="<u8")


def put_tokens(path, format, before):
    """Gives the file matching tokens; then removes the indexes, or makes them stale or wrong."""
    bounds = "earliest" if FORMATS[format][0] == OLD else "latest", "latest"

    def build(column, kind, spec):
        subprocess.run([HEPCHECK, "index", "build", f"{path}:/events", column, kind, "--replace",
                        "--spec", spec, "-q"], check=True, timeout=PATIENCE)

    if before == "contiguous":
        build("ts", "SORTED_ROWS", OLDER)
    with h5py.File(path, "r+", libver=bounds) as opened:
        table = opened["events"]
        if before == "no indexes":
            del table["SEARCH_INDEXES"]
            for column in table.values():
                if isinstance(column, h5py.Dataset) and "SEARCH_INDEX_LIST" in column.attrs:
                    del column.attrs["SEARCH_INDEX_LIST"]
            table.attrs.pop("GENERATION", None)
            return
        put_token(table, "GENERATION", 3)
        for index in table["SEARCH_INDEXES"].values():
            if "KIND" in index.attrs:
                put_token(index, "SOURCE_GENERATION", 3)
                put_token(index, "SOURCE_NROWS", table.attrs["NROWS"])
    if before == "stale":  # indexes that are updated in place must be extensible
        build("ts", "SORTED_ROWS", NEWER)
        build("label", "BITMAP", NEWER)
    with h5py.File(path, "r+", libver=bounds) as opened:  # then the table is mutated
        table = opened["events"]
        if before in ("stale", "wrong"):
            table["ts"][0] = -77
            table["label"][0] = 1 - table["label"][0]
        if before == "stale":
            put_token(table, "GENERATION", 4)
        if before == "wrong":  # the others are correct: they do not index the first rows
            for name, index in table["SEARCH_INDEXES"].items():
                if name != "ts__sorted_rows" and "SOURCE_GENERATION" in index.attrs:
                    put_token(index, "SOURCE_GENERATION", 2)


class Run:
    """A directory with a file, and a run of hepcheck index on it."""

    def __init__(self, folder, format, command, *options):
        self.folder, self.format, self.command, self.options = folder, format, command, options
        self.files = folder / "files"
        self.files.mkdir(parents=True)
        self.file, self.log = self.files / FILE, folder / "log"
        make_file(self.file, format)
        self.spec = NEWER if command in WITH_TOKENS else OLDER
        self.words = WITH_TOKENS[command][0] if command in WITH_TOKENS else COMMANDS[command]
        if command in WITH_TOKENS:
            put_tokens(self.file, format, WITH_TOKENS[command][1])
        self.before = self.file.read_bytes()

    def __str__(self):
        return " ".join((self.format + ",", self.command, *self.options))

    def start(self, fault="", **options):
        verb, column, kind, *more = (*self.words, "--spec", self.spec)
        self.log.write_bytes(LOG)
        environment = {**os.environ, "LD_PRELOAD": str(RECORDER), "SOURCE_DATE_EPOCH": "0",
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
                       "HEPCHECK_RECORD_LOG": str(self.log), "HEPCHECK_RECORD_FAULT": fault,
                       "HEPCHECK_RECORD_FOLDER": f"{self.files.resolve()}/"}
        return subprocess.Popen(
            [HEPCHECK, "index", verb, f"{self.file}:/events", column, kind, *more, *self.options],
            env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, fault=""):
        process = self.start(fault)
        process.out, process.err = process.communicate(timeout=PATIENCE)
        return process

    def restore(self):
        for path in self.files.iterdir():
            path.unlink()
        self.file.write_bytes(self.before)

    def is_new(self, contents):
        """Whether this is the new file, apart from the times that the library writes into some formats."""
        return (len(contents) == len(self.after) and
                sum(a != b for a, b in zip(contents, self.after)) < 50)

    def names(self):
        return {path.name for path in self.files.iterdir()}

    def records(self):
        """The records of the log; each begins with its kind."""
        log, at = self.log.read_bytes(), len(LOG)
        while at < len(log):
            end = at + 24 + int.from_bytes(log[at + 4:at + 8], "little")
            yield log[at:end]
            at = end

    def operations(self):
        """The number of operations that the recorder counted, without notifications. A long copy is
        one operation, in records of 64 KiB."""
        count, copying = 0, False
        for record in self.records():
            if record[:1] in b"NWTRLSD":
                count += not (copying and record[:1] == b"W")
                copying = record[:1] == b"W" and len(record) == 24 + (1 << 16)
        return count

    def states(self, without=b""):
        """Runs to the end; then (file or None, kind, how) for all states that crashes could have left, as
        if some kinds of records had not occurred."""
        before, into = self.folder / "before", self.folder / "states"
        shutil.copytree(self.files, before)
        into.mkdir()
        done = self.run()
        assert done.returncode == 0, done.err
        if without:
            self.log.write_bytes(LOG + b"".join(r for r in self.records() if r[:1] not in without))
        listed = subprocess.run(
            [CRASH_STATES, self.log, before, self.files, FILE, into, "2000" if EVERY else "100"],
            text=True, capture_output=True, timeout=PATIENCE)
        assert listed.returncode == 0, listed.stderr
        states = [line.split("\t") for line in listed.stdout.splitlines()]
        self.replayed = sum(int(count) for _, count, *_ in states)
        return [(None if name == "-" else into / name, kind, how) for name, _, kind, how in states]


def report_on(spec, *files):
    result = subprocess.run(
        [HEPCHECK, "validate", "--no-config", "--format", "json", "--spec", spec, *files],
        text=True, capture_output=True, timeout=PATIENCE)
    return json.loads(result.stdout)["files"]


def validated(*files):
    """The result of hepcheck validate for each file: "refused", or its tables and their indexes."""
    return {file["path"]: shown(file) for file in report_on(OLDER, *files)}


def contents_clauses():
    """The clauses that the contents of an index violate if its tokens match."""
    catalogue = SOURCE / f"conformance/clauses/{NEWER}.toml"
    clauses = {c["id"]: c for c in catalogues.read(catalogue)["clause"]}
    return set(clauses["valid-index-content-correct"]["emitted_as"])


def broken_by_file(*files):
    """The errors of each file that can be examined, by the revision with tokens: their findings by
    clause."""
    for file in report_on(NEWER, *files):
        if file["error"] or file["unreadable"] or len(file["tables"]) != 1:
            continue
        [table] = file["tables"]
        yield file["path"], {c["id"]: c["findings"] for c in table["clauses"]
                             if c["verdict"] == "fail" and c["severity"] == "error"}


def shown(file):
    if file["error"] or file["unreadable"] or not file["tables"]:
        return "refused"
    [table] = file["tables"]
    if table["verdict"] not in ("pass", "fail"):
        return "refused"
    broken = [clause["id"] for clause in table["clauses"] if clause["verdict"] == "fail"]
    return json.dumps([broken, {c["name"]: c["indexes"] for c in table["shape"]["columns"]}])


def read_whole(file):
    """Everything that h5py can read of a file."""
    found = {}
    with h5py.File(file, "r") as opened:
        opened.visititems(lambda name, item: found.update(
            {name: item[()].tobytes() if isinstance(item, h5py.Dataset) else None}))
    return found


class Crashes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def runs(self, *options, these=RUNS):
        for format, command in these:
            yield Run(Path(tempfile.mkdtemp(dir=self.folder)), format, command, *options)


class Replayed(Crashes):
    """Tests every state that a crash could leave."""

    def test_file_is_old_or_new(self):
        for run in self.runs():
            with self.subTest(str(run)):
                states = run.states()
                after = run.file.read_bytes()
                for file, kind, how in states:
                    self.assertIsNotNone(file, how)
                    self.assertIn(file.read_bytes(), (after,) if kind == "end" else (run.before, after),
                                  how)
                self.assertIn("end", {kind for _, kind, _ in states})
                self.assertEqual({file.read_bytes() for file, *_ in states}, {run.before, after})
                self.assertGreater(run.replayed, 100)
                self.assertEqual(run.names(), {FILE})
                before = run.folder / "before" / FILE
                reported = validated(before, run.file)
                self.assertNotIn("refused", reported.values())
                self.assertEqual(reported[str(before)] == reported[str(run.file)], run.command == "replace")
                old, new = read_whole(before), read_whole(run.file)
                self.assertEqual(old["events/ts"], new["events/ts"])
                self.assertEqual(set(old) < set(new), run.command == "build")

    def test_missing_sync_is_detected(self):
        for run in self.runs(these=RUNS[:1]):
            states = run.states(without=b"S")  # without syncing the copy
            after = run.file.read_bytes()
            self.assertFalse(all(f.read_bytes() in (run.before, after) for f, *_ in states))
        for run in self.runs(these=RUNS[:1]):
            states = run.states(without=b"D")  # without syncing the directory
            self.assertIn(run.before, [f.read_bytes() for f, kind, _ in states if kind == "end"])

    def test_in_place_no_invalid_table_appears_valid(self):
        for run in self.runs("--in-place"):
            with self.subTest(str(run)):
                states = [(file, how) for file, kind, how in run.states() if kind == "prefix"]
                reported = validated(run.folder / "before" / FILE, run.file, *(f for f, _ in states))
                allowed = {reported.pop(str(run.folder / "before" / FILE)), reported.pop(str(run.file))}
                self.assertNotIn("refused", allowed)
                for file, how in states:
                    state = reported[str(file)]
                    if state.startswith("[[]"):  # no violations
                        # While two exist, the name of the new one ends in a number.
                        self.assertIn(state.replace("_rows_2", "_rows"), allowed, how)


class Tokens(Crashes):
    """After any crash, no index whose tokens match has wrong contents."""

    RUNS = list(itertools.product(("earliest", "latest"), WITH_TOKENS))
    COPIED = RUNS[len(WITH_TOKENS):]

    def test_file_is_old_or_new(self):
        for run in self.runs(these=self.COPIED):
            with self.subTest(str(run)):
                states = run.states()
                self.assertEqual({file.read_bytes() for file, *_ in states},
                                 {run.before, run.file.read_bytes()})
                self.conformant(run)

    def test_in_place(self):
        seen = 0
        for run in self.runs("--in-place", these=self.RUNS):
            with self.subTest(str(run)):
                states = {str(file): how for file, _, how in run.states() if file is not None}
                self.conformant(run)
                before = run.folder / "before" / FILE
                [(_, was)] = broken_by_file(before)
                self.assertEqual(bool(was), WITH_TOKENS[run.command][1] == "wrong")
                for file, broken in broken_by_file(*states):
                    seen += 1
                    if not was or broken != was:  # the tokens change first
                        self.assertEqual(broken.keys() & CONTENTS, set(), states[file])
        self.assertGreater(seen, 200)

    def conformant(self, run):
        self.assertEqual(dict(broken_by_file(run.file)), {str(run.file): {}})


CONTENTS = contents_clauses()


class Faults(Crashes):
    """Tests failing operations, a single one or all from one point on, and killed processes."""

    def points(self, run):
        """Numbers of operations: all, or the first, the last and some others."""
        done = run.run()
        self.assertEqual(done.returncode, 0, done.err)
        run.after = run.file.read_bytes()
        last = run.operations()
        self.assertGreater(last, 10)
        if EVERY:
            return range(1, last + 1)
        some = random.Random(str(run)).sample(range(2, last - 1), 3)
        return sorted({1, last - 1, last, *some})

    def harmed(self, *options, faults, these=RUNS):
        """(run, fault, result) for some points of every run."""
        def harm(run):
            done = []
            for point, fault in itertools.product(self.points(run), faults):
                run.restore()
                fault = fault.replace("@", f"@{point}")
                process = run.run(fault)
                done.append((run, fault, process, run.file.read_bytes(), run.names()))
            return done
        with ThreadPool(2) as pool:
            return list(itertools.chain(*pool.map(harm, self.runs(*options, these=these))))

    def test_failed_write_changes_nothing(self):
        late = 0
        for run, fault, process, contents, names in self.harmed(faults=WRITES_FAIL):
            with self.subTest(str(run), fault=fault):
                self.assertEqual(process.returncode, 3, process.err)
                self.assertEqual(process.out, "")
                self.assertRegex(process.err, REASON)
                # Except for the last operation: the names in the directory may not be on disk.
                after = "the changes were made, but" in process.err
                self.assertTrue(run.is_new(contents) if after else contents == run.before)
                self.assertEqual(names, {FILE})
                late += after
        self.assertEqual(late, len(RUNS) * len(WRITES_FAIL))

    def test_in_place_failed_write_is_rolled_back(self):
        damaged = 0
        for run, fault, process, contents, names in self.harmed("--in-place", faults=WRITES_FAIL):
            with self.subTest(str(run), fault=fault):
                self.assertEqual(process.returncode, 3, process.err)
                self.assertEqual(process.out, "")
                self.assertRegex(process.err, REASON)
                if "it may be damaged" in process.err:
                    self.assertTrue(fault.endswith("+"))
                    damaged += 1
                else:
                    self.assertEqual(contents, run.before)
                self.assertEqual(names, {FILE})
        self.assertGreater(damaged, 0)

    def test_short_write_is_continued(self):
        for option in ((), ("--in-place",)):
            for run, fault, process, contents, _ in self.harmed(
                    *option, faults=("short@",), these=RUNS[::3]):
                with self.subTest(str(run), fault=fault):
                    self.assertEqual(process.returncode, 0, process.err)
                    self.assertTrue(run.is_new(contents))

    def test_killed_process(self):
        left = 0
        for run, fault, process, contents, names in self.harmed(faults=("kill@",)):
            with self.subTest(str(run), fault=fault):
                self.assertEqual(process.returncode, -signal.SIGKILL)
                self.assertEqual(process.out, "")
                self.assertTrue(contents == run.before or run.is_new(contents))
                self.assertLessEqual(names, {FILE, COPY})
                left += COPY in names
        self.assertGreater(left, 30)

    def test_remains_of_a_killed_process_are_removed_by_the_next(self):
        for run in self.runs(these=RUNS[3:6]):
            with self.subTest(str(run)):
                self.assertEqual(run.run("kill@8").returncode, -signal.SIGKILL)
                self.assertEqual(run.names(), {FILE, COPY})
                process = run.run()
                self.assertEqual(process.returncode, 0, process.err)
                self.assertEqual(run.names(), {FILE})
                self.assertNotEqual(run.file.read_bytes(), run.before)


if __name__ == "__main__":
    unittest.main()
