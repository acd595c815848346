"""4 to 6: strings, feature flags, frames, locators."""

from generators.rntuple import *


def edit(name, change):
    """Changes the parts of an envelope before it is written."""
    return lambda file: put(file.ntuple, edit={name: change})


FIELDS, COLUMNS = 4, 5          # parts of a header with one flag word
EXTENSION, GROUPS, CLUSTER_GROUPS, LINKS = 2, 3, 4, 5   # parts of a footer
SUMMARIES, LOCATIONS = 1, 2     # parts of a page list

# 4 ------------------------------------------------------------------------------------------------

INSIDE, ASCII = "rntuple-string-inside", "rntuple-string-ascii"
good(INSIDE, "empty", "Empty strings, one of which ends with its record.", keeps=[ASCII, "rntuple-header-empty-strings"])


def replace_in_field(old, new):
    def change(parts):
        record = parts[FIELDS].items[0]
        record.parts = [new if each == old else each for each in record.parts]
    return change


bad(INSIDE, "one-too-long", "The last string of a field record is one byte longer than the rest.",
    change=edit("header", lambda parts: parts[FIELDS].items[0].parts.__setitem__(4, u32(1))))
bad(INSIDE, "largest-length", "A string of 4294967295 bytes.",
    change=edit("header", replace_in_field(string("x"), u32(0xFFFFFFFF) + b"x")))
bad(INSIDE, "half-a-length", "2 of the 4 bytes of a length are in the record.",
    change=edit("header", lambda parts: parts[FIELDS].items[0].parts.__setitem__(4, b"\0\0")))
bad(INSIDE, "name-of-the-rntuple", "The name of the RNTuple is longer than the envelope.",
    change=edit("header", lambda parts: parts.__setitem__(1, u32(1 << 20) + b"Events")))
bad(ASCII, "utf-8", "A description with the letter U+00B5.",
    change=lambda file: put(file.ntuple.find("x"), description="in \u00b5m"))
bad(ASCII, "latin-1", "A field name in Latin-1.",
    change=lambda file: put(file.ntuple.find("x"), name=b"\xb5"))
bad(ASCII, "metadata-key", "A metadata key with the byte 0xFF.",
    change=lambda file: put(file.ntuple, metadata=[[record(i32(2), string(b"a\xff"), b"\1")]]))
bad("rntuple-field-strings", "three", "The record ends after the type alias.", alias=INSIDE,
    change=edit("header", lambda parts: parts[FIELDS].items[0].parts.__setitem__(4, b"")))
bad("rntuple-field-strings", "list-frame", "The strings are wrapped in a list frame.", alias=INSIDE,
    change=edit("header", lambda parts: put(parts[FIELDS].items[0], parts=[
        parts[FIELDS].items[0].parts[0], listed(parts[FIELDS].items[0].parts[1:5])])))
bad("rntuple-field-array-size-present", "missing", "Flag 0x01 is set, and there is no array size.",
    base=arrays, alias=INSIDE, change=lambda file: put(file.ntuple.find("a"), size=None))


@invalid("rntuple-integers-little-endian", alias="rntuple-envelope-type",
         fails={"rntuple-envelope-type", "rntuple-envelope-length"})
def big_endian_preamble(file):
    "The first word of the header is big-endian."
    put(file.ntuple, after={("word", "header"): lambda word, length: (length << 16 | 1).to_bytes(8, "big")})


@invalid("rntuple-integers-little-endian", alias="rntuple-frame-inside-parent")
def big_endian_frames(file):
    "The size of the list of fields is big-endian."
    put(file.ntuple, edit={"header": lambda parts: parts.__setitem__(FIELDS, listed_big(parts[FIELDS]))})


def listed_big(frame):
    made = frame.bytes()
    return made[:8][::-1] + made[8:]


# 4.1 ----------------------------------------------------------------------------------------------

CHAIN, BITS, TESTING = ("rntuple-feature-flags-chain", "rntuple-feature-bits-defined",
                        "rntuple-feature-testing-bit")
