"""Tests h5col, the reference implementation, as reader and as writer. It is not part of this project; its
adapter is judged if h5col can be imported."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import random_tables

HERE = Path(__file__).parent
ADAPTERS = HERE.parent / "adapters"
KNOWN = HERE.parent / "known_failures" / "h5col"
PAGE = HERE.parents[1] / "docs" / "implementers.md"
HEPCHECK, CPP = os.environ["HEPCHECK"], os.environ["CPP_ADAPTER"]
SCRIPTS = Path(os.environ["JAVASCRIPT"])
OLDER, NEWER = "2026-06-16", "2026-07-09"


def adapter(name):
    if name == "javascript":
        return ["node", SCRIPTS / "adapter.mjs"]
    return [CPP] if name == "cpp" else [sys.executable, ADAPTERS / name / "adapter.py"]


def has_javascript():
    """h5wasm is installed there; node looks for modules next to the file that imports them."""
    if not shutil.which("node") or not (SCRIPTS / "node_modules" / "h5wasm").exists():
        return False
    for file in (ADAPTERS / "javascript").glob("*.mjs"):
        shutil.copy(file, SCRIPTS)
    return True


def judge(role, revision, report, program, *options):
    """Judges a program; returns its report and the finished process."""
    done = subprocess.run([HEPCHECK, "suite", role, "--spec", f"hep001-{revision}", "--format", "json",
                           "--output", report, *options, "--", *program], capture_output=True, text=True)
    return json.loads(report.read_text()), done


def verdicts(report):
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


@unittest.skipUnless(importlib.util.find_spec("h5col"), "h5col cannot be imported")
class WithH5col(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)

    def path(self, name):
        return Path(self.folder.name) / name

    def as_known(self, role, revision, *options):
        """Asserts that it fails exactly where it is known to; returns its verdicts."""
        known = KNOWN / f"{role}-{revision}.toml"
        report, done = judge(role, revision, self.path(f"{role}.json"), adapter("h5col"),
                             "--known", known, *options)
        self.assertEqual(done.returncode, 0, self.unknown(report))
        self.assertGreater(report["totals"]["known"], 0)
        return verdicts(report)

    @staticmethod
    def unknown(report):
        return [(clause["id"], finding) for clause in report["clauses"] if clause["level"].startswith("MUST")
                for finding in clause.get("findings", []) if not finding.get("known")][:5], report["unexpected_passes"]


class Reader(WithH5col):
    def test_known_failures(self):
        seen = self.as_known("reader", OLDER)
        for id in ("consumer-canonical-missing-test", "consumer-nan-branch", "consumer-column-order",
                   "consumer-refuse-newer-major", "consumer-row-count-from-nrows"):
            self.assertEqual(seen[id], "pass", id)
        self.assertEqual(seen["consumer-follow-categories-reference"], "fail")


class NewerReader(WithH5col):
    def test_known_failures(self):
        seen = self.as_known("reader", NEWER)
        for id in ("consumer-null-list-by-mask", "consumer-null-string-by-mask", "consumer-ignore-list-tail",
                   "consumer-identify-list-column", "consumer-stale-index-no-error"):
            self.assertEqual(seen[id], "pass", id)
        self.assertEqual(seen["consumer-follow-categories-reference"], "fail")


class Writer(WithH5col):
    def test_known_failures(self):
        seen = self.as_known("writer", OLDER, "--random", "3")
        for id in ("append-commit-last", "minmax-min-value", "sorted-permutation", "bitmap-bit-set"):
            self.assertEqual(seen[id], "pass", id)
        for id in ("class-null-terminated", "fill-user-defined"):
            self.assertEqual(seen[id], "fail", id)


class NewerWriter(WithH5col):
    def test_known_failures(self):
        seen = self.as_known("writer", NEWER, "--random", "3")
        for id in ("append-list-offsets-last", "append-generation-before-nrows", "minmax-min-value",
                   "producer-generation-by-one", "list-offsets-uint64"):
            self.assertEqual(seen[id], "pass", id)
        for id in ("list-class-null-terminated", "retry-no-token-collision", "full-domain-wider-or-no-missing"):
            self.assertEqual(seen[id], "fail", id)


class Matrix(WithH5col):
    """Four readers compared with each other, as docs/implementers.md shows."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not has_javascript():
            raise unittest.SkipTest("there is no node or no h5wasm (see suite_javascript_packages)")

        def run(name):
            known = KNOWN / f"reader-{NEWER}.toml" if name == "h5col" else KNOWN.parent / f"{name}.toml"
            report = Path(cls.folder.name) / f"{name}.json"
            judge("reader", NEWER, report, adapter(name), *(["--known", known] if known.exists() else []))
            return report

        with ThreadPoolExecutor(2) as pool:
            cls.reports = list(pool.map(run, ["python", "cpp", "javascript", "h5col"]))

    def compared(self, form):
        done = subprocess.run([HEPCHECK, "suite", "compare", "--format", form, *self.reports],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_documentation_shows_the_output(self):
        rows = [row for row in self.compared("markdown").splitlines() if "| pass | pass | pass | pass |" not in row]
        self.assertIn("\n".join(rows) + "\n", PAGE.read_text())

    def test_as_text(self):
        text = self.compared("text")
        for number, name in enumerate(["hepcheck Python adapter", "hepcheck C++ adapter",
                                       "hepcheck JavaScript adapter", f"h5col {h5col_version()}"], 1):
            self.assertIn(f"[{number}] {name} (reader)\n", text)
        self.assertRegex(text, r"consumer-follow-categories-reference .*\[1\] pass .*\[3\] pass .*\[4\] known")
        self.assertRegex(text, r"    \[4\] h5py has no H5T_STD_REF")

    def test_as_html(self):
        """In HTML each program takes the role of a file, with its verdicts."""
        page = self.compared("html")
        for text in ("hepcheck Python adapter", "hepcheck C++ adapter", "hepcheck JavaScript adapter",
                     f"h5col {h5col_version()}", "consumer-follow-categories-reference", "h5py has no H5T_STD_REF"):
            self.assertIn(text, page)


class Program:
    """A conversation with an adapter about the newer revision."""

    def __init__(self, name):
        self.name, self.number = name, 0
        self.process = subprocess.Popen(adapter(name), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.can = self.ask(op="hello", protocol=1, spec=f"hep001-{NEWER}")["capabilities"]

    def ask(self, **request):
        """The reply to a request; None if the program does not support it."""
        self.number += 1
        self.process.stdin.write(json.dumps({"id": self.number, **request}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply and reply["error"]["kind"] == "unsupported":
            return None
        if "error" in reply:
            raise AssertionError(f"{self.name}: {request}: {reply['error']}")
        return reply["ok"]

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Exchange(WithH5col):
    """All programs read what each one writes: random tables with list columns, booleans and indexes."""
    TABLES = 15
    # The known failures of h5col, and no others (known_failures/h5col/writer-2026-07-09.toml).
    KNOWN = {"class-null-terminated", "list-class-null-terminated", "list-kind-null-terminated",
             "no-std-ref-obj"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.writers = [Program(name) for name in ("python", "cpp", "h5col")]
        cls.readers = cls.writers + ([Program("javascript")] if has_javascript() else [])
        for program in cls.readers:
            cls.addClassCleanup(program.end)

    def test_every_reader_understands_every_writer(self):
        queries = used = 0
        for seed in range(self.TABLES):
            table, more = random_tables.Draw(seed).table()
            for writer in self.writers:
                file = self.path(f"{writer.name}-{seed}.h5")
                rows = [column["values"] for column in table["columns"]]
                writer.ask(op="write", file=str(file), table=self.offered(table, writer))
                for added, upkeep in (([], None), (more[0], "maintain"), (more[1], "leave")):
                    if added:
                        writer.ask(op="append", file=str(file), table=table["path"], columns=added,
                                   durable=False, indexes=upkeep)
                        rows = [old + new["values"] for old, new in zip(rows, added)]
                    with self.subTest(seed=seed, writer=writer.name, indexes=upkeep):
                        self.conforms(file, set() if writer.name != "h5col" else self.KNOWN)
                        self.all_read(file, table, rows)
                        asked, by_index = self.all_find(file, table, rows, writer)
                        queries, used = queries + asked, used + by_index
        self.assertGreater(queries, 1000)
        self.assertGreater(used, 100)

    @staticmethod
    def offered(table, writer):
        return {**table, "columns": [
            {**column, "indexes": [kind for kind in column.get("indexes", []) if kind in writer.can["indexes"]]}
            for column in table["columns"]]}

    def conforms(self, file, known):
        done = subprocess.run([HEPCHECK, "validate", "--spec", f"hep001-{NEWER}", "--format", "json", file],
                              capture_output=True, text=True)
        table, = json.loads(done.stdout)["files"][0]["tables"]
        broken = {clause["id"] for clause in table["clauses"]
                  if clause["verdict"] == "fail" and clause["level"].startswith("MUST")}
        self.assertLessEqual(broken, known)

    def all_read(self, file, table, rows):
        described = [program.ask(op="describe", file=str(file))["tables"] for program in self.readers]
        for tables in described[1:]:
            self.assertEqual(tables, described[0])
        self.assertEqual([column["name"] for column in described[0][0]["columns"]],
                         [column["name"] for column in table["columns"]])
        for program in self.readers:
            columns = program.ask(op="read", file=str(file), table=table["path"])["columns"]
            found = {column["name"]: column.get("values", column.get("unreadable")) for column in columns}
            for column, values in zip(table["columns"], rows):
                self.assertEqual(without_people(found[column["name"]]), values, (program.name, column["name"]))

    def all_find(self, file, table, rows, writer):
        """Asserts that all give the same answers; returns the number of answers, and of those from an index. The
        other programs use no index that h5col wrote: they may refuse its references (6)."""
        asked = used = 0
        for column, values in zip(table["columns"], rows):
            if column["type"]["class"] == "list":
                continue
            for where in predicates(column["name"], column["type"], values):
                answers = {}
                for program in self.readers:
                    foreign = writer.name == "h5col" and program.name != "h5col"
                    scans = foreign or "use" not in program.can["modes"]
                    reply = program.ask(op="query", file=str(file), table=table["path"], where=where,
                                        indexes="none" if scans else "use")
                    if reply is not None:
                        answers[program.name] = reply["rows"]
                        used += bool(reply["used"])
                self.assertEqual(len({tuple(each) for each in answers.values()}), 1, (where, answers))
                asked += len(answers)
        return asked, used


def without_people(value):
    """A value without the members that are for display."""
    if isinstance(value, list):
        return [without_people(each) for each in value]
    if isinstance(value, dict):
        return {name: each for name, each in value.items() if name != "value"}
    return value


def predicates(name, kind, values):
    present = [value for value in values if value is not None][:2]
    made = [{"column": name, "test": "missing"}]
    made += [{"column": name, "test": "equal", "value": value} for value in present]
    if kind["class"] in ("integer", "float"):
        made += [{"column": name, "test": "range", "min": value, "max": None} for value in present]
    return made


def h5col_version():
    import h5col
    return h5col.__version__


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
