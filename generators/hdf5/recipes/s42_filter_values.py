"""IV.A.2.l of the File Format Specification: filters, their values, and the chunks that they make."""

import struct
from dataclasses import replace

from generators.hdf5 import *
from generators.hdf5 import messages
from generators.hdf5.library import szipped

from .s40_datatype_classes import FLOAT20, number, plain, sound, text

SZIP, NBIT, SCALEOFFSET = 4, 5, 6


def chunked(type=I32, pipeline=(), content=None, version=2, **options):
    """A dataset of one chunk of 3 by 4 elements, which is filtered by `pipeline`."""
    return lambda: of(d=Dataset(**{
        "type": type, "shape": (3, 4), "maximum": (3, 4), "chunk": (3, 4), "storage": Single(),
        "filters": list(pipeline), "filters_version": version,
        "written": None if content is None else {(0, 0): Chunk(content=content)}, **options}))


def bad(clause, slug, shows, base, fields, **options):
    changed(clause, slug, shows,
            {f"OHDR /d: filters.{name}": value for name, value in fields.items()}, base=base,
            **options)


def values(clause, slug, shows, number, list_of_values, type=I32, content=bytes(48), more=(),
           **options):
    """One filter with these values."""
    invalid(clause, slug, shows, base=chunked(type, [Filter(number, tuple(list_of_values)), *more],
                                              content), **options)(lambda f: None)


def with_elements(type, element):
    """A datatype with other elements, such as those of whose bits n-bit keeps all."""
    made = replace(type)
    made.element = element
    return made


DEFLATED = chunked(pipeline=[gzip()])
NUMBERS = struct.pack("<12i", *range(1, 13))  # the elements of plain()


def left_out(number, values, type=I32):
    """An optional filter that could not be fitted to the dataset, and a chunk that is stored without it."""
    return chunked(type, [Filter(number, values, flags=1)], written={(0, 0): Chunk(mask=1)})


# The message --------------------------------------------------------------------------------------

sound("h5-filters-not-empty", "deflate", "One filter.", DEFLATED)


@invalid("h5-filters-not-empty", "none", "A pipeline of no filters.", base=plain(I32))
def no_filters(f):
    f.at("/d").header.extra = [raw("filters", b"\2\0")]


OLD = chunked(pipeline=[shuffle(), gzip()], version=1)
NAMED = chunked(pipeline=[Filter(1, (6,), b"deflate")], version=1)

sound("h5-filters-reserved", "version-1", "Shuffle and deflate in version 1.", OLD)
bad("h5-filters-reserved", "byte-2", "Byte 2 is 1.", OLD, {"reserved": 1})
bad("h5-filters-reserved", "padding", "Padding of 7 after an odd number of values.", OLD,
    {"filter 0.padding": 7})
sound("h5-filters-name-length", "8", "A name of 8 bytes.", NAMED,
      keeps=["h5-filters-name-terminated"])


@invalid("h5-filters-name-length", "7", "A name of 7 bytes in version 1.", base=NAMED)
def name_of_7(f):
    f["OHDR /d"]["filters.filter 0.name length"] = 7


bad("h5-filters-name-terminated", "8-letters", "A name of 8 letters without a NUL.", NAMED,
    {"filter 0.name": b"deflates"})
sound("h5-filters-flags-reserved", "both", "An optional and a mandatory filter.",
      chunked(pipeline=[Filter(2, (4,), flags=1), gzip()]))
for flags in (2, 0x0100):
    bad("h5-filters-flags-reserved", f"{flags:04x}", f"Flags {flags:#x} of a filter.", DEFLATED,
        {"filter 0.flags": flags})

sound("h5-filters-chunked-only", "chunked", "Deflated chunks.", DEFLATED)
invalid("h5-filters-chunked-only", "contiguous", "Contiguous storage with deflate.",
        base=plain(I32, filters=[gzip()]))(lambda f: None)