MORE = 1 << 63
good(CHAIN, "zero", "One integer without bits.", keeps=[BITS, TESTING, "rntuple-footer-flags-not-repeated"])
good("rntuple-feature-chain-of-zeros", "three", "Three integers without features.", keeps=[CHAIN, BITS],
     change=lambda file: put(file.ntuple, flags=[MORE, MORE, 0]))
bad(CHAIN, "no-end", "All integers of the footer continue.",
    change=edit("footer", lambda parts: [u64(MORE)] * 6))
bad(CHAIN, "four-bytes", "A payload of 4 bytes.", change=edit("footer", lambda parts: [bytes(4)]))
for name, flags in (("bit-0", [1]), ("bit-200", [MORE, MORE, MORE, 1 << 8]),
                    ("bits-128-and-131", [MORE, MORE, 9]), ("bit-62", [1 << 62])):
    bad(BITS, name, f"Undefined feature bits in the header: {name}.",
        change=lambda file, flags=flags: put(file.ntuple, flags=flags))
bad(BITS, "in-the-footer", "Bit 5 in the footer.", change=lambda file: put(file.ntuple, footer_flags=[32]))
bad(TESTING, "header", "Bit 137 in the header.",
    change=lambda file: put(file.ntuple, flags=[MORE, MORE, 1 << 9]))
bad(TESTING, "footer", "Bit 137 in the footer.",
    change=lambda file: put(file.ntuple, footer_flags=[MORE, MORE, 1 << 9]))
good("rntuple-footer-flags-not-repeated", "bit-137", "Bit 137 in the header, and none in the footer.",
     also={TESTING}, change=lambda file: put(file.ntuple, flags=[MORE, MORE, 1 << 9]))

# 5 ------------------------------------------------------------------------------------------------

MINIMUM, PARENT, KIND = ("rntuple-frame-minimum-size", "rntuple-frame-inside-parent",
                         "rntuple-frame-kind")
ITEMS, HOLDS = "rntuple-list-items-inside", "rntuple-frame-holds-record"
good(MINIMUM, "eight-and-twelve", "A record frame of 8 bytes, and lists of 12.",
     keeps=[PARENT, KIND, ITEMS, HOLDS, "rntuple-schema-extension-empty"])


def sized(size):
    return lambda parts: parts.__setitem__(EXTENSION, u64(size) + u32(0))


def cut_record(frame, size):
    frame.parts = [b"".join(each if isinstance(each, bytes) else each.bytes() for each in frame.parts)[:size]]


bad(KIND, "locations-as-record", "The list of page locations is a record.",
    change=edit("pagelist", lambda parts: parts.__setitem__(LOCATIONS, record(bytes(4)))))
bad(MINIMUM, "locations-of-eleven", "The list of page locations has the size -11.",
    change=edit("pagelist", lambda parts: parts.__setitem__(LOCATIONS, u64(-11) + u32(0))))
bad(MINIMUM, "zero", "A record frame of size 0.", change=edit("footer", sized(0)))
bad(MINIMUM, "seven", "A record frame of size 7.", change=edit("footer", sized(7)))
bad(MINIMUM, "list-of-eight", "A list frame of size -8.", change=edit("footer", sized(-8)))
bad(MINIMUM, "list-of-eleven", "A list frame of size -11.", change=edit("footer", sized(-11)))
bad(MINIMUM, "lowest", "Size -2^63.", change=edit("footer", sized(-(1 << 63))))
bad(PARENT, "one-too-large", "The last record of the list of fields is too large by 1.",
    change=edit("header", lambda parts: put(parts[FIELDS].items[0], size=1)))
bad(PARENT, "huge", "A frame of 2^62 bytes.", change=edit("footer", sized(1 << 62)))
bad(PARENT, "into-the-checksum", "The last list of the footer reaches into the checksum.",
    change=edit("footer", lambda parts: put(parts[LINKS], size=1)))
bad(PARENT, "larger-than-the-extension", "The list of columns is larger than the schema extension.",
    base=extended, change=edit("footer", lambda parts: put(parts[EXTENSION].parts[1], size=1 << 10)))
