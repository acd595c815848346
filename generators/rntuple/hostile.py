"""Malicious files: see generators/hostile.py. The expected reports are given as ids of clauses, or as text about
what was left out."""

from generators.hostile import collector
from generators.rntuple import *

HOSTILE = []
file = collector(HOSTILE, ".root")
LEFT_OUT = "limits? of memory or time|exceeds the limit"


def written(made, path):
    path.write_bytes(made.bytes())


def zeros(count):
    """A Zstandard frame of a repeated byte: blocks of 128 KiB that take 4 bytes each."""
    made = b"\x28\xb5\x2f\xfd\xa0" + count.to_bytes(4, "little")
    while count:
        size = min(count, 128 << 10)
        count -= size
        made += (size << 3 | 2 | (count == 0)).to_bytes(3, "little") + b"\0"
    return made


# --- Bombs ----------------------------------------------------------------------------------------

def bomb(elements, pages=1):
    """Pages of int64 zeros, each of chunks that claim 16 MiB."""
    made = base_of(("x", "std::int64_t", [[0]]))()
    most = (1 << 24) - 1
    length = 8 * elements
    whole = chunk(b"ZS\x01", zeros(most), most)
    rest = chunk(b"ZS\x01", zeros(length % most), length % most) if length % most else b""
    first = made.ntuple.page("x")
    first.stored, first.plain = whole * (length // most) + rest, b""
    first.count = elements
    chunks = made.ntuple.chunk("x")
    for _ in range(pages - 1):
        other = Page([0])
        other.same, other.count = first, elements
        chunks.pages.append(other)
    chunks.settings = 505
    made.ntuple.clusters[0].entries = elements * pages
    return made


@file({"": LEFT_OUT, "chunk-size=1MiB": LEFT_OUT})
def sixteen_gibibytes(path):
    "A page of 2^31-1 elements of 8 bytes in chunks that claim 16 MiB each."
    written(bomb((1 << 31) - 1), path)


@file({"": "rntuple-column-element-count"})
def many_names_of_one_range(path):
    "A thousand pages that share the bytes of one, which says more elements than there are."
    made = bomb(1 << 20, pages=1000)
    made.ntuple.clusters[0].entries -= 1
    written(made, path)


@file({"": "rntuple-block-uncompressed-size"})
def chunk_of_nothing(path):
    "Nine bytes that claim 16 MiB."
    made = ints()
    page = made.ntuple.page("x")
    page.codec = lambda plain: chunk(b"ZS\x01", b"", (1 << 24) - 1)
    written(made, path)


@file({"": "rntuple-block-uncompressed-size|rntuple-envelope"})
def header_of_2_to_48(path):
    "The anchor claims a header of 2^48 bytes."
    made = zlib_ints()
    made.ntuple.anchor = {"header length": (1 << 48) - 1}
    written(made, path)


# --- Counts and sizes -----------------------------------------------------------------------------

@file({"": "rntuple-list-items-inside"})
def four_billion_fields(path):
    "A list of 4294967295 fields in 12 bytes."
    made = ints()
    made.ntuple.edit["header"] = lambda parts: parts.__setitem__(4, u64(-12) + u32(0xFFFFFFFF))
    written(made, path)


@file({"": "rntuple-frame-minimum-size"})
def lowest_frame(path):
    "A frame of -2^63 bytes."
    made = ints()
    made.ntuple.edit["footer"] = lambda parts: parts.__setitem__(2, u64(1 << 63))
    written(made, path)


@file({"": "rntuple-string-inside"})
def four_gigabyte_name(path):
    "A name of 4294967295 bytes."
    made = ints()
    made.ntuple.edit["header"] = lambda parts: parts.__setitem__(1, u32(0xFFFFFFFF))
    written(made, path)


@file({"": "rntuple-root-keys-list"})
def four_billion_keys(path):
    "A directory that claims 4294967295 keys."
    made = ints()
    made.top.list_changes = {"count": 0xFFFFFFFF}
    written(made, path)


@file({"": "rntuple-locator-in-file"})
def wraps_around(path):
    "A page whose offset and size add up to 3, in 64 bits."
    made = ints()
    made.ntuple.page("x").offset = (1 << 64) - 9
    written(made, path)


# --- Trees ----------------------------------------------------------------------------------------

@file({"": "rntuple-field-parents-acyclic"})
def long_cycle(path):
    "Two thousand fields in a circle."
    made = base_of()()
    fields = [Field(f"f{i}", "Class", RECORD, (i + 1) % 2000) for i in range(2000)]
    made.ntuple.fields = fields
    written(made, path)


@file({"": "rntuple-column-element-count"})
def arrays_that_multiply(path):
    "Arrays of 2^62 elements in arrays of 2^62 elements over one value."
    made = base_of(("a", "std::array<std::array<float,1>,1>", [[[[1.0]]]]))()
    for field in made.ntuple.fields[:2]:
        field.size = 1 << 62
    made.ntuple.fields[0].type = f"std::array<std::array<float,{1 << 62}>,{1 << 62}>"
    made.ntuple.fields[1].type = f"std::array<float,{1 << 62}>"
    written(made, path)


@file({"": "rntuple-element-offset"})
def directory_in_itself(path):
    "Directories that contain each other, beside a broken RNTuple."
    made = ints()
    made.ntuple.chunk("x").offset = 5

    def itself(file):
        key = Key("TDirectory", "again")
        key.seek = 100
        key.changes = {"keylen": lambda key: file.top.name_bytes}
        return key
    made.top.listed.append(itself)
    written(made, path)
