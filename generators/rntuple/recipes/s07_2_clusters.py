"""7.2 to 7.4: footer, cluster groups, page lists, metadata; 9: limits."""

from generators.rntuple import *


def edit(name, change):
    return lambda file: put(file.ntuple, edit={name: change})


def regroup(file):
    ntuple = file.ntuple
    if ntuple.groups is None:
        ntuple.groups = [Group(ntuple.clusters)]
    return ntuple.groups


# 7.2 ----------------------------------------------------------------------------------------------

ELEMENTS, SUM, LINKS = ("rntuple-footer-elements", "rntuple-footer-header-checksum",
                        "rntuple-footer-metadata-list")
good(ELEMENTS, "empty-lists", "A footer whose lists are all empty.", base=base_of(),
     keeps=[SUM, LINKS, "rntuple-schema-extension-lists", "rntuple-column-groups-only-sharded"])
bad(ELEMENTS, "extension", "The footer ends after the schema extension.", change=edit("footer", lambda parts: parts[:3]))
bad(ELEMENTS, "column-groups", "The footer ends after the column groups.", change=edit("footer", lambda parts: parts[:4]))
bad(ELEMENTS, "checksum", "The footer ends after the header checksum.", change=edit("footer", lambda parts: parts[:2]))
bad(ELEMENTS, "flags", "The footer ends after the feature flags.", change=edit("footer", lambda parts: parts[:1]))
bad(SUM, "zero", "The header checksum is 0.", change=edit("footer", lambda parts: parts.__setitem__(1, bytes(8))))
bad(SUM, "another", "The checksum of another header.", change=edit("footer", lambda parts: parts.__setitem__(1, u64(xxh3(b"other")))))
bad(LINKS, "missing", "The footer ends after the cluster groups in class version 4.",
    change=lambda file: put(file.ntuple, metadata_list=False))
bad("rntuple-dialect-no-metadata-list", "version-6", "The same in class version 6.", base=later,
    change=lambda file: put(file.ntuple, metadata_list=False))
LISTS_OF = "rntuple-schema-extension-lists"
good("rntuple-schema-extension-empty", "record-of-8", "A record of 8 bytes.", keeps=[LISTS_OF])
good(LISTS_OF, "four-empty-lists", "A record with four empty lists.",
     change=lambda file: put(file.ntuple, extension="lists"))
for count in (1, 2, 3):
    bad(LISTS_OF, f"{count}-lists", f"A schema extension with {count} lists.",
        change=edit("footer", lambda parts, count=count: parts.__setitem__(2, record(*[listed([])] * count))))
CONTINUES = "rntuple-schema-extension-continues"
bad(CONTINUES, "parent", "The parent of an extension field is none of the fields.", base=extended,
    alias="rntuple-field-parent-exists", change=lambda file: put(file.ntuple.find("y"), parent=3))
bad(CONTINUES, "field", "The field of an extension column is none of the fields.", base=extended,
    alias="rntuple-column-field-exists", change=lambda file: put(file.ntuple.column("y"), field=3))

# 7.2.2, 7.3.1: sharded clusters -------------------------------------------------------------------

ONLY, IDS, UNIQUE, SHARD = ("rntuple-column-groups-only-sharded", "rntuple-column-group-ids",
                            "rntuple-column-group-unique-ids", "rntuple-sharded-cluster-group")
good("rntuple-sharded-clusters", "two-groups", "Two sharded clusters over the same entries.", base=sharded,
     keeps=[ONLY, IDS, UNIQUE, SHARD, "rntuple-cluster-flags-defined", "rntuple-cluster-group-entry-span"])
bad(ONLY, "one-group", "A column group, and no sharded cluster.", change=lambda file: put(file.ntuple, column_groups=[[0]]))


def groups_of(*ids):
    return edit("footer", lambda parts: parts.__setitem__(3, listed(
        record(listed(u32(each) for each in group)) for group in ids)))


bad(IDS, "number-of-columns", "The id is the number of columns.", base=sharded,
    change=lambda file: put(file.ntuple, column_groups=[[0], [1], [2]]))
bad("rntuple-alias-ids-after-physical", "in-a-column-group", "A column group with the id that an alias would have.",
    base=sharded, alias=IDS, change=lambda file: put(file.ntuple, column_groups=[[0], [1], [2, 0]]))
bad(UNIQUE, "twice", "A column group with an id twice.", base=sharded,
    change=lambda file: put(file.ntuple, column_groups=[[0], [1], [0, 0]]))
