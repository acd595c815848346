"""FF-IV.A.2.i: the layout of the data of a dataset, except the index itself."""

from generators.hdf5 import *

OLD = ["swmr-eligible-superblock", "swmr-eligible-header-checksummed",
       "swmr-eligible-path-checksummed"]


# Version and class --------------------------------------------------------------------------------

for version in (1, 2):
    @valid("swmr-layout-version", f"version-{version}", f"Layouts of version {version}: compact, "
           "contiguous and chunked.", base=old_dataset, also=["swmr-eligible-chunked"],
           keeps=["swmr-layout-fits", "swmr-btree1-signature"])
    def of_version(f, version=version):
        f.k_leaf = 2
        f.at("/d").layout_version = version
        for name, storage in (("contiguous", Contiguous()), ("compact", Compact())):
            f.root.links[name] = old_dataset(storage=storage, chunk=None, shape=(3,),
                                             maximum=None, layout_version=version).at("/d")


@valid("swmr-layout-version", "version-3", "Layouts of version 3: compact, contiguous and chunked.",
       base=chunk_tree, also=["swmr-eligible-chunked"], keeps=["swmr-layout-fits"])
def of_version_3(f):
    for name, base in (("contiguous", contiguous), ("compact", compact)):
        f.root.links[name] = base(layout_version=3).at("/d")


def most_dimensions(version):
    def made():
        return (extensible if version == 4 else old_dataset)(
            shape=(2,) + 31 * (1,), chunk=32 * (1,), maximum=(UNLIMITED,) + 31 * (1,),
            layout_version=version)
    made.reports = () if version == 4 else old_dataset.reports
    return made


for version in (1, 2, 3, 4):
    @valid("swmr-layout-fits", f"32-dimensions-in-version-{version}",
           f"A dataset of as many dimensions as there can be, in a layout of version {version}.",
           base=most_dimensions(version))
    def of_32_dimensions(f):
        pass


@valid("swmr-layout-version", base=extensible_filtered,
       keeps=["swmr-earray-element-size", "swmr-layout-fits"])
def version_5(f):
    "A layout of version 5, as HDF5 2.0 writes it for filtered chunks."
    f.at("/d").layout_version = 5


for version in (0, 6):
    changed("swmr-layout-version", f"version-{version}",
            f"The layout message has version {version}.",
            {"OHDR /d: layout.version": version})


@valid("swmr-layout-class", base=virtual)
def virtual_dataset(f):
    "A virtual dataset, without mappings."


changed("swmr-layout-class", "virtual-in-version-3", "Class 3, virtual, in a layout of version 3.",
        {"OHDR /d: layout.version": 3}, base=virtual, less=virtual.reports)
for number in (4, 255):
    changed("swmr-layout-class", str(number), f"The layout is of class {number}.",
            {"OHDR /d: layout.class": number})


# What fits into the message -----------------------------------------------------------------------

@valid("swmr-layout-fits", base=every_index, also=["swmr-eligible-chunked"],
       keeps=["swmr-layout-index-type", "swmr-layout-index-parameters"])
def of_every_kind(f):
    "Each class and each index."
    for name, base in (("contiguous", contiguous), ("compact", compact), ("virtual", virtual)):
        f.root.links[name] = base().at("/d")


changed("swmr-layout-fits", "dimensionality",
        "The dimensionality was raised by one, and the sizes stand at the end of the message.",
        {"OHDR /d: layout.dimensionality": 3}, base=chunk_tree, less=chunk_tree.reports)


@invalid("swmr-layout-fits")
def without_address(f):
    "The message ends before the address of the index."
    del f["OHDR /d"]["layout.address"]


changed("swmr-layout-fits", "compact", "Compact data are longer than the message.",
        {"OHDR /d: layout.size": 41}, base=compact, less=compact.reports)


# Dimensions of a chunk ----------------------------------------------------------------------------

@valid("swmr-layout-rank", keeps=["swmr-layout-class", "swmr-layout-index-type"])
def rank_1(f):
    "One dimension, dimensionality 2."


@invalid("swmr-layout-rank")
def dimensionality_1(f):
    "The layout has no size for the only dimension."
    header = f["OHDR /d"]
    header["layout.dimensionality"] = 1
    del header["layout.size 0"]


@invalid("swmr-layout-rank")
def one_too_many(f):
    "The layout has a size for a dimension that the dataset does not have."
    header = f["OHDR /d"]
    header["layout.dimensionality"] = 3
    header["layout.size 0"] = b"\4\4"


@invalid("swmr-layout-rank")
def chunked_scalar(f):
    "The chunked layout of a scalar."
    header = f["OHDR /d"]
    header["dataspace.rank"] = header["dataspace.flags"] = header["dataspace.type"] = 0
    del header["dataspace.size 0"], header["dataspace.maximum 0"]
    header["layout.dimensionality"] = 1
    del header["layout.size 0"]


