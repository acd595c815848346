"""10.1, 10.2, 10.3: extensible arrays."""

from generators.hdf5 import *

ALL = ["swmr-earray-header-signature", "swmr-earray-header-version", "swmr-earray-header-checksum",
       "swmr-earray-client", "swmr-earray-element-size", "swmr-earray-parameters-as-layout",
       "swmr-earray-parameters-range", "swmr-earray-super-block-count",
       "swmr-earray-super-block-bytes", "swmr-earray-data-block-count",
       "swmr-earray-data-block-bytes", "swmr-earray-max-index", "swmr-earray-realized",
       "swmr-earray-index-block-signature", "swmr-earray-index-block-checksum",
       "swmr-earray-super-block-signature", "swmr-earray-super-block-checksum",
       "swmr-earray-super-block-offset", "swmr-earray-data-block-signature",
       "swmr-earray-data-block-checksum", "swmr-earray-data-block-offset",
       "swmr-earray-block-version", "swmr-earray-block-client", "swmr-earray-block-owner",
       "swmr-earray-page-checksum", "swmr-earray-bitmap-tail", "swmr-earray-bitmap-block",
       "swmr-earray-element-place"]

@valid("swmr-earray-super-block-bytes", base=paged, keeps=ALL)
def pages(f):
    "A sparse array with pages, of which some are not in use."


@valid("swmr-earray-element-place", base=bytewise, keeps=ALL)
def all_of_130(f):
    "130 chunks, in the index block, in data blocks, below super blocks, and in pages."


@valid("swmr-earray-index-block-checksum", base=lambda: bytewise(20))
def as_usual(f):
    "The parameters that the library chooses: an index block of 298 bytes."
    f.at("/d").storage = ExtensibleArray.usual()


for count in (1, 4, 5, 21, 245):
    @valid("swmr-earray-element-place", f"{count}-chunks",
           f"{count} chunks by the parameters that the library chooses.",
           base=lambda count=count: bytewise(count, storage=ExtensibleArray.usual()))
    def of_count(f):
        pass


@valid("swmr-earray-page-checksum", base=lambda: bytewise(131061, [131060]))
def element_131060(f):
    "One chunk, number 131060, and nothing near it."
    f.at("/d").storage = ExtensibleArray(20, 2, 2, 2, 3)


# The header ---------------------------------------------------------------------------------------

changed("swmr-earray-header-signature", "changed", "The header of an array begins with EAHE.",
        {"EAHD: signature": b"EAHE"})
changed("swmr-earray-header-signature", "index-block",
        "The index address is that of the index block.",
        {"OHDR /d: layout.address": lambda f: f["EAIB"]})
for version in (1, 255):
    changed("swmr-earray-header-version", f"version-{version}",
            f"The header of an array has version {version}.", {"EAHD: version": version})
for field in ("maximum index", "index block"):
    corrupted("swmr-earray-header-checksum", field.replace(" ", "-"),
           f"The {field} in the header was changed.", f"EAHD: {field}")
changed("swmr-earray-header-checksum", "zero", "The checksum of the header is 0.",
        {"EAHD: checksum": 0})

for base in (extensible, extensible_filtered):
    @valid("swmr-earray-client", "filtered" if base is extensible_filtered else "unfiltered",
           "Client 1, of filtered chunks." if base is extensible_filtered else
           "Client 0, of chunks without filters.", base=base)
    def client(f):
        pass

changed("swmr-earray-client", "1-without-filters", "Client 1 for chunks without filters.",
        {"EAHD: client": 1})
changed("swmr-earray-client", "0-with-filters", "Client 0 for filtered chunks.",
        {"EAHD: client": 0}, base=extensible_filtered)
changed("swmr-earray-client", "2", "Client 2.", {"EAHD: client": 2})


@valid("swmr-earray-element-size", base=extensible_filtered)
def of_15_bytes(f):
    "Filtered chunks of 4096 bytes: elements of 15 bytes."
    f.at("/d").chunk, f.at("/d").shape = (1024,), (1024,)


changed("swmr-earray-element-size", "one-more", "The element size is one byte more.",
        {"EAHD: element size": 9})
changed("swmr-earray-element-size", "8-for-filtered", "Elements of 8 bytes in a filtered array.",
        {"EAHD: element size": 8}, base=extensible_filtered)


@invalid("swmr-earray-element-size", base=extensible_filtered)
def width_of_layout_4(f):
    "The element size of a layout of version 4 under one of version 5."
    f["OHDR /d"]["layout.version"] = 5


changed("swmr-earray-parameters-as-layout", "max-bits",
        "The max bits are 7 in the header, 8 in the layout.", {"EAHD: max bits": 7})
changed("swmr-earray-parameters-as-layout", "page-bits",
        "The page bits are 4 in the header, 3 in the layout.", {"EAHD: page bits": 4})
