"""Tests of the Python package. HEPCHECK is the program; they run with python3 -m unittest as well as with pytest."""

import concurrent.futures
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE / "src"))

import hepcheck  # noqa: E402

FIXTURES = PACKAGE.parents[1] / "fixtures"
GOOD = FIXTURES / "hep001/valid/14.1/worked-example-accepted--five-rows.h5"
BAD = FIXTURES / "hep001/invalid/10.4/minmax-min-value--other-chunk.h5"
STREAM = FIXTURES / "arrow/valid/2.2/arrow-lengths-are-int64--two-of-eight-bytes.arrows"
ABSENT = "/nonexistent/file.h5"


def die(arguments, paths):
    os._exit(7)


class DiesOnce(concurrent.futures.Executor):
    """Runs tasks in this thread; the first of each `every` tasks fails."""

    def __init__(self, failures):
        self.failures = failures

    def submit(self, function, /, *args, **kwargs):
        future = concurrent.futures.Future()
        if self.failures > 0:
            self.failures -= 1
            future.set_exception(RuntimeError("the node went away"))
        else:
            try:
                future.set_result(function(*args, **kwargs))
            except Exception as error:
                future.set_exception(error)
        return future


class Names(unittest.TestCase):
    def test_fit_into_command_lines(self):
        from hepcheck import _validate
        names = [f"{i:099}" for i in range(12_001)]
        parts = _validate._fitting(names)
        self.assertEqual([len(part) for part in parts], [5000, 5000, 2001])
        self.assertEqual([name for part in parts for name in part], names)
        self.assertEqual(_validate._fitting([]), [[]])
        self.assertEqual(_validate._fitting(["x" * 600_000, "y"]), [["x" * 600_000], ["y"]])


class Validate(unittest.TestCase):
    def test_conformant(self):
        report = hepcheck.validate(GOOD)
        self.assertEqual((report.claim, len(report.files), report.files[0].path), ("conformant", 1, str(GOOD)))
        (table,) = report.subjects
        self.assertEqual((table.path, table.claim, table.kind), ("/my_table", "conformant", "table"))
        self.assertEqual(table.clause("nrows-uint64").verdict, "pass")
        with self.assertRaises(KeyError):
            table.clause("no-such-clause")
        self.assertEqual(list(report.findings()), [])

    def test_finding(self):
        (found,) = hepcheck.validate(BAD).findings("error")
        self.assertEqual((found.clause.id, found.finding.observed, found.finding.expected),
                         ("minmax-min-value", "min 2", "min -1"))
        self.assertTrue(found.finding.witness and found.finding.fix)
        self.assertIn("minmax-min-value  [11.4 MUST]", str(found))
        self.assertIn(str(BAD), str(found))

    def test_document_is_that_of_the_program(self):
        done = subprocess.run([hepcheck.program(), "validate", "--no-config", "--format", "json", GOOD, BAD],
                              stdout=subprocess.PIPE, check=False)
        self.assertEqual(hepcheck.validate_many([GOOD, BAD]).json, hepcheck.validate_many([BAD, GOOD, BAD]).json)
        self.assertEqual(json.loads(hepcheck.validate_many([GOOD, BAD]).json)["files"],
                         sorted(json.loads(done.stdout)["files"], key=lambda file: file["path"]))

    def test_kinds_of_inputs(self):
        self.assertEqual(hepcheck.validate(str(GOOD)).claim, "conformant")
        self.assertEqual(hepcheck.validate(f"{GOOD}:/my_table").claim, "conformant")
        with open(BAD, "rb") as file:
            self.assertEqual(hepcheck.validate(file).claim, "not conformant")
        self.assertEqual(hepcheck.validate(io.BytesIO(STREAM.read_bytes()), spec="arrow").claim, "conformant")
        with self.assertRaises(TypeError):
            hepcheck.validate(b"bytes")

    def test_h5py(self):
        try:
            import h5py
        except ImportError:
            self.skipTest("there is no h5py")
        with h5py.File(GOOD) as file:
            self.assertEqual(hepcheck.validate(file).claim, "conformant")
            self.assertEqual(hepcheck.validate(file["my_table"]).subjects[0].path, "/my_table")
        with h5py.File("memory", "w", driver="core", backing_store=False) as file, self.assertRaises(ValueError):
            hepcheck.validate(file)
        with tempfile.TemporaryDirectory() as folder:
            # What was written before is on disk when the file is examined.
            with h5py.File(f"{folder}/open.h5", "w", locking=False) as file:
                file.create_group("t").attrs["CLASS"] = "COLUMN_TABLE"
                report = hepcheck.validate(file)
                self.assertTrue(list(report.findings("error")) or report.claim == "not decided")

    def test_options(self):
        report = hepcheck.validate(BAD, spec="hep001-2026-07-09", only="nrows-*", max_findings=1,
                                   limits={"time": 60}, strict=True, allow_unchecked=False)
        self.assertEqual(report.claim, "accepted")
        self.assertEqual(list(report.findings("error")), [])
        with self.assertRaisesRegex(TypeError, "no option 'fial_on'"):
            hepcheck.validate(BAD, fial_on="must")
        with self.assertRaisesRegex(hepcheck.UsageError, "nosuch"):
            hepcheck.validate(BAD, spec="nosuch")

    def test_file_that_cannot_be_examined(self):
        report = hepcheck.validate(ABSENT)
        self.assertEqual((report.claim, report.subjects), ("not decided", ()))
        self.assertIn("no such file", report.files[0].error)

    def test_program_that_does_not_exist(self):
        before = os.environ.get("HEPCHECK")
        os.environ["HEPCHECK"] = "/nonexistent/hepcheck"
        try:
            with self.assertRaisesRegex(hepcheck.HepcheckError, "cannot start"):
                hepcheck.validate(GOOD)
        finally:
            if before is None:
                del os.environ["HEPCHECK"]
            else:
                os.environ["HEPCHECK"] = before

    def test_schema(self):
        self.assertIn("files", hepcheck.schema()["properties"])
        self.assertTrue(hepcheck.schema("findings"))
        with self.assertRaisesRegex(ValueError, "report"):
            hepcheck.schema("nosuch")

    def test_document_that_is_no_report(self):
        for document in (b"{}", b"[]", b'{"files": [{}]}', b"nonsense"):
            with self.subTest(document), self.assertRaises(ValueError):
                hepcheck.Report.of(document)


