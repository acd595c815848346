"""Tests of hepcheck export and import: a table that is converted to Arrow and back loses nothing.

Every valid table of both revisions is exported, and the result must be valid Arrow. Contents that Arrow cannot
represent are rejected with a message that names them.
"""

import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy as np

HEPCHECK = pathlib.Path(os.environ["HEPCHECK"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[1]
FIXTURES = SOURCE / "fixtures/hep001"
sys.path.insert(0, str(SOURCE))

from generators import formats  # noqa: E402
from generators.arrow import (I8, I16, I32, I64, LIST_VIEW, TYPES, U8, U16, U32, U64, UTF8,  # noqa: E402
                              UTF8_VIEW, Array, Buffer, File, Message, Stream, Table, View, array, base_of,
                              binary, bits, decimal, encoding, field, interval, ints, ints_file,
                              record_batch, runs_of)

PATIENCE = 120  # seconds; every command should finish within one
# In batches of two rows it takes 15 s of CPU, as long as all other fixtures together.
MANY_ROWS = "valid/8.4/independent-storage--more-than-is-read-at-once.h5"
NOT_UTF8 = "valid/2/consumer-lossless-read--awkward-texts.h5"
EVERY_FAMILY = "valid/12/index-content-correct--every-family.h5"
OLDER, NEWER = "hep001-2026-06-16", "hep001-2026-07-09"
# Tables of the fixtures that have columns of these types are exported without those columns.
NO_FORM = "the other format cannot store this type"
# The messages when a table is rejected because of a value, or because a column cannot be read at all.
REFUSED = ("a string that is not UTF-8", "is neither FALSE nor TRUE", "virtual dataset",
           "tables; name one as FILE:")


def run(*arguments):
    return subprocess.run([HEPCHECK, *map(str, arguments)], capture_output=True, text=True,
                          timeout=PATIENCE)


def valid_tables(spec, part=0, parts=1):
    """A sample of the recipes of the valid fixtures of a revision, or one of some parts of it: golden_exchanges_test
    converts all of them."""
    def is_valid(recipe):
        expected = recipe.expectations.get(spec)  # some valid fixtures exist in one revision only
        return expected and not expected.fails
    chosen = formats.sample(filter(is_valid, formats.find("hep001").recipes("valid/*")))
    return chosen if formats.EVERY else itertools.islice(chosen, part, None, parts)


def column_of(message):
    """The name of the column in a message."""
    return message.split('column "', 1)[1].split('": ', 1)[0]


def exported(table, into, *options, spec=NEWER):
    """Exports without the columns that Arrow cannot represent; returns the output of the last run."""
    skip = []
    while True:
        done = run("export", table, into, "--force", "--spec", spec, *options,
                   *[word for name in skip for word in ("--skip", name)])
        if done.returncode == 1 and NO_FORM in done.stderr:
            skip.append(column_of(done.stderr))
            continue
        return done


def findings(paths):
    """(path, id, severity) of all findings in Arrow files."""
    done = run("validate", "--spec", "arrow-columnar-1.0", "--format", "json", *paths)
    for file in json.loads(done.stdout)["files"]:
        for subject in next(value for key, value in file.items() if isinstance(value, list) and value):
            for clause in subject["clauses"]:
                for _ in clause.get("findings", []):
                    yield file["path"], clause["id"], clause["severity"]


# All findings that an exported file may trigger, including those of severity info.
INFORMATION = {"arrow-dictionary-index-signed-preferred", "arrow-dictionary-index-uint64-avoided"}


# --- The attributes of a table, as h5py reads them

# References and derived data.
NOT_COMPARED = {"CATEGORIES", "INDEX_COLUMNS", "SEARCH_INDEX_LIST", "GENERATION"}


def attributes_of(item, lost):
    """The attributes of an object: strings as text, others with their datatype except its byte order."""
    attributes = {}
    for name in set(item.attrs.keys()) - NOT_COMPARED:
        if f"{item.name}@{name}" in lost:
            continue
        identifier = h5py.h5a.open(item.id, name.encode())
        if identifier.get_type().get_class() == h5py.h5t.STRING:
            value = item.attrs[name]
            attributes[name] = [np.char.decode(np.bytes_(each), "utf-8").item() if isinstance(each, bytes) else str(each)
                                for each in np.atleast_1d(value)]
        else:
            dtype = identifier.dtype.newbyteorder("<")
            raw = np.zeros(identifier.shape, dtype)
            try:
                identifier.read(raw)
            except OSError:  # h5py does not convert bitfields and opaque values
                identifier.read(raw, mtype=identifier.get_type())
            attributes[name] = (dtype.str, raw.tobytes())
    return attributes


def stored_as(data):
    """The NumPy type of a dataset, and its fill value."""
    tid, properties = data.id.get_type(), data.id.get_create_plist()
    if properties.fill_value_defined() != h5py.h5d.FILL_VALUE_USER_DEFINED or \
            tid.detect_class(h5py.h5t.VLEN) or getattr(tid, "is_variable_str", bool)():
        return str(tid.dtype), None
    fill = np.zeros((), tid.dtype)
    try:
        properties.get_fill_value(fill)
    except RuntimeError:  # h5py does not convert these
        return str(tid.dtype), None
    return str(tid.dtype), fill.tobytes()


def table_in(file):
    found = []
    def visit(_, item):
        if isinstance(item, h5py.Group) and item.attrs.get("CLASS") in (b"COLUMN_TABLE", "COLUMN_TABLE"):
            found.append(item)
    visit("/", file["/"])
    file.visititems(visit)
    table, = found
    return table


def described(path, group=None, lost=frozenset()):
    """The attributes of a table and its columns, by path, except those in `lost`."""
    attributes = {}
    with h5py.File(path) as file:
        table = file[group] if group else table_in(file)
        attributes["/"] = attributes_of(table, lost)

        def visit(item, name):
            attributes[name] = attributes_of(item, lost)
            if isinstance(item, h5py.Group):
                for below, each in item.items():
                    if below not in ("OFFSETS", "CHARS", "MASK"):
                        visit(each, f"{name}/{below}")
            else:
                attributes[name]["stored as"] = stored_as(item)
        for name in table:
            if name not in ("CATEGORIES", "SEARCH_INDEXES") and \
                    isinstance(table.get(name, getlink=True), h5py.HardLink) and is_column(table[name]):
                visit(table[name], name)
    return attributes


def is_column(item):
    if isinstance(item, h5py.Group):
        return item.attrs.get("CLASS") in (b"LIST_COLUMN", "LIST_COLUMN")
    return isinstance(item, h5py.Dataset) and item.ndim == 1


class Folder(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Sound(Folder):
    def assert_refused(self, recipe, done):
        self.assertTrue(any(words in done.stderr for words in REFUSED), f"{recipe.path}: {done.stderr}")

    def assert_sound(self, made):
        found = list(findings(made))
        worse = [(made[path], clause) for path, clause, severity in found
                 if severity != "info" or clause not in INFORMATION]
        self.assertEqual(worse, [])


class Export(Sound):
    def sweep(self, spec, part, *options, batch_rows=None):
        """Exports a half of the valid fixtures of a revision; returns the files that were written. Class Trip exports
        the other half."""
        made = {}
        for number, recipe in enumerate(valid_tables(spec, part, 2)):
            out = self.folder / f"{number}.arrow"
            rows = 1000 * batch_rows if batch_rows and recipe.path == MANY_ROWS else batch_rows
            batches = ("--batch-rows", rows) if rows else ()
            done = exported(FIXTURES / recipe.path, out, *batches, *options, spec=spec)
            if done.returncode == 0:
                made[str(out)] = recipe.path
            else:
                self.assert_refused(recipe, done)
                self.assertFalse(out.exists())
        self.assertGreater(len(made), 75)
        return made

    def test_valid_tables_of_the_older_revision(self):
        self.assert_sound(self.sweep(OLDER, 0, "--compression", "zstd", batch_rows=3))

    def test_streams(self):
        self.assert_sound(self.sweep(NEWER, 1, "--stream", "--compression", "lz4", batch_rows=2))

    # --- Rejected tables and the messages

    def fixture(self, pattern):
        return next(FIXTURES / recipe.path for recipe in formats.find("hep001").recipes(pattern))

    def test_unsupported_type_is_rejected_with_its_column(self):
        table = self.fixture("valid/7.6/outgoing-references--*")
        out = self.folder / "out.arrow"
        done = run("export", table, out)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'column "\w+": H5T_STD_REF\w*: ' + NO_FORM)
        self.assertEqual(list(self.folder.iterdir()), [])
        done = run("export", table, out, "--skip", column_of(done.stderr))
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("export", table, out, "--force", "--skip", "nobody")
        self.assertEqual((done.returncode, 'no column "nobody" to skip' in done.stderr), (1, True))

    def test_unsupported_value_is_rejected_with_its_row(self):
        for pattern, spec, words in (
                ("invalid/8.7/code-in-range--k*", NEWER, r"row \d+: the code -?\d+ is not one of the \d+ categories"),
                ("invalid/8.8/boolean-column-value--*", NEWER, r"row \d+: the value -?\d+ is neither FALSE nor TRUE")):
            with self.subTest(pattern):
                out = self.folder / "out.arrow"
                done = run("export", self.fixture(pattern), out, "--spec", spec)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, words)
                self.assertEqual(list(self.folder.iterdir()), [])

    def test_table_with_an_error_is_rejected(self):
        done = run("export", self.fixture("invalid/7.3/nrows-uint64--*"), self.folder / "out.arrow")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the table is not conformant, see hepcheck validate; nrows-uint64 (7.3)", done.stderr)

    def test_strings_that_are_not_utf8(self):
        table = FIXTURES / NOT_UTF8
        self.assertIn("a string that is not UTF-8", run("export", table, self.folder / "out.arrow").stderr)
        out = self.folder / "binary.arrow"
        self.assertEqual(run("export", table, out, "--binary").returncode, 0)
        self.assert_sound({str(out): table})

    def test_skipped_column_is_not_an_index_column(self):
        table, out = FIXTURES / EVERY_FAMILY, self.folder / "out.arrow"
        done = run("export", table, out)
        self.assertIn(b'["row_id"]', out.read_bytes())
        done = run("export", table, out, "--force", "--skip", "row_id")
        self.assertIn("/events@INDEX_COLUMNS: row_id, which is skipped", done.stderr)
        self.assertNotIn(b'["row_id"]', out.read_bytes())
        done = run("import", out, f"{self.folder / 'a.h5'}:/t")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    # --- Files and streams

    def test_files_and_streams_contain_the_same_messages(self):
        table = self.fixture("valid/12/index-content-correct--every-family*")
        for options in ([], ["--batch-rows", "3", "--compression", "lz4"]):
            file, stream, again = (self.folder / name for name in ("a.arrow", "a.arrows", "b.arrow"))
            for out, more in ((file, []), (stream, ["--stream"]), (again, [])):
                self.assertEqual(run("export", table, out, "--force", *options, *more).returncode, 0)
            messages = stream.read_bytes()
            self.assertEqual(file.read_bytes()[8:8 + len(messages)], messages)
            self.assertEqual(file.read_bytes(), again.read_bytes())
            with open(stream, "rb") as expected:
                done = subprocess.run([HEPCHECK, "export", table, "-", "--stream", *options],
                                      stdout=subprocess.PIPE, timeout=PATIENCE)
                self.assertEqual((done.returncode, done.stdout), (0, expected.read()))

    def test_batches_have_the_requested_rows(self):
        table, out = self.fixture("valid/12/index-content-correct--every-family*"), self.folder / "a.arrow"
        for rows, batches in ((1, "10 batches"), (3, "4 batches"), (10, "1 batch"), (11, "1 batch")):
            done = run("export", table, out, "--force", "--batch-rows", rows)
            self.assertIn(f"10 rows of 5 columns in {batches}\n", done.stdout)

    def test_existing_file_is_not_overwritten(self):
        table, out = self.fixture("valid/12/index-content-correct--every-family*"), self.folder / "a.arrow"
        out.write_text("dear to somebody")
        done = run("export", table, out)
        self.assertEqual((done.returncode, "it exists already" in done.stderr), (3, True))
        self.assertEqual(out.read_text(), "dear to somebody")
        self.assertEqual(run("export", table, out, "--force").returncode, 0)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["a.arrow"])
        self.assertEqual(run("export", table, "-").returncode, 2)


