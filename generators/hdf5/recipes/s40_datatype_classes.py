"""IV.A.2.d of the File Format Specification: what the bits of each class of datatypes mean."""

from generators.hdf5 import *


def plain(type, **options):
    """A contiguous dataset of three elements of this datatype."""
    return lambda: of(d=Dataset(**{"type": type() if callable(type) else type, "shape": (3,),
                                   "storage": Contiguous(), **options}))


def sound(clause, slug, shows, base, **options):
    valid(clause, slug, shows, base=base, **options)(lambda f: None)


def broken(clause, slug, shows, type, fields, **options):
    """The datatype of /d with other values in some fields."""
    changed(clause, slug, shows,
            {f"OHDR /d: datatype.{name}": value for name, value in fields.items()},
            base=plain(type), **options)


def number(offset, precision, size=4, version=1):
    made = integer(size, version=version)
    made.properties = [("bit offset", offset, 2), ("precision", precision, 2)]
    return made


def floating(size, offset, precision, sign, exponent, mantissa, bias, version=1, bits=0x20):
    """`exponent`, `mantissa`: location and size."""
    return Datatype(FLOAT, size, version, bits | sign << 8, [
        ("bit offset", offset, 2), ("precision", precision, 2),
        ("exponent location", exponent[0], 1), ("exponent size", exponent[1], 1),
        ("mantissa location", mantissa[0], 1), ("mantissa size", mantissa[1], 1),
        ("exponent bias", bias, 4)])


def a_string(bits, size=8):
    made = string(size)
    made.bits = bits
    return made


def text(bits=1):
    made = vlen(U8, text=True)
    made.bits = bits
    return made


FLOAT20 = floating(4, 7, 20, 26, (20, 6), (7, 13), 31)
LONG_DOUBLE = floating(16, 0, 80, 79, (64, 15), (0, 64), 16383, bits=0x10)
VAX = floating(8, 0, 64, 63, (52, 11), (0, 52), 1023, version=3, bits=0x61)
PAIR = compound([("a", I32), ("b", I16)])
OLD_PAIR = compound([("a", I32), ("b", I16)], version=1)


def each_class():
    types = {"integer": I32, "big": integer(2, big=True, signed=False), "float": real(),
             "time": time(), "string": string(5), "bitfield": bitfield(), "opaque": opaque(3),
             "compound": PAIR, "old": OLD_PAIR, "reference": reference(), "region": reference(1),
             "enum": enum({"no": 0, "yes": 1}), "vlen": vlen(I32), "text": text(),
             "array": array((3,), I8, version=3), "complex": complex_number()}
    return of(**{name: plain(type)().at("/d") for name, type in types.items()})


each_class.reports = ("h5-links-storage-as-phase",)

# Bits ---------------------------------------------------------------------------------------------

sound("h5-datatype-bits-reserved", "each-class", "A type of every class.", each_class, keeps=[
    "h5-datatype-vlen-type", "h5-datatype-vlen-sequence-bits", "h5-datatype-complex-homogeneous",
    "h5-datatype-complex-base", "h5-datatype-complex-version", "h5-datatype-enum-base-integer"])
for slug, type, bits in (
        ("integer", I32, 0x18), ("bitfield", bitfield(), 0x08), ("time", time(), 0x02),
        ("string", string(4), 0x010000), ("opaque", opaque(4), 0x010008),
        ("compound", PAIR, 0x010002), ("enum", enum({"a": 1}), 0x010001),
        ("reference", reference(), 0x10), ("vlen", vlen(I32), 0x1000),
        ("array", array((2,), I8, version=3), 1), ("complex", complex_number(), 0x09),
        ("float-bit-7", real(), 0x3FA0), ("float-bit-6-of-version-1", real(), 0x3F60),
        ("float-bit-16", real(), 0x013F20)):
    broken("h5-datatype-bits-reserved", slug, f"Bits {bits:#x} of a type of class {type.number}.",
           type, {"bits": bits})

sound("h5-datatype-precision-positive", "17-bits", "Integers of 17 bits.", plain(number(0, 17)))
broken("h5-datatype-precision-positive", "integer", "An integer of precision 0.", I32,
       {"precision": 0})