bad(KIND, "field-as-list", "A field record is a list frame.",
    change=edit("header", lambda parts: put(parts[FIELDS].items[0], as_list=True, items=[])))
bad(KIND, "extension-as-list", "The schema extension is a list.",
    change=edit("footer", lambda parts: parts.__setitem__(EXTENSION, listed([]))))
bad(KIND, "cluster-groups-as-record", "The list of cluster groups is a record.",
    change=edit("footer", lambda parts: parts.__setitem__(CLUSTER_GROUPS, record(bytes(4)))))
bad(KIND, "pages-as-record", "The list of pages of a column is a record.",
    change=edit("pagelist", lambda parts: parts[LOCATIONS].items[0].items.__setitem__(0, record(bytes(40)))))
good(ITEMS, "no-items", "Lists without items, and one whose last item ends with it.", base=extended, keeps=[HOLDS])
bad(ITEMS, "one-too-many", "The count of columns is larger than the columns by 1.",
    change=edit("header", lambda parts: put(parts[COLUMNS], count=1)))
bad(ITEMS, "largest-count", "A count of 4294967295 in a list of 12 bytes.",
    change=edit("footer", lambda parts: put(parts[LINKS], count=0xFFFFFFFF)))
bad(ITEMS, "column-ids", "The count of column ids is twice as large as the ids.", base=sharded,
    change=edit("footer", lambda parts: put(parts[GROUPS].items[0].parts[0], count=1)))
bad(ITEMS, "pages", "The count of pages is larger than the pages by 1.",
    change=lambda file: put(file.ntuple.chunk("x"), count=1))
bad(HOLDS, "short-column", "A column record of 16 bytes.",
    change=edit("header", lambda parts: put(parts[COLUMNS].items[0], parts=[parts[COLUMNS].items[0].parts[0][:8]])))
bad(HOLDS, "no-link", "A cluster group that ends before its link.",
    change=edit("footer", lambda parts: put(parts[CLUSTER_GROUPS].items[0],
                                            parts=parts[CLUSTER_GROUPS].items[0].parts[:1])))
for size in 3, 8:
    bad(HOLDS, f"link-of-{8 + size}-bytes", f"A cluster group that ends {size} bytes into the locator of its link.",
        change=edit("footer", lambda parts, size=size: cut_record(parts[CLUSTER_GROUPS].items[0], 20 + 8 + size)))
bad(HOLDS, "short-summary", "A cluster summary of 12 bytes of payload.",
    change=edit("pagelist", lambda parts: put(parts[SUMMARIES].items[0],
                                              parts=[parts[SUMMARIES].items[0].parts[0][:12]])))
bad(HOLDS, "short-alias", "An alias record of 4 bytes of payload.", base=projected,
    change=edit("header", lambda parts: put(parts[6].items[0], parts=[bytes(4)])))
bad("rntuple-deferred-index-present", "missing", "Flag 0x08 in a record of 20 bytes.", alias=HOLDS,
    change=lambda file: put(file.ntuple.column("x"), flags=8))


@valid("rntuple-frame-surplus", base=clusters)
def extra_bytes(file):
    "Bytes behind the known parts of field, column, cluster and cluster group, and behind the last field."
    put(file.ntuple.find("x"), surplus=b"more")
    put(file.ntuple.column("x"), surplus=b"more")
    put(file.ntuple.clusters[0], surplus=b"more")
    put(file.ntuple, groups=[Group(file.ntuple.clusters)])
    put(file.ntuple.groups[0], surplus=b"more")
    put(file.ntuple, edit={"header": lambda parts: put(parts[FIELDS], tail=bytes(6))})


# 6 ------------------------------------------------------------------------------------------------

IN_FILE, DISK = "rntuple-locator-in-file", "rntuple-locator-on-disk"
good(IN_FILE, "all", "All locators are in the file.", keeps=[DISK])
bad(IN_FILE, "far", "A page at 2^40.", change=lambda file: put(file.ntuple.page("x"), offset=1 << 40))
bad(IN_FILE, "one-byte-past-the-end", "A page that ends one byte behind fEND.",
    change=lambda file: put(file.ntuple.page("x"), offset=len(ints().bytes()) - 11))