bad(SHARD, "third-of-two", "Column group 3 of 2.", base=sharded,
    change=lambda file: put(file.ntuple.clusters[1], group=3, order=[file.ntuple.columns[1]]))
bad(SHARD, "no-groups", "A sharded cluster, and no column groups.",
    change=lambda file: put(file.ntuple.clusters[0], group=0))
FLAGS = "rntuple-cluster-flags-defined"
for flags in (2, 8, 15):
    bad(FLAGS, f"flags-{flags:#x}", f"Flags {flags:#x}.", change=lambda file, flags=flags: put(
        file.ntuple.clusters[0], flags=flags) or (flags & 1 and put(file.ntuple.clusters[0], group=None)))

# 7.2.3 --------------------------------------------------------------------------------------------

MINIMUM, SPAN, COUNT, PARTITION = ("rntuple-cluster-group-minimum-entry", "rntuple-cluster-group-entry-span",
                                   "rntuple-cluster-group-clusters", "rntuple-clusters-partition-entries")
good(MINIMUM, "second-group", "The second group begins at entry 5.", base=grouped, keeps=[SPAN, COUNT, PARTITION])
bad(MINIMUM, "zero", "The second group says 0.", base=grouped, change=lambda file: put(file.ntuple.groups[1], first=0))
bad(MINIMUM, "last-cluster", "The first entry of the last cluster.", base=grouped,
    change=lambda file: put(file.ntuple.groups[0], first=3))
good(SPAN, "one-group", "The span of all clusters.", base=clusters)
bad(SPAN, "one-too-small", "The span is too small by 1.", base=grouped, change=lambda file: put(file.ntuple.groups[0], span=4))
bad(SPAN, "whole-data-set", "The span of the whole data set.", base=grouped, change=lambda file: put(file.ntuple.groups[0], span=6))
bad(SPAN, "sum-of-shards", "The sum of the entries of sharded clusters.", base=sharded,
    change=lambda file: put(regroup(file)[0], span=6))
bad(COUNT, "two-of-three", "2 clusters for three summaries.", base=clusters, change=lambda file: put(regroup(file)[0], count=2))
bad(COUNT, "none", "0 clusters for one summary.", change=lambda file: put(regroup(file)[0], count=0))


def entries(*firsts):
    def change(file):
        for cluster, first in zip(file.ntuple.clusters, firsts):
            cluster.first = first
    return change


good(PARTITION, "groups-backwards", "The second group is listed first.",
     base=base_of(("x", "std::int32_t", [[1, 2], [3]])),
     change=lambda file: (put(file.ntuple.clusters[0], first=1, entries=2), put(file.ntuple.clusters[1], first=0)))
bad(PARTITION, "gap", "The second cluster begins one entry late.", base=clusters, change=entries(0, 4, 6))
bad(PARTITION, "overlap", "Two clusters cover the same entry.", base=clusters, change=entries(0, 2, 4))
bad(PARTITION, "begins-at-one", "The first cluster begins at entry 1.", base=clusters, change=entries(1, 4, 6))
bad(PARTITION, "shards-overlap", "Two clusters hold the same column of the same entries.", base=sharded,
    change=lambda file: shared_column(file))


def sharded_twice():
    """Sharded clusters over the first three entries, and over the two behind them."""
    file = base_of(("x", "std::int32_t", [[1, 2, 3], [4, 5]]), ("y", "double", [[0.5, 1.5, 2.5], [3.5, 4.5]]))()
    ntuple = file.ntuple
    x, y = ntuple.columns
    firsts, ntuple.clusters = ntuple.clusters, []
    for at, first in zip((0, 3), firsts):
        second = Cluster(first.entries)
        second.chunks = {y: first.chunks.pop(y)}
        first.group, second.group, first.first, second.first = 0, 1, at, at
        ntuple.clusters += [first, second]
    ntuple.column_groups = [[0], [1]]
    return file


sharded_twice.suffix = RootFile.suffix
good(PARTITION, "shards-behind-shards", "Sharded clusters begin where others of the same columns end.", base=sharded_twice)


def shared_column(file):
    ntuple = file.ntuple
    x, y = ntuple.columns
    ntuple.column_groups = [[0], [1, 0]]
    ntuple.clusters[1].chunks = {**ntuple.clusters[1].chunks, x: Chunk([Page([1, 2, 3])])}


