"""python3 -m generators.arrow.tests.exchange PACKAGES: tests that apache-arrow and arrow-rs read the same cells in
the output of hepcheck export as h5py reads in the tables. PACKAGES is a directory that
cmake/npm_packages.py filled; HEPCHECK is the program.

If Node is missing, the status is 77 (skipped)."""

import fnmatch
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from generators import formats

HERE = pathlib.Path(__file__).parent
FIXTURES = formats.find("hep001").fixtures
SPEC = "hep001-2026-07-09"
NO_FORM = "the other format cannot store this type"
# Valid Arrow fixtures that apache-arrow reads incorrectly: patterns, and the reasons.
MISREAD = {
    "valid/*big-endian*": "it does not look at the byte order",
    "valid/Schema.fbs/arrow-decimal-narrow--*-big*": "it does not look at the byte order",
    "valid/5.1/arrow-consumer-converts-unsupported--labels-of-all-kinds*": "days become numbers, which is said",
    "valid/5.1/arrow-consumer-converts-unsupported--structs*": "so they do inside a struct",
    "valid/4.7/arrow-dictionary-nested-order-any--outer-first*": "it wants the inner dictionary first",
}
# Importing waits until a file is on disk.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
BOOLEAN = {"FALSE": 0, "TRUE": 1}
# apache-arrow cannot look up 64-bit keys; it also decodes the output of arrow-rs.
KEYS = "Cannot mix BigInt"
# Fixtures with contents that h5py does not return.
UNTOLD = {
    "valid/10.5/sorted-string-bytewise--space-inside.h5": "a NUL in front of padding is lost",
    "valid/8.7/categories-any-name--misleading-names.h5": "labels are named after other columns",
}
# Its cells are most of all cells; cli/exchange_test.py exports and imports it.
MANY_ROWS = "valid/8.4/independent-storage--more-than-is-read-at-once.h5"


# --- The contents as h5py reads them ---------------------------------------------------------------

def hexadecimal(value):
    return {"hex": bytes(value).hex()}


def number(value):
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return 0 if value == 0 else float(value)


def text(stored):
    return bytes(stored).decode()


def strip(stored, padding):
    if padding == h5py.h5t.STR_SPACEPAD:
        return stored.rstrip(b" ")
    return stored.rstrip(b"\0") if padding == h5py.h5t.STR_NULLPAD else stored.split(b"\0", 1)[0]


def names_of(dtype):
    """name -> code of an enumeration, including boolean ones; None for other types."""
    if dtype == np.bool_:
        return BOOLEAN
    return h5py.check_enum_dtype(dtype)


def plain(value, tid):
    """A value that h5py has read, by its HDF5 datatype, in the notation of cells.mjs."""
    cls = tid.get_class()
    if cls == h5py.h5t.ENUM:
        names = {tid.get_member_name(i).decode(): tid.get_member_value(i)
                 for i in range(tid.get_nmembers())}
        if {name: code for name, code in names.items() if name != "MISSING"} == BOOLEAN:
            return bool(value)
        return next(name for name, code in names.items() if code == value)
    if cls in (h5py.h5t.INTEGER, h5py.h5t.BITFIELD):
        return str(int(value))
    if cls == h5py.h5t.FLOAT:
        return number(value)
    if cls == h5py.h5t.STRING:
        return text(value if tid.is_variable_str() else strip(value, tid.get_strpad()))
    if cls == h5py.h5t.OPAQUE:
        return hexadecimal(value)
    if cls == h5py.h5t.COMPOUND:
        return {tid.get_member_name(i).decode():
                plain(stored(value[tid.get_member_name(i).decode()], tid.get_member_type(i)),
                      tid.get_member_type(i)) for i in range(tid.get_nmembers())}
    if cls == h5py.h5t.ARRAY:
        def nested(part, dims):
            return [nested(each, dims[1:]) for each in part] if dims else plain(part, tid.get_super())
        return nested(value, tid.get_array_dims())
    if cls == h5py.h5t.VLEN:
        return [plain(each, tid.get_super()) for each in value]
    raise TypeError(cls)