broken("h5-datatype-precision-positive", "bitfield", "A bit field of precision 0.", bitfield(),
       {"precision": 0})
broken("h5-datatype-precision-positive", "float", "A floating-point number of precision 0.", real(),
       {"precision": 0})
broken("h5-datatype-precision-positive", "time", "A time of precision 0.", time(), {"precision": 0})

sound("h5-datatype-bits-inside", "offset-4", "17 bits at offset 4, and 17 at offset 15.",
      lambda: of(a=plain(number(4, 17))().at("/d"), b=plain(number(15, 17))().at("/d")))
broken("h5-datatype-bits-inside", "offset-16", "32 bits at offset 16 of 4 bytes.", I32,
       {"bit offset": 16})
broken("h5-datatype-bits-inside", "one-too-many", "A precision of 33 in 4 bytes.", I32,
       {"precision": 33})
broken("h5-datatype-bits-inside", "bitfield", "Bits from 24,950 on.", bitfield(),
       {"bit offset": 24950})

sound("h5-datatype-float-precision-inside", "long-double", "80 bits in 16 bytes.",
      plain(LONG_DOUBLE), keeps=["h5-datatype-float-normalization"])
broken("h5-datatype-float-precision-inside", "80-of-64", "A precision of 80 in 8 bytes.", real(),
       {"precision": 80})
broken("h5-datatype-float-precision-inside", "offset-32", "64 bits at offset 32 of 8 bytes.",
       real(), {"bit offset": 32})

sound("h5-datatype-time-precision", "32-bits", "A time of 32 bits in 4 bytes.", plain(time()))
broken("h5-datatype-time-precision", "64-bits", "A time of 64 bits in 4 bytes.", time(),
       {"precision": 64})
broken("h5-datatype-time-precision", "33-bits", "A time of 33 bits in 4 bytes.", time(),
       {"precision": 33})

sound("h5-datatype-unused-bits", "24-of-32", "24 and 16 bits in 4 bytes, and 4 in one.",
      lambda: of(a=plain(number(0, 24))().at("/d"), b=plain(number(0, 16))().at("/d"),
                 c=plain(number(0, 1, 1))().at("/d")))
broken("h5-datatype-unused-bits", "8-of-32", "8 bits in 4 bytes.", I32, {"precision": 8})
broken("h5-datatype-unused-bits", "15-of-32", "15 bits in 4 bytes.", I32, {"precision": 15})

# Floating-point numbers ---------------------------------------------------------------------------

sound("h5-datatype-float-byte-order", "vax", "A number in the byte order of a VAX.", plain(VAX))
broken("h5-datatype-float-byte-order", "version-3", "Bit 6 without bit 0 in version 3.", VAX,
       {"bits": 0x3F60})
broken("h5-datatype-float-byte-order", "version-4", "Bit 6 without bit 0 in version 4.", VAX,
       {"class and version": 0x41, "bits": 0x3F60})

sound("h5-datatype-float-normalization", "each",
      "The three normalizations.",
      lambda: of(**{f"n{bits >> 4}": plain(floating(8, 0, 64, 63, (52, 11), (0, 52), 1023,
                                                    bits=bits))().at("/d")
                    for bits in (0x00, 0x10, 0x20)}))
broken("h5-datatype-float-normalization", "3", "Normalization 3.", real(), {"bits": 0x3F30})

sound("h5-datatype-float-sign-inside", "bit-63", "The sign in the last bit.", plain(real()))
broken("h5-datatype-float-sign-inside", "240", "The sign at bit 240 of 8 bytes.", real(),
       {"bits": 0xF020})
broken("h5-datatype-float-sign-inside", "32", "The sign at bit 32 of 4 bytes.", real(4),
       {"bits": 0x2020})

sound("h5-datatype-float-exponent-inside", "11-bits", "An exponent of bits 52 to 62.",
      plain(real()))
broken("h5-datatype-float-exponent-inside", "0-bits", "An exponent of no bits.", real(),
       {"exponent size": 0})
broken("h5-datatype-float-exponent-inside", "beyond", "An exponent of bits 60 to 70.", real(),
       {"exponent location": 60})