good("rntuple-no-cluster-groups", "none", "No cluster groups.", base=base_of(), keeps=[PARTITION])
good("rntuple-empty-cluster", "no-entries", "A cluster without entries and pages.",
     base=base_of(("x", "std::int32_t", [[1], [], [2]])))

# 7.3 ----------------------------------------------------------------------------------------------

PARTS, HEADER, CLUSTERS, COLUMNS, TAIL = (
    "rntuple-page-list-elements", "rntuple-page-list-header-checksum", "rntuple-page-list-clusters",
    "rntuple-page-list-columns", "rntuple-page-list-tail")
good(PARTS, "all", "A page list of three clusters.", base=clusters,
     keeps=[HEADER, CLUSTERS, COLUMNS, TAIL, "rntuple-page-element-count", "rntuple-page-not-empty",
            "rntuple-element-offset", "rntuple-column-element-count", "rntuple-ranges-overlap",
            "rntuple-limit-entries", "rntuple-limit-elements", "rntuple-limit-page-bytes",
            "rntuple-dialect-short-column-list"])
bad(PARTS, "summaries", "The page list ends after the summaries.", change=edit("pagelist", lambda parts: parts[:2]))
bad(PARTS, "checksum", "The page list ends after the checksum.", change=edit("pagelist", lambda parts: parts[:1]))
bad(HEADER, "zero", "The header checksum is 0.", change=edit("pagelist", lambda parts: parts.__setitem__(0, bytes(8))))
bad(HEADER, "another", "The checksum of another header.",
    change=edit("pagelist", lambda parts: parts.__setitem__(0, u64(xxh3(b"other")))))
bad(CLUSTERS, "two-of-three", "Two items for three summaries.", base=clusters,
    change=edit("pagelist", lambda parts: parts[2].items.pop()))
bad(COLUMNS, "one-too-few", "One list too few.", base=two, change=edit("pagelist", lambda parts: parts[2].items[0].items.pop()))
bad(COLUMNS, "one-too-many", "One list too many.", base=two,
    change=edit("pagelist", lambda parts: parts[2].items[0].items.append(listed([]))))
bad(COLUMNS, "extension-with-elements", "The list of an extension column that has elements is missing.", base=extended,
    change=lambda file: put(file.ntuple.clusters[1], order=[file.ntuple.columns[0]]))
SHORT = "rntuple-dialect-short-column-list"


def late():
    """A column of the extension without elements in the first cluster."""
    ntuple = Ntuple()
    ntuple.field("x", "std::int32_t", [[1, 2], [3]])
    ntuple.field("y", "float", [[0.0, 0.0], [1.0]], extension=True, first=2)
    return RootFile(ntuple)


late.suffix = RootFile.suffix
good(SHORT, "all-listed", "All columns are listed.", base=late)
bad(SHORT, "before-the-extension", "The first cluster does not list the extension column.", base=late,
    change=lambda file: put(file.ntuple.clusters[0], order=[file.ntuple.columns[0]]))
bad(TAIL, "no-tail", "The list of a column ends with its last page.", base=ints,
    change=lambda file: put(file.ntuple.chunk("x"), tail=b""))
bad(TAIL, "offset-only", "It ends after the element offset.", change=lambda file: put(file.ntuple.chunk("x"), tail=bytes(8)))
NUMBER, EMPTY = "rntuple-page-element-count", "rntuple-page-not-empty"


@invalid(NUMBER)
def lowest(file):
    "A page of -2^31 elements."
    def change(parts):
        inner = parts[2].items[0].items[0]
        inner.items[0] = b"\0\0\0\x80" + inner.items[0][4:]
    put(file.ntuple, edit={"pagelist": change})


bad(EMPTY, "only-page", "A page of 0 elements and 0 bytes.", base=base_of(("x", "std::int32_t", [[]])),
    change=lambda file: put(file.ntuple.chunk("x"), pages=[Page([])]))
bad(EMPTY, "between", "A page of 0 elements between two others.",
    change=lambda file: put(file.ntuple.chunk("x"), pages=[Page([1]), Page([]), Page([2, 3])]))
ELEMENT_COUNT, OFFSET = "rntuple-column-element-count", "rntuple-element-offset"
good(ELEMENT_COUNT, "nested", "Lists of lists of strings over three clusters.",
     base=base_of(("v", "std::vector<std::vector<std::string>>", [[[["a", "bc"], []], []], [[["d"]]], [[]]])))
