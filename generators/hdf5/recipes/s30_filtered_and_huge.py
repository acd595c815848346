"""III.G of the File Format Specification: heaps with filters, and objects that are huge or tiny."""

from generators.hdf5 import *
from generators.hdf5.library import Library, filtered_heaps, huge_objects

from .s23_fractal_heap_further import STATISTICS

DEFLATE, WITH_SUM = [gzip()], [gzip(), with_fletcher32()]
NAMES = [f"n{i}" for i in range(60)]


def of_links(count, w=Widths(), **heap):
    """A root group with dense soft links to itself."""
    return lambda: File(Group(links={name: soft(b"/") for name in NAMES[:count]}, storage=dense_links(**heap)), w=w)


def of_attributes(sizes, w=Widths(), **heap):
    """A root group with dense attributes of these numbers of bytes, whose names are in one leaf."""
    storage = Dense(Heap(id_length=8, bits=40, **heap), Tree(node_size=512))
    return lambda: File(Group(attributes=[
        Attribute(b"a%d\0" % i, U8, (size,), bytes([i]) * size) for i, size in enumerate(sizes)],
        dense=storage), w=w)


# Filters ------------------------------------------------------------------------------------------

FILTERED = ["h5-fractal-heap-filter-information", "h5-fractal-heap-filtered-size",
            "h5-fractal-heap-filtered-mask", "h5-fractal-heap-filtered-decodes"]
single, rows = of_links(10, filters=DEFLATE), of_links(60, filters=DEFLATE)
summed = of_links(10, filters=[with_fletcher32()])
nothing = reports("h5-links-storage-as-phase")(of_links(0, filters=DEFLATE))


@valid("h5-fractal-heap-filtered-decodes", base=single, keeps=FILTERED + STATISTICS)
def one_block(f):
    "Ten links in a block that is deflated."


@valid("h5-fractal-heap-filtered-size", base=rows, keeps=FILTERED + STATISTICS)
def two_rows(f):
    "Sixty links in deflated blocks of two rows; a place of the second row is empty."


@valid("h5-fractal-heap-filtered-size", base=of_links(20, filters=DEFLATE, holes={5: 300, 10: 1500, 15: 2000}),
       keeps=FILTERED)
def block_in_block(f):
    "Deflated blocks below an indirect block, whose place in the block above has no size."


@valid("h5-fractal-heap-filtered-size", base=nothing)
def without_blocks(f):
    "A heap with filters and without blocks."


@valid("h5-fractal-heap-filter-information", base=of_links(40, filters=[shuffle(4), gzip(9), with_fletcher32()]),
       keeps=FILTERED)
def shuffled(f):
    "Blocks that are shuffled, deflated and have a Fletcher-32 checksum."


@valid("h5-fractal-heap-filter-information", base=of_links(10, filters=WITH_SUM, filters_version=1))
def of_version_1(f):
    "A filter pipeline message of version 1."


@valid("h5-fractal-heap-filtered-mask", base=of_links(10, filters=WITH_SUM, mask=1), keeps=FILTERED)
def the_first_was_skipped(f):
    "A block with a checksum that was not deflated: the mask is 1."


@valid("h5-fractal-heap-filtered-mask", base=of_links(40, filters=WITH_SUM, mask=3), keeps=FILTERED)
def both_were_skipped(f):
    "Blocks that no filter was applied to: the mask is 3."


@valid("h5-fractal-heap-filtered-decodes", base=of_attributes([20] * 30, filters=DEFLATE), keeps=FILTERED)
def attributes_(f):
    "Thirty attributes in deflated blocks."


for number, more in ((32015, ()), (307, ()), (40000, ["h5-risk-filter-private"])):
    invalid("h5-risk-filter-plugin", f"of-a-heap-{number}", f"A heap whose blocks need the filter {number}.",
            base=of_links(10, filters=[Filter(number, flags=1)]), outcome="unchecked",
            informs={"h5-risk-filter-plugin", "h5-risk-profile", *more},
            unchecked=["h5-fractal-heap-filtered-decodes"])(lambda f: None)


@invalid("h5-fractal-heap-filter-information", base=single)
def one_byte_more(f):
    "The filter information has a byte after its last filter."
    header = f["FRHP"]
    header["filter length"] += 1
    header["filters"] = Struct(("message", header["filters"]), ("more", bytes(1)))