sound("h5-datatype-float-mantissa-inside", "52-bits", "A mantissa of bits 0 to 51.", plain(real()))
broken("h5-datatype-float-mantissa-inside", "0-bits", "A mantissa of no bits.", real(),
       {"mantissa size": 0})
broken("h5-datatype-float-mantissa-inside", "128-bits", "A mantissa of 128 bits in 4 bytes.",
       real(4), {"mantissa size": 128})
broken("h5-datatype-float-mantissa-inside", "beyond", "A mantissa of bits 48 to 99.", real(),
       {"mantissa location": 48})

sound("h5-datatype-float-parts-disjoint", "float16", "A number of two bytes.", plain(real(2)))
broken("h5-datatype-float-parts-disjoint", "sign-in-exponent", "The sign at bit 52, in the exponent.",
       real(), {"bits": 0x3420})
broken("h5-datatype-float-parts-disjoint", "sign-in-mantissa", "The sign at bit 51, in the mantissa.",
       real(), {"bits": 0x3320})
broken("h5-datatype-float-parts-disjoint", "mantissa-over-exponent",
       "A mantissa of bits 10 to 61 over the exponent.", real(), {"mantissa location": 10})
broken("h5-datatype-float-parts-disjoint", "one-bit", "Mantissa and exponent share bit 52.", real(),
       {"mantissa size": 53})

sound("h5-datatype-float-parts-in-precision", "20-bits", "A number of 20 bits at offset 7.",
      plain(FLOAT20))
broken("h5-datatype-float-parts-in-precision", "precision-32", "A float64 with a precision of 32.",
       real(), {"precision": 32})
broken("h5-datatype-float-parts-in-precision", "offset-8", "Parts that begin below the offset.",
       floating(8, 8, 56, 63, (52, 11), (8, 44), 1023), {"mantissa location": 7})
broken("h5-datatype-float-parts-in-precision", "sign-above", "The sign above the precision.",
       FLOAT20, {"bits": 0x1B20})

sound("h5-datatype-float-bias", "largest", "A bias of 2,047 in 11 bits.",
      plain(floating(8, 0, 64, 63, (52, 11), (0, 52), 2047)))
broken("h5-datatype-float-bias", "2048", "A bias of 2,048 for 11 bits.", real(),
       {"exponent bias": 2048})
broken("h5-datatype-float-bias", "all-ones", "A bias of all ones.", real(),
       {"exponent bias": 0xFFFFFFFF})

sound("h5-datatype-float-any-format", "many", "Numbers of many formats.",
      lambda: of(**{name: plain(type)().at("/d") for name, type in {
          "bfloat16": floating(2, 0, 16, 15, (7, 8), (0, 7), 127),
          "e4m3": floating(1, 0, 8, 7, (3, 4), (0, 3), 7),
          "e5m2": floating(1, 0, 8, 7, (2, 5), (0, 2), 15),
          "fp6": floating(1, 0, 6, 5, (3, 2), (0, 3), 1),
          "fp4": floating(1, 0, 4, 3, (1, 2), (0, 1), 1),
          "x87": LONG_DOUBLE, "vax": VAX, "custom": FLOAT20}.items()}))

# Strings, opaque types, references ----------------------------------------------------------------

sound("h5-datatype-string-padding", "each", "Strings of each padding.",
      lambda: of(**{f"p{bits}": plain(a_string(bits))().at("/d") for bits in (0, 1, 2)},
                 v=plain(text(0x21))().at("/d")))
broken("h5-datatype-string-padding", "3", "A string with padding 3.", string(4), {"bits": 3})
broken("h5-datatype-string-padding", "vlen-5", "A variable-length string with padding 5.", text(),
       {"bits": 0x51})

sound("h5-datatype-string-charset", "utf8", "Strings in UTF-8.",
      lambda: of(a=plain(a_string(0x10))().at("/d"), b=plain(text(0x101))().at("/d")))
broken("h5-datatype-string-charset", "2", "A string with character set 2.", string(4),
       {"bits": 0x20})
broken("h5-datatype-string-charset", "vlen-15", "A variable-length string with character set 15.",
       text(), {"bits": 0xF01})