good(ELEMENT_COUNT, "bitset", "A bitset<42> of 3 entries.", base=bitsets)
bad(ELEMENT_COUNT, "dropped-page", "A page is missing.", change=lambda file: put(file.ntuple.chunk("x"), pages=[Page([1, 2])]))
bad(ELEMENT_COUNT, "member", "A column has one element less.", base=records,
    change=lambda file: put(file.ntuple.page("r", "id"), values=[2]))
bad(ELEMENT_COUNT, "last-offset", "The last offset is larger than the items by 1.", base=lists,
    change=lambda file: put(file.ntuple.page("v"), values=[1, 1, 4]))
bad(ELEMENT_COUNT, "characters", "A string has fewer characters than its last offset.", base=texts,
    change=lambda file: put(file.ntuple.page("s", number=1), values=b"abc"))
bad(ELEMENT_COUNT, "bitset-per-entry", "A bitset has one element for each entry.", base=bitsets,
    change=lambda file: put(file.ntuple.page("b"), values=[True] * 3))
bad(ELEMENT_COUNT, "array-per-entry", "An array has one element for each entry.", base=arrays,
    change=lambda file: put(file.ntuple.page("a", "_0"), values=[1.0, 2.0]))
bad(ELEMENT_COUNT, "first-cluster", "The first cluster lacks an element, and the offsets follow it.", base=clusters,
    change=lambda file: put(file.ntuple.page("x"), values=[1, 2]))
bad(ELEMENT_COUNT, "offsets-as-demanded", "The same with the offsets as demanded.", base=clusters,
    change=lambda file: (put(file.ntuple.page("x"), values=[1, 2]), put(file.ntuple.chunk("x", cluster=1), offset=3),
                         put(file.ntuple.chunk("x", cluster=2), offset=5)))
bad(ELEMENT_COUNT, "optional-mask", "A mask and one value less.", base=masks,
    change=lambda file: put(file.ntuple.page("o", "_0"), values=[1.0, 0.0]))
good(OFFSET, "three-clusters", "The offsets of three clusters.", base=clusters)
bad(OFFSET, "zero", "Offset 0 in the second cluster.", base=clusters,
    change=lambda file: (put(file.ntuple.chunk("x", cluster=1), offset=0), put(file.ntuple.chunk("x", cluster=2), offset=2)))
bad(OFFSET, "entry-number", "The entry number of a nested column.", base=clusters,
    change=lambda file: (put(file.ntuple.chunk("v", "_0", cluster=2), offset=5)))
bad(OFFSET, "one-too-large", "An offset that is too large by 1.", base=two, change=lambda file: put(file.ntuple.chunk("y"), offset=1))
bad("rntuple-page-length", "raw", "A raw page of 5 bytes for 42 bits.", alias="rntuple-block-chunk-header",
    base=base_of(("b", "std::bitset<42>", [[[True] * 42]])), change=lambda file: put(file.ntuple.page("b"), plain=bytes(5)))
bad("rntuple-page-length", "compressed", "A compressed page of 9 elements for 10.", base=base_of(("x", "std::int32_t", [[7] * 50]), settings=101),
    alias="rntuple-block-uncompressed-size", change=lambda file: put(file.ntuple.page("x"), plain=encode("Int32", [7] * 49)))
PAGE_SUM, STORED = "rntuple-page-checksum", "rntuple-dialect-page-checksum-stored"
good(PAGE_SUM, "raw", "A raw page with checksum.", base=checked, keeps=[STORED])
good(PAGE_SUM, "uncompressed", "The checksum of the uncompressed page.", base=checked_zlib, keeps=[STORED])
bad(PAGE_SUM, "flipped-bit", "A bit of the page is flipped.", base=checked,
    change=lambda file: file.after.append(lambda content: flip(content, file.ntuple.page("x").place)))


def flip(content, at):
    content[at] ^= 1


bad(PAGE_SUM, "compressed-bit", "A bit of a compressed page is flipped.", base=checked_zlib,
    change=lambda file: file.after.append(lambda content: flip(content, file.ntuple.page("x").place + 12)))
bad(PAGE_SUM, "big-endian", "The checksum is big-endian.", base=checked,
    change=lambda file: put(file.ntuple.page("x"), sum_change=lambda made: made[::-1]))
bad(PAGE_SUM, "counted", "The size of the locator counts the checksum.", base=checked,
    change=lambda file: put(file.ntuple.page("x"), size=20))