@invalid("h5-fractal-heap-filter-information", base=rows)
def one_filter_more(f):
    "The filter information has eight bytes after its only filter, those of another one."
    header = f["FRHP"]
    header["filter length"] += 8
    header["filters"] = Struct(("message", header["filters"]), ("more", bytes([3, *bytes(7)])))


changed("swmr-filters-version", "of-a-heap", "The filter pipeline of a heap has version 3.",
        {"FRHP: filters.version": 3}, base=single, since="hdf5-file-format-4.0")
changed("swmr-filters-fit", "of-a-heap", "The filter pipeline of a heap states two filters; one is there.",
        {"FRHP: filters.count": 2}, base=single, since="hdf5-file-format-4.0")

changed("h5-fractal-heap-filtered-decodes", "mask-of-all", "The mask of a deflated block has all bits.",
        {"FRHP: root mask": 0xFFFFFFFF}, base=single)
changed("h5-fractal-heap-empty", "no-root-with-filters", "The root block of a heap with filters is undefined.",
        {"FRHP: root": None}, base=single, fails={"h5-fractal-heap-empty"})
changed("h5-fractal-heap-filtered-size", "root-0", "The only block has the stored size 0.",
        {"FRHP: root size": 0}, base=single)
changed("h5-fractal-heap-filtered-size", "no-root", "A heap without blocks states that one has 5 bytes.",
        {"FRHP: root size": 5}, base=nothing)
changed("h5-fractal-heap-filtered-size", "child-0", "The second block has the stored size 0.",
        {"FHIB: child 1 size": 0}, base=rows)
changed("h5-fractal-heap-filtered-size", "no-child", "A place without a block has the stored size 5.",
        {"FHIB: child 3 size": 5}, base=rows)
changed("h5-fractal-heap-filtered-mask", "root", "The mask of the only block has bit 4; there is one filter.",
        {"FRHP: root mask": 0x10}, base=single)
changed("h5-fractal-heap-filtered-mask", "child", "The mask of a block has bit 1; there is one filter.",
        {"FHIB: child 1 mask": 2}, base=rows)


def stored(slug, shows, base, change, block="FHDB /"):
    """A broken file: the stored bytes of a block are others."""
    @invalid("h5-fractal-heap-filtered-decodes", slug, shows, base=base)
    def mutate(f):
        f[block].changed = change


stored("byte", "A byte of a deflated block was changed.", single,
       lambda stored: stored[:8] + bytes([stored[8] ^ 0xff]) + stored[9:])
stored("checksum", "A byte of a block with a Fletcher-32 checksum was changed.", summed,
       lambda stored: stored[:50] + bytes([stored[50] ^ 1]) + stored[51:])
stored("three-bytes", "A block with a Fletcher-32 checksum is stored in three bytes.", summed,
       lambda stored: stored[:3])
stored("cut", "The last four bytes of a block are missing.", rows, lambda stored: stored[:-4], "FHDB / 1")
stored("one-byte-less", "A block decodes to one byte less.", single,
       lambda stored: encoded(bytes(255), DEFLATE, 0, 1))
stored("one-byte-more", "A block decodes to one byte more.", summed,
       lambda stored: encoded(stored[:-4] + b"\0", [with_fletcher32()], 0, 1))
stored("deflated-too-much", "A block of 256 bytes inflates to 4,096.", rows,
       lambda stored: encoded(bytes(4096), DEFLATE, 0, 1), "FHDB / 0")
changed("h5-fractal-heap-filtered-decodes", "size", "The stored size of a block is four bytes too small.",
        {"FHIB: child 1 size": lambda f: len(f.bytes_of(f["FHDB / 1"])) - 4}, base=rows)


# Tiny objects -------------------------------------------------------------------------------------

def tiny():
    """Nine hard links of six bytes, which their ids contain."""
    return File(Group(header=Header(count=10), links={}, storage=dense_links(tiny=range(9))), w=Widths(2, 4))


def with_links(f):
    f.root.links = {name: f.root for name in "abcdefghi"}
    return f


tiny_links = reports("h5-risk-group-cycle")(lambda: with_links(tiny()))


@valid("h5-fractal-heap-tiny-id", base=tiny_links, keeps=["h5-fractal-heap-tiny-statistics",
                                                          "h5-fractal-heap-empty"])
def of_six_bytes(f):
    "Hard links of six bytes, as many as an id of seven contains, where addresses have two bytes."