bad(IN_FILE, "near-the-end-of-numbers", "A page at 2^64-1.",
    change=lambda file: put(file.ntuple.page("x"), offset=(1 << 64) - 1))
bad(IN_FILE, "footer-at-0", "The footer is at 0.", change=lambda file: put(file.ntuple, anchor={"footer seek": 0}))
bad(IN_FILE, "page-list-relative", "The offset of the page list is relative to its key.",
    change=lambda file: put(file.ntuple, groups=[Group(file.ntuple.clusters)])
    or put(file.ntuple.groups[0], link=lambda length, size, offset: u64(length) + locator(size, 34)))


def link_locator(made):
    return lambda file: put(file.ntuple, groups=[Group(file.ntuple.clusters)]) or put(
        file.ntuple.groups[0], link=lambda length, size, offset: u64(length) + made)


OWN, TYPE = "rntuple-locator-own-size", "rntuple-locator-type"
URI, OBJECT = "rntuple-locator-uri-ascii", "rntuple-locator-object64"
DAOS = other_locator(2, u32(100) + u64(7))
for name, clause, made, shows in (
        ("uri", URI, other_locator(1, b"file:///data"), "A page behind a URI."),
        ("object64", OBJECT, DAOS, "A page in an object store."),
        ("any-reserved", "rntuple-locator-reserved-any", other_locator(2, u32(100) + u64(7), reserved=0x5A),
         "The reserved bits are 0x5A."),
        ("any-location", "rntuple-object64-location-any", other_locator(2, u32(100) + u64((1 << 64) - 1)),
         "Location 2^64-1.")):
    good(clause, name, shows, also={DISK}, outcome="unchecked", keeps=[OWN, TYPE],
         change=lambda file, made=made: put(file.ntuple.page("x"), locator=made))
for name, made, shows in (("page-list", other_locator(1, b"file:///data/x.bin"), "A page list behind a URI."),
                          ("page-list-object", DAOS, "A page list in an object store.")):
    bad(DISK, name, shows, outcome="unchecked", warns={DISK}, change=link_locator(made))
bad(DISK, "page", "A page in an object store.", outcome="unchecked", warns={DISK},
    change=lambda file: put(file.ntuple.page("x"), locator=DAOS))
for own in (0, 3, 999):
    bad(OWN, f"own-size-{own}", f"A locator of {own} bytes.",
        change=link_locator(other_locator(2, u32(100) + u64(7), own=own)))
for kind in (0, 3, 0x7F):
    bad(TYPE, f"type-{kind}", f"A locator of type {kind:#x}.", change=link_locator(other_locator(kind, bytes(12))))
bad(URI, "utf-8", "A URI with a letter in UTF-8.", change=link_locator(other_locator(1, "file:///\u00b5".encode())))
bad(URI, "byte-80", "A URI with the byte 0x80.", change=link_locator(other_locator(1, b"x\x80")))
bad(OBJECT, "twelve", "An Object64 locator of 12 bytes.", change=link_locator(other_locator(2, bytes(8))))
bad(OBJECT, "twenty", "An Object64 locator of 20 bytes.", change=link_locator(other_locator(2, bytes(16))))
bad("rntuple-link-length", "compressed", "The length of a link is too large by 8, and the page list compressed.",
    base=zlib_ints, alias="rntuple-block-uncompressed-size",
    change=lambda file: put(file.ntuple, groups=[Group(file.ntuple.clusters)])
    or put(file.ntuple.groups[0], link=lambda length, size, offset: u64(length + 8) + locator(size, offset)))
bad("rntuple-link-length", "raw", "Length and size of a link are too large by 8, and the page list raw.",
    alias="rntuple-envelope-checksum",
    change=lambda file: put(file.ntuple, groups=[Group(file.ntuple.clusters)])
    or put(file.ntuple.groups[0], link=lambda length, size, offset: u64(length + 8) + locator(size + 8, offset)))