sound("h5-datatype-opaque-tag-length", "8", "A tag of 8 bytes, and none.",
      lambda: of(a=plain(opaque(4))().at("/d"), b=plain(opaque(4, b""))().at("/d")))
for length in (3, 255):
    sized = opaque(4, b"a" + bytes(length - 1))
    sized.bits = 8
    broken("h5-datatype-opaque-tag-length", str(length), f"A tag of {length} bytes.", sized,
           {"bits": length})

sound("h5-datatype-opaque-tag-terminated", "abc", "The tag abc.", plain(opaque(4, b"abc\0\0\0\0\0")))
for slug, shows, tag in (("no-nul", "A tag of 8 letters without a NUL.", b"abcdefgh"),
                         ("after-nul", "A tag with letters after its NUL.", b"abc\0defg"),
                         ("latin-1", "A tag with a byte above 127.", b"ab\xe4\0\0\0\0\0")):
    broken("h5-datatype-opaque-tag-terminated", slug, shows, opaque(4), {"tag": tag})

sound("h5-datatype-reference-size", "each-kind", "References of each kind.",
      lambda: of(**{f"k{kind}": plain(reference(kind, 4))().at("/d") for kind in range(5)}))


@valid("h5-datatype-reference-size", "offsets-of-4", "An object reference in a file with addresses of 4 bytes.",
       base=plain(Datatype(REFERENCE, 4)))
def offsets_of_4(f):
    f.w = Widths(4, 8)


@valid("h5-datatype-reference-size", "in-sequences",
       "Sequences of references as they are in memory, in a file with addresses of 4 bytes.",
       base=lambda: of(o=plain(vlen(reference(), size=12))().at("/d"), r=plain(vlen(reference(1), size=12))().at("/d")))
def in_sequences(f):
    f.w = Widths(4, 8)


broken("h5-datatype-reference-size", "object-4", "An object reference of 4 bytes.",
       Datatype(REFERENCE, 8), {"size": 4})
broken("h5-datatype-reference-size", "region-13", "A region reference of 13 bytes.",
       Datatype(REFERENCE, 13, 1, 1), {"size": 13})
broken("h5-datatype-reference-size", "revised-64", "A revised reference of 64 bytes.",
       Datatype(REFERENCE, 64, 4, 0x12), {"size": 64})

sound("h5-datatype-reference-revised-version", "4", "A revised reference of version 4.",
      plain(reference(2, 4)))
broken("h5-datatype-reference-revised-version", "1", "A revised reference of version 1.",
       reference(2, 4), {"class and version": 0x17})
broken("h5-datatype-reference-revised-version", "3", "A revised reference of version 3.",
       reference(2, 4), {"class and version": 0x37})

# Compounds ----------------------------------------------------------------------------------------

NAMED = compound([("value", I32), ("b", I16)], version=2)

sound("h5-datatype-name-padding", "versions-1-and-2", "Names in types of versions 1 and 2.",
      lambda: of(a=plain(OLD_PAIR)().at("/d"), b=plain(NAMED)().at("/d"),
                 c=plain(enum({"RED": 1}, version=2))().at("/d")))
broken("h5-datatype-name-padding", "member", "A letter after the NUL of a member name.", NAMED,
       {"member 0 name": b"value\0x\0"})
broken("h5-datatype-name-padding", "version-1", "A letter after the NUL of a name of version 1.",
       OLD_PAIR, {"member 1 name": b"b\0\0\0\0\0\0x"})
broken("h5-datatype-name-padding", "enum", "Letters after the NUL of a name of an enumeration.",
       enum({"RED": 1}, version=2), {"names": b"RED\0ABC\0"})

changed("h5-datatype-bits-inside", "with-a-fill-value", "Integers of 32 bits in three bytes, with a fill value of four.",
        {"OHDR /d: datatype.size": 3}, base=plain(I32, fill=Fill(value=b"\7\0\0\0")))
sound("h5-datatype-member-name-not-empty", "one-letter", "Members with names of one letter.",
      plain(PAIR))