for size in (7, 16):
    changed("h5-fractal-heap-tiny-id", f"{size}", f"A tiny object of {size} bytes in an id of seven.",
            {"BTLF: record 3.id.kind": 0x20 | size - 1}, base=tiny_links)


# Huge objects -------------------------------------------------------------------------------------

HUGE = [f"h5-fractal-heap-huge-{word}" for word in (
    "btree-type", "btree-record-size", "order", "statistics", "inside-file", "id", "large", "tree")]
SIZES = [20, 300, 20, 400, 500] + [20] * 5
indirect, filtered = of_attributes(SIZES), of_attributes(SIZES, filters=DEFLATE)
# Ids of eight bytes contain address and length of two and four.
direct = of_attributes(SIZES, w=Widths(2, 4))
TREE, RECORDS, INDEX = "BTHD /@ huge", "BTLF /@ huge", "BTLF /@"


@valid("h5-fractal-heap-huge-id", base=indirect, keeps=HUGE + ["h5-fractal-heap-huge-next-id"])
def indirect_(f):
    "Three huge objects, to which ids lead by a tree."


@valid("h5-fractal-heap-huge-statistics", base=filtered,
       keeps=HUGE + FILTERED + ["h5-fractal-heap-huge-next-id"])
def filtered_(f):
    "Three huge objects that are deflated."


@valid("h5-fractal-heap-huge-btree-type", base=direct, keeps=HUGE)
def direct_(f):
    "Three huge objects whose ids state address and length."


@valid("h5-fractal-heap-huge-large", base=of_attributes([221] * 6), keeps=HUGE)
def one_byte_longer(f):
    "Objects of 257 bytes, where managed ones have 256 at most."


@valid("h5-fractal-heap-huge-next-id", base=indirect)
def larger(f):
    "The next id is larger, since an object was removed."
    f["FRHP"]["next huge"] = 7


@valid("h5-fractal-heap-huge-next-id", base=indirect, slug="wrapped")
def used_again(f):
    "The ids of huge objects are used again; the next one is any."
    f["FRHP"]["flags"] = 3
    f["FRHP"]["next huge"] = 0


for kind, base, slug in ((3, indirect, "3-of-indirect-ids"), (1, filtered, "1-with-filters"),
                         (1, direct, "1-of-direct-ids"), (2, indirect, "2-without-filters")):
    changed("h5-fractal-heap-huge-btree-type", slug, f"The tree of huge objects has type {kind}.",
            {f"{TREE}: type": kind}, base=base)
for size, base in ((32, indirect), (24, filtered), (10, direct)):
    changed("h5-fractal-heap-huge-btree-record-size", f"{size}",
            f"The records of the tree of huge objects have {size} bytes.", {f"{TREE}: record size": size},
            base=base)
for base, word in ((indirect, "ids"), (direct, "addresses")):
    @invalid("h5-fractal-heap-huge-order", f"exchanged-{word}", f"Two records are exchanged: {word} descend.",
             base=base)
    def exchanged(f):
        f[RECORDS].exchange("record 0", "record 1")


changed("h5-fractal-heap-huge-order", "id-twice", "Two records have the id 2.", {f"{RECORDS}: record 2.id": 2},
        base=indirect)


@invalid("h5-fractal-heap-huge-order", base=direct)
def object_twice(f):
    "Two records are of one object."
    f[RECORDS]["record 2"] = Struct(("address", f[RECORDS]["record 1.address"], 2),
                                    ("length", f[RECORDS]["record 1.length"], 4))


changed("h5-fractal-heap-huge-statistics", "number", "The header states two huge objects; there are three.",
        {"FRHP: huge objects": 2}, base=indirect)
changed("h5-fractal-heap-huge-statistics", "bytes", "The header states one byte more of huge objects.",
        {"FRHP: huge bytes": lambda f: f["FRHP"]["huge bytes"] + 1}, base=direct)
changed("h5-fractal-heap-huge-statistics", "stored-sizes", "The header sums up the sizes of the deflated objects.",
        {"FRHP: huge bytes": lambda f: sum(len(f.bytes_of(f[f"huge /@ {i}"])) for i in range(3))}, base=filtered)