class Trip(Sound):
    """HEP001 to Arrow to HEP001: the resulting table is exported as the same bytes."""

    # The resulting table is equal but not identical: repeated labels are merged, and a MASK without a
    # null is omitted.
    KNOWN = ("valid/8.7/code-in-range--duplicate-and-unused-labels.h5",
             "valid/9.2/list-mask-optional--outermost-alone.h5")

    def trip(self, spec, part):
        """With a half of the valid fixtures of a revision. Most of them exist in both."""
        count, made = 0, {}
        for number, recipe in enumerate(valid_tables(spec, part, 2)):
            there, back, again = (self.folder / f"{number}.{end}" for end in ("arrow", "h5", "2.arrow"))
            # This compares whole tables; others may lack a column that the attributes name.
            done = run("export", FIXTURES / recipe.path, there, "--spec", spec)
            if done.returncode != 0:
                done = exported(FIXTURES / recipe.path, there, spec=spec)
                if done.returncode == 0:
                    made[str(there)] = recipe.path
                else:
                    self.assert_refused(recipe, done)
                    self.assertFalse(there.exists())
                continue
            made[str(there)] = recipe.path
            lost = set(re.findall(r"not exported: (.*)$", done.stderr, re.MULTILINE))
            done = run("import", there, f"{back}:/a/t", "--spec", spec)
            self.assertEqual(done.returncode, 0, f"{recipe.path}: {done.stderr}")
            self.assertEqual(exported(f"{back}:/a/t", again, spec=spec).returncode, 0)
            with self.subTest(recipe.path):
                self.assertEqual(described(back, "/a/t"), described(FIXTURES / recipe.path, None, lost))
            same = there.read_bytes() == again.read_bytes()
            self.assertEqual(same, recipe.path not in self.KNOWN, recipe.path)
            count += 1
        self.assertGreater(count, 75)
        self.assert_sound(made)

    def test_newer_revision(self):
        self.trip(NEWER, 0)

    def test_older_revision(self):
        self.trip(OLDER, 1)


