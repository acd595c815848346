"""Tests of the adapters that implementers can copy, of the features that they lack, of the ways in which a run can
end, and of hepcheck suite compare."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from sampling import ALL_BUT_THE_LARGEST  # noqa: E402

ADAPTERS = HERE.parent / "adapters"
KNOWN = HERE.parent / "known_failures"
PAGE = HERE.parents[1] / "docs" / "implementers.md"
HEPCHECK, CPP = os.environ["HEPCHECK"], os.environ["CPP_ADAPTER"]
MINIMAL = [sys.executable, str(ADAPTERS / "minimal" / "adapter.py")]


def suite(what, *arguments):
    """Judges programs by the revision that all of them support, unless a test names another."""
    pinned = [] if what == "compare" or "--spec" in arguments else ["--spec", "hep001-2026-06-16"]
    return subprocess.run([HEPCHECK, "suite", what, *pinned, *map(str, arguments)],
                          capture_output=True, text=True)


def verdicts(report):
    return {clause["id"]: clause["verdict"] for clause in report["clauses"]}


def failed(report):
    return {id for id, verdict in verdicts(report).items() if verdict == "fail"}


# Features missing from the libraries: LZF, and in JavaScript enumerations of more than 64 bits.
CPP_LIMITS = {"consumer-independent-storage"}
JAVASCRIPT_LIMITS = {"consumer-independent-storage", "consumer-lossless-read"}


class Cpp(unittest.TestCase):
    SPEC = "hep001-2026-06-16"

    def test_reader(self):
        done = suite("reader", "--spec", self.SPEC, *ALL_BUT_THE_LARGEST, "--format", "json", "--known", KNOWN / "cpp.toml",
                     "--", CPP)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        self.assertEqual(failed(report), CPP_LIMITS)
        self.assertEqual(report["totals"]["known"], len(CPP_LIMITS))
        self.assertNotIn("not-checked", verdicts(report).values())

    def test_writer(self):
        done = suite("writer", "--spec", self.SPEC, "--format", "json", "--random", 3, "--", CPP)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        report = json.loads(done.stdout)
        self.assertEqual(failed(report), set())
        self.look_at_writer(verdicts(report))

    def look_at_writer(self, seen):
        self.assertEqual(seen["append-commit-last"], "pass")


class NewerCpp(Cpp):
    SPEC = "hep001-2026-07-09"

    def look_at_writer(self, seen):
        for id in ("retry-no-token-collision", "producer-tokens-before-content", "append-list-leaf-first",
                   "nullable-boolean-enum-preferred", "full-domain-wider-or-no-missing"):
            self.assertEqual(seen[id], "pass", id)


class NewerJavaScript(unittest.TestCase):
    """The adapter in JavaScript, by the newer revision on all files."""

    SPEC, FILES = "hep001-2026-07-09", ALL_BUT_THE_LARGEST

    @classmethod
    def setUpClass(cls):
        # h5wasm is installed there; node looks for modules next to the file that imports them.
        cls.folder = Path(os.environ["JAVASCRIPT"])
        if not shutil.which("node") or not (cls.folder / "node_modules" / "h5wasm").exists():
            raise unittest.SkipTest("there is no node or no h5wasm (see suite_javascript_packages)")
        for file in (ADAPTERS / "javascript").glob("*.mjs"):
            shutil.copy(file, cls.folder)

    def judged(self):
        """The verdicts of the adapter, with known failures."""
        done = suite("reader", "--spec", self.SPEC, *self.FILES, "--format", "json", "--known", KNOWN / "javascript.toml",
                     "--", "node", self.folder / "adapter.mjs")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["totals"]["known"], len(failed(report)))
        return report

    def test_reader(self):
        report = self.judged()
        seen = verdicts(report)
        self.assertEqual(failed(report), JAVASCRIPT_LIMITS)
        self.assertNotIn("not-checked", seen.values())
        for id in ("consumer-null-list-by-mask", "consumer-null-string-by-mask", "consumer-leaf-missing-by-fill",
                   "consumer-accept-boolean-variants", "consumer-unknown-list-kind-unreadable", "consumer-refuse-newer-major"):
            self.assertEqual(seen[id], "pass", id)


class JavaScript(NewerJavaScript):
    """By the older revision on some files, because it reads them as it does by the newer one. All if HEPCHECK_EVERY is set."""

    SPEC = "hep001-2026-06-16"
    FILES = ALL_BUT_THE_LARGEST if os.environ.get("HEPCHECK_EVERY", "0") != "0" else ["--files", "*--[a-g]*"]

    def test_reader(self):
        report = self.judged()
        self.assertLessEqual(failed(report), JAVASCRIPT_LIMITS)
        self.assertGreater(report["totals"]["passed"], 25)


class Minimal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = suite("reader", "--format", "json", *ALL_BUT_THE_LARGEST, "--", *MINIMAL)
        cls.report = json.loads(cls.done.stdout)

    def test_documentation_shows_this_file(self):
        page = PAGE.read_text()
        self.assertIn((ADAPTERS / "minimal" / "adapter.py").read_text().strip(), page)

    def test_verdict(self):
        report = self.report
        self.assertEqual(self.done.returncode, 1)  # its limitations are documented
        self.assertGreater(report["totals"]["passed"], 15)
        for id in ("consumer-row-count-from-nrows", "consumer-not-from-extent", "consumer-column-order",
                   "consumer-canonical-missing-test", "consumer-identify-only-by-class"):
            self.assertEqual(verdicts(report)[id], "pass", id)
        self.assertEqual(verdicts(report)["consumer-read-seed"], "not-applicable")

    def test_only_declared_capabilities_are_judged(self):
        """A reader of integers and floats must not pass clauses about arbitrary tables."""
        report = self.report
        self.assertEqual(report["scope"], ["float", "integer"])
        self.assertEqual(verdicts(report)["consumer-lossless-read"], "not-applicable")
        with tempfile.TemporaryDirectory() as folder:
            # As if the only clause that it fails were fixed.
            for clause in report["clauses"]:
                if clause["verdict"] == "fail":
                    clause.update(verdict="pass", findings=[])
            mended = Path(folder) / "mended.json"
            mended.write_text(json.dumps(report))
            badge = json.loads(suite("compare", "--format", "badge", mended, mended).stdout)
        self.assertEqual((badge["message"], badge["color"]),
                         ("2 programs conformant for float, integer", "green"))

    def test_documentation_shows_the_output(self):
        page = PAGE.read_text()
        start = page.index("FAIL consumer-")
        shown = page[start:page.index("```", start)]
        done = suite("reader", "--only", "consumer-refuse-newer-major", "--", *MINIMAL)
        self.assertIn(shown, done.stdout)


class Endings(unittest.TestCase):
    FEW = ["--files", "*consumer-nan-branch*"]

    def test_known_failures(self):
        with tempfile.TemporaryDirectory() as folder:
            known = Path(folder) / "known.toml"

            def run(*entries):
                known.write_text("".join(f'[[known]]\n{entry}\nreason = "so"\n' for entry in entries))
                return suite("reader", "--known", known, "--only", "consumer-refuse-newer-major",
                             "--only", "consumer-patch-optional", "--", *MINIMAL)

            failing = 'clause = "consumer-refuse-newer-major"'
            passing = 'clause = "consumer-patch-optional"'
            left_out = 'clause = "consumer-column-order"'
            self.assertEqual(run(failing).returncode, 0)
            self.assertEqual(run(failing + '\nwhere = "invalid/7.2/*"').returncode, 0)
            elsewhere = run(failing + '\nwhere = "valid/*"')
            self.assertEqual(elsewhere.returncode, 1)
            unexpected = run(failing, passing)
            self.assertEqual(unexpected.returncode, 1)
            self.assertIn("UNEXPECTED PASS consumer-patch-optional", unexpected.stdout)
            self.assertEqual(run(failing, left_out).returncode, 0)  # which did not check the clause
            self.assertEqual(run('clause = "no-such-clause"').returncode, 2)
            known.write_text('[[known]]\nclause = "consumer-nan-branch"\n')
            self.assertEqual(suite("reader", "--known", known, "--", *MINIMAL).returncode, 2)

    def test_program_that_cannot_be_run(self):
        for command in (["/no/such/program"], ["true"], ["sh", "-c", "echo hello; cat"]):
            done = suite("reader", *self.FEW, "--timeout", 2, "--", *command)
            self.assertEqual(done.returncode, 3, command)
            self.assertIn("cannot be started: " if command == ["/no/such/program"] else "no hello", done.stderr)

    def test_program_that_hangs_is_not_accepted(self):
        """It answers hello and nothing else: whatever clauses are judged, it has not done as expected."""
        program = """if True:
            import json, sys, time
            for line in sys.stdin:
                request = json.loads(line)
                if request["op"] != "hello":
                    time.sleep(60)
                print(json.dumps({"id": request["id"], "ok": {"protocol": 1, "name": "hangs", "capabilities": {
                    "operations": ["write", "append", "truncate", "update"], "version": "1.0", "datatypes": ["integer"],
                    "indexes": [], "modes": [], "features": []}}}), flush=True)
            """
        for clause in ("retry-overwrites-or-extends", "append-readers-see-old-or-new", "nrows-uint64", "producer-*"):
            done = suite("writer", "--only", clause, "--random", 0, "--timeout", 0.2, "--", sys.executable, "-c", program)
            self.assertIn(done.returncode, (1, 2, 3), (clause, done.stdout[-300:]))
            self.assertNotIn("Traceback", done.stderr)

    def test_usage(self):
        self.assertEqual(suite("reader").returncode, 2)
        done = suite("reader", "--only", "consumer-nan-brunch", "--", *MINIMAL)
        self.assertEqual(done.returncode, 2)
        self.assertIn("did you mean consumer-nan-branch?", done.stderr)

    def test_interrupted_run_leaves_no_files(self):
        for number in signal.SIGINT, signal.SIGTERM:
            with tempfile.TemporaryDirectory() as folder:
                mark = Path(folder) / "mark"
                script = f"sleep 1235 & echo $! > {mark}; while read line; do sleep 1235; done"
                temporary = Path(folder) / "tmp"
                temporary.mkdir()
                run = subprocess.Popen([HEPCHECK, "suite", "reader", "--timeout", "60", "--", "sh", "-c", script],
                                       env={**os.environ, "TMPDIR": str(temporary)},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(200):
                    if mark.exists() and mark.read_text():
                        break
                    time.sleep(0.05)
                run.send_signal(number)
                self.assertEqual(run.wait(20), -number)
                self.assertEqual(os.listdir(temporary), [])
                with self.assertRaises(ProcessLookupError):
                    os.kill(int(mark.read_text()), 0)

    def test_files_are_kept_only_on_request(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TMPDIR": folder}
            subprocess.run([HEPCHECK, "suite", "reader", *self.FEW, "--", *MINIMAL], env=environment,
                           capture_output=True)
            self.assertEqual(os.listdir(folder), [])
            suite("reader", *self.FEW, "--keep", Path(folder) / "kept", "--", *MINIMAL)
            self.assertTrue(list((Path(folder) / "kept").rglob("consumer-nan-branch--*.h5")))


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        few = ["--files", "*consumer-*", "--files", "invalid/7.2/*", "--files", "valid/8.4/*lzf*"]
        cls.reports = []
        for command in ([CPP], MINIMAL):
            cls.reports.append(Path(cls.folder.name) / f"{len(cls.reports)}.json")
            suite("reader", *few, "--known", KNOWN / "cpp.toml", "--format", "json",
                  "--output", cls.reports[-1], "--", *command)

    def compared(self, form):
        done = suite("compare", "--format", form, *self.reports)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_disagreements_first(self):
        matrix = json.loads(self.compared("json"))
        self.assertEqual(matrix["programs"],
                         ["hepcheck C++ adapter (reader)", "minimal adapter (reader)"])
        self.assertEqual(len(matrix["clauses"]), 43)
        disagree = [row["disagreement"] for row in matrix["clauses"]]
        self.assertEqual(disagree, sorted(disagree, reverse=True))
        cells = {row["clause"]: [program["verdict"] for program in row["programs"]]
                 for row in matrix["clauses"] if row["disagreement"]}
        self.assertEqual(cells["consumer-refuse-newer-major"], ["pass", "fail"])
        self.assertEqual(cells["consumer-independent-storage"], ["known", "pass"])
        # A clause that is not judged is not a disagreement.
        self.assertNotIn("consumer-read-seed", cells)
        text = self.compared("text")
        self.assertLess(text.index(f"disagreements: {len(cells)}\n"), text.index("\nagreed: "))
        self.assertIn("    [2] invalid/7.2/version-value--major-2.h5 /events: lists the table", text)
        self.assertIn("    [1] LZF comes with h5py; the HDF5 library alone has no such filter", text)
        markdown = self.compared("markdown")
        self.assertIn("| **consumer-refuse-newer-major** | 7.2 | MUST | pass | fail: ", markdown)

    def test_formats_of_files(self):
        """A program takes the role of a file; its clauses are in the order of the matrix."""
        order = [row["clause"] for row in json.loads(self.compared("json"))["clauses"]]
        tables = [json.loads(line) for line in self.compared("ndjson").splitlines()]
        self.assertEqual([(table["file"], table["path"], table["verdict"]) for table in tables],
                         [("hepcheck C++ adapter", "/reader", "pass"), ("minimal adapter", "/reader", "fail")])
        for table in tables:
            self.assertEqual([clause["id"] for clause in table["clauses"]], order)
        suites = xml.etree.ElementTree.fromstring(self.compared("junit-clauses")).findall("testsuite")
        self.assertEqual([[case.get("name") for case in each.findall("testcase")] for each in suites],
                         [[*order, "fully-checked"]] * 2)
        graph = json.loads(self.compared("earl"))["@graph"]
        assertions = [node for node in graph if node["@type"] == "earl:Assertion"]
        self.assertEqual(len(assertions), 2 * len(order))
        self.assertLessEqual({node["test"] for node in assertions}, {node.get("@id") for node in graph})
        results = json.loads(self.compared("sarif"))["runs"][0]["results"]
        self.assertIn("consumer-refuse-newer-major", {result["ruleId"] for result in results})
        page = self.compared("html")
        for text in ("hepcheck C++ adapter", "minimal adapter", "consumer-refuse-newer-major"):
            self.assertIn(text, page)
        self.assertFalse(json.loads(self.compared("badge"))["message"].startswith("conformant"))
        self.assertIn("<svg", self.compared("badge-svg"))

    def test_input_that_is_not_a_report(self):
        self.assertEqual(suite("compare", self.reports[0], KNOWN / "cpp.toml").returncode, 2)
        broken = Path(self.folder.name) / "broken.json"
        for change in ({"schema": 1}, {"program": {}}, {"clauses": [{"id": "consumer-nan-branch",
                                                                   "verdict": "fail", "examined": 1}]}):
            broken.write_text(json.dumps({**json.loads(self.reports[0].read_text()), **change}))
            done = suite("compare", self.reports[0], broken)
            self.assertEqual(done.returncode, 2, change)
            self.assertIn("broken.json: not a report", done.stderr)


if __name__ == "__main__":
    result = unittest.main(exit=False).result
    sys.exit(1 if not result.wasSuccessful() else 77 if result.skipped else 0)
