"""Compares the indexes that hepcheck index builds with those of the slow code of the generators.

For every column of every valid recipe, every kind of index that its datatype admits is built; the datasets
are compared element by element with generators/hep001/indexes.py, and the table must remain
conformant. Broken indexes of the corpus are detected, and repaired by rebuilding them.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest
from collections import Counter
from multiprocessing.pool import ThreadPool

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5s, h5t

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hep001"
sys.path.insert(0, str(SOURCE))

from generators import formats  # noqa: E402
from generators.hep001 import indexes  # noqa: E402
from generators.hep001.values import encode, is_missing, is_nan, logical  # noqa: E402
from generators.hep001.datatypes import BOOL  # noqa: E402

# HEPCHECK_EVERY=1 takes all columns and broken indexes where the normal run takes samples.
EVERY = os.environ.get("HEPCHECK_EVERY", "0") != "0"
KINDS = ("CHUNK_MINMAX", "SORTED_ROWS", "BITMAP", "CHUNK_BLOOM")
EVERY_FAMILY = "valid/12/index-content-correct--every-family.h5"  # an unmodified good_table()
PATIENCE = 120  # seconds; every command should finish within one
OLDER, NEWER = "hep001-2026-06-16", "hep001-2026-07-09"


def run(*arguments, spec=OLDER, **environment):
    """Runs hepcheck, with the revision without validity tokens by default."""
    pinned = ("--spec", spec) if arguments[0] in ("index", "validate") and spec else ()
    return subprocess.run([HEPCHECK, *map(str, arguments), *pinned], capture_output=True, text=True,
                          timeout=PATIENCE, env={**os.environ, **environment})


def index(verb, file, table, column, kind, *options, spec=OLDER):
    return run("index", verb, f"{file}:{table}", column, kind, *options, spec=spec)


def conformant(file, table, spec=OLDER):
    result = run("validate", f"{file}:{table}", spec=spec)
    return result.returncode == 0 or result.stdout


def tables(only, spec=OLDER):
    """(recipe, its table) for every recipe of a revision whose path matches."""
    for recipe in formats.find("hep001").recipes(only):
        if spec in recipe.expectations:
            yield recipe, recipe.mutated()


class File:
    """A file that is read through the HDF5 library alone."""

    def __init__(self, path):
        self.id = h5f.open(str(path).encode(), h5f.ACC_RDONLY)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.id.close()

    def dataset(self, path):
        return h5d.open(self.id, path.encode())

    def attribute(self, path, name):
        value = np.empty((), "u8")
        h5a.open(self.dataset(path), name.encode()).read(value)
        return int(value)

    def has(self, path, name=None):
        try:
            found = self.dataset(path)
        except KeyError:
            return False
        return name is None or h5a.exists(found, name.encode())

    def elements(self, path):
        """The elements in their stored form, each as bytes; variable-length strings as text."""
        dataset = self.dataset(path)
        kind = dataset.get_type()
        if isinstance(kind, h5t.TypeStringID) and kind.is_variable_str():
            return [bytes(item) for item in h5py.Dataset(dataset)[()]]
        raw = np.empty(dataset.shape, f"V{kind.get_size()}")
        if raw.size:
            dataset.read(h5s.ALL, h5s.ALL, raw, kind.copy())
        return [bytes(item) for item in raw.flat]

    def shape(self, path):
        return self.dataset(path).shape


def admitted(kind, type_id):
    """Whether HEP001, or for BITMAP this program, admits the index for the datatype."""
    cls, size = type_id.get_class(), type_id.get_size()
    number = cls == h5t.INTEGER
    ieee = cls == h5t.FLOAT and any(type_id.equal(t) for t in (
        h5t.IEEE_F16LE, h5t.IEEE_F32LE, h5t.IEEE_F64LE,
        h5t.IEEE_F16BE, h5t.IEEE_F32BE, h5t.IEEE_F64BE))
    bytewise = cls in (h5t.STRING, h5t.OPAQUE)
    if kind in ("CHUNK_MINMAX", "SORTED_ROWS"):
        return number or ieee or bytewise or cls == h5t.ENUM
    if kind == "BITMAP":
        return not refers(type_id)
    whole = number and type_id.get_precision() == 8 * size and size in (1, 2, 4, 8)
    return whole or ieee or bytewise or (cls == h5t.ENUM and type_id.equal(BOOL))


def refers(type_id):
    """Whether a datatype contains references or sequences."""
    cls = type_id.get_class()
    if cls in (h5t.REFERENCE, h5t.VLEN):
        return True
    if cls == h5t.COMPOUND:
        members = map(type_id.get_member_type, range(type_id.get_nmembers()))
        return any(refers(m) or is_text(m) for m in members)
    return cls == h5t.ARRAY and (refers(type_id.get_super()) or is_text(type_id.get_super()))


def is_text(type_id):
    return type_id.get_class() == h5t.STRING and type_id.is_variable_str()


def ordered(type_id):
    return admitted("SORTED_ROWS", type_id)


def distinct(column, nrows):
    """The distinct values that a bitmap indexes, in comparable form."""
    fill = None if column.fill_value is None else logical(column.type, column.fill_value)
    rows = [logical(column.type, value) for value in column.values[:nrows]]
    values = list(dict.fromkeys(
        row for row in rows if not is_nan(row) and not is_missing(row, fill)))
    return sorted(values) if ordered(column.type) else values


class Comparison:
    """Compares one built index with the generators' code; raises AssertionError if they differ."""

    def __init__(self, file, path, column, nrows):
        self.file, self.path, self.column, self.nrows = file, path, column, nrows

    def equal(self, built, expected):
        # NaN equals NaN here.
        assert built == expected or repr(built) == repr(expected), \
            f"{self.path}: {built} is not {expected}"

    def chunk_minmax(self):
        entries = indexes.chunk_minmax(self.column, self.nrows)
        if not is_text(self.column.type):
            kind = indexes.minmax_type(self.column.type)
            # Compared as values: the writer may choose the padding bits of an extreme.
            return self.equal([logical(kind, e) for e in self.file.elements(self.path)],
                              [logical(kind, encode(kind, e)) for e in entries])
        stored = h5py.Dataset(self.file.dataset(self.path))[()]
        text = [logical(self.column.type, value) for e in entries for value in (e["min"], e["max"])]
        self.equal([bytes(value) for e in stored for value in (e["min"], e["max"])], text)
        for name in ("nan_count", "fill_count", "n"):
            self.equal([int(e[name]) for e in stored], [e[name] for e in entries])

    def sorted_rows(self):
        rows = indexes.sorted_rows(self.column, self.nrows)
        self.equal(self.file.elements(self.path), [row.to_bytes(8, "little") for row in rows])
        tails = [self.file.attribute(self.path, name)
                 for name in ("nan_tail_length", "fill_tail_length")]
        self.equal(tails, list(indexes.tail_lengths(self.column, self.nrows)))

    def bitmap(self):
        column, values = self.column, distinct(self.column, self.nrows)
        stored = self.file.elements(self.path + "_values")
        self.equal([logical(column.type, value) for value in map(self.as_value, stored)], values)
        self.bits(indexes.bitmap(column, self.nrows, values), -(-self.nrows // 8))

    def as_value(self, stored):
        return stored if self.column.type.get_class() != h5t.STRING else stored.rstrip(b"\0")

    def chunk_bloom(self):
        k, m_bits, seed = (self.file.attribute(self.path, name) for name in ("k", "m_bits", "seed"))
        self.bits(indexes.chunk_bloom(self.column, self.nrows, k, m_bits, seed), m_bits // 8)

    def bits(self, rows, row_bytes):
        self.equal(self.file.shape(self.path), (len(rows), row_bytes))
        self.equal(b"".join(self.file.elements(self.path)), b"".join(map(bytes, rows)))


class Case:
    """One kind of index over one column of one recipe."""

    def __init__(self, recipe, table, name, column, kind):
        self.recipe, self.table, self.name, self.column, self.kind = (
            recipe, table, name, column, kind)

    def __str__(self):
        return f"{self.recipe.path} {self.name} {self.kind}"

    def form(self):
        """Equal for columns that differ in their values only, or, in the normal run, also in chunk and fill value."""
        c = self.column
        return (self.kind, c.type.encode(), self.table.nrows == 0,
                *((repr(c.fill), c.chunk) if EVERY else (c.fill is None, c.chunk is None)))

    def check(self):
        """The difference, or ""; self.built states whether an index was built."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "table.h5"
            shutil.copy(FIXTURES / self.recipe.path, file)
            try:
                self.built = self.build(file)
            except Exception:  # the other cases must still run
                return f"{self}: {traceback.format_exc()}"
            return ""

    def build(self, file):
        place = (file, self.table.path, self.name, self.kind)
        before = file.read_bytes()
        result = index("build", *place, "--replace", "--max-values", 100000, "--allow-unchecked",
                       "--hashes", 3, "--seed", 7)
        if not admitted(self.kind, self.column.type):
            assert result.returncode == 1, f"not refused: {result}"
            assert file.read_bytes() == before, "the refused file was changed"
            return False
        if self.column.virtual or self.column.external:
            assert result.returncode == 3, f"not refused: {result}"
            return False
        assert result.returncode == 0, result.stderr
        path = re.search(r":(/.*): built over", result.stdout)[1]
        assert conformant(file, self.table.path) is True, conformant(file, self.table.path)
        with File(file) as opened:
            comparison = Comparison(opened, path, self.column, self.table.nrows)
            getattr(comparison, self.kind.lower())()
        self.drop(file, place, path)
        return True

    def drop(self, file, place, path):
        result = index("drop", *place)
        assert result.returncode == 0, result.stderr
        with File(file) as opened:
            assert not opened.has(path) and not opened.has(path + "_values"), "still there"
            others = [i for i in self.column.indexes if i.kind != self.kind]
            column = f"{self.table.path}/{self.name}".replace("//", "/")
            assert opened.has(column, "SEARCH_INDEX_LIST") == bool(others), "its list"


def values_of(column):
    if callable(column.values):
        return column.values()
    if column.values is None:  # the values were never written
        return [column.fill_value] * column.extent
    return column.values


def nan_inside(table, column):
    rows = (logical(column.type, value) for value in column.values[:table.nrows])
    return any(isinstance(row, tuple) and any(map(is_nan, row)) for row in rows)


def cases():
    """One column of those that differ in their values only; two if HEPCHECK_EVERY is set."""
    seen = Counter()
    for recipe, table in tables("valid/*"):
        if recipe.expected.outcome or recipe.expected.asserted:
            continue
        for name, column in table.columns().items():
            column.type = getattr(column.type, "type", column.type)  # of a named datatype
            column.values = values_of(column)
            for kind in KINDS:
                if kind == "BITMAP" and (nan_inside(table, column) or "unnormal" in recipe.path):
                    continue  # the bits under such a value are undefined; to Python it is a number
                case = Case(recipe, table, name, column, kind)
                seen[case.form()] += 1
                if seen[case.form()] <= (2 if EVERY else 1):
                    yield case


class AgainstTheGenerators(unittest.TestCase):
    def test_every_datatype_of_the_corpus(self):
        todo = list(cases())
        with ThreadPool(2) as pool:
            wrong = [text for text in pool.map(Case.check, todo, chunksize=1) if text]
        self.assertEqual(wrong, [])
        for kind in KINDS:
            built = [case for case in todo if case.kind == kind and case.built]
            self.assertGreater(len(built), 40, kind)
            types = {case.column.type.encode() for case in built}
            self.assertGreater(len(types), 15, kind)


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def copy(self, fixture):
        path = self.folder / "table.h5"
        shutil.copy(FIXTURES / fixture, path)
        return path


class BrokenIndexes(Folder):
    FAMILIES = {"minmax": "CHUNK_MINMAX", "sorted": "SORTED_ROWS", "bitmap": "BITMAP",
                "bloom": "CHUNK_BLOOM"}

    def broken_indexes(self, spec):
        for section in ("10.4", "10.5", "10.6", "10.7", "11.6", "11.7"):
            for recipe, table in tables(f"invalid/{section}/*", spec):
                fails = recipe.expectations[spec].fails
                kind = self.FAMILIES.get(recipe.path.split("/")[-1].split("-")[0])
                listing = [name for name, column in table.columns().items()
                           if any(i.kind == kind for i in column.indexes)]
                if len(listing) == 1 and fails and all(f.split("-")[0] in self.FAMILIES for f in fails):
                    yield recipe, table, listing[0], kind, fails

    def repaired_indexes(self, spec):
        """One index of each family that violates the same clauses; all of them if HEPCHECK_EVERY is set."""
        found = repaired = 0
        seen = set()
        for recipe, table, column, kind, fails in self.broken_indexes(spec):
            form = kind, frozenset(fails), NewerCase.admits(kind, table.column(column).type, spec)
            if form in seen and not EVERY:
                continue
            seen.add(form)
            with self.subTest(recipe.path, spec=spec):
                file = self.copy(recipe.path)
                result = index("verify", file, table.path, column, kind, spec=spec)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                for clause in fails:
                    self.assertIn(clause, result.stdout)
                found += 1
                result = index("build", file, table.path, column, kind, "--replace", spec=spec)
                if result.returncode == 1:
                    self.assertFalse(NewerCase.admits(kind, table.column(column).type, spec),
                                     result.stderr)
                    result = index("drop", file, table.path, column, kind, spec=spec)
                    self.assertEqual(result.returncode, 0, result.stderr)
                else:
                    self.assertEqual(result.returncode, 0, result.stderr)
                    repaired += 1
                self.assertIs(conformant(file, table.path, spec), True)
        return found, repaired

    def test_found_and_repaired(self):
        found, repaired = self.repaired_indexes(OLDER)
        self.assertGreater(found, 40)
        self.assertGreater(repaired, 30)

    def test_found_and_repaired_with_tokens(self):
        found, repaired = self.repaired_indexes(NEWER)
        self.assertGreater(found, 30)
        self.assertGreater(repaired, 25)


MINMAX_DUMP = """\
HDF5 "table.h5" {
DATASET "/events/SEARCH_INDEXES/ts__chunk_minmax" {
   DATATYPE  H5T_COMPOUND {
      H5T_STD_I64LE "min";
      H5T_STD_I64LE "max";
      H5T_STD_U64LE "nan_count";
      H5T_STD_U64LE "fill_count";
      H5T_STD_U64LE "n";
   }
   DATASPACE  SIMPLE { ( 3 ) / ( 3 ) }
   DATA {
   (0): {
         40,
         70,
         0,
         0,
         4
      },
   (1): {
         10,
         90,
         0,
         1,
         4
      },
   (2): {
         -30,
         60,
         0,
         0,
         2
      }
   }
   ATTRIBUTE "KIND" {
      DATATYPE  H5T_STRING {
         STRSIZE 13;
         STRPAD H5T_STR_NULLTERM;
         CSET H5T_CSET_ASCII;
         CTYPE H5T_C_S1;
      }
      DATASPACE  SCALAR
      DATA {
      (0): "CHUNK_MINMAX"
      }
   }
   ATTRIBUTE "description" {
      DATATYPE  H5T_STRING {
         STRSIZE 77;
         STRPAD H5T_STR_NULLPAD;
         CSET H5T_CSET_UTF8;
         CTYPE H5T_C_S1;
      }
      DATASPACE  SCALAR
      DATA {
      (0): "CHUNK_MINMAX index built by hepcheck VERSION at 1970-01-02T00:00:00Z, 3 entries"
      }
   }
}
}
"""


class EveryFamily(Folder):
    """A table with all families of columns: its indexes are dropped and rebuilt."""

    def setUp(self):
        super().setUp()
        [(self.recipe, self.table)] = tables(EVERY_FAMILY)
        self.file = self.copy(self.recipe.path)
        self.place = f"{self.file}:/events"

    def all_indexes(self):
        return [(name, i.kind) for name, column in self.table.columns().items()
                for i in column.indexes]

    def drop_all(self):
        for column, kind in self.all_indexes():
            result = run("index", "drop", self.place, column, kind)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(run("index", "verify", self.place, column, kind).returncode, 3)
            self.assertIs(conformant(self.file, "/events"), True)

    def test_rebuilt_indexes_equal_those_of_the_generators(self):
        self.assertEqual(len(self.all_indexes()), 6)
        self.drop_all()
        with File(self.file) as opened:
            self.assertEqual(list(h5py.File(opened.id)["/events/SEARCH_INDEXES"]), [])
        for column, kind in self.all_indexes():
            # 16 bits per value for chunks of 4 are the 64 bits of the generators.
            bloom = ("--bits-per-value", 16, "--hashes", 3) if kind == "CHUNK_BLOOM" else ()
            result = run("index", "build", self.place, column, kind, *bloom)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(run("index", "verify", self.place, column, kind).returncode, 0)
            self.assertIs(conformant(self.file, "/events"), True)
        with File(self.file) as built, File(FIXTURES / self.recipe.path) as made:
            for column, kind in self.all_indexes():
                path = f"/events/SEARCH_INDEXES/{column}__{kind.lower()}"
                self.assertEqual(built.elements(path), made.elements(path), path)
                self.assertEqual(built.shape(path), made.shape(path), path)
            self.assertEqual(built.elements("/events/SEARCH_INDEXES/label__bitmap_values"),
                             made.elements("/events/SEARCH_INDEXES/label__values"))

    def test_h5dump_shows_the_index(self):
        run("index", "drop", self.place, "ts", "CHUNK_MINMAX")
        run("index", "build", self.place, "ts", "CHUNK_MINMAX", SOURCE_DATE_EPOCH="86400")
        dump = subprocess.run(["h5dump", "-d", "/events/SEARCH_INDEXES/ts__chunk_minmax",
                               self.file.name], cwd=self.folder, capture_output=True, text=True)
        version = run("--version").stdout.split()[1]
        expected = MINMAX_DUMP.replace("VERSION", version).replace(
            "STRSIZE 77", f"STRSIZE {72 + len(version)}")
        self.assertEqual(dump.stdout, expected)
        listed = subprocess.run(["h5dump", "-a", "/events/ts/SEARCH_INDEX_LIST", self.file.name],
                                cwd=self.folder, capture_output=True, text=True)
        self.assertIn("H5T_REFERENCE { H5T_STD_REF }", listed.stdout)
        self.assertIn("ts__sorted_rows", listed.stdout)
        self.assertIn("ts__chunk_minmax", listed.stdout)

    def test_second_index_needs_replace(self):
        result = run("index", "build", self.place, "ts", "CHUNK_MINMAX")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--replace", result.stderr)
        self.assertEqual(self.file.read_bytes(), (FIXTURES / self.recipe.path).read_bytes())
        for column, kind in self.all_indexes():
            result = run("index", "build", self.place, column, kind, "--replace")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"/events/SEARCH_INDEXES/{column}__{kind.lower()}: built", result.stdout)
            self.assertIs(conformant(self.file, "/events"), True)
        with File(self.file) as opened:
            self.assertEqual(len(h5py.File(opened.id)["/events/SEARCH_INDEXES"]), 7)

    def test_stale_index_is_replaced(self):
        with h5py.File(self.file, "r+") as opened:
            opened["/events/ts"][0] = -7
        self.assertEqual(run("index", "verify", self.place, "ts", "SORTED_ROWS").returncode, 1)
        result = run("index", "build", self.place, "ts", "SORTED_ROWS", "--replace")
        self.assertEqual(result.returncode, 1, "the other index is stale as well")
        self.assertIn("ts__chunk_minmax", result.stderr)
        self.assertEqual(run("index", "drop", self.place, "ts", "CHUNK_MINMAX").returncode, 0)
        result = run("index", "build", self.place, "ts", "SORTED_ROWS", "--replace")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIs(conformant(self.file, "/events"), True)

    def test_bloom_parameters(self):
        def build(*options):
            result = run("index", "build", self.place, "ts", "CHUNK_BLOOM", "--replace", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            with File(self.file) as opened:
                return [opened.attribute("/events/SEARCH_INDEXES/ts__chunk_bloom", name)
                        for name in ("m_bits", "k", "seed")]

        self.assertEqual(build(), [64, 7, 0])  # 4 x 10 bits, rounded up to a power of two
        self.assertEqual(build("--bits-per-value", 33, "--seed", 5), [256, 23, 5])
        self.assertEqual(build("--false-positive-rate", 0.5, "--seed", 4294967295),
                         [8, 1, 4294967295])
        self.assertEqual(build("--false-positive-rate", 0.01, "--hashes", 2), [64, 2, 0])
        result = run("index", "build", self.place, "ts", "CHUNK_BLOOM", "--bits-per-value", 8,
                     "--false-positive-rate", 0.1)
        self.assertEqual(result.returncode, 2, result.stderr)

    def test_too_many_values_for_a_bitmap(self):
        result = run("index", "build", self.place, "ts", "BITMAP", "--max-values", 6)
        self.assertEqual(result.returncode, 3)
        self.assertIn("more than 6 distinct values", result.stderr)
        self.assertEqual(self.file.read_bytes(), (FIXTURES / self.recipe.path).read_bytes())
        result = run("index", "build", self.place, "ts", "BITMAP", "--max-values", 7)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_missing_objects(self):
        for arguments, words, status in (
                (("build", self.place, "nothing", "BITMAP"), 'no column "nothing"', 3),
                (("verify", self.place, "row_id", "BITMAP"), "no BITMAP index", 3),
                (("drop", self.place, "row_id", "BITMAP"), "no BITMAP index", 2),
                (("drop", f"{self.file}:/other", "ts", "BITMAP"), "no such group", 3),
                (("build", self.folder / "x.h5", "ts", "BITMAP"), "no such file", 3)):
            result = run("index", *arguments)
            self.assertEqual(result.returncode, status, arguments)
            self.assertIn(words, result.stdout + result.stderr)
        self.assertEqual(self.file.read_bytes(), (FIXTURES / self.recipe.path).read_bytes())
        self.assertEqual(run("index", "build", self.place, "ts", "ZONEMAP").returncode, 2)
        self.assertEqual(run("index", "build", self.folder, "ts", "BITMAP").returncode, 2)

    def test_file_opened_by_another_program(self):
        with h5py.File(self.file, "r+"):
            for verb in ("drop", "build"):
                result = run("index", verb, self.place, "ts", "CHUNK_MINMAX",
                             *(("--replace",) if verb == "build" else ()))
                self.assertEqual(result.returncode, 3, result.stdout)
                self.assertRegex(result.stderr, "another program has it open|open for writing")
        self.assertIs(conformant(self.file, "/events"), True)

    def test_table_that_is_not_conformant(self):
        with h5py.File(self.file, "r+") as opened:
            del opened["/events"].attrs["VERSION"]
        before = self.file.read_bytes()
        result = run("index", "build", self.place, "row_id", "CHUNK_MINMAX")
        self.assertEqual(result.returncode, 1)
        self.assertIn("version-present", result.stderr)
        self.assertEqual(self.file.read_bytes(), before)


def put_token(object, name, value, kind="<u8"):
    if name in object.attrs:
        del object.attrs[name]
    object.attrs.create(name, value, dtype=kind)


def put_tokens(file, generation=None):
    """Gives every table and index of a file matching tokens; without a number, only those that lack
    tokens."""
    with h5py.File(file, "r+") as opened:
        found = []
        opened.visititems(lambda _, item: found.append(item))
        for table in filter(is_table, [opened["/"], *found]):
            if "NROWS" not in table.attrs or ("GENERATION" in table.attrs and generation is None):
                continue
            put_token(table, "GENERATION", generation or 0)
            for each in table.get("SEARCH_INDEXES", {}).values():
                if isinstance(each, h5py.Dataset) and "KIND" in each.attrs:
                    put_token(each, "SOURCE_GENERATION", generation or 0)
                    put_token(each, "SOURCE_NROWS", table.attrs["NROWS"])


def is_table(item):
    return isinstance(item, h5py.Group) and item.attrs.get("CLASS") == b"COLUMN_TABLE"


class NewerCase(Case):
    """The same for the revision with validity tokens."""

    def build(self, file):
        place = (file, self.table.path, self.name, self.kind)
        put_tokens(file)
        if conformant(file, self.table.path, NEWER) is not True:
            return False
        result = index("build", *place, "--replace", "--max-values", 100000, "--allow-unchecked",
                       "--hashes", 3, "--seed", 7, spec=NEWER)
        if result.returncode == 1:
            assert not self.admits(self.kind, self.column.type, NEWER), f"refused: {result}"
            return False
        assert result.returncode == 0, result.stderr
        assert self.admits(self.kind, self.column.type, NEWER), f"not refused: {result}"
        path = re.search(r":(/.*): built over", result.stdout)[1]
        report = run("validate", f"{file}:{self.table.path}", spec=NEWER)
        assert report.returncode == 0, report.stdout
        assert path + ": info index-chunked-growable" not in report.stdout, report.stdout
        with File(file) as opened:
            comparison = Comparison(opened, path, self.column, self.table.nrows)
            getattr(comparison, self.kind.lower())()
        checked = index("verify", *place, spec=NEWER)
        assert checked.returncode == 0 and "note: valid" in checked.stdout, checked.stdout
        return True

    @staticmethod
    def admits(kind, type_id, spec):
        """Filters for enumerations were introduced with the tokens."""
        codes = spec == NEWER and kind == "CHUNK_BLOOM" and type_id.get_class() == h5t.ENUM
        return admitted(kind, type_id.get_super() if codes else type_id)


class TokensAgainstTheGenerators(unittest.TestCase):
    def test_datatypes_of_the_corpus(self):
        first = {}
        for case in cases():
            if not (case.column.virtual or case.column.external):
                first.setdefault((case.kind, case.column.type.encode()), case)
        todo = [NewerCase(c.recipe, c.table, c.name, c.column, c.kind) for c in first.values()]
        todo = [c for i, c in enumerate(todo) if i % 3 == 0 or c.column.type.get_class() == h5t.ENUM]
        with ThreadPool(2) as pool:
            wrong = [text for text in pool.map(Case.check, todo, chunksize=1) if text]
        self.assertEqual(wrong, [])
        for kind in KINDS:
            built = [case for case in todo if case.kind == kind and case.built]
            self.assertGreater(len(built), 5, kind)
        self.assertTrue(any(case.built and case.kind == "CHUNK_BLOOM" and
                            case.column.type.get_class() == h5t.ENUM for case in todo))


class Tokens(Folder):
    """The revision with validity tokens: the tokens of the table and of its indexes."""

    PLACE = "/events/SEARCH_INDEXES/"

    def setUp(self):
        super().setUp()
        self.file = self.copy(EVERY_FAMILY)
        put_tokens(self.file, generation=7)
        self.place = f"{self.file}:/events"

    def build(self, column, kind, *options, status=0):
        result = run("index", "build", self.place, column, kind, *options, spec="")
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stderr

    def verify(self, *options, column="ts", kind="SORTED_ROWS", status=0):
        result = run("index", "verify", self.place, column, kind, *options, spec="")
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def conformant(self):
        return conformant(self.file, "/events", NEWER)

    def tokens(self, name):
        """GENERATION of the table, and the tokens of an index."""
        with h5py.File(self.file) as opened:
            found = opened[self.PLACE + name].attrs
            return [int(opened["/events"].attrs["GENERATION"]), int(found["SOURCE_GENERATION"]),
                    int(found["SOURCE_NROWS"])]

    def object(self, name):
        with File(self.file) as opened:
            return h5py.h5o.get_info(opened.dataset(self.PLACE + name)).addr

    def modify(self, change):
        with h5py.File(self.file, "r+") as opened:
            change(opened)

    def make_stale(self, opened):
        opened["/events/ts"][0] = -77
        put_token(opened["/events"], "GENERATION", 8)

    def without_indexes(self, opened):
        del opened["/events/SEARCH_INDEXES"]
        for column in opened["/events"].values():
            if isinstance(column, h5py.Dataset) and "SEARCH_INDEX_LIST" in column.attrs:
                del column.attrs["SEARCH_INDEX_LIST"]

    def test_first_index_adds_a_generation(self):
        def first(opened):
            self.without_indexes(opened)
            del opened["/events"].attrs["GENERATION"]
        self.modify(first)
        self.build("ts", "SORTED_ROWS")
        self.assertEqual(self.tokens("ts__sorted_rows"), [0, 0, 10])
        self.assertIs(self.conformant(), True)

    def test_existing_generation_is_kept(self):
        self.modify(self.without_indexes)
        self.build("ts", "CHUNK_MINMAX")
        self.build("ts", "BITMAP")
        self.assertEqual(self.tokens("ts__chunk_minmax"), [7, 7, 10])
        self.assertEqual(self.tokens("ts__bitmap"), [7, 7, 10])
        self.assertIn("note: valid", self.verify(kind="CHUNK_MINMAX"))
        with h5py.File(self.file) as opened:
            self.assertTrue(opened[self.PLACE + "ts__bitmap"].attrs["exhaustive"])
            self.assertEqual(opened[self.PLACE + "ts__bitmap"].maxshape, (None, None))
        self.assertEqual(run("index", "drop", self.place, "ts", "BITMAP", spec="").returncode, 0)
        self.assertEqual(self.tokens("ts__chunk_minmax"), [7, 7, 10])

    def test_stale_index(self):
        self.modify(self.make_stale)
        self.assertIs(self.conformant(), True)
        output = self.verify()
        self.assertIn("note: stale: SOURCE_GENERATION 7, GENERATION 8; its contents were not", output)
        output = self.verify("--stale", status=1)
        self.assertIn("sorted-integer-order", output)
        self.assertIn("note: stale: SOURCE_GENERATION 7, GENERATION 8; its contents were compared", output)
        self.build("ts", "SORTED_ROWS", "--replace")  # the others are stale, which is not a defect
        self.assertEqual(self.tokens("ts__sorted_rows"), [8, 8, 10])
        self.assertIn("note: valid", self.verify())
        # Its cells are unchanged: comparing the tokens is sufficient.
        self.assertIn("note: stale", self.verify("--stale", column="energy"))

    def test_wrong_index_with_matching_tokens(self):
        def changed(opened):
            opened["/events/ts"][0] = -77
        self.modify(changed)
        self.assertIn("sorted-integer-order", self.verify(status=1))
        self.assertIn("sorted-integer-order", self.verify("--stale", status=1))

    def test_malformed_token_disables_the_index(self):
        for token, kind in (("SOURCE_GENERATION", "<i8"), ("SOURCE_NROWS", "<u4")):
            self.file = self.copy(EVERY_FAMILY)
            put_tokens(self.file, generation=7)
            self.modify(lambda opened: put_token(opened[self.PLACE + "ts__sorted_rows"], token, 7,
                                               kind))
            output = self.verify(status=1)
            self.assertIn(f"note: disabled: {token} is ", output)
            self.assertIn(token.lower().replace("_", "-") + "-uint64", output)
            self.build("ts", "SORTED_ROWS", "--replace")
            self.assertIs(self.conformant(), True)

    def test_extensible_index_is_updated_in_place(self):
        names = "ts__sorted_rows", "label__bitmap", "name__chunk_bloom", "energy__chunk_minmax"
        for name in names:
            column, kind = name.split("__")
            index("build", self.file, "/events", column, kind.upper(), "--replace", spec=OLDER)
            put_tokens(self.file, generation=7)
            old = self.object(name)
            self.build(column, kind.upper(), "--replace")
            self.assertNotEqual(self.object(name), old, "a contiguous index is created again")
        places = {name: self.object(name) for name in names}

        def shorter(opened):
            put_token(opened["/events"], "GENERATION", 8)
            put_token(opened["/events"], "NROWS", 5)
        self.modify(shorter)
        for name, place in places.items():
            column, kind = name.split("__")
            self.build(column, kind.upper(), "--replace")
            self.assertEqual(self.object(name), place, name)
            self.assertEqual(self.tokens(name), [8, 8, 5])
            self.assertIn("note: valid", self.verify(column=column, kind=kind))
        self.assertIs(self.conformant(), True)
        with h5py.File(self.file) as opened:
            self.assertEqual(opened[self.PLACE + "ts__sorted_rows"].shape, (5,))
            self.assertEqual(opened[self.PLACE + "label__bitmap"].shape[1], 1)

    def test_table_without_tokens_is_rejected(self):
        self.file = self.copy("valid/7.3/extent-may-exceed-nrows--large-tail.h5")
        def with_an_index(opened):
            opened["/events"].create_dataset("SEARCH_INDEXES/x", data=[1])
            opened["/events/SEARCH_INDEXES/x"].attrs["KIND"] = b"CHUNK_MINMAX"
        self.modify(with_an_index)
        self.place = f"{self.file}:/events"
        self.assertIn("as in --spec hep001-2026-06-16", self.build("id", "SORTED_ROWS", status=1))

    def test_revision_is_named_or_detected(self):
        for spec, status in (("auto", 0), ("hep001", 0), ("hdf5", 2), ("hep001-2026-07-99", 2)):
            result = run("index", "verify", self.place, "ts", "SORTED_ROWS", spec=spec)
            self.assertEqual(result.returncode, status, result.stderr)

    def test_list_column(self):
        def listed(opened):
            group = opened["/events"].create_group("tags")
            group.attrs.create("CLASS", b"LIST_COLUMN", dtype="S12")
            group.attrs.create("KIND", b"OFFSETS", dtype="S8")
        self.modify(listed)
        result = run("index", "build", self.place, "tags", "BITMAP", spec=NEWER)
        self.assertEqual(result.returncode, 3)
        self.assertIn("list column", result.stderr)


class Places(Folder):
    def test_the_only_table_needs_no_name(self):
        file = self.copy(EVERY_FAMILY)
        self.assertEqual(run("index", "drop", file, "ts", "chunk_minmax").returncode, 0)
        self.assertEqual(run("index", "build", file, "ts", "chunk_minmax", "-q").stdout, "")
        self.assertEqual(run("index", "verify", file, "ts", "chunk_minmax").returncode, 0)

    def test_one_of_several_tables_must_be_named(self):
        recipe, table = next((r, t) for r, t in tables("valid/*") if r.expected.tables)
        file = self.copy(recipe.path)
        column = next(iter(table.columns()))
        result = run("index", "build", file, column, "SORTED_ROWS")
        self.assertEqual(result.returncode, 3)
        self.assertIn("name one as FILE:/", result.stderr)
        result = run("index", "build", f"{file}:{table.path}", column, "SORTED_ROWS", "--replace")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(run("validate", file).returncode, 0)

    def test_the_root_group_as_table(self):
        recipe, table = next((r, t) for r, t in tables("valid/*")
                             if t.path == "/" and t.columns() and not r.expected.tables)
        file = self.copy(recipe.path)
        column = next(iter(table.columns()))
        result = run("index", "build", f"{file}:/", column, "SORTED_ROWS")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"{file}:/SEARCH_INDEXES/{column}__sorted_rows: built", result.stdout)
        self.assertEqual(run("validate", file).returncode, 0)


if __name__ == "__main__":
    unittest.main()
