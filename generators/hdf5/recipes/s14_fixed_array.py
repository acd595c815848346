"""11.1, 11.2, 11.3: fixed arrays; and the elements of both kinds of arrays."""

from generators.hdf5 import *

ALL = ["swmr-farray-header-signature", "swmr-farray-header-version", "swmr-farray-header-checksum",
       "swmr-farray-client", "swmr-farray-element-size", "swmr-farray-page-bits-as-layout",
       "swmr-farray-page-bits-range", "swmr-farray-count", "swmr-farray-block-signature",
       "swmr-farray-block-version", "swmr-farray-block-client", "swmr-farray-block-owner",
       "swmr-farray-block-checksum"]


@valid("swmr-farray-header-signature", base=fixed,
       keeps=[*ALL, "swmr-index-fixed-no-unlimited", "swmr-eligible-index-kind"])
def twelve_elements(f):
    "Three chunks of twelve, without pages."


@valid("swmr-farray-page-checksum", base=fixed_paged,
       keeps=[*ALL, "swmr-farray-bitmap-tail"])
def three_pages(f):
    "Eleven elements in pages of four: the last has three, the second is not in use."


changed("swmr-farray-header-signature", "changed", "The header of an array begins with FAHE.",
        {"FAHD: signature": b"FAHE"}, base=fixed)
for version in (1, 255):
    changed("swmr-farray-header-version", f"version-{version}",
            f"The header of an array has version {version}.", {"FAHD: version": version},
            base=fixed)
corrupted("swmr-farray-header-checksum", "count", "The number of elements was changed.", "FAHD: count",
       base=fixed)
changed("swmr-farray-header-checksum", "zero", "The checksum of the header is 0.",
        {"FAHD: checksum": 0}, base=fixed)


@valid("swmr-farray-client", base=fixed_filtered, keeps=["swmr-farray-element-size"])
def filtered(f):
    "Client 1, of filtered chunks."


changed("swmr-farray-client", "1-without-filters", "Client 1 for chunks without filters.",
        {"FAHD: client": 1}, base=fixed)
changed("swmr-farray-client", "0-with-filters", "Client 0 for filtered chunks.",
        {"FAHD: client": 0}, base=fixed_filtered)
changed("swmr-farray-client", "2", "Client 2.", {"FAHD: client": 2}, base=fixed)

changed("swmr-farray-element-size", "one-more", "The element size is one byte more.",
        {"FAHD: element size": 9}, base=fixed)
changed("swmr-farray-element-size", "8-for-filtered", "Elements of 8 bytes in a filtered array.",
        {"FAHD: element size": 8}, base=fixed_filtered)


@invalid("swmr-farray-element-size", base=fixed_filtered)
def width_of_layout_4(f):
    "The element size of a layout of version 4 under one of version 5."
    f["OHDR /d"]["layout.version"] = 5


changed("swmr-farray-page-bits-as-layout", "header",
        "The page bits are 3 in the header, 4 in the layout.",
        {"FAHD: page bits": 3}, base=fixed)
changed("swmr-farray-page-bits-as-layout", "layout",
        "The page bits are 5 in the layout, 4 in the header.",
        {"OHDR /d: layout.page bits": 5}, base=fixed)


@invalid("swmr-farray-page-bits-as-layout", base=fixed)
def exchanged(f):
    "Two datasets have the page bits of each other in their headers."
    f.root.links["e"] = fixed(storage=FixedArray(5)).at("/d")
    one, other = f["FAHD /d"], f["FAHD /e"]
    one["page bits"], other["page bits"] = other["page bits"], one["page bits"]


for bits in (64, 200):
    changed("swmr-farray-page-bits-range", str(bits), f"The page bits are {bits}.",
            {"FAHD: page bits": bits, "OHDR /d: layout.page bits": bits}, base=fixed)

for count, words in ((3, "that for the current size"), (13, "one too large"),
                     (11, "one too small")):
    changed("swmr-farray-count", f"{count}-for-12", f"The number of elements is {words}.",
            {"FAHD: count": count}, base=fixed)


# The data block -----------------------------------------------------------------------------------

@valid("swmr-farray-block-signature", base=fixed)
def none_yet(f):
    "An array without a data block: nothing was stored."
    f.at("/d").unused = "blocks"


changed("swmr-farray-block-signature", "changed", "The data block begins with FADC.",
        {"FADB: signature": b"FADC"}, base=fixed)
changed("swmr-farray-block-signature", "header", "The data block address is that of the header.",
        {"FAHD: block": lambda f: f["FAHD"]}, base=fixed)


@invalid("swmr-farray-block-signature", base=fixed)
def off_by_4(f):
    "The data block address is four bytes too far."
    f.image.add(Block("spare", "", ("bytes", bytes(8))))
    f["FAHD"]["block"] = At(f["FADB"], 4)


