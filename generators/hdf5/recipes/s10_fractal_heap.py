"""FF-III.G: the heaps of dense links and attributes."""

from generators.hdf5 import *

ALL = ["swmr-fractal-heap-signature", "swmr-fractal-heap-checksum", "swmr-fractal-heap-version",
       "swmr-fractal-heap-block-signature", "swmr-fractal-heap-block-checksum",
       "swmr-fractal-heap-block-offset", "swmr-fractal-heap-owner", "swmr-fractal-heap-geometry",
       "swmr-fractal-heap-id"]


@valid("swmr-fractal-heap-signature", base=dense, keeps=ALL)
def ten_links(f):
    "Ten links in a single block."


@valid("swmr-fractal-heap-block-offset", base=dense_deep, keeps=ALL)
def blocks_in_blocks(f):
    "Links in direct blocks of two sizes, and below an indirect block in another one."


@valid("swmr-fractal-heap-block-checksum", base=dense)
def without_checksums(f):
    "A heap whose direct blocks have no checksum."
    f.root.storage = dense_links(checksummed=False)


@valid("swmr-fractal-heap-geometry", base=dense)
def as_usual(f):
    "Width 4, blocks of 512 bytes to 64 KiB, as the library makes them."
    f.root.storage = dense_links(width=4, start=512, max_direct=1 << 16, max_managed=4096)


@valid("swmr-fractal-heap-geometry", base=dense,
       until="hdf5-swmr-2013-10-10")
def as_large_as_can_be(f):
    "A heap of 2^64 bytes at most; nothing is in it yet."
    f.root.links, f.root.storage = {}, dense_links(bits=64)


changed("swmr-fractal-heap-signature", "changed", "The header of a heap begins with FRHQ.",
        {"FRHP: signature": b"FRHQ"}, base=dense)
changed("swmr-fractal-heap-signature", "off-by-four", "The heap address is four bytes too far.",
        {"OHDR /: link info.heap": lambda f: At(f["FRHP"], 4)}, base=dense)
changed("swmr-fractal-heap-version", "header", "The header of a heap has version 1.",
        {"FRHP: version": 1}, base=dense)
changed("swmr-fractal-heap-version", "direct-block", "A direct block has version 1.",
        {"FHDB: version": 1}, base=dense)
changed("swmr-fractal-heap-version", "indirect-block", "An indirect block has version 1.",
        {"FHIB: version": 1}, base=dense_with_rows)
corrupted("swmr-fractal-heap-checksum", "byte", "A byte of the header of a heap was changed.",
       "FRHP: objects", base=dense)
changed("swmr-fractal-heap-checksum", "zero", "The checksum of the header of a heap is 0.",
        {"FRHP: checksum": 0}, base=dense)

for field, value, words in (("width", 3, "The table of a heap is three blocks wide."),
                            ("start", 1024, "The first blocks are larger than the largest."),
                            ("max direct", 600, "The largest direct block has 600 bytes."),
                            ("rows", 65535, "The root has 65535 rows."),
                            ("bits", 65, "The heap states that it has 2^65 bytes.")):
    changed("swmr-fractal-heap-geometry", field.replace(" ", "-"), words,
            {f"FRHP: {field}": value}, base=dense_with_rows)

changed("swmr-fractal-heap-block-signature", "direct", "A direct block begins with FHDC.",
        {"FHDB: signature": b"FHDC"}, base=dense)
changed("swmr-fractal-heap-block-signature", "indirect", "An indirect block begins with FHIC.",
        {"FHIB: signature": b"FHIC"}, base=dense_with_rows)


@invalid("swmr-fractal-heap-block-signature", base=dense_with_rows)
def rows_0(f):
    "The header has no rows, so its root should be a direct block; it is an indirect one."
    f["FRHP"]["rows"] = 0


corrupted("swmr-fractal-heap-block-checksum", "link",
       "A byte of a link in a direct block was changed.",
       "FHDB: object 3.value", base=dense)
corrupted("swmr-fractal-heap-block-checksum", "indirect", "A byte of an indirect block was changed.",
       "FHIB: child 0", base=dense_with_rows)

changed("swmr-fractal-heap-block-offset", "second", "The offset of the second direct block is 0.",
        {"FHDB / 1: offset": 0}, base=dense_with_rows)
changed("swmr-fractal-heap-block-offset", "indirect", "The offset of an indirect block is 1.",
        {"FHIB / 0: offset": 1}, base=dense_with_rows)


@invalid("swmr-fractal-heap-block-offset", base=dense_with_rows)
def siblings(f):
    "The offsets of two direct blocks were exchanged."
    one, other = f["FHDB / 0"], f["FHDB / 1"]
    one["offset"], other["offset"] = other["offset"], one["offset"]


@invalid("swmr-fractal-heap-owner", base=dense)
def another_heap(f):
    "A direct block names the heap of another group."
    f.root.links["g"] = dense().root
    f["FHDB /"]["header"] = f["FRHP /g"]


changed("swmr-fractal-heap-owner", "zero", "An indirect block names the address 0 as its heap.",
        {"FHIB: header": 0}, base=dense_with_rows)


# Ids ----------------------------------------------------------------------------------------------

@valid("swmr-fractal-heap-id", base=dense, keeps=ALL[:-1])
def of_20_bytes(f):
    "Links of twenty bytes."
    f.root.links = {f"a long name {number:02}": soft(b"x") for number in range(6)}


changed("swmr-fractal-heap-id", "absent-block", "An id leads into a block that is not there.",
        {"BTLF: record 3.id.offset": 3000}, base=dense)
changed("swmr-fractal-heap-id", "length", "An object runs over the end of its block.",
        {"BTLF: record 3.id.length": 250}, base=dense)
changed("swmr-fractal-heap-id", "version", "An id has version 1.",
        {"BTLF: record 3.id.kind": 0x40}, base=dense)
changed("swmr-fractal-heap-id", "prefix", "An id leads into the prefix of a block.",
        {"BTLF: record 3.id.offset": 4}, base=dense)