invalid("h5-filters-chunked-only", "virtual", "A virtual dataset with shuffle.",
        base=plain(I32, storage=Virtual(), filters=[shuffle()]))(lambda f: None)


@valid("h5-filters-group-allowed", base=lambda: of(d=DEFLATED().at("/d")))
def pipeline_of_a_group(f):
    "A group with deflate and shuffle for its heap."
    f.root.header.extra = [Message("filters", messages.filters(f.w, [shuffle(1), gzip()]))]


# Filters of other libraries -----------------------------------------------------------------------

sound("h5-filter-deflate-values", "0-and-9", "Levels 0 and 9.",
      lambda: of(a=chunked(pipeline=[gzip(0)])().at("/d"), b=chunked(pipeline=[gzip(9)])().at("/d")))
values("h5-filter-deflate-values", "10", "Level 10.", 1, [10])
values("h5-filter-deflate-values", "no-value", "No level.", 1, [])
values("h5-filter-deflate-values", "two-values", "Two values.", 1, [6, 6])
sound("h5-filter-shuffle-values", "4", "Shuffled elements of 4 bytes.",
      chunked(pipeline=[shuffle()]), keeps=["h5-filter-shuffle-size"])
values("h5-filter-shuffle-values", "0", "Elements of 0 bytes.", 2, [0])
values("h5-filter-shuffle-values", "no-value", "No size.", 2, [])
sound("h5-filter-shuffle-values", "optional", "An optional filter without a value, which no chunk went through.",
      left_out(2, ()), keeps=["h5-filter-shuffle-size"])
for name, pipeline in (("deflate", [gzip(), shuffle()]), ("shuffle", [shuffle(), gzip()])):
    bad(f"h5-filter-{name}-values", "before-another", "The first of two filters states two values, and has one.",
        chunked(pipeline=pipeline), {"filter 0.values": 2})
sound("h5-filter-shuffle-size", "2", "Shuffled elements of 2 bytes.",
      chunked(I16, pipeline=[shuffle(2)]))
values("h5-filter-shuffle-size", "3", "Elements of 3 bytes, where they have 4.", 2, [3])
sound("h5-filter-fletcher32-values", "none", "A checksum.", chunked(pipeline=[with_fletcher32()]))
invalid("h5-filter-fletcher32-values", "one", "A value of a checksum.",
        base=chunked(pipeline=[Filter(3, (1,))]))(lambda f: None)

SZIPPED = {"also": ["h5-risk-filter-plugin"]}


def szip(values, coding, type=I32, **options):
    """A chunk as the library codes it. `values`: the client values."""
    def base():
        made = chunked(type, [Filter(SZIP, values)], **options)()
        node = made.at("/d")
        content, used = szipped(node.chunk_values((0, 0)), values[2], node.chunk, coding, values[1])
        assert used == values, used
        node.written = {(0, 0): Chunk(content=content)}
        return made
    return base


for options, coding, slug in ((169, 0x20, "nearest-neighbour"), (141, 0x04, "entropy")):
    valid("h5-filter-szip-options", slug, f"Options {options}.", outcome="unchecked",
          keeps=["h5-filter-szip-values"], base=szip((options, 4, 32, 4), coding), **SZIPPED)(lambda f: None)
valid("h5-filter-szip-values", "bounds", "32 pixels per block, 24 bits, 4,096 pixels per scanline.",
      outcome="unchecked", base=szip((169, 32, 24, 4096), 0x20, number(0, 24), shape=(1, 4096), maximum=(1, 4096),
                                     chunk=(1, 4096)), **SZIPPED)(lambda f: None)
for slug, shows, list_of_values in (
        ("optional", "The two values of an optional filter that no chunk went through.", (141, 4)),
        ("optional-80-bits", "80 bits per pixel, by an optional filter that no chunk went through.", (141, 4, 80, 12))):
    valid("h5-filter-szip-values", slug, shows, base=left_out(SZIP, list_of_values), outcome="unchecked",
          **SZIPPED)(lambda f: None)