changed("swmr-earray-parameters-as-layout", "index-elements",
        "The index elements are 3 in the layout, 2 in the header.",
        {"OHDR /d: layout.index elements": 3})


@invalid("swmr-earray-parameters-as-layout",
         base=lambda: extensible(storage=ExtensibleArray.usual()))
def exchanged(f):
    "Min elements and min pointers are in the order of the layout in the header, too."
    f["EAHD"].exchange("min elements", "min pointers")


def in_both(f, **fields):
    for field, value in fields.items():
        field = field.replace("_", " ")
        f["EAHD"][field] = f["OHDR /d"][f"layout.{field}"] = value


for name, fields, shows in (
        ("min-elements", {"min_elements": 3}, "Min elements is 3, no power of two."),
        ("min-pointers", {"min_pointers": 1}, "Min pointers is 1."),
        ("max-bits", {"max_bits": 65}, "Max bits is 65."),
        ("page-bits", {"page_bits": 1}, "Pages of two elements: smaller than the first blocks."),
        ("page-bits-above-max", {"page_bits": 9}, "Page bits is larger than max bits."),
        ("super-blocks", {"max_bits": 3, "min_elements": 4, "min_pointers": 4, "page_bits": 3},
         "So many pointers in the index block that the number of super blocks is negative."),
        ("index-elements", {"index_elements": 200}, "More index elements than a page has.")):
    @invalid("swmr-earray-parameters-range", name, shows)
    def out_of_range(f, fields=fields):
        in_both(f, **fields)


@valid("swmr-earray-empty")
def nothing_written(f):
    "An array that was made early and has no index block yet."
    f.at("/d").unused = "blocks"


for field, value in (("maximum index", 5), ("realized", 4), ("data blocks", 1)):
    @invalid("swmr-earray-empty", field.replace(" ", "-"),
             f"An array without index block has {field} {value}.")
    def counted(f, field=field, value=value):
        f.at("/d").unused = "blocks"
        f["EAHD"][field] = value


# Statistics ---------------------------------------------------------------------------------------

def statistic(clause, field, slug, shows, value, base=super_blocks):
    changed(clause, slug, shows, {f"EAHD: {field}": value}, base=base)


statistic("swmr-earray-super-block-count", "super blocks", "one-too-many",
          "The number of super blocks is one too large.", 3)
statistic("swmr-earray-super-block-count", "super blocks", "0",
          "The number of super blocks is 0, where there are two.", 0)
statistic("swmr-earray-super-block-count", "super blocks", "of-the-index-block",
          "The number of super blocks counts those of the index block, too.", 4)
statistic("swmr-earray-super-block-bytes", "super block bytes", "off-by-one",
          "The bytes of super blocks are one too many.",
          lambda f: f["EAHD"]["super block bytes"] + 1)
statistic("swmr-earray-super-block-bytes", "super block bytes", "0",
          "The bytes of super blocks are 0.", 0)
statistic("swmr-earray-super-block-bytes", "super block bytes", "without-bitmap",
          "The bytes of super blocks leave out the bitmap.",
          lambda f: f["EAHD"]["super block bytes"] - 4, base=paged)
statistic("swmr-earray-data-block-count", "data blocks", "one-too-few",
          "The number of data blocks is one too small.", lambda f: f["EAHD"]["data blocks"] - 1)
statistic("swmr-earray-data-block-count", "data blocks", "of-the-index-block",
          "The number of data blocks counts only those of the index block.", 1)
statistic("swmr-earray-data-block-count", "data blocks", "one-too-many",
          "The number of data blocks is one too large.", lambda f: f["EAHD"]["data blocks"] + 1)
statistic("swmr-earray-data-block-bytes", "data block bytes", "pages",
          "The bytes of data blocks leave out the checksums of pages.",
          lambda f: f["EAHD"]["data block bytes"] - 8 * 4, base=paged)
statistic("swmr-earray-data-block-bytes", "data block bytes", "checksums",
          "The bytes of data blocks leave out their checksums.",
          lambda f: f["EAHD"]["data block bytes"] - 4 * f["EAHD"]["data blocks"])
statistic("swmr-earray-data-block-bytes", "data block bytes", "0",
          "The bytes of data blocks are 0.", 0)


@valid("swmr-earray-max-index", also=["swmr-chunk-inside-extent"])
def made_smaller(f):
    "A dataset that was made smaller; the maximum index stays."
    f.at("/d").written = [0, 1, 2]
    f.at("/d").shape = (6,)


changed("swmr-earray-max-index", "last", "The maximum index is the number of the last chunk.",
        {"EAHD: maximum index": 2})
changed("swmr-earray-max-index", "0", "The maximum index is 0.", {"EAHD: maximum index": 0})