broken("h5-datatype-member-name-not-empty", "version-3", "A member of version 3 without a name.",
       PAIR, {"member 1 name": b"\0"})
broken("h5-datatype-member-name-not-empty", "version-1", "A member of version 1 without a name.",
       OLD_PAIR, {"member 0 name": bytes(8)})

sound("h5-datatype-member-names-unique", "case", "Members a and A.",
      plain(compound([("a", I32), ("A", I16)])))
broken("h5-datatype-member-names-unique", "twice", "Two members a.", PAIR, {"member 1 name": b"a\0"})
broken("h5-datatype-member-names-unique", "first-and-last", "The first and the last member are a.",
       compound([("a", I8), ("b", I8), ("c", I8)]), {"member 2 name": b"a\0"})


def dimensioned(rank=2, sizes=(3, 4, 0, 0), size=48):
    made = compound([("m", I32)], size=size, version=1)
    made.properties[2] = ("member 0 rank", rank, 1)
    made.properties[6] = ("member 0 dimensions",
                          b"".join(each.to_bytes(4, "little") for each in sizes))
    return made


sound("h5-datatype-member-dimensionality", "2", "A member of 3 by 4, and a scalar one.",
      lambda: of(a=plain(dimensioned())().at("/d"), b=plain(OLD_PAIR)().at("/d"),
                 c=plain(dimensioned(4, (1, 3, 2, 2)))().at("/d")),
      keeps=["h5-datatype-member-dimension-positive"])
for rank in (5, 128):
    broken("h5-datatype-member-dimensionality", str(rank), f"A member of {rank} dimensions.",
           dimensioned(0, (0, 0, 0, 0), 4), {"member 0 rank": rank})

sound("h5-datatype-member-dimension-positive", "unused-are-zero",
      "Sizes of zero beyond the dimensionality.", plain(dimensioned()))
broken("h5-datatype-member-dimension-positive", "0", "A member of one dimension of size 0.",
       OLD_PAIR, {"member 1 rank": 1})

sound("h5-datatype-member-reserved", "zeros", "A compound of version 1.", plain(OLD_PAIR))
broken("h5-datatype-member-reserved", "byte", "A reserved byte of a member is 1.", OLD_PAIR,
       {"member 0 padding": 1})
broken("h5-datatype-member-reserved", "permutation", "A permutation of a member.", OLD_PAIR,
       {"member 1 permutation": 0x01000000})
broken("h5-datatype-member-reserved", "word", "A reserved word of a member is 5.", OLD_PAIR,
       {"member 1 reserved": 5})

sound("h5-datatype-compound-any-order", "falling", "Members by falling offset, with gaps.",
      plain(compound([("a", I32, 300), ("b", I16, 0), ("c", I8, 100), ("d", I64, 500)], size=600)))

# Enumerations -------------------------------------------------------------------------------------

COLORS = enum({"RED": 1, "GREEN": 2}, I16)

sound("h5-datatype-enum-base-integer", "int16", "An enumeration over int16.", plain(COLORS),
      keeps=["h5-datatype-enum-size", "h5-datatype-enum-name-not-empty",
             "h5-datatype-enum-names-unique", "h5-datatype-enum-values-unique"])
broken("h5-datatype-enum-base-integer", "string", "An enumeration over strings.",
       enum({"RED": 1, "GREEN": 2}, a_string(0, 2)), {"base.size": 2})
broken("h5-datatype-enum-base-integer", "float", "An enumeration over floating-point numbers.",
       enum({"RED": 1, "GREEN": 2}, real(4)), {"base.size": 4})

sound("h5-datatype-enum-size", "2", "An enumeration of two bytes over int16.", plain(COLORS))


@invalid("h5-datatype-enum-size", "4", "An enumeration of four bytes over int16.",
         base=plain(COLORS))
def enum_of_4(f):
    f.at("/d").type = Datatype(ENUM, 4, 3, 2, COLORS.properties)
    f.at("/d").type.values = [bytes(4)]


sound("h5-datatype-enum-name-not-empty", "letters", "Names of one letter.",
      plain(enum({"R": 1, "G": 2}, I16)))
