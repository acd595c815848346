"""Tests of hepcheck suite for Arrow: the correct Python adapter passes, every broken one fails exactly the
clauses that it violates, and two programs from npm fail as expected."""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
CONFORMANCE = HERE.parents[1]
HEPCHECK = os.environ["HEPCHECK"]
SPEC, NEWER = "arrow-columnar-1.0", "arrow-columnar-1.5"
ADAPTERS = CONFORMANCE / "adapters" / "arrow"
PYTHON = [sys.executable, str(ADAPTERS / "python" / "adapter.py")]
KNOWN = CONFORMANCE / "known_failures" / "arrow"
PACKAGES = os.environ.get("PACKAGES", "")
sys.path.insert(0, str(HERE))


def suite(role, *arguments, command=PYTHON, spec=SPEC):
    return subprocess.run([HEPCHECK, "suite", role, "--spec", spec, *map(str, arguments), "--", *map(str, command)],
                          capture_output=True, text=True)


def judged(role, *arguments, command=PYTHON, spec=SPEC):
    done = suite(role, "--format", "json", *arguments, command=command, spec=spec)
    return done, json.loads(done.stdout)


def verdicts(report):
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


def failed(report):
    return {id for id, verdict in verdicts(report).items() if verdict == "fail"}


def written_types(log):
    """Classes of types, units of intervals and widths of decimals in the tables that a program has written."""
    made, requests = set(), {}

    def look(field):
        type = field["type"]
        made.add(type["class"])
        made.update(["dictionary"] if field.get("dictionary") else [])
        made.update({"interval": [type.get("unit")], "decimal": [type.get("bits")]}.get(type["class"], []))
        for child in field["children"]:
            look(child)
    for line in map(json.loads, log.read_text().splitlines()):
        if "request" in line:
            requests[line["request"]["id"]] = line["request"]
        elif "ok" in line.get("reply", {}) and "table" in requests.get(line["reply"]["id"], {}):
            for field in requests[line["reply"]["id"]]["table"]["fields"]:
                look(field)
    return made


def fixtures():
    """Enough files for each clause: those that a check names, and some of the others."""
    claimed = ("2.4", "2.10", "2.9/arrow-struct-hidden", "null-slot-not-empty", "2.12/arrow-dictionary-null", "v4", "features",
               "days-and-milliseconds", "arrow-consumer", "4.1", "4.4", "4.5", "4.7", "4.9", "old-framing", "complete--three",
               "order-differs", "map-one-child", "second-32", "int31--one-more", "before-a-body", "2-to-40", "tensor-between",
               "block-in-file--past", "footer-size-in-range--larger")
    left = "converts-unsupported", "over-bad-text"  # these violate several clauses
    listed = json.loads((CONFORMANCE.parent / "fixtures" / "arrow" / "manifest.json").read_text())["fixtures"]
    return [word for each in listed for word in ("--files", each["file"])
            if any(part in each["file"] for part in claimed) and not any(part in each["file"] for part in left)
            and (each["kind"] == "valid" or any(part in each["file"] for part in claimed if not part[0].isdigit() or "-" in part)
                 or "nothing-after-eos" in each["file"])]