class Asserted(unittest.TestCase):
    def test_conformant(self):
        self.assertEqual(hepcheck.assert_conformant(GOOD).claim, "conformant")

    def test_not_conformant(self):
        with self.assertRaises(hepcheck.NotConformant) as caught:
            hepcheck.assert_conformant(BAD)
        self.assertIn("error minmax-min-value", str(caught.exception))
        self.assertIn("witness", str(caught.exception))
        self.assertEqual(caught.exception.report.claim, "not conformant")
        hepcheck.assert_conformant(BAD, fail_on="never")
        with self.assertRaises(AssertionError):  # what cannot be examined is not conformant
            hepcheck.assert_conformant(ABSENT)


class Many(unittest.TestCase):
    FILES = sorted((FIXTURES / "hep001/invalid/7.3").glob("*.h5"))[:20] + [GOOD, BAD, STREAM]

    @classmethod
    def setUpClass(cls):
        cls.alone = hepcheck.validate_many(cls.FILES)

    def test_one_process(self):
        self.assertEqual([file.path for file in self.alone.files], sorted(map(str, self.FILES)))
        self.assertEqual(self.alone.claim, "not conformant")

    def test_executors(self):
        for kind, workers in ((concurrent.futures.ThreadPoolExecutor, 2), (concurrent.futures.ProcessPoolExecutor, 2),
                              (concurrent.futures.ProcessPoolExecutor, 4)):
            with self.subTest(kind.__name__, workers=workers), kind(workers) as pool:
                made = hepcheck.validate_many(self.FILES, executor=pool, files_per_task=3)
                self.assertEqual(made.json, self.alone.json)

    def test_task_that_fails_once_is_repeated(self):
        made = hepcheck.validate_many(self.FILES, executor=DiesOnce(1), files_per_task=5)
        self.assertEqual(made.json, self.alone.json)

    def test_task_that_fails_twice_is_reported(self):
        made = hepcheck.validate_many(self.FILES[:4], executor=DiesOnce(2), files_per_task=4)
        self.assertEqual(made.claim, "not decided")
        self.assertEqual([file.path for file in made.files], sorted(map(str, self.FILES[:4])))
        for file in made.files:
            self.assertIn("died twice: RuntimeError: the node went away", file.error)

    def test_process_that_dies(self):
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            # A task that ends its process breaks the executor.
            with self.assertRaises(concurrent.futures.BrokenExecutor):
                pool.submit(die, [], []).result()
            made = hepcheck.validate_many(self.FILES, executor=pool, files_per_task=8)
        self.assertEqual(made.json, self.alone.json)

    def test_wrong_option_is_not_repeated(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool, self.assertRaises(hepcheck.UsageError):
            hepcheck.validate_many(self.FILES, executor=pool, spec="nosuch")

    def test_input_without_a_path(self):
        with self.assertRaises(TypeError):
            hepcheck.validate_many([io.BytesIO(b"")])


def change_one(file, path):
    """Changes the last byte of the first element of a dataset of an h5py file."""
    import numpy
    element = numpy.array(file[path][:1])
    element.view("u1")[..., -1] ^= 0xFF
    file[path][:1] = element


class Parts(unittest.TestCase):
    """The columns of one table are spread over workers."""

    # Each changes one part of a table with 64 columns of all kinds.
    BROKEN = ["ts00", "energy01", "label02", "name03", "id04", "words/OFFSETS", "numbers/VALUES",
              "SEARCH_INDEXES/label12__bitmap", "SEARCH_INDEXES/energy06__sorted", "SEARCH_INDEXES/id09__bloom"]

    def judged(self, path, parts, executor, **options):
        return hepcheck.validate(path, parts=parts, executor=executor, **options).json

    def test_wide_table(self):
        try:
            import h5py
            sys.path.insert(0, str(PACKAGE.parents[1] / "bench"))
            import make_table
        except ImportError as error:
            self.skipTest(str(error))
        with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
            path = f"{folder}/wide.h5"
            make_table.make_table(path, 600, "plain", 64)
            alone = hepcheck.validate(path)
            self.assertEqual(alone.claim, "conformant")
            seen = [alone.json]
            for part in ["", *self.BROKEN]:
                if part:
                    with h5py.File(path, "r+") as file:
                        change_one(file, f"/events/{part}")
                seen.append(hepcheck.validate(path).json)
                for parts in (2, 3):
                    with self.subTest(part, parts=parts):
                        self.assertEqual(self.judged(path, parts, pool), seen[-1])
            # Almost every change is a finding of its own.
            self.assertGreater(len(set(seen)), len(self.BROKEN) - 2)
            # As text, by the program itself.
            facts = []
            for number in "123":
                facts += ["--facts", f"{folder}/{number}"]
                subprocess.run([hepcheck.program(), "facts", "--no-config", "--share", f"{number}/3", "-o",
                                facts[-1], path], check=True)
            texts = [subprocess.run([hepcheck.program(), "validate", "--no-config", *given, path], capture_output=True,
                                    check=False) for given in ([], facts)]
            self.assertEqual(texts[0].returncode, 1)
            self.assertEqual((texts[0].returncode, texts[0].stdout), (texts[1].returncode, texts[1].stdout))
            self.assertIn(b"NOT CONFORMANT", texts[1].stdout)

    def test_executors(self):
        alone = hepcheck.validate(BAD).json
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            self.assertEqual(self.judged(BAD, 2, pool), alone)
            self.assertEqual(self.judged(f"{BAD}:/events", 2, pool), hepcheck.validate(f"{BAD}:/events").json)
            self.assertEqual(self.judged(BAD, 2, pool, skip="minmax-*"), hepcheck.validate(BAD, skip="minmax-*").json)
            # Without columns: another format, and no file.
            self.assertEqual(self.judged(STREAM, 2, pool), hepcheck.validate(STREAM).json)
            self.assertEqual(self.judged(ABSENT, 2, pool), hepcheck.validate(ABSENT).json)
        for failures in (1, 2, 3):  # repeated once; then this process reads everything
            self.assertEqual(self.judged(BAD, 2, DiesOnce(failures)), alone)

    def test_process_that_dies(self):
        with concurrent.futures.ProcessPoolExecutor(1) as pool:
            with self.assertRaises(concurrent.futures.BrokenExecutor):
                pool.submit(die, [], []).result()
            self.assertEqual(self.judged(BAD, 2, pool), hepcheck.validate(BAD).json)

    def test_wrong_option(self):
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            for options in ({"spec": "nosuch"}, {"reader": "both"}, {"spec": ["hdf5", "hep001"]}):
                with self.subTest(options), self.assertRaises(hepcheck.UsageError):
                    self.judged(BAD, 2, pool, **options)


class Plugin(unittest.TestCase):
    TEST = f"""
import pytest

@pytest.mark.hepcheck(spec="hep001")
def test_good(hepcheck_conformant):
    assert hepcheck_conformant({str(GOOD)!r}).claim == "conformant"

@pytest.mark.hepcheck(fail_on="never")
def test_marker(hepcheck_conformant):
    hepcheck_conformant({str(BAD)!r})

def test_bad(hepcheck_conformant):
    hepcheck_conformant({str(BAD)!r})
"""

    def test_fixture_and_marker(self):
        try:
            import pytest  # noqa: F401
        except ImportError:
            self.skipTest("there is no pytest")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "test_files.py").write_text(self.TEST)
            done = subprocess.run([sys.executable, "-m", "pytest", "-p", "hepcheck.pytest_plugin", "-q", "--strict-markers",
                                   "-p", "no:cacheprovider", folder], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")})
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("1 failed, 2 passed", done.stdout)
        self.assertIn("error minmax-min-value", done.stdout)
        self.assertNotIn("Traceback", done.stdout)


class Types(unittest.TestCase):
    def test_strict(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("there is no mypy")
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "src"], cwd=PACKAGE,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Wheel(unittest.TestCase):
    def test_contains_the_program(self):
        try:
            import hatchling  # noqa: F401
        except ImportError:
            self.skipTest("there is no hatchling")
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "HEPCHECK_PROGRAM": str(pathlib.Path(hepcheck.program()).resolve()),
                           "SOURCE_DATE_EPOCH": "1700000000"}
            wheels = []
            for name in ("first", "second"):
                subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", f"{folder}/{name}"],
                               cwd=PACKAGE, env=environment, check=True, capture_output=True)
                (wheel,) = pathlib.Path(folder, name).glob("hepcheck-*-py3-none-linux_x86_64.whl")
                wheels.append(wheel)
            self.assertEqual(wheels[0].read_bytes(), wheels[1].read_bytes())
            target = pathlib.Path(folder, "installed")
            with zipfile.ZipFile(wheels[0]) as archive:
                names = archive.namelist()
                archive.extractall(target)
            self.assertIn("hepcheck/schema/report.schema.json", names)
            self.assertIn("hepcheck/py.typed", names)
            program = target / "hepcheck/bin/hepcheck"
            program.chmod(0o755)  # pip restores modes, extractall does not
            without = {name: value for name, value in os.environ.items() if name not in ("HEPCHECK", "PYTHONPATH")}
            done = subprocess.run([sys.executable, "-c", "import hepcheck, sys; print(hepcheck.program());"
                                   "print(hepcheck.validate(sys.argv[1]).claim)", GOOD], cwd=target, env=without,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.splitlines(), [str(program), "conformant"], done.stderr)


