"""HEP001 10.7, CHUNK_BLOOM: form, attributes, hashing, membership."""

from generators.hep001 import *
from generators.hep001.values import canonical_bytes as canonical
from generators.recipes.s10_4_chunk_minmax import index, over as over_kind


def over(type_id, values, fill, **options):
    return over_kind(type_id, values, fill, kind="CHUNK_BLOOM", **options)


NUMBERS = over(I32, [5, 3, -1, INT32_FILL, 9, 3, 7], INT32_FILL, m_bits=256)
REALS = over(F64, [1.5, NAN, -2.0, FLOAT_FILL, 4.0, 0.5, 7.0], FLOAT_FILL, m_bits=256)
WORDS = over(string(8), ["muon", "pion", "", "kaon", "eta"], "", m_bits=256)


# --- which columns -------------------------------------------------------------------------------

def unhashable(clause, slug, type_id, values, fill, what, **options):
    def base():
        t = Table("/events", nrows=len(values))
        t.add_column("x", type_id, values, fill=fill, chunk=4, maxshape=(None,))
        t.add_column("y", I32, [1, 2, 3], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", "CHUNK_BLOOM")
        i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid(clause, slug, f"CHUNK_BLOOM over a column of {what}.", base=base,
            **options)(lambda t: None)


unhashable("bloom-type", "time", TIME32, [1, 2, 3], 0, "H5T_TIME")
unhashable("bloom-type", "bitfield", B8, [1, 2, 3], 255, "bitfields")
unhashable("bloom-type", "odd-width", odd_width(I32, 24), [1, 2, 3], -7, "24-bit integers",
           reading="23")
unhashable("bloom-no-composite-column", "enum", enum({"A": 0, "B": 1, "MISSING": 2}), [0, 1, 0], 2,
           "an enumeration")
unhashable("bloom-no-composite-column", "compound", compound({"a": I32, "b": I32}), [(1, 2)] * 3,
           (0, 0), "compounds")
unhashable("bloom-no-composite-column", "array", array(I32, 2), [[1, 2]] * 3, [0, 0], "arrays")
unhashable("bloom-no-composite-column", "sequence", sequence(I32), [[1], [2, 3], []], [],
           "variable-length sequences", fails={"bloom-no-composite-column"},
           informs={"prefer-fixed-length"})


def reference_column(slug, reference_type, target):
    def base():
        t = Table("/events", nrows=2)
        t.add_column("y", I32, [1, 2], fill=INT32_FILL, chunk=4, maxshape=(None,))
        i = t.add_index("y", "CHUNK_BLOOM")
        i.values
        t.column("y").indexes.remove(i)
        del t.column("y").attrs["SEARCH_INDEX_LIST"]
        t.add_column("x", reference_type, [NULL, NULL], fill=NULL, chunk=4, maxshape=(None,))
        t.column("x").attrs["SEARCH_INDEX_LIST"] = refs([i])
        return t
    invalid("bloom-no-reference-column", slug, f"CHUNK_BLOOM over a column of {target}.",
            base=base)(lambda t: None)


reference_column("object", REF_OBJ, "object references")
reference_column("region", REF_REGION, "region references")


def hashed(clause, slug, shows, type_id, values, fill, **options):
    extra = {key: options.pop(key) for key in ("k", "m_bits", "seed", "chunk") if key in options}
    valid(clause, slug, shows, base=over(type_id, values, fill, **{"m_bits": 128, **extra}),
          **options)(lambda t: None)


# --- form ----------------------------------------------------------------------------------------

def flat(t):
    return [b for row in index(t).values for b in row]


@invalid("bloom-rank-2", base=NUMBERS)
def rank_one(t):
    "The filters have rank 1."
    index(t).values, index(t).shape = flat(t), (64,)


@invalid("bloom-rank-2", base=NUMBERS)
def rank_three(t):
    "The filters have rank 3."
    index(t).shape = (2, 32, 1)


@valid("bloom-rank-2", slug="one-chunk", base=over(I32, [5, 3], INT32_FILL),
       keeps=["bloom-rows-chunked", "bloom-uint8"])
def one_chunk(t):
    "Shape {1, m_bytes}."


@invalid("bloom-rows-chunked", base=NUMBERS)
def one_short(t):
    "One filter for two chunks."
    del index(t).values[1]


@invalid("bloom-rows-chunked", base=NUMBERS)
def empty(t):
    "No filter, although there are rows."
    index(t).values, index(t).shape = [], (0, 32)


@valid("bloom-rows-chunked", slug="exact", base=over(I32, [1, 2, 3, 4, 5, 6, 7, 8], INT32_FILL))
def exact(t):
    "NROWS is a multiple of the chunk length."


CONTIGUOUS = over(I32, [5, 3, 9], INT32_FILL, chunk=None)


@invalid("bloom-rows-contiguous", base=CONTIGUOUS)
def two_rows(t):
    "Two filters for a contiguous column."
    index(t).values.append(bytearray(8))


@invalid("bloom-rows-contiguous", base=CONTIGUOUS)
def no_row(t):
    "No filter for a contiguous column with rows."
    index(t).values, index(t).shape = [], (0, 8)


@valid("bloom-rows-contiguous", base=CONTIGUOUS, reading="21")
def compact(t):
    "A compact column has one filter."
    t.column("x").compact = True


@valid("bloom-residue-rows", base=NUMBERS, reading="2")
def residue(t):
    "Two more filters than data-bearing chunks."
    index(t).values += [bytearray(b"\xff" * 32)] * 2


@valid("bloom-residue-rows", slug="no-rows", base=over(I32, [5, 3, 9], INT32_FILL, nrows=0))
def residue_without_rows(t):
    "NROWS is 0, and filters of a former table remain."
    index(t).values = [bytearray(b"\xff" * 8)] * 3


for slug, shows, type_id, kind in (("int8", "int8", I8, invalid),
                                   ("uint64", "uint64 words", U64, invalid),
                                   ("bitfield", "8-bit bitfields", B8, invalid),
                                   ("big-endian", "H5T_STD_U8BE", U8BE, valid)):
    def retype(t, type_id=type_id):
        values = flat(t)
        index(t).values = [v & 0x7F for v in values] if type_id == I8 else values
        index(t).type, index(t).shape = type_id, (2, 32)
    kind("bloom-uint8", slug, f"The filters are stored as {shows}.", base=NUMBERS)(retype)


@invalid("bloom-m-bytes-positive", base=NUMBERS)
def no_bytes(t):
    "Shape {2, 0} and m_bits 0."
    index(t).values, index(t).shape = [], (2, 0)
    index(t).attrs["m_bits"] = uint64(0)


@valid("bloom-m-bytes-positive", slug="one-byte", base=over(I32, [5, 3], INT32_FILL, k=1, m_bits=8),
       keeps=["bloom-m-bits-multiple-of-8", "bloom-m-bits-equals-8-m-bytes"])
def one_byte(t):
    "One byte a filter."


def attribute_case(clause, slug, shows, name, value, kind=invalid, **options):
    def bend(t):
        index(t).values, index(t).shape = index(t).values, (2, 32)
        if value is None:
            del index(t).attrs[name]
        else:
            index(t).attrs[name] = value
    kind(clause, slug, shows, base=NUMBERS, **options)(bend)


attribute_case("bloom-m-bits-multiple-of-8", "1001", "m_bits is 1001.", "m_bits", uint64(1001))
attribute_case("bloom-m-bits-multiple-of-8", "12", "m_bits is 12.", "m_bits", uint64(12))
attribute_case("bloom-m-bits-equals-8-m-bytes", "bytes", "m_bits is the number of byte columns.",
               "m_bits", uint64(32))
attribute_case("bloom-m-bits-equals-8-m-bytes", "more", "m_bits is 8 too many.", "m_bits",
               uint64(264))
for name, clause, right, wrong in (("k", "bloom-k", U16, (I16, U32)),
                                   ("m_bits", "bloom-m-bits", U64, (I64, U32)),
                                   ("seed", "bloom-seed", U32, (I32, U64))):
    value = {"k": 3, "m_bits": 256, "seed": 0}[name]
    bits = {"k": 16, "m_bits": 64, "seed": 32}[name]
    big = {"k": U16BE, "m_bits": U64BE, "seed": U32BE}[name]
    attribute_case(f"{clause}-present", "absent", f"No attribute {name}.", name, None)
    attribute_case(f"{clause}-scalar", "shape-1", f"{name} has shape {{1}}.", name,
                   attribute(right, [value]))
    for type_id, spelled in zip(wrong, ("signed", "other-width")):
        attribute_case(f"{clause}-uint{bits}", spelled, f"{name} is of the wrong integer type.",
                       name, attribute(type_id, value))
    attribute_case(f"{clause}-uint{bits}", "big-endian", f"{name} is big-endian.", name,
                   attribute(big, value), kind=valid,
                   keeps=[f"{clause}-present", f"{clause}-scalar"])
attribute_case("bloom-k-positive", "zero", "k is 0.", "k", uint16(0))
hashed("bloom-k-positive", "one", "k is 1.", I32, [1, 2, 3], INT32_FILL, k=1)

FAMILY = "murmur3_x64_128_double"
attribute_case("bloom-hash-family-present", "absent", "No hash_family.", "hash_family", None)
attribute_case("bloom-hash-family-scalar", "shape-1", "hash_family has shape {1}.", "hash_family",
               ascii_text([FAMILY]))
attribute_case("bloom-hash-family-fixed-string", "variable", "hash_family has variable length.",
               "hash_family", vlen_text(FAMILY))
attribute_case("bloom-hash-family-fixed-string", "code", "hash_family is a number.", "hash_family",
               uint8(1))
attribute_case("bloom-hash-family-ascii", "utf8", "hash_family is declared UTF-8.", "hash_family",
               text(FAMILY))
for wrong in ("murmur3_x86_32", FAMILY.upper(), "xxh64_double"):
    attribute_case("bloom-hash-family-value", wrong.replace("_", "-").lower() + (
        "-upper" if wrong.isupper() else ""), f"hash_family is {wrong}.", "hash_family",
        ascii_text(wrong))
attribute_case("bloom-hash-family-value", "null-padded", "hash_family is null-padded to 32 bytes.",
               "hash_family", Attribute(string(32, cset=ASCII), FAMILY), kind=valid,
               keeps=["bloom-hash-family-present", "bloom-hash-family-scalar",
                      "bloom-hash-family-fixed-string", "bloom-hash-family-ascii"])


@invalid("bloom-seed-present", base=over(I32, [1, 2, 3, 4, 5, 6], INT32_FILL, seed=12345))
def was_not_zero(t):
    "No attribute seed; the filters were made with another than 0."
    i = index(t)
    i.values = i.values
    del i.attrs["seed"]


# --- contents ------------------------------------------------------------------------------------

@invalid("bloom-membership", base=NUMBERS)
def all_zero(t):
    "A filter is all zero."
    index(t).values[0] = bytearray(32)


@invalid("bloom-membership", base=NUMBERS)
def swapped(t):
    "The filters of two chunks are exchanged."
    index(t).values.reverse()


@invalid("bloom-membership", base=NUMBERS)
def one_bit_cleared(t):
    "One bit is cleared."
    row = index(t).values[1]
    at = next(i for i, byte in enumerate(row) if byte)
    row[at] &= row[at] - 1


@invalid("bloom-membership", base=NUMBERS)
def last_not_inserted(t):
    "The value of the last, partial chunk's last row is not in its filter."
    x = t.column("x")
    kept = x.values[6]
    x.values[6] = x.fill
    index(t).values
    x.values[6] = kept


@valid("bloom-membership", slug="single-value", base=over(I32, [5, INT32_FILL], INT32_FILL, m_bits=256))
def single_value(t):
    "A single value has exactly its k bits."


@valid("bloom-superset", base=NUMBERS, keeps=["bloom-membership"])
def all_ones(t):
    "A filter of all ones."
    index(t).values[0] = bytearray(b"\xff" * 32)


@valid("bloom-superset", base=NUMBERS)
def fill_inserted(t):
    "The fill value was inserted too."
    for g in bloom_bits(canonical(I32, INT32_FILL), 3, 256, 0):
        index(t).values[0][g // 8] |= 1 << g % 8


def nan_bits(t):
    for g in bloom_bits(bytes.fromhex("000000000000f87f"), 3, 256, 0):
        index(t).values[0][g // 8] |= 1 << g % 8


@invalid("bloom-nan-not-inserted", base=REALS)
def nan_hashed(t):
    "The bits of NaN are set as well."
    nan_bits(t)


@invalid("bloom-nan-not-inserted", base=over(F64, [1.5, NAN, -2.0, NAN], NAN, m_bits=256))
def nan_fill_hashed(t):
    "NaN is the fill value, and missing rows were hashed."
    nan_bits(t)


@valid("bloom-nan-not-inserted", slug="finite-only", base=REALS)
def finite_only(t):
    "A chunk with a NaN holds the bits of its finite values only."


def made(clause, slug, shows, type_id, values, fill, bits_of=bloom_bits, bytes_of=canonical,
         **options):
    """A filter that a wrong reading of the hash scheme made."""
    extra = {key: options.pop(key) for key in ("k", "m_bits", "seed") if key in options}

    def bend(t):
        i = index(t)
        i.values = chunk_bloom(t.column("x"), t.nrows, i.k, i.m_bits, i.seed, bits_of, bytes_of)
    kind = options.pop("kind", invalid)
    if kind is invalid and clause != "bloom-membership":
        options["alias"] = "bloom-membership"
    kind(clause, slug, shows, base=over(type_id, values, fill, **{"m_bits": 256, **extra}),
         **options)(bend)


SOME = (I32, [5, 3, -1, 12345, 77, 8, 1000], INT32_FILL)


def from_one(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(a + i * b) % m_bits for i in range(1, k + 1)]


def enhanced(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(a + i * b + i * i) % m_bits for i in range(k)]


def swapped_halves(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)
    return [(b + i * a) % m_bits for i in range(k)]


def two_seeds(data, k, m_bits, seed):
    a, b = murmur3_x64_128(data, seed)[0], murmur3_x64_128(data, seed + 1)[0]
    return [(a + i * b) % m_bits for i in range(k)]


def wrapped(bits):
    def bits_of(data, k, m_bits, seed):
        a, b = murmur3_x64_128(data, seed)
        return [(a + i * b) % 2**bits % m_bits for i in range(k)]
    return bits_of


made("bloom-bit-packing-lsb-first", "msb-first", "Bits are packed from the most significant one.",
     *SOME, bits_of=lambda *a: [g ^ 7 for g in bloom_bits(*a)])
made("bloom-double-hashing-formula", "from-one", "i counts from 1 to k.", *SOME, bits_of=from_one)
made("bloom-double-hashing-formula", "enhanced", "A quadratic term is added.", *SOME,
     bits_of=enhanced, k=4)
made("bloom-double-hashing-formula", "wrap-32", "Sums wrap at 32 bits, m_bits is no power of two.",
     *SOME, bits_of=wrapped(32), m_bits=248)
made("bloom-membership", "wrap-64", "Sums wrap at 64 bits, m_bits is no power of two.", *SOME,
     bits_of=wrapped(64), m_bits=248, k=6, kind=valid, warns={"bloom-membership"}, reading="10")
made("bloom-membership", "exact", "Sums are exact integers, m_bits is no power of two.", *SOME,
     m_bits=248, k=6, kind=valid, reading="10")
made("bloom-murmur3-x64-128", "two-calls", "Two calls with different seeds.", *SOME,
     bits_of=two_seeds)
made("bloom-hash-halves", "swapped", "h_a and h_b are exchanged.", *SOME, bits_of=swapped_halves)
made("bloom-membership", "seed-zero", "The seed is 12345, the filter was made with 0.", *SOME,
     seed=12345, bits_of=lambda data, k, m, seed: bloom_bits(data, k, m, 0))
made("bloom-canonical-from-big-endian", "file-bytes", "A big-endian column is hashed as it lies.",
     I32BE, SOME[1], INT32_FILL, bytes_of=lambda t, v: canonical(t, v)[::-1])
made("bloom-canonical-signed", "widened", "int8 is widened to int64 before hashing.", I8,
     [-1, 5, 7], INT8_FILL, bytes_of=lambda t, v: int(v).to_bytes(8, "little", signed=True))
made("bloom-canonical-unsigned", "widened", "uint8 is hashed as uint64.", U8, [1, 5, 7], UINT8_FILL,
     bytes_of=lambda t, v: int(v).to_bytes(8, "little"))
made("bloom-canonical-unsigned", "decimal-text", "The decimal text is hashed.", U16, [258, 5, 7],
     UINT16_FILL, bytes_of=lambda t, v: str(v).encode())
made("bloom-canonical-float", "float64", "float32 is hashed as float64.", F32, [1.0, 2.5, -3.0],
     FLOAT_FILL, bytes_of=lambda t, v: canonical(F64, v))
made("bloom-negative-zero-normalized", "raw", "-0 is hashed with its sign.", F64, [-0.0], FLOAT_FILL,
     bytes_of=lambda t, v: bytes(7) + b"\x80")
made("bloom-canonical-boolean", "0xff", "TRUE is hashed as 0xFF.", BOOL, [1, 1], -1,
     bytes_of=lambda t, v: b"\xff", reading="7")
made("bloom-canonical-boolean", "text", "TRUE is hashed as its name.", BOOL, [1, 1], -1,
     bytes_of=lambda t, v: b"TRUE", reading="7")
TEXT = (string(8), ["muon", "pion", "kaon"], "")
made("bloom-canonical-string", "terminator", "The terminating NUL is hashed too.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v) + b"\0")
made("bloom-canonical-string", "bom", "A byte-order mark precedes the string.", *TEXT,
     bytes_of=lambda t, v: b"\xef\xbb\xbf" + canonical(t, v))
made("bloom-canonical-string", "utf-16", "UTF-16 is hashed.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v).decode().encode("utf-16-le"))
made("bloom-canonical-string-padding-stripped", "null-padded", "The whole field is hashed.", *TEXT,
     bytes_of=lambda t, v: canonical(t, v).ljust(8, b"\0"))
made("bloom-canonical-string-padding-stripped", "spaces", "Spaces that pad are hashed.",
     string(6, pad=SPACEPAD), ["ab", "c"], "none", bytes_of=lambda t, v: canonical(t, v).ljust(6))
made("bloom-canonical-string-ascii", "marker", "A character set marker is hashed too.",
     string(8, cset=ASCII), ["muon", "pion"], "", bytes_of=lambda t, v: b"\0" + canonical(t, v))
made("bloom-canonical-opaque", "tag", "The tag is hashed too.", opaque(2, b"tag"), [b"ab", b"cd"],
     b"\0\0", bytes_of=lambda t, v: b"tag" + canonical(t, v))
made("bloom-canonical-opaque", "reversed", "The bytes are reversed.", opaque(2), [b"ab", b"cd"],
     b"\0\0", bytes_of=lambda t, v: canonical(t, v)[::-1])

hashed("bloom-type", "int64", "int64, 2 chunks.", I64, [-1, 5, 2**62, INT64_FILL, 7], INT64_FILL,
       keeps=["bloom-no-composite-column", "bloom-no-reference-column"])
hashed("bloom-type", "uint16-big-endian", "Big-endian uint16.", U16BE, [258, 1], UINT16_FILL)
hashed("bloom-type", "float16", "float16 with -0.", F16, [1.5, -0.0, NAN, 2.0], -1.0)
hashed("bloom-type", "float32-big-endian", "Big-endian float32.", F32BE, [0.5, -0.0, INF], FLOAT_FILL)
hashed("bloom-type", "boolean", "Booleans.", BOOL, [1, 0, 1], -1, reading="7",
       keeps=["bloom-no-composite-column"])
hashed("bloom-type", "opaque", "Opaque bytes.", opaque(3, b"t"), [b"abc", b"xyz"], b"\0\0\0")
hashed("bloom-type", "null-terminated", "Null-terminated strings.", string(8, pad=NULLTERM),
       ["muon", "", "d\u00e9j\u00e0"], "none")
hashed("bloom-type", "space-padded", "Space-padded strings.", string(8, pad=SPACEPAD),
       ["muon", "a b"], "none")
hashed("bloom-type", "variable", "Variable-length strings.", string(None), ["kaon", "", "pion"],
       "none", informs={"prefer-fixed-length"})
hashed("bloom-seed-any-value", "largest", "The seed is 0xFFFFFFFF.", I32, [1, 2, 3], INT32_FILL,
       seed=0xFFFFFFFF)
hashed("bloom-seed-any-value", "deadbeef", "The seed is 0xDEADBEEF.", string(8), ["a", "b"], "",
       seed=0xDEADBEEF)


@invalid("bloom-one-column", base=NUMBERS)
def two_columns(t):
    "Two columns list the same filters."
    t.add_column("y", I32, list(t.column("x").values), fill=INT32_FILL, chunk=4)
    t.column("y").attrs["SEARCH_INDEX_LIST"] = refs([index(t)])


@valid("bloom-one-column", base=NUMBERS)
def one_each(t):
    "Two columns, filters each."
    t.add_column("y", U8, [3, 1, 2, 0, 9, 8, 7], fill=UINT8_FILL)
    t.add_index("y", "CHUNK_BLOOM")