broken("h5-datatype-enum-name-not-empty", "first", "The first name is empty.",
       enum({"R": 1, "G": 2}, I16), {"names": b"\0G\0"})
broken("h5-datatype-enum-name-not-empty", "last", "The last name is empty.",
       enum({"R": 1, "G": 2}, I16), {"names": b"R\0\0"})
sound("h5-datatype-enum-names-unique", "case", "The names r and R.",
      plain(enum({"r": 1, "R": 2}, I16)))
broken("h5-datatype-enum-names-unique", "twice", "The name R twice.", enum({"R": 1, "G": 2}, I16),
       {"names": b"R\0R\0"})
sound("h5-datatype-enum-values-unique", "high-byte", "Values that differ in their high byte.",
      plain(enum({"R": 1, "G": 257}, I16)))
broken("h5-datatype-enum-values-unique", "twice", "The value 1 twice.", COLORS,
       {"values": b"\1\0\1\0"})

# Types with a base --------------------------------------------------------------------------------

sound("h5-datatype-vlen-type", "both", "A sequence and a string.",
      lambda: of(a=plain(vlen(I32))().at("/d"), b=plain(text())().at("/d")),
      keeps=["h5-datatype-vlen-size"])
for kind in (2, 15):
    broken("h5-datatype-vlen-type", str(kind), f"A variable-length type {kind}.", vlen(I32),
           {"bits": kind})
sound("h5-datatype-vlen-sequence-bits", "zeros", "A sequence without padding and character set.",
      plain(vlen(I32)))
broken("h5-datatype-vlen-sequence-bits", "padding", "A sequence with padding 1.", vlen(I32),
       {"bits": 0x10})
broken("h5-datatype-vlen-sequence-bits", "charset", "A sequence with character set 1.", vlen(I32),
       {"bits": 0x100})


@valid("h5-datatype-vlen-size", "offsets-of-4", "Sequences in a file with addresses of 4 bytes.",
       base=plain(vlen(I32, size=12)))
def vlen_with_offsets_of_4(f):
    f.w = Widths(4, 8)


for size in (8, 12):
    broken("h5-datatype-vlen-size", str(size), f"Sequences of {size} bytes.", vlen(I32, size=size),
           {"size": size})
sound("h5-datatype-vlen-string-base", "1-byte", "A string of letters of 1 byte.", plain(text()))
broken("h5-datatype-vlen-string-base", "int32", "A string of letters of 4 bytes.",
       vlen(I32, text=True), {"base.size": 4})

sound("h5-datatype-array-rank", "1-and-32", "Arrays of rank 1 and 32.",
      lambda: of(a=plain(array((3,), I8, version=3))().at("/d"),
                 b=plain(array((1,) * 32, I8, version=3))().at("/d")))
broken("h5-datatype-array-rank", "33", "An array of rank 33.", array((1,) * 33, I8, version=3),
       {"rank": 33})
broken("h5-datatype-array-rank", "0", "An array of rank 0.", array((), I8, version=3), {"rank": 0})


def indexed(*dimensions):
    made = array(dimensions, I8)
    made.properties = [(name, int(name.split()[-1]), width) if name.startswith("permutation")
                       else (name, value, *rest) for name, value, *rest in made.properties
                       for width in [rest[0] if rest else None]]
    return made


sound("h5-datatype-array-reserved", "version-2", "An array of version 2 with its indices.",
      plain(indexed(2, 3)))
broken("h5-datatype-array-reserved", "byte", "A reserved byte of an array is 1.", indexed(2, 3),
       {"padding": 1})
broken("h5-datatype-array-reserved", "exchanged", "The permutation indices 1 and 0.", indexed(2, 3),
       {"permutation 0": 1, "permutation 1": 0})
broken("h5-datatype-array-reserved", "first-5", "The permutation index 5.", indexed(2, 3),
       {"permutation 0": 5})


def complex_of(base):
    return Datatype(COMPLEX, 2 * base.size, 5, 1, [("base", base)])


sound("h5-datatype-complex-homogeneous", "sizes", "Complex numbers of three sizes.",
      lambda: of(**{name: plain(complex_of(base))().at("/d") for name, base in
                    (("f", real(4)), ("d", real()), ("l", LONG_DOUBLE))}),
      keeps=["h5-datatype-complex-base"])