changed("swmr-earray-max-index", "nonsense-behind-it",
        "An element after the maximum index has an address, which leads past the file.",
        {"EADB: element 1.address": 1 << 40})

statistic("swmr-earray-realized", "realized", "chunks",
          "The number of realized elements is that of chunks.", 6)
statistic("swmr-earray-realized", "realized", "off-by-one",
          "The number of realized elements is one too large.",
          lambda f: f["EAHD"]["realized"] + 1)


# Index block --------------------------------------------------------------------------------------

changed("swmr-earray-index-block-signature", "changed", "The index block begins with EAIC.",
        {"EAIB: signature": b"EAIC"})
changed("swmr-earray-index-block-signature", "header",
        "The index block address is that of the header.",
        {"EAHD: index block": lambda f: f["EAHD"]})
for field, words in (("element 0.address", "An element"),
                     ("data block 0", "The address of a data block")):
    corrupted("swmr-earray-index-block-checksum", field.split(".")[0].replace(" ", "-"),
           f"{words} in the index block was changed.", f"EAIB: {field}")
changed("swmr-earray-index-block-checksum", "zero", "The checksum of the index block is 0.",
        {"EAIB: checksum": 0})


# Super blocks -------------------------------------------------------------------------------------

FIRST, SECOND = "EASB /d 0", "EASB /d 1"

changed("swmr-earray-super-block-signature", "changed", "A super block begins with EASC.",
        {f"{FIRST}: signature": b"EASC"}, base=super_blocks)
changed("swmr-earray-super-block-signature", "data-block",
        "A super block address is that of a data block.",
        {"EAIB: super block 0": lambda f: f["EADB /d 1"]}, base=super_blocks)
changed("swmr-earray-super-block-signature", "off-by-8",
        "A super block address is 8 bytes too far.",
        {"EAIB: super block 0": lambda f: At(f[FIRST], 8)}, base=super_blocks)
corrupted("swmr-earray-super-block-checksum", "address",
       "The address of a data block in a super block was changed.", f"{FIRST}: data block 0",
       base=super_blocks)
corrupted("swmr-earray-super-block-checksum", "bitmap", "The bitmap of a super block was changed.",
       "EASB /d 0: bitmap", base=paged)
changed("swmr-earray-super-block-checksum", "zero", "The checksum of a super block is 0.",
        {f"{FIRST}: checksum": 0}, base=super_blocks)
changed("swmr-earray-super-block-offset", "0", "The offset of a super block is 0.",
        {f"{FIRST}: offset": 0}, base=super_blocks)
changed("swmr-earray-super-block-offset", "index-elements",
        "The offset of a super block counts the elements of the index block.",
        {f"{FIRST}: offset": lambda f: f[FIRST]["offset"] + 2}, base=super_blocks)


# Data blocks --------------------------------------------------------------------------------------

changed("swmr-earray-data-block-signature", "changed", "A data block begins with EADC.",
        {"EADB: signature": b"EADC"})


@invalid("swmr-earray-data-block-signature")
def off_by_8(f):
    "A data block address is 8 bytes too far."
    f.image.add(Block("spare", "", ("bytes", bytes(8))))
    f["EAIB"]["data block 0"] = At(f["EADB"], 8)


corrupted("swmr-earray-data-block-checksum", "element", "An element of a data block was changed.",
       "EADB: element 1.address")
corrupted("swmr-earray-data-block-checksum", "owner", "The owner of a paged data block was changed.",
       "EADB /d 0: header", base=paged)
changed("swmr-earray-data-block-checksum", "zero", "The checksum of a data block is 0.",
        {"EADB: checksum": 0})


@valid("swmr-earray-data-block-offset", base=super_blocks, ambiguity="swmr-data-block-offset-quirk")
def true_start(f):
    "Data blocks of the index block state where they begin, not what libhdf5 writes there."
    f.at("/d").storage = ExtensibleArray(8, 2, 2, 4, 3)
    f.at("/d").written = [2, 4, 8, 12]
    for number, offset in ((1, 2), (2, 6), (3, 10)):
        f[f"EADB /d {number}"]["offset"] = offset


changed("swmr-earray-data-block-offset", "7", "The offset of a data block is 7.",
        {"EADB: offset": 7})
changed("swmr-earray-data-block-offset", "below-a-super-block",
        "The offset of a data block below a super block is one too large.",
        {"EADB /d 2: offset": lambda f: f["EADB /d 2"]["offset"] + 1}, base=super_blocks)


# All blocks ---------------------------------------------------------------------------------------

for kind, word in (("EAIB", "index block"), ("EADB", "data block")):
    changed("swmr-earray-block-version", word.replace(" ", "-"), f"The {word} has version 1.",
            {f"{kind}: version": 1})