@invalid("swmr-layout-rank", base=lambda: old_dataset(
    storage=Contiguous(), chunk=None, shape=(3,), maximum=None, layout_version=2),
    also=OLD)
def version_2_contiguous(f):
    "A contiguous layout of version 2 with dimensionality 0."
    f["OHDR /d"]["layout.dimensionality"] = 0


@valid("swmr-layout-chunk-positive", base=bytewise)
def one_element(f):
    "Chunks of one element of one byte."


changed("swmr-layout-chunk-positive", "first", "The size of a chunk is 0.",
        {"OHDR /d: layout.size 0": 0})
changed("swmr-layout-chunk-positive", "element", "The size of an element is 0 in the layout.",
        {"OHDR /d: layout.size 1": 0})


@valid("swmr-layout-element-size", base=lambda: extensible(type=opaque(40)))
def forty_bytes(f):
    "Elements of forty bytes."


changed("swmr-layout-element-size", "8-for-4",
        "The element is 8 bytes in the layout, 4 by its type.",
        {"OHDR /d: layout.size 1": 8})
changed("swmr-layout-element-size", "1-for-8",
        "The element is 1 byte in the layout, 8 by its type.",
        {"OHDR /d: layout.size 1": 1}, base=lambda: extensible(type=I64))
changed("swmr-layout-element-size", "enormous", "The element is 0x80000000 bytes in the layout.",
        {"OHDR /d: layout.size 1": 0x80000000}, base=chunk_tree, less=chunk_tree.reports)


@valid("swmr-layout-chunk-bytes")
def almost_4_gib(f):
    "Chunks of 2^32 - 8 bytes, none of which was written."
    d = f.at("/d")
    d.chunk, d.type, d.unused = ((1 << 29) - 1,), I64, "index"


@invalid("swmr-layout-chunk-bytes", base=btree2_leaf)
def of_4_gib(f):
    "Chunks of 65536 by 65536 elements of one byte."
    d = f.at("/d")
    d.chunk, d.type, d.unused = (1 << 16, 1 << 16), U8, "index"


@invalid("swmr-layout-chunk-bytes", base=btree2_leaf)
def beyond_64_bits(f):
    "The size of a chunk overflows 64 bits to 8."
    d = f.at("/d")
    d.chunk, d.type, d.unused = ((1 << 63) + 1, 1 << 4), U8, "index"


@valid("swmr-layout-chunk-within-maximum", base=fixed)
def as_long_as_the_maximum(f):
    "A chunk as long as the maximum, and a dimension that is shorter now."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (10, 2), (48, 3), (4, 3)


@valid("swmr-layout-chunk-within-maximum", base=fixed)
def of_an_empty_dataset(f):
    "A chunk longer than the maximum of a dataset that is empty."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk, d.unused = (0,), (3,), (4,), "index"


@invalid("swmr-layout-chunk-within-maximum", base=fixed)
def eight_for_five(f):
    "A chunk of 8 for a maximum of 5."
    d = f.at("/d")
    d.shape, d.maximum, d.chunk = (4,), (5,), (8,)


# Flags, widths ------------------------------------------------------------------------------------

@valid("swmr-layout-flags", base=extensible_filtered, keeps=["swmr-edge-chunk-unfiltered-allowed"])
def flag_1(f):
    "Flag 1: chunks at the edge are not filtered."
    f.at("/d").edge_unfiltered = True


for flags in (4, 0x80):
    changed("swmr-layout-flags", f"flags-{flags:02x}", f"The flags of the layout are {flags:#04x}.",
            {"OHDR /d: layout.flags": flags})


@valid("swmr-layout-dimension-width")
def one_byte_wide(f):
    "Sizes of chunks in one byte."


for width in (0, 9, 255):
    changed("swmr-layout-dimension-width", f"width-{width}",
            f"Sizes of chunks are stored in {width} bytes.",
            {"OHDR /d: layout.dimension width": width})


@valid("swmr-layout-dimension-width-least", keeps=["swmr-layout-dimension-width"], base=btree2_leaf)
def two_bytes(f):
    "Chunks of 300 by 20 elements of 8 bytes: two bytes."
    d = f.at("/d")
    d.chunk, d.type, d.unused = (300, 20), I64, "index"


@valid("swmr-layout-dimension-width-least", base=lambda: extensible(
    type=opaque(300), shape=(1,), chunk=(1,)))
def for_the_element(f):
    "Chunks of one element of 300 bytes: two bytes."


for chunk, width, datatype in ((100, 8, I32), (300, 3, I8), (10, 4, opaque(300))):
    @invalid("swmr-layout-dimension-width-least", f"{width}-bytes-for-{chunk}",
             f"Chunks of {chunk} elements of {datatype.size} bytes: stored in {width} bytes.")
    def wide(f, chunk=chunk, width=width, datatype=datatype):
        d = f.at("/d")
        d.chunk, d.type, d.dimension_width = (chunk,), datatype, width


