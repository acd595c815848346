"""Tests with files of the TileDB project and of programs that use it: all are conformant without any finding, except
two that the format does not describe. Skipped if the files are not next to the source tree."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SHARED = os.environ.get("HEPCHECK_SHARED") or pathlib.Path(__file__).resolve().parents[4] / "shared"
REAL = pathlib.Path(SHARED) / "corpus/tiledb/arrays"
SPEC = "tiledb-array-schema-2024-10-25"
UNSUPPORTED = {"dense_array_v1_3_0": {"w:tiledb-file-pre-format"},
               "experimental_array_vUINT32_MAX": {"w:tiledb-schema-version-experimental"}}


def run(*arguments):
    made = subprocess.run([HEPCHECK, "validate", "--no-config", *map(str, arguments)],
                          capture_output=True, timeout=300)
    return made


def examine(*paths):
    made = run("--format", "json", *paths)
    return dict(zip(paths, json.loads(made.stdout)["files"]))


def findings(file):
    return {f"{clause['severity'][0]}:{clause['id']}"
            for subject in file["tables"] for clause in subject["clauses"] if clause["findings"]}


def expected(path):
    for name, clauses in UNSUPPORTED.items():
        if name in str(path):
            return clauses, {"unsupported"}
    return set(), {"pass"}


def schema_files():
    return [path for path in sorted(REAL.rglob("*")) if path.is_file()
            and (path.name == "__array_schema.tdb" or path.parent.name in ("__schema", "__enumerations"))]


def arrays():
    return sorted({path.parent if path.name == "__array_schema.tdb" else path.parent.parent
                   for path in schema_files() if path.parent.name != "__enumerations"})


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class RealFiles(unittest.TestCase):
    def check(self, paths):
        for path, file in examine(*paths).items():
            with self.subTest(path.relative_to(REAL).as_posix()):
                self.assertIsNone(file["error"])
                clauses, verdicts = expected(path)
                self.assertEqual(findings(file), clauses)
                self.assertEqual({each["verdict"] for each in file["tables"]}, verdicts)

    def test_files_on_their_own(self):
        paths = schema_files()
        self.assertEqual(len(paths), 63)
        self.check(paths)

    def test_arrays(self):
        paths = arrays()
        self.assertEqual(len(paths), 45)
        self.check(paths)

    def test_a_folder_of_arrays(self):
        made = json.loads(run("--format", "json", REAL).stdout)["files"]
        self.assertEqual(len(made), len(arrays()))


@unittest.skipUnless(REAL.is_dir(), "the files are not here")
class HostileDirectories(unittest.TestCase):
    """Arrays that lead elsewhere. Nothing outside of them is opened."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.outside = pathlib.Path(folder.name) / "outside"
        self.outside.write_bytes(b"secret")
        self.array = pathlib.Path(folder.name) / "array"
        shutil.copytree(REAL / "soma_exp-pbmc-small/obs", self.array)

    def report(self):
        return examine(self.array)[self.array]

    def test_link_to_a_schema(self):
        (self.array / "__schema" / ("__9_9_" + 32 * "a")).symlink_to(self.outside)
        self.assertEqual(findings(self.report()), {"e:tiledb-dir-schema-entries"})

    def test_link_to_an_enumeration(self):
        folder = self.array / "__schema/__enumerations"
        victim = sorted(folder.iterdir())[0]
        victim.unlink()
        victim.symlink_to(self.outside)
        self.assertIn("e:tiledb-dir-enum-file-exists", findings(self.report()))

    def test_array_inside_itself(self):
        (self.array / "__labels").mkdir()
        (self.array / "__labels/l0").symlink_to(self.array)
        self.assertEqual(findings(self.report()), set())

    def test_pipe(self):
        os.mkfifo(self.array / "__schema" / ("__9_9_" + 32 * "b"))
        self.assertEqual(findings(self.report()), {"e:tiledb-dir-schema-entries"})

    def test_many_stray_files(self):
        for i in range(3000):
            (self.array / "__schema/__enumerations" / f"stray{i}").touch()
        self.assertEqual(findings(self.report()), {"i:tiledb-enum-orphan"})

    def test_schemas_are_links(self):
        folder = self.array / "__schema"
        folder.rename(self.array.parent / "moved")
        folder.symlink_to(self.array.parent / "moved")
        (self.array / "__fragments").mkdir()
        self.assertEqual(findings(self.report()), {"e:tiledb-dir-has-schema"})


if __name__ == "__main__":
    unittest.main()