for slug, bits in (("heterogeneous", 0), ("polar", 3), ("form-3", 7)):
    broken("h5-datatype-complex-homogeneous", slug, f"A complex number with bits {bits}.",
           complex_number(), {"bits": bits})
sound("h5-datatype-complex-base", "float32", "A complex number of two float32.",
      plain(complex_number()))
broken("h5-datatype-complex-base", "int32", "A complex number of two int32.", complex_of(I32),
       {"base.size": 4})
broken("h5-datatype-complex-base", "12", "A complex number of 12 bytes over float32.",
       Datatype(COMPLEX, 12, 5, 1, [("base", real(4))]), {"size": 12})
sound("h5-datatype-complex-version", "5", "A complex number of version 5.", plain(complex_number()))
broken("h5-datatype-complex-version", "4", "A complex number of version 4.", complex_number(),
       {"class and version": 0x4B})

sound("h5-datatype-nested-version", "older-inside", "Members of version 1 in a compound of version 3.",
      plain(PAIR))
broken("h5-datatype-nested-version", "newer-inside", "A member of version 4 in a compound of version 1.",
       OLD_PAIR, {"member 1.class and version": 0x40})


def nested(levels, type=I8):
    for _ in range(levels):
        type = array((1,), type, version=3)
    return type


sound("h5-datatype-nested-deep-allowed", "20", "Arrays in arrays, twenty deep.", plain(nested(20)))

# Risks --------------------------------------------------------------------------------------------

sound("h5-risk-element-size", "4-mib", "Elements of 4 MiB.",
      plain(array((1024, 1024), I32, version=3), shape=(1,),
            storage=Contiguous(allocated=False)))
sound("h5-risk-element-size", "1-gib", "Elements of 1 GiB, of which there are none.",
      plain(string(1 << 30), shape=(0,), storage=Contiguous(allocated=False)))


@invalid("h5-risk-element-size", "more-than-1-gib", "Elements of more than 1 GiB.",
         base=plain(string(1 << 30), shape=(0,), storage=Contiguous(allocated=False)),
)
def more_than_1_gib(f):
    f["OHDR /d"]["datatype.size"] = (1 << 30) + 1


sound("h5-risk-datatype-depth", "32", "A datatype of 32 levels.", plain(nested(31)))
broken("h5-risk-datatype-depth", "33", "A datatype of 33 levels.", nested(32), {"size": 1},
)
sound("h5-risk-datatype-members", "300", "An enumeration of 300 names.",
      plain(enum({f"n{i}": i for i in range(300)}, I16)))
broken("h5-risk-datatype-members", "4097", "An enumeration of 4,097 names.",
       enum({f"n{i}": i for i in range(4097)}, I16), {"size": 2})
sound("h5-risk-datatype-members", "4096", "An enumeration of 4,096 names.",
      plain(enum({f"n{i}": i for i in range(4096)}, I16)))


# A datatype at fault has the wrong size: it says nothing about what is stored -----------------------

for slug, clause, type, size in (("reference", "h5-datatype-reference-size", reference(), 12),
                                 ("complex", "h5-datatype-complex-base", complex_number(), 12),
                                 ("enum", "h5-datatype-enum-size", enum({"a": 1, "b": 2}), 4)):
    for where, options in (("contiguous", {}), ("compact", {"storage": Compact()}),
                           ("unallocated", {"storage": Contiguous(allocated=False)}),
                           ("chunked", {"storage": Single(), "chunk": (3,), "maximum": (3,)})):
        changed(clause, f"{slug}-{where}", f"A datatype of {size} bytes for {type.size}; the dataset is {where}.",
                {"OHDR /d: datatype.size": size}, base=plain(type, **options))
    changed(clause, f"{slug}-of-an-attribute", f"The datatype of an attribute has {size} bytes for {type.size}.",
            {"OHDR /d: attribute.datatype.size": size},
            base=lambda type=type: of(d=plain(I32, attributes=[
                Attribute(b"a\0", type, (2,), bytes(2 * type.size))])().at("/d")))