def stored(value, tid):
    """NumPy strips the padding of a string; this returns its bytes."""
    if tid.get_class() == h5py.h5t.STRING and not tid.is_variable_str():
        return bytes(value).ljust(tid.get_size(), b"\0") if tid.get_strpad() == h5py.h5t.STR_NULLTERM \
            else bytes(value)
    return value


def is_nan(value):
    return isinstance(value, float | np.floating) and math.isnan(value)


def elements(data, count):
    """The first elements of a dataset, None if they are missing."""
    tid = data.id.get_type()
    raw = data[:count]
    values = [plain(stored(raw[i], tid), tid) for i in range(count)]
    properties = data.id.get_create_plist()
    if properties.fill_value_defined() != h5py.h5d.FILL_VALUE_USER_DEFINED or dict_of(tid) == BOOLEAN:
        return values
    if tid.detect_class(h5py.h5t.VLEN):
        raise TypeError("h5py frees such a fill value twice")
    fill = data.fillvalue
    if tid.get_class() == h5py.h5t.ENUM:
        return [None if code == int(fill) else value for code, value in zip(raw.astype(int), values)]
    missing = plain(stored(fill, tid), tid)
    return [None if value == missing else value for value in values]


def dict_of(tid):
    if tid.get_class() != h5py.h5t.ENUM:
        return None
    return {tid.get_member_name(i).decode(): tid.get_member_value(i) for i in range(tid.get_nmembers())}


def entries(group, count):
    """The first lists, or strings, of a level; None if they are null."""
    offsets = [int(each) for each in group["OFFSETS"][:count + 1]]
    mask = group["MASK"][:count] if "MASK" in group else [True] * count
    if "CHARS" in group:
        below = group["CHARS"][:offsets[count]].tobytes()
        def part(begin, end):
            return below[begin:end].decode()
    else:
        values = group["VALUES"]
        below = (entries if isinstance(values, h5py.Group) else elements)(values, offsets[count])
        def part(begin, end):
            return below[begin:end]
    return [part(*offsets[i:i + 2]) if mask[i] else None for i in range(count)]


def labelled(table, data, codes):
    """h5py does not follow these references; the labels of most fixtures are named after the column."""
    folder = table["CATEGORIES"]
    name = data.name.rsplit("/", 1)[1] + "__CATEGORIES"
    if name not in folder:
        raise TypeError("the labels of the column cannot be told")
    labels = folder[name]
    words = elements(labels, labels.shape[0])
    return [None if code is None else words[int(code)] for code in codes]


def table_of(file):
    found = []
    def visit(_, item):
        if isinstance(item, h5py.Group) and is_table(item):
            found.append(item)
    visit("/", file["/"])
    file.visititems(visit)
    assert len(found) == 1
    return found[0]


def is_table(group):
    kind = group.attrs.get("CLASS")
    return kind in (b"COLUMN_TABLE", "COLUMN_TABLE", np.bytes_(b"COLUMN_TABLE"))


def column(table, name):
    rows = int(table.attrs["NROWS"])
    if isinstance(table[name], h5py.Group):
        return entries(table[name], rows)
    data = table[name]
    low, high = (data.attrs.get(end) for end in ("valid_min", "valid_max"))
    values = elements(data, rows)
    if "CATEGORIES" in data.attrs.keys():
        return labelled(table, data, values)
    if data.dtype == np.uint8 and (low, high) == (0, 1) and data.fillvalue > 1 \
            and data.id.get_type().get_class() == h5py.h5t.INTEGER:
        return [None if value is None else value == "1" for value in values]
    return values


# --- The comparison --------------------------------------------------------------------------------

def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def export(table, into, *options):
    left_out = []
    while True:
        done = subprocess.run([os.environ["HEPCHECK"], "export", table, into, "--spec", SPEC, *options,
                               *[word for name in left_out for word in ("--skip", name)]],
                              capture_output=True, text=True)
        if done.returncode != 1 or NO_FORM not in done.stderr:
            return done.returncode == 0
        left_out.append(done.stderr.split('column "', 1)[1].split('": ', 1)[0])


