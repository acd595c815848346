"""III.G of the File Format Specification: ids, statistics and objects of fractal heaps."""

from generators.hdf5 import *



def dangling(base):
    """The same, with what is said about the soft links in it."""
    return reports("h5-risk-soft-link-dangling")(lambda: base())


dense, dense_with_rows, dense_deep = map(dangling, (dense, dense_with_rows, dense_deep))
STATISTICS = ["h5-fractal-heap-managed-size", "h5-fractal-heap-allocated", "h5-fractal-heap-iterator",
              "h5-fractal-heap-object-count", "h5-fractal-heap-free", "h5-fractal-heap-tiny-statistics"]


@reports("h5-links-storage-as-phase")
def nothing():
    return File(Group(links={}, storage=dense_links()))


@valid("h5-fractal-heap-objects-apart", base=dense_with_rows, keeps=STATISTICS + [
    "h5-fractal-heap-id-length", "h5-fractal-heap-max-managed", "h5-fractal-heap-starting-rows",
    "h5-fractal-heap-flags-reserved", "h5-fractal-heap-id-reserved", "h5-fractal-heap-empty",
    "h5-fractal-heap-huge-tree", "h5-fractal-heap-huge-statistics"])
def two_rows(f):
    "Forty links in a heap of two rows."


@valid("h5-fractal-heap-holes-allowed", base=dense_deep, keeps=STATISTICS)
def empty_places(f):
    "Places of the table are empty before others that are not."


@valid("h5-fractal-heap-unlisted-bytes-any", base=dense)
def bytes_of_removed_links(f):
    "The free bytes of a block are not zero."
    f["FHDB"]["free"] = b"\x5a" * len(f["FHDB"]["free"])


for value in (4, 0x80):
    changed("h5-fractal-heap-flags-reserved", f"bit-{value}", f"The flags of a heap have the bit {value:#x}.",
            {"FRHP: flags": value | 2}, base=dense)
for value in (4, 6, 65535):
    changed("h5-fractal-heap-id-length", f"{value}", f"The ids of a heap of links have {value} bytes.",
            {"FRHP: id length": value}, base=dense, less=dense.reports)
changed("h5-fractal-heap-max-managed", "zero", "Managed objects have 0 bytes at most.",
        {"FRHP: max managed": 0}, base=nothing)
changed("h5-fractal-heap-max-managed", "as-the-block", "Managed objects may be as large as a block.",
        {"FRHP: max managed": 512}, base=dense)
changed("h5-fractal-heap-starting-rows", "60", "A root begins with 60 rows.", {"FRHP: start rows": 60},
        base=dense)
changed("h5-fractal-heap-starting-rows", "0", "A root begins with all its rows, and has two.",
        {"FRHP: start rows": 0}, base=dense_with_rows)


@valid("h5-fractal-heap-empty", base=nothing)
def without_blocks(f):
    "A heap without blocks."


changed("h5-fractal-heap-empty", "objects", "A heap without blocks states five objects.",
        {"FRHP: objects": 5}, base=nothing)
changed("h5-fractal-heap-empty", "rows", "A heap without blocks has two rows.", {"FRHP: rows": 2},
        base=nothing)
changed("h5-fractal-heap-empty", "managed", "A heap with a block has no managed space.",
        {"FRHP: managed": 0}, base=dense)

for clause, field in (("managed-size", "managed"), ("allocated", "allocated"), ("object-count", "objects")):
    changed(f"h5-fractal-heap-{clause}", "twice", f"The header states twice as much: {field}.",
            {f"FRHP: {field}": lambda f, field=field: 2 * f["FRHP"][field]}, base=dense_with_rows)
changed("h5-fractal-heap-allocated", "zero", "The header states no allocated space.",
        {"FRHP: allocated": 0}, base=dense)
changed("h5-fractal-heap-object-count", "zero", "The header states no managed objects.",
        {"FRHP: objects": 0}, base=dense)
changed("h5-fractal-heap-iterator", "17", "The next block is to begin at 17.", {"FRHP: iterator": 17},
        base=dense_with_rows)
changed("h5-fractal-heap-iterator", "zero", "The next block is to begin at 0, where one is.",
        {"FRHP: iterator": 0}, base=dense_with_rows)
changed("h5-fractal-heap-iterator", "past", "The next block is to begin past the managed space.",
        {"FRHP: iterator": lambda f: f["FRHP"]["managed"] + 512}, base=dense_with_rows)
for slug, value in (("zero", 0), ("large", 1 << 63)):
    changed("h5-fractal-heap-free", slug, f"The header states {value} free bytes.", {"FRHP: free": value},
            base=dense)
changed("h5-fractal-heap-tiny-statistics", "3", "The header states three tiny objects; there are none.",
        {"FRHP: tiny objects": 3}, base=dense)
changed("h5-fractal-heap-huge-tree", "undefined", "Two huge objects without a tree.",
        {"FRHP: huge objects": 2}, base=dense)
changed("h5-fractal-heap-huge-tree", "bytes", "Seven bytes of huge objects, of which there are none.",
        {"FRHP: huge bytes": 7}, base=dense)
changed("h5-fractal-heap-id-reserved", "5", "The first byte of a managed id is 5.",
        {"BTLF: record 3.id.kind": 5}, base=dense)


@invalid("h5-fractal-heap-objects-apart", base=dense, less=dense.reports)
def into_the_neighbour(f):
    "The offset of an id leads three bytes further, into the next object."
    f["BTLF"]["record 2.id.offset"] = f["BTLF"]["record 2.id.offset"] + 3
