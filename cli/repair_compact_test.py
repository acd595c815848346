"""Tests of hepcheck repair --compact: h5py finds the same in the copy, and fixtures whose blocks were moved apart get
their old bytes again."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SOURCE), str(SOURCE / "docs/repair")]

from everything import contents  # noqa: E402
from generators import formats  # noqa: E402
from generators.hdf5.blocks import Image  # noqa: E402
from generators.hdf5.library import Library, call  # noqa: E402

PATIENCE = 120
BOUNDS = ["earliest", "v108", "v110", "v112", "v114"]


def run(*words):
    return subprocess.run([HEPCHECK, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)


def compact(path, to, *options):
    """The protocol, and the notes on unused space."""
    made = run("repair", path, "-fo", to, "--spec", "hdf5", "--compact", "--format", "json", *options)
    if made.returncode not in (0, 1):
        return made.stderr, []
    report = json.loads(made.stdout)
    return report, [note for subject in report["subjects"] for note in subject["notes"] if "unused" in note]


# --- Files with unused space ----------------------------------------------------------------------------------------------------

def holes(group, name, number=3):
    """Room for datasets that are removed again when the file is complete."""
    for i in range(number):
        group.create_dataset(f"unused {name} {i}", data=np.full(301 + 97 * i, 0x5A, "u1"))


def fill_holes(file):
    for name in [name for name in file if name.startswith("unused")]:
        del file[name]


def plain(file):
    holes(file, "a")
    group = file.create_group("group")
    group["numbers"] = np.arange(100.0)
    holes(file, "b")
    file["again"] = group["numbers"]
    group["loop"] = file["/"]
    file["soft"] = h5py.SoftLink("/group/numbers")
    file["outside"] = h5py.ExternalLink("other.h5", "/x")
    file.attrs["title"] = "a text"
    h5py.h5o.set_comment(group.id, b"a comment", obj_name=b".")
    for i in range(40):
        group[f"link {i:03}"] = np.int32(i)


def chunked(file):
    for i, options in enumerate([{}, {"compression": "gzip", "shuffle": True, "fletcher32": True}, {"compression": "lzf"},
                                 {"maxshape": (None, None)}, {"maxshape": (None, 70)}, {"maxshape": (70, 70)},
                                 {"scaleoffset": 3}, {"chunks": (50, 70)}]):
        holes(file, f"c{i}", 1)
        values = np.arange(50 * 70, dtype="i4").reshape(50, 70)
        made = file.create_dataset(f"d{i}", data=values, **{"chunks": (7, 11), "fillvalue": -1, **options})
        made.attrs["unit"] = np.bytes_("m")
    masked = file.create_dataset("masked", (8,), "i4", chunks=(4,), compression="gzip", shuffle=True)
    masked.id.write_direct_chunk((0,), np.arange(4, dtype="i4").tobytes(), filter_mask=3)
    holes(file, "d")
    masked.id.write_direct_chunk((4,), np.arange(4, dtype="i4").tobytes(), filter_mask=3)


def referring(file):
    holes(file, "a")
    target = file.create_dataset("target", data=np.arange(20))
    holes(file, "b")
    group = file.create_group("group")
    holes(file, "c")
    file.create_dataset("objects", data=np.array([target.ref, group.ref, h5py.Reference()], dtype=h5py.ref_dtype))
    file.create_dataset("regions", data=np.array([target.regionref[3:7]], dtype=h5py.regionref_dtype))
    pair = np.dtype([("to", h5py.ref_dtype), ("n", "i4")])
    pairs = file.create_dataset("pairs", (2,), pair)
    pairs[0] = (target.ref, 1)
    file.create_dataset("chunked", (5,), h5py.ref_dtype, chunks=(2,))[1] = group.ref
    target.attrs["object"] = group.ref
    target.attrs["region"] = target.regionref[1:2]
    target.attrs.create("list", np.array([group.ref, target.ref], dtype=h5py.ref_dtype))
    lists = file.create_dataset("lists", (2,), h5py.vlen_dtype(h5py.ref_dtype))
    lists[0] = np.array([target.ref, group.ref], dtype=h5py.ref_dtype)
    scale = file.create_dataset("scale", data=np.arange(20))
    scale.make_scale("x")
    target.dims[0].attach_scale(scale)


def texts(file):
    holes(file, "e")
    file.create_dataset("contiguous", data=["one", "", "three"], dtype=h5py.string_dtype())
    holes(file, "f")
    file.create_dataset("texts", data=[f"text {i}" for i in range(300)], dtype=h5py.string_dtype(), chunks=(64,))
    numbers = file.create_dataset("numbers", (4,), h5py.vlen_dtype("i4"))
    numbers[1] = [1, 2, 3]
    file.create_dataset("default", (3,), h5py.string_dtype(), fillvalue="none")
    file.attrs["text"] = "variable"
    file.attrs["texts"] = np.array(["a", "bc"], dtype=h5py.string_dtype())


def attributes_and_types(file):
    holes(file, "a")
    file["type"] = np.dtype([("a", "i4"), ("b", "f8")])
    file["type"].attrs["about"] = "a committed type"
    holes(file, "b")
    data = file.create_dataset("of type", (4,), file["type"])
    data.attrs.create("of type", (1, 2.0), dtype=file["type"])
    group = file.create_group("many", track_order=True)
    for i in range(60):
        group.attrs[f"attribute {i}"] = f"value {i}"
        group.create_group(f"group {i}", track_order=True)
    group.attrs["large"] = np.zeros(7000, "i8")


def virtual(file):
    holes(file, "a")
    source = file.create_dataset("source", data=np.arange(10))
    holes(file, "b")
    layout = h5py.VirtualLayout((2, 10), "i8")
    layout[0] = h5py.VirtualSource(".", "source", shape=source.shape)
    layout[1] = h5py.VirtualSource("elsewhere.h5", "d", shape=(10,))
    file.create_virtual_dataset("virtual", layout, fillvalue=-5)
    file.create_dataset("external", (10,), "i4", external=[("data.raw", 0, 40)])
    space = h5py.h5s.create_simple((1 << 20,))
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(file.id, b"compact", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((6,)), properties).write(
        h5py.h5s.ALL, h5py.h5s.ALL, np.arange(6, dtype="i4"))
    assert space


KINDS = [plain, chunked, referring, texts, attributes_and_types, virtual]


class Compact(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.path, self.to, self.again = (self.folder / f"{name}.h5" for name in ("old", "new", "again"))

    def assert_compact(self, dropped=True):
        """The copy has the same contents, and again the same bytes."""
        before = contents(self.path)
        report, notes = compact(self.path, self.to)
        self.assertIsInstance(report, dict, report)
        self.assertEqual(before, contents(self.to))
        if dropped:
            self.assertEqual([note for note in notes if "modulo 8" not in note], [])
            self.assertLess(self.to.stat().st_size, self.path.stat().st_size - 500)
            self.assertLess(self.unused(self.to), 8 * 13)  # before each structure that was after a hole
        for each in report["values"]:
            self.assertEqual(each["before"], each["after"])
        self.assertEqual(self.violated(self.path), self.violated(self.to))
        again, _ = compact(self.to, self.again)
        self.assertTrue(again["identical"])
        self.assertEqual(self.to.read_bytes(), self.again.read_bytes())
        return report, notes

    def violated(self, path):
        subjects = json.loads(run("validate", "--spec", "hdf5", "--format", "json", path).stdout)["files"][0]["tables"]
        return [clause["id"] for subject in subjects for clause in subject["clauses"]
                if clause["verdict"] == "fail" and not clause["id"].startswith("h5-risk-")]

    def unused(self, path):
        notes = json.loads(run("repair", path, "-n", "--spec", "hdf5", "--format", "json").stdout)["subjects"][0]["notes"]
        return sum(int(note.split()[0]) for note in notes if "unused" in note)

    def test_what_the_library_writes(self):
        for number, bound in enumerate(BOUNDS):
            for kind in KINDS:
                with self.subTest(bound=bound, kind=kind.__name__):
                    options = {"userblock_size": 1024} if kind is plain else {}
                    with h5py.File(self.path, "w", libver=(bound, BOUNDS[-1]), track_order=number % 2 == 1, **options) as file:
                        kind(file)
                        fill_holes(file)
                    if options:
                        with open(self.path, "r+b") as file:
                            file.write(b"a user block")
                    self.assert_compact()

    def test_shared_messages(self):
        """Those with addresses have hashes elsewhere, so what they lead to stays."""
        for as_list in (True, False):
            with self.subTest(as_list=as_list):
                def shared(properties, phase=(50, 40) if as_list else (1, 0)):
                    call("H5Pset_shared_mesg_nindexes", properties, 1)
                    call("H5Pset_shared_mesg_index", properties, 0, 0x182A, 20)
                    call("H5Pset_shared_mesg_phase_change", properties, *phase)

                library = Library("v110", shared)

                def fill(file):
                    for kind in (attributes_and_types, referring, texts):
                        kind(file.create_group(kind.__name__))
                        fill_holes(file[kind.__name__])
                library.fill = fill
                self.path.write_bytes(library.bytes())
                _, notes = self.assert_compact(dropped=False)
                self.assertLess(self.to.stat().st_size, self.path.stat().st_size - 100)
                self.assertIn("messages that have a hash elsewhere", notes[0])

    def test_a_file_behind_other_data(self):
        """Its addresses, and that of its end, moved with it."""
        with h5py.File(self.path, "w", libver="v110") as file:
            plain(file)
            fill_holes(file)
        image = self.path.read_bytes()
        compact(self.path, self.to)
        alone = self.to.read_bytes()
        self.path.write_bytes(b"other data".ljust(2048) + image)
        self.assert_compact()
        self.assertEqual(self.to.read_bytes(), b"other data".ljust(2048) + alone)

    def test_compressed_values_of_variable_length(self):
        """The addresses are in compressed chunks, which stay as they are; so do the heaps that they lead to."""
        with h5py.File(self.path, "w") as file:
            holes(file, "a")
            file.create_dataset("texts", data=[f"text {i}" for i in range(100)], dtype=h5py.string_dtype(), compression="gzip")
            holes(file, "b")
            file["numbers"] = np.arange(5000)
            holes(file, "c", 9)
            file["last"] = np.arange(5000)
            fill_holes(file)
        _, notes = self.assert_compact(dropped=False)
        self.assertLess(self.to.stat().st_size, self.path.stat().st_size - 500)
        self.assertRegex(notes[0], r"^\d+ of \d+ bytes stay unused: \d+ structures? cannot be moved, because .* compressed values")

    def test_free_space_that_the_file_lists(self):
        with h5py.File(self.path, "w", libver="v110", fs_strategy="fsm", fs_persist=True) as file:
            chunked(file)
            fill_holes(file)
        report, _ = self.assert_compact()
        self.assertIn("lists of free space dropped", report["subjects"][0]["repaired"][-1]["act"])
        # The library writes to the copy.
        with h5py.File(self.to, "r+") as file:
            file["more"] = np.arange(1000)
            del file["d1"]
        with h5py.File(self.to) as file:
            self.assertEqual(file["more"][-1], 999)
        self.assertEqual(run("validate", "--spec", "hdf5", self.to).returncode, 0)

    def test_why_space_stays(self):
        def dangling(file):
            plain(file)
            file["reference"] = file["group/link 001"].ref
            del file["group/link 001"]

        for why, fill, options in [
                ("its space is managed in pages", plain, {"fs_strategy": "page", "fs_page_size": 4096}),
                (r"the address at \d+ leads to \d+, where nothing is", dangling, {})]:
            with self.subTest(why):
                with h5py.File(self.path, "w", libver="v110", **options) as file:
                    fill(file)
                    fill_holes(file)
                report, notes = compact(self.path, self.to)
                self.assertTrue(report["identical"])
                self.assertRegex(notes[0], f"they stay: {why}")

    def test_tables(self):
        """The attributes of a table refer to its columns."""
        for path in sorted((SOURCE / "fixtures/hep001/valid").rglob("worked-example*.h5"))[:4]:
            with self.subTest(path.name):
                with h5py.File(path) as file, h5py.File(self.path, "w", libver="v110") as copy:
                    holes(copy, "a", 9)
                    for name in file:
                        file.copy(name, copy, expand_refs=True)
                    fill_holes(copy)
                before = run("validate", self.path, "--format", "json")
                made = run("repair", self.path, "-fo", self.to, "--compact", "--format", "json")
                self.assertEqual(made.returncode, before.returncode, made)
                report = json.loads(made.stdout)
                self.assertTrue(report["values_unchanged"])
                self.assertLess(self.to.stat().st_size, self.path.stat().st_size)
                self.assertEqual(contents(self.path), contents(self.to))
                after = run("validate", self.to, "--format", "json")
                self.assertEqual(after.stdout.replace(str(self.to), ""), before.stdout.replace(str(self.path), ""))

    def test_protocols(self):
        with h5py.File(self.path, "w") as file:
            plain(file)
            fill_holes(file)
        said = run("repair", self.path, "-n", "--spec", "hdf5").stdout
        self.assertIn("unused space inside the file, to which no structure leads; --compact drops them", said)
        self.assertIn("unused space dropped: ", run("repair", self.path, "-n", "--spec", "hdf5", "--compact").stdout)
        page = self.folder / "page.html"
        run("repair", self.path, "-n", "--spec", "hdf5", "--compact", "--format", f"html={page}")
        self.assertIn("unused space dropped: ", page.read_text())

    def test_a_repair_that_is_killed(self):
        with h5py.File(self.path, "w") as file:
            plain(file)
            fill_holes(file)
        for delay in (0.005, 0.02, 0.05):
            child = subprocess.Popen([HEPCHECK, "repair", self.path, "-o", self.to, "--spec", "hdf5", "--compact", "-q"],
                                     stderr=subprocess.DEVNULL)
            time.sleep(delay)
            child.terminate()
            child.wait(PATIENCE)
            if self.to.exists():
                self.assertEqual(contents(self.path), contents(self.to))
                self.to.unlink()
            self.assertEqual(list(self.folder.iterdir()), [self.path])


class Apart(unittest.TestCase):
    """Fixtures of the generator, whose blocks are moved apart, become what they were."""

    def test_fixtures(self):
        # One has values of 1 GiB, of which the digests take minutes.
        recipes = [each for each in formats.find("hdf5").recipes("valid/*") if "1-gib" not in each.path]
        chosen = recipes if formats.EVERY else recipes[::len(recipes) // 40]
        same = 0
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{name}.h5" for name in ("near", "apart", "from near", "from apart")]
            near, apart, from_near, from_apart = paths
            for recipe in chosen:
                with self.subTest(recipe.path):
                    near.write_bytes(formats.find("hdf5").make(recipe)[0])
                    with unittest.mock.patch.object(Image, "arrange", arrange_apart):
                        apart.write_bytes(formats.find("hdf5").make(recipe)[0])
                    if apart.stat().st_size == near.stat().st_size or run("validate", "--spec", "hdf5", apart).returncode:
                        continue
                    compact(near, from_near)
                    report, notes = compact(apart, from_apart)
                    # Some space stays, or the token of another file is that of a block here.
                    if any("stay" in note for note in notes) or "reference-file-name" in recipe.path:
                        continue
                    self.assertEqual(from_near.read_bytes(), from_apart.read_bytes())
                    same += 1
        self.assertGreater(same, len(chosen) // 2)


def arrange_apart(image):
    at = 0
    for number, block in enumerate(image.blocks):
        if not block.fixed:
            block.address = at + 8 * (number * 37 % 5)
        at = max(at, block.address + block.size())
    image.end = at + 24


if __name__ == "__main__":
    unittest.main()