bad(PAGE_SUM, "next-page", "The checksum of another page.", base=checked,
    change=lambda file: put(file.ntuple.page("x"), sum_change=lambda made: u64(xxh3(b"another page"))))
bad(STORED, "zlib", "The checksum of the stored bytes of a compressed page.",
    base=base_of(("x", "std::int32_t", [[7] * 100]), settings=101, checksums=True))
good("rntuple-page-without-checksum", "second", "The first page has a checksum, the second has none.", base=checked,
     change=lambda file: (put(file.ntuple.chunk("x"), pages=[Page([1]), Page([2, 3])]),
                          put(file.ntuple.page("x", page=1), checksum=False)))


@invalid(PAGE_SUM, base=base_of(("x", "std::int32_t", X)))
def no_room(file):
    "A page with the bit of the checksum at the end of the file, without room for it."
    last = len(ints().bytes())

    def change(parts):
        inner = parts[2].items[0].items[0]
        inner.items[0] = i32(-3) + locator(12, last)
    put(file.ntuple, edit={"pagelist": change})

    def append(content):
        content += encode("Int32", [1, 2, 3])
        content[12:16] = len(content).to_bytes(4, "big")
    file.after.append(append)


OVERLAP = "rntuple-ranges-overlap"
good("rntuple-page-ranges-shared", "two-columns", "Two columns share the bytes of a page.", keeps=[OVERLAP],
     base=base_of(("x", "std::int32_t", X), ("y", "std::int32_t", X)),
     change=lambda file: put(file.ntuple.page("y"), same=file.ntuple.page("x")))


@invalid(OVERLAP, base=base_of(("x", "std::uint8_t", [[1, 2, 3, 4]]), ("y", "std::uint8_t", [[5, 6, 7, 8]])))
def four_bytes(file):
    "A page begins 2 bytes before the end of another."
    x, y = file.ntuple.page("x"), file.ntuple.page("y")
    x.stored, x.size, y.same = bytes([1, 2, 3, 4, 7, 8]), 4, x
    pages = file.ntuple._pages

    def placed(file):
        pages(file)
        y.offset, y.size = x.place + 2, 4
    file.ntuple._pages = placed


BOOLS = [True, False] * 4


@invalid(OVERLAP, base=base_of(("x", "std::uint8_t", [list(range(8))]), ("y", "bool", [BOOLS]), ("z", "bool", [BOOLS])))
def two_inside_one(file):
    "Two pages lie inside another, apart from each other."
    x, y, z = (file.ntuple.page(name) for name in "xyz")
    y.same = z.same = x
    pages = file.ntuple._pages

    def placed(file):
        pages(file)
        y.offset, y.size = x.place + 2, 1
        z.offset, z.size = x.place + 5, 1
    file.ntuple._pages = placed


good("rntuple-column-without-pages", "empty-lists", "The items of lists that are all empty.",
     base=base_of(("v", "std::vector<float>", [[[], []]])))
bad("rntuple-columns-in-id-order", "index-and-values", "The lists of an index and of values are exchanged.",
    base=base_of(("a", "std::uint64_t", [[5, 3, 1]]), ("v", "std::vector<float>", LISTS)), alias="rntuple-index-monotone",
    change=edit("pagelist", lambda parts: parts[2].items[0].items.__setitem__(
        slice(0, 2), parts[2].items[0].items[1::-1])))
bad("rntuple-clusters-in-id-order", "exchanged", "The page locations of two clusters of equal size are exchanged.",
    base=base_of(("x", "std::int32_t", [[1, 2], [3, 4]])), alias=OFFSET,
    change=edit("pagelist", lambda parts: parts[2].items.reverse()))

# 9 ------------------------------------------------------------------------------------------------

LIMIT, LIMIT_ELEMENTS, LIMIT_BYTES = "rntuple-limit-entries", "rntuple-limit-elements", "rntuple-limit-page-bytes"
bad(LIMIT, "summary", "First entry 2^64-1 with 3 entries.", change=lambda file: put(file.ntuple.clusters[0], first=(1 << 64) - 1)
    or put(regroup(file)[0], first=0, span=3))
bad(LIMIT, "cluster-group", "Minimum entry 2^64-1 with a span of 3.",
    change=lambda file: put(regroup(file)[0], first=(1 << 64) - 1))
