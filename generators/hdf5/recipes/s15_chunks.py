"""6, 7, FF-VII: the other indexes, and the chunks themselves."""

from generators.hdf5 import *

FULL = "swmr-eligible-extendable"


# One chunk ----------------------------------------------------------------------------------------

@valid("swmr-single-dimensions", base=single)
def ten_by_twenty(f):
    "One chunk of (10, 20)."
    d = f.at("/d")
    d.shape = d.maximum = d.chunk = (10, 20)
    d.type = U8


@valid("swmr-single-dimensions", base=single)
def made_smaller(f):
    "One chunk of (4, 5); the dataset was made smaller, to (2, 5)."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (2, 5), (4, 5), (4, 5)


for name, shape, maximum, chunk, shows in (
        ("maximum", (10,), (20,), (10,), "The maximum is larger than the chunk."),
        ("chunk", (10,), (10,), (12,), "The chunk is larger than the maximum."),
        ("second", (4, 6), (4, 6), (4, 5), "The second size of the chunk is smaller.")):
    @invalid("swmr-single-dimensions", name, shows, base=single, less=single.reports)
    def too_small(f, shape=shape, maximum=maximum, chunk=chunk):
        d = f.at("/d")
        d.shape, d.maximum, d.chunk, d.written = shape, maximum, chunk, [(0,) * len(shape)]


@invalid("swmr-single-dimensions", base=single, less=single.reports)
def unlimited(f):
    "The maximum is unlimited."
    f.at("/d").maximum = (UNLIMITED,)


@reports(*single.reports)
def single_filtered():
    return single(filters=[gzip()])


@valid("swmr-single-filter-flag", base=single_filtered)
def gzip_chunk(f):
    "A single chunk that is filtered."


@invalid("swmr-single-filter-flag", base=single, less=single.reports, ambiguity="swmr-single-flag")
def set_without_filters(f):
    "The flag says that the chunk is filtered, but there are no filters."
    f["OHDR /d"]["layout.flags"] = 2
    f["OHDR /d"]["layout.index type"] = b"\1" + bytes([40]) + bytes(11)


@invalid("swmr-single-filter-flag", base=single, less=single.reports, ambiguity="swmr-single-flag")
def set_without_fields(f):
    "The flag says that the chunk is filtered; there are no filters, and no size follows."
    f["OHDR /d"]["layout.flags"] = 2


@invalid("swmr-single-filter-flag", base=single_filtered, less=single.reports,
         ambiguity="swmr-single-flag")
def filters_without_it(f):
    "The dataset has filters, but the flag is not set."
    header = f["OHDR /d"]
    header["layout.flags"] = 0
    del header["layout.chunk size"], header["layout.mask"]


# All chunks in a row ------------------------------------------------------------------------------

IMPLICIT = ["swmr-implicit-no-unlimited", "swmr-implicit-no-filters", "swmr-implicit-early",
            "swmr-implicit-inside-file", "swmr-early-allocation-complete"]


@valid("swmr-implicit-inside-file", base=implicit, keeps=IMPLICIT, ambiguity="swmr-implicit-grid")
def of_twice_the_size(f):
    "Shape (4, 6), maximum (8, 6): space for the chunks of the maximum."


@invalid("swmr-implicit-no-unlimited", base=implicit, less=implicit.reports)
def first(f):
    "The maximum of the first dimension is unlimited."
    f["OHDR /d"]["dataspace.maximum 0"] = (1 << 64) - 1


@invalid("swmr-implicit-no-unlimited", base=implicit, less=implicit.reports)
def second(f):
    "The maximum of the second dimension is unlimited."
    f["OHDR /d"]["dataspace.maximum 1"] = (1 << 64) - 1


@invalid("swmr-implicit-no-filters", base=implicit, less=implicit.reports)
def fletcher(f):
    "A pipeline of Fletcher32 over an implicit index."
    f.at("/d").header.extra = [raw("filters", b"\2\1\3\0\0\0\0\0")]


@invalid("swmr-implicit-early", base=implicit)
def late(f):
    "Space is to be allocated late, where an implicit index allocates it at once."
    f.at("/d").fill.allocation = 2


changed("swmr-implicit-inside-file", "cut", "The last chunk ends beyond the file.",
        {"OHDR /d: layout.address": lambda f: At(f["chunks"], 8)}, base=implicit)