class Import(Folder):
    ARROW = SOURCE / "fixtures/arrow"
    # The messages with which a valid input is rejected.
    REFUSED = ("cannot store this type", "lists have no order", "cannot be stored in", "decimal in slot",
               "column names must not", "a column must have a name", "another column has the same name",
               "has no equivalent", "more memory than the limit", "this name is reserved", "it has no schema",
               "every possible fill value occurs", "cannot be labels", "contains keys of itself")

    def test_valid_inputs(self):
        """Each is converted to a conformant table that can be exported, or it is rejected with a reason."""
        tables = {}
        arrow = formats.find("arrow")
        for number, recipe in enumerate(formats.sample(arrow.recipes("valid/*"), arrow.module("format").MANY_ROWS)):
            back, out = self.folder / f"{number}.h5", self.folder / f"{number}.arrow"
            done = run("import", self.ARROW / recipe.path, f"{back}:/t")
            if done.returncode != 0:
                self.assertTrue(done.returncode == 1 and any(w in done.stderr for w in self.REFUSED),
                                f"{recipe.path}: {done.stderr}")
                self.assertFalse(back.exists())
                continue
            tables[f"{back}:/t"] = recipe.path
            done = run("export", back, out)
            self.assertEqual(done.returncode, 0, f"{recipe.path}: {done.stderr}")
        self.assertGreater(len(tables), 100)
        done = run("validate", "--spec", NEWER, *tables)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_input_with_an_error_is_rejected(self):
        count = 0
        for recipe in formats.find("arrow").recipes("invalid/4.[1-3]/*"):
            expected = recipe.expectations.get("arrow-columnar-1.0")
            if not expected or not expected.fails:
                continue
            done = run("import", self.ARROW / recipe.path, f"{self.folder / 'a.h5'}:/t")
            self.assertEqual(done.returncode, 1, f"{recipe.path}: {done.stderr}")
            self.assertIn("it is not conformant, see hepcheck validate; arrow-", done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])
            count += 1
        self.assertGreater(count, 10)

    def exported_table(self):
        table, out = FIXTURES / EVERY_FAMILY, self.folder / "a.arrow"
        self.assertEqual(run("export", table, out).returncode, 0)
        return out

    def test_table_next_to_others(self):
        out, file = self.exported_table(), self.folder / "a.h5"
        self.assertEqual(run("import", out, f"{file}:/one").returncode, 0)
        self.assertEqual(run("import", out, f"{file}:/deep/er/two").returncode, 0)
        done = run("validate", file)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.count(": conformant"), 2)
        before = file.read_bytes()
        for place in ("/one", "/deep", "/deep/er"):
            done = run("import", out, f"{file}:{place}")
            self.assertEqual((done.returncode, "it exists already" in done.stderr), (3, True), place)
        done = run("import", out, file)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(file.read_bytes(), before)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"a.h5", "a.arrow"})

    def test_table_in_the_root_of_a_new_file(self):
        out, file = self.exported_table(), self.folder / "a.h5"
        done = run("import", out, file)
        self.assertEqual((done.returncode, done.stdout), (0, f"{file}:/: 10 rows of 5 columns\n"))
        self.assertEqual(run("validate", file).returncode, 0)

    def test_output_is_reproducible(self):
        out = self.exported_table()
        files = [self.folder / f"{number}.h5" for number in range(2)]
        for file in files:
            self.assertEqual(run("import", out, f"{file}:/t").returncode, 0)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())


    def test_memory_limit(self):
        stream = Stream([field("a", I64)])
        stream.add([*range(200_000)])
        file, back = self.folder / "a.arrows", self.folder / "a.h5"
        file.write_bytes(stream.bytes())
        done = run("import", file, back, "--memory-limit", "2MB")
        self.assertEqual((done.returncode, "memory" in done.stderr, back.exists()), (1, True, False), done.stderr)
        self.assertEqual(run("import", file, back, "--memory-limit", "16MB").returncode, 0)

    def test_files_of_the_arrow_project(self):
        """Each is converted to a conformant table, or rejected with a reason."""
        folder = SOURCE.parent / "shared/corpus/arrow/integration"
        files = sorted(each for each in folder.rglob("*") if each.suffix in (".arrow_file", ".stream"))
        if not files:
            self.skipTest("the files of the Arrow project are not available")
        tables = []
        for number, file in enumerate(files):
            back = self.folder / f"{number}.h5"
            done = run("import", "-q", file, back)
            with self.subTest(str(file.relative_to(folder))):
                if done.returncode == 0:
                    tables.append(back)
                    done = run("export", "-q", back, self.folder / f"{number}.arrow")
                    self.assertEqual(done.returncode, 0, done.stderr)
                else:
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertTrue(any(words in done.stderr for words in self.REFUSED), done.stderr)
                    self.assertRegex(done.stderr, r'(column|field) "|it has no schema|more memory')
                    self.assertFalse(back.exists())
        self.assertGreater(len(tables), 75)
        done = run("validate", "--spec", NEWER, *tables)
        self.assertEqual(done.returncode, 0, done.stdout)


