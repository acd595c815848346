"""HEP001 11, what an append or its crash may leave in a file."""

from generators.hep001 import *


@valid("tail-arbitrary-bytes", base=good_table, revised=boolean_with_fill())
def garbage_of_every_sort(t):
    "The reserved tail holds codes, enum values, numbers and bytes that no row may have."
    t.column("label").values[10:] = [120, -1, 3, -128, 99, 7]
    t.column("name").values[10:] = [b"\xff\xfe", b"\xed\xa0\x80", b"a\0b", b"\x80" * 8, b"\0x", b""]
    t.column("ts").attrs.update(valid_min=int64(-100), valid_max=int64(100))
    t.add_column("state", enum({"UP": 0, "DOWN": 1}), [0, 1] * 5 + [7, -1, 99, 2, 3, -128],
                 fill=-1)
    t.add_column("flag", BOOL, [0, 1] * 5 + [2, -1, 7, 5, 2, 2], fill=2)
    t.add_column("grey", U8, [1, 2] * 5 + [255] * 6, fill=0)


@valid("tail-index-entries", base=good_table, ambiguity="surplus-index-entries")
def two_residual_entries(t):
    "CHUNK_MINMAX has two entries for the tail, CHUNK_BLOOM one; they describe nothing."
    residue = {"min": -1, "max": -9, "nan_count": 7, "fill_count": 8, "n": 9}
    t.index("ts", "CHUNK_MINMAX").values += [residue] * 2
    bloom = t.index("name", "CHUNK_BLOOM")
    bloom.values.append(bytearray(b"\xff" * 8))


@valid("crash-residue-readable", base=good_table)
def after_step_3(t):
    "An append died before the indexes were updated: all columns extended, 4 new rows written."
    for column in t.columns().values():
        column.values += column.values[:4]


@valid("crash-residue-readable", base=good_table, ambiguity="surplus-index-entries")
def all_but_the_commit(t):
    "Only NROWS is missing: rows and Bloom filters of a whole new chunk are written."
    t.nrows = 12
    t.column("label").values[10:12] = [0, 1]
    bloom = t.index("name", "CHUNK_BLOOM")
    for index in (index for column in t.columns().values() for index in column.indexes):
        index.values
    bloom.values.append(bytearray(range(8)))