changed("swmr-implicit-inside-file", "2-63", "The chunks lie at 2^63.",
        {"OHDR /d: layout.address": 1 << 63}, base=implicit)
changed("swmr-implicit-inside-file", "hundredfold", "The maximum was enlarged a hundredfold.",
        {"OHDR /d: dataspace.maximum 0": 800}, base=implicit)


# Which index for which dataset --------------------------------------------------------------------

@valid("swmr-index-extensible-one-unlimited", base=lambda: extensible(
    shape=(4, 6), maximum=(UNLIMITED, 10), chunk=(2, 3)))
def unlimited_and_10(f):
    "The maximum is (unlimited, 10)."


changed("swmr-index-extensible-one-unlimited", "none",
        "An extensible array, but no unlimited dimension.",
        {"OHDR /d: dataspace.maximum 0": 100})
changed("swmr-index-extensible-one-unlimited", "two",
        "An extensible array, and two unlimited dimensions.",
        {"OHDR /d: dataspace.maximum 1": (1 << 64) - 1},
        base=lambda: extensible(shape=(4, 6), maximum=(UNLIMITED, 10), chunk=(2, 3)))


@valid("swmr-index-fixed-no-unlimited", base=fixed)
def hundred(f):
    "The maximum is 100."
    f.at("/d").maximum = (100,)
    f.at("/d").storage.page_bits = 5


def fixed_two_dimensions():
    return fixed(shape=(4, 6), maximum=(20, 10), chunk=(2, 3), storage=FixedArray(6))


changed("swmr-index-fixed-no-unlimited", "unlimited", "A fixed array, and an unlimited dimension.",
        {"OHDR /d: dataspace.maximum 0": (1 << 64) - 1}, base=fixed)
changed("swmr-index-fixed-no-unlimited", "second",
        "A fixed array; the second dimension is unlimited.",
        {"OHDR /d: dataspace.maximum 1": (1 << 64) - 1}, base=fixed_two_dimensions)


@valid("swmr-index-btree2-many-unlimited", base=btree2_leaf)
def both(f):
    "Both dimensions are unlimited."


changed("swmr-index-btree2-many-unlimited", "one",
        "A version 2 B-tree, and one unlimited dimension.",
        {"OHDR /d: dataspace.maximum 1": 100}, base=btree2_leaf)
changed("swmr-index-btree2-many-unlimited", "none",
        "A version 2 B-tree, and no unlimited dimension.",
        {"OHDR /d: dataspace.maximum 0": 100, "OHDR /d: dataspace.maximum 1": 100},
        base=btree2_leaf)


@valid("swmr-index-lazy-allowed")
def empty_column(f):
    "An empty dataset without an index."
    f.at("/d").shape, f.at("/d").unused = (0,), "index"


@valid("swmr-sparse-chunks-allowed")
def every_third(f):
    "Every third chunk was written."
    f.at("/d").shape, f.at("/d").written = (40,), [0, 3, 6, 9]


# Where chunks are ---------------------------------------------------------------------------------

@valid("swmr-chunk-inside-file", keeps=["swmr-chunk-no-overlap"])
def ends_with_the_file(f):
    "The last chunk ends with the file."
    blocks = f.image.blocks
    blocks.append(blocks.pop(blocks.index(f["chunk /d 2"])))


for name, value, words in (("past-the-file", 1 << 20, "past the file"),
                           ("not-undefined", (1 << 64) - 8, "at 2^64 - 8, which is not undefined")):
    changed("swmr-chunk-inside-file", name, f"The address of a chunk lies {words}.",
            {"EAIB: element 1.address": value})
changed("swmr-chunk-inside-file", "size", "The size of a chunk reaches past the file.",
        {"EAIB: element 1.size": 4096}, base=extensible_filtered)


@valid("swmr-chunk-no-overlap")
def back_to_back(f):
    "Chunks lie back to back."


changed("swmr-chunk-no-overlap", "twice", "Two elements have one address.",
        {"EAIB: element 1.address": lambda f: f["chunk /d 0"]})


@invalid("swmr-chunk-no-overlap")
def of_another_dataset(f):
    "A chunk has the address of the chunk of another dataset."
    f.root.links["e"] = extensible().at("/d")
    f["EAIB /d"]["element 0.address"] = f["chunk /e 0"]


changed("swmr-chunk-no-overlap", "superblock", "A chunk lies in the superblock.",
        {"EAIB: element 1.address": 16})