class Newer(Folder):
    """Types that came after format 1.0, and inputs that state more than they contain."""

    def stored(self, stream, *options, group="/t"):
        path, file = self.folder / "in.arrows", self.folder / "a.h5"
        path.write_bytes(stream.bytes())
        file.unlink(missing_ok=True)
        return run("import", path, f"{file}:{group}", *options), file

    def values(self, stream, *options):
        """The columns that were stored, by name."""
        done, file = self.stored(stream, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(file) as h5:
            return {name: each[:] if isinstance(each, h5py.Dataset) else each
                    for name, each in h5["t"].items()}

    def test_views(self):
        texts = ["", "twelve bytes", "thirteen byte", None, ("thirteen byte", 1)]
        f = base_of((field("a", UTF8_VIEW), texts), (field("b", UTF8_VIEW), ["x"] * 5))()
        f.array("a").views[3] = View(b"under the null, too long", 99, 0)
        stored = self.values(f)
        self.assertEqual([*map(bytes, stored["a"][[0, 1, 2, 4]])],
                         [b"", b"twelve bytes", b"thirteen byte", b"thirteen byte"])
        self.assertEqual([*stored["b"]], 5 * [b"x"])

    def test_a_broken_view_is_rejected(self):
        f = base_of((field("a", UTF8_VIEW), ["thirteen byte"]))()
        f.array("a").views[0].prefix = b"none"
        done, file = self.stored(f)
        self.assertEqual(done.returncode, 1)
        self.assertIn("arrow-view-prefix-equal (3.7)", done.stderr)
        self.assertFalse(file.exists())

    def test_list_views_that_share_elements(self):
        item = field("item", I32)
        made = Array("ListView", 5, 1, [bits([1, 1, 1, 0, 1]), Buffer([0, 1, 1, 0, 3], 4),
                                        Buffer([2, 1, 2, 3, 0], 4)], [array(item, [7, 8, 9])])
        f = Stream([field("a", LIST_VIEW, item)])
        f.messages.append(record_batch(made))
        done, file = self.stored(f)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(file) as h5:
            self.assertEqual(h5["t/a/OFFSETS"][:].tolist(), [0, 2, 3, 5, 5, 5])
            self.assertEqual(h5["t/a/VALUES"][:].tolist(), [7, 8, 8, 8, 9])
            self.assertEqual([*map(int, h5["t/a/MASK"][:])], [1, 1, 1, 0, 1])

    def test_runs(self):
        f = base_of((runs_of("a", I32, ends=I16), [4, 4, None, 5]), (runs_of("b", UTF8), ["x", "x", "y", "y"]))()
        f.add([6, 6], ["z", "y"])
        stored = self.values(f)
        self.assertEqual([each for i, each in enumerate(stored["a"].tolist()) if i != 2], [4, 4, 5, 6, 6])
        self.assertEqual([*stored["b"]], [b"x", b"x", b"y", b"y", b"z", b"y"])

    def test_a_long_run_is_rejected_by_its_column(self):
        f = base_of((runs_of("long", I32, ends=I64), [1]))()
        f.array("long.run_ends").data.values = [1 << 40]
        f.array("long").length = f.batch.length = 1 << 40
        done, _ = self.stored(f)
        self.assertEqual(done.returncode, 1)
        self.assertIn('field "long": 1099511627776 slots, with runs repeated, take more memory', done.stderr)

    def test_decimals_and_intervals(self):
        stored = self.values(base_of((field("a", decimal(9, -2, 32)), [-999999999, 5]),
                                     (field("b", decimal(18, 2, 64)), [10**18 - 1, -1]),
                                     (field("c", decimal(76, 0, 256)), [-(1 << 63) + 7, 1]),
                                     (field("d", interval(2)), [(1, -30, 90000000000000), (0, 0, -5)]))())
        self.assertEqual(stored["a"].tolist(), [-999999999, 5])
        self.assertEqual(stored["b"].tolist(), [10**18 - 1, -1])
        self.assertEqual(stored["c"].tolist(), [-(1 << 63) + 7, 1])
        self.assertEqual(stored["d"].tolist(), [(1, -30, 90000000000000), (0, 0, -5)])

    def test_a_wide_decimal_is_rejected_by_its_slot(self):
        done, _ = self.stored(base_of((field("a", decimal(76, 0, 256)), [1, 10**40]))())
        self.assertEqual(done.returncode, 1)
        self.assertIn('field "a": the decimal in slot 1', done.stderr)

    def test_hints_do_not_take_more_memory_than_the_limit(self):
        f = base_of((field("a", UTF8, metadata={"hep001:type": "string(1000000,nullterm,utf8)"}), ["x"] * 3000))()
        done, _ = self.stored(f, "--memory-limit", "200MB")
        self.assertEqual(done.returncode, 1)
        self.assertIn('column "a": its values take more memory than the limit', done.stderr)

    def test_a_hint_with_many_members_is_ignored(self):
        members = ",".join(f'"m{i}"={i}' for i in range(50000))
        done, _ = self.stored(base_of((field("a", I32, metadata={"hep001:type": f"enum(int32,{members})"}), [1, 2]))())
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_values_larger_than_a_fill_value_may_be(self):
        for width, status in ((65500, 0), (65501, 1), (70000, 1)):
            done, _ = self.stored(base_of((field("a", binary(width)), [bytes(width)]))())
            self.assertEqual(done.returncode, status, done.stderr)
            if status:
                self.assertIn(f'column "a": a value of {width} bytes is larger than a fill value', done.stderr)

    def test_two_thousand_columns(self):
        f = base_of(*((field(f"c{i}", I8), [i % 100]) for i in range(2000)))()
        done, file = self.stored(f)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(file) as h5:
            self.assertEqual(h5["t/c1999"][:].tolist(), [99])

    def test_tensor_messages_are_rejected_in_files_and_streams(self):
        shape = [Table("TensorDim", size=1)]
        tensor = Message(Table("Tensor", type_type=TYPES.index("Int"), type=I32.copy(), shape=shape, data=[0, 4]),
                         body=bytes(64))
        for base in (ints, ints_file):
            f = base()
            f.messages.append(tensor)
            path, file = self.folder / f"in{f.suffix}", self.folder / f"{f.suffix}.h5"
            path.write_bytes(f.bytes())
            done = run("import", path, file)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("arrow-stream-message-kinds (4): message[2]: a Tensor message", done.stderr)

    def test_standard_input(self):
        data, file = base_of((field("a", I32), [3, 4]))().bytes(), self.folder / "a.h5"
        done = subprocess.run([HEPCHECK, "import", "-", f"{file}:/t"], input=data, capture_output=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(file) as h5:
            self.assertEqual(h5["t/a"][:].tolist(), [3, 4])
        done = subprocess.run([HEPCHECK, "import", "-", f"{file}:/u", "--memory-limit", "1MB"],
                              input=bytes(8 << 20), capture_output=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"the input takes more memory than the limit", done.stderr)

    def test_renamed_columns(self):
        f = base_of((field("a/b", I32), [1]), (field("a/b", I32), [2]), (field("MASK", I32), [3]))()
        stored = self.values(f, "--rename", "a/b=first", "--rename", "a/b=second", "--rename", "MASK=mask")
        self.assertEqual({name: each.tolist() for name, each in stored.items()},
                         {"first": [1], "second": [2], "mask": [3]})
        for option, status, words in (("c=d", 2, 'there is no field "c"'), ("a/b", 2, "expected OLD=NEW"),
                                      ("MASK=first", 1, "must not be empty")):
            done, file = self.stored(f, "--rename", option)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertFalse(file.exists())

    def test_export_refuses_other_formats_by_name(self):
        for name in ("a.parquet", "a.pq", "a.csv"):
            done = run("export", FIXTURES / EVERY_FAMILY, self.folder / name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"export writes Arrow files and streams, not .{name[2:]}", done.stderr)
        self.assertEqual([*self.folder.iterdir()], [])


class Dictionaries(Folder):
    """I2: the dictionaries of all batches become one categories dataset, in the order of first appearance."""

    def imported(self, stream, column="a"):
        """(labels, values by row, ordered, NumPy type of the codes)"""
        file, back = self.folder / "a.arrow", self.folder / "a.h5"
        file.write_bytes(stream.bytes())
        back.unlink(missing_ok=True)
        done = run("import", file, back)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(back) as opened:
            data = opened[column]
            labels = opened[f"CATEGORIES/{column}__CATEGORIES"]
            words = [each.decode() for each in labels[()]]
            values = [None if code == data.fillvalue else words[code] for code in data[()]]
            return words, values, bool(labels.attrs.get("ordered", False)), data.dtype.str

    def stream(self, *, kind=Stream, keys=I8, ordered=False):
        return kind([field("a", UTF8, dictionary=encoding(0, keys, ordered))])

    def test_deltas_and_replacements(self):
        stream = self.stream()
        stream.add_dictionary("a", ["C", "A"])
        stream.add([0, 1, None])
        stream.add_dictionary("a", ["B"], delta=True)
        stream.add([2, 0])
        stream.add_dictionary("a", ["B", "D", "A"])
        stream.add([0, 1, 2])
        self.assertEqual(self.imported(stream),
                         (["C", "A", "B", "D"], ["C", "A", None, "B", "C", "B", "D", "A"], False, "|i1"))

    def test_deltas_in_a_file(self):
        stream = self.stream(kind=File)
        stream.add_dictionary("a", ["C", "A"])
        stream.add([0, 1])
        stream.add_dictionary("a", ["B"], delta=True)
        stream.add([2, 0])
        self.assertEqual(self.imported(stream)[:2], (["C", "A", "B"], ["C", "A", "B", "C"]))

    def test_repeated_values_and_nulls(self):
        stream = self.stream(ordered=True)
        stream.add_dictionary("a", ["x", None, "y", "x", None])
        stream.add([3, 1, 2, 0, 4, None])
        self.assertEqual(self.imported(stream), (["x", "y"], ["x", None, "y", "x", None, None], True, "|i1"))

    def test_types_of_keys(self):
        for keys, dtype in ((I8, "|i1"), (I16, "<i2"), (I32, "<i4"), (I64, "<i8"),
                            (U8, "|u1"), (U16, "<u2"), (U32, "<u4"), (U64, "<u8")):
            stream = self.stream(keys=keys)
            stream.add_dictionary("a", ["x", "y"])
            stream.add([1, None, 0])
            self.assertEqual(self.imported(stream), (["x", "y"], ["y", None, "x"], False, dtype))

    def test_more_values_than_keys_can_index(self):
        """Each batch has 100 values of its own."""
        stream = self.stream()
        for batch in range(3):
            stream.add_dictionary("a", [str(100 * batch + i) for i in range(100)])
            stream.add([*range(100)])
        words, values, _, dtype = self.imported(stream)
        self.assertEqual((words, values), ([str(i) for i in range(300)],) * 2)
        self.assertEqual(dtype, "<i2")

    def test_unused_dictionary(self):
        stream = self.stream()
        stream.add_dictionary("a", ["x", "y"])
        self.assertEqual(self.imported(stream), (["x", "y"], [], False, "|i1"))

    def test_dictionary_shared_by_two_columns(self):
        stream = Stream([field(name, UTF8, dictionary=encoding(0, I8)) for name in "ab"])
        stream.add_dictionary("a", ["x", "y"])
        stream.add([0, 1], [1, 1])
        file, back = self.folder / "a.arrows", self.folder / "a.h5"
        file.write_bytes(stream.bytes())
        self.assertEqual(run("import", file, back).returncode, 0)
        with h5py.File(back) as opened:
            self.assertEqual(list(opened["CATEGORIES"]), ["a__CATEGORIES"])


if __name__ == "__main__":
    unittest.main()