# The index ----------------------------------------------------------------------------------------

for number, words in ((0, "the one of old B-trees"), (6, "unknown"), (255, "unknown")):
    changed("swmr-layout-index-type", str(number), f"The index has type {number}, {words}.",
            {"OHDR /d: layout.index type": number})


@valid("swmr-layout-index-parameters", base=extensible,
       keeps=["swmr-earray-parameters-as-layout", "swmr-earray-parameters-range"])
def as_usual(f):
    "Extensible array, fixed array and B-tree with the parameters that the library chooses."
    f.at("/d").storage = ExtensibleArray.usual()
    f.root.links["f"] = fixed(storage=FixedArray(10)).at("/d")
    f.root.links["t"] = btree2_leaf(storage=Tree(2048)).at("/d")


changed("swmr-layout-index-parameters", "page-bits", "The page bits of a fixed array are 0.",
        {"OHDR /d: layout.page bits": 0}, base=fixed)
for field in ("max bits", "index elements", "min pointers", "min elements", "page bits"):
    changed("swmr-layout-index-parameters", field.replace(" ", "-") + "-of-an-extensible-array",
            f"The {field} of an extensible array are 0.", {f"OHDR /d: layout.{field}": 0})
changed("swmr-layout-index-parameters", "split", "A B-tree splits at 101 percent.",
        {"OHDR /d: layout.split": 101}, base=btree2_leaf)
changed("swmr-layout-index-parameters", "merge", "A B-tree merges at 0 percent.",
        {"OHDR /d: layout.merge": 0}, base=btree2_leaf)
changed("swmr-layout-index-parameters", "node-size", "The nodes of a B-tree have no bytes.",
        {"OHDR /d: layout.node size": 0}, base=btree2_leaf)


# Data without chunks ------------------------------------------------------------------------------

@valid("swmr-compact-size", base=compact)
def ten_integers(f):
    "Ten integers of four bytes, compact."


@valid("swmr-compact-size", base=compact)
def null_space(f):
    "A null dataspace, compact, without data."
    f.at("/d").shape = None


for size in (36, 44, 0):
    @invalid("swmr-compact-size", f"{size}-bytes",
             f"Compact data of {size} bytes, where they are 40.", base=compact, less=compact.reports)
    def of_size(f, size=size):
        header = f["OHDR /d"]
        header["layout.data"] = header["layout.data"].ljust(size, b"\0")[:size]
        header["layout.size"] = size


@invalid("swmr-compact-size", base=lambda: compact(layout_version=1), less=compact.reports)
def of_layout_version_1(f):
    "Compact data of 36 bytes, where they are 40, in a layout of version 1."
    header = f["OHDR /d"]
    header["layout.data"] = header["layout.data"][:36]
    header["layout.data size"] = 36


@valid("swmr-contiguous-inside-file", base=contiguous)
def values_at_the_end(f):
    "The last of the contiguous data is the last byte of the file."
    blocks = f.image.blocks
    blocks.append(blocks.pop(blocks.index(f["data"])))


@valid("swmr-contiguous-size", base=contiguous)
def allocated(f):
    "Contiguous data of forty bytes."


@valid("swmr-contiguous-size", base=contiguous)
def not_allocated(f):
    "Nothing was written, so the data have no address."
    f.at("/d").storage.allocated = False
    f["OHDR /d"]["layout.size"] = 0


@valid("swmr-contiguous-size", base=contiguous)
def more_than_needed(f):
    "Contiguous data of 48 bytes, where 40 are needed."
    f.image.add(Block("spare", "", ("bytes", bytes(8))))
    blocks = f.image.blocks
    blocks.insert(blocks.index(f["data"]) + 1, blocks.pop())
    f["OHDR /d"]["layout.size"] = 48


@invalid("swmr-contiguous-inside-file", base=contiguous, less=contiguous.reports)
def past_the_file(f):
    "Contiguous data whose last byte lies beyond the file."
    f["OHDR /d"]["layout.address"] = At(f["data"], 1)


changed("swmr-contiguous-inside-file", "round-the-corner",
        "Contiguous data at 2^64 - 16, which would end at 24.",
        {"OHDR /d: layout.address": (1 << 64) - 16}, base=contiguous, less=contiguous.reports)


def old_contiguous():
    return old_dataset(storage=Contiguous(), chunk=None, shape=(3,), maximum=None,
                       layout_version=1)


@invalid("swmr-contiguous-inside-file", base=old_contiguous, also=OLD)
def past_the_file_in_version_1(f):
    "A layout of version 1, which states no size; the data reach past the file."
    f["OHDR /d"]["layout.address"] = At(f["data"], 1)


for size, words in ((36, "one element too small"), (0, "0"), (4, "that of one element")):
    changed("swmr-contiguous-size", f"{size}-bytes", f"The size of contiguous data is {words}.",
            {"OHDR /d: layout.size": size}, base=contiguous, less=contiguous.reports)