@invalid("swmr-chunk-no-overlap", base=extensible_filtered)
def into_the_next(f):
    "The stored size of a chunk without its filters reaches into the next one."
    f.at("/d").filters = [Filter(32015, (), b"xxx\0")]
    f.at("/d").written = {(number,): Chunk(mask=1) for number in range(3)}
    f["EAIB"]["element 0.size"] = 20


@valid("swmr-chunk-inside-maximum", base=lambda: chunk_tree(shape=(20,), maximum=(20,)),
       also=[FULL, "swmr-eligible-no-btree1"])
def far_corner(f):
    "A chunk at the end of the maximum."


@invalid("swmr-chunk-inside-maximum", base=lambda: btree2_leaf(
    maximum=(UNLIMITED,) * 3, shape=(4, 6, 1), chunk=(2, 3, 1), storage=Tree(256)))
def record_beyond(f):
    "A record lies beyond the maximum of the third dimension."
    header = f["OHDR /d"]
    header["dataspace.maximum 2"] = 1
    f["BTLF"]["record 3.offset 2"] = 1


@invalid("swmr-chunk-inside-maximum", base=lambda: chunk_tree(maximum=(20,)),
         also=["swmr-eligible-no-btree1"])
def key_beyond(f):
    "A key lies beyond the maximum."
    f["TREE"]["key 4.offset 0"] = 20
    f["TREE"]["key 5.offset 0"] = 24


@valid("swmr-chunk-inside-extent")
def full(f):
    "All chunks lie inside the size, the last in part."


@invalid("swmr-chunk-inside-extent", ambiguity="swmr-chunk-beyond-extent")
def size_lowered(f):
    "The size of the dataset was lowered; the chunks were left."
    f["OHDR /d"]["dataspace.size 0"] = 6


@invalid("swmr-chunk-inside-extent", ambiguity="swmr-chunk-beyond-extent")
def size_not_raised(f):
    "Four chunks were written; the size is still that of three."
    f.at("/d").written = [0, 1, 2, 3]


# Sizes and masks ----------------------------------------------------------------------------------

@valid("swmr-chunk-size-unfiltered", base=chunk_tree)
def of_16_bytes(f):
    "Chunks of four integers of four bytes."


for size, words in ((8, "halved"), (0, "0"), (32, "doubled")):
    changed("swmr-chunk-size-unfiltered", words, f"The size in the key of a chunk is {words}.",
            {"TREE: key 2.size": size}, base=chunk_tree)


@valid("swmr-chunk-size-positive", base=extensible_filtered,
       keeps=["swmr-eligible-filters-allowed"])
def gzip_column(f):
    "A dataset with gzip."


changed("swmr-chunk-size-positive", "0", "The stored size of a chunk is 0.",
        {"EAIB: element 0.size": 0}, base=extensible_filtered)
changed("swmr-chunk-size-positive", "single", "The stored size of a single chunk is 0.",
        {"OHDR /d: layout.chunk size": 0}, base=single_filtered)


def masked(mask, pipeline=None):
    pipeline = pipeline or [shuffle(), gzip()]
    return lambda: extensible(filters=pipeline, written={
        (0,): Chunk(mask=mask), (1,): Chunk(), (2,): Chunk()})


@valid("swmr-chunk-mask", base=masked(1))
def shuffle_skipped(f):
    "Mask 1 with shuffle and gzip: shuffle was skipped."


changed("swmr-chunk-mask", "bit-5", "Bit 5 of a mask is set, with two filters.",
        {"EAIB: element 1.mask": 0x20}, base=masked(0))
changed("swmr-chunk-mask", "without-filters", "Mask 1 without filters.",
        {"TREE: key 2.mask": 1}, base=chunk_tree)


@invalid("swmr-chunk-mask", base=masked(7, [shuffle(), gzip(), with_fletcher32()]))
def all_bits(f):
    "Mask 0xffffffff with three filters."
    f["EAIB"]["element 0.mask"] = 0xFFFFFFFF


@valid("swmr-chunk-filter-skipped-allowed", base=masked(2))
def gave_up(f):
    "Gzip gave up on a chunk, and its bit is set."


@valid("swmr-edge-chunk-unfiltered-allowed", base=lambda: extensible(
    filters=[gzip()], edge_unfiltered=True), keeps=["swmr-chunk-size-unfiltered"])