for slug, shows, list_of_values in (
        ("three", "Three values.", (169, 4, 32)), ("33-pixels", "33 pixels per block.", (169, 33, 32, 12)),
        ("odd", "3 pixels per block.", (169, 3, 32, 12)),
        ("34-pixels", "34 pixels per block.", (169, 34, 32, 12)),
        ("scanline-0", "0 pixels per scanline.", (169, 4, 32, 0)),
        ("scanline-513", "513 pixels per scanline of blocks of 4.", (169, 4, 32, 513)),
        ("31-bits", "31 bits per pixel.", (169, 4, 31, 12)),
        ("0-bits", "0 bits per pixel.", (169, 4, 0, 12))):
    values("h5-filter-szip-values", slug, shows, SZIP, list_of_values, **SZIPPED)
for options in (0, 0x24):
    invalid("h5-filter-szip-options", f"{options:02x}", f"Options {options:#x}.",
            warns={"h5-filter-szip-options"}, informs={"h5-risk-filter-plugin"}, outcome="unchecked",
            base=chunked(pipeline=[Filter(SZIP, (options, 4, 32, 12))], content=bytes(20)))(
                lambda f: None)

# LZF ----------------------------------------------------------------------------------------------

LZF = {"since": "hdf5-file-format-4.0", "also": ["h5-risk-filter-plugin"]}
REPEATED = with_elements(I32, lambda i: (7 if i < 9 else i << 20).to_bytes(4, "little"))

for slug, shows, pipeline in (
        ("lzf", "LZF of repeated numbers and of others.", [lzf(48)]),
        ("lzf-among-others", "Shuffle, LZF and Fletcher-32.", [shuffle(), lzf(48), with_fletcher32()]),
        ("lzf-before-deflate", "LZF, and deflate of what it made.", [lzf(48), gzip()])):
    valid("swmr-chunk-decodes", slug, shows, base=chunked(REPEATED, pipeline), **LZF)(lambda f: None)
for slug, shows, content in (
        ("lzf-before-the-beginning", "LZF copies from before the beginning.", b"\x00a\x20\x01"),
        ("lzf-cut", "LZF ends inside a run of literals.", b"\x1f" + bytes(31)),
        ("lzf-47", "LZF gives 47 bytes of 48.", b"\x00a\xe0\x25\x00"),
        ("lzf-49", "LZF gives 49 bytes of 48.", b"\x00a\xe0\x27\x00")):
    @invalid("swmr-chunk-decodes", slug, shows, base=chunked(pipeline=[lzf(48)]), **LZF)
    def damaged(f, content=content):
        f.at("/d").written = {(0, 0): Chunk(content=content)}

# n-bit --------------------------------------------------------------------------------------------

N17 = with_elements(number(4, 17), lambda i: (i << 4 | i << 17).to_bytes(4, "little"))
PACKED = (8, 0, 12, 1, 4, 0, 17, 4)
BYTES = bytes(26)  # 12 times 17 bits


def nbit(clause, slug, shows, list_of_values, type=N17, content=BYTES, **options):
    values(clause, slug, shows, NBIT, list_of_values, type, content, **options)


def packed(list_of_values, type=N17, more=b""):
    """A chunk that n-bit packed, with some bytes after it."""
    pipeline = [Filter(NBIT, tuple(list_of_values))]

    def base():
        made = chunked(type, pipeline)()
        if more:
            made.at("/d").written = {(0, 0): Chunk(content=made.at("/d").stored((0, 0), Chunk()) + more)}
        return made
    return base


def sound_nbit(clause, slug, shows, *parts, **options):
    valid(clause, slug, shows, base=packed(*parts), **options)(lambda f: None)


RECORD = compound([("a", N17, 0), ("b", string(3), 4), ("c", array((2,), number(0, 5, 1), version=3), 7)],
                  size=12)