changed("swmr-earray-block-version", "super-block", "A super block has version 1.",
        {f"{FIRST}: version": 1}, base=super_blocks)

changed("swmr-earray-block-client", "super-block",
        "A super block of client 1 in an array of client 0.",
        {f"{FIRST}: client": 1}, base=super_blocks)
changed("swmr-earray-block-client", "index-block",
        "The index block of client 0 in an array of client 1.", {"EAIB: client": 0},
        base=extensible_filtered)
changed("swmr-earray-block-client", "data-block", "A data block of client 2.", {"EADB: client": 2})

@invalid("swmr-earray-block-owner")
def another_array(f):
    "The index block names the array of another dataset."
    f.root.links["e"] = extensible().at("/d")
    f["EAIB /d"]["header"] = f["EAHD /e"]


changed("swmr-earray-block-owner", "object-header", "A data block names the object header.",
        {"EADB: header": lambda f: f["OHDR /d"]})
changed("swmr-earray-block-owner", "zero", "A super block names the address 0.",
        {f"{FIRST}: header": 0}, base=super_blocks)


# Pages --------------------------------------------------------------------------------------------

corrupted("swmr-earray-page-checksum", "element", "An element of a page was changed.",
       "EADB /d 1: page 0.element 0.address", base=paged)


@invalid("swmr-earray-page-checksum", base=paged)
def zeros(f):
    "A page of zeros is stated to be in use."
    set_bits(f, 0, 0x10)


def set_bits(f, byte, mask):
    bits = bytearray(f["EASB"]["bitmap"])
    assert not bits[byte] & mask
    bits[byte] |= mask
    f["EASB"]["bitmap"] = bytes(bits)


changed("swmr-earray-page-checksum", "zero", "The checksum of a page is 0.",
        {"EADB /d 1: page 0.checksum": 0}, base=paged)


@valid("swmr-earray-page-unused-any", base=paged)
def garbage(f):
    "A page that is not in use is full of garbage."
    page = f["EADB /d 1"]["page 1"]
    assert isinstance(page, bytes)
    f["EADB /d 1"]["page 1"] = b"\xa5" * len(page)


@valid("swmr-earray-blocks-on-demand-allowed", base=lambda: bytewise(110, [104]))
def far_out(f):
    "One chunk far out: only its own super block and data block exist."


@valid("swmr-earray-bitmap-tail", base=paged)
def as_it_should_be(f):
    "No bit after those of the pages is set."


for name, byte, mask, words in (("last", 3, 1, "last bit"),
                                ("first", 1, 0x80, "first bit after the pages")):
    @invalid("swmr-earray-bitmap-tail", name, f"The {words} of a bitmap is set.", base=paged)
    def tail(f, byte=byte, mask=mask):
        set_bits(f, byte, mask)


def absent_blocks():
    """Pages in the first of four data blocks alone."""
    return bytewise(130, [0, 64, 72])


for count in (1, 2):
    @invalid("swmr-earray-bitmap-block", f"{count}-absent",
             f"Pages of {count} data block{'s' * (count > 1)} that are not there are marked in use.",
             base=absent_blocks)
    def absent(f, count=count):
        set_bits(f, 0, 0x20 if count == 1 else 0x28)


# Where elements are -------------------------------------------------------------------------------

@invalid("swmr-earray-element-place", base=lambda: bytewise(12))
def as_if_from_element_0(f):
    "The array was filled as if data blocks began at element 0: the last chunks come out beyond."
    f.at("/d").renumbered = lambda at: at if at < 2 else at + 2


@invalid("swmr-earray-element-place", base=lambda: bytewise(10))
def second_block_first(f):
    "The second data block of a super block was filled before the first."
    f.at("/d").renumbered = lambda at: at if at < 8 else at + 4


def two_dimensions():
    return extensible(shape=(4, 6), maximum=(10, UNLIMITED), chunk=(2, 3))


@valid("swmr-earray-element-order", base=two_dimensions,
       keeps=["swmr-index-extensible-one-unlimited"])
def chunk_0_3_is_element_5(f):
    "Shape (4, 9), maximum (10, unlimited), chunks (2, 3): five chunks for each step to the right."
    f.at("/d").shape = (4, 9)


@invalid("swmr-earray-element-order", base=two_dimensions, ambiguity="swmr-chunk-beyond-extent")
def over_the_current_grid(f):
    "The array was filled over the current grid, of two chunks in the first dimension."
    f.at("/d").shape = (4, 9)
    f.at("/d").renumbered = lambda row, column: column * 2 + row


@invalid("swmr-earray-element-order", base=two_dimensions, ambiguity="swmr-chunk-beyond-extent")
def without_moving(f):
    "The array was filled without moving the unlimited second dimension to the front."
    f.at("/d").renumbered = lambda row, column: row * 2 + column