def third_chunk(f):
    "Size 10, chunks of 4, gzip: the third chunk is stored unfiltered."


changed("swmr-chunk-size-unfiltered", "edge-chunk",
        "A chunk at the edge that should not be filtered is stored in fewer bytes.",
        {"EADB: element 0.size": 12},
        base=lambda: extensible(filters=[gzip()], edge_unfiltered=True))


# What is in them ----------------------------------------------------------------------------------

@valid("swmr-chunk-decodes", base=lambda: extensible(
    filters=[shuffle(), gzip(), with_fletcher32()]), keeps=["swmr-chunk-fletcher32"])
def three_filters(f):
    "Shuffle, gzip and Fletcher-32."


@valid("swmr-chunk-decodes", base=lambda: extensible(filters=[gzip(0), gzip()]))
def deflated_twice(f):
    "Gzip twice; the first only makes more of the bytes."


@valid("swmr-chunk-decodes", base=lambda: extensible(filters=[gzip(), shuffle()]))
def shuffled_with_a_rest(f):
    "Shuffle after gzip: the bytes are no whole number of elements, and the last stay as they are."


@invalid("swmr-chunk-decodes", base=extensible_filtered)
def byte_changed(f):
    "A byte of a deflate stream was changed."
    content = bytearray(f["chunk /d 1"]["bytes"])
    content[-1] ^= 1
    f["chunk /d 1"]["bytes"] = bytes(content)


changed("swmr-chunk-decodes", "shortened", "The stored size of a chunk is ten bytes short.",
        {"EAIB: element 0.size": lambda f: f["chunk /d 0"].size() - 10}, base=extensible_filtered)

for count, words in ((12, "fewer"), (20, "more")):
    @invalid("swmr-chunk-decodes", f"{words}-bytes",
             f"A chunk decodes to {words} bytes than it has.", base=extensible_filtered)
    def another_size(f, count=count):
        f.at("/d").written = {(0,): Chunk(content=encoded(bytes(count), [gzip()], 0, 4)),
                              (1,): Chunk(), (2,): Chunk()}


@invalid("swmr-chunk-decodes", base=extensible_filtered, revised={
    "hdf5-file-format-4.0": {"clause": "h5-filter-deflate-values"}})
def level_ten(f):
    "The filter says that it deflates with level 10."
    f["OHDR /d"]["filters.filter 0.value 0"] = 10


@invalid("swmr-chunk-decodes", base=lambda: extensible(filters=[shuffle(), gzip()]), revised={
    "hdf5-file-format-4.0": {"clause": "h5-filter-shuffle-values"}})
def shuffled_by_nothing(f):
    "The filter says that it shuffles elements of 0 bytes."
    f["OHDR /d"]["filters.filter 0.value 0"] = 0


def checked():
    return extensible(filters=[gzip(), with_fletcher32()])


@valid("swmr-chunk-fletcher32", base=checked)
def behind_gzip(f):
    "Fletcher-32 after gzip."


@valid("swmr-chunk-fletcher32", base=lambda: extensible(filters=[with_fletcher32()]))
def halves_exchanged(f):
    "The bytes of each half of the checksum are exchanged, as old versions wrote it."
    for number in range(3):
        chunk = f[f"chunk /d {number}"]
        content, (a, b, c, d) = chunk["bytes"][:-4], chunk["bytes"][-4:]
        chunk["bytes"] = content + bytes([b, a, d, c])


@invalid("swmr-chunk-fletcher32", base=checked)
def data_changed(f):
    "A byte of a chunk was changed."
    f["chunk /d 1"].corrupt("bytes")


@invalid("swmr-chunk-fletcher32", base=checked)
def zeroed(f):
    "The checksum of a chunk is 0."
    f["chunk /d 1"]["bytes"] = f["chunk /d 1"]["bytes"][:-4] + bytes(4)


# Early allocation ---------------------------------------------------------------------------------

def early(**options):
    return fixed(fill=Fill(allocation=1), **options)


@valid("swmr-early-allocation-complete", base=early)
def all_there(f):
    "A fixed array with early allocation: all chunks exist."


changed("swmr-early-allocation-complete", "element", "Early allocation, and a chunk is missing.",
        {"FADB: element 1.address": None}, base=early)


@invalid("swmr-early-allocation-complete", base=early)
def no_index(f):
    "Early allocation, and no index."
    f.at("/d").unused = "index"