bad(LIMIT_ELEMENTS, "offset", "Element offset 2^64-1 with 3 elements.",
    change=lambda file: put(file.ntuple.chunk("x"), offset=(1 << 64) - 1))


@invalid(LIMIT_BYTES, warns={LIMIT_BYTES}, fails={"rntuple-block-algorithm"})
def huge_page(file):
    "A page that claims 2^30 elements of 32 bits."
    put(file.ntuple.page("x"), count=1 << 30)
    put(file.ntuple.clusters[0], entries=1 << 30)


# 7.4 ----------------------------------------------------------------------------------------------

PAIRS, VALUE, BOOL, PREFIX = ("rntuple-metadata-list", "rntuple-metadata-value", "rntuple-metadata-bool",
                              "rntuple-metadata-reserved-prefix")


def metadata(*envelopes, **attributes):
    return lambda file: put(file.ntuple, metadata=[*envelopes], **attributes)


def pair(kind, key, value):
    return record(i32(kind), string(key), value)


def texts_of(*values):
    return listed(string(each) for each in values)


good(PAIRS, "all-types", "Pairs of all types.", keeps=[VALUE, BOOL],
     change=metadata([pair(1, "a", bytes(8)), pair(2, "b", b"\1"), pair(3, "c", bytes(8)), pair(4, "d", string("x")),
                      pair(-1, "e", listed([bytes(8)])), pair(-4, "f", texts_of("x", "y"))]))
good(PREFIX, "by-root", "A key ROOT.generator in a file that ROOT wrote.",
     change=metadata([pair(2, "ROOT.generator", b"\0")], writer="ROOT v6.31/01"))
good("rntuple-metadata-unknown-type", "nine", "Types 9 and -9.",
     change=metadata([pair(9, "a", b"abc"), pair(-9, "b", b"abc")]))
good("rntuple-metadata-unknown-type", "beside-the-known-ones", "Types 0, 5, -5, and the least and the greatest number.",
     change=metadata([pair(kind, f"key {kind}", b"abc") for kind in (0, 5, -5, -1 << 31, (1 << 31) - 1)]))
good("rntuple-metadata-repeated-key", "three-times", "A key three times, in two envelopes.",
     change=metadata([pair(2, "a", b"\0"), pair(2, "a", b"\1")], [pair(2, "a", b"\0")]))
bad(PAIRS, "no-payload", "A payload of 0 bytes.", change=metadata([b""]))
bad(PAIRS, "six-bytes", "A payload of 6 bytes.", change=metadata([bytes(6)]))
bad(VALUE, "four-bytes", "An integer of 4 bytes.", change=metadata([pair(1, "a", bytes(4))]))
bad(VALUE, "none", "A real number that is missing.", change=metadata([pair(3, "a", b"")]))


@invalid(VALUE)
def three_of_four(file):
    "Three integers where the count says four."
    values = listed([bytes(8)] * 3)
    values.count = 1
    put(file.ntuple, metadata=[[pair(-1, "a", values)]])


bad(BOOL, "two", "A bool of 2.", change=metadata([pair(2, "a", b"\2")]))
bad(PREFIX, "by-others", "A key ROOT.x by another writer.", change=metadata([pair(2, "ROOT.x", b"\0")]))
bad("rntuple-metadata-envelope-type", "page-list", "The envelope of metadata has type 3.", alias="rntuple-envelope-type",
    change=metadata([pair(2, "a", b"\0")], types={"metadata0": 3}))

# D ------------------------------------------------------------------------------------------------

REPRESENTATION, SUPPRESSED = "rntuple-dialect-representation-index", "rntuple-dialect-suppressed-column"


def representations():
    """A second representation of x, which is suppressed."""
    ntuple = Ntuple(version=6)
    field = ntuple.field("x", "std::int32_t", [[1, 2, 3]])
    column = Column("SplitInt32", field)
    column.representation = 1
    ntuple.columns.append(column)
    chunk = Chunk([])
    chunk.tail = u64(-(1 << 63))
    ntuple.clusters[0].chunks[column] = chunk
    return RootFile(ntuple)


representations.suffix = RootFile.suffix
bad(REPRESENTATION, "second", "A second representation, which is suppressed.", base=representations,
    informs={REPRESENTATION, SUPPRESSED, "rntuple-dialect-max-key-size"})
bad(SUPPRESSED, "offset", "A negative element offset in class version 6.", base=representations,
    informs={REPRESENTATION, SUPPRESSED, "rntuple-dialect-max-key-size"})