class GoodReader(unittest.TestCase):
    def test_everything_passes(self):
        done, report = judged("reader")
        self.assertEqual(failed(report), set())
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(report["clauses"]), 25)
        self.assertEqual(set(verdicts(report).values()), {"pass"})
        clause = next(each for each in report["clauses"] if each["id"] == "arrow-consumer-survives-any-input")
        self.assertGreater(clause["examined"], 1500)

    def test_undeclared_features_are_not_applicable(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "streams_alone.py"
            file.write_text(f"import sys\nsys.path.insert(0, {str(ADAPTERS / 'python')!r})\n"
                            "from adapter import Adapter\nclass Less(Adapter):\n"
                            "    operations, features = ['describe', 'read'], ['stream']\nLess().serve()\n")
            _, report = judged("reader", *fixtures(), command=[sys.executable, file])
        without = {id for id, verdict in verdicts(report).items() if verdict == "not-applicable"}
        self.assertEqual(without, {f"arrow-{id}" for id in (
            "consumer-nullable-round-trip", "consumer-random-access", "file-delta-order", "consumer-dictionary-null-count")})
        self.assertEqual(failed(report), set())


class BrokenReaders(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        from broken_readers import BROKEN
        files = fixtures()

        def judge(name):
            limits = {"Hangs": ["--timeout", "1"], "BelievesSizes": ["--memory", "600"]}.get(name, [])
            return judged("reader", *files, *limits, command=[sys.executable, HERE / "broken_readers.py", name])

        self.assertEqual(len({clause for each in BROKEN.values() for clause in each.clauses}), 25)
        with ThreadPoolExecutor(2) as pool:
            for name, (_, report) in zip(BROKEN, pool.map(judge, BROKEN)):
                with self.subTest(name):
                    self.assertEqual(failed(report), BROKEN[name].clauses)


class NewerReaders(unittest.TestCase):
    """Readers of format 1.5."""

    CLAUSES = {f"arrow-consumer-{id}" for id in (
        "view-values", "list-view-values", "run-end-values", "run-end-long", "timestamp-reference", "timestamp-naive-not-utc",
        "month-day-nano", "codec-optional", "older-files", "newer-detected", "extension-metadata-survives",
        "canonical-extension-optional")}

    def judge(self, *command, limits=()):
        only = [word for id in sorted(self.CLAUSES) for word in ("--only", id)]
        return judged("reader", *only, *limits, command=command, spec=NEWER)

    def test_everything_passes(self):
        done, report = self.judge(*PYTHON)
        judged = {id: verdict for id, verdict in verdicts(report).items() if id in self.CLAUSES}
        self.assertEqual(judged, dict.fromkeys(self.CLAUSES, "pass"), done.stdout[-3000:])
        self.assertEqual(done.returncode, 0)

    def test_each_broken_one_fails_exactly_its_clause(self):
        """There are two for each clause."""
        from broken_newer_readers import BROKEN

        def judge(name):
            return self.judge(sys.executable, HERE / "broken_newer_readers.py", name,
                              limits=["--timeout", 1] if name == "WalksRuns" else [])

        broken = collections.Counter(clause for each in BROKEN.values() for clause in each.clauses)
        self.assertEqual({clause for clause, count in broken.items() if count >= 2}, self.CLAUSES)
        with ThreadPoolExecutor(2) as pool:
            for name, (_, report) in zip(BROKEN, pool.map(judge, BROKEN)):
                with self.subTest(name):
                    self.assertEqual(failed(report), BROKEN[name].clauses)


class GoodWriter(unittest.TestCase):
    def test_everything_passes(self):
        done, report = judged("writer")
        self.assertEqual(failed(report), set())
        self.assertEqual(done.returncode, 0)
        by_subject = {clause["id"]: clause["verdict"] for clause in report["clauses"] if clause["subject"] == "producer"}
        self.assertEqual(len(by_subject), 7)
        self.assertEqual({id for id, verdict in by_subject.items() if verdict != "pass"},
                         {"arrow-producer-notes-allocated-bitmap"})
        self.assertGreater(len(report["clauses"]), 120)  # including clauses about files

    def test_selected_tables(self):
        _, report = judged("writer", "--tables", "valid/2.9/*")
        self.assertEqual(report["files"], 3 * 2 * 2)


class BrokenWriters(unittest.TestCase):
    def test_each_fails_exactly_its_clauses(self):
        from broken_writers import BROKEN

        def judge(name):
            return judged("writer", command=[sys.executable, HERE / "broken_writers.py", name])

        self.assertEqual({clause for each in BROKEN.values() for clause in each.clauses if "producer" in clause},
                         {f"arrow-producer-{id}" for id in ("every-output-conformant", "aligned-memory", "v4-mode", "ends-stream",
                                                            "no-private-types")})
        with ThreadPoolExecutor(2) as pool:
            for name, (_, report) in zip(BROKEN, pool.map(judge, BROKEN)):
                with self.subTest(name):
                    self.assertEqual(failed(report), BROKEN[name].clauses)


class NewerWriters(unittest.TestCase):
    """Writers of format 1.5."""

    def test_everything_passes(self):
        done, report = judged("writer", spec=NEWER)
        self.assertEqual(failed(report), set())
        self.assertEqual(done.returncode, 0)
        examined = {clause["id"]: clause["examined"] for clause in report["clauses"]}
        for id in ("view-prefix-equal", "list-view-end-in-child", "run-ends-ascending", "variadic-counts-present",
                   "variadic-counts-one-for-each-view", "utf8-view-values-valid"):
            self.assertGreater(examined[f"arrow-{id}"], 20, id)

    def test_each_broken_one_fails_exactly_its_clauses(self):
        from broken_newer_writers import BROKEN

        def judge(name):
            return judged("writer", "--random", 0, command=[sys.executable, HERE / "broken_newer_writers.py", name], spec=NEWER)

        with ThreadPoolExecutor(2) as pool:
            for name, (_, report) in zip(BROKEN, pool.map(judge, BROKEN)):
                with self.subTest(name):
                    self.assertEqual(failed(report), BROKEN[name].clauses)


class Programs(unittest.TestCase):
    """The programs from npm read and write with known failures."""

    NAMES = ["apache-arrow", "arrow-rs"]

    @classmethod
    def setUpClass(cls):
        if not shutil.which("node") or not (Path(PACKAGES) / "node_modules" / "parquet-wasm").exists():
            raise unittest.SkipTest("there is no node or there are no packages (see arrow_reader_packages)")
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.reports, cls.done = {}, {}
        patience = {"apache-arrow": 2, "arrow-rs": 20}  # the first is known to hang, with three files
        for name in cls.NAMES:
            for role in "reader", "writer":
                report = cls.reports[name, role] = Path(cls.folder.name) / f"{name}-{role}.json"
                known = KNOWN / f"{name}-{role}.toml"
                cls.done[name, role] = suite(role, "--format", "json", "--output", report, "--known", known, "--timeout", patience[name],
                                             command=["node", ADAPTERS / "javascript" / f"{name}.mjs", PACKAGES])

    def report(self, *key):
        self.assertEqual(self.done[key].returncode, 0, self.done[key].stderr + self.reports[key].read_text()[-2000:])
        return json.loads(self.reports[key].read_text())

    def test_readers(self):
        for name in self.NAMES:
            with self.subTest(name):
                report = self.report(name, "reader")
                self.assertEqual(report["totals"]["failed"] + report["totals"]["not_followed"], 0)
                self.assertGreater(report["totals"]["known"], 2)
                self.assertNotIn("not-checked", verdicts(report).values())

    def test_writers(self):
        for name in self.NAMES:
            with self.subTest(name):
                report = self.report(name, "writer")
                self.assertEqual(report["totals"]["failed"] + report["totals"]["not_followed"], 0)
                self.assertEqual(verdicts(report)["arrow-producer-every-output-conformant"], "pass")

    def test_side_by_side(self):
        done = subprocess.run([HEPCHECK, "suite", "compare", "--format", "json",
                               *(self.reports[name, "reader"] for name in self.NAMES)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        matrix = json.loads(done.stdout)
        self.assertEqual(len(matrix["clauses"]), 25)
        cells = {row["clause"]: [program["verdict"] for program in row["programs"]] for row in matrix["clauses"]}
        self.assertEqual(cells["arrow-consumer-random-access"], ["pass", "not-applicable"])
        self.assertEqual(cells["arrow-consumer-null-slot-ignored"], ["pass", "known"])


def newer_files():
    """The fixtures of which format 1.5 says something else than format 1.0, which has its own tests. All if HEPCHECK_EVERY
    is set."""
    if os.environ.get("HEPCHECK_EVERY", "0") != "0":
        return []
    listed = json.loads((CONFORMANCE.parent / "fixtures" / "arrow" / "manifest.json").read_text())["fixtures"]
    return [word for each in listed if each["spec"] == NEWER or "revisions" in each for word in ("--files", each["file"])]


class NewerPrograms(unittest.TestCase):
    """The programs from npm read format 1.5 with known failures, and the page of readers says so."""

    LAYOUTS = {"views": "view-values", "list views": "list-view-values", "run-end encoding": "run-end-values",
               "a run of 2^40 slots": "run-end-long", "intervals of months, days and nanoseconds": "month-day-nano",
               "decimals of other widths, unknown types": "newer-detected", "metadata of extensions": "extension-metadata-survives"}
    WORDS = {"pass": "reads it", "fail": "known failure", "not-applicable": "does not declare it"}

    @classmethod
    def setUpClass(cls):
        if not shutil.which("node") or not (Path(PACKAGES) / "node_modules" / "parquet-wasm").exists():
            raise unittest.SkipTest("there is no node or there are no packages (see arrow_reader_packages)")

    def test_readers(self):
        cells = {}
        for name, patience in ("Python adapter", 10), ("apache-arrow", 2), ("arrow-rs", 20):
            with self.subTest(name):
                program = PYTHON if name not in Programs.NAMES else ["node", ADAPTERS / "javascript" / f"{name}.mjs", PACKAGES]
                known = ["--known", KNOWN / f"{name}-1.5-reader.toml"] if name in Programs.NAMES else []
                done, report = judged("reader", "--timeout", patience, *known, *newer_files(), command=program, spec=NEWER)
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout[-2000:])
                cells[name] = verdicts(report)
        page = (CONFORMANCE.parent / "docs" / "arrow-readers.md").read_text()
        for layout, id in self.LAYOUTS.items():
            row = " | ".join([layout, *(self.WORDS[each[f"arrow-consumer-{id}"]] for each in cells.values())])
            self.assertIn(f"| {row} |\n", page)

    WRITTEN = {"views": {"utf8-view", "binary-view"}, "list views": {"list-view", "large-list-view"},
               "run-end encoding": {"run-end-encoded"}, "intervals of months, days and nanoseconds": {"month-day-nano"},
               "decimals of 32, 64 and 256 bits": {32, 64, 256}}

    def test_writers(self):
        cells = []
        for name, patience in ("Python adapter", 10), ("apache-arrow", 2), ("arrow-rs", 20):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                npm = name in Programs.NAMES
                done = suite("writer", "--timeout", patience, "--transcript", Path(folder) / "log",
                             *(["--known", KNOWN / f"{name}-writer.toml"] if npm else []), spec=NEWER,
                             command=["node", ADAPTERS / "javascript" / f"{name}.mjs", PACKAGES] if npm else PYTHON)
                self.assertEqual(done.returncode, 0, done.stderr + done.stdout[-2000:])
                cells.append(written_types(Path(folder) / "log"))
        page = (CONFORMANCE.parent / "docs" / "arrow-readers.md").read_text()
        for layout, types in self.WRITTEN.items():
            row = " | ".join([layout, *("writes it" if types <= each else "does not declare it" for each in cells)])
            self.assertIn(f"| {row} |\n", page)
            for each in cells:
                self.assertIn(len(types & each), (0, len(types)), layout)


class Coverage(unittest.TestCase):
    def test_clauses_on_programs_are_judged(self):
        done = subprocess.run([HEPCHECK, "clauses", "--spec", SPEC, "coverage", "--format", "json"], capture_output=True, text=True)
        report = json.loads(done.stdout)
        self.assertEqual(report["consumer"], {"total": 25, "judged": 25, "not_judged": []})
        self.assertEqual(report["producer"], {"total": 7, "judged": 6, "not_judged": ["arrow-producer-notes-allocated-bitmap"]})
        self.assertEqual(report["missing"], [])


class Runs(unittest.TestCase):
    FEW = ["--files", "valid/2.10/*"]

    def test_all_formats(self):
        for form in ("text", "json", "markdown", "junit", "sarif", "html", "earl", "ndjson", "badge", "badge-svg"):
            with self.subTest(form):
                done = suite("reader", "--format", form, *self.FEW)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(done.stdout)
        program = json.loads(suite("reader", "--format", "ndjson", *self.FEW).stdout)
        self.assertIn("arrow-consumer-union-nullness-from-child", {clause["id"] for clause in program["clauses"]})

    def test_command_may_have_options(self):
        """It may also follow an option that can be repeated."""
        for role, option, value in (("reader", "--only", "arrow-consumer-survives-any-input"), ("reader", "--files", "valid/2.10/*"),
                                    ("writer", "--only", "arrow-producer-any-subset"), ("writer", "--tables", "valid/2.10/*")):
            with self.subTest(option):
                done = suite(role, *(self.FEW if option == "--only" and role == "reader" else []), "--random", 0, option, value,
                             command=[sys.executable, "-B", "-W", "ignore", *PYTHON[1:]])
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_random_tables(self):
        """They have the types that the program declares, all types occur, and a seed gives the same tables."""
        older = {"null", "int", "float", "bool", "binary", "utf8", "date", "large-binary", "large-utf8", "decimal", "time", "timestamp",
                 "list", "interval", "duration", "struct", "large-list", "fixed-size-list", "dictionary", "fixed-size-binary"}
        newer = {"utf8-view", "binary-view", "list-view", "large-list-view", "run-end-encoded"}
        for spec, wanted in (SPEC, older), (NEWER, older | newer):
            with self.subTest(spec), tempfile.TemporaryDirectory() as folder:
                log = Path(folder) / "log"

                def asked(role, *options):
                    done, report = judged(role, "--files" if role == "reader" else "--tables", "random/*", "--transcript", log,
                                          *options, spec=spec)
                    self.assertEqual(failed(report), set())
                    self.assertIn(f"--seed {dict(zip(options, options[1:])).get('--seed', 1)}", done.stdout)
                    requests = [json.loads(line).get("request") for line in log.read_text().splitlines()]
                    return report, [each for each in requests if each and each["op"] in ("write", "read")]
                report, requests = asked("reader", "--random", 30)
                self.assertEqual((report["files"], len(requests)), (30, 30))
                made, types = {}, set()
                for seed in 1, 31:
                    made[seed] = [json.dumps(each["table"]) for each in asked("writer", "--random", 30, "--seed", seed)[1]]
                    types |= written_types(log)
                self.assertEqual(sorted(wanted - types), [])
                self.assertEqual(newer & types, newer & wanted)
                self.assertEqual(len(set(made[1])), 30)
                self.assertNotEqual(set(made[1]), set(made[31]))
                self.assertEqual(made[1], [json.dumps(each["table"]) for each in asked("writer", "--random", 30)[1]])

    def test_unexpected_pass_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            known = Path(folder) / "known.toml"
            known.write_text('[[known]]\nclause = "arrow-producer-v4-mode"\nreason = "so"\n')
            done = suite("writer", "--known", known)
            self.assertEqual(done.returncode, 1)
            self.assertIn("UNEXPECTED PASS arrow-producer-v4-mode", done.stdout)

    def test_invalid_replies(self):
        """The program gives the same answer to everything."""
        hello = '{"id": 1, "ok": {"protocol": 1, "name": "odd", "capabilities": {"operations": ["describe", "read"], ' \
                '"datatypes": ["int", "utf8", "struct"], "features": ["stream"]}}}'
        for ok, words in (('{}', "no fields"), ('{"fields": [], "batches": [{"rows": 5}]}', "rows: 5 is not a decimal string"),
                          ('{"fields": 1, "batches": []}', "fields is not an array")):
            with self.subTest(ok):
                script = f"read line; echo '{hello}'; n=1; while read line; do n=$((n + 1)); echo '{{\"id\": '$n', \"ok\": {ok}}}'; done"
                done = suite("reader", "--only", "arrow-consumer-parent-validity-first", "--timeout", 10,
                             command=["sh", "-c", script])
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stdout)

    def test_specifications_without_a_suite(self):
        done = subprocess.run([HEPCHECK, "suite", "reader", "--spec", "tiledb", "--", *PYTHON], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no suite", done.stderr)

    def test_messages_match_the_schema(self):
        import jsonschema
        schema = json.loads((CONFORMANCE / "protocol-arrow.schema.json").read_text())
        validator = jsonschema.Draft202012Validator(schema)
        with tempfile.TemporaryDirectory() as folder:
            for role, spec, *few in (("reader", SPEC, "--files", "valid/2.8/*", "--files", "valid/4.2/*"),
                                     ("writer", SPEC, "--tables", "valid/2.1*"),
                                     ("writer", NEWER, "--random", 0, "--tables", "valid/3.*", "--tables", "valid/Schema.fbs/*")):
                log = Path(folder) / role
                suite(role, *few, "--transcript", log, spec=spec)
                output = [json.loads(line) for line in log.read_text().splitlines()]
                self.assertGreater(len(output), 20)
                seen = set()
                for each in output:
                    for what in ("request", "reply"):
                        if what in each:
                            validator.validate(each[what])
                            seen.add(each[what].get("op"))
                self.assertLess({"hello"}, seen)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