class Forms(unittest.TestCase):
    def setUp(self):
        self.report = hepcheck.validate(BAD)

    def test_text_and_others(self):
        self.assertIn("NOT CONFORMANT", str(self.report))
        self.assertTrue(self.report.render("html").lower().startswith("<!doctype html>"))
        with self.assertRaises(hepcheck.UsageError):
            self.report.render("nosuch")

    def test_notebook(self):
        page = self.report._repr_html_()
        self.assertIn("not conformant", page)
        self.assertIn("minmax-min-value", page)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "<script>alert(1)<!--.h5")
            path.write_bytes(BAD.read_bytes())
            self.assertNotIn("<script", hepcheck.validate(path)._repr_html_())
        self.assertIn("not decided", hepcheck.validate(ABSENT)._repr_html_())

    def test_records(self):
        (record,) = self.report.records()
        self.assertEqual((record["clause"], record["known"], record["more"]), ("minmax-min-value", False, 0))

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("there is no pandas")
        frame = self.report.to_pandas()
        self.assertEqual(list(frame["clause"]), ["minmax-min-value"])

    def test_arrow(self):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("there is no pyarrow")
        self.assertEqual(self.report.to_arrow().column("clause").to_pylist(), ["minmax-min-value"])


if __name__ == "__main__":
    unittest.main()