for version in (1, 255):
    changed("swmr-farray-block-version", f"version-{version}",
            f"The data block has version {version}.", {"FADB: version": version}, base=fixed)
changed("swmr-farray-block-client", "1", "A data block of client 1 under a header of client 0.",
        {"FADB: client": 1}, base=fixed)
changed("swmr-farray-block-client", "0", "A data block of client 0 under a header of client 1.",
        {"FADB: client": 0}, base=fixed_filtered)
changed("swmr-farray-block-owner", "object-header",
        "The data block names the header of the dataset.",
        {"FADB: header": lambda f: f["OHDR /d"]}, base=fixed)
changed("swmr-farray-block-owner", "zero", "The data block names the address 0.",
        {"FADB: header": 0}, base=fixed)


@valid("swmr-farray-block-checksum", base=fixed)
def exactly_a_page(f):
    "As many elements as a page has: they are not paged."
    f.at("/d").maximum = (64,)


corrupted("swmr-farray-block-checksum", "element",
       "An element was changed.", "FADB: element 1.address",
       base=fixed)
corrupted("swmr-farray-block-checksum", "bitmap", "The bitmap was changed.", "FADB: bitmap",
       base=fixed_paged)
changed("swmr-farray-block-checksum", "zero", "The checksum of the data block is 0.",
        {"FADB: checksum": 0}, base=fixed)


# Pages --------------------------------------------------------------------------------------------

def set_bits(f, mask):
    bits = bytearray(f["FADB"]["bitmap"])
    bits[0] |= mask
    f["FADB"]["bitmap"] = bytes(bits)


corrupted("swmr-farray-page-checksum", "element", "An element of a page was changed.",
       "FADB: page 2.element 0.address", base=fixed_paged)


@invalid("swmr-farray-page-checksum", base=fixed_paged)
def zeros(f):
    "A page of zeros is stated to be in use."
    set_bits(f, 0x40)


@invalid("swmr-farray-page-checksum", base=fixed_paged)
def full_last_page(f):
    "The last page is written with the bytes of a full one, its checksum at the end."
    block = f["FADB"]
    page = block["page 2"]
    del block["page 2"]
    elements = b"".join(_bytes(page[f"element {number}"], f) for number in range(3)) + b"\xff" * 8
    block.add("page 2", elements + lookup3(elements).to_bytes(4, "little"))


def _bytes(struct, f):
    f.image.arrange()
    made = bytearray()
    struct.write(made)
    return bytes(made)


@valid("swmr-farray-page-unused-any", base=fixed_paged)
def garbage(f):
    "The page that is not in use is full of garbage."
    f["FADB"]["page 1"] = b"\xa5" * len(f["FADB"]["page 1"])


for name, mask, words in (("first", 0x10, "A bit after those of three pages is set."),
                          ("last", 0x01, "The last bit of a bitmap for three pages is set.")):
    @invalid("swmr-farray-bitmap-tail", name, words, base=fixed_paged)
    def tail(f, mask=mask):
        set_bits(f, mask)


# The order of elements ----------------------------------------------------------------------------

def two_dimensions():
    return fixed(shape=(4, 6), maximum=(20, 10), chunk=(2, 3), storage=FixedArray(6))


@valid("swmr-farray-element-order", base=two_dimensions, keeps=["swmr-farray-count"])
def chunk_2_0_is_element_4(f):
    "Shape (4, 6), maximum (20, 10), chunks (2, 3): ten rows of four chunks."


@invalid("swmr-farray-element-order", base=two_dimensions, ambiguity="swmr-chunk-beyond-extent")
def over_the_current_grid(f):
    "The array was filled over the current grid, of two columns."
    f.at("/d").renumbered = lambda row, column: row * 2 + column


@invalid("swmr-farray-element-order", base=two_dimensions, ambiguity="swmr-chunk-beyond-extent")
def column_major(f):
    "The array was filled in column-major order."
    f.at("/d").renumbered = lambda row, column: column * 10 + row


# Elements without a chunk -------------------------------------------------------------------------

@valid("swmr-element-empty", base=extensible_filtered, keeps=["swmr-sparse-chunks-allowed"])
def sparse_gzip(f):
    "A sparse dataset of filtered chunks."
    f.at("/d").written = [1]


def sparse():
    return extensible(filters=[gzip()], written=[1])


changed("swmr-element-empty", "size", "An element without an address has size 17.",
        {"EAIB: element 0.size": 17}, base=sparse)
changed("swmr-element-empty", "mask", "An element without an address has mask 1.",
        {"EAIB: element 0.mask": 1}, base=sparse)
changed("swmr-element-empty", "fixed-array",
        "An element of a fixed array without an address has a size.",
        {"FADB: element 2.size": 17}, base=lambda: fixed(filters=[gzip()], written=[0, 1]))