for slug, field, value, base in (
        ("length", "length", 1 << 40, indirect), ("address", "address", 1 << 62, indirect),
        ("undefined", "address", None, indirect), ("nothing", "length", 0, indirect),
        ("nothing-deflated", "length", 0, filtered)):
    changed("h5-fractal-heap-huge-inside-file", slug, "The record of a huge object leads out of the file.",
            {f"{RECORDS}: record 2.{field}": value}, base=base)


@invalid("h5-fractal-heap-huge-inside-file", base=indirect)
def one_byte_too_long(f):
    "The last huge object ends one byte after the end of the file."
    f.image.arrange()
    last = f["huge /@ 2"]
    f[RECORDS]["record 2.length"] = f.image.end - last.address + 1


def index_of(f, number):
    """The record of attribute `number` in the index of names."""
    name = lookup3(b"a%d" % number)
    return next(path.removesuffix(".hash") for path in f[INDEX].paths()
                if path.endswith(".hash") and f[INDEX][path] == name)


for key in (9, 0):
    @invalid("h5-fractal-heap-huge-id", f"{key}", f"An id of the huge object {key}, which does not exist.",
             base=indirect)
    def of_nothing(f, key=key):
        f[INDEX][f"{index_of(f, 3)}.id.key"] = key
for field in ("address", "length"):
    @invalid("h5-fractal-heap-huge-id", f"direct-{field}", f"The {field} in an id is not that of the tree.",
             base=direct)
    def of_another(f, field=field):
        f.image.arrange()
        at = f"{index_of(f, 3)}.id.{field}"
        f[INDEX][at] = f["huge /@ 1"].address + 1 if field == "address" else f[INDEX][at] - 1


@invalid("h5-fractal-heap-huge-large", base=of_attributes([64] * 6, huge=[4]))
def of_100_bytes(f):
    "An object of 100 bytes is stored as a huge one."


@invalid("h5-fractal-heap-huge-large", base=of_attributes([220] * 6, huge=[4], filters=DEFLATE))
def as_long_as_a_managed_one(f):
    "A huge object of 256 bytes; managed ones have 256 at most."


changed("h5-fractal-heap-huge-next-id", "1", "The next id is 1; ids up to 3 are in use.", {"FRHP: next huge": 1},
        base=indirect)


@invalid("h5-fractal-heap-huge-next-id", base=indirect)
def id_0(f):
    "A huge object has the id 0."
    f[RECORDS]["record 0.id"] = 0
    f[INDEX][f"{index_of(f, 1)}.id.key"] = 0


@invalid("h5-fractal-heap-huge-next-id", base=indirect)
def id_of_eight_bytes(f):
    "The id of a huge object, which nothing refers to, does not fit into the seven bytes of an id."
    f[RECORDS]["record 2.id"] = f["FRHP"]["next huge"] = 1 << 56
    leaf, gone = f[INDEX], index_of(f, 4)
    del leaf[gone]
    leaf["behind"] = leaf["behind"] + bytes(17)
    f["BTHD /@"]["root records"] = f["BTHD /@"]["total"] = len(SIZES) - 1


@invalid("h5-fractal-heap-filtered-mask", base=filtered)
def huge(f):
    "The mask of a huge object has bit 4; there is one filter."
    f[RECORDS]["record 1.mask"] = 0x10


@invalid("h5-fractal-heap-filtered-decodes", base=filtered)
def huge_memory(f):
    "A huge object decodes to one byte less than its record states."
    f[RECORDS]["record 1.memory"] += 1


stored("huge-byte", "A byte of a huge object that is deflated was changed.", filtered,
       lambda stored: stored[:10] + bytes([stored[10] ^ 0xff]) + stored[11:], "huge /@ 1")


# As the library writes them ------------------------------------------------------------------------

MANAGER = ["h5-fractal-heap-manager", "h5-free-space-heap-single", "h5-free-space-heap-complete",
           "h5-free-space-unstored", "h5-free-space-total"]


@valid("h5-fractal-heap-filter-information", "library-latest", base=lambda: Library("latest"),
       keeps=FILTERED + STATISTICS + MANAGER)
def library_filtered(f):
    "Groups in heaps that are deflated, one of them with checksums; some of their links were removed."
    f.fill = filtered_heaps


@valid("h5-fractal-heap-huge-btree-type", "library-latest", base=lambda: Library("latest"),
       keeps=HUGE + FILTERED + MANAGER + ["h5-fractal-heap-huge-next-id"])
def library_huge(f):
    "Attributes and links that are too long for the blocks of a heap, with and without filters."
    f.fill = huge_objects
