"""Tests of hepcheck repair that look at files: values by h5py, bytes, processes that are killed."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
import unittest.mock

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures"
sys.path[:0] = [str(SOURCE / "docs/repair"), str(SOURCE)]

import killed  # noqa: E402
from generators.hdf5.checksums import lookup3  # noqa: E402

H5COL = next((folder / "shared/corpus/h5col" for folder in SOURCE.parents if (folder / "shared/corpus/h5col").is_dir()),
             pathlib.Path("none"))
MANIFEST = {f["file"]: f for f in json.loads((FIXTURES / "hep001/manifest.json").read_text())["fixtures"]}
PATIENCE = 120


def run(*words, **options):
    return subprocess.run([HEPCHECK, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE, **options)


def fixture(name):
    (path,) = (FIXTURES / "hep001/invalid").glob(f"*/{name}.h5")
    return path


def values(path, everything=False):
    """The values of all datasets outside SEARCH_INDEXES, as far as h5py can read them."""
    found = {}

    def add(name, item):
        if isinstance(item, h5py.Dataset) and (everything or "SEARCH_INDEXES" not in name):
            try:
                found[name] = item[()]
            except (OSError, TypeError):
                pass
    with h5py.File(path) as file:
        file.visititems(add)
    return found


def chunks(path):
    """The stored bytes of all chunks outside SEARCH_INDEXES, with their filters."""
    found = {}

    def add(name, item):
        if isinstance(item, h5py.Dataset) and item.chunks and "SEARCH_INDEXES" not in name:
            found[name] = [item.id.get_create_plist().get_nfilters()] + [
                item.id.read_direct_chunk(item.id.get_chunk_info(i).chunk_offset)
                for i in range(item.id.get_num_chunks())]
    with h5py.File(path) as file:
        file.visititems(add)
    return found


class Repair(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.fixed = self.folder / "fixed.h5"

    def repair(self, path, *options, status=0, to=None):
        result = run("repair", path, "-o", to or self.fixed, "--format", "json", *options)
        self.assertEqual(result.returncode, status, result)
        return json.loads(result.stdout)

    def assert_same_values(self, before, after):
        self.assertEqual(set(before), set(after))
        for name, value in before.items():
            np.testing.assert_array_equal(value, after[name], name)

    @unittest.skipUnless(H5COL.is_dir(), "the tables of h5col are not here")
    def test_tables_of_h5col(self):
        for path in sorted(H5COL.glob("*.h5")):
            with self.subTest(path.name):
                fixed, again = self.folder / path.name, self.folder / ("again-" + path.name)
                digest = hashlib.sha256(path.read_bytes()).digest()
                self.assertEqual(run("validate", path).returncode, 1)
                report = self.repair(path, to=fixed)
                self.assertTrue(report["values_unchanged"])
                self.assertEqual([s["left"] for s in report["subjects"]], [[]])
                self.assertEqual(run("validate", fixed).returncode, 0)
                self.assert_same_values(values(path), values(fixed))
                if path.name != "h5col_boolean_u8.h5":  # whose column is created again
                    self.assertEqual(chunks(path), chunks(fixed))
                self.repair(fixed, to=again)
                self.assertEqual(fixed.read_bytes(), again.read_bytes())
                self.assertEqual(hashlib.sha256(path.read_bytes()).digest(), digest)

    def test_decisions(self):
        path = fixture("fill-user-defined--default-state")
        left = self.repair(path, status=1)["subjects"][0]["left"]
        self.assertEqual([each["options"] for each in left], [["--fill energy=VALUE"]])
        report = self.repair(path, "-f", "--fill", "energy=-1")
        self.assertEqual(report["subjects"][0]["left"], [])
        self.assertTrue(report["values_unchanged"])
        self.assert_same_values(values(path), values(self.fixed))
        with h5py.File(self.fixed) as file:
            self.assertEqual(file["/events/energy"].fillvalue, -1)
        # A value that a row has would make the row missing.
        with h5py.File(path) as file:
            value = file["/events/energy"][0]
        left = self.repair(path, "-f", "--fill", f"energy={value}", status=1)["subjects"][0]["left"]
        self.assertIn("would become missing", left[0]["why"])

    def test_names_and_values_that_are_given(self):
        for name, options in [
                ("column-name-not-reserved--kind", ["--rename", "KIND=kind"]),
                ("nrows-present--absent", ["--set", "/events@NROWS=5"]),
                ("version-value--three-components", ["--set", "/events@VERSION=1.0"]),
                ("no-multidimensional-dataset--image", ["--rename", "/events/image=/image"])]:
            path = fixture(name)
            with self.subTest(name):
                self.repair(path, "-f", status=1)
                report = self.repair(path, "-f", *options)
                self.assertEqual(report["not_needed"], [])
                self.assertEqual(run("validate", self.fixed).returncode, 0)

    def test_columns_are_created_again_with_the_same_chunks(self):
        path = self.folder / "a.h5"
        shutil.copy(fixture("fill-user-defined--default-state"), path)
        with h5py.File(path, "r+") as file:
            old = file["/events/energy"]
            data, attributes = old[()], dict(old.attrs)
            del file["/events/energy"]
            new = file["/events"].create_dataset("energy", data=data, chunks=(2,), maxshape=(None,),
                                                 compression="gzip", shuffle=True)
            new.attrs.update(attributes)
            new.attrs["note"] = "kept"
        report = self.repair(path, "--fill", "energy=-1")
        self.assertTrue(report["values_unchanged"])
        self.assertEqual(chunks(path), chunks(self.fixed))
        with h5py.File(self.fixed) as file:
            self.assertEqual(file["/events/energy"].attrs["note"], "kept")
            self.assertTrue(file["/events/energy"].shuffle)

    def test_a_column_that_is_referred_to_elsewhere_is_not_created_again(self):
        path = self.folder / "a.h5"
        shutil.copy(fixture("fill-user-defined--default-state"), path)
        with h5py.File(path, "r+") as file:
            file.attrs["favourite"] = file["/events/energy"].ref
        left = self.repair(path, "--fill", "energy=-1", status=1)["subjects"][0]["left"]
        self.assertIn("refers to it by the attribute favourite", left[0]["why"])

    def test_a_newer_revision(self):
        older = [f for f in MANIFEST.values() if f["spec"] == "hep001-2026-06-16" and f["kind"] == "valid"
                 and f.get("until") != "hep001-2026-06-16" and "worked-example" in f["file"]]
        self.assertTrue(older)
        for each in older:
            with self.subTest(each["file"]):
                path = FIXTURES / "hep001" / each["file"]
                self.repair(path, "-f", "--to", "hep001-2026-07-09")
                result = run("validate", "--spec", "hep001-2026-07-09", self.fixed)
                self.assertEqual(result.returncode, 0, result)
                self.assert_same_values(values(path), values(self.fixed))

    def test_protocols(self):
        path = fixture("nrows-uint64--int64")
        page = self.folder / "repair.html"
        result = run("repair", path, "-o", self.fixed, "--format", f"html={page}", "--format", "text")
        self.assertEqual(result.returncode, 0)
        self.assertIn("nrows-uint64", result.stdout)
        text = page.read_text()
        for part in ("<title>Repair of", "nrows-uint64", "[7.3 MUST]", "the same"):
            self.assertIn(part, text)
        report = self.repair(path, "-f")
        (change,) = report["subjects"][0]["repaired"]
        self.assertEqual((change["section"], change["from"], change["to"]), ("7.3", "int64: 5", "uint64: 5"))
        for proof in report["values"]:
            self.assertTrue(proof["unchanged"])
            self.assertRegex(proof["before"], "^[0-9a-f]{64}$")

    def test_the_code_in_the_protocol_makes_the_same_repair(self):
        for name in ("nrows-uint64--int64", "title-utf8--ascii", "column-order-no-duplicates--one-name-twice",
                     "no-std-ref-obj--index-columns", "version-ascii--utf8", "ordered-scalar--shape-1"):
            path = fixture(name)
            with self.subTest(name):
                own = self.folder / "own.h5"
                shutil.copy(path, own)
                code = run("repair", path, "-fo", self.fixed, "--format", "h5py")
                self.assertEqual(code.returncode, 0, code)
                program = code.stdout.replace(str(self.fixed), str(own))
                done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(run("validate", own).returncode, 0)

    def test_nothing_is_left_by_a_repair_that_is_killed(self):
        path = fixture("nrows-uint64--int64")
        for delay in (0, 0.003, 0.01, 0.03):
            child = subprocess.Popen([HEPCHECK, "repair", path, "-o", self.fixed],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            child.send_signal(signal.SIGTERM)
            child.wait(PATIENCE)
            if self.fixed.exists():
                self.assertEqual(run("validate", self.fixed).returncode, 0)
                self.fixed.unlink()
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_files_that_are_too_large_for_the_limit(self):
        result = run("repair", fixture("nrows-uint64--int64"), "-o", self.fixed, "--limit", "time=0")
        self.assertNotEqual(result.returncode, 0)
        self.assertFalse(self.fixed.exists())


class Container(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.fixed = self.folder / "fixed.h5"

    def repair(self, path, *options):
        result = run("repair", path, "-fo", self.fixed, "--spec", "hdf5", "--format", "json", *options)
        return result.returncode, json.loads(result.stdout)

    def left_open(self, swmr):
        """The file of a writer that was killed between two appends."""
        path = self.folder / f"open-{swmr}.h5"
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(PATIENCE)
            with h5py.File(path, "w", libver="latest") as file:
                data = file.create_dataset("d", (10,), maxshape=(None,), chunks=(4,), dtype="i4")
                data[:] = np.arange(10)
                if swmr:
                    file.swmr_mode = True
                for rows in range(20, 60, 10):
                    data.resize((rows,))
                    data[rows - 10:] = np.arange(rows - 10, rows)
                    data.flush() if swmr else file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        return path

    def test_files_that_a_writer_left_open(self):
        for swmr in (True, False):
            with self.subTest(swmr=swmr):
                path = self.left_open(swmr)
                with self.assertRaises(OSError):
                    h5py.File(path)
                status, report = self.repair(path)
                self.assertEqual((status, report["subjects"][0]["left"]), (0, []))
                with h5py.File(self.fixed) as file:
                    np.testing.assert_array_equal(file["d"][()], np.arange(50))
                self.assertEqual([p["unchanged"] for p in report["values"]], [True])
                again = self.folder / "again.h5"
                run("repair", self.fixed, "-fo", again, "--spec", "hdf5")
                self.assertEqual(self.fixed.read_bytes(), again.read_bytes())
                # A table in it is repaired only afterwards.
                self.assertEqual(run("repair", path, "-n").returncode, 3)

    def test_files_of_a_writer_that_is_killed_at_any_write(self):
        """The rows after a repair are those that a SWMR reader of the open file sees."""
        self.enterContext(unittest.mock.patch.dict(os.environ, killed.OPEN_FILES))
        number, outcomes = killed.examine("SWMR", 1, 5, str(self.folder), ["hepcheck repair"])
        self.assertGreater(number, 20)
        kinds = {outcome: count for (_, outcome), count in outcomes.items()}
        self.assertGreater(kinds.pop("as the reader saw it"), 18)
        self.assertEqual(set(kinds), {"unreadable before and after", "readable, all rows right"})

    def test_lists_of_free_space(self):
        """Lists of the file are made again or dropped; those of a heap are needed."""
        folder = FIXTURES / "hdf5/invalid"
        for name in ("III.H/h5-free-space-client--2", "III.H/h5-free-space-total--one-more",
                     "III.H/h5-free-space-list-owner--zero", "III.H/h5-free-space-file-inside--long",
                     "IV.A.2.x/h5-fsinfo-end-of-allocation--past-the-end"):
            with self.subTest(name):
                status, report = self.repair(folder / f"{name}.h5")
                self.assertEqual((status, report["subjects"][0]["left"]), (0, []))
                # The HDF5 library ends with a failed assertion if a file that lists its space has none.
                fields = run("layout", "--fields", self.fixed).stdout
                self.assertNotIn("end of allocation: undefined", fields)
        self.assertEqual(self.repair(folder / "III.H/h5-free-space-heap-row--offset.h5")[0], 1)

    def test_checksums_are_not_renewed(self):
        for path in sorted((FIXTURES / "hdf5/invalid/4.2").glob("*-checksum--*.h5")):
            with self.subTest(path.name):
                status, report = self.repair(path)
                self.assertEqual(status, 1)
                self.assertEqual(report["subjects"][0]["repaired"], [])
                self.assertEqual(self.fixed.read_bytes(), path.read_bytes())
                self.assertTrue(any("checksum" in each["why"] for each in report["subjects"][0]["left"]))

    def test_the_end_of_a_file(self):
        folder = FIXTURES / "hdf5/invalid/FF-II.A"
        self.assertEqual(self.repair(folder / "swmr-superblock-eof--one-too-large.h5")[0], 0)
        status, report = self.repair(folder / "swmr-superblock-eof--cut-by-one-byte.h5")
        self.assertEqual((status, report["identical"]), (1, True))
        longer = FIXTURES / "hdf5/valid/FF-II.A/swmr-superblock-eof--longer-file.h5"
        self.assertTrue(self.repair(longer)[1]["identical"])
        status, report = self.repair(longer, "--compact")
        self.assertEqual(status, 0)
        self.assertLess(self.fixed.stat().st_size, longer.stat().st_size)

    def test_unused_space(self):
        """It is dropped on demand; otherwise the protocol says how much there is. repair_compact_test.py has more."""
        def unused(report):
            return [note for note in report["subjects"][0]["notes"] if "unused" in note]

        path = self.folder / "spaces.h5"
        with h5py.File(path, "w", libver="v110") as file:
            for name in ("first", "second", "third"):
                file.create_dataset(name, data=np.arange(2000), chunks=(2000,))
            file["first"].attrs["word"] = "a text of variable length"
            del file["second"]
        status, report = self.repair(path)
        self.assertEqual((status, report["identical"]), (0, True))
        said, = unused(report)
        self.assertRegex(said, r"^\d+ of \d+ bytes are unused space inside the file.*--compact drops them")
        self.assertGreater(int(said.split()[0]), 16_000)
        self.assertEqual(int(said.split()[2]), path.stat().st_size)

        longer = self.folder / "longer.h5"
        image = bytearray(path.read_bytes()) + bytes(5000)
        image[28:36] = len(image).to_bytes(8, "little")
        image[44:48] = lookup3(image[:44]).to_bytes(4, "little")
        longer.write_bytes(image)
        status, report = self.repair(longer)
        self.assertEqual((status, report["identical"], len(unused(report))), (0, True, 2))
        self.assertIn("5000 bytes at the end of the file are unused; --compact drops them", unused(report)[1])
        status, report = self.repair(longer, "--compact")
        self.assertEqual(status, 0)
        self.assertRegex(unused(report)[0], "^[0-7] of .* stay unused: structures keep the remainder")
        self.assertEqual([change["act"].split(":")[0] for change in report["subjects"][0]["repaired"]],
                         ["unused bytes at the end of the file dropped", "unused space dropped"])
        from_longer = self.fixed.read_bytes()
        self.repair(path, "--compact")
        self.assertEqual(self.fixed.read_bytes(), from_longer)

    def test_space_of_a_deleted_dataset(self):
        """The library leaves it at the end of the file."""
        path = self.folder / "deleted.h5"
        with h5py.File(path, "w", libver="v110", fs_strategy="fsm") as file:
            for name in ("first", "second", "third"):
                file.create_dataset(name, data=np.arange(2000))
            del file["second"]
        with h5py.File(path, "r+", libver="v110") as file:
            del file["third"]
        self.assertEqual(self.repair(path, "--compact")[0], 0)
        self.assertLess(self.fixed.stat().st_size, path.stat().st_size - 15_000)
        with h5py.File(self.fixed) as file:
            self.assertEqual(list(file), ["first"])
            self.assertTrue((file["first"][:] == np.arange(2000)).all())

    def test_space_at_the_end_of_a_file_with_pages_stays(self):
        status, report = self.repair(FIXTURES / "hdf5/valid/IV.A.2.x/h5-paged-end--of-512-bytes.h5", "--compact")
        self.assertEqual((status, report["identical"]), (0, True))
        self.assertTrue(any("end of the file are unused; they stay: its space is managed in pages" in note
                            for note in report["subjects"][0]["notes"]))


class Explanations(unittest.TestCase):
    """What explain says of repairs is what repair does to the example."""

    def test_examples(self):
        examples = tomllib.loads((SOURCE / "conformance/explain/hep001/examples.toml").read_text())["example"]
        answers = {}
        for spec in ("hep001-2026-06-16", "hep001-2026-07-09"):
            for answer in json.loads(run("explain", "*", "--spec", spec, "--format", "json").stdout):
                answers[answer["id"]] = answer
        repaired = 0
        with tempfile.TemporaryDirectory() as folder:
            fixed = f"{folder}/fixed.h5"
            # One of each way: the property over all fixtures is golden_repairs_test.
            seen = set()
            for example in examples:
                words = answers[example["clause"]].get("repair")
                if not words or words in seen or words.startswith("Needs"):
                    continue
                entry = MANIFEST[example["fixture"]]
                result = run("repair", FIXTURES / "hep001" / example["fixture"], "-fo", fixed, "--spec",
                             entry.get("until", "hep001-2026-07-09"), "--only", example["clause"], "--format", "json")
                if result.returncode not in (0, 1):
                    continue
                subject = json.loads(result.stdout)["subjects"][0]
                if any(change["clause"] == example["clause"] for change in subject["repaired"]):
                    left = [each["clause"] for each in subject["left"] if "not selected" not in each["why"]]
                    self.assertNotIn(example["clause"], left)
                    repaired += 1
                    seen.add(words)
        self.assertGreater(repaired, 12)


if __name__ == "__main__":
    unittest.main()