def replies(packages, paths):
    node = shutil.which("node") or skip("there is no Node on this machine")
    done = subprocess.run([node, HERE / "values.mjs", packages], text=True, check=True,
                          input="".join(f"{path}\n" for path in paths), stdout=subprocess.PIPE,
                          timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def same(one, other):
    """32-bit floats are returned as the nearest 64-bit ones."""
    if isinstance(one, float | int) and isinstance(other, float | int) and not isinstance(one, bool):
        return one == other or np.float32(one) == np.float32(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and one == other


def valid_tables():
    for recipe in formats.find("hep001").recipes("valid/*"):
        expected = recipe.expectations.get(SPEC)
        if expected and not expected.fails and recipe.path not in UNTOLD and (formats.EVERY or recipe.path != MANY_ROWS):
            yield recipe


def complaints(recipe, reply, count):
    with h5py.File(FIXTURES / recipe.path) as file:
        table = table_of(file)
        for reader, columns in reply.items():
            if isinstance(columns, str):
                if KEYS not in columns:
                    yield f"{reader}: {columns}"
                continue
            for name, values in columns:
                try:
                    wanted = column(table, name)
                except (OSError, RuntimeError, TypeError) as error:  # h5py does not have the datatype
                    count[f"{type(error).__name__} of h5py"] = count.get(f"{type(error).__name__} of h5py", 0) + 1
                    continue
                count[reader] = count.get(reader, 0) + len(wanted)
                if not same(values, wanted):
                    yield f"{reader}: {name} has {values}, and h5py reads {wanted}"


def back_and_forth(packages, count):
    """apache-arrow must read the same in a valid Arrow fixture before and after hepcheck has imported and
    exported it; contents that a table cannot represent are rejected."""
    arrow, paths = formats.find("arrow"), []
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        for number, recipe in enumerate(formats.sample(arrow.recipes("valid/*"), arrow.module("format").MANY_ROWS)):
            table, out = (pathlib.Path(folder) / f"{number}.{end}" for end in ("h5", "arrow"))
            program = os.environ["HEPCHECK"]
            if subprocess.run([program, "import", "-q", arrow.fixtures / recipe.path, f"{table}:/t"],
                              capture_output=True).returncode == 0:
                subprocess.run([program, "export", "-q", table, out], check=True)
                paths.append((recipe, out))
        before = replies(packages, [arrow.fixtures / recipe.path for recipe, _ in paths])
        after = replies(packages, [out for _, out in paths])
    for (recipe, _), one, other in zip(paths, before, after, strict=True):
        if isinstance(one["apache-arrow"], str) or any(
                fnmatch.fnmatchcase(recipe.path, pattern) for pattern in MISREAD):
            continue
        count["tables from Arrow and back"] = count.get("tables from Arrow and back", 0) + 1
        if not same(one["apache-arrow"], other["apache-arrow"]):
            yield f"{recipe.path}: {one['apache-arrow']} and {other['apache-arrow']}"


def main():
    packages = pathlib.Path(sys.argv[1]).resolve()
    wrong, count = [], {}
    wrong += back_and_forth(packages, count)
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for number, recipe in enumerate(formats.sample(valid_tables())):
            stream = number % 2 == 0
            into = pathlib.Path(folder) / f"{number}.{'arrows' if stream else 'arrow'}"
            if export(FIXTURES / recipe.path, into, *(["--stream", "--batch-rows", "3"] if stream else [])):
                made.append((recipe, into))
        for (recipe, _), reply in zip(made, replies(packages, [path for _, path in made]), strict=True):
            wrong += [f"{recipe.path}: {words}" for words in complaints(recipe, reply, count)]
    print("\n".join(wrong) or f"cells of {len(made)} tables that are equal, and others: {count}")
    return bool(wrong) or len(made) < (400 if formats.EVERY else 150)


if __name__ == "__main__":
    sys.exit(main())