RECORD = with_elements(RECORD, lambda i: N17.element(i) + b"%02d\0" % i + bytes([i, 31 - i]) + bytes(3))
RECORD_VALUES = (23, 0, 12, 3, 12, 3, 0, 1, 4, 0, 17, 4, 4, 4, 3, 7, 2, 2, 1, 1, 0, 5, 0)
RECORD_BYTES = bytes((12 * (17 + 24 + 10) + 7) // 8)

sound_nbit("h5-nbit-count", "8", "Eight values of an integer of 17 bits.", PACKED, keeps=[
    "h5-nbit-elements", "h5-nbit-class", "h5-nbit-parameters", "h5-nbit-matches-datatype"])
sound("h5-nbit-count", "optional", "An optional filter without values, which no chunk went through.",
      left_out(NBIT, ()))
nbit("h5-nbit-count", "9-of-8", "The first value is 9, and there are 8.", (9, *PACKED[1:]))
nbit("h5-nbit-count", "2-values", "Two values.", (2, 0))
nbit("h5-nbit-count", "flag-2", "The flag is 2.", (8, 2, *PACKED[2:]))
sound_nbit("h5-nbit-elements", "12", "Twelve elements of a chunk of 3 by 4.", PACKED)
for count in (5, 13, (1 << 32) - 1):
    nbit("h5-nbit-elements", str(count), f"{count} elements of a chunk of 12.",
         (8, 0, count, *PACKED[3:]))
sound_nbit("h5-nbit-class", "each", "The classes 1 to 4.", RECORD_VALUES, RECORD,
           keeps=["h5-string-terminated"])
invalid("h5-string-terminated", "packed-by-nbit", "Strings in a compound that n-bit packed do not end.",
        base=packed(RECORD_VALUES, with_elements(
            RECORD, lambda i: N17.element(i) + b"%03d" % i + bytes([i, 31 - i]) + bytes(3))))(lambda f: None)
for kind in (0, 9):
    nbit("h5-nbit-class", str(kind), f"Class {kind}.", (8, 0, 12, kind, *PACKED[4:]))
    nbit("h5-nbit-class", f"{kind}-in-a-compound", f"Class {kind} of a member.",
         (*RECORD_VALUES[:7], kind, *RECORD_VALUES[8:]), RECORD, RECORD_BYTES)
sound_nbit("h5-nbit-parameters", "enum", "Three values of an enumeration.", (3, 1, 12),
           enum({"a": 1, "b": 2}, I16))
nbit("h5-nbit-parameters", "one-more", "A value after the description.", (9, *PACKED[1:], 0))
nbit("h5-nbit-parameters", "one-less", "A description without its last value.", (7, *PACKED[1:7]))
nbit("h5-nbit-parameters", "cut-in-a-compound", "A description cut after a member offset.",
     (13, *RECORD_VALUES[1:13]), RECORD, RECORD_BYTES)
nbit("h5-nbit-parameters", "described-enum", "A description of an enumeration.",
     (8, 1, 12, 1, 2, 0, 16, 0), enum({"a": 1, "b": 2}, I16), bytes(24))
sound_nbit("h5-nbit-matches-datatype", "17-bits", "17 bits at offset 4.", PACKED)
sound_nbit("h5-nbit-matches-datatype", "float", "A floating-point number of 20 bits.",
           (8, 0, 12, 1, 4, 0, 20, 7), with_elements(FLOAT20, lambda i: (i << 7 | i << 20).to_bytes(4, "little")))
sound("h5-nbit-matches-datatype", "variable-length", "A string of variable length, described as it is in memory.",
      chunked(compound([("a", I32), ("s", text())]),
              [Filter(NBIT, (15, 1, 12, 3, 12, 2, 0, 1, 4, 0, 32, 0, 4, 4, 8))], bytes(12 * 20)))
for slug, at, value in (("size", 4, 8), ("order", 5, 1), ("precision", 6, 31), ("offset", 7, 5)):
    nbit("h5-nbit-matches-datatype", slug, f"The {slug} is {value}.",
         (*PACKED[:at], value, *PACKED[at + 1:]))
nbit("h5-nbit-matches-datatype", "member-offset", "Another offset of a member.",
     (*RECORD_VALUES[:12], 5, *RECORD_VALUES[13:]), RECORD, RECORD_BYTES)
nbit("h5-nbit-matches-datatype", "member-count", "Two members of three.",
     (15, 0, 12, 3, 12, 2, *RECORD_VALUES[6:15]), RECORD, RECORD_BYTES)
nbit("h5-nbit-matches-datatype", "array-size", "Another size of an array.",
     (*RECORD_VALUES[:17], 3, *RECORD_VALUES[18:]), RECORD, RECORD_BYTES)
sound_nbit("h5-nbit-chunk-length", "26", "26 bytes for 12 times 17 bits.", PACKED)
sound_nbit("h5-nbit-chunk-length", "27", "A byte more than that.", PACKED, N17, bytes(1))
sound_nbit("h5-nbit-chunk-length", "not-packed", "Nothing to pack.", (8, 1, 12, 1, 4, 0, 32, 0),
           I32)
sound_nbit("h5-nbit-matches-datatype", "big-endian", "Big-endian numbers of 5 bytes, 29 bits at offset 3.",
           (8, 0, 12, 1, 5, 1, 29, 3),
           with_elements(replace(integer(5, big=True), properties=[("bit offset", 3, 2), ("precision", 29, 2)]),
                         lambda i: (i << 3 | i << 25).to_bytes(5, "big")))
sound("h5-nbit-chunk-length", "after-deflate", "Nothing to pack of a chunk that was deflated before.",
      chunked(pipeline=[gzip(), Filter(NBIT, (8, 1, 12, 1, 4, 0, 32, 0))],
              content=encoded(NUMBERS, [gzip()], 0, 4)))
nbit("h5-nbit-chunk-length", "25", "25 bytes.", PACKED, content=bytes(25), fails={"h5-nbit-chunk-length"})
nbit("h5-nbit-chunk-length", "not-packed-47", "47 bytes of a chunk that is not packed.",
     (8, 1, 12, 1, 4, 0, 32, 0), I32, bytes(47), fails={"h5-nbit-chunk-length"})
invalid("h5-nbit-chunk-length", "deflated", "25 bytes that are deflated after n-bit.",
        base=chunked(N17, [Filter(NBIT, PACKED), gzip()],
                     encoded(bytes(25), [gzip()], 0, 4)), fails={"h5-nbit-chunk-length"})(lambda f: None)

# Scale-offset -------------------------------------------------------------------------------------

INTEGER = (2, 0, 12, 0, 4, 1, 0, 1) + (0,) * 12
REAL = (0, 3, 12, 1, 8, 0, 0, 1) + (0,) * 12


def scaled(bits=5, width=8, size=29):
    return (bits.to_bytes(4, "little") + bytes([width]) + bytes(16)).ljust(size, b"\0")[:size]


def scale(clause, slug, shows, list_of_values, type=I32, content=scaled(), **options):
    values(clause, slug, shows, SCALEOFFSET, list_of_values, type, content, **options)


def sound_scale(clause, slug, shows, list_of_values, type=I32, content=None, **options):
    valid(clause, slug, shows, base=chunked(type, [Filter(SCALEOFFSET, tuple(list_of_values))], content),
          **options)(lambda f: None)


def replaced(values, at, value):
    return (*values[:at], value, *values[at + 1:])


sound_scale("h5-scaleoffset-values", "integer", "Twenty values of integers.", INTEGER, keeps=[
    "h5-scaleoffset-elements", "h5-scaleoffset-datatype", "h5-scaleoffset-bits"])
sound_scale("h5-scaleoffset-values", "float", "Twenty values of floating-point numbers.", REAL,
            with_elements(real(), lambda i: struct.pack("<d", i / 8)), keeps=["h5-scaleoffset-datatype"])
sound("h5-scaleoffset-values", "optional", "The two values of an optional filter that no chunk went through.",
      left_out(SCALEOFFSET, (2, 3)))
sound("h5-scaleoffset-values", "optional-float", "Integers of a floating-point number, by an optional filter.",
      left_out(SCALEOFFSET, (2, 0, 12, 1, 8, 0, 0, 0) + (0,) * 12, real()))
scale("h5-scaleoffset-values", "19", "Nineteen values.", INTEGER[:19])
scale("h5-scaleoffset-values", "scaling-7", "Scaling 7.", replaced(INTEGER, 0, 7))
scale("h5-scaleoffset-values", "scaling-1", "Scaling 1.", replaced(REAL, 0, 1), real())
scale("h5-scaleoffset-values", "class-1", "Class 1 with scaling 2.", replaced(INTEGER, 3, 1))
scale("h5-scaleoffset-values", "fill-flag", "Flag 2 of the fill value.", replaced(INTEGER, 7, 2))
sound_scale("h5-scaleoffset-elements", "12", "Twelve elements.", INTEGER)
scale("h5-scaleoffset-elements", "99", "99 elements of a chunk of 12.", replaced(INTEGER, 2, 99))
sound_scale("h5-scaleoffset-datatype", "big-endian", "Big-endian int16.",
            (2, 0, 12, 0, 2, 1, 1, 1) + (0,) * 12, with_elements(
                integer(2, big=True), lambda i: (1000 - 100 * i).to_bytes(2, "big", signed=True)))
sound_scale("h5-scaleoffset-datatype", "without-a-fill-value", "Bytes without a fill value.",
            (2, 0, 12, 0, 1, 0, 0, 0) + (0,) * 12, U8)
scale("h5-scaleoffset-datatype", "size", "Elements of 8 bytes, where they have 4.",
      replaced(INTEGER, 4, 8))
scale("h5-scaleoffset-datatype", "sign", "Unsigned, where they are signed.",
      replaced(INTEGER, 5, 0))
scale("h5-scaleoffset-datatype", "order", "Big-endian, where they are little-endian.",
      replaced(INTEGER, 6, 1))
scale("h5-scaleoffset-datatype", "strings", "Strings of 4 bytes.", INTEGER, string(4))
scale("h5-scaleoffset-datatype", "float", "Integers, where they are floating-point numbers.",
      INTEGER, real(4))
sound_scale("h5-scaleoffset-bits", "32", "32 bits of int32.", replaced(INTEGER, 1, 32))
scale("h5-scaleoffset-bits", "33", "33 bits of int32.", replaced(INTEGER, 1, 33))
scale("h5-scaleoffset-bits", "negative", "-1 bits.", replaced(INTEGER, 1, (1 << 32) - 1))
sound_scale("h5-scaleoffset-chunk", "29", "29 bytes for 12 times 5 bits.", replaced(INTEGER, 1, 5))
sound("h5-scaleoffset-chunk", "fill-values", "A chunk of which some elements are the fill value.",
      chunked(with_elements(I32, lambda i: (7 if i % 3 == 0 else 100 - i).to_bytes(4, "little")),
              [Filter(SCALEOFFSET, replaced(INTEGER, 8, 7))], fill=Fill(value=(7).to_bytes(4, "little"))))
sound("h5-scaleoffset-chunk", "longer", "Twelve bytes that become longer, and are deflated after it.",
      chunked(U8, [Filter(SCALEOFFSET, (2, 0, 12, 0, 1, 0, 0, 0) + (0,) * 12), gzip()]))
# libhdf5 1.14 makes such chunks, and refuses to read them: it looks for one byte more.
sound_scale("h5-scaleoffset-chunk", "raw", "All 32 bits of twelve elements.", INTEGER,
            with_elements(I32, lambda i: (i * 0x2aaaaaaa % (1 << 32)).to_bytes(4, "little")))
sound("h5-scaleoffset-chunk", "after-deflate", "All 32 bits of a chunk that was deflated before.",
      chunked(pipeline=[gzip(), Filter(SCALEOFFSET, replaced(INTEGER, 1, 32))],
              content=encoded(NUMBERS, [gzip()], 0, 4)))
scale("h5-scaleoffset-chunk", "not-packed-29", "29 bytes of a chunk of 48 that is not packed, as it has 32 bits.",
      replaced(INTEGER, 1, 32), fails={"h5-scaleoffset-chunk"})
for slug, shows, content in (("40-bits", "40 bits of 32.", scaled(40, size=100)),
                             ("width-255", "A minimum of 255 bytes.", scaled(width=255)),
                             ("20-bytes", "20 bytes.", scaled(size=20)),
                             ("28-bytes", "28 bytes for 12 times 5 bits.", scaled(size=28)),
                             ("raw-68", "68 bytes for all bits.", scaled(32, size=68))):
    scale("h5-scaleoffset-chunk", slug, shows, INTEGER, content=content, fails={"h5-scaleoffset-chunk"})

# Risks --------------------------------------------------------------------------------------------

OWN = {"outcome": "unchecked"}


def by(*numbers):
    return chunked(pipeline=[Filter(each, (6,) if each == 1 else ()) for each in numbers],
                   content=encoded(bytes(48), [gzip()] * sum(each == 1 for each in numbers), 0, 4)
                   if set(numbers) == {1} else bytes(48))


sound("h5-risk-filter-plugin", "built-in", "Deflate and shuffle.",
      chunked(pipeline=[shuffle(), gzip()]), keeps=["h5-risk-filter-private", "h5-risk-filter-many"])
for number_of in (305, 32001):
    invalid("h5-risk-filter-plugin", str(number_of), f"A filter {number_of}.", base=by(number_of),
            informs={"h5-risk-filter-plugin"}, **OWN)(lambda f: None)
valid("h5-risk-filter-private", "307", "A registered filter.", base=by(307),
      informs={"h5-risk-filter-plugin"}, **OWN)(lambda f: None)
for number_of in (40000, 77):
    invalid("h5-risk-filter-private", str(number_of), f"A filter {number_of}.", base=by(number_of),
            informs={"h5-risk-filter-plugin", "h5-risk-filter-private"}, **OWN)(lambda f: None)
invalid("h5-risk-filter-many", "twice", "Deflate twice.", base=by(1, 1))(lambda f: None)
invalid("h5-risk-filter-many", "nine", "Shuffle nine times.",
        base=chunked(pipeline=[shuffle()] * 9))(lambda f: None)
sound("h5-risk-filter-many", "eight", "Shuffle eight times.", chunked(pipeline=[shuffle()] * 8))

BIG = dict(type=U8, shape=(1 << 20,), maximum=(1 << 20,), chunk=(1 << 20,))
ZEROS = bytes(1 << 20)


def big(*pipeline):
    return chunked(pipeline=pipeline, content=encoded(ZEROS, pipeline, 0, 1), **BIG)


sound("h5-risk-chunk-expansion", "deflated", "Zeros that are deflated once.", big(gzip(9)))


def equal(count):
    """A chunk of equal bytes, which become 22 bytes whatever their number is."""
    pipeline = [Filter(SCALEOFFSET, (2, 0, count, 0, 1, 0, 0, 0) + (0,) * 12)]
    return chunked(U8, pipeline, encoded(bytes(count), pipeline, 0, 1), shape=(count,), maximum=(count,),
                   chunk=(count,))


sound("h5-risk-chunk-expansion", "1032", "22,704 bytes from 22.", equal(22_704))
invalid("h5-risk-chunk-expansion", "more-than-1032", "22,705 bytes from 22.", base=equal(22_705))(lambda f: None)
invalid("h5-risk-chunk-expansion", "deflated-twice", "Zeros that are deflated twice.",
        base=big(gzip(9), gzip(9)), also=["h5-risk-filter-many"])(lambda f: None)
