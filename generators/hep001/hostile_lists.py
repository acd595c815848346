"""Malicious files for readers of list columns and validity tokens (HEP001 of 2026-07-09)."""

import h5py
import numpy as np

from generators import hep001

from .hostile import hostile, patch, secret_beside, table, write


def list_group(group, name, nrows, offsets=None, values=None):
    """A list column of empty lists, or with these members. Returns its group."""
    made = group.create_group(name)
    made.attrs.create("CLASS", np.bytes_("LIST_COLUMN\0"))
    made.attrs.create("KIND", np.bytes_("OFFSETS\0"))
    made.create_dataset("OFFSETS", data=np.zeros(nrows + 1, "u8") if offsets is None else offsets)
    if values is not None:
        made.create_dataset("VALUES", data=values)
    return made


@hostile({"": r"\bextent 2\b"})
def rows_that_wrap_around(path):
    "NROWS is 2^64 - 1, so that the number of offsets is 2^64; only list columns."
    file, group = table(path, nrows=2**64 - 1)
    list_group(group, "x", 1, values=np.zeros(1))
    file.close()


@hostile({"": r"\bextent 10\b.*\bextent 10\b"})
def offsets_beyond_the_sign_bit(path):
    "Offsets of 2^63 and 2^64 - 1 over ten elements, and over ten bytes of texts."
    file, group = table(path, nrows=3)
    ends = np.array([0, 5, 2**63, 2**64 - 1], "u8")
    list_group(group, "x", 3, ends, np.zeros(10))
    outer = list_group(group, "tags", 3, np.array([0, 1, 2, 3], "u8"))
    texts = outer.create_group("VALUES")
    texts.attrs.create("CLASS", np.bytes_("STRING_VALUES\0"))
    texts["OFFSETS"], texts["CHARS"] = ends, np.zeros(10, "u1")
    file.close()


@hostile({"ratio=100": "limit of 100 to 1"})
def offsets_without_end(path):
    "2^40 offsets that were never written."
    rows = 1 << 40
    file, group = table(path, nrows=rows - 1)
    made = group.create_group("x")
    made.attrs.create("CLASS", np.bytes_("LIST_COLUMN\0"))
    made.attrs.create("KIND", np.bytes_("OFFSETS\0"))
    made.create_dataset("OFFSETS", (rows,), "u8", chunks=(1 << 24,))
    made.create_dataset("VALUES", data=np.zeros(1))
    file.close()


@hostile({"group-depth=1000": "nested deeper than the limit of 1000 groups"})
def lists_of_lists(path):
    "Lists of lists, 5,000 levels deep."
    file, group = table(path, nrows=1, libver="latest")
    level = group.id
    for depth in range(5000):
        level = h5py.h5g.create(level, b"VALUES" if depth else b"x")
        made = h5py.Group(level)
        made.attrs.create("CLASS", np.bytes_("LIST_COLUMN\0"))
    file.close()


@hostile({"": r"external link to [^|]*\.secret.*OFFSETS is not a hard link"})
def members_in_another_file(path):
    "The members of a list column are external links."
    file, group = table(path)
    made = list_group(group, "x", 4)
    del made["OFFSETS"]
    for name in ("OFFSETS", "VALUES", "MASK"):
        made[name] = h5py.ExternalLink(secret_beside(path), "/x")
    file.close()


@hostile({"links=1000": "more links than the limit of 1000"})
def links_in_a_list(path):
    "A list column with 5,000 further links."
    file, group = table(path, libver="latest")
    made = list_group(group, "x", 4, values=np.zeros(1))
    for i in range(5000):
        made[f"l{i}"] = h5py.SoftLink("VALUES")
    file.close()


@hostile({"memory=100MiB": r"not UTF-8 in CHARS\[0:268435456\]"})
def one_text_of_all_bytes(path):
    "A text of 256 MiB that ends in half a character: it is read in pieces, in little memory."
    size = 256 << 20
    file, group = table(path, nrows=1)
    outer = list_group(group, "tags", 1, np.array([0, 1], "u8"))
    texts = outer.create_group("VALUES")
    texts.attrs.create("CLASS", np.bytes_("STRING_VALUES\0"))
    texts["OFFSETS"] = np.array([0, size], "u8")
    texts.create_dataset("CHARS", (size,), "u1", chunks=(1 << 20,), compression="gzip",
                         fillvalue=65)[-1:] = [0xC3]
    file.close()


@hostile({"": "opaque of 2147483647 bytes"})
def mask_of_huge_elements(path):
    "MASK has a datatype of 2^31 - 1 bytes, and no chunk."
    file, group = table(path, libver="latest")
    made = list_group(group, "x", 4, values=np.zeros(1))
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((1,))
    h5py.h5d.create(made.id, b"MASK", h5py.h5t.create(h5py.h5t.OPAQUE, 2**31 - 1),
                    h5py.h5s.create_simple((4,), (h5py.h5s.UNLIMITED,)), properties)
    file.close()


def indexed(path, **attrs):
    """A table with an index, whose tokens are replaced by these."""
    t = hep001.Table("/events", nrows=4)
    t.add_column("x", hep001.I32, [1, 2, 3, 4], fill=-1)
    t.add_index("x", "SORTED_ROWS")
    write(t.file, str(path))
    with h5py.File(path, "r+", libver="latest") as file:
        index = file["events/SEARCH_INDEXES/x__sorted_rows"]
        for name, value in attrs.items():
            owner = file["events"] if name == "GENERATION" else index
            del owner.attrs[name]
            owner.attrs[name] = value


@hostile({"attribute-size=16MiB": "limit of 16777216 bytes"})
def token_of_many_numbers(path):
    "SOURCE_GENERATION is an array of 17 MiB."
    indexed(path, SOURCE_GENERATION=np.zeros(17 << 17, "u8"))


@hostile({"": r"compound \{a: uint64, b: uint64\}.*variable-length string"})
def tokens_of_other_classes(path):
    "Tokens that are a compound, and a string of variable length of a megabyte."
    indexed(path, GENERATION=np.zeros((), [("a", "u8"), ("b", "u8")]), SOURCE_NROWS="4" * 1_000_000)


@hostile({"": "NULLPAD"})
def generation_twice(path):
    "A damaged header holds GENERATION twice; the rest of the table is judged all the same."
    file, group = table(path)
    group.create_dataset("x", (4,), "i4", fillvalue=-1)
    for name, value in (("GENERATION", 3), ("GENERATIOM", 4)):
        group.attrs.create(name, np.uint64(value))
    file.close()

    def rename(content):
        at = content.find(b"GENERATIOM")
        assert at >= 0, "the attribute is not in the header"
        content[at:at + 10] = b"GENERATION"

    patch(path, rename)
